"""ParagramEncoder as an estimator: training, parameters, continued training."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from skpara import ParagramEncoder, WordVectors
from skpara.learning import Adam
from skpara.networks import Charagram


def test_fit_brings_paraphrases_together(encoder, small_vectors, small_pairs):
    encoder.set_params(max_iter=20).fit(small_pairs)
    first, second = zip(*small_pairs, strict=True)
    before = clone(encoder).similarity(first, second)
    assert encoder.similarity(first, second).mean() > before.mean() + 0.02
    assert encoder.loss_curve_[-1] < 0.95 * encoder.loss_curve_[0]
    assert encoder.n_iter_ == len(encoder.loss_curve_) == 20
    assert encoder.vectors_ is not small_vectors


def test_only_words_of_the_paraphrases_move(encoder, small_vectors, small_pairs):
    encoder.fit(small_pairs)
    for word in ("guitar", "music", "plays"):  # not in the pairs
        np.testing.assert_array_equal(encoder.vectors_[word], small_vectors[word])
    moved = np.abs(encoder.vectors_.matrix - small_vectors.matrix).max(axis=1) > 0
    assert moved[:290].mean() > 0.9


@pytest.mark.parametrize(
    ("negatives", "optimizer"), [("random", "adadelta"), ("hardest", "adagrad"), ("mix", "adam")]
)
def test_all_negatives_and_optimizers_learn(encoder, small_pairs, negatives, optimizer):
    encoder.set_params(negatives=negatives, optimizer=optimizer, max_iter=16).fit(small_pairs)
    losses = np.array(encoder.loss_curve_)  # of negatives that are drawn anew in each epoch
    assert losses[-4:].mean() < losses[:4].mean()


def test_decay_keeps_the_vectors_near_the_initial_ones(encoder, small_vectors, small_pairs):
    distances = []
    for decay in (0.0, 1.0):
        vectors = clone(encoder).set_params(word_decay=decay).fit(small_pairs).vectors_
        distances.append(np.linalg.norm(vectors.matrix - small_vectors.matrix))
    assert distances[1] < distances[0] / 2


def test_the_seed_determines_the_vectors(encoder, small_pairs):
    first, second = (clone(encoder).fit(small_pairs).vectors_.matrix for _ in range(2))
    other = clone(encoder).set_params(random_state=1).fit(small_pairs).vectors_.matrix
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)


def test_new_words_become_rows_with_subword_only(encoder, small_vectors):
    pairs = [("dogs sleep", "dog sleeps"), ("guitars", "guitar")]
    grown = clone(encoder).fit(pairs).vectors_
    assert {"dogs", "sleep", "guitars"} == set(grown.words) - set(small_vectors.words)
    for oov in ("rare", "zero"):
        assert clone(encoder).set_params(oov=oov).fit(pairs).vectors_.words == small_vectors.words


def test_charagram_reads_misspelt_words(encoder):
    pairs = [("a big vehicle", "a big car"), ("my baby", "my child"), ("not able", "unable")] * 20
    encoder.set_params(network=Charagram(n_dims=30), optimizer=Adam(0.02), max_iter=15)
    encoder.set_params(batch_size=6).fit(pairs)
    for misspelt, words in (("vehicals", ["vehicle", "child"]), ("babyyyyyy", ["baby", "car"])):
        near, far = encoder.similarity([misspelt] * 2, words)
        assert near > far


def test_warm_start_continues(encoder, small_pairs):
    cold = clone(encoder).fit(small_pairs).loss_curve_
    encoder.set_params(warm_start=True).fit(small_pairs)
    before = encoder.vectors_.matrix.copy()
    assert encoder.fit(small_pairs).loss_curve_[-1] < cold[-1]
    assert not np.array_equal(before, encoder.vectors_.matrix)


@pytest.mark.parametrize("network", ["average", "lstm", "charagram"])
def test_partial_fit_keeps_the_optimizer(encoder, small_pairs, network):
    encoder.set_params(network=network, optimizer=Adam(0.02))
    for part in range(6):
        encoder.partial_fit(small_pairs[:60] if part % 2 else small_pairs[60:120])
    assert encoder.n_iter_ == 6
    assert encoder.n_paraphrases_ == 360
    assert [entry["epoch"] for entry in encoder.history_] == [1, 2, 3, 4, 5, 6]
    assert encoder.loss_curve_[-1] < encoder.loss_curve_[1]  # the same half of the pairs
    through = clone(encoder).partial_fit(small_pairs[:40])
    stopped = pickle.loads(pickle.dumps(through))
    for model in (through, stopped):
        model.partial_fit(small_pairs[:40])
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
    with pytest.raises(ValueError, match="a single epoch"):
        encoder.set_params(early_stopping=True).partial_fit(small_pairs)


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
        encoder.vectors = {"dog": [1.0, 2.0]}
        assert encoder.encode(["dog"]).tolist() == [[1.0, 2.0]]
        assert len(loaded) == 2
        assert len(pickle.dumps(encoder)) < 3000
