"""ParagramEncoder as an estimator: training, parameters, continued training."""

from __future__ import annotations

import pickle
import signal
import threading

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from skpara import ParagramEncoder, WordVectors
from skpara.learning import AdaDelta, Callback, Device, Negatives, Start
from skpara.networks import LSTM, Average, Charagram

NETWORKS = [
    "average",
    "projection",
    "dan",
    "rnn",
    "irnn",
    "lstm",
    "lstm_no_output_gate",
    "gran",
    "charagram",
]


def test_fit_brings_paraphrases_together(encoder, small_vectors, small_pairs):
    encoder.set_params(max_iter=20).fit(small_pairs)
    first, second = zip(*small_pairs, strict=True)
    before = clone(encoder).similarity(first, second)
    assert encoder.similarity(first, second).mean() > before.mean() + 0.02
    assert encoder.loss_curve_[-1] < 0.95 * encoder.loss_curve_[0]
    assert encoder.n_iter_ == len(encoder.loss_curve_) == 20
    assert encoder.vectors_ is not small_vectors


def test_initial_vectors_stay_as_they_are(encoder, small_vectors, small_pairs):
    before = np.array(small_vectors.matrix)
    encoder.fit(small_pairs)
    np.testing.assert_array_equal(small_vectors.matrix, before)


def test_only_words_of_the_paraphrases_move(encoder, small_vectors, small_pairs):
    encoder.fit(small_pairs)
    for word in ("guitar", "music", "plays"):  # not in the pairs
        np.testing.assert_array_equal(encoder.vectors_[word], small_vectors[word])
    moved = np.abs(encoder.vectors_.matrix - small_vectors.matrix).max(axis=1) > 0
    assert moved[:290].mean() > 0.9


@pytest.mark.parametrize("negatives", ["random", "hardest", "mix"])
@pytest.mark.parametrize("optimizer", ["adadelta", "adagrad", "adam"])
def test_all_negatives_and_optimizers_learn(encoder, small_pairs, negatives, optimizer):
    encoder.set_params(negatives=negatives, optimizer=optimizer, max_iter=20).fit(small_pairs)
    assert encoder.loss_curve_[-1] < encoder.loss_curve_[0]


@pytest.mark.parametrize(
    "settings",
    [
        {"negatives": Negatives("hardest", megabatch_size=4)},
        {"negatives": Negatives("mix", megabatch_size=4)},
        {"network": Average(dropout=0.3, word_dropout=0.2)},
        {"optimizer": AdaDelta(gradient_clip=0.5)},
        {"network": "projection", "network_decay": 0.01},
    ],
    ids=repr,
)
def test_every_setting_learns(encoder, small_pairs, settings):
    plain = clone(encoder).fit(small_pairs)
    encoder.set_params(**settings, max_iter=15).fit(small_pairs)
    first, second = zip(*small_pairs, strict=True)
    before = clone(plain).set_params(network="average").similarity(first, second).mean()
    assert encoder.similarity(first, second).mean() > before
    assert not np.array_equal(plain.encode(["w1"]), encoder.encode(["w1"]))


def test_a_plain_value_is_an_object_with_defaults(encoder, small_pairs):
    plain = encoder.set_params(negatives="hardest", optimizer="adadelta", device="cpu")
    expected = clone(plain).fit(small_pairs).vectors_.matrix
    objects = {"negatives": Negatives("hardest"), "optimizer": AdaDelta(), "device": Device("cpu")}
    objects |= {"network": Average(), "vectors": Start(encoder.vectors)}
    configured = clone(plain).set_params(**objects).fit(small_pairs)
    np.testing.assert_array_equal(configured.vectors_.matrix, expected)


def test_decay_keeps_the_vectors_near_the_initial_ones(encoder, small_vectors, small_pairs):
    distances = [
        np.linalg.norm(
            clone(encoder).set_params(word_decay=decay).fit(small_pairs).vectors_.matrix
            - small_vectors.matrix
        )
        for decay in (0.0, 1.0)
    ]
    assert distances[1] < distances[0] / 2


def test_the_seed_determines_the_vectors(encoder, small_pairs):
    first, second = (clone(encoder).fit(small_pairs).vectors_.matrix for _ in range(2))
    other = clone(encoder).set_params(random_state=1).fit(small_pairs).vectors_.matrix
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)


