"""What was translated once is not translated again."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sklearn.utils.metaestimators import available_if

from skpara._public import set_module
from skpara.augment._translator import (
    Hypothesis,
    TranslationError,
    Translator,
    check_sentences,
)

_TABLE = """
CREATE TABLE IF NOT EXISTS translations (
    system TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (system, source)
) WITHOUT ROWID
"""
_PATIENCE = 60.0  # seconds that another process may keep the file
_VARIABLES = 500  # of one query


@set_module("skpara.augment")
class CachedTranslator:
    """A translator that keeps what it has translated in a file.

    The file is an SQLite database. Work that was stopped, even by a kill, goes on where it was;
    any number of processes, systems and languages may share one file.

    Parameters
    ----------
    translator : Translator
        What translates the sentences that the file does not hold.
    path : path
        The file; made where it is missing.
    chunk_size : int, default=1000
        Sentences that are translated before they are written down: what a kill can cost.

    Attributes
    ----------
    name : str
        That of the translator.

    Examples
    --------
    >>> import tempfile
    >>> from skpara.augment import CachedTranslator, FunctionTranslator
    >>> calls = []
    >>> def shout(texts):
    ...     calls.append(len(texts))
    ...     return [text.upper() for text in texts]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     translator = CachedTranslator(FunctionTranslator(shout, "shout"), f"{folder}/cache")
    ...     found = translator.translate(["a dog"]) + translator.translate(["a dog", "a cat"])
    >>> found, calls
    (['A DOG', 'A DOG', 'A CAT'], [1, 1])
    """

    def __init__(
        self, translator: Translator, path: str | os.PathLike[str], *, chunk_size: int = 1000
    ) -> None:
        self.translator = translator
        self.path = Path(path)
        self.chunk_size = chunk_size

    @property
    def name(self) -> str:
        """The translator's."""
        return self.translator.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.translator!r}, {str(self.path)!r})"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Translate each sentence that is not in the file, and give all.

        Parameters
        ----------
        sentences : sequence of str

        Returns
        -------
        list of str

        Raises
        ------
        TranslationError
            If the translator fails. What it had finished is in the file, and in
            ``error.finished``.
        OSError
            If the file cannot be read or written.
        """
        return self._cached(self.name, check_sentences(sentences), self.translator.translate)

    @available_if(lambda self: hasattr(self.translator, "nbest"))
    def nbest(self, sentences: Sequence[str], n: int) -> list[list[Hypothesis]]:
        """The ``n`` best translations of each sentence; there if the translator has it.

        Parameters
        ----------
        sentences : sequence of str
        n : int

        Returns
        -------
        list of list of Hypothesis

        Raises
        ------
        TranslationError, OSError
            As ``translate``. Lists that the failing translator had begun are lost, but not those
            of earlier chunks.
        """

        def translate(texts: list[str]) -> list[str]:
            try:
                return [json.dumps(found) for found in self.translator.nbest(texts, n)]  # type: ignore[attr-defined]
            except TranslationError as error:
                raise TranslationError(str(error)) from error

        stored = self._cached(f"{self.name} nbest={n}", check_sentences(sentences), translate)
        return [[Hypothesis(*found) for found in json.loads(text)] for text in stored]

    def _cached(
        self, system: str, listed: list[str], translate: Callable[[list[str]], list[str]]
    ) -> list[str]:
        distinct = list(dict.fromkeys(listed))
        with self._open() as database:
            known = self._read(database, system, distinct)
            new = [text for text in distinct if text not in known]
            for start in range(0, len(new), self.chunk_size):
                chunk = new[start : start + self.chunk_size]
                try:
                    found = translate(chunk)
                except TranslationError as error:
                    done = zip(chunk, error.finished, strict=False)
                    finished = {text: other for text, other in done if other is not None}
                    self._write(database, system, finished.items())
                    known |= finished
                    before = [known.get(text) for text in listed]
                    raise TranslationError(str(error), before) from error
                self._write(database, system, zip(chunk, found, strict=True))
                known.update(zip(chunk, found, strict=True))
        return [known[text] for text in listed]

    def _read(
        self, database: sqlite3.Connection, system: str, texts: Sequence[str]
    ) -> dict[str, str]:
        known: dict[str, str] = {}
        for start in range(0, len(texts), _VARIABLES):
            some = [_stored(text) for text in texts[start : start + _VARIABLES]]
            marks = ",".join("?" * len(some))
            query = "SELECT source, target FROM translations WHERE system = ? AND source IN"
            rows = database.execute(f"{query} ({marks})", [system, *some])
            known.update((_loaded(source), _loaded(target)) for source, target in rows)
        return known

    def _write(
        self, database: sqlite3.Connection, system: str, pairs: Iterable[tuple[str, str]]
    ) -> None:
        with database:  # one transaction: all of it or nothing
            database.executemany(
                "INSERT OR IGNORE INTO translations VALUES (?, ?, ?)",
                [(system, _stored(source), _stored(target)) for source, target in pairs],
            )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE)) as database:
                _prepare(database)
                yield database
        except sqlite3.Error as error:
            raise OSError(
                f"The translation cache {self.path} cannot be used: {error}. If the file is no "
                "cache of translations, name another one."
            ) from error


def _prepare(database: sqlite3.Connection) -> None:
    """Set up what a new file lacks; other processes may be about the same."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            # Readers and a writer do not wait for each other, and a kill breaks nothing.
            database.execute("PRAGMA journal_mode = WAL")
            database.execute(_TABLE)
            return
        except sqlite3.OperationalError as error:
            # SQLite does not wait by itself where waiting could be for ever, as here.
            busy = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(random.uniform(0.01, 0.05))


def _stored(text: str) -> Any:
    """Text as SQLite takes it; bytes where it is no valid Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def _loaded(value: Any) -> str:
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value
