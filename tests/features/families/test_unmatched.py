"""Unmatched tokens, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from skpara import LexicalFeatures

COUNTS = {"the": 1_000_000, "a": 900_000, "in": 800_000, "on": 700_000, "man": 3, "dog": 2}


@pytest.fixture(scope="module")
def lexical():
    return LexicalFeatures("unmatched", frequencies=COUNTS).fit([("a", "b")])


def compute(lexical, first, second):
    """Return the numbers that are not 0 by name."""
    names = [name.removeprefix("unmatched_") for name in lexical.get_feature_names_out()]
    [row] = lexical.transform([(first, second)])
    return {name: value for name, value in zip(names, row.tolist(), strict=True) if value}


def test_equal_sentences_have_no_unmatched_tokens(lexical):
    for sentence in ("The dog barks.", "", "?!", "2 dogs"):
        assert compute(lexical, sentence, sentence) == {}


def test_tokens_are_counted_by_kind(lexical):
    numbers = compute(lexical, "The man, in Rome, saw 3 tigers.", "The man saw a tiger.")
    kinds = ("numbers", "marks", "names", "function_words", "content_words")
    assert [numbers.get(f"{kind}_more", 0) for kind in kinds] == [1, 2, 1, 1, 0]
    assert [numbers.get(f"{kind}_less", 0) for kind in kinds] == [0, 0, 0, 1, 0]
    assert numbers["share_more"] == pytest.approx(5 / 10)
    assert numbers["share_less"] == pytest.approx(1 / 6)


def test_runs_and_places(lexical):
    numbers = compute(lexical, "In Rome the man saw dogs on Monday.", "The man never saw dogs.")
    places = ("runs", "longest_run", "at_start", "at_end")
    assert [numbers.get(f"{place}_more", 0) for place in places] == [2, 2, 2, 2]
    assert [numbers.get(f"{place}_less", 0) for place in places] == [1, 1, 0, 0]


def test_information_of_unmatched_tokens(lexical):
    frequencies = lexical.frequencies_
    man, unknown = frequencies.information(["man"])[0], frequencies.max_information
    numbers = compute(lexical, "the man , Zyx", "the dog")
    assert numbers["ic_more"] == pytest.approx(man + 1 + unknown)
    assert numbers["ic_max_more"] == pytest.approx(unknown)
    assert numbers["names_ic_more"] == pytest.approx(unknown)
    assert numbers["content_words_ic_more"] == pytest.approx(
        max(man, frequencies.information(["dog"])[0])
    )
    assert numbers["run_ic_max_more"] == numbers["ic_more"]


def test_words_at_another_place_and_without_endings(lexical):
    assert compute(lexical, "tigers barking", "tiger barked") == {}
    assert compute(lexical, "dogs", "dog")["content_words_more"] == 1  # of three letters
    assert compute(lexical, "man dog", "dog man")["content_words_more"] == 1


def test_order_of_the_sentences_does_not_matter(lexical):
    pairs = np.array([("a b a c a d", "d a c a b a"), ("b a", "a b"), ("", "A b")], dtype=object)
    expected = lexical.transform(pairs)
    np.testing.assert_array_equal(lexical.transform(pairs[:, ::-1]), expected)
    np.testing.assert_array_equal(
        np.vstack([lexical.transform(pairs[i : i + 1]) for i in range(3)]), expected
    )
