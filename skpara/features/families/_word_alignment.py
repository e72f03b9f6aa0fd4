"""Content words aligned one to one: the same, or alike, and in like company."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family
from skpara.features._padding import groups
from skpara.features._takelab_words import STOP_WORDS
from skpara.features.families._alignment import unit_rows
from skpara.text._overlaps import Sides

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
    tagged, frequencies = batch.tagged, batch.frequencies
    content = [is_content(word) for word in tagged.words]
    words, forms = tagged.numbered(tagged.words, content)
    _, lemmas = tagged.numbered(tagged.lemmas, content)
    information = frequencies.information(words, unknown=frequencies.max_information)
    weights = np.append(np.maximum(information, _LEAST), 0.0)
    unit = unit_rows(batch.vectors_of(words))[0]
    starts = [np.append(0, np.cumsum(side.lengths)) for side in forms]
    longest = np.maximum(forms[0].lengths, forms[1].lengths)
    features = np.zeros((len(batch), 2))
    for group in groups(longest * np.maximum(longest, 2 * unit.shape[1]) + 1, _MAX_SIZE):
        # Words and lemmas of both sides, -1 behind the last of each.
        shown = [_shown(forms[k], lemmas[k], starts[k], group) for k in (0, 1)]
        if not all(side.shape[2] for side in shown):
            continue
        (a, a_lemmas), (b, b_lemmas) = shown
        same = (a[:, :, None] == b[:, None, :]) | (a_lemmas[:, :, None] == b_lemmas[:, None, :])
        same &= (a >= 0)[:, :, None]
        similar = similarities(unit[a] @ unit[b].transpose(0, 2, 1), same)
        aligned = np.where(aligned_words(similar), similar, 0.0)
        best = aligned.sum(axis=2), aligned.sum(axis=1)
        for column, values in enumerate((weights > 0, weights)):
            shared = (best[0] * values[a]).sum(axis=1) + (best[1] * values[b]).sum(axis=1)
            total = values[a].sum(axis=1) + values[b].sum(axis=1)
            features[group, column] = shared / np.maximum(total, _LEAST)
    return features


def is_content(word: str) -> bool:
    """Whether a lower-cased token may be aligned: numbers may, stop words and marks not."""
    return word not in STOP_WORDS and any(map(str.isalnum, word))


def similarities(cosines: NDArray[Any], same: NDArray[np.bool_]) -> NDArray[Any]:
    """How alike words are, in [0, 1], by the cosines of their vectors and where they are equal."""
    similar = np.where(cosines >= _ALIKE, _AT_MOST * np.minimum(cosines, 1.0), 0.0)
    similar[same] = 1.0
    return similar


def _shown(
    forms: Sides, lemmas: Sides, starts: NDArray[np.int64], group: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Words and lemmas of one side of some pairs, shape (2, n_pairs, longest); -1 behind."""
    lengths = forms.lengths[group]
    columns = np.arange(lengths.max(initial=0))
    places = np.where(columns < lengths[:, None], starts[group][:, None] + columns, -1)
    return np.stack([np.append(side.ids, -1)[places] for side in (forms, lemmas)])


def aligned_words(similar: NDArray[Any]) -> NDArray[np.bool_]:
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
