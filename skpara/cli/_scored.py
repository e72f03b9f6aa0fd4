"""What ``evaluate`` and ``report`` share: a model beside gold scores."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from skpara.cli._options import (
    add_format_options,
    add_group_option,
    add_model_argument,
    add_seed_option,
    open_pairs,
    pair_count,
    read_model,
)
from skpara.cli._predict import score_rows

if TYPE_CHECKING:
    from skpara._typing import Floats, Pairs


class Scored(NamedTuple):
    """Pairs with their gold scores, predicted scores, and what was asked for besides."""

    model: Any
    file_name: str
    trained_on: str  # ", trained on 90 pairs of sts.csv", or nothing
    pairs: Pairs
    gold: Floats
    predicted: Floats
    groups: Any
    novelty: Floats | None
    intervals: Floats | None


def add_gold_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the model, the pairs with gold scores, and how they are read."""
    add_model_argument(parser)
    parser.add_argument(
        "pairs",
        metavar="PAIRS",
        help="file with two sentences and a gold score per row, UTF-8; - is standard input",
    )
    add_group_option(parser, " (default: all pairs are one data set)")
    add_seed_option(parser)
    add_format_options(parser, scored=True)


def score_gold_pairs(arguments: argparse.Namespace, *, details: bool = False) -> Scored:
    """Score the pairs as they are read; with ``details``, add novelty and 90 % intervals."""
    file = open_pairs(arguments, scored=True)

    import numpy as np

    model, training = read_model(arguments, file)
    last = model[-1] if hasattr(model, "steps") else model
    has_intervals = details and getattr(last, "intervals", False)
    rows: list[Any] = []
    columns: list[list[float]] = []
    with pair_count() as progress:
        for chunk, values in score_rows(
            model, file, coverage=0.9 if has_intervals else None, novelty=details
        ):
            rows += chunk
            columns += values
            progress.update(len(chunk))
    if len(rows) < 2:
        raise ValueError(f"{file.name} holds {len(rows)} pair(s), but a correlation needs 2.")
    numbers = np.array(columns)
    trained_on = f", trained on {training['n_pairs']} pairs of {training['data']}"
    return Scored(
        model,
        file.name,
        trained_on if training["data"] else "",
        np.array([row.pair for row in rows], dtype=object),
        np.array([row.score for row in rows]),
        numbers[:, 0],
        np.array([row.group if arguments.group else "all" for row in rows], dtype=object),
        numbers[:, -1] if details else None,
        numbers[:, 1:3] if has_intervals else None,
    )
