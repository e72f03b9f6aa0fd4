"""``skpara explain``: reasons for the scores of pairs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from skpara.cli._options import (
    UsageError,
    add_model_option,
    add_out_option,
    add_pairs,
    check_suffix,
    open_pairs_or_sentences,
    read_model,
)
from skpara.cli._screen import results
from skpara.cli._tables import write_text

if TYPE_CHECKING:
    from skpara.explanation import Explanation

HELP = "explain why pairs get their scores"
DESCRIPTION = (
    "Print which words of each pair match, and what changed its score. Without a model, the "
    "cosine of the packaged sentence vectors is explained."
)
EXAMPLES = """\
  skpara explain "A man plays a guitar." "Someone is playing music."
  skpara explain new.csv --model sts.skpara | less
  skpara explain new.csv --model sts.skpara -o reasons.html
  skpara explain new.csv --model sts.skpara --json | jq .groups
"""
_PAGE = Path(__file__).with_name("page.html")


def add_options(parser: argparse.ArgumentParser) -> None:
    text = "file with two sentences per row, or the two sentences of a pair; - is standard "
    add_pairs(parser, scored=False, nargs="*", help=f"{text}input (default)")
    add_model_option(parser, "the packaged vectors")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object per pair instead of text"
    )
    add_out_option(parser, "; a page for a browser if it ends in .html")


def run(arguments: argparse.Namespace) -> None:
    check_suffix(arguments.out, (".html", ".htm", ".txt", ".json", ".jsonl"))
    is_page = arguments.out is not None and arguments.out.suffix.lower() in (".html", ".htm")
    if is_page and arguments.json:
        raise UsageError("--json is for text files; leave it out, or name the file .json.")
    explanations = _explanations(arguments)
    if is_page:
        text = page("Why these scores", "<hr>".join(e.to_html() for e in explanations))
        write_text(arguments.out, text)
    elif arguments.out is not None:
        write_text(arguments.out, "".join(_text(e, arguments.json) for e in explanations))
    else:
        out = results() if arguments.json else sys.stdout
        for explanation in explanations:
            out.write(_text(explanation, arguments.json))
            out.flush()


def page(title: str, body: str, style: str = "") -> str:
    """Return a page of HTML that needs no other file."""
    return _PAGE.read_text("utf-8").format(title=escape(title), body=body, style=style)


def _explanations(arguments: argparse.Namespace) -> Iterator[Explanation]:
    file = open_pairs_or_sentences(arguments)
    if arguments.model is not None:
        model = read_model(arguments, file)[0]
    else:
        from skpara import ParagramEncoder

        model = ParagramEncoder()

    from skpara.explanation import explain

    for rows in file.chunks():
        yield from explain(model, [row.pair for row in rows])


def _text(explanation: Explanation, as_json: bool) -> str:
    if as_json:
        return json.dumps(explanation.to_dict(), ensure_ascii=False) + "\n"
    return f"{explanation}\n\n"
