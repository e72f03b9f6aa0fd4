"""Differences between machine translations and text that people write, as in tables 9 and 10."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import spearmanr
from sklearn.utils import Bunch, check_consistent_length

from skpara.augment import Paraphrases
from skpara.resources import WordFrequencies
from skpara.text import tokenize

Floats = NDArray[np.float64]

# Words that are repeated in any text, such as "a", "of" and punctuation, say nothing about it.
_MIN_CHARACTERS = 3


def ngram_entropy(sentences: Sequence[str], order: int = 1) -> float:
    """Compute the entropy of the n-grams of tokens of all sentences, in bits.

    Parameters
    ----------
    sentences : sentences of shape (n_sentences,)
        The text, whose n-grams are counted together.
    order : int, default=1
        Number of tokens of an n-gram.

    Returns
    -------
    float
        0 if there are no n-grams.
    """
    counts = Counter(gram for text in sentences for gram in ngrams(tokenize(text), order))
    shares = np.array(list(counts.values()), dtype=np.float64)
    shares /= max(1.0, shares.sum())
    return float(-(shares * np.log2(shares)).sum()) + 0.0  # adding 0 makes -0 a plain 0


def repetition_rates(sentences: Sequence[str], order: int = 1) -> Floats:
    """Compute which part of each sentence's n-grams already occurred earlier in it.

    With ``order=1``, tokens of fewer than three characters are ignored.

    Parameters
    ----------
    sentences : sentences of shape (n_sentences,)
        The text.
    order : int, default=1
        Number of tokens of an n-gram.

    Returns
    -------
    ndarray of float64, shape (n_sentences,), in [0, 1)
        0 for a sentence without n-grams.
    """
    rates = []
    shortest = _MIN_CHARACTERS if order == 1 else 0
    for text in sentences:
        tokens = [token for token in tokenize(text) if len(token) >= shortest]
        grams = ngrams(tokens, order)
        rates.append(1 - len(set(grams)) / len(grams) if grams else 0.0)
    return np.array(rates, dtype=np.float64)


def mean_idf(sentences: Sequence[str], frequencies: Any = "default") -> Floats:
    """Compute how rare the words of each sentence are, by their frequency in general English.

    This is the mean information of the words, ln(1 / probability). A word that the table does not
    have is rarer than all words that it has, and counts as the rarest of them. That includes
    words that a translator left untranslated.

    Parameters
    ----------
    sentences : sentences of shape (n_sentences,)
        The text.
    frequencies : "default", path, mapping or WordFrequencies, default="default"
        Frequencies of words.

    Returns
    -------
    ndarray of float64, shape (n_sentences,)
        In nats; 0 for a sentence without words.
    """
    table = WordFrequencies.load(frequencies)
    means = []
    for text in sentences:
        words = [token for token in tokenize(text) if any(map(str.isalnum, token))]
        information = table.information(words, unknown=table.max_information)
        means.append(information.mean() if words else 0.0)
    return np.array(means, dtype=np.float64)


def compare_translations(
    paraphrases: Paraphrases, scores: ArrayLike | None = None, *, frequencies: Any = "default"
) -> Bunch:
    """Compare translations with their references by entropy, repetition, rarity and length.

    These are the statistics in tables 9 and 10 of Wieting and others (2017); see
    :class:`BackTranslator`.

    Parameters
    ----------
    paraphrases : Paraphrases
        Pairs of a reference and its translation.
    scores : array-like of shape (n_pairs,), default=None
        A score of each pair, for example by :class:`~skpara.augment.filters.ReferenceFilter`.
    frequencies : "default", path, mapping or WordFrequencies, default="default"
        Frequencies of words.

    Returns
    -------
    Bunch
        ``unigram_entropy``, ``trigram_entropy`` (bits), ``unigram_repetition``,
        ``trigram_repetition``, ``idf`` (nats) and ``length`` (tokens): each the value, or the
        mean, of the references minus the same of the translations. With ``scores``, also
        ``correlations``: Spearman's r of the scores with the latter four of the translations;
        NaN if all scores, or all values, are equal.
    """
    sides = paraphrases.references, paraphrases.pairs[:, 1].tolist()
    ours, theirs = (_statistics(side, frequencies) for side in sides)
    differences = Bunch(
        unigram_entropy=ngram_entropy(sides[0]) - ngram_entropy(sides[1]),
        trigram_entropy=ngram_entropy(sides[0], 3) - ngram_entropy(sides[1], 3),
    )
    for name in ours:
        differences[name] = float(ours[name].mean() - theirs[name].mean()) if sides[0] else 0.0
    if scores is not None:
        checked = np.asarray(scores, dtype=np.float64)
        check_consistent_length(checked, sides[1])
        correlations = {name: _spearman(checked, values) for name, values in theirs.items()}
        differences.correlations = Bunch(**correlations)
    return differences


def _statistics(sentences: Sequence[str], frequencies: Any) -> dict[str, Floats]:
    return {
        "unigram_repetition": repetition_rates(sentences, 1),
        "trigram_repetition": repetition_rates(sentences, 3),
        "idf": mean_idf(sentences, frequencies),
        "length": np.array([len(tokenize(text)) for text in sentences], dtype=np.float64),
    }


def _spearman(first: Floats, second: Floats) -> float:
    constant = len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0
    return float("nan") if constant else float(spearmanr(first, second).statistic)


def ngrams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """Return all n-grams of tokens, in order."""
    return [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]
