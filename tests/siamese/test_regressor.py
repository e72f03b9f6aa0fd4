from __future__ import annotations

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils._param_validation import InvalidParameterError

from skpara import ParagramEncoder, SiameseLSTMRegressor, SiameseRegressor
from skpara.networks import GRAN, LSTM


@pytest.fixture(scope="module")
def scored(small_pairs):
    """Two hundred pairs: every second one of two other sentences, with a low score."""
    pairs = [
        (left, right if i % 2 else small_pairs[(i + 7) % 200][1])
        for i, (left, right) in enumerate(small_pairs)
    ]
    return pairs, np.where(np.arange(200) % 2, 4.5, 0.7)


@pytest.fixture
def regressor(small_vectors):
    return SiameseLSTMRegressor(
        small_vectors, hidden_size=12, dense_size=8, max_iter=3, random_state=0
    )


@pytest.mark.parametrize("loss", ["kl", "mse", "manhattan"])
def test_it_learns(loss, small_vectors, scored):
    X, y = scored
    model = SiameseRegressor(
        "average",
        vectors=small_vectors,
        loss=loss,
        max_iter=40,
        learning_rate=0.01,
        vector_norm=2.0,
        random_state=0,
    ).fit(X, y)
    found = model.predict(X)
    assert np.corrcoef(found, y)[0, 1] > 0.9
    assert np.all((found >= 0) & (found <= 5))
    assert model.loss_curve_[-1] < 0.5 * model.loss_curve_[0]


@pytest.mark.parametrize(
    "network", ["average", "projection", "dan", "rnn", "irnn", "lstm", "gran", LSTM(hidden_size=5)]
)
def test_any_network_of_words(network, small_vectors, scored):
    model = SiameseRegressor(network, vectors=small_vectors, max_iter=1, random_state=0)
    X, y = scored
    first = model.fit(X, y).predict(X[:5])
    np.testing.assert_array_equal(clone(model).fit(X, y).predict(X[:5]), first)
    stored = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(stored.predict(X[:5]), first)


def test_networks_of_other_units_are_refused(small_vectors, scored):
    with pytest.raises(ValueError, match="network must read words"):
        SiameseRegressor("charagram", vectors=small_vectors).fit(*scored)


def test_the_score_is_the_expected_class(regressor, scored):
    X, y = scored
    regressor.fit(X, y)
    found = regressor.predict_distribution(X)
    assert found.shape == (200, 6)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_allclose(found @ np.arange(6), regressor.predict(X))
    other = clone(regressor).set_params(n_classes=3, score_range=(-1, 7)).fit(X, y)
    np.testing.assert_allclose(
        other.predict_distribution(X) @ np.array([-1, 3, 7]), other.predict(X), atol=1e-9
    )


@pytest.mark.parametrize("loss", ["mse", "manhattan"])
def test_only_classes_have_a_distribution(regressor, loss):
    regressor.set_params(loss=loss)
    assert not hasattr(regressor, "predict_distribution")
    with pytest.raises(AttributeError) as caught:
        regressor.predict_distribution([("a", "b")])
    assert "set loss='kl'" in str(caught.value.__cause__)


def test_manhattan_is_the_papers_formula(small_vectors, scored):
    X, y = scored
    model = SiameseLSTMRegressor(
        small_vectors, hidden_size=6, loss="manhattan", max_iter=1, random_state=0
    ).fit(X, y)
    u, v = (model.encode([pair[side] for pair in X]).astype(float) for side in (0, 1))
    expected = 5 * np.exp(-np.abs(u - v).sum(axis=1))
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-5)
    assert not any("comparison" in name for name in model.weights_)


def test_the_order_of_the_sentences_does_not_matter(regressor, scored):
    X, y = scored
    regressor.fit(X, y)
    np.testing.assert_allclose(
        regressor.predict([(b, a) for a, b in X]), regressor.predict(X), atol=1e-5
    )


def test_batches_do_not_matter(regressor, scored):
    X, y = scored
    regressor.fit(X, y)
    mixed = [*X[:30], ("", ""), ("a", ""), ("w1 " * 40, "w2"), ("zyzzyva", "w1")]
    whole = regressor.predict(mixed)
    alone = [regressor.predict([pair])[0] for pair in mixed]
    np.testing.assert_allclose(whole, alone, atol=1e-5)
    assert np.all(np.isfinite(whole))


