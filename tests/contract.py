"""Checks that an estimator keeps scikit-learn's contract on pairs of sentences.

scikit-learn's own checks pass numbers, which estimators of pairs refuse; only those in ``NO_DATA``
apply. Every check takes an unfitted estimator that is quick to fit. Numbers may differ by a
relative 1e-5, since networks compute in single precision.
"""

from __future__ import annotations

import inspect
import os
import pickle
import random
import re
import tempfile
import warnings
from contextlib import suppress
from functools import cache
from itertools import pairwise

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from scipy import sparse
from sklearn import config_context, get_config
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import get_tags
from sklearn.utils._param_validation import (
    Options,
    generate_invalid_param_val,
    generate_valid_param,
    make_constraint,
)
from sklearn.utils.metadata_routing import MetadataRouter, get_routing_for_object
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_info

from skpara import load_model, save_model

METHODS = (
    "transform predict predict_proba predict_distribution decision_function score_pairs select"
).split()
SUBJECTS = ("A man", "Two cats", "The old dog", "My friend", "Nobody here")
ACTIONS = (
    *("plays the guitar", "is running home", "sleeps on a red bed", "cooks 12 eggs"),
    *("makes loud music", "reads Mary's book"),
)
FIRST = [f"{SUBJECTS[i % 5]} {ACTIONS[i % 6]}" for i in range(30)]
# Pairs in even rows mean the same.
SECOND = [
    f"{SUBJECTS[(i + 1) % 5]} {ACTIONS[(i + 2) % 6]}." if i % 2 else f"{FIRST[i]} today."
    for i in range(30)
]
PAIRS = [(f"{first}.", second) for first, second in zip(FIRST, SECOND, strict=True)]
SCORES = np.array([i % 7 / 3 if i % 2 else 4 + i % 5 / 4 for i in range(30)])
ARRAY = np.array(PAIRS, dtype=object)
FRAME = pd.DataFrame(PAIRS, columns=["left", "right"])
ROW = 13  # a number that is unlikely to be in a message by chance
METADATA = {"sample_weight": [1.0, 2.0] * 15, "groups": ["a", "b", "c"] * 10}
METADATA["unlabeled"] = [sentence for pair in PAIRS[:4] for sentence in pair]
ANY_TEXT = [
    *(("", ""), ("", "A man sleeps."), (" ", "\t\n"), ("!!!", "?"), ("NaN", "None")),
    *(("ünïcode ☃ 你好", "🙂 \u200f עברית"), ("word " * 300, "a" * 1000)),
    ("1e999 -0 3,000,000", "\x00\ufffd"),
    ("half an emoji \ud83d", "\udc00"),  # lone surrogates, which cannot be encoded
]


def target(estimator):
    """Scores from 0 to 5; for a classifier, 1 where both sentences mean the same."""
    return (SCORES > 3).astype(int) if is_classifier(estimator) else SCORES.copy()


def unfitted(estimator):
    """An unfitted copy with every ``random_state`` in it set to 0."""
    model = clone(estimator)
    seeds = [name for name in model.get_params() if name.split("__")[-1] == "random_state"]
    return model.set_params(**dict.fromkeys(seeds, 0))


def fitted(estimator, X=PAIRS, y=None, **metadata):
    return unfitted(estimator).fit(X, target(estimator) if y is None else y, **metadata)


def methods(estimator):
    return [method for method in METHODS if hasattr(estimator, method)]


def outputs(estimator, X=PAIRS):
    return {method: getattr(estimator, method)(X) for method in methods(estimator)}


@cache
def learned(estimator):
    """The estimator after a fit to the sample; nobody may change it."""
    return fitted(estimator)


@cache
def expected(estimator):
    """Outputs of the estimator after a fit to the sample."""
    return outputs(learned(estimator))


