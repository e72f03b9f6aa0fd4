"""``skpara evaluate``: correlations of a model's scores with gold scores, with intervals."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from skpara.cli._options import new_command, positive_int
from skpara.cli._scored import add_gold_arguments, score_gold_pairs

if TYPE_CHECKING:
    from skpara.metrics import Estimate, SemevalIntervals


_EXAMPLES = """\
  skpara evaluate sts.skpara test.csv
  skpara evaluate sts.skpara test.csv --group genre --json
"""


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "evaluate",
        help="compare a model's scores with gold scores",
        description="Score pairs whose gold scores are known, and print Pearson's and Spearman's "
        "correlation of the two with 95 % bootstrap intervals, for each data set and for the "
        "means over the data sets by which SemEval ranks systems.",
        examples=_EXAMPLES,
    )
    add_gold_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument(
        "--resamples",
        type=positive_int,
        metavar="N",
        default=2000,
        help="number of bootstrap resamples for the intervals (default: 2000)",
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    scored = score_gold_pairs(arguments)

    from skpara.metrics import semeval_intervals

    result = semeval_intervals(
        scored.gold,
        scored.predicted,
        scored.groups,
        n_resamples=arguments.resamples,
        random_state=arguments.seed,
    )
    if arguments.json:
        print(json.dumps(_as_json(result), ensure_ascii=False, indent=2))
        return 0
    print(f"Model: {arguments.model}{scored.trained_on}\nPairs: {scored.file_name}\n")
    lines = str(result).splitlines()
    # The means over a single data set would repeat its row.
    print("\n".join(lines[:2] if len(result.groups) == 1 else lines))
    return 0


def _as_json(result: SemevalIntervals) -> dict[str, Any]:
    sets = zip(result.groups, result.n_pairs, result.pearson, result.spearman, strict=True)
    return {
        "n_pairs": sum(result.n_pairs),
        "confidence_level": result.confidence_level,
        "sets": [
            {"name": name, "n_pairs": n, **_correlations(pearson, spearman)}
            for name, n, pearson, spearman in sets
        ],
        "mean_over_pairs": _correlations(result.pearson_over_pairs, result.spearman_over_pairs),
        "mean_over_sets": _correlations(result.pearson_over_sets, result.spearman_over_sets),
    }


def _correlations(pearson: Estimate, spearman: Estimate) -> dict[str, Any]:
    return {"pearson": pearson._asdict(), "spearman": spearman._asdict()}
