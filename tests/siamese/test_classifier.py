"""SiameseClassifier: classes of pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

from skpara import SiameseClassifier
from skpara.learning import Adam, Callback, Start

NAMES = np.array(["CONTRADICTION", "ENTAILMENT", "NEUTRAL"])


@pytest.fixture(scope="module")
def labeled(small_pairs):
    """Pairs of three classes: a paraphrase, its first word only, another sentence."""
    rows = np.arange(len(small_pairs))
    pairs = [
        (first, (second, first.split()[0], small_pairs[(i + 7) % len(rows)][1])[i % 3])
        for i, (first, second) in enumerate(small_pairs)
    ]
    return pairs, NAMES[rows % 3]


@pytest.fixture
def classifier(small_vectors):
    start = Start(small_vectors, norm=3.0)
    settings = {"dense_size": 8, "max_iter": 3, "batch_size": 50, "random_state": 0}
    return SiameseClassifier(vectors=start, **settings)


def test_it_learns_classes(classifier, labeled):
    X, y = labeled
    classifier.set_params(max_iter=12, optimizer=Adam(0.05)).fit(X, y)
    assert classifier.classes_.tolist() == NAMES.tolist()
    assert classifier.score(X, y) > 0.9
    probabilities = classifier.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(classifier.predict(X), NAMES[probabilities.argmax(axis=1)])


@pytest.mark.parametrize("classes", [[0, 1, 2], [2, 7, -1], ["x", "y", "z"], [0.0, 1.0, 2.0]])
def test_any_labels_are_the_same_classes(classifier, labeled, classes):
    X, y = (part[:60] for part in labeled)
    expected = classifier.fit(X, y).predict_proba(X)
    values = np.array(classes)
    renamed = clone(classifier).fit(X, values[np.searchsorted(NAMES, y)].tolist())
    order = np.argsort(values)
    assert renamed.classes_.tolist() == values[order].tolist()
    assert renamed.predict(X).dtype == values.dtype
    if list(order) == [0, 1, 2]:
        np.testing.assert_array_equal(renamed.predict_proba(X), expected)


def test_the_head_reads_both_sentences_and_their_comparison(classifier, labeled):
    X, y = labeled
    for symmetric in (False, True):
        model = clone(classifier).set_params(symmetric=symmetric).fit(X, y)
        u, v = (model.encode([pair[side] for pair in X]).astype(float) for side in (0, 1))
        features = [u - v, abs(u - v), u * v][symmetric:]
        weights = {name: weight.astype(float) for name, weight in model.weights_.items()}
        hidden = np.hstack(features) @ weights["comparison.dense"].T
        hidden = 1 / (1 + np.exp(-hidden - weights["comparison.dense_bias"]))
        outputs = hidden @ weights["comparison.output"].T + weights["comparison.output_bias"]
        np.testing.assert_allclose(model.predict_proba(X), softmax(outputs, axis=1), atol=1e-5)
        swapped = model.predict_proba([(second, first) for first, second in X])
        assert np.allclose(swapped, model.predict_proba(X), atol=1e-5) == symmetric


def test_class_weights_raise_rare_classes(classifier, labeled):
    X, y = labeled
    rows = np.flatnonzero((y != "ENTAILMENT") | (np.arange(len(y)) < 20))
    X, y = [X[i] for i in rows], y[rows]
    plain = classifier.set_params(batch_size=10).fit(X, y)
    balanced = clone(classifier).set_params(class_weight="balanced").fit(X, y)
    mean, weighted = (model.predict_proba(X)[:, 1].mean() for model in (plain, balanced))
    assert weighted > mean + 0.03
    # As many samples of each class: all weights are 1.
    even = [i for name in NAMES for i in np.flatnonzero(y == name)[:5]]
    X, y = [X[i] for i in even], y[even]
    unweighted = plain.fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(balanced.fit(X, y).predict_proba(X), unweighted)


def test_early_stopping_keeps_the_most_probable_state(classifier, labeled):
    X, y = labeled
    classifier.set_params(max_iter=30, n_iter_no_change=2, optimizer=Adam(0.05))
    classifier.fit(X[:90], y[:90], validation=(X[90:], y[90:]))
    assert classifier.best_score_ == max(entry["score"] for entry in classifier.history_)
    assert len(classifier.history_) < 30
    numbers = np.searchsorted(NAMES, y[90:])
    probabilities = classifier.predict_proba(X[90:])[np.arange(len(numbers)), numbers]
    assert np.log(probabilities).mean() == pytest.approx(classifier.best_score_, abs=1e-5)
    assert clone(classifier).set_params(early_stopping=True).fit(X, y).best_score_ is not None


def test_what_is_held_out_has_the_shares_of_the_classes(classifier, labeled):
    from skpara.learning import hold_out

    X, y = np.array(labeled[0], dtype=object), np.repeat([0, 1], [108, 12])
    rest, test = hold_out(120, 0.1, 1, 0, y)
    assert np.bincount(y[test]).tolist() == [11, 1]
    assert np.bincount(y[rest]).tolist() == [97, 11]
    # A class with one pair cannot be in both parts.
    y[-12:-1] = 0
    assert len(hold_out(120, 0.1, 1, 0, y)[0]) == 108
    classifier.set_params(early_stopping=True, class_weight="balanced").fit(X, y)
    assert classifier.predict_proba(X).shape == (120, 2)


def test_warm_start_continues_with_the_same_classes(classifier, labeled):
    X, y = labeled
    classifier.set_params(warm_start=True).fit(X, y)
    first = classifier.loss_curve_
    assert classifier.fit(X, y).loss_curve_[0] < first[-1]
    two = y != "NEUTRAL"
    classifier.fit([X[i] for i in np.flatnonzero(two)], y[two])
    assert classifier.classes_.tolist() == NAMES.tolist()
    with pytest.raises(ValueError, match=r"y\[0\] = .*'OTHER'.*not one of .*warm_start=False"):
        classifier.fit(X, ["OTHER", *y[1:]])


def test_bad_labels_are_named(classifier, labeled):
    X, y = labeled
    for labels, message in (
        ([None, *y[1:]], r"missing labels in 1 row\(s\), the first y\[0\] = None"),
        (np.where(np.arange(len(y)) == 4, np.nan, 1.0), r"the first y\[4\] = .*nan"),
        (np.array([pd.NA, *y[1:]], dtype=object), r"the first y\[0\] = <NA>"),
        (["a"] * len(y), "y has one class, .*'a'.* at least 2 classes"),
        (np.linspace(0, 5, len(y)), "Unknown label type"),
        (y[:-1], "inconsistent numbers"),
        (None, "requires y to be passed"),
    ):
        with pytest.raises(ValueError, match=message):
            classifier.fit(X, labels)
    with pytest.raises(ValueError, match=r"y\[1\] = .*'x'.*Remove it from the validation set"):
        classifier.fit(X, y, validation=(X[:2], [y[0], "x"]))
    for wrong in ({"validation": []}, {"callbacks": [Callback]}):
        with pytest.raises((ValueError, TypeError), match=f"{next(iter(wrong))} must be"):
            classifier.fit(X, y, **wrong)


class StopNow(Callback):
    def on_epoch_end(self, session, epoch):
        session.stop_training = True


def test_the_contract_of_a_classifier(classifier, labeled, tmp_path):
    X, y = labeled
    assert is_classifier(classifier)
    with pytest.raises(NotFittedError):
        classifier.predict(X)
    frame = pd.DataFrame(X, columns=["premise", "hypothesis"])
    classifier.fit(frame, y, callbacks=[StopNow()])
    assert classifier.n_iter_ == 1
    grid = {"network": ["average", "gran"], "vectors": [classifier.vectors]}
    search = GridSearchCV(classifier, grid, cv=2, scoring="neg_log_loss").fit(X, y)
    assert search.predict_proba(X).shape == (len(y), 3)
