"""``skpara predict``: scores, or decisions, of pairs as they come in."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from skpara._files import replace_file
from skpara.cli._options import (
    TypedPair,
    UsageError,
    add_model_option,
    add_out_option,
    add_pairs,
    add_vectors_option,
    last_step,
    open_pairs_or_sentences,
    pair_count,
    probability,
    read_model,
    refuse,
)
from skpara.cli._screen import notes, results
from skpara.cli._tables import Value, format_cells, open_text, output_format, write_rows

if TYPE_CHECKING:
    from skpara._typing import Pairs
    from skpara.datasets import PairFile

    # Returns one row of values per pair.
    Score = Callable[[Pairs], Iterable[list[Any]]]

# Rows that are read to decide whether a column holds numbers.
_SEVERAL = 3

HELP = "score pairs, or decide whether two sentences mean the same"
DESCRIPTION = (
    "Write one score per pair: by default the cosine of the packaged sentence vectors, from 0 for "
    "unrelated sentences to 1 for equal ones, which needs no training; or the score of a model. A "
    "classifier writes a probability and a decision. Pairs are scored as they come in, so the "
    "input may be endless."
)
EXAMPLES = """\
  skpara predict "A man plays a guitar." "Someone is playing music."
  skpara predict new.csv --with-pairs -o scored.csv
  skpara predict new.csv --model sts.skpara --interval 0.9 --novelty
  skpara predict questions.csv --threshold 0.8 --with-pairs
  skpara predict questions.csv --precision 0.9 --unsure --with-pairs
  printf 'A man plays.\\tMusic is played.\\n' | skpara predict --model sts.skpara
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    text = "file with two sentences per row, or the two sentences of a pair; - is standard "
    add_pairs(parser, scored=False, nargs="*", help=f"{text}input (default)")
    add_model_option(
        parser, "the cosine; with --threshold or --precision, the packaged classifier"
    )
    add_vectors_option(parser)
    cut = parser.add_mutually_exclusive_group()
    cut.add_argument(
        "--threshold",
        type=probability,
        metavar="P",
        help="lowest probability to call sentences the same (default with a classifier: 0.5)",
    )
    cut.add_argument(
        "--precision",
        type=probability,
        metavar="P",
        help="choose the threshold at which this share of the positive decisions is right on "
        "pairs held out in training",
    )
    parser.add_argument(
        "--unsure",
        action="store_true",
        help="with --precision: decide for a class only where this share of the decisions for it "
        "is right, and write `unsure` for the other pairs",
    )
    parser.add_argument(
        "--interval",
        type=probability,
        metavar="C",
        help="add the ends of an interval that contains the true score with this probability, "
        "such as 0.9. The model must have been trained with --intervals",
    )
    parser.add_argument(
        "--novelty",
        action="store_true",
        help="add a number from 0 to 1: how different the text is from the model's training data. "
        "Above 0.4, it may be another language or noise",
    )
    add_out_option(parser)
    parser.add_argument(
        "--with-pairs",
        action="store_true",
        help="write the rows as they were read, with additional columns",
    )


def run(arguments: argparse.Namespace) -> None:
    typed = not arguments.pairs or arguments.pairs == ["-"]
    typed = typed and sys.stdin is not None and sys.stdin.isatty()
    # People do not type a header, and may type pairs of two words.
    arguments.no_header |= typed and arguments.format != "jsonl"
    output_format(arguments.out)  # before the work
    file = open_pairs_or_sentences(arguments)
    format = output_format(arguments.out, file.format if arguments.with_pairs else "tsv")
    if arguments.with_pairs and file.format == "jsonl" != format:
        raise UsageError("Objects of JSON lines have no fixed columns: name the output .jsonl.")
    model = _model(arguments, file)
    if hasattr(model, "predict_proba"):
        refuse(arguments, ["--interval"], "is for scores; leave it out with a classifier.")
        names = ["probability", "decision"]
        if arguments.unsure and not arguments.precision:
            raise UsageError("--unsure needs --precision.")
        score = _decisions(model, *_cut_offs(model, arguments))
    else:
        for_decisions = ["--threshold", "--precision", "--unsure"]
        refuse(arguments, for_decisions, "needs a model of `train --labels`.")
        names = ["predicted", *(["low", "high"] if arguments.interval else [])]
        score = scores(model, arguments.interval)
    if arguments.novelty:
        names.append("novelty")
        score = with_novelty(model, score)
    if typed:
        print("Type two sentences per line, separated by a tab. Ctrl-D ends.", file=sys.stderr)
    rows = score_rows(file, score)
    table = Output(names, arguments.with_pairs, format, file)
    if arguments.out is None:
        if not _write(rows, table, results()):
            print("No pairs.", file=notes())
        return
    print(f"Pairs: {_write_file(rows, table, arguments.out)}\nScores: {arguments.out}")


