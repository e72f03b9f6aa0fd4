from __future__ import annotations

import pickle
import signal
import threading
import tracemalloc

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline

from skpara import ParagramEncoder
from skpara.networks import LSTM, Charagram, as_network

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


def cosine(u, v):
    norms = np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1)
    return np.divide((u * v).sum(axis=1), norms, out=np.zeros(len(u)), where=norms > 0)


@pytest.fixture
def encoder(small_vectors):
    return ParagramEncoder(vectors=small_vectors, batch_size=20, max_iter=3, random_state=0)


def test_fit_brings_paraphrases_together_and_lowers_the_loss(encoder, small_vectors, small_pairs):
    encoder.set_params(max_iter=20).fit(small_pairs)
    first, second = zip(*small_pairs, strict=True)
    before = clone(encoder).similarity(first, second)
    assert encoder.similarity(first, second).mean() > before.mean() + 0.02
    assert encoder.loss_curve_[-1] < 0.95 * encoder.loss_curve_[0]
    assert encoder.n_iter_ == len(encoder.loss_curve_) == 20
    assert encoder.vectors_ is not small_vectors


def test_given_vectors_are_left_alone(encoder, small_vectors, small_pairs):
    before = np.array(small_vectors.matrix)
    encoder.fit(small_pairs)
    np.testing.assert_array_equal(small_vectors.matrix, before)


def test_only_words_of_the_paraphrases_move(encoder, small_vectors, small_pairs):
    encoder.fit(small_pairs)
    for word in ("guitar", "music", "plays"):  # not in the pairs
        np.testing.assert_array_equal(encoder.vectors_[word], small_vectors[word])
    moved = np.abs(encoder.vectors_.matrix - small_vectors.matrix).max(axis=1) > 0
    assert moved[:290].mean() > 0.9


def test_rows_below_the_threshold_teach_nothing(encoder, small_pairs):
    y = np.linspace(0, 5, len(small_pairs))
    with_all = encoder.fit(small_pairs, y)
    assert with_all.n_paraphrases_ == (y >= 3.8).sum()
    chosen = [pair for pair, score in zip(small_pairs, y, strict=True) if score >= 3.8]
    only = clone(encoder).fit(chosen)
    np.testing.assert_array_equal(with_all.vectors_.matrix, only.vectors_.matrix)


@pytest.mark.parametrize("negatives", ["random", "hardest", "mix"])
@pytest.mark.parametrize("optimizer", ["adadelta", "adagrad", "adam"])
def test_every_way_of_training_learns(encoder, small_pairs, negatives, optimizer):
    encoder.set_params(negatives=negatives, optimizer=optimizer, max_iter=20).fit(small_pairs)
    assert encoder.loss_curve_[-1] < encoder.loss_curve_[0]


def test_decay_holds_the_vectors_back(encoder, small_vectors, small_pairs):
    free = clone(encoder).set_params(word_decay=0.0).fit(small_pairs)
    held = clone(encoder).set_params(word_decay=1.0).fit(small_pairs)
    way = [np.linalg.norm(e.vectors_.matrix - small_vectors.matrix) for e in (free, held)]
    assert way[1] < way[0] / 2


def test_same_seed_same_vectors_other_seed_others(encoder, small_pairs):
    one, two = (clone(encoder).fit(small_pairs).vectors_.matrix for _ in range(2))
    other = clone(encoder).set_params(random_state=1).fit(small_pairs).vectors_.matrix
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, other)


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


def test_outputs(encoder, small_pairs):
    first, second = zip(*small_pairs, strict=True)
    encoder.set_params(output="both").fit(small_pairs)
    features = encoder.transform(small_pairs)
    u, v = encoder.encode(first).astype(float), encoder.encode(second).astype(float)
    u, v = (w / np.linalg.norm(w, axis=1, keepdims=True) for w in (u, v))
    np.testing.assert_allclose(features[:, 0], cosine(u, v), atol=1e-12)
    np.testing.assert_allclose(features[:, 1:21], np.abs(u - v), atol=1e-12)
    np.testing.assert_allclose(features[:, 21:], u * v, atol=1e-12)
    names = encoder.get_feature_names_out()
    assert len(names) == features.shape[1]
    encoder.set_params(output="interaction")
    np.testing.assert_array_equal(encoder.transform(small_pairs), features[:, 1:])
    encoder.set_params(output="similarity")
    np.testing.assert_array_equal(encoder.transform(small_pairs), features[:, :1])
    np.testing.assert_allclose(encoder.similarity(first, second), features[:, 0], atol=1e-12)