def assert_same(actual, wanted, what=""):
    """Fail unless two estimators, or their outputs, agree."""
    actual, wanted = (x if isinstance(x, dict) else outputs(x) for x in (actual, wanted))
    for method in actual.keys() & wanted.keys():  # a pipeline has fewer methods
        if wanted[method].dtype.kind in "biuf":
            np.testing.assert_allclose(actual[method], wanted[method], 1e-5, 1e-6, err_msg=what)
        else:
            np.testing.assert_array_equal(actual[method], wanted[method], err_msg=what)


def assert_finite(results):
    for method, array in results.items():
        assert array.dtype.kind not in "f" or np.isfinite(array).all(), method


def assert_refused(estimator, X, match, n_rows=30):
    """Fail unless fit and all methods raise an error whose message matches."""
    with pytest.raises((ValueError, TypeError), match=match):
        unfitted(estimator).fit(X, target(estimator)[:n_rows])
    model = learned(estimator)
    for method in methods(model):
        with pytest.raises((ValueError, TypeError), match=match):
            getattr(model, method)(X)


def error_of(call, *arguments):
    """Return the message of the error that a call raises, if it raises one."""
    try:
        call(*arguments)
    except (ValueError, TypeError) as error:
        return str(error)
    return ""


def hashes(values):
    return {name: joblib.hash(value) for name, value in values.items()}


NO_DATA = (
    "check_estimator_cloneable check_estimator_tags_renamed check_valid_tag_types "
    "check_estimator_repr check_no_attributes_set_in_init check_mixin_order "
    "check_do_not_raise_errors_in_init_or_set_params check_parameters_default_constructible "
    "check_get_params_invariance check_set_params"
).split()


def check_parameters_stay(estimator):
    """Neither fit nor other methods change a parameter; set_params does what __init__ does."""

    def leaves(model):
        values = model.get_params().items()
        # The parameters of estimators are among the values, too.
        skipped = {name for name, v in values if hasattr(v, "get_params") or isinstance(v, list)}
        return hashes({name: value for name, value in values if name not in skipped})

    model = unfitted(estimator)
    before = leaves(model)
    outputs(model.fit(PAIRS, target(model)))
    assert leaves(model) == before
    parameters = unfitted(estimator).get_params(deep=False)
    later = type(model)(**dict.fromkeys(parameters))
    later.set_params(**{name: clone(value, safe=False) for name, value in parameters.items()})
    assert methods(later) == methods(model)
    assert_same(later.fit(PAIRS, target(model)), expected(estimator))


def check_bad_parameters(estimator):
    """Errors for values just outside each constraint name the parameter and the class."""
    constraints = estimator._parameter_constraints
    assert set(constraints) == set(estimator.get_params(deep=False))
    for parameter, allowed in constraints.items():
        if allowed == "no_validation":
            continue
        bad_values = [type("BadType", (), {})()]
        for constraint in map(make_constraint, allowed):
            with suppress(NotImplementedError):  # the constraint allows every value of its type
                bad_values.append(generate_invalid_param_val(constraint))
        for value in bad_values:
            model = unfitted(estimator).set_params(**{parameter: value})
            for method in ("fit", "partial_fit", "fit_transform"):
                if not hasattr(model, method):
                    continue
                match = rf"(?s)(?=.*\b{parameter}\b)(?=.*{type(estimator).__name__})"
                with pytest.raises((ValueError, TypeError), match=match):
                    getattr(model, method)(PAIRS, target(estimator))


def other_values(constraint, value):
    constraint, values = make_constraint(constraint), []
    if isinstance(constraint, Options):
        values = constraint.options
    elif isinstance(value, bool):
        values = [not value]
    else:
        with suppress(TypeError):  # an object that needs arguments
            values = [generate_valid_param(constraint)]
    return [v for v in values if v is not value and (type(v) is not type(value) or v != value)]


# How outputs are computed, and what a filter keeps by its scores.
IN_USE = {"device", "n_jobs", "verbose", "lower", "upper", "steps"}


