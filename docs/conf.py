"""Settings of Sphinx. ``make docs`` builds the pages into docs/_build/html."""

import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

from docutils import nodes
from sphinx.directives.code import LiteralInclude
from sphinx.util import logging

import skpara
from skpara import __version__

project = "skpara"
author = "skpara developers"
copyright = author
release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_parser",
]
nitpicky = False
# Docstrings inherited from scikit-learn refer to its own glossary.
suppress_warnings = ["ref.term", "ref.ref"]
exclude_patterns = ["_build"]
templates_path = ["_templates"]

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc's Parameters sections have the types
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "pydata_sphinx_theme"
html_title = "skpara"
html_show_sourcelink = False
html_sidebars = {"installation": [], "quickstart": []}
html_theme_options = {"show_prev_next": False, "secondary_sidebar_items": ["page-toc"]}


def _public_objects() -> dict[str, Any]:
    """Return the objects in ``__all__`` of all public modules, by their full names."""
    names = [info.name for info in walk_packages(skpara.__path__, "skpara.")]
    public = [name for name in names if not re.search(r"\._|\.cli", name)]
    objects = {}
    for module in map(import_module, ["skpara", *public]):
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if not name.startswith("__") and not isinstance(value, ModuleType):
                objects[f"{module.__name__}.{name}"] = value
    return objects


def _listed_objects() -> list[Any]:
    """Return the objects that api.rst lists."""
    objects, module = [], "skpara"
    for line in (Path(__file__).parent / "api.rst").read_text("utf8").split("\n"):
        if match := re.fullmatch(r"\.\. currentmodule:: (\S+)", line):
            module = match[1]
        elif match := re.fullmatch(r"   ([A-Za-z_.]+)", line):
            home, _, name = f"{module}.{match[1]}".rpartition(".")
            objects.append(getattr(import_module(home), name, None))
    return objects


def _check_api_page(app: Any) -> None:
    """Warn if a public name is missing from api.rst; ``make docs`` turns warnings into errors.

    An object with several names needs to be listed under one of them only.
    """
    listed = {id(value) for value in _listed_objects()}
    missing = [name for name, value in _public_objects().items() if id(value) not in listed]
    if missing:
        logging.getLogger(__name__).warning("api.rst does not list %s", ", ".join(missing))


class Result(LiteralInclude):
    """``.. result:: NAME`` shows the table results/NAME.txt, or the command that makes it."""

    def run(self) -> list[nodes.Node]:
        (name,) = self.arguments
        if not (Path(__file__).parent / "results" / f"{name}.txt").exists():
            text = f'not made yet: make results DATA=... ONLY="{name}"'
            return [nodes.literal_block(text, text, language="none")]
        self.arguments[0] = f"/results/{name}.txt"
        self.options["language"] = "none"
        return list(super().run())


def setup(app: Any) -> None:
    app.add_directive("result", Result)
    app.connect("builder-inited", _check_api_page)
