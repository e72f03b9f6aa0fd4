from __future__ import annotations

import pickle
import shutil

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline, make_union

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder
from skpara.encoders import SentenceTransformerFeature
from skpara.networks import Average

pytestmark = pytest.mark.slow

PAIRS = [
    ("a man plays guitar", "a dog runs"),
    ("a dog runs", "the cat sleeps and the dog runs and a man plays music"),
    ("music", "music"),
    ("a cat", ""),
    ("", ""),
    (" ", "a dog runs"),
]
WORDS = "a the and man dog cat plays guitar sleeps runs music".split()


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


def feature(model, **parameters):
    """Make a feature of the model's own cosine; see test_whitening.py for what is added to it."""
    plain = {"number_weight": 0, "whitening": 0, "device": "cpu"}
    return SentenceTransformerFeature(model, **plain | parameters)


def by_hand(model, pairs):
    """Compute cosines one pair at a time with NumPy; with an empty sentence they are 0."""
    cosines = []
    for pair in pairs:
        u, v = (model.encode(sentence).astype(np.float64) for sentence in pair)
        blank = not all(sentence.strip() for sentence in pair)
        cosines.append(0.0 if blank else u @ v / np.sqrt((u @ u) * (v @ v)))
    return np.array(cosines)


@pytest.fixture(scope="module")
def expected(model):
    cosines = by_hand(model, PAIRS)
    assert np.ptp(cosines[:3]) > 0.05  # the random model tells sentences apart
    return cosines


def test_similarity_is_the_cosine_of_the_models_vectors(folder, model, expected):
    for source in (folder, str(folder), model):
        cosines = feature(source).fit(PAIRS).transform(PAIRS)
        assert cosines.shape == (6, 1)
        assert cosines.dtype == np.float64
        np.testing.assert_allclose(cosines[:, 0], expected, atol=1e-6)
    a, b = zip(*PAIRS, strict=True)
    np.testing.assert_allclose(feature(model).similarity(a, b), expected, atol=1e-6)


def test_interactions_are_of_unit_vectors(model):
    both = feature(model, output="both").fit(PAIRS)
    row = both.transform(PAIRS[:1])[0]
    u, v = model.encode(list(PAIRS[0])).astype(np.float64)
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    np.testing.assert_allclose(row, [u @ v, *np.abs(u - v), *(u * v)], atol=1e-6)
    names = both.get_feature_names_out().tolist()
    assert names[:2] == ["transformer_similarity", "transformer_difference_0"]
    assert names[-1] == "transformer_product_31"
    assert len(names) == len(row)
    only = feature(model, output="interaction").fit(PAIRS)
    np.testing.assert_allclose(only.transform(PAIRS[:1])[0], row[1:], atol=1e-12)


def test_sentences_have_the_models_vectors(folder, model):
    sentences = ["a man plays guitar", "", "music", "a man plays guitar"]
    vectors = feature(folder).encode(sentences)  # before fit
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(
        vectors[[0, 2, 3]], model.encode(["a man plays guitar", "music"])[[0, 1, 0]], atol=1e-5
    )
    np.testing.assert_array_equal(vectors[1], np.zeros(32))
    np.testing.assert_array_equal(feature(folder).fit(PAIRS).transform(sentences), vectors)


def test_the_batch_size_changes_rounding_only(folder, expected):
    for batch_size in (1, 2, 100):
        cosines = feature(folder, encode_batch_size=batch_size).fit_transform(PAIRS)[:, 0]
        np.testing.assert_allclose(cosines, expected, atol=1e-6)


def test_frames_keep_their_names(folder, expected):
    import pandas as pd
    import polars as pl

    frame = pd.DataFrame(PAIRS, columns=["left", "right"], index=list("uvwxyz"))
    fitted = feature(folder, name="tiny").set_output(transform="pandas").fit(frame)
    output = fitted.transform(frame)
    assert output.columns.tolist() == ["tiny_similarity"]
    assert output.index.tolist() == list("uvwxyz")
    np.testing.assert_allclose(output["tiny_similarity"], expected, atol=1e-6)
    with pytest.raises(ValueError, match="feature names"):
        fitted.transform(frame[["right", "left"]])
    polars = feature(folder).fit_transform(pl.DataFrame(PAIRS, schema=["a", "b"], orient="row"))
    np.testing.assert_allclose(polars[:, 0], expected, atol=1e-6)


def test_two_models_side_by_side(folder, other_folder):
    union = make_union(feature(folder, name="one"), feature(other_folder, name="two"))
    union.set_params(verbose_feature_names_out=False)
    features = union.fit_transform(PAIRS)
    assert union.get_feature_names_out().tolist() == ["one_similarity", "two_similarity"]
    assert np.abs(features[:2, 0] - features[:2, 1]).max() > 0.01


def test_the_pickle_of_a_path_is_small(folder, expected, tmp_path):
    fitted = feature(folder).fit(PAIRS)
    fitted.transform(PAIRS)
    joblib.dump(fitted, tmp_path / "feature.joblib")
    assert (tmp_path / "feature.joblib").stat().st_size < 5000
    again = joblib.load(tmp_path / "feature.joblib")
    np.testing.assert_allclose(again.transform(PAIRS)[:, 0], expected, atol=1e-6)


