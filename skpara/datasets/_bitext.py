"""Bitext: sentences and their translations by people."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.utils import Bunch

from skpara.datasets._paraphrases import aligned_lines, translated_rows
from skpara.datasets._sources import require_local_files


@dataclass(frozen=True)
class _Set:
    """Where a set is stored, how it is read, its origin and its terms of use."""

    folder: str
    files: tuple[str, ...]
    read: Callable[[list[Path]], list[tuple[str, str]]]
    source: str
    terms: str


def fetch_bitext(name: str, *, data_home: str | os.PathLike[str] | None = None) -> Bunch:
    """Load English sentences and their translations from files that you downloaded yourself.

    ==============  ================================================
    name            rows
    ==============  ================================================
    "tatoeba-spa"   short sentences of Tatoeba, English and Spanish
    "tatoeba-fra"   the same, English and French
    "multi30k-deu"  captions of images, English and German
    "multi30k-fra"  the same, English and French
    "multi30k-ces"  the same, English and Czech
    ==============  ================================================

    Nothing is downloaded. The error for a missing set says where to get it.

    Parameters
    ----------
    name : str
        Name of the set, see the table.
    data_home : str or path-like, default=None
        Data folder, see :func:`get_data_home`.

    Returns
    -------
    sklearn.utils.Bunch
        A Bunch of

        data : ndarray of shape (n_rows, 2), object
            The English sentence and its translation, the input of
            :class:`~skpara.augment.BackTranslator`.
        feature_names, filenames, DESCR
            Names of the columns and of the files, and a description with the terms.

    Raises
    ------
    FileNotFoundError
        If a file is missing. The message says where to get it.
    ValueError
        If there is no such set, or a file is malformed. The message names its line.

    Examples
    --------
    >>> from skpara.datasets import fetch_bitext
    >>> fetch_bitext("tatoeba-spa").data.shape  # doctest: +SKIP
    (118964, 2)
    """
    if name not in _SETS:
        raise ValueError(f"name must be one of {list(_SETS)}, got {name!r}.")
    chosen = _SETS[name]
    files = require_local_files(
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