def test_only_the_first_words_are_read(regressor, scored):
    X, y = scored
    regressor.set_params(max_length=3).fit(X, y)
    cut = [tuple(" ".join(text.split()[:3]) for text in pair) for pair in X]
    np.testing.assert_array_equal(regressor.predict(X), regressor.predict(cut))
    whole = clone(regressor).set_params(max_length=None).fit(X, y)
    assert np.any(whole.predict(X) != whole.predict(cut))
    long = clone(regressor).set_params(max_length=1000).fit(X, y)
    np.testing.assert_array_equal(long.predict(X), whole.predict(X))


def test_only_rows_that_were_seen_move(small_vectors, scored):
    X, y = scored
    model = SiameseLSTMRegressor(small_vectors, hidden_size=5, max_iter=1, vector_norm=None)
    model.fit(X, y)
    assert model.vectors_.words == small_vectors.words
    moved = np.any(model.vectors_.matrix != small_vectors.matrix, axis=1)
    seen = {word for pair in X for text in pair for word in text.split()}
    expected = [word in seen for word in small_vectors.words]
    assert moved.tolist() == expected
    fixed = clone(model).set_params(trainable_vectors=False, word_decay=1.0).fit(X, y)
    np.testing.assert_array_equal(fixed.vectors_.matrix, small_vectors.matrix)
    assert fixed.loss_curve_[0] != model.loss_curve_[0]


def test_vectors_are_scaled_together(small_vectors, scored):
    model = SiameseLSTMRegressor(
        small_vectors, hidden_size=5, max_iter=1, trainable_vectors=False, vector_norm=3.0
    ).fit(*scored)
    norms = np.linalg.norm(model.vectors_.matrix, axis=1)
    assert norms.mean() == pytest.approx(3.0, rel=1e-5)
    ratio = model.vectors_.matrix / small_vectors.matrix
    np.testing.assert_allclose(ratio, ratio[0, 0], rtol=1e-5)


def test_unknown_words_are_learned(small_vectors, scored):
    X, y = scored
    more = [*X, ("zyzzyva w1", "w1 zyzzyva")]
    model = SiameseLSTMRegressor(small_vectors, hidden_size=5, max_iter=1)
    model.fit(more, np.append(y, 5.0))
    assert "zyzzyva" in model.vectors_


def test_integer_scores_are_scores(regressor, scored):
    X, y = scored
    whole = np.round(y).astype(int)
    first = regressor.fit(X, whole).predict(X[:4])
    np.testing.assert_array_equal(
        clone(regressor).fit(X, whole.astype(float)).predict(X[:4]), first
    )


def test_labels_that_cannot_be_learned_are_named(regressor, scored):
    X, y = scored
    for bad, message in (
        (np.nan, r"NaN or infinity in 1 row\(s\), the first y\[3\] = nan"),
        (np.inf, r"first y\[3\] = inf"),
        (5.2, r"1 score\(s\) are outside score_range=\(0, 5\), the first y\[3\] = 5.2"),
        (-1, r"y\[3\] = -1"),
    ):
        wrong = y.copy()
        wrong[3] = bad
        with pytest.raises(ValueError, match=message):
            regressor.fit(X, wrong)
    with pytest.raises(ValueError, match="could not convert"):
        regressor.fit(X, ["high"] * 200)
    with pytest.raises(ValueError, match="inconsistent numbers"):
        regressor.fit(X, y[:-1])
    with pytest.raises(ValueError, match="score_range must be"):
        regressor.set_params(score_range=(5, 0)).fit(X, y)


def test_wrong_parameters(regressor, scored):
    for name, value in (
        ("max_length", 0),
        ("loss", "cross"),
        ("n_classes", 1),
        ("hidden_size", 0),
    ):
        with pytest.raises(InvalidParameterError, match=f"'{name}' parameter"):
            clone(regressor).set_params(**{name: value}).fit(*scored)


def test_not_fitted(regressor):
    with pytest.raises(NotFittedError):
        regressor.predict([("a", "b")])


def test_early_stopping_keeps_the_best_state(regressor, scored):
    X, y = scored
    regressor.set_params(max_iter=30, n_iter_no_change=2, learning_rate=0.02)
    regressor.fit(X[:150], y[:150], validation=(X[150:], y[150:]))
    scores = [entry["score"] for entry in regressor.history_]
    assert regressor.best_score_ == pytest.approx(max(scores))
    found = np.corrcoef(regressor.predict(X[150:]), y[150:])[0, 1]
    assert found == pytest.approx(regressor.best_score_, abs=1e-6)
    held_out = clone(regressor).set_params(early_stopping=True).fit(X, y)
    assert held_out.best_score_ is not None
    with pytest.raises(ValueError, match="too few to hold some out"):
        held_out.fit(X[:2], y[:2])


