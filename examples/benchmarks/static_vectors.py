"""Compare the packaged vectors with other models of sentences by the protocol of MTEB.

    python examples/benchmarks/static_vectors.py --data DATA [--model FOLDER] [--vectors FILE ...]

MTEB (Muennighoff and others 2023) correlates the cosine with the scores over all pairs of a task,
by Spearman's rho, whatever sets the task consists of. ``--model`` adds a model of
sentence-transformers; with all-MiniLM-L6-v2 the rows that are whole give its published figures.
``--vectors`` adds tables of word vectors.

Rows that differ from MTEB's files: STS Benchmark's test part has 1,254 of 1,379 pairs, from
2012-2016, and SICK the train and trial parts, unless the data folder has the test part too.
STS 2013 is without SMT, as in MTEB.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from skpara import ParagramEncoder, WordVectors
from skpara.datasets import fetch_sick, fetch_sts, fetch_sts_benchmark, load_sts_sample
from skpara.encoders import CachedModel, SentenceTransformerFeature
from skpara.metrics import semeval_report, spearman_score

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import Cell, print_table

# all-MiniLM-L6-v2 in its entry of the MTEB leaderboard, STS Benchmark over all 1,379 pairs and
# SICK-R over all 9,927.
PUBLISHED_MINILM = (72.37, 80.60, 75.59, 85.39, 78.99, 82.03, 77.58)
# Means over MTEB's ten English STS tasks (with BIOSSES, STS 2017 and 2022), in which no table of
# this repository can be compared row by row.
PUBLISHED_MEANS = {
    "all-MiniLM-L6-v2 (transformer)": (90, 78.90),
    "static-similarity-mrl-multilingual-v1": (434, 74.88),
    "potion-base-32M": (130, 74.22),
    "potion-base-8M": (30, 73.24),
    "potion-base-4M": (15, 72.19),
}
# A table of 4 MB: the most frequent words, the first dimensions. With 15,000 words of 256, or
# 30,000 of 128 dimensions, the mean of STS12-15 is lower.
SMALL_WORDS, SMALL_DIMS = 19_000, 192

Similarity = Callable[[Sequence[str], Sequence[str]], Any]


class Task(NamedTuple):
    """The pairs of a task of MTEB, or what the data folder has of them."""

    name: str
    pairs: Any
    scores: Any
    groups: Any


def tasks(data: str | None) -> list[Task]:
    """Read the seven tasks."""
    loaded = []
    for year in range(2012, 2017):
        sts = fetch_sts(year, data_home=data)
        loaded.append(Task(f"STS{year % 100}", sts.data, sts.target, sts.groups))
    test = fetch_sts_benchmark("test", data_home=data)
    loaded.append(Task("STSB", test.data, test.target, np.zeros(len(test.target))))
    parts = []
    for part in ("train", "trial", "test"):
        try:
            parts.append(fetch_sick(part, data_home=data, download_if_missing=False))
        except OSError:
            continue
    pairs = np.concatenate([part.data for part in parts])
    scores = np.concatenate([part.target for part in parts])
    loaded.append(Task("SICK", pairs, scores, np.zeros(len(scores))))
    return loaded


def small(vectors: WordVectors) -> WordVectors:
    """Return frequent words of a table, which are its first, and its punctuation marks."""
    is_kept = np.arange(len(vectors)) < SMALL_WORDS
    is_kept |= [not word[0].isalnum() for word in vectors.words]
    ids = np.flatnonzero(is_kept)
    words = [vectors.words[i] for i in ids]
    return WordVectors(words, vectors.take(ids)[:, :SMALL_DIMS].copy())


def compared(args: argparse.Namespace) -> dict[str, Similarity]:
    """Return the cosines to compare, by the name of the model."""
    packaged = WordVectors.load("default")
    models: dict[str, Similarity] = {
        "packaged": ParagramEncoder().similarity,
        "packaged, cut to 4 MB": ParagramEncoder(vectors=small(packaged)).similarity,
    }
    for path in args.vectors:
        models[Path(path).name] = ParagramEncoder(vectors=path).similarity
    if args.model:
        model, name = CachedModel(args.model), Path(args.model).name
        plain = SentenceTransformerFeature(model, number_weight=0, whitening=0)
        models[name] = plain.similarity
        # Numbers are added to centered vectors; the mean is taken over the packaged pairs.
        numbers = SentenceTransformerFeature(model, whitening=0).fit(load_sts_sample().data)
        models[f"{name}, with numbers"] = numbers.similarity
    return models


def main() -> None:
    """Print Spearman's rho of each task, Pearson's r within the sets, and published figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", help="data folder; default $SKPARA_DATA or cache")
    parser.add_argument("--model", help="folder of a sentence-transformers model")
    parser.add_argument("--vectors", nargs="*", default=[], help="files of word vectors")
    args = parser.parse_args()
    loaded = tasks(args.data)
    names = [task.name for task in loaded]
    rho: list[list[Cell]] = []
    within: list[list[Cell]] = []
    for model, similarity in compared(args).items():
        print(f"{model} ...", file=sys.stderr, flush=True)
        of_task, of_sets, counts = [], [], []
        for task in loaded:
            cosines = np.asarray(similarity(task.pairs[:, 0].tolist(), task.pairs[:, 1].tolist()))
            of_task.append(100 * spearman_score(task.scores, cosines))
            report = semeval_report(task.scores, cosines, task.groups)
            of_sets.append(report.pearson_over_pairs)
            counts.append(len(task.scores))
        rho.append([model, *of_task, float(np.mean(of_task))])
        chosen_on = float(np.average(of_sets[:4], weights=counts[:4]))
        within.append([model, *of_sets, chosen_on])
    published = [
        "all-MiniLM-L6-v2, published",
        *PUBLISHED_MINILM,
        float(np.mean(PUBLISHED_MINILM)),
    ]
    print_table(
        "Spearman's rho (x 100) of the cosine over all pairs of a task, as in MTEB",
        ["model", *names, "mean"],
        [*rho, published],
        digits=2,
    )
    print_table(
        "Pearson's r within each set, mean weighted by pairs, as in SemEval",
        ["model", *names, "2012-15"],
        within,
        digits=4,
    )
    print_table(
        "Published means over the ten English STS tasks of MTEB (minish.ai, results of model2vec)",
        ["model", "MB", "mean"],
        [[name, *values] for name, values in PUBLISHED_MEANS.items()],
        digits=2,
    )
    print_table("Pairs", ["task", "pairs"], [[task.name, len(task.scores)] for task in loaded])


if __name__ == "__main__":
    main()
