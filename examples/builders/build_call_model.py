"""Learn how probable the matches of a call are, by what its tables tell without a label.

A calibration reads facts about the best candidate of each row (see skpara/matching/_decoys.py):
its score, its lead, and where they lie among decoys. It is learned from pairs of tables, real and
made up, of which all, a half, a quarter, a tenth or none of the rows have a counterpart: what is
taken out is taken out of the reference before anything is compared. Scores are by models of pairs
that have not seen the source, which build_record_model.py leaves behind. Then the probabilities
teach the weights of each table, as in a call, and a second calibration is learned from the scores
that come out, a third from the next ones.

It prints F1 at a probability of one half, the best F1 of any cut, and the difference between the
stated and the true precision, for sources that were left out; then it writes the numbers.

Run after build_record_model.py: python examples/builders/build_call_model.py --data DATA
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import joblib
import numpy as np
from build_record_model import (
    JOIN,
    UNSEEN,
    Compared,
    Table,
    compare,
    copies,
    made_up,
    name_joins,
    read_table,
    rounded,
)
from made_up_joins import made_up_joins
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from skpara.matching import _decoys
from skpara.matching._records import Records
from skpara.matching._tables import read_columns

OUT = Path(_decoys.__file__).with_name("call_model.json")
SOURCES = {
    "restaurants": "restaurants",
    "dblp-acm": "papers",
    "walmart-amazon": "walmart",
    "imdb-dbpedia": "films",
    "febrl1": "febrl",
    "febrl2": "febrl",
    "febrl3": "febrl",
}
SHARES = (1.0, 0.5, 0.25, 0.1, 0.0)
N_QUERIES, N_QUERIES_OF_NAMES = 800, 300
SEEDS = (1, 2, 3)  # build_record_model.py has learned from others
# Rows of a table that are learned from; all tables of a source count as much as one.
N_ROWS = 120
# Weight of a made-up kind; a real source has 1.
WEIGHT_OF_MADE_UP = 0.6
C = 0.05
# Weights of a formula in which nothing is learned: the mean of the score and of what decoys say,
# .5 more if the row is the candidate's best one, too, and 1 less if not. It is best where most
# rows have a counterpart, and too bold where few do; the last calibration holds to it by a share.
FORMULA = {"score": 0.5, "decoys, one spacing": 0.5, "is mutual": 1.5}
OFFSET = -1.0
SHARE_OF_FORMULA = 0.25
N_FOLDS = 4

Floats = NDArray[np.float64]


class Call(NamedTuple):
    """A call: pairs of a row and a candidate, with truth."""

    source: str
    share: float  # of rows with a counterpart
    compared: Compared
    scores: Floats  # by a model that has not seen the source


def with_share(table: Table, share: float, n_queries: int) -> Table:
    """Draw rows, and take the counterparts of all but a share of them out of the reference."""
    rng = np.random.default_rng(0)
    rows = np.sort(rng.permutation(len(table.left))[:n_queries])
    place = {row: number for number, row in enumerate(rows.tolist())}
    kept = rng.random(len(table.left)) < share
    out = {j for i, j in table.matches if i in place and not kept[i]}
    records = [j for j in range(len(table.right)) if j not in out]
    new = {j: number for number, j in enumerate(records)}
    matches = {(place[i], new[j]) for i, j in table.matches if i in place and j in new}
    left, right = table.left.iloc[rows], table.right.iloc[records]
    return table._replace(
        left=left.reset_index(drop=True), right=right.reset_index(drop=True), matches=matches
    )


def as_two(table: Table) -> Table:
    """Return persons as a table of originals, and one of the first duplicate of each."""
    if not table.one_table:
        return table
    names = table.left.iloc[:, 0]
    left, right = (table.left[names.str.endswith(x)] for x in ("-dup-0", "-org"))
    numbers = [frame.iloc[:, 0].str.split("-").str[1].tolist() for frame in (left, right)]
    of_right = {number: row for row, number in enumerate(numbers[1])}
    matches = {(row, of_right[x]) for row, x in enumerate(numbers[0]) if x in of_right}
    return table._replace(left=left, right=right, matches=matches, one_table=False)


def real_tables(data: Path) -> Iterator[tuple[str, Table, int]]:
    """Yield real tables, with their sources and the number of rows to draw."""
    for name, source in SOURCES.items():
        table = as_two(read_table(data, name))
        yield source, table, N_QUERIES
        if len(table.right) < N_QUERIES * 4:
            for _, copy in copies(table, np.random.default_rng(1)):
                yield source, copy, N_QUERIES
    for _, table in name_joins(data):
        yield "names", table, N_QUERIES_OF_NAMES


def called(table: Table) -> Compared | None:
    """Compare the rows of a table as a call does; None if they are one text."""
    columns = table.columns
    cells, kinds, _ = read_columns(table.right, columns, "right")
    left, _, _ = read_columns(table.left, columns, "left")
    unrelated = Records(cells, list(kinds.values()), "default").unrelated_to(left)
    kept = [name for number, name in enumerate(columns) if number not in unrelated]
    compared = compare(table._replace(columns=kept), len(table.left))
    return compared if compared is not None and len(compared.rows) else None


def read(data: Path) -> list[Call]:
    """Return all calls."""
    found: list[tuple[str, float, Compared]] = []
    for source, table, n in real_tables(data):
        for share in SHARES:
            if (compared := called(with_share(table, share, n))) is not None:
                found.append((source, share, compared))
                print(source, share, len(compared.rows), flush=True)
    calls = []
    models = joblib.load(UNSEEN)
    for seed in SEEDS:
        for kind, share, made in made_up_joins(seed):
            if not made.one_table and (compared := called(made_up(made))) is not None:
                found.append((f"{JOIN} of {kind}", share, compared))
    for source, share, compared in found:
        scores = models[source].scores(compared.features.astype(np.float64))
        calls.append(Call(source, share, compared, scores))
    return calls


class Facts(NamedTuple):
    """Facts about the best candidates of a call, whether they are right, and where they are."""

    facts: Floats
    right: NDArray[np.int64]
    best: NDArray[np.int64]


def facts_of(call: Call, scores: Floats) -> Facts:
    """Return the facts of a call by these scores."""
    x = call.compared
    facts, best = _decoys.call_facts(scores, call.scores, x.rows, x.columns)
    return Facts(facts, x.right[best], best)


def calibrate(calls: Sequence[Call], found: Sequence[Facts]) -> _decoys.CallModel:
    """Learn a calibration; all tables of a source count as much as one."""
    totals = Counter(call.source for call in calls)
    X, y, w = [], [], []
    for call, (facts, right, _) in zip(calls, found, strict=True):
        some = np.random.default_rng(0).permutation(len(right))[:N_ROWS]
        share = WEIGHT_OF_MADE_UP if call.source.startswith("made-up") else 1.0
        X.append(facts[some])
        y.append(right[some])
        w.append(np.full(len(some), 1000 * share / totals[call.source] / max(len(some), 1)))
    facts, right, weights = np.concatenate(X), np.concatenate(y), np.concatenate(w)
    mean, spread = facts.mean(axis=0), facts.std(axis=0) + 1e-9
    linear = LogisticRegression(C=C, solver="newton-cholesky")
    linear.fit((facts - mean) / spread, right, sample_weight=weights)
    coefficients = linear.coef_[0] / spread
    return _decoys.CallModel(coefficients, float(linear.intercept_[0] - coefficients @ mean))


def held(model: _decoys.CallModel) -> _decoys.CallModel:
    """Return a calibration that is nearer to the formula."""
    formula = np.array([FORMULA.get(name, 0.0) for name in _decoys.FACTS])
    return _decoys.CallModel(
        (1 - SHARE_OF_FORMULA) * model.weights + SHARE_OF_FORMULA * formula,
        (1 - SHARE_OF_FORMULA) * model.intercept + SHARE_OF_FORMULA * OFFSET,
    )


def crossed(calls: Sequence[Call], found: Sequence[Facts], is_last: bool) -> list[Floats]:
    """Return log odds of best candidates by calibrations that have not seen the source."""
    sources = sorted({call.source for call in calls})
    folds = {
        source: n % N_FOLDS
        for is_made_up in (False, True)
        for n, source in enumerate(x for x in sources if x.startswith("made-up") == is_made_up)
    }
    models = []
    for fold in range(N_FOLDS):
        seen = [n for n, call in enumerate(calls) if folds[call.source] != fold]
        model = calibrate([calls[n] for n in seen], [found[n] for n in seen])
        models.append(held(model) if is_last else model)
    pairs = zip(calls, found, strict=True)
    return [models[folds[call.source]].log_odds(x.facts) for call, x in pairs]


def report(calls: Sequence[Call], found: Sequence[Facts], odds: Sequence[Floats]) -> None:
    """Print what is reached on sources that were left out, by share."""
    figures: dict[tuple[str, float], dict[str, list[tuple[float, ...]]]] = {}
    for call, (_, right, _), of_best in zip(calls, found, odds, strict=True):
        group = "made-up" if call.source.startswith("made-up") else "real"
        taken = of_best >= 0
        n = call.compared.n_matches

        def f1(taken: NDArray[np.bool_], right: NDArray[np.int64] = right, n: int = n) -> float:
            return float(2 * right[taken].sum() / max(taken.sum() + n, 1))

        off = abs(expit(of_best[taken]).mean() - right[taken].mean()) if taken.any() else 0.0
        best = max(f1(of_best >= cut) for cut in np.quantile(of_best, np.linspace(0, 1, 60)))
        row = (f1(taken), best, off, float(taken.mean()))
        figures.setdefault((group, call.share), {}).setdefault(call.source, []).append(row)
    for (group, share), by_source in sorted(figures.items()):
        means = np.mean([np.mean(rows, axis=0) for rows in by_source.values()], axis=0)
        print(f"  {group:8} {share:4} F1 {means[0]:.3f}, best {means[1]:.3f}, "
              f"stated off by {means[2]:.3f}, matched {means[3]:.3f}")  # fmt: skip


def main() -> None:
    """Print figures, and write the numbers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with er, records, ...")
    args = parser.parse_args()
    calls = read(args.data)
    scores = [call.scores for call in calls]
    written = []
    for number in range(_decoys.ROUNDS + 1):
        found = [facts_of(call, x) for call, x in zip(calls, scores, strict=True)]
        is_last = number == _decoys.ROUNDS
        odds = crossed(calls, found, is_last)
        print(f"Taught {number} times")
        report(calls, found, odds)
        model = calibrate(calls, found)
        model = held(model) if is_last else model
        written.append({"weights": rounded(model.weights.tolist()), "intercept": model.intercept})
        scores = [
            _decoys.teach(call.scores, call.compared.judged, of_best, x.best).score(
                call.scores, call.compared.judged
            )
            for call, of_best, x in zip(calls, odds, found, strict=True)
        ]
    OUT.write_text(json.dumps({"facts": _decoys.FACTS, "rounds": written}) + "\n", "utf-8")


if __name__ == "__main__":
    main()
