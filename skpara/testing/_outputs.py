"""Outputs: one row for each pair, their types and names, saved and inside scikit-learn's tools."""

from __future__ import annotations

import pickle
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import SkipTest

import joblib
import numpy as np
from sklearn import config_context
from sklearn.base import clone, is_classifier
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import has_fit_parameter

from skpara.testing._sample import (
    COLUMNS,
    METHODS,
    PAIRS,
    Outputs,
    assert_equal,
    assert_raises,
    data_frame,
    fitted,
    import_or_skip,
    is_numeric,
    methods,
    outputs,
    target,
    unfitted,
)

_ANY_TEXT = [
    ("", ""),
    ("", "A man sleeps."),
    (" ", "\t\n"),
    ("!!!", "?"),
    ("ünïcode ☃ 你好", "🙂 \u200f עברית"),
    ("word " * 300, "a" * 1000),
    ("NaN", "None"),
    ("1e999 -0 3,000,000", "\x00\ufffd"),
    ("half an emoji \ud83d", "\udc00"),  # lone surrogates, which cannot be encoded
]


def check_pair_subset_invariance(name: str, estimator_orig: Any) -> None:
    """Check that batches of other sizes give the same outputs."""
    estimator = fitted(estimator_orig)
    cuts = [0, 1, 2, 5, 13, len(PAIRS)]
    parts = [outputs(estimator, PAIRS[a:b]) for a, b in pairwise(cuts)]
    joined = {method: np.concatenate([part[method] for part in parts]) for method in parts[0]}
    assert_equal(joined, estimator, "the batch size must not change the output")


def check_pair_order_invariance(name: str, estimator_orig: Any) -> None:
    """Check that shuffled pairs give the same outputs, shuffled."""
    estimator = fitted(estimator_orig)
    order = np.random.default_rng(0).permutation(len(PAIRS))
    shuffled = outputs(estimator, [PAIRS[i] for i in order])
    expected = {method: array[order] for method, array in outputs(estimator).items()}
    assert_equal(shuffled, expected, "the order of rows must not change the output")


def check_pair_one_row(name: str, estimator_orig: Any) -> None:
    """Check that one pair gives an array with one row."""
    for method, array in outputs(fitted(estimator_orig), PAIRS[:1]).items():
        what = f"{method} of {name} must return one row for one pair"
        assert array.shape[:1] == (1,), f"{what}, not the shape {array.shape}."


def check_pair_empty_batch(name: str, estimator_orig: Any) -> None:
    """Check that no pair gives an array with no row, as a service may have nothing to score."""
    estimator = fitted(estimator_orig)
    expected = outputs(estimator)
    for what, X in (("an empty list", []), ("an array of 0 rows", np.empty((0, 2), object))):
        for method, array in outputs(estimator, X).items():
            shape = (0, *expected[method].shape[1:])
            must = f"{method} of {name} with {what} must return the shape {shape}"
            assert array.shape == shape, f"{must}, not {array.shape}."


def check_pair_fit_one_pair(name: str, estimator_orig: Any) -> None:
    """Check that fit learns from one pair, or raises an error that says how many it needs."""
    estimator = unfitted(estimator_orig)
    y = target(estimator)[:1]
    try:
        estimator.fit(PAIRS[:1], y)
    except Exception:
        match = r"(?i)\b(1|one|a single|2|two)\b"
        assert_raises(f"fit of {name} with one pair", estimator.fit, PAIRS[:1], y, match=match)
    else:
        _assert_finite(name, outputs(estimator))


def check_pair_any_text(name: str, estimator_orig: Any) -> None:
    """Check that unusual text gives finite numbers: empty, long, symbols, other scripts."""
    _assert_finite(name, outputs(fitted(estimator_orig), _ANY_TEXT))
    y = target(estimator_orig)
    estimator = fitted(estimator_orig, [*PAIRS, *_ANY_TEXT], [*y, *y[: len(_ANY_TEXT)]])
    _assert_finite(name, outputs(estimator, _ANY_TEXT))


