"""Shared options of the commands, and their messages."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skpara.cli._screen import drawing, notes

if TYPE_CHECKING:  # the import of scikit-learn would make --help slow
    from skpara.datasets import PairFile

_STANDARD_OUTPUT = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


class UsageError(ValueError):
    """Options that do not go together: the command ends with 2, as argparse does."""


def refuse(arguments: argparse.Namespace, options: Iterable[str], reason: str) -> None:
    """Raise a UsageError, the option and the ``reason``, if one of the options was passed."""
    for option in options:
        if getattr(arguments, option.lstrip("-").replace("-", "_"), None):
            raise UsageError(f"{option} {reason}")


def add_folder_options(parser: argparse.ArgumentParser, tables: str, results: str) -> None:
    """Add ``--folder`` and ``--memory``, to work on disk."""
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="DIR",
        help=f"for {tables} of any size: work on disk, and write {results} into this new folder. "
        "An interrupted command continues there",
    )
    parser.add_argument(
        "--memory", type=float, metavar="GB", help="memory to use with --folder (default: 4)"
    )


def is_parquet(path: str) -> bool:
    """Return whether a path is of Parquet: a file, or a folder of files."""
    return path.lower().endswith((".parquet", "/")) or Path(path).is_dir()


def show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print a warning without the line of code that raised it."""
    print(f"skpara: warning: {message}", file=sys.stderr)


class HelpFormatter(argparse.HelpFormatter):
    """Wraps descriptions, and leaves examples as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith("examples:") else super()._fill_text(text, width, indent)


def add_quiet_option(parser: argparse.ArgumentParser) -> None:
    """Add ``-q``."""
    text = "print results and errors only, without progress, counts and warnings"
    parser.add_argument("-q", "--quiet", action="store_true", help=text)


def add_model_option(parser: argparse.ArgumentParser, otherwise: str) -> None:
    """Add ``--model``."""
    parser.add_argument(
        "--model",
        type=Path,
        metavar="MODEL",
        help=f"file written by `skpara train` or skpara.save_model (default: {otherwise})",
    )


def add_vectors_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--vectors`` to a command that needs no model."""
    parser.add_argument(
        "--vectors",
        metavar="FILE",
        help="word vectors to use without a model (default: the English ones of the package)",
    )


def add_out_option(parser: argparse.ArgumentParser, about: str = "") -> None:
    """Add ``-o``; ``about`` continues its help."""
    text = f"output file{about} (default: standard output)"
    parser.add_argument("-o", "--out", type=_out, metavar="FILE", help=text)


def _out(name: str) -> Path | None:
    """Return the path of an output file, None for standard output; for ``type`` of an option."""
    return None if name in _STANDARD_OUTPUT else Path(name)


def keep_inputs(arguments: argparse.Namespace) -> None:
    """Raise a UsageError if the output would replace a file that is read."""
    options = dict(vars(arguments))
    out = options.pop("out", None)
    if isinstance(out, Path) and out.is_file():
        for value in options.values():
            names = value if isinstance(value, list) else [value]
            for name in names:
                if isinstance(name, str | Path) and Path(name).exists() and out.samefile(name):
                    raise UsageError(f"-o {out} is the input, which it would replace. Rename it.")


