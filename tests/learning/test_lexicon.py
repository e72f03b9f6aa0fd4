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
    tokens, rows = lexicon.extend(["dog doggy", "cars doggy"])
    assert ids_by_sentence(tokens) == [[0, 3], [4, 3]]
    np.testing.assert_array_equal(rows, VECTORS.lookup(["doggy", "cars"]))
    tokens, rows = lexicon.extend(["cars cart"])
    assert ids_by_sentence(tokens) == [[4, 5]]
    assert len(rows) == 1
    table = np.zeros((6, 2), np.float32)
    assert lexicon.vectors(table).words == ["dog", "dogs", "car", "doggy", "cars", "cart"]


def test_lookup_adds_nothing():
    lexicon = WordLexicon(VECTORS, VECTORS, "subword")
    lexicon.extend(["doggy"])
    tokens, extra = lexicon.lookup(["cart doggy dog"])
    assert ids_by_sentence(tokens) == [[4, 3, 0]]
    np.testing.assert_array_equal(extra, VECTORS.lookup(["cart"]))
    assert len(lexicon.vectors(np.zeros((4, 2), np.float32))) == 4


@pytest.mark.parametrize(("oov", "expected"), [("rare", [[0, 2], []]), ("zero", [[0], []])])
def test_other_values_of_oov_add_nothing(oov, expected):
    lexicon = WordLexicon(VECTORS, VECTORS, oov)
    for method in (lexicon.extend, lexicon.lookup):
        tokens, rows = method(["dog doggy", ""])
        assert ids_by_sentence(tokens) == expected
        assert rows.shape == (0, 2)
    assert lexicon.vectors(VECTORS.matrix).vocabulary is VECTORS.vocabulary


def test_the_row_of_unknown_words_is_that_of_the_rarest_word():
    vectors = WordVectors(["dog", "car", "`"], np.eye(3))
    tokens, _ = WordLexicon(vectors, vectors, "rare").extend(["dog qzxv"])
    assert ids_by_sentence(tokens) == [[0, 1]]


def test_ngrams_are_added():
    network = Charagram(ngram_range=(2, 2), n_dims=4)
    lexicon = NgramLexicon([], network, np.random.default_rng(0))
    tokens, rows = lexicon.extend(["ab"])
    ngrams = lexicon.vectors(np.zeros((len(rows), 4), np.float32)).words
    assert sorted(ngrams) == [" a", "ab", "b "]
    assert sorted(ngrams[i] for i in tokens.ids) == sorted(ngrams)
    _, rows = lexicon.extend(["abc"])
    assert len(rows) == 2  # "bc" and "c "
    tokens, extra = lexicon.lookup(["xab"])  # only "ab" and "b " are known
    assert len(tokens.ids) == 2
    assert extra.shape == (0, 4)