def test_sentences_become_vectors(encoder, small_pairs):
    encoder.fit(small_pairs)
    sentences = ["a dog sleeps", ""]
    np.testing.assert_array_equal(encoder.transform(sentences), encoder.encode(sentences))
    assert encoder.encode(sentences).dtype == np.float32
    assert not encoder.encode(sentences)[1].any()


def test_an_empty_sentence_is_like_nothing(encoder, small_pairs):
    encoder.fit(small_pairs)
    features = encoder.transform([("", "a dog"), ("", ""), ("a dog", "a dog")])
    np.testing.assert_allclose(features.ravel(), [0.0, 0.0, 1.0], atol=1e-12)


def test_works_before_fit_but_transform_says_fit_first(encoder):
    assert encoder.similarity(["a dog"], ["a dog"])[0] == pytest.approx(1)
    for call in (encoder.transform, lambda X: encoder.get_feature_names_out()):
        with pytest.raises(NotFittedError):
            call([("a", "b")])


def test_batch_size_changes_no_feature(encoder, small_pairs):
    encoder.fit(small_pairs)
    together = encoder.transform(small_pairs)
    alone = np.vstack([encoder.transform([pair]) for pair in small_pairs])
    np.testing.assert_array_equal(together, alone)


def test_too_few_paraphrases_are_refused(encoder, small_pairs):
    with pytest.raises(ValueError, match=r"1 of 3 pairs .* Lower positive_threshold"):
        encoder.fit(small_pairs[:3], [1, 2, 4])
    with pytest.raises(ValueError, match="inconsistent"):
        encoder.fit(small_pairs[:3], [1, 2])
    with pytest.raises(ValueError, match="NaN"):
        encoder.fit(small_pairs[:3], [1, 4, np.nan])


@pytest.mark.parametrize(
    "bad",
    [
        {"network": "transformer"},
        {"negatives": "easy"},
        {"margin": 0},
        {"batch_size": 1},
        {"max_iter": -1},
        {"optimizer": "lion"},
        {"oov": "skip"},
        {"device": "tpu"},
        {"cross_fit": 1},
        {"megabatch_size": 0},
        {"network_decay": -1},
        {"dropout": 1.0},
        {"word_dropout": -0.1},
        {"gradient_clip": 0},
        {"validation_fraction": 1.0},
        {"n_iter_no_change": 0},
        {"early_stopping": "yes"},
    ],
)
def test_bad_parameters_are_named_at_fit(encoder, small_pairs, bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        encoder.set_params(**bad).fit(small_pairs)


def test_a_device_that_is_not_there(encoder, small_pairs):
    import torch

    absent = "mps" if not torch.backends.mps.is_available() else "cuda"
    if absent == "cuda" and torch.cuda.is_available():
        pytest.skip("has both")
    with pytest.raises(ValueError, match="device='auto'"):
        encoder.set_params(device=absent).fit(small_pairs)


def test_cross_fit_gives_each_pair_an_encoder_that_did_not_see_it(encoder, small_pairs):
    encoder.set_params(cross_fit=4)
    features = encoder.fit_transform(small_pairs)
    X = np.array(small_pairs, dtype=object)
    for train, test in KFold(4, shuffle=True, random_state=0).split(X):
        fold = clone(encoder).set_params(cross_fit=None).fit(X[train])
        np.testing.assert_array_equal(features[test], fold.transform(X[test]))
    seen = encoder.transform(small_pairs)
    assert seen.mean() > features.mean()  # what the encoder saw looks more alike than it should


def test_frames_names_and_pandas_output(encoder, small_pairs):
    frame = pd.DataFrame(small_pairs, columns=["left", "right"])
    encoder.set_output(transform="pandas").fit(frame)
    assert encoder.feature_names_in_.tolist() == ["left", "right"]
    assert encoder.n_features_in_ == 2
    out = encoder.transform(frame)
    assert out.columns.tolist() == ["paragram_similarity"]
    with pytest.raises(ValueError, match="feature names"):
        encoder.transform(frame[["right", "left"]])


def test_pickle_joblib_and_memory_map(encoder, small_pairs, tmp_path):
    encoder.fit(small_pairs)
    expected = encoder.transform(small_pairs)
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(encoder)).transform(small_pairs), expected
    )
    joblib.dump(encoder, tmp_path / "encoder.joblib")
    mapped = joblib.load(tmp_path / "encoder.joblib", mmap_mode="r")
    assert isinstance(mapped.vectors_.matrix.base, np.memmap)
    np.testing.assert_array_equal(mapped.transform(small_pairs), expected)


