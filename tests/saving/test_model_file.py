"""Model files: which models they can have, their description, and errors for other files."""

from __future__ import annotations

import json

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import ElasticNetCV, Lasso, LinearRegression, Ridge, SGDRegressor
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVR
from sklearn.tree import DecisionTreeRegressor, ExtraTreeRegressor

import skpara
from skpara import (
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    ParagramVectorizer,
    SentenceTransformerFeature,
    load_model,
    save_model,
)
from skpara.explanation import contributions
from skpara.features import TermInteractions
from skpara.fusion import CosineRegressor
from skpara.resources import Tagger
from skpara.saving import LinearModel, TreeEnsemble, boosted_trees, read_description

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 7))
Y = X[:, 0] + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=300)
UNSEEN = RNG.normal(size=(500, 7))

REGRESSORS = [
    GradientBoostingRegressor(n_estimators=30, subsample=0.5, max_depth=4, random_state=0),
    GradientBoostingRegressor(n_estimators=5, init="zero", loss="huber", random_state=0),
    GradientBoostingRegressor(n_estimators=5, loss="quantile", max_leaf_nodes=5, random_state=0),
    RandomForestRegressor(7, random_state=0),
    RandomForestRegressor(3, max_features=2, min_samples_leaf=9, random_state=0),
    ExtraTreesRegressor(7, random_state=0),
    DecisionTreeRegressor(max_depth=1),
    DecisionTreeRegressor(min_samples_leaf=400),  # a single leaf
    ExtraTreeRegressor(criterion="absolute_error", random_state=0),
    LinearRegression(),
    Ridge(),
    Lasso(0.01),
    ElasticNetCV(),
    SGDRegressor(random_state=0),
    LinearSVR(C=0.01, max_iter=100_000, loss="squared_epsilon_insensitive", random_state=0),
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.skpara"


@pytest.mark.parametrize("regressor", REGRESSORS, ids=repr)
def test_regressors_predict_the_same_bits(path, regressor):
    fusion = FusionRegressor(regressor, n_repeats=2, random_state=0).fit(X, Y)
    pipeline = make_pipeline(StandardScaler(), clone(regressor)).fit(X, Y)
    for model in (fusion, pipeline):
        again = load_model(save_model(model, path))
        np.testing.assert_array_equal(again.predict(UNSEEN), model.predict(UNSEEN))
        np.testing.assert_array_equal(again.predict(UNSEEN[:1]), model.predict(UNSEEN[:1]))
    assert isinstance(again[-1], TreeEnsemble | LinearModel)
    if hasattr(pipeline[-1], "feature_importances_"):
        importances = pipeline[-1].feature_importances_
        np.testing.assert_array_equal(again[-1].feature_importances_, importances)


@pytest.mark.parametrize("regressor", REGRESSORS[:9:2], ids=repr)
def test_trees_on_a_threshold_go_the_same_way(path, regressor):
    coarse = np.round(2 * X) / 2
    model = FusionRegressor(regressor, random_state=0).fit(coarse, Y)
    thresholds = load_model(save_model(model, path)).estimators_[0].threshold_
    values = np.unique(thresholds[np.isfinite(thresholds)])
    around = [values, np.nextafter(np.float32(values), np.inf), np.float32(values)]
    rows = np.tile(np.concatenate([*around, [0.0]])[:, None], 7)
    np.testing.assert_array_equal(load_model(path).predict(rows), model.predict(rows))


@pytest.mark.parametrize("regressor", REGRESSORS[:-3], ids=repr)
def test_contributions_of_features_are_the_same(path, regressor):
    model = FusionRegressor(regressor, linear_weight=0.3, random_state=0).fit(X, Y)
    again = load_model(save_model(model, path))
    baseline, added = contributions(model, UNSEEN[:20])
    loaded_baseline, loaded_added = contributions(again, UNSEEN[:20])
    assert loaded_baseline == pytest.approx(baseline)
    np.testing.assert_allclose(loaded_added, added, atol=1e-12)


def test_loaded_regressors_check_their_input_and_cannot_be_fitted(path):
    model = make_pipeline(StandardScaler(), GradientBoostingRegressor(n_estimators=2)).fit(X, Y)
    again = load_model(save_model(model, path))[-1]
    for wrong in (UNSEEN[:, :3], np.full((2, 7), np.inf)):
        with pytest.raises(ValueError, match=r"features|infinity|large"):
            again.predict(wrong)
    with pytest.raises(NotImplementedError, match="was read from a model file"):
        again.fit(X, Y)
    np.testing.assert_array_equal(again.predict(X.tolist()), again.predict(X))


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
    model = skpara.make_sts_pipeline(random_state=0).fit(sample.data[:300], sample.target[:300])
    again = load_model(save_model(model, path))
    pairs = sample.data[300:340]
    np.testing.assert_array_equal(again.predict(pairs), model.predict(pairs))
    assert path.stat().st_size < 20e6
    lexical = dict(again[0].transformer_list)["lexical"]
    assert lexical.vectors_ is skpara.WordVectors.load()


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


@pytest.mark.parametrize("n_classes", [2, 3])
def test_boosted_trees_decide_as_scikit_learns_and_name_the_same_features(n_classes):
    rows = X.astype(np.float32)
    labels = np.digitize(rows[:, 1] + 0.2 * rows[:, 4], [-0.4, 0.4][: n_classes - 1])
    classifier = HistGradientBoostingClassifier(max_iter=5, random_state=0).fit(rows, labels)
    ensembles = boosted_trees(classifier)
    expected = classifier.decision_function(UNSEEN.astype(np.float32)).reshape(len(UNSEEN), -1)
    np.testing.assert_allclose([e.predict(UNSEEN) for e in ensembles], expected.T, rtol=1e-6)
    for ensemble in ensembles:
        assert ensemble.feature_importances_.sum() == pytest.approx(1)
        assert np.argsort(ensemble.feature_importances_)[-2:].tolist() == [4, 1]
        assert ensemble.cover_[: ensemble.n_trees_].tolist() == [len(X)] * ensemble.n_trees_


def a_function(X):
    return X


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (make_pipeline(LexicalFeatures("counts"), KNeighborsRegressor(1)), "KNeighborsRegressor"),
        (make_pipeline(LexicalFeatures("counts"), HistGradientBoostingRegressor()), "HistGrad"),
        (
            make_pipeline(LexicalFeatures("counts"), FusionRegressor(KNeighborsRegressor(1))),
            r"Pipeline\.fusionregressor\.estimator is a .*KNeighborsRegressor",
        ),
        (
            make_pipeline(LexicalFeatures("counts"), GradientBoostingRegressor(init=Ridge())),
            "gradientboostingregressor is gradient boosting with another model as init",
        ),
        (
            make_pipeline(FunctionTransformer(a_function), LexicalFeatures("counts"), Ridge()),
            r"Pipeline\.functiontransformer is a .*FunctionTransformer",
        ),
        (
            make_pipeline(LexicalFeatures("lemmas", tagger=lambda t: ["NN"] * len(t)), Ridge()),
            "tagger._tag_sentence is a builtins.function",
        ),
        (
            make_union(SentenceTransformerFeature(ParagramEncoder())),
            r"FeatureUnion\.sentencetransformerfeature is a skpara.SentenceTransformerFeature",
        ),
    ],
)
def test_other_parts_are_refused_with_a_remedy(path, scored, wordnet, model, message):
    with pytest.raises(TypeError, match=message + r".*skops\.io\.dump, or by joblib\.dump"):
        save_model(model.fit(*scored), path)
    assert not path.exists()