def test_fit_leaves_the_global_generators_alone(encoder, small_pairs):
    import torch

    np.random.seed(3)  # noqa: NPY002
    torch.manual_seed(3)
    numpy_state, torch_state = np.random.get_state()[1].copy(), torch.get_rng_state()  # noqa: NPY002
    encoder.fit(small_pairs)
    np.testing.assert_array_equal(np.random.get_state()[1], numpy_state)  # noqa: NPY002
    assert torch.equal(torch.get_rng_state(), torch_state)


def test_new_words_become_rows_with_subword_only(encoder, small_vectors):
    pairs = [("dogs sleep", "dog sleeps"), ("guitars", "guitar")]
    grown = clone(encoder).fit(pairs).vectors_
    assert {"dogs", "sleep", "guitars"} == set(grown.words) - set(small_vectors.words)
    for oov in ("rare", "zero"):
        assert clone(encoder).set_params(oov=oov).fit(pairs).vectors_.words == small_vectors.words


@pytest.mark.parametrize("network", NETWORKS)
def test_unknown_words_give_finite_vectors(encoder, small_pairs, network):
    for oov in ("subword", "rare", "zero"):
        encoder.set_params(network=network, oov=oov, max_iter=1).fit(small_pairs)
        assert np.isfinite(encoder.encode(["qqq zzz", "\N{SNOWMAN}"])).all()
        assert np.isfinite(encoder.transform([("qqq", "zzz"), ("w1", "qqq")])).all()


def test_charagram_reads_misspelt_words(encoder):
    pairs = [("a big vehicle", "a big car"), ("my baby", "my child"), ("not able", "unable")] * 20
    encoder.set_params(network=Charagram(n_dims=30), optimizer="adam", max_iter=30)
    encoder.set_params(learning_rate=0.01, batch_size=6).fit(pairs)
    near, far = encoder.similarity(["vehicals", "vehicals"], ["vehicle", "child"])
    assert near > far
    near, far = encoder.similarity(["babyyyyyy", "babyyyyyy"], ["baby", "car"])
    assert near > far


# Parameters


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("network", "transformer"),
        ("negatives", "easy"),
        ("margin", 0),
        ("batch_size", 1),
        ("max_iter", -1),
        ("optimizer", "lion"),
        ("oov", "skip"),
        ("device", "tpu"),
        ("cross_fit", 1),
        ("network_decay", -1),
        ("validation_fraction", 1.0),
        ("n_iter_no_change", 0),
        ("early_stopping", "yes"),
        ("negatives__kind", "easy"),
        ("negatives__megabatch_size", 0),
        ("network__dropout", 1.0),
        ("network__word_dropout", -0.1),
        ("optimizer__gradient_clip", 0),
        ("device__name", "tpu"),
        ("device__precision", "float16"),
        ("vectors__norm", 0),
    ],
)
def test_bad_parameters_are_named_at_fit(encoder, small_pairs, name, value):
    encoder.set_params(negatives=Negatives(), network=Average(), optimizer=AdaDelta())
    encoder.set_params(device=Device(), vectors=Start(encoder.vectors))
    with pytest.raises(ValueError, match=name.split("__")[-1]):
        encoder.set_params(**{name: value}).fit(small_pairs)


def test_the_names_of_networks_are_listed(encoder, small_pairs):
    with pytest.raises(ValueError, match="lstm_no_output_gate"):
        encoder.set_params(network="gru").fit(small_pairs)


def test_an_absent_device_is_refused(encoder, small_pairs):
    import torch

    absent = "mps" if not torch.backends.mps.is_available() else "cuda"
    if absent == "cuda" and torch.cuda.is_available():
        pytest.skip("has both")
    with pytest.raises(ValueError, match="device='auto'"):
        encoder.set_params(device=absent).fit(small_pairs)


def test_nested_parameters_are_searched(encoder, small_pairs):
    y = np.random.default_rng(0).uniform(3.8, 5, len(small_pairs))
    encoder.set_params(network=LSTM(), optimizer=AdaDelta(), negatives=Negatives(), max_iter=1)
    search = GridSearchCV(
        make_pipeline(encoder, Ridge()),
        {
            "paragramencoder__network__hidden_size": [4, 8],
            "paragramencoder__optimizer__gradient_clip": [0.1],
            "paragramencoder__negatives__megabatch_size": [2],
        },
        cv=2,
    ).fit(small_pairs, y)
    best = search.best_estimator_[0]
    assert best.encode(["w1"]).shape[1] == best.network.hidden_size
    assert best.optimizer.gradient_clip == 0.1
    assert best.negatives.megabatch_size == 2