def test_an_object_is_part_of_the_pickle(model, expected):
    again = pickle.loads(pickle.dumps(feature(model).fit(PAIRS)))
    np.testing.assert_allclose(again.transform(PAIRS)[:, 0], expected, atol=1e-6)


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
    cosines = again.fit(PAIRS).transform(PAIRS)[:, 0]
    assert np.abs(cosines - expected).max() > 0.01


def test_fit_sees_a_new_model_and_new_parameters(folder, other_folder, model):
    changed = feature(folder).fit(PAIRS)
    first = changed.transform(PAIRS)
    second = changed.set_params(model=other_folder).fit(PAIRS).transform(PAIRS)
    assert np.abs(first - second).max() > 0.01
    np.testing.assert_array_equal(
        changed.set_params(model=folder).fit(PAIRS).transform(PAIRS), first
    )


def test_clones_load_again_and_share_frozen_models(folder, model, expected):
    fitted = feature(folder, name="tiny", output="both").fit(PAIRS)
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert vars(copy) == copy.get_params()  # nothing loaded, nothing fitted
    frozen = feature(FrozenEstimator(model))
    shared = clone(frozen)
    assert shared.model.estimator is model
    np.testing.assert_allclose(shared.fit(PAIRS).transform(PAIRS)[:, 0], expected, atol=1e-6)


def test_an_encoder_of_the_package_is_a_model(small_vectors, small_pairs):
    tuned = ParagramEncoder(vectors=small_vectors, max_iter=2, random_state=0).fit(small_pairs)
    cosines = clone(feature(FrozenEstimator(tuned))).fit_transform(small_pairs)
    np.testing.assert_allclose(cosines, tuned.transform(small_pairs), atol=1e-12)


def test_a_static_model_of_model2vec_is_a_model(small_vectors, small_pairs):
    pytest.importorskip("model2vec")
    # A static model counts each word as often as it occurs.
    encoder = ParagramEncoder(Average(distinct_words=False), vectors=small_vectors)
    cosines = feature(encoder.to_static_model(), encode_batch_size=50).fit_transform(small_pairs)
    first, second = zip(*small_pairs, strict=True)
    np.testing.assert_allclose(cosines[:, 0], encoder.similarity(first, second), atol=1e-6)


@pytest.fixture(scope="module")
def scored(model):
    """Pairs of random words, and scores that are linear in the model's cosine."""
    rng = np.random.default_rng(0)
    sentences = [" ".join(rng.choice(WORDS, size=rng.integers(1, 5))) for _ in range(120)]
    pairs = list(zip(sentences[::2], sentences[1::2], strict=True))
    cosines = by_hand(model, pairs)
    return pairs, 5 * (cosines - cosines.min()) / np.ptp(cosines)


def test_a_regressor_learns_from_it_and_other_features(folder, scored):
    pairs, scores = scored
    union = make_union(feature(folder), LexicalFeatures("counts"))
    pipeline = make_pipeline(union, FusionRegressor(Ridge(alpha=1e-6)))
    predictions = pipeline.fit(pairs, scores).predict(pairs)
    np.testing.assert_allclose(predictions, scores, atol=1e-3)
    assert "sentencetransformerfeature__transformer_similarity" in union.get_feature_names_out()


def test_unlabeled_sentences_change_nothing(folder, scored):
    pairs, _ = scored
    union = make_union(feature(folder), LexicalFeatures("counts"))
    with_them = union.fit(pairs, unlabeled=["a dog", "a cat"]).transform(pairs)[:, 0]
    np.testing.assert_array_equal(with_them, feature(folder).fit_transform(pairs)[:, 0])


def test_a_search_chooses_among_models(folder, other_folder, scored):
    pairs, scores = scored
    pipeline = make_pipeline(feature(folder), Ridge(alpha=1e-6))
    grid = {"sentencetransformerfeature__model": [other_folder, folder]}
    search = GridSearchCV(pipeline, grid, cv=2, n_jobs=2, error_score="raise")
    with joblib.parallel_config(backend="threading"):  # processes spend seconds on imports
        search.fit(pairs, scores)
    assert search.best_params_["sentencetransformerfeature__model"] == folder
    assert search.best_score_ > 0.99


def test_bad_input_is_refused(folder):
    with pytest.raises(ValueError, match="Row 1, column 0 holds None"):
        feature(folder).fit([("a", "b"), (None, "c")])
    with pytest.raises(ValueError, match="'model' parameter"):
        feature(5).fit(PAIRS)
    with pytest.raises(ValueError, match="'output' parameter"):
        feature(folder, output="cosine").fit(PAIRS)
    with pytest.raises(ValueError, match="not fitted"):
        feature(folder).transform(PAIRS)
    with pytest.raises(ValueError, match="inconsistent numbers"):
        feature(folder).similarity(["a"], ["b", "c"])


def test_the_sentence_of_a_vector_of_nan_is_named(model):
    class Forgetful(type(model)):
        def encode(self, sentences, **options):
            vectors = super().encode(sentences, **options)
            vectors[[i for i, s in enumerate(sentences) if "cat" in s]] = np.nan
            return vectors

    broken = feature(Forgetful(modules=list(model), device="cpu")).fit(PAIRS)
    assert np.isfinite(broken.transform(PAIRS[:1])).all()
    with pytest.raises(ValueError, match=r"'the cat sleeps .*' has NaN"):
        broken.transform(PAIRS[:2])
