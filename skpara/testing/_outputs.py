"""Shapes and types of outputs, names of columns, and frames where they are requested."""

from __future__ import annotations

from typing import Any
from unittest import SkipTest

import numpy as np
from sklearn import config_context
from sklearn.base import is_classifier

from skpara.testing._sample import (
    PAIRS,
    assert_equal_outputs,
    assert_raises,
    fitted,
    import_or_skip,
    is_numeric,
    methods,
    outputs,
    target,
    unfitted,
)

_NAMES = ["left", "right"]
_N_DIMS = {
    "transform": 2,
    "predict": 1,
    "predict_proba": 2,
    "predict_distribution": 2,
    "score_pairs": 1,
    "select": 1,
}


def check_pair_output_shapes(name: str, estimator_orig: Any) -> None:
    """Check that methods return NumPy arrays with a row for each pair, finite if numbers."""
    estimator = fitted(estimator_orig)
    for method in methods(estimator):
        array = getattr(estimator, method)(PAIRS)
        must = f"{method} of {name} must return"
        assert isinstance(array, np.ndarray), f"{must} an ndarray, not {type(array).__name__}."
        n_dims = _N_DIMS.get(method, array.ndim)
        assert array.ndim == n_dims, f"{must} {n_dims} dimension(s), not the shape {array.shape}."
        assert len(array) == len(PAIRS), f"{must} {len(PAIRS)} rows, not {len(array)}."
        if is_numeric(array):
            assert np.isfinite(array).all(), f"{must} neither NaN nor infinity."


def check_pair_regressor(name: str, estimator_orig: Any) -> None:
    """Check that predict returns floats and that score is a finite float."""
    estimator = _fitted_predictor(estimator_orig, classifier=False)
    scores = estimator.predict(PAIRS)
    assert scores.dtype.kind == "f", f"predict of {name} must return floats, not {scores.dtype}."
    score = estimator.score(PAIRS, target(estimator))
    assert isinstance(score, float), f"score of {name} must be a float, not {score!r}."
    assert np.isfinite(score), f"score of {name} must be finite, not {score}."


def check_pair_classifier(name: str, estimator_orig: Any) -> None:
    """Check that predict returns the most probable class, and that probabilities sum to one."""
    estimator = _fitted_predictor(estimator_orig, classifier=True)
    np.testing.assert_array_equal(estimator.classes_, [0, 1], err_msg=f"classes_ of {name}")
    classes = estimator.predict(PAIRS)
    assert np.isin(classes, [0, 1]).all(), f"predict of {name} must return values of classes_."
    if hasattr(estimator, "predict_proba"):
        probabilities = estimator.predict_proba(PAIRS)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
        most_probable = estimator.classes_[probabilities.argmax(axis=1)]
        message = f"predict of {name} must return the most probable class"
        np.testing.assert_array_equal(classes, most_probable, err_msg=message)


def check_pair_feature_names_out(name: str, estimator_orig: Any) -> None:
    """Check that get_feature_names_out returns one unique name for each column."""
    estimator = _fitted_transformer(estimator_orig)
    names = estimator.get_feature_names_out()
    must = f"get_feature_names_out of {name} must return"
    assert isinstance(names, np.ndarray), f"{must} an ndarray, not {type(names).__name__}."
    assert names.dtype == object, f"{must} dtype object, not {names.dtype}."
    assert all(isinstance(column, str) for column in names), f"{must} strings."
    assert len(set(names)) == len(names), f"{must} unique names."
    n_columns = estimator.transform(PAIRS).shape[1]
    assert len(names) == n_columns, f"{must} {n_columns} names, one per column, not {len(names)}."


def check_pair_feature_names_in(name: str, estimator_orig: Any) -> None:
    """Check that fit stores the names of a frame's columns, and other names raise an error."""
    pandas = import_or_skip("pandas")
    frame = pandas.DataFrame(PAIRS, columns=_NAMES)
    estimator = fitted(estimator_orig, frame)
    names = getattr(estimator, "feature_names_in_", None)
    assert names is not None, f"fit of {name} must store feature_names_in_."
    np.testing.assert_array_equal(names, _NAMES)
    outputs(estimator, frame)
    for what, other in (
        ("another column name", frame.rename(columns={"right": "wrong"})),
        ("swapped columns", frame[_NAMES[::-1]]),
    ):
        for method in methods(estimator):
            call = getattr(estimator, method)
            assert_raises(
                f"{method} of {name} with {what}", call, other, match="(?i)feature names"
            )
    for unnamed in (fitted(estimator_orig), estimator.fit(PAIRS, target(estimator))):
        assert not hasattr(unnamed, "feature_names_in_"), (
            f"{name} must not have feature_names_in_ unless the last fit was to a frame."
        )


def check_pair_set_output_pandas(name: str, estimator_orig: Any) -> None:
    """Check that transform returns pandas DataFrames on request, with the index of X."""
    pandas = import_or_skip("pandas")
    frame = pandas.DataFrame(PAIRS, columns=_NAMES, index=[f"r{i}" for i in range(len(PAIRS))])
    result = _check_set_output(name, estimator_orig, "pandas", pandas.DataFrame, frame)
    assert result.index.equals(frame.index), f"transform of {name} must keep the index of X."


def check_pair_set_output_polars(name: str, estimator_orig: Any) -> None:
    """Check that transform returns polars DataFrames on request."""
    polars = import_or_skip("polars")
    frame = polars.DataFrame(PAIRS, schema=_NAMES, orient="row")
    _check_set_output(name, estimator_orig, "polars", polars.DataFrame, frame)


def _check_set_output(
    name: str, estimator_orig: Any, library: str, frame_type: type[Any], X: Any
) -> Any:
    """Check requests by set_output and by the configuration, and fit_transform."""
    estimator = _fitted_transformer(estimator_orig, X)
    assert hasattr(estimator, "set_output"), (
        f"{name} must have set_output: inherit TransformerMixin and define get_feature_names_out."
    )
    plain = estimator.set_output(transform="default").transform(X)
    assert isinstance(plain, np.ndarray), (
        f"With set_output(transform='default') {name} must return an ndarray, "
        f"not {type(plain).__name__}."
    )
    result = estimator.set_output(transform=library).transform(X)
    with config_context(transform_output=library):
        by_configuration = _fitted_transformer(estimator_orig, X).transform(X)
    requesting = unfitted(estimator_orig).set_output(transform=library)
    by_fit_transform = requesting.fit_transform(X, target(requesting))
    for frame in (result, by_configuration, by_fit_transform):
        assert isinstance(frame, frame_type), (
            f"{name} must return a {library} DataFrame, not {type(frame).__name__}."
        )
        np.testing.assert_array_equal(list(frame.columns), estimator.get_feature_names_out())
    what = f"the {library} DataFrame must hold the same numbers"
    assert_equal_outputs({"transform": np.asarray(result)}, {"transform": plain}, what)
    return result


def _fitted_transformer(estimator_orig: Any, X: Any = None) -> Any:
    if not hasattr(estimator_orig, "transform"):
        raise SkipTest("no transform")
    return fitted(estimator_orig, X)


def _fitted_predictor(estimator_orig: Any, *, classifier: bool) -> Any:
    if not hasattr(estimator_orig, "predict") or is_classifier(estimator_orig) != classifier:
        raise SkipTest("not a classifier" if classifier else "not a regressor")
    return fitted(estimator_orig)
