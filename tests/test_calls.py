"""Errors of names, calls and values name what is meant."""

from __future__ import annotations

from pathlib import Path

import pytest
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
)
from skpara.augment import PivotParaphraser

TEXTS = ["red bicycle", "garden chair"]
PAIRS = [("It rains.", "It is raining.")]


def test_two_lists_instead_of_pairs():
    with pytest.raises(TypeError, match=r"list\(zip\(sentences1, sentences2\)\)"):
        ParagramEncoder().transform(["a"], ["b"])
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'pairs'"):
        explain(ParagramEncoder())


def test_other_type_errors_stay():
    class Broken:
        def encode(self, sentences):
            return len(5)

    with pytest.raises(TypeError, match="has no len"):
        Deduplicator(encoder=Broken()).fit(TEXTS)


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
        (TableMatcher(["name"]), "Columns to compare go into fit: fit(table, on=[...])."),
        (
            TableMatcher(model=Deduplicator),
            "Pass an object: Deduplicator(), fitted if it predicts.",
        ),
    ],
)
def test_a_value_of_a_parameter(estimator, remedy):
    with pytest.raises(
        ValueError, match=f"The '.*' parameter of {type(estimator).__name__}"
    ) as caught:
        getattr(estimator, "fit", getattr(estimator, "pairs", None))(TEXTS)
    assert str(caught.value).endswith(remedy)


def test_a_parameter_that_does_not_exist():
    with pytest.raises(TypeError, match=r"argument 'treshold'\. Did you mean threshold\?"):
        Deduplicator(treshold=0.8)
    with pytest.raises(TypeError, match=r"'columns'\. Parameters are top_k, kind, model, "):
        TableMatcher(columns=["name"])


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
    with pytest.raises(TypeError, match=r"Load the model: load_model\('m\.skpara'\)"):
        explain(as_path("m.skpara"), PAIRS)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("Matcher", "Did you mean TableMatcher?"),
        ("TabelMatcher", "Did you mean TableMatcher?"),
        ("dedupe", "Did you mean Deduplicator?"),
        ("deduplicate", "from skpara.scale import deduplicate or Deduplicator?"),
        ("match", "from skpara.scale import match or TableMatcher().join?"),
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
