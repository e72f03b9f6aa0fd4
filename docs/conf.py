"""Settings of Sphinx. ``make docs`` builds the pages into docs/_build/html."""

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
# Docstrings that scikit-learn makes link to its own glossary.
suppress_warnings = ["ref.term", "ref.ref"]
exclude_patterns = ["_build"]
templates_path = ["_templates"]

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc's Parameters say it in words
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "pydata_sphinx_theme"
html_title = "skpara"
html_show_sourcelink = False
html_sidebars = {"installation": [], "quickstart": []}
html_theme_options = {"show_prev_next": False, "secondary_sidebar_items": ["page-toc"]}
