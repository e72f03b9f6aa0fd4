"""Every way to keep a fitted model gives back the same model, here, elsewhere and later."""

from __future__ import annotations

import io
import json
import os
import pickle
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import joblib
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeRegressor

import skpara
from skpara import (
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    SiameseLSTMRegressor,
    SiameseRegressor,
    WordFrequencies,
    WordVectors,
    make_sts_pipeline,
)
from skpara.augment import FunctionTranslator, TranslateToEnglish
from skpara.networks import LSTM, RNN
from skpara.resources import Tagger, WordNet
from skpara.saving import _model_file
from skpara.saving._skops import load_skops, trusted_types

skops = pytest.importorskip("skops.io")

TREE = "sklearn.tree._tree.Tree"
DATA = Path(__file__).parents[1] / "data"


def translated(sentences):
    return [sentence.replace("w1", "w2") for sentence in sentences]


def spanish(sentences):
    return ["es"] * len(sentences)


def output(model, pairs):
    """What a model says of pairs."""
    return model.predict(pairs) if hasattr(model, "predict") else model.transform(pairs)


@pytest.fixture(scope="module")
def scored(small_pairs):
    return small_pairs[:40], np.linspace(0, 5, 40)


NAMES = ["average", "projection", "rnn", "siamese", "siamese LSTM", "lexical", "translated", "sts"]


@pytest.fixture(scope="module")
def models(small_vectors, scored):
    """One fitted model of each kind."""
    small = {"vectors": small_vectors, "max_iter": 1, "random_state": 0}
    boosting = GradientBoostingRegressor(n_estimators=20)
    translator = FunctionTranslator(translated, "es-en")
    unfitted = {
        "average": ParagramEncoder(output="both", warm_start=True, **small),
        "projection": ParagramEncoder("projection", **small),
        "rnn": ParagramEncoder(RNN(hidden_size=5), output="both", **small),
        "siamese": SiameseRegressor("average", dense_size=4, **small),
        "siamese LSTM": SiameseLSTMRegressor(hidden_size=4, dense_size=4, **small),
        "lexical": LexicalFeatures(["n_gram_match_lc_1"], wordnet=None, tagger=None),
        "translated": make_pipeline(
            TranslateToEnglish(translators={"es": translator}, detector=spanish),
            LexicalFeatures("counts"),
        ),
        "sts": make_sts_pipeline(
            encoder=ParagramEncoder(**small),
            lexical=LexicalFeatures(
                "fast",
                wordnet=None,
                tagger=None,
                vectors=small_vectors,
                frequencies={f"w{i}": i + 1 for i in range(290)},
            ),
            regressor=FusionRegressor(boosting, linear_weight=0.5, random_state=0),
        ),
    }
    assert list(unfitted) == NAMES
    return {name: model.fit(*scored) for name, model in unfitted.items()}


class NoTorch(pickle.Unpickler):
    def find_class(self, module, name):
        assert module.split(".")[0] != "torch", f"the pickle holds {module}.{name}"
        return super().find_class(module, name)


def by_pickle(model, folder):
    return NoTorch(io.BytesIO(pickle.dumps(model))).load()


def by_joblib(model, folder):
    joblib.dump(model, folder / "model.joblib")
    return joblib.load(folder / "model.joblib")


def by_mapped_joblib(model, folder):
    joblib.dump(model, folder / "model.joblib")
    return joblib.load(folder / "model.joblib", mmap_mode="r")


def by_skops(model, folder):
    path = folder / "model.skops"
    skops.dump(model, path)
    types = skops.get_untrusted_types(file=path)
    own = ("skpara.", f"{__name__}.")  # and a function of these tests
    assert all(name.startswith(own) or name == TREE for name in types), types
    return skops.load(path, trusted=types)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", [by_pickle, by_joblib, by_mapped_joblib, by_skops])
def test_a_model_that_is_read_again_says_the_same(models, scored, tmp_path, name, way):
    model, pairs = models[name], scored[0][:9]
    expected = output(model, pairs)  # before it is written: caches are there, and left out
    again = way(model, tmp_path)
    assert repr(again) == repr(model)
    np.testing.assert_array_equal(output(again, pairs), expected)


@pytest.mark.parametrize("way", [by_pickle, by_joblib, by_skops])
def test_resources_that_are_read_again_say_the_same(tmp_path, small_vectors, way):
    again = way(small_vectors, tmp_path)
    assert again.words == small_vectors.words
    np.testing.assert_array_equal(again.matrix, small_vectors.matrix)
    assert not again.matrix.flags.writeable
    packaged = WordVectors.load()
    again = way(packaged, tmp_path)
    assert (again.words, len(again)) == (packaged.words, len(packaged))
    np.testing.assert_array_equal(again["dog"], packaged["dog"])
    for table in (WordFrequencies.load(), WordFrequencies({"a": 3, "b": 0.1})):
        again = way(table, tmp_path)
        words = ["a", "b", "the", "1234"]
        np.testing.assert_array_equal(again.information(words), table.information(words))
    tokens = [["Two", "dogs", "ran"]]
    assert way(Tagger.load(), tmp_path).tag(tokens) == Tagger.load().tag(tokens)