def check_fitted_state_decides(estimator):
    """Parameters that are set after fit change neither outputs nor what a file has."""
    model = fitted(estimator)
    others = {}
    for name, value in model.get_params().items():
        place, _, parameter = name.rpartition("__")
        if hasattr(value, "get_params") or parameter in IN_USE or "model" in name:
            continue  # fields of the object are set instead
        owner = model.get_params()[place] if place else model
        allowed = getattr(owner, "_parameter_constraints", {}).get(parameter, "no_validation")
        if allowed != "no_validation":
            others[name] = [v for constraint in allowed for v in other_values(constraint, value)]
    for i in range(max(map(len, others.values()), default=0)):
        model.set_params(**{name: v[i % len(v)] for name, v in others.items() if v})
        assert methods(model) == methods(learned(estimator))
        assert_same(outputs(model), expected(estimator))
        with tempfile.TemporaryDirectory() as folder, suppress(TypeError):  # cannot be saved
            assert_same(load_model(save_model(model, f"{folder}/m.skpara")), expected(estimator))


def check_tags(estimator):
    inputs = get_tags(estimator).input_tags
    assert inputs.string
    assert not inputs.two_d_array
    assert not inputs.pairwise | inputs.sparse
    assert not hasattr(estimator, "transform") or get_tags(estimator).transformer_tags
    assert not hasattr(estimator, "predict") or is_regressor(estimator) | is_classifier(estimator)


def check_before_and_after_fit(estimator):
    model = unfitted(estimator)
    assert not hasattr(model, "n_features_in_")
    if get_tags(model).requires_fit:
        for method in methods(model):
            with pytest.raises(NotFittedError):
                getattr(model, method)(PAIRS)
        with pytest.raises(NotFittedError):
            check_is_fitted(model)
    else:
        assert_same(model, expected(estimator))
    for method in ("fit", "partial_fit", "fit_transform", "score"):
        if hasattr(model, method):
            assert list(inspect.signature(getattr(model, method)).parameters)[1] == "y"
    before = set(vars(model))
    assert model.fit(PAIRS, target(model)) is model
    check_is_fitted(model)
    added = set(vars(model)) - before
    assert all(name.endswith("_") or name.startswith("_") for name in added)
    assert model.n_features_in_ == 2
    if model.get_params(deep=False).get("max_iter"):
        assert isinstance(model.n_iter_, int)
        assert model.n_iter_ >= 1
    copied = clone(model)
    assert not [name for name in vars(copied) if name.endswith("_") and name[0] != "_"]
    assert_same(copied.fit(PAIRS, target(model)), expected(estimator))


def check_metadata(estimator):
    """Metadata of fit can be requested, and arrives through a pipeline."""
    model = unfitted(estimator)
    names = [*inspect.signature(model.fit).parameters][2:]
    names = [name for name in names if name in METADATA]
    if not names or isinstance(get_routing_for_object(model), MetadataRouter):
        return  # an estimator of estimators passes it on
    y = target(model)
    with config_context(enable_metadata_routing=True):
        for name in names:
            for request in (False, True):
                model.set_fit_request(**{name: request})
                consumed = get_routing_for_object(model).consumes("fit", [name])
                assert (name in consumed) == request
            value = {name: METADATA[name]}
            routed = make_pipeline(clone(model)).fit(PAIRS, y, **value)
            assert_same(routed, clone(model).fit(PAIRS, y, **value), name)
    if "sample_weight" in names:
        assert_same(fitted(estimator, sample_weight=np.ones(30)), expected(estimator))
        with pytest.raises(ValueError, match=r"(?i)sample_weight|inconsistent|\b29\b"):
            fitted(estimator, sample_weight=np.ones(29))


def check_weight_of_zero(estimator):
    """A pair of weight 0 is in no step: its label, as if it were not there, decides nothing."""
    if "sample_weight" not in inspect.signature(estimator.fit).parameters:
        return
    y, weights = target(estimator), np.arange(30) * 7 % 4
    kept = weights > 0
    wrong = np.where(kept, y, y.max() - y)
    result = outputs(fitted(estimator, y=y, sample_weight=weights))
    others = (
        fitted(estimator, y=wrong, sample_weight=weights),
        fitted(estimator, FRAME, wrong, sample_weight=weights.tolist()),
        fitted(estimator, ARRAY[kept], y[kept], sample_weight=weights[kept]),
    )
    for other in others:
        for method, array in outputs(other).items():
            np.testing.assert_array_equal(array, result[method])


