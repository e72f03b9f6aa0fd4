from __future__ import annotations

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline

from skpara import ParagramEncoder


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
        {"max_iter": 0},
        {"optimizer": "lion"},
        {"oov": "skip"},
        {"device": "tpu"},
        {"cross_fit": 1},
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
