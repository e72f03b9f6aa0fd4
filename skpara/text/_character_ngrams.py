"""Sentences to ids of character n-grams, for one sentence or for millions.

Characters become small numbers, an n-gram becomes one 64-bit integer of such digits, and a hash
table of these integers gives its id. NumPy does this for a few thousand sentences at a time. The
integers are exact, so no n-gram is mistaken for another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._core import Ragged, offsets_of
from skpara.text._hash_table import HashTable
from skpara.text._tokenizer import code_points, normalize

_CHUNK = 2048  # sentences; their n-grams take some 10 MB
_LONGEST = 8  # so that 255 characters, 8 bits each, fit into one 64-bit integer


class CharacterNgrams:
    """Read-only index of character n-grams.

    A sentence is normalized and lower-cased, runs of white space become one space, and a space is
    added at either end. N-grams may reach across words.

    Parameters
    ----------
    ngrams : iterable of str
        Distinct n-grams.
    ngram_range : tuple of (int, int), default=(2, 4)
        Length of the shortest and of the longest n-gram, from 1 to 8 characters.

    Attributes
    ----------
    words : list of str
        The n-grams in the order of their ids.
    ngram_range : tuple of (int, int)
        The same as the parameter.

    Raises
    ------
    ValueError
        If an n-gram occurs twice or its length is out of range, or if there are too many
        different characters for the longest n-gram (65,535 for four, 255 for eight).

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Charagram: embedding words and sentences
    via character n-grams. EMNLP.

    Examples
    --------
    >>> from skpara.text import CharacterNgrams
    >>> ngrams = CharacterNgrams([" a", "ab", "b "], ngram_range=(2, 2))
    >>> tokens = ngrams.token_ids(["Ab", "cab", ""])
    >>> tokens.ids.tolist(), tokens.offsets.tolist()
    ([0, 1, 2, 1, 2], [0, 3, 5, 5])
    """

    def __init__(self, ngrams: Iterable[str], ngram_range: tuple[int, int] = (2, 4)) -> None:
        self.words = list(ngrams)
        self.ngram_range = check_ngram_range(ngram_range)
        self._known = set(self.words)
        if len(self._known) < len(self.words):
            raise ValueError("An n-gram occurs twice; keep one.")
        shortest, longest = self.ngram_range
        if not all(shortest <= len(ngram) <= longest for ngram in self._known):
            raise ValueError(
                f"Every n-gram must have {shortest} to {longest} characters; remove the others "
                "or change ngram_range."
            )
        self._alphabet = _Alphabet(sorted(set("".join(self.words))), longest)
        self._table = HashTable(self._alphabet.keys(self.words))

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
        """Collect the n-grams of sentences, most frequent first.

        Of n-grams longer than four characters, those with the rarest characters are left out
        where the text has more different characters than fit.

        Parameters
        ----------
        sentences : sequence of str
            The text to learn from.
        ngram_range : tuple of (int, int), default=(2, 4)
            Length of the shortest and of the longest n-gram, from 1 to 8 characters.
        min_count : int, default=1
            How often an n-gram must occur to be kept.

        Returns
        -------
        CharacterNgrams
            The index of the n-grams.
        """
        check_ngram_range(ngram_range)
        characters: Counter[str] = Counter()
        for start in range(0, len(sentences), _CHUNK):
            characters.update("".join(map(framed, sentences[start : start + _CHUNK])))
        by_count = sorted(characters, key=lambda c: (-characters[c], c))
        most_frequent = by_count[: _Alphabet.capacity(ngram_range[1])]
        alphabet = _Alphabet(sorted(most_frequent), ngram_range[1])
        keys = np.empty(0, dtype=np.uint64)
        counts = np.empty(0, dtype=np.int64)
        for start in range(0, len(sentences), _CHUNK):
            windows, valid, _ = alphabet.windows(sentences[start : start + _CHUNK], ngram_range)
            new_keys, new_counts = np.unique(windows[valid], return_counts=True)
            keys, place = np.unique(np.concatenate([keys, new_keys]), return_inverse=True)
            counts = np.bincount(place, np.concatenate([counts, new_counts])).astype(np.int64)
        frequent = counts >= min_count
        ngrams = alphabet.ngrams(keys[frequent])
        order = np.lexsort((np.array(ngrams, dtype=object), -counts[frequent]))
        return cls([ngrams[i] for i in order], ngram_range)

    def token_ids(self, sentences: Sequence[str]) -> Ragged:
        """Look up the n-grams of sentences; unknown ones are left out.

        Parameters
        ----------
        sentences : sequence of str
            Sentences of any script.

        Returns
        -------
        Ragged
            The n-grams of each sentence, as positions in ``words``, of type int32.
        """
        parts = [np.empty(0, dtype=np.int32)]
        lengths = [np.empty(0, dtype=np.int64)]
        for start in range(0, len(sentences), _CHUNK):
            chunk = sentences[start : start + _CHUNK]
            keys, valid, ends = self._alphabet.windows(chunk, self.ngram_range)
            ids = self._table.find(keys.ravel()).reshape(keys.shape)
            ids[~valid] = -1
            known = ids >= 0
            n_known = offsets_of(known.sum(axis=1))[ends]  # up to the end of each sentence
            lengths.append(np.diff(n_known, prepend=0))
            parts.append(ids[known])
        return Ragged(np.concatenate(parts), offsets_of(np.concatenate(lengths)))


def framed(sentence: str) -> str:
    """Return the text to take n-grams from; nothing for an empty sentence."""
    words = normalize(sentence).split()
    return f" {' '.join(words)} " if words else ""


def check_ngram_range(ngram_range: Any, most: int = _LONGEST) -> tuple[int, int]:
    """Return the range of lengths as integers, or raise if it is not one."""
    sizes: list[Any] = [x if isinstance(x, Integral) else 0 for x in ngram_range]
    if len(sizes) != 2 or not 1 <= sizes[0] <= sizes[1] <= most:
        raise ValueError(
            f"ngram_range is {ngram_range!r:.60}; pass two whole numbers (low, high) with "
            f"1 <= low <= high <= {most}."
        )
    return int(sizes[0]), int(sizes[1])


class _Alphabet:
    """Characters as digits from 1; 0 stands for any other character."""

    def __init__(self, characters: Sequence[str], longest: int) -> None:
        if len(characters) > self.capacity(longest):
            raise ValueError(
                f"N-grams of {longest} characters may use {self.capacity(longest)} different "
                f"characters, got {len(characters)}; lower the longest length in ngram_range."
            )
        self.characters = characters
        self.n_bits = np.uint64(max(1, len(characters).bit_length()))
        points = np.array([ord(c) for c in characters], dtype=np.int64)
        self.digits = np.zeros(int(points.max(initial=0)) + 2, dtype=np.uint64)
        self.digits[points] = np.arange(1, len(characters) + 1)

    @staticmethod
    def capacity(longest: int) -> int:
        """Return the number of different characters that fit if an n-gram has 64 bits."""
        # At least four digits: 65,535 characters are enough for any text.
        return int((1 << (64 // max(longest, 4))) - 1)

    def _digits(self, text: str) -> NDArray[np.uint64]:
        # The last digit is 0; characters beyond the table get it, too.
        return self.digits[np.minimum(code_points(text), len(self.digits) - 1)]

    def windows(
        self, sentences: Sequence[str], ngram_range: tuple[int, int]
    ) -> tuple[NDArray[np.uint64], NDArray[np.bool_], NDArray[np.int64]]:
        """Pack the n-grams that start at each character into integers.

        Returns the integers and a mask of those that stand for an n-gram over this alphabet, both
        of shape (n_characters, n_orders), and where the characters of each sentence end.
        """
        shortest, longest = ngram_range
        texts = [framed(sentence) for sentence in sentences]
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        n_characters = int(lengths.sum())
        # To the end of the sentence, the character itself included.
        remaining = np.repeat(np.cumsum(lengths), lengths) - np.arange(n_characters)
        digits = np.zeros(n_characters + longest, dtype=np.uint64)
        digits[:n_characters] = self._digits("".join(texts))
        known = np.ones(n_characters, dtype=bool)
        keys = np.empty((n_characters, longest - shortest + 1), dtype=np.uint64)
        valid = np.empty(keys.shape, dtype=bool)
        key = np.zeros(n_characters, dtype=np.uint64)
        for order in range(1, longest + 1):
            last = digits[order - 1 : order - 1 + n_characters]
            key = (key << self.n_bits) | last
            known &= last > 0
            if order >= shortest:
                keys[:, order - shortest] = key
                valid[:, order - shortest] = known & (remaining >= order)
        return keys, valid, np.cumsum(lengths)

    def keys(self, ngrams: Sequence[str]) -> NDArray[np.uint64]:
        """Return the keys of n-grams over this alphabet."""
        lengths = np.fromiter(map(len, ngrams), dtype=np.int64, count=len(ngrams))
        starts = np.cumsum(lengths) - lengths
        digits = self._digits("".join(ngrams))
        keys = np.zeros(len(ngrams), dtype=np.uint64)
        for k in range(int(lengths.max(initial=0))):
            longer = lengths > k
            keys[longer] = (keys[longer] << self.n_bits) | digits[starts[longer] + k]
        return keys

    def ngrams(self, keys: NDArray[np.uint64]) -> list[str]:
        """Return the n-grams that have these keys."""
        characters = np.array(["", *self.characters], dtype=object)
        mask = (np.uint64(1) << self.n_bits) - np.uint64(1)
        texts = np.full(len(keys), "", dtype=object)
        rest = keys.copy()
        while rest.any():
            texts = characters[(rest & mask).astype(np.int64)] + texts
            rest >>= self.n_bits
        return texts.tolist()
