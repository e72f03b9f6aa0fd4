from __future__ import annotations

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator

from skpara.augment import Paraphrases
from skpara.augment._paraphrases import as_paraphrases
from skpara.augment.filters import DuplicateFilter, LanguageModelFilter, LengthFilter

PAIRS = [
    ("the dog runs", "the dog walks"),
    ("the dog runs", "runs dog the"),
    ("the cat runs", "the cat walks"),
    ("the cat sleeps", "the cat walks far away from here"),
]


def test_pairs_with_the_same_reference_in_a_row_belong_together():
    found = as_paraphrases([("a", "b"), ("a", "c"), ("d", "e"), ("a", "f")])
    assert found.rows.tolist() == [0, 0, 1, 2]
    assert found.ranks.tolist() == [0, 1, 0, 0]
    assert as_paraphrases(found) is found


def test_take_keeps_all_columns_together():
    found = as_paraphrases(PAIRS)
    part = found.take(np.array([3, 0]), "tired")
    assert part.pairs.tolist() == [list(PAIRS[3]), list(PAIRS[0])]
    assert part.rows.tolist() == [2, 0]
    assert part.dropped == {"tired": 2}
    assert found.dropped == {}


def test_filters_see_what_those_before_left():
    found = as_paraphrases([*PAIRS, PAIRS[0]])
    left = found.filtered([LengthFilter(upper=3), DuplicateFilter(), LengthFilter(lower=3)])
    assert len(left) == 3
    assert left.dropped == {"LengthFilter": 1, "DuplicateFilter": 1}


def test_an_unfitted_filter_is_fitted_to_the_pairs_at_hand_and_stays_as_it_is():
    unfitted = LanguageModelFilter(upper=6)
    found = as_paraphrases(PAIRS)
    left = found.filtered([unfitted])
    assert not unfitted.__sklearn_is_fitted__()
    assert left.pairs.tolist() == found.pairs[unfitted.fit(found).select(found)].tolist()
    assert 0 < len(left) < len(found)


def test_a_fitted_filter_is_taken_as_it_is():
    other = [("runs dog the", ""), ("dog the runs", ""), ("runs the dog", "")]
    frozen = FrozenEstimator(LanguageModelFilter(upper=6).fit(other))
    expected = frozen.estimator.select(PAIRS)
    assert as_paraphrases(PAIRS).filtered([frozen]).pairs.tolist() == [
        list(pair) for pair, kept in zip(PAIRS, expected, strict=True) if kept
    ]
    assert len(as_paraphrases(PAIRS).filtered([LanguageModelFilter().fit(other)])) == len(PAIRS)


def test_joining_counts_again():
    one, two = as_paraphrases(PAIRS).take(np.array([0]), "x"), as_paraphrases(PAIRS)
    both = Paraphrases.joined([one, two.take(np.array([1, 2]), "x")])
    assert len(both) == 3
    assert both.dropped == {"x": 5}
    assert len(Paraphrases.joined([])) == 0


def test_what_is_no_pair_is_refused():
    with pytest.raises(ValueError, match="Row 0"):
        as_paraphrases([("a", 1)])
