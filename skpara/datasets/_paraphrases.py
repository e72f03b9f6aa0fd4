"""Paraphrases and translations by people, in files that users download themselves."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from skpara.datasets import _download
from skpara.datasets._documentation import document_loader
from skpara.datasets._pair_arrays import make_bunch, read_tsv_pairs
from skpara.datasets._pair_files import PairFile, Row
from skpara.datasets._sources import require_local_files
from skpara.datasets._text_files import Lines, parse_score, read_lines, read_records

# The two texts, 1 if they are paraphrases and else 0, and their group.
Texts = tuple[str, str, float, str]
Read = Callable[[list[Path]], Iterator[Texts]]
_TATOEBA_FOLDER = "bitext/tatoeba"
_TATOEBA_TERMS = "CC BY 2.0, attribution to manythings.org/anki and tatoeba.org"
_MULTI30K = {"deu": "de", "fra": "fr", "ces": "cs"}
_BITEXT = ["tatoeba-spa", "tatoeba-fra", *(f"multi30k-{language}" for language in _MULTI30K)]


@dataclass(frozen=True)
class _Set:
    """Where a set is stored, how it is read, its origin and its terms of use."""

    subsets: dict[str, tuple[str, ...]]  # files of each, the first subset is the default
    read: Read
    about: str
    source: str
    terms: str
    paper: str
    folder: str | None = None  # by default "paraphrase" and the name of the set


@document_loader
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
    %(data_home, as_frame, return_X_y)s

    Returns
    -------
    %(bunch)s
            1 for paraphrases, else 0. Train :class:`~skpara.ParagramEncoder` with
            ``positive_threshold=1``, or on the rows with 1 only.
        groups : ndarray of shape (n_pairs,), str
            What pairs have in common: the image, the original sentence, the translation. Split
            by these groups, for example by :class:`~sklearn.model_selection.GroupKFold`.
    %(bunch_names)s

    Examples
    --------
    >>> from skpara.datasets import fetch_paraphrases
    >>> fetch_paraphrases("tatoeba-spa").data.shape  # doctest: +SKIP
    (6735, 2)
    """
    if name not in PARAPHRASE_SETS:
        raise ValueError(f"name must be one of {list(PARAPHRASE_SETS)}, got {name!r}.")
    chosen = PARAPHRASE_SETS[name]
    subset = next(iter(chosen.subsets)) if subset is None else subset
    if subset not in chosen.subsets:
        raise ValueError(
            f"subset of {name} must be one of {list(chosen.subsets)}, got {subset!r}."
        )
    folder = chosen.folder or f"paraphrase/{name}"
    files = require_local_files(
        data_home, folder, chosen.subsets[subset], title=name, source=chosen.source
    )
    rows = [
        Row(i, (left, right), score, group)
        for i, (left, right, score, group) in enumerate(chosen.read(files), start=1)
    ]
    descr = (
        f"{name}, {subset}: {len(rows)} pairs, {chosen.about}.\nTerms: {chosen.terms}.\n"
        f"Paper: {chosen.paper}."
    )
    return make_bunch(rows, descr, files, as_frame, return_X_y)


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

    Examples
    --------
    >>> from skpara.datasets import fetch_bitext
    >>> fetch_bitext("tatoeba-spa").data.shape  # doctest: +SKIP
    (118964, 2)
    """
    if name not in _BITEXT:
        raise ValueError(f"name must be one of {_BITEXT}, got {name!r}.")
    family, language = name.split("-")
    if family == "tatoeba":
        folder, names = _TATOEBA_FOLDER, [f"{language}-eng.zip"]
        source, terms = f"{names[0]} of manythings.org/anki", _TATOEBA_TERMS
    else:
        folder = "bitext/multi30k"
        names = [f"train.{code}.gz" for code in ("en", _MULTI30K[language])]
        source = "Multi30k, task 1 (github multi30k/dataset)"
        terms = "not stated in the repository"
    files = require_local_files(data_home, folder, names, title=name, source=source)
    if family == "tatoeba":
        rows = _translated_rows(files)
    else:
        rows = [(english.strip(), other.strip()) for _, (english, other) in _aligned_lines(files)]
    data = np.empty((len(rows), 2), dtype=object)
    data[:] = rows
    return Bunch(
        data=data,
        feature_names=["english", "other"],
        filenames=[str(file) for file in files],
        DESCR=f"{name}: {len(rows)} sentences of {source}.\nTerms: {terms}.",
    )


def _judged_columns(files: list[Path], **options: Any) -> Iterator[Texts]:
    for row in PairFile(files[0], **options):
        yield *row.pair, row.score, str(row.line)


def _aligned_lines(files: list[Path]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Return line numbers and the lines that files of equally many lines have there."""
    columns = [read_lines(Lines(file, max_bytes=_download.LARGEST)) for file in files]
    if len(set(map(len, columns))) > 1:
        counts = ", ".join(f"{f.name} {len(c)}" for f, c in zip(files, columns, strict=True))
        raise ValueError(f"The files must have equally many lines, got {counts}.")
    return enumerate(zip(*columns, strict=True), start=1)


