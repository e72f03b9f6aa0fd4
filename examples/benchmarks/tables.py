"""Joins of two tables beside other packages; none sees a label.

Names: the 25 fuzzy joins of Auto-FuzzyJoin in the data folder. ``TableMatcher`` compares the names
of each with numbers that were learned from the other four fifths of them. Top-1 is the share of
the rows with a counterpart whose best candidate is it, area the area under precision and recall,
r@.9 the largest recall with a precision of .9; all of these from the best candidate of each row.
Then what ``TableMatcher(precision=0.9)`` joins: precision, recall, and the precision of the
worst task. Means over the tasks. (AutoFJ, which has a target, too, does not run with pandas of
1.5 or later.)

Records: restaurants of two guides (Fodor's and Zagat's), and persons of Febrl, whose typing errors
are made up: duplicates are joined to originals. Precision, recall and F1 of the joined pairs, and
the share of rows that ``TableMatcher`` still joins if the first table has no counterpart of any.

Others have settings that are good for them: of scorers of rapidfuzz the best one of these very
tasks, of splink and recordlinkage comparisons for each column, and blocking rules that keep the
right pairs. Lines of code are counted in the function that calls the package, without imports.
Times are of one thread, and include fitting.

Packages that are not installed are left out.

Run: python examples/benchmarks/tables.py --data DATA [--only records]
"""

from __future__ import annotations

import ast
import inspect
import logging
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from measure import parse, parser  # first: it sets the path of the others
from result_tables import print_table

from skpara import ParagramEncoder, TableMatcher
from skpara.matching import _model, _strategies

sys.path.insert(0, str(Path(__file__).parents[1] / "builders"))
Best = tuple[np.ndarray, np.ndarray]  # the best candidate of each query, -1 if none, and its score


def by_skpara(left: list[str], right: list[str]) -> Best:
    """Join names with TableMatcher."""
    matches = TableMatcher(threshold=0).fit(left).match(right, how="left")
    return matches["candidate"], np.nan_to_num(matches["probability"])


def by_skrub(left: list[str], right: list[str]) -> Best:
    """Join names with fuzzy_join."""
    from skrub import fuzzy_join

    reference = pd.DataFrame({"name": left, "row": range(len(left))})
    frame = fuzzy_join(pd.DataFrame({"name": right}), reference, on="name", suffix="_",
                       max_dist=np.inf, add_match_info=True)  # fmt: skip
    return frame["row_"].to_numpy(int), -frame["skrub_Joiner_distance"].to_numpy()


