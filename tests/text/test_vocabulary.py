from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.text import Vocabulary, tokenize

WORDS = [
    "a", "b", "dog", "don't", "it's", "1,650.5", ".", "'", "-", "_", "café", "你好", "\x00",
    "abcdefg", "abcdefgh", "abcdefghi", "x" * 15, "x" * 16, "x" * 17, "x" * 40, "a1", "1",
]  # fmt: skip
VOCABULARY = Vocabulary(WORDS)
ODD = st.text(alphabet=st.sampled_from("abxdog1',. \n\t\x00\x1c_-é\u2019你"), max_size=60)


def read_back(sentences):
    ids, offsets, unknown = VOCABULARY.token_ids(sentences)
    words = WORDS + unknown
    return [[words[i] for i in ids[start:stop]] for start, stop in pairwise(offsets)]


@given(st.lists(st.one_of(ODD, st.text(max_size=30)), max_size=12))
def test_ids_are_those_of_the_tokenizer(sentences):
    assert read_back(sentences) == [tokenize(sentence) for sentence in sentences]


@given(st.lists(st.text(alphabet=st.characters(max_codepoint=127), max_size=80), max_size=12))
def test_ids_of_ascii_are_those_of_the_tokenizer(sentences):
    assert read_back(sentences) == [tokenize(sentence) for sentence in sentences]


def test_many_sentences_span_several_chunks():
    rng = np.random.default_rng(0)
    pieces = [*WORDS, "unseen", "Ünseen", "42"]
    sentences = [" ".join(rng.choice(pieces, size=rng.integers(0, 9))) for _ in range(10_000)]
    assert read_back(sentences) == [tokenize(sentence) for sentence in sentences]


def test_every_word_of_a_large_vocabulary_is_found():
    words = [f"{i:x}" for i in range(30_000)]
    ids, _, unknown = Vocabulary(words).token_ids([" ".join(words), "zz 752f zzz zz"])
    assert ids[:30_000].tolist() == list(range(30_000))
    assert ids[30_000:].tolist() == [30_000, 29_999, 30_001, 30_000]
    assert unknown == ["zz", "zzz"]


def test_no_sentences():
    ids, offsets, unknown = VOCABULARY.token_ids([])
    assert len(ids) == 0
    assert offsets.tolist() == [0]
    assert unknown == []


def test_a_repeated_word_is_refused():
    with pytest.raises(ValueError, match="'dog' occurs twice"):
        Vocabulary(["dog", "cat", "dog"])


def test_a_pickle_has_the_same_ids():
    VOCABULARY.token_ids(["a dog"])
    again = pickle.loads(pickle.dumps(VOCABULARY))
    assert again.words == WORDS
    assert again.token_ids(["a dog"]).ids.tolist() == [0, 2]


@given(st.lists(st.text(alphabet="ab .", max_size=12), min_size=1, max_size=8), st.data())
def test_take_selects_sentences(sentences, data):
    rows = data.draw(st.lists(st.integers(0, len(sentences) - 1), max_size=10))
    tokens = VOCABULARY.token_ids(sentences)
    taken = tokens.take(np.array(rows, dtype=np.int64))
    words = [(WORDS + taken.unknown)[i] for i in taken.ids]
    assert words == [token for i in rows for token in tokenize(sentences[i])]
    assert taken.lengths.tolist() == [len(tokenize(sentences[i])) for i in rows]


def test_an_extended_vocabulary_equals_one_of_all_words():
    base = Vocabulary(["a", "dog", "barks"])
    for extended in (base.extend(["cat", "été"]), base.extend(["cat"]).extend(["été"])):
        whole = Vocabulary(["a", "dog", "barks", "cat", "été"])
        sentences = ["A cat barks.", "", "été new dog", "new . cat"]
        ids, offsets, unknown = extended.token_ids(sentences)
        expected = whole.token_ids(sentences)
        np.testing.assert_array_equal(ids, expected.ids)
        np.testing.assert_array_equal(offsets, expected.offsets)
        assert unknown == expected.unknown
        assert (extended.words, extended.index, len(extended)) == (whole.words, whole.index, 5)
        assert all(word in extended for word in whole.words)
        assert "new" not in extended
    for words in (["dog"], ["cat", "cat"]):
        with pytest.raises(ValueError, match="occurs twice"):
            base.extend(words)
