"""Words to ids, for one sentence or for millions.

The compiled module splits and looks up some sentences at a time, without a Python object for each
token. The ids are those that ``tokenize`` and a dict would give.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import count
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._core import Ragged, offsets_of, text_kernels, word_index
from skpara.text._tokenizer import CHARACTERS, code_points, fill_characters, normalize

_CHUNK = 1024  # sentences: their bytes and the arrays about them fit into the processor's cache


class UnknownIds(dict[str, int]):
    """Ids of unknown words. A word that is looked up for the first time gets the next one.

    Parameters
    ----------
    first : int
        The id of ``words[0]``.
    known : dict of str to int
        Words that have ids already.

    Attributes
    ----------
    words : list of str
        The unknown words in the order of their ids.
    """

    def __init__(self, first: int, known: Mapping[str, int]) -> None:
        super().__init__(known)
        self.first = first
        self.words = list[str]()
        self._lock = Lock()

    def __missing__(self, word: str) -> int:
        with self._lock:  # threads share the unknown words of a table
            if word not in self:
                self.words.append(word)
                self[word] = self.first + len(self.words) - 1
        return self[word]


class Vocabulary:
    """Read-only index of words.

    Parameters
    ----------
    words : iterable of str
        Distinct words, as ``tokenize`` returns them (lower-cased).

    Attributes
    ----------
    words : list of str
        The words in the order of their ids.
    index : dict of str to int
        The id of each word.

    Raises
    ------
    ValueError
        If a word occurs twice.

    Examples
    --------
    >>> from skpara.text import Vocabulary
    >>> vocabulary = Vocabulary(["a", "dog", "barks"])
    >>> tokens, unknown = vocabulary.token_ids(["A dog barks.", "", "A cat"])
    >>> tokens.ids.tolist(), tokens.offsets.tolist(), unknown
    ([0, 1, 2, 3, 0, 4], [0, 4, 4, 6], ['.', 'cat'])
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = list(words)
        if isinstance(words, str | set) or not all(
            issubclass(kind, str) for kind in {*map(type, self.words)}
        ):
            raise TypeError(f"words must be a list of str, got {words!r:.60}.")
        self.index = {word: i for i, word in enumerate(self.words)}
        if len(self.index) < len(self.words):
            repeated = next(w for i, w in enumerate(self.words) if self.index[w] != i)
            raise ValueError(f"The word {repeated!r} occurs twice in the vocabulary; keep one.")

    @cached_property
    def _table(self) -> tuple[NDArray[np.uint64], bytes]:
        """The hash table of the compiled module, and the bytes of the words."""
        return word_index(self.words)

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.index

    def __getstate__(self) -> dict[str, Any]:
        return {"words": self.words}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["words"])  # type: ignore[misc]

    def extend(self, words: Iterable[str]) -> Vocabulary:
        """Return a vocabulary with more words, which shares the index of this one.

        Parameters
        ----------
        words : iterable of str
            Distinct words that are not in the vocabulary. Their ids follow the last one of it.

        Returns
        -------
        Vocabulary
            The longer vocabulary.

        Raises
        ------
        ValueError
            If a word is in the vocabulary already, or occurs twice.
        """
        return _ExtendedVocabulary(self, words)

    def token_ids(self, sentences: Sequence[str]) -> tuple[Ragged, list[str]]:
        """Tokenize sentences and look up the id of each token.

        Parameters
        ----------
        sentences : sequence of str
            Sentences of any script.

        Returns
        -------
        tokens : Ragged
            The tokens of each sentence, as positions in ``words``; ``len(words) + k`` stands for
            ``unknown[k]``. They are of type int32.
        unknown : list of str
            The distinct words that are not in the vocabulary, in order of appearance.
        """
        strings = list(sentences)
        # No other thread has this one, which needs no lock.
        known = self.unknown_ids()
        unknown = defaultdict[str, int](count(len(self)).__next__, known)
        ids = [np.empty(0, np.int32)]
        lengths = [np.empty(0, np.int64)]
        start = 0
        while start < len(strings):
            part = self.read_chunk(strings, start, len(strings), unknown)
            ids.append(part.ids)
            lengths.append(part.lengths)
            start += len(part)
        tokens = Ragged(np.concatenate(ids), offsets_of(np.concatenate(lengths)))
        return tokens, list(unknown)[len(known) :]

    def unknown_ids(self) -> UnknownIds:
        """Return a dict that gives ids to unknown words, from ``len(self)`` on.

        Returns
        -------
        UnknownIds
            A word that is looked up for the first time gets the next id.
        """
        return UnknownIds(len(self), {})

    def read_chunk(
        self, sentences: list[str], start: int, stop: int, unknown: Mapping[str, int]
    ) -> Ragged:
        """Look up the tokens of a chunk of sentences, whose arrays fit in the processor's cache.

        Parameters
        ----------
        sentences : list of str
            Sentences of any script.
        start, stop : int
            Positions of the first one to read, and behind the last one that may be read.
        unknown : mapping of str to int
            Ids of unknown words; new words are added.

        Returns
        -------
        Ragged
            The tokens of sentence ``start`` and of those behind it, as in :meth:`token_ids`.
        """
        strings = sentences[start : min(start + _CHUNK, stop)]
        offsets = np.empty(len(strings) + 1, dtype=np.int64)
        slots, text = self._table
        ids, n_read = text_kernels.token_ids(
            slots, text, CHARACTERS, offsets, strings, _normalize, unknown
        )
        return Ragged(np.frombuffer(ids, dtype=np.int32), offsets[: n_read + 1])


class _ExtendedVocabulary(Vocabulary):
    """A vocabulary and a few more words.

    It shares the hash table of the first vocabulary. Tables of vectors that are tuned in each fold
    of a cross-fit differ in few words, and a table takes a quarter of the time of a small fit.
    """

    _base: Vocabulary
    _added: dict[str, int]

    def __init__(self, base: Vocabulary, words: Iterable[str]) -> None:
        if isinstance(base, _ExtendedVocabulary):
            words = [*base._added, *words]
            base = base._base
        added = list(words)
        self._base = base
        self._added = {word: len(base) + i for i, word in enumerate(added)}
        repeated = [w for i, w in enumerate(added) if w in base or self._added[w] != len(base) + i]
        if repeated:
            raise ValueError(f"The word {repeated[0]!r} occurs twice in the vocabulary; keep one.")

    @cached_property
    def words(self) -> list[str]:  # type: ignore[override]
        return [*self._base.words, *self._added]

    @cached_property
    def index(self) -> dict[str, int]:  # type: ignore[override]
        return self._base.index | self._added

    def __len__(self) -> int:
        return len(self._base) + len(self._added)

    def __contains__(self, word: object) -> bool:
        return word in self._base or word in self._added

    def __reduce__(self) -> tuple[Any, ...]:
        return Vocabulary, (self.words,)

    def unknown_ids(self) -> UnknownIds:
        return UnknownIds(len(self), self._added)

    def read_chunk(
        self, sentences: list[str], start: int, stop: int, unknown: Mapping[str, int]
    ) -> Ragged:
        return self._base.read_chunk(sentences, start, stop, unknown)


def _normalize(sentence: str) -> str:
    """Normalize a sentence, and fill the entries of its characters, before and after that."""
    normal = normalize(sentence)
    if not (sentence.isascii() and normal.isascii()):
        points = np.unique(code_points(sentence + normal))
        for point in points[CHARACTERS[points] == 0].tolist():
            fill_characters(point)
    return normal
