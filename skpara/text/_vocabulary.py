"""Words to ids, for one sentence or for millions.

The compiled module splits and looks up some sentences at a time, without a Python object for each
token. Where it is missing, ``tokenize`` and a dict give the same ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._compiled import compiled
from skpara.text._tokenizer import CHARACTERS, code_points, fill_characters, normalize, tokenize

_native = compiled("skpara._native")

_CHUNK = 1024  # sentences: their bytes and the arrays about them fit into the processor's cache


class TokenIds(NamedTuple):
    """Token ids of many sentences, concatenated.

    Parameters
    ----------
    ids : ndarray of int32, shape (n_tokens,)
        Positions in the vocabulary's words; ``len(vocabulary) + k`` stands for ``unknown[k]``.
    offsets : ndarray of int64, shape (n_sentences + 1,)
        Sentence ``i`` is ``ids[offsets[i]:offsets[i + 1]]``.
    unknown : list of str
        The distinct words that are not in the vocabulary, in order of appearance.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    unknown: list[str]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of tokens of each sentence."""
        return np.diff(self.offsets)

    def take(self, rows: NDArray[np.integer]) -> TokenIds:
        """Select sentences by their position.

        Parameters
        ----------
        rows : ndarray of int, shape (n_rows,)
            Positions of the sentences, in the order of the result.

        Returns
        -------
        TokenIds
            The selected sentences; ``unknown`` stays as it is.
        """
        lengths = self.lengths[rows]
        offsets = np.append(0, np.cumsum(lengths))
        positions = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], lengths)
        return TokenIds(self.ids[positions], offsets, self.unknown)

    def cut(self, max_length: int | None) -> TokenIds:
        """Truncate each sentence.

        Parameters
        ----------
        max_length : int or None
            Number of tokens to keep of each sentence; ``None`` keeps all.

        Returns
        -------
        TokenIds
            The truncated sentences; ``unknown`` stays as it is.
        """
        if max_length is None or self.lengths.max(initial=0) <= max_length:
            return self
        place = np.arange(len(self.ids)) - np.repeat(self.offsets[:-1], self.lengths)
        offsets = np.append(0, np.cumsum(np.minimum(self.lengths, max_length)))
        return TokenIds(self.ids[place < max_length], offsets, self.unknown)

    def distinct(self) -> TokenIds:
        """Keep only the first of equal ids in each sentence.

        Returns
        -------
        TokenIds
            The shorter sentences; ``unknown`` stays as it is.
        """
        is_first = np.zeros(len(self.ids), dtype=bool)
        # To sort all keys at once takes more time, and the most memory of all training.
        for start in range(0, len(self.offsets) - 1, _CHUNK):
            bounds = self.offsets[start : start + _CHUNK + 1]
            sentences = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
            keys = (sentences << 32) + self.ids[bounds[0] : bounds[-1]]
            is_first[bounds[0] + np.unique(keys, return_index=True)[1]] = True
        offsets = np.append(0, np.cumsum(is_first))[self.offsets]
        return TokenIds(self.ids[is_first], offsets, self.unknown)


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
        self.first, self.words = first, list[str]()
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
    >>> ids, offsets, unknown = vocabulary.token_ids(["A dog barks.", "", "A cat"])
    >>> ids.tolist(), offsets.tolist(), unknown
    ([0, 1, 2, 3, 0, 4], [0, 4, 4, 6], ['.', 'cat'])
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = list(words)
        if isinstance(words, str | set) or not all(isinstance(w, str) for w in self.words):
            raise TypeError(f"words must be a list of str, got {words!r:.60}.")
        self.index = {word: i for i, word in enumerate(self.words)}
        if len(self.index) < len(self.words):
            repeated = next(w for i, w in enumerate(self.words) if self.index[w] != i)
            raise ValueError(f"The word {repeated!r} occurs twice in the vocabulary; keep one.")

    @cached_property
    def _table(self) -> tuple[NDArray[np.uint64], bytes]:
        """The hash table of the compiled module, and the bytes of the words."""
        packed = [word.encode("utf-8", "surrogatepass") for word in self.words]
        ends = np.array([*accumulate(map(len, packed))], dtype=np.int64)
        # A slot takes 24 bytes, and at least half of them stay empty. The compiled module loads
        # eight bytes of a word at a time.
        slots = np.zeros((2 << len(packed).bit_length(), 3), dtype=np.uint64)
        text = b"".join(packed) + bytes(8)
        _native.fill_index(slots, text, ends)
        return slots, text

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

    def token_ids(self, sentences: Sequence[str]) -> TokenIds:
        """Tokenize sentences and look up the id of each token.

        Parameters
        ----------
        sentences : sequence of str
            Sentences of any script.

        Returns
        -------
        TokenIds
            The ids of all sentences, and the words that have no id of their own.
        """
        strings, unknown = list(sentences), self.unknown_ids()
        parts, start = [(np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64))], 0
        while start < len(strings):
            parts.append(self.read_chunk(strings, start, len(strings), unknown))
            start += len(parts[-1][1]) - 1
        lengths = np.concatenate([np.diff(offsets) for _, offsets in parts])
        offsets = np.append(0, np.cumsum(lengths))
        return TokenIds(np.concatenate([ids for ids, _ in parts]), offsets, unknown.words)

    def unknown_ids(self) -> UnknownIds:
        """Return a dict that gives ids to unknown words, from ``len(self)`` on.

        Returns
        -------
        UnknownIds
            A word that is looked up for the first time gets the next id.
        """
        return UnknownIds(len(self), {})

    def read_chunk(
        self, sentences: list[str], start: int, stop: int, unknown: UnknownIds
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Look up the tokens of so many sentences that the arrays fit into the processor's cache.

        Parameters
        ----------
        sentences : list of str
            Sentences of any script.
        start, stop : int
            Positions of the first one to read, and behind the last one that may be read.
        unknown : UnknownIds
            Ids of unknown words; new words are added.

        Returns
        -------
        ids : ndarray of int32, shape (n_tokens,)
            As in ``TokenIds``.
        offsets : ndarray of int64, shape (n_sentences + 1,)
            Sentence ``start + i`` is ``ids[offsets[i]:offsets[i + 1]]``; there is at least one.
        """
        strings = sentences[start : min(start + _CHUNK, stop)]
        if _native is not None:
            offsets = np.empty(len(strings) + 1, dtype=np.int64)
            arrays = *self._table, CHARACTERS, offsets
            ids, n = _native.token_ids(*arrays, strings, _normalize, unknown)
            return np.frombuffer(ids, dtype=np.int32), offsets[: n + 1]
        # A word that is known is not among the unknown ones, so it is not looked up twice.
        index = self.index
        tokens = [tokenize(sentence) for sentence in strings]
        found = [index[t] if t in index else unknown[t] for own in tokens for t in own]
        return np.array(found, dtype=np.int32), np.cumsum([0, *map(len, tokens)])


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
        self, sentences: list[str], start: int, stop: int, unknown: UnknownIds
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        return self._base.read_chunk(sentences, start, stop, unknown)


def _normalize(sentence: str) -> str:
    """Normalize a sentence, and fill the entries of its characters, before and after that."""
    normal = normalize(sentence)
    if not (sentence.isascii() and normal.isascii()):
        points = np.unique(code_points(sentence + normal))
        for point in points[CHARACTERS[points] == 0].tolist():
            fill_characters(point)
    return normal