def by_tfidf(left: list[str], right: list[str]) -> Best:
    """Join names with scikit-learn."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3), sublinear_tf=True)
    products = (vectorizer.fit_transform(left) @ vectorizer.transform(right).T).toarray()
    return products.argmax(axis=0), products.max(axis=0)


def by_rapidfuzz(left: list[str], right: list[str], scorer: str = "token_sort_ratio") -> Best:
    """Join names with rapidfuzz."""
    from rapidfuzz import fuzz, process, utils

    scores = process.cdist(right, left, scorer=getattr(fuzz, scorer),
                           processor=utils.default_process)  # fmt: skip
    return scores.argmax(axis=1), scores.max(axis=1)


def by_semhash(left: list[str], right: list[str]) -> Best:
    """Join names with semhash, by the vectors of skpara: its own need a download."""
    from semhash import SemHash

    index = SemHash.from_records(left, model=ParagramEncoder())
    rows = {text: row for row, text in enumerate(left)}
    best = {text: (-1, 0.0) for text in right}
    for found in index.deduplicate(right, threshold=0.0).filtered:
        text, score = max(found.duplicates, key=lambda x: x[1], default=(found.record, 1.0))
        best[found.record] = (rows[text], score)
    candidates, scores = zip(*(best[text] for text in right), strict=True)
    return np.array(candidates), np.array(scores)


def to_precision_by_skpara(left: list[str], right: list[str]) -> np.ndarray:
    """Join names with TableMatcher and a target of .9."""
    matches = TableMatcher(precision=0.9).fit(left).match(right)
    return np.column_stack([matches["query"], matches["candidate"]])


def records_by_skpara(left: pd.DataFrame, right: pd.DataFrame) -> np.ndarray:
    """Join records with TableMatcher."""
    matches = TableMatcher().join(right.reset_index(), left.reset_index(), on=list(left))
    matches = matches.dropna(subset="index_match")
    return matches[["index", "index_match"]].to_numpy(int)


def records_by_splink(left: pd.DataFrame, right: pd.DataFrame) -> np.ndarray:
    """Join records with splink."""
    import splink.comparison_library as cl
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    names = list(left)
    rules = [block_on(name) for name in names]
    settings = SettingsCreator(
        link_type="link_only",
        comparisons=[cl.JaroWinklerAtThresholds(name) for name in names],
        blocking_rules_to_generate_predictions=rules,
    )
    api = DuckDBAPI()
    tables = [
        api.register(x.replace("", None).rename_axis("unique_id").reset_index())
        for x in (left, right)
    ]
    linker = Linker(tables, settings)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=0)
    for rule in rules[:2]:
        linker.training.estimate_parameters_using_expectation_maximisation(rule)
    found = linker.inference.predict(threshold_match_probability=0.5).as_pandas_dataframe()
    best = found.sort_values("match_weight", ascending=False).drop_duplicates("unique_id_r")
    return best[["unique_id_r", "unique_id_l"]].to_numpy(int)


def records_by_recordlinkage(left: pd.DataFrame, right: pd.DataFrame) -> np.ndarray:
    """Join records with recordlinkage."""
    import recordlinkage

    left, right = (x.replace("", None) for x in (left, right))
    indexer, compare = recordlinkage.Index(), recordlinkage.Compare()
    for name in left:
        indexer.block(name)
        compare.string(name, name, method="jarowinkler", threshold=0.85, missing_value=0)
    features = compare.compute(indexer.index(left, right), left, right)
    model = recordlinkage.ECMClassifier()
    found = model.fit_predict(features)
    scores = model.prob(features).loc[found].sort_values(ascending=False)
    pairs = scores.index.to_frame(index=False).drop_duplicates(1)
    return pairs[[1, 0]].to_numpy(int)


def joins(data: Path) -> dict[str, tuple[list[str], list[str], np.ndarray]]:
    """Return for each task both columns and the counterpart of each row of the right one."""
    tasks = {}
    for folder in sorted((data / "fuzzy-join").iterdir()):
        tables = [pd.read_csv(folder / f"{x}.csv", dtype=str, keep_default_na=False)
                  for x in ("left", "right", "gt")]  # fmt: skip
        rows = dict(zip(tables[0]["id"], range(len(tables[0])), strict=True))
        gold = dict(zip(tables[2]["id_r"], tables[2]["id_l"], strict=True))
        right = [rows[gold[x]] if x in gold else -1 for x in tables[1]["id"]]
        tasks[folder.name] = (tables[0]["title"].tolist(), tables[1]["title"].tolist(),
                              np.array(right))  # fmt: skip
    return tasks


def records(data: Path) -> dict[str, tuple[pd.DataFrame, pd.DataFrame, set[tuple[int, int]]]]:
    """Return both tables of each set, and the pairs of a row of the second and the first."""
    sets = {}
    guides = [
        pd.read_csv(data / f"records/restaurants/{x}.csv", dtype=str, keep_default_na=False)
        for x in ("zagats", "fodors", "matches_fodors_zagats")
    ]
    places = [dict(zip(x["id"], range(len(x)), strict=True)) for x in guides[:2]]
    gold = {(places[1][a], places[0][b]) for a, b in guides[2].to_numpy()}
    left, right = (x.drop(columns="id") for x in guides[:2])
    sets["restaurants"] = left, right, gold
    sets["no phone"] = left.drop(columns="phone"), right.drop(columns="phone"), gold
    for number in (1, 2, 3):
        path = data / f"records/febrl/dataset{number}.csv"
        table = pd.read_csv(path, dtype=str, keep_default_na=False, skipinitialspace=True)
        is_first = table["rec_id"].str.endswith("org")
        left, right = table[is_first], table[~is_first]
        rows = {x.split("-")[1]: row for row, x in enumerate(left["rec_id"])}
        gold = {(i, rows[x.split("-")[1]]) for i, x in enumerate(right["rec_id"])}
        columns = [c for c in table.columns if c not in ("rec_id", "soc_sec_id")]
        sets[f"Febrl {number}"] = (*(x[columns].reset_index(drop=True) for x in (left, right)),
                                   gold)  # fmt: skip
    return sets


def lines(function: Callable[..., Any]) -> int:
    """Return the lines of code of a function, without its head, docstring and imports."""
    [definition] = ast.parse(inspect.getsource(function)).body
    assert isinstance(definition, ast.FunctionDef)
    body = [x for x in definition.body[1:] if not isinstance(x, ast.Import | ast.ImportFrom)]
    return sum((x.end_lineno or 0) - x.lineno + 1 for x in body)


def ranking(best: Best, gold: np.ndarray) -> list[float]:
    """Return top-1 recall, area, and recall at a precision of .9."""
    candidates, scores = best
    right = (candidates == gold) & (gold >= 0)
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(right[order])
    precision, recall = hits / np.arange(1, len(hits) + 1), hits / (gold >= 0).sum()
    area = float(np.diff(recall, prepend=0) @ precision)
    return [recall[-1], area, recall[precision >= 0.9].max(initial=0)]


def decisions(pairs: np.ndarray, gold: np.ndarray) -> list[float]:
    """Return precision and recall of joined rows."""
    right = gold[pairs[:, 0]] == pairs[:, 1]
    return [right.mean() if len(right) else 1.0, right.sum() / (gold >= 0).sum()]


def installed(systems: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Return the systems whose package, the first word of their name, is installed."""
    ours = ("TableMatcher", "TF-IDF")
    return {k: v for k, v in systems.items()
            if k.split()[0] in ours or find_spec(k.split()[0].strip(","))}  # fmt: skip


