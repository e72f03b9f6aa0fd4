"""Options that several commands share, and what a command says while it works."""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the import of scikit-learn would make --help slow
    from skpara.datasets import PairFile


class UsageError(ValueError):
    """Options that do not go together: the command ends with 2, as argparse does."""


def refuse(arguments: argparse.Namespace, options: Iterable[str], reason: str) -> None:
    """Raise a UsageError if one of the options was passed, instead of ignoring it.

    ``reason`` follows the option's name.
    """
    for option in options:
        if getattr(arguments, option.lstrip("-").replace("-", "_"), None):
            raise UsageError(f"{option} {reason}")


def show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print a warning without the line of code that raised it."""
    print(f"skpara: warning: {message}", file=sys.stderr)


class _HelpFormatter(argparse.HelpFormatter):
    """Wraps descriptions, and leaves examples as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith("examples:") else super()._fill_text(text, width, indent)


def new_command(commands: Any, name: str, *, examples: str, **texts: str) -> Any:
    """Add the parser of a command whose help ends with examples."""
    epilog = f"examples:\n{examples}"
    return commands.add_parser(name, epilog=epilog, formatter_class=_HelpFormatter, **texts)


def add_format_options(parser: argparse.ArgumentParser, *, scored: bool) -> None:
    """Add ``--format``, ``--columns`` and ``--no-header`` to a command that reads pairs."""
    parser.add_argument(
        "--format",
        choices=("tsv", "csv", "jsonl"),
        help="format of the pairs (default: by the suffix, .tsv, .txt, .csv or .jsonl, each also "
        "with .gz; standard input is tsv). In tsv, quotes are ordinary characters",
    )
    parser.add_argument(
        "--columns",
        type=partial(_columns, least=3 if scored else 2),
        metavar="NAME,NAME,NAME" if scored else "NAME,NAME",
        help=f"columns of the two sentences{' and the score' if scored else ''}: by name if the "
        "first row holds the names, else by number from 1 (default: by the usual names, such as "
        f"sentence1,sentence2{',score' if scored else ''} or question1,question2, "
        f"{'' if scored else 'and the names that the model was trained with, '}if the first row "
        f"has them, else 1,2{',3' if scored else ''})",
    )
    parser.add_argument(
        "--no-header",
        action="store_true",
        help="the first row is a pair and does not name the columns (default: decided by the row; "
        "a row that may be either is an error)",
    )


def add_group_option(parser: argparse.ArgumentParser, purpose: str) -> None:
    """Add ``--group`` to a command that tells data sets apart."""
    parser.add_argument(
        "--group",
        type=_column,
        metavar="COLUMN",
        help=f"column, by name or number, that holds the data set of a pair{purpose}",
    )


def add_model_argument(parser: argparse.ArgumentParser) -> None:
    """Add the model to a command that uses one."""
    parser.add_argument(
        "model",
        type=Path,
        metavar="MODEL",
        help="file written by `skpara train` or skpara.save_model",
    )


def add_pairs_argument(parser: argparse.ArgumentParser) -> None:
    """Add the file of pairs to a command that takes standard input by default."""
    parser.add_argument(
        "pairs",
        nargs="?",
        default="-",
        metavar="PAIRS",
        help="file with two sentences per row, UTF-8; - is standard input (default)",
    )


def add_pairs_or_sentences(parser: argparse.ArgumentParser) -> None:
    """Add a file of pairs, or the two sentences of one; see :func:`pair_of_arguments`."""
    parser.add_argument(
        "pairs",
        nargs="*",
        metavar="PAIRS",
        help="file with two sentences per row, UTF-8, or the two sentences of a pair; - is "
        "standard input (default)",
    )


def pair_of_arguments(arguments: argparse.Namespace) -> tuple[str, str] | None:
    """Return the pair of the command line; None, and the name in ``pairs``, if it is a file."""
    names = arguments.pairs
    if len(names) == 2:
        for name in names:
            if Path(name).is_file():
                raise UsageError(
                    f"{name} is a file, not a sentence. Pass one file with two sentences per row. "
                    "`skpara match` compares the rows of two files."
                )
        options = ("--format", "--columns", "--no-header", "--with-pairs")
        refuse(arguments, options, "is for files; leave it out with two sentences.")
        return names[0], names[1]
    if len(names) > 2:
        raise UsageError(
            f"Expected a file, or two sentences, got {len(names)} arguments. Put each sentence in "
            "quotation marks."
        )
    arguments.pairs = names[0] if names else "-"
    return None


