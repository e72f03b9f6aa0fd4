"""Standard output and standard error of the command."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from skpara._messages import printable

# Where notes go if nobody wants to read them.
_silence: TextIO | None = None


class Screen(io.TextIOBase):
    """A stream of text for people, which writes to another stream.

    What a terminal would obey is escaped, whoever prints it: messages hold cells, and names of
    files and columns.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write text; lines and tabs are kept."""
        self.stream.write(printable(text, "\n\t"))
        return len(text)

    def flush(self) -> None:
        """Flush the other stream."""
        self.stream.flush()

    def isatty(self) -> bool:
        """Return whether the other stream is a terminal."""
        return self.stream.isatty()

    def fileno(self) -> int:
        """Return the number of the other stream."""
        return self.stream.fileno()

    @property
    def encoding(self) -> Any:  # type: ignore[override]
        """The encoding of the other stream."""
        return self.stream.encoding


@contextlib.contextmanager
def screens() -> Iterator[None]:
    """Let all that is printed go through a screen."""
    out, error = Screen(sys.stdout), Screen(sys.stderr)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        yield


def results() -> TextIO:
    """Return standard output for tables: cells do not change, unless a terminal shows them."""
    out = sys.stdout
    return out.stream if isinstance(out, Screen) and not out.isatty() else out


def notes() -> TextIO:
    """Return standard error for what is neither a result nor a problem."""
    return sys.stderr if _silence is None else _silence


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Leave out notes and progress."""
    global _silence
    with open(os.devnull, "w", encoding="utf-8") as _silence:
        try:
            yield
        finally:
            _silence = None


def drawing() -> TextIO:
    """Return standard error for progress bars, which move the cursor."""
    error = notes()
    return error.stream if isinstance(error, Screen) else error
