"""Pairs of words of two texts: which may be similar, and how similar they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Indel

from skpara._core import Ragged, offsets_of, ranges, text_kernels
from skpara._typing import Floats, Vectors
from skpara.matching._search import Rows

# Characters of a text or word that are compared: the time grows with the square of the length.
_MOST_CHARACTERS = 2**14
# Letters are counted in this many classes: 64 bits have one and two of each.
_CLASSES = 32
# Facts that rule out most similar words; the length is -1 if a word has digits.
_SPELLING = np.dtype([("letters", np.uint64), ("more", np.int32), ("length", np.int32)])
# Similarity of a word with a longer one that it begins, such as "univ".
_PREFIX = 0.8
# Similarity of an initial with a word.
_INITIAL = 0.5


class Words(NamedTuple):
    """The words of one of the two texts of pairs."""

    pairs: Rows  # numbers of the pairs, in order
    ids: Rows
    found: Floats  # the similarity of the most similar word of the other text


class Aligned(NamedTuple):
    """The words of both texts of pairs: lists ``2 k`` and ``2 k + 1`` are those of pair ``k``."""

    words: Ragged  # ids
    found: Vectors  # as in Words, of single precision: a table has many pairs

    @classmethod
    def of_sides(cls, sides: Sequence[Words], n_pairs: int) -> Aligned:
        """Return the words of pairs from those of both sides."""
        lists = np.concatenate([2 * words.pairs + k for k, words in enumerate(sides)])
        order = np.argsort(lists, kind="stable")
        ids, found = (np.concatenate([words[x] for words in sides])[order] for x in (1, 2))
        offsets = offsets_of(np.bincount(lists, minlength=2 * n_pairs))
        return cls(Ragged(ids.astype(np.int32), offsets), found.astype(np.float32))

    @classmethod
    def joined(cls, parts: Sequence[Aligned]) -> Aligned:
        """Join the words of parts of pairs."""
        sizes = np.concatenate([part.words.lengths for part in parts])
        ids = np.concatenate([part.words.ids for part in parts])
        return cls(Ragged(ids, offsets_of(sizes)), np.concatenate([part.found for part in parts]))

    def lists(self, numbers: Rows) -> Words:
        """Return the words of some lists, which are numbered from 0."""
        places = self.words.places(numbers)
        pairs = np.repeat(np.arange(len(numbers)), self.words.lengths[numbers])
        ids, found = self.words.ids[places], self.found[places]
        return Words(pairs, ids.astype(np.int64), found.astype(np.float64))


class Side(NamedTuple):
    """The words of the first or of the second texts of pairs."""

    ids: Rows
    starts: Rows  # where those of each text begin
    sizes: Rows

    def words(self) -> Rows:
        """Return the words of all texts, one after the other."""
        return self.ids[ranges(self.starts, self.sizes)]

    def pairs(self) -> Rows:
        """Return the number of the pair of each word."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def with_ends(self) -> Side:
        """Return all texts, then the first words of all, then the last ones."""
        one = np.ones_like(self.sizes)
        starts = np.concatenate([self.starts, self.starts, self.starts + self.sizes - 1])
        return Side(self.ids, starts, np.concatenate([self.sizes, one, one]))


def joined_sides(parts: Sequence[Sequence[Words]]) -> list[Words]:
    """Join the words of both texts of parts of pairs."""
    none = Words(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))
    sides = zip([none, none], *filter(None, parts), strict=True)
    return [Words(*map(np.concatenate, zip(*side, strict=True))) for side in sides]


def best_similarities(
    words: list[str], has_digit: Floats, first: Side, second: Side
) -> tuple[Floats, Floats]:
    """Return the similarity of each word with the most similar one of the other text.

    Two numbers have 1 or 0. ``words`` are those that the ids of both sides are of.
    """
    ids = first.words(), second.words()
    found = np.zeros(len(ids[0])), np.zeros(len(ids[1]))
    spellings = _spellings(words, np.concatenate(ids), has_digit)
    arguments = ids[0], first.sizes, ids[1], second.sizes, spellings, *found
    n = len(ids[0]) + len(ids[1])  # more than there usually are
    places = np.empty((2, n), dtype=np.int64)
    n_pairs = text_kernels.word_pairs(*arguments, *places)
    if n_pairs > n:
        places = np.empty((2, n_pairs), dtype=np.int64)
        text_kernels.word_pairs(*arguments, *places)
    left, right = places[:, :n_pairs]
    keys, place = np.unique(ids[0][left] * len(words) + ids[1][right], return_inverse=True)
    first_words, second_words = ([words[x] for x in y.tolist()] for y in divmod(keys, len(words)))
    values = _similarities(first_words, second_words)
    np.maximum.at(found[0], left, values[place])
    np.maximum.at(found[1], right, values[place])
    return found


def _spellings(words: list[str], ids: Rows, has_digit: Floats) -> NDArray[np.void]:
    """Return which letters words have, as numbers to compare them by; of others, zeros."""
    spellings = np.zeros(len(words), dtype=_SPELLING)
    used = np.unique(ids)
    texts = [words[x][:_MOST_CHARACTERS] for x in used.tolist()]
    letters = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
    lengths = np.fromiter(map(len, texts), dtype=np.int32)
    cells = np.repeat(np.arange(len(used)) * _CLASSES, lengths) + letters % _CLASSES
    counts = np.bincount(cells, minlength=len(used) * _CLASSES).reshape(-1, _CLASSES)
    bits = np.packbits(np.hstack([counts > 0, counts > 1]), axis=1)
    spellings["letters"][used] = bits.view(np.uint64).ravel()
    spellings["more"][used] = np.maximum(counts - 2, 0).sum(axis=1)
    spellings["length"][used] = np.where(has_digit[used] > 0, -1, lengths)
    return spellings


def _similarities(left: list[str], right: list[str]) -> Floats:
    """Return the similarity of pairs of words that are not the same."""
    values: Floats = np.clip(2 * letters_in_common(left, right) - 1, 0, 1) ** 1.5
    # A word with which another begins: an abbreviation, or an initial.
    for number, (a, b) in enumerate(zip(left, right, strict=True)):
        if a[0] == b[0] and (a.startswith(b) or b.startswith(a)):
            least = _PREFIX if min(len(a), len(b)) > 2 else _INITIAL
            values[number] = max(values[number], least)
    return values


def letters_in_common(left: list[str], right: list[str]) -> Floats:
    """Return the similarity of pairs of strings: 1 less the share of letters to change."""
    left, right = ([text[:_MOST_CHARACTERS] for text in texts] for texts in (left, right))
    return process.cpdist(left, right, scorer=Indel.normalized_similarity).astype(np.float64)