def test_fitted_state_holds_no_torch(encoder, small_pairs):
    assert b"torch" not in pickle.dumps(encoder.fit(small_pairs))


def test_tuned_in_a_grid_by_two_workers_and_reloaded(encoder, small_pairs, tmp_path):
    y = np.random.default_rng(0).uniform(3, 5, len(small_pairs))
    search = GridSearchCV(
        make_pipeline(encoder, Ridge()), {"paragramencoder__margin": [0.4, 0.8]}, cv=2, n_jobs=2
    )
    search.fit(small_pairs, y)
    assert search.best_params_["paragramencoder__margin"] in (0.4, 0.8)
    joblib.dump(search.best_estimator_, tmp_path / "best.joblib")
    again = joblib.load(tmp_path / "best.joblib")
    np.testing.assert_array_equal(again.predict(small_pairs), search.predict(small_pairs))


def test_clone_shares_the_vectors(encoder, small_vectors):
    assert clone(encoder).vectors is small_vectors


def test_verbose_shows_progress(encoder, small_pairs, capsys):
    encoder.set_params(verbose=1).fit(small_pairs)
    assert "loss=" in capsys.readouterr().err


@pytest.mark.parametrize("network", NETWORKS)
def test_sentences_of_unknown_words_are_finite_under_every_rule(encoder, small_pairs, network):
    for oov in ("subword", "rare", "zero"):
        encoder.set_params(network=network, oov=oov, max_iter=1).fit(small_pairs)
        assert np.isfinite(encoder.encode(["qqq zzz", "\N{SNOWMAN}"])).all()
        assert np.isfinite(encoder.transform([("qqq", "zzz"), ("w1", "qqq")])).all()


def test_what_only_a_fitted_network_can_do(encoder):
    with pytest.raises(NotFittedError, match="call fit"):
        encoder.set_params(network="lstm").encode(["w1"])


def test_network_fields_are_searched(encoder, small_pairs):
    y = np.random.default_rng(0).uniform(3.8, 5, len(small_pairs))
    encoder.set_params(network=LSTM(), max_iter=1)
    search = GridSearchCV(
        make_pipeline(encoder, Ridge()),
        {"paragramencoder__network__hidden_size": [4, 8]},
        cv=2,
    ).fit(small_pairs, y)
    best = search.best_estimator_[0]
    assert best.encode(["w1"]).shape[1] == best.network.hidden_size
    assert as_network("lstm").get_params() == LSTM().get_params()


def test_a_name_that_is_no_network(encoder, small_pairs):
    with pytest.raises(ValueError, match="lstm_no_output_gate"):
        encoder.set_params(network="gru").fit(small_pairs)


def test_early_stopping_keeps_the_best_on_held_out_pairs(encoder, small_pairs):
    y = np.random.default_rng(0).uniform(0, 5, len(small_pairs))
    encoder.set_params(
        early_stopping=True, max_iter=50, n_iter_no_change=2, positive_threshold=1.0
    )
    encoder.fit(small_pairs, y)
    scores = [entry["score"] for entry in encoder.history_]
    assert encoder.n_iter_ < 50
    assert encoder.best_score_ >= max(scores) - 1e-9
    assert encoder.n_paraphrases_ < (y >= 1.0).sum()


def test_validation_scores_are_those_of_the_encoder_itself(encoder, small_pairs):
    pairs = [*small_pairs[:20], ("w1 never", "w2 heard"), ("", "w3")]
    scores = np.random.default_rng(0).uniform(0, 5, len(pairs))
    encoder.set_params(max_iter=2, n_iter_no_change=5).fit(
        small_pairs[20:], validation=(pairs, scores)
    )
    first, second = zip(*pairs, strict=True)
    r = np.corrcoef(encoder.similarity(first, second), scores)[0, 1]
    # The words unknown to training keep their first vectors in the score, and get those of
    # their tuned neighbours afterwards: not the same, but near.
    assert encoder.best_score_ == pytest.approx(r, abs=0.02)
    known = (pairs[:20], scores[:20])
    encoder.fit(small_pairs[20:], validation=known)
    r = np.corrcoef(encoder.similarity(first[:20], second[:20]), scores[:20])[0, 1]
    assert encoder.best_score_ == pytest.approx(r, abs=1e-6)