def check_bad_tables(estimator):
    for cell in (None, float("nan"), b"bytes", 7.5, ["a", "list"]):
        rows = [*PAIRS[:ROW], ("A man sleeps.", cell), *PAIRS[ROW + 1 :]]
        assert_refused(estimator, rows, rf"\b{ROW}\b")
    tables = [ARRAY[:, [0, 1, 1]], ARRAY[:, :1], ARRAY[:, :, None], "A man sleeps.", None]
    tables += [np.zeros((30, 2)), sparse.csr_matrix((30, 2))]
    for X in tables:
        assert_refused(estimator, X, r"(?i)pair|column|shape|2D|sentence")
    if not get_tags(estimator).input_tags.one_d_array:
        for X in (FIRST, ARRAY[:, 0]):
            with pytest.raises((ValueError, TypeError), match=r"(?i)pair|column|shape|2D"):
                unfitted(estimator).fit(X, target(estimator))
    # A dictionary would be read as its keys, a set in any order.
    for X in (FRAME.to_dict("records"), [set(pair) for pair in PAIRS], set(PAIRS)):
        assert_refused(estimator, X, r"(?i)dict|set|order")
    frame = FRAME.set_axis(["text", "text"], axis=1)
    for n_rows in (30, 2, 1):
        assert_refused(estimator, frame[:n_rows], r"(?i)column|name", n_rows)


def check_few_rows(estimator):
    """An estimator that learns refuses no rows; from one row it learns, or says that it cannot."""
    model, y = unfitted(estimator), target(estimator)
    for X in ([], np.empty((0, 2), object)):
        for method, array in outputs(learned(estimator), X).items():
            assert array.shape == (0, *expected(estimator)[method].shape[1:]), method
        if get_tags(model).requires_fit:
            with pytest.raises((ValueError, TypeError), match=r"(?i)\b(0|no|empty|one|1)\b"):
                model.fit(X, y[:0])
    error = error_of(model.fit, PAIRS[:1], y[:1])
    if error:
        assert re.search(r"(?i)\b(1|one|a single|2|two)\b", error)
    else:
        assert_finite(outputs(model))
    assert {len(array) for array in outputs(learned(estimator), PAIRS[:1]).values()} <= {1}


def check_bad_targets(estimator):
    """Scores must be as many as pairs, one each and finite, unless they are ignored."""
    y = target(estimator).astype(float)
    wrong = {"(?i)inconsistent|length|29|30": y[:-1], "(?i)shape|1d|dim": np.column_stack([y, y])}
    for missing in (np.nan, np.inf):
        wrong[f"(?i){missing}|missing|unknown label"] = np.where(np.arange(30) == ROW, missing, y)
    required = get_tags(estimator).target_tags.required
    for match, y in wrong.items():
        model = unfitted(estimator)
        error = error_of(model.fit, PAIRS, y)
        if error:
            assert re.search(match, error)
        else:
            assert not required
            assert_same(model, unfitted(estimator).fit(PAIRS))
    if required:
        with pytest.raises((ValueError, TypeError), match=r"\by\b"):
            unfitted(estimator).fit(PAIRS, None)
    else:
        outputs(unfitted(estimator).fit(PAIRS))


def check_containers(estimator):
    """Lists, arrays and frames give the same outputs; test_pairs.py has all types and layouts."""
    read_only = np.repeat(ARRAY, 2, axis=0)[::2]
    read_only.flags.writeable = False
    y = target(estimator)
    read_only_y = np.repeat(y, 2)[::2]
    read_only_y.flags.writeable = False
    for X, container in (
        ([list(pair) for pair in PAIRS], pl.Series(y)),
        (read_only, y.tolist()),
        (FRAME.set_axis(range(30)[::-1]), read_only_y),
        (pl.DataFrame(FRAME.to_dict("list")), pd.Series(y)),
    ):
        before = np.array(X, dtype=object)
        found = outputs(fitted(estimator, X, container), X)
        assert_same(found, expected(estimator), f"{type(X)} and {type(container)}")
        assert (np.array(X, dtype=object) == before).all()
    whole = np.round(y)
    assert_same(fitted(estimator, y=whole.astype(int)), fitted(estimator, y=whole), "integers")


