"""SentenceClassifier: classes of single sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator

from skpara import ParagramEncoder, SentenceClassifier, SiameseClassifier, load_model, save_model
from skpara.learning import Adam, Start


@pytest.fixture(scope="module")
def labeled():
    """Sentences of seven words; good ones have one of three words more than bad ones."""
    rng = np.random.default_rng(0)
    labels = np.where(np.arange(160) % 2, "good", "bad")
    clues = {"good": ["w1", "w2", "w3"], "bad": ["w4", "w5", "w6"]}
    sentences = [
        " ".join([*(f"w{i}" for i in rng.integers(7, 290, 6)), rng.choice(clues[label])])
        for label in labels
    ]
    return sentences, labels


@pytest.fixture
def classifier(small_vectors):
    start = Start(small_vectors, norm=3.0)
    return SentenceClassifier(vectors=start, dense_size=8, max_iter=3, random_state=0)


@pytest.mark.parametrize(("network", "dense_size"), [("average", None), ("lstm", 8)])
def test_it_learns_classes(classifier, labeled, network, dense_size):
    X, y = labeled
    classifier.set_params(network=network, dense_size=dense_size, max_iter=10)
    classifier.set_params(optimizer=Adam(0.05)).fit(X[:120], y[:120])
    assert classifier.classes_.tolist() == ["bad", "good"]
    assert classifier.score(X[120:], y[120:]) > 0.9
    most_probable = classifier.classes_[classifier.predict_proba(X).argmax(1)]
    np.testing.assert_array_equal(classifier.predict(X), most_probable)


def test_without_a_dense_layer_classes_are_linear(classifier, labeled, tmp_path):
    X, y = labeled
    classifier.set_params(dense_size=None).fit(X, y)
    probabilities = classifier.predict_proba(X)
    classifier.set_params(dense_size=5, max_length=1)  # act at the next fit
    classifier = load_model(save_model(classifier, tmp_path / "model.skpara"))
    np.testing.assert_array_equal(classifier.predict_proba(X), probabilities)
    weights = classifier.weights_
    assert sorted(weights) == ["head.output", "head.output_bias"]
    outputs = classifier.encode(X) @ weights["head.output"].T + weights["head.output_bias"]
    np.testing.assert_allclose(classifier.predict_proba(X), softmax(outputs, axis=1), atol=1e-5)
    # An empty sentence gets what the bias gives.
    expected = softmax(weights["head.output_bias"])
    np.testing.assert_allclose(classifier.predict_proba([""])[0], expected, atol=1e-6)


def test_other_input_is_refused(classifier, labeled):
    X, y = labeled
    with pytest.raises(NotFittedError):
        classifier.predict(X)
    for bad, message in (
        ([*X[:-1], None], "Row 159 holds None"),
        (np.array([X, X]).T, "Pass one column of text"),
        (pd.DataFrame({"text": X, "id": X}), "Pass one column of text"),
        ([], "at least one sentence"),
    ):
        with pytest.raises(ValueError, match=message):
            classifier.fit(bad, y[: len(bad)])
    with pytest.raises(TypeError, match="a single str"):
        classifier.fit("good", y)
    with pytest.raises(ValueError, match="2 samples are too few to hold some out"):
        classifier.set_params(early_stopping=True).fit(X[:2], y[:2])


def test_encoders_start_it_and_it_starts_others(classifier, labeled, small_vectors, small_pairs):
    X, y = labeled
    encoder = ParagramEncoder("gran", vectors=small_vectors, max_iter=1, random_state=0)
    frozen = FrozenEstimator(encoder.fit(small_pairs))
    classifier.set_params(network="gran", vectors=frozen, max_iter=1, trainable_vectors=False)
    classifier.set_params(optimizer=Adam(1e-9)).fit(X, y)
    np.testing.assert_allclose(classifier.encode(X), encoder.encode(X), atol=1e-5)
    np.testing.assert_array_equal(classifier.vectors_.matrix, encoder.vectors_.matrix)
    pairs = SiameseClassifier("gran", vectors=FrozenEstimator(classifier), max_iter=1)
    pairs.set_params(optimizer=Adam(1e-9), random_state=0).fit([(a, a) for a in X], y)
    np.testing.assert_allclose(pairs.encode(X), encoder.encode(X), atol=1e-5)