def _write_file(rows: Iterable[Any], table: Output, path: Path) -> int:
    """Write the scores into a file, and return their number."""
    n_pairs = 0

    def write(unfinished: Path) -> None:
        nonlocal n_pairs
        if table.format in ("parquet", "xlsx"):
            n_pairs = _write_typed(rows, table, unfinished)
            return
        with open_text(unfinished) as out:
            n_pairs = _write(rows, table, out)

    try:
        replace_file(path, write)
    except KeyboardInterrupt as interrupt:
        raise KeyboardInterrupt(f"{interrupt}; {path} is not written") from None
    return n_pairs


def _model(arguments: argparse.Namespace, file: PairFile | TypedPair) -> Any:
    if arguments.model is not None:
        refuse(arguments, ["--vectors"], "is for scores without --model; leave out one of them.")
        return read_model(arguments, file)[0]
    from skpara.fusion import load_pair_classifier, make_cosine_scorer

    if arguments.threshold or arguments.precision:
        refuse(arguments, ["--vectors"], "is for scores; leave it out to decide.")
        return load_pair_classifier()
    return make_cosine_scorer(arguments.vectors or "default", score_range=(0.0, 1.0))


def _cut_offs(model: Any, arguments: argparse.Namespace) -> tuple[float, float]:
    """Return the probabilities of the second class below which and from which on to decide."""
    if (arguments.threshold or arguments.precision) and len(model.classes_) != 2:
        raise ValueError(
            f"{arguments.model} has {len(model.classes_)} classes. --threshold and --precision "
            "are for models with two."
        )
    if arguments.precision is None:
        return (arguments.threshold or 0.5,) * 2
    if not hasattr(model, "threshold"):
        raise ValueError(
            f"{arguments.model} has no thresholds for a precision. Pass --threshold, or train a "
            "model with `skpara train --labels`."
        )
    if arguments.unsure:
        from skpara.fusion import cut_offs

        low, high = cut_offs(last_step(model).curve_, arguments.precision)
        print(f"Thresholds: {low:.4f} and {high:.4f}", file=notes())
        return low, high
    threshold = float(model.threshold(precision=arguments.precision))
    print(f"Threshold: {threshold:.4f}", file=notes())
    return threshold, threshold


def _decisions(model: Any, low: float, high: float) -> Score:
    """Return a function that computes probabilities and decisions."""
    import numpy as np

    def decide(pairs: Pairs) -> Iterable[list[Any]]:
        probabilities = np.asarray(model.predict_proba(pairs), dtype=np.float64)
        best, shown = probabilities.argmax(axis=1), probabilities.max(axis=1)
        if len(model.classes_) == 2:
            shown = probabilities[:, 1]
            best = np.select([shown >= high, shown < low], [1, 0], default=2)
        names = [*model.classes_.tolist(), "unsure"]
        return [[p, names[k]] for p, k in zip(shown.tolist(), best.tolist(), strict=True)]

    return decide


def scores(model: Any, coverage: float | None = None) -> Score:
    """Return a function that computes scores and, with ``coverage``, the ends of intervals."""
    import numpy as np

    from skpara.matching import model_scores

    if coverage is None:
        return lambda pairs: model_scores(model, pairs)[:, None].tolist()
    if not getattr(last_step(model), "intervals", False):
        raise ValueError(
            "The model has no intervals. Train it with `skpara train --intervals`, or in Python "
            "with make_sts_pipeline(intervals=True)."
        )

    def score(pairs: Pairs) -> Iterable[list[Any]]:
        features = model[:-1].transform(pairs)  # once for both
        ends = model[-1].predict_interval(features, coverage)
        return np.column_stack([model[-1].predict(features), ends]).tolist()

    return score