def test_without_scores_the_loss_is_what_is_validated(encoder, small_pairs):
    encoder.set_params(early_stopping=True, max_iter=3).fit(small_pairs)
    assert encoder.best_score_ < 0
    encoder.fit(small_pairs[:150], validation=small_pairs[150:])
    assert encoder.best_score_ < 0


def test_a_validation_set_that_training_only_harms_gives_back_the_start(
    encoder, small_vectors, small_pairs
):
    away = [(a, b) for (a, _), (_, b) in zip(small_pairs, small_pairs[7:], strict=False)]
    scores = encoder.similarity(*zip(*away, strict=True))  # the initial cosines are the truth
    encoder.fit(small_pairs, validation=(away, scores))
    np.testing.assert_allclose(
        encoder.vectors_.matrix[:290], small_vectors.matrix[:290], atol=1e-6
    )
    assert encoder.best_score_ == pytest.approx(1, abs=1e-6)


def test_warm_start_goes_on(encoder, small_pairs):
    cold = clone(encoder).fit(small_pairs).loss_curve_
    encoder.set_params(warm_start=True).fit(small_pairs)
    before = encoder.vectors_.matrix.copy()
    assert encoder.fit(small_pairs).loss_curve_[-1] < cold[-1]
    assert not np.array_equal(before, encoder.vectors_.matrix)


@pytest.mark.parametrize("network", ["average", "lstm", "charagram"])
def test_partial_fit_makes_a_pass_and_keeps_the_optimizer(encoder, small_pairs, network):
    encoder.set_params(network=network, optimizer="adam", learning_rate=0.02)
    for part in range(6):
        encoder.partial_fit(small_pairs[:100] if part % 2 else small_pairs[100:])
    assert encoder.n_iter_ == 6
    assert encoder.n_paraphrases_ == 600
    assert [entry["epoch"] for entry in encoder.history_] == [1, 2, 3, 4, 5, 6]
    assert encoder.loss_curve_[-1] < encoder.loss_curve_[1]  # the same half of the pairs
    through = clone(encoder).partial_fit(small_pairs)
    stopped = pickle.loads(pickle.dumps(through))
    for one in (through, stopped):
        one.partial_fit(small_pairs)
    np.testing.assert_array_equal(through.encode(["w1 w2"]), stopped.encode(["w1 w2"]))


def test_partial_fit_learns_new_words_and_leaves_earlier_vectors_alone(encoder, small_pairs):
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


@pytest.mark.parametrize("network", ["average", "charagram"])
def test_a_stream_read_again_and_again_learns_like_fit(encoder, small_pairs, network):
    encoder.set_params(network=network)
    chunks = [small_pairs[start : start + 40] for start in range(0, 200, 40)]
    encoder.fit_stream(chunks)
    assert encoder.n_iter_ == 3
    assert encoder.n_paraphrases_ == 200
    whole = clone(encoder).fit(small_pairs)
    assert set(encoder.vectors_.words) == set(whole.vectors_.words)
    assert encoder.loss_curve_[-1] == pytest.approx(whole.loss_curve_[-1], rel=0.15)


def test_an_iterator_is_read_once_and_scores_choose_its_paraphrases(encoder, small_pairs):
    y = np.linspace(0, 5, 40)
    chunks = ((small_pairs[start : start + 40], y) for start in range(0, 200, 40))
    encoder.fit_stream(chunks, validation=small_pairs[:20])
    assert encoder.n_iter_ == 1
    assert encoder.n_paraphrases_ == 5 * (y >= 3.8).sum()
    assert encoder.best_score_ is not None


def test_a_stream_says_which_chunk_is_wrong(encoder, small_pairs):
    with pytest.raises(ValueError, match=r"Chunk 1: .*Row 0"):
        encoder.fit_stream([small_pairs, [("one",), ("two", "three")]])
    with pytest.raises(ValueError, match="held no chunk"):
        encoder.fit_stream([(small_pairs, np.zeros(200))])
    with pytest.raises(TypeError, match="iterable of chunks"):
        encoder.fit_stream("pairs.tsv")


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


