"""Words and phrases of which a thing has only one."""

import json
from pathlib import Path

import pytest

import skpara.features.contrast
from skpara.features import find_contrasts
from skpara.features.contrast import ExclusiveTerms
from skpara.features.contrast._exclusive_terms import find_terms

VOCABULARY = Path(skpara.features.contrast.__file__).with_name("vocabulary.json")
TERMS = json.loads(VOCABULARY.read_text("utf-8"))["exclusive terms"]


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("Is the soup vegan?", "Is the soup vegetarian?", "vegetarian, not vegan"),
        (
            "Apple iPhone 13, brand new",
            "Apple iPhone 13, refurbished",
            "refurbished, not brand new",
        ),
        (
            "He was charged with fraud.",
            "He was acquitted of fraud.",
            "acquitted, not charged with",
        ),
        ("When does it start?", "Where does it start?", "Where, not When"),
        ("A desktop computer for work", "A laptop computer for work", "laptop, not desktop"),
        (
            "He is liable for negligence.",
            "He is liable for gross negligence.",
            "gross negligence, not negligence",
        ),
        ("They allege that he lied.", "They have proved that he lied.", "proved, not allege"),
    ],
)
def test_another_term_of_a_list_is_a_reason(first, second, reason):
    (forward,), (backward,) = find_contrasts(
        [(first, second), (second, first)], [ExclusiveTerms()]
    )
    assert str(forward) == reason
    assert (backward.first, backward.second) == (forward.second, forward.first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Is the soup vegan?", "Is the vegan soup good?"),
        ("A new laptop and a used one", "A used laptop and a new one"),
        ("The tumour is not malignant.", "The tumour is benign."),
        ("The lamp is left of the door.", "The door is right of the lamp."),
        ("The film starts slowly.", "The film starts gradually."),
    ],
)
def test_terms_that_agree_are_no_reasons(first, second):
    assert find_contrasts([(first, second), (second, first)], [ExclusiveTerms()]) == [[], []]


def test_the_longest_term_counts():
    found = find_terms("a permanent resident stays".split(), "a permanent resident stay".split())
    assert list(found.values()) == [(1, 2)]


@pytest.mark.parametrize("groups", TERMS, ids=lambda groups: groups[0][0])
def test_no_term_is_in_two_groups_of_a_list(groups):
    texts = [text for group in groups for text in group]
    assert len(groups) > 1
    assert len(set(texts)) == len(texts)
    assert all(text == text.lower().strip() and text for text in texts)
