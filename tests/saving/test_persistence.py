"""Every way to save a fitted model gives the same model, in any process and version."""

from __future__ import annotations

import io
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

import skpara
from skpara import ParagramEncoder, SentenceTransformerFeature, WordVectors
from skpara._array_files import map_arrays
from skpara.augment.filters import ReferenceFilter
from skpara.encoders import CachedModel
from skpara.learning import Start, Teacher
from skpara.networks import GRAN, Average
from skpara.resources import Tagger
from skpara.saving import load_model, save_model

DATA = Path(__file__).parents[1] / "data"
NAMES = ["average", "projection", "rnn", "configured", "siamese", "siamese LSTM"]
NAMES += ["siamese classifier", "lexical", "translated", "sts"]


def output(model, pairs):
    """Return the predictions or features of a model."""
    methods = ("predict_proba", "predict", "transform")
    return getattr(model, next(name for name in methods if hasattr(model, name)))(pairs)


class Names(pickle.Unpickler):
    """Records the modules that a pickle names."""

    def __init__(self, model):
        super().__init__(io.BytesIO(pickle.dumps(model)))
        self.modules = set()
        self.loaded = self.load()

    def find_class(self, module, name):
        self.modules.add(module)
        return super().find_class(module, name)


def by_pickle(model, folder):
    names = Names(model)
    assert not [module for module in names.modules if module.split(".")[0] == "torch"]
    return names.loaded


def by_mapped_joblib(model, folder):
    joblib.dump(model, folder / "model.joblib")
    return joblib.load(folder / "model.joblib", mmap_mode="r")


