from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import EstimatorCheckFailedWarning, SkipTestWarning
from sklearn.utils.estimator_checks import check_estimator

from skpara import PairEstimatorMixin
from skpara.testing import check_pair_estimator, parametrize_with_pair_checks

BROKEN = {"check_pair_order_invariance", "check_pair_subset_invariance"}
REASONS = dict.fromkeys(BROKEN, "depends on the row number")


class Lengths(PairEstimatorMixin, TransformerMixin, BaseEstimator):
    def fit(self, X, y=None):
        self._check_pairs(X, reset=True)
        return self

    def transform(self, X):
        return self.lengths(self._check_pairs(X, reset=False))

    def lengths(self, pairs):
        return np.array([[len(a), len(b)] for a, b in pairs.tolist()]).reshape(len(pairs), 2)

    def get_feature_names_out(self, input_features=None):
        return np.array(["left_length", "right_length"], dtype=object)

    def __sklearn_is_fitted__(self):
        return True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags


class Numbered(Lengths):
    def lengths(self, pairs):
        return super().lengths(pairs) + np.arange(len(pairs))[:, None]


def test_an_estimator_that_learns_nothing_passes():
    results = check_pair_estimator(Lengths(), on_skip=None)
    assert {result["status"] for result in results} == {"passed", "skipped"}


def test_results_have_the_form_of_scikit_learn():
    ours = check_pair_estimator(Lengths(), on_skip=None)
    theirs = check_estimator(TransformerOfNumbers(), on_skip=None, on_fail=None)
    assert all(result.keys() == theirs[0].keys() for result in ours)
    assert {type(result["expected_to_fail"]) for result in ours} == {bool}
    assert ours[0]["expected_to_fail_reason"] == theirs[0]["expected_to_fail_reason"]
    shared = {result["check_name"] for result in ours} & {r["check_name"] for r in theirs}
    assert {"check_estimator_cloneable", "check_set_params", "check_mixin_order"} <= shared


class TransformerOfNumbers(TransformerMixin, BaseEstimator):
    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X


def test_a_failure_is_raised_or_warned_of_or_reported():
    with pytest.raises(AssertionError):
        check_pair_estimator(Numbered(), on_skip=None)
    with pytest.warns(EstimatorCheckFailedWarning) as caught:
        check_pair_estimator(Numbered(), on_skip=None, on_fail="warn")
    assert {warning.message.check_name for warning in caught} == BROKEN
    results = check_pair_estimator(Numbered(), on_skip=None, on_fail=None)
    failed = [result for result in results if result["status"] == "failed"]
    assert {result["check_name"] for result in failed} == BROKEN
    assert all(isinstance(result["exception"], AssertionError) for result in failed)


def test_an_expected_failure_is_not_raised():
    results = check_pair_estimator(Numbered(), expected_failed_checks=REASONS, on_skip=None)
    expected = [result for result in results if result["expected_to_fail"]]
    assert {result["check_name"] for result in expected} == BROKEN
    assert {result["status"] for result in expected} == {"xfail"}
    assert {result["expected_to_fail_reason"] for result in expected} == {
        "depends on the row number"
    }
    with pytest.raises(ValueError, match=r"names of no check: \['check_of_spelling'\]"):
        check_pair_estimator(Lengths(), expected_failed_checks={"check_of_spelling": "?"})


def test_a_check_that_does_not_apply_is_skipped():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = check_pair_estimator(Lengths())
    messages = [str(w.message) for w in caught if issubclass(w.category, SkipTestWarning)]
    skipped = [result["check_name"] for result in results if result["status"] == "skipped"]
    assert len(messages) == len(skipped) > 0
    assert "Skipping check_pair_regressor for Lengths: not a regressor" in messages


def test_the_callback_gets_every_result():
    received = []
    results = check_pair_estimator(
        Lengths(), on_skip=None, on_fail=None, callback=lambda **result: received.append(result)
    )
    assert received == results
    with pytest.raises(ValueError, match="callback cannot be provided"):
        check_pair_estimator(Lengths(), callback=print)


def test_a_class_raises_an_error():
    with pytest.raises(TypeError, match=r"class Lengths; pass an instance: Lengths\(\)"):
        check_pair_estimator(Lengths)
    with pytest.raises(TypeError, match="class Lengths"):
        parametrize_with_pair_checks([Lengths])


def test_global_random_states_are_unchanged():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    check_pair_estimator(Lengths(), on_skip=None)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@parametrize_with_pair_checks([Lengths()])
def test_as_a_decorator(estimator, check):
    check(estimator)


@parametrize_with_pair_checks([Numbered()], expected_failed_checks=lambda _: REASONS)
def test_as_a_decorator_with_failures(estimator, check):
    check(estimator)


def test_every_case_has_an_id_and_its_mark():
    mark = parametrize_with_pair_checks(
        [Lengths(), Numbered()],
        expected_failed_checks=lambda e: REASONS if isinstance(e, Numbered) else {},
        xfail_strict=True,
    )
    cases = mark.args[1]
    marked = [case for case in cases if case.marks]
    assert len({case.id for case in cases}) == len(cases)
    assert {case.id for case in marked} == {f"1-Numbered-{name}" for name in BROKEN}
    assert marked[0].marks[0].kwargs == {"reason": "depends on the row number", "strict": True}