def check_suffix(out: Path | None, known: Sequence[str]) -> None:
    """Raise a UsageError if the name of an output promises a format that is not written."""
    if out is not None and out.suffix and out.suffix.lower() not in known:
        raise UsageError(f"-o {out} has none of the suffixes {', '.join(known)}. Rename it.")


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how to read a table."""
    group = parser.add_argument_group("options of tables")
    group.add_argument(
        "--format",
        choices=("tsv", "csv", "jsonl", "parquet", "xlsx"),
        help="format of the input (default: by the suffix, .tsv, .txt, .csv or .jsonl, each also "
        "with .gz, .parquet or .xlsx; standard input is tsv). In tsv, quotes are ordinary "
        "characters",
    )
    group.add_argument(
        "--delimiter",
        metavar="C",
        help="character between the cells of CSV, or its name: comma, semicolon, tab, pipe "
        "(default: one of these, by the first rows)",
    )
    group.add_argument(
        "--encoding",
        metavar="NAME",
        help="encoding of the text, such as cp1252 for files from Windows (default: that of the "
        "byte order mark, or utf-8). Output is utf-8",
    )
    group.add_argument(
        "--no-header", action="store_true", help="the first row does not name the columns"
    )


def add_on_option(parser: argparse.ArgumentParser, several: str = "") -> None:
    """Add ``--on``, the column of a table; ``several`` continues "the column of sentences"."""
    parser.add_argument(
        "--on",
        metavar="NAME[,NAME]" if several else "NAME",
        help=f"the column of sentences{several}, by name, or by number from 1 (default: the only "
        "column, or one with a common name such as text or title)",
    )


def add_guard_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--guard",
        choices=("on", "off", "identifiers"),
        default="on",
        help="keep apart sentences that differ in a number, a name, a negation, an opposite, who "
        "does what to whom, ...; or only those with different numbers or identifiers (default: "
        "on)",
    )


def add_pairs(parser: argparse.ArgumentParser, *, scored: bool, **options: Any) -> None:
    """Add the file of pairs, ``options`` of that argument, and the options to read it."""
    parser.add_argument("pairs", metavar="PAIRS", **options)
    score = " and the score" if scored else ""
    parser.add_argument(
        "--columns",
        type=partial(_columns, least=3 if scored else 2),
        metavar="NAME,NAME,NAME" if scored else "NAME,NAME",
        help=f"columns of the two sentences{score}, by name or by number from 1 (default: columns "
        "named as in the training data, or with common names such as "
        f"sentence1,sentence2{',score' if scored else ''}; else 1,2{',3' if scored else ''})",
    )
    add_table_options(parser)


def add_gold_pairs(parser: argparse.ArgumentParser) -> None:
    """Add a model and pairs with gold scores to compare it with."""
    text = "file with two sentences and a gold score per row; - is standard input"
    add_pairs(parser, scored=True, help=text)
    add_model_option(parser, "the cosine of the packaged vectors")
    add_group_option(parser, " (default: all pairs are one data set)")


def add_group_option(parser: argparse.ArgumentParser, purpose: str) -> None:
    """Add ``--group``."""
    parser.add_argument(
        "--group",
        type=_column,
        metavar="COLUMN",
        help=f"column, by name or number, of the data set of each pair{purpose}",
    )


class TypedPair:
    """Two sentences of the command line, read like a file of one row."""

    names: Any = ()
    format, delimiter, header = "tsv", None, None

    def __init__(self, pair: tuple[str, str]) -> None:
        self.pair = pair

    def chunks(self) -> Iterator[list[Any]]:
        """Yield the only row."""
        from skpara.datasets import Row

        yield [Row(1, self.pair, math.nan, "")]


def open_pairs_or_sentences(arguments: argparse.Namespace) -> PairFile | TypedPair:
    """Return the file of pairs, or the pair of sentences, of the command line."""
    names = arguments.pairs
    if len(names) > 2:
        raise UsageError(
            f"Expected a file, or two sentences, got {len(names)} arguments. Put each sentence in "
            "quotation marks."
        )
    if len(names) == 1 and " " in names[0] and not Path(names[0]).exists():
        raise UsageError(f"There is no file {names[0]!r}. Pass a file, or two sentences.")
    if len(names) < 2:
        arguments.pairs = names[0] if names else "-"
        return open_pairs(arguments)
    from skpara.datasets import SUFFIXES

    for name in names:
        if " " not in name and Path(name).suffix in SUFFIXES and not Path(name).exists():
            raise UsageError(f"There is no file {name}. Pass a file, or two sentences.")
        if Path(name).is_file():
            raise UsageError(
                f"{name} is a file, not a sentence. Pass one file with two sentences per row, and "
                "a model as --model. `skpara match` compares the rows of two files."
            )
    options = (
        "--format", "--columns", "--no-header", "--with-pairs", "--delimiter", "--encoding"
    )  # fmt: skip
    refuse(arguments, options, "is for files; leave it out with two sentences.")
    return TypedPair((names[0], names[1]))


def open_pairs(
    arguments: argparse.Namespace, *, scored: bool = False, labels: bool = False
) -> PairFile:
    """Return the file of a command with the options above."""
    from skpara.datasets import PairFile

    columns: list[Any] = [_position(name) for name in arguments.columns or []]
    file = PairFile(
        arguments.pairs,
        format=arguments.format,
        columns=columns[:2] or None,
        score_column=(columns[2] if columns else "auto") if scored else None,
        group_column=_position(getattr(arguments, "group", None)),
        header=False if arguments.no_header else None,
        delimiter=arguments.delimiter,
        encoding=arguments.encoding,
        labels=labels,
    )
    refuse_no_header(arguments, file.format)
    return file


def refuse_no_header(arguments: argparse.Namespace, format: str) -> None:
    """Raise a UsageError for ``--no-header`` with formats that always name their columns."""
    names = {"jsonl": "JSON lines name", "parquet": "Parquet names"}
    if format in names:
        refuse(arguments, ["--no-header"], f"is for tsv and csv; {names[format]} the columns.")


def read_model(
    arguments: argparse.Namespace, file: PairFile | TypedPair
) -> tuple[Any, dict[str, Any]]:
    """Return the model and its description; ``file`` gets the names of its columns."""
    from skpara.saving import load_model, read_description

    model, description = load_model(arguments.model), read_description(arguments.model)
    if not callable(getattr(model, "predict", None)):
        raise ValueError(
            f"{arguments.model} contains a {type(model).__name__}, which has no predict. Train a "
            "model with `skpara train`, or save a pipeline that ends in a regressor."
        )
    file.names = description["columns"] or ()
    return model, description


def last_step(model: Any) -> Any:
    """Return the regressor or classifier of a pipeline, or the model itself."""
    return model[-1] if hasattr(model, "steps") else model


def count_or_all(text: str) -> int | None:
    """Return a whole number of at least 1, or None for "all"; for ``type`` of an option."""
    return None if text == "all" else positive_int(text)


def positive_int(text: str) -> int:
    """Return a whole number of at least 1; for ``type`` of an option."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return number


