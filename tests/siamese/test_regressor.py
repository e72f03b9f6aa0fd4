"""SiameseRegressor with several networks and losses."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.utils._param_validation import InvalidParameterError

from skpara import SiameseRegressor, load_model, save_model
from skpara.learning import Adam, Device, Start
from skpara.networks import GRAN, LSTM


@pytest.fixture(scope="module")
def scored(small_pairs):
    """All pairs: every second one of two other sentences, with a low score."""
    pairs = [
        (left, right if i % 2 else small_pairs[(i + 7) % 120][1])
        for i, (left, right) in enumerate(small_pairs)
    ]
    return pairs, np.where(np.arange(120) % 2, 4.5, 0.7)


@pytest.fixture
def regressor(small_vectors):
    settings = {"dense_size": 8, "max_iter": 3, "batch_size": 50, "random_state": 0}
    return SiameseRegressor(LSTM(hidden_size=12, dropout=0.3), vectors=small_vectors, **settings)


@pytest.mark.parametrize("loss", ["kl", "mse", "manhattan"])
def test_it_learns(loss, small_vectors, scored):
    X, y = scored
    settings = {"max_iter": 15, "optimizer": Adam(0.03), "random_state": 0}
    start = Start(small_vectors, norm=2.0)
    model = SiameseRegressor("average", vectors=start, loss=loss, **settings).fit(X, y)
    scores = model.predict(X)
    assert np.corrcoef(scores, y)[0, 1] > 0.9
    assert np.all((scores >= 0) & (scores <= 5))
    assert model.loss_curve_[-1] < 0.5 * model.loss_curve_[0]


@pytest.mark.parametrize(
    "network", ["average", "projection", "dan", "rnn", "irnn", "lstm", "gran", LSTM(hidden_size=5)]
)
def test_any_network_of_words(network, small_vectors, scored):
    model = SiameseRegressor(network, vectors=small_vectors, max_iter=1, random_state=0)
    X, y = (part[:60] for part in scored)
    first = model.fit(X, y).predict(X[:5])
    np.testing.assert_array_equal(clone(model).fit(X, y).predict(X[:5]), first)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X[:5]), first)


def test_networks_of_other_units_are_refused(small_vectors, scored):
    with pytest.raises(ValueError, match="network must read words"):
        SiameseRegressor("charagram", vectors=small_vectors).fit(*scored)


def test_the_score_is_the_expected_class(regressor, scored):
    X, y = scored
    regressor.fit(X, y)
    distributions = regressor.predict_distribution(X)
    assert distributions.shape == (120, 6)
    np.testing.assert_allclose(distributions.sum(axis=1), 1)
    np.testing.assert_allclose(distributions @ np.arange(6), regressor.predict(X))
    other = clone(regressor).set_params(n_classes=3, score_range=(-1, 7)).fit(X, y)
    expected = other.predict_distribution(X) @ np.array([-1, 3, 7])
    np.testing.assert_allclose(other.predict(X), expected, atol=1e-9)


@pytest.mark.parametrize("loss", ["mse", "manhattan"])
def test_only_classes_have_a_distribution(regressor, loss):
    regressor.set_params(loss=loss)
    assert not hasattr(regressor, "predict_distribution")
    with pytest.raises(AttributeError) as caught:
        regressor.predict_distribution([("a", "b")])
    assert "set loss='kl'" in str(caught.value.__cause__)


def test_manhattan_is_the_papers_formula(small_vectors, scored):
    X, y = scored
    settings = {"loss": "manhattan", "max_iter": 1, "random_state": 0}
    model = SiameseRegressor(LSTM(hidden_size=6), vectors=small_vectors, **settings).fit(X, y)
    u, v = (model.encode([pair[side] for pair in X]).astype(float) for side in (0, 1))
    expected = 5 * np.exp(-np.abs(u - v).sum(axis=1))
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-5)
    assert not any("comparison" in name for name in model.weights_)


def test_the_order_of_the_sentences_does_not_matter(regressor, scored):
    X, y = scored
    regressor.fit(X, y)
    swapped = regressor.predict([(b, a) for a, b in X])
    np.testing.assert_allclose(swapped, regressor.predict(X), atol=1e-5)


def test_words_after_max_length_are_not_read(regressor, scored):
    X, y = (part[:60] for part in scored)
    regressor.set_params(max_length=3).fit(X, y)
    cut = [tuple(" ".join(text.split()[:3]) for text in pair) for pair in X]
    np.testing.assert_array_equal(regressor.predict(X), regressor.predict(cut))
    whole = clone(regressor).set_params(max_length=None).fit(X, y)
    assert np.any(whole.predict(X) != whole.predict(cut))
    long = clone(regressor).set_params(max_length=1000).fit(X, y)
    np.testing.assert_array_equal(long.predict(X), whole.predict(X))


def test_only_words_of_the_pairs_move(small_vectors, scored):
    X, y = scored
    model = SiameseRegressor(LSTM(hidden_size=5), vectors=Start(small_vectors), max_iter=1)
    model.fit(X, y)
    assert model.vectors_.words == small_vectors.words
    moved = np.any(model.vectors_.matrix != small_vectors.matrix, axis=1)
    seen = {word for pair in X for text in pair for word in text.split()}
    assert moved.tolist() == [word in seen for word in small_vectors.words]
    fixed = clone(model).set_params(trainable_vectors=False, word_decay=1.0).fit(X, y)
    np.testing.assert_array_equal(fixed.vectors_.matrix, small_vectors.matrix)
    assert fixed.loss_curve_[0] != model.loss_curve_[0]


def test_bad_scores_are_named(regressor, scored):
    X, y = scored
    row_3 = np.arange(120) == 3
    for wrong, message in (
        (np.where(row_3, np.nan, y), r"NaN or infinity in 1 row\(s\), the first is y\[3\] = nan"),
        (np.where(row_3, np.inf, y), r"first is y\[3\] = inf"),
        (np.where(row_3, 5.2, y), r"in \[0, 5\], got y\[3\] = 5\.2\. Clip them"),
        (np.where(row_3, -1, y), r"y\[3\] = -1"),
        (["high"] * 120, r"got y\[0\] = 'high'"),
        (np.ma.masked_array(y, row_3), "NaN or infinity"),
        (y[:-1], "inconsistent numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            regressor.fit(X, wrong)
    with pytest.raises(ValueError, match="score_range must be"):
        regressor.set_params(score_range=(5, 0)).fit(X, y)


def test_bad_parameters_are_named_at_fit(regressor, scored):
    for name, value in (
        ("max_length", 0),
        ("loss", "cross"),
        ("n_classes", 1),
        ("network__dropout", 1.0),
        ("optimizer__gradient_clip", -1),
        ("device__precision", "float16"),
        ("vectors__norm", -1),
    ):
        model = clone(regressor).set_params(optimizer=Adam(), device=Device())
        model.set_params(vectors=Start(regressor.vectors), **{name: value})
        with pytest.raises(InvalidParameterError, match=f"'{name.split('__')[-1]}' parameter"):
            model.fit(*scored)


def test_a_name_stands_for_a_network_with_dropout(small_vectors, scored):
    name = SiameseRegressor("gran", vectors=small_vectors, max_iter=1, random_state=0)
    network = clone(name).set_params(network=GRAN(dropout=0.3))
    without = clone(name).set_params(network=GRAN())
    X, y = (part[:60] for part in scored)
    expected = name.fit(X, y).loss_curve_
    assert network.fit(X, y).loss_curve_ == expected
    assert without.fit(X, y).loss_curve_ != expected


def test_early_stopping_keeps_the_best_state(regressor, scored):
    X, y = scored
    regressor.set_params(max_iter=12, n_iter_no_change=2, optimizer=Adam(0.02))
    regressor.fit(X[:90], y[:90], validation=(X[90:], y[90:]))
    scores = [entry["score"] for entry in regressor.history_]
    assert regressor.best_score_ == pytest.approx(max(scores))
    r = np.corrcoef(regressor.predict(X[90:]), y[90:])[0, 1]
    assert r == pytest.approx(regressor.best_score_, abs=1e-6)
    held_out = clone(regressor).set_params(early_stopping=True).fit(X, y)
    assert held_out.best_score_ is not None
    with pytest.raises(ValueError, match="too few to hold some out"):
        held_out.fit(X[:2], y[:2])


def test_warm_start_continues(regressor, scored):
    X, y = scored
    longer = clone(regressor).set_params(max_iter=6).fit(X, y)
    regressor.set_params(warm_start=True).fit(X, y)
    first = regressor.loss_curve_
    regressor.fit(X, y)
    assert regressor.loss_curve_[0] < first[-1]
    assert regressor.loss_curve_[-1] == pytest.approx(longer.loss_curve_[-1], rel=0.2)


def test_maximum_length_is_tuned_and_the_best_saved(regressor, scored, tmp_path):
    X, y = (part[:60] for part in scored)
    grid = {"max_length": [2, 8], "vectors": [regressor.vectors]}
    search = GridSearchCV(regressor, grid, cv=2, n_jobs=2)
    with joblib.parallel_config(backend="threading"):  # processes spend seconds on imports
        search.fit(X, y)
    assert search.best_params_["max_length"] in (2, 8)
    joblib.dump(search.best_estimator_, tmp_path / "model.joblib")
    loaded = joblib.load(tmp_path / "model.joblib", mmap_mode="r")
    np.testing.assert_array_equal(loaded.predict(X[:5]), search.predict(X[:5]))


@pytest.mark.parametrize("loss", ["kl", "mse", "manhattan"])
def test_a_loaded_regressor_predicts_the_same(regressor, scored, loss, tmp_path):
    X, y = (part[:60] for part in scored)
    regressor.set_params(loss=loss, score_range=(-1, 6), max_iter=1).fit(X, y)
    loaded = load_model(save_model(regressor, tmp_path / "model.skpara"))
    np.testing.assert_array_equal(loaded.predict(X), regressor.predict(X))
    assert loaded.score_range == (-1, 6)
    assert loaded.loss_curve_ == regressor.loss_curve_
    loaded.state_.parameters["score_range"] = (6, -1)
    with pytest.raises(ValueError, match="score_range"):
        load_model(save_model(loaded, tmp_path / "wrong.skpara"))


def test_scores_of_another_range_are_warned_of(regressor, small_pairs):
    y = np.linspace(0, 1, 20)
    message = r"y is between 0 and 1, a small part of score_range=\(0, 5\)"
    with pytest.warns(UserWarning, match=message):
        regressor.fit(small_pairs[:20], y)
    clone(regressor).set_params(score_range=(0, 1)).fit(small_pairs[:20], y)
    clone(regressor).fit(small_pairs[:20], 2 * y)