def test_unfitted_models_and_several_targets_are_refused(path):
    with pytest.raises(NotFittedError):
        save_model(FusionRegressor(), path)
    with pytest.raises(NotFittedError):
        save_model(make_pipeline(LexicalFeatures("counts"), Ridge()), path)
    for regressor in (Ridge(), RandomForestRegressor(2)):
        model = make_pipeline(StandardScaler(), regressor).fit(X, np.stack([Y, Y], axis=1))
        with pytest.raises(TypeError, match=r"fitted on several targets|in an unknown way"):
            save_model(model, path)


def test_classes_of_users_are_refused(path):
    class Mine(CosineRegressor):
        pass

    with pytest.raises(TypeError, match=r"Mine is a .*Mine\."):
        save_model(Mine().fit(np.zeros((2, 1))), path)


def test_unions_with_weights_and_frozen_parts_are_saved(path, scored, small_vectors):
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0).fit(scored[0])
    union = FeatureUnion(
        [
            ("frozen", FrozenEstimator(encoder)),
            ("off", "drop"),
            ("counts", LexicalFeatures("counts")),
        ],
        transformer_weights={"frozen": 2.0},
    )
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


def test_a_newer_format_is_refused(model, path, rewrite):
    save_model(model, path)

    def newer(model, shared, arrays, metadata):
        metadata.update(version="2", skpara="9.1.0")

    rewrite(path, newer)
    for read in (load_model, read_description):
        with pytest.raises(ValueError, match=r"skpara 9\.1\.0 in format 2, newer .*; upgrade"):
            read(path)


def test_parameters_of_a_newer_version_are_named(models, path, rewrite):
    models["average"].save(path)

    def newer(model, shared, arrays, metadata):
        model["parameters"]["n_heads"] = 3
        metadata["skpara"] = "9.1.0"

    rewrite(path, newer)
    with pytest.raises(ValueError, match=r"\['n_heads'\].*by skpara 9\.1\.0.*upgrade skpara"):
        load_model(path)


def test_parameters_that_are_new_have_their_defaults(models, path, rewrite):
    models["rnn"].save(path)

    def older(model, shared, arrays, metadata):
        del model["parameters"]["n_jobs"]
        del model["parameters"]["network"]["parameters"]["initialization"]
        del model["fitted"]["history_"]

    again = load_model(rewrite(path, older))
    assert again.n_jobs is None
    assert again.network.initialization == "default"
    assert not hasattr(again, "history_")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a safetensors file or is cut short"),
        (b"sentence1\tsentence2\n", "is not a safetensors file or is cut short"),
        (b"\x80\x05garbage", "is a pickle, which can run code .* joblib.load"),
        (b"PK\x03\x04", "is a zip file.*load_skops"),
    ],
)
def test_other_files_are_refused(path, content, message):
    path.write_bytes(content)
    for read in (load_model, read_description):
        with pytest.raises(ValueError, match=message):
            read(path)
    joblib.dump(Ridge(), path)
    with pytest.raises(ValueError, match="is a pickle"):
        load_model(path)
    with pytest.raises(FileNotFoundError, match="There is no file"):
        load_model(path.with_name("nothing"))


def test_the_file_is_json_and_arrays(models, path):
    save_model(models["sts"], path)
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    metadata = header.pop("__metadata__")
    assert metadata["format"] == "skpara.model"
    assert json.loads(metadata["model"])["class"] == "skpara.fusion.STSPipeline"
    assert {entry["dtype"] for entry in header.values()} <= {"U8", "I8", "I32", "F32", "F64"}
