from __future__ import annotations

import pickle
import shutil

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline, make_union

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder
from skpara.encoders import SentenceTransformerFeature

PAIRS = [
    ("a man plays guitar", "a dog runs"),
    ("a dog runs", "the cat sleeps and the dog runs and a man plays music"),
    ("music", "music"),
    ("a cat", ""),
    ("", ""),
    (" ", "a dog runs"),
]
WORDS = "a the and man dog cat plays guitar sleeps runs music".split()


class Model:
    """Means of random word vectors."""

    def __init__(self, seed=0):
        rng = np.random.default_rng(seed)
        self.rows = dict(zip(WORDS, rng.standard_normal((len(WORDS), 8)), strict=True))
        self.n_encoded = 0

    def encode(self, sentences):
        self.n_encoded += len(sentences)
        zero = np.zeros(8)
        return np.array(
            [sum((self.rows.get(w, zero) for w in s.split()), zero) for s in sentences]
        )


def feature(model, **parameters):
    """Make a feature of the model's own cosine; see test_whitening.py for what is added to it."""
    plain = {"number_weight": 0, "whitening": 0, "device": "cpu"}
    return SentenceTransformerFeature(model, **plain | parameters)


def by_hand(model, pairs):
    """Compute cosines one pair at a time with NumPy; with an empty sentence they are 0."""
    cosines = []
    for pair in pairs:
        u, v = (model.encode([sentence])[0].astype(np.float64) for sentence in pair)
        blank = not all(sentence.strip() for sentence in pair)
        cosines.append(0.0 if blank else u @ v / np.sqrt((u @ u) * (v @ v)))
    return np.array(cosines)


@pytest.fixture(scope="module")
def folder(tiny_transformer):
    return tiny_transformer


@pytest.fixture(scope="module")
def other_folder(make_transformer):
    return make_transformer(seed=1)


@pytest.fixture(scope="module")
def model(folder):
    package = pytest.importorskip("sentence_transformers")
    return package.SentenceTransformer(str(folder), device="cpu", local_files_only=True)


@pytest.fixture(scope="module")
def expected(model):
    cosines = by_hand(model, PAIRS)
    assert np.ptp(cosines[:3]) > 0.05  # the random model tells sentences apart
    return cosines


def test_a_path_an_object_and_its_pickle_give_the_models_cosines(folder, model, expected):
    for source in (folder, str(folder), model):
        fitted = feature(source).fit(PAIRS)
        packed = pickle.dumps(fitted)
        assert (len(packed) < 5000) == (source is not model)
        for copy in (fitted, pickle.loads(packed)):
            np.testing.assert_allclose(copy.transform(PAIRS)[:, 0], expected, atol=1e-6)
    a, b = zip(*PAIRS, strict=True)
    np.testing.assert_allclose(feature(model).similarity(a, b), expected, atol=1e-6)


def test_sentences_have_the_models_vectors(folder, model):
    sentences = ["a man plays guitar", "", "music", "a man plays guitar"]
    vectors = feature(folder).encode(sentences)  # before fit
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors[::2], model.encode(sentences[::2]), atol=1e-5)
    np.testing.assert_array_equal(vectors[3], vectors[0])
    np.testing.assert_array_equal(vectors[1], np.zeros(32))
    np.testing.assert_array_equal(feature(folder).fit(PAIRS).transform(sentences), vectors)


def test_another_model_at_the_same_place_is_noticed(folder, other_folder, expected, tmp_path):
    place = tmp_path / "model"
    shutil.copytree(folder, place)
    packed = pickle.dumps(feature(place).fit(PAIRS))
    shutil.rmtree(place)
    with pytest.raises(FileNotFoundError, match="no folder"):
        pickle.loads(packed).transform(PAIRS)
    shutil.copytree(other_folder, place)
    again = pickle.loads(packed)
    with pytest.raises(ValueError, match="not the one of fit"):
        again.transform(PAIRS)
    assert np.abs(again.fit(PAIRS).transform(PAIRS)[:, 0] - expected).max() > 0.01


