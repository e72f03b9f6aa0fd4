from __future__ import annotations

import numpy as np
import pytest

from skpara import WordVectors
from skpara.learning._lexicon import NgramLexicon, WordLexicon
from skpara.networks import Charagram

VECTORS = WordVectors(["dog", "dogs", "car"], [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])


def rows_of(tokens):
    return [
        tokens.ids[start:end].tolist()
        for start, end in zip(tokens.offsets[:-1], tokens.offsets[1:], strict=True)
    ]


def test_subword_gives_new_words_rows_once_and_in_order():
    lexicon = WordLexicon(VECTORS, VECTORS, "subword")
    tokens, new = lexicon.learn(["dog doggy", "cars doggy"])
    assert rows_of(tokens) == [[0, 3], [4, 3]]
    np.testing.assert_array_equal(new, VECTORS.lookup(["doggy", "cars"]))
    tokens, new = lexicon.learn(["cars cart"])
    assert rows_of(tokens) == [[4, 5]]
    assert len(new) == 1
    table = np.zeros((6, 2), np.float32)
    assert lexicon.vectors(table).words == ["dog", "dogs", "car", "doggy", "cars", "cart"]


def test_looking_up_learns_nothing():
    lexicon = WordLexicon(VECTORS, VECTORS, "subword")
    lexicon.learn(["doggy"])
    tokens, extra = lexicon.look_up(["cart doggy dog"])
    assert rows_of(tokens) == [[4, 3, 0]]
    np.testing.assert_array_equal(extra, VECTORS.lookup(["cart"]))
    assert len(lexicon.vectors(np.zeros((4, 2), np.float32))) == 4


@pytest.mark.parametrize(("oov", "expected"), [("rare", [[0, 2], []]), ("zero", [[0], []])])
def test_other_rules_make_no_rows(oov, expected):
    lexicon = WordLexicon(VECTORS, VECTORS, oov)
    for found in (lexicon.learn(["dog doggy", ""]), lexicon.look_up(["dog doggy", ""])):
        assert rows_of(found[0]) == expected
        assert found[1].shape == (0, 2)
    assert lexicon.vectors(VECTORS.matrix).vocabulary is VECTORS.vocabulary


def test_ngrams_are_learned_and_added_to():
    network = Charagram(ngram_range=(2, 2), n_dims=4)
    lexicon = NgramLexicon([], network, np.random.default_rng(0))
    tokens, new = lexicon.learn(["ab"])
    words = lexicon.vectors(np.zeros((len(new), 4), np.float32)).words
    assert sorted(words) == [" a", "ab", "b "]
    assert sorted(words[i] for i in tokens.ids) == sorted(words)
    _, more = lexicon.learn(["abc"])
    assert len(more) == 2  # "bc" and "c "
    seen, extra = lexicon.look_up(["xab"])  # only "ab" and "b " are known
    assert len(seen.ids) == 2
    assert extra.shape == (0, 4)
