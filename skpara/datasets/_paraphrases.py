"""Paraphrases: sentences, and words, that people wrote or judged to mean the same."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

from sklearn.utils import Bunch

from skpara.datasets._bunch import make_bunch
from skpara.datasets._home import obtained_files
from skpara.datasets._tsv import as_lines, parse_score, read_lines, read_rows
from skpara.datasets._unpack import unpacked_gzip, unpacked_text

__all__ = ["PARAPHRASE_SETS", "fetch_paraphrases"]

# The two texts, 1 where they are paraphrases and 0 where not, and what they belong to.
Row = tuple[str, str, float, str]
Read = Callable[[list[Path]], Iterator[Row]]


@dataclass(frozen=True)
class _Set:
    """Where a set lies, how it is read, where it comes from and on what terms."""

    folder: str
    subsets: dict[str, tuple[str, ...]]  # files of each, the first subset is the default
    read: Read
    about: str
    source: str
    terms: str
    paper: str


def fetch_paraphrases(
    name: str,
    *,
    subset: str | None = None,
    data_home: str | os.PathLike[str] | None = None,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    """Load pairs that mean the same, from files obtained beforehand.

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
    "tatoeba-spa"       English sentences with the same
                        Spanish translation
    "tatoeba-fra"       the same with French
    "ppdb-lexical"      words
    "ppdb-xl"           words
    ==================  ====================================  ==============================

    None of these may be passed on by this package, and most ask each user to accept terms; nothing
    is downloaded. The error for a set that is missing says where it comes from.

    Parameters
    ----------
    name : str
        See the table.
    subset : str, default=None
        None is the first of the table.
    data_home : str or path-like, default=None
        Data folder; by default ``$SKPARA_DATA``, else the user's cache folder.
    as_frame : bool, default=False
        If True, `data` is a pandas DataFrame and `target` a Series; `frame` has all columns.
    return_X_y : bool, default=False
        If True, return ``(data, target)`` only.

    Returns
    -------
    data : sklearn.utils.Bunch, or tuple ``(data, target)`` if `return_X_y`

        data : ndarray of shape (n_pairs, 2), object
            The two texts.
        target : ndarray of shape (n_pairs,), float64
            1 for a paraphrase, 0 for none. Give ``ParagramEncoder`` ``positive_threshold=1``, or
            the rows with 1 alone.
        groups : ndarray of shape (n_pairs,), str
            What pairs have in common: the image, the original sentence, the translation. Keep a
            group on one side of a split (``GroupKFold``).
        feature_names, target_names, filenames : list of str
            Names of the columns, of the target, and of the files read.
        DESCR : str
            What the set is, its terms and its paper.

    Raises
    ------
    FileNotFoundError
        If a file is missing; names the set's official source.
    ValueError
        If there is no such set or subset, or a file is malformed (names file and line).

    Examples
    --------
    >>> from skpara.datasets import fetch_paraphrases
    >>> fetch_paraphrases("tatoeba-spa").data.shape  # doctest: +SKIP
    (6735, 2)
    """
    if name not in PARAPHRASE_SETS:
        raise ValueError(f"name must be one of {list(PARAPHRASE_SETS)}, got {name!r}")
    chosen = PARAPHRASE_SETS[name]
    subset = next(iter(chosen.subsets)) if subset is None else subset
    if subset not in chosen.subsets:
        raise ValueError(f"subset of {name} must be one of {list(chosen.subsets)}, got {subset!r}")
    files = obtained_files(
        data_home, chosen.folder, chosen.subsets[subset], title=name, source=chosen.source
    )
    rows = list(chosen.read(files))
    return make_bunch(
        [(left, right) for left, right, _, _ in rows],
        [score for _, _, score, _ in rows],
        [group for _, _, _, group in rows],
        descr=(
            f"{name}, {subset}: {len(rows)} pairs, {chosen.about}.\nTerms: {chosen.terms}.\n"
            f"Paper: {chosen.paper}."
        ),
        filenames=[str(file) for file in files],
        as_frame=as_frame,
        return_X_y=return_X_y,
    )


def _judged_columns(left: int, right: int, label: int, *, header: bool = False) -> Read:
    def read(files: list[Path]) -> Iterator[Row]:
        for file in files:
            rows = read_rows(file, max(left, right, label) + 1)
            for number, row in enumerate(rows[header:], start=1 + header):
                yield row[left], row[right], parse_score(row[label], file, number), str(number)

    return read


def aligned_lines(files: list[Path]) -> tuple[list[str], ...]:
    """The lines of each file, packed or not; as many of each."""
    columns = tuple(
        as_lines(unpacked_gzip(file), file) if file.suffix == ".gz" else read_lines(file)
        for file in files
    )
    if len({len(column) for column in columns}) > 1:
        counts = ", ".join(
            f"{f.name} {len(column)}" for f, column in zip(files, columns, strict=True)
        )
        raise ValueError(f"The files must have as many lines as each other: {counts}.")
    return columns


def _judged_files(files: list[Path]) -> Iterator[Row]:
    for number, (left, right, label) in enumerate(
        zip(*aligned_lines(files), strict=True), start=1
    ):
        yield left, right, parse_score(label, files[2], number), str(number)


def _rewritings(files: list[Path]) -> Iterator[Row]:
    for number, (first, *others) in enumerate(zip(*aligned_lines(files), strict=True), start=1):
        for other in others:
            yield first, other, 1.0, str(number)


def _captions(files: list[Path]) -> Iterator[Row]:
    for number, captions in enumerate(zip(*aligned_lines(files), strict=True), start=1):
        for left, right in pairwise(captions):
            yield left.strip(), right.strip(), 1.0, str(number)


def _captions_of_images(files: list[Path]) -> Iterator[Row]:
    captions: dict[str, list[str]] = defaultdict(list)
    for name, caption in (row[:2] for row in read_rows(files[0], 2)):
        captions[name.rpartition("#")[0]].append(caption)
    for image, texts in captions.items():
        for left, right in pairwise(texts):
            yield left, right, 1.0, image


def _split_sentences(files: list[Path]) -> Iterator[Row]:
    for number, row in enumerate(read_rows(files[0], 2), start=1):
        yield row[0], row[1].replace(" <::::> ", " "), 1.0, str(number)


def translated_rows(files: list[Path]) -> list[tuple[str, str]]:
    """English and its translation, from an archive of tab-separated lines."""
    member, content = unpacked_text(files[0])
    lines = as_lines(content, files[0])
    rows = []
    for number, line in enumerate(lines, start=1):
        cells = line.split("\t")
        if len(cells) < 2:
            raise ValueError(f"{files[0]}, line {number} of {member}: no tab in {line[:60]!r}")
        rows.append((cells[0], cells[1]))
    return rows


def _shared_translations(files: list[Path]) -> Iterator[Row]:
    english: dict[str, dict[str, None]] = defaultdict(dict)
    for sentence, translation in translated_rows(files):
        english[translation][sentence] = None
    for translation, sentences in english.items():
        for left, right in combinations(sentences, 2):
            yield left, right, 1.0, translation


def _word_pairs(files: list[Path]) -> Iterator[Row]:
    for left, right in (row[:2] for row in read_rows(files[0], 2)):
        yield left, right, 1.0, left


def _lexicon(files: list[Path]) -> Iterator[Row]:
    for number, line in enumerate(read_lines(files[0]), start=1):
        if not line.split():
            raise ValueError(f"{files[0]}, line {number}, is empty; expected words")
        head, *others = line.split()
        for other in others:
            yield head, other, 1.0, head


def _numbered(pattern: str, numbers: range) -> tuple[str, ...]:
    return tuple(pattern.format(n) for n in numbers)


PARAPHRASE_SETS: dict[str, _Set] = {
    "msrp": _Set(
        "paraphrase/msrp",
        {
            "train": ("msr_paraphrase_train.txt",),
            "test": ("msr_paraphrase_test.txt",),
        },
        _judged_columns(3, 4, 0, header=True),
        "sentences of news, judged",
        "the Microsoft Research Paraphrase Corpus",
        "Microsoft Research Shared Source License, non-commercial",
        "Dolan and Brockett (2005). Automatically constructing a corpus of sentential paraphrases",
    ),
    "multi30k": _Set(
        "paraphrase/multi30k-captions",
        {part: _numbered(part + ".{}.en.gz", range(1, 6)) for part in ("train", "val")},
        _captions,
        "consecutive ones of the five captions of an image",
        "Multi30k, task 2 (github multi30k/dataset)",
        "not stated in the repository",
        "Elliott et al. (2016). Multi30K: multilingual English-German image descriptions",
    ),
    "flickr8k": _Set(
        "paraphrase/flickr8k",
        {"all": ("Flickr8k.token.txt",)},
        _captions_of_images,
        "consecutive ones of the five captions of an image",
        "the text of Flickr8k",
        "not stated with the text",
        "Hodosh et al. (2013). Framing image description as a ranking task",
    ),
    "twitter-url": _Set(
        "paraphrase/twitter-url",
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
        "paraphrase/quora",
        {part: (f"{part}.txt",) for part in ("dev", "test")},
        _judged_columns(0, 1, 2),
        "questions, judged",
        "Quora question pairs, in the split of Wang et al. (2017)",
        "the terms of service of Quora",
        "Wang et al. (2017). Bilateral multi-perspective matching for natural language sentences",
    ),
    "asset": _Set(
        "paraphrase/asset",
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
        "paraphrase/wikisplit",
        {"validation": ("validation.tsv",)},
        _split_sentences,
        "a sentence of Wikipedia and the same content in two",
        "WikiSplit (github google-research-datasets/wiki-split)",
        "CC BY-SA 4.0",
        "Botha et al. (2018). Learning to split and rephrase from Wikipedia edit history",
    ),
    "simple-wikipedia": _Set(
        "paraphrase/simple-wikipedia",
        {
            name: (f"{stem}.src", f"{stem}.dst")
            for name, stem in (
                ("wikilarge-valid", "wiki.full.aner.ori.valid"),
                ("wikismall-valid", "PWKP_108016.tag.80.aner.ori.valid"),
                ("wikismall-test", "PWKP_108016.tag.80.aner.ori.test"),
            )
        },
        _rewritings,
        "sentences of English and of Simple English Wikipedia",
        "WikiSmall and WikiLarge (github louismartin/dress-data)",
        "not stated",
        "Zhang and Lapata (2017). Sentence simplification with deep reinforcement learning",
    ),
    **{
        f"tatoeba-{language}": _Set(
            "bitext/tatoeba",
            {"all": (f"{language}-eng.zip",)},
            _shared_translations,
            "English sentences that share a translation",
            f"{language}-eng.zip of manythings.org/anki",
            "CC BY 2.0, attribution to manythings.org/anki and tatoeba.org",
            "Tatoeba, tatoeba.org",
        )
        for language in ("spa", "fra")
    },
    "ppdb-lexical": _Set(
        "paraphrase",
        {"all": ("ppdb-xxxl-lexical.txt",)},
        _word_pairs,
        "words of PPDB 1.0 XXXL",
        "the lexical pairs of PPDB 1.0 XXXL",
        "not stated beside the file",
        "Ganitkevitch et al. (2013). PPDB: the paraphrase database",
    ),
    "ppdb-xl": _Set(
        "paraphrase",
        {"all": ("ppdb-xl-lexicon.txt",)},
        _lexicon,
        "words of PPDB 1.0 XL, each with its neighbours",
        "the PPDB XL lexicon (github mfaruqui/retrofitting)",
        "not stated beside the file",
        "Faruqui et al. (2015). Retrofitting word vectors to semantic lexicons",
    ),
}
