"""Sound estimators pass every check, and for each check there is a broken one that fails it."""

from __future__ import annotations

import threading
from numbers import Integral, Real

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin
from sklearn.utils import check_consistent_length, check_random_state, column_or_1d
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import _check_sample_weight, assert_all_finite, check_is_fitted

from skpara import PairEstimatorMixin
from skpara._pairs import as_pairs
from skpara.testing import check_pair_estimator, pair_checks_generator


def shared(pairs):
    return np.array([len({*a.split()} & {*b.split()}) for a, b in pairs.tolist()], dtype=float)


class Shared(PairEstimatorMixin, TransformerMixin, BaseEstimator):
    """The number of shared words, and the share of the words of fit that a pair has."""

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
        known = [len({*a.split(), *b.split()} & {*self.words_}) for a, b in pairs.tolist()]
        return np.column_stack([shared(pairs), np.array(known) / len(self.words_)]) * self.scales_

    def get_feature_names_out(self, input_features=None):
        check_is_fitted(self)
        return np.array(["shared", "known"], dtype=object)


class Slope(PairEstimatorMixin, RegressorMixin, BaseEstimator):
    """A score proportional to the number of shared words."""

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
        self.learn(pairs, self.validated(y, pairs), _check_sample_weight(sample_weight, pairs))
        return self

    def validated(self, y, pairs):
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
    """Whether two sentences share more words than the average pair."""

    def fit(self, X, y):
        pairs = self._check_pairs(X, reset=True)
        classes = column_or_1d(Slope().validated(y, pairs), dtype=np.int64, warn=True)
        self.classes_ = np.unique(classes)
        self.threshold_ = shared(pairs).mean()
        return self

    def predict_proba(self, X):
        check_is_fitted(self)
        probability = 1 / (1 + np.exp(self.threshold_ - shared(self._check_pairs(X, reset=False))))
        return np.column_stack([1 - probability, probability])[:, -len(self.classes_) :]

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


class CountsNoEpochs(Slope):
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


class ReadsKeys(Shared):
    def _check_pairs(self, X, *, reset):
        return super()._check_pairs([tuple(row) for row in X], reset=reset)


class SortsSets(Shared):
    def _check_pairs(self, X, *, reset):
        X = [sorted(row) if isinstance(row, set) else row for row in X]
        return super()._check_pairs(X, reset=reset)


class NeedsAPair(Shared):
    def compute(self, pairs):
        return super().compute(pairs if len(pairs) else as_pairs([("", "")]))


class LearnsFromNothing(Shared):
    def fit(self, X, y=None):
        self._validate_params()
        self.n_features_in_ = 2
        self.learn(as_pairs(X))
        return self


class TakesTooFewScores(Slope):
    def validated(self, y, pairs):
        scores = super().validated(y, pairs[: len(y)])
        return np.resize(scores, len(pairs))


class FillsMissingScores(Slope):
    def validated(self, y, pairs):
        return super().validated(np.nan_to_num(np.asarray(y, dtype=float)), pairs)


class TagsScoresAsOptional(Slope):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags


class DependsOnLists(Shared):
    kind = list

    def transform(self, X):
        return super().transform(X) + isinstance(X, self.kind)


class DependsOnPandas(DependsOnLists):
    @property
    def kind(self):
        return pytest.importorskip("pandas").DataFrame


class DependsOnPolars(DependsOnLists):
    @property
    def kind(self):
        return pytest.importorskip("polars").DataFrame


class DependsOnListOfScores(Slope):
    def validated(self, y, pairs):
        return super().validated(y, pairs) + isinstance(y, list)


class WritesIntoScores(Slope):
    def validated(self, y, pairs):
        if isinstance(y, np.ndarray):
            y[...] = y
        return super().validated(y, pairs)


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


class FitTransformDiffers(Shared):
    def fit_transform(self, X, y=None):
        return self.fit(X).transform(X) + 1


class PartialFitReturnsNothing(Slope):
    def partial_fit(self, X, y, sample_weight=None):
        self.fit(X, y, sample_weight)


