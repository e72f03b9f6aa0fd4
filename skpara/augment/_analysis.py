"""How translations differ from what people write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import spearmanr
from sklearn.utils import Bunch, check_consistent_length

from skpara._pairs import as_sentences
from skpara.augment._paraphrases import as_paraphrases
from skpara.resources import WordFrequencies
from skpara.text import tokenize

_LEAST_CHARACTERS = 3  # of a word whose repetition counts


def ngram_entropy(sentences: Sequence[str], order: int = 1) -> float:
    """Entropy of the n-grams of tokens of all sentences, in bits.

    Parameters
    ----------
    sentences : sentences of shape (n_sentences,)
    order : int, default=1
        Tokens of an n-gram.

    Returns
    -------
    float
        0 where there are no n-grams.

    Examples
    --------
    >>> from skpara.augment import ngram_entropy
    >>> ngram_entropy(["a dog", "a cat"]), ngram_entropy(["a dog", "a cat"], order=2)
    (1.5, 1.0)
    """
    counts = Counter(
        ngram for text in as_sentences(sentences) for ngram in _ngrams(tokenize(text), order)
    )
    parts = np.array(list(counts.values()), dtype=np.float64)
    parts /= max(1.0, parts.sum())
    return float(-(parts * np.log2(parts)).sum()) + 0.0


def repetition_rates(sentences: Sequence[str], order: int = 1) -> NDArray[np.float64]:
    """What part of the n-grams of each sentence stood in it before.

    Of single words, those of fewer than three characters do not count.

    Parameters
    ----------
    sentences : sentences of shape (n_sentences,)
    order : int, default=1

    Returns
    -------
    ndarray of float64, shape (n_sentences,), in [0, 1)
        0 where a sentence has no n-grams.

    Examples
    --------
    >>> from skpara.augment import repetition_rates
    >>> repetition_rates(["nice room, nice bed", "a dog"]).tolist()
    [0.25, 0.0]
    """
    rates = []
    for text in as_sentences(sentences):
        tokens = tokenize(text)
        if order == 1:
            tokens = [token for token in tokens if len(token) >= _LEAST_CHARACTERS]
        ngrams = _ngrams(tokens, order)
        rates.append(1 - len(set(ngrams)) / len(ngrams) if ngrams else 0.0)
    return np.array(rates, dtype=np.float64)


def mean_idf(sentences: Sequence[str], frequencies: Any = "default") -> NDArray[np.float64]:
    """Mean information of the words of each sentence: how rare they are.

    The logarithm of the inverse of a word's frequency in general English stands for its inverse
    document frequency.

    Parameters
    ----------
    sentences : sentences of shape (n_sentences,)
    frequencies : "default", path, mapping or WordFrequencies, default="default"

    Returns
    -------
    ndarray of float64, shape (n_sentences,)
        In nats; 0 for a sentence without words.

    Examples
    --------
    >>> from skpara.augment import mean_idf
    >>> put, endanger = mean_idf(["was put at risk", "was endangered"])
    >>> bool(put < endanger)
    True
    """
    table = WordFrequencies.load(frequencies)
    means = []
    for text in as_sentences(sentences):
        words = [token for token in tokenize(text) if any(map(str.isalnum, token))]
        means.append(float(np.mean(table.information(words))) if words else 0.0)
    return np.array(means, dtype=np.float64)


def compare_translations(
    X: Any, scores: ArrayLike | None = None, *, frequencies: Any = "default"
) -> Bunch:
    """What sets translations apart from their references.

    Parameters
    ----------
    X : Paraphrases, or pairs of shape (n_pairs, 2)
        A reference and its translation in each row.
    scores : array-like of shape (n_pairs,), optional
        The score of :class:`~skpara.augment.filters.ReferenceFilter` for each pair, or any other.
    frequencies : "default", path, mapping or WordFrequencies, default="default"
        How common words are.

    Returns
    -------
    Bunch
        ``unigram_entropy``, ``trigram_entropy`` (bits), ``unigram_repetition``,
        ``trigram_repetition``, ``idf`` (nats) and ``length`` (tokens): each the value, or the
        mean, of the references less that of the translations. With ``scores``, also
        ``correlations``: Spearman's r of the scores with the translations' own
        ``unigram_repetition``, ``trigram_repetition``, ``idf`` and ``length``; NaN where one of
        both is the same for all.

    References
    ----------
    J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
    back-translated bitext. EMNLP. Tables 9 and 10.

    Examples
    --------
    >>> from skpara.augment import compare_translations
    >>> pairs = [
    ...     ("The staff were helpful and kind.", "The staff were nice and the staff were nice."),
    ...     ("This endangered our freedom.", "This put our freedom at risk."),
    ... ]
    >>> found = compare_translations(pairs, scores=[0.1, 0.3])
    >>> bool(found.unigram_repetition < 0), bool(found.idf > 0)
    (True, True)
    """
    paraphrases = as_paraphrases(X)
    references = paraphrases.references
    translations = paraphrases.pairs[:, 1].tolist()
    sides = [_measured(side, frequencies) for side in (references, translations)]
    found = Bunch(
        unigram_entropy=ngram_entropy(references) - ngram_entropy(translations),
        trigram_entropy=ngram_entropy(references, 3) - ngram_entropy(translations, 3),
        **{
            name: float(np.mean(sides[0][name]) - np.mean(sides[1][name])) if references else 0.0
            for name in sides[0]
        },
    )
    if scores is not None:
        given = np.asarray(scores, dtype=np.float64)
        check_consistent_length(given, translations)
        found.correlations = Bunch(
            **{name: _spearman(given, values) for name, values in sides[1].items()}
        )
    return found


def _measured(sentences: Sequence[str], frequencies: Any) -> dict[str, NDArray[np.float64]]:
    return {
        "unigram_repetition": repetition_rates(sentences, 1),
        "trigram_repetition": repetition_rates(sentences, 3),
        "idf": mean_idf(sentences, frequencies),
        "length": np.array([len(tokenize(text)) for text in sentences], dtype=np.float64),
    }


def _spearman(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan")
    return float(spearmanr(a, b).statistic)


def _ngrams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]
