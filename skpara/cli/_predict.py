"""``skpara predict``: scores of pairs as they come in."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from skpara._files import replace_file
from skpara.cli._options import (
    add_format_options,
    add_model_argument,
    add_pairs_argument,
    new_command,
    open_pairs,
    pair_count,
    read_model,
)
from skpara.cli._tables import cell_text, format_cells

if TYPE_CHECKING:
    from skpara.datasets import PairFile

    # Some rows of a file, and the values that are added to each.
    Rows = Iterator[tuple[list[Any], list[list[Any]]]]

_SCORE = "predicted"  # name of the column that --with-pairs adds
_EXAMPLES = """\
  skpara predict sts.skpara new.csv
  skpara predict sts.skpara new.csv --with-pairs -o scored.csv
  skpara predict sts.skpara new.csv --interval 0.9 --novelty
  printf 'A man plays.\\tMusic is played.\\n' | skpara predict sts.skpara
"""


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "predict",
        help="score pairs with a model",
        description="Score pairs of sentences and write one score per line. Pairs are scored as "
        "they come in, so the input may be endless.",
        examples=_EXAMPLES,
    )
    add_model_argument(parser)
    add_pairs_argument(parser)
    parser.add_argument(
        "--interval",
        type=_coverage,
        metavar="C",
        help="add the ends of an interval that contains the true score with this probability, "
        "such as 0.9. The model must have been trained with --intervals",
    )
    add_output_options(parser)
    parser.set_defaults(run=_run)


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the commands that write a row for each pair as it comes in."""
    parser.add_argument(
        "--novelty",
        action="store_true",
        help="add how unlike a pair's text is to what the model has learned from, from 0 to 1. "
        "Above 0.4 it may be another language or noise",
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


def _run(arguments: argparse.Namespace) -> int:
    return write_scores(arguments, lambda file: read_model(arguments, file)[0])


def write_scores(arguments: argparse.Namespace, load: Callable[[PairFile], Any]) -> int:
    """Score the pairs of a command by the model that ``load`` returns, and write the scores."""
    typed = arguments.pairs == "-" and sys.stdin is not None and sys.stdin.isatty()
    typed = typed and arguments.format != "jsonl"
    # Nobody types the names of columns, and a pair may well be two words.
    arguments.no_header = arguments.no_header or typed
    file = open_pairs(arguments)
    model = load(file)
    columns = [
        _SCORE,
        *(["low", "high"] if arguments.interval is not None else []),
        *(["novelty"] if arguments.novelty else []),
    ]
    rows = score_rows(model, file, coverage=arguments.interval, novelty=arguments.novelty)
    if typed:
        print("Type two sentences per line, separated by a tab. Ctrl-D ends.", file=sys.stderr)
    n_pairs = write_rows(rows, file, arguments.out, lambda _: columns, arguments.with_pairs)
    if arguments.out is not None:
        print(f"Pairs: {n_pairs}\nScores: {arguments.out}")
    return 0


def write_rows(
    rows: Rows,
    file: PairFile,
    path: Path | None,
    columns: Callable[[Iterable[str]], list[str]],
    with_pairs: bool = True,
) -> int:
    """Write values of pairs to a file, or to standard output, and return the number of pairs.

    ``columns`` returns their names, given those of the columns that were read.
    """
    if path is None:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        return _write(rows, file, sys.stdout, columns, with_pairs)
    n_pairs = 0

    def write(unfinished: Path) -> None:
        nonlocal n_pairs
        with unfinished.open("w", encoding="utf-8", newline="\n") as out:
            n_pairs = _write(rows, file, out, columns, with_pairs)

    try:
        replace_file(path, write)
    except KeyboardInterrupt as interrupt:
        raise KeyboardInterrupt(f"{interrupt}; {path} is not written") from None
    return n_pairs


def score_rows(
    model: Any, file: PairFile, *, coverage: float | None = None, novelty: bool = False
) -> Iterator[tuple[list[Any], list[list[float]]]]:
    """Yield rows, as they come in, with the numbers of each: its score is the first one."""
    import numpy as np

    for rows in file.chunks():
        pairs = np.array([row.pair for row in rows], dtype=object)
        scores, ends = _predict(model, pairs, coverage)
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
        columns = [scores, *ends]
        if novelty:
            from skpara.explanation import novelty as novelty_of

            columns.append(novelty_of(model, pairs))
        yield rows, np.column_stack(columns).tolist()


def _predict(model: Any, pairs: Any, coverage: float | None) -> tuple[Any, tuple[Any, ...]]:
    """Return scores and, with ``coverage``, the ends of their intervals."""
    import numpy as np

    if coverage is None:
        return np.asarray(model.predict(pairs), dtype=np.float64), ()
    if not getattr(model[-1] if hasattr(model, "steps") else model, "intervals", False):
        raise ValueError(
            "The model has no intervals. Train it with `skpara train --intervals`, or in Python "
            "with make_sts_pipeline(intervals=True)."
        )
    features = model[:-1].transform(pairs)  # once for both
    ends = model[-1].predict_interval(features, coverage)
    return np.asarray(model[-1].predict(features), dtype=np.float64), (ends[:, 0], ends[:, 1])


def _write(
    chunks: Rows,
    file: PairFile,
    out: TextIO,
    columns: Callable[[Iterable[str]], list[str]],
    with_pairs: bool,
) -> int:
    """Write the values of each pair as soon as they are known, and return the number of pairs."""
    n_pairs = 0
    # On a terminal the scores themselves show the progress; a bar would be mixed with them.
    with pair_count(hidden=out.isatty()) as progress:
        try:
            for rows, results in chunks:
                if n_pairs == 0 and with_pairs:
                    out.write(_header(file, columns))
                for row, values in zip(rows, results, strict=True):
                    n_pairs += 1
                    if with_pairs:
                        names = columns(row.record if file.format == "jsonl" else ())
                        text = _with_numbers(row.record, names, values, file.format)
                    else:
                        text = "\t".join(map(cell_text, values))
                    out.write(text + "\n")
                out.flush()  # whoever writes the pairs may wait for their scores
                progress.update(len(rows))
            if n_pairs == 0 and with_pairs:
                out.write(_header(file, columns))
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f" after {n_pairs} pairs") from None
    return n_pairs


def _coverage(text: str) -> float:
    """Return a probability between 0 and 1; for ``type`` of an option."""
    try:
        coverage = float(text)
    except ValueError:
        coverage = 0.0
    if not 0 < coverage < 1:
        raise argparse.ArgumentTypeError(f"expected a number between 0 and 1, got {text!r}")
    return coverage


def _header(file: PairFile, columns: Callable[[Iterable[str]], list[str]]) -> str:
    if not file.header:
        return ""
    return format_cells([*file.header, *columns(file.header)], file.format) + "\n"


def _with_numbers(record: Any, columns: list[str], values: list[Any], format: str) -> str:
    """Return the text of a row with its values, in the format that it was read in."""
    if format == "jsonl":
        rounded = [round(value, 4) if isinstance(value, float) else value for value in values]
        return json.dumps(record | dict(zip(columns, rounded, strict=True)), ensure_ascii=False)
    return format_cells([*record, *map(cell_text, values)], format)
