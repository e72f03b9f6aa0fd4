"""A cache of translations in a file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from skpara._pairs import as_sentences
from skpara._public import set_module
from skpara._sklearn import available_if
from skpara._typing import FilePath
from skpara.augment._translator import Hypothesis, TranslationError, Translator, check_translations

_TABLE = """
CREATE TABLE IF NOT EXISTS translations (
    system TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (system, source)
) WITHOUT ROWID
"""
# Seconds to wait for another process, which locks the file for milliseconds as a rule.
_LOCK_TIMEOUT = 60.0


@set_module("skpara.augment")
class CachedTranslator:
    """Store the translations of another translator in a file.

    The file is an SQLite database. Interrupted work, even if killed, continues at the last stored
    chunk. Any number of processes, systems and languages may share one file. If the translator
    fails, its finished translations are stored. A file with all of the sentences is only read, and
    may be on a read-only disk.

    Parameters
    ----------
    translator : Translator
        Translates the sentences that the file does not contain.
    path : path
        The file; it is created if missing.
    chunk_size : int, default=1000
        Sentences that are translated before they are stored: the most that a kill can lose.

    Raises
    ------
    OSError
        By methods, if the file cannot be read or written, as on a full disk, or is not a cache of
        translations. It is not changed then.
    ValueError
        If ``chunk_size`` is less than 1.

    Examples
    --------
    >>> import tempfile
    >>> from skpara.augment import CachedTranslator, FunctionTranslator
    >>> shout = FunctionTranslator(lambda texts: [text.upper() for text in texts], "shout")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     CachedTranslator(shout, f"{folder}/cache").translate(["a dog"])
    ['A DOG']
    """

    def __init__(self, translator: Translator, path: FilePath, *, chunk_size: int = 1000) -> None:
        if not isinstance(chunk_size, int) or chunk_size < 1:
            raise ValueError(f"chunk_size must be a whole number from 1, got {chunk_size!r}.")
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
        """Look up the ``n`` best translations of each sentence, if the translator finds several.

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
        with self._database() as database:
            known = _read(database, system, distinct)
            new = [text for text in distinct if text not in known]
            if new:  # fail before any translation if the file cannot be written
                with database:
                    database.execute("DELETE FROM translations WHERE FALSE")
            for start in range(0, len(new), self.chunk_size):
                chunk = new[start : start + self.chunk_size]
                failure = None
                try:
                    results = check_translations(translate(chunk), chunk, self.name)
                    finished = dict(zip(chunk, results, strict=True))
                except TranslationError as error:
                    failure = error
                    parts = zip(chunk, error.finished, strict=False)  # may have no entries
                    finished = {text: result for text, result in parts if result is not None}
                _write(database, system, finished)
                known |= finished
                if failure is not None:
                    before = [known.get(text) for text in texts]
                    raise TranslationError(str(failure), before) from failure
        return [known[text] for text in texts]

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        """Open the file, and create the table in a new one."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_LOCK_TIMEOUT)) as database:
                n_objects = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
                columns = [row[1] for row in database.execute("PRAGMA table_info(translations)")]
                if n_objects and columns != ["system", "source", "target"]:
                    raise sqlite3.DatabaseError("it is a database of another program")
                if not n_objects:
                    database.execute(_TABLE)
                yield database
        except sqlite3.Error as error:
            raise OSError(
                f"The translation cache {self.path} cannot be used: {error}. If the file is not a "
                "cache of translations, choose another path."
            ) from error


def _read(database: sqlite3.Connection, system: str, texts: Sequence[str]) -> dict[str, str]:
    query = "SELECT target FROM translations WHERE system = ? AND source = ?"
    name = _to_sql(system)
    rows = {text: database.execute(query, (name, _to_sql(text))).fetchone() for text in texts}
    return {text: _from_sql(row[0]) for text, row in rows.items() if row is not None}


def _write(database: sqlite3.Connection, system: str, translations: Mapping[str, str]) -> None:
    name = _to_sql(system)
    with database:  # one transaction: all of it or nothing
        # Another process may have stored a sentence meanwhile: its translation is as good.
        database.executemany(
            "INSERT OR IGNORE INTO translations VALUES (?, ?, ?)",
            [(name, _to_sql(text), _to_sql(result)) for text, result in translations.items()],
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
