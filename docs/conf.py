"""Settings of Sphinx. ``make docs`` builds the pages into docs/_build/html."""

import inspect
import os
import re
import tempfile
import warnings
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from pkgutil import walk_packages
from runpy import run_path
from types import ModuleType
from typing import Any

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import skpara
from skpara import __version__
from skpara.cli import main as run_command
from skpara.features._catalogue import FAMILIES, select
from skpara.features.contrast import GUARD_DETECTORS, Terms

HERE = Path(__file__).parent

project = "skpara"
author = "skpara developers"
copyright = author
release = __version__
# The same as in setup.py.
REPOSITORY = "https://github.com/skpara/skpara"
SITE = "https://skpara.github.io/skpara"

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "sphinxext.opengraph",
    "matplotlib.sphinxext.plot_directive",
]
# Links to the pages of other projects need their inventories, which are downloaded. Without a
# network that is a warning, and make docs takes warnings for errors: INTERSPHINX=1 make docs.
if os.environ.get("INTERSPHINX"):
    extensions.append("sphinx.ext.intersphinx")
intersphinx_mapping = {
    "python": ("https://docs.python.org/3", None),
    "numpy": ("https://numpy.org/doc/stable", None),
    "scipy": ("https://docs.scipy.org/doc/scipy", None),
    "sklearn": ("https://scikit-learn.org/stable", None),
    "pandas": ("https://pandas.pydata.org/docs", None),
}
nitpicky = True
if "sphinx.ext.intersphinx" not in extensions:
    nitpick_ignore_regex = [("py:.*", r"(joblib|sklearn)\..*"), ("py:class", "Module")]
# Docstrings inherited from scikit-learn refer to its own glossary; a function in the context of
# the templates cannot be pickled.
suppress_warnings = ["ref.term", "ref.ref", "config.cache"]
exclude_patterns = ["_build", "**/GALLERY_HEADER.rst"]
templates_path = ["_templates"]

autosummary_generate = True
toc_object_entries_show_parents = "hide"  # whole names do not fit into the page's contents
autodoc_typehints = "none"  # numpydoc's Parameters sections have the types
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# The examples are fast: threads of NumPy and OpenMP would only wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Progress bars and plots say what they have to say in the pages; these say nothing to a reader.
warnings.filterwarnings("ignore", message="IProgress not found")
GALLERY_SECTIONS = ["score", "decide", "train", "tables", "inspect", "scale"]
sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "generated/gallery",
    "backreferences_dir": "generated/backreferences",
    "doc_module": ("skpara",),
    "reference_url": {"skpara": None},
    "within_subsection_order": "FileNameSortKey",
    "subsection_order": [f"../examples/gallery/{name}" for name in GALLERY_SECTIONS],
    "remove_config_comments": True,
    "download_all_examples": False,
    "write_computation_times": False,
    "show_signature": False,
    "min_reported_time": 1,
}

# Blocks of code that draw, ``.. plot::``, run in the order of their page. site.css turns the
# colors of vector graphics around in dark mode.
plot_include_source = True
plot_html_show_source_link = plot_html_show_formats = False
plot_formats = ["svg"]
plot_working_directory = tempfile.mkdtemp()
plot_apply_rcparams = True
plot_rcparams = {"figure.figsize": (6, 2.6), "savefig.bbox": "tight"}

WIDE_PAGES = ["index", *(f"results/{path.stem}" for path in HERE.glob("results/*.rst"))]

