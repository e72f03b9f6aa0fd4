"""``skpara predict``: scores of pairs as they come in."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from skpara._files import replace_file
from skpara.cli._options import add_format_options, add_model_argument
from skpara.cli._pair_files import PairFile, Row
from skpara.cli._progress import pair_count
from skpara.cli._records import as_text

__all__ = ["add_command", "score_rows"]

_SCORE = "predicted"  # the column that is added


def add_command(commands: Any) -> None:
    """Add the subcommand."""
    parser = commands.add_parser(
        "predict",
        help="score pairs with a model",
        description="Score pairs of sentences, and write one score a line. Pairs are scored as "
        "they come in, so that input may be endless.",
    )
    add_model_argument(parser)
    parser.add_argument(
        "pairs",
        nargs="?",
        default="-",
        metavar="PAIRS",
        help="two sentences a row, UTF-8; - is standard input, the default",
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE", help="where scores go (default: standard output)"
    )
    parser.add_argument(
        "--with-pairs",
        action="store_true",
        help=f"write the rows as they were read, each with its score as a last column {_SCORE}",
    )
    add_format_options(parser, scored=False)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    file = PairFile(arguments.pairs, format=arguments.format, columns=arguments.columns)

    from skpara.saving._model_file import load_model

    model = load_model(arguments.model).model
    if arguments.pairs == "-" and sys.stdin.isatty():
        print("Type two sentences a line, a tab between; Ctrl-D ends.", file=sys.stderr)
    if arguments.out is None:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        _write(model, file, sys.stdout, arguments.with_pairs)
        return 0
    n_pairs = 0

    def write(unfinished: Path) -> None:
        nonlocal n_pairs
        with unfinished.open("w", encoding="utf-8", newline="\n") as out:
            n_pairs = _write(model, file, out, arguments.with_pairs)

    try:
        replace_file(arguments.out, write)
    except KeyboardInterrupt as interrupt:
        raise KeyboardInterrupt(f"{interrupt}; {arguments.out} is not written") from None
    print(f"Pairs: {n_pairs}\nScores: {arguments.out}")
    return 0


def score_rows(model: Any, file: PairFile) -> Iterator[tuple[list[Row], list[float]]]:
    """Rows, as they come in, with their scores."""
    import numpy as np
    from sklearn.exceptions import NotFittedError

    for rows in file.chunks():
        pairs = np.array([row.pair for row in rows], dtype=object)
        try:
            scores = np.asarray(model.predict(pairs), dtype=np.float64)
        except NotFittedError:
            raise
        except AttributeError as error:  # what a pickle of other code lacks
            raise ValueError(
                f"The model does not fit what is installed here ({error}): train it again."
            ) from error
        if scores.shape != (len(rows),):
            raise ValueError(
                f"The model gave an array of shape {scores.shape} for {len(rows)} pairs; one "
                "score for each is wanted."
            )
        yield rows, scores.tolist()


def _write(model: Any, file: PairFile, out: TextIO, with_pairs: bool) -> int:
    """Write scores as they are known; the number of pairs."""
    n_pairs = 0
    # scores that come out on a terminal show themselves how far it is
    with pair_count(hidden=out.isatty()) as progress:
        try:
            for rows, scores in score_rows(model, file):
                if n_pairs == 0 and with_pairs:
                    out.write(_header(file))
                for row, score in zip(rows, scores, strict=True):
                    n_pairs += 1
                    text = _scored(row, score, file.format) if with_pairs else f"{score:.4f}"
                    out.write(text + "\n")
                out.flush()
                progress.update(len(rows))
            if n_pairs == 0 and with_pairs:
                out.write(_header(file))
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f" after {n_pairs} pairs") from None
    return n_pairs


def _header(file: PairFile) -> str:
    return as_text([*file.header, _SCORE], file.format) + "\n" if file.header else ""


def _scored(row: Row, score: float, format: str) -> str:
    if format == "jsonl":
        return as_text(row.record | {_SCORE: round(score, 4)}, format)
    return as_text([*row.record, f"{score:.4f}"], format)