def add_vectors_option(parser: argparse.ArgumentParser) -> None:
    """Add the word vectors of a command that needs no model."""
    parser.add_argument(
        "--vectors",
        metavar="FILE",
        help="word vectors: a file, or multilingual, which `skpara align-vectors` makes (default: "
        "those of the package, which are English)",
    )


def add_optional_model(parser: argparse.ArgumentParser, otherwise: str) -> None:
    """Add ``--model`` to a command that works without one."""
    parser.add_argument(
        "--model",
        type=Path,
        metavar="MODEL",
        help=f"file written by `skpara train` or skpara.save_model (default: {otherwise})",
    )


def add_seed_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--seed``."""
    parser.add_argument(
        "--seed", type=int, metavar="N", default=0, help="seed of the random numbers (default: 0)"
    )


def open_pairs(arguments: argparse.Namespace, *, scored: bool = False) -> PairFile:
    """Return the file that a command with the options above was given."""
    from skpara.datasets import PairFile

    group: str | None = getattr(arguments, "group", None)
    columns: list[Any] = arguments.columns or []
    if all(name.isdecimal() for name in columns):
        columns = [int(name) - 1 for name in columns]
    file = PairFile(
        arguments.pairs,
        format=arguments.format,
        columns=columns[:2] or None,
        score_column=(columns[2] if columns else "auto") if scored else None,
        group_column=int(group) - 1 if group and group.isdecimal() else group,
        header=False if arguments.no_header else None,
    )
    refuse_no_header(arguments, file.format)
    return file


def refuse_no_header(arguments: argparse.Namespace, format: str) -> None:
    """Raise a UsageError for ``--no-header`` with JSON lines, which always name their columns."""
    if format == "jsonl":
        refuse(arguments, ["--no-header"], "is for tsv and csv; JSON lines name their columns.")


def read_model(arguments: argparse.Namespace, file: PairFile | None) -> tuple[Any, dict[str, Any]]:
    """Return a model that scores, and its description; ``file`` gets its names of columns."""
    from skpara.saving import load_model, read_description

    path: Path = arguments.model
    model, description = load_model(path), read_description(path)
    if not callable(getattr(model, "predict", None)):
        raise ValueError(
            f"{path} contains a {type(model).__name__}, which has no predict. Train a model with "
            "`skpara train`, or save a pipeline that ends in a regressor."
        )
    if file is not None:
        file.names = description["columns"] or ()
    return model, description


def positive_int(text: str) -> int:
    """Return a whole number of at least 1; for ``type`` of an option."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return number


def _column(text: str) -> str:
    """Return the name or number of a column."""
    name = text.strip()
    if not name:
        raise argparse.ArgumentTypeError("the name of a column is empty")
    if name.isdecimal() and int(name) == 0:
        raise argparse.ArgumentTypeError("columns are counted from 1")
    return name


def _columns(text: str, least: int) -> list[str]:
    names = [_column(name) for name in text.split(",")]
    if not least <= len(names) <= 3:
        raise argparse.ArgumentTypeError(f"expected {least} columns, got {text!r}")
    if len(set(names)) != len(names):
        raise argparse.ArgumentTypeError(f"{text!r} has the same column twice")
    return names


@contextmanager
def step(name: str, *, bars: bool = False) -> Iterator[None]:
    """Print what is being done and how long it took to standard error.

    With ``bars``, progress bars are printed in between, so the last line repeats the name.
    """
    print(f"{name} ...", end="\n" if bars else " ", file=sys.stderr, flush=True)
    start = time.perf_counter()
    try:
        yield
    except BaseException:
        print("failed", file=sys.stderr, flush=True)
        raise
    duration = f"{time.perf_counter() - start:.1f} s"
    print(f"{name}: {duration}" if bars else duration, file=sys.stderr, flush=True)


def pair_count(*, hidden: bool = False) -> Any:
    """Return a bar of the number of pairs, shown if standard error is a terminal."""
    from tqdm import tqdm

    return tqdm(unit=" pairs", desc="Scoring", disable=True if hidden else None)


@contextmanager
def stops_when_interrupted() -> Iterator[None]:
    """Let Ctrl-C end the whole training.

    In Python, an interrupted encoder warns and keeps what it has learned so far. Here it would
    then go on with the next encoder.
    """
    message = "Training was interrupted"
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=message)
        try:
            yield
        except UserWarning as warning:
            if str(warning).startswith(message):
                raise KeyboardInterrupt from None
            raise
