"""Intervals around scores, and the alarm for unfamiliar text, on kinds that were not learned from.

    python examples/benchmarks/intervals.py --data DATA --limit 6000

As in ``default_fit.py``, each kind of text of STS 2012-2015 and SICK's train part is left out in
turn, and pairs of STS Benchmark's test part are left out of all. Models are trained with several
seeds; where these differ, the range is in brackets.

First table: intervals that contain 90 % of the gold scores. ``groups`` of ``fit`` are the kinds,
so that the intervals learn from errors on kinds that were not learned from.

coverage, width    make_sts_pipeline(intervals=True).predict_interval(pairs, 0.9)
best by score      in hindsight: for each pair, the shortest interval with 90 % of the gold scores
                   of the 300 scored pairs, of all kinds, that have the nearest predictions
best by kind       the same with 100 pairs of its own kind: what it would be worth to know how a
                   kind is scored, which pairs of other kinds do not tell

Second table: area under the ROC curve of skpara.novelty, pairs of the kind against
pairs in another language (dev part of STS Benchmark in Spanish, German and French, Tatoeba), pairs
with one Spanish sentence, random letters, and words whose letters are shuffled; and the
share of pairs above 0.4, of the kind (false alarms) and of the others (found).
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from skpara import make_sts_pipeline, novelty
from skpara.datasets import get_data_home

sys.path.insert(0, str(Path(__file__).parents[1]))
from default_fit import KINDS, Task, kind_of, tasks
from result_tables import Cell, over_seeds, print_table

COVERAGE = 0.9
ALARM = 0.4
NEIGHBORS, NEIGHBORS_OF_KIND = 300, 100
MOST_PAIRS = 400  # of a kind and of each sort of strange text
LETTERS = list("abcdefghijklmnopqrstuvwxyz")
Sentences = list[tuple[str, str]]


def other_languages(data: Path) -> dict[str, Sentences]:
    """Return pairs in Spanish, German and French."""
    pairs: dict[str, Sentences] = {}
    for short, long in (("es", "spa"), ("de", "deu"), ("fr", "fra")):
        with (data / f"stsb-multi-mt/stsb-{short}-dev.csv").open(encoding="utf8") as file:
            pairs[f"STS-B {short}"] = [(a, b) for a, b, _ in csv.reader(file)][:MOST_PAIRS]
        path = data / f"bitext/tatoeba-laser/tatoeba.{long}-eng.{long}"
        lines = path.read_text("utf8").rstrip("\n").split("\n")
        pairs[f"Tatoeba {short}"] = list(zip(lines[::2], lines[1::2], strict=False))[:MOST_PAIRS]
    return pairs


def noise(pairs: Sentences, rng: np.random.Generator) -> dict[str, Sentences]:
    """Return pairs with random letters, and with the letters of each word shuffled."""

    def of_words(change: Any) -> Sentences:
        return [
            (" ".join(map(change, a.split())), " ".join(map(change, b.split()))) for a, b in pairs
        ]

    return {
        "letters": of_words(lambda word: "".join(rng.choice(LETTERS, len(word)))),
        "shuffled": of_words(lambda word: "".join(rng.permutation(list(word)))),
    }


def intervals_of(task: Task, model: Any) -> tuple[list[Cell], dict[str, Any]]:
    """Return the row of a kind, and what the last row needs."""
    features = model[:-1].transform(task.test)
    predicted = model[-1].predict(features)
    low, high = model[-1].predict_interval(features, COVERAGE).T
    gold = task.test_scores
    inside, width = (gold >= low) & (gold <= high), high - low

    row: list[Cell] = [task.name, len(gold), float(inside.mean()), float(width.mean())]
    return row, {"predicted": predicted, "gold": gold, "inside": inside, "width": width}


def best_intervals(predicted: Any, gold: Any, n_near: int) -> tuple[Any, Any]:
    """Return whether the shortest intervals of the nearest pairs contain the score, and widths."""
    order = np.argsort(predicted, kind="stable")
    n_near = min(n_near, len(gold))
    n_inside = int(np.ceil(COVERAGE * n_near))
    inside, width = np.empty(len(gold), dtype=bool), np.empty(len(gold))
    for place, pair in enumerate(order):
        start = int(np.clip(place - n_near // 2, 0, len(gold) - n_near))
        near = np.sort(gold[order[start : start + n_near]])
        widths = near[n_inside - 1 :] - near[: n_near - n_inside + 1]
        low, width[pair] = near[widths.argmin()], widths.min()
        inside[pair] = low <= gold[pair] <= low + width[pair]
    return inside, width


def last_rows(details: list[dict[str, Any]]) -> list[list[Cell]]:
    """Return the means over pairs and over kinds, and the bounds."""
    joined = {key: np.concatenate([d[key] for d in details]) for key in details[0]}
    sizes = [len(d["gold"]) for d in details]
    by_kind = [best_intervals(d["predicted"], d["gold"], NEIGHBORS_OF_KIND) for d in details]
    of_pairs, of_kinds = np.ones(sum(sizes)), np.repeat(1 / np.array(sizes), sizes)
    ours = joined["inside"], joined["width"]
    rows: list[list[Cell]] = []
    for name, weight, measured in (
        ("mean of pairs", of_pairs, ours),
        ("mean of kinds", of_kinds, ours),
        (
            "best by score",
            of_pairs,
            best_intervals(joined["predicted"], joined["gold"], NEIGHBORS),
        ),
        ("best by kind", of_pairs, tuple(map(np.concatenate, zip(*by_kind, strict=True)))),
    ):
        means = [float(np.average(values, weights=weight)) for values in measured]
        rows.append([name, len(weight), *means])
    return rows


def alarms_of(task: Task, model: Any, foreign: dict[str, Sentences]) -> list[Cell]:
    """Return the areas under the curve of a kind."""
    rng = np.random.default_rng(0)
    usual = [(a, b) for a, b in rng.permutation(task.test)[:MOST_PAIRS].tolist()]
    strange = foreign | noise(usual, rng)
    spanish = next(iter(foreign.values()))
    strange["one side"] = [(a, b) for (a, _), (b, _) in zip(usual, spanish, strict=False)]
    values = novelty(model, usual)
    cells: list[Cell] = [task.name]
    alarms = []
    for pairs in strange.values():
        strange_values = novelty(model, pairs)
        truth = np.repeat([0, 1], [len(values), len(strange_values)])
        cells.append(float(roc_auc_score(truth, np.concatenate([values, strange_values]))))
        alarms.append((strange_values > ALARM).mean())
    return [*cells, float((values > ALARM).mean()), float(np.mean(alarms))]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", help="folder of the data sets; default $SKPARA_DATA or cache")
    parser.add_argument("--limit", type=int, help="pairs to learn from and to score")
    parser.add_argument("--seeds", type=int, default=3, help="models of each kind")
    args = parser.parse_args()
    foreign = other_languages(get_data_home(args.data))
    kinds = [task for task in tasks(args.data, args.limit) if task.name in KINDS]
    widths, alarms = [], []  # rows by seed
    for seed in range(args.seeds):
        rows, details, areas = [], [], []
        for task in kinds:
            model = make_sts_pipeline(intervals=True, score_range=(0, 5), random_state=seed)
            model.fit(task.train, task.train_scores, groups=list(map(kind_of, task.train_groups)))
            row, detail = intervals_of(task, model)
            rows.append(row)
            details.append(detail)
            areas.append(alarms_of(task, model, foreign))
            print(seed, *row, file=sys.stderr, flush=True)
        means = np.array([row[1:] for row in areas], dtype=float).mean(axis=0).tolist()
        widths.append([*rows, *last_rows(details)])
        alarms.append([*areas, ["mean of kinds", *means]])
    columns = ["left out", "pairs", "coverage", "width"]
    print_table("Intervals for 90 % of the scores", columns, over_seeds(widths))
    names = [*foreign, "letters", "shuffled", "one side", "false alarms", "found"]
    print_table(
        "Unfamiliar text: area under the ROC curve", ["left out", *names], over_seeds(alarms)
    )


if __name__ == "__main__":
    main()
