"""Words to ids, for one sentence or for millions.

Plain ASCII sentences, nearly all of English text, go through NumPy a few thousand at a time:
the bytes are classed, token borders are found where the class changes, and each token of up to
16 bytes is read as two 64-bit integers and looked up in a hash table of such integers, so no
Python object is made for a token. Everything else (longer tokens, other scripts) goes through
:func:`~skpara.text.tokenize` and a dict. Both ways give the same ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara.text._tokenizer import tokenize

_CHUNK = 4096  # sentences; their bytes and the arrays made of them stay in the cache
_WIDTH = 16  # bytes of the longest token that the hash table holds
_SPACE, _WORD, _MARK, _JOINER = range(4)  # a joiner may join two words, or be a mark
_MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)
_LOW_BYTES = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)


def _byte_table(test: Any) -> NDArray[Any]:
    return np.array([test(chr(code)) for code in range(128)] + [0] * 128, dtype=np.uint8)


def _kind(character: str) -> int:
    if character in "',.":
        return _JOINER
    return _SPACE if character.isspace() else _WORD if character.isalnum() else _MARK


_KINDS = _byte_table(_kind).tobytes()
_DIGIT = _byte_table(str.isdigit).astype(bool)


@set_module("skpara.text")
class TokenIds(NamedTuple):
    """Token ids of many sentences, end to end.

    Attributes
    ----------
    ids : ndarray of int32, shape (n_tokens,)
        Index into the vocabulary's words; ``len(vocabulary) + k`` for ``unknown[k]``.
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
        """The sentences at ``rows``, in that order."""
        lengths = self.lengths[rows]
        offsets = np.append(0, np.cumsum(lengths))
        positions = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], lengths)
        return TokenIds(self.ids[positions], offsets, self.unknown)

    def cut(self, max_length: int | None) -> TokenIds:
        """The first ``max_length`` tokens of each sentence; None is all."""
        if max_length is None or self.lengths.max(initial=0) <= max_length:
            return self
        place = np.arange(len(self.ids)) - np.repeat(self.offsets[:-1], self.lengths)
        offsets = np.append(0, np.cumsum(np.minimum(self.lengths, max_length)))
        return TokenIds(self.ids[place < max_length], offsets, self.unknown)


@set_module("skpara.text")
class Vocabulary:
    """Read-only index of words.

    Parameters
    ----------
    words : iterable of str
        Distinct words, as :func:`~skpara.text.tokenize` gives them (lower-cased).

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
        self.index = {word: i for i, word in enumerate(self.words)}
        if len(self.index) < len(self.words):
            twice = next(w for i, w in enumerate(self.words) if self.index[w] != i)
            raise ValueError(f"The word {twice!r} occurs twice in the vocabulary; keep one.")
        self._table: _HashTable | None = None

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.index

    def __getstate__(self) -> dict[str, Any]:
        return {"words": self.words}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["words"])  # type: ignore[misc]

    def token_ids(self, sentences: Sequence[str]) -> TokenIds:
        """Ids of the tokens of ``sentences``, in bulk.

        Parameters
        ----------
        sentences : sequence of str

        Returns
        -------
        TokenIds
        """
        if self._table is None:
            self._table = _HashTable(self.words)
        unknown: dict[str, int] = {}
        parts = [np.empty(0, dtype=np.int32)]
        counts = [np.zeros(1, dtype=np.int64)]
        for start in range(0, len(sentences), _CHUNK):
            ids, lengths = self._chunk(sentences[start : start + _CHUNK], self._table, unknown)
            parts.append(ids)
            counts.append(lengths)
        return TokenIds(np.concatenate(parts), np.cumsum(np.concatenate(counts)), list(unknown))

    def _chunk(
        self, sentences: Sequence[str], table: _HashTable, unknown: dict[str, int]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        joined = "\n".join(sentences)
        if joined.isascii():
            lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
            return self._ascii(joined, lengths, table, unknown)
        # A few sentences of another kind: read them one by one, the runs between them in bulk.
        parts: list[NDArray[np.int32]] = []
        counts: list[NDArray[np.int64]] = []
        run = 0
        for i in [*(i for i, s in enumerate(sentences) if not s.isascii()), len(sentences)]:
            if i > run:
                ids, lengths = self._chunk(sentences[run:i], table, unknown)
                parts.append(ids)
                counts.append(lengths)
            if i < len(sentences):
                found = [self._id(token, unknown) for token in tokenize(sentences[i])]
                parts.append(np.array(found, dtype=np.int32))
                counts.append(np.array([len(found)], dtype=np.int64))
            run = i + 1
        return np.concatenate(parts), np.concatenate(counts)

    def _ascii(
        self,
        joined: str,
        lengths: NDArray[np.int64],
        table: _HashTable,
        unknown: dict[str, int],
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        # The space in front and the zeros behind spare every test for the ends of the text.
        text = b" " + joined.lower().encode("ascii") + b" " + bytes(2 * _WIDTH)
        starts, ends = _borders(text)
        ids = table.find(text, starts, ends - starts)
        for i in np.flatnonzero(ids < 0).tolist():
            ids[i] = self._id(text[starts[i] : ends[i]].decode("ascii"), unknown)
        borders = np.append(0, np.cumsum(lengths + 1)) + 1
        return ids, np.diff(np.searchsorted(starts, borders))

    def _id(self, token: str, unknown: dict[str, int]) -> int:
        known = self.index.get(token)
        if known is not None:
            return known
        return unknown.setdefault(token, len(self.words) + len(unknown))


def _borders(text: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where tokens start and end, by the rules of ``tokenize``."""
    codes = np.frombuffer(text, dtype=np.uint8)[: -2 * _WIDTH]
    kinds = np.frombuffer(bytearray(text.translate(_KINDS)), dtype=np.uint8)[: -2 * _WIDTH]
    joins = np.flatnonzero(kinds == _JOINER)
    left, right = joins - 1, joins + 1
    inside = np.where(
        codes[joins] == ord("'"),
        (kinds[left] == _WORD) & (kinds[right] == _WORD),
        _DIGIT[codes[left]] & _DIGIT[codes[right]],
    )
    kinds[joins] = np.where(inside, _WORD, _MARK)
    word, mark = kinds == _WORD, kinds == _MARK
    starts = mark.copy()
    starts[1:] |= word[1:] & ~word[:-1]
    ends = mark
    ends[:-1] |= word[:-1] & ~word[1:]
    return np.flatnonzero(starts), np.flatnonzero(ends) + 1


