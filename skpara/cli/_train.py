"""``skpara train``: from scored pairs to a model file."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skpara.cli._options import (
    add_format_options,
    add_group_option,
    add_seed_option,
    open_pairs,
    step,
    stops_when_interrupted,
)

if TYPE_CHECKING:
    from skpara.datasets import PairFile

_LOWEST, _HIGHEST = 0, 5  # the scale of STS


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "train",
        help="train a model on scored pairs",
        description="Train the whole scoring system on pairs of sentences with scores, and write "
        "it to a file. Scores are numbers on any scale; higher ones mean more alike.",
    )
    parser.add_argument(
        "pairs",
        metavar="PAIRS",
        help="file with two sentences and a score per row, UTF-8; - is standard input",
    )
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
        "--paraphrase",
        action="append",
        metavar="LANGUAGE",
        help="also train on paraphrases that Apertium makes by translating into this language, "
        "such as es, and back; may be repeated",
    )
    parser.add_argument(
        "--teacher",
        metavar="FOLDER",
        help="folder of a sentence-transformers model whose similarities are learned; it is not "
        "needed to predict",
    )
    parser.add_argument(
        "--score-range",
        nargs=2,
        type=float,
        metavar=("LOW", "HIGH"),
        help="lowest and highest score that can be predicted, such as 0 5 (default: those of the "
        "pairs). A score of the pairs outside this range is then an error",
    )
    parser.add_argument(
        "--labels",
        action="store_true",
        help="the scores are classes, whole numbers such as 0 and 1: train a classifier for "
        "`skpara decide`",
    )
    add_group_option(parser, "; differences between data sets are then not learned")
    add_seed_option(parser)
    add_format_options(parser, scored=True)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    file = open_pairs(arguments, scored=True)
    _check_writable(arguments.out)

    import numpy as np

    from skpara.saving import save_model

    bars = sys.stderr.isatty()
    model = _new_model(arguments, verbose=int(bars))
    with step("Reading pairs"):
        rows = list(_rows_in_range(file, arguments.score_range))
        unlabeled = _read_unlabeled(arguments, file) if arguments.unlabeled else []
    if not rows:
        raise ValueError(f"{file.name} holds no pairs.")
    scores = np.array([row.score for row in rows])
    if arguments.labels:
        scores = _as_labels(file, rows, scores)
    low, high = scores.min(), scores.max()
    if low == high:
        raise ValueError(
            f"All scores of {file.name} are {low:g}. Add pairs that are less alike, or more."
        )
    pairs = np.array([row.pair for row in rows], dtype=object)
    extra: dict[str, Any] = {"unlabeled": unlabeled} if unlabeled else {}
    if arguments.group:
        extra["groups"] = [row.group for row in rows]
    with step(f"Training on {len(pairs)} pairs", bars=bars), stops_when_interrupted():
        model.fit(pairs, scores, **extra)
    with step("Saving"):
        save_model(
            model, arguments.out, data=file.name, n_pairs=len(pairs), columns=file.column_names
        )
    if arguments.labels:
        shares = zip(*np.unique(scores, return_counts=True), strict=True)
        print(f"Pairs: {len(pairs)}", *(f"class {name}: {n}" for name, n in shares), sep=", ")
    else:
        # A slip such as 44 for 4.4 is seen here: it widens the range of the predictions.
        print(f"Pairs: {len(pairs)}, scores from {low:g} to {high:g}, mean {scores.mean():.2f}")
    if unlabeled:
        unit = "sentences" if isinstance(unlabeled[0], str) else "pairs"
        print(f"Unlabeled {unit}: {len(unlabeled)}")
    print(f"Model: {arguments.out} ({arguments.out.stat().st_size / 1e6:.0f} MB)")
    return 0


def _new_model(arguments: argparse.Namespace, verbose: int) -> Any:
    """Return the pipeline; a missing translator or teacher is an error here, before any work."""
    from skpara import make_sts_pipeline
    from skpara.augment import PivotParaphraser
    from skpara.encoders import CachedModel

    if arguments.labels:
        from skpara import make_pair_classifier

        unused = ("score_range", "paraphrase", "teacher", "unlabeled")
        for name in [name for name in unused if getattr(arguments, name)]:
            option = name.replace("_", "-")
            raise ValueError(f"--{option} is for scores. Leave out --labels or --{option}.")
        return make_pair_classifier(random_state=arguments.seed)
    options: dict[str, Any] = {
        "score_range": arguments.score_range and tuple(arguments.score_range),
        "random_state": arguments.seed,
        "verbose": verbose,
    }
    if arguments.paraphrase:
        options["paraphraser"] = PivotParaphraser(arguments.paraphrase)
        options["paraphraser"].translators()
    if arguments.teacher:
        options["teacher"] = CachedModel(arguments.teacher)
        options["teacher"].encode(["A sentence."])
    return make_sts_pipeline(**options)


def _as_labels(file: PairFile, rows: list[Any], scores: Any) -> Any:
    """Return scores as whole numbers."""
    for row in rows:
        if row.score != int(row.score):
            raise ValueError(
                f"{file.name}, line {row.line}: the class {row.score:g} is not a whole number. "
                "Correct it, or leave out --labels to train on scores."
            )
    return scores.astype(int)


def _rows_in_range(file: PairFile, score_range: list[float] | None) -> Iterator[Any]:
    low, high = score_range or (-math.inf, math.inf)
    for row in file:
        if not low <= row.score <= high:
            raise ValueError(
                f"{file.name}, line {row.line}: the score {row.score:g} is not in [{low:g}, "
                f"{high:g}]. Correct it, or change --score-range."
            )
        yield row


def _read_unlabeled(
    arguments: argparse.Namespace, train: PairFile
) -> list[str] | list[tuple[str, str]]:
    """Return the sentences of a text file, or the pairs of a file of pairs."""
    from skpara.datasets import PairFile, read_sentences

    path: str = arguments.unlabeled
    if path.removesuffix(".gz").endswith(".txt") or path == "-":
        lines = read_sentences(path)
        cells = (cell.strip() for line in lines for cell in line.split("\t")[:2])
        return [cell for cell in cells if cell]
    file = PairFile(path, header=False if arguments.no_header else None)
    file.names = train.column_names or ()
    return [row.pair for row in file]


def _check_writable(path: Path) -> None:
    """Raise before the training, not after it, if the model cannot be written."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder. Name a file in it.")
    nearest = next(parent for parent in path.absolute().parents if parent.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise PermissionError(f"Cannot write {path}: {nearest} is not a writable folder.")