def probability(text: str) -> float:
    """Return a number between 0 and 1; for ``type`` of an option."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        meant = f"; did you mean {number / 100:g}?" if 2 <= number < 100 else ""
        raise argparse.ArgumentTypeError(f"expected a number between 0 and 1, got {text!r}{meant}")
    return number


def _column(text: str) -> str:
    """Return the name or number of a column; for ``type`` of an option."""
    name = text.strip()
    if not name:
        raise argparse.ArgumentTypeError("the name of a column is empty")
    if name.isdecimal() and int(name) == 0:
        raise argparse.ArgumentTypeError("columns are counted from 1")
    return name


def _columns(text: str, least: int) -> list[str]:
    names = [_column(name) for name in text.split(",")]
    if not least <= len(names) <= 3:
        raise argparse.ArgumentTypeError(
            f"expected {least} columns, separated by commas without spaces, got {text!r}"
        )
    if len(set(names)) != len(names):
        raise argparse.ArgumentTypeError(f"{text!r} has the same column twice")
    return names


def _position(name: str | None) -> str | int | None:
    """Return the position, from 0, of a column that is selected by number."""
    return int(name) - 1 if name and name.isdecimal() else name


@contextmanager
def step(name: str) -> Iterator[None]:
    """Print a step of the work, and its duration, to standard error."""
    print(f"{name} ...", end=" ", file=notes(), flush=True)
    start = time.perf_counter()
    try:
        yield
    except BaseException:
        print("failed", file=notes(), flush=True)
        raise
    print(f"{time.perf_counter() - start:.1f} s", file=notes(), flush=True)


def pair_count(*, hidden: bool = False) -> Any:
    """Return a bar of the number of pairs, shown if standard error is a terminal."""
    from tqdm import tqdm

    return tqdm(unit=" pairs", desc="Scoring", disable=True if hidden else None, file=drawing())
