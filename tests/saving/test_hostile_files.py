"""Files that an attacker wrote: nothing in them is imported, called or unpickled."""

from __future__ import annotations

import ast
import copy
import itertools
import json
import pickle
import sys
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest

import skpara
from skpara import TableMatcher, WordVectors, load_model, save_model
from skpara._array_files import map_arrays, write_arrays

# Calls in the source of the package

PACKAGE = Path(skpara.__file__).parent
# They run, or may run, code from their arguments.
DANGEROUS = {
    *("eval", "exec", "compile", "__import__", "os.system", "os.popen", "marshal.load"),
    *("subprocess.getoutput", "subprocess.getstatusoutput", "shelve.open", "pickle.load"),
    *("pickle.loads", "pickle.Unpickler", "marshal.loads", "joblib.load", "torch.load"),
    *("numpy.load", "yaml.load", "sqlite3.enable_load_extension"),
}
SAFE = {"allow_pickle": "False", "weights_only": "True", "trust_remote_code": "False"}


def dotted(node):
    """The full name of a function as it is called, as far as it has one."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def calls(path):
    """Yield the full names of the functions that a file calls."""
    kinds = ast.Import, ast.ImportFrom, ast.Call
    tree = ast.parse(path.read_text("utf8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    origin = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            origin |= {(alias.asname or alias.name): alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            origin |= {
                (alias.asname or alias.name): f"{node.module}.{alias.name}" for alias in node.names
            }
    for node in nodes:
        if isinstance(node, ast.Call):
            head, dot, rest = dotted(node.func).partition(".")
            yield origin.get(head, head) + dot + rest, node


def test_no_code_of_files_is_run():
    for path in sorted(PACKAGE.rglob("*.py")):
        for name, node in calls(path):
            options = {
                keyword.arg: ast.unparse(keyword.value)
                for keyword in node.keywords
                if keyword.arg == "shell" or keyword.arg in SAFE
            }
            assert options.get("shell", "False") == "False", path
            stated = options.keys() & SAFE.keys()
            assert all(options[option] == SAFE[option] for option in stated), path
            assert name not in DANGEROUS or stated, (path, name)
            if name.startswith("subprocess.") and name != "subprocess.TimeoutExpired":
                # Programs are called with a list of arguments.
                assert not isinstance(node.args[0], (ast.Constant, ast.JoinedStr)), path


# Pickles


class Trap:
    """Unpickling it creates a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.mark.parametrize("suffix", ["pkl", "kv", "model", "txt", "bin", "npz", "safetensors"])
def test_a_pickle_is_never_opened_as_vectors(tmp_path, suffix):
    trap, path = tmp_path / "created", tmp_path / f"v.{suffix}"
    path.write_bytes(pickle.dumps(Trap(trap)))
    with pytest.raises(ValueError, match=path.name):
        WordVectors.load(path)
    objects = tmp_path / "objects.npz"
    np.savez(objects, words=np.array([Trap(trap)], object), matrix=np.ones((1, 1)))
    with pytest.raises(ValueError, match="objects"):
        WordVectors.load(objects)
    assert not trap.exists()


def test_a_pickle_is_never_opened_as_an_encoder(tmp_path):
    path = tmp_path / "encoder.safetensors"
    joblib.dump(Trap(tmp_path / "created"), path)
    with pytest.raises(ValueError, match="is a pickle, which can run code"):
        load_model(path)
    assert not (tmp_path / "created").exists()


# Changed bytes: the checksum finds all of them.


def flips(content):
    """Yield copies with one bit flipped, in all parts of the file."""
    places = np.random.default_rng(0).integers(0, len(content), 40)
    for place in [0, 7, 8, 9, 40, 60, *places.tolist(), len(content) - 1]:
        flipped = bytearray(content)
        flipped[place] ^= 1 << (place % 8)
        yield bytes(flipped)


