from __future__ import annotations

import numpy as np
import pytest

from skpara.learning import check_validation, hold_out, is_class_labels

PAIRS = np.array([("a", "b"), ("c", "d"), ("e", "f")], dtype=object)


def test_a_validation_set_is_pairs_and_scores_or_pairs():
    pairs, scores = check_validation((PAIRS.tolist(), [1, 2, 3]))
    assert pairs.shape == (3, 2)
    assert scores.tolist() == [1, 2, 3]
    pairs, scores = check_validation(PAIRS[:2].tolist())
    assert pairs.tolist() == [["a", "b"], ["c", "d"]]
    assert scores is None
    assert check_validation(None) is None


def test_labels_of_a_validation_set_are_dropped():
    assert check_validation((PAIRS, ["a", "b", "a"]))[1] is None
    assert check_validation((PAIRS, [True, False, True]))[1].tolist() == [1, 0, 1]


LABELS = [["a", "b"], np.array(["a", 1], dtype=object), [True, False], [0, 1, 2, 1], [4.5, 4.5]]
SCORES = [[0, 1, 2, 3], [0, 0.5, 1], [0, 1, np.nan], [None, 1.0], [1j, 2j]]
SCORES += [np.array([1, 2], "M8[s]"), [10**400, 1]]
# Text that was not read as numbers, with a point or a comma, and another name for each pair.
SCORES += [["4.5", "3", "4.5", "3"], ["1,5", "2"], list("abcdef"), np.array(list("abcdef"))]
LABELS += [["0", "1", "1"], ["a"] * 8 + list("bcd"), list("abcde") * 2]


@pytest.mark.parametrize(
    ("y", "expected"), [*((y, True) for y in LABELS), *((y, False) for y in SCORES)]
)
def test_class_labels_are_told_from_scores(y, expected):
    assert is_class_labels(y) is expected


def test_scores_that_are_text_are_refused():
    with pytest.raises(ValueError, match=r"got y\[0\] = '4\.5'\. Convert y with"):
        check_validation((PAIRS, ["4.5", "3.0", "1"]))


def test_a_bad_validation_set_is_refused():
    with pytest.raises(ValueError, match="at least 2"):
        check_validation(PAIRS[:1])
    with pytest.raises(ValueError, match="inconsistent"):
        check_validation((PAIRS, [1, 2]))


def test_some_rows_are_held_out():
    train, test = hold_out(20, 0.2, 2, random_state=0)
    assert (len(train), len(test)) == (16, 4)
    assert sorted([*train, *test]) == list(range(20))
    np.testing.assert_array_equal(hold_out(20, 0.2, 2, random_state=0)[0], train)
    assert hold_out(20, 0.2, 2, random_state=1)[0].tolist() != train.tolist()


@pytest.mark.parametrize(
    ("labels", "is_stratified"),
    [
        ([0] * 10 + [1] * 10, True),
        ([0] * 18 + [1] * 2, True),
        ([0] * 19 + [1], False),  # a class of one cannot be on both sides
        (list(range(4)) * 5, True),
        (list(range(5)) * 4, False),  # four rows cannot have five classes
    ],
)
def test_both_parts_have_the_same_shares_of_labels(labels, is_stratified):
    labels = np.array(labels)
    held_out = [hold_out(20, 0.2, 2, seed, labels)[1] for seed in range(8)]
    without = [hold_out(20, 0.2, 2, seed)[1].tolist() for seed in range(8)]
    assert ([rows.tolist() for rows in held_out] == without) == (not is_stratified)


def test_enough_rows_stay_to_learn_from():
    assert [len(rows) for rows in hold_out(4, 0.1, 2, 0)] == [2, 2]  # two at least are held out
    assert [len(rows) for rows in hold_out(10, 0.25, 2, 0)] == [8, 2]
    with pytest.raises(ValueError, match="4 samples are too few to hold some out"):
        hold_out(4, 0.1, 3, 0)
