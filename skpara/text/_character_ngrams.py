"""Sentences to ids of character n-grams, for one sentence or for millions.

Characters become small numbers, an n-gram becomes one 64-bit integer of such digits, and a hash
table of these integers gives its id: NumPy does it for a few thousand sentences at a time. The
integers are exact, so no n-gram is taken for another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara.text._tokenizer import normalize
from skpara.text._vocabulary import TokenIds

_CHUNK = 2048  # sentences
_MIX = np.uint64(0x9E3779B97F4A7C15)
_LONGEST = 8


@set_module("skpara.text")
class CharacterNgrams:
    """Read-only index of character n-grams.

    A sentence is normalised and lower-cased, runs of white space become one space, and a space is
    put at either end; its n-grams reach across words.

    Parameters
    ----------
    ngrams : iterable of str
        Distinct n-grams.
    ngram_range : tuple of (int, int), default=(2, 4)
        Shortest and longest n-gram, from 1 to 8 characters.

    Raises
    ------
    ValueError
        If an n-gram occurs twice or is not as long as the range says, or there are too many
        different characters for so long n-grams (65,535 for four, 255 for eight).

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Charagram: embedding words and sentences
    via character n-grams. EMNLP.

    Examples
    --------
    >>> from skpara.text import CharacterNgrams
    >>> ngrams = CharacterNgrams([" a", "ab", "b "], ngram_range=(2, 2))
    >>> ids, offsets, _ = ngrams.token_ids(["Ab", "cab", ""])
    >>> ids.tolist(), offsets.tolist()
    ([0, 1, 2, 1, 2], [0, 3, 5, 5])
    """

    def __init__(self, ngrams: Iterable[str], ngram_range: tuple[int, int] = (2, 4)) -> None:
        self.words, self.ngram_range = list(ngrams), check_ngram_range(ngram_range)
        self._known = set(self.words)
        if len(self._known) < len(self.words):
            raise ValueError("An n-gram occurs twice; keep one.")
        shortest, longest = self.ngram_range
        if not all(shortest <= len(ngram) <= longest for ngram in self._known):
            raise ValueError(f"Every n-gram needs {shortest} to {longest} characters.")
        self._alphabet = _Alphabet(sorted(set("".join(self.words))), longest)
        self._table = _IntegerTable(self._alphabet.keys(self.words))

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, ngram: object) -> bool:
        return ngram in self._known

    def __getstate__(self) -> dict[str, Any]:
        return {"words": self.words, "ngram_range": self.ngram_range}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["words"], state["ngram_range"])  # type: ignore[misc]

    @classmethod
    def learn(
        cls,
        sentences: Sequence[str],
        ngram_range: tuple[int, int] = (2, 4),
        min_count: int = 1,
    ) -> CharacterNgrams:
        """The n-grams that occur at least ``min_count`` times, most frequent first.

        Of n-grams longer than four characters, those with the rarest characters are left out
        where the text has more different ones than fit.
        """
        check_ngram_range(ngram_range)
        characters: Counter[str] = Counter()
        for start in range(0, len(sentences), _CHUNK):
            characters.update("".join(map(framed, sentences[start : start + _CHUNK])))
        by_count = sorted(characters, key=lambda c: (-characters[c], c))
        fitting = by_count[: _Alphabet.capacity(ngram_range[1])]
        alphabet = _Alphabet(sorted(fitting), ngram_range[1])
        keys, counts = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
        for start in range(0, len(sentences), _CHUNK):
            found, valid, _ = alphabet.windows(sentences[start : start + _CHUNK], ngram_range)
            new, times = np.unique(found[valid], return_counts=True)
            keys, place = np.unique(np.concatenate([keys, new]), return_inverse=True)
            counts = np.bincount(place, np.concatenate([counts, times])).astype(np.int64)
        often = counts >= min_count
        ngrams = alphabet.ngrams(keys[often])
        order = np.lexsort((np.array(ngrams, dtype=object), -counts[often]))
        return cls([ngrams[i] for i in order], ngram_range)

    def token_ids(self, sentences: Sequence[str]) -> TokenIds:
        """Ids of the known n-grams of ``sentences``; others are left out.

        Parameters
        ----------
        sentences : sequence of str

        Returns
        -------
        TokenIds
            With ``unknown`` empty.
        """
        parts, counts = [np.empty(0, dtype=np.int32)], [np.zeros(1, dtype=np.int64)]
        for start in range(0, len(sentences), _CHUNK):
            some = sentences[start : start + _CHUNK]
            keys, valid, ends = self._alphabet.windows(some, self.ngram_range)
            ids = self._table.find(keys)
            ids[~valid] = -1
            known = ids >= 0
            per_character = np.append(0, np.cumsum(known.sum(axis=1)))
            counts.append(np.diff(per_character[np.append(0, ends)]))
            parts.append(ids[known])
        return TokenIds(np.concatenate(parts), np.cumsum(np.concatenate(counts)), [])


def framed(sentence: str) -> str:
    """The text whose n-grams are taken; nothing for an empty sentence."""
    words = normalize(sentence).split()
    return f" {' '.join(words)} " if words else ""


def check_ngram_range(ngram_range: tuple[int, int]) -> tuple[int, int]:
    """Refuse a range of lengths that is none."""
    shortest, longest = ngram_range
    if not 1 <= shortest <= longest <= _LONGEST:
        raise ValueError(
            f"ngram_range must be (shortest, longest), 1 <= shortest <= longest <= {_LONGEST}; "
            f"got {ngram_range}."
        )
    return int(shortest), int(longest)


class _Alphabet:
    """Characters as digits from 1; 0 is any other character."""

    def __init__(self, characters: Sequence[str], longest: int) -> None:
        if len(characters) > self.capacity(longest):
            raise ValueError(
                f"N-grams of {longest} characters may use {self.capacity(longest)} different "
                f"ones, got {len(characters)}; shorten ngram_range."
            )
        self.characters = characters
        self.n_bits = np.uint64(max(1, len(characters).bit_length()))
        points = np.array([ord(c) for c in characters], dtype=np.int64)
        self.digits = np.zeros(int(points.max(initial=0)) + 2, dtype=np.uint64)
        self.digits[points] = np.arange(1, len(characters) + 1)

    @staticmethod
    def capacity(longest: int) -> int:
        """How many characters fit where the longest n-gram is packed into 64 bits."""
        return int((1 << (64 // max(longest, 4))) - 1)

    def _digits(self, text: str) -> NDArray[np.uint64]:
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        # The last digit is 0, and so is that of every character behind it.
        return self.digits[np.minimum(points, len(self.digits) - 1)]

    def windows(
        self, sentences: Sequence[str], ngram_range: tuple[int, int]
    ) -> tuple[NDArray[np.uint64], NDArray[np.bool_], NDArray[np.int64]]:
        """Keys of the n-grams that start at each character, and which of them are n-grams.

        Returns
        -------
        keys, valid : ndarrays of shape (n_characters, n_orders)
        ends : ndarray of shape (n_sentences,)
            Where each sentence's characters end.
        """
        shortest, longest = ngram_range
        texts = [framed(sentence) for sentence in sentences]
        ends = np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)))
        n_characters = int(ends[-1]) if len(ends) else 0
        digits = np.zeros(n_characters + longest, dtype=np.uint64)
        digits[:n_characters] = self._digits("".join(texts))
        left = np.repeat(ends, np.diff(ends, prepend=0)) - np.arange(n_characters)
        whole = np.ones(n_characters, dtype=bool)
        keys = np.empty((n_characters, longest - shortest + 1), dtype=np.uint64)
        valid = np.empty(keys.shape, dtype=bool)
        key = np.zeros(n_characters, dtype=np.uint64)
        for order in range(1, longest + 1):
            last = digits[order - 1 : order - 1 + n_characters]
            key = (key << self.n_bits) | last
            whole &= last > 0
            if order >= shortest:
                keys[:, order - shortest] = key
                valid[:, order - shortest] = whole & (left >= order)
        return keys, valid, ends

    def keys(self, ngrams: Sequence[str]) -> NDArray[np.uint64]:
        """The keys of n-grams over this alphabet."""
        lengths = np.fromiter(map(len, ngrams), dtype=np.int64, count=len(ngrams))
        starts = np.cumsum(lengths) - lengths
        digits = self._digits("".join(ngrams))
        keys = np.zeros(len(ngrams), dtype=np.uint64)
        for k in range(int(lengths.max(initial=0))):
            longer = lengths > k
            keys[longer] = (keys[longer] << self.n_bits) | digits[starts[longer] + k]
        return keys

    def ngrams(self, keys: NDArray[np.uint64]) -> list[str]:
        """The n-grams that have these keys."""
        characters = np.array(["", *self.characters], dtype=object)
        mask = (np.uint64(1) << self.n_bits) - np.uint64(1)
        found = np.full(len(keys), "", dtype=object)
        rest = keys.copy()
        while rest.any():
            found = characters[(rest & mask).astype(np.int64)] + found
            rest >>= self.n_bits
        ngrams: list[str] = found.tolist()
        return ngrams


class _IntegerTable:
    """Open addressing over 64-bit integers."""

    def __init__(self, keys: NDArray[np.uint64]) -> None:
        n_bits = max(4, int(4 * len(keys) + 1).bit_length())
        self.shift = np.uint64(64 - n_bits)
        self.keys = np.append(keys, np.uint64(0))  # number -1, an empty slot, has key 0
        # The slots behind the last let a probe step over the end without a test.
        self.slots = np.full((1 << n_bits) + len(keys) + 1, -1, dtype=np.int32)
        numbers, slots = np.arange(len(keys), dtype=np.int32), self._slot(keys)
        while len(numbers):
            _, first = np.unique(slots, return_index=True)
            first = first[self.slots[slots[first]] < 0]
            self.slots[slots[first]] = numbers[first]
            left = np.ones(len(numbers), dtype=bool)
            left[first] = False
            numbers, slots = numbers[left], slots[left] + 1

    def _slot(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        mixed = keys * _MIX
        mixed ^= mixed >> np.uint64(32)
        return ((mixed * _MIX) >> self.shift).astype(np.int64)

    def find(self, keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Numbers of the keys; -1 where the table does not hold one."""
        slots = self._slot(keys)
        found = self.slots[slots]
        wrong = (found >= 0) & (self.keys[found] != keys)
        while wrong.any():  # another key sits there: step on until the key or a gap
            slots[wrong] += 1
            found[wrong] = self.slots[slots[wrong]]
            wrong = (found >= 0) & (self.keys[found] != keys)
        return found