@pytest.mark.parametrize("name", ["average", "sts"])
def test_no_changed_byte_is_read(models, tmp_path, name):
    path = save_model(models[name], tmp_path / "model.safetensors")
    content = path.read_bytes()
    cuts = [content[: int(share * len(content))] for share in (0, 0.001, 0.3, 0.9, 0.99999)]
    longer = [content + b"0", content[:-100] + bytes(100), content[:100] + content]
    for damaged in (*flips(content), *cuts, *longer):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"model\.safetensors"):
            load_model(path)


def test_a_table_claims_no_memory_that_the_file_does_not_have(models, tmp_path):
    path = save_model(models["rnn"], tmp_path / "model.safetensors")
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    changes = [{"shape": shape} for shape in ([10**9, 10**9], [2**62, 8], [-1], "many")]
    changes += [{"data_offsets": offsets} for offsets in ([0, 2**63], [2**40, 2**41])]
    files = [(2**63).to_bytes(8, "little") + content[8:]]
    for change in changes:
        text = json.dumps(header | {"0": header["0"] | change}).encode()
        files.append(len(text).to_bytes(8, "little") + text + content[8 + length :])
    for damaged in files:
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"model\.safetensors"):
            load_model(path)


# Changes by somebody who made the checksum right again


JUNK = [None, 7, -1, 10**30, "text", [], {}, [1], {"array": 99}, {"shared": 99}, {"float": "nan"}]


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    """A thousand files are written, none of which must survive a power cut."""
    monkeypatch.setattr("os.fsync", lambda descriptor: None)


def load_or_refused(path):
    """Return the model of a file, or None if an error names the damaged file."""
    try:
        return load_model(path)
    except ValueError as error:
        if f"{path.name} is damaged" not in str(error):
            raise
        return None


def places(node):
    """Yield each list or object within JSON, with each of its keys."""
    for key in node if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], (dict, list)):
            yield from places(node[key])


@pytest.fixture(scope="module")
def all_models(models, scored):
    frame = pd.DataFrame(scored[0][:15], columns=["name", "note"])
    matcher = TableMatcher(encoder=models["average"], threshold=0)
    return models | {"matcher": matcher.fit(frame, on={"name": "names", "note": "sentences"})}


def used(model, pairs):
    """Return the numbers that a model computes."""
    if hasattr(model, "match"):
        matches = model.match(pd.DataFrame(pairs, columns=["name", "note"]))
        return matches["probability"]
    return (model.predict if hasattr(model, "predict") else model.transform)(pairs)


@pytest.mark.parametrize("name", ["rnn", "sts", "siamese classifier", "matcher"])
def test_changed_json_is_refused_or_gives_a_model_that_works(
    all_models, scored, rewrite, tmp_path, name
):
    path = save_model(all_models[name], tmp_path / "model.skpara")
    content, refused = path.read_bytes(), 0
    for seed in range(20):
        rng = np.random.default_rng(seed)

        def change(model, shared, arrays, metadata, rng=rng):
            found = list(places([model, shared]))[2:]
            part, key = found[rng.integers(len(found))]
            part[key] = copy.deepcopy(JUNK[rng.integers(len(JUNK))])

        path.write_bytes(content)
        rewrite(path, change)
        loaded = load_or_refused(path)
        if loaded is None:
            refused += 1
        else:
            used(loaded, scored[0][:3])
    assert refused > 10


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numbers may overflow
@pytest.mark.parametrize("name", ["rnn", "sts", pytest.param("matcher", marks=pytest.mark.slow)])
def test_changed_arrays_are_refused_or_give_a_model_that_works(
    all_models, scored, rewrite, tmp_path, name
):
    path = save_model(all_models[name], tmp_path / "model.skpara")
    arrays, metadata = map_arrays(path)
    del metadata["checksum"]
    changes = [
        lambda a: a[:-1],
        lambda a: a.reshape(-1, 1),
        lambda a: a.astype(np.float64 if a.dtype != np.float64 else np.int32),
        lambda a: a + np.array(100).astype(a.dtype),
        lambda a: -a - np.array(1).astype(a.dtype),
        lambda a: a[::-1],
        lambda a: ~a if a.dtype.kind == "b" else -a,
        lambda a: a * 0,
        lambda a: np.full(a.shape, 3e38).astype(a.dtype) if a.dtype.kind == "f" else a // 2,
    ]
    # Each array is changed in two ways, and each way changes two ninths of the arrays.
    for shift, (place, key) in itertools.product((0, 4), enumerate(arrays)):
        change = changes[(shift + place) % len(changes)]
        changed = np.ascontiguousarray(change(arrays[key]))
        write_arrays(path, arrays | {key: changed}, metadata)
        loaded = load_or_refused(path)
        if loaded is not None:
            assert np.isfinite(used(loaded, scored[0][:3])).all()


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


