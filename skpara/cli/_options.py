"""Options that several commands share."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from skpara.cli._pair_files import PairFile
from skpara.cli._records import FORMATS

__all__ = [
    "add_format_options",
    "add_group_option",
    "add_model_argument",
    "column",
    "scored_pairs",
]


def add_format_options(parser: argparse.ArgumentParser, *, scored: bool) -> None:
    """Add ``--format`` and ``--columns`` to a command that reads pairs."""
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="of the pairs (default: by the file's ending, .tsv, .txt, .csv or .jsonl, packed "
        "with gzip or not; standard input is tsv). In tsv quotes are ordinary characters",
    )
    parser.add_argument(
        "--columns",
        type=partial(_columns, least=3 if scored else 2),
        metavar="NAME,NAME,NAME" if scored else "NAME,NAME",
        help=f"the columns of the two sentences{' and the score' if scored else ''}, as the first "
        "row names them, or by number from 1 where the first row is a pair already (default: "
        f"sentence1,sentence2{',score' if scored else ''} where the first row has them, else "
        f"1,2{',3' if scored else ''})",
    )


def add_group_option(parser: argparse.ArgumentParser, consequence: str) -> None:
    """Add ``--group`` to a command that tells data sets apart."""
    parser.add_argument(
        "--group",
        type=column,
        metavar="COLUMN",
        help=f"the column, by name or number, of the data set that a pair is of{consequence}",
    )


def scored_pairs(arguments: argparse.Namespace) -> PairFile:
    """The file of scored pairs that a command with all of these options was given."""
    return PairFile(
        arguments.pairs,
        format=arguments.format,
        columns=arguments.columns,
        scored=True,
        group=arguments.group,
    )


def add_model_argument(parser: argparse.ArgumentParser) -> None:
    """Add the model to a command that uses one."""
    parser.add_argument(
        "model",
        type=Path,
        metavar="MODEL",
        help="a file that `skpara train` or joblib.dump wrote. It can hold code that runs when it "
        "is opened: use files of people whom you trust only",
    )


def column(text: str) -> str:
    """The name or number of a column."""
    name = text.strip()
    if not name:
        raise argparse.ArgumentTypeError("the name of a column is empty")
    if name.isdecimal() and int(name) == 0:
        raise argparse.ArgumentTypeError("columns are counted from 1")
    return name


def _columns(text: str, least: int) -> list[str]:
    names = [column(name) for name in text.split(",")]
    if not least <= len(names) <= 3:
        raise argparse.ArgumentTypeError(f"{least} columns are wanted, got {text!r}")
    if len(set(names)) != len(names):
        raise argparse.ArgumentTypeError(f"the same column twice: {text!r}")
    return names