def test_warm_start_goes_on(regressor, scored):
    X, y = scored
    longer = clone(regressor).set_params(max_iter=6).fit(X, y)
    regressor.set_params(warm_start=True).fit(X, y)
    first = regressor.loss_curve_
    regressor.fit(X, y)
    assert regressor.loss_curve_[0] < first[-1]
    assert regressor.loss_curve_[-1] == pytest.approx(longer.loss_curve_[-1], rel=0.2)


def test_started_from_a_fitted_encoder(small_vectors, small_pairs, scored):
    X, y = scored
    network = GRAN()
    encoder = ParagramEncoder(network, vectors=small_vectors, max_iter=2, random_state=0)
    encoder.fit(small_pairs)
    frozen = FrozenEstimator(encoder)
    model = SiameseRegressor(network, init=frozen, learning_rate=1e-9, max_iter=1, random_state=0)
    np.testing.assert_allclose(
        clone(model).fit(X, y).encode(["w1 w2"]), encoder.encode(["w1 w2"]), atol=1e-5
    )
    # Another network takes the words alone.
    words = SiameseRegressor("lstm", init=frozen, learning_rate=1e-9, max_iter=1).fit(X, y)
    np.testing.assert_allclose(words.vectors_.matrix, encoder.vectors_.matrix, atol=1e-6)


def test_decay_towards_a_fitted_encoder(small_vectors, small_pairs, scored):
    X, y = scored
    encoder = ParagramEncoder("gran", vectors=small_vectors, max_iter=2, random_state=0)
    frozen = FrozenEstimator(encoder.fit(small_pairs))
    model = SiameseRegressor(
        "gran", init=frozen, decay_towards=frozen, max_iter=5, learning_rate=0.01, random_state=0
    )

    def away(model):
        words = np.abs(model.vectors_.matrix - encoder.vectors_.matrix).mean()
        weights = [
            np.abs(model.weights_[f"encoder.{name}"] - weight).mean()
            for name, weight in encoder.weights_.items()
        ]
        return words, np.mean(weights)

    free = away(clone(model).fit(X, y))
    words = away(clone(model).set_params(word_decay=1.0).fit(X, y))
    network = away(clone(model).set_params(network_decay=1.0).fit(X, y))
    assert words[0] < 0.7 * free[0]
    assert network[1] < 0.7 * free[1]


def test_the_contract_of_a_regressor(regressor, scored):
    X, y = scored
    assert is_regressor(regressor)
    frame = pd.DataFrame(X, columns=["left", "right"])
    regressor.fit(frame, pd.Series(y))
    assert regressor.feature_names_in_.tolist() == ["left", "right"]
    assert regressor.n_features_in_ == 2
    expected = regressor.predict(frame)
    np.testing.assert_array_equal(
        clone(regressor).fit(np.array(X, dtype=object), y).predict(X), expected
    )
    assert expected.dtype == np.float64
    assert regressor.score(frame, y) <= 1
    with pytest.raises(ValueError, match="Row 0, column 1"):
        regressor.predict([("a", None)])
    assert len(cross_val_score(clone(regressor), X, y, cv=2)) == 2


def test_maximum_length_is_tuned_and_the_best_saved(regressor, scored, tmp_path):
    X, y = scored
    search = GridSearchCV(
        regressor, {"max_length": [2, 8], "vectors": [regressor.vectors]}, cv=2, n_jobs=2
    )
    search.fit(X, y)
    assert search.best_params_["max_length"] in (2, 8)
    joblib.dump(search.best_estimator_, tmp_path / "model.joblib")
    loaded = joblib.load(tmp_path / "model.joblib", mmap_mode="r")
    np.testing.assert_array_equal(loaded.predict(X[:5]), search.predict(X[:5]))


def test_fields_of_a_network_are_reached(small_vectors, scored):
    model = SiameseRegressor(LSTM(hidden_size=4), vectors=small_vectors, max_iter=1)
    model.set_params(network__hidden_size=7).fit(*scored)
    assert model.encode(["w1"]).shape == (1, 7)
    both = SiameseLSTMRegressor(small_vectors, hidden_size=4, bidirectional=True, max_iter=1)
    assert both.fit(*scored).encode(["w1"]).shape == (1, 8)


def test_progress(regressor, scored, capsys):
    regressor.set_params(verbose=1, max_iter=1).fit(*scored)
    assert "200/200" in capsys.readouterr().err
