"""Content words aligned one to one: the same, or alike, and in like company."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family
from skpara.features._padding import groups, padded_ids
from skpara.features._takelab_words import STOP_WORDS

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch

# Words on each side that are the company of a word, and how much company counts.
_WINDOW = 3
_COMPANY = 0.1
# The least cosine of words that are alike, and how alike the most alike are beside equal ones.
_ALIKE = 0.5
_AT_MOST = 0.9
# Numbers in the largest array that a group of pairs makes.
_MAX_SIZE = 1_000_000
_LEAST = 1e-6  # weight of a word that tells nothing, so that a side of such words has a mean


class _Content:
    """Content words of each token list: what they are called, and which lemma they have."""

    def __init__(self, batch: PairBatch) -> None:
        index: dict[str, int] = {}
        lemmas: dict[str, int] = {}
        known: dict[tuple[str, str], tuple[int, int]] = {}
        self.forms: list[NDArray[np.int64]] = []
        self.lemmas: list[NDArray[np.int64]] = []
        sides = batch.takelab
        for tokens, tags in zip(sides.tokens, sides.tags, strict=True):
            found = []
            for token, tag in zip(tokens, tags, strict=True):
                numbers = known.get((token, tag[:2]))
                if numbers is None:
                    word = token.lower()
                    if word in STOP_WORDS or not any(map(str.isalnum, word)):
                        numbers = (-1, -1)
                    else:
                        lemma = batch.lemma(word, tag)
                        numbers = (
                            index.setdefault(word, len(index)),
                            lemmas.setdefault(lemma, len(lemmas)),
                        )
                    known[token, tag[:2]] = numbers
                if numbers[0] >= 0:
                    found.append(numbers)
            forms, own = np.array(found, dtype=np.int64).reshape(-1, 2).T
            self.forms.append(forms)
            self.lemmas.append(own)
        self.words = list(index)


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    Each content word (numbers are content) is aligned with at most one of the other side. The
    similarity of two words is 1 if they or their lemmas are the same, else 0.9 times the cosine
    of their vectors where that is 0.5 or more, else 0. Pairs of words are taken from the most
    similar on; the similarities of the three words before and behind each count a tenth.

    aligned_content
        The similarities of the aligned words, for both sides, over the content words of both.
    aligned_content_ic
        The same, each word weighted by its information content.

    Both are in [0, 1], symmetric, and 0 where a side has no content word.

    References
    ----------
    M. A. Sultan, S. Bethard, T. Sumner (2014). Back to basics for monolingual alignment:
    exploiting word similarity and contextual evidence. TACL 2.

    H. Wu, H. Huang, P. Jian, Y. Guo, C. Su (2017). BIT at SemEval-2017 Task 1: using semantic
    information space to evaluate semantic textual similarity. SemEval.
    """
    content = _Content(batch)
    frequencies = batch.frequencies
    information = frequencies.information(content.words, unknown=frequencies.max_information)
    weights = np.append(np.maximum(information, _LEAST), 0.0)
    unit = _unit_rows(batch.vectors.lookup(content.words, oov="subword"))
    sizes = np.array([len(ids) for ids in content.forms])
    first, second = batch.takelab.sides
    longest = np.maximum(sizes[first], sizes[second])
    features = np.zeros((len(batch), 2))
    for group in groups(longest * np.maximum(longest, 2 * unit.shape[1]) + 1, _MAX_SIZE):
        forms = [
            padded_ids([content.forms[k] for k in side[group]], -1) for side in (first, second)
        ]
        lemmas = [
            padded_ids([content.lemmas[k] for k in side[group]], padding)
            for side, padding in ((first, -1), (second, -2))
        ]
        if not all(side.shape[1] for side in forms):
            continue
        similar = unit[forms[0]] @ unit[forms[1]].transpose(0, 2, 1)
        similar = np.where(similar >= _ALIKE, _AT_MOST * np.minimum(similar, 1.0), 0.0)
        similar[lemmas[0][:, :, None] == lemmas[1][:, None, :]] = 1.0
        real = [side >= 0 for side in forms]
        similar[(forms[0][:, :, None] == forms[1][:, None, :]) & real[0][:, :, None]] = 1.0
        aligned = np.where(_aligned(similar), similar, 0.0)
        for column, values in enumerate((np.append(np.ones(len(weights) - 1), 0.0), weights)):
            a, b = (values[side] for side in forms)
            shared = (aligned.sum(axis=2) * a).sum(axis=1) + (aligned.sum(axis=1) * b).sum(axis=1)
            total = a.sum(axis=1) + b.sum(axis=1)
            features[group, column] = shared / np.maximum(total, _LEAST)
    return features


def _unit_rows(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows of length 1 (rows of zeros stay), and a row of zeros for padding."""
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    unit = np.zeros((len(matrix) + 1, matrix.shape[1]), dtype=np.float32)
    unit[:-1] = matrix / np.where(lengths > 0, lengths, 1.0)[:, None]
    return unit


def _aligned(similar: NDArray[Any]) -> NDArray[np.bool_]:
    """Which words of the two sides of each pair are aligned, shape as that of ``similar``.

    Among equally good ones those at the nearest places, then the earliest, so that it does not
    matter which side is first.
    """
    company = np.minimum(_sums_around(similar) / (2 * _WINDOW), 1.0)
    good = np.rint(1e6 * ((1 - _COMPANY) * similar + _COMPANY * company)).astype(np.int64)
    here, there = np.arange(similar.shape[1])[:, None], np.arange(similar.shape[2])
    length = similar.shape[1] + similar.shape[2]
    rank = good * length**2 - np.abs(here - there) * length - here - there
    rank[similar <= 0] = 0
    chosen = np.zeros(similar.shape, dtype=bool)
    while True:
        # The best of both its row and its column would be taken before any of either.
        best = (rank > 0) & (rank == rank.max(axis=2, keepdims=True))
        best &= rank == rank.max(axis=1, keepdims=True)
        if not best.any():
            return chosen
        chosen |= best
        rank[best.any(axis=2)] = 0
        rank.transpose(0, 2, 1)[best.any(axis=1)] = 0


def _sums_around(values: NDArray[Any]) -> NDArray[np.float64]:
    """The sum of the values in the window around each, without its own."""
    width = 2 * _WINDOW + 1
    sums = np.pad(values, ((0, 0), (_WINDOW + 1, _WINDOW), (_WINDOW + 1, _WINDOW)))
    sums = sums.cumsum(axis=1).cumsum(axis=2)
    around = (
        sums[:, width:, width:]
        - sums[:, :-width, width:]
        - sums[:, width:, :-width]
        + sums[:, :-width, :-width]
    )
    found: NDArray[np.float64] = np.maximum(around - values, 0.0)
    return found


FAMILY = Family(
    "word_alignment",
    ("aligned_content", "aligned_content_ic"),
    compute,
    needs=frozenset({"frequencies", "vectors", "wordnet", "tagger"}),
)
