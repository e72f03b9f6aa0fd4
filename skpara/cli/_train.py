"""``skpara train``: from scored pairs to a model file."""

from __future__ import annotations

import argparse
import math
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skpara.cli._options import (
    UsageError,
    add_group_option,
    add_pairs,
    open_pairs,
    refuse,
    step,
)

if TYPE_CHECKING:
    from skpara.datasets import PairFile

_MOST_CLASSES = 20  # of a small file; more labels are numbers of rows, or text
HELP = "train a model on scored pairs"
DESCRIPTION = (
    "Train the whole scoring system on pairs of sentences with scores, and write it to a file. "
    "Scores are numbers on any scale; higher means more similar."
)
EXAMPLES = """\
  skpara train pairs.csv -o sts.skpara
  skpara train pairs.csv -o sts.skpara --columns headline,summary,similarity --score-range 0 5
  skpara train pairs.csv -o sts.skpara --intervals --group source
  skpara train pairs.csv -o adapted.skpara --unlabeled new.csv
  skpara train labeled.csv -o same.skpara --labels
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    text = "file with two sentences and a score per row; - is standard input"
    add_pairs(parser, scored=True, help=text)
    parser.add_argument(
        "-o", "--out", type=Path, metavar="MODEL", required=True, help="output file"
    )
    parser.add_argument(
        "--unlabeled",
        metavar="FILE",
        help="text to adapt to, such as the pairs to be scored later: a file of pairs, or a .txt "
        "file with one sentence per line, or two separated by a tab",
    )
    parser.add_argument(
        "--score-range",
        nargs=2,
        type=float,
        metavar=("LOW", "HIGH"),
        help="lowest and highest score of predictions, such as 0 5 (default: those of the pairs). "
        "Pairs with a score outside this range are then an error",
    )
    parser.add_argument(
        "--intervals",
        action="store_true",
        help="also learn intervals for `skpara predict --interval`; with --group, for data sets "
        "that the model was not trained on. Fitting the regressor takes six times as long",
    )
    parser.add_argument(
        "--labels",
        action="store_true",
        help="the scores are classes, such as 0 and 1 or same and different: train a classifier, "
        "with which `skpara predict` decides",
    )
    add_group_option(parser, "; differences between data sets are then not learned")


def run(arguments: argparse.Namespace) -> None:
    _check_options(arguments)
    file = open_pairs(arguments, scored=True, labels=arguments.labels)
    _check_writable(arguments.out)

    import numpy as np

    from skpara.datasets import pair_array
    from skpara.saving import save_model

    extra: dict[str, Any] = {}
    with step("Reading pairs"):
        rows = list(_checked_rows(file, arguments))
        if arguments.unlabeled:
            extra["unlabeled"] = _read_unlabeled(arguments, file)
    if arguments.labels:
        _check_labels(rows, file.name)
    if len({row.score for row in rows}) < 2:
        problem = "with the same score. Add pairs that are less alike, or more."
        if arguments.labels:
            problem = (
                "of the same class; a classifier needs two. Add pairs of another class. `skpara "
                "predict` decides without a model, too."
            )
        raise ValueError(f"{file.name} holds {len(rows)} pairs, all {problem}")
    if arguments.group:
        extra["groups"] = [row.group for row in rows]
    pairs = pair_array(rows)
    scores: Any = np.array([row.score for row in rows])
    model = _new_model(arguments)
    with step(f"Training on {len(pairs)} pairs"):
        model.fit(pairs, scores, **extra)
    with step("Saving"):
        save_model(
            model, arguments.out, data=file.name, n_pairs=len(pairs), columns=file.column_names
        )
    if arguments.labels:
        classes = sorted(Counter(scores.tolist()).items())
        summary = ", ".join(f"class {name}: {count}" for name, count in classes)
        if len(classes) == 2:
            summary += f". `skpara predict` writes the probability of {classes[1][0]}"
    else:
        # The range shows slips such as 44 for 4.4, which widen the range of the predictions.
        summary = f"scores from {scores.min():g} to {scores.max():g}, mean {scores.mean():.2f}"
    print(f"Pairs: {len(pairs)}, {summary}")
    print(f"Model: {arguments.out} ({arguments.out.stat().st_size / 1e6:.0f} MB)")


def _check_options(arguments: argparse.Namespace) -> None:
    if arguments.labels:
        options = ("--score-range", "--intervals", "--unlabeled")
        refuse(arguments, options, "is for scores; leave it out, or leave out --labels.")
    if arguments.score_range and not arguments.score_range[0] < arguments.score_range[1]:
        low, high = arguments.score_range
        raise UsageError(f"--score-range {low:g} {high:g} is empty. Pass the lower score first.")
    if arguments.pairs == arguments.unlabeled == "-":
        raise UsageError("Only one of PAIRS and --unlabeled can be standard input.")


def _new_model(arguments: argparse.Namespace) -> Any:
    from skpara import make_pair_classifier, make_sts_pipeline

    if arguments.labels:
        return make_pair_classifier(random_state=0)
    return make_sts_pipeline(
        score_range=arguments.score_range and tuple(arguments.score_range),
        intervals=arguments.intervals,
        random_state=0,
    )


def _checked_rows(file: PairFile, arguments: argparse.Namespace) -> Iterator[Any]:
    low, high = arguments.score_range or (-math.inf, math.inf)
    if arguments.labels:
        yield from file
        return
    for row in file:
        where = f"{file.name}, line {row.line}"
        if not low <= row.score <= high:
            raise ValueError(
                f"{where}: the score {row.score:g} is not in [{low:g}, {high:g}]. Correct it, or "
                "change --score-range."
            )
        yield row


def _check_labels(rows: list[Any], name: str) -> None:
    """Raise if some labels are numbers, and others are text."""
    kinds = {type(row.score) for row in rows}
    if len(kinds) > 1:
        texts = [row for row in rows if isinstance(row.score, str)]
        numbers = [row for row in rows if isinstance(row.score, int)]
        odd = min(texts, numbers, key=len)[0]
        raise ValueError(
            f"{name}, line {odd.line}: the label {odd.score!r:.60} differs in kind from most."
            " Write all labels as numbers, or all as text."
        )
    if len(classes := {row.score for row in rows}) > max(_MOST_CLASSES, len(rows) // 10):
        raise ValueError(
            f"{name} has {len(classes)} different labels. Select the column of labels "
            "(--columns), or leave out --labels to train on scores."
        )


def _read_unlabeled(
    arguments: argparse.Namespace, train: PairFile
) -> list[str] | list[tuple[str, str]]:
    """Return the sentences of a text file, or the pairs of a file of pairs."""
    from skpara.datasets import PairFile, read_sentences

    path: str = arguments.unlabeled
    if path.lower().removesuffix(".gz").endswith(".txt") or path == "-":
        lines = (line.split("\t")[:2] for line in read_sentences(path, arguments.encoding))
        return [cell.strip() for cells in lines for cell in cells if cell.strip()]
    file = PairFile(
        path,
        header=False if arguments.no_header else None,
        delimiter=arguments.delimiter,
        encoding=arguments.encoding,
    )
    file.names = train.column_names or ()
    return [row.pair for row in file]


def _check_writable(path: Path) -> None:
    """Raise before the training, not after it, if the model cannot be written."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder. Name a file in it.")
    nearest = next(parent for parent in path.absolute().parents if parent.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise PermissionError(f"Cannot write {path}: {nearest} is not a writable folder.")
