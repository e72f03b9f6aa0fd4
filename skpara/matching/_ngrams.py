"""Search by spelling: TF-IDF of character n-grams."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfTransformer

from skpara._typing import Floats
from skpara.matching._search import Rows
from skpara.text import CharacterNgrams

# Other lengths beside three take twice the time or more, and find no more captions, questions and
# translations in examples/benchmarks/matching.py.
_NGRAM_RANGE = (3, 3)


class NgramIndex:
    """The n-grams of some sentences, weighted by TF-IDF and scaled to length 1."""

    def __init__(self, sentences: list[str]) -> None:
        self.ngrams = CharacterNgrams.learn(sentences, _NGRAM_RANGE)
        self.weights = TfidfTransformer(sublinear_tf=True)
        self.matrix = self._scaled(self.weights.fit_transform(self._counts(sentences)))

    def transform(self, sentences: list[str]) -> Any:
        """Return the weights of other sentences' n-grams; unknown n-grams are left out."""
        return self._scaled(self.weights.transform(self._counts(sentences)))

    def products(self, weights: Any, rows: slice) -> NDArray[np.float32]:
        """Compute the similarities of some rows of weights to all sentences of the index."""
        return (weights[rows] @ self.matrix.T).toarray()

    def similarities(self, weights: Any, rows: Rows, columns: Rows) -> Floats:
        """Compute the similarities of pairs of a row of weights and a sentence of the index."""
        products = weights[rows].multiply(self.matrix[columns])
        return np.asarray(products.sum(axis=1), dtype=np.float64).ravel()

    def _counts(self, sentences: list[str]) -> Any:
        ids, offsets, _ = self.ngrams.token_ids(sentences)
        shape = (len(sentences), max(1, len(self.ngrams)))  # an index of empty sentences has none
        counts = csr_matrix((np.ones(len(ids), dtype=np.float32), ids, offsets), shape=shape)
        counts.sum_duplicates()
        return counts

    @staticmethod
    def _scaled(weights: Any) -> Any:
        return weights.astype(np.float32)