def _judged_files(files: list[Path]) -> Iterator[Texts]:
    for number, (left, right, label) in _aligned_lines(files):
        yield left, right, parse_score(label, f"{files[2]}, line {number}"), str(number)


def _rewritings(files: list[Path]) -> Iterator[Texts]:
    for number, (first, *rest) in _aligned_lines(files):
        for second in rest:
            yield first, second, 1.0, str(number)


def _captions(files: list[Path]) -> Iterator[Texts]:
    for number, captions in _aligned_lines(files):
        for left, right in pairwise(captions):
            yield left.strip(), right.strip(), 1.0, str(number)


def _captions_of_images(files: list[Path]) -> Iterator[Texts]:
    captions: dict[str, list[str]] = defaultdict(list)
    for name, caption in read_tsv_pairs(files[0]):
        captions[name.rpartition("#")[0]].append(caption)
    for image, texts in captions.items():
        for left, right in pairwise(texts):
            yield left, right, 1.0, image


def _split_sentences(files: list[Path]) -> Iterator[Texts]:
    for number, (whole, parts) in enumerate(read_tsv_pairs(files[0]), start=1):
        yield whole, parts.replace(" <::::> ", " "), 1.0, str(number)


def _translated_rows(files: list[Path]) -> list[tuple[str, str]]:
    """Return English sentences and their translations from a zip archive of Tatoeba."""
    member, content = _download.read_zipped_text(files[0])
    lines = Lines(f"{member} of {files[0]}", stream=content)
    rows = []
    for number, cells in read_records(lines, "tsv"):
        if len(cells) < 2:
            raise ValueError(
                f"{lines.name}, line {number}, has no tab: {cells[0][:60]!r}. Download it again."
            )
        rows.append((cells[0], cells[1]))
    return rows


def _shared_translations(files: list[Path]) -> Iterator[Texts]:
    english: dict[str, dict[str, None]] = defaultdict(dict)
    for sentence, translation in _translated_rows(files):
        english[translation][sentence] = None
    for translation, sentences in english.items():
        for left, right in combinations(sentences, 2):
            yield left, right, 1.0, translation


def _word_pairs(files: list[Path]) -> Iterator[Texts]:
    for left, right in read_tsv_pairs(files[0]):
        yield left, right, 1.0, left


def _lexicon(files: list[Path]) -> Iterator[Texts]:
    for number, line in enumerate(read_lines(Lines(files[0])), start=1):
        if not line.split():
            raise ValueError(f"{files[0]}, line {number}, is empty. It must hold words.")
        head, *neighbours = line.split()
        for neighbour in neighbours:
            yield head, neighbour, 1.0, head


def _numbered(pattern: str, numbers: range) -> tuple[str, ...]:
    return tuple(pattern.format(n) for n in numbers)


