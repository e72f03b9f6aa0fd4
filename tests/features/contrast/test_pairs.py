"""Pairs of sentences with the kinds of their differences: those of each detector, and a table."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from skpara.features import find_contrasts, kinds_of
from skpara.features.contrast import GUARD_DETECTORS, TERMS

PAIRS = Path(__file__).with_name("pairs.tsv")


def test_pairs_have_differences_of_their_kinds_in_both_orders():
    with PAIRS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    pairs = [(first, second) for first, second, _ in rows]
    found = find_contrasts(pairs)
    expected = [(*pair, set(kinds.split())) for pair, (*_, kinds) in zip(pairs, rows, strict=True)]
    actual = [
        (*pair, {contrast.kind for contrast in row})
        for pair, row in zip(pairs, found, strict=True)
    ]
    assert actual == expected
    back = find_contrasts([(second, first) for first, second in pairs])
    for row, other in zip(found, back, strict=True):
        exchanged = {contrast._replace(first=contrast.second, second=contrast.first)
                     for contrast in other}  # fmt: skip
        assert set(row) == exchanged


@pytest.mark.parametrize("detector", GUARD_DETECTORS, ids=lambda detector: detector.name)
def test_a_detector_finds_its_examples(detector):
    kinds = kinds_of(detector)
    for first, second in detector.different:
        for row in find_contrasts([(first, second), (second, first)], [detector]):
            assert {contrast.kind for contrast in row} & kinds, (first, second)
    for first, second in detector.same:
        assert find_contrasts([(first, second), (second, first)]) == [[], []], (first, second)


@pytest.mark.parametrize("rule", TERMS, ids=lambda rule: rule.name)
def test_no_term_is_in_two_groups_of_a_row(rule):
    for groups in rule.groups:
        texts = [text for group in groups for text in group]
        assert len(set(texts)) == len(texts)
        assert all(text == text.lower().strip() and text for text in texts)


def test_a_pair_is_compared_as_if_it_were_alone():
    pairs = [("I met Kovacs", "I met Sorensen"), ("$5 is enough", "$6 is enough")]
    alone = [find_contrasts([pair])[0] for pair in pairs]
    assert [len(row) for row in alone] == [1, 1]
    assert find_contrasts(pairs) == alone
    assert find_contrasts(pairs[::-1]) == alone[::-1]
