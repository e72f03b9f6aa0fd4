"""What importing costs, and which way imports point."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import skpara

PACKAGE = Path(skpara.__file__).parent
# A room may import from the rooms before it.
BASE = [
    "_version",
    "_typing",
    "_optional",
    "_public",
    "_linalg",
    "_files",
    "_array_files",
    "_warnings",
]
ORDER = [*BASE, "_pairs", "text", "resources", "networks", "saving", "learning", "encoders"]
LEAVES = {"plots", "cli", "__main__"}
ALLOWED = {
    **{room: set(ORDER[: i + 1]) for i, room in enumerate(ORDER)},
    "features": {*BASE, "_pairs", "text", "resources", "features"},
    "augment": {*ORDER, "augment"},
    "metrics": {*BASE, "metrics"},
    "datasets": {*BASE, "datasets"},
    "siamese": {*ORDER, "siamese"},
    "fusion": {*ORDER, "features", "fusion"},
    "_show_versions": {"_show_versions", "_version", "datasets", "resources"},
    "dask": {"dask"},
    "testing": {*BASE, "testing"},
    "explanation": {*ORDER, "features", "fusion", "explanation"},
}


def imported(path):
    tree = ast.parse(path.read_text("utf8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def room(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def modules():
    return [p for p in sorted(PACKAGE.rglob("*.py")) if p != PACKAGE / "__init__.py"]


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path):
    if room(path) in LEAVES:
        return
    rooms = {name.split(".")[1] for name in imported(path) if name.startswith("skpara.")}
    assert rooms <= ALLOWED[room(path)]


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_torch_at_the_top_of_a_file_only_where_it_belongs(path):
    top = ast.parse(path.read_text("utf8")).body
    names = {
        name.split(".")[0]
        for node in top
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
        )
    }
    if room(path) not in ("networks", "learning"):
        assert "torch" not in names
    assert not names & {"gensim", "matplotlib"}


HEAVY = "import sys; {}; print([m for m in ('torch', 'gensim', 'matplotlib') if m in sys.modules])"


@pytest.mark.parametrize(
    "code",
    [
        "import skpara",
        "from skpara import *",
        "import skpara; skpara.ParagramEncoder().encode(['a dog'])",
        "import skpara; skpara.LexicalFeatures('counts').fit_transform([('a', 'b')])",
    ],
)
def test_nothing_heavy_is_loaded(code):
    found = subprocess.run(
        [sys.executable, "-c", HEAVY.format(code)], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


def test_public_names_are_there():
    for name in skpara.__all__:
        assert getattr(skpara, name) is not None
    assert set(skpara.__all__) <= set(dir(skpara))
    with pytest.raises(AttributeError, match="skpara.*Paragram"):
        skpara.Paragram  # noqa: B018
