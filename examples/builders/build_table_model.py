"""Learn the numbers of ``TableMatcher``: scores of names, and probabilities.

Names: a logistic regression of the features of pairs and of their margins to the row's other
candidates, on the fuzzy joins of Auto-FuzzyJoin (Li et al. 2021; names of DBpedia in English).
Sentences: the score is a fixed mean of meaning and spelling, which finds more captions than any
learned one. For both, a second logistic regression turns the best score of each row into a
probability, from tables without a share of their rows; that of names also reads the evidence of
words. Prints figures on what was left out
(names: five folds; sentences: each kind in turn) before it writes numbers learned from all.

Run: python examples/builders/build_table_model.py --data DATA
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from skpara.matching import _model, _texts
from skpara.matching._search import encode_units
from skpara.matching._words import word_evidence

OUT = Path(_model.__file__).with_name("table_model.json")
N_CANDIDATES, N_FOLDS, N_NEIGHBOURS, N_QUERIES = 10, 5, 1000, 1000
# Numbers of rows of tables of sentences, and tables of that size for each kind.
SIZES = {10: 3, 100: 1, 1000: 1, 6000: 1}
# Strength of the penalty: between .1 and 10 nothing changes.
C_PAIRS, C_ROWS = 0.1, 1.0
# Shares of the counterparts that are taken away. With more of them, .02 of the recall of names is
# lost; of sentences, which more often have none, the probabilities of a kind that was left out are
# 3 % too high with fewer.
LOST_NAMES, LOST_SENTENCES = (0.0, 0.4), (0.0, 0.2, 0.4, 0.6)
# Tasks with the same names are left out together.
OVERLAPPING = {
    "NationalFootballLeagueSeason": "FootballLeagueSeason",
    "SportsLeague": "SoccerLeague",
}
# Sentences: weights of the mean, on a scale of about one unit for what a logistic one has.
SCALE, MEANING = 10.0, 0.9
FEATURES = list(_texts.FEATURES)


class Task(NamedTuple):
    """Pairs of a row and one of its candidates, and of neighbours within the reference."""

    rows: np.ndarray
    columns: np.ndarray
    features: np.ndarray
    right: np.ndarray
    groups: np.ndarray  # of the candidates
    wanted: np.ndarray  # the group of each row, -1 if no indexed text is of it
    near_rows: np.ndarray
    near_features: np.ndarray
    near_groups: np.ndarray  # of both neighbours
    queries: list[str]
    index: _texts.TextIndex | None  # that words are evidence in


def prepare(reference: list[str], groups: list, queries: list[str], query_groups: list) -> Task:
    """Find and compare the candidates; rows match if their groups are equal."""
    index = _texts.TextIndex(reference, encode_units("default", reference))
    bag = index.prepare(queries, encode_units("default", queries))
    rows, columns = index.candidates(bag, N_CANDIDATES)
    rng = np.random.default_rng(0)
    sample = np.sort(rng.choice(len(reference), min(len(reference), N_NEIGHBOURS), replace=False))
    near_bag = index.rows.part(sample)
    near_rows, near_columns = index.candidates(near_bag, 4)
    others = sample[near_rows] != near_columns
    near_rows, near_columns = near_rows[others], near_columns[others]
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    own = np.array([numbers[group] for group in groups])
    wanted = np.array([numbers.get(group, -1) for group in query_groups])
    return Task(
        rows, columns, index.compare(bag, rows, columns), wanted[rows] == own[columns],
        own[columns], wanted, near_rows, index.compare(near_bag, near_rows, near_columns),
        np.column_stack([own[sample[near_rows]], own[near_columns]]), queries, index,
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


def linked(pairs: list, others: list[str]) -> Task:
    """Make a task of pairs of a query and its counterpart; other sentences are indexed too.

    Sentences that pairs link, also over others, are of one group.
    """
    rows = {text: row for row, text in enumerate(dict.fromkeys(x for p in pairs for x in p))}
    edges = np.array([[rows[a], rows[b]] for a, b in pairs]).T
    links = coo_matrix((np.ones(len(pairs)), edges), shape=(len(rows), len(rows)))
    groups = dict(zip(rows, connected_components(links)[1].tolist(), strict=True))
    queries = list(dict.fromkeys(a for a, _ in pairs))
    taken = np.random.default_rng(0).permutation(len(queries))[:N_QUERIES]
    queries = [queries[row] for row in taken]
    reference = sorted({b for _, b in pairs} - set(queries) | set(others) - set(rows))
    return prepare(
        reference, [groups.get(text, text) for text in reference],
        queries, [groups[text] for text in queries],
    )  # fmt: skip


def sentences(data: Path) -> dict[str, Task]:
    """Read sentences of six kinds.

    Captions that are in Multi30k too, on which matching is measured, are left out with their
    picture. Of Quora, the test part is not read.
    """
    known = set()
    for number in range(1, 6):
        path = data / f"paraphrase/multi30k-captions/train.{number}.en.gz"
        known |= {
            x.strip().lower() for x in gzip.decompress(path.read_bytes()).decode().split("\n")
        }
    pictures: dict[str, list[str]] = {}
    for name, caption in _rows(data / "paraphrase/flickr8k/Flickr8k.token.txt"):
        pictures.setdefault(name.split("#")[0], []).append(caption)
    kept = [x for x in pictures.values() if not any(t.strip().lower() in known for t in x)]
    [path] = (data / "paraphrase/msrp").glob("*train*")
    news = [(a, b, label) for label, _, _, a, b in _rows(path)[1:]]
    tweets = [
        [x for [x] in _rows(data / f"paraphrase/twitter-url/train/{name}")]
        for name in ("a.toks", "b.toks", "sim.txt")
    ]
    labelled = {
        "news": news,
        "questions": _rows(data / "paraphrase/quora/dev.txt"),
        "tweets": list(zip(*tweets, strict=True)),
    }
    split = _rows(data / "paraphrase/wikisplit/validation.tsv")
    simple = []
    for stem, ends in (
        ("asset/asset.valid.", ("orig", "simp.0")),
        ("simple-wikipedia/wiki.full.aner.ori.valid.", ("src", "dst")),
    ):
        sides = [[x for [x] in _rows(data / f"paraphrase/{stem}{end}")] for end in ends]
        simple += list(zip(*sides, strict=True))
    by_other: dict[str, list[str]] = {}
    for language in ("fra", "spa"):
        with zipfile.ZipFile(data / f"bitext/tatoeba/{language}-eng.zip") as archive:
            [name] = [x for x in archive.namelist() if x.endswith(("fra.txt", "/spa.txt"))]
            for line in archive.read(name).decode().split("\n"):
                if "\t" in line:
                    english, other = line.split("\t")[:2]
                    by_other.setdefault(other, []).append(english)
    same = [(x[0], y) for x in by_other.values() for y in x[1:] if y != x[0]]
    tasks = {
        "captions": ([(x[0], y) for x in kept[:1500] for y in x[1:]], []),
        "wikipedia": (
            [(b.split("<::::>")[0], a) for a, b in split[:1200]] + simple,
            [a for a, _ in split[1200:]],
        ),
        "translations": (same, [x[0] for x in by_other.values()][::20]),
    }
    for kind, rows in labelled.items():
        tasks[kind] = ([(a, b) for a, b, x in rows if x == "1" and a != b], [r[1] for r in rows])
    made = {}
    for kind, (pairs, others) in tasks.items():
        for size, seed in [(size, seed) for size, n in SIZES.items() for seed in range(n)]:
            rng = np.random.default_rng(seed)
            some = sorted(rng.permutation(len(pairs))[: size // 2].tolist())
            more = sorted(rng.permutation(len(others))[: size // 2].tolist())
            task = linked([pairs[i] for i in some], [others[i] for i in more])
            task = task._replace(index=None)
            made[f"{kind} {size} {seed}"] = task
    return made


def _rows(path: Path) -> list[list[str]]:
    lines = path.read_text("utf-8-sig").split("\n")
    return [line.rstrip("\r").split("\t") for line in lines if line]


def without(task: Task, share: float, seed: int) -> Task:
    """Take away a share of the groups that rows want from the index."""
    rng = np.random.default_rng(seed)
    wanted = np.unique(task.wanted[task.wanted >= 0])
    lost = rng.choice(wanted, int(share * len(wanted)), replace=False)
    kept = ~np.isin(task.groups, lost)
    near = ~np.isin(task.near_groups, lost).any(axis=1)
    return Task(
        *(x[kept] for x in (task.rows, task.columns, task.features, task.right, task.groups)),
        np.where(np.isin(task.wanted, lost), -1, task.wanted),
        *(x[near] for x in (task.near_rows, task.near_features, task.near_groups)),
        task.queries, task.index,
    )  # fmt: skip


def learn_scores(tasks: list[Task]) -> tuple[np.ndarray, float]:
    """Return the weights of features and margins, and the intercept; tasks count alike."""
    tasks = [without(task, share, 0) for task in tasks for share in LOST_NAMES]
    X = np.vstack([np.hstack([t.features, _model.margins(t.features, t.rows)]) for t in tasks])
    y = np.concatenate([task.right for task in tasks])
    weights = np.concatenate([np.full(len(t.rows), 300 / len(t.wanted)) for t in tasks])
    return _logistic(X, y, weights, C_PAIRS)


def _logistic(X: np.ndarray, y: np.ndarray, weights: np.ndarray, C: float) -> tuple:
    mean, spread = X.mean(axis=0), X.std(axis=0) + 1e-9
    model = LogisticRegression(C=C, solver="newton-cholesky").fit(
        (X - mean) / spread, y, sample_weight=weights
    )
    coefficients = model.coef_[0] / spread
    return coefficients, float(model.intercept_[0] - coefficients @ mean)


def words(scores: np.ndarray, task: Task) -> np.ndarray | None:
    """Return the evidence of words for each row; sentences have none."""
    if task.index is None:
        return None
    return word_evidence(task.index, task.queries, task.rows, task.columns, scores)


def best_rows(numbers: _model.TableModel, task: Task) -> tuple[np.ndarray, ...]:
    """Return the evidence about the best pairs of rows, and whether they are right.

    The evidence is the score, the gap, the neighbourhood of the table, and words.
    """
    scores = numbers.score(task.features, task.rows)
    best = _model.first_of_best(scores, task.rows)
    gaps = _model.leads(scores, task.rows)[best]
    near = _model.neighbourhood(numbers.score(task.near_features, task.near_rows), task.near_rows)
    evidence = np.empty((len(best), 0)) if task.index is None else words(scores, task)
    return np.maximum(scores[best], _model.LOWEST), gaps, near, evidence, task.right[best]


def learn_probabilities(
    numbers: _model.TableModel, tasks: list[tuple], lost: tuple[float, ...] = LOST_NAMES
) -> _model.TableModel:
    """Learn the second model from ``tasks``: pairs of the model of their scores, and a task."""
    rows, weights = [], []
    for scored, task in tasks:
        for share in lost:
            n = 3 if share else 1
            rows += [best_rows(scored, without(task, share, seed)) for seed in range(n)]
            weights += [np.full(len(row[0]), 300 / len(row[0]) / n) for row in rows[-n:]]
    numbers = numbers._replace(usual=np.mean([_model.summary(row[0]) for row in rows], axis=0))
    contexts = [numbers.context(z, near) for z, _, near, *_ in rows]
    # Contexts beyond those that were learned from count as the nearest of them.
    numbers = numbers._replace(seen=np.array([np.min(contexts, 0), np.max(contexts, 0)]))
    X = [
        np.column_stack([z, gaps, np.tile(numbers.context(z, near), (len(z), 1)), evidence])
        for z, gaps, near, evidence, _ in rows
    ]
    y = np.concatenate([row[-1] for row in rows])
    calibration, offset = _logistic(np.concatenate(X), y, np.concatenate(weights), C_ROWS)
    return numbers._replace(calibration=calibration, offset=offset)


def start(weights: np.ndarray, intercept: float) -> _model.TableModel:
    """Return numbers without a second model."""
    everything = np.array([[-np.inf], [np.inf]])
    return _model.TableModel(weights, intercept, np.zeros(6), 0.0, np.zeros(2), everything)


def learn_names(tasks: dict[str, Task]) -> tuple[_model.TableModel, dict[str, _model.TableModel]]:
    """Return the numbers from all tasks, and for each task those that did not see it."""
    groups = [OVERLAPPING.get(name, name) for name in tasks]
    places = {group: i for i, group in enumerate(dict.fromkeys(groups))}
    folds = {name: places[group] % N_FOLDS for name, group in zip(tasks, groups, strict=True)}
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
    # Scores of tasks that were not seen, as users' tasks are not.
    return learn_probabilities(final, [(scored[n], t) for n, t in tasks.items()]), others


def evaluate(numbers: _model.TableModel, task: Task) -> list[float]:
    """Return top-1 recall, area, recall at precision .9, and precision and recall at .9 and .5."""
    scores = numbers.score(task.features, task.rows)
    near = _model.neighbourhood(numbers.score(task.near_features, task.near_rows), task.near_rows)
    p = expit(numbers.logits(scores, task.rows, near, words(scores, task)))
    best = _model.first_of_best(scores, task.rows)
    p, right, n = p[best], task.right[best], (task.wanted >= 0).sum()
    order = np.argsort(-p, kind="stable")
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


def learn_sentences(
    tasks: dict[str, Task],
) -> tuple[_model.TableModel, dict[str, _model.TableModel]]:
    """Return the numbers from all tasks, and for each task those that did not see its kind."""
    weights = np.zeros(2 * len(FEATURES))
    weights[FEATURES.index("meaning")] = SCALE * MEANING
    weights[FEATURES.index("characters")] = SCALE * (1 - MEANING)
    weights[FEATURES.index("equal")] = 0.01  # before the same words in another order
    fixed = start(weights, -SCALE / 2)
    kinds = {name: name.split()[0] for name in tasks}
    unseen = {}
    for kind in set(kinds.values()):
        seen = [(fixed, task) for name, task in tasks.items() if kinds[name] != kind]
        unseen[kind] = learn_probabilities(fixed, seen, LOST_SENTENCES)
    others = {name: unseen[kind] for name, kind in kinds.items()}
    everything = [(fixed, task) for task in tasks.values()]
    return learn_probabilities(fixed, everything, LOST_SENTENCES), others


def main() -> None:
    """Learn both, print figures, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with fuzzy-join, ...")
    data = parser.parse_args().data
    written = {}
    for kind, read, learn in (
        ("names", names, learn_names),
        ("sentences", sentences, learn_sentences),
    ):
        tasks = read(data)
        numbers, others = learn(tasks)
        report(tasks, others)
        written[kind] = {
            name: np.round(value, 4).tolist() if isinstance(value, np.ndarray) else round(value, 4)
            for name, value in numbers._asdict().items()
        }
    OUT.write_text(json.dumps(written, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