def test_the_memory_of_a_stream_does_not_grow_with_its_length(encoder):
    def chunks(n_chunks):
        rng = np.random.default_rng(0)
        for _ in range(n_chunks):
            words = rng.integers(0, 290, size=(150, 2, 6))
            text = [[" ".join(f"w{w}" for w in side) for side in pair] for pair in words]
            yield np.array(text, dtype=object)

    peaks = []
    for n_chunks in (3, 3, 20):
        tracemalloc.start()
        encoder.fit_stream(chunks(n_chunks))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < 1.2 * peaks[1]


@pytest.mark.parametrize(
    "settings",
    [
        {"megabatch_size": 4, "negatives": "hardest"},
        {"megabatch_size": 4, "negatives": "mix"},
        {"dropout": 0.3, "word_dropout": 0.2},
        {"gradient_clip": 0.5},
        {"network": "projection", "network_decay": 0.01},
    ],
)
def test_every_setting_learns(encoder, small_pairs, settings):
    plain = clone(encoder).fit(small_pairs)
    encoder.set_params(**settings, max_iter=15).fit(small_pairs)
    first, second = zip(*small_pairs, strict=True)
    before = clone(plain).set_params(network="average").similarity(first, second).mean()
    assert encoder.similarity(first, second).mean() > before
    assert not np.array_equal(plain.encode(["w1"]), encoder.encode(["w1"]))


def test_an_encoder_starts_another(encoder, small_pairs):
    encoder.set_params(network="projection").fit(small_pairs)
    started = clone(encoder).set_params(init=FrozenEstimator(encoder), learning_rate=1e-9)
    started = clone(started).fit(small_pairs)
    np.testing.assert_allclose(started.encode(["w1 w2"]), encoder.encode(["w1 w2"]), atol=1e-5)
    words_only = clone(started).set_params(network="average").fit(small_pairs)
    np.testing.assert_allclose(words_only.vectors_["w1"], encoder.vectors_["w1"], atol=1e-5)


def test_an_encoder_is_what_another_is_pulled_to(encoder, small_vectors, small_pairs):
    encoder.set_params(network="projection", learning_rate=30.0).fit(small_pairs)
    pull = {"word_decay": 10.0, "network_decay": 10.0, "optimizer": "adagrad", "max_iter": 200}
    pull |= {"learning_rate": 0.3, "decay_towards": encoder}
    pulled = clone(encoder).set_params(batch_size=200, **pull)
    pulled.fit(small_pairs)
    np.testing.assert_allclose(pulled.vectors_["w1"], encoder.vectors_["w1"], atol=0.02)
    for name, weight in pulled.weights_.items():
        np.testing.assert_allclose(weight, encoder.weights_[name], atol=0.02)
    assert np.abs(small_vectors["w1"] - encoder.vectors_["w1"]).max() > 0.05


def test_a_clone_of_an_encoder_is_no_start(encoder, small_pairs):
    encoder.fit(small_pairs)
    with pytest.raises(ValueError, match=r"init is not fitted.*FrozenEstimator"):
        clone(clone(encoder).set_params(init=encoder)).fit(small_pairs)
    with pytest.raises(TypeError, match="decay_towards must be"):
        clone(encoder).set_params(decay_towards=3).fit(small_pairs)
    other = clone(encoder).set_params(network=LSTM(hidden_size=5), max_iter=1).fit(small_pairs)
    with pytest.raises(ValueError, match="same network"):
        clone(encoder).set_params(network=LSTM(hidden_size=6), init=other).fit(small_pairs)


def test_cross_fit_folds_start_from_the_given_encoder(encoder, small_pairs):
    encoder.fit(small_pairs)
    folded = clone(encoder).set_params(init=encoder, cross_fit=2, n_jobs=2, max_iter=1)
    assert folded.fit_transform(small_pairs).shape == (200, 1)


def test_charagram_reads_misspelt_words(encoder, small_vectors):
    pairs = [("a big vehicle", "a big car"), ("my baby", "my child"), ("not able", "unable")] * 20
    encoder.set_params(network=Charagram(n_dims=30), optimizer="adam", max_iter=30)
    encoder.set_params(learning_rate=0.01, batch_size=6).fit(pairs)
    near, far = encoder.similarity(["vehicals", "vehicals"], ["vehicle", "child"])
    assert near > far
    near, far = encoder.similarity(["babyyyyyy", "babyyyyyy"], ["baby", "car"])
    assert near > far


