"""Measures of machine translation, one sentence taken as a translation of the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.features._edit_rates import translation_edit_rates
from skpara.features._family import Family
from skpara.text._overlaps import Overlap, Sides, overlaps

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch

_BLEU_ORDER, _NIST_ORDER, _CHRF_ORDER = 4, 5, 6
_CHRF_BETA = 2
# NIST's penalty is a half where the translation has two thirds of the words.
_NIST_PENALTY = np.log(0.5) / np.log(1.5) ** 2


def bleu(found: Sequence[Overlap]) -> NDArray[np.float64]:
    """Sentence BLEU of the left sides with the right sides as references, in [0, 1].

    With n-grams up to 4, no longer than the sentence, and exponential smoothing: the k-th
    precision of 0 counts as ``1 / (2**k * n-grams)``. 0 where no word is shared.

    Parameters
    ----------
    found : sequence of Overlap
        For n = 1 to 4 at least.

    References
    ----------
    K. Papineni, S. Roukos, T. Ward, W.-J. Zhu (2002). BLEU: a method for automatic evaluation of
    machine translation. ACL.

    M. Post (2018). A call for clarity in reporting BLEU scores. WMT.
    """
    length, reference = found[0].n_left, found[0].n_right
    logs = np.zeros(len(length))
    order = np.zeros(len(length))
    halvings = np.zeros(len(length))
    for overlap in found[:_BLEU_ORDER]:
        shared, total = overlap.shared, overlap.n_left
        halvings += (total > 0) & (shared == 0)
        counted = np.where(shared > 0, shared, 0.5**halvings)
        logs += np.where(total > 0, np.log(counted / np.maximum(total, 1)), 0.0)
        order += total > 0
    score = np.exp(
        logs / np.maximum(order, 1) + np.minimum(0.0, 1 - reference / np.maximum(length, 1))
    )
    return np.where(found[0].shared > 0, score, 0.0)


def nist(found: Sequence[Overlap]) -> NDArray[np.float64]:
    """NIST score of the left sides with the right sides as references, 0 or more, in bits.

    For n = 1 to 5 the mean information of the shared n-grams, summed, times a penalty for a
    short sentence. The information of an n-gram is log2 of how often its first n - 1 words, over
    how often all of it, stand in the reference. An n longer than the sentence counts 0.

    Parameters
    ----------
    found : sequence of Overlap
        For n = 1 to 5.

    References
    ----------
    G. Doddington (2002). Automatic evaluation of machine translation quality using n-gram
    co-occurrence statistics. HLT.
    """
    length, reference = found[0].n_left, found[0].n_right
    score = np.zeros(len(length))
    for n, overlap in enumerate(found):
        starts = found[n - 1].right[overlap.prefix] if n else reference[overlap.pair]
        information = np.log2(np.maximum(starts, 1) / np.maximum(overlap.right, 1))
        told = np.minimum(overlap.left, overlap.right) * information
        total = np.bincount(overlap.pair, told, minlength=len(length))
        score += total / np.maximum(overlap.n_left, 1)
    ratio = np.where(reference > 0, length / np.maximum(reference, 1), 0.0)
    logs = np.log(np.where(ratio > 0, np.minimum(ratio, 1.0), 1.0))
    return np.where(ratio > 0, score * np.exp(_NIST_PENALTY * logs**2), 0.0)


def chrf(found: Sequence[Overlap]) -> NDArray[np.float64]:
    """F of precision and recall of characters' n-grams, recall counting double, in [0, 1].

    Precision and recall are means over those n from 1 to 6 of which both sides have n-grams.

    Parameters
    ----------
    found : sequence of Overlap
        Of the characters, for n = 1 to 6; the right sides are the references.

    References
    ----------
    M. Popović (2015). chrF: character n-gram F-score for automatic MT evaluation. WMT.
    """
    precision, recall, order = np.zeros((3, len(found[0].n_left)))
    for overlap in found:
        both = (overlap.n_left > 0) & (overlap.n_right > 0)
        precision += np.where(both, overlap.shared / np.maximum(overlap.n_left, 1), 0.0)
        recall += np.where(both, overlap.shared / np.maximum(overlap.n_right, 1), 0.0)
        order += both
    # The numbers of orders cancel but for one.
    factor = _CHRF_BETA**2
    weighed = np.maximum(order, 1) * (factor * precision + recall)
    product = (1 + factor) * precision * recall
    return np.divide(product, weighed, out=np.zeros_like(product), where=weighed > 0)


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    Each is the mean of the measure of the first sentence against the second, and of the second
    against the first, so it is symmetric. Tokens are TakeLab's, lower-cased, marks among them.

    bleu
        Sentence BLEU, in [0, 1].
    chrf
        Of the characters but white space, lower-cased, in [0, 1].
    nist
        In bits, 0 or more: more for long sentences, and 1.6 or so for unlike ones.
    ter
        Translation edit rate: insertions, deletions, substitutions and shifts of phrases, over
        the words of the reference. 0 for the same words; more is less alike.
    """
    sides = batch.takelab
    first, second = sides.codes
    words = list(overlaps(*sides.token_ids, _NIST_ORDER, prefixes=True))
    texts = ["".join(sentence.lower().split()) for sentence in batch.sentences]
    left, right = (Sides.of([texts[i] for i in k.tolist()]) for k in (batch.left, batch.right))
    characters = list(overlaps(left, right, _CHRF_ORDER))
    rates = translation_edit_rates(first + second, second + first)
    columns = [
        _both_ways(bleu, words),
        _both_ways(chrf, characters),
        _both_ways(nist, words),
        rates.reshape(2, -1).mean(axis=0),
    ]
    return np.column_stack(columns)


def _both_ways(
    measure: Callable[[Sequence[Overlap]], NDArray[np.float64]], found: Sequence[Overlap]
) -> NDArray[np.float64]:
    return (measure(found) + measure([overlap.swapped() for overlap in found])) / 2


FAMILY = Family("translation", ("bleu", "chrf", "nist", "ter"), compute)
