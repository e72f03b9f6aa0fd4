"""Costs of importing, and the direction of imports."""

from __future__ import annotations

import ast
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest
from rooms import LEAVES, MAY_IMPORT
from sklearn.pipeline import make_pipeline

import skpara
from skpara import FusionRegressor, ParagramEncoder

PACKAGE = Path(skpara.__file__).parent


@cache
def trees():
    """The syntax tree of each file of the package, by its path inside the package."""
    return {
        path.relative_to(PACKAGE): ast.parse(path.read_text("utf8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


@cache
def nodes(path):
    """The imports, calls and subscripts of a file."""
    kinds = ast.Import, ast.ImportFrom, ast.Call, ast.Subscript
    return [node for node in ast.walk(trees()[path]) if isinstance(node, kinds)]


def room_of(path):
    return path.parts[0].removesuffix(".py")


def imported(nodes):
    """Modules that are imported, and private names that are imported from public modules."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            for alias in node.names:
                if node.module == "skpara" or (alias.name[0] == "_" and "._" not in node.module):
                    yield f"{node.module}.{alias.name}"


def imported_from_rooms(path):
    """Modules of other rooms that a file imports, even if only for a type checker."""
    for module in imported(nodes(path)):
        room = module.removeprefix("skpara.").split(".")[0]
        if module.startswith("skpara.") and room[0] != "_" and room != room_of(path):
            yield room, module


def named_in_calls(path):
    """Rooms that a file names in strings that it calls or looks something up by."""
    for node in nodes(path):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") != "set_module":
            strings = [*node.args, *(keyword.value for keyword in node.keywords)]
        else:
            strings = [node.slice] if isinstance(node, ast.Subscript) else []
        for string in strings:
            if isinstance(string, ast.Constant) and isinstance(string.value, str):
                match = re.fullmatch(r"skpara\.([a-z]\w*)(\.\w+)*", string.value)
                if match and match[1] != room_of(path):
                    yield match[1], string.value


def run_at_import(node):
    """The nodes that run when a file is imported: not functions, not what only typing needs."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from run_at_import(child)


def public_modules():
    """Every module of the package without an underscore in its name."""
    names = [info.name for info in pkgutil.walk_packages(skpara.__path__, "skpara.")]
    public = [name for name in names if "._" not in name and "__" not in name]
    return [skpara, *map(import_module, public)]


def test_imports_between_rooms_point_one_way():
    TopologicalSorter(MAY_IMPORT).prepare()  # raises CycleError
    offenders = [
        f"{path} imports {module}"
        for path in trees()
        for room, module in imported_from_rooms(path)
        if room_of(path) not in LEAVES | {"__main__"}
        and room not in MAY_IMPORT.get(room_of(path), ())
    ]
    assert not offenders, "\n".join(offenders)


def test_no_import_is_hidden_in_a_string():
    """As by ``import_module("skpara.fusion")`` or ``sys.modules["skpara.fusion"]``."""
    offenders = [f"{path} names {name}" for path in trees() for _, name in named_in_calls(path)]
    assert not offenders, "\n".join(offenders)


def test_rooms_import_only_public_names_of_other_rooms():
    offenders = [
        f"{path} imports {module}: export the name from the other room's __init__"
        for path in trees()
        for _, module in imported_from_rooms(path)
        if "._" in module
    ]
    assert not offenders, "\n".join(offenders)


def test_what_a_room_exports_is_public_or_of_use_to_others():
    """Names outside ``__all__`` are for other rooms, scripts of research, or saved files."""
    scripts = (PACKAGE.parent / "examples").rglob("*.py")
    paths = [*PACKAGE.rglob("*.py"), *scripts]
    words = {path: set(re.findall(r"\w+", path.read_text("utf8"))) for path in paths}
    offenders = []
    for path in PACKAGE.rglob("__init__.py*"):
        folder = path.parent
        module = import_module(".".join(["skpara", *folder.relative_to(PACKAGE).parts]))
        of_others = set().union(*(words[x] for x in paths if folder not in x.parents))
        exported = re.findall(r"import (\w+) as \1\b", path.read_text("utf8"))
        for name in set(exported) - {*getattr(module, "__all__", ())} - of_others:
            if getattr(getattr(module, name), "__module__", "") != module.__name__:
                offenders.append(f"{module.__name__}.{name}")
    assert not offenders, "\n".join(sorted(offenders))


def test_heavy_packages_are_not_imported_at_the_top_of_a_file():
    offenders = []
    for path, tree in trees().items():
        packages = {module.split(".")[0] for module in imported(run_at_import(tree))}
        needs_torch = path.parts[0] == "learning" or path.parts[:2] == ("networks", "modules")
        heavy = {"gensim", "matplotlib"} if needs_torch else {"torch", "gensim", "matplotlib"}
        offenders += [f"{path} imports {package}" for package in packages & heavy]
    assert not offenders, "\n".join(offenders)


# Each step runs after those before it, in one process.
STEPS = {
    "import skpara": "import skpara",
    "reasons": "skpara.why_different('It is 8.', ['It is 9.'])",
    "import *": "from skpara import *; import skpara.augment",
    "encode": "skpara.ParagramEncoder().encode(['a dog'])",
    "train": "skpara.ParagramEncoder(max_iter=1).fit([('a dog', 'a hound'), ('b', 'c')])",
    "features": "skpara.LexicalFeatures().fit_transform([('Two dogs in 1987', 'A dog ran.')])",
    "predict": "skpara.load_model(sys.argv[1]).predict([('a dog', 'a cat')])",
    "compare": "ParagramEncoder().similarity(['a dog', 'a cat'], ['a bank', 'a loan'])",
    "explain": "str(explain(skpara.load_model(sys.argv[2]), [('a dog', 'a cat')])[0])",
    "vectors within a pipeline": """
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
texts = ["a dog", "a cat", "a bank", "a loan"]
make_pipeline(ParagramVectorizer(), LogisticRegression()).fit(texts, [0, 0, 1, 1]).predict(texts)
""",
    "the default encoder within its pipeline": """
from skpara.datasets import load_sts_sample
pairs, scores = load_sts_sample(return_X_y=True)
model = make_sts_pipeline(lexical="passthrough", random_state=0)
model.set_params(features__lexical="drop").fit(pairs[:60], scores[:60]).predict(pairs[:5])
""",
    "the quickstart": """
import joblib
from sklearn.pipeline import make_union
parts = make_union(ParagramEncoder(max_iter=1), LexicalFeatures())
model = make_pipeline(parts, FusionRegressor())
model.fit(pairs[::10], scores[::10]).predict(pairs[:5])
joblib.dump(model, sys.argv[1] + ".joblib")
str(explain(joblib.load(sys.argv[1] + ".joblib"), pairs[:1])[0])
""",
    "the command": """
from skpara.cli import main
for arguments in (["--version"], ["train", "--help"]):
    try:
        main(arguments)
    except SystemExit as end:
        assert end.code == 0
""",
}
REPORT_HEAVY = """
import json, sys
heavy = "torch", "gensim", "matplotlib", "nltk", "wordfreq", "platformdirs"
heavy += "tqdm.auto",  # its choice of a progress bar warns in a notebook without widgets
more = "sklearn", "pandas", "narwhals", "joblib"  # of which the first two steps need none
loaded = {}
for name, code in json.loads(sys.argv[3]).items():
    exec(code)
    unneeded = heavy + more if len(loaded) < 2 else heavy
    loaded[name] = [module for module in unneeded if module in sys.modules]
print(json.dumps(loaded))
"""


@pytest.mark.slow
def test_ordinary_use_gives_no_warning_and_loads_heavy_packages_only_if_needed(
    sample, model_file, tmp_path
):
    model = make_pipeline(ParagramEncoder(max_iter=1), FusionRegressor())
    skpara.save_model(model.fit(sample.data[:40], sample.target[:40]), tmp_path / "model")
    options = ["-W", "error", "-W", "ignore:A model of:UserWarning"]  # of few training pairs
    command = [sys.executable, *options, "-c", REPORT_HEAVY, tmp_path / "model", model_file]
    done = subprocess.run([*command, json.dumps(STEPS)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {name: [] for name in STEPS}
    assert "arning" not in done.stderr


def test_public_names_are_there():
    for name in skpara.__all__:
        assert getattr(skpara, name) is not None
    assert set(skpara.__all__) <= set(dir(skpara))
    with pytest.raises(AttributeError, match=r"skpara.*Paragram"):
        skpara.Paragram  # noqa: B018


def test_public_classes_can_be_looked_up_where_they_say():
    """Pickles and model files name a class by its module, which must not move."""
    modules = {module.__name__: module for module in public_modules()}
    offenders = [
        f"{module.__name__}.{name} says {cls.__module__}"
        for module in modules.values()
        for name in getattr(module, "__all__", ())
        if inspect.isclass(cls := getattr(module, name))
        and getattr(modules.get(cls.__module__), cls.__qualname__, None) is not cls
    ]
    assert not offenders, "\n".join(offenders)
