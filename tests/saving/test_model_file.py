"""Model files: which models they can have, their description, and errors for other files."""

from __future__ import annotations

import copy
import json

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.ensemble import (
    BaggingRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    VotingRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils._param_validation import InvalidParameterError

import skpara
from skpara import (
    FusionClassifier,
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    ParagramVectorizer,
    SentenceTransformerFeature,
    TableMatcher,
    load_model,
    save_model,
)
from skpara._array_files import map_arrays
from skpara.features import TermInteractions
from skpara.fusion import CosineRegressor
from skpara.resources import Tagger
from skpara.saving import read_description


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.skpara"


def test_names_of_features_and_frames_as_output_are_saved(path, small_pairs, small_vectors):
    y = np.linspace(0, 5, len(small_pairs))
    model = make_pipeline(
        make_union(ParagramEncoder(vectors=small_vectors, max_iter=1), LexicalFeatures("counts")),
        FusionRegressor(GradientBoostingRegressor(n_estimators=3)),
    ).set_output(transform="pandas")
    model.fit(pd.DataFrame(small_pairs, columns=["left", "right"]), y)
    again = load_model(save_model(model, path))
    frame = pd.DataFrame(small_pairs[:9], columns=["left", "right"])
    np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
    assert isinstance(again[:-1].transform(frame), pd.DataFrame)
    assert again[-1].feature_names_in_.tolist() == model[-1].feature_names_in_.tolist()
    with pytest.raises(ValueError, match="feature names"):
        again[-1].predict(again[:-1].transform(frame)[model[-1].feature_names_in_[::-1]])


def test_a_loaded_pipeline_can_be_cloned_and_fitted_again(path, models, scored):
    model = models["sts"]
    again = load_model(save_model(model, path))
    assert isinstance(again[-1].estimator, GradientBoostingRegressor)
    expected = clone(model).fit(*scored).predict(scored[0])
    np.testing.assert_array_equal(again.fit(*scored).predict(scored[0]), expected)


def test_tables_are_saved_once_and_shared(path, small_vectors, scored):
    parts = [ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=i) for i in range(5)]
    save_model(make_union(parts[0]).fit(*scored), path)
    size = path.stat().st_size
    union = make_union(*parts, LexicalFeatures("vectors", vectors=small_vectors)).fit(*scored)
    again = load_model(save_model(union, path))
    assert path.stat().st_size < 5 * size
    steps = [step for _, step in again.transformer_list]
    assert steps[-1].vectors_.layers.table is steps[0].vectors_.layers.table
    np.testing.assert_array_equal(again.transform(scored[0]), union.transform(scored[0]))


@pytest.mark.parametrize(
    "features",
    [
        LexicalFeatures(["all", "contrast"]),
        LexicalFeatures("fast", wordnet=False, tagger=False, frequencies={"w1": 3, "w2": 1}),
        LexicalFeatures("lemmas", tagger=Tagger.load("hanta")),
        TermInteractions(min_df=1, sparse_output=False),
    ],
    ids=["all", "fast", "lemmas", "terms"],
)
def test_features_are_the_same(path, scored, wordnet, features):
    fitted = features.fit(scored[0])
    again = load_model(save_model(fitted, path))
    np.testing.assert_array_equal(again.transform(scored[0]), fitted.transform(scored[0]))
    again.fit(scored[0])


def test_the_default_pipeline_is_small_and_keeps_the_packaged_table(path, sample):
    model = skpara.make_sts_pipeline(random_state=0).fit(sample.data[:60], sample.target[:60])
    again = load_model(save_model(model, path))
    pairs = sample.data[100:140]
    np.testing.assert_array_equal(again.predict(pairs), model.predict(pairs))
    assert path.stat().st_size < 20e6
    assert dict(again[0].transformer_list)["lexical"].vectors_ is skpara.WordVectors.load()


@pytest.mark.parametrize("fitted", [False, True])
def test_a_vectorizer_keeps_its_vectors(path, scored, small_vectors, monkeypatch, fitted):
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1).fit(scored[0])
    texts = [first for first, _ in scored[0]]
    vectorizer = ParagramVectorizer(encoder) if fitted else ParagramVectorizer()
    model = make_pipeline(vectorizer, Ridge()).fit(texts, scored[1])
    expected = model.predict(texts)
    save_model(model, path)
    # As if another version had other packaged vectors.
    monkeypatch.setattr("skpara.resources._word_vectors._default", lambda: small_vectors)
    np.testing.assert_array_equal(load_model(path).predict(texts), expected)