def with_novelty(model: Any, score: Score) -> Score:
    """Return a function that adds the novelty of each pair to its values."""
    from skpara.explanation import novelty

    return lambda pairs: [
        [*row, unlike]
        for row, unlike in zip(score(pairs), novelty(model, pairs).tolist(), strict=True)
    ]


def score_rows(
    file: PairFile | TypedPair, score: Score
) -> Iterator[tuple[list[Any], list[list[Any]]]]:
    """Yield chunks of rows, as they come in, with the values of each."""
    from skpara.datasets import pair_array

    first: list[tuple[str, str]] = []
    empty: list[int] = []
    for rows in file.chunks():
        empty += [row.line for row in rows if not all(map(str.strip, row.pair))]
        if len(first) < _SEVERAL:
            first += [row.pair for row in rows]
            if len(first) >= _SEVERAL:
                _warn_of_numbers(first)
        yield rows, list(score(pair_array(rows)))
    if empty:
        warnings.warn(
            f"{len(empty)} pair(s) have an empty sentence, the first one in line {empty[0]}. "
            "Nothing is similar to it, so these scores say nothing.",
            stacklevel=1,
        )


def _warn_of_numbers(pairs: list[tuple[str, str]]) -> None:
    """Warn if a column of sentences has only numbers: it is probably the wrong column."""
    from skpara.datasets import NUMBER

    for place, texts in zip(("first", "second"), zip(*pairs, strict=True), strict=True):
        if all(map(NUMBER.fullmatch, texts)):
            warnings.warn(
                f"The {place} column of sentences holds numbers, such as {texts[0]:.40}. Select "
                "the columns of both sentences (--columns).",
                stacklevel=1,
            )


class Output(NamedTuple):
    """The columns that are written for pairs, and their format."""

    names: list[str]  # of the values
    with_pairs: bool
    format: str
    file: Any

    def header(self) -> list[str] | None:
        """Return the names of the columns, if there are any."""
        from skpara.datasets import unused_names

        if not self.with_pairs:
            return self.names
        read = self.file.header
        return None if not read else [*read, *unused_names(self.names, read)]

    def row(self, record: Any, values: list[Any]) -> list[Any]:
        """Return the cells of a row of a table."""
        return [*map(Value, record), *values] if self.with_pairs else values

    def line(self, record: Any, values: list[Any]) -> str:
        """Return the text of a row."""
        if self.format != "jsonl":
            return format_cells(self.row(record, values), self.format, self.file.delimiter)
        from skpara.datasets import unused_names, write_json

        rounded = [round(value, 4) if isinstance(value, float) else value for value in values]
        if isinstance(record, dict) or not self.with_pairs:
            read = record if self.with_pairs else {}
        else:
            names = self.file.header or [str(k + 1) for k in range(len(record))]
            read = dict(zip(names, record, strict=True))
        return write_json(read | dict(zip(unused_names(self.names, read), rounded, strict=True)))


def _write(chunks: Iterable[tuple[list[Any], list[list[Any]]]], table: Output, out: TextIO) -> int:
    """Write the values of each pair as soon as they are known, and return the number of pairs."""
    n_pairs = 0
    has_header = table.with_pairs and table.format != "jsonl"
    # On a terminal the scores themselves show the progress; a bar would be mixed with them.
    with pair_count(hidden=out.isatty()) as progress:
        try:
            for rows, results in chain(chunks, [([], [])]):  # a header without rows is written
                if n_pairs == 0 and has_header and (header := table.header()):
                    out.write(format_cells(header, table.format, table.file.delimiter) + "\n")
                    has_header = False
                for row, values in zip(rows, results, strict=True):
                    n_pairs += 1
                    out.write(table.line(row.record, values) + "\n")
                out.flush()  # the writer of the pairs may wait for their scores
                progress.update(len(rows))
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f" after {n_pairs} pairs") from None
    return n_pairs


def _write_typed(
    chunks: Iterable[tuple[list[Any], list[list[Any]]]], table: Output, path: Path
) -> int:
    """Write a Parquet file or a spreadsheet, and return the number of pairs."""
    rows = [
        table.row(row.record, values)
        for part, results in chunks
        for row, values in zip(part, results, strict=True)
    ]
    write_rows(path, table.format, table.header(), rows)
    return len(rows)
