from __future__ import annotations

import pickle

import pytest
from sklearn.base import clone

from skpara import Deduplicator, TableMatcher
from skpara.features import find_contrasts
from skpara.features._catalogue import GROUPS
from skpara.features.contrast import DETECTORS, GUARD_DETECTORS, Detector, Difference, Terms


class Condition(Detector):
    """Things of which only one is used."""

    name = "condition"
    columns = ("condition_flip",)
    different = (("a phone", "a used phone"),)

    def detect(self, comparison):
        first, second = (
            [k for k, token in enumerate(side.tokens) if token in ("used", "refurbished")]
            for side in (comparison.first, comparison.second)
        )
        if bool(first) != bool(second):
            yield Difference("condition_flip", first, second)


ROLES = next(detector for detector in GUARD_DETECTORS if detector.name == "roles")
PHONES = ["a phone with a large screen", "a used phone with a large screen"]


def test_detectors_can_be_listed():
    names = [detector.name for detector in GUARD_DETECTORS]
    assert len(set(names)) == len(names)
    assert {detector.name for detector in DETECTORS} < set(names)
    columns = {column for detector in DETECTORS for column in detector.columns}
    assert columns <= set(GROUPS["contrast"])
    assert {"Negation()", "Terms('exclusive terms')"} <= set(map(repr, GUARD_DETECTORS))


@pytest.mark.parametrize(
    ("guard", "reason"),
    [
        ([*GUARD_DETECTORS, Condition()], "only one has used"),
        ([Condition()], "only one has used"),
        (["number", Condition()], "only one has used"),
        (GUARD_DETECTORS, ""),
        (True, ""),
    ],
)
def test_a_guard_has_a_detector_of_the_user(guard, reason):
    found = clone(Deduplicator(guard=guard, threshold=0.7)).fit(PHONES)
    assert [pair[3] for pair in found.borderline(float("inf"))] == [reason]
    assert len(set(found.labels_)) == 1 + bool(reason)
    again = pickle.loads(pickle.dumps(found)).partial_fit([PHONES[1].replace("used", "old")])
    assert (0, 1, reason) in [(i, j, why) for i, j, _, why in again.borderline(float("inf"))]


def test_a_guard_of_some_detectors_has_no_others():
    rows = ["Two dogs chased a small cat.", "Three dogs chased a small cat."]
    for guard, labels in ((True, [0, 1]), ([ROLES], [0, 0]), (["name", ROLES], [0, 0])):
        assert Deduplicator(guard=guard, threshold=0.7).fit(rows).labels_.tolist() == labels


@pytest.mark.parametrize("text", ["careless driving", "Was it {} driving?", "It was {} driving."])
def test_terms_of_the_user_are_of_any_form_and_in_six_words(text):
    terms = Terms("offences", [[["careless"], ["dangerous", "reckless"]]])
    first = text.format("careless")
    more = "on that wet old road".split()
    for n, kinds in enumerate([["attribute"]] * 4 + [[]]):
        second = first.replace("careless driving", " ".join(["reckless driving", *more[: n + 1]]))
        for pair in ((first, second), (second, first)):
            [found] = find_contrasts([pair], [terms])
            assert [contrast.kind for contrast in found] == kinds, pair


def test_a_matcher_takes_detectors():
    matcher = TableMatcher(guard=[Condition()], threshold=0).fit(PHONES[:1])
    assert matcher.match(PHONES[1:], how="left")["candidate"].tolist() == [-1]


def test_a_guard_of_something_else_is_refused():
    with pytest.raises(ValueError, match=r"guard must be .* a list of detectors and"):
        Deduplicator(guard=[Condition]).fit(PHONES)
