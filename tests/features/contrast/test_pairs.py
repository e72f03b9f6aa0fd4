"""Pairs of sentences with the kinds of their differences: those of each detector, and a table."""

from __future__ import annotations

import csv
import zlib
from pathlib import Path

import numpy as np
import pytest

from skpara import LexicalFeatures
from skpara.features import find_contrasts, kinds_of
from skpara.features.contrast import GUARD_DETECTORS, TERMS, Detector
from skpara.features.contrast._terms import are_exclusive

PAIRS = Path(__file__).with_name("pairs.tsv")


def read_rows():
    with PAIRS.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]


def test_pairs_have_differences_of_their_kinds_in_both_orders():
    rows = read_rows()
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


class Recorded(Detector):
    """A detector that notes the columns of what it finds."""

    def __init__(self, own):
        self.own, self.columns, self.found = own, own.columns, set()

    def detect(self, comparison):
        for difference in self.own.detect(comparison):
            self.found.add(difference.column)
            yield difference

    def may_differ(self, pairs):
        return self.own.may_differ(pairs)


def test_detectors_find_differences_of_all_their_columns_and_of_no_other():
    pairs = [(first, second) for first, second, _ in read_rows()]
    detectors = [Recorded(detector) for detector in GUARD_DETECTORS]
    find_contrasts(pairs, detectors)
    for detector in detectors:
        assert detector.found == set(detector.columns), detector.own


@pytest.mark.parametrize("rule", TERMS, ids=lambda rule: rule.name)
def test_no_term_is_in_two_groups_of_a_row(rule):
    for groups in rule.groups:
        texts = [text for group in groups for text in group]
        assert len(set(texts)) == len(texts)
        assert all(text == text.lower().strip() and text for text in texts)


def test_terms_of_two_groups_of_a_row_exclude_each_other():
    [rule] = [rule for rule in TERMS if rule.name == "exclusive terms"]
    for (text, *_), (other, *_), *_ in rule.groups:
        assert are_exclusive(text, other)
        assert not are_exclusive(text, text)


def changed(way):
    """Pairs that the table makes with other words: what is around a difference decides, too."""
    rows = read_rows()
    for (first, second, _), (other, its_second, _) in zip(rows, rows[1:] + rows[:1], strict=True):
        words = first.split()
        half = len(words) // 2
        start, end = words[:half], words[half:]
        yield {
            "with another pair": (f"{first} {other}", f"{second} {its_second}"),
            "with another sentence": (f"{first} {other}", f"{second} {other}"),
            "negated": (" ".join([*start, "not", *end]), second),
            "ends exchanged": (" ".join([words[-1], *words[1:-1], words[0]]), first),
            "a word less": (" ".join([*start, *end[1:]]), second),
        }[way]


# Digests of all reasons, and of what the features are: a rule that changes, or a pair that is
# added to the table, changes them. See that what has changed is meant, and write the new ones.
DIGESTS = {
    "with another pair": (403781939, 3069704858, 2656.4034),
    "with another sentence": (1540735900, 2149192152, 2647.9744),
    "negated": (1295390015, 3393732085, 2172.2528),
    "ends exchanged": (717372962, 115418605, 1229.1238),
    "a word less": (1593879272, 503684200, 1707.5752),
}


@pytest.mark.parametrize("way", DIGESTS)
def test_reasons_are_as_before_whatever_is_around_a_difference(way):
    pairs = list(changed(way))
    reasons = [list(map(str, row)) for row in find_contrasts(pairs)]
    features = LexicalFeatures("contrast").fit([("", "")]).transform(pairs)
    signs = np.packbits([features > 0, features < 1])
    *digests, total = DIGESTS[way]
    assert [zlib.crc32(repr(reasons).encode()), zlib.crc32(signs)] == digests
    assert features.sum() == pytest.approx(total, rel=1e-6)


def test_a_pair_is_compared_as_if_it_were_alone():
    pairs = [("I met Kovacs", "I met Sorensen"), ("$5 is enough", "$6 is enough")]
    alone = [find_contrasts([pair])[0] for pair in pairs]
    assert [len(row) for row in alone] == [1, 1]
    assert find_contrasts(pairs) == alone
    assert find_contrasts(pairs[::-1]) == alone[::-1]
