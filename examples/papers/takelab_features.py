"""The value of each lexical feature, alone and when it is left out.

    python examples/papers/takelab_features.py --data DATA

There are two tasks: STS 2015 after training on 2012 to 2014 (Pearson's r, mean of the sets
weighted by their pairs), and STS Benchmark dev after training on its train part. The script
prints, for each feature, its correlation with the scores and the loss of gradient boosting on all
features without it; for each group, the result of boosting on it alone and the loss without it;
and the results of boosting on all lexical features, on the features of the papers, and on those
that need neither tagger nor WordNet, also on STS Benchmark test.

F. Šarić, G. Glavaš, M. Karan, J. Šnajder, B. Dalbelo Bašić (2012). TakeLab: systems for measuring
semantic text similarity. SemEval.

C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram embeddings for
semantic textual similarity. SemEval.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.ensemble import GradientBoostingRegressor

from skpara import FusionRegressor, LexicalFeatures
from skpara.datasets import fetch_sts, fetch_sts_benchmark
from skpara.metrics import pearson_score, semeval_score

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import number, print_table, script_parser
from sts_overlap import CHOSEN_ON, in_years

GROUPS = (
    *("numbers", "case", "stocks", "word_ngrams", "char_ngrams", "weighted_match"),
    *("word_overlap", "lengths", "counts", "vectors", "alignment", "strings"),
    *("quantities", "function_words", "lemmas", "wordnet", "tagged_vectors", "word_alignment"),
)
PARTS = ("train", "dev", "test")
PAIR = [("a", "b")]
SYSTEMS = ("all", "fast", "takelab", "dcu")


class Task(NamedTuple):
    """Features of training pairs and of pairs to score."""

    train: NDArray[np.float64]
    scores: NDArray[np.float64]
    test: NDArray[np.float64]
    gold: NDArray[np.float64]
    groups: NDArray[np.str_] | None
    n_trees: int

    def worth(self, predicted: NDArray[np.float64]) -> float:
        """Return the task's measure."""
        if self.groups is None:
            return pearson_score(self.gold, predicted)
        return semeval_score(self.gold, predicted, self.groups)

    def boosted(self, columns: Sequence[int], seeds: Iterable[int]) -> float:
        """Return the result of gradient boosting on some features, averaged over the seeds."""
        # Fast enough for hundreds of runs. The linear half of fusion would hide the effect of a
        # feature.
        boosting = GradientBoostingRegressor(
            n_estimators=self.n_trees, learning_rate=0.05, max_depth=3, max_features=1 / 6
        )
        predictions = [
            FusionRegressor(boosting, random_state=seed)
            .fit(self.train[:, columns], self.scores)
            .predict(self.test[:, columns])
            for seed in seeds
        ]
        return float(np.mean([self.worth(scores) for scores in predictions]))


def tasks(data: str | None, n_jobs: int, n_trees: int) -> tuple[list[str], dict[str, Task]]:
    """Return the names of the features, and the features of all pairs."""
    earlier = fetch_sts(range(2012, 2015), split="all", data_home=data)
    dev = fetch_sts(2015, data_home=data)
    sts = LexicalFeatures(n_jobs=n_jobs).fit(earlier.data, unlabeled=dev.data.ravel())
    parts = {part: fetch_sts_benchmark(split=part, data_home=data) for part in PARTS}
    benchmark = LexicalFeatures(n_jobs=n_jobs).fit(parts["train"].data)
    computed = {part: benchmark.transform(parts[part].data) for part in PARTS}
    by_name = {
        "2015": Task(
            sts.transform(earlier.data),
            earlier.target,
            sts.transform(dev.data),
            dev.target,
            dev.groups,
            n_trees,
        )
    }
    for part in ("dev", "test"):
        target = parts["train"].target, parts[part].target
        by_name[part] = Task(
            computed["train"], target[0], computed[part], target[1], None, n_trees
        )
        unseen = ~in_years(parts[part].data, CHOSEN_ON, data)
        if part == "test" and unseen.any():
            by_name["test, not in 2012-2015"] = Task(
                computed["train"],
                target[0],
                computed[part][unseen],
                target[1][unseen],
                None,
                n_trees,
            )
    return sts.features_, by_name


def main() -> None:
    """Print the tables."""
    parser = script_parser(__doc__, seeds=3)
    parser.add_argument("--trees", type=int, default=300, help="of each run of boosting")
    parser.add_argument("--n-jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", type=int, default=0)
    args = parser.parse_args()
    names, every = tasks(args.data, args.n_jobs, args.trees)
    groups = {
        group: [names.index(name) for name in LexicalFeatures(group).fit(PAIR).features_]
        for group in (*GROUPS, *SYSTEMS)
    }
    seeds = range(args.seeds)
    shown = {task: every[task] for task in ("2015", "dev")}
    rest = {name: [i for i, other in enumerate(names) if other != name] for name in names}
    rest |= {g: [i for i in groups["all"] if i not in groups[g]] for g in GROUPS}
    jobs = [("without", n, t, columns) for n, columns in rest.items() for t in shown]
    jobs += [("alone", g, t, groups[g]) for g in (*GROUPS, *SYSTEMS) for t in every]
    # One of many features changes too little to justify the time of more seeds.
    jobs += [("first seed", "all", t, groups["all"]) for t in shown]
    reached = Parallel(n_jobs=args.n_jobs, verbose=args.verbose)(
        delayed(every[task].boosted)(
            columns, [0] if name in names or how == "first seed" else seeds
        )
        for how, name, task, columns in jobs
    )
    result = {job[:3]: value for job, value in zip(jobs, reached, strict=True)}

    print(f"{len(names)} features, Pearson's r.")
    print(f"Means of {args.seeds} runs of boosting; one run where one feature is left out.")
    rows = []
    for i, name in enumerate(names):
        alone = [task.worth(task.test[:, i]) for task in shown.values()]
        lost = [
            result["first seed", "all", task] - result["without", name, task] for task in shown
        ]
        rows.append([name, *alone, *(number(loss, 4) for loss in lost)])
    heads = ["alone 2015", "alone dev", "loss without, 2015", "loss without, dev"]
    print_table("Each feature", ["feature", *heads], rows)
    rows = []
    for group in GROUPS:
        alone = [result["alone", group, task] for task in shown]
        lost = [result["alone", "all", t] - result["without", group, t] for t in shown]
        rows.append([group, *alone, *(number(loss, 4) for loss in lost)])
    print_table("Each group, by boosting", ["group", *heads], rows)
    print_table(
        "Boosting on all features of a system",
        ["system", "features", *every],
        [
            [system, len(groups[system]), *(result["alone", system, task] for task in every)]
            for system in SYSTEMS
        ],
    )


if __name__ == "__main__":
    main()
