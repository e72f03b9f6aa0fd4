"""Learn the numbers by which records of several columns are compared.

The model reads numbers that describe a pair of a record and one of its candidates (see
skpara/matching/_comparison.py). It is the mean of a logistic regression and of boosted trees,
which learn from tables with known matches: products, papers, films, restaurants, beers, songs and
persons of public benchmarks, joins of names with a column that says nothing, and made-up tables of
46 kinds by two hands, in which different things share most of their cells. Some columns of the
real tables are left out in further copies, so that the model learns to do with less. All sources
count alike, and all made-up kinds together about as much as these.

A calibration, learned from scores of tables that the model had not seen, turns scores into log
odds. It prints what is reached on each source by a model that has not seen it (walmart and the
labelled part of walmart are one source), then writes the numbers that all sources give. The models
that have not seen a part of the sources go to a file for build_call_model.py, which learns on top
of them.

Run: python examples/builders/build_record_model.py --data DATA [--figures]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
import pandas as pd
from made_up_joins import made_up_joins
from made_up_tables import MadeUpTable, made_up_tables
from numpy.typing import NDArray
from scipy.special import expit, logit
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from tree_numbers import to_numbers

from skpara.matching import _model
from skpara.matching._comparison import RECORD_FEATURES
from skpara.matching._records import Records
from skpara.matching._search import best_of_each_row
from skpara.matching._strategies import Fields
from skpara.matching._tables import read_columns
from skpara.saving import boosted_trees

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import Cell, print_table

OUT = Path(_model.__file__).with_name("record_model.json")
# For each source, a model of two tables that has not seen it.
UNSEEN = Path("build/record_models.joblib")
N_CANDIDATES = 10
# Tables of one source are left out together. Other columns of two tables that are one.
SOURCES = {
    "walmart-amazon": "walmart",
    "mg-walmart-amazon": "walmart",
    "dblp-acm": "papers",
    "mg-dblp-acm": "papers",
    "pairs-dblp-scholar": "papers",
    "imdb-dbpedia": "films",
    "mg-rotten-imdb": "rotten",
    "mg-fodors-zagat": "restaurants",
    "restaurants": "restaurants",
    "mg-zomato-yelp": "zomato",
    "mg-beer": "beer",
    "pairs-itunes-amazon": "itunes",
    "febrl1": "febrl",
    "febrl2": "febrl",
    "febrl3": "febrl",
    "cora": "cora",
}
SAME_COLUMNS = {"actor name": "starring", "director name": "writer"}
PUBLISHED = (
    "mg-walmart-amazon", "mg-dblp-acm", "pairs-dblp-scholar", "mg-beer", "pairs-itunes-amazon",
    "mg-fodors-zagat", "mg-rotten-imdb", "mg-zomato-yelp",
)  # fmt: skip
# Queries of a table; of copies with fewer columns, joins of names, and made-up tables.
N_QUERIES, N_QUERIES_OF_COPIES = 2500, 1000
N_QUERIES_OF_NAMES, N_QUERIES_OF_MADE_UP = 400, 300
# Pairs of a table that are learned from, a third of them matches at most.
N_PAIRS, N_PAIRS_OF_MADE_UP = 2000, 250
# Weights of copies, and of all pairs of a made-up kind; a real source has 1.
WEIGHT_OF_COPIES, WEIGHT_OF_MADE_UP = 0.4, 0.2
SIZES = (12, 50, 50, 200)
SEEDS = (0,)
JOIN = "made-up join"
C = 0.05
N_FOLDS = 4
# Pairs with a lower score are hopeless.
LOWEST = -4.0
# Weights of a made-up kind in the calibrations of two tables and of one, of which there are few
# real sources: all kinds together count about as much as these, or twice as much.
WEIGHT_OF_TWO_TABLES, WEIGHT_OF_ONE_TABLE = 0.3, 0.1
TREES: Mapping[str, Any] = {
    "max_iter": 100,
    "learning_rate": 0.08,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 40,
    "l2_regularization": 5,
    "max_features": 0.3,
    "random_state": 0,
}

Pairs = set[tuple[int, int]]


class Table(NamedTuple):
    """Two tables, or one, and what is known of their matches."""

    left: pd.DataFrame
    right: pd.DataFrame
    columns: list[str]
    matches: Pairs
    others: Pairs | None  # known not to match; None: all pairs that are no matches
    tested: Pairs  # published pairs for tests
    one_table: bool


class Compared(NamedTuple):
    """Pairs of a query and a candidate."""

    features: NDArray[np.float32]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    right: NDArray[np.int64]  # 1 for a match, 0 for none, -1 if that is not known
    tested: NDArray[np.bool_]
    n_matches: int  # of the queries, or among the tested pairs
    n_queries: int
    one_table: bool
    n_records: int
    judged: NDArray[np.float64]  # what a table gives new weights


# --- tables -----------------------------------------------------------------------------------


def read_csv(path: Path) -> pd.DataFrame:
    """Read a table of text, which may be compressed."""
    if not path.exists():
        path = path.with_name(f"{path.name}.gz")
    return pd.read_csv(path, dtype=str, keep_default_na=False, skipinitialspace=True)


def read_table(data: Path, name: str) -> Table:
    """Read a table of the data folder."""
    if name.startswith("febrl"):
        return read_febrl(data / f"records/febrl/dataset{name[-1]}.csv")
    if name == "restaurants":
        folder = data / "records/restaurants"
        left, right = read_csv(folder / "fodors.csv"), read_csv(folder / "zagats.csv")
        found = read_csv(folder / "matches_fodors_zagats.csv")
        ids = found[list(found)[:2]].to_numpy()
        return Table(
            left, right, shared(left, right), numbers(left, right, ids), None, set(), False
        )
    folder = data / "er" / name
    if name.startswith("pairs-"):
        return read_pairs(folder)
    left = read_csv(folder / "A.csv")
    if name == "cora":
        found = numbers(left, left, read_csv(folder / "gt.csv")[["a", "b"]].to_numpy())
        return Table(left, left, shared(left, left), found, None, set(), True)
    right = read_csv(folder / "B.csv").rename(columns=SAME_COLUMNS)
    columns = shared(left, right)
    if (folder / "gt.csv").exists() or (folder / "gt.csv.gz").exists():
        ids = read_csv(folder / "gt.csv")[["a", "b"]].to_numpy()
        return Table(left, right, columns, numbers(left, right, ids), None, set(), False)
    labelled: dict[str, dict[str, Pairs]] = {}
    for part in ("train", "valid", "test"):
        frame = read_csv(folder / f"{part}.csv")
        labelled[part] = {
            label: numbers(left, right, rows[["ltable_id", "rtable_id"]].to_numpy())
            for label, rows in frame.groupby("label")
        }
    return with_labels(left, right, columns, labelled)


def shared(left: pd.DataFrame, right: pd.DataFrame) -> list[str]:
    """Return the columns that both tables have, without their numbers."""
    return [name for name in left if name in right and name not in ("id", "class")]


def numbers(left: pd.DataFrame, right: pd.DataFrame, ids: NDArray[Any]) -> Pairs:
    """Return pairs of ids as pairs of row numbers."""
    of_left = {x: row for row, x in enumerate(left.iloc[:, 0])}
    of_right = {x: row for row, x in enumerate(right.iloc[:, 0])}
    return {(of_left[a], of_right[b]) for a, b in ids.tolist() if a in of_left and b in of_right}


def with_labels(
    left: pd.DataFrame,
    right: pd.DataFrame,
    columns: list[str],
    labelled: dict[str, dict[str, Pairs]],
) -> Table:
    """Return a table of which some pairs have labels, "1" for a match."""
    matches = {pair for part in labelled.values() for pair in part.get("1", ())}
    others = {pair for part in labelled.values() for pair in part.get("0", ())}
    tested = {pair for pairs in labelled["test"].values() for pair in pairs}
    return Table(left, right, columns, matches, others, tested, False)


def read_febrl(path: Path) -> Table:
    """Read persons with duplicates, whose ids tell the person."""
    frame = read_csv(path).apply(lambda cells: cells.str.strip())
    frame.columns = frame.columns.str.strip()
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(frame.iloc[:, 0].str.split("-").str[1]):
        rows.setdefault(name, []).append(row)
    matches = {(a, b) for group in rows.values() for a in group for b in group if a < b}
    return Table(frame, frame, list(frame)[1:], matches, None, set(), True)


def read_pairs(folder: Path) -> Table:
    """Make two tables of the records of labelled pairs."""
    sides: tuple[dict[Any, int], dict[Any, int]] = {}, {}
    labelled: dict[str, dict[str, Pairs]] = {}
    columns: list[str] = []
    for part in ("train", "valid", "test"):
        if not list(folder.glob(f"{part}.csv*")):
            continue
        frame = read_csv(folder / f"{part}.csv")
        columns = [name[2:] for name in frame if name.startswith("a_")]
        pairs: dict[str, Pairs] = {"0": set(), "1": set()}
        for row in frame.to_dict("records"):
            pair = [
                side.setdefault(tuple(row[f"{which}_{name}"] for name in columns), len(side))
                for which, side in zip("ab", sides, strict=True)
            ]
            pairs[row["label"]].add((pair[0], pair[1]))
        labelled[part] = pairs
    left, right = (pd.DataFrame(list(side), columns=columns) for side in sides)
    return with_labels(left, right, columns, labelled)


def copies(table: Table, rng: np.random.Generator) -> Iterator[tuple[str, Table]]:
    """Yield a table with a part of its columns, and with one and another that says nothing."""
    columns = table.columns
    if len(columns) > 2:
        n_kept = max(2, len(columns) // 2)
        kept = sorted(rng.choice(len(columns), n_kept, replace=False).tolist())
        yield "some columns", table._replace(columns=[columns[number] for number in kept])
    yield "one column", with_noise(table, columns[0], rng)


def with_noise(table: Table, column: str, rng: np.random.Generator) -> Table:
    """Keep one column, and add one that says nothing."""
    regions = ["north", "south", "east", "west", "centre"][: int(rng.integers(1, 6))]
    left = table.left.assign(region=rng.choice(regions, len(table.left)))
    right = table.right.assign(region=rng.choice(regions, len(table.right)))
    if table.one_table:
        left = right
    return table._replace(left=left, right=right, columns=[column, "region"])


def name_joins(data: Path) -> Iterator[tuple[str, Table]]:
    """Yield joins of names, with a second column that says nothing."""
    for seed, folder in enumerate(sorted((data / "fuzzy-join").iterdir())):
        right, left = read_csv(folder / "left.csv"), read_csv(folder / "right.csv")
        found = read_csv(folder / "gt.csv")
        left = left[["id", "title"]]
        right = right[["id", "title"]]
        matches = numbers(left, right, found[["id_r", "id_l"]].to_numpy())
        table = Table(left, right, ["title"], matches, None, set(), False)
        yield folder.name, with_noise(table, "title", np.random.default_rng(seed))


# --- comparison -------------------------------------------------------------------------------


def compare(table: Table, n_queries: int) -> Compared | None:
    """Compare queries, of which no more are drawn, with their candidates.

    Returns None if the columns are one text, which is not compared as a record.
    """
    cells, kinds, _ = read_columns(table.right, table.columns, "right")
    records = Records(cells, list(kinds.values()), "default")
    strategy = records.strategy
    if not isinstance(strategy, Fields):
        return None
    first, owners = records.rows[records.starts[:-1]], records.owners()
    record_of = np.empty(len(owners), dtype=np.int64)
    record_of[first] = np.arange(len(first))
    record_of = record_of[owners]
    rng = np.random.default_rng(0)
    if table.one_table:
        queries = drawn(np.arange(len(first)), n_queries, rng)
        found, rows, columns = strategy.nearest(queries, N_CANDIDATES)
        features, judged = strategy.described(found, rows, columns, queries)
        matches = {(int(record_of[i]), int(record_of[j])) for i, j in table.matches}
        matches |= {(j, i) for i, j in matches}
        matches -= {(i, i) for i in range(len(first))}
    else:
        queries = np.arange(len(table.left))
        if table.others is not None:
            queries = np.unique([i for i, _ in table.matches | table.others])
        else:
            queries = drawn(queries, n_queries, rng)
        left, _, _ = read_columns(table.left.iloc[queries], table.columns, "left")
        found = strategy.prepare(left)
        rows, columns = strategy.candidates(found, N_CANDIDATES)
        features, judged = strategy.described(found, rows, columns)
        matches = {(i, int(record_of[j])) for i, j in table.matches}
    pairs = list(zip(queries[rows].tolist(), columns.tolist(), strict=True))
    is_match = np.array([pair in matches for pair in pairs], dtype=np.int64)
    tested = np.ones(len(pairs), dtype=bool)
    chosen = set(queries.tolist())
    n_matches = sum(i in chosen for i, _ in matches)
    if table.others is not None:
        others = {(i, int(record_of[j])) for i, j in table.others}
        of_tests = {(i, int(record_of[j])) for i, j in table.tested}
        known = np.array([pair in others for pair in pairs])
        is_match = np.where(known | (is_match == 1), is_match, -1)
        tested = np.array([pair in of_tests for pair in pairs])
        n_matches = len(matches & of_tests)
    return Compared(
        features.astype(np.float32), rows, columns, is_match, tested, n_matches, len(queries),
        table.one_table, len(first), judged,
    )  # fmt: skip


def drawn(rows: NDArray[np.int64], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw rows, in order, if there are more."""
    return np.sort(rng.choice(rows, n, replace=False)) if len(rows) > n else rows


