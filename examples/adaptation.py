"""Where fitting with the sentences to be scored pays: ``fit(..., unlabeled=)`` without a teacher.

    python examples/adaptation.py --data DATA

For each kind of text of STS 2012-2015: learn from pairs of the other kinds, score it. Also: learn
from STS Benchmark's train part and score its dev part, in English and in Spanish (translated by
Apertium); learn from SICK's train part and score its trial part. Figures are means of Pearson's r
over the sets of a kind. Large sets are sampled, so compare the rows of a column, not other tables.
What is trained is trained with several seeds; figures are means over them, and *range* is the
largest difference between two seeds in any column of the row, *mean* apart.

Cosines
vectors            the packaged vectors, nothing learned
task-internal      vectors tuned on the training pairs
synthetic          the same with word dropout, as with paraphraser="copy"
-- copies          also learns from a copy of each sentence to be scored

Fusion of the task-internal similarity and lexical features
nothing                   nothing known of the sentences to be scored
frequencies               document frequencies include these sentences
synthetic                 with the similarity of the synthetic encoder; nothing known
-- copies                 it learns from copies of the sentences
-- copies, frequencies    both
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from cross_lingual import fetch_translated_benchmark
from numpy.typing import NDArray
from result_tables import mean_and_range, print_table
from sklearn.base import clone

from skpara import FusionRegressor, ParagramEncoder, make_sts_pipeline
from skpara.augment import ApertiumTranslator
from skpara.datasets import fetch_sick, fetch_sts, fetch_sts_benchmark
from skpara.metrics import pearson_score

Numbers = NDArray[np.float64]
KINDS = {
    "definitions": "OnWN|FNWN",
    "headlines": "headlines",
    "captions": "images|MSRvid",
    "news": "MSRpar|deft-news|SMT|tweet",
    "forums": "forum|belief",
    "students": "students",
}

# The parts whose features each row of the second table has.
FUSED = (
    ("task-internal", "lexical"),
    ("task-internal", "frequencies"),
    ("task-internal", "synthetic", "lexical"),
    ("task-internal", "copies", "lexical"),
    ("task-internal", "copies", "frequencies"),
)


class Task(NamedTuple):
    """Pairs to learn from, and pairs to score with the names of their sets."""

    name: str
    train: NDArray[Any]
    train_scores: Numbers
    train_groups: NDArray[Any] | None
    test: NDArray[Any]
    test_scores: Numbers
    test_groups: NDArray[Any]


def tasks(data: Path | None, n_train: int, n_test: int) -> Iterator[Task]:
    """Yield kinds of text of STS 2012-2015, STS Benchmark and SICK."""
    rng = np.random.default_rng(0)
    sts = fetch_sts((2012, 2013, 2014, 2015), data_home=data)
    for kind, pattern in KINDS.items():
        is_kind = np.array([re.search(pattern, group) is not None for group in sts.groups])
        train = rng.permutation(np.flatnonzero(~is_kind))[:n_train]
        test = rng.permutation(np.flatnonzero(is_kind))[:n_test]
        parts = sts.data, sts.target, sts.groups
        yield Task(kind, *(part[train] for part in parts), *(part[test] for part in parts))
    benchmark = fetch_sts_benchmark("train", data_home=data)
    train = rng.permutation(len(benchmark.data))[:n_train]
    learned = benchmark.data[train], benchmark.target[train], benchmark.groups[train]
    for language in ("en", "es"):
        dev = fetch_translated_benchmark("dev", language, data_home=data)
        test = rng.permutation(len(dev.data))[:n_test]
        pairs, scores = dev.data[test], dev.target[test]
        if language == "es":
            sentences = ApertiumTranslator("es", "en").translate(pairs.ravel().tolist())
            pairs = np.array(list(map(str, sentences)), dtype=object).reshape(-1, 2)
        yield Task(f"STS-B {language}", *learned, pairs, scores, np.zeros(len(test)))
    sick, trial = fetch_sick("train", data_home=data), fetch_sick("trial", data_home=data)
    train = rng.permutation(len(sick.data))[:n_train]
    test = rng.permutation(len(trial.data))[:n_test]
    learned = sick.data[train], sick.target[train], None
    yield Task("SICK", *learned, trial.data[test], trial.target[test], np.zeros(len(test)))


def mean_r(task: Task, predictions: Numbers) -> float:
    """Return the mean of Pearson's r over the sets of a task."""
    sets = [task.test_groups == name for name in np.unique(task.test_groups)]
    return float(
        np.mean([pearson_score(task.test_scores[rows], predictions[rows]) for rows in sets])
    )


