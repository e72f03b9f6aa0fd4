"""ParagramVectorizer: one column of text in, vectors out, wherever a vectorizer may stand."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.utils import estimator_checks, get_tags

from skpara import ParagramEncoder, ParagramVectorizer

ANIMALS = ["dog", "cat", "horse", "puppy", "kitten", "rabbit"]
MONEY = ["bank", "stock", "price", "loan", "market", "tax"]
TEXTS = [f"The {a} and the {b}." for words in (ANIMALS, MONEY) for a in words for b in words]
TOPICS = ["pets"] * 36 + ["money"] * 36


@pytest.fixture
def frame():
    sizes = np.tile([0.0, 1.0], 36)
    return pd.DataFrame({"title": TEXTS, "size": sizes}, index=range(100, 172))


@pytest.mark.parametrize("container", [list, np.array, pd.Series, pl.Series])
def test_vectors_are_those_of_the_encoder(container):
    vectors = ParagramVectorizer().fit_transform(container(TEXTS))
    np.testing.assert_array_equal(vectors, ParagramEncoder().encode(TEXTS))
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(ParagramVectorizer().transform(container(TEXTS)), vectors)


class Wrong:
    """An encoder that returns whatever it is told to."""

    def __init__(self, encode):
        self.encode = encode


@pytest.mark.parametrize(
    ("encode", "message"),
    [
        (lambda texts: np.full((len(texts), 2), np.nan), "NaN or infinite"),
        (lambda texts: np.full((len(texts), 2), 1e300), "NaN or infinite"),
        (lambda texts: np.zeros(len(texts)), "one vector for each"),
        (lambda texts: np.zeros((len(texts), 2, 2)), "one vector for each"),
        (lambda texts: np.zeros((len(texts) + 1, 2)), "one vector for each"),
        (lambda texts: np.zeros((len(texts), 0)), "one vector for each"),
        (lambda texts: np.ones((len(texts), 2)) * 1j, "not numbers"),
        (lambda texts: [["a", "b"]] * len(texts), "not numbers"),
        (lambda texts: None, "not numbers"),
    ],
)
def test_what_an_encoder_returns_is_checked(encode, message):
    for n_sentences in (1, 3):
        with pytest.raises((TypeError, ValueError), match=message):
            ParagramVectorizer(Wrong(encode)).transform(TEXTS[:n_sentences])


def test_blank_sentences_of_any_encoder_are_zeros():
    vectorizer = ParagramVectorizer(Wrong(lambda texts: np.ones((len(texts), 2))))
    assert vectorizer.transform(["a dog", "", " "]).tolist() == [[1, 1], [0, 0], [0, 0]]
    assert vectorizer.transform([]).shape == (0, 2)


def test_classes_clusters_and_neighbours():
    model = make_pipeline(ParagramVectorizer(), LogisticRegression()).fit(TEXTS[::2], TOPICS[::2])
    assert model.score(TEXTS[1::2], TOPICS[1::2]) == 1
    for cluster in (KMeans(2, n_init=5, random_state=0), HDBSCAN(min_cluster_size=20, copy=True)):
        labels = make_pipeline(ParagramVectorizer(), Normalizer(), cluster).fit_predict(TEXTS)
        clustered = labels >= 0
        assert adjusted_rand_score(np.array(TOPICS)[clustered], labels[clustered]) > 0.9
    vectorizer = ParagramVectorizer()
    neighbors = NearestNeighbors(metric="cosine").fit(vectorizer.transform(TEXTS))
    _, rows = neighbors.kneighbors(vectorizer.transform(["Stocks and markets."]))
    assert set(rows.ravel() >= 36) == {True}


@pytest.mark.parametrize("output", ["default", "pandas", "polars"])
def test_a_frame_with_text_and_numbers(frame, output):
    columns = [("title", ParagramVectorizer(), "title")]
    transformer = ColumnTransformer(columns, remainder="passthrough").set_output(transform=output)
    X = transformer.fit_transform(frame)
    assert X.shape == (72, ParagramEncoder().encode([""]).shape[1] + 1)
    names = transformer.get_feature_names_out()
    assert [names[0], names[-1]] == ["title__paragram_0", "remainder__size"]
    if output != "default":
        assert list(X.columns) == list(names)
    if output == "pandas":
        assert X.index.equals(frame.index)
    y = (np.arange(72) >= 36) ^ (frame["size"] > 0)  # needs both columns
    model = make_pipeline(transformer, LogisticRegression()).fit(frame, y)
    assert model.predict(frame).shape == (72,)


@pytest.fixture
def fitted(small_vectors, small_pairs):
    return ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0).fit(small_pairs)


def test_a_fitted_encoder_stays_fitted_in_clones(fitted, small_pairs):
    sentences = [first for first, _ in small_pairs]
    vectorizer = ParagramVectorizer(fitted).set_output(transform="pandas")
    for copy in (clone(vectorizer), pickle.loads(pickle.dumps(vectorizer))):
        np.testing.assert_array_equal(copy.transform(sentences), fitted.encode(sentences))
    copy = clone(vectorizer).set_output(transform="default")
    assert isinstance(copy.transform(sentences), np.ndarray)
    assert not isinstance(vectorizer.transform(sentences), np.ndarray)
    for name in ("text", ["text"]):
        columns = ColumnTransformer([("text", vectorizer, name)])
        assert columns.fit_transform(pd.DataFrame({"text": sentences})).shape == (120, 20)


def test_wrong_input():
    with pytest.raises(ValueError, match="encoder must be"):
        ParagramVectorizer("word2vec").fit(TEXTS)
    with pytest.raises(ValueError, match="one column of text"):
        ParagramVectorizer().fit(pd.DataFrame({"title": TEXTS, "text": TEXTS}))
    with pytest.raises(ValueError, match="Row 1 holds None"):
        ParagramVectorizer().fit_transform(["a", None])
    with pytest.raises(TypeError, match="single str"):
        ParagramVectorizer().transform("a dog")
    with pytest.raises(NotFittedError):
        ParagramVectorizer(ParagramEncoder("lstm")).transform(TEXTS)


def test_an_encoder_of_pairs_names_the_vectorizer():
    for texts in (TEXTS, np.array(TEXTS), pd.Series(TEXTS)):
        with pytest.raises(ValueError, match=r"skpara\.ParagramVectorizer"):
            make_pipeline(ParagramEncoder(), LogisticRegression()).fit(texts, TOPICS)


def test_check_estimator_runs():
    with pytest.warns(SkipTestWarning, match="two_d_array=False"):  # as for CountVectorizer
        estimator_checks.check_estimator(ParagramVectorizer(), on_skip=None)
    tags = get_tags(ParagramVectorizer())
    assert not tags.requires_fit
    assert (tags.input_tags.string, tags.input_tags.one_d_array) == (True, True)