class LearnsWithoutUnderscore(Shared):
    def learn(self, pairs):
        super().learn(pairs)
        self.n_words = len(self.words_)


class CachesInTransform(Shared):
    _cache = None

    def compute(self, pairs):
        self._cache = pairs
        return super().compute(pairs)


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


class ReturnsOneDimension(Shared):
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


class HasNoFeatureNames(Shared):
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


class SetsTheDouble(Slope):
    def set_params(self, **parameters):
        if "scale" in parameters:
            parameters["scale"] = 2 * parameters["scale"]
        return super().set_params(**parameters)


class CountsWeightsTwice(Slope):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.slope_ *= 1 if sample_weight is None else 2
        return self


# For each check, estimators that must fail it, with a part of the message.
BROKEN = {
    "check_pair_clone_of_fitted": [(KeepsStateInClones(), "must not keep .*'words_'")],
    "check_pair_fit_keeps_parameters": [
        (ChangesItsParameter(), r"not change its parameters \['scale'\]")
    ],
    "check_pair_parameter_validation": [(DoesNotValidate(), "with scale=.* raised nothing")],
    "check_pair_no_work_before_fit": [(WorksInInit(), "set_params must do what")],
    "check_pair_tags": [(TagsNumbers(), "takes text"), (TagsDistances(), "neither distance")],
    "check_pair_html_repr": [(AlwaysFitted(), "must contain 'Not fitted'")],
    "check_pair_fit_takes_y": [(TakesScores(), "second argument of fit")],
    "check_pair_fit_returns_self": [(ReturnsNothing(), "must return self")],
    "check_pair_unfitted": [
        (TransformsUnfitted(), "must raise NotFittedError"),
        (AlwaysFitted(), "must raise NotFittedError"),
    ],
    "check_pair_is_fitted": [
        (NeverFitted(), "not fitted yet"),
        (AlwaysFitted(), "must raise NotFittedError, but raised nothing"),
    ],
    "check_pair_n_features_in": [(ForgetsColumns(), "must be 2, not None")],
    "check_pair_n_iter": [(CountsNoEpochs(), "must be an int, not None")],
    "check_pair_metadata_routing": [(AlwaysRequests(), "must have an effect")],
    "check_pair_bad_cells": [(TurnsCellsIntoText(), "None instead of a sentence .* nothing")],
    "check_pair_bad_tables": [(TakesThreeColumns(), "three columns .* nothing")],
    "check_pair_unordered_rows": [
        (ReadsKeys(), "a list of dictionaries .* nothing"),
        (SortsSets(), "a list of sets .* nothing"),
    ],
    "check_pair_no_rows": [(LearnsFromNothing(), "empty list .* nothing")],
    "check_pair_target_length": [(TakesTooFewScores(), "one score too few .* nothing")],
    "check_pair_target_missing": [(FillsMissingScores(), "nan in y .* nothing")],
    "check_pair_target_required": [(TagsScoresAsOptional(), "missing 1 required .*'y'")],
    "check_pair_lists_and_arrays": [(DependsOnLists(), "a tuple of tuples")],
    "check_pair_pandas": [(DependsOnPandas(), "a pandas DataFrame")],
    "check_pair_polars": [(DependsOnPolars(), "a polars DataFrame")],
    "check_pair_target_containers": [(DependsOnListOfScores(), "y as a list")],
    "check_pair_readonly_memmap": [(WritesIntoScores(), "read-only")],
    "check_pair_fit_idempotent": [(CountsFits(), "a second fit must give the same")],
    "check_pair_refit_forgets": [(RemembersEarlierWords(), "nothing of an earlier fit")],
    "check_pair_random_state": [(DrawsGlobally(), "must always give the same")],
    "check_pair_fit_transform": [
        (FitTransformDiffers(), "fit_transform must give what transform gives")
    ],
    "check_pair_partial_fit": [(PartialFitReturnsNothing(), "must return self")],
    "check_pair_learned_attributes": [(LearnsWithoutUnderscore(), r"sets \['n_words'\]")],
    "check_pair_methods_learn_nothing": [
        (LearnsInTransform(), r"change \['n_seen_'\]"),
        (CachesInTransform(), r"change \['_cache'\]"),
    ],
    "check_pair_input_unchanged": [(WritesIntoPairs(), "must not change X")],
    "check_pair_global_state": [
        (DrawsGlobally(), r"\['numpy.random'\]"),
        (SeedsGlobally(), r"\['numpy.random'\]"),
    ],
    "check_pair_subset_invariance": [
        (CentresEachBatch(), "the batch size must not"),
        (NumbersRows(), "the batch size must not"),
    ],
    "check_pair_order_invariance": [(NumbersRows(), "the order of rows must not")],
    "check_pair_one_row": [(SqueezesOneRow(), r"one row for one pair, not the shape \(\)")],
    "check_pair_empty_batch": [(NeedsAPair(), r"an empty list must return the shape \(0, 2\)")],
    "check_pair_fit_one_pair": [(DividesByOneLess(), "with one pair .* raised ZeroDivisionError")],
    "check_pair_any_text": [(DividesByNoWords(), "NaN or infinity: rows")],
    "check_pair_output_shapes": [
        (ReturnsOneDimension(), r"2 dimension\(s\), not the shape \(30,\)")
    ],
    "check_pair_regressor": [(PredictsIntegers(), "must return floats")],
    "check_pair_classifier": [(PredictsLeastProbable(), "most probable class")],
    "check_pair_feature_names_out": [
        (NamesColumnsAlike(), "unique names"),
        (NamesOneColumn(), "2 names, one per column, not 1"),
    ],
    "check_pair_feature_names_in": [(ForgetsNames(), "must store feature_names_in_")],
    "check_pair_set_output_pandas": [(HasNoFeatureNames(), "must have set_output")],
    "check_pair_set_output_polars": [(HasNoFeatureNames(), "must have set_output")],
    "check_pair_pickle": [
        (HoldsAFunction(), "pickle"),
        (HoldsALock(), "cannot pickle '_thread.lock'"),
    ],
    "check_pair_cloudpickle": [(HoldsALock(), "cannot pickle '_thread.lock'")],
    "check_pair_joblib": [(WritesIntoItsState(), "read-only"), (HoldsAFunction(), "pickle")],
    "check_pair_pipeline": [(EqualsEverything(), "ufunc")],
    "check_pair_union": [(NamesOneColumn(), "must have 4 names of columns, not 2")],
    "check_pair_cross_validation": [(ScoresNothing(), r"\[nan nan\]")],
    "check_pair_grid_search": [(SetsTheDouble(), "Not equal")],
    "check_pair_sample_weight": [(CountsWeightsTwice(), "weights of one must change nothing")],
}
CASES = [(name, *case) for name, cases in BROKEN.items() for case in cases]


def names(estimator, status):
    results = check_pair_estimator(estimator, on_fail=None, on_skip=None)
    return {result["check_name"] for result in results if result["status"] == status}


def test_sound_estimators_pass_every_check():
    applied = set()
    for estimator in (Shared(), Slope(), Same()):
        check_pair_estimator(estimator, on_skip=None)
        applied |= names(estimator, "passed")
    assert applied == {check.func.__name__ for _, check in pair_checks_generator(Shared())}


@pytest.mark.parametrize(
    ("name", "broken", "message"),
    CASES,
    ids=[f"{name}-{type(broken).__name__}" for name, broken, _ in CASES],
)
def test_every_check_can_fail(name, broken, message):
    (check,) = [c for _, c in pair_checks_generator(broken) if c.func.__name__ == name]
    with pytest.raises(Exception, match=f"(?s){message}"):
        check(broken)


def test_every_check_has_a_broken_estimator():
    all_names = {check.func.__name__ for _, check in pair_checks_generator(Shared())}
    assert set(BROKEN) == {name for name in all_names if name.startswith("check_pair_")}