def test_paths_as_parameters_become_text(path, small_vectors, tmp_path):
    small_vectors.save(tmp_path / "vectors.npz")
    encoder = ParagramEncoder(vectors=tmp_path / "vectors.npz")
    texts, scores = ["w1 w2", "w3", "w4 w5"], [1.0, 2.0, 3.0]
    model = make_pipeline(ParagramVectorizer(encoder), Ridge()).fit(texts, scores)
    again = load_model(save_model(model, path))
    assert again[0].encoder.vectors == str(tmp_path / "vectors.npz")
    np.testing.assert_array_equal(again.predict(texts), model.predict(texts))


def a_function(X):
    return X


class Mine(CosineRegressor):
    """A class of a user."""


@pytest.mark.parametrize(
    ("last", "message"),
    [
        ([KNeighborsRegressor(1)], "KNeighborsRegressor"),
        ([HistGradientBoostingRegressor()], "HistGradientBoostingRegressor, which cannot"),
        (
            [VotingRegressor([("a", Ridge()), ("b", DecisionTreeRegressor())])],
            "VotingRegressor, wh",
        ),
        ([BaggingRegressor(n_estimators=2)], "BaggingRegressor, which cannot"),
        (
            [FusionRegressor(KNeighborsRegressor(1))],
            r"Pipeline\.fusionregressor\.estimators_ is a .*KNeighborsRegressor",
        ),
        (
            [FunctionTransformer(a_function), Ridge()],
            r"Pipeline\.functiontransformer is a .*FunctionTransformer",
        ),
        ([Mine()], r"Pipeline\.mine is a .*Mine\."),
    ],
)
def test_other_parts_are_refused_with_a_remedy(path, scored, last, message):
    encoder = ParagramEncoder(max_iter=0, output="similarity")
    model = make_pipeline(encoder, *last).fit(*scored)
    with pytest.raises(TypeError, match=message + r".*by joblib\.dump"):
        save_model(model, path)
    assert not path.exists()


FEATURES = np.random.default_rng(0).random((40, 2))


@pytest.fixture(scope="module")
def fusions():
    """One fitted model of each class."""
    classes = FusionClassifier, FusionRegressor
    return {cls: cls(random_state=0).fit(FEATURES, np.arange(40) % 2) for cls in classes}


@pytest.mark.parametrize(
    "estimator",
    [
        *(LogisticRegression(), KNeighborsClassifier(), MLPRegressor(), Ridge()),
        *(FrozenEstimator(Ridge().fit([[0.0], [1.0]], [0, 1])), Mine()),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
@pytest.mark.parametrize("cls", [FusionClassifier, FusionRegressor])
def test_what_is_set_for_the_next_fit_does_not_keep_a_model_from_its_file(
    path, fusions, cls, estimator
):
    model = copy.deepcopy(fusions[cls]).set_params(estimator=estimator)
    if cls is FusionClassifier and not hasattr(estimator, "predict_proba"):
        with pytest.raises(InvalidParameterError, match="The 'estimator' parameter"):
            save_model(model, path)
        return
    loaded = load_model(save_model(model, path))
    np.testing.assert_array_equal(loaded.predict(FEATURES), fusions[cls].predict(FEATURES))
    assert loaded.estimator is None or type(loaded.estimator) is type(estimator)


def test_a_wrong_parameter_is_refused_when_the_file_is_written(path):
    features = np.random.default_rng(0).random((40, 2))
    model = FusionRegressor(random_state=0).fit(features, features[:, 0]).set_params(n_repeats=0)
    with pytest.raises(InvalidParameterError, match="n_repeats"):
        save_model(model, path)
    assert not path.exists()


def test_features_that_run_other_code_are_refused(path, scored):
    tagging = LexicalFeatures("lemmas", tagger=lambda tokens: ["NN"] * len(tokens))
    for model in (tagging, SentenceTransformerFeature(ParagramEncoder())):
        with pytest.raises(TypeError, match=r"is a (builtins.function|skpara.Sentence)"):
            save_model(model.fit(*scored), path)


@pytest.mark.parametrize("regressor", [Ridge(), DecisionTreeRegressor()])
def test_sparse_features_are_read(path, scored, regressor):
    model = make_pipeline(TermInteractions(min_df=1), regressor).fit(*scored)
    again = load_model(save_model(model, path))
    np.testing.assert_array_equal(again.predict(scored[0]), model.predict(scored[0]))


def test_unfitted_models_are_refused(path):
    lexical = make_pipeline(LexicalFeatures("counts"), Ridge())
    for model in (ParagramEncoder(), FusionRegressor(), lexical):
        with pytest.raises(NotFittedError):
            save_model(model, path)


def test_unions_with_weights_and_frozen_parts_are_saved(path, scored, small_vectors):
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0).fit(scored[0])
    parts = [("frozen", FrozenEstimator(encoder)), ("off", "drop")]
    parts += [("counts", LexicalFeatures("counts"))]
    union = FeatureUnion(parts, transformer_weights={"frozen": 2.0})
    model = Pipeline([("union", union), ("none", "passthrough"), ("fit", Ridge())]).fit(*scored)
    again = load_model(save_model(model, path))
    np.testing.assert_array_equal(again.predict(scored[0]), model.predict(scored[0]))


# Descriptions and other files


def test_the_description_says_what_the_model_was_trained_with(model, path):
    columns = ("question1", "question2")
    assert save_model(model, path, data="pairs.tsv", n_pairs=640, columns=columns) == path
    description = read_description(path)
    assert (description["data"], description["n_pairs"]) == ("pairs.tsv", 640)
    assert description["columns"] == ["question1", "question2"]
    assert description["versions"]["skpara"] == skpara.__version__
    assert description["versions"]["scikit-learn"] == sklearn.__version__
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"columns": [3]}', '{"columns": 7}', "[" * 9999])
def test_damaged_descriptions_are_named(model, path, rewrite, text):
    save_model(model, path)
    rewrite(path, lambda model, shared, arrays, metadata: metadata.update(description=text))
    with pytest.raises(ValueError, match=r"model\.skpara is damaged"):
        read_description(path)


