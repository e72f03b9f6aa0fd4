"""Pairs of words of two texts: which may be similar, and how similar they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Indel

from skpara._core import text_kernels
from skpara._typing import Floats
from skpara.matching._search import Rows

# Characters of a text or word that are compared: the time grows with the square of the length.
_MOST_CHARACTERS = 2**14
# Letters are counted in this many classes: 64 bits have one and two of each.
_CLASSES = 32
# What tells whether two words may be similar; the length is -1 if a word has digits.
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


class Side(NamedTuple):
    """The words of the first or of the second texts of pairs."""

    ids: Rows
    starts: Rows  # where those of each text begin
    sizes: Rows

    def words(self) -> Rows:
        """Return the words of all texts, one after the other."""
        ends = np.cumsum(self.sizes)
        offsets = np.repeat(self.starts - (ends - self.sizes), self.sizes)
        return self.ids[offsets + np.arange(len(offsets))]

    def pairs(self) -> Rows:
        """Return the number of the pair of each word."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def one(self, last: bool) -> Side:
        """Return the first or the last word of each text."""
        starts = self.starts + self.sizes - 1 if last else self.starts
        return Side(self.ids, starts, np.ones_like(self.sizes))


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
    # A word that another one begins with: an abbreviation, or an initial.
    for number, (a, b) in enumerate(zip(left, right, strict=True)):
        if a[0] == b[0] and (a.startswith(b) or b.startswith(a)):
            least = _PREFIX if min(len(a), len(b)) > 2 else _INITIAL
            values[number] = max(values[number], least)
    return values


def letters_in_common(left: list[str], right: list[str]) -> Floats:
    """Return the similarity of pairs of strings: 1 less the share of letters to change."""
    left, right = ([text[:_MOST_CHARACTERS] for text in texts] for texts in (left, right))
    return process.cpdist(left, right, scorer=Indel.normalized_similarity).astype(np.float64)