@pytest.mark.parametrize("way", [by_pickle, by_skops])
def test_wordnet_is_found_again_where_this_machine_has_it(wordnet, tmp_path, way):
    moved = WordNet.__new__(WordNet)
    moved.__dict__ |= vars(wordnet) | {"folder": Path("/elsewhere/wordnet")}
    again = way(moved, tmp_path)
    assert again.folder == wordnet.folder
    assert again.base_forms("dogs", "n") == wordnet.base_forms("dogs", "n")


def test_a_mapped_model_reads_its_vectors_from_the_file(models, tmp_path):
    again = by_mapped_joblib(models["average"], tmp_path)
    assert isinstance(again.vectors_.matrix.base, np.memmap)
    network = by_mapped_joblib(models["rnn"], tmp_path)
    assert all(isinstance(weight, np.memmap) for weight in network.weights_.values())


def test_a_model_that_was_read_can_be_fitted_again(models, scored, tmp_path):
    for way in (by_mapped_joblib, by_skops):
        encoder = way(models["average"], tmp_path)
        other = by_pickle(models["average"], tmp_path)
        assert encoder.partial_fit(*scored).loss_curve_ == other.partial_fit(*scored).loss_curve_


@pytest.mark.parametrize("way", [*(by_pickle, by_mapped_joblib, by_skops), "save"])
@pytest.mark.parametrize("name", ["average", "rnn", "siamese LSTM"])
def test_a_model_of_a_gpu_is_read_and_asked_without_one(models, scored, tmp_path, name, way):
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is one")
    model, pairs = models[name], scored[0]
    expected = output(model, pairs)
    fitted_elsewhere = by_pickle(model, tmp_path).set_params(device="cuda")
    if way == "save":
        fitted_elsewhere.save(tmp_path / "model.safetensors")
        again = type(model).load(tmp_path / "model.safetensors")
    else:
        again = way(fitted_elsewhere, tmp_path)
    assert again.device == "cuda"
    if name == "average":  # of which NumPy alone makes vectors
        np.testing.assert_array_equal(output(again, pairs), expected)
        return
    with pytest.warns(UserWarning, match=r"device='cuda' was asked for.* the CPU is used"):
        found = output(again, pairs)
    np.testing.assert_array_equal(found, expected)
    again.set_params(device="auto")
    np.testing.assert_array_equal(output(again, pairs), expected)


# save and load


@pytest.mark.parametrize("name", ["siamese", "siamese LSTM"])
def test_a_siamese_regressor_is_saved_in_one_file(models, scored, tmp_path, name):
    model, path = models[name], tmp_path / "model.safetensors"
    model.save(path)
    again = type(model).load(path)
    np.testing.assert_array_equal(again.predict(scored[0]), model.predict(scored[0]))
    np.testing.assert_array_equal(
        again.predict_distribution(scored[0]), model.predict_distribution(scored[0])
    )
    assert isinstance(again.vectors_.matrix.base, np.memmap)
    for parameter in model.get_params().keys() - {"vectors"}:
        assert getattr(again, parameter) == getattr(model, parameter)
    assert again.loss_curve_ == model.loss_curve_
    assert again.history_ == model.history_
    again.save(path)  # over the file that it is mapped from
    np.testing.assert_array_equal(again.predict(scored[0]), model.predict(scored[0]))
    again.set_params(warm_start=True).fit(*scored)
    other = SiameseLSTMRegressor if name == "siamese" else SiameseRegressor
    with pytest.raises(
        ValueError, match=f"holds no {other.__name__} but a {type(model).__name__}"
    ):
        other.load(path)


def test_a_subclass_is_read_as_what_is_asked_for(models, small_vectors, scored, tmp_path):
    class Mine(ParagramEncoder):
        pass

    path = tmp_path / "mine.safetensors"
    Mine(vectors=small_vectors, max_iter=0).fit(scored[0]).save(path)
    assert type(Mine.load(path)) is Mine
    assert type(ParagramEncoder.load(path)) is ParagramEncoder


