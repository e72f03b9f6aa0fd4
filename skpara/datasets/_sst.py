"""The Stanford Sentiment Treebank, as trees or as the sentences of SentEval."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np
from sklearn.utils import Bunch

from skpara.datasets._documentation import document_loader
from skpara.datasets._sources import get_data_home
from skpara.datasets._text_files import Lines

_SPLITS = ("train", "dev", "test")
_NEUTRAL = 2  # of the five classes; the binary task leaves it out
_TARGET_NAMES = {
    2: ["negative", "positive"],
    5: ["very negative", "negative", "neutral", "positive", "very positive"],
}
# Brackets that end a constituent, brackets with a label that begin one, and words.
_TREE = re.compile(r"\s*(?:(\))|\(([0-4])(?=[\s(])|([^\s()]+))\s*")
# How the Penn Treebank writes characters that have a meaning in trees and patterns.
_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-lrb-": "(", "-rrb-": ")", r"\/": "/", r"\*": "*"}
_ESCAPED = re.compile("|".join(map(re.escape, _ESCAPES)))


@document_loader
def fetch_sst(
    split: Literal["train", "dev", "test"] = "train",
    *,
    path: str | os.PathLike[str] | None = None,
    fine_grained: bool = False,
    phrases: bool = False,
    data_home: str | os.PathLike[str] | None = None,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    r"""Load sentences of the Stanford Sentiment Treebank from files that you downloaded yourself.

    Two formats are read, whichever a file has: trees, such as
    ``(3 (2 It) (4 (2 's) (3 good)))``, in files ``train.txt``, ``dev.txt`` and ``test.txt``; and
    SentEval's sentences, each with a tab and a label, in files ``sentiment-train``,
    ``sentiment-dev`` and ``sentiment-test``, which may be in folders ``binary`` and ``fine``.
    Nothing is downloaded.

    Parameters
    ----------
    split : {"train", "dev", "test"}, default="train"
        The part to load; ignored if ``path`` is a file.
    path : str or path-like, default=None
        A file, or a folder with files of these names. By default the folder ``SST`` of the data
        folder.
    fine_grained : bool, default=False
        If True, the classes are 0 (very negative) to 4 (very positive). If False, they are 0
        (negative) and 1 (positive), and neutral sentences are left out.
    phrases : bool, default=False
        If True, add the labeled phrases of all sentences, as is usual for training. Only trees
        have them.
    %(data_home, return_X_y)s

    Returns
    -------
    sklearn.utils.Bunch or tuple
        With ``return_X_y``, a tuple ``(data, target)``, else a Bunch of

        data : ndarray of shape (n_sentences,), object
            The sentences, with spaces between tokens.
        target : ndarray of shape (n_sentences,), int64
            Class of each sentence.
        groups : ndarray of shape (n_sentences,), int64
            Line of the sentence in the file. A sentence and its phrases have the same one.
        target_names, filenames, DESCR
            Names of the classes and of the file, and a description with the terms of use.

    References
    ----------
    Socher and others (2013). Recursive deep models for semantic compositionality over a sentiment
    treebank. EMNLP.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from skpara.datasets import fetch_sst
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "train.txt").write_text("(3 (2 It) (3 works))\n(1 (2 It) (1 broke))\n")
    >>> X, y = fetch_sst(path=folder, return_X_y=True)
    >>> X.tolist(), y.tolist()
    (['It works', 'It broke'], [1, 0])
    """
    if split not in _SPLITS:
        raise ValueError(f"split must be one of {list(_SPLITS)}, got {split!r}.")
    file = _find(split, path, data_home, fine_grained)
    rows, classes = _read(file, phrases)
    n_classes = 5 if fine_grained else 2
    if classes < n_classes:
        raise ValueError(
            f"{file} has no labels above 1, so it has two classes. Set fine_grained=False, or "
            "use the file with five."
        )
    if classes > n_classes:
        rows = [
            (text, int(label > _NEUTRAL), line) for text, label, line in rows if label != _NEUTRAL
        ]
    texts, labels, lines = ([row[k] for row in rows] for k in range(3))
    data = np.empty(len(rows), dtype=object)
    data[:] = texts
    target = np.array(labels, dtype=np.int64)
    if return_X_y:
        return data, target
    what = "sentences and phrases" if phrases else "sentences"
    descr = (
        f"Stanford Sentiment Treebank: {len(rows)} {what} of film reviews in {n_classes} classes."
        "\nTerms: not stated beside the files.\nPaper: Socher et al. (2013). Recursive deep "
        "models for semantic compositionality over a sentiment treebank. EMNLP 2013."
    )
    return Bunch(
        data=data,
        target=target,
        groups=np.array(lines, dtype=np.int64),
        target_names=_TARGET_NAMES[n_classes],
        filenames=[str(file)],
        DESCR=descr,
    )


def _find(
    split: str,
    path: str | os.PathLike[str] | None,
    data_home: str | os.PathLike[str] | None,
    fine_grained: bool,
) -> Path:
    folder = get_data_home(data_home) / "SST" if path is None else Path(path)
    if folder.is_file():
        return folder
    kind = "fine" if fine_grained else "binary"
    senteval = f"sentiment-{split}"
    names = (f"{split}.txt", f"{kind}/{senteval}", senteval)
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(
        f"Stanford Sentiment Treebank: none of {', '.join(names)} found in {folder}. Get "
        "trainDevTestTrees_PTB.zip from https://nlp.stanford.edu/sentiment, or SentEval's files "
        "of SST (github facebookresearch/SentEval), and put the files there, or pass path=."
    )


def _read(file: Path, phrases: bool) -> tuple[list[tuple[str, int, int]], int]:
    """Return texts, labels and line numbers, and the number of classes."""
    rows: list[tuple[str, int, int]] = []
    trees: bool | None = None
    lines = Lines(file)
    for line in lines:
        text = line.removesuffix("\r")
        if not text.strip():
            continue
        where = f"{lines.name}, line {lines.number},"
        if trees is None:
            trees = bool(re.match(r"\s*\([0-9]", text))
            if phrases and not trees:
                raise ValueError(f"{file} has no trees, so it has no phrases. Set phrases=False.")
        if trees:
            constituents = list(_constituents(text, where))
            # The whole sentence is the constituent that ends last.
            chosen = constituents[::-1] if phrases else constituents[-1:]
            rows += [(phrase, label, lines.number) for phrase, label in chosen]
        else:
            rows.append((*_labeled_sentence(text, where), lines.number))
    if not rows:
        raise ValueError(f"{file} is empty.")
    fine = trees or any(label > 1 for _, label, _ in rows)
    return rows, 5 if fine else 2


def _labeled_sentence(text: str, where: str) -> tuple[str, int]:
    sentence, tab, label = text.rpartition("\t")
    if not tab or label.strip() not in set("01234"):
        raise ValueError(
            f"{where} is {text[:60]!r}. Expected a tree, or a sentence, a tab and a label from 0 "
            "to 4."
        )
    return sentence.strip(), int(label)


def _constituents(text: str, where: str) -> Iterator[tuple[str, int]]:
    """Yield the words and the label of each constituent at its end, so the sentence comes last."""
    words: list[str] = []
    opened: list[tuple[int, int]] = []  # position of the first word, and label
    position = 0
    while position < len(text):
        token = _TREE.match(text, position)
        complete = bool(position) and not opened
        if token is None or complete or (token[2] is None and not opened):
            raise ValueError(
                f"{where} is not one tree with labels from 0 to 4, at {text[position:][:40]!r}. "
                "Download it again."
            )
        position = token.end()
        if token[1]:
            start, label = opened.pop()
            if start == len(words):
                raise ValueError(f"{where} has a constituent without words. Download it again.")
            yield " ".join(words[start:]), label
        elif token[2]:
            opened.append((len(words), int(token[2])))
        else:
            words.append(_ESCAPED.sub(lambda match: _ESCAPES[match[0]], token[3]))
    if opened:
        raise ValueError(f"{where} ends before its tree does. Download it again.")
