"""``skpara dedupe``: leave out rows that say the same as another one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from skpara.cli._options import UsageError, new_command, refuse
from skpara.cli._tables import add_table_options, as_cells, load_scorer, read_input, write_rows

_EXAMPLES = """\
  skpara dedupe reviews.csv --on text -o unique.csv
  skpara dedupe sentences.txt --threshold 0.95
  skpara dedupe reviews.csv --on text --write clusters
  skpara dedupe reviews.csv --on text --write pairs | head
"""


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "dedupe",
        help="leave out rows that say the same as another one",
        description="Find sentences of a column that say the same, and write one row of each "
        "group.",
        examples=_EXAMPLES,
    )
    parser.add_argument(
        "table", nargs="?", default="-", metavar="FILE", help="table, UTF-8; - is standard input"
    )
    parser.add_argument(
        "--on",
        metavar="NAME",
        help="the column of sentences, by name, or by number from 1 (default: the only column, or "
        "the one with a usual name such as text or title)",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="X",
        help="lowest score of duplicates, a cosine or what the model returns (default: 0.9; "
        "needed with --model)",
    )
    parser.add_argument(
        "--linkage",
        choices=("single", "complete"),
        help="whether chains of duplicates are a group, or only rows that are all duplicates of "
        "each other (default: single)",
    )
    parser.add_argument(
        "--keep",
        choices=("first", "last", "longest"),
        help="which row of a group is written (default: first)",
    )
    parser.add_argument(
        "--write",
        choices=("kept", "clusters", "pairs"),
        default="kept",
        help="write the rows that are kept; or all rows with the number of their group in a "
        "column cluster; or the pairs of similar sentences as TSV with their score, those closest "
        "to the threshold first, to look at (default: kept)",
    )
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="FOLDER",
        help="folder for unfinished work: run the same command again to continue after an "
        "interruption",
    )
    add_table_options(parser, "the pairs that were found")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.model is not None and arguments.threshold is None:
        raise UsageError("With --model, set --threshold: the lowest score of duplicates.")
    if arguments.write != "kept":
        refuse(arguments, ["--keep"], f"does not change --write {arguments.write}; leave it out.")
    if arguments.write == "pairs":
        refuse(arguments, ["--linkage"], "does not change --write pairs; leave it out.")
    table = read_input(arguments.table, arguments, arguments.on)
    # A file without rows may lack the column, which is no error.
    sentences = table.column(arguments.on)[1] if table.rows else []

    from skpara import Deduplicator

    deduplicator = Deduplicator(
        load_scorer(arguments.model),
        0.9 if arguments.threshold is None else arguments.threshold,
        linkage=arguments.linkage or "single",
        keep=arguments.keep or "first",
        cache=arguments.cache,
        n_jobs=-1,
    ).fit(sentences)
    labels, kept_rows = deduplicator.labels_, deduplicator.kept_
    rows: Any
    if arguments.write == "pairs":
        pairs = deduplicator.borderline(float("inf"))
        cells = ([_one_line(sentences[i]), _one_line(sentences[j]), float(x)] for i, j, x in pairs)
        write_rows(arguments.out, "tsv", ["sentence1", "sentence2", "score"], cells)
    elif arguments.write == "clusters":
        header = None if table.header is None else [*table.header, "cluster"]
        rows = ([*as_cells(table, i), int(label)] for i, label in enumerate(labels))
        write_rows(arguments.out, table.format, header, rows)
    else:
        rows = (as_cells(table, i) for i in kept_rows.tolist())
        write_rows(arguments.out, table.format, table.header, rows)
    n_dropped = len(sentences) - len(kept_rows)
    print(f"{len(sentences)} rows, {n_dropped} of them repeat another one.", file=sys.stderr)
    return 0


def _one_line(sentence: str) -> str:
    """Return a sentence without what separates cells and rows."""
    return " ".join(sentence.split())
