"""``skpara match``: join two tables by the meaning of a column, or by several columns."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import redirect_stderr
from typing import TYPE_CHECKING, Any

from skpara.cli._options import (
    UsageError,
    add_folder_options,
    add_guard_option,
    add_model_option,
    add_on_option,
    add_out_option,
    add_table_options,
    count_or_all,
    is_parquet,
    probability,
    refuse,
)
from skpara.cli._review import add_review_options, review
from skpara.cli._screen import drawing, notes
from skpara.cli._tables import as_cells, load_scorer, output_format, read_records, write_rows

if TYPE_CHECKING:
    from skpara.datasets import Table
    from skpara.explanation import Explanation

HELP = "join two tables whose rows are worded differently"
DESCRIPTION = (
    "For each row of one file, find the row of another file that means the same, and write both "
    "side by side with their probability."
)
EXAMPLES = """\
  skpara match orders.csv catalogue.csv --on title
  skpara match orders.csv catalogue.csv --left-on item --right-on title --precision 0.9
  skpara match guests.csv persons.csv --on name,street,city --one-to-one
  skpara match new.txt old.txt --top-k 3 --explain
  skpara match orders.csv catalogue.csv --on title --review 50 -o matched.csv
  skpara match orders.parquet names.parquet --on name --folder matched
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("left", metavar="FILE", help="table; - is standard input")
    parser.add_argument("right", metavar="CANDIDATES", help="table to search for matches")
    add_on_option(parser, ", or the columns of records, in both files")
    for side in ("left", "right"):
        text = f"the columns of the {side} file, if they have other names there"
        parser.add_argument(f"--{side}-on", metavar="NAME[,NAME]", help=text)
    parser.add_argument(
        "--top-k",
        type=count_or_all,
        default=1,
        metavar="N",
        help="matches per row, or all (default: 1)",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="X",
        help="lowest probability of a match (default: 0.5), or lowest score with a --model that "
        "predicts none (default: none)",
    )
    parser.add_argument(
        "--precision",
        type=probability,
        metavar="X",
        help="of these, keep as many as have this expected precision (default: all)",
    )
    parser.add_argument(
        "--one-to-one", action="store_true", help="match a row of CANDIDATES with at most one row"
    )
    add_guard_option(parser)
    parser.add_argument(
        "--how",
        choices=("left", "inner", "right", "outer", "anti"),
        default="left",
        help="keep rows of FILE without a match, leave them out (inner), keep those of CANDIDATES "
        "(right) or both (outer), or write only rows without a match (anti) (default: left)",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="add a column with the reasons for each score, or for the guard's refusal",
    )
    add_model_option(parser, "the similarity of the packaged vectors")
    add_review_options(parser)
    add_out_option(parser)
    add_folder_options(parser, "Parquet files", "matches, and both tables joined,")
    add_table_options(parser)


def _check_columns(
    arguments: argparse.Namespace, on: Sequence[str] | None, right_on: Sequence[str] | None
) -> None:
    n_left, n_right = (1 if names is None else len(names) for names in (on, right_on))
    if n_left != n_right:
        raise UsageError(
            f"{n_left} columns of {arguments.left} and {n_right} of {arguments.right} are to be "
            "compared. Name as many of both, in the same order."
        )


def run(arguments: argparse.Namespace) -> None:
    if arguments.folder is None:
        refuse(arguments, ["--memory"], "needs --folder.")
        _match_in_memory(arguments)
    else:
        _match_on_disk(arguments)