def features(task: Task, part: Any, *, unlabeled: bool) -> tuple[Numbers, Numbers, float]:
    """Return a part's features of both sides, and the CPU seconds of fitting and computing."""
    start, part = time.process_time(), clone(part)
    adaptation = {"unlabeled": task.test.ravel().tolist()} if unlabeled else {}
    of_train = part.fit_transform(task.train, task.train_scores, **adaptation)
    return of_train, part.transform(task.test), time.process_time() - start


def run(task: Task, n_seeds: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return the column of a task by seed: cosines, fusion, and CPU seconds of the parts."""
    own = dict(make_sts_pipeline(paraphraser="copy")["features"].transformer_list)
    raw = mean_r(task, ParagramEncoder().similarity(task.test[:, 0], task.test[:, 1]))
    lexical = {  # the same for each seed
        "lexical": features(task, own["lexical"], unlabeled=False),
        "frequencies": features(task, own["lexical"], unlabeled=True),
    }
    cosines, fused, seconds = [], [], []
    for seed in range(n_seeds):
        encoder, synthetic = (
            own[name].set_params(random_state=seed) for name in ("encoder", "synthetic")
        )
        parts = {
            "task-internal": features(task, encoder, unlabeled=False),
            "synthetic": features(task, synthetic, unlabeled=False),
            "copies": features(task, synthetic, unlabeled=True),
            **lexical,
        }
        cosines.append([raw, *(mean_r(task, parts[name][1][:, 0]) for name in list(parts)[:3])])
        correlations = []
        for names in FUSED:
            train, test = (np.hstack([parts[name][side] for name in names]) for side in (0, 1))
            model = FusionRegressor(random_state=seed)
            model.fit(train, task.train_scores, groups=task.train_groups)
            correlations.append(mean_r(task, model.predict(test)))
        fused.append(correlations)
        seconds.append([part[2] for part in parts.values()])
    return np.array(cosines), np.array(fused), np.array(seconds)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, help="data folder")
    parser.add_argument("--n-train", type=int, default=1500, help="pairs to learn from")
    parser.add_argument("--n-test", type=int, default=600, help="pairs to score")
    parser.add_argument("--only", nargs="*", help="names of tasks")
    parser.add_argument("--seeds", type=int, default=3, help="runs of what is trained")
    args = parser.parse_args()
    names, columns = [], []
    for task in tasks(args.data, args.n_train, args.n_test):
        if args.only and task.name not in args.only:
            continue
        names.append(task.name)
        columns.append(run(task, args.seeds))
        print(task.name, "done", file=sys.stderr, flush=True)
    titles = (
        ("Cosine", ["vectors", "task-internal", "synthetic", "-- copies"], 3),
        (
            "Fusion",
            ["nothing", "frequencies", "synthetic", "-- copies", "-- copies, frequencies"],
            3,
        ),
        (
            "CPU seconds of each part",
            ["task-internal", "synthetic", "-- copies", "lexical", "-- frequencies"],
            1,
        ),
    )
    for part, (title, labels, digits) in enumerate(titles):
        by_seed = np.array([column[part] for column in columns])  # task, seed, row
        table, ranges = by_seed.mean(axis=1).T, np.ptp(by_seed, axis=1).max(axis=0)
        means = by_seed.mean(axis=0)  # over tasks
        rows = [
            [label, *row.tolist(), mean_and_range(by_row.tolist(), digits), float(widest)]
            for label, row, by_row, widest in zip(labels, table, means.T, ranges, strict=True)
        ]
        print_table(title, ["", *names, "mean", "range"], rows, digits=digits)


if __name__ == "__main__":
    main()
