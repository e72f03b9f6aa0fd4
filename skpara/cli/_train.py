"""``skpara train``: from scored pairs to a model file."""

from __future__ import annotations

import argparse
import io
import math
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skpara.cli._options import (
    UsageError,
    add_format_options,
    add_group_option,
    add_seed_option,
    new_command,
    open_pairs,
    refuse,
    show_warning,
    step,
    stops_when_interrupted,
)
from skpara.cli._summary import add_json_option, print_summary

if TYPE_CHECKING:
    from skpara.datasets import PairFile

_EXAMPLES = """\
  skpara train pairs.csv -o sts.skpara
  skpara train pairs.csv -o sts.skpara --columns headline,summary,similarity --score-range 0 5
  skpara train pairs.csv -o sts.skpara --intervals --group source
  skpara train pairs.csv -o adapted.skpara --unlabeled new.csv
"""
_NAMES = {"lexical": "lexical features", "fusion": "regressor"}


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "train",
        help="train a model on scored pairs",
        description="Train the whole scoring system on pairs of sentences with scores, and write "
        "it to a file. Scores are numbers on any scale; higher ones mean more alike.",
        examples=_EXAMPLES,
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
        help="also train on paraphrases of the text of --unlabeled, which Apertium translates "
        "into this language, such as es, and back; may be repeated",
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
        "--intervals",
        action="store_true",
        help="also learn how far off the scores are, for `skpara predict --interval`; with "
        "--group, how far off they are on data sets that were not trained on. The regressor "
        "takes six times as long",
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
    add_json_option(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    _check_options(arguments)
    file = open_pairs(arguments, scored=True)
    _check_writable(arguments.out)

    import numpy as np

    from skpara.learning import is_class_labels
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
    if not arguments.labels and is_class_labels(scores):
        show_warning(
            f"The scores of {file.name} are {len(np.unique(scores))} whole numbers, so the "
            "vectors do not learn from them. If they are classes, pass --labels to train a "
            "classifier for `skpara decide`."
        )
        # What the encoder says about it is for users of Python.
        warnings.filterwarnings("ignore", message="y has class labels")
    pairs = np.array([row.pair for row in rows], dtype=object)
    extra: dict[str, Any] = {"unlabeled": unlabeled} if unlabeled else {}
    if arguments.group:
        extra["groups"] = [row.group for row in rows]
    title = f"Training on {len(pairs)} pairs"
    with step(title, bars=True), stops_when_interrupted(), _shown_steps(model):
        model.fit(pairs, scores, **extra)
    with step("Saving"):
        save_model(
            model, arguments.out, data=file.name, n_pairs=len(pairs), columns=file.column_names
        )
    facts: dict[str, Any] = {"pairs": len(pairs)}
    if arguments.labels:
        shares = zip(
            *(part.tolist() for part in np.unique(scores, return_counts=True)), strict=True
        )
        facts["classes"] = {str(name): count for name, count in shares}
        shown = [f"class {name}: {count}" for name, count in facts["classes"].items()]
        lines = [", ".join([f"Pairs: {len(pairs)}", *shown])]
    else:
        # A slip such as 44 for 4.4 is seen here: it widens the range of the predictions.
        mean = scores.mean()
        lines = [f"Pairs: {len(pairs)}, scores from {low:g} to {high:g}, mean {mean:.2f}"]
        facts |= {"lowest": low, "highest": high, "mean": mean}
    if unlabeled:
        unit = "sentences" if isinstance(unlabeled[0], str) else "pairs"
        lines.append(f"Unlabeled {unit}: {len(unlabeled)}")
        facts[f"unlabeled_{unit}"] = len(unlabeled)
    size = arguments.out.stat().st_size
    lines.append(f"Model: {arguments.out} ({size / 1e6:.0f} MB)")
    print_summary(arguments, facts | {"model": arguments.out, "bytes": size}, lines)
    return 0


def _check_options(arguments: argparse.Namespace) -> None:
    """Raise a UsageError for options that would not do anything."""
    if arguments.labels:
        options = ("--score-range", "--intervals", "--paraphrase", "--teacher", "--unlabeled")
        refuse(arguments, options, "is for scores; leave it out, or leave out --labels.")
    if not arguments.unlabeled:
        reason = "paraphrases the text of --unlabeled; name a file with it too."
        refuse(arguments, ["--paraphrase"], reason)
    if arguments.pairs == arguments.unlabeled == "-":
        raise UsageError("Only one of PAIRS and --unlabeled can be standard input.")


def _new_model(arguments: argparse.Namespace, verbose: int) -> Any:
    """Return the pipeline; a missing translator or teacher is an error here, before any work."""
    from skpara import make_sts_pipeline
    from skpara.augment import PivotParaphraser
    from skpara.encoders import CachedModel

    if arguments.labels:
        from skpara import make_pair_classifier

        return make_pair_classifier(random_state=arguments.seed)
    options: dict[str, Any] = {
        "score_range": arguments.score_range and tuple(arguments.score_range),
        "intervals": arguments.intervals,
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


@contextmanager
def _shown_steps(model: Any) -> Iterator[None]:
    """Print the name and the time of each step of a pipeline to standard error as it ends."""
    names = {"verbose", "features__verbose"} & model.get_params().keys()
    model.set_params(**dict.fromkeys(names, True))
    try:
        with redirect_stdout(_StepLines()):
            yield
    finally:
        model.set_params(**dict.fromkeys(names, False))


class _StepLines(io.TextIOBase):
    """Reads what a verbose pipeline prints, and prints it in the style of the other lines."""

    def write(self, text: str) -> int:
        """Print a line for each finished step."""
        for name, duration in re.findall(r"Processing (\w+), total= *(\S+?)s?$", text, re.M):
            if name != "features":  # its parts have lines of their own
                unit = "" if duration.endswith("min") else " s"
                print(f"  {_NAMES.get(name, name)}: {duration}{unit}", file=sys.stderr, flush=True)
        return len(text)


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