def _match_in_memory(arguments: argparse.Namespace) -> None:
    if arguments.left == arguments.right == "-":
        raise UsageError("Only one of the two tables can be standard input.")
    if arguments.on and (arguments.left_on or arguments.right_on):
        raise UsageError("Pass --on, or --left-on and --right-on, but not both.")
    output_format(arguments.out)  # before the work
    if arguments.left == arguments.right:
        text = "Both tables are one, so each row matches itself. `skpara dedupe` finds duplicates."
        print(text, file=notes())
    try:
        left, queries, on = read_records(
            arguments.left, arguments, arguments.left_on or arguments.on
        )
        right, candidates, right_on = read_records(
            arguments.right, arguments, arguments.right_on or arguments.on
        )
    except ValueError as error:
        is_half = bool(arguments.left_on) != bool(arguments.right_on)
        if "has no column" not in str(error) and not is_half:
            raise
        raise ValueError(
            f"{error} --left-on and --right-on name columns of the first and of the second file."
        ) from None
    _check_columns(arguments, on, right_on)

    from skpara import TableMatcher
    from skpara.datasets import unused_names

    model = load_scorer(arguments.model)
    matcher = TableMatcher(
        arguments.top_k,
        model=model,
        threshold=arguments.threshold,
        precision=arguments.precision,
        one_to_one=arguments.one_to_one,
        guard=_guard(arguments),
    )
    matcher.fit(candidates, on=right_on)
    if arguments.review or arguments.answers or arguments.certify:
        review(matcher.match(queries, on=on), arguments, arguments.left)
    matches = matcher.match(queries, on=on, how=arguments.how, explain=arguments.explain)[:]
    score = matches.dtype.names[2]
    header = None
    if left.header is not None:
        others = right.header or [f"match{i + 1}" for i in range(len(as_cells(right, -1)))]
        added = [score, "reason"] if arguments.explain else [score]
        if arguments.how == "anti":
            others, added = [], added[1:]
        header = [*left.header, *unused_names([*others, *added], left.header)]
    rows = [_cells_of(match, left, right, arguments) for match in matches.tolist()]
    format = output_format(arguments.out, left.format)
    write_rows(arguments.out, format, header, rows, left.delimiter)
    n_matched = len({query for query, candidate, *_ in matches if min(query, candidate) >= 0})
    n_matched = len(left.rows) - len(rows) if arguments.how == "anti" else n_matched
    print(f"{n_matched} of {len(left.rows)} rows have a match.", file=notes())


def _cells_of(
    match: Sequence[Any], left: Table, right: Table, arguments: argparse.Namespace
) -> list[Any]:
    """Return a row of the output."""
    query, candidate, value, *reasons = match
    is_match = query >= 0 and candidate >= 0
    cells = as_cells(left, query)
    if arguments.how != "anti":
        cells = [*cells, *as_cells(right, candidate), float(value) if is_match else None]
    if arguments.explain:
        cells.append(_reason(reasons[0]) if is_match else reasons[0])
    return cells


def _match_on_disk(arguments: argparse.Namespace) -> None:
    if not (is_parquet(arguments.left) and is_parquet(arguments.right)):
        raise UsageError("--folder needs Parquet files.")
    options = ("--review", "--answers", "--certify", "--out", "--no-header", "--delimiter")
    refuse(arguments, options, "does not go with --folder, whose files have the results.")
    others = ("--explain", "--model", "--one-to-one", "--encoding")
    refuse(arguments, others, "does not go with --folder.")
    if arguments.how != "left":
        raise UsageError("--how does not go with --folder, whose files have both.")
    from skpara import TableMatcher
    from skpara.scale import match

    with redirect_stderr(drawing()):  # for progress
        found = match(
            arguments.left,
            arguments.right,
            arguments.folder,
            TableMatcher(
                top_k=arguments.top_k,
                threshold=arguments.threshold,
                precision=arguments.precision,
                guard=_guard(arguments),
            ),
            on=arguments.on,
            left_on=arguments.left_on,
            right_on=arguments.right_on,
            n_jobs=-1,
            memory_gb=4.0 if arguments.memory is None else arguments.memory,
            verbose=True,
        )
    print(found, file=notes())


def _guard(arguments: argparse.Namespace) -> Any:
    return {"on": "auto", "off": False}.get(arguments.guard, arguments.guard)


def _reason(explanation: Explanation) -> str:
    """Return the largest contributions to a score, in one line."""
    # The words of a cosine as pairs, other features by their groups.
    names = [
        (features[0][0] if " ~ " in features[0][0] else title, added)
        for title, added, features in explanation.groups()[:3]
    ]
    return "; ".join(f"{name} {added:+.2f}" for name, added in names)