def text(**texts):
    return lambda model, shared, arrays, metadata: metadata.update(texts)


def state_of(shared, key):
    """Return the last state of a table that has the key."""
    states = (table["state"]["dict"] for table in reversed(shared))
    return next(state for state in states if key in state)


def array(change, *keys):
    """Return a change of an array of the model's JSON, or of the state of a table with the key."""

    def changed(model, shared, arrays, metadata):
        part = model if len(keys) > 1 else state_of(shared, keys[0])
        for key in keys:
            part = part[key]
        arrays[str(part["array"])] = change(arrays[str(part["array"])])

    return changed


def put_nan(numbers):
    numbers = numbers.copy()
    numbers.ravel()[-1] = np.nan
    return numbers


def classes(values, dtype, shape):
    return put("fitted", "classes_", {"values": values, "dtype": dtype, "shape": shape})


def put_state(key, value):
    """Return a change of the last state of a table that has the key; the value may be computed."""

    def change(model, shared, arrays, metadata):
        state = state_of(shared, key)
        state[key] = value(state[key]) if callable(value) else value

    return change


NETWORK = ("fitted", "network_", "parameters")
STEPS = ("parameters", "steps")
FUSION = (*STEPS, 1, "tuple", 1, "fitted")
SCALER = (*FUSION, "linear_", *STEPS, 0, "tuple", 1)
TREES = (*FUSION, "estimators_", 0, "fitted")
LEXICAL = (*STEPS, 0, "tuple", 1, "parameters", "transformer_list", 1, "tuple", 1, "fitted")
DAMAGE = {
    "rnn": {
        "no JSON": text(model="{"),
        "nested lists": text(model="[" * 100_000),
        "shared is nested": text(shared="[" * 100_000),
        "a version that is a word": text(version="two"),
        "a version of many digits": text(version="1" * 5000),
        "more workers than C counts": put("parameters", "n_jobs", 2**31 - 1),
        "an unknown kind": put("fitted", "n_iter_", {"what": 1}),
        "a negative shared object": put("fitted", "vectors_", {"shared": -1}),
        "a method": put("fitted", "fit", 1),
        "a private attribute": put("fitted", "_fitted_network", 1),
        "an unknown parameter": put("parameters", "n_heads", 3),
        "an unknown frame": put("output", "papyrus"),
        "an epoch without a loss": put("fitted", "history_", [1.0]),
        "another network": put("fitted", "network_", "gran"),
        "a huge hidden size": put(*NETWORK, "hidden_size", 10**9),
        "layers without end": put(
            "fitted", "network_", of_class("skpara.networks.DAN", n_layers=10**12)
        ),
        "moved rows of NaN": array(put_nan, "rows"),
        "moved rows out of order": array(lambda ids: ids[::-1], "moved"),
        "moved rows beyond the table": array(lambda ids: ids + 10**6, "moved"),
        "a table of NaN": array(put_nan, "table"),
        "a class of Python": put("parameters", "optimizer", of_class("os.system", command="true")),
        "a module that opens a browser": put("fitted", "network_", of_class("antigravity.Egg")),
        "a translator": put(
            "parameters", "paraphraser", of_class("skpara.augment.MarianTranslator", source="en")
        ),
        "a torch module": put("fitted", "network_", of_class("skpara.networks.SentenceModule")),
        "a class of scikit-learn": put(
            "parameters", "network", of_class("sklearn.preprocessing.FunctionTransformer")
        ),
    },
    "sts": {
        "no steps": put(*STEPS, []),
        "a regressor within": lambda model, *_: model["parameters"]["steps"].append(
            model["parameters"]["steps"][1]
        ),
        "a step without a name": put(*STEPS, 1, "tuple", 0, None),
        "a step that is a table": put(*STEPS, 1, "tuple", 1, of_class("skpara.resources.Tagger")),
        "a feature beyond all": array(lambda a: a + 10**6, *TREES, "feature_"),
        "a child beyond all": array(lambda a: a + 10**6, *TREES, "left_"),
        "a child before its parent": array(lambda a: a * 0, *TREES, "left_"),
        "a threshold of NaN": array(lambda a: a * np.nan, *TREES, "threshold_"),
        "one threshold for all nodes": put(*TREES, "threshold_", 0.3),
        "more trees than nodes": put(*TREES, "n_trees_", 10**9),
        "a baseline of NaN": put(*TREES, "baseline_", {"float": "nan"}),
        "a range of text": put(*FUSION, "score_range_", {"tuple": ["0", "5"]}),
        "a feature less than its regressor reads": put(*LEXICAL, "features_", ["case_match_len"]),
        "a range upside down": put(*FUSION, "score_range_", {"tuple": [5.0, 0.0]}),
        "a weight above one": put(*FUSION, "linear_weight_", 7.0),
        "no scale": put(*SCALER, "fitted", "scale_", None),
        "a scale that is not used": put(*SCALER, "parameters", "with_std", False),
        "features without their table": put(*LEXICAL, "vectors_", None),
        "frequencies that are vectors": put(*LEXICAL, "frequencies_", {"shared": 0}),
        "fewer counts": array(lambda a: a[:-1], "counts"),
        "half a document": put_state("n", 1e9 + 0.5),
    },
    "siamese classifier": {
        "classes of another type": classes(["a", "b"], "<i8", [2]),
        "a table of classes": classes([0, 1], "<i8", [2, 1]),
        "classes of bytes": classes([0, 1], "V8", [2]),
        "classes that are lists": classes([[0], [1]], "O", [2]),
        "many classes": classes([0, 1], "<i8", [10**15]),
        "more classes than outputs": classes([0, 1, 2], "<i8", [3]),
    },
    "matcher": {
        "one name for two columns": put("fitted", "on_", ["name"]),
        "an encoder that is none": put_state("encoder", False),
        "a number as records": lambda model, *_: model["fitted"].update(on_=None, records_=0.3),
        "a model that is a number": put("fitted", "model_", 0.3),
        "half a character": put_state("cells", [["\ud800"] * 15] * 2),
        "an empty word": put_state("words", lambda words: ["", *words[1:]]),
        "words of no weight": lambda model, shared, arrays, metadata: [
            array.fill(0) for array in arrays.values() if array.dtype.kind == "f"
        ],
    },
}


@pytest.mark.parametrize(("name", "kind"), [(n, kind) for n in DAMAGE for kind in DAMAGE[n]])
def test_damaged_models_are_refused_by_name(
    all_models, rewrite, tmp_path, monkeypatch, name, kind
):
    def refuse(*arguments, **keywords):
        raise AssertionError("The file was obeyed.")

    monkeypatch.setattr("os.system", refuse)
    path = rewrite(save_model(all_models[name], tmp_path / "model.skpara"), DAMAGE[name][kind])
    with pytest.raises(ValueError, match=r"model\.skpara is damaged"):
        load_model(path)
    assert "antigravity" not in sys.modules
