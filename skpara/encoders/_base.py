"""Base class of encoders: from pairs to similarities."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from skpara._linalg import row_cosines, unit_rows
from skpara._pairs import PairEstimatorMixin, TextTransformMixin, as_sentences, is_sentences
from skpara._typing import Floats, Objects, Output, Pairs, SentencesLike, Vectors
from skpara.resources import warn_of_text

OUTPUTS: list[Any] = [StrOptions({"measures", "similarity", "interaction", "both"})]


class PairEncoder(PairEstimatorMixin):
    """Base class of transformers that encode sentences and compare the vectors of pairs.

    A subclass has the parameter ``output``, the method ``_encode`` and the attribute
    ``_feature_prefix``, and also derives from ``TransformerMixin`` and ``BaseEstimator``. This
    class does not, so that scikit-learn leaves ``transform`` alone; see ``TextTransformMixin``.
    """

    output: Output
    _feature_prefix: str
    _fixed_by_fit: ClassVar[tuple[str, ...]] = ("output",)
    transform = TextTransformMixin.transform

    def encode(self, sentences: SentencesLike) -> Vectors:
        """Encode sentences; works before ``fit`` too.

        Parameters
        ----------
        sentences : sequence of str, shape (n_sentences,)
            The sentences to encode.

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
            The model's vectors; zeros for an empty sentence.
        """
        return self._encode(as_sentences(sentences))

    def similarity(self, a: SentencesLike, b: SentencesLike | None = None) -> Floats:
        """Compute the cosine of the vectors of ``a[i]`` and ``b[i]``.

        Parameters
        ----------
        a, b : sequence of str, shape (n,)
            The first and the second sentence of each pair.

        Returns
        -------
        ndarray of shape (n,), float64
            In [-1, 1].
        """
        if b is None:
            raise TypeError("Pass two lists, the columns of pairs: similarity(*zip(*pairs)).")
        first = as_sentences(a)
        second = as_sentences(b)
        if len(first) != len(second):
            raise ValueError(
                f"similarity compares a[i] with b[i], got inconsistent numbers of sentences, "
                f"{len(first)} and {len(second)}. To compare one with many, pass [one] * n."
            )
        # Before fit, the packaged vectors: they are of English.
        if getattr(self, "vectors", None) == "default" and "state_" not in vars(self):
            warn_of_text([*first, *second])
        return self._compare(first, second, "similarity")[:, 0]

    def get_feature_names_out(self, input_features: Any = None) -> Objects:
        """Return the names of the columns that ``transform`` returns.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the columns of text. A single column means sentences, otherwise pairs.

        Returns
        -------
        ndarray of str, shape (k,)
            Such as "paragram_similarity" for pairs and "paragram_0" for sentences.
        """
        if input_features is not None and len(input_features) == 1:
            return self._vector_names(self._n_dims())
        check_is_fitted(self)
        prefix = self._feature_prefix
        names = []
        output = self._fitted_parameter("output")
        if output != "interaction":
            names.append(f"{prefix}_similarity")
        if output == "measures":
            names += [f"{prefix}_dot_product", f"{prefix}_distance"]
        if output in ("interaction", "both"):
            n_dims = self._n_dims()
            names += [f"{prefix}_difference_{i}" for i in range(n_dims)]
            names += [f"{prefix}_product_{i}" for i in range(n_dims)]
        return np.array(names, dtype=object)

    def _transform(self, X: Any) -> tuple[NDArray[Any], Any]:
        if is_sentences(X):
            rows = self.encode(X)
            return rows, self._vector_names(rows.shape[1])
        check_is_fitted(self)
        return self._pair_features(self.check_pairs(X, reset=False)), self.get_feature_names_out

    def _pair_features(self, pairs: Pairs) -> Floats:
        first, second = pairs.T.tolist()
        return self._compare(first, second, self._fitted_parameter("output"))

    def _compare(self, a: list[str], b: list[str], output: str) -> Floats:
        """Compare ``a[i]`` with ``b[i]``, both validated."""
        # One call for both sides: a sentence may be on both, and batches are fuller.
        return compare_halves(self._encode([*a, *b]), output)

    def _encode(self, sentences: list[str]) -> Vectors:
        """Encode validated sentences."""
        raise NotImplementedError

    def _n_dims(self) -> int:
        """Return the length of a vector."""
        return self.encode([""]).shape[1]

    def _vector_names(self, n_dims: int) -> Objects:
        """Return the names of the columns of vectors."""
        return np.array([f"{self._feature_prefix}_{i}" for i in range(n_dims)], dtype=object)


def compare_halves(vectors: Vectors, output: str) -> Floats:
    """Compare the first half of the vectors with the second; ``output`` is the encoder's."""
    rows = unit_rows(vectors)
    n_pairs = len(rows) // 2
    u = rows[:n_pairs]
    v = rows[n_pairs:]
    if output == "interaction":
        return np.hstack([np.abs(u - v), u * v])
    cosines = row_cosines(u, v)[:, None]
    if output == "similarity":
        return cosines
    if output == "both":
        return np.hstack([cosines, np.abs(u - v), u * v])
    a, b = np.split(vectors.astype(np.float64), 2)
    return np.column_stack([cosines, (a * b).sum(axis=1), np.sqrt(((a - b) ** 2).sum(axis=1))])