def read(
    data: Path, names: Sequence[str], n_made_up: int | None
) -> tuple[dict[str, Compared], dict[str, tuple[str, float]]]:
    """Return tables, compared, and their sources and weights within these."""
    compared: dict[str, Compared] = {}
    sources: dict[str, tuple[str, float]] = {}

    def add(name: str, source: str, table: Table, n_queries: int, weight: float | None) -> None:
        found = compare(table, n_queries)
        if found is not None:
            compared[name] = found
            sources[name] = source, weight or float(np.sqrt(found.n_queries))

    for name in names:
        source, table = SOURCES[name], read_table(data, name)
        add(name, source, table, N_QUERIES, 1.0)
        for what, copy in copies(table, np.random.default_rng(1)):
            add(f"{name}, {what}", source, copy, N_QUERIES_OF_COPIES, WEIGHT_OF_COPIES)
    for name, table in name_joins(data):
        add(name, "names", table, N_QUERIES_OF_NAMES, 1.0)
    for seed in SEEDS:
        for number, made in enumerate(islice(made_up_tables(seed, SIZES), n_made_up)):
            if made.left and made.right:
                name = f"{made.kind} {seed} {number}"
                add(name, f"made-up {made.kind}", made_up(made), N_QUERIES_OF_MADE_UP, None)
        for number, (kind, _, made) in enumerate(islice(made_up_joins(seed), n_made_up)):
            name = f"join of {kind} {seed} {number}"
            add(name, f"{JOIN} of {kind}", made_up(made), N_QUERIES_OF_MADE_UP, None)
    return compared, sources


