"""Does fitting help? ``ParagramEncoder().fit`` with its defaults, on text of other kinds.

    python examples/default_fit.py --data DATA

Each kind of text of STS 2012-2015 and SICK's train part is left out in turn: encoders learn from
the other kinds, and their cosines are compared with the scores of the kind. Then each year of STS
is left out, and encoders learn from the other years. Last, they learn from STS Benchmark's train
part, or from some of its pairs, and score its dev part. Pairs of STS Benchmark's test part are
left out of all. Figures are means of Pearson's r over the sets of a kind or year, with the
smallest and largest of several seeds.

The kinds are also what the defaults were chosen on, among about 25 settings.

vectors    the packaged vectors, nothing learned
fitted     ParagramEncoder()
worst set  the smallest gain of a set of the kind, mean over the seeds
line       FusionRegressor(linear_weight=1.0) on the cosine alone
pipeline   make_pipeline(ParagramEncoder(), FusionRegressor())
paper's    ParagramEncoder(**paper_settings("dcu-2016-task-internal"))
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import make_pipeline

from skpara import FusionRegressor, ParagramEncoder, paper_settings
from skpara.datasets import fetch_sick, fetch_sts, fetch_sts_benchmark
from skpara.metrics import pearson_score

sys.path.insert(0, str(Path(__file__).parent))
from result_tables import Cell, mean_and_range, print_table, script_parser
from sts_overlap import pair_keys

KINDS = {
    "definitions": ("OnWN", "FNWN"),
    "forums": ("answers-forums", "deft-forum", "belief"),
    "news, MSRpar": ("MSRpar",),
    "news, translated": ("SMT",),
    "news, deft": ("deft-news",),
    "captions": ("images", "MSRvid"),
    "students": ("answers-students",),
    "headlines": ("headlines",),
    "tweets": ("tweet-news",),
    "SICK": ("SICK",),
}
YEARS = ("2012", "2013", "2014", "2015")


class Task(NamedTuple):
    """Pairs to learn from, and pairs to score with the names of their sets."""

    name: str
    train: NDArray[Any]
    train_scores: NDArray[np.float64]
    test: NDArray[Any]
    test_scores: NDArray[np.float64]
    test_groups: NDArray[Any]
    train_groups: NDArray[Any] | None = None

    def correlations(self, predictions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return Pearson's r on each set."""
        sets = [self.test_groups == name for name in np.unique(self.test_groups)]
        return np.array([pearson_score(self.test_scores[s], predictions[s]) for s in sets])


def kind_of(group: str) -> str:
    """Return the kind of text of a data set."""
    return next(kind for kind, names in KINDS.items() if any(name in group for name in names))


def tasks(data: str | None, limit: int | None) -> Iterator[Task]:
    """Yield the kinds left out, then the years, then STS Benchmark."""
    sts = fetch_sts((2012, 2013, 2014, 2015), split="all", data_home=data)
    sick = fetch_sick("train", data_home=data)
    pairs = np.concatenate([sts.data, sick.data])
    scores = np.concatenate([sts.target, (sick.target - 1) * 1.25])
    groups = np.array([*sts.groups, *["SICK"] * len(sick.data)])
    final = set(pair_keys(fetch_sts_benchmark("test", data_home=data).data))
    rows = np.flatnonzero([key not in final for key in pair_keys(pairs)])
    if limit is not None:
        rows = np.random.default_rng(0).permutation(rows)[:limit]
    pairs, scores, groups = pairs[rows], scores[rows], groups[rows]

    def left_out(name: str, tested: NDArray[np.bool_], learned: NDArray[np.bool_]) -> Task:
        parts = (values[rows] for rows in (learned, tested) for values in (pairs, scores, groups))
        train, train_scores, train_groups, test, test_scores, test_groups = parts
        return Task(name, train, train_scores, test, test_scores, test_groups, train_groups)

    for kind, names in KINDS.items():
        is_kind = np.array([any(name in group for name in names) for group in groups])
        if is_kind.any():
            yield left_out(kind, is_kind, ~is_kind)
    keys = pair_keys(pairs)
    years = np.array([group[:4] for group in groups])
    for year in YEARS:
        is_year = years == year
        seen = {key for key, is_of_year in zip(keys, is_year, strict=True) if is_of_year}
        is_other = np.array([key not in seen for key in keys]) & (years != "SICK")
        if is_year.any():
            yield left_out(year, is_year, is_other)
    train, dev = (fetch_sts_benchmark(part, data_home=data) for part in ("train", "dev"))
    order = np.random.default_rng(0).permutation(len(train.data))
    for n_pairs in (200, 640, len(order)):
        chosen = order[: min(n_pairs, limit or n_pairs)]
        learned = train.data[chosen], train.target[chosen]
        name = f"STS-B dev, {len(chosen):,} pairs"
        yield Task(name, *learned, dev.data, dev.target, np.zeros(len(dev.data)))


def run(task: Task, n_seeds: int) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return r of raw vectors by set, of the rest by seed, and the gain of the worst set."""
    left, right = task.test.T
    raw = task.correlations(ParagramEncoder().similarity(left, right))
    means, fitted = [], []
    for seed in range(n_seeds):
        model = make_pipeline(
            ParagramEncoder(random_state=seed), FusionRegressor(random_state=seed)
        )
        model.fit(task.train, task.train_scores)
        learned, cosines = (
            model[0].similarity(*side.T)[:, None] for side in (task.train, task.test)
        )
        line = FusionRegressor(linear_weight=1.0).fit(learned, task.train_scores)
        paper = ParagramEncoder(**paper_settings("dcu-2016-task-internal"), random_state=seed)
        paper.fit(task.train, task.train_scores)
        fitted.append(task.correlations(cosines[:, 0]))
        predicted = [line.predict(cosines), model.predict(task.test)]
        predicted.append(paper.similarity(left, right))
        means.append(
            [fitted[-1].mean(), *(task.correlations(values).mean() for values in predicted)]
        )
    return raw, np.array(means), float((np.mean(fitted, axis=0) - raw).min())


def table_row(
    name: str, raw: float, means: NDArray[np.float64], worst: float | None
) -> list[Cell]:
    """Return a row of the table."""
    fitted, *others = (mean_and_range(values.tolist()) for values in means.T)
    return [name, raw, fitted, float(means[:, 0].mean()) - raw, worst, *others]


def main() -> None:
    """Print the table."""
    parser = script_parser(__doc__, seeds=3)
    parser.add_argument("--limit", type=int, help="pairs to learn from and to score")
    args = parser.parse_args()
    rows, raw_means, trained = [], [], []
    for task in tasks(args.data, args.limit):
        raw, means, worst = run(task, args.seeds)
        rows.append(table_row(task.name, float(raw.mean()), means, worst))
        print(*rows[-1], file=sys.stderr, flush=True)
        if task.name in KINDS:
            raw_means.append(raw.mean())
            trained.append(means)
    of_kinds = float(np.mean(raw_means)), np.mean(trained, axis=0)
    rows.insert(len(trained), table_row("mean of kinds", *of_kinds, None))
    columns = ["left out", "vectors", "fitted", "gain", "worst set", "line", "pipeline", "paper's"]
    print_table("Fitting on other kinds of text: Pearson's r", columns, rows)


if __name__ == "__main__":
    main()
