"""What comes out: arrays of the right shape, named columns, frames where they are wanted."""

from __future__ import annotations

from typing import Any
from unittest import SkipTest

import numpy as np
from sklearn import config_context
from sklearn.base import is_classifier

from skpara.testing._containers import needed
from skpara.testing._sample import (
    PAIRS,
    assert_equal_outputs,
    assert_refused,
    fitted,
    fresh,
    is_numeric,
    methods,
    outputs,
    target,
)

_NAMES = ["left", "right"]


def check_pair_output_shapes(name: str, estimator_orig: Any) -> None:
    """NumPy arrays with a row for each pair: two-dimensional from transform, finite if numbers."""
    estimator = fitted(estimator_orig)
    dimensions = {"transform": 2, "predict": 1, "score_pairs": 1, "select": 1}
    dimensions |= {"predict_proba": 2, "predict_distribution": 2}
    for method in methods(estimator):
        found = getattr(estimator, method)(PAIRS)
        said = f"{method} of {name} gives"
        assert isinstance(found, np.ndarray), f"{said} a {type(found).__name__}, no ndarray."
        assert len(found) == len(PAIRS), f"{said} {len(found)} rows for {len(PAIRS)} pairs."
        wanted = dimensions.get(method, found.ndim)
        assert found.ndim == wanted, f"{said} the shape {found.shape}, not {wanted} dimension(s)."
        if is_numeric(found):
            assert np.isfinite(found).all(), f"{said} NaN or infinity."


def check_pair_regressor(name: str, estimator_orig: Any) -> None:
    """Predictions are floats and have a score."""
    estimator = _fitted_predictor(estimator_orig, classifier=False)
    found = estimator.predict(PAIRS)
    assert found.dtype.kind == "f", f"predict of {name} gives {found.dtype}, no floats."
    score = estimator.score(PAIRS, target(estimator))
    assert isinstance(score, float), f"score of {name} is a {type(score).__name__}, no float."
    assert np.isfinite(score), f"score of {name} is {score}."


def check_pair_classifier(name: str, estimator_orig: Any) -> None:
    """Predictions are of the classes, probabilities sum to one in their order."""
    estimator = _fitted_predictor(estimator_orig, classifier=True)
    np.testing.assert_array_equal(estimator.classes_, [0, 1], err_msg=f"classes_ of {name}")
    found = estimator.predict(PAIRS)
    assert np.isin(found, [0, 1]).all(), f"predict of {name} gives other than the classes."
    if hasattr(estimator, "predict_proba"):
        chances = estimator.predict_proba(PAIRS)
        np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-5)
        np.testing.assert_array_equal(
            estimator.classes_[chances.argmax(axis=1)], found, err_msg="the most probable class"
        )


def check_pair_feature_names_out(name: str, estimator_orig: Any) -> None:
    """A name of its own for each column that transform gives."""
    estimator = _fitted_transformer(estimator_orig)
    names = estimator.get_feature_names_out()
    assert isinstance(names, np.ndarray), f"get_feature_names_out of {name} gives no ndarray."
    assert names.dtype == object, f"Feature names of {name} are {names.dtype}, not object."
    assert all(isinstance(column, str) for column in names), f"Names of {name} are not str."
    assert len(set(names)) == len(names), f"Two columns of {name} have the same name."
    n_columns = estimator.transform(PAIRS).shape[1]
    assert len(names) == n_columns, f"{name} gives {n_columns} columns and {len(names)} names."


def check_pair_feature_names_in(name: str, estimator_orig: Any) -> None:
    """Names of a frame's columns are kept, and a frame with others is refused."""
    pandas = needed("pandas")
    frame = pandas.DataFrame(PAIRS, columns=_NAMES)
    assert not hasattr(fitted(estimator_orig), "feature_names_in_"), (
        f"{name} has feature_names_in_ without a frame."
    )
    estimator = fitted(estimator_orig, frame)
    kept = getattr(estimator, "feature_names_in_", None)
    assert kept is not None, f"{name} does not keep the names of columns."
    np.testing.assert_array_equal(kept, _NAMES)
    outputs(estimator, frame)
    for what, other in (
        ("A frame with another name", frame.rename(columns={"right": "wrong"})),
        ("A frame with its columns swapped", frame[_NAMES[::-1]]),
    ):
        for method in methods(estimator):
            said = f"{what} at {method} of {name}"
            assert_refused(said, getattr(estimator, method), other, says="(?i)feature names")
    again = estimator.fit(PAIRS, target(estimator))
    assert not hasattr(again, "feature_names_in_"), f"{name} keeps the names of an earlier fit."


def check_pair_set_output_pandas(name: str, estimator_orig: Any) -> None:
    """Frames of pandas where asked for, with the index of the input."""
    pandas = needed("pandas")
    frame = pandas.DataFrame(PAIRS, columns=_NAMES, index=[f"r{i}" for i in range(len(PAIRS))])
    found = _check_set_output(name, estimator_orig, "pandas", pandas.DataFrame, frame)
    assert found.index.equals(frame.index), f"{name} loses the index of the input."


def check_pair_set_output_polars(name: str, estimator_orig: Any) -> None:
    """Frames of polars where asked for."""
    polars = needed("polars")
    frame = polars.DataFrame(PAIRS, schema=_NAMES, orient="row")
    _check_set_output(name, estimator_orig, "polars", polars.DataFrame, frame)


def _check_set_output(name: str, estimator_orig: Any, wanted: str, kind: type[Any], X: Any) -> Any:
    """By set_output, by the configuration, and from fit_transform."""
    estimator = _fitted_transformer(estimator_orig, X)
    assert hasattr(estimator, "set_output"), f"{name} has no set_output."
    plain = estimator.set_output(transform="default").transform(X)
    assert isinstance(plain, np.ndarray), f"set_output('default') of {name} gives no ndarray."
    found = estimator.set_output(transform=wanted).transform(X)
    with config_context(transform_output=wanted):
        by_configuration = _fitted_transformer(estimator_orig, X).transform(X)
    at_once = fresh(estimator_orig).set_output(transform=wanted)
    frames: list[Any] = [found, by_configuration, at_once.fit_transform(X, target(at_once))]
    for frame in frames:
        assert isinstance(frame, kind), f"{name} gives a {type(frame)}, no frame of {wanted}."
        np.testing.assert_array_equal(list(frame.columns), estimator.get_feature_names_out())
    assert_equal_outputs(
        {"transform": np.asarray(found)}, {"transform": plain}, f"the frame of {wanted}"
    )
    return found


def _fitted_transformer(estimator_orig: Any, X: Any = None) -> Any:
    if not hasattr(estimator_orig, "transform"):
        raise SkipTest("no transform")
    return fitted(estimator_orig, X)


def _fitted_predictor(estimator_orig: Any, *, classifier: bool) -> Any:
    if not hasattr(estimator_orig, "predict") or is_classifier(estimator_orig) != classifier:
        raise SkipTest("no classifier" if classifier else "no regressor")
    return fitted(estimator_orig)
