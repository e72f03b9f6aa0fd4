"""Bitext: sentences and their translations by people."""

from __future__ import annotations

import os

import numpy as np
from sklearn.utils import Bunch

from skpara.datasets._documentation import document_loader
from skpara.datasets._paraphrases import (
    TATOEBA_FOLDER,
    TATOEBA_TERMS,
    aligned_lines,
    translated_rows,
)
from skpara.datasets._sources import require_local_files

_MULTI30K = {"deu": "de", "fra": "fr", "ces": "cs"}
_SETS = ["tatoeba-spa", "tatoeba-fra", *(f"multi30k-{language}" for language in _MULTI30K)]


@document_loader
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
    %(data_home)s

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
    %(local_errors)s

    Examples
    --------
    >>> from skpara.datasets import fetch_bitext
    >>> fetch_bitext("tatoeba-spa").data.shape  # doctest: +SKIP
    (118964, 2)
    """
    if name not in _SETS:
        raise ValueError(f"name must be one of {_SETS}, got {name!r}.")
    family, language = name.split("-")
    if family == "tatoeba":
        folder, names = TATOEBA_FOLDER, [f"{language}-eng.zip"]
        source, terms = f"{names[0]} of manythings.org/anki", TATOEBA_TERMS
    else:
        folder = "bitext/multi30k"
        names = [f"train.{code}.gz" for code in ("en", _MULTI30K[language])]
        source = "Multi30k, task 1 (github multi30k/dataset)"
        terms = "not stated in the repository"
    files = require_local_files(data_home, folder, names, title=name, source=source)
    if family == "tatoeba":
        rows = translated_rows(files)
    else:
        rows = [(english.strip(), other.strip()) for _, (english, other) in aligned_lines(files)]
    data = np.empty((len(rows), 2), dtype=object)
    data[:] = rows
    return Bunch(
        data=data,
        feature_names=["english", "other"],
        filenames=[str(file) for file in files],
        DESCR=f"{name}: {len(rows)} sentences of {source}.\nTerms: {terms}.",
    )
