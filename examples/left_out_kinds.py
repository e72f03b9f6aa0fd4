"""Fusion on text of other kinds than it learned from, next to its parts.

    python examples/left_out_kinds.py --data DATA

As in ``default_fit.py``, each kind of text of STS 2012-2015 and SICK's train part is left out in
turn, and pairs of STS Benchmark's test part are left out of all. Figures are means of Pearson's r
over the sets of a kind.

vectors    cosine of the packaged vectors, nothing learned
encoder    cosine of ParagramEncoder(), which learned from the scores of the other kinds
lexical    FusionRegressor() on the pipeline's lexical features alone
no vectors the same on LexicalFeatures() without the groups that use word vectors
fusion     make_sts_pipeline(): both
trees, linear  its parts, FusionRegressor(linear_weight=0) and FusionRegressor(linear_weight=1)
worst set  the smallest gain of a set of the kind by fusion over the better cosine

What is trained is trained with several seeds; where these differ, the range is in brackets.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from default_fit import KINDS, Task, tasks
from numpy.typing import NDArray
from result_tables import Cell, over_seeds, print_table, script_parser

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder, make_sts_pipeline

Numbers = NDArray[np.float64]
# Of LexicalFeatures; the others compare words, characters, tags and WordNet's synsets.
WITH_VECTORS = {"vectors", "alignment", "tagged_vectors", "word_alignment"}
COLUMNS = ("vectors", "encoder", "no vectors", "lexical", "trees", "linear", "fusion")


def run(task: Task, without_vectors: list[str], n_seeds: int) -> tuple[Numbers, Numbers]:
    """Return the means of the columns, and the smallest gain over the better cosine, by seed."""
    parts = dict(make_sts_pipeline(random_state=0)["features"].transformer_list)
    features = parts.pop("lexical")
    lexical = computed(features, task)  # the same for each seed
    rows = [features.features_.index(name) for name in without_vectors]
    without = [side[:, rows] for side in lexical]
    raw = ParagramEncoder().similarity(task.test[:, 0], task.test[:, 1])
    means, worst = [], []
    for seed in range(n_seeds):
        columns = [computed(part.set_params(random_state=seed), task) for part in parts.values()]
        both = [np.hstack(sides) for sides in zip(*columns, lexical, strict=True)]
        encoder = list(parts).index("encoder")

        def predicted(sides: Sequence[Numbers], seed: int = seed, **settings: float) -> Numbers:
            model = FusionRegressor(random_state=seed, **settings)
            return model.fit(sides[0], task.train_scores).predict(sides[1])

        scores = {
            "vectors": raw,
            "encoder": columns[encoder][1][:, 0],
            "no vectors": predicted(without),
            "lexical": predicted(lexical),
            "trees": predicted(both, linear_weight=0.0),
            "linear": predicted(both, linear_weight=1.0),
            "fusion": predicted(both),
        }
        by_set = {name: task.correlations(values) for name, values in scores.items()}
        cosine = np.maximum(by_set["vectors"], by_set["encoder"])
        means.append([by_set[name].mean() for name in COLUMNS])
        worst.append((by_set["fusion"] - cosine).min())
    return np.array(means), np.array(worst)


def computed(part: Any, task: Task) -> tuple[Numbers, Numbers]:
    """Fit a part of the pipeline, and return its features of both sides of a task."""
    return part.fit_transform(task.train, task.train_scores), part.transform(task.test)


def main() -> None:
    """Print the table."""
    parser = script_parser(__doc__, seeds=3)
    parser.add_argument("--limit", type=int, help="pairs to learn from and to score")
    args = parser.parse_args()
    features = LexicalFeatures().fit([("a", "b")]).features_
    with_vectors = LexicalFeatures(sorted(WITH_VECTORS)).fit([("a", "b")]).features_
    without_vectors = [name for name in features if name not in with_vectors]
    by_seed: list[list[list[Cell]]] = [[] for _ in range(args.seeds)]
    by_kind = []
    for task in tasks(args.data, args.limit):
        if task.name in KINDS:
            means, worst = run(task, without_vectors, args.seeds)
            by_kind.append(means)
            for rows, values, smallest in zip(
                by_seed, means.tolist(), worst.tolist(), strict=True
            ):
                rows.append([task.name, *values, smallest])
            print(f"{task.name}: fusion {means[:, -1].mean():.3f}", file=sys.stderr, flush=True)
    for rows, values in zip(by_seed, np.mean(by_kind, axis=0).tolist(), strict=True):
        rows.append(["mean of kinds", *values, None])
    columns = ["left out", *COLUMNS, "worst set"]
    print_table("Pearson's r, fitted on other kinds", columns, over_seeds(by_seed))


if __name__ == "__main__":
    main()
