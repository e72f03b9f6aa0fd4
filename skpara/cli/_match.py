"""``skpara match``: join two tables by the meaning of a column."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from skpara.cli._options import (
    UsageError,
    add_guard_option,
    add_model_option,
    add_on_option,
    add_out_option,
    add_table_options,
    new_command,
    positive_int,
)
from skpara.cli._review import add_review_options, review
from skpara.cli._tables import as_cells, load_scorer, read_input, write_rows

if TYPE_CHECKING:
    from skpara.explanation import Explanation

_EXAMPLES = """\
  skpara match orders.csv catalogue.csv --on title
  skpara match orders.csv catalogue.csv --on item,title --min-score 0.6 -o matched.csv
  skpara match new.txt old.txt --top-k 3 --explain
  skpara match orders.csv catalogue.csv --on title --review 50 -o matched.csv
"""


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "match",
        help="join two tables by the meaning of a column",
        description="Find, for each row of one file, the row of another file with the same "
        "meaning, and write both side by side with their score.",
        examples=_EXAMPLES,
    )
    parser.add_argument("left", metavar="FILE", help="table, UTF-8; - is standard input")
    parser.add_argument("right", metavar="CANDIDATES", help="table to search for matches")
    add_on_option(parser, " in both files, or in each")
    parser.add_argument(
        "--top-k", type=positive_int, default=1, metavar="N", help="matches per row (default: 1)"
    )
    parser.add_argument(
        "--min-score",
        type=float,
        metavar="X",
        help="lowest probability of a match (default: 0.5), or lowest score with a --model that "
        "predicts none (default: none)",
    )
    add_guard_option(parser)
    parser.add_argument(
        "--how",
        choices=("left", "inner"),
        default="left",
        help="keep rows without a match, or leave them out (default: left)",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="add a column with the reasons for each score, or why the guard refused the best one",
    )
    add_model_option(parser, "the similarity of the packaged vectors")
    add_review_options(parser)
    add_out_option(parser)
    add_table_options(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    if arguments.left == arguments.right == "-":
        raise UsageError("Only one of the two tables can be standard input.")
    names = [None, None] if arguments.on is None else arguments.on.split(",")
    if len(names) > 2:
        raise UsageError(f"--on takes one name, or one for each file, got {arguments.on!r}.")
    left = read_input(arguments.left, arguments, names[0])
    right = read_input(arguments.right, arguments, names[-1])
    queries, candidates = left.column(names[0]), right.column(names[-1])

    from skpara import TableMatcher
    from skpara.datasets import unused_names

    model = load_scorer(arguments.model)
    guard = {"on": "auto", "off": False}.get(arguments.guard, arguments.guard)
    matcher = TableMatcher(model, arguments.top_k, guard=guard)
    if arguments.min_score is not None:
        has_none = model is not None and not hasattr(model, "predict_proba")
        name = "min_score" if has_none else "min_probability"
        matcher.set_params(**{name: arguments.min_score})
    matcher.fit(candidates)
    if arguments.review or arguments.answers:
        matcher.match(queries)
        review(matcher, arguments, arguments.left)
    matches = matcher.match(queries, how=arguments.how, explain=arguments.explain)
    score = matches.dtype.names[2]
    header = None
    if left.header is not None:
        others = right.header or [f"match{i + 1}" for i in range(len(as_cells(right, -1)))]
        added = [score, "reason"] if arguments.explain else [score]
        header = [*left.header, *unused_names([*others, *added], left.header)]
    rows = []
    for match in matches:
        found = match["candidate"] >= 0
        row = [*as_cells(left, match["query"]), *as_cells(right, match["candidate"])]
        row.append(float(match[score]) if found else None)
        if arguments.explain:
            row.append(_reason(match["reason"]) if found else match["reason"])
        rows.append(row)
    write_rows(arguments.out, left.format, header, rows)
    n_matched = len(set(matches["query"][matches["candidate"] >= 0].tolist()))
    print(f"{n_matched} of {len(queries)} rows have a match.", file=sys.stderr)


def _reason(explanation: Explanation) -> str:
    """Return the largest contributions to a score, in one line."""
    # The words of a cosine as pairs, other features by their groups.
    names = [
        (features[0][0] if " ~ " in features[0][0] else title, added)
        for title, added, features in explanation.groups()[:3]
    ]
    return "; ".join(f"{name} {added:+.2f}" for name, added in names)
