"""Nothing runs code of a file or a shell: read off the source of the whole package."""

from __future__ import annotations

import ast
import pickle
from pathlib import Path

import joblib
import numpy as np
import pytest

import skpara
from skpara import ParagramEncoder, WordVectors

PACKAGE = Path(skpara.__file__).parent
# What runs, or may run, what it is given.
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
# The places where it is allowed, and why.
ALLOWED = {
    # `skpara predict` and `evaluate` open models; their help says to trust where they come from.
    ("saving/_model_file.py", "joblib.load"),
}


def calls(path):
    """Names of the functions that a file calls, with the modules that they come from."""
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
                wanted = "True" if keyword.arg == "weights_only" else "False"
                if ast.unparse(keyword.value) != wanted:
                    yield f"{name}({keyword.arg}=)"


def test_what_runs_code_is_called_in_named_places_only():
    found = {
        (path.relative_to(PACKAGE).as_posix(), name)
        for path in files()
        for name in dangerous(path)
    }
    # the checks of skpara.testing read back what they have just written
    assert {place for place in found if not place[0].startswith("testing/")} == ALLOWED


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
def test_the_search_finds_what_it_is_for(tmp_path, code):
    path = tmp_path / "code.py"
    path.write_text(code)
    assert list(dangerous(path))


def test_programs_are_called_with_a_list_of_arguments():
    for path in files():
        for name, node in calls(path):
            if name.startswith("subprocess.") and name not in ("subprocess.TimeoutExpired",):
                assert not isinstance(node.args[0], (ast.Constant, ast.JoinedStr)), path


class Trap:
    """Whoever unpickles it makes a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.mark.parametrize(
    "name",
    ["v.pkl", "v.kv", "v.model", "v.pickle", "v.txt", "v.bin", "v.npz", "v.safetensors", "v.gz"],
)
def test_a_pickle_is_never_opened_as_vectors(tmp_path, name):
    trap = tmp_path / "sprung"
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
    joblib.dump(Trap(tmp_path / "sprung"), path)
    with pytest.raises(ValueError, match="not a safetensors file"):
        ParagramEncoder.load(path)
    assert not (tmp_path / "sprung").exists()
