"""``skpara evaluate``: how well a model's scores agree with gold scores, and how sure that is."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from skpara.cli._options import (
    add_format_options,
    add_group_option,
    add_model_argument,
    scored_pairs,
)
from skpara.cli._predict import score_rows
from skpara.cli._progress import pair_count

if TYPE_CHECKING:
    from skpara.metrics import Estimate, SemevalIntervals

__all__ = ["add_command"]


def add_command(commands: Any) -> None:
    """Add the subcommand."""
    parser = commands.add_parser(
        "evaluate",
        help="compare a model's scores with gold scores",
        description="Score pairs whose gold scores are known, and print Pearson's and Spearman's "
        "correlation of the two with 95 % bootstrap intervals: of each data set, and the means "
        "over them by which SemEval ranks systems.",
    )
    add_model_argument(parser)
    parser.add_argument(
        "pairs",
        metavar="PAIRS",
        help="two sentences and a gold score a row, UTF-8; - is standard input",
    )
    add_group_option(parser, " (default: all are of one)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument(
        "--resamples",
        type=_positive,
        metavar="N",
        default=2000,
        help="how often the pairs are resampled for the intervals (default: 2000)",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", default=0, help="seed of the resampling (default: 0)"
    )
    add_format_options(parser, scored=True)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    file = scored_pairs(arguments)

    from skpara.metrics import semeval_intervals
    from skpara.saving._model_file import load_model

    loaded = load_model(arguments.model)
    gold: list[float] = []
    predicted: list[float] = []
    groups: list[str] = []
    with pair_count() as progress:
        for rows, scores in score_rows(loaded.model, file):
            gold += [row.score for row in rows]
            groups += [row.group if arguments.group else "all" for row in rows]
            predicted += scores
            progress.update(len(rows))
    if len(gold) < 2:
        raise ValueError(f"{file.name} holds {len(gold)} pair(s); a correlation needs 2 or more.")
    result = semeval_intervals(
        gold, predicted, groups, n_resamples=arguments.resamples, random_state=arguments.seed
    )
    if arguments.json:
        print(json.dumps(_as_json(result), ensure_ascii=False, indent=2))
        return 0
    learned = loaded.description
    if learned:
        print(f"Model: {arguments.model}, of {learned['n_pairs']} pairs of {learned['data']}")
    else:
        print(f"Model: {arguments.model}")
    print(f"Pairs: {file.name}\n")
    lines = str(result).splitlines()
    print("\n".join(lines[:2] if len(result.groups) == 1 else lines))  # its means are itself
    return 0


def _as_json(result: SemevalIntervals) -> dict[str, Any]:
    sets = zip(result.groups, result.n_pairs, result.pearson, result.spearman, strict=True)
    return {
        "n_pairs": sum(result.n_pairs),
        "confidence_level": result.confidence_level,
        "sets": [
            {"name": name, "n_pairs": n, **_both(pearson, spearman)}
            for name, n, pearson, spearman in sets
        ],
        "mean_over_pairs": _both(result.pearson_over_pairs, result.spearman_over_pairs),
        "mean_over_sets": _both(result.pearson_over_sets, result.spearman_over_sets),
    }


def _both(pearson: Estimate, spearman: Estimate) -> dict[str, Any]:
    return {"pearson": pearson._asdict(), "spearman": spearman._asdict()}


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"at least 1 is needed, got {text}")
    return number
