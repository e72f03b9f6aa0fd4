"""Pages: a block of Python that is not run has at least its imports."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import textwrap
from importlib import import_module
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
ROOMS = ["augment", "augment.filters", "datasets", "encoders", "explanation", "features", "fusion"]
ROOMS += ["learning", "matching", "metrics", "networks", "plots", "resources", "saving", "siamese"]
# With names of other packages that the pages use.
NAMES = {"CalibratedClassifierCV", "FrozenEstimator", "make_pipeline", "make_union", "np", "pd"}
NAMES |= {
    name for room in ["", *(f".{room}" for room in ROOMS)]
    for name in import_module(f"skpara{room}").__all__
    if inspect.isroutine(getattr(import_module(f"skpara{room}"), name))
    or inspect.isclass(getattr(import_module(f"skpara{room}"), name))
}  # fmt: skip


def blocks(text):
    """The doctests of a page as one block, and its other blocks of Python."""
    yield "".join(example.source for example in doctest.DocTestParser().get_examples(text))
    for block in re.findall(r"code-block:: python\n\n((?:[ ]+.*\n|\n)+)", text):
        yield textwrap.dedent(block)


@pytest.mark.parametrize(
    "page", sorted(DOCS.rglob("*.rst")), ids=lambda page: str(page.relative_to(DOCS))
)
def test_blocks_of_python_import_what_they_use(page):
    if "generated" in page.parts or "_build" in page.parts:
        pytest.skip("made by Sphinx")
    known, missing = set(), set()
    for block in blocks(page.read_text("utf8")):
        nodes = list(ast.walk(ast.parse(block)))
        imports = (node.names for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
        known |= {alias.asname or alias.name for names in imports for alias in names}
        missing |= {node.id for node in nodes if isinstance(node, ast.Name)} & NAMES - known
    assert not missing