PARAPHRASE_SETS: dict[str, _Set] = {
    "msrp": _Set(
        {part: (f"msr_paraphrase_{part}.txt",) for part in ("train", "test")},
        partial(_judged_columns, columns=(3, 4), score_column=0, header=True),
        "sentences of news, judged",
        "the Microsoft Research Paraphrase Corpus",
        "Microsoft Research Shared Source License, non-commercial",
        "Dolan and Brockett (2005). Automatically constructing a corpus of sentential paraphrases",
    ),
    "multi30k": _Set(
        {part: _numbered(part + ".{}.en.gz", range(1, 6)) for part in ("train", "val")},
        _captions,
        "consecutive pairs of the five captions of an image",
        "Multi30k, task 2 (github multi30k/dataset)",
        "not stated in the repository",
        "Elliott et al. (2016). Multi30K: multilingual English-German image descriptions",
        "paraphrase/multi30k-captions",
    ),
    "flickr8k": _Set(
        {"all": ("Flickr8k.token.txt",)},
        _captions_of_images,
        "consecutive pairs of the five captions of an image",
        "the text of Flickr8k",
        "not stated with the text",
        "Hodosh et al. (2013). Framing image description as a ranking task",
    ),
    "twitter-url": _Set(
        {
            part: (f"{part}/a.toks", f"{part}/b.toks", f"{part}/sim.txt")
            for part in ("train", "test")
        },
        _judged_files,
        "tweets and headlines about one link, judged",
        "the Twitter News URL corpus (github lanwuwei/Twitter-URL-Corpus)",
        "CC BY-NC-SA 3.0, and the terms of Twitter",
        "Lan et al. (2017). A continuously growing dataset of sentential paraphrases",
    ),
    "quora": _Set(
        {part: (f"{part}.txt",) for part in ("dev", "test")},
        partial(_judged_columns, columns=(0, 1), score_column=2, header=False),
        "questions, judged",
        "Quora question pairs, in the split of Wang et al. (2017)",
        "the terms of service of Quora",
        "Wang et al. (2017). Bilateral multi-perspective matching for natural language sentences",
    ),
    "asset": _Set(
        {
            part: (f"asset.{part}.orig", *_numbered(f"asset.{part}.simp.{{}}", range(10)))
            for part in ("valid", "test")
        },
        _rewritings,
        "sentences of Wikipedia, each with ten simplifications",
        "ASSET (github facebookresearch/asset)",
        "CC BY-NC 4.0",
        "Alva-Manchego et al. (2020). ASSET: a dataset for tuning and evaluation of sentence "
        "simplification models",
    ),
    "wikisplit": _Set(
        {"validation": ("validation.tsv",)},
        _split_sentences,
        "a sentence of Wikipedia and the same content in two",
        "WikiSplit (github google-research-datasets/wiki-split)",
        "CC BY-SA 4.0",
        "Botha et al. (2018). Learning to split and rephrase from Wikipedia edit history",
    ),
    "simple-wikipedia": _Set(
        {
            name: (f"{stem}.src", f"{stem}.dst")
            for name, stem in [
                ("wikilarge-valid", "wiki.full.aner.ori.valid"),
                ("wikismall-valid", "PWKP_108016.tag.80.aner.ori.valid"),
                ("wikismall-test", "PWKP_108016.tag.80.aner.ori.test"),
            ]
        },
        _rewritings,
        "sentences of English and of Simple English Wikipedia",
        "WikiSmall and WikiLarge (github louismartin/dress-data)",
        "not stated",
        "Zhang and Lapata (2017). Sentence simplification with deep reinforcement learning",
    ),
    **{
        f"tatoeba-{language}": _Set(
            {"all": (f"{language}-eng.zip",)},
            _shared_translations,
            "English sentences that share a translation",
            f"{language}-eng.zip of manythings.org/anki",
            _TATOEBA_TERMS,
            "Tatoeba, tatoeba.org",
            _TATOEBA_FOLDER,
        )
        for language in ("spa", "fra")
    },
    "ppdb-lexical": _Set(
        {"all": ("ppdb-xxxl-lexical.txt",)},
        _word_pairs,
        "words of PPDB 1.0 XXXL",
        "the lexical pairs of PPDB 1.0 XXXL",
        "not stated beside the file",
        "Ganitkevitch et al. (2013). PPDB: the paraphrase database",
        "paraphrase",
    ),
    "ppdb-xl": _Set(
        {"all": ("ppdb-xl-lexicon.txt",)},
        _lexicon,
        "words of PPDB 1.0 XL, each with its neighbours",
        "the PPDB XL lexicon (github mfaruqui/retrofitting)",
        "not stated beside the file",
        "Faruqui et al. (2015). Retrofitting word vectors to semantic lexicons",
        "paraphrase",
    ),
}
