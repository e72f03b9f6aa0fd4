"""``skpara predict``: scores of pairs as they come in."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from skpara._files import replace_file
from skpara.cli._options import (
    add_format_options,
    add_model_argument,
    open_pairs,
    pair_count,
    read_model,
)

if TYPE_CHECKING:
    from skpara.datasets import PairFile

_SCORE = "predicted"  # name of the column that --with-pairs adds


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "predict",
        help="score pairs with a model",
        description="Score pairs of sentences and write one score per line. Pairs are scored as "
        "they come in, so the input may be endless.",
    )
    add_model_argument(parser)
    parser.add_argument(
        "pairs",
        nargs="?",
        default="-",
        metavar="PAIRS",
        help="file with two sentences per row, UTF-8; - is standard input (default)",
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE", help="output file (default: standard output)"
    )
    parser.add_argument(
        "--with-pairs",
        action="store_true",
        help=f"write the rows as they were read, with the score as an additional column {_SCORE}",
    )
    add_format_options(parser, scored=False)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    typed = arguments.pairs == "-" and sys.stdin is not None and sys.stdin.isatty()
    # Nobody types the names of columns, and a pair may well be two words.
    arguments.no_header = arguments.no_header or typed
    file = open_pairs(arguments)
    model, _ = read_model(arguments, file)
    if typed:
        print("Type two sentences per line, separated by a tab. Ctrl-D ends.", file=sys.stderr)
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


def score_rows(model: Any, file: PairFile) -> Iterator[tuple[list[Any], list[float]]]:
    """Yield rows, as they come in, with their scores."""
    import numpy as np

    for rows in file.chunks():
        pairs = np.array([row.pair for row in rows], dtype=object)
        scores = np.asarray(model.predict(pairs), dtype=np.float64)
        if scores.shape != (len(rows),):
            raise ValueError(
                f"The model returned an array of shape {scores.shape} for {len(rows)} pairs, "
                "instead of one score for each. Use a model whose predict returns scores."
            )
        bad = np.flatnonzero(~np.isfinite(scores))
        if len(bad):
            raise ValueError(
                f"The model's score of {tuple(pairs[bad[0]])!r:.200} is {scores[bad[0]]}, and so "
                "are all scores that follow from damaged weights. Train the model again."
            )
        yield rows, scores.tolist()


def _write(model: Any, file: PairFile, out: TextIO, with_pairs: bool) -> int:
    """Write each score as soon as it is known, and return the number of pairs."""
    n_pairs = 0
    # On a terminal the scores themselves show the progress; a bar would be mixed with them.
    with pair_count(hidden=out.isatty()) as progress:
        try:
            for rows, scores in score_rows(model, file):
                if n_pairs == 0 and with_pairs:
                    out.write(_header(file))
                for row, score in zip(rows, scores, strict=True):
                    n_pairs += 1
                    text = f"{score:.4f}"
                    if with_pairs:
                        text = _with_score(row.record, score, file.format)
                    out.write(text + "\n")
                out.flush()  # whoever writes the pairs may wait for their scores
                progress.update(len(rows))
            if n_pairs == 0 and with_pairs:
                out.write(_header(file))
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f" after {n_pairs} pairs") from None
    return n_pairs


def _header(file: PairFile) -> str:
    return _format_cells([*file.header, _SCORE], file.format) + "\n" if file.header else ""


def _with_score(record: Any, score: float, format: str) -> str:
    """Return the text of a row with its score, in the format that it was read in."""
    if format == "jsonl":
        return json.dumps(record | {_SCORE: round(score, 4)}, ensure_ascii=False)
    return _format_cells([*record, f"{score:.4f}"], format)


def _format_cells(cells: list[str], format: str) -> str:
    if format == "tsv":
        return "\t".join(cells)
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue().removesuffix("\r\n")
