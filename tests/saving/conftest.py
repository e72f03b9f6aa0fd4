"""Fitted models of every kind, to be saved."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.pipeline import make_pipeline

from skpara import (
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    SiameseClassifier,
    SiameseLSTMRegressor,
    SiameseRegressor,
    make_sts_pipeline,
)
from skpara._array_files import map_arrays, write_arrays
from skpara.augment import FunctionTranslator, TranslateToEnglish
from skpara.learning import Adam, Device, Negatives, Paraphraser, Start
from skpara.networks import GRAN, RNN


def translated(sentences):
    return [sentence.replace("w1", "w2") for sentence in sentences]


def spanish(sentences):
    return ["es"] * len(sentences)


@pytest.fixture(scope="session")
def scored(small_pairs):
    return small_pairs[:40], np.linspace(0, 5, 40)


@pytest.fixture(scope="session")
def models(small_vectors, scored):
    """One fitted model of each kind."""
    small = {"vectors": small_vectors, "max_iter": 1, "random_state": 0}
    boosting = GradientBoostingRegressor(n_estimators=20)
    translator = FunctionTranslator(translated, "es-en")
    frequencies = {f"w{i}": i + 1 for i in range(290)}
    options = {"wordnet": None, "tagger": None, "frequencies": frequencies}
    unfitted = {
        "average": ParagramEncoder(output="both", warm_start=True, **small),
        "projection": ParagramEncoder("projection", **small),
        "rnn": ParagramEncoder(RNN(hidden_size=5), output="both", **small),
        "configured": ParagramEncoder(
            GRAN(hidden_size=4, dropout=0.1, word_dropout=0.2),
            optimizer=Adam(gradient_clip=1.0),
            negatives=Negatives("hardest", megabatch_size=2),
            paraphraser=Paraphraser(sentences="unlabeled"),
            device=Device("cpu"),
            **small | {"vectors": Start(small_vectors, norm=2.0)},
        ),
        "siamese": SiameseRegressor("average", dense_size=4, **small),
        "siamese LSTM": SiameseLSTMRegressor(hidden_size=4, dense_size=4, **small),
        "lexical": LexicalFeatures(["n_gram_match_lc_1"], wordnet=None, tagger=None),
        "translated": make_pipeline(
            TranslateToEnglish(translators={"es": translator}, detector=spanish),
            LexicalFeatures("counts"),
        ),
        "sts": make_sts_pipeline(
            encoder=ParagramEncoder(**small),
            lexical=LexicalFeatures("fast", vectors=small_vectors, **options),
            regressor=FusionRegressor(boosting, linear_weight=0.5, random_state=0),
        ),
    }
    fitted = {name: model.fit(*scored) for name, model in unfitted.items()}
    pairs, scores = scored
    classifier = SiameseClassifier("gran", dense_size=4, **small)
    labels = np.where(scores > 2.5, "same", "other")
    return fitted | {"siamese classifier": classifier.fit(pairs, labels)}


@pytest.fixture(scope="session")
def rewrite():
    """A function that changes the parts of a model file; the checksum is right again afterwards.

    It calls ``change(model, shared, arrays, metadata)`` with the parts, which may be modified.
    """

    def rewrite(path, change):
        mapped, metadata = map_arrays(path)
        arrays = {name: np.array(array) for name, array in mapped.items()}
        model, shared = (json.loads(metadata[name]) for name in ("model", "shared"))
        for name in ("checksum", "model", "shared"):
            del metadata[name]
        change(model, shared, arrays, metadata)
        texts = {"model": json.dumps(model), "shared": json.dumps(shared)}
        write_arrays(path, arrays, texts | metadata)
        return path

    return rewrite
