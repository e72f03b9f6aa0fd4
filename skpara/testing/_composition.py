"""Estimators inside scikit-learn's pipelines, unions and searches."""

from __future__ import annotations

from typing import Any
from unittest import SkipTest

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import has_fit_parameter

from skpara.testing._sample import (
    PAIRS,
    assert_equal_outputs,
    assert_raises,
    fitted,
    is_numeric,
    outputs,
    target,
    unfitted,
)


def check_pair_pipeline(name: str, estimator_orig: Any) -> None:
    """Check a pipeline of the estimator alone, and one behind a step that passes pairs on."""
    y = target(estimator_orig)
    expected = outputs(fitted(estimator_orig))
    for steps in ([], [FunctionTransformer()]):
        actual = outputs(make_pipeline(*steps, unfitted(estimator_orig)).fit(PAIRS, y))
        # a pipeline has fewer methods than its last step
        assert_equal_outputs(actual, {method: expected[method] for method in actual}, "a pipeline")


def check_pair_union(name: str, estimator_orig: Any) -> None:
    """Check that a union joins columns and their names."""
    transformer = _numeric_transformer(estimator_orig)
    union = make_union(transformer, clone(transformer)).fit(PAIRS, target(estimator_orig))
    columns = outputs(fitted(estimator_orig))["transform"]
    expected = {"transform": np.hstack([columns, columns])}
    assert_equal_outputs({"transform": union.transform(PAIRS)}, expected, "a union")
    n_names, n_columns = len(union.get_feature_names_out()), 2 * columns.shape[1]
    assert n_names == n_columns, (
        f"A union of two {name} must have {n_columns} names of columns, not {n_names}."
    )


def check_pair_cross_validation(name: str, estimator_orig: Any) -> None:
    """Check cross_val_score on lists and arrays; transformers get a linear model behind them."""
    predictor = _predictor(estimator_orig)
    y = target(estimator_orig)
    for X in (PAIRS, np.array(PAIRS, dtype=object)):
        scores = cross_val_score(predictor, X, y, cv=2, error_score="raise")
        assert np.isfinite(scores).all(), (
            f"cross_val_score of {name} must be finite, not {scores}."
        )


def check_pair_grid_search(name: str, estimator_orig: Any) -> None:
    """Check that GridSearchCV, which sets every parameter to its own value, changes nothing."""
    predictor = _predictor(estimator_orig)
    parameters = predictor.get_params().items()
    grid = {name: [value] for name, value in parameters if isinstance(value, (str, int, float))}
    y = target(estimator_orig)
    search = GridSearchCV(predictor, grid, cv=2, error_score="raise").fit(PAIRS, y)
    expected = clone(predictor).fit(PAIRS, y).predict(PAIRS)
    assert_equal_outputs(
        {"predict": search.predict(PAIRS)}, {"predict": expected}, "a grid search"
    )


def check_pair_sample_weight(name: str, estimator_orig: Any) -> None:
    """Check that weights of one change nothing, and that one weight too few raises an error."""
    if not has_fit_parameter(estimator_orig, "sample_weight"):
        raise SkipTest("fit takes no sample_weight")
    y = target(estimator_orig)
    expected = outputs(fitted(estimator_orig))
    for weights in (np.ones(len(y)), [1] * len(y)):
        estimator = unfitted(estimator_orig).fit(PAIRS, y, sample_weight=weights)
        assert_equal_outputs(outputs(estimator), expected, "weights of one must change nothing")
    assert_raises(
        f"fit of {name} with one weight too few",
        lambda: unfitted(estimator_orig).fit(PAIRS, y, sample_weight=np.ones(len(y) - 1)),
        match=r"(?i)sample_weight|inconsistent|\b29\b",
    )


def _numeric_transformer(estimator_orig: Any) -> Any:
    if not hasattr(estimator_orig, "transform"):
        raise SkipTest("no transform")
    if not is_numeric(outputs(fitted(estimator_orig), PAIRS[:2])["transform"]):
        raise SkipTest("transform returns text")
    return unfitted(estimator_orig)


def _predictor(estimator_orig: Any) -> Any:
    if hasattr(estimator_orig, "predict"):
        return unfitted(estimator_orig)
    return make_pipeline(_numeric_transformer(estimator_orig), Ridge())