@pytest.mark.parametrize("name", ["projection", "siamese"])
def test_files_of_the_future_are_refused_by_name(models, tmp_path, name):
    model, path = models[name], tmp_path / "model.safetensors"

    def load_with(**changes):
        model.save(path)
        save_file(load_file(path), path, metadata(path) | changes)
        return type(model).load(path)

    load_with(skpara="9.1.0")
    with pytest.raises(ValueError, match=r"skpara 9\.1\.0 in format 2, newer .*; upgrade skpara"):
        load_with(skpara="9.1.0", version="2")
    with pytest.raises(ValueError, match="names no version of its format"):
        load_with(version="two")
    more = json.dumps(json.loads(metadata(path)["parameters"]) | {"n_heads": 3})
    with pytest.raises(ValueError, match=r"skpara 9\.1\.0 and has the parameters \['n_heads'\]"):
        load_with(skpara="9.1.0", parameters=more)
    with pytest.raises(ValueError, match="is damaged"):
        load_with(parameters="{")
    fewer = json.loads(metadata(path)["fitted"]) if path.exists() else {}
    del fewer["history_"]
    assert not hasattr(load_with(fitted=json.dumps(fewer | {"fit": 1})), "history_")
    assert callable(load_with(fitted=json.dumps(fewer | {"fit": 1})).fit)


def test_a_network_with_unknown_fields_or_of_others_is_refused(models, scored, tmp_path):
    path = tmp_path / "model.safetensors"
    models["rnn"].save(path)
    parameters = json.loads(metadata(path)["parameters"])
    parameters["network"]["fields"]["n_heads"] = 3
    save_file(load_file(path), path, metadata(path) | {"parameters": json.dumps(parameters)})
    with pytest.raises(ValueError, match=r"the fields \['n_heads'\] of RNN"):
        ParagramEncoder.load(path)

    class Mine(LSTM):
        pass

    encoder = ParagramEncoder(Mine(hidden_size=2), vectors=models["rnn"].vectors_, max_iter=1)
    with pytest.raises(TypeError, match="Only networks of skpara can be saved, not Mine"):
        encoder.fit(scored[0]).save(path)


def metadata(path):
    """The description of a safetensors file, by JSON alone."""
    with open(path, "rb") as opened:
        return json.loads(opened.read(int.from_bytes(opened.read(8), "little")))["__metadata__"]


WITHOUT_TORCH = """
import json, sys
with open(sys.argv[1], "rb") as opened:
    header = json.loads(opened.read(int.from_bytes(opened.read(8), "little")))
parameters = json.loads(header["__metadata__"]["parameters"])
import numpy as np
from skpara import ParagramEncoder, SiameseRegressor
encoder = ParagramEncoder.load(sys.argv[1])
assert encoder.get_params()["margin"] == parameters["margin"]
assert encoder.encode(["w1 w2", ""]).shape == (2, 20)
assert encoder.transform([("w1", "w2")]).shape == (1, 41)
regressor = SiameseRegressor.load(sys.argv[2])
assert regressor.vectors_.matrix.shape[1] == 20
print([name for name in sys.modules if name.split(".")[0] in ("torch", "safetensors.torch")])
"""


