"""Bitext: sentences and their translations by people."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.utils import Bunch

from skpara.datasets._home import obtained_files
from skpara.datasets._paraphrases import aligned_lines, translated_rows

__all__ = ["fetch_bitext"]


@dataclass(frozen=True)
class _Set:
    """Where a set lies, how it is read, where it comes from and on what terms."""

    folder: str
    files: tuple[str, ...]
    read: Callable[[list[Path]], list[tuple[str, str]]]
    source: str
    terms: str


def fetch_bitext(name: str, *, data_home: str | os.PathLike[str] | None = None) -> Bunch:
    """Load English sentences with their translations, from files obtained beforehand.

    ==============  ================================================
    name            rows
    ==============  ================================================
    "tatoeba-spa"   short sentences of Tatoeba, English and Spanish
    "tatoeba-fra"   the same, English and French
    "multi30k-deu"  captions of images, English and German
    "multi30k-fra"  the same, English and French
    "multi30k-ces"  the same, English and Czech
    ==============  ================================================

    None of these may be passed on by this package, and nothing is downloaded. The error for a set
    that is missing says where it comes from.

    Parameters
    ----------
    name : str
        See the table.
    data_home : str or path-like, default=None
        Data folder; by default ``$SKPARA_DATA``, else the user's cache folder.

    Returns
    -------
    bitext : sklearn.utils.Bunch

        data : ndarray of shape (n_rows, 2), object
            The English sentence and the other one, as :class:`~skpara.augment.BackTranslator`
            takes them.
        feature_names, filenames : list of str
            Names of the columns and of the files read.
        DESCR : str
            What the set is and its terms.

    Raises
    ------
    FileNotFoundError
        If a file is missing; names the set's official source.
    ValueError
        If there is no such set, or a file is malformed (names file and line).

    Examples
    --------
    >>> from skpara.datasets import fetch_bitext
    >>> fetch_bitext("tatoeba-spa").data.shape  # doctest: +SKIP
    (118964, 2)
    """
    if name not in _SETS:
        raise ValueError(f"name must be one of {list(_SETS)}, got {name!r}")
    chosen = _SETS[name]
    files = obtained_files(
        data_home, chosen.folder, chosen.files, title=name, source=chosen.source
    )
    rows = chosen.read(files)
    data = np.empty((len(rows), 2), dtype=object)
    data[:] = rows
    return Bunch(
        data=data,
        feature_names=["english", "other"],
        filenames=[str(file) for file in files],
        DESCR=f"{name}: {len(rows)} sentences of {chosen.source}.\nTerms: {chosen.terms}.",
    )


def _side_by_side(files: list[Path]) -> list[tuple[str, str]]:
    english, other = aligned_lines(files)
    return [(left.strip(), right.strip()) for left, right in zip(english, other, strict=True)]


def _tatoeba(language: str) -> _Set:
    return _Set(
        "bitext/tatoeba",
        (f"{language}-eng.zip",),
        translated_rows,
        f"{language}-eng.zip of manythings.org/anki",
        "CC BY 2.0, attribution to manythings.org/anki and tatoeba.org",
    )


def _multi30k(code: str) -> _Set:
    return _Set(
        "bitext/multi30k",
        tuple(f"train.{side}.gz" for side in ("en", code)),
        _side_by_side,
        "Multi30k, task 1 (github multi30k/dataset)",
        "not stated in the repository",
    )


_SETS = {
    **{f"tatoeba-{language}": _tatoeba(language) for language in ("spa", "fra")},
    "multi30k-deu": _multi30k("de"),
    "multi30k-fra": _multi30k("fr"),
    "multi30k-ces": _multi30k("cs"),
}