def test_a_search_chooses_among_models(folder, other_folder, model):
    rng = np.random.default_rng(0)
    sentences = [" ".join(rng.choice(WORDS, size=rng.integers(1, 5))) for _ in range(40)]
    pairs = list(zip(sentences[::2], sentences[1::2], strict=True))
    pipeline = make_pipeline(feature(folder), Ridge(alpha=1e-6))
    grid = {"sentencetransformerfeature__model": [other_folder, folder]}
    search = GridSearchCV(pipeline, grid, cv=2, n_jobs=2, error_score="raise")
    with joblib.parallel_config(backend="threading"):  # processes spend seconds on imports
        search.fit(pairs, 5 * by_hand(model, pairs))
    assert search.best_params_["sentencetransformerfeature__model"] == folder
    assert search.best_score_ > 0.99


def test_interactions_are_of_unit_vectors():
    model = Model()
    frame = pd.DataFrame(PAIRS, columns=["left", "right"])
    both = feature(model, output="both", name="tiny").fit(frame)
    row = both.transform(frame[:1])[0]
    u, v = (row / np.linalg.norm(row) for row in model.encode(PAIRS[0]))
    np.testing.assert_allclose(row, [u @ v, *np.abs(u - v), *(u * v)], atol=1e-6)
    names = both.get_feature_names_out().tolist()
    assert names[:2] == ["tiny_similarity", "tiny_difference_0"]
    assert names[-1] == "tiny_product_7"
    assert len(names) == len(row)
    only = feature(model, output="interaction").fit(PAIRS)
    np.testing.assert_allclose(only.transform(PAIRS[:1])[0], row[1:], atol=1e-12)


@pytest.mark.parametrize("weight", [0, 0.4])
def test_each_sentence_is_encoded_once(weight):
    model = Model()
    features = feature(model, number_weight=weight).fit_transform(PAIRS)
    assert model.n_encoded == 6  # five sentences, and one that identifies the model
    again = feature(model, number_weight=weight).fit(PAIRS).transform(PAIRS)
    np.testing.assert_array_equal(features, again)


def test_fit_sees_a_new_model():
    changed = feature(None)
    for model in (Model(), Model(seed=1)):
        cosines = changed.set_params(model=model).fit(PAIRS).transform(PAIRS)
        np.testing.assert_allclose(cosines[:, 0], by_hand(model, PAIRS), atol=1e-6)


def test_clones_have_nothing_loaded_and_share_frozen_models():
    model = Model()
    fitted = feature(model, name="tiny", output="both").fit(PAIRS)
    assert vars(clone(fitted)).keys() == fitted.get_params().keys()
    assert clone(feature(FrozenEstimator(model))).model.estimator is model


def test_an_encoder_of_the_package_is_a_model(small_vectors, small_pairs):
    tuned = ParagramEncoder(vectors=small_vectors, max_iter=2, random_state=0).fit(small_pairs)
    cosines = clone(feature(FrozenEstimator(tuned))).fit_transform(small_pairs)
    np.testing.assert_allclose(cosines, tuned.transform(small_pairs)[:, :1], atol=1e-12)


def test_a_regressor_learns_from_two_models_and_other_features():
    models = [feature(Model(seed), name=name) for seed, name in enumerate(["one", "two"])]
    union = make_union(*models, LexicalFeatures("counts"), verbose_feature_names_out=False)
    scores = by_hand(models[1].model, PAIRS)
    pipeline = make_pipeline(union, FusionRegressor(Ridge(alpha=1e-9)))
    pipeline.fit(PAIRS, scores, featureunion__unlabeled=["a dog"])
    np.testing.assert_allclose(pipeline.predict(PAIRS), scores, atol=1e-3)
    assert union.get_feature_names_out()[:2].tolist() == ["one_similarity", "two_similarity"]


def test_the_sentence_of_a_vector_of_nan_is_named():
    broken = feature(Model()).fit(PAIRS)
    broken.model.rows["cat"] = np.full(8, np.nan)
    assert np.isfinite(broken.transform(PAIRS[:1])).all()
    with pytest.raises(ValueError, match=r"'the cat sleeps .*' has NaN"):
        broken.transform(PAIRS[:2])
