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
from skpara import ParagramEncoder, WordVectors
from skpara.saving import holds_estimator, read_class

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
# Calls that are allowed, and why.
ALLOWED = {
    # `skpara predict` and `evaluate` open models; their help says to trust the source.
    ("saving/_model_file.py", "joblib.load"),
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


def test_code_is_run_in_few_places():
    places = {
        (path.relative_to(PACKAGE).as_posix(), name)
        for path in files()
        for name in dangerous(path)
    }
    # The checks of skpara.testing load only what they have just saved.
    assert {place for place in places if not place[0].startswith("testing/")} == ALLOWED


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
    with pytest.raises(ValueError, match="not a safetensors file"):
        ParagramEncoder.load(path)
    assert not (tmp_path / "created").exists()


def of_class(name, **parameters):
    return {"class": name, "parameters": parameters}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (of_class("os.system", command="true"), "of class os.system, which"),
        (of_class("antigravity.Egg"), "of class antigravity.Egg, which"),
        (of_class("skpara.ParagramEncoder"), "of class skpara.ParagramEncoder, which"),
        (of_class("skpara.augment.MarianTranslator", source="en"), "MarianTranslator, which"),
        (of_class("skpara.learning._trainer.Trainer"), "_trainer.Trainer, which"),
        (of_class("skpara.networks.modules.antigravity"), "antigravity, which"),
        (of_class("skpara.learning.Session"), "Session, which"),
        (of_class("skpara.learning.resolve_device", device="cuda"), "resolve_device, which"),
        (of_class("skpara.learning.Callback"), "Callback, which"),
        (of_class("skpara.networks.SentenceModule"), "SentenceModule, which"),
        (of_class("skpara.networks.__loader__"), "__loader__, which"),
        (of_class("skpara.learning.Nothing"), "Nothing, which"),
        (of_class(""), "of class , which"),
        (of_class(["os"]), r"of class \['os'\], which"),
        ({"a": 1}, "of class None, which"),
        (
            of_class("skpara.learning.Adam", lr=1),
            r"the parameters \['lr'\] of skpara.learning.Adam",
        ),
        (of_class("skpara.networks.RNN", n_heads=3), r"\['n_heads'\] of skpara.networks.RNN"),
        (
            of_class("skpara.learning.Adam", gradient_clip=of_class("os.system", command="true")),
            "of class os.system in skpara.learning.Adam, which has plain values",
        ),
        (
            of_class("skpara.networks.Siamese", network=[of_class("skpara.networks.LSTM")]),
            "of class skpara.networks.LSTM in skpara.networks.Siamese",
        ),
        ([1, [of_class("antigravity.Egg")]], "of class antigravity.Egg, which"),
        ({"class": "skpara.learning.Adam", "parameters": [1]}, "is damaged"),
        ({"class": "skpara.learning.Adam", "parameters": None}, "is damaged"),
    ],
)
@pytest.mark.parametrize("parameter", ["optimizer", "network", "margin", "network_"])
def test_objects_of_other_classes_are_refused(
    models, metadata, save_with, tmp_path, monkeypatch, value, message, parameter
):
    def refuse(*arguments, **keywords):
        raise AssertionError("The file was obeyed.")

    monkeypatch.setattr("os.system", refuse)
    monkeypatch.setattr("skpara.learning.resolve_device", refuse)
    model, path = models["rnn"], tmp_path / "model.safetensors"
    model.save(path)
    place = "fitted" if parameter == "network_" else "parameters"
    changed = json.loads(metadata(path)[place]) | {parameter: value}
    save_with(model, path, **{place: changed})
    loaded = set(sys.modules)
    with pytest.raises(ValueError, match=message):
        ParagramEncoder.load(path)
    assert not {name for name in set(sys.modules) - loaded if "antigravity" in name}


@pytest.mark.parametrize(
    "changes",
    [
        {"parameters": "[1]"},
        {"parameters": "null"},
        {"parameters": "{"},
        {"parameters": "[" * 100_000},
        {"fitted": "7"},
        {"fitted": "{}"},
        {"fitted": '{"network_": 7}'},
    ],
    ids=lambda changes: repr(changes)[:40],
)
def test_descriptions_of_another_shape_are_refused(models, save_with, tmp_path, changes):
    path = save_with(models["rnn"], tmp_path / "model.safetensors", **changes)
    with pytest.raises(ValueError, match="is damaged"):
        ParagramEncoder.load(path)


def test_fitted_attributes_replace_no_method(models, metadata, save_with, tmp_path):
    model, path = models["rnn"], tmp_path / "model.safetensors"
    model.save(path)
    fitted = json.loads(metadata(path)["fitted"])
    save_with(model, path, fitted=fitted | {"fit": 1, "__class__": "os", "_fitted_network": 1})
    again = ParagramEncoder.load(path)
    assert callable(again.fit)
    np.testing.assert_array_equal(again.encode(["w1 w2"]), model.encode(["w1 w2"]))


@pytest.mark.parametrize(
    "name",
    [
        "",
        "os.system",
        "skpara",
        "skpara.",
        ".skpara",
        "skpara.a.b.C",
        "skpara..C",
        "skpara.antigravity",
        "skpara.__main__.main",
        "skpara.learning.Adam",
        "skpara.saving.load_model",
        "skpara.os.C",
    ],
)
def test_files_of_other_formats_contain_no_encoder(models, save_with, tmp_path, name):
    path = save_with(models["average"], tmp_path / "model.safetensors", format=name)
    with pytest.raises(ValueError, match=r"does not contain an? "):
        ParagramEncoder.load(path)
    # As a path to start from, the file is neither an encoder nor a table of vectors.
    assert not holds_estimator(path)
    with pytest.raises(ValueError, match="does not contain an estimator of skpara"):
        read_class(path)
