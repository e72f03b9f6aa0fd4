"""``skpara dedupe``: leave out rows that repeat others."""

from __future__ import annotations

import argparse
from contextlib import redirect_stderr
from pathlib import Path
from typing import TYPE_CHECKING

from skpara._compatibility import total_memory
from skpara.cli._options import (
    UsageError,
    add_folder_options,
    add_guard_option,
    add_model_option,
    add_on_option,
    add_out_option,
    add_table_options,
    is_parquet,
    refuse,
)
from skpara.cli._review import add_review_options, review
from skpara.cli._screen import drawing, notes
from skpara.cli._tables import as_cells, load_scorer, output_format, read_records, write_rows

if TYPE_CHECKING:  # the import of scikit-learn would make --help slow
    from skpara import Deduplicator

HELP = "leave out rows that mean the same as others"
DESCRIPTION = (
    "Find sentences in a column that mean the same, or records with several columns that describe "
    "the same thing, and write one row of each cluster."
)
EXAMPLES = """\
  skpara dedupe reviews.csv --on text -o unique.csv
  skpara dedupe sentences.txt --threshold 0.95
  skpara dedupe reviews.csv --on text --write clusters
  skpara dedupe shops.csv --on name --review 50
  skpara dedupe persons.csv --on name,born,city
  skpara dedupe reviews.csv --on text --write pairs | head
  skpara dedupe pages.parquet --on text --folder pages
"""
# Less alike sentences are not asked about.
_LOWEST_ASKED = 0.7
# Bytes of memory for each row, with its vector.
_BYTES_PER_ROW = 2000


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table", nargs="?", default="-", metavar="FILE", help="table; - is standard input"
    )
    add_on_option(parser, ", or the columns of records")
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="X",
        help="lowest score of duplicates: a probability for names and records, a cosine or the "
        "model's score for sentences (default: 0.9; required with --model)",
    )
    parser.add_argument(
        "--linkage",
        choices=("average", "complete", "single"),
        help="all rows of a cluster are duplicates of one another (complete), they are on average "
        "(average), or they form chains of duplicates, whose ends may differ (single) (default: "
        "average for names and records, complete for sentences)",
    )
    add_guard_option(parser)
    parser.add_argument(
        "--keep",
        choices=("first", "last", "longest"),
        help="the row of a cluster to write (default: first)",
    )
    parser.add_argument(
        "--write",
        choices=("kept", "clusters", "pairs"),
        default="kept",
        help="write the rows that are kept; or all rows with their cluster; or the similar pairs "
        "as TSV, closest to the threshold first, with their score and the guard's reason to keep "
        "them apart (default: kept)",
    )
    add_model_option(parser, "the similarity of the packaged vectors")
    add_review_options(parser)
    add_out_option(parser)
    add_folder_options(
        parser, "a Parquet file", "what is kept, the cluster of each row and the pairs"
    )
    add_table_options(parser)


def run(arguments: argparse.Namespace) -> None:
    if arguments.model is not None and arguments.threshold is None:
        raise UsageError("With --model, set --threshold: the lowest score of duplicates.")
    if arguments.folder is not None:
        _dedupe_on_disk(arguments)
        return
    refuse(arguments, ["--memory"], "needs --folder.")
    idle = {"kept": [], "clusters": ["--keep"], "pairs": ["--keep", "--linkage"]}[arguments.write]
    refuse(arguments, idle, f"does not change --write {arguments.write}; leave it out.")
    output_format(arguments.out)  # before the work
    _check_size(arguments.table)
    table, records, on = read_records(arguments.table, arguments, arguments.on)
    is_judged = arguments.review or arguments.answers
    is_above = arguments.threshold is None or arguments.threshold > _LOWEST_ASKED
    asks_below = is_judged and is_above and not arguments.model
    deduplicator = _deduplicator(arguments, min_cosine=_LOWEST_ASKED if asks_below else None).fit(
        records, on=on
    )
    review(deduplicator, arguments, arguments.table)
    from skpara.datasets import unused_names

    format, header = table.format, table.header
    if arguments.write == "pairs":
        sentences = (
            [" ".join(filter(None, row)) for row in zip(*records.values(), strict=True)]
            if on
            else records
        )
        format, header = "tsv", ["sentence1", "sentence2", "score", "reason"]
        rows = [
            [_one_line(sentences[i]), _one_line(sentences[j]), float(score), _one_line(reason)]
            for i, j, score, reason in deduplicator.borderline(float("inf"))
        ]
    elif arguments.write == "clusters":
        header = None if header is None else [*header, *unused_names(["cluster"], header)]
        rows = [[*as_cells(table, i), x] for i, x in enumerate(deduplicator.labels_.tolist())]
    else:
        rows = [as_cells(table, i) for i in deduplicator.kept_.tolist()]
    write_rows(arguments.out, output_format(arguments.out, format), header, rows, table.delimiter)
    print(deduplicator.summary_, file=notes())


def _deduplicator(arguments: argparse.Namespace, min_cosine: float | None) -> Deduplicator:
    """Return an estimator that is not fitted."""
    from skpara import Deduplicator

    return Deduplicator(
        0.9 if arguments.threshold is None else arguments.threshold,
        model=load_scorer(arguments.model),
        linkage=arguments.linkage or "auto",
        keep=arguments.keep or "first",
        min_cosine=min_cosine,
        n_jobs=-1,
        guard={"on": True, "off": False}.get(arguments.guard, arguments.guard),
    )


def _dedupe_on_disk(arguments: argparse.Namespace) -> None:
    if not is_parquet(arguments.table):
        raise UsageError("--folder needs Parquet files.")
    options = ("--review", "--answers", "--out", "--no-header", "--delimiter", "--encoding")
    refuse(arguments, options, "does not go with --folder, whose files have the results.")
    if arguments.write != "kept":
        refuse(arguments, ["--write"], "does not go with --folder, which has all of them.")
    from skpara.scale import deduplicate

    with redirect_stderr(drawing()):  # for progress
        found = deduplicate(
            arguments.table,
            arguments.folder,
            _deduplicator(arguments, min_cosine=None),
            on=arguments.on,
            memory_gb=4.0 if arguments.memory is None else arguments.memory,
            verbose=True,
        )
    print(found, file=notes())


def _check_size(path: str) -> None:
    """Raise a UsageError for a table of Parquet that does not fit into memory."""
    if not is_parquet(path) or not Path(path).is_file():
        return
    from skpara._compatibility import import_optional

    parquet = import_optional("pyarrow.parquet", "A table of Parquet")
    try:
        n = parquet.read_metadata(path).num_rows
    except ValueError:  # no Parquet, as the reader says
        return
    memory = total_memory()
    if memory is not None and n * _BYTES_PER_ROW > memory:
        raise UsageError(
            f"{path} has {n} rows, for which {memory / 1e9:.0f} GB of memory may not be enough. "
            "Add --folder with a new folder, to work on disk."
        )


def _one_line(sentence: str) -> str:
    """Return a sentence without line ends and tabs."""
    return " ".join(sentence.split())
