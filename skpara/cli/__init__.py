"""The ``skpara`` command.

A subcommand is a file with a function that adds its parser and names the function that runs it;
to add one, write the file and list the function in ``_COMMANDS``. Results go to standard output,
progress and problems to standard error.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from skpara._version import __version__
from skpara.cli import _augment, _demo, _evaluate, _predict, _train

__all__ = ["main"]

_COMMANDS: tuple[Callable[[Any], None], ...] = (
    _demo.add_command,
    _train.add_command,
    _predict.add_command,
    _evaluate.add_command,
    _augment.add_command,
)
# As shells count a process that a signal ended: 128 and the signal's number.
_INTERRUPTED, _NO_READER = 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, default=None
        The arguments; those of the process when None.

    Returns
    -------
    int
        0 when all went well, 1 when something was wrong with data or files, 130 when it was
        interrupted, 141 when nobody reads on, as in ``| head``. Wrong arguments end the process
        with 2, as argparse does.
    """
    parser = argparse.ArgumentParser(
        prog="skpara", description="Score how alike two sentences are, inside scikit-learn."
    )
    parser.add_argument("--version", action="version", version=f"skpara {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add_command in _COMMANDS:
        add_command(commands)
    arguments = parser.parse_args(argv)
    if hasattr(sys.stdout, "reconfigure"):  # a sentence may hold signs the terminal cannot show
        sys.stdout.reconfigure(errors="replace")
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            code = int(arguments.run(arguments))
            sys.stdout.flush()
            return code
        except BrokenPipeError:
            # what is left to write goes nowhere, or Python would complain of it at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return _NO_READER
        except KeyboardInterrupt as interrupt:
            print(f"\nskpara: interrupted{interrupt}", file=sys.stderr)
            return _INTERRUPTED
        except (OSError, ValueError) as error:
            print(f"skpara: {error}", file=sys.stderr)
            return 1


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """What is to be known, without the line of code that said so."""
    print(f"skpara: warning: {message}", file=sys.stderr)
