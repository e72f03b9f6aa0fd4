"""A cache of translations in a file."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from sklearn.utils.metaestimators import available_if

from skpara._pairs import as_sentences
from skpara._public import set_module
from skpara.augment._translator import Hypothesis, TranslationError, Translator

_TABLE = """
CREATE TABLE IF NOT EXISTS translations (
    system TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (system, source)
) WITHOUT ROWID
"""
# Seconds to wait for another process. It locks the file for milliseconds, on a network's disk or
# a busy machine for longer; a minute is more than that, and ends in an error rather than never.
_LOCK_TIMEOUT = 60.0


@set_module("skpara.augment")
class CachedTranslator:
    """Store the translations of another translator in a file.

    The file is an SQLite database. Interrupted work, even if killed, continues where it stopped.
    Any number of processes, systems and languages may share one file. What the translator had
    finished when it fails is in the file.

    Parameters
    ----------
    translator : Translator
        Translates the sentences that the file does not contain.
    path : path
        The file; it is created if missing.
    chunk_size : int, default=1000
        Sentences that are translated before they are stored: the most that a kill can lose.

    Examples
    --------
    >>> import tempfile
    >>> from skpara.augment import CachedTranslator, FunctionTranslator
    >>> shout = FunctionTranslator(lambda texts: [text.upper() for text in texts], "shout")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     CachedTranslator(shout, f"{folder}/cache").translate(["a dog"])
    ['A DOG']
    """

    def __init__(
        self, translator: Translator, path: str | os.PathLike[str], *, chunk_size: int = 1000
    ) -> None:
        self.translator = translator
        self.path = Path(path)
        self.chunk_size = chunk_size

    @property
    def name(self) -> str:
        """The name of the translator."""
        return self.translator.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.translator!r}, {str(self.path)!r})"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        return self._translate(self.name, sentences, self.translator.translate)

    translate.__doc__ = Translator.translate.__doc__

    @available_if(lambda self: hasattr(self.translator, "nbest"))
    def nbest(self, sentences: Sequence[str], n: int) -> list[list[Hypothesis]]:
        """Look up the ``n`` best translations of each sentence; available if the translator's are.

        Parameters
        ----------
        sentences : sequence of str
            An empty sentence is allowed.
        n : int
            Number of translations.

        Returns
        -------
        list of list of Hypothesis
            At most ``n`` for each sentence, the best first.
        """

        def translate(texts: list[str]) -> list[str]:
            try:
                return [json.dumps(row) for row in self.translator.nbest(texts, n)]  # type: ignore[attr-defined]
            except TranslationError as error:
                # Its finished entries are the best translations alone, not lists of n.
                raise TranslationError(str(error)) from error

        rows = self._translate(f"{self.name} nbest={n}", sentences, translate)
        return [[Hypothesis(*fields) for fields in json.loads(row)] for row in rows]

    def _translate(
        self, system: str, sentences: Sequence[str], translate: Callable[[list[str]], list[str]]
    ) -> list[str]:
        texts = as_sentences(sentences)
        distinct = list(dict.fromkeys(texts))
        with self._open() as database:
            known = _read(database, system, distinct)
            new = [text for text in distinct if text not in known]
            for start in range(0, len(new), self.chunk_size):
                chunk = new[start : start + self.chunk_size]
                failure = None
                try:
                    finished = dict(zip(chunk, translate(chunk), strict=True))
                except TranslationError as error:
                    failure = error
                    results = zip(chunk, error.finished, strict=False)  # may have no entries
                    finished = {text: result for text, result in results if result is not None}
                _write(database, system, finished)
                known |= finished
                if failure is not None:
                    before = [known.get(text) for text in texts]
                    raise TranslationError(str(failure), before) from failure
        return [known[text] for text in texts]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_LOCK_TIMEOUT)) as database:
                _set_up(database)
                yield database
        except sqlite3.Error as error:
            raise OSError(
                f"The translation cache {self.path} cannot be used: {error}. If the file is not a "
                "cache of translations, choose another path."
            ) from error


def _set_up(database: sqlite3.Connection) -> None:
    """Create the table in a new file, which other processes may be doing at the same time."""
    deadline = time.monotonic() + _LOCK_TIMEOUT
    while True:
        try:
            # A write-ahead log lets readers and a writer work at once, and a kill at any moment
            # leaves whole transactions.
            database.execute("PRAGMA journal_mode = WAL")
            database.execute(_TABLE)
            return
        except sqlite3.OperationalError as error:
            # SQLite's own timeout does not cover the change to WAL, where waiting could deadlock.
            busy = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not busy or time.monotonic() > deadline:
                raise
            # Random, so that processes do not collide again; from the system's generator, so that
            # the user's seed is left alone and forked processes differ.
            time.sleep(random.SystemRandom().uniform(0.01, 0.05))


def _read(database: sqlite3.Connection, system: str, texts: Sequence[str]) -> dict[str, str]:
    query = "SELECT target FROM translations WHERE system = ? AND source = ?"
    rows = {text: database.execute(query, (system, _to_sql(text))).fetchone() for text in texts}
    return {text: _from_sql(row[0]) for text, row in rows.items() if row is not None}


def _write(database: sqlite3.Connection, system: str, translations: Mapping[str, str]) -> None:
    with database:  # one transaction: all of it or nothing
        # Another process may have stored a sentence meanwhile: its translation is as good.
        database.executemany(
            "INSERT OR IGNORE INTO translations VALUES (?, ?, ?)",
            [(system, _to_sql(text), _to_sql(result)) for text, result in translations.items()],
        )


def _to_sql(text: str) -> str | bytes:
    """Return text as SQLite takes it: lone surrogates, which are not valid UTF-8, need bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def _from_sql(value: str | bytes) -> str:
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value