def made_up(made: MadeUpTable) -> Table:
    """Return made-up rows as a table."""
    left, right = pd.DataFrame(made.left), pd.DataFrame(made.right)
    columns = [name for name in left if name in right]
    if made.one_table:
        left = right
    return Table(left, right, columns, set(made.matches), None, set(), made.one_table)


# --- learning ---------------------------------------------------------------------------------


Scores = dict[str, NDArray[np.float64]]
# Within one table, the other candidates of a record may be duplicates, too, and are no rivals.
OF_OTHERS = (", margin", " lead", "rank of", "rivals", "closer than")
IS_OF_PAIR = np.array([not any(word in name for word in OF_OTHERS) for name in RECORD_FEATURES])


def learn(
    compared: Mapping[str, Compared], sources: Mapping[str, tuple[str, float]], one_table: bool
) -> _model.RecordModel:
    """Learn scores from tables of both kinds; all sources count alike."""
    names = [name for name in compared if (compared[name].right >= 0).any()]
    totals: Counter[str] = Counter()
    for name in names:
        source, weight = sources[name]
        totals[source] += weight  # type: ignore[assignment]
    X, y, w = [], [], []
    for name in names:
        source, weight = sources[name]
        is_made_up = source.startswith("made-up")
        features, right, weights = sampled(
            compared[name], N_PAIRS_OF_MADE_UP if is_made_up else N_PAIRS
        )
        share = WEIGHT_OF_MADE_UP if is_made_up else 1.0
        X.append(features)
        y.append(right)
        w.append(weights * share * weight / totals[source])
    features, right, weights = np.concatenate(X), np.concatenate(y), np.concatenate(w)
    weights *= 1000  # as if each source had a thousand pairs
    if one_table:
        features[:, ~IS_OF_PAIR] = 0
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    linear = LogisticRegression(C=C, solver="newton-cholesky")
    linear.fit((features - mean) / spread, right, sample_weight=weights)
    coefficients = linear.coef_[0] / spread
    intercept = float(linear.intercept_[0] - coefficients @ mean)
    boosted = HistGradientBoostingClassifier(**TREES)
    boosted.fit(features.astype(np.float32), right, sample_weight=weights)
    [trees] = boosted_trees(boosted)
    prior = float(logit(np.average(right, weights=weights)))
    return _model.RecordModel(coefficients, intercept, trees, np.zeros(3), 0.0, prior)


