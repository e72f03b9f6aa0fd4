"""Sentences as lists of words and of character n-grams."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats
from skpara.features._lists import Ids, Lists, cut, distinct
from skpara.text import code_points, tokenize

CHAR_SIZES = (2, 3, 4, 5)


class Bags:
    """The words, and the character n-grams inside words, of many sentences.

    Words are those of :func:`skpara.text.tokenize` without punctuation marks. A sentence of
    nothing but marks keeps its marks. ``ids`` are positions in ``words``.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        terms = []
        for sentence in sentences:
            tokens = tokenize(sentence)
            terms.append([token for token in tokens if token[0].isalnum()] or tokens)
        self._terms = terms
        self.words, self.ids = Lists.of(terms)

    @cached_property
    def distinct(self) -> tuple[Lists, Floats]:
        """The distinct words of each sentence and how often each occurs."""
        return distinct(self.ids, len(self.words))

    @cached_property
    def chars(self) -> CharNgrams:
        """The character n-grams of the sentences."""
        words = [f" {word} " for words in self._terms for word in words]
        text = "".join(words)
        offsets = np.zeros(len(words) + 1, dtype=np.int64)
        offsets[1:] = np.fromiter(map(len, words), dtype=np.int64, count=len(words)).cumsum()
        points = code_points(text)
        ids, starts, lengths = cut(points, offsets, self.ids.offsets[1:], CHAR_SIZES)
        ends = (starts + lengths).tolist()
        ngrams = [text[start:end] for start, end in zip(starts.tolist(), ends, strict=True)]
        space = ord(" ")
        whole = (points[starts] == space) & (points[starts + lengths - 1] == space)
        return CharNgrams(ngrams, lengths, whole, ids)


class CharNgrams(NamedTuple):
    """Distinct character n-grams of words, and those of each sentence."""

    ngrams: list[str]  # a space stands for the beginning or the end of a word
    lengths: Ids
    whole: NDArray[np.bool_]  # whether an n-gram is a whole word
    ids: Lists

    @property
    def of_size(self) -> Floats:
        """1 where an n-gram belongs to an n, else 0, shape (n_sizes, n_ngrams).

        A word shorter than n belongs to n as a whole, as in scikit-learn's "char_wb".
        """
        sizes = np.array(CHAR_SIZES)[:, None]
        belongs = (self.lengths == sizes) | (self.whole & (self.lengths < sizes))
        return belongs.astype(np.float64)