def test_newer_files_are_named(models, path, rewrite):
    def newer_format(model, shared, arrays, metadata):
        metadata.update(version="3", skpara="9.1.0")

    def newer_parameter(model, shared, arrays, metadata):
        model["parameters"]["n_heads"] = 3
        metadata["skpara"] = "9.1.0"

    save_model(models["average"], path)
    rewrite(path, newer_format)
    for read in (load_model, read_description):
        with pytest.raises(ValueError, match=r"skpara 9\.1\.0 in format 3, newer .*; upgrade"):
            read(path)
    save_model(models["average"], path)
    rewrite(path, newer_parameter)
    with pytest.raises(ValueError, match=r"\['n_heads'\].*by skpara 9\.1\.0.*upgrade skpara"):
        load_model(path)


def test_parameters_that_are_new_have_their_defaults(models, path, rewrite):
    save_model(models["rnn"], path)

    def older(model, shared, arrays, metadata):
        del model["parameters"]["n_jobs"]
        del model["parameters"]["network"]["parameters"]["initialization"]
        del model["fitted"]["history_"]

    again = load_model(rewrite(path, older))
    assert again.n_jobs is None
    assert again.network.initialization == "default"
    assert again.history_ == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a safetensors file or is cut short"),
        (b"sentence1\tsentence2\n", "not a safetensors file .* not tables of pairs"),
        (b"\x80\x05garbage", "is a pickle, which can run code .* joblib.load"),
    ],
)
def test_other_files_are_refused(path, content, message):
    path.write_bytes(content)
    for read in (load_model, read_description):
        with pytest.raises(ValueError, match=message):
            read(path)
    with pytest.raises(FileNotFoundError, match="There is no file"):
        load_model(path.with_name("nothing"))


def test_another_kind_of_model_than_expected_is_refused(path):
    vectorizer = save_model(ParagramVectorizer(), path)
    assert isinstance(load_model(vectorizer, ParagramVectorizer), ParagramVectorizer)
    with pytest.raises(TypeError, match="holds a ParagramVectorizer, not a TableMatcher"):
        load_model(vectorizer, TableMatcher)


def test_the_file_is_json_and_arrays(models, path):
    save_model(models["sts"], path)
    arrays, stored = map_arrays(path)
    assert stored["format"] == "skpara.model"
    assert json.loads(stored["model"])["class"] == "skpara.fusion.PairPipeline"
    assert {array.dtype.str[1:] for array in arrays.values()} <= {"u1", "i1", "i4", "f4", "f8"}


def test_a_suffix_of_another_format_is_warned_of(tmp_path):
    model = CosineRegressor().fit([[0.5]], [1.0])
    with pytest.warns(UserWarning, match=r"model\.pkl will be a model file, whatever its suffix"):
        path = save_model(model, tmp_path / "model.pkl")
    assert load_model(path).predict([[0.5]]) == model.predict([[0.5]])


@pytest.mark.parametrize(
    "regressor",
    [
        *(Ridge(), DecisionTreeRegressor()),
        *(GradientBoostingRegressor(), HistGradientBoostingRegressor()),
    ],
)
def test_a_regressor_that_was_not_fitted_is_refused(regressor, path):
    pairs = [("a dog", "a cat"), ("it rains", "snow")]
    model = make_pipeline(LexicalFeatures("counts").fit(pairs), regressor)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        save_model(model, path)
    assert not path.exists()