html_theme = "pydata_sphinx_theme"
html_title = "skpara"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_sidebars = dict.fromkeys(["index", "installation", "tutorial", "glossary"], ())
html_context = {
    "default_mode": "auto",  # light or dark, as the system has it
    "github_user": "skpara",
    "github_repo": "skpara",
    "github_version": "main",
    "doc_path": "docs",
}
# The first sentences of a page describe it in results of searches, and where it is shared.
ogp_site_url = f"{SITE}/stable/"
ogp_social_cards = {"enable": False}
ogp_enable_meta_description = True
html_theme_options = {
    "github_url": REPOSITORY,
    "header_links_before_dropdown": 7,
    "navbar_align": "left",
    "use_edit_page_button": True,
    "show_toc_level": 2,
    # Tables of results are up to 110 characters wide and need the space.
    "secondary_sidebar_items": {
        "**": ["page-toc", "edit-this-page"],
        **dict.fromkeys(WIDE_PAGES, ()),
    },
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# Set by .github/workflows/docs.yml, which publishes "dev" and "stable". Elsewhere there is one
# version only, and perhaps no network for the list of the others.
if published := os.environ.get("DOCS_VERSION"):
    html_theme_options |= {
        "switcher": {"json_url": f"{SITE}/dev/_static/versions.json", "version_match": published},
        "check_switcher": False,
        "navbar_end": ["version-switcher", "theme-switcher", "navbar-icon-links"],
    }


# Methods of every estimator of scikit-learn, which its own pages describe.
OF_ALL_ESTIMATORS = "get_metadata_routing|get_params|set_params|set_output"


def _shown(module: str, name: str, members: list[str]) -> list[str]:
    """Return the members of a class that its page shows, inherited ones too.

    These are all members from skpara and scikit-learn, without members from torch, tuples and
    exceptions, and without what all estimators of scikit-learn have.
    """
    value: Any = import_module(module)
    for part in name.split("."):
        value = getattr(value, part)
    homes = {
        member: next((base.__module__ for base in value.__mro__ if member in vars(base)), "")
        for member in members
        if not re.search(f"^_|_request$|^({OF_ALL_ESTIMATORS})$", member)
    }
    return [member for member, home in homes.items() if home.startswith(("skpara", "sklearn"))]


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
    for line in (HERE / "api.rst").read_text("utf8").split("\n"):
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


class Result(SphinxDirective):
    """``.. result:: NAME`` folds the table results/NAME.txt, or shows its command."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        (name,) = self.arguments
        if not (HERE / "results" / f"{name}.txt").exists():
            text = f'not made yet: make results DATA=... ONLY="{name}"'
            return [nodes.literal_block(text, text, language="none")]
        return self.parse_text_to_nodes(
            f".. dropdown:: {name}.txt\n\n"
            f"   .. literalinclude:: /results/{name}.txt\n      :language: none\n"
        )


class ContrastRules(SphinxDirective):
    """``.. contrast-rules::`` folds the rules of the guard with their own examples."""

    def run(self) -> list[nodes.Node]:
        lines = [".. dropdown:: Rules of the guard", ""]
        for rule in GUARD_DETECTORS:
            summary = "" if isinstance(rule, Terms) else (type(rule).__doc__ or "").split("\n")[0]
            lines += [f"   **{rule.name}** {summary}", ""]
            for sign, pairs in (("≠", rule.different), ("=", rule.same)):
                lines += [f"   * ``{first}`` {sign} ``{second}``" for first, second in pairs]
            lines.append("")
        return self.parse_text_to_nodes("\n".join(lines))


class Features(SphinxDirective):
    """``.. features:: GROUP`` defines the features of a group, by the docstring of its family.

    Without a group, it lists the families of "all".
    """

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        lines = []
        for family in FAMILIES:
            if self.arguments == [family.group] or (
                not self.arguments and set(family.names) <= set(select("all"))
            ):
                text = inspect.cleandoc(family.compute.__doc__ or "")
                summary, _, rest = text.partition("\n")
                lines += ["", f'**{summary}** Group ``"{family.group}"``.', *rest.split("\n")]
        return self.parse_text_to_nodes("\n".join(lines))


class Rooms(SphinxDirective):
    """``.. rooms::`` lists the rooms, what they contain, and from which others they may import."""

    def run(self) -> list[nodes.Node]:
        known = run_path(str(HERE.parent / "tests" / "rooms.py"))
        sources = known["MAY_IMPORT"]
        lines = [".. list-table::", "   :header-rows: 1", "   :widths: 14 43 43", ""]
        lines += ["   * - ``skpara.``", "     - Contents", "     - May import"]
        for room in [*sources, *sorted(known["LEAVES"])]:
            contents = (import_module(f"skpara.{room}").__doc__ or "").split("\n")[0]
            allowed = (
                ", ".join(x for x in sources if x in sources[room]) if room in sources else "all"
            )
            lines += [f"   * - ``{room}``", f"     - {contents}", f"     - {allowed}"]
        return self.parse_text_to_nodes("\n".join(lines))


def _defining_module(app: Any, module: str, name: str) -> str | None:
    """Return the private module with the code of a public object, for the links to sources.

    ``set_module`` gives public classes a public ``__module__``, so that the file is found by the
    code of their methods.
    """
    value: Any = import_module(module)
    for part in name.split("."):
        value = getattr(value, part, None)
    if inspect.isclass(value):
        methods = [m for m in vars(value).values() if inspect.isfunction(inspect.unwrap(m))]
        value = methods[0] if methods else value
    code = getattr(inspect.unwrap(value), "__code__", None) if callable(value) else None
    if code is None or not code.co_filename.startswith(skpara.__path__[0]):
        return None
    parts = Path(code.co_filename).relative_to(Path(skpara.__path__[0]).parent).with_suffix("")
    return ".".join(parts.parts).removesuffix(".__init__")


# The first parameter under each heading of a long list.
HEADINGS = {
    "network": "Encoder",
    "vectors": "Encoder",
    "negatives": "Training",
    "word_decay": "Training",
    "output": "Output",
    "class_weight": "Output",
    "dense_size": "Output",
    "device": "Computing",
}


def _group_parameters(
    app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Fold long lists of parameters of classes by groups; the first group is open."""
    if what != "class" or len(inspect.signature(value).parameters) < 15:
        return
    start = lines.index(":Parameters:") + 1
    fields = (k for k, line in enumerate(lines[start:], start) if line.startswith(":"))
    end = next(fields, len(lines))
    groups: dict[str, list[str]] = {}
    heading = ""
    for line in lines[start:end]:
        parameter = re.match(r"    \*\*(\w+)\*\* ", line)
        heading = HEADINGS.get(parameter[1], heading) if parameter else heading
        if heading:
            groups.setdefault(heading, []).append(line)
    grouped = [""]
    for heading, text in groups.items():
        names = re.findall(r"^    \*\*(\w+)\*\* ", "\n".join(text), re.MULTILINE)
        grouped.append(f"    .. dropdown:: {heading}: {', '.join(names)}")
        grouped += ["       :open:"] * (len(grouped) == 2)
        grouped += ["", *(f"   {line}" if line else "" for line in text)]
    lines[start:end] = grouped


def _check_members(app: Any, env: Any) -> None:
    """Warn of public methods of listed classes that no page describes."""
    described = set(env.get_domain("py").objects)
    for value in filter(inspect.isclass, _listed_objects()):
        home = f"{value.__module__}.{value.__qualname__}"
        pages = {name for name in described if name.endswith(f".{value.__qualname__}")}
        for member in _shown(value.__module__, value.__qualname__, dir(value)):
            if callable(getattr(value, member)) and not any(
                f"{page}.{member}" in described for page in pages
            ):
                logging.getLogger(__name__).warning("No page describes %s.%s", home, member)


def _write_report(app: Any, error: Exception | None) -> None:
    """Write the page of ``skpara report`` that guide/explain.rst shows."""
    if error or app.builder.format != "html":
        return
    page = str(Path(app.outdir, "_static", "report.html"))
    quiet = StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(quiet), redirect_stderr(quiet):
        run_command(["demo", "--out", folder])
        options = ["--model", f"{folder}/sts.skpara", "--group", "group", "--errors", "3"]
        run_command(["report", f"{folder}/test.csv", *options, "--out", page])


autosummary_context = {"shown": _shown}


def setup(app: Any) -> None:
    app.add_directive("result", Result)
    app.add_directive("contrast-rules", ContrastRules)
    app.add_directive("features", Features)
    app.add_directive("rooms", Rooms)
    app.connect("env-check-consistency", _check_members)
    app.connect("builder-inited", _check_api_page)
    app.connect("autodoc-process-docstring", _group_parameters, priority=900)  # after numpydoc
    app.connect("viewcode-follow-imported", _defining_module)
    app.connect("build-finished", _write_report)
