"""SentenceMatcher: the best candidates, whatever the tables and the batches."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from skpara import ParagramEncoder
from skpara.explanation import Explanation
from skpara.matching import SentenceMatcher


@pytest.fixture(scope="module")
def sentences(sample):
    return sample.data[:150].ravel().tolist()


@pytest.fixture(scope="module")
def queries(sample):
    return sample.data[150:200].ravel().tolist()


@pytest.fixture
def shop():
    names = ["red bicycle", "garden chair", "electric guitar"]
    return pd.DataFrame({"name": names, "price": [250, 40, 700]}, index=[3, 2, 1])


@pytest.fixture
def wishes():
    return pd.DataFrame(
        {"title": ["bike (red)", "", "a chair"], "price": [1.5, 2, 3]}, index=[7, 8, 9]
    )


def test_cosines_are_searched_exactly(sentences, queries):
    matcher = SentenceMatcher(top_k=5, ngram_weight=0, min_score=None, guard=False)
    matches = matcher.fit(sentences).match(queries)
    encoder = ParagramEncoder()
    pairs = [(q, c) for q in queries for c in sentences]
    cosines = encoder.similarity(*map(list, zip(*pairs, strict=True))).reshape(len(queries), -1)
    expected = -np.sort(-cosines, axis=1)[:, :5]
    np.testing.assert_allclose(matches["score"].reshape(-1, 5), expected, atol=1e-6)
    shown = cosines[matches["query"], matches["candidate"]]
    np.testing.assert_allclose(matches["score"], shown, atol=1e-6)


def test_spelling_counts_too():
    candidates = ["Kwzyrtix Ltd", "Zwykrtox AG", "Xyrtik GmbH"]
    for query, expected in (("kwzyrtx limited", 0), ("XYRTIKK gmbh", 2)):
        matcher = SentenceMatcher(min_score=0.3).fit(candidates)
        assert matcher.match([query])["candidate"] == [expected]


def test_a_match_does_not_depend_on_the_batch(sentences, queries):
    matcher = SentenceMatcher(top_k=3, min_score=None).fit(sentences)
    together = matcher.match(queries)
    for i, query in enumerate(queries):
        alone = matcher.match([query])
        np.testing.assert_array_equal(
            alone[["candidate", "score"]], together[together["query"] == i][["candidate", "score"]]
        )
    backwards = matcher.match(queries[::-1])
    np.testing.assert_array_equal(
        backwards["candidate"].reshape(-1, 3)[::-1].ravel(), together["candidate"]
    )


def test_products_in_blocks_change_nothing(sentences, queries, monkeypatch):
    from skpara.matching import _matcher, _search

    candidates = [f"{a} {b}" for a in sentences[:60] for b in ("indeed", "he said", "or not")] * 8
    candidates = [f"{i} {text}" for i, text in enumerate(candidates)]  # distinct ones
    matcher = SentenceMatcher(top_k=2, n_candidates=2, min_score=None, guard=False)
    matcher.fit(candidates)
    expected = matcher.match(queries)
    for name, value in (("_MAX_PRODUCTS", 5000), ("_COLUMNS_PER_MAXIMUM", 8)):
        monkeypatch.setattr(_search, name, value)
    monkeypatch.setattr(_matcher, "_QUERIES_PER_CHUNK", 7)
    np.testing.assert_array_equal(matcher.match(queries), expected)


def test_equal_candidates_match_together():
    candidates = ["no", "a dog", "yes", "a dog"] + ["a cat"] * 100
    matcher = SentenceMatcher(top_k=3, n_candidates=3, min_score=None, guard=False)
    matches = matcher.fit(candidates).match(["the dog"])
    assert matches["candidate"].tolist() == [1, 3, 4]
    assert matches["score"][0] == matches["score"][1] > matches["score"][2]


def test_nothing_matches_an_empty_sentence():
    matcher = SentenceMatcher().fit(["a dog", ""])
    assert len(matcher.match([""])) == 0
    missing = matcher.match(["", "the dog"], how="left")
    assert missing["candidate"].tolist() == [-1, 0]
    assert np.isnan(missing["score"][0])
    assert len(SentenceMatcher().fit([]).match(["a dog"])) == 0
    assert len(SentenceMatcher().fit([""]).match(["a dog"])) == 0
    assert len(matcher.match([])) == 0


def test_what_resembles_nothing_has_no_match():
    candidates = ["red bicycle", "garden chair"]
    queries = ["a bike (red)", "birthday cake"]
    assert SentenceMatcher().fit(candidates).match(queries)["query"].tolist() == [0]
    matcher = SentenceMatcher(min_score=None)
    assert matcher.fit(candidates).match(queries)["query"].tolist() == [0, 1]
    # The scale of a regressor is its own.
    assert len(SentenceMatcher(ByLength().fit([])).fit(candidates).match(queries)) == 2


def test_opposites_do_not_match():
    queries = ["The dog bit the man.", "Meeting on Monday"]
    candidates = ["The man bit the dog.", "The dog bites a man", "Meeting on Tuesday"]
    matches = SentenceMatcher().fit(candidates).match(queries, how="left", explain=True)
    assert matches["candidate"].tolist() == [1, -1]
    assert matches["reason"][1] == "Tuesday, not Monday"
    for guard, expected in (
        (False, [0, 2]), ("identifiers", [0, 2]), (["role"], [1, 2]), (("time",), [0, -1])
    ):  # fmt: skip
        matches = SentenceMatcher(guard=guard).fit(candidates).match(queries, how="left")
        assert matches["candidate"].tolist() == expected
    for guard in (["roles"], [3]):
        with pytest.raises(ValueError, match=r"guard must be True.*quantifier.*got \["):
            SentenceMatcher(guard=guard).fit(candidates)


@pytest.mark.parametrize("lowest", [0.1, 0.3])
def test_lowest_score_and_all_matches(sentences, queries, lowest):
    matcher = SentenceMatcher(top_k=None, min_score=lowest, n_candidates=1).fit(sentences)
    matches = matcher.match(queries)
    every = SentenceMatcher(top_k=len(sentences), min_score=lowest).fit(sentences)
    np.testing.assert_array_equal(matches, every.match(queries))
    assert matches["score"].min() >= lowest
    assert np.bincount(matches["query"]).max() > 1
    by_query = np.flatnonzero(np.diff(matches["query"]) == 0)
    assert (np.diff(matches["score"])[by_query] <= 0).all()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_are_joined(shop, wishes, library):
    if library == "polars":
        shop, wishes = pl.from_pandas(shop), pl.from_pandas(wishes)
    joined = SentenceMatcher().join(wishes, shop, on=("title", "name"))
    assert list(joined.columns) == ["title", "price", "name", "price_match", "score"]
    assert list(joined["title"]) == ["bike (red)", "", "a chair"]
    assert joined["name"].to_list()[::2] == ["red bicycle", "garden chair"]
    assert joined["price_match"].to_list()[::2] == [250, 40]
    if library == "pandas":
        assert joined.index.tolist() == [7, 8, 9]
        assert joined["name"].isna().tolist() == [False, True, False]
    else:
        assert joined["name"].is_null().to_list() == [False, True, False]
        assert joined.schema["price_match"] == pl.Int64
    inner = SentenceMatcher().join(wishes, shop, on=("title", "name"), how="inner")
    assert list(inner["price_match"]) == [250, 40]
    assert inner["price_match"].dtype == shop["price"].dtype


def test_tables_and_lists_mix(shop, wishes):
    names = shop["name"].tolist()
    matches = SentenceMatcher().fit(names).match(wishes, on="title")
    assert matches["match"].tolist() == ["red bicycle", "garden chair"]
    matches = SentenceMatcher().fit(shop, on="name").match(pl.Series(wishes["title"]).to_list())
    assert shop["price"].iloc[matches["candidate"]].tolist() == [250, 40]
    matches = SentenceMatcher().fit(shop["name"]).match(wishes["title"])
    assert list(matches.columns) == ["title", "name", "score"]
    assert matches.index.tolist() == [7, 9]
    with pytest.raises(TypeError, match="pandas and the other one of polars"):
        SentenceMatcher().join(pl.from_pandas(wishes), shop, on=("title", "name"))


def test_wrong_columns(shop):
    with pytest.raises(ValueError, match=r"frame of 2 columns.*name, price"):
        SentenceMatcher().fit(shop)
    with pytest.raises(ValueError, match="not one column 'title'"):
        SentenceMatcher().fit(shop, on="title")
    with pytest.raises(ValueError, match="column 'price': Row 0 holds int"):
        SentenceMatcher().fit(shop, on="price")
    with pytest.raises(ValueError, match="on='name' names a column"):
        SentenceMatcher().fit(["a"], on="name")
    with pytest.raises(ValueError, match="how must be"):
        SentenceMatcher().fit(["a"]).match(["a"], how="outer")


class ByLength(BaseEstimator):
    """A model whose score is minus the difference in length, or its logistic function."""

    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def predict(self, X):
        return np.array([-abs(len(a) - len(b)) for a, b in np.asarray(X)], dtype=float)


class LengthClassifier(ByLength):
    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-2 - self.predict(X)))
        return np.column_stack([1 - p, p])


def test_a_model_scores_the_candidates(sentences, queries):
    model = ByLength().fit([])
    matches = SentenceMatcher(model, min_score=-2).fit(sentences).match(queries)
    assert len(matches)
    for query, candidate, score in matches:
        assert score == -abs(len(queries[query]) - len(sentences[candidate])) >= -2
    plain = SentenceMatcher(min_score=-1).fit(sentences).match(queries)
    assert plain["candidate"].tolist() != matches["candidate"].tolist()


def test_a_classifier_gives_probabilities(sentences, queries):
    matcher = SentenceMatcher(LengthClassifier().fit([]), min_probability=0.8)
    matches = matcher.fit(sentences).match(queries)
    assert matches.dtype.names == ("query", "candidate", "probability")
    assert 0.8 <= matches["probability"].min() <= matches["probability"].max() < 1
    assert len(matches) < len(
        SentenceMatcher(LengthClassifier().fit([])).fit(sentences).match(queries)
    )


def test_a_pipeline_fitted_to_a_frame(sample, queries):
    frame = pd.DataFrame(sample.data, columns=["first", "second"])
    model = make_pipeline(ParagramEncoder(max_iter=0), LogisticRegression())
    model.fit(frame, sample.target > 3)
    matches = SentenceMatcher(model, min_probability=0).fit(queries).match(queries)
    assert (matches["query"] == matches["candidate"]).mean() > 0.9


def test_three_classes_are_refused(sample, queries):
    model = make_pipeline(ParagramEncoder(max_iter=0), LogisticRegression())
    model.fit(sample.data, np.digitize(sample.target, [1.5, 3.5]))
    with pytest.raises(ValueError, match=r"two columns.*shape"):
        SentenceMatcher(model).fit(queries).match(queries)


def test_wrong_use(wishes, shop):
    with pytest.raises(ValueError, match="'min_score' parameter"):
        SentenceMatcher(min_score=np.nan).fit(["a dog"])
    with pytest.raises(ValueError, match=r"min_score is a similarity.*got 35. Did you mean 0.35"):
        SentenceMatcher(min_score=35).fit(["a dog"])
    with pytest.raises(ValueError, match=r"min_probability is a prob.*got 80. Did you mean 0.8"):
        SentenceMatcher(LengthClassifier(), min_probability=80).fit(["a dog"])
    with pytest.raises(ValueError, match="a tuple of two"):
        SentenceMatcher().join(wishes, shop, on=("title",))
    with pytest.raises(ValueError, match=r"frame\['name'\] \+ ' ' \+ frame\['price'\]"):
        SentenceMatcher().join(shop, shop, on=["name", "price"])
    with pytest.raises(AttributeError, match=r"no attribute 'predict'. Call match"):
        SentenceMatcher().fit(["a dog"]).predict(["a dog"])


def test_clones_share_the_model_and_pickles_keep_it(sentences, queries):
    matcher = SentenceMatcher(ByLength().fit([])).fit(sentences)
    expected = matcher.match(queries)
    again = clone(matcher)
    assert not hasattr(again, "n_candidates_in_")
    np.testing.assert_array_equal(again.fit(sentences).match(queries), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(matcher)).match(queries), expected)
    assert not hasattr(clone(SentenceMatcher(ByLength())).model, "fitted_")


def test_reasons(wishes, shop, model):
    matches = SentenceMatcher().join(wishes, shop, on=("title", "name"), explain=True)
    assert isinstance(matches["reason"].iloc[0], Explanation)
    assert matches["reason"].iloc[1] is None
    assert matches["reason"].iloc[0].pair == ("bike (red)", "red bicycle")
    [match] = SentenceMatcher(model).fit(["a dog runs"]).match(["a dog ran"], explain=True)
    assert match["reason"].score == match["score"]


@pytest.mark.filterwarnings("ignore:Most words of this text")
@settings(max_examples=30)
@given(st.lists(st.text()), st.lists(st.text()))
def test_any_text(candidates, queries):
    matches = SentenceMatcher(top_k=2).fit(candidates).match(queries)
    assert np.isfinite(matches["score"]).all()
    assert np.bincount(matches["query"], minlength=1).max() <= 2