def test_a_file_is_read_and_an_average_encodes_without_torch(models, tmp_path):
    paths = [tmp_path / "encoder.safetensors", tmp_path / "siamese.safetensors"]
    for name, path in zip(["average", "siamese"], paths, strict=True):
        models[name].save(path)
    found = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *map(str, paths)],
        env=os.environ | {"PYTHONPATH": str(DATA.parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout.strip() == "[]", found.stderr


# skops: who is trusted


def test_what_is_trusted_is_all_but_what_reaches_outside(models, tmp_path):
    outside = []
    for name, model in models.items():
        types = skops.get_untrusted_types(data=skops.dumps(model))
        if set(types) - {*trusted_types(), TREE}:
            outside.append(name)
    assert outside == ["translated"]
    for name in trusted_types():
        module, _, attribute = name.rpartition(".")
        assert hasattr(sys.modules.get(module) or __import__(module, fromlist=["_"]), attribute)


def test_translators_are_let_in_only_by_name(models, scored, tmp_path):
    path = tmp_path / "model.skops"
    skops.dump(models["translated"], path)
    with pytest.raises(ValueError, match=r"FunctionTranslator.*does not vouch for.*pass trusted="):
        load_skops(path)
    named = skops.get_untrusted_types(file=path)
    again = load_skops(path, named)
    np.testing.assert_array_equal(
        again.transform(scored[0]), models["translated"].transform(scored[0])
    )


@pytest.mark.parametrize(
    "estimator",
    [
        GradientBoostingRegressor(n_estimators=3),
        RandomForestRegressor(n_estimators=3, max_leaf_nodes=9),
        DecisionTreeRegressor(),
    ],
)
def test_whole_trees_are_let_in(tmp_path, estimator):
    X = np.random.default_rng(0).random((50, 3))
    model = FusionRegressor(estimator, random_state=0).fit(X, 5 * X[:, 0])
    skops.dump(model, tmp_path / "model.skops")
    again = load_skops(tmp_path / "model.skops")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def changed_nodes(**fields):
    def change(boosting):
        tree = boosting.estimators_[1, 0].tree_
        state = tree.__getstate__()
        for name, value in fields.items():
            state["nodes"][name][0] = value
        tree.__setstate__(state)

    return change


def shallow(boosting):
    tree = boosting.estimators_[0, 0].tree_
    tree.__setstate__(tree.__getstate__() | {"max_depth": 1})


def two_columns(boosting):
    boosting.estimators_ = np.hstack([boosting.estimators_] * 2)


def wide(boosting):
    boosting.n_features_in_ = 2  # and its trees look at three


def no_tree(boosting):
    boosting.estimators_[0, 0].tree_ = np.zeros(3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (changed_nodes(feature=3), "nodes do not hold together"),
        (changed_nodes(feature=-9), "nodes do not hold together"),
        (changed_nodes(left_child=0), "nodes do not hold together"),
        (changed_nodes(right_child=10**6), "nodes do not hold together"),
        (changed_nodes(left_child=-1), "nodes do not hold together"),
        (shallow, "deeper than it says"),
        (two_columns, "not made of trees"),
        (wide, "nodes do not hold together"),
        (no_tree, "not made of trees"),
    ],
)
def test_trees_that_would_read_outside_their_memory_are_refused(tmp_path, change, message):
    X = np.random.default_rng(0).random((200, 3))
    boosting = GradientBoostingRegressor(n_estimators=3, max_depth=4, random_state=0)
    model = FusionRegressor(boosting, random_state=0).fit(X, X @ [1.0, 2.0, 3.0])
    change(model.estimators_[0])
    skops.dump({"model": [model]}, tmp_path / "model.skops")
    with pytest.raises(ValueError, match=message):
        load_skops(tmp_path / "model.skops")
    load_skops(tmp_path / "model.skops", [TREE])  # as asked


def test_trees_of_models_that_are_not_known_are_refused(tmp_path):
    X = np.random.default_rng(0).random((20, 3))
    tree = DecisionTreeRegressor().fit(X, X[:, 0]).tree_
    skops.dump(FusionRegressor(score_range=[tree]), tmp_path / "model.skops")
    with pytest.raises(ValueError, match="nobody can tell how many features"):
        load_skops(tmp_path / "model.skops")


def test_what_is_no_skops_file_is_refused(tmp_path):
    path = tmp_path / "model.skops"
    for content in (b"", b"PK\x03\x04", pickle.dumps([1])):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"is not a readable \.skops file"):
            load_skops(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", "{}")
    with pytest.raises(ValueError, match=r"is not a readable \.skops file"):
        load_skops(path)


# Files of versions past


VERSIONS = sorted(path.name for path in DATA.iterdir() if path.is_dir())


@pytest.fixture(params=VERSIONS)
def kept(request):
    """The folder of a version, and what its files must give."""
    folder = DATA / request.param
    return folder, json.loads((folder / "expected.json").read_text("utf-8"))


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_arrays_of_every_version_are_read(kept):
    folder, expected = kept
    for name in ("vectors.npz", "vectors.safetensors"):
        vectors = WordVectors.load(folder / name)
        assert vectors.words == expected["words"]
        np.testing.assert_array_equal(vectors.matrix, np.float32(expected["vectors"]))
    encoder = ParagramEncoder.load(folder / "encoder.safetensors")
    close(encoder.encode(expected["sentences"]), expected["encoder"])
    siamese = SiameseLSTMRegressor.load(folder / "siamese.safetensors")
    close(siamese.predict(expected["pairs"]), expected["siamese"])


def test_pickles_of_other_versions_say_what_to_do(kept):
    folder, expected = kept
    there, here = expected["versions"], _model_file._versions()
    parts = _model_file._PARTS
    agree = all(there[n].split(".")[:k] == here[n].split(".")[:k] for n, k in parts.items())
    if agree:
        model = _model_file.load_model(folder / "fusion.skpara").model
        close(model.predict(expected["pairs"]), expected["fusion"])
    else:
        with pytest.raises(ValueError, match="a model is read by the versions that wrote it"):
            _model_file.load_model(folder / "fusion.skpara")


def test_skops_files_of_the_same_scikit_learn_are_read(kept):
    folder, expected = kept
    here = _model_file._versions()["scikit-learn"].split(".")[:2]
    with warnings.catch_warnings():
        if expected["versions"]["scikit-learn"].split(".")[:2] != here:
            pytest.skip("scikit-learn promises nothing across its versions")
        warnings.simplefilter("ignore")  # a patch version may differ
        model = load_skops(folder / "fusion.skops")
    close(model.predict(expected["pairs"]), expected["fusion"])


def test_this_version_has_files_and_they_are_small():
    assert skpara.__version__ in VERSIONS
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) < 200_000
