"""Features of the words of each sentence that have no counterpart in the other one.

The part of a word that has no counterpart, its residue, tells paraphrases from near misses, and
entailment from contradiction: "a man sleeps" and "a man runs" differ by "sleeps" and "runs". The
idea is from A. Parikh, O. Täckström, D. Das, J. Uszkoreit (2016). A decomposable attention model
for natural language inference. EMNLP.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara import WordVectors
from skpara.resources import WordFrequencies
from skpara.text import tokenize

NEGATIONS = frozenset(
    "not no never none nobody nothing nowhere neither nor without cannot hardly barely scarcely "
    "n't ain't aint dont didnt doesnt isnt wasnt cant couldnt wont wouldnt".split()
)
SIDES = ("first", "second")
STATISTICS = (
    *("similarity_mean", "similarity_min", "similarity_ic_mean"),
    *("residue_ic_sum", "residue_ic_max", "unshared_words", "unshared_share"),
    *("unshared_ic_sum", "unshared_ic_max", "unshared_negations", "words"),
)


class AlignmentFeatures:
    """Statistics of residues, and vectors of residues.

    The similarity s of a word is the largest cosine of its vector with a vector of the other
    sentence's words, at least 0, and 1 for a word that both have. Its residue is its vector times
    1 - s. There are 11 statistics of each side, over its distinct words. Then come the mean word
    vectors u and v, scaled to length 1, as ``|u - v|``, ``u * v``, u and v, and the same of the
    residues.
    """

    def __init__(self, vectors: Any = "default", frequencies: Any = "default") -> None:
        self.vectors = WordVectors.load(vectors)
        self.frequencies = WordFrequencies.load(frequencies)

    def names(self) -> list[str]:
        """Return the names of the columns."""
        return [f"{side}_{name}" for side in SIDES for name in STATISTICS] + [
            f"{part}_{kind}_{k}"
            for part in ("mean", "residue")
            for kind in ("difference", "product", *SIDES)
            for k in range(self.vectors.n_dims)
        ]

    def transform(self, pairs: NDArray[np.object_]) -> NDArray[np.float64]:
        """Compute the columns of pairs."""
        return np.array([self._row(*pair) for pair in pairs], dtype=np.float64)

    def _row(self, *sentences: str) -> NDArray[np.float64]:
        counts = [Counter(_words(sentence)) for sentence in sentences]
        words = [list(side) for side in counts]
        tables = [self.vectors.lookup(side, oov="subword").astype(np.float64) for side in words]
        units = [table / np.maximum(_norms(table), 1e-30) for table in tables]
        similar = np.clip(units[0] @ units[1].T, 0, 1)
        for i, word in enumerate(words[0]):
            if word in counts[1]:  # also without a vector
                similar[i, words[1].index(word)] = 1.0
        best = similar.max(axis=1, initial=0), similar.max(axis=0, initial=0)
        numbers = [
            self._statistics(own, set(other), values)
            for own, other, values in zip(words, words[::-1], best, strict=True)
        ]
        vectors = []
        times = [np.array(list(side.values()), dtype=np.float64) for side in counts]
        for weights in (times, [1 - values for values in best]):
            u, v = (w @ table for w, table in zip(weights, tables, strict=True))
            u, v = (side / max(float(np.linalg.norm(side)), 1e-30) for side in (u, v))
            vectors += [np.abs(u - v), u * v, u, v]
        return np.concatenate([*numbers, *vectors])

    def _statistics(self, words: list[str], other: set[str], similar: Any) -> Any:
        if not words:
            return np.zeros(len(STATISTICS))
        most = self.frequencies.max_information
        information = self.frequencies.information(words, unknown=most)
        residues = information * (1 - similar)
        unshared = np.array([word not in other for word in words])
        rare = information * unshared
        negations = sum(word in NEGATIONS and word not in other for word in words)
        return [
            *(similar.mean(), similar.min(), np.average(similar, weights=information + 1e-30)),
            *(residues.sum(), residues.max(), unshared.sum(), unshared.mean()),
            *(rare.sum(), rare.max(), negations, len(words)),
        ]


def _words(sentence: str) -> list[str]:
    """Return the tokens without marks; all tokens if there are only marks."""
    tokens = tokenize(sentence)
    return [token for token in tokens if token[0].isalnum()] or tokens


def _norms(table: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.linalg.norm(table, axis=1, keepdims=True)
