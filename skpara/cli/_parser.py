"""The parser of the command's arguments, which says which option may be meant."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Any, NoReturn

from skpara._messages import near_name
from skpara._version import __version__
from skpara.cli._options import HelpFormatter, add_quiet_option

# An option of one letter.
_LETTER = re.compile("-[A-Za-z]")


class Parser(argparse.ArgumentParser):
    """A parser whose errors name the option or the command that is meant."""

    # The parsers of all subcommands by their names, and the arguments that it has read.
    siblings: Mapping[str, Parser] = MappingProxyType({})
    _given: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments, and return those that are unknown as well."""
        self._given = sys.argv[1:] if args is None else list(args)
        names = [argument.partition("=")[0] for argument in self._given]
        for action in self._actions:
            passed = [name for name in names if name in action.option_strings]
            if len(passed) > 1 and action.nargs != 0:  # argparse would take the last value
                self.error(f"{passed[0]} is passed {len(passed)} times. Pass it once")
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """End the process with 2, and say what may be meant."""
        remedy = self._remedy(message)
        if remedy is None:
            example = (self.epilog or "").removeprefix("examples:\n").partition("\n")[0].strip()
            remedy = f". For example: {example}" if example else ""
        self.exit(2, f"{self.prog}: error: {message}{remedy}\nFor help: {self.prog} --help\n")

    def _remedy(self, message: str) -> str | None:
        """Return what may be meant, to add to a message of argparse; None if that is unknown."""
        problem, _, choices = message.partition(" (choose from ")
        if choices:
            if problem.startswith("argument COMMAND") and self._given[0].startswith("-"):
                command = next((x for x in self._given if x in self.siblings), "predict")
                others = " ".join(x for x in self._given if x != command)
                return f". Options come after the command: {self.prog} {command} {others}"
            names = [name.strip(" ')") for name in choices.split(",")]
            near = near_name(problem.rpartition(": ")[2].strip("'"), names)
            return f". Did you mean {near}?" if near else ""
        if message.startswith("argument ") and "invalid" not in message:
            return ""  # the option says what it takes
        if found := re.search(r"invalid \w+ value: '([^']*)'", message):
            return _near_number(found[1])
        return self._near_option(message)

    def _near_option(self, message: str) -> str | None:
        """Return a sentence about the first argument that is unknown, which is in the message."""
        options = self._long_options()
        for argument in self._given:
            name = argument.partition("=")[0]
            if _LETTER.fullmatch(name) and name not in self._option_string_actions:
                name = f"-{name}"
            if not name.startswith("--") or any(x.startswith(name) for x in options):
                continue
            if near := near_name(name, options):
                what = "" if argument.partition("=")[0] in message else f" {name} is unknown."
                return f".{what} Did you mean {near}?"
            owners = [x for x, other in self.siblings.items() if name in other._long_options()]
            if owners:
                return f". {name} is an option of skpara {' and '.join(owners)}"
        if message.startswith("unrecognized arguments: ") and " -" not in message:
            places = [x.metavar or x.dest for x in self._actions if not x.option_strings]
            return (
                f". {self.prog} takes {' '.join(map(str, places)) or 'options only'}. Columns are "
                "separated by commas (name,city), and text with spaces is in quotation marks"
            )
        return None

    def _long_options(self) -> list[str]:
        return [name for name in self._option_string_actions if name.startswith("--")]


def _near_number(text: str) -> str:
    """Return the number that a share is, written with a decimal comma or as a percentage."""
    number = text.replace(",", ".").removesuffix("%")
    try:
        value = float(number) / (100 if text.endswith("%") else 1)
    except ValueError:
        return ". Pass a number, such as 0.9"
    return f". Did you mean {value:g}?"


def make_parser(modules: Sequence[ModuleType]) -> Parser:
    """Return the parser of the command, which has those of its subcommands as ``siblings``."""
    parser = Parser(
        prog="skpara",
        description="Join tables whose rows are worded differently, drop duplicates, and decide "
        "or score how similar sentences are.",
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
