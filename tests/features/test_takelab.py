from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from nltk.tokenize.treebank import TreebankWordTokenizer

from skpara.features._takelab import (
    STOP_WORDS,
    TakelabSides,
    is_word,
    join_compounds,
    takelab_tokens,
    takelab_tokens_by_rules,
    treebank_tokens,
)

TREEBANK = TreebankWordTokenizer()
# Pieces that the tokenizer has rules for show a difference more often than random text.
PIECES = (
    "cannot Gimme wanna d'ye more'n 'Tis 'twas don't I'm we'll IT'S they've he'd dogs' N'T "
    "U.S. e.g. 1,000 3.5 10:30 $US5 A.B "
    "\" '' `` ' ` ... .. . , : ; ! ? @ # $ % & ( ) [ ] { } < > - -- / — – ’ ´ « é ſ K İ ı"
).split()
SPACES = [" ", "  ", "\t", "\n", "\u00a0", "\u2028", "\x1f", ""]


@st.composite
def tricky_text(draw):
    parts = draw(st.lists(st.sampled_from([*PIECES, *SPACES]) | st.text(max_size=3), max_size=15))
    return draw(st.sampled_from(["", " "])).join(parts)


@given(tricky_text() | st.text())
@settings(max_examples=100)
@example("gimme the 'ſ 'tiſ CANNOT canNot")
def test_tokens_are_those_of_nltk(text):
    # Whether these are white space depends on nltk's version: its patterns are of re or of regex.
    assume(not set(text) & set("\x1c\x1d\x1e\x1f"))
    assert treebank_tokens(text) == TREEBANK.tokenize(text)


@given(tricky_text() | st.text("ab.,'\"`<> )\n", max_size=20))
@settings(max_examples=100)
def test_compiled_rules_give_the_same_tokens(text):
    assert takelab_tokens(text) == takelab_tokens_by_rules(text)


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("", []),
        ("   ", []),
        ("Dogs bark.", ["Dogs", "bark", "."]),
        ("A dog. A cat.", ["A", "dog.", "A", "cat", "."]),
        ("I'm sure it didn’t", ["I", "am", "sure", "it", "did", "not"]),
        ("a ´70s", ["a", "'70s"]),
        ("``yes''", ["``", "yes", "''"]),
        ("well-known and/or new—old", ["well", "known", "and", "or", "new", "old"]),
        ("pp. 3–5", ["pp.", "3", "5"]),
        ("shares <GM.N> rose", ["shares", "GM.N", "rose"]),
        ("x < y and z > y", ["x", "<", "y", "and", "z", ">", "y"]),
        ("$US50 and $USA", ["$", "50", "and", "$", "USA"]),
    ],
)
def test_sentences_are_simplified_before_they_are_split(sentence, tokens):
    assert takelab_tokens(sentence) == tokens


@pytest.mark.parametrize(
    ("tokens", "others", "joined"),
    [
        ("base ball", "Baseball", "baseball"),
        ("Base Ball bat", "baseball bat", "BaseBall bat"),
        ("a b c", "ab bc", "ab c"),  # from left to right
        ("a b a b", "ab", "ab ab"),
        ("a b c", "abc", "a b c"),  # two neighbors, not three
        ("base", "base", "base"),
        ("", "a", ""),
    ],
)
def test_compounds_of_the_other_side_are_joined(tokens, others, joined):
    assert join_compounds(tokens.split(), others.split()) == joined.split()


@given(*[st.lists(st.text("abABΣ", min_size=1, max_size=2), max_size=6)] * 2)
def test_compounds_of_pairs_are_joined(tokens, others):
    texts = [" ".join(tokens), " ".join(others), "x y"]
    sides = TakelabSides(texts, (np.array([0, 2]), np.array([1, 0])), None)
    joined = [join_compounds(tokens, others), join_compounds(others, tokens)]
    assert [sides.tokens[k] for k in sides.pairs[0]] == joined
    assert [sides.texts[k] for k in sides.pairs[0]] == texts[:2]
    assert [sides.tokens[k] for k in sides.pairs[1]] == [["x", "y"], tokens]


def test_words_have_no_digits_and_only_some_marks():
    tokens = ["The", "U.S.", "$", "3rd", "games", "a_b", "n/a", "'s", "(", "!", "`"]
    assert [token for token in tokens if is_word(token)] == ["The", "$", "games", "'s", "!"]


def test_stop_words_are_lower_cased_words():
    assert len(STOP_WORDS) == 36
    assert all(is_word(word) and word == word.lower() for word in STOP_WORDS)