@pytest.mark.slow
def test_a_grid_search_by_two_workers_is_reloaded(encoder, small_pairs, tmp_path):
    y = np.random.default_rng(0).uniform(3, 5, len(small_pairs))
    search = GridSearchCV(
        make_pipeline(encoder, Ridge()), {"paragramencoder__margin": [0.4, 0.8]}, cv=2, n_jobs=2
    )
    search.fit(small_pairs, y)
    assert search.best_params_["paragramencoder__margin"] in (0.4, 0.8)
    joblib.dump(search.best_estimator_, tmp_path / "best.joblib")
    again = joblib.load(tmp_path / "best.joblib")
    np.testing.assert_array_equal(again.predict(small_pairs), search.predict(small_pairs))


def test_a_clone_shares_the_vectors(encoder, small_vectors):
    assert clone(encoder).vectors is small_vectors


# What training reports


def test_verbose_shows_progress(encoder, small_pairs, capsys):
    encoder.set_params(verbose=1).fit(small_pairs)
    assert "loss=" in capsys.readouterr().err


class Epochs(Callback):
    """Records the epochs."""

    def __init__(self):
        self.numbers = []

    def on_epoch_end(self, session, epoch):
        self.numbers.append(epoch["epoch"])
        epoch["norm"] = float(np.linalg.norm(session.encode(["w1"])))


def test_callbacks_are_called_by_every_fit(encoder, small_pairs):
    for fit in (encoder.fit, encoder.fit_transform, lambda X, **kw: encoder.fit_stream([X], **kw)):
        epochs = Epochs()
        fit(small_pairs, callbacks=[epochs])
        assert epochs.numbers == [1, 2, 3]
        norm = np.linalg.norm(encoder.encode(["w1"]))
        assert encoder.history_[-1]["norm"] == pytest.approx(norm, rel=1e-5)


def test_ctrl_c_leaves_a_fitted_encoder(encoder, small_pairs):
    encoder.set_params(max_iter=1_000_000)
    # Where the tests run in the background, the shell has switched Ctrl-C off.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(1.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.warns(UserWarning, match="interrupted after"):
            encoder.fit(small_pairs)
    finally:
        signal.signal(signal.SIGINT, before)
    assert 1 <= encoder.n_iter_ < 1_000_000
    first, second = zip(*small_pairs, strict=True)
    before = clone(encoder).similarity(first, second).mean()
    assert encoder.similarity(first, second).mean() > before


# Training that continues, or starts from another encoder


def test_warm_start_continues(encoder, small_pairs):
    cold = clone(encoder).fit(small_pairs).loss_curve_
    encoder.set_params(warm_start=True).fit(small_pairs)
    before = encoder.vectors_.matrix.copy()
    assert encoder.fit(small_pairs).loss_curve_[-1] < cold[-1]
    assert not np.array_equal(before, encoder.vectors_.matrix)


@pytest.mark.parametrize("network", ["average", "lstm", "charagram"])
def test_partial_fit_keeps_the_optimizer(encoder, small_pairs, network):
    encoder.set_params(network=network, optimizer="adam", learning_rate=0.02)
    for part in range(6):
        encoder.partial_fit(small_pairs[:100] if part % 2 else small_pairs[100:])
    assert encoder.n_iter_ == 6
    assert encoder.n_paraphrases_ == 600
    assert [entry["epoch"] for entry in encoder.history_] == [1, 2, 3, 4, 5, 6]
    assert encoder.loss_curve_[-1] < encoder.loss_curve_[1]  # the same half of the pairs
    through = clone(encoder).partial_fit(small_pairs)
    stopped = pickle.loads(pickle.dumps(through))
    for model in (through, stopped):
        model.partial_fit(small_pairs)
    np.testing.assert_array_equal(through.encode(["w1 w2"]), stopped.encode(["w1 w2"]))


