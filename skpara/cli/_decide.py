"""``skpara decide``: whether the two sentences of a pair mean the same, as pairs come in."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skpara.cli._options import (
    add_format_options,
    add_pairs_argument,
    new_command,
    open_pairs,
    read_model,
    refuse,
)
from skpara.cli._predict import write_rows
from skpara.cli._tables import unused

if TYPE_CHECKING:
    from skpara.datasets import PairFile

_COLUMNS = ("probability", "decision")  # that are added
_EXAMPLES = """\
  skpara decide questions.csv
  skpara decide questions.csv --columns title1,title2 --threshold 0.8 -o decided.csv
  skpara train labeled.csv --labels -o model.skpara
  skpara decide questions.csv --model model.skpara --precision 0.95
"""


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "decide",
        help="decide whether two sentences mean the same",
        description="Write the rows as they were read, with two more columns: the probability "
        "that the two sentences mean the same, and the decision. A model that has learned other "
        "classes decides between these; the probability is that of its second class, or, of "
        "more than two, that of the class decided on.",
        examples=_EXAMPLES,
    )
    add_pairs_argument(parser)
    parser.add_argument(
        "--model",
        type=Path,
        metavar="MODEL",
        help="file written by `skpara train --labels`, or by skpara.save_model of a classifier "
        "(default: the packaged classifier, which needs no labels)",
    )
    cut = parser.add_mutually_exclusive_group()
    cut.add_argument(
        "--threshold",
        type=_probability,
        metavar="P",
        help="lowest probability of the second class (default: 0.5)",
    )
    cut.add_argument(
        "--precision",
        type=_probability,
        metavar="P",
        help="choose the threshold such that this share of the positive decisions is right, on "
        "pairs that were held out in training",
    )
    parser.add_argument(
        "--confidence",
        type=_probability,
        metavar="P",
        help="with --precision: the probability that pairs like those of the training keep it",
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE", help="output file (default: standard output)"
    )
    add_format_options(parser, scored=False)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.precision is None:
        refuse(arguments, ["--confidence"], "is about --precision; pass both, or leave it out.")
    file = open_pairs(arguments)
    if arguments.model is None:
        from skpara.fusion import load_pair_classifier

        model = load_pair_classifier()
    else:
        model, _ = read_model(arguments, file)
    threshold = _threshold(model, arguments)
    counts = {str(name): 0 for name in model.classes_.tolist()}
    rows = _decided(model, threshold, file, counts)
    write_rows(rows, file, arguments.out, partial(unused, _COLUMNS))
    summary = ", ".join(f"{name}: {count}" for name, count in counts.items())
    print(f"Threshold: {threshold:.4f}. {summary}", file=sys.stderr)
    return 0


def _threshold(model: Any, arguments: argparse.Namespace) -> float:
    """Return the lowest probability of the second class for which it is decided on."""
    if not hasattr(model, "predict_proba"):
        raise ValueError(
            f"{arguments.model} does not predict classes. Train a model with `skpara train "
            "--labels`, or use `skpara predict` for scores."
        )
    if arguments.threshold is None and arguments.precision is None:
        return 0.5
    if len(model.classes_) != 2:
        raise ValueError(
            f"{arguments.model} has {len(model.classes_)} classes. --threshold and --precision "
            "are for models with two."
        )
    if arguments.precision is None:
        return float(arguments.threshold)
    if not hasattr(model, "threshold"):
        raise ValueError(
            f"{arguments.model} has no thresholds for a promised precision. Pass --threshold, or "
            "train a model with `skpara train --labels`."
        )
    promise = {"precision": arguments.precision, "confidence": arguments.confidence}
    return float(model.threshold(**promise))


def _decided(
    model: Any, threshold: float, file: PairFile, counts: dict[str, int]
) -> Iterator[tuple[list[Any], list[list[Any]]]]:
    """Yield rows, as they come in, with probability and decision; count the decisions."""
    import numpy as np

    for rows in file.chunks():
        pairs = np.array([row.pair for row in rows], dtype=object)
        probabilities = np.asarray(model.predict_proba(pairs), dtype=np.float64)
        if len(model.classes_) == 2:
            shown = probabilities[:, 1]
            best = (shown >= threshold).astype(int)
        else:
            shown, best = probabilities.max(axis=1), probabilities.argmax(axis=1)
        decisions = [str(name) for name in model.classes_[best].tolist()]
        for decision in decisions:
            counts[decision] += 1
        yield rows, [list(values) for values in zip(shown.tolist(), decisions, strict=True)]


def _probability(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, got {text!r}")
    return number
