"""Learn the numbers of ``TableMatcher``: scores of names, and probabilities.

Names: a logistic regression of the features of pairs and of their margins to the row's other
candidates, on the fuzzy joins of Auto-FuzzyJoin (Li et al. 2021; names of DBpedia in English).
Sentences: the score is a fixed mean of meaning and spelling, which finds more captions than any
learned one. For both, a second logistic regression turns the best score of each row into a
probability, from tables where 0 to 60 % of the rows have lost their counterpart. Prints figures on
tasks that were left out (five folds) before it writes numbers learned from all.

Run: python examples/builders/build_table_model.py --data DATA
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from skpara.matching import _model, _texts
from skpara.matching._search import encode_units

OUT = Path(_model.__file__).with_name("table_model.json")
N_CANDIDATES, N_FOLDS, N_NEIGHBOURS = 10, 5, 1000
# Strength of the penalty: between .1 and 10 nothing changes.
C_PAIRS, C_ROWS = 0.1, 1.0
LOST = (0.0, 0.2, 0.4, 0.6)
# Sentences: weights of the mean, on a scale of about one unit for what a logistic one has.
SCALE, MEANING = 10.0, 0.9
FEATURES = list(_texts.FEATURES)


class Task(NamedTuple):
    """Pairs of a row and one of its candidates, and of neighbours within the reference."""

    rows: np.ndarray
    columns: np.ndarray
    features: np.ndarray
    right: np.ndarray
    has_match: np.ndarray
    near_rows: np.ndarray
    near_features: np.ndarray


def prepare(reference: list[str], groups: list, queries: list[str], query_groups: list) -> Task:
    """Find and compare the candidates; rows match if their groups are equal."""
    index = _texts.TextIndex(reference, encode_units("default", reference))
    bag = index.prepare(queries, encode_units("default", queries))
    rows, columns = index.candidates(bag, N_CANDIDATES)
    rng = np.random.default_rng(0)
    sample = np.sort(rng.choice(len(reference), min(len(reference), N_NEIGHBOURS), replace=False))
    near_bag, near_rows, near_columns = index.neighbours(sample, 4)
    known = {group for group in groups}
    right = [query_groups[i] == groups[j] for i, j in zip(rows, columns, strict=True)]
    return Task(
        rows, columns, index.compare(bag, rows, columns), np.array(right),
        np.array([group in known for group in query_groups]),
        near_rows, index.compare(near_bag, near_rows, near_columns),
    )  # fmt: skip


def names(data: Path) -> dict[str, Task]:
    """Read the fuzzy joins."""
    tasks = {}
    for folder in sorted((data / "fuzzy-join").iterdir()):
        tables = {}
        for name in ("left", "right", "gt"):
            with (folder / f"{name}.csv").open(encoding="utf8", newline="") as file:
                tables[name] = list(csv.DictReader(file))
        gold = {row["id_r"]: row["id_l"] for row in tables["gt"]}
        tasks[folder.name] = prepare(
            [row["title"] for row in tables["left"]], [row["id"] for row in tables["left"]],
            [row["title"] for row in tables["right"]],
            [gold.get(row["id"], f"none {row['id']}") for row in tables["right"]],
        )  # fmt: skip
    return tasks


def sentences(data: Path) -> dict[str, Task]:
    """Read captions of pictures, news, and sentences that were split in two.

    Captions that are in Multi30k too, on which matching is measured, are left out with their
    picture.
    """
    import gzip

    known = set()
    for number in range(1, 6):
        with gzip.open(data / f"paraphrase/multi30k-captions/train.{number}.en.gz", "rt") as file:
            known |= {line.strip().lower() for line in file}
    pictures: dict[str, list[str]] = {}
    text = (data / "paraphrase/flickr8k/Flickr8k.token.txt").read_text("utf8")
    for line in text.split("\n")[:-1]:
        name, caption = line.split("\t")
        pictures.setdefault(name.split("#")[0], []).append(caption)
    kept = [x for x in pictures.values() if not any(t.strip().lower() in known for t in x)][:1500]
    tasks = {
        "captions": prepare(
            [text for x in kept for text in x[1:]], [i for i, x in enumerate(kept) for _ in x[1:]],
            [x[0] for x in kept], list(range(len(kept))),
        )
    }  # fmt: skip
    [path] = (data / "paraphrase/msrp").glob("*train*")
    rows = [
        line.rstrip("\r").split("\t") for line in path.read_text("utf8").split("\n")[1:] if line
    ]
    same = [i for i, row in enumerate(rows) if row[0] == "1"][:1500]
    tasks["news"] = prepare(
        [row[4] for row in rows], list(range(len(rows))), [rows[i][3] for i in same], same
    )
    text = (data / "paraphrase/wikisplit/validation.tsv").read_text("utf8")
    split = [line.split("\t") for line in text.split("\n") if line][:4000]
    tasks["split"] = prepare(
        [row[0] for row in split], list(range(len(split))),
        [row[1].split("<::::>")[0] for row in split[:1200]], list(range(1200)),
    )  # fmt: skip
    return tasks


def without(task: Task, share: float, seed: int) -> Task:
    """Take away the counterparts of a share of the rows."""
    rng = np.random.default_rng(seed)
    matched = np.flatnonzero(task.has_match)
    lost = np.isin(task.rows, rng.choice(matched, int(share * len(matched)), replace=False))
    gone = np.isin(task.columns, task.columns[lost & task.right])
    has_match = task.has_match.copy()
    has_match[task.rows[task.right & gone]] = False
    has_match[task.rows[task.right & ~gone]] = True
    return task._replace(
        rows=task.rows[~gone], columns=task.columns[~gone], features=task.features[~gone],
        right=task.right[~gone], has_match=has_match,
    )  # fmt: skip


def learn_scores(tasks: list[Task]) -> tuple[np.ndarray, float]:
    """Return the weights of features and margins, and the intercept; tasks count alike."""
    X = np.vstack([np.hstack([t.features, _model.margins(t.features, t.rows)]) for t in tasks])
    y = np.concatenate([task.right for task in tasks])
    weights = np.concatenate([np.full(len(t.rows), 300 / len(t.has_match)) for t in tasks])
    return _logistic(X, y, weights, C_PAIRS)


def _logistic(X: np.ndarray, y: np.ndarray, weights: np.ndarray, C: float) -> tuple:
    mean, spread = X.mean(axis=0), X.std(axis=0) + 1e-9
    model = LogisticRegression(C=C, max_iter=1000).fit(
        (X - mean) / spread, y, sample_weight=weights
    )
    coefficients = model.coef_[0] / spread
    return coefficients, float(model.intercept_[0] - coefficients @ mean)


def best_rows(numbers: _model.TableModel, task: Task) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what the second model reads of rows, whether the best is right, and the context."""
    scores = numbers.score(task.features, task.rows)
    best = _model.first_of_best(scores, task.rows)
    gaps = _model.leads(scores, task.rows)[best]
    z = np.maximum(scores[best], _model._LOWEST)
    near = _model.neighbourhood(numbers.score(task.near_features, task.near_rows), task.near_rows)
    context = np.array([z.mean(), expit(z).mean(), *near])
    return np.column_stack([z, gaps, np.tile(context, (len(z), 1))]), task.right[best], context


