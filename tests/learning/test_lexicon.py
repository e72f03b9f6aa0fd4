from __future__ import annotations

import numpy as np
import pytest

from skpara import WordVectors
from skpara.learning._lexicon import NgramLexicon, WordLexicon
from skpara.networks import Charagram

VECTORS = WordVectors(["dog", "dogs", "car"], [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])


def ids_by_sentence(tokens):
    return [ids.tolist() for ids in np.split(tokens.ids, tokens.offsets[1:-1])]


def test_subword_adds_new_words_once_and_in_order():
    lexicon = WordLexicon(VECTORS, VECTORS, "subword")
    tokens, new = lexicon.extend(["car doggy", "cars doggy"])
    assert ids_by_sentence(tokens) == [[0, 1], [2, 1]]
    np.testing.assert_array_equal(new.rows, VECTORS.lookup(["car", "doggy", "cars"]))
    tokens, new = lexicon.extend(["cars cart dog"])
    assert ids_by_sentence(tokens) == [[2, 4, 3]]
    np.testing.assert_array_equal(new.rows, VECTORS.lookup(["dog", "cart"]))
    table = np.arange(10, dtype=np.float32).reshape(5, 2)
    trained = lexicon.vectors(table)
    assert trained.words == ["dog", "dogs", "car", "doggy", "cars", "cart"]
    np.testing.assert_array_equal(trained.matrix[lexicon.ids()], table)
    np.testing.assert_array_equal(trained["dogs"], VECTORS["dogs"])


@pytest.mark.parametrize(("oov", "expected"), [("rare", [[0, 1], []]), ("zero", [[0], []])])
def test_other_values_of_oov_add_no_words(oov, expected):
    lexicon = WordLexicon(VECTORS, VECTORS, oov)
    for method in (lexicon.lookup, lexicon.extend):
        tokens, _ = method(["dog doggy", ""])
        assert ids_by_sentence(tokens) == expected
    np.testing.assert_array_equal(lexicon.ids(), [0, 2][: len(expected[0])])
    table = np.zeros((len(lexicon.ids()), 2), np.float32)
    assert lexicon.vectors(table).vocabulary is VECTORS.vocabulary


def test_the_row_of_unknown_words_is_that_of_the_rarest_word():
    vectors = WordVectors(["dog", "car", "`"], np.eye(3))
    lexicon = WordLexicon(vectors, vectors, "rare")
    lexicon.extend(["qzxv"])
    assert lexicon.ids().tolist() == [1]


def test_ngrams_are_added():
    network = Charagram(ngram_range=(2, 2), n_dims=4)
    lexicon = NgramLexicon(None, network, None, "subword", np.random.default_rng(0))
    tokens, new = lexicon.extend(["ab"])
    ngrams = lexicon.vectors(np.zeros((len(new.rows), 4), np.float32)).words
    assert sorted(ngrams) == [" a", "ab", "b "]
    assert sorted(ngrams[i] for i in tokens.ids) == sorted(ngrams)
    _, new = lexicon.extend(["abc"])
    assert len(new.rows) == 2  # "bc" and "c "
    tokens, extra = lexicon.lookup(["xab"])  # only "ab" and "b " are known
    assert len(tokens.ids) == 2
    assert extra.shape == (0, 4)


def test_the_root_mean_square_is_that_of_all_rows_with_the_added_ones():
    lexicon = WordLexicon(VECTORS, VECTORS, "subword")
    lexicon.extend(["car doggy", "cars"])
    table = np.arange(6, dtype=np.float32).reshape(3, 2)
    added = table[np.isin(lexicon.ids(), [3, 4])]
    assert added.shape == (2, 2)
    expected = np.sqrt(np.square(np.vstack([VECTORS.matrix, added])).mean())
    assert lexicon.rms(table) == pytest.approx(expected, rel=1e-5)