def test_a_validation_set_reaches_the_encoder_through_a_pipeline(encoder, small_pairs):
    y = np.random.default_rng(0).uniform(3.8, 5, len(small_pairs))
    held_out = (small_pairs[:30], y[:30])
    with sklearn.config_context(enable_metadata_routing=True):
        model = make_pipeline(encoder.set_fit_request(validation=True), Ridge())
        model.fit(small_pairs[30:], y[30:], validation=held_out)
    alone = clone(encoder).fit(small_pairs[30:], y[30:], validation=held_out)
    assert model[0].history_[0]["score"] == alone.history_[0]["score"]
    assert model[0].best_score_ is not None


class Doubling:
    """Repeats the first word, and writes down what it was asked."""

    def __init__(self):
        self.asked = []

    def __deepcopy__(self, memo):
        return self  # clones share it

    def pairs(self, sentences):
        self.asked.append(list(sentences))
        made = [(text, f"{text.split()[0]} {text}") for text in sentences if text]
        return np.array(made, dtype=object).reshape(-1, 2)


def test_a_paraphraser_adds_pairs_of_all_sentences(small_vectors, small_pairs):
    doubling = Doubling()
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, paraphraser=doubling)
    y = np.linspace(0, 5, 20)
    encoder.fit(small_pairs[:20], y, unlabeled=["a dog", "a dog", "", small_pairs[0][0]])
    sentences = [sentence for pair in small_pairs[:20] for sentence in pair] + ["a dog", ""]
    assert doubling.asked == [list(dict.fromkeys(sentences))]
    distinct = len(set(sentences)) - 1
    assert encoder.n_paraphrases_ == (y >= 3.8).sum() + distinct
    same = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0)
    more = [*small_pairs[:20], *map(tuple, doubling.pairs(list(dict.fromkeys(sentences))))]
    expected = same.fit(more).similarity(sentences[:2], sentences[2:4])
    encoder.set_params(random_state=0).fit(small_pairs[:20], unlabeled=["a dog", ""])
    np.testing.assert_array_equal(encoder.similarity(sentences[:2], sentences[2:4]), expected)


def test_only_the_unlabeled_sentences_may_be_paraphrased(small_vectors, small_pairs):
    doubling = Doubling()
    encoder = ParagramEncoder(
        vectors=small_vectors, max_iter=1, paraphraser=doubling, paraphrased="unlabeled"
    )
    encoder.fit(small_pairs[:20], unlabeled=["a dog", "a dog", "w1 w2"])
    assert doubling.asked == [["a dog", "w1 w2"]]
    assert encoder.n_paraphrases_ == 22
    assert encoder.fit(small_pairs[:20]).n_paraphrases_ == 20
    with pytest.raises(ValueError, match="'paraphrased' parameter"):
        encoder.set_params(paraphrased="none").fit(small_pairs[:20])


def test_paraphrases_are_made_once_for_all_folds(small_vectors, small_pairs):
    doubling = Doubling()
    encoder = ParagramEncoder(
        vectors=small_vectors, max_iter=1, paraphraser=doubling, cross_fit=3, random_state=0
    )
    found = encoder.fit_transform(small_pairs[:30], np.full(30, 5.0), unlabeled=["a dog"])
    assert found.shape == (30, 1)
    assert len(doubling.asked) == 1
    alone = clone(encoder).set_params(paraphraser=None).fit_transform(small_pairs[:30])
    assert not np.allclose(found, alone)


def test_without_paraphraser_or_teacher_unlabeled_sentences_change_nothing(
    small_vectors, small_pairs
):
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0)
    alone = clone(encoder).fit(small_pairs).vectors_.matrix
    with_more = encoder.fit(small_pairs, unlabeled=["w1 w2"]).vectors_.matrix
    np.testing.assert_array_equal(with_more, alone)
    with pytest.raises(ValueError, match="'paraphraser' parameter"):
        clone(encoder).set_params(paraphraser="apertium").fit(small_pairs)


def test_unlabeled_sentences_are_routed_through_a_pipeline(small_vectors, small_pairs):
    doubling = Doubling()
    with sklearn.config_context(enable_metadata_routing=True):
        encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, paraphraser=doubling)
        model = make_pipeline(encoder, Ridge())
        model.fit(small_pairs[:20], np.linspace(0, 5, 20), unlabeled=["a dog runs"])
    assert doubling.asked[0][-1] == "a dog runs"
    model = make_pipeline(ParagramEncoder(vectors=small_vectors, paraphraser=doubling), Ridge())
    scores = np.linspace(0, 5, 20)
    model.fit(small_pairs[:20], scores, paragramencoder__unlabeled=["a cat sleeps"])
    assert doubling.asked[1][-1] == "a cat sleeps"


