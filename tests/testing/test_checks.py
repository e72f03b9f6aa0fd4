"""Estimators that keep the contract pass every check; of each check one breaks it."""

from __future__ import annotations

import threading
from numbers import Integral, Real

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin
from sklearn.utils import check_consistent_length, check_random_state, column_or_1d
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import _check_sample_weight, assert_all_finite, check_is_fitted

from skpara._pairs import PairEstimatorMixin, as_pairs
from skpara.testing import check_pair_estimator, pair_checks_generator


def shared(pairs):
    return np.array([len({*a.split()} & {*b.split()}) for a, b in pairs.tolist()], dtype=float)


class Shared(PairEstimatorMixin, TransformerMixin, BaseEstimator):
    """Shared words, and the part of all words that fit has seen."""

    _parameter_constraints = {"scale": [Interval(Real, 0, None, closed="neither")]}

    def __init__(self, scale=1.0):
        self.scale = scale

    def fit(self, X, y=None):
        self._validate_params()
        self.learn(self._check_pairs(X, reset=True))
        return self

    def learn(self, pairs):
        self.words_ = sorted({word for text in pairs.ravel() for word in text.split()})
        self.scales_ = np.array([self.scale, 1.0])

    def transform(self, X):
        check_is_fitted(self)
        return self.compute(self._check_pairs(X, reset=False))

    def compute(self, pairs):
        seen = [len({*a.split(), *b.split()} & {*self.words_}) for a, b in pairs.tolist()]
        return np.column_stack([shared(pairs), np.array(seen) / len(self.words_)]) * self.scales_

    def get_feature_names_out(self, input_features=None):
        check_is_fitted(self)
        return np.array(["shared", "seen"], dtype=object)


class Slope(PairEstimatorMixin, RegressorMixin, BaseEstimator):
    """As many points a shared word as the mean pair has."""

    _parameter_constraints = {
        "scale": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, scale=1.0, max_iter=2, random_state=None):
        self.scale = scale
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        self._validate_params()
        pairs = self._check_pairs(X, reset=True)
        self.learn(pairs, self.checked(y, pairs), _check_sample_weight(sample_weight, pairs))
        return self

    def checked(self, y, pairs):
        if y is None:
            raise ValueError("This estimator requires y to be passed, but the target y is None.")
        scores = column_or_1d(y, dtype=np.float64, warn=True)
        check_consistent_length(pairs, scores)
        assert_all_finite(scores, input_name="y")
        return scores

    def learn(self, pairs, scores, weights):
        noise = check_random_state(self.random_state).normal(size=len(scores))
        self.slope_ = np.average(scores + noise, weights=weights) / (1 + shared(pairs).mean())
        self.n_iter_ = self.max_iter

    def partial_fit(self, X, y, sample_weight=None):
        return self.fit(X, y, sample_weight)

    def predict(self, X):
        check_is_fitted(self)
        return self.scale * self.slope_ * shared(self._check_pairs(X, reset=False))


