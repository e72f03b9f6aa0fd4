"""``skpara evaluate``: correlations of a model's scores with gold scores, with intervals."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from skpara.cli._options import add_gold_pairs, last_step, open_pairs, pair_count, read_model
from skpara.cli._predict import score_rows, scores, with_novelty

if TYPE_CHECKING:
    from skpara._typing import Floats, Pairs

HELP = "compare a model's scores with gold scores"
DESCRIPTION = (
    "Score pairs with known gold scores, and print Pearson's and Spearman's correlation of the "
    "two with 95 % bootstrap intervals, for each data set and for the means over the data sets by "
    "which SemEval ranks systems."
)
EXAMPLES = """\
  skpara evaluate test.csv --model sts.skpara
  skpara evaluate test.csv --model sts.skpara --group genre
"""
add_options = add_gold_pairs


class Scored(NamedTuple):
    """Pairs with gold scores, their groups, and the model's values of each pair."""

    model: Any
    model_name: str
    trained_on: str  # ", trained on 90 pairs of sts.csv", or nothing
    file_name: str
    pairs: Pairs
    gold: Floats
    groups: Any
    values: Any  # (n_pairs, 1), or with details (n_pairs, 2 or 4): score, interval, novelty


def score_gold_pairs(arguments: argparse.Namespace, *, details: bool = False) -> Scored:
    """Score the pairs as they are read; with ``details``, add 90 % intervals and novelty."""
    file = open_pairs(arguments, scored=True)

    import numpy as np

    from skpara.datasets import pair_array

    name, trained_on = "the packaged vectors", ""
    if arguments.model is None:
        from skpara.fusion import make_cosine_scorer

        model: Any = make_cosine_scorer(score_range=(0.0, 1.0))
    else:
        model, training = read_model(arguments, file)
        name = str(arguments.model)
        if training["data"]:
            trained_on = f", trained on {training['n_pairs']} pairs of {training['data']}"
    has_intervals = details and getattr(last_step(model), "intervals", False)
    score = scores(model, 0.9 if has_intervals else None)
    if details:
        score = with_novelty(model, score)
    rows: list[Any] = []
    values: list[list[float]] = []
    with pair_count() as progress:
        for chunk, results in score_rows(file, score):
            rows += chunk
            values += results
            progress.update(len(chunk))
    if len(rows) < 2:
        raise ValueError(f"{file.name} holds {len(rows)} pair(s), but a correlation needs 2.")
    return Scored(
        model,
        name,
        trained_on,
        file.name,
        pair_array(rows),
        np.array([row.score for row in rows]),
        np.array([row.group if arguments.group else "all" for row in rows], dtype=object),
        np.array(values),
    )


def run(arguments: argparse.Namespace) -> None:
    scored = score_gold_pairs(arguments)

    from skpara.metrics import semeval_intervals

    result = semeval_intervals(scored.gold, scored.values[:, 0], scored.groups, random_state=0)
    print(f"Model: {scored.model_name}{scored.trained_on}\nPairs: {scored.file_name}\n")
    lines = str(result).splitlines()
    # The means over a single data set would repeat its row.
    print("\n".join(lines[:2] if len(result.groups) == 1 else lines))
