from __future__ import annotations

import numpy as np
from sklearn.frozen import FrozenEstimator

from skpara.augment import Paraphrases
from skpara.augment.filters import DuplicateFilter, LanguageModelFilter, LengthFilter

PAIRS = [
    ("the dog runs", "the dog walks"),
    ("the dog runs", "runs dog the"),
    ("the cat runs", "the cat walks"),
    ("the cat sleeps", "the cat walks far away from here"),
]


def paraphrases_of(pairs):
    n = len(pairs)
    table = np.array(pairs, dtype=object)
    return Paraphrases(table, np.arange(n), np.full(n, np.nan), np.zeros(n, dtype=int))


def test_take_selects_rows_of_all_columns():
    paraphrases = paraphrases_of(PAIRS)
    part = paraphrases.take(np.array([3, 0]), "tired")
    assert part.pairs.tolist() == [list(PAIRS[3]), list(PAIRS[0])]
    assert part.rows.tolist() == [3, 0]
    assert part.dropped == {"tired": 2}
    assert paraphrases.dropped == {}


def test_filters_see_only_what_passed_those_before():
    paraphrases = paraphrases_of([*PAIRS, PAIRS[0]])
    filters = [LengthFilter(upper=3), DuplicateFilter(), LengthFilter(lower=3)]
    filtered = paraphrases.filtered(filters)
    assert len(filtered) == 3
    assert filtered.dropped == {"LengthFilter": 1, "DuplicateFilter": 1}


def test_a_clone_of_an_unfitted_filter_is_fitted_to_the_pairs():
    unfitted = LanguageModelFilter(upper=6)
    paraphrases = paraphrases_of(PAIRS)
    filtered = paraphrases.filtered([unfitted])
    assert not unfitted.__sklearn_is_fitted__()
    mask = unfitted.fit(paraphrases).select(paraphrases)
    assert filtered.pairs.tolist() == paraphrases.pairs[mask].tolist()
    assert 0 < len(filtered) < len(paraphrases)


def test_a_fitted_filter_is_not_fitted_again():
    other = [("runs dog the", ""), ("dog the runs", ""), ("runs the dog", "")]
    frozen = FrozenEstimator(LanguageModelFilter(upper=6).fit(other))
    paraphrases = paraphrases_of(PAIRS)
    expected = paraphrases.pairs[frozen.estimator.select(PAIRS)].tolist()
    assert paraphrases.filtered([frozen]).pairs.tolist() == expected
    assert len(paraphrases.filtered([LanguageModelFilter().fit(other)])) == len(PAIRS)
