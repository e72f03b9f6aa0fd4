"""Rules at their borders: the least and the most that each of them takes."""

from __future__ import annotations

import pytest

from skpara import LexicalFeatures
from skpara.features import find_contrasts
from skpara.features.contrast._comparison import Edits
from skpara.features.contrast._lexicon import is_misspelling, look_alike


@pytest.mark.parametrize(
    ("first", "second", "are_alike"),
    [
        ("xqz", "xqy", False),
        ("xqzv", "xqzw", True),
        ("xqzvbnk", "xqzvbmh", False),
        ("xqzvbnkl", "xqzvbmhl", True),
        ("xqzvbnkl", "xqzvbn", True),
        ("xqzvbnkl", "xqzvb", False),
        ("xqzvbnkl", "xqzvmhtl", False),
        ("xqzvbnkl", "xqzvbkn1", False),
        ("x" * 29 + "y", "x" * 29 + "z", True),
        ("x" * 30 + "y", "x" * 30 + "z", False),
        ("house", "mouse", False),
        ("house", "housr", True),
    ],
)
def test_one_error_in_four_letters_and_two_in_eight(wordnet, first, second, are_alike):
    assert look_alike(wordnet, first, second) == are_alike
    assert look_alike(wordnet, second, first) == are_alike


@pytest.mark.parametrize(
    ("first", "second", "is_error"),
    [
        # Neither word is in the list of frequencies.
        ("xqzvbnk", "xqzvbnh", False),
        ("xqzvbnkl", "xqzvbnhl", True),
        # One is rarer.
        ("receive", "recieve", True),
        ("writing", "writting", True),
        # Both are words, unless one is a form of the other or has letters of its own.
        ("would", "could", False),
        ("could", "couldn", True),
        ("cafe", "caf\u00e9", True),
    ],
)
def test_a_misspelling_is_rarer_than_the_word(wordnet, first, second, is_error):
    assert is_misspelling(wordnet, first, second) == is_error
    assert is_misspelling(wordnet, second, first) == is_error


@pytest.mark.parametrize(
    ("n_before", "n_between", "n_after", "is_exchange"),
    [(4, 0, 4, True), (5, 0, 4, False), (4, 0, 5, False), (1, 38, 1, True), (1, 39, 1, False)],
)
def test_how_long_exchanged_phrases_are(n_before, n_between, n_after, is_exchange):
    before, between, after = (
        [f"{name}{k}" for k in range(n)]
        for name, n in (("a", n_before), ("b", n_between), ("c", n_after))
    )
    edits = Edits([*before, *between, *after], [*after, *between, *before])
    assert (edits.exchange() is not None) == is_exchange


# Words that only the second sentence has.
MORE = "big old wet hot tidy dim".split()


# Pairs, and how many of these words may be added before nothing decides any more.
MOST = [
    ("Two dogs ran home in the rain.", "Three {} dogs ran home in the rain.", 2),
    ("Did two dogs run home in the rain?", "Did three {} dogs run home in the rain?", 4),
    ("It rained in Oslo, he said.", "It {} rained in Rome, he said.", 2),
    ("The soup on the table is hot.", "The soup on the {} table is cold.", 2),
    ("Is the soup on the table hot?", "Is the soup on the {} table cold?", 3),
    ("The men will leave.", "The {} men will not leave.", 5),
    ("The man did not run but slept.", "The man ran but did not {} sleep.", 2),
    ("Is rain rare?", "Is {} rain rare in Peru?", 1),
    ("She left home.", "She will {} leave home.", 2),
    ("Two big dogs ran.", "A big {} dog ran.", 5),
    ("It is -5 degrees outside", "It is 5 degrees {} outside", 6),
    ("They went in the room.", "They went out of the {} room.", 0),
    ("A vegan soup for lunch", "A vegetarian soup for {} lunch", 4),
    ("The dog chased the cat.", "The cat chased the {} dog.", 4),
    ("Did the dog chase the cat?", "Did the cat chase the {} dog?", 6),
    ("A red scarf in the shop", "A blue scarf in the {} shop", 4),
    ("A man drinks tea.", "A {} man drinks coffee.", 0),
    ("All dogs ran home.", "Some {} dogs ran home.", 2),
    ("We met on Monday in the park.", "We met on Tuesday in the {} park.", 2),
    ("Did we meet on Monday in the park?", "Did we meet on Tuesday in the {} park?", 4),
    ("Item No. 155 in the box", "Item No. 1555 in the {} box", 4),
    ("Only dogs may enter.", "{} Dogs may enter.", 0),
    ("The thief was shot by a man.", "The thief shot a {} man.", 2),
    ("A phone with a case", "A refurbished phone with a {} case", 1),
    ("He almost hid in the house.", "He hid in the {} house.", 4),
    ("Can I take it before lunch?", "Can I take it after {} lunch?", 1),
]


@pytest.mark.parametrize(("first", "second", "most"), MOST)
def test_in_how_many_words_sentences_with_a_reason_differ(first, second, most):
    pairs = [(first, " ".join(second.format(" ".join(MORE[:n])).split())) for n in range(7)]
    assert [bool(found) for found in find_contrasts(pairs)] == [n <= most for n in range(7)]
    backward = find_contrasts([pair[::-1] for pair in pairs])
    assert [bool(found) for found in backward] == [n <= most for n in range(7)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Half of the men left.", "50 percent of the men left."),
        ("A quarter of the men left.", "25 % of the men left."),
    ],
)
def test_shares_in_words_and_in_numbers(first, second):
    lexical = LexicalFeatures(["number_added", "quantifier_added"]).fit([("", "")])
    assert lexical.transform([(first, second)]).tolist() == [[0.0, 0.0]]
    other = second.replace("5", "6")
    assert lexical.transform([(first, other)]).tolist() != [[0.0, 0.0]]


def test_a_misspelled_word_is_no_other_verb():
    names = ["verbs_changed", "words_misspelled"]
    lexical = LexicalFeatures(names).fit([("", "")])
    assert lexical.transform([("He received it.", "He recieved it.")]).tolist() == [[0.0, 1.0]]
    assert lexical.transform([("The xqzvbnkl ran.", "The xqzvbnkl ran.")]).tolist() == [[0.0, 0.0]]