def check_fit_forgets(estimator):
    """Fit gives the same after another fit, with any global seed; later methods learn nothing."""
    model = unfitted(estimator)
    outputs(model.fit([(second[::-1], first) for first, second in PAIRS[:20]], target(model)[:20]))
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    torch.manual_seed(1)
    model.fit(PAIRS, target(model))
    attributes = dict(vars(model))
    public = {a: value for a, value in attributes.items() if a.endswith("_") and a[0] != "_"}
    learned = hashes(public)
    assert_same(outputs(model), expected(estimator))
    assert vars(model).keys() == attributes.keys()
    assert all(vars(model)[a] is value for a, value in attributes.items())
    assert hashes(public) == learned


def check_global_state(estimator):
    """Generators, threads, warning filters, settings and environment stay as they are."""

    def state():
        generators = random.getstate(), np.random.get_state(), torch.get_rng_state().numpy()  # noqa: NPY002
        settings = np.geterr(), get_config(), dict(os.environ), os.getcwd(), warnings.filters[:]
        pools = [(pool["filepath"], pool["num_threads"]) for pool in threadpool_info()]
        of_torch = torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_num_threads()
        return joblib.hash(generators), settings, pools, of_torch

    expected(estimator)  # modules may set things up when they are imported
    np.random.seed(1)  # noqa: NPY002
    before = state()
    outputs(fitted(estimator))
    assert state() == before


def check_other_ways_to_fit(estimator):
    y = target(estimator)
    if hasattr(estimator, "fit_transform") and not estimator.get_params().get("cross_fit"):
        model = unfitted(estimator)
        rows = np.asarray(model.fit_transform(PAIRS, y))
        assert_same({"transform": rows}, expected(estimator))
        assert_same(model, expected(estimator))
    if hasattr(estimator, "partial_fit") and not estimator.get_params().get("early_stopping"):
        models = unfitted(estimator), unfitted(estimator)
        for model in models:
            for rows in (slice(0, 15), slice(15, 30)):
                assert model.partial_fit(PAIRS[rows], y[rows]) is model
                assert model.n_features_in_ == 2
        assert_same(*models)


def check_rows_are_independent(estimator):
    """Neither the order of rows nor the size of the batch changes an output."""
    model = learned(estimator)
    parts = [outputs(model, PAIRS[a:b]) for a, b in pairwise([0, 0, 1, 2, 5, 13, 30])]
    joined = {method: np.concatenate([part[method] for part in parts]) for method in parts[0]}
    assert_same(joined, expected(estimator), "batches")
    order = np.random.default_rng(0).permutation(30)
    wanted = {method: array[order] for method, array in expected(estimator).items()}
    assert_same(outputs(model, ARRAY[order]), wanted, "order")


def check_any_text(estimator):
    assert_finite(outputs(learned(estimator), ANY_TEXT))
    y = target(estimator)
    model = fitted(estimator, [*PAIRS, *ANY_TEXT], [*y, *y[: len(ANY_TEXT)]])
    assert_finite(outputs(model, ANY_TEXT))


def check_outputs(estimator):
    """NumPy arrays of a row for each pair; classes are the most probable ones."""
    results = expected(estimator)
    for array in results.values():
        assert isinstance(array, np.ndarray)
        assert len(array) == 30
    for method, n_dims in {"transform": 2, "predict": 1, "predict_proba": 2, "select": 1}.items():
        assert method not in results or results[method].ndim == n_dims
    assert_finite(results)
    if is_regressor(estimator):
        assert results["predict"].dtype.kind == "f"
        assert np.isfinite(learned(estimator).score(PAIRS, SCORES))
    elif is_classifier(estimator):
        model = learned(estimator)
        np.testing.assert_array_equal(model.classes_, [0, 1])
        np.testing.assert_allclose(results["predict_proba"].sum(axis=1), 1, rtol=1e-5)
        most_probable = model.classes_[results["predict_proba"].argmax(axis=1)]
        np.testing.assert_array_equal(results["predict"], most_probable)


