"""Parameter objects, and what all estimators that take them have in common."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV
from sklearn.utils._param_validation import InvalidParameterError

from skpara import ParagramEncoder, SiameseRegressor
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
from skpara.networks import DAN, Average


class Lengths:
    """A model whose vector of a sentence is its numbers of characters and words."""

    def encode(self, sentences):
        return np.array([[len(s), len(s.split())] for s in sentences], dtype=np.float64)


@pytest.fixture
def pairs(small_pairs):
    return np.array(small_pairs[:24], dtype=object)


@pytest.fixture
def y(pairs):
    return np.linspace(3.8, 5, len(pairs))


@pytest.fixture
def encoder(small_vectors):
    return ParagramEncoder(
        vectors=small_vectors, batch_size=8, max_iter=2, random_state=0, device="cpu"
    )


@pytest.fixture
def regressor(small_vectors):
    return SiameseRegressor(
        "average", vectors=small_vectors, batch_size=8, max_iter=1, random_state=0, device="cpu"
    )


@pytest.fixture
def fitted(encoder, pairs):
    """A fitted encoder that clone leaves fitted."""
    return FrozenEstimator(clone(encoder).set_params(network="dan").fit(pairs))


@pytest.fixture
def configured(fitted):
    """An encoder all of whose parameters that can be objects are objects."""
    return ParagramEncoder(
        DAN(dropout=0.1, word_dropout=0.2),
        vectors=Start(fitted, norm=2.0, decay_target=fitted),
        negatives=Negatives("mix", megabatch_size=2),
        paraphraser=Paraphraser("copy", sentences="unlabeled"),
        teacher=Teacher(fitted, max_iter=1),
        optimizer=Adam(gradient_clip=0.5),
        device=Device("cpu", precision="bfloat16"),
        batch_size=8,
        max_iter=1,
        random_state=0,
    )


# A plain value and the object it stands for


@pytest.mark.parametrize(
    ("parameter", "plain", "configured"),
    [
        ("optimizer", "adadelta", AdaDelta()),
        ("optimizer", "adagrad", AdaGrad()),
        ("optimizer", "adam", Adam()),
        ("negatives", "random", Negatives()),
        ("negatives", "hardest", Negatives("hardest")),
        ("negatives", "mix", Negatives("mix")),
        ("paraphraser", "copy", Paraphraser()),
        ("teacher", Lengths(), Teacher(Lengths())),
        ("device", "cpu", Device("cpu")),
    ],
)
def test_an_object_with_default_fields_is_its_plain_value(
    encoder, pairs, parameter, plain, configured
):
    encoder.set_params(network="projection")
    expected = clone(encoder).set_params(**{parameter: plain}).fit(pairs)
    fitted = clone(encoder).set_params(**{parameter: configured}).fit(pairs)
    assert fitted.loss_curve_ == expected.loss_curve_
    assert fitted.teacher_loss_curve_ == expected.teacher_loss_curve_
    np.testing.assert_array_equal(fitted.vectors_.matrix, expected.vectors_.matrix)


def test_a_start_with_default_fields_is_its_vectors(
    encoder, regressor, small_vectors, fitted, pairs, y
):
    encoder.set_params(network="dan")
    for vectors in (small_vectors, fitted):
        expected = clone(encoder).set_params(vectors=vectors).fit(pairs)
        started = clone(encoder).set_params(vectors=Start(vectors)).fit(pairs)
        np.testing.assert_array_equal(started.vectors_.matrix, expected.vectors_.matrix)
    # A siamese regressor scales plain vectors.
    expected = clone(regressor).fit(pairs, y).predict(pairs)
    for norm, same in ((12.0, True), (None, False)):
        regressor.set_params(vectors=Start(small_vectors, norm=norm)).fit(pairs, y)
        assert np.array_equal(regressor.predict(pairs), expected) == same


# clone, get_params and searches


def test_nested_parameters_are_read_and_set(configured):
    parameters = configured.get_params()
    expected = {
        "network__dropout": 0.1,
        "vectors__norm": 2.0,
        "negatives__megabatch_size": 2,
        "paraphraser__sentences": "unlabeled",
        "teacher__max_iter": 1,
        "optimizer__gradient_clip": 0.5,
        "device__precision": "bfloat16",
    }
    assert {name: parameters[name] for name in expected} == expected
    configured.set_params(negatives__kind="hardest", optimizer__gradient_clip=None)
    assert repr(configured.negatives) == "Negatives(kind='hardest', megabatch_size=2)"
    assert repr(configured.optimizer) == "Adam()"
    with pytest.raises(ValueError, match="Invalid parameter 'clip' for estimator Adam"):
        configured.set_params(optimizer__clip=1.0)


def cosine_score(estimator, X, y):
    return np.corrcoef(estimator.transform(X)[:, 0], y)[0, 1]


def test_a_search_reaches_all_fields_of_an_encoder(configured, fitted, small_vectors, pairs):
    y = np.random.default_rng(0).uniform(3.8, 5, len(pairs))
    grid = [
        {"optimizer__gradient_clip": [None, 1e-3]},
        {"negatives__megabatch_size": [1, 3], "negatives__kind": ["hardest", "random"]},
        {"network__dropout": [0.0, 0.5]},
        {"device__precision": ["float32", "bfloat16"]},
        {"vectors__decay_target": [None, fitted]},
    ]
    configured.set_params(teacher=None, paraphraser=None, word_decay=10.0, max_iter=2)
    configured.set_params(positive_threshold=3.8)
    configured.set_params(vectors=Start(small_vectors))
    options = {"scoring": cosine_score, "error_score": "raise", "refit": False}
    search = GridSearchCV(configured, grid, cv=2, **options)
    search.fit(pairs, y)
    scores = search.cv_results_["mean_test_score"]
    # Random negatives need no megabatch; all other settings make a difference.
    assert scores[4] == scores[5]
    for first, second in ((0, 1), (2, 3), (2, 4), (6, 7), (8, 9), (10, 11)):
        assert scores[first] != scores[second], search.cv_results_["params"][second]


# Saving


def test_fitted_encoders_with_objects_are_pickled(configured, pairs):
    configured.fit(pairs, unlabeled=["w1 w2"])
    copied = pickle.loads(pickle.dumps(configured))
    assert repr(copied) == repr(configured)
    np.testing.assert_array_equal(copied.transform(pairs), configured.transform(pairs))
    np.testing.assert_array_equal(
        clone(copied).fit(pairs, unlabeled=["w1 w2"]).transform(pairs), configured.transform(pairs)
    )


# Validation


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("optimizer", Adam(gradient_clip=0.0), "'gradient_clip' parameter of Adam"),
        ("optimizer", AdaDelta(0), "'learning_rate' parameter of AdaDelta"),
        ("negatives", Negatives("hard"), "'kind' parameter of Negatives"),
        ("negatives", Negatives(megabatch_size=0), "'megabatch_size' parameter of Negatives"),
        ("negatives", Negatives(margin=3.0), "'margin' parameter of Negatives"),
        ("negatives", Negatives(margin=0.0), "'margin' parameter of Negatives"),
        ("teacher", Teacher(Lengths(), max_iter=0), "'max_iter' parameter of Teacher"),
        ("teacher", Teacher(3), "'model' parameter of Teacher"),
        ("paraphraser", Paraphraser("nobody"), "'source' parameter of Paraphraser"),
        ("paraphraser", Paraphraser(sentences="none"), "'sentences' parameter of Paraphraser"),
        ("vectors", Start(norm=0), "'norm' parameter of Start"),
        ("device", Device("gpu"), "'name' parameter of Device"),
        ("device", Device("cpu", "float16"), "'precision' parameter of Device"),
        ("network", DAN(dropout=1.0), "'dropout' parameter of DAN"),
        ("network", Average(dropout=1.0), "'dropout' parameter of Average"),
        ("optimizer", "sgd", "'optimizer' parameter of ParagramEncoder"),
        ("optimizer", Adam, r"'optimizer' .* is a class\. Pass an object: Adam\(\)"),
        ("negatives", Adam(), "'negatives' parameter of ParagramEncoder"),
    ],
)
def test_invalid_fields_are_refused_at_fit(encoder, pairs, parameter, value, message):
    encoder.set_params(**{parameter: value})
    with pytest.raises(InvalidParameterError, match=message):
        encoder.fit(pairs)


def test_parameters_of_version_0_2_0():
    current_parameters = ParagramEncoder._current_parameters
    old = {"network": "average", "negatives": "hardest", "optimizer": None, "whitening": False}
    assert current_parameters(old | {"margin": 0.8}) == {
        "network": "average", "negatives": "hardest", "optimizer": None,
    }  # fmt: skip
    current = current_parameters(old | {"margin": 0.4, "learning_rate": 0.01})
    assert current["negatives"].margin == 0.4
    assert (type(current["optimizer"]), current["optimizer"].learning_rate) == (AdaGrad, 0.01)
    assert current["network"].redundancy == 0.0
    current = current_parameters(old | {"network": "lstm", "learning_rate": 0.1})
    assert type(current["optimizer"]) is Adam