def sampled(
    table: Compared, n_pairs: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Return pairs of a table, whether they match, and weights, whose sum is 1."""
    rng = np.random.default_rng(0)
    matches, others = np.flatnonzero(table.right == 1), np.flatnonzero(table.right == 0)
    some = drawn(matches, n_pairs // 3, rng)
    parts = [(some, matches), (drawn(others, n_pairs - len(some), rng), others)]
    weights = np.concatenate([np.full(len(x), len(of) / max(len(x), 1)) for x, of in parts])
    pairs = np.concatenate([x for x, _ in parts])
    return table.features[pairs].astype(np.float64), table.right[pairs], weights / weights.sum()


def score(model: _model.RecordModel, table: Compared) -> NDArray[np.float64]:
    """Return the scores of pairs; those of one table are the mean of both directions."""
    scores = model.scores(table.features.astype(np.float64))
    if not table.one_table:
        return scores
    lower, higher = np.sort([table.rows, table.columns], axis=0)
    if table.n_queries < table.n_records:  # numbers of queries are others
        return scores
    _, place = np.unique(lower * table.n_records + higher, return_inverse=True)
    return (np.bincount(place, scores) / np.bincount(place))[place]


def unseen_models(
    compared: Mapping[str, Compared], sources: Mapping[str, tuple[str, float]], one_table: bool
) -> dict[str, _model.RecordModel]:
    """Return for each source a model that has not seen it."""
    folds = folds_of(sources)
    models = [
        learn(
            {name: x for name, x in compared.items() if folds[sources[name][0]] != fold},
            sources,
            one_table,
        )
        for fold in range(N_FOLDS)
    ]
    return {source: models[fold] for source, fold in folds.items()}


def folds_of(sources: Mapping[str, tuple[str, float]]) -> dict[str, int]:
    """Return the fold of each source: real and made-up ones are in all."""
    folds: dict[str, int] = {}
    for is_made_up in (False, True):
        mine = [x for x, _ in sources.values() if x.startswith("made-up") == is_made_up]
        folds |= {source: n % N_FOLDS for n, source in enumerate(dict.fromkeys(mine))}
    return folds


def evidence(scores: NDArray[np.float64], table: Compared) -> NDArray[np.float64]:
    """Return the lead of each pair, or within one table the rarity of its score."""
    if not table.one_table:
        return _model.leads(scores, table.rows)
    best = scores[_model.first_of_best(scores, table.rows)]
    return _model.rarity(scores, best)


def calibrate(
    model: _model.RecordModel,
    compared: Mapping[str, Compared],
    sources: Mapping[str, tuple[str, float]],
    scores: Scores,
) -> _model.RecordModel:
    """Learn the calibration from tables that the model of their scores has not seen."""
    names = [name for name in scores if name in compared and (compared[name].right >= 0).any()]
    totals: Counter[str] = Counter()
    for name in names:
        totals[sources[name][0]] += sources[name][1]  # type: ignore[assignment]
    X, y, w = [], [], []
    for name in names:
        table, of_pairs = compared[name], scores[name]
        parts = np.column_stack([of_pairs, of_pairs - _model.SURE, evidence(of_pairs, table)])
        parts[:, 1] = np.maximum(parts[:, 1], 0)
        known = np.flatnonzero((table.right >= 0) & (of_pairs >= LOWEST))
        source, weight = sources[name]
        share = WEIGHT_OF_ONE_TABLE if table.one_table else WEIGHT_OF_TWO_TABLES
        share = share if source.startswith("made-up") else 1.0
        X.append(parts[known])
        y.append(table.right[known])
        each = 1000 * share * weight / totals[source] / max(table.n_queries, 1)
        w.append(np.full(len(known), each))
    linear = LogisticRegression(C=np.inf, solver="newton-cholesky", max_iter=200)
    linear.fit(np.concatenate(X), np.concatenate(y), sample_weight=np.concatenate(w))
    return model._replace(calibration=linear.coef_[0], offset=float(linear.intercept_[0]))


# --- figures ----------------------------------------------------------------------------------


def f1(logits: NDArray[np.float64], table: Compared, taken: NDArray[np.bool_]) -> float:
    """Return F1 of the pairs that are taken, of those that are tested."""
    taken = taken & table.tested & (logits >= 0)
    right = (table.right[taken] == 1).sum()
    return float(2 * right / max(taken.sum() + table.n_matches, 1))


def evaluate(logits: NDArray[np.float64], table: Compared) -> list[float]:
    """Return F1 of all pairs above one half, of the best one of each query, and one-to-one."""
    best = np.zeros(len(logits), dtype=bool)
    best[best_of_each_row(table.rows, table.columns, logits, 1)] = True
    mutual = np.zeros(len(logits), dtype=bool)
    rows: set[int] = set()
    columns: set[int] = set()
    for pair in np.argsort(-logits, kind="stable").tolist():
        row, column = int(table.rows[pair]), int(table.columns[pair])
        if row not in rows and column not in columns:
            mutual[pair] = True
            rows.add(row)
            columns.add(column)
    return [f1(logits, table, taken) for taken in (np.ones_like(best), best, mutual)]


def print_held_out(
    compared: Mapping[str, Compared], sources: Mapping[str, tuple[str, float]], scores: Scores
) -> None:
    """Print figures of each source, by models and calibrations that have not seen it."""
    folds = folds_of(sources)
    nothing = _model.RecordModel(np.zeros(0), 0.0, None, np.zeros(0), 0.0, 0.0)  # type: ignore[arg-type]
    models = []
    for fold in range(N_FOLDS):
        seen = {name: x for name, x in compared.items() if folds[sources[name][0]] != fold}
        models.append(calibrate(nothing, seen, sources, scores))
    figures: dict[str, list[tuple[float, ...]]] = {}
    made_up: dict[str, list[tuple[float, ...]]] = {}
    for name, of_pairs in scores.items():
        table, source = compared[name], sources[name][0]
        if not len(of_pairs):
            continue
        logits = models[folds[source]].logits(of_pairs, evidence(of_pairs, table))
        p, right = expit(logits), table.right == 1
        taken = np.arange(len(p))
        if not table.one_table:
            taken = best_of_each_row(table.rows, table.columns, logits, 1)
        taken = taken[(p[taken] >= (0.9 if table.one_table else 0.5)) & (table.right[taken] >= 0)]
        n_right = right[taken].sum()
        if source.startswith("made-up"):
            share = f"{table.n_matches / table.n_queries:.1f}"
            counts = len(taken), p[taken].sum(), n_right, table.n_matches, table.n_queries
            made_up.setdefault(share, []).append(counts)
            continue
        n = max(len(taken), 1)
        reached = p[taken].sum() / n, n_right / n, n_right / max(right.sum(), 1)
        row = (*evaluate(logits, table), *map(float, reached))
        figures.setdefault(group_of(name, source), []).append(row)
        if name in PUBLISHED:
            figures.setdefault("mean of the published test sets", []).append(row)
    heads = ["any", "best", "one-to-one", "stated", "true", "recall"]
    at = "0.9, one table" if table.one_table else "0.5, two tables"
    print_table(
        f"F1 of test pairs; precision, stated and true, and recall at {at}",
        ["", *heads],
        [[name, *map(float, np.mean(rows, axis=0))] for name, rows in figures.items()],
    )
    rows: list[list[Cell]] = []
    for share, counted in sorted(made_up.items()):
        n, stated, n_right, matches, queries = map(float, np.sum(counted, axis=0))
        precision = stated / max(n, 1), n_right / max(n, 1)
        wrong = f"{(n - n_right) / queries:.4f}"
        rows.append([share, *precision, n_right / max(matches, 1), wrong])
    columns = ["matches a query", "stated", "true", "recall", "wrong a query"]
    print_table("Made-up kinds", columns, rows)


def group_of(name: str, source: str) -> str:
    """Return the row of a table of figures: copies have one, and joins of names."""
    if source == "names":
        return "joins of names"
    return "copies with fewer columns" if name not in SOURCES else name


def rounded(values: Sequence[float]) -> list[float]:
    """Return numbers with six digits."""
    return [float(f"{x:.6g}") for x in values]


def to_json(model: _model.RecordModel) -> dict[str, Any]:
    """Return the numbers as they are packaged."""
    return {
        "prior": round(model.prior, 4),
        "weights": rounded(model.weights.tolist()),
        "intercept": round(model.intercept, 6),
        "calibration": rounded(model.calibration.tolist()),
        "offset": round(model.offset, 6),
        "trees": to_numbers(model.trees),
    }


def main() -> None:
    """Print figures, and write the numbers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with er, records, ...")
    parser.add_argument(
        "--figures", action="store_true", help="print figures of two tables, write nothing"
    )
    parser.add_argument("--sources", nargs="+", default=list(SOURCES), choices=list(SOURCES))
    parser.add_argument("--n-made-up", type=int, help="made-up tables, and as many joins; all")
    args = parser.parse_args()
    compared, sources = read(args.data, args.sources, args.n_made_up)
    written: dict[str, Any] = {"features": RECORD_FEATURES}
    for one_table in (False, True):
        if one_table:  # with made-up joins, more different rows would be dropped
            compared = {n: x for n, x in compared.items() if JOIN not in sources[n][0]}
            sources = {name: sources[name] for name in compared}
        models = unseen_models(compared, sources, one_table)
        scores = {
            name: score(models[sources[name][0]], table)
            for name, table in compared.items()
            if table.one_table == one_table
        }
        if args.figures:
            print_held_out(compared, sources, scores)
            return
        if not one_table:
            UNSEEN.parent.mkdir(exist_ok=True)
            joblib.dump(models, UNSEEN)
        print_held_out(compared, sources, scores)
        model = calibrate(learn(compared, sources, one_table), compared, sources, scores)
        written["one table" if one_table else "two tables"] = to_json(model)
    OUT.write_text(json.dumps(written) + "\n", "utf-8")


if __name__ == "__main__":
    main()
