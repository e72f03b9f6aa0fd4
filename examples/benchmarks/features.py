"""Pairs per second of LexicalFeatures, with cold caches, on one core.

    taskset -c 0 python examples/benchmarks/features.py --data DATA

Every row runs in its own process. Before the clock starts, the process loads WordNet, the tagger
and the tables of words, and computes the features of two pairs. So imports and files are not
counted, but every word of the set is new. Sets: STS 2013 headlines and MSRpar of STS 2012, 750
pairs each.

all            all features, tagging included
tags passed    the same with ``transform_tokens``; tokens and tags are computed before
fast           the features that need neither a tagger nor WordNet
wordnet        path similarity and antonyms alone, with ``transform_tokens``
nltk           path similarity alone as the published systems compute it, with nltk's reader of the
               same files, for 40 pairs
2, 4 times     all features of the set and of pairs from other sets, two and four times as many in
               total: the time per pair should not change

``--processes`` compares one process with two on all features of 2012 to 2015 (without taskset, on
two cores).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from skpara import LexicalFeatures
from skpara.datasets import fetch_sts

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import print_table

ROWS = ("all", "tags passed", "fast", "wordnet", "nltk", "2 times", "4 times")
SETS = {"headlines": (2013, "2013/headlines"), "MSRpar": (2012, "2012/MSRpar")}
WARM_UP = [("A man plays a guitar.", "Someone is playing music."), ("Two dogs.", "A cat sat.")]


def pairs_of(name: str, data: str | None) -> np.ndarray:
    """Return the pairs of a set."""
    year, group = SETS[name]
    every = fetch_sts(year, data_home=data)
    return every.data[every.groups == group]


def tagged(lexical: LexicalFeatures, pairs: np.ndarray) -> list[list[list[tuple[str, str]]]]:
    """Return tokens and tags of both sides."""
    from nltk.tokenize import NLTKWordTokenizer

    tokenize = NLTKWordTokenizer().tokenize
    sides = [[tokenize(sentence) for sentence in pairs[:, k]] for k in (0, 1)]
    return [
        [list(zip(t, g, strict=True)) for t, g in zip(s, lexical.tagger_.tag(s), strict=True)]
        for s in sides
    ]


def by_nltk(lexical: LexicalFeatures, pairs: np.ndarray) -> float:
    """Return pairs per second of nltk's path similarity over all words of 40 pairs."""
    import shutil
    import tempfile
    import warnings

    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.data import FileSystemPathPointer, path

    warnings.simplefilter("ignore")

    class Reader(WordNetCorpusReader):
        def map_wn(self, *_: object) -> None:
            return None

        def get_version(self) -> str:
            return "3.0"

    first, second = tagged(lexical, pairs[:40])
    with tempfile.TemporaryDirectory() as folder:
        for file in lexical.wordnet_.folder.iterdir():
            if file.is_file():
                shutil.copy(file, folder)
        with open(os.path.join(folder, "lexnames"), "w") as names:
            names.writelines(f"{i:02d}\tname{i}\t1\n" for i in range(45))
        path.append(folder)
        reader = Reader(FileSystemPathPointer(folder), None)
        start = time.perf_counter()
        for a, b in zip(first, second, strict=True):
            for x, _ in a:
                for y, _ in b:
                    for synset in reader.synsets(x):
                        for other in reader.synsets(y):
                            synset.path_similarity(other)
        return 40 / (time.perf_counter() - start)


def measure(row: str, name: str, data: str | None) -> float:
    """Return pairs per second of a row, measured in this process."""
    pairs = pairs_of(name, data)
    if row.endswith("times"):
        more = fetch_sts(range(2013, 2016), data_home=data).data
        rng = np.random.default_rng(0)
        pairs = np.concatenate([pairs, rng.permutation(more)])[: int(row[0]) * len(pairs)]
    groups = {"fast": "fast", "wordnet": "wordnet"}
    lexical = LexicalFeatures(groups.get(row, "all"), wordnet=True, tagger="hanta").fit(pairs)
    lexical.transform(WARM_UP)
    lexical.transform_tokens(*tagged(LexicalFeatures("dcu").fit(WARM_UP), np.array(WARM_UP)))
    if row == "nltk":
        return by_nltk(lexical, pairs)
    if row in ("tags passed", "wordnet"):
        sides = tagged(LexicalFeatures("dcu").fit(WARM_UP), pairs)
        start = time.perf_counter()
        lexical.transform_tokens(*sides)
    else:
        start = time.perf_counter()
        lexical.transform(pairs)
    return len(pairs) / (time.perf_counter() - start)


def processes(data: str | None) -> dict[int, float]:
    """Return pairs per second of all features with one process and with two."""
    every = fetch_sts(range(2012, 2016), split="all", data_home=data).data
    speeds = {}
    for n_jobs in (1, 2):
        lexical = LexicalFeatures(n_jobs=n_jobs).fit(every)
        lexical.transform(every[: 2 * 1024])  # starts the processes, which load their tables
        start = time.perf_counter()
        lexical.transform(every)
        speeds[n_jobs] = len(every) / (time.perf_counter() - start)
    return speeds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", default=os.environ.get("SKPARA_DATA"), help="folder of STS")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="", help="only rows whose name contains this")
    parser.add_argument("--processes", action="store_true", help="compare one process with two")
    parser.add_argument("--row", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.row:
        print(json.dumps(measure(*args.row, args.data)))
        return
    if args.processes:
        one, two = processes(args.data).values()
        rows = [["one", one, 1.0], ["two", two, two / one]]
        print_table(
            "All features of STS 2012-2015",
            ["processes", "pairs/s", "ratio"],
            [[name, round(speed), f"{ratio:.2f}"] for name, speed, ratio in rows],
        )
        return
    rows = []
    for row in (row for row in ROWS if args.only in row):
        speeds = []
        for name in SETS:
            command = [sys.executable, __file__, "--row", row, name]
            command += ["--data", args.data] if args.data else []
            runs = [
                json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
                for _ in range(args.repeats)
            ]
            speed = float(np.median(runs))
            speeds.append(round(speed) if speed > 100 else speed)
        print(f"{row}: {speeds}", file=sys.stderr, flush=True)
        rows.append([row, *speeds])
    title = f"Pairs per second, medians of {args.repeats} processes"
    print_table(title, ["features", *SETS], rows, digits=1)


if __name__ == "__main__":
    main()