def by_model_file(model, folder):
    return load_model(save_model(model, folder / "model.skpara"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", [by_pickle, by_mapped_joblib, by_model_file])
def test_a_loaded_model_gives_the_same(models, scored, tmp_path, name, way):
    model, pairs = models[name], scored[0][:9]
    if way is by_model_file and name == "translated":
        pytest.skip("model files have no translators")
    expected = output(model, pairs)  # before it is saved: caches are filled, and left out
    again = way(model, tmp_path)
    if way is not by_model_file or name not in ("configured", "sts"):  # which have tables
        assert repr(again) == repr(model)
    np.testing.assert_array_equal(output(again, pairs), expected)


@pytest.mark.parametrize("way", [by_pickle, by_mapped_joblib])
def test_loaded_vectors_give_the_same(tmp_path, small_vectors, way):
    expected = small_vectors.lookup(["dogs"])  # builds the index of n-grams, which is not kept
    again = way(small_vectors, tmp_path)
    assert again.words == small_vectors.words
    np.testing.assert_array_equal(again.matrix, small_vectors.matrix)
    np.testing.assert_array_equal(again.lookup(["dogs"]), expected)
    assert not again.matrix.flags.writeable
    packaged = WordVectors.load()
    again = way(packaged, tmp_path)
    assert (again.words, len(again)) == (packaged.words, len(packaged))
    np.testing.assert_array_equal(again["dog"], packaged["dog"])


def test_wordnet_is_the_packaged_one(wordnet):
    WordNet = type(wordnet)
    assert pickle.loads(pickle.dumps(wordnet)).base_forms("dogs", "n") == ["dog"]
    # Version 0.2 named the folder of the files.
    old = WordNet._restore("/usr/share/wordnet"), WordNet.__new__(WordNet)
    old[1].__setstate__({"folder": "/elsewhere"})
    assert [w.lemma("dogs", "n") for w in old] == ["dog", "dog"]


def test_parameters_that_are_new_have_their_defaults(small_vectors, scored, tmp_path):
    network = GRAN(hidden_size=3, dropout=0.1)
    encoder = ParagramEncoder(network, vectors=small_vectors, max_iter=1).fit(scored[0])
    expected = encoder.transform(scored[0])
    # As if an earlier version without these parameters had fitted and saved the model.
    for owner, name in (
        (encoder.network, "peepholes"),
        (encoder.network_, "peepholes"),
        (encoder, "cross_fit"),
    ):
        delattr(owner, name)
    again = by_pickle(encoder, tmp_path)
    assert again.get_params()["network__peepholes"] is False
    assert again.network_.peepholes is False
    assert again.cross_fit is None
    np.testing.assert_array_equal(again.transform(scored[0]), expected)
    clone(again)


@pytest.mark.parametrize("network", ["average", Average(distinct_words=False)], ids=str)
def test_averages_of_earlier_versions_stay_plain_means(
    small_vectors, scored, tmp_path, rewrite, network
):
    plain = Average(distinct_words=network == "average", redundancy=0.0)
    encoder = ParagramEncoder(plain, vectors=small_vectors, max_iter=1, random_state=0)
    expected = encoder.fit(*scored).transform(scored[0])

    # As if an earlier version, whose averages were all plain, had fitted and saved the model.
    def older(model, shared, arrays, metadata):
        metadata["version"] = "1"
        model["parameters"]["learning_rate"] = None
        for node, name in ((model["parameters"], "network"), (model["fitted"], "network_")):
            if network == "average":
                node[name] = "average"
            else:
                del node[name]["parameters"]["redundancy"]

    path = save_model(encoder, tmp_path / "model.skpara")
    rewrite(path, older)
    again = load_model(path)
    np.testing.assert_array_equal(again.transform(scored[0]), expected)
    assert again.network.redundancy == 0

    for owner in (encoder.network, encoder.network_, encoder.state_.model):
        vars(owner).pop("redundancy", None)
    again = by_pickle(encoder, tmp_path)
    np.testing.assert_array_equal(again.transform(scored[0]), expected)
    assert again.network_.redundancy == 0


def test_a_mapped_model_maps_its_vectors_and_continues_to_train(models, scored, tmp_path):
    again = by_mapped_joblib(models["average"], tmp_path)
    assert isinstance(again.vectors_.layers.moved.base, np.memmap)
    assert isinstance(again.vectors_.layers.table.base, np.memmap)
    other = by_pickle(models["average"], tmp_path)
    assert again.partial_fit(*scored).loss_curve_ == other.partial_fit(*scored).loss_curve_
    network = by_mapped_joblib(models["rnn"], tmp_path)
    assert all(isinstance(weight, np.memmap) for weight in network.weights_.values())


@pytest.mark.parametrize("way", [by_pickle, by_mapped_joblib, by_model_file])
@pytest.mark.parametrize("name", ["average", "rnn", "siamese LSTM"])
def test_a_model_of_a_gpu_works_without_one(models, scored, tmp_path, name, way):
    import torch

    if torch.cuda.is_available():
        pytest.skip("has a GPU")
    model, pairs = models[name], scored[0]
    expected = output(model, pairs)
    again = way(by_pickle(model, tmp_path).set_params(device="cuda"), tmp_path)
    assert again.device == "cuda"
    if name != "average":  # which is computed by NumPy alone
        with pytest.warns(UserWarning, match=r"device='cuda' is not available.* the CPU is used"):
            np.testing.assert_array_equal(output(again, pairs), expected)
        again.set_params(device="auto")
    np.testing.assert_array_equal(output(again, pairs), expected)


# Loads all models of a folder where some packages are missing.
LOAD = """
import json, sys
from pathlib import Path

class Missing:
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] in sys.argv[2:]:
            raise ModuleNotFoundError(f"No module named {name!r}")

sys.meta_path.insert(0, Missing)
from skpara import load_model

pairs, results = json.loads(Path(sys.argv[1], "pairs.json").read_text()), {}
for path in Path(sys.argv[1]).glob("*.skpara"):
    try:
        model = load_model(path)
        methods = ("predict_proba", "predict", "transform")
        output = getattr(model, next(name for name in methods if hasattr(model, name)))
        results[path.stem] = output([tuple(pair) for pair in pairs]).tolist()
    except ImportError as error:
        results[path.stem] = str(error)
print(json.dumps(results))
"""
MISSING = "torch pandas polars gensim nltk sentence_transformers huggingface_hub".split()


@pytest.mark.slow
def test_models_where_packages_are_missing(models, scored, tmp_path):
    saved = models.copy()
    del saved["translated"]
    for name in ("pandas", "polars"):
        pipeline = make_pipeline(by_pickle(saved["average"], tmp_path), Ridge())
        saved[name] = pipeline.set_output(transform=name).fit(*scored)
    for name, model in saved.items():
        save_model(model, tmp_path / f"{name}.skpara")
    (tmp_path / "pairs.json").write_text(json.dumps(scored[0][:9]))
    result = subprocess.run(
        [sys.executable, "-c", LOAD, tmp_path, *MISSING], capture_output=True, check=True
    )
    found = json.loads(result.stdout)
    for name, model in saved.items():
        needed = "torch" if name in NAMES[1:7] else name
        if needed in MISSING:
            assert needed in found[name]
        else:
            np.testing.assert_array_equal(found[name], output(model, scored[0][:9]), name)


# Names in files


def test_files_name_public_modules_only(models, small_vectors, scored, tmp_path):
    small = {"vectors": small_vectors, "max_iter": 1, "random_state": 0}
    teacher = Teacher(CachedModel(ParagramEncoder(vectors=small_vectors)), max_iter=1)
    more = [ParagramEncoder(name, **small) for name in ("dan", "irnn", "gran", "charagram")]
    more += [ParagramEncoder(teacher=teacher, **small | {"vectors": Start(small_vectors)})]
    more += [SentenceTransformerFeature(teacher.model), ReferenceFilter(**small)]
    fitted = [model.fit(scored[0]) for model in more]
    for model in (*models.values(), *fitted, WordVectors.load(), Tagger.load()):
        own = {module for module in Names(model).modules if module.startswith("skpara")}
        assert own
        assert not {module for module in own if "._" in module}, model
    for name in ("rnn", "configured", "siamese", "siamese LSTM", "sts"):
        save_model(models[name], tmp_path / "model.safetensors")
        text = "\n".join(map_arrays(tmp_path / "model.safetensors")[1].values())
        assert re.findall(r"skpara(?:\.\w+)+", text)
        assert "._" not in text


# Files of earlier versions


VERSIONS = sorted(path.name for path in DATA.iterdir() if path.is_dir())


@pytest.fixture(params=VERSIONS)
def version(request):
    """The folder of a version, and the numbers that its files must give."""
    folder = DATA / request.param
    return folder, json.loads((folder / "expected.json").read_text("utf-8"))


def assert_close(numbers, expected):
    np.testing.assert_allclose(numbers, expected, rtol=1e-5, atol=1e-6)


def test_files_of_every_version_are_read(version):
    folder, expected = version
    for name in ("vectors.npz", "vectors.safetensors"):
        vectors = WordVectors.load(folder / name)
        assert vectors.words == expected["words"]
        np.testing.assert_array_equal(vectors.matrix, np.float32(expected["vectors"]))
    for name in ("encoder", "configured"):
        encoder = load_model(folder / f"{name}.safetensors")
        assert_close(encoder.encode(expected["sentences"]), expected[name])
    parameters = encoder.get_params(deep=False)
    old = {"margin", "learning_rate", "whitening"}  # parameters of version 0.2.0
    stated = {name: value for name, value in expected["parameters"].items() if name not in old}
    assert {name: repr(parameters[name]) for name in stated} == stated
    siamese = load_model(folder / "siamese.safetensors")
    assert_close(siamese.predict(expected["pairs"]), expected["siamese"])


@pytest.mark.parametrize("name", ["boosting", "forest", "ridge"])
def test_scores_of_every_version_stay_the_same(version, name):
    # Under any scikit-learn. Sums of float32 may differ in the last digits between processors.
    folder, expected = version
    scores = load_model(folder / f"{name}.skpara").predict(expected["pairs"])
    np.testing.assert_allclose(scores, expected[name], rtol=1e-6, atol=0)


def test_pickles_of_version_0_2_0_find_classes_that_moved():
    moved = {"": "WordFrequencies", ".fusion": "STSPipeline", ".saving": "TreeEnsemble"}
    found = [pickle.loads(f"cskpara{room}\n{name}\n.".encode()) for room, name in moved.items()]
    assert [x.__name__ for x in found] == ["WordFrequencies", "PairPipeline", "TreeEnsemble"]
    assert pickle.loads(b"cskpara.saving\nLinearModel\n.").__name__ == "LinearModel"
    assert not {"WordFrequencies", "STSPipeline"} & {*skpara.__all__, *skpara.fusion.__all__}


def test_a_released_version_has_files_and_they_are_small():
    assert ".dev" in skpara.__version__ or skpara.__version__ in VERSIONS
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) < 200_000
