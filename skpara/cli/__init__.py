"""The ``skpara`` command.

Each subcommand is a module with a function ``add_command`` that adds its parser and sets the
function that runs it. To add one, write the module and list it in ``_COMMANDS``. Results
go to standard output, progress and problems to standard error.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from skpara._version import __version__
from skpara.cli import _augment, _dedupe, _demo, _evaluate, _match, _predict, _train

__all__ = ["main"]

_COMMANDS = [
    m.add_command for m in (_demo, _train, _predict, _evaluate, _match, _dedupe, _augment)
]
# What shells report for a process that SIGINT or SIGPIPE ended: 128 and the signal's number.
_INTERRUPTED, _BROKEN_PIPE = 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, default=None
        The arguments; by default those of the process.

    Returns
    -------
    int
        0 on success, 1 for a problem with data or files, 130 when interrupted, 141 when the
        output is closed early, as by ``| head``. Wrong arguments end the process with 2, as usual
        with argparse.
    """
    parser = argparse.ArgumentParser(
        prog="skpara", description="Score how alike two sentences are, with scikit-learn."
    )
    parser.add_argument("--version", action="version", version=f"skpara {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add_command in _COMMANDS:
        add_command(commands)
    arguments = parser.parse_args(argv)
    if hasattr(sys.stdout, "reconfigure"):  # the terminal may lack a character of a sentence
        sys.stdout.reconfigure(errors="replace")
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            code = int(arguments.run(arguments))
            sys.stdout.flush()
            return code
        except BrokenPipeError:
            # Python flushes standard output at exit and would print an error of its own.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return _BROKEN_PIPE
        except KeyboardInterrupt as interrupt:
            print(f"\nskpara: interrupted{interrupt}", file=sys.stderr)
            return _INTERRUPTED
        except (OSError, ValueError) as error:
            print(f"skpara: {error}", file=sys.stderr)
            return 1


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print a warning without the line of code that raised it."""
    print(f"skpara: warning: {message}", file=sys.stderr)
