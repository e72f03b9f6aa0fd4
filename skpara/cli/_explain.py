"""``skpara explain``: why pairs get their scores."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skpara._files import replace_file
from skpara.cli._options import (
    UsageError,
    add_format_options,
    add_optional_model,
    add_pairs_or_sentences,
    new_command,
    open_pairs,
    pair_of_arguments,
    read_model,
)

if TYPE_CHECKING:
    from skpara.explanation import Explanation

_EXAMPLES = """\
  skpara explain "A man plays a guitar." "Someone is playing music."
  skpara explain new.csv --model sts.skpara | less
  skpara explain new.csv --model sts.skpara -o reasons.html
  skpara explain new.csv --model sts.skpara --json | jq .groups
"""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title}</title>
<style>body{{margin:2em auto;padding:0 1em;max-width:56em;font:15px/1.5 system-ui,sans-serif}}
hr{{border:0;border-top:1px solid rgba(128,128,128,.4);margin:1.5em 0}}{style}</style></head>
<body>{body}</body></html>
"""


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "explain",
        help="say why pairs get their scores",
        description="Print which words of each pair match, and what moved its score. Without a "
        "model, the cosine of the packaged sentence vectors is explained.",
        examples=_EXAMPLES,
    )
    add_pairs_or_sentences(parser)
    add_optional_model(parser, "the packaged vectors")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object for each pair instead of text"
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help="output file; a page for a browser if it ends in .html (default: standard output)",
    )
    add_format_options(parser, scored=False)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    is_page = arguments.out is not None and arguments.out.suffix in (".html", ".htm")
    if is_page and arguments.json:
        raise UsageError("--json is for text files; leave it out, or name the file .json.")
    explanations = _explanations(arguments)
    if is_page:
        text = page("Why these scores", "<hr>".join(e.to_html() for e in explanations))
        replace_file(arguments.out, lambda path: path.write_bytes(text.encode()))
    elif arguments.out is not None:
        lines = "".join(_text(e, arguments.json) for e in explanations)
        replace_file(arguments.out, lambda path: path.write_bytes(lines.encode()))
    else:
        for explanation in explanations:
            sys.stdout.write(_text(explanation, arguments.json))
            sys.stdout.flush()
    return 0


def page(title: str, body: str, style: str = "") -> str:
    """Return a page of HTML that needs no other file."""
    return _PAGE.format(title=escape(title), body=body, style=style)


def _explanations(arguments: argparse.Namespace) -> Iterator[Explanation]:
    pair = pair_of_arguments(arguments)
    file = None if pair is not None else open_pairs(arguments)
    model = _model(arguments, file)

    from skpara.explanation import explain

    if file is None:
        yield from explain(model, [pair])
        return
    for rows in file.chunks():
        try:
            yield from explain(model, [row.pair for row in rows])
        except TypeError as error:  # the model is not one that can be explained
            raise ValueError(f"{arguments.model}: {error}") from error


def _model(arguments: argparse.Namespace, file: Any) -> Any:
    if arguments.model is not None:
        return read_model(arguments, file)[0]
    from skpara import ParagramEncoder

    return ParagramEncoder()


def _text(explanation: Explanation, as_json: bool) -> str:
    if as_json:
        return json.dumps(explanation.to_dict(), ensure_ascii=False) + "\n"
    return f"{explanation}\n\n"
