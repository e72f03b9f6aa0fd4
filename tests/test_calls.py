"""Errors of calls, attributes and values name what is meant."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils import estimator_html_repr

import skpara
from skpara import (
    Deduplicator,
    FusionRegressor,
    ParagramEncoder,
    TableMatcher,
    explain,
    load_pair_classifier,
    make_pair_classifier,
    make_sts_pipeline,
    novelty,
)
from skpara.augment import PivotParaphraser
from skpara.datasets import load_sts_sample, read_pairs
from skpara.fusion import CosineRegressor

TEXTS = ["red bicycle", "garden chair"]
PAIRS = [("It rains.", "It is raining.")]


@pytest.mark.parametrize(
    ("call", "remedy"),
    [
        (
            lambda: TableMatcher(on="name"),
            "TableMatcher has no parameter 'on'. Did you mean 'on' of",
        ),
        (lambda: TableMatcher(k=3), "TableMatcher has no parameter 'k'. Did you mean 'top_k'?"),
        (lambda: TableMatcher().match(TEXTS, k=3), "Did you mean 'top_k' of TableMatcher()?"),
        (lambda: TableMatcher().fit(TEXTS, columns=["a"]), "Did you mean 'on'?"),
        (
            lambda: TableMatcher().join(TEXTS, TEXTS, "a", "b"),
            "TableMatcher.join(left, right, on=",
        ),
        (lambda: Deduplicator().drop_duplicates(), "Deduplicator.drop_duplicates needs X."),
        (lambda: Deduplicator().drop_duplicates(TEXTS, subset="a"), "Did you mean 'on' of fit"),
        (lambda: load_pair_classifier().decide(PAIRS), "decide needs precision. Call it as"),
        (lambda: load_pair_classifier().decide(PAIRS, 0.9), "decide(X, precision=..., "),
        (lambda: load_pair_classifier().threshold(0.9), "threshold(precision=None, recall=None"),
        (lambda: TableMatcher(min_score=0.5), "Did you mean 'threshold'?"),
        (lambda: TableMatcher(treshold=0.5), "Did you mean 'threshold'?"),
        (
            lambda: TableMatcher(zzz=1),
            "has no parameter 'zzz'. It takes top_k, kind, model",
        ),
        (lambda: ParagramEncoder(epochs=3), "Did you mean 'max_iter'?"),
        (lambda: make_sts_pipeline(seed=0), "Did you mean 'random_state'?"),
        (lambda: novelty(PAIRS), "Call it as novelty(model, pairs)."),
        (
            lambda: explain(ParagramEncoder(), pairs=PAIRS, cover=1),
            "Did you mean 'coverage'?",
        ),
        (lambda: read_pairs("a.csv", sep=";"), "Did you mean 'delimiter'?"),
        (lambda: load_sts_sample(split="train"), "It takes return_X_y, as_frame"),
        (lambda: ParagramEncoder().transform(["a"], ["b"]), "list(zip(sentences1, sentences2))"),
    ],
)
def test_a_call_that_does_not_fit(call, remedy):
    with pytest.raises(TypeError) as caught:
        call()
    assert remedy in str(caught.value)


def test_other_type_errors_stay():
    class Broken:
        def encode(self, sentences):
            return len(5)

    with pytest.raises(TypeError, match="has no len"):
        Deduplicator(encoder=Broken()).fit(TEXTS)


@pytest.mark.parametrize(
    ("estimator", "name", "remedy"),
    [
        (TableMatcher(), "predict", "Did you mean join or match?"),
        (Deduplicator(), "clusters_", "Did you mean labels_?"),
        (Deduplicator(), "pairs_", "It is known after fit."),
        (make_sts_pipeline(), "similarity", "Did you mean predict?"),
        (CosineRegressor(), "colour", "It has fit, predict."),
    ],
)
def test_an_attribute_of_another_name(estimator, name, remedy):
    assert not hasattr(estimator, name)
    with pytest.raises(AttributeError) as caught:
        getattr(estimator, name)
    assert str(caught.value) == f"{type(estimator).__name__} has no {name}. {remedy}"


@pytest.mark.parametrize("estimator", [TableMatcher(), Deduplicator(), ParagramEncoder()])
def test_unknown_attributes_are_missing_as_ever(estimator):
    with pytest.raises(AttributeError, match="object has no attribute '_colour'"):
        _ = estimator._colour
    for copied in (
        copy.deepcopy(estimator),
        pickle.loads(pickle.dumps(estimator)),
        clone(estimator),
    ):
        assert str(copied.get_params()) == str(estimator.get_params())


def test_the_error_of_a_property_is_kept():
    with pytest.raises(AttributeError, match="not fitted yet"):
        _ = Deduplicator().labels_


@pytest.mark.parametrize(
    ("estimator", "remedy"),
    [
        (Deduplicator(guard="none"), "Did you mean guard=False?"),
        (TableMatcher(guard="on"), "Did you mean guard=True?"),
        (TableMatcher("names"), "Did you mean kind='names'?"),
        (TableMatcher(make_pair_classifier()), "passed by its name: model=..."),
        (TableMatcher(model="table"), "fit(table, on={column: kind})."),
        (PivotParaphraser("es"), "Pass a list: pivots=['es']."),
        (TableMatcher(threshold="0.8"), "Pass a number: threshold=0.8."),
    ],
)
def test_a_value_of_a_parameter(estimator, remedy):
    with pytest.raises(
        ValueError, match=f"The '.*' parameter of {type(estimator).__name__}"
    ) as caught:
        getattr(estimator, "fit", getattr(estimator, "pairs", None))(TEXTS)
    assert str(caught.value).endswith(remedy)


def test_a_share_in_percent():
    with pytest.raises(ValueError, match=r"got 5\. Did you mean 0\.05\?"):
        load_pair_classifier(base_rate=5)


@pytest.mark.parametrize("as_path", [str, Path])
def test_the_name_of_a_file_instead_of_its_content(as_path):
    for call in (
        lambda: TableMatcher().fit(as_path("shop.csv"), on="name"),
        lambda: Deduplicator().fit(as_path("shop.csv")),
        lambda: make_sts_pipeline().fit(as_path("pairs.csv"), [1.0]),
    ):
        with pytest.raises(TypeError, match=r"a file, '(shop|pairs)\.csv'\. Read it first"):
            call()
    with pytest.raises(TypeError, match=r"Load it first: load_model\('m\.skpara'\)"):
        explain(as_path("m.skpara"), PAIRS)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("Matcher", "Did you mean TableMatcher?"),
        ("TabelMatcher", "Did you mean TableMatcher?"),
        ("dedupe", "Did you mean Deduplicator?"),
        ("similarity", "Did you mean ParagramEncoder().similarity?"),
        ("read_pairs", "from skpara.datasets import read_pairs"),
        ("colour", "skpara has no colour."),
    ],
)
def test_a_name_that_the_package_does_not_have(name, remedy):
    assert not hasattr(skpara, name)
    with pytest.raises(AttributeError) as caught:
        getattr(skpara, name)
    assert remedy in str(caught.value)


def test_an_import_of_a_name_that_is_elsewhere():
    with pytest.raises(ImportError, match=r"from skpara\.datasets import read_pairs"):
        from skpara import read_pairs  # noqa: F401
    with pytest.raises(ImportError, match="Did you mean TableMatcher"):
        from skpara import Matcher  # noqa: F401


@pytest.mark.parametrize(
    "make", [ParagramEncoder, TableMatcher, FusionRegressor, make_sts_pipeline]
)
def test_a_notebook_links_to_the_page_of_the_class(make):
    estimator = make()
    name = f"{type(estimator).__module__}.{type(estimator).__name__}"
    page = estimator._get_doc_link()
    assert page.startswith("https://skpara.github.io/skpara/")
    assert page.endswith(f"/generated/{name}.html")
    assert f'href="{page}"' in estimator_html_repr(estimator)


def test_classes_of_users_have_no_link_to_this_package():
    class Mine(skpara.PairEstimatorMixin, FusionRegressor):
        pass

    Mine.__module__ = "mine"
    assert Mine()._get_doc_link() == ""


def test_signatures_are_those_of_the_methods():
    """What documentation and metadata routing read is not hidden by the wrapper."""
    from inspect import signature

    assert list(signature(TableMatcher().match).parameters) == ["queries", "on", "how", "explain"]
    assert np.isin(
        ["groups", "sample_weight"], list(signature(FusionRegressor().fit).parameters)
    ).all()