def check_pair_output_shapes(name: str, estimator_orig: Any) -> None:
    """Check that methods return NumPy arrays with a row for each pair, finite if numbers."""
    estimator = fitted(estimator_orig)
    for method in methods(estimator):
        array = getattr(estimator, method)(PAIRS)
        must = f"{method} of {name} must return"
        assert isinstance(array, np.ndarray), f"{must} an ndarray, not {type(array).__name__}."
        n_dims = METHODS[method] or array.ndim
        assert array.ndim == n_dims, f"{must} {n_dims} dimension(s), not the shape {array.shape}."
        assert len(array) == len(PAIRS), f"{must} {len(PAIRS)} rows, not {len(array)}."
        _assert_finite(name, {method: array})


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
    frame = data_frame("pandas")
    estimator = fitted(estimator_orig, frame)
    names = getattr(estimator, "feature_names_in_", None)
    assert names is not None, f"fit of {name} must store feature_names_in_."
    np.testing.assert_array_equal(names, COLUMNS)
    outputs(estimator, frame)
    invalid = {
        "another column name": frame.rename(columns={"right": "wrong"}),
        "swapped columns": frame[COLUMNS[::-1]],
    }
    for what, other in invalid.items():
        for method in methods(estimator):
            call, case = getattr(estimator, method), f"{method} of {name} with {what}"
            assert_raises(case, call, other, match="(?i)feature names")
    for unnamed in (fitted(estimator_orig), estimator.fit(PAIRS, target(estimator))):
        named = hasattr(unnamed, "feature_names_in_")
        assert not named, f"{name} must have feature_names_in_ only after fit to a frame."


def check_pair_set_output_pandas(name: str, estimator_orig: Any) -> None:
    """Check that transform returns pandas DataFrames on request, with the index of X."""
    frame = data_frame("pandas").set_axis([f"r{i}" for i in range(len(PAIRS))])
    result = _check_set_output(name, estimator_orig, "pandas", frame)
    assert result.index.equals(frame.index), f"transform of {name} must keep the index of X."


def check_pair_set_output_polars(name: str, estimator_orig: Any) -> None:
    """Check that transform returns polars DataFrames on request."""
    _check_set_output(name, estimator_orig, "polars", data_frame("polars"))


def _check_set_output(name: str, estimator_orig: Any, library: str, X: Any) -> Any:
    """Check requests by set_output and by the configuration, and fit_transform."""
    estimator = _fitted_transformer(estimator_orig, X)
    assert hasattr(estimator, "set_output"), (
        f"{name} must have set_output: inherit TransformerMixin and define get_feature_names_out."
    )
    plain = estimator.set_output(transform="default").transform(X)
    what = f"With set_output(transform='default') {name} must return an ndarray"
    assert isinstance(plain, np.ndarray), f"{what}, not {type(plain).__name__}."
    result = estimator.set_output(transform=library).transform(X)
    with config_context(transform_output=library):
        by_configuration = fitted(estimator_orig, X).transform(X)
    requesting = unfitted(estimator_orig).set_output(transform=library)
    by_fit_transform = requesting.fit_transform(X, target(requesting))
    for frame in (result, by_configuration, by_fit_transform):
        what = f"{name} must return a {library} DataFrame"
        assert isinstance(frame, type(X)), f"{what}, not {type(frame).__name__}."
        np.testing.assert_array_equal(list(frame.columns), estimator.get_feature_names_out())
    what = f"the {library} DataFrame must hold the same numbers"
    assert_equal({"transform": np.asarray(result)}, {"transform": plain}, what)
    return result


def check_pair_pickle(name: str, estimator_orig: Any) -> None:
    """Check pickle before fit, after fit, and after use."""
    estimator = fitted(estimator_orig)
    unused = pickle.dumps(estimator)
    expected = outputs(estimator)
    refitted = fitted(pickle.loads(pickle.dumps(unfitted(estimator_orig))))
    assert_equal(refitted, expected, "pickled before fit")
    assert_equal(pickle.loads(unused), expected, "pickled after fit")
    assert_equal(pickle.loads(pickle.dumps(estimator)), expected, "pickled after use")


def check_pair_cloudpickle(name: str, estimator_orig: Any) -> None:
    """Check cloudpickle, which sends estimators to other processes."""
    cloudpickle = import_or_skip("cloudpickle")
    estimator = fitted(estimator_orig)
    loaded = pickle.loads(cloudpickle.dumps(estimator))
    assert_equal(loaded, estimator, "pickled by cloudpickle")


def check_pair_joblib(name: str, estimator_orig: Any) -> None:
    """Check joblib, also with read-only arrays that stay in the file."""
    estimator = fitted(estimator_orig)
    expected = outputs(estimator)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "estimator.joblib")
        joblib.dump(estimator, path)
        assert_equal(joblib.load(path), expected, "loaded by joblib")
        # Not in a variable: Windows removes no file that is mapped.
        assert_equal(joblib.load(path, mmap_mode="r"), expected, "memory-mapped by joblib")


