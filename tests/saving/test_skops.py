"""Models in skops files: which types are trusted, and damaged trees."""

from __future__ import annotations

import pickle
import sys
import zipfile

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

import skpara
from skpara import FusionRegressor
from skpara.saving import load_skops, trusted_types

skops = pytest.importorskip("skops.io")

TREE = "sklearn.tree._tree.Tree"


def test_all_but_translators_are_trusted(models):
    outside = []
    for name, model in models.items():
        types = skops.get_untrusted_types(data=skops.dumps(model))
        if set(types) - {*trusted_types(), TREE}:
            outside.append(name)
    assert outside == ["translated"]
    for name in trusted_types():
        module, _, attribute = name.rpartition(".")
        assert hasattr(sys.modules.get(module) or __import__(module, fromlist=["_"]), attribute)


def test_parameter_objects_are_trusted():
    names = trusted_types()
    for room in (skpara.learning, skpara.networks):
        for name in dir(room):
            public = getattr(room, name)
            # A wrapper and a base class are never part of a fitted estimator.
            if isinstance(public, type) and issubclass(public, BaseEstimator):
                wraps = name in ("Network", "Siamese", "Classifier")
                assert (f"{room.__name__}.{name}" in names) is not wraps, name


def test_a_file_with_parameter_objects_is_loaded(models, scored, tmp_path):
    skops.dump(models["configured"], tmp_path / "model.skops")
    again = load_skops(tmp_path / "model.skops")
    assert repr(again) == repr(models["configured"])
    np.testing.assert_array_equal(
        again.transform(scored[0]), models["configured"].transform(scored[0])
    )


def test_translators_are_trusted_by_name_only(models, scored, tmp_path):
    path = tmp_path / "model.skops"
    skops.dump(models["translated"], path)
    with pytest.raises(ValueError, match=r"FunctionTranslator.*does not trust.*pass trusted="):
        load_skops(path)
    named = skops.get_untrusted_types(file=path)
    again = load_skops(path, named)
    np.testing.assert_array_equal(
        again.transform(scored[0]), models["translated"].transform(scored[0])
    )


@pytest.mark.parametrize(
    "estimator",
    [
        GradientBoostingRegressor(n_estimators=3),
        RandomForestRegressor(n_estimators=3, max_leaf_nodes=9),
        DecisionTreeRegressor(),
    ],
)
def test_undamaged_trees_are_loaded(tmp_path, estimator):
    X = np.random.default_rng(0).random((50, 3))
    model = FusionRegressor(estimator, random_state=0).fit(X, 5 * X[:, 0])
    skops.dump(model, tmp_path / "model.skops")
    again = load_skops(tmp_path / "model.skops")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def changed_nodes(**fields):
    def change(boosting):
        tree = boosting.estimators_[1, 0].tree_
        state = tree.__getstate__()
        for name, value in fields.items():
            state["nodes"][name][0] = value
        tree.__setstate__(state)

    return change


def shallow(boosting):
    tree = boosting.estimators_[0, 0].tree_
    tree.__setstate__(tree.__getstate__() | {"max_depth": 1})


def two_columns(boosting):
    boosting.estimators_ = np.hstack([boosting.estimators_] * 2)


def one_row(boosting):
    boosting.estimators_ = boosting.estimators_.ravel()


def three_dimensions(boosting):
    boosting.estimators_ = boosting.estimators_[None]


def wide(boosting):
    boosting.n_features_in_ = 2  # but its trees use three


def no_tree(boosting):
    boosting.estimators_[0, 0].tree_ = np.zeros(3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (changed_nodes(feature=3), "its nodes are inconsistent"),
        (changed_nodes(feature=-9), "its nodes are inconsistent"),
        (changed_nodes(left_child=0), "its nodes are inconsistent"),
        (changed_nodes(right_child=10**6), "its nodes are inconsistent"),
        (changed_nodes(left_child=-1), "its nodes are inconsistent"),
        (shallow, "deeper than its max_depth"),
        (two_columns, "estimators_ are not trees"),
        (one_row, "estimators_ are not trees"),
        (three_dimensions, "estimators_ are not trees"),
        (wide, "its nodes are inconsistent"),
        (no_tree, "estimators_ are not trees"),
    ],
)
def test_trees_that_would_read_wrong_memory_are_refused(tmp_path, change, message):
    X = np.random.default_rng(0).random((200, 3))
    boosting = GradientBoostingRegressor(n_estimators=3, max_depth=4, random_state=0)
    model = FusionRegressor(boosting, random_state=0).fit(X, X @ [1.0, 2.0, 3.0])
    change(model.estimators_[0])
    skops.dump({"model": [model]}, tmp_path / "model.skops")
    with pytest.raises(ValueError, match=message):
        load_skops(tmp_path / "model.skops")
    load_skops(tmp_path / "model.skops", [TREE])  # no check is made where the type is trusted


def test_trees_outside_of_ensembles_are_refused(tmp_path):
    X = np.random.default_rng(0).random((20, 3))
    tree = DecisionTreeRegressor().fit(X, X[:, 0]).tree_
    skops.dump(FusionRegressor(score_range=[tree]), tmp_path / "model.skops")
    with pytest.raises(ValueError, match="number of features cannot be checked"):
        load_skops(tmp_path / "model.skops")


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "model.skops"
    for content in (b"", b"PK\x03\x04", pickle.dumps([1])):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"is not a readable \.skops file"):
            load_skops(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", "{}")
    with pytest.raises(ValueError, match=r"is not a readable \.skops file"):
        load_skops(path)
