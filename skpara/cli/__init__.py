"""The ``skpara`` command.

Each subcommand is a module: ``HELP``, ``DESCRIPTION`` and ``EXAMPLES`` are the text of its help,
``add_options`` adds its arguments to a parser, and ``run`` runs it with the parsed ones. To add a
command, write the module and list it in ``_MODULES``. Results go to standard output, progress and
problems to standard error.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from skpara._messages import TrainingInterrupted
from skpara.cli import (
    _dedupe,
    _demo,
    _encode,
    _evaluate,
    _explain,
    _match,
    _predict,
    _report,
    _train,
)
from skpara.cli._options import UsageError, keep_inputs, show_warning
from skpara.cli._parser import complete, make_parser
from skpara.cli._screen import quiet, screens

_MODULES = (_match, _dedupe, _predict, _explain, _train, _evaluate, _report, _encode, _demo)
# Exit codes that shells report for SIGINT and SIGPIPE: 128 and the signal's number.
_INTERRUPTED = 130
_BROKEN_PIPE = 141
_BUG = 70  # EX_SOFTWARE of sysexits.h


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, default=None
        The arguments, by default of the process.

    Returns
    -------
    int
        0 on success, 1 for a problem with data or files, 2 for options that do not go together,
        70 for a bug, 130 when interrupted, 141 when the output is closed early, as by ``| head``.
        Arguments that argparse refuses end the process with 2.
    """
    if sys.stderr is None:  # closed by the caller
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - for the rest of the process
    if sys.stdout is None:
        print("skpara: standard output is closed; redirect it to a file.", file=sys.stderr)
        return 1
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    with screens():
        return _main(argv)


def _main(argv: Sequence[str] | None) -> int:
    parser = make_parser(_MODULES)
    complete(parser)
    given = list(sys.argv[1:] if argv is None else argv)
    if given[:1] == ["help"]:
        given = [*given[1:2], "--help"]
    arguments, unknown = parser.parse_known_args(given)
    if unknown:
        command = parser.siblings[arguments.command]
        command.error(f"unrecognized arguments: {' '.join(unknown)}")
    if argv is None and os.name == "posix":
        sys.unraisablehook = _repeat_interrupt
    with warnings.catch_warnings():
        warnings.showwarning = show_warning
        if arguments.quiet:
            warnings.simplefilter("ignore")
        try:
            with quiet() if arguments.quiet else nullcontext():
                code = _run(arguments)
        except KeyboardInterrupt as interrupt:
            code = _INTERRUPTED
            _ignore_interrupts(argv)
            when = "" if isinstance(interrupt, TrainingInterrupted) else interrupt
            print(f"\nskpara: interrupted{when}", file=sys.stderr)
    _ignore_interrupts(argv)
    return code


def _run(arguments: argparse.Namespace) -> int:
    try:
        keep_inputs(arguments)
        arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes standard output at exit and would print an error of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    except (OSError, ValueError, ImportError) as error:  # the remedy is in the message
        problem: Any = error
        if isinstance(error, OSError) and error.filename is not None:  # raised by the system
            remedy = "Pass another name, or see who may use it and how much space is left."
            problem = f"{error.filename}: {error.strerror}. {remedy}"
        print(f"skpara: {problem}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    except MemoryError:
        print("skpara: memory is short; pass a smaller file or model.", file=sys.stderr)
        return 1
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.basename(last.filename)}, line {last.lineno}"
        text = f"{type(error).__name__}: {error}".replace("\n", " ")
        print(f"skpara: this is a bug, please report it: {text:.500} ({where})", file=sys.stderr)
        return _BUG
    return 0


def _repeat_interrupt(ignored: Any) -> None:
    """Send Ctrl-C again if it was raised where Python ignores errors, as in a destructor."""
    if ignored.exc_type is KeyboardInterrupt:
        # A little later: this function's errors are ignored, too, and a busy machine may pause it.
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    else:
        sys.__unraisablehook__(ignored)


def _ignore_interrupts(argv: Sequence[str] | None) -> None:
    """Keep the exit code if Ctrl-C is pressed while the process ends."""
    if argv is None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
