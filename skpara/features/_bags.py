"""Sentences as counts of words and of character n-grams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara.text import tokenize

CHAR_SIZES = (2, 3, 4, 5)


class Bags:
    """Words, and character n-grams inside words, of many sentences, without order.

    Words are those of :func:`skpara.text.tokenize` without punctuation marks, so numbers count;
    a sentence of marks alone keeps its marks.

    Parameters
    ----------
    sentences : sequence of str

    Attributes
    ----------
    words : list of str
        The distinct words.
    counts : csr_matrix of float64, shape (n_sentences, n_words)
        How often each stands in each sentence; sorted indices.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        terms: list[str] = []
        ends = [0]
        for sentence in sentences:
            tokens = tokenize(sentence)
            terms += [token for token in tokens if token[0].isalnum()] or tokens
            ends.append(len(terms))
        self.words, self.counts = _count(terms, ends)

    def words_of(self, sentence: int) -> list[str]:
        """The distinct words of one sentence."""
        start, end = self.counts.indptr[sentence : sentence + 2].tolist()
        return [self.words[i] for i in self.counts.indices[start:end].tolist()]

    @cached_property
    def _cut(self) -> tuple[list[str], sparse.csr_matrix]:
        return cut_words(self.words, CHAR_SIZES)

    @property
    def chars(self) -> list[str]:
        """The distinct n-grams, as :func:`cut_words` gives them."""
        return self._cut[0]

    @cached_property
    def char_counts(self) -> sparse.csr_matrix:
        """How often each n-gram stands in each sentence, shape (n_sentences, n_ngrams)."""
        # The n-grams of a sentence are those of its words, and each word is cut up only once.
        counts = (self.counts @ self._cut[1]).tocsr()
        counts.sort_indices()
        return counts

    @cached_property
    def chars_of_size(self) -> NDArray[np.float64]:
        """Which n-grams belong to which n, shape (n_ngrams, n_sizes): 1 or 0.

        A word shorter than n belongs to n as a whole, as in scikit-learn's "char_wb".
        """
        lengths = np.fromiter(map(len, self.chars), dtype=np.intp, count=len(self.chars))
        whole = np.array([gram[0] == gram[-1] == " " for gram in self.chars], dtype=bool)
        sizes = np.array(CHAR_SIZES)
        belongs = lengths[:, None] == sizes
        belongs |= whole[:, None] & (lengths[:, None] < sizes)
        return belongs.astype(np.float64)


def cut_words(words: Iterable[str], sizes: Iterable[int]) -> tuple[list[str], sparse.csr_matrix]:
    """Distinct character n-grams of words, and their counts.

    Parameters
    ----------
    words : iterable of str
        Words without white space.
    sizes : iterable of int
        The n, each 2 or more.

    Returns
    -------
    ngrams : list of str
        A space stands for the beginning or the end of a word.
    counts : csr_matrix of float64, shape (n_words, n_ngrams)

    Examples
    --------
    >>> from skpara.features._bags import cut_words
    >>> cut_words(["no", "on"], [2, 3])[0]
    [' n', 'no', 'o ', ' no', 'no ', ' o', 'on', 'n ', ' on', 'on ']
    """
    terms: list[str] = []
    ends = [0]
    sizes = tuple(sizes)
    for word in words:
        padded = f" {word} "
        for n in sizes:
            terms += [padded[i : i + n] for i in range(len(padded) - n + 1)]
        ends.append(len(terms))
    return _count(terms, ends)


def _count(terms: list[str], ends: list[int]) -> tuple[list[str], sparse.csr_matrix]:
    """Distinct terms, and the counts of rows that end at ``ends``."""
    distinct = list(dict.fromkeys(terms))
    index = {term: i for i, term in enumerate(distinct)}
    columns = np.fromiter(map(index.__getitem__, terms), dtype=np.int32, count=len(terms))
    counts = sparse.csr_matrix(
        (np.ones(len(terms)), columns, np.array(ends, dtype=np.int32)),
        shape=(len(ends) - 1, len(distinct)),
    )
    counts.sum_duplicates()
    return distinct, counts