class Same(PairEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Whether two sentences share more words than the mean pair does."""

    def fit(self, X, y):
        pairs = self._check_pairs(X, reset=True)
        classes = column_or_1d(Slope().checked(y, pairs), dtype=np.int64, warn=True)
        self.classes_ = np.unique(classes)
        self.threshold_ = shared(pairs).mean()
        return self

    def predict_proba(self, X):
        check_is_fitted(self)
        chance = 1 / (1 + np.exp(self.threshold_ - shared(self._check_pairs(X, reset=False))))
        return np.column_stack([1 - chance, chance])[:, -len(self.classes_) :]

    def predict(self, X):
        most_probable = self.predict_proba(X).argmax(axis=1)
        return self.classes_[most_probable]


class KeepsStateInClones(Shared):
    def __sklearn_clone__(self):
        copy = type(self)(self.scale)
        copy.__dict__.update(self.__dict__)
        return copy


class ChangesItsParameter(Shared):
    def learn(self, pairs):
        self.scale = float(np.float32(self.scale) * 2)
        super().learn(pairs)


class DoesNotValidate(Shared):
    def fit(self, X, y=None):
        self.learn(self._check_pairs(X, reset=True))
        return self


class WorksInInit(Shared):
    def __init__(self, scale=1.0):
        self.scale = scale
        self._twice = 2 * scale if scale else 0

    def compute(self, pairs):
        return super().compute(pairs) * self._twice


class TagsNumbers(Shared):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = False
        return tags


class TagsDistances(Shared):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        return tags


class AlwaysFitted(Shared):
    def __sklearn_is_fitted__(self):
        return True


class NeverFitted(Shared):
    def __sklearn_is_fitted__(self):
        return False


class TakesScores(Shared):
    def fit(self, X, scores=None):
        return super().fit(X)


class ReturnsNothing(Shared):
    def fit(self, X, y=None):
        super().fit(X)


class TransformsUnfitted(Shared):
    def transform(self, X):
        return self.compute(as_pairs(X))


class ForgetsColumns(Shared):
    def learn(self, pairs):
        super().learn(pairs)
        del self.n_features_in_


class CountsNoPasses(Slope):
    def learn(self, *args):
        super().learn(*args)
        del self.n_iter_


class AlwaysRequests(Slope):
    def get_metadata_routing(self):
        routing = super().get_metadata_routing()
        routing.fit.add_request(param="sample_weight", alias=True)
        return routing


class TurnsCellsIntoText(Shared):
    def _check_pairs(self, X, *, reset):
        if isinstance(X, list):
            X = [[str(cell) for cell in row] for row in X]
        return super()._check_pairs(X, reset=reset)


class TakesThreeColumns(Shared):
    def _check_pairs(self, X, *, reset):
        X = X[:, :2] if isinstance(X, np.ndarray) and X.ndim == 2 else X
        return super()._check_pairs(X, reset=reset)


class LearnsFromNothing(Shared):
    def fit(self, X, y=None):
        self._validate_params()
        self.n_features_in_ = 2
        self.learn(as_pairs(X))
        return self


class TakesTooFewScores(Slope):
    def checked(self, y, pairs):
        scores = super().checked(y, pairs[: len(y)])
        return np.resize(scores, len(pairs))


class FillsMissingScores(Slope):
    def checked(self, y, pairs):
        return super().checked(np.nan_to_num(np.asarray(y, dtype=float)), pairs)


class SaysItNeedsNoScores(Slope):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags


class MindsLists(Shared):
    kind = list

    def transform(self, X):
        return super().transform(X) + isinstance(X, self.kind)


class MindsPandas(MindsLists):
    @property
    def kind(self):
        return pytest.importorskip("pandas").DataFrame


class MindsPolars(MindsLists):
    @property
    def kind(self):
        return pytest.importorskip("polars").DataFrame


class MindsListsOfScores(Slope):
    def checked(self, y, pairs):
        return super().checked(y, pairs) + isinstance(y, list)


class WritesIntoScores(Slope):
    def checked(self, y, pairs):
        if isinstance(y, np.ndarray):
            y[...] = y
        return super().checked(y, pairs)


class WritesIntoPairs(Shared):
    def _check_pairs(self, X, *, reset):
        pairs = super()._check_pairs(X, reset=reset)
        if isinstance(X, np.ndarray) and X.flags.writeable and len(X):
            X[0, 0] = ""
        return pairs


class CountsFits(Shared):
    _fits = 0

    def compute(self, pairs):
        return super().compute(pairs) + self._fits

    def learn(self, pairs):
        super().learn(pairs)
        self._fits += 1


class RemembersEarlierWords(Shared):
    def learn(self, pairs):
        earlier = getattr(self, "words_", [])
        super().learn(pairs)
        self.words_ = sorted({*earlier, *self.words_})


class DrawsGlobally(Slope):
    def learn(self, *args):
        super().learn(*args)
        self.slope_ += np.random.rand()  # noqa: NPY002


class SeedsGlobally(Shared):
    def learn(self, pairs):
        super().learn(pairs)
        np.random.seed(0)  # noqa: NPY002


class TransformsOtherwiseAtFit(Shared):
    def fit_transform(self, X, y=None):
        return self.fit(X).transform(X) + 1


class PartialFitReturnsNothing(Slope):
    def partial_fit(self, X, y, sample_weight=None):
        self.fit(X, y, sample_weight)


class LearnsWithoutUnderscore(Shared):
    def learn(self, pairs):
        super().learn(pairs)
        self.n_words = len(self.words_)


class LearnsInTransform(Shared):
    def compute(self, pairs):
        self.n_seen_ = getattr(self, "n_seen_", 0) + len(pairs)
        return super().compute(pairs)


class CentresEachBatch(Shared):
    def compute(self, pairs):
        numbers = super().compute(pairs)
        return numbers - numbers.mean(axis=0) if len(numbers) else numbers


class NumbersRows(Shared):
    def compute(self, pairs):
        return super().compute(pairs) + np.arange(len(pairs))[:, None]


class SqueezesOneRow(Slope):
    def predict(self, X):
        return super().predict(X).squeeze()


class DividesByOneLess(Shared):
    def learn(self, pairs):
        super().learn(pairs)
        self.spread_ = 1 / (len(pairs) - 1)


class DividesByNoWords(Shared):
    def compute(self, pairs):
        lengths = np.array([len(a.split()) for a, _ in pairs], dtype=float)
        with np.errstate(all="ignore"):
            return super().compute(pairs) / lengths[:, None]


class ReturnsALine(Shared):
    def compute(self, pairs):
        return super().compute(pairs)[:, 0]


class PredictsIntegers(Slope):
    def predict(self, X):
        return super().predict(X).astype(int)


class PredictsLeastProbable(Same):
    def predict(self, X):
        least_probable = self.predict_proba(X).argmin(axis=1)
        return self.classes_[least_probable]


class NamesColumnsAlike(Shared):
    def get_feature_names_out(self, input_features=None):
        check_is_fitted(self)
        return np.array(["shared", "shared"], dtype=object)


class NamesOneColumn(Shared):
    def get_feature_names_out(self, input_features=None):
        check_is_fitted(self)
        return np.array(["shared"], dtype=object)


class ForgetsNames(Shared):
    def _check_pairs(self, X, *, reset):
        return super()._check_pairs(as_pairs(X), reset=reset)


class NamesNothing(Shared):
    get_feature_names_out = property()


class HoldsAFunction(Shared):
    def learn(self, pairs):
        super().learn(pairs)
        self._split = lambda text: text.split()


class HoldsALock(Shared):
    def learn(self, pairs):
        super().learn(pairs)
        self._lock = threading.Lock()


class WritesIntoItsState(Shared):
    def compute(self, pairs):
        self.scales_ *= 1
        return super().compute(pairs)


class EqualsEverything(Shared):
    def __eq__(self, other):
        return True


class ScoresNothing(Slope):
    def score(self, X, y, sample_weight=None):
        return float("nan")


class DoublesWhatIsSet(Slope):
    def set_params(self, **parameters):
        if "scale" in parameters:
            parameters["scale"] = 2 * parameters["scale"]
        return super().set_params(**parameters)


class CountsWeightsTwice(Slope):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.slope_ *= 1 if sample_weight is None else 2
        return self


# For each check, what breaks it and what it then says.
BROKEN = {
    "check_pair_clone_of_fitted": [(KeepsStateInClones(), "keeps .*'words_'")],
    "check_pair_fit_keeps_parameters": [
        (ChangesItsParameter(), r"changes its parameters \['scale'\]")
    ],
    "check_pair_parameter_validation": [(DoesNotValidate(), "scale=.* is taken without an error")],
    "check_pair_no_work_before_fit": [(WorksInInit(), "set_params does less")],
    "check_pair_tags": [(TagsNumbers(), "takes text"), (TagsDistances(), "no distances")],
    "check_pair_html_repr": [(AlwaysFitted(), "does not say 'Not fitted'")],
    "check_pair_fit_takes_y": [(TakesScores(), "second argument of fit")],
    "check_pair_fit_returns_self": [(ReturnsNothing(), "gives not self")],
    "check_pair_unfitted": [
        (TransformsUnfitted(), "raise a NotFittedError"),
        (AlwaysFitted(), "raise a NotFittedError"),
    ],
    "check_pair_is_fitted": [
        (NeverFitted(), "not fitted yet"),
        (AlwaysFitted(), "taken without an error"),
    ],
    "check_pair_n_features_in": [(ForgetsColumns(), "None, not 2")],
    "check_pair_n_iter": [(CountsNoPasses(), "n_iter_ of .* is None")],
    "check_pair_metadata_routing": [(AlwaysRequests(), "changes nothing")],
    "check_pair_bad_cells": [(TurnsCellsIntoText(), "None for a sentence .* taken")],
    "check_pair_bad_tables": [(TakesThreeColumns(), "three columns .* taken")],
    "check_pair_no_rows": [(LearnsFromNothing(), "empty list .* taken")],
    "check_pair_target_length": [(TakesTooFewScores(), "a score too few is taken")],
    "check_pair_target_missing": [(FillsMissingScores(), "nan among the scores is taken")],
    "check_pair_target_required": [(SaysItNeedsNoScores(), "missing 1 required .*'y'")],
    "check_pair_lists_and_arrays": [(MindsLists(), "a tuple of tuples")],
    "check_pair_pandas": [(MindsPandas(), "a pandas frame")],
    "check_pair_polars": [(MindsPolars(), "a polars frame")],
    "check_pair_target_containers": [(MindsListsOfScores(), "y as a list")],
    "check_pair_readonly_memmap": [(WritesIntoScores(), "read-only")],
    "check_pair_fit_idempotent": [(CountsFits(), "second fit gives something else")],
    "check_pair_refit_forgets": [(RemembersEarlierWords(), "remembers an earlier fit")],
    "check_pair_random_state": [(DrawsGlobally(), "gives two results")],
    "check_pair_fit_transform": [(TransformsOtherwiseAtFit(), "fit_transform differs")],
    "check_pair_partial_fit": [(PartialFitReturnsNothing(), "gives not self")],
    "check_pair_learned_attributes": [(LearnsWithoutUnderscore(), r"adds \['n_words'\]")],
    "check_pair_methods_learn_nothing": [(LearnsInTransform(), r"change \['n_seen_'\]")],
    "check_pair_input_unchanged": [(WritesIntoPairs(), "changes X")],
    "check_pair_global_state": [
        (DrawsGlobally(), r"\['numpy.random'\]"),
        (SeedsGlobally(), r"\['numpy.random'\]"),
    ],
    "check_pair_subset_invariance": [
        (CentresEachBatch(), "batch of another size"),
        (NumbersRows(), "batch of another size"),
    ],
    "check_pair_order_invariance": [(NumbersRows(), "another order of rows")],
    "check_pair_one_row": [(SqueezesOneRow(), "bare number for one pair")],
    "check_pair_fit_one_pair": [
        (DividesByOneLess(), "One pair at fit leads to ZeroDivisionError")
    ],
    "check_pair_any_text": [(DividesByNoWords(), "NaN or infinity in rows")],
    "check_pair_output_shapes": [(ReturnsALine(), r"shape \(30,\), not 2")],
    "check_pair_regressor": [(PredictsIntegers(), "no floats")],
    "check_pair_classifier": [(PredictsLeastProbable(), "most probable class")],
    "check_pair_feature_names_out": [
        (NamesColumnsAlike(), "the same name"),
        (NamesOneColumn(), "2 columns and 1 names"),
    ],
    "check_pair_feature_names_in": [(ForgetsNames(), "does not keep the names")],
    "check_pair_set_output_pandas": [(NamesNothing(), "no set_output")],
    "check_pair_set_output_polars": [(NamesNothing(), "no set_output")],
    "check_pair_pickle": [
        (HoldsAFunction(), "pickle"),
        (HoldsALock(), "cannot pickle '_thread.lock'"),
    ],
    "check_pair_cloudpickle": [(HoldsALock(), "cannot pickle '_thread.lock'")],
    "check_pair_joblib": [(WritesIntoItsState(), "read-only"), (HoldsAFunction(), "pickle")],
    "check_pair_pipeline": [(EqualsEverything(), "ufunc")],
    "check_pair_union": [(NamesOneColumn(), "loses names")],
    "check_pair_cross_validation": [(ScoresNothing(), r"\[nan nan\]")],
    "check_pair_grid_search": [(DoublesWhatIsSet(), "Not equal")],
    "check_pair_sample_weight": [(CountsWeightsTwice(), "all weights one")],
}
CASES = [(name, *case) for name, cases in BROKEN.items() for case in cases]


def names(estimator, status):
    results = check_pair_estimator(estimator, on_fail=None, on_skip=None)
    return {result["check_name"] for result in results if result["status"] == status}


def test_estimators_that_keep_the_contract_pass_and_meet_every_check():
    applied = set()
    for estimator in (Shared(), Slope(), Same()):
        check_pair_estimator(estimator, on_skip=None)
        applied |= names(estimator, "passed")
    assert applied == {check.func.__name__ for _, check in pair_checks_generator(Shared())}


@pytest.mark.parametrize(
    ("name", "broken", "said"),
    CASES,
    ids=[f"{name}-{type(one).__name__}" for name, one, _ in CASES],
)
def test_every_check_can_fail(name, broken, said):
    (check,) = [c for _, c in pair_checks_generator(broken) if c.func.__name__ == name]
    with pytest.raises(Exception, match=f"(?s){said}"):
        check(broken)


def test_a_broken_estimator_is_there_for_every_check_of_pairs():
    all_names = {check.func.__name__ for _, check in pair_checks_generator(Shared())}
    assert set(BROKEN) == {name for name in all_names if name.startswith("check_pair_")}
