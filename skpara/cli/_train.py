"""``skpara train``: from scored pairs to a model file."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from skpara.cli._lines import Lines
from skpara.cli._options import add_format_options, add_group_option, scored_pairs
from skpara.cli._pair_files import PairFile, Row
from skpara.cli._progress import step, stops_when_interrupted

__all__ = ["add_command"]

_LOWEST, _HIGHEST = 0.0, 5.0


def add_command(commands: Any) -> None:
    """Add the subcommand."""
    parser = commands.add_parser(
        "train",
        help="learn from scored pairs, write a model",
        description="Train the whole scoring system on pairs of sentences with scores from 0 "
        "(unrelated) to 5 (same meaning), and write it to a file.",
    )
    parser.add_argument(
        "pairs",
        metavar="PAIRS",
        help="two sentences and a score a row, UTF-8; - is standard input",
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="MODEL", required=True, help="where the model goes"
    )
    parser.add_argument(
        "--unlabeled",
        metavar="FILE",
        help="what is to be scored, without scores, to adapt to: a file of pairs, or a .txt file "
        "of one sentence a line, or two with a tab between",
    )
    parser.add_argument(
        "--paraphrase",
        action="append",
        metavar="LANGUAGE",
        help="learn from paraphrases too, made by translating into this language, such as es, "
        "and back with Apertium; may be given again",
    )
    parser.add_argument(
        "--teacher",
        metavar="FOLDER",
        help="a sentence-transformers model to learn from how near sentences are; it is not "
        "needed to predict",
    )
    add_group_option(
        parser, ": what sets them apart is then not taken for what makes sentences alike"
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", default=0, help="seed of everything random (default: 0)"
    )
    add_format_options(parser, scored=True)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    file = scored_pairs(arguments)
    _check_place(arguments.out)

    import numpy as np

    from skpara.saving._model_file import save_model

    bars = sys.stderr.isatty()
    model = _new_model(arguments, verbose=int(bars))
    with step("Reading pairs"):
        rows = list(_on_the_scale(file))
        unlabeled = _read_unlabeled(arguments.unlabeled) if arguments.unlabeled else []
    if not rows:
        raise ValueError(f"{file.name} holds no pairs.")
    scores = np.array([row.score for row in rows])
    if scores.max() <= 1:
        raise ValueError(
            f"The highest score of {file.name} is {scores.max():g}. Scores are to go from "
            f"{_LOWEST:g} (unrelated) to {_HIGHEST:g} (same meaning): multiply those that go to "
            f"1 by {_HIGHEST:g}."
        )
    pairs = np.array([row.pair for row in rows], dtype=object)
    extra: dict[str, Any] = {"unlabeled": unlabeled} if unlabeled else {}
    if arguments.group:
        extra["groups"] = [row.group for row in rows]
    with step(f"Training on {len(pairs)} pairs", bars=bars), stops_when_interrupted():
        model.fit(pairs, scores, **extra)
    with step("Saving"):
        save_model(arguments.out, model, data=file.name, n_pairs=len(pairs))
    print(f"Pairs: {len(pairs)}, mean score {scores.mean():.2f}")
    if unlabeled:
        what = "sentences" if isinstance(unlabeled[0], str) else "pairs"
        print(f"Unlabeled {what}: {len(unlabeled)}")
    print(f"Model: {arguments.out} ({arguments.out.stat().st_size / 1e6:.0f} MB)")
    return 0


def _new_model(arguments: argparse.Namespace, verbose: int) -> Any:
    """The pipeline; what it lacks is said before the work begins."""
    from skpara import make_sts_pipeline
    from skpara.augment import PivotParaphraser
    from skpara.encoders import CachedModel

    options: dict[str, Any] = {"random_state": arguments.seed, "verbose": verbose}
    if arguments.paraphrase:
        options["paraphraser"] = PivotParaphraser(arguments.paraphrase)
        options["paraphraser"].translators()
    if arguments.teacher:
        options["teacher"] = CachedModel(arguments.teacher)
        options["teacher"].encode(["A sentence."])
    return make_sts_pipeline(**options)


def _on_the_scale(file: PairFile) -> Iterable[Row]:
    for row in file:
        if not _LOWEST <= row.score <= _HIGHEST:
            raise ValueError(
                f"{file.name}, line {row.line}: the score {row.score:g} is not from {_LOWEST:g} "
                f"(unrelated) to {_HIGHEST:g} (same meaning). Bring all scores to this range."
            )
        yield row


def _read_unlabeled(path: str) -> list[str] | list[tuple[str, str]]:
    """Sentences of a text file, or pairs of a file of pairs."""
    if path.removesuffix(".gz").endswith(".txt") or path == "-":
        cells = (cell.strip() for line in Lines(path) for cell in line.split("\t")[:2])
        return [cell for cell in cells if cell]
    return [row.pair for row in PairFile(path)]


def _check_place(path: Path) -> None:
    """Complain of a place that cannot be written to before the work is done, not after."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: name a file within it.")
    nearest = next(parent for parent in path.absolute().parents if parent.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise PermissionError(f"{path} cannot be written: {nearest} lets nothing be put there.")