def test_partial_fit_adds_words_to_a_new_table(encoder, small_pairs):
    encoder.partial_fit(small_pairs)
    earlier = encoder.vectors_
    before = earlier.matrix.copy()
    encoder.partial_fit([("unheard w1", "w1 words"), ("w2", "w2 unheard")])
    assert {"unheard", "words"} <= set(encoder.vectors_.words)
    np.testing.assert_array_equal(earlier.matrix, before)
    encoder.partial_fit([("unheard w1", "more"), ("w2", "w2 unheard")])
    assert encoder.vectors_.words[-1] == "more"


def test_partial_fit_cannot_stop_early(encoder, small_pairs):
    with pytest.raises(ValueError, match="fit_stream"):
        encoder.set_params(early_stopping=True).partial_fit(small_pairs)


def test_an_encoder_starts_another(encoder, small_pairs, tmp_path):
    encoder.set_params(network="projection").fit(small_pairs)
    encoder.save(tmp_path / "encoder.safetensors")
    for vectors in (FrozenEstimator(encoder), tmp_path / "encoder.safetensors"):
        started = clone(encoder).set_params(vectors=vectors, learning_rate=1e-9)
        started = clone(started).fit(small_pairs)
        np.testing.assert_allclose(started.encode(["w1 w2"]), encoder.encode(["w1 w2"]), atol=1e-5)
        words_only = clone(started).set_params(network="average").fit(small_pairs)
        np.testing.assert_allclose(words_only.vectors_["w1"], encoder.vectors_["w1"], atol=1e-5)


def test_decay_pulls_towards_another_encoder(encoder, small_vectors, small_pairs):
    encoder.set_params(network="projection", optimizer="adadelta", learning_rate=30.0)
    encoder.fit(small_pairs)
    pull = {"word_decay": 10.0, "network_decay": 10.0, "optimizer": "adagrad", "max_iter": 200}
    pull |= {"learning_rate": 0.3, "vectors": Start(small_vectors, decay_target=encoder)}
    pulled = clone(encoder).set_params(batch_size=200, **pull)
    pulled.fit(small_pairs)
    np.testing.assert_allclose(pulled.vectors_["w1"], encoder.vectors_["w1"], atol=0.02)
    for name, weight in pulled.weights_.items():
        np.testing.assert_allclose(weight, encoder.weights_[name], atol=0.02)
    assert np.abs(small_vectors["w1"] - encoder.vectors_["w1"]).max() > 0.05


def test_an_unfitted_or_different_encoder_is_refused(encoder, small_vectors, small_pairs):
    encoder.fit(small_pairs)
    with pytest.raises(ValueError, match=r"passed as vectors is not fitted.*FrozenEstimator"):
        clone(clone(encoder).set_params(vectors=encoder)).fit(small_pairs)
    with pytest.raises(TypeError, match="decay_target must be"):
        clone(encoder).set_params(vectors=Start(small_vectors, decay_target=3)).fit(small_pairs)
    other = clone(encoder).set_params(network=LSTM(hidden_size=5), max_iter=1).fit(small_pairs)
    with pytest.raises(ValueError, match="same network"):
        clone(encoder).set_params(network=LSTM(hidden_size=6), vectors=other).fit(small_pairs)


def test_vectors_are_converted_once(tmp_path, small_vectors, monkeypatch):
    path = tmp_path / "vectors.npz"
    small_vectors.save(path)
    mapping = dict(zip(small_vectors.words, small_vectors.matrix, strict=True))
    expected = ParagramEncoder(vectors=small_vectors).encode(["a dog sleeps"])
    load, loaded = WordVectors.load.__func__, []

    def count(cls, source="default"):
        loaded.append(source)
        return load(cls, source)

    monkeypatch.setattr(WordVectors, "load", classmethod(count))
    for source in (path, str(path), mapping):
        encoder = ParagramEncoder(vectors=source)
        loaded.clear()
        for _ in range(3):
            np.testing.assert_array_equal(encoder.encode(["a dog sleeps"]), expected)
        assert len(loaded) == 1
        encoder.set_params(vectors=source).encode(["a dog"])
        encoder.vectors = {"dog": [1.0, 2.0]}
        assert encoder.encode(["dog"]).tolist() == [[1.0, 2.0]]
        assert len(loaded) == 3

        assert len(pickle.dumps(encoder)) < 3000