def names_table(data: Path) -> None:
    """Print the table of names."""
    from build_table_model import learn_names
    from build_table_model import names as prepared

    tasks, packaged = joins(data), _model.packaged
    _, unseen = learn_names(prepared(data))
    systems: dict[str, Callable[..., Best]] = {
        "TableMatcher": by_skpara,
        "skrub fuzzy_join": by_skrub,
        "TF-IDF of 2- and 3-grams": by_tfidf,
        "rapidfuzz token_sort_ratio": by_rapidfuzz,
        "semhash": by_semhash,
        "rapidfuzz WRatio": partial(by_rapidfuzz, scorer="WRatio"),
    }
    rows = []
    for name, best in installed(systems).items():
        ranks, decided, seconds = [], [], 0.0
        for task, (left, right, gold) in tasks.items():
            numbers = unseen[task]
            _strategies.packaged = lambda kind, numbers=numbers: numbers  # type: ignore[misc]
            started = time.perf_counter()
            found = best(left, right)
            seconds += time.perf_counter() - started
            ranks.append(ranking(found, gold))
            if name == "TableMatcher":
                decided.append(decisions(to_precision_by_skpara(left, right), gold))
        figures = [*np.mean(ranks, axis=0), None, None, None]
        if decided:
            figures[3:] = [*np.mean(decided, axis=0), np.min(decided, axis=0)[0]]
        code = lines(getattr(best, "func", best))
        rows.append([name, *figures, f"{seconds:.1f}", code])
    _strategies.packaged = packaged
    print_table("names: means over 25 fuzzy joins",
                ["", "top-1", "area", "r@.9", "precision", "recall", "worst", "s", "lines"],
                rows)  # fmt: skip


def records_table(data: Path) -> None:
    """Print the table of records."""
    systems = {
        "TableMatcher": records_by_skpara,
        "splink": records_by_splink,
        "recordlinkage, ECM": records_by_recordlinkage,
    }
    rows = []
    for kind, (left, right, gold) in records(data).items():
        for name, join in installed(systems).items():
            started = time.perf_counter()
            found = set(map(tuple, join(left, right).tolist()))
            seconds = time.perf_counter() - started
            both = len(found & gold)
            precision, recall = both / max(len(found), 1), both / len(gold)
            others = left.drop(index=list({row for _, row in gold})).reset_index(drop=True)
            wrong = None
            if name == "TableMatcher" and len(others):
                wrong = len(join(others, right)) / len(right)
            rows.append([kind, name, precision, recall, 2 * both / (len(found) + len(gold)), wrong,
                         f"{seconds:.1f}", lines(join)])  # fmt: skip
    head = ["", "", "precision", "recall", "F1", "none right", "s", "lines"]
    print_table("records", head, rows)


def main() -> None:
    """Print the tables."""
    args = parse(parser(__doc__))
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    if args.only in "names":
        names_table(args.data)
    if args.only in "records":
        records_table(args.data)


if __name__ == "__main__":
    main()
