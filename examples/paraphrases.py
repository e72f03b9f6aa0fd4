"""Paraphrases and translations by people, in files that users download themselves."""

from __future__ import annotations

import json
import os
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from skpara.datasets import (
    DAMAGED,
    PairFile,
    Row,
    Source,
    make_bunch,
    parse_score,
    read_sentences,
    require_files,
)

Paths = Sequence[Path]
SETS = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


def fetch_paraphrases(
    name: str,
    *,
    subset: str | None = None,
    data_home: str | os.PathLike[str] | None = None,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    """Load pairs of paraphrases from files that you downloaded yourself.

    ==================  ====================================  ==============================
    name                pairs                                 subsets
    ==================  ====================================  ==============================
    "msrp"              news sentences, judged                "train", "test"
    "multi30k"          captions of one image, consecutive    "train", "val"
    "flickr8k"          captions of one image, consecutive
    "twitter-url"       tweets about one link, judged         "train", "test"
    "quora"             questions, judged                     "dev", "test"
    "asset"             a sentence and its simplifications    "valid", "test"
    "wikisplit"         a sentence and the same in two        "validation"
    "simple-wikipedia"  English and Simple English Wikipedia  "wikilarge-valid",
                                                              "wikismall-valid",
                                                              "wikismall-test"
    "tatoeba-spa"       English with one Spanish translation
    "tatoeba-fra"       English with one French translation
    "ppdb-lexical"      words
    "ppdb-xl"           words
    ==================  ====================================  ==============================

    The terms of these sets do not let this package pass them on, and most ask each user to accept
    them, so nothing is downloaded. The error for a missing set says where to get it.

    Parameters
    ----------
    name : str
        Name of the set, see the table.
    subset : str, default=None
        Part of the set; by default the first one in the table.
    data_home : str or path-like, default=None
        Data folder, see :func:`~skpara.datasets.get_data_home`.
    as_frame : bool, default=False
        If True, ``data`` is a pandas DataFrame and ``target`` a Series; ``frame`` has all columns.
    return_X_y : bool, default=False
        If True, return ``(data, target)`` only.

    Returns
    -------
    sklearn.utils.Bunch or tuple
        With ``return_X_y``, a tuple ``(data, target)``, else a Bunch of

        data : ndarray of shape (n_pairs, 2), object
            The two sentences.
        target : ndarray of shape (n_pairs,), float64
            1 for paraphrases, else 0. Train :class:`~skpara.ParagramEncoder` with
            ``positive_threshold=1``, or on the rows with 1 only.
        groups : ndarray of shape (n_pairs,), str
            The image, the original sentence or the translation that pairs share. Split by these
            groups, for example by :class:`~sklearn.model_selection.GroupKFold`.
        feature_names, target_names, filenames, DESCR
            Names of the columns, of the target and of the files, and a description with the terms
            of use.

    Examples
    --------
    >>> from paraphrases import fetch_paraphrases  # doctest: +SKIP
    >>> fetch_paraphrases("tatoeba-spa").data.shape  # doctest: +SKIP
    (6735, 2)
    """
    sets = SETS["paraphrases"]
    if name not in sets:
        raise ValueError(f"name must be one of {list(sets)}, got {name!r}.")
    chosen = sets[name]
    subsets = chosen["subsets"]
    subset = next(iter(subsets)) if subset is None else subset
    if subset not in subsets:
        raise ValueError(f"subset of {name} must be one of {list(subsets)}, got {subset!r}.")
    source = Source(name, chosen["folder"], chosen["source"])
    paths = require_files(source, subsets[subset], data_home)
    rows = list(_FORMS[chosen["form"]](paths))
    descr = (
        f"{name}, {subset}: {len(rows)} pairs, {chosen['about']}.\nTerms: {chosen['terms']}.\n"
        f"Paper: {chosen['paper']}."
    )
    return make_bunch(rows, descr, paths, as_frame, return_X_y)


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
        Data folder, see :func:`~skpara.datasets.get_data_home`.

    Returns
    -------
    sklearn.utils.Bunch
        A Bunch of

        data : ndarray of shape (n_rows, 2), object
            The English sentence and its translation, the input of
            :class:`~skpara.augment.BackTranslator`.
        feature_names, filenames, DESCR
            Names of the columns and of the files, and a description with the terms.

    Examples
    --------
    >>> from paraphrases import fetch_bitext  # doctest: +SKIP
    >>> fetch_bitext("tatoeba-spa").data.shape  # doctest: +SKIP
    (118964, 2)
    """
    sets = SETS["bitext"]
    if name not in sets:
        raise ValueError(f"name must be one of {list(sets)}, got {name!r}.")
    chosen = sets[name]
    source = Source(name, chosen["folder"], chosen["source"])
    paths = require_files(source, chosen["files"], data_home)
    if len(paths) == 1:
        rows = _translated_rows(paths[0])
    else:
        rows = [(english.strip(), other.strip()) for _, (english, other) in _aligned(paths)]
    data = np.empty((len(rows), 2), dtype=object)
    data[:] = rows
    return Bunch(
        data=data,
        feature_names=["english", "other"],
        filenames=[str(path) for path in paths],
        DESCR=f"{name}: {len(rows)} sentences of {source.page}.\nTerms: {chosen['terms']}.",
    )


def _columns(paths: Paths, **options: Any) -> Iterator[Row]:
    for row in PairFile(paths[0], **options):
        yield row._replace(group=str(row.line))


def _aligned(paths: Paths) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield line numbers, and the lines that files of equally many lines have there."""
    columns = [read_sentences(path) for path in paths]
    if len(set(map(len, columns))) > 1:
        counts = ", ".join(f"{p.name} {len(c)}" for p, c in zip(paths, columns, strict=True))
        raise ValueError(f"The files must have equally many lines, got {counts}.")
    return enumerate(zip(*columns, strict=True), start=1)


def _judged_files(paths: Paths) -> Iterator[Row]:
    for line, (left, right, label) in _aligned(paths):
        yield Row(line, (left, right), parse_score(label, f"{paths[2]}, line {line}"), str(line))


def _rewritings(paths: Paths) -> Iterator[Row]:
    for line, (first, *rest) in _aligned(paths):
        for second in rest:
            yield Row(line, (first, second), 1.0, str(line))


def _captions(paths: Paths) -> Iterator[Row]:
    for line, captions in _aligned(paths):
        for left, right in pairwise(captions):
            yield Row(line, (left.strip(), right.strip()), 1.0, str(line))


def _captions_of_images(paths: Paths) -> Iterator[Row]:
    captions: dict[str, list[str]] = defaultdict(list)
    for row in PairFile(paths[0], **_TSV):
        captions[row.pair[0].rpartition("#")[0]].append(row.pair[1])
    for image, texts in captions.items():
        for pair in pairwise(texts):
            yield Row(0, pair, 1.0, image)


def _split_sentences(paths: Paths) -> Iterator[Row]:
    for row in PairFile(paths[0], **_TSV):
        whole, parts = row.pair
        yield Row(row.line, (whole, parts.replace(" <::::> ", " ")), 1.0, str(row.line))


def _translated_rows(path: Path) -> list[tuple[str, str]]:
    """Return English sentences and their translations from a zip archive of Tatoeba."""
    try:
        with zipfile.ZipFile(path) as archive:
            [name] = [n for n in archive.namelist() if n.endswith(".txt") and "_about" not in n]
            lines = archive.read(name).decode().rstrip("\n").split("\n")
    except (*DAMAGED, ValueError) as error:
        raise ValueError(f"{path} cannot be unpacked: {error}. Download it again.") from error
    rows = []
    for number, line in enumerate(lines, start=1):
        english, tab, rest = line.partition("\t")
        if not tab:
            raise ValueError(
                f"{name} of {path}, line {number}, has no tab: {line[:60]!r}. Download it again."
            )
        rows.append((english, rest.split("\t")[0].removesuffix("\r")))
    return rows


def _shared_translations(paths: Paths) -> Iterator[Row]:
    english: dict[str, dict[str, None]] = defaultdict(dict)
    for sentence, translation in _translated_rows(paths[0]):
        english[translation][sentence] = None
    for translation, sentences in english.items():
        for pair in combinations(sentences, 2):
            yield Row(0, pair, 1.0, translation)


def _word_pairs(paths: Paths) -> Iterator[Row]:
    for row in PairFile(paths[0], **_TSV):
        yield row._replace(score=1.0, group=row.pair[0])


def _lexicon(paths: Paths) -> Iterator[Row]:
    for number, line in enumerate(read_sentences(paths[0]), start=1):
        if not line.split():
            raise ValueError(f"{paths[0]}, line {number}, is empty. It must hold words.")
        head, *neighbours = line.split()
        for neighbour in neighbours:
            yield Row(number, (head, neighbour), 1.0, head)


_TSV: dict[str, Any] = {"format": "tsv", "columns": (0, 1), "header": False}
_FORMS: dict[str, Callable[[Paths], Iterator[Row]]] = {
    "msrp": partial(_columns, columns=(3, 4), score_column=0, header=True),
    "judged": partial(_columns, columns=(0, 1), score_column=2, header=False),
    "judged_files": _judged_files,
    "rewritings": _rewritings,
    "captions": _captions,
    "captions_of_images": _captions_of_images,
    "split_sentences": _split_sentences,
    "shared_translations": _shared_translations,
    "word_pairs": _word_pairs,
    "lexicon": _lexicon,
}