def check_pair_pipeline(name: str, estimator_orig: Any) -> None:
    """Check a pipeline of the estimator alone, and one behind a step that passes pairs on."""
    expected = outputs(fitted(estimator_orig))
    for steps in ([], [FunctionTransformer()]):
        actual = outputs(fitted(make_pipeline(*steps, unfitted(estimator_orig))))
        # a pipeline has fewer methods than its last step
        assert_equal(actual, {method: expected[method] for method in actual}, "a pipeline")


def check_pair_union(name: str, estimator_orig: Any) -> None:
    """Check that a union joins columns and their names."""
    transformer = _numeric_transformer(estimator_orig)
    union = make_union(transformer, clone(transformer)).fit(PAIRS, target(estimator_orig))
    columns = outputs(fitted(estimator_orig))["transform"]
    expected = np.hstack([columns, columns])
    assert_equal({"transform": union.transform(PAIRS)}, {"transform": expected}, "a union")
    n_names, n_columns = len(union.get_feature_names_out()), 2 * columns.shape[1]
    what = f"A union of two {name} must have {n_columns} names of columns"
    assert n_names == n_columns, f"{what}, not {n_names}."


def check_pair_cross_validation(name: str, estimator_orig: Any) -> None:
    """Check cross_val_score on lists and arrays; transformers get a linear model behind them."""
    predictor = _predictor(estimator_orig)
    y = target(estimator_orig)
    for X in (PAIRS, np.array(PAIRS, dtype=object)):
        scores = cross_val_score(predictor, X, y, cv=2, error_score="raise")
        assert np.isfinite(scores).all(), f"Scores of {name} must be finite, not {scores}."


def check_pair_grid_search(name: str, estimator_orig: Any) -> None:
    """Check that GridSearchCV, which sets every parameter to its own value, changes nothing."""
    predictor = _predictor(estimator_orig)
    parameters = predictor.get_params().items()
    grid = {name: [value] for name, value in parameters if isinstance(value, (str, int, float))}
    y = target(estimator_orig)
    search = GridSearchCV(predictor, grid, cv=2, error_score="raise").fit(PAIRS, y)
    expected = clone(predictor).fit(PAIRS, y).predict(PAIRS)
    assert_equal({"predict": search.predict(PAIRS)}, {"predict": expected}, "a grid search")


def check_pair_sample_weight(name: str, estimator_orig: Any) -> None:
    """Check that weights of one change nothing, and that one weight too few raises an error."""
    if not has_fit_parameter(estimator_orig, "sample_weight"):
        raise SkipTest("fit takes no sample_weight")
    expected = outputs(fitted(estimator_orig))
    for weights in (np.ones(len(PAIRS)), [1] * len(PAIRS)):
        estimator = fitted(estimator_orig, sample_weight=weights)
        assert_equal(estimator, expected, "weights of one must change nothing")
    assert_raises(
        f"fit of {name} with one weight too few",
        lambda: fitted(estimator_orig, sample_weight=np.ones(len(PAIRS) - 1)),
        match=r"(?i)sample_weight|inconsistent|\b29\b",
    )


def _assert_finite(name: str, results: Outputs) -> None:
    for method, array in results.items():
        if is_numeric(array):
            bad = np.flatnonzero(~np.isfinite(array.reshape(len(array), -1)).all(axis=1))
            assert not len(bad), f"{method} of {name} must not return NaN or infinity: rows {bad}."


def _fitted_transformer(estimator_orig: Any, X: Any = None) -> Any:
    if not hasattr(estimator_orig, "transform"):
        raise SkipTest("no transform")
    return fitted(estimator_orig, X)


def _fitted_predictor(estimator_orig: Any, *, classifier: bool) -> Any:
    if not hasattr(estimator_orig, "predict") or is_classifier(estimator_orig) != classifier:
        raise SkipTest("not a classifier" if classifier else "not a regressor")
    return fitted(estimator_orig)


def _numeric_transformer(estimator_orig: Any) -> Any:
    """Return an unfitted copy, if it transforms to numbers."""
    if not is_numeric(_fitted_transformer(estimator_orig).transform(PAIRS[:2])):
        raise SkipTest("transform returns text")
    return unfitted(estimator_orig)


def _predictor(estimator_orig: Any) -> Any:
    if hasattr(estimator_orig, "predict"):
        return unfitted(estimator_orig)
    return make_pipeline(_numeric_transformer(estimator_orig), Ridge())