def check_names_of_columns(estimator):
    """Frames have the columns of fit in their order; lists have no names; outputs have names."""
    model = fitted(estimator, FRAME)
    assert list(model.feature_names_in_) == ["left", "right"]
    assert_same(outputs(model, PAIRS), expected(estimator))
    for method in methods(model):
        for frame in (FRAME[["right", "left"]], pl.DataFrame(FRAME.rename(columns=str.upper))):
            with pytest.raises(ValueError, match=r"feature names should match.*'left', 'right'"):
                getattr(model, method)(frame)
    names = model.get_feature_names_out() if hasattr(model, "transform") else None
    assert not hasattr(model.fit(PAIRS, target(model)), "feature_names_in_")
    assert_same(outputs(model, FRAME[["right", "left"]]), outputs(model, ARRAY[:, ::-1]))
    if names is None:
        return
    assert names.dtype == object
    assert all(isinstance(name, str) for name in names)
    rows = expected(estimator)["transform"]
    assert len(set(names)) == len(names) == rows.shape[1]
    for frame in (FRAME.set_axis([f"r{i}" for i in range(30)]), pl.from_pandas(FRAME)):
        library = type(frame).__module__.split(".")[0]
        requesting = unfitted(estimator).set_output(transform=library)
        by_fit_transform = requesting.fit_transform(frame, target(requesting))
        with config_context(transform_output=library):
            by_configuration = fitted(estimator, frame).transform(frame)
        for result in (requesting.transform(frame), by_configuration, by_fit_transform):
            assert isinstance(result, type(frame))
            assert list(result.columns) == list(names)
        assert_same({"transform": np.asarray(by_configuration)}, expected(estimator), library)
        if library == "pandas":
            assert by_configuration.index.equals(frame.index)


def check_pickles(estimator):
    """Pickled before fit, after it and after use; read-only arrays mapped from a file."""
    model = fitted(estimator)
    unused = pickle.dumps(model)
    outputs(model)
    with tempfile.TemporaryDirectory() as folder:
        for loaded in (
            fitted(pickle.loads(pickle.dumps(unfitted(estimator)))),
            pickle.loads(unused),
            pickle.loads(pickle.dumps(model)),
            joblib.load(*joblib.dump(model, f"{folder}/model"), mmap_mode="r"),
        ):
            assert_same(loaded, expected(estimator))


def check_composition(estimator):
    """Pipelines, unions and searches, which cross-validate."""
    y = target(estimator)
    assert_same(fitted(make_pipeline(FunctionTransformer(), estimator)), expected(estimator))
    model = unfitted(estimator)
    if not hasattr(model, "predict"):
        rows = expected(estimator).get("transform", ARRAY)
        if rows.dtype.kind not in "biuf":
            return
        union = make_union(model, clone(model)).fit(PAIRS, y)
        assert_same({"transform": union.transform(PAIRS)}, {"transform": np.hstack([rows, rows])})
        assert len(union.get_feature_names_out()) == 2 * rows.shape[1]
        model = make_pipeline(model, Ridge())
    parameters = model.get_params().items()
    grid = {name: [value] for name, value in parameters if isinstance(value, (str, int, float))}
    search = GridSearchCV(model, grid, cv=2, error_score="raise").fit(PAIRS, y)
    assert np.isfinite(search.best_score_)
    assert_same({"predict": search.predict(ARRAY)}, clone(model).fit(ARRAY, y))


CHECKS = [
    value
    for name, value in [*globals().items()]
    if name.startswith("check_") and value.__module__ == __name__
]
