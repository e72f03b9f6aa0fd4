"""Inside scikit-learn's pipelines, unions and searches."""

from __future__ import annotations

from functools import partial
from typing import Any
from unittest import SkipTest

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import has_fit_parameter

from skpara.testing._sample import (
    PAIRS,
    assert_equal_outputs,
    assert_refused,
    fitted,
    fresh,
    is_numeric,
    outputs,
    target,
)


def check_pair_pipeline(name: str, estimator_orig: Any) -> None:
    """As a step behind one that passes the pairs on, and in a pipeline of its own."""
    y = target(estimator_orig)
    expected = outputs(fitted(estimator_orig))
    for before in ([], [FunctionTransformer()]):
        pipeline = make_pipeline(*before, fresh(estimator_orig)).fit(PAIRS, y)
        assert_equal_outputs(
            outputs(pipeline),
            {method: expected[method] for method in outputs(pipeline)},
            "in a pipeline",
        )


def check_pair_union(name: str, estimator_orig: Any) -> None:
    """Its columns stand beside those of another transformer, under its name."""
    _numeric_transformer(estimator_orig)
    union = make_union(fresh(estimator_orig), fresh(estimator_orig))
    columns = union.fit(PAIRS, target(estimator_orig)).transform(PAIRS)
    alone = outputs(fitted(estimator_orig))["transform"]
    both = {"transform": np.hstack([alone, alone])}
    assert_equal_outputs({"transform": columns}, both, "in a union")
    assert len(union.get_feature_names_out()) == columns.shape[1], f"{name} loses names."


def check_pair_cross_validation(name: str, estimator_orig: Any) -> None:
    """cross_val_score of lists and arrays, behind a linear model where it is a transformer."""
    predictor = _predictor(estimator_orig)
    y = target(estimator_orig)
    for X in (PAIRS, np.array(PAIRS, dtype=object)):
        scores = cross_val_score(predictor, X, y, cv=2, error_score="raise")
        assert np.isfinite(scores).all(), f"cross_val_score of {name} gives {scores}."


def check_pair_grid_search(name: str, estimator_orig: Any) -> None:
    """GridSearchCV sets parameters, to what they are, fits and predicts."""
    predictor = _predictor(estimator_orig)
    parameters = predictor.get_params().items()
    grid = {name: [value] for name, value in parameters if isinstance(value, (str, int, float))}
    y = target(estimator_orig)
    search = GridSearchCV(predictor, grid, cv=2, error_score="raise").fit(PAIRS, y)
    np.testing.assert_allclose(
        search.predict(PAIRS), clone(predictor).fit(PAIRS, y).predict(PAIRS), rtol=1e-5, atol=1e-6
    )


def check_pair_sample_weight(name: str, estimator_orig: Any) -> None:
    """Weights of one are none, and there must be one for each pair."""
    estimator = fresh(estimator_orig)
    if not has_fit_parameter(estimator, "sample_weight"):
        raise SkipTest("fit takes no sample_weight")
    y = target(estimator)
    expected = outputs(fitted(estimator))
    for weights in (np.ones(len(y)), [1] * len(y)):
        estimator = fresh(estimator_orig).fit(PAIRS, y, sample_weight=weights)
        assert_equal_outputs(outputs(estimator), expected, "all weights one")
    assert_refused(
        f"A weight too few at fit of {name}",
        partial(fresh(estimator_orig).fit, sample_weight=np.ones(len(y) - 1)),
        PAIRS,
        y,
        says=r"(?i)sample_weight|inconsistent|\b29\b",
    )


def _numeric_transformer(estimator_orig: Any) -> Any:
    if not hasattr(estimator_orig, "transform"):
        raise SkipTest("no transform")
    if not is_numeric(outputs(fitted(estimator_orig), PAIRS[:2])["transform"]):
        raise SkipTest("transform gives text")
    return fresh(estimator_orig)


def _predictor(estimator_orig: Any) -> Pipeline | Any:
    if hasattr(estimator_orig, "predict"):
        return fresh(estimator_orig)
    return make_pipeline(_numeric_transformer(estimator_orig), Ridge())
