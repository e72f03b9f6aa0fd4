"""Files that an attacker wrote: nothing in them is imported, called or unpickled."""

from __future__ import annotations

import ast
import json
import pickle
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest

import skpara
from skpara import ParagramEncoder, SiameseClassifier, WordVectors, load_model, save_model
from skpara.saving import is_model_file

# What the source of the package calls

PACKAGE = Path(skpara.__file__).parent
# They run, or may run, code from their arguments.
DANGEROUS = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "os.system",
    "os.popen",
    "subprocess.getoutput",
    "subprocess.getstatusoutput",
    "pickle.load",
    "pickle.loads",
    "pickle.Unpickler",
    "marshal.load",
    "marshal.loads",
    "shelve.open",
    "joblib.load",
    "torch.load",
    "numpy.load",
    "yaml.load",
    "sqlite3.enable_load_extension",
}


def calls(path):
    """Yield the full names of the functions that a file calls."""
    tree = ast.parse(path.read_text("utf8"))
    origin = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            origin |= {(alias.asname or alias.name): alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            origin |= {
                (alias.asname or alias.name): f"{node.module}.{alias.name}" for alias in node.names
            }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            head, dot, rest = ast.unparse(node.func).partition(".")
            yield origin.get(head, head) + dot + rest, node


def files():
    return sorted(PACKAGE.rglob("*.py"))


def dangerous(path):
    for name, node in calls(path):
        safe = any(
            keyword.arg in ("allow_pickle", "weights_only")
            and isinstance(keyword.value, ast.Constant)
            and keyword.value.value is (keyword.arg == "weights_only")
            for keyword in node.keywords
        )
        if name in DANGEROUS and not safe:
            yield name
        for keyword in node.keywords:
            if keyword.arg == "shell" and ast.unparse(keyword.value) != "False":
                yield f"{name}(shell=)"
            if keyword.arg in ("allow_pickle", "trust_remote_code", "weights_only"):
                safe_value = "True" if keyword.arg == "weights_only" else "False"
                if ast.unparse(keyword.value) != safe_value:
                    yield f"{name}({keyword.arg}=)"


def test_no_code_of_files_is_run():
    places = {
        (path.relative_to(PACKAGE).as_posix(), name)
        for path in files()
        for name in dangerous(path)
    }
    assert not places


@pytest.mark.parametrize(
    "code",
    [
        "eval('1')",
        "import pickle as p\np.loads(b'')",
        "from joblib import load\nload('x')",
        "import numpy as np\nnp.load('x', allow_pickle=True)",
        "import numpy as np\nnp.load('x')",
        "import torch\ntorch.load('x', weights_only=False)",
        "import subprocess\nsubprocess.run('ls', shell=True)",
    ],
)
def test_the_search_finds_dangerous_calls(tmp_path, code):
    path = tmp_path / "code.py"
    path.write_text(code)
    assert list(dangerous(path))


def test_programs_are_called_with_a_list_of_arguments():
    for path in files():
        for name, node in calls(path):
            if name.startswith("subprocess.") and name not in ("subprocess.TimeoutExpired",):
                assert not isinstance(node.args[0], (ast.Constant, ast.JoinedStr)), path


# Files


class Trap:
    """Unpickling it creates a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.mark.parametrize(
    "name",
    ["v.pkl", "v.kv", "v.model", "v.pickle", "v.txt", "v.bin", "v.npz", "v.safetensors", "v.gz"],
)
def test_a_pickle_is_never_opened_as_vectors(tmp_path, name):
    trap = tmp_path / "created"
    (tmp_path / name).write_bytes(pickle.dumps(Trap(trap)))
    with pytest.raises(ValueError, match=name):
        WordVectors.load(tmp_path / name)
    (tmp_path / "objects.npz").unlink(missing_ok=True)
    np.savez(
        tmp_path / "objects.npz", words=np.array([Trap(trap)], object), matrix=np.ones((1, 1))
    )
    with pytest.raises(ValueError, match="objects"):
        WordVectors.load(tmp_path / "objects.npz")
    assert not trap.exists()


def test_a_pickle_is_never_opened_as_an_encoder(tmp_path):
    path = tmp_path / "encoder.safetensors"
    joblib.dump(Trap(tmp_path / "created"), path)
    for load in (ParagramEncoder.load, load_model):
        with pytest.raises(ValueError, match="is a pickle, which can run code"):
            load(path)
    assert not (tmp_path / "created").exists()


# Damage: bytes that changed. The checksum finds all of it.


def flips(content):
    """Yield copies with one bit flipped, in all parts of the file."""
    places = np.random.default_rng(0).integers(0, len(content), 40)
    for place in [0, 7, 8, 9, 40, 60, *places.tolist(), len(content) - 1]:
        flipped = bytearray(content)
        flipped[place] ^= 1 << (place % 8)
        yield bytes(flipped)


@pytest.mark.parametrize("name", ["average", "rnn", "sts"])
def test_no_changed_byte_is_read(models, tmp_path, name):
    path = tmp_path / "model.safetensors"
    save_model(models[name], path)
    content = path.read_bytes()
    cuts = [content[: int(share * len(content))] for share in (0, 0.001, 0.3, 0.9, 0.99999)]
    longer = [content + b"0", content[:-100] + bytes(100), content[:100] + content]
    for damaged in (*flips(content), *cuts, *longer):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"model\.safetensors"):
            load_model(path)


# Damage: what somebody wrote who made the checksum right again


def of_class(name, **parameters):
    return {"class": name, "parameters": parameters, "fitted": {}}


def put(*keys):
    """Return a change that sets a value of the model's JSON; the last key is the value."""
    *path, last, value = keys

    def change(model, shared, arrays, metadata):
        part = model
        for key in path:
            part = part[key]
        part[last] = value

    return change


def remove(*keys):
    *path, last = keys

    def change(model, shared, arrays, metadata):
        part = model
        for key in path:
            part = part[key]
        del part[last]

    return change


def weight(change):
    """Return a change of the first weight of the network."""

    def changed(model, shared, arrays, metadata):
        weights = model["fitted"]["weights_"]["dict"]
        number = str(next(iter(weights.values()))["array"])
        arrays[number] = change(arrays[number])

    return changed


def table(key, change):
    """Return a change of the array of a table of vectors."""

    def changed(model, shared, arrays, metadata):
        state = next(t["state"]["dict"] for t in reversed(shared) if key in t["state"]["dict"])
        number = str(state[key]["array"])
        arrays[number] = change(arrays[number])

    return changed


def text(**texts):
    return lambda model, shared, arrays, metadata: metadata.update(texts)


def put_nan(array):
    array = array.copy()
    array.ravel()[-1] = np.nan
    return array


def not_utf8(model, shared, arrays, metadata):
    arrays["99"] = np.full(9, 255, dtype=np.uint8)
    model["fitted"]["n_iter_"] = {"text": 99}


FITTED_NETWORK = ("fitted", "network_", "parameters")
DAMAGE = {
    # JSON
    "no JSON": text(model="{"),
    "a list": text(model="[1]"),
    "a number": text(model="7"),
    "null": text(model="null"),
    "nested lists": text(model="[" * 100_000),
    "nested objects": text(model='{"tuple":[' * 50_000),
    "nested values": put("fitted", "history_", json.loads('{"tuple":[' * 300 + "]}" * 300)),
    "shared is no list": text(shared="7"),
    "shared is nested": text(shared="[" * 100_000),
    "no model": text(model=""),
    "an empty object": text(model="{}"),
    "a version that is a word": text(version="two"),
    "a negative version": text(version="-1"),
    "an unknown kind": put("fitted", "n_iter_", {"what": 1}),
    "two kinds": put("fitted", "n_iter_", {"array": 1, "text": 1}),
    "an array that there is not": put("fitted", "n_iter_", {"array": 99}),
    "a shared object that there is not": put("fitted", "vectors_", {"shared": 99}),
    "a negative shared object": put("fitted", "vectors_", {"shared": -1}),
    "text that is no UTF-8": not_utf8,
    # fields
    "no class": remove("class"),
    "no parameters": remove("parameters"),
    "no fitted attributes": remove("fitted"),
    "parameters in a list": put("parameters", [1]),
    "fitted attributes in a list": put("fitted", [1]),
    "no vectors": remove("fitted", "vectors_"),
    "no network": remove("fitted", "network_"),
    "no weights": remove("fitted", "weights_"),
    "vectors that are a number": put("fitted", "vectors_", 7),
    "a history that is a number": put("fitted", "history_", 7),
    "a method": put("fitted", "fit", 1),
    "a private attribute": put("fitted", "_fitted_network", 1),
    "a property": put("fitted", "averages", True),
    "a class": put("fitted", "__class__", "os"),
    "an unknown parameter": put("parameters", "n_heads", 3),
    # values of parameters
    "an unknown device": put("parameters", "device", "abacus"),
    "an unknown output": put("parameters", "output", "poem"),
    "an output that is a list": put("parameters", "output", [1]),
    "an unknown oov": put("parameters", "oov", "guess"),
    "a batch of half a pair": put("parameters", "batch_size", 0.5),
    "a margin that is text": put("parameters", "margin", "wide"),
    "a margin of NaN": put("parameters", "margin", {"float": "nan"}),
    "an unknown network": put("fitted", "network_", "brain"),
    "a network that is a number": put("fitted", "network_", 7),
    "another network": put("fitted", "network_", "gran"),
    "a network without weights": put("fitted", "network_", "average"),
    "an unknown frame": put("output", "papyrus"),
    # sizes
    "a huge hidden size": put(*FITTED_NETWORK, "hidden_size", 10**9),
    "a hidden size beyond 64 bits": put(*FITTED_NETWORK, "hidden_size", 10**30),
    "a negative hidden size": put(*FITTED_NETWORK, "hidden_size", -5),
    "a hidden size that is text": put(*FITTED_NETWORK, "hidden_size", "5"),
    "another hidden size": put(*FITTED_NETWORK, "hidden_size", 6),
    "layers without end": put(
        "fitted", "network_", of_class("skpara.networks.DAN", n_layers=10**12)
    ),
    "huge layers": put("fitted", "network_", of_class("skpara.networks.DAN", hidden_size=10**12)),
    # weights
    "a weight of NaN": weight(put_nan),
    "an infinite weight": weight(lambda w: w * np.float32(np.inf)),
    "a weight of another shape": weight(lambda w: w[:-1]),
    "a transposed weight": weight(lambda w: np.append(w, w, axis=0)),
    "a weight in double precision": weight(lambda w: w.astype(np.float64)),
    "a weight of integers": weight(lambda w: w.astype(np.int32)),
    "weights in a list": put("fitted", "weights_", [1]),
    "a weight that is a number": put("fitted", "weights_", {"dict": {"bias": 3}}),
    "no weight at all": put("fitted", "weights_", {"dict": {}}),
    # tables
    "fewer moved rows": table("rows", lambda rows: rows[:-1]),
    "moved rows of NaN": table("rows", put_nan),
    "narrow rows": table("rows", lambda rows: rows[:, :-1]),
    "moved rows out of order": table("moved", lambda ids: ids[::-1]),
    "moved rows twice": table("moved", lambda ids: ids // 2 * 2),
    "moved rows beyond the table": table("moved", lambda ids: ids + 10**6),
    "negative moved rows": table("moved", lambda ids: ids - 10**6),
    "moved rows of another type": table("moved", lambda ids: ids.astype(np.float64)),
    "a table of NaN": table("table", put_nan),
    "a shorter table": table("table", lambda rows: rows[:-1]),
    "a flat table": table("table", lambda rows: rows.ravel()),
    # classes
    "a class of Python": put("parameters", "optimizer", of_class("os.system", command="true")),
    "a module that opens a browser": put("fitted", "network_", of_class("antigravity.Egg")),
    "an encoder as a parameter": put("parameters", "margin", of_class("skpara.ParagramEncoder")),
    "a translator": put(
        "parameters", "paraphraser", of_class("skpara.augment.MarianTranslator", source="en")
    ),
    "a private class": put(
        "parameters", "optimizer", of_class("skpara.learning._trainer.Trainer")
    ),
    "a module of skpara": put(
        "parameters", "network", of_class("skpara.networks.modules.antigravity")
    ),
    "a class that trains": put("parameters", "optimizer", of_class("skpara.learning.Session")),
    "a function": put("parameters", "device", of_class("skpara.learning.resolve_device")),
    "a torch module": put("fitted", "network_", of_class("skpara.networks.SentenceModule")),
    "a loader": put("fitted", "network_", of_class("skpara.networks.__loader__")),
    "a class without a name": put("fitted", "network_", of_class("")),
    "a class that is a list": put("fitted", "network_", of_class(["os"])),
    "a parameter of a newer optimizer": put(
        "parameters", "optimizer", of_class("skpara.learning.Adam", lr=1)
    ),
    "an optimizer of text": put(
        "parameters", "optimizer", of_class("skpara.learning.Adam", gradient_clip="much")
    ),
    "a cached pipeline": put(
        "parameters", "optimizer", of_class("sklearn.pipeline.Pipeline", steps=[], memory="/tmp")
    ),
    "a class of scikit-learn": put(
        "parameters", "network", of_class("sklearn.preprocessing.FunctionTransformer")
    ),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_encoders_are_refused_by_name(models, rewrite, tmp_path, monkeypatch, kind):
    def refuse(*arguments, **keywords):
        raise AssertionError("The file was obeyed.")

    monkeypatch.setattr("os.system", refuse)
    monkeypatch.setattr("skpara.learning.resolve_device", refuse)
    path = tmp_path / "model.safetensors"
    models["rnn"].save(path)
    rewrite(path, DAMAGE[kind])
    loaded = set(sys.modules)
    for load in (ParagramEncoder.load, load_model):
        with pytest.raises(ValueError, match=r"model\.safetensors (is damaged|does not contain)"):
            load(path)
    assert not {name for name in set(sys.modules) - loaded if "antigravity" in name}


FUSION = ("parameters", "steps", 1, "tuple", 1)
TREES = (*FUSION, "fitted", "estimators_", 0, "fitted")
LINEAR = (*FUSION, "fitted", "linear_")
LEXICAL = ("parameters", "steps", 0, "tuple", 1, "parameters", "transformer_list", 1, "tuple", 1)


def tree(name, change):
    """Return a change of an array of the trees."""

    def changed(model, shared, arrays, metadata):
        part = model
        for key in (*TREES, name):
            part = part[key]
        arrays[str(part["array"])] = change(arrays[str(part["array"])])

    return changed


def counts(change):
    def changed(model, shared, arrays, metadata):
        state = next(t["state"]["dict"] for t in shared if "terms" in t["state"]["dict"])
        arrays[str(state["counts"]["array"])] = change(arrays[str(state["counts"]["array"])])

    return changed


DAMAGED_PIPELINES = {
    "no steps": put("parameters", "steps", []),
    "steps that are text": put("parameters", "steps", "all"),
    "a step that is a number": put("parameters", "steps", 1, 7),
    "a step without a name": put(*FUSION[:-1], 0, None),
    "a step that is a network": put(*FUSION, of_class("skpara.resources.Tagger")),
    "a feature beyond all": tree("feature_", lambda a: a + 10**6),
    "a negative feature": tree("feature_", lambda a: a - 10**6),
    "features of floats": tree("feature_", lambda a: a.astype(np.float64)),
    "a child beyond all": tree("left_", lambda a: a + 10**6),
    "a child before its parent": tree("left_", lambda a: a * 0),
    "fewer children": tree("left_", lambda a: a[:-1]),
    "a threshold of NaN": tree("threshold_", lambda a: a * np.nan),
    "a value of NaN": tree("value_", put_nan),
    "fewer values": tree("value_", lambda a: a[:-1]),
    "no trees": put(*TREES, "n_trees_", 0),
    "more trees than nodes": put(*TREES, "n_trees_", 10**9),
    "trees without a number": put(*TREES, "n_trees_", "7"),
    "a baseline of NaN": put(*TREES, "baseline_", {"float": "nan"}),
    "a factor of text": put(*TREES, "factor_", "big"),
    "another number of features": put(*TREES, "n_features_in_", 3),
    "no regressors": put(*FUSION, "fitted", "estimators_", 7),
    "an unfitted regressor": put(
        *FUSION, "fitted", "estimators_", [of_class("sklearn.linear_model.Ridge")]
    ),
    "a range upside down": put(*FUSION, "fitted", "score_range_", {"tuple": [5.0, 0.0]}),
    "a range of text": put(*FUSION, "fitted", "score_range_", {"tuple": ["a", "b"]}),
    "a range of one number": put(*FUSION, "fitted", "score_range_", {"tuple": [5.0]}),
    "a weight above one": put(*FUSION, "fitted", "linear_weight_", 7.0),
    "a linear model that is text": put(*LINEAR, "line"),
    "a linear model of one step": put(*LINEAR, "parameters", "steps", []),
    "no scale": remove(*LINEAR, "parameters", "steps", 0, "tuple", 1, "fitted", "scale_"),
    "no coefficients": remove(*LINEAR, "parameters", "steps", 1, "tuple", 1, "fitted", "coef_"),
    "features without names": put(*LEXICAL, "fitted", "features_", 7),
    "unknown features": put(*LEXICAL, "fitted", "features_", ["beauty"]),
    "features without their table": put(*LEXICAL, "fitted", "vectors_", None),
    "frequencies that are vectors": put(*LEXICAL, "fitted", "frequencies_", {"shared": 0}),
    "no document frequencies": put(*LEXICAL, "fitted", "document_frequencies_", {"dict": {}}),
    "fewer counts": counts(lambda a: a[:-1]),
    "counts of floats": counts(lambda a: a.astype(np.float64)),
}


@pytest.mark.parametrize("kind", DAMAGED_PIPELINES)
def test_damaged_pipelines_are_refused_by_name(models, rewrite, tmp_path, kind):
    path = save_model(models["sts"], tmp_path / "model.skpara")
    rewrite(path, DAMAGED_PIPELINES[kind])
    with pytest.raises(ValueError, match=r"model\.skpara is damaged"):
        load_model(path)


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (7, ""),
        ({"values": ["a", "b"], "dtype": "<i8", "shape": [2]}, ""),
        ({"values": [0, 1], "dtype": "<i8", "shape": [2, 1]}, "it has an array of type int64"),
        ({"values": [0, 1], "dtype": "V8", "shape": [2]}, "it has an array of type .*V8"),
        ({"values": [0, 1], "dtype": "nothing", "shape": [2]}, ""),
        ({"values": [[0], [1]], "dtype": "O", "shape": [2]}, "other values than text"),
        ({"values": [0, 1], "dtype": "<i8", "shape": [10**15]}, ""),
        ({"values": [0, 1, 2], "dtype": "<i8", "shape": [3]}, ""),  # the network has two outputs
    ],
)
def test_damaged_classes_are_named(models, rewrite, tmp_path, classes, message):
    path = tmp_path / "model.safetensors"
    models["siamese classifier"].save(path)
    rewrite(path, put("fitted", "classes_", classes))
    with pytest.raises(ValueError, match=f"is damaged.*{message}"):
        SiameseClassifier.load(path)


def test_a_table_claims_no_memory_that_the_file_does_not_have(models, tmp_path):
    path = tmp_path / "model.safetensors"
    models["rnn"].save(path)
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    for name, shape, offsets in (
        ("0", [10**9, 10**9], None),
        ("0", [2**62, 8], None),
        ("0", [-1], None),
        ("0", "many", None),
        ("0", None, [0, 2**63]),
        ("0", None, [2**40, 2**41]),
    ):
        changed = json.loads(json.dumps(header))
        changed[name] |= {"shape": shape} if shape is not None else {"data_offsets": offsets}
        text = json.dumps(changed).encode()
        path.write_bytes(len(text).to_bytes(8, "little") + text + content[8 + length :])
        with pytest.raises(ValueError, match=r"model\.safetensors"):
            load_model(path)
    path.write_bytes((2**63).to_bytes(8, "little") + content[8:])
    with pytest.raises(ValueError, match=r"model\.safetensors"):
        load_model(path)


@pytest.mark.parametrize("name", ["", "os.system", "skpara", "skpara.learning.Adam", "pt"])
def test_files_of_other_formats_contain_no_model(models, rewrite, tmp_path, name):
    path = save_model(models["average"], tmp_path / "model.safetensors")
    rewrite(path, text(format=name))
    with pytest.raises(ValueError, match="does not contain a model of skpara"):
        ParagramEncoder.load(path)
    # As a path to start from, the file is neither an encoder nor a table of vectors.
    assert not is_model_file(path)