class _HashTable:
    """Open addressing over tokens of up to 16 bytes, read as two 64-bit integers."""

    def __init__(self, words: Sequence[str]) -> None:
        short = [(w.encode(), i) for i, w in enumerate(words) if w.isascii() and w]
        short = [(w, i) for w, i in short if len(w) <= _WIDTH and b"\0" not in w]
        packed = b"".join(w.ljust(_WIDTH, b"\0") for w, _ in short)
        keys = np.frombuffer(packed, dtype="<u8").reshape(-1, 2)
        self.low, self.high = np.zeros((2, len(words) + 1), dtype=np.uint64)
        numbers = np.array([i for _, i in short], dtype=np.int32)
        self.low[numbers], self.high[numbers] = keys[:, 0], keys[:, 1]
        n_bits = max(4, int(4 * len(words) + 1).bit_length())
        self.shift = np.uint64(64 - n_bits)
        # The slot behind the last lets a probe step over the end without a test.
        self.slots = np.full((1 << n_bits) + len(words) + 1, -1, dtype=np.int32)
        self._insert(numbers, self._slot(keys[:, 0], keys[:, 1]))

    def _slot(self, low: NDArray[np.uint64], high: NDArray[np.uint64]) -> NDArray[np.int64]:
        mixed = (low ^ (high * _MIX[1])) * _MIX[0]
        mixed ^= mixed >> np.uint64(29)
        return ((mixed * _MIX[1]) >> self.shift).astype(np.int64)

    def _insert(self, numbers: NDArray[np.int32], slots: NDArray[np.int64]) -> None:
        while len(numbers):
            _, first = np.unique(slots, return_index=True)
            first = first[self.slots[slots[first]] < 0]
            self.slots[slots[first]] = numbers[first]
            left = np.ones(len(numbers), dtype=bool)
            left[first] = False
            numbers, slots = numbers[left], slots[left] + 1

    def find(
        self, text: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Ids of the tokens of ``text``; -1 where the table does not hold one."""
        # All 8-byte words of the text, one starting at each byte.
        words = np.ndarray((len(text) - 7,), dtype="<u8", buffer=text, strides=(1,))
        low = words[starts] & _LOW_BYTES[np.minimum(lengths, 8)]
        high = np.zeros_like(low)
        longer = np.flatnonzero(lengths > 8)
        high[longer] = words[starts[longer] + 8] & _LOW_BYTES[np.minimum(lengths[longer] - 8, 8)]
        slots = self._slot(low, high)
        ids = self.slots[slots]
        wrong = np.flatnonzero((self.low[ids] != low) | (self.high[ids] != high))
        wrong = wrong[ids[wrong] >= 0]
        while len(wrong):  # another word sits there: step on until the word or a gap
            slots[wrong] += 1
            ids[wrong] = self.slots[slots[wrong]]
            at = ids[wrong]
            other = (self.low[at] != low[wrong]) | (self.high[at] != high[wrong])
            wrong = wrong[(at >= 0) & other]
        ids[lengths > _WIDTH] = -1
        return ids
