"""Sentences as lists of words and of character n-grams."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats
from skpara.features._kernels import Ids, Lists, cut, distinct
from skpara.text import Vocabulary, code_points

CHAR_SIZES = (2, 3, 4, 5)


class Bags:
    """The words, and the character n-grams inside words, of many sentences.

    Words are the tokens of ``skpara.text.tokenize`` without punctuation marks. A sentence of
    marks only keeps them. ``ids`` are positions in ``words``.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        # A vocabulary without words numbers all of them, without a Python object for each token.
        tokens = Vocabulary([]).token_ids(sentences)
        lists = Lists(tokens.ids.astype(np.int64), tokens.offsets)
        is_word = np.array([token[0].isalnum() for token in tokens.unknown], dtype=bool)
        only_marks = lists.sums(is_word) == 0
        keep = is_word[lists.ids] | only_marks[lists.owners]
        used = np.zeros(len(is_word), dtype=bool)
        used[lists.ids[keep]] = True
        self.words = list(compress(tokens.unknown, used))
        numbers = used.cumsum() - 1
        self.ids = lists.where(keep, numbers)

    @cached_property
    def distinct(self) -> tuple[Lists, Floats]:
        """The distinct words of each sentence and how often each occurs."""
        return distinct(self.ids, len(self.words))

    @cached_property
    def chars(self) -> CharNgrams:
        """The character n-grams of the sentences."""
        words = [f" {word} " for word in self.words]
        text = "".join(words)
        offsets = np.zeros(len(words) + 1, dtype=np.int64)
        offsets[1:] = np.fromiter(map(len, words), dtype=np.int64, count=len(words)).cumsum()
        points = code_points(text)
        of_words, starts, lengths = cut(points, offsets, np.arange(1, len(offsets)), CHAR_SIZES)
        # Each distinct word is cut once.
        ends = np.append(0, of_words.lengths[self.ids.ids].cumsum())[self.ids.offsets]
        ids = Lists(of_words.ids[of_words.places(self.ids.ids)], ends)
        return CharNgrams(text, points, starts, lengths, ids)


class CharNgrams(NamedTuple):
    """Distinct character n-grams of words, and the n-grams of each sentence."""

    text: str  # all words; a space stands for the beginning or the end of a word
    points: NDArray[np.uint32]  # the code points of the text
    starts: Ids  # where in the text each n-gram starts
    lengths: Ids
    ids: Lists

    @property
    def ngrams(self) -> list[str]:
        """The n-grams as strings."""
        starts, ends = self.starts.tolist(), (self.starts + self.lengths).tolist()
        return [self.text[start:end] for start, end in zip(starts, ends, strict=True)]

    @property
    def of_size(self) -> Floats:
        """1 where an n-gram belongs to an n, else 0, shape (n_sizes, n_ngrams).

        A word shorter than n belongs to n as a whole, as in scikit-learn's "char_wb".
        """
        sizes, ends = np.array(CHAR_SIZES)[:, None], self.starts + self.lengths - 1
        whole = (self.points[self.starts] == ord(" ")) & (self.points[ends] == ord(" "))
        belongs = (self.lengths == sizes) | (whole & (self.lengths < sizes))
        return belongs.astype(np.float64)
