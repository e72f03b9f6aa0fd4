"""The parser of the command's arguments, which says which option may be meant."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Any, NoReturn

from skpara._near_names import near_name
from skpara._version import __version__
from skpara.cli._options import HelpFormatter, add_quiet_option

# What other commands call an option, and earlier versions of this one.
_OTHER_NAMES = {
    "--threshold": (
        "--cutoff",
        "--min-cosine",
        "--min-probability",
        "--min-score",
        "--min-similarity",
        "--score-cutoff",
    ),
    "--precision": ("--confidence", "--min-precision", "--target-precision"),
    "--on": ("--by", "--column", "--cols", "--columns", "--fields", "--key", "--keys"),
    "--columns": ("--column", "--cols", "--fields", "--on"),
    "--top-k": ("--k", "--limit", "--max-matches", "--n-matches", "--n", "--top"),
    "--delimiter": ("--delim", "--fs", "--sep", "--separator"),
    "--out": ("--output", "--save", "--to", "--write"),
    "--no-header": ("--header", "--headerless", "--skip-header"),
    "--labels": ("--classes", "--classifier"),
    "--with-pairs": ("--keep-columns", "--pairs"),
}


class Parser(argparse.ArgumentParser):
    """A parser whose errors name the option or the command that is meant."""

    # The parsers of all subcommands by their names, and the arguments that it has read.
    siblings: Mapping[str, Parser] = MappingProxyType({})
    _given: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments, and return those that are unknown as well."""
        self._given = sys.argv[1:] if args is None else list(args)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """End the process with 2, and say what may be meant."""
        choice, _, rest = message.partition(" (choose from ")
        if rest and choice.count("'") == 2:
            names = [name.strip(" ')") for name in rest.split(",")]
            near = near_name(choice.split("'")[1], names, {})
            remedy = f" Did you mean {near}?" if near else ""
        else:
            remedy = self._remedy(message)
        super().error(message + remedy)

    def _remedy(self, message: str) -> str:
        """Return a sentence about the first argument that is unknown, which is in the message."""
        options = self._long_options()
        for argument in self._given:
            name = argument.partition("=")[0]
            if argument.endswith(".skpara") and "--model" not in self._given:
                return ". Pass a model as --model"
            if not name.startswith("--") or any(x.startswith(name) for x in options):
                continue
            if near := near_name(name, options, _OTHER_NAMES):
                what = "" if name in message else f" {name} is unknown."
                return f".{what} Did you mean {near}?"
            owners = [x for x, other in self.siblings.items() if name in other._long_options()]
            if owners:
                return f". {name} is an option of skpara {' and '.join(owners)}"
        return ""

    def _long_options(self) -> list[str]:
        return [name for name in self._option_string_actions if name.startswith("--")]


def make_parser(modules: Sequence[ModuleType]) -> Parser:
    """Return the parser of the command, which has those of its subcommands as ``siblings``."""
    parser = Parser(
        prog="skpara", description="Score how alike two sentences are, with scikit-learn."
    )
    version = f"skpara {__version__}"
    parser.add_argument("-V", "--version", action="version", version=version)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    parsers: dict[str, Parser] = {}
    for module in modules:
        name = module.__name__.rpartition("._")[2]
        command = commands.add_parser(
            name,
            help=module.HELP,
            description=module.DESCRIPTION,
            epilog=f"examples:\n{module.EXAMPLES}",
            formatter_class=HelpFormatter,
        )
        module.add_options(command)
        add_quiet_option(command)
        command.set_defaults(run=module.run, command=name)
        parsers[name] = command
    for each in (parser, *parsers.values()):
        each.siblings = parsers
    return parser


def complete(parser: Parser) -> None:
    """Complete the arguments of a shell that asks, if the package ``argcomplete`` is installed."""
    if "_ARGCOMPLETE" in os.environ and find_spec("argcomplete"):
        import_module("argcomplete").autocomplete(parser)
