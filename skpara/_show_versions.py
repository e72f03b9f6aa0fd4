"""Versions for bug reports."""

from __future__ import annotations

from importlib.metadata import distributions

import sklearn

from skpara._version import __version__

_OPTIONAL = ("torch", "gensim", "sentence-transformers", "transformers")


def show_versions() -> None:
    """Print the versions that a bug report should contain.

    These are the versions and threads of :func:`sklearn.show_versions`, and the versions of
    skpara and its optional dependencies.

    Examples
    --------
    >>> import skpara
    >>> skpara.show_versions()
    <BLANKLINE>
    System:
    ...
                   skpara: ...
    ...
    """
    sklearn.show_versions()
    print(f"\nskpara:\n{'skpara':>21}: {__version__}")
    installed = {package.name: package.version for package in distributions()}
    for name in _OPTIONAL:
        print(f"{name:>21}: {installed.get(name, 'not installed')}")