def learn_probabilities(numbers: _model.TableModel, tasks: list[tuple]) -> _model.TableModel:
    """Learn the second model from ``tasks``: pairs of the model of their scores, and a task."""
    parts, contexts = [], []
    for scored, task in tasks:
        for share in LOST:
            for seed in range(3 if share else 1):
                X, y, context = best_rows(scored, without(task, share, seed))
                parts.append((X, y, np.full(len(y), 300 / len(y) / (3 if share else 1))))
                contexts.append(context)
    X, y, weights = map(np.concatenate, zip(*parts, strict=True))
    calibration, offset = _logistic(X, y, weights, C_ROWS)
    usual = np.mean(contexts, axis=0)[:2]
    return numbers._replace(calibration=calibration, offset=offset, usual=usual)


def start(weights: np.ndarray, intercept: float) -> _model.TableModel:
    """Return numbers without a second model."""
    return _model.TableModel(weights, intercept, np.zeros(6), 0.0, np.zeros(2))


def learn_names(tasks: dict[str, Task]) -> tuple[_model.TableModel, dict[str, _model.TableModel]]:
    """Return the numbers from all tasks, and for each task those that did not see it."""
    folds = {name: i % N_FOLDS for i, name in enumerate(tasks)}
    scored = {}
    for fold in range(N_FOLDS):
        numbers = start(*learn_scores([t for n, t in tasks.items() if folds[n] != fold]))
        scored |= {name: numbers for name in tasks if folds[name] == fold}
    others = {}
    for fold in range(N_FOLDS):
        seen = [(scored[n], t) for n, t in tasks.items() if folds[n] != fold]
        for name in tasks:
            if folds[name] == fold:
                others[name] = learn_probabilities(scored[name], seen)
    final = start(*learn_scores(list(tasks.values())))
    # Scores of tasks that were not seen, as those of users are.
    return learn_probabilities(final, [(scored[n], t) for n, t in tasks.items()]), others


