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
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from default_fit import KINDS, Task, tasks
from result_tables import Cell, print_table

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder, make_sts_pipeline

# Of LexicalFeatures; the others compare words, characters, tags and WordNet's synsets.
WITH_VECTORS = {"vectors", "alignment", "tagged_vectors", "word_alignment"}
COLUMNS = ("vectors", "encoder", "no vectors", "lexical", "trees", "linear", "fusion")


def run(task: Task, without_vectors: list[str]) -> tuple[list[float], float]:
    """Return the means of the columns, and the smallest gain over the better cosine."""
    parts = dict(make_sts_pipeline(random_state=0)["features"].transformer_list)
    columns = {
        name: (part.fit_transform(task.train, task.train_scores), part.transform(task.test))
        for name, part in parts.items()
    }
    names = parts["lexical"].features_
    rows = [names.index(name) for name in without_vectors]
    both = [np.hstack([columns[name][side] for name in columns]) for side in (0, 1)]

    def predicted(sides: list[np.ndarray], **settings: float) -> np.ndarray:
        model = FusionRegressor(random_state=0, **settings).fit(sides[0], task.train_scores)
        return model.predict(sides[1])

    lexical = list(columns["lexical"])
    scores = {
        "vectors": ParagramEncoder().similarity(task.test[:, 0], task.test[:, 1]),
        "encoder": columns["encoder"][1][:, 0],
        "no vectors": predicted([side[:, rows] for side in lexical]),
        "lexical": predicted(lexical),
        "trees": predicted(both, linear_weight=0.0),
        "linear": predicted(both, linear_weight=1.0),
        "fusion": predicted(both),
    }
    by_set = {name: task.correlations(values) for name, values in scores.items()}
    cosine = np.maximum(by_set["vectors"], by_set["encoder"])
    means = [float(by_set[name].mean()) for name in COLUMNS]
    return means, float((by_set["fusion"] - cosine).min())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", help="folder of the data sets; default $SKPARA_DATA or cache")
    parser.add_argument("--limit", type=int, help="pairs to learn from and to score")
    args = parser.parse_args()
    features = LexicalFeatures().fit([("a", "b")]).features_
    with_vectors = LexicalFeatures(sorted(WITH_VECTORS)).fit([("a", "b")]).features_
    without_vectors = [name for name in features if name not in with_vectors]
    rows: list[list[Cell]] = []
    for task in tasks(args.data, args.limit):
        if task.name in KINDS:
            means, worst = run(task, without_vectors)
            rows.append([task.name, *means, worst])
            print(f"{task.name}: fusion {means[-1]:.3f}", file=sys.stderr, flush=True)
    figures = np.array([row[1:-1] for row in rows], dtype=float).mean(axis=0)
    rows.append(["mean of kinds", *figures.tolist()])
    print_table("Pearson's r, fitted on other kinds", ["left out", *COLUMNS, "worst set"], rows)


if __name__ == "__main__":
    main()
