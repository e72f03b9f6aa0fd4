"""What commands that write a file print about it: text for people, JSON for programs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any


def add_json_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def print_summary(
    arguments: argparse.Namespace, facts: Mapping[str, Any], lines: Sequence[str]
) -> None:
    """Print the lines, or the facts with ``--json``."""
    if arguments.json:
        print(json.dumps(facts, ensure_ascii=False, indent=2, default=str))
    else:
        print("\n".join(lines))