def evaluate(numbers: _model.TableModel, task: Task) -> list[float]:
    """Return top-1 recall, area, recall at precision .9, and precision and recall at .9 and .5."""
    scores = numbers.score(task.features, task.rows)
    near = _model.neighbourhood(numbers.score(task.near_features, task.near_rows), task.near_rows)
    p = expit(numbers.logits(scores, task.rows, near))
    best = _model.first_of_best(scores, task.rows)
    p, right, n = p[best], task.right[best], task.has_match.sum()
    order = np.argsort(-scores[best], kind="stable")
    hits = np.cumsum(right[order])
    precision, recall = hits / np.arange(1, len(hits) + 1), hits / n
    figures = [
        recall[-1], float(np.diff(recall, prepend=0) @ precision),
        recall[precision >= 0.9].max(initial=0),
    ]  # fmt: skip
    for target in (0.9, None):
        taken = p >= 0.5
        if target is not None:
            order = np.argsort(-p, kind="stable")
            taken[order[_model.n_accepted(p[order], target) :]] = False
        figures += [right[taken].mean() if taken.any() else 1.0, right[taken].sum() / n]
    return figures


def report(tasks: dict[str, Task], numbers: dict[str, _model.TableModel]) -> None:
    """Print means over the tasks."""
    print("lost  top-1  area  r@.9 | target .9: P  R, worst P, below .8 | p >= .5: P  R")
    for share in (0.0, 0.4):
        rows = [
            evaluate(numbers[name], without(task, share, seed))
            for name, task in tasks.items() for seed in range(3 if share else 1)
        ]  # fmt: skip
        m, low = np.mean(rows, axis=0), np.array(rows)[:, 3]
        print(f"{share:.1f}   {m[0]:.3f} {m[1]:.3f} {m[2]:.3f} | {m[3]:.3f} {m[4]:.3f} "
              f"{low.min():.2f} {(low < 0.8).mean():.2f} | {m[5]:.3f} {m[6]:.3f}")  # fmt: skip


def main() -> None:
    """Learn both, print figures, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with fuzzy-join, ...")
    data = parser.parse_args().data
    tasks = names(data)
    of_names, others = learn_names(tasks)
    report(tasks, others)
    weights = np.zeros(2 * len(FEATURES))
    weights[FEATURES.index("meaning")] = SCALE * MEANING
    weights[FEATURES.index("characters")] = SCALE * (1 - MEANING)
    tasks = sentences(data)
    fixed = start(weights, -SCALE / 2)
    report(tasks, {
        name: learn_probabilities(fixed, [(fixed, t) for n, t in tasks.items() if n != name])
        for name in tasks
    })  # fmt: skip
    of_sentences = learn_probabilities(fixed, [(fixed, task) for task in tasks.values()])
    written = {
        kind: {
            name: np.round(value, 4).tolist() if isinstance(value, np.ndarray) else round(value, 4)
            for name, value in numbers._asdict().items()
        }
        for kind, numbers in (("names", of_names), ("sentences", of_sentences))
    }
    OUT.write_text(json.dumps(written, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