class Teacher:
    """Knows sentences by their first word, in another number of dimensions."""

    def __init__(self):
        self.asked = []

    def encode(self, sentences):
        self.asked += sentences
        drawn = {word: i for i, word in enumerate(sorted({s.split()[0] for s in self.asked}))}
        rng = np.random.default_rng(1)
        directions = rng.standard_normal((len(drawn), 3))
        return np.array([directions[drawn[s.split()[0]]] for s in sentences])


def cosines(vectors):
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units @ units.T


@pytest.mark.parametrize("network", ["average", "gran"])
def test_sentences_come_as_near_as_the_teacher_says(small_vectors, small_pairs, network):
    teacher = Teacher()
    sentences = list(
        dict.fromkeys(s for pair in [*small_pairs[:20], ("w3 w7", "w7 w3 zyx")] for s in pair)
    )
    encoder = ParagramEncoder(
        network, vectors=small_vectors, teacher=teacher, max_iter=0, random_state=0
    )
    start = clone(encoder).set_params(teacher=None).fit(small_pairs[:20])
    encoder.fit(small_pairs[:20], unlabeled=["w3 w7", "w7 w3 zyx"])
    assert sorted(teacher.asked) == sorted(sentences)
    assert len(encoder.teacher_loss_curve_) == 20
    assert encoder.teacher_loss_curve_[-1] < 0.5 * encoder.teacher_loss_curve_[0]
    assert encoder.loss_curve_ == []
    assert encoder.n_paraphrases_ == 0
    wanted = cosines(teacher.encode(sentences))
    off = ~np.eye(len(sentences), dtype=bool)
    before, after = (
        np.corrcoef(cosines(e.encode(sentences))[off], wanted[off])[0, 1] for e in (start, encoder)
    )
    assert before < 0.5
    assert after > 0.7


def test_margin_starts_where_the_teacher_led_and_decays_towards_it(small_vectors, small_pairs):
    taught = ParagramEncoder(
        vectors=small_vectors, teacher=Teacher(), max_iter=0, random_state=0
    ).fit(small_pairs)
    heavy = ParagramEncoder(
        vectors=small_vectors, teacher=Teacher(), max_iter=3, word_decay=10.0, random_state=0
    )
    heavy.set_params(optimizer="adagrad", learning_rate=0.001).fit(small_pairs)
    light = clone(heavy).set_params(word_decay=0.0, learning_rate=0.05).fit(small_pairs)
    far = np.abs(light.vectors_.matrix - taught.vectors_.matrix).max()
    near = np.abs(heavy.vectors_.matrix - taught.vectors_.matrix).max()
    assert near < 0.02 < far
    assert len(heavy.loss_curve_) == 3
    assert heavy.teacher_loss_curve_ == taught.teacher_loss_curve_


def test_the_teacher_is_asked_once_for_all_folds(small_vectors, small_pairs):
    teacher = FrozenEstimator(ParagramEncoder(vectors=small_vectors))
    encoder = ParagramEncoder(
        vectors=small_vectors, teacher=teacher, max_iter=0, cross_fit=3, random_state=0
    )
    out_of_fold = encoder.fit_transform(small_pairs)
    # no scores are learned from, so that the folds do not differ
    np.testing.assert_allclose(out_of_fold, encoder.transform(small_pairs), atol=1e-12)
    asked = Teacher()
    ParagramEncoder(vectors=small_vectors, teacher=asked, cross_fit=2, max_iter=1).fit_transform(
        small_pairs
    )
    assert len(asked.asked) == len(set(asked.asked))


def test_a_teacher_that_cannot_be_used(small_vectors, small_pairs):
    class Silent:
        def encode(self, sentences):
            return np.full((len(sentences), 3), np.nan)

    encoder = ParagramEncoder(vectors=small_vectors, teacher=Silent())
    with pytest.raises(ValueError, match="holds NaN or infinite numbers"):
        encoder.fit(small_pairs)
    with pytest.raises(ValueError, match="'teacher' parameter"):
        encoder.set_params(teacher=3).fit(small_pairs)
