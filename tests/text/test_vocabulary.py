from __future__ import annotations

import pickle
import sys
import unicodedata
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara.text import Vocabulary, tokenize

WORDS = [
    "a", "b", "dog", "don't", "it's", "1,650.5", ".", "'", "-", "_", "café", "你好", "\x00",
    "abcdefg", "abcdefgh", "abcdefghi", "x" * 15, "x" * 16, "x" * 17, "x" * 40, "a1", "1",
]  # fmt: skip
VOCABULARY = Vocabulary(WORDS)
ODD = st.text(alphabet=st.sampled_from("abxdog1',. \n\t\x00\x1c_-é\u2019你"), max_size=60)
# Marks that compose, jamo, letters whose lower case depends on others, lone surrogates, letters of
# other planes.
HARD = st.text(
    alphabet=st.sampled_from(
        "aeΣσςİKÅ'’ʼ1١.,_ \n\x00\x85\u0301\u0323\u0345각ᄀ\u1161ᆨ\ud800\udfff𝐀🏽𑂙\U000110ba"
    ),
    max_size=30,
)
PIECES = [*"a don B word Σ é n't N'T 's 'll ' \u2019 \u0301 - ` `` '' b- -l & ;".split(" ")]
PIECES += [*"&#32; &amp; &#39; &#x2019; -lrb- -RSB-".split(), " ", "\t", "\x85", "\u2000"]
REPAIRED = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)
ANY = st.text(alphabet=st.characters(exclude_categories=()), max_size=30)


def read_back(sentences, vocabulary=VOCABULARY):
    tokens, unknown = vocabulary.token_ids(sentences)
    assert len(set(unknown)) == len(unknown)
    words = vocabulary.words + unknown
    return [[words[i] for i in tokens.ids[start:stop]] for start, stop in pairwise(tokens.offsets)]


def check(sentences):
    assert read_back(sentences) == [tokenize(sentence) for sentence in sentences]


@given(sentences=st.lists(st.one_of(ODD, HARD, REPAIRED, ANY), max_size=12))
def test_ids_are_those_of_the_tokenizer(sentences):
    check(sentences)


@given(pieces=st.lists(st.one_of(REPAIRED, HARD), max_size=5))
def test_long_text_with_few_odd_words_has_the_ids_of_the_tokenizer(pieces):
    plain = ["a plain word"] * 40
    for i, piece in enumerate(pieces):
        plain.insert(7 * i, piece)
    check([" ".join(plain), "\n ".join(plain)])


@settings(max_examples=15)
@given(
    pieces=st.lists(st.one_of(REPAIRED, HARD, st.sampled_from(WORDS)), min_size=20, max_size=60),
    space=st.sampled_from(" \n\t\u3000"),
)
def test_a_clitic_anywhere_in_long_text_belongs_to_the_word_before(pieces, space):
    # Long enough to be read in several parts, which end between two words.
    text = " ".join([f"{piece}{space}n't 's no N't nn't" for piece in pieces] * 3)
    check([text[i:] for i in range(0, 60, 6)])


@pytest.mark.parametrize("clitic", ["'d", "'ll", "'m", "'re", "'s", "'t", "'ve", "n't", "'xx"])
def test_every_clitic_belongs_to_the_word_before(clitic):
    check([f"the dogs {clitic}{end}" for end in ("", " ran", ".", "'", "x", "é")])


@pytest.mark.slow
def test_every_character_is_split_as_by_the_tokenizer():
    # Beside letters, digits and apostrophes, with the characters that it is composed of.
    scripts = *range(0x3400), *range(0xA000, 0xAC00), *range(0x10000, 0x20000, 7)
    # Of the others a few neighbours: a table is made of every 256 characters that are met.
    others = range(0x3400, 0xA000, 97), range(0x20000, sys.maxunicode, 0x4000)
    codes = [*scripts, *others[0], *(start + k for start in others[1] for k in range(16))]
    sentences = [f"A{c}b 1{c}2 '{c}' {unicodedata.normalize('NFD', c)}" for c in map(chr, codes)]
    check(sentences)


def test_words_of_any_length_are_found():
    words = ["é" * n for n in range(1, 40)] + ["x" * n for n in range(1, 40)] + ["你" * 20_000]
    tokens, unknown = Vocabulary(words).token_ids([" ".join(words).upper()])
    assert tokens.ids.tolist() == list(range(len(words)))
    assert unknown == []


def test_what_is_not_a_string_is_refused():
    with pytest.raises((TypeError, AttributeError)):
        VOCABULARY.token_ids(["a", None])


def test_many_sentences_span_several_chunks():
    rng = np.random.default_rng(0)
    pieces = [*WORDS, "unseen", "Ünseen", "42"]
    sentences = [" ".join(rng.choice(pieces, size=rng.integers(0, 9))) for _ in range(10_000)]
    check(sentences)


def test_every_word_of_a_large_vocabulary_is_found():
    words = [f"{i:x}" for i in range(30_000)]
    tokens, unknown = Vocabulary(words).token_ids([" ".join(words), "zz 752f zzz zz"])
    assert tokens.ids[:30_000].tolist() == list(range(30_000))
    assert tokens.ids[30_000:].tolist() == [30_000, 29_999, 30_001, 30_000]
    assert unknown == ["zz", "zzz"]


def test_no_sentences():
    tokens, unknown = VOCABULARY.token_ids([])
    assert len(tokens.ids) == 0
    assert tokens.offsets.tolist() == [0]
    assert unknown == []


def test_repeated_words_and_what_is_no_list_of_words_are_refused():
    with pytest.raises(ValueError, match="'dog' occurs twice"):
        Vocabulary(["dog", "cat", "dog"])
    for words in ("ab", {"a", "b"}, ["a", 1]):
        with pytest.raises(TypeError, match="words must be a list of str"):
            Vocabulary(words)


def test_a_pickle_has_the_same_ids():
    VOCABULARY.token_ids(["a dog"])
    again = pickle.loads(pickle.dumps(VOCABULARY))
    assert again.words == WORDS
    tokens, _ = again.token_ids(["a dog"])
    assert tokens.ids.tolist() == [0, 2]


def test_an_extended_vocabulary_equals_one_of_all_words():
    base = Vocabulary(["a", "dog", "barks"])
    for extended in (base.extend(["cat", "été"]), base.extend(["cat"]).extend(["été"])):
        whole = Vocabulary(["a", "dog", "barks", "cat", "été"])
        sentences = ["A cat barks.", "", "été new dog", "new . cat"]
        tokens, unknown = extended.token_ids(sentences)
        expected, unknown_to_whole = whole.token_ids(sentences)
        np.testing.assert_array_equal(tokens.ids, expected.ids)
        np.testing.assert_array_equal(tokens.offsets, expected.offsets)
        assert unknown == unknown_to_whole
        assert (extended.words, extended.index, len(extended)) == (whole.words, whole.index, 5)
        assert all(word in extended for word in whole.words)
        assert "new" not in extended
    for words in (["dog"], ["cat", "cat"]):
        with pytest.raises(ValueError, match="occurs twice"):
            base.extend(words)
