"""Encoders and siamese estimators in model files: what is saved, and what is read again."""

from __future__ import annotations

import os

import numpy as np
import pytest

from skpara import (
    ParagramEncoder,
    SentenceClassifier,
    SiameseClassifier,
    load_model,
    save_model,
)
from skpara.encoders import CachedModel
from skpara.learning import (
    AdaDelta,
    AdaGrad,
    Adam,
    Device,
    Negatives,
    Paraphraser,
    Start,
    Teacher,
)
from skpara.networks import DAN, GRAN, LSTM, RNN, Average, Charagram, Projection
from skpara.saving import is_model_file


@pytest.fixture
def path(tmp_path):
    return tmp_path / "encoder.safetensors"


@pytest.mark.parametrize(
    "network",
    [
        Average(dropout=0.1),
        Projection(word_dropout=0.1),
        DAN(n_layers=1),
        RNN(identity=True, nonlinearity="tanh"),
        LSTM(hidden_size=2, bidirectional=True),
        GRAN(hidden_size=3),
        Charagram(ngram_range=(2, 3), n_dims=5),
    ],
    ids=repr,
)
def test_parameter_objects_are_saved(small_vectors, small_pairs, path, network):
    for optimizer, negatives, device in (
        (AdaDelta(), Negatives(), Device("cpu")),
        (AdaGrad(0.1, gradient_clip=2), "hardest", Device(precision="bfloat16")),
        (Adam(gradient_clip=np.float32(0.5)), Negatives("mix", np.int64(2), margin=0.5), "cpu"),
    ):
        encoder = ParagramEncoder(
            network,
            vectors=small_vectors,
            optimizer=optimizer,
            negatives=negatives,
            max_iter=1,
            random_state=0,
        ).set_params(device=device)
        save_model(encoder.fit(small_pairs[:20]), path)
        again = load_model(path)
        loaded, saved = again.get_params(), encoder.get_params()
        assert loaded.keys() == saved.keys()
        for name in saved:
            of = (lambda value: value) if "__" in name else type
            assert of(loaded[name]) == of(saved[name])
        sentences = ["w1 w2 unseen", "", "w3"]
        np.testing.assert_array_equal(again.encode(sentences), encoder.encode(sentences))


def test_other_estimators_are_not_saved(small_vectors, small_pairs, path):
    first = ParagramEncoder(vectors=small_vectors, max_iter=1).fit(small_pairs)
    encoder = ParagramEncoder(
        vectors=Start(first, decay_target=first),
        teacher=Teacher(CachedModel(first), max_iter=1),
        paraphraser=Paraphraser("copy"),
        max_iter=1,
        random_state=np.random.RandomState(0),
    )
    save_model(encoder.fit(small_pairs), path)
    again = load_model(path)
    assert again.vectors is again.vectors_
    assert again.teacher is None
    assert again.paraphraser is None
    assert again.random_state is None


def test_other_files_are_refused(small_vectors, small_pairs, path):
    save_model(ParagramEncoder(vectors=small_vectors, max_iter=1).fit(small_pairs), path)
    assert is_model_file(path)
    small_vectors.save(path)
    with pytest.raises(ValueError, match=r"does not contain a model of skpara but skpara\.Word"):
        load_model(path)
    # As a path to start from, the file is not an encoder.
    assert not is_model_file(path)


@pytest.mark.parametrize("name", ["siamese", "siamese LSTM"])
def test_a_loaded_regressor_is_the_saved_one(models, scored, tmp_path, name):
    model, path = models[name], tmp_path / "model.safetensors"
    save_model(model, path)
    again = load_model(path)
    os.truncate(path, 8)  # reading a map of it would end the process
    np.testing.assert_array_equal(again.predict(scored[0]), model.predict(scored[0]))
    np.testing.assert_array_equal(
        again.predict_distribution(scored[0]), model.predict_distribution(scored[0])
    )
    assert not again.vectors_.layers.table.flags.writeable
    for parameter in model.get_params().keys() - {"vectors"}:
        assert getattr(again, parameter) == getattr(model, parameter)
    assert again.loss_curve_ == model.loss_curve_
    assert again.history_ == model.history_
    save_model(again, path)  # over the file that it is mapped from
    np.testing.assert_array_equal(again.predict(scored[0]), model.predict(scored[0]))
    again.set_params(warm_start=True).fit(*scored)


@pytest.mark.parametrize(
    "labels",
    [["yes", "no"], np.array(["yes", "no"], dtype=object), [7, -1], [True, False], [1.0, 2.0]],
    ids=repr,
)
def test_a_loaded_classifier_predicts_the_same_classes(small_vectors, scored, tmp_path, labels):
    y, path = np.tile(labels, 20), tmp_path / "model.safetensors"
    for cls, X in (
        (SiameseClassifier, scored[0]),
        (SentenceClassifier, [a for a, _ in scored[0]]),
    ):
        model = cls(vectors=small_vectors, max_iter=1, class_weight="balanced").fit(X, y)
        save_model(model, path)
        again = load_model(path)
        assert again.classes_.dtype == model.classes_.dtype
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        assert hasattr(again, "n_features_in_") == hasattr(model, "n_features_in_")
        again.set_params(warm_start=True).fit(X, y)
