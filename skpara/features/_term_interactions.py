"""Sparse columns for shared and unshared words of two sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from skpara._estimators import restore_on_failure
from skpara._pairs import PairEstimatorMixin
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator, TransformerMixin, checks_parameters
from skpara._typing import Constraints, Pairs, PairsLike
from skpara._validation import COUNT
from skpara.features._kernels import MOST_WORDS
from skpara.text import check_ngram_range, tokenize


@set_module("skpara.features", trusted=True)
@with_fields
class TermInteractions(PairEstimatorMixin, TransformerMixin, BaseEstimator):
    """Sparse columns for the words that two sentences share, and that only one of them has.

    A linear model on these columns learns which words matter: that "not" on one side only
    separates two sentences, and that "said" does not. Stack it with a model on dense features,
    which average single words out.

    Parameters
    ----------
    ngram_range : tuple of (low, high), default=(1, 2)
        Shortest and longest n-grams of words.
    cross : bool, default=True
        Also have a column for each pair of a word that only the first sentence has and a word
        that only the second one has; of longer texts, the first 512 such words of each.
    ordered : bool, default=False
        Whether the first and the second sentence differ in kind, as premise and hypothesis do.
        If so, terms of the first and of the second sentence have different columns, and all
        n-grams of the second sentence have columns of their own.
    min_df : int, default=2
        Columns that are not 0 in fewer training pairs are left out.
    sparse_output : bool, default=True
        Whether to return a sparse matrix, else an array, which data frames as output need.

    Attributes
    ----------
    vocabulary_ : dict of str to int
        Number of each column by its name, such as "only guitar", "both dog", "only cat | dog".
    n_features_in_ : int
        2, the columns of a pair.

    Notes
    -----
    The columns hold 0 or 1. ``fit`` collects their names and learns nothing from labels.
    Long sentences that share no word have many crossed columns: the product of their lengths.

    Examples
    --------
    >>> from skpara.features import TermInteractions
    >>> pairs = [("a dog runs", "a dog sleeps"), ("a cat runs", "a cat sleeps")]
    >>> terms = TermInteractions(ngram_range=(1, 1)).fit(pairs)
    >>> terms.get_feature_names_out().tolist()
    ['both a', 'only runs', 'only runs | sleeps', 'only sleeps']
    >>> terms.transform(pairs).toarray().tolist()
    [[1, 1, 1, 1], [1, 1, 1, 1]]
    """

    ngram_range: tuple[int, int] = (1, 2)
    _: KW_ONLY
    cross: bool = True
    ordered: bool = False
    min_df: int = 2
    sparse_output: bool = True

    _fixed_by_fit: ClassVar[tuple[str, ...]] = ("ngram_range", "cross", "ordered", "sparse_output")
    _parameter_constraints: ClassVar[Constraints] = {
        "ngram_range": [tuple],
        "cross": ["boolean"],
        "ordered": ["boolean"],
        "min_df": [COUNT],
        "sparse_output": ["boolean"],
    }

    @restore_on_failure
    def fit(self, X: PairsLike, y: Any = None) -> Self:
        """Collect the terms.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Training pairs.
        y : Ignored
            Not used, present for API consistency.

        Returns
        -------
        TermInteractions
            The fitted estimator.
        """
        self.fit_transform(X)
        return self

    @checks_parameters
    @restore_on_failure
    def fit_transform(self, X: PairsLike, y: Any = None) -> sparse.csr_matrix | NDArray[np.int64]:
        """Collect the terms and return the columns of the same pairs.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Training pairs.
        y : Ignored
            Not used, present for API consistency.

        Returns
        -------
        csr_matrix or ndarray of int64, shape (n_pairs, n_terms)
            1 where a pair has a term, else 0.

        Raises
        ------
        ValueError
            If no term occurs in ``min_df`` pairs, or if ``ngram_range`` is not a range.
        """
        check_ngram_range(self.ngram_range, MOST_WORDS)
        pairs = self.check_pairs(X, reset=True)
        min_df = min(self.min_df, len(pairs))
        vectorizer = _vectorizer(min_df=min_df)
        try:
            counts = vectorizer.fit_transform(self._documents(pairs))
        except ValueError as error:
            raise ValueError(
                f"Terms are learned that occur in {min_df} pairs or more, but of these "
                f"{len(pairs)} none does. Pass more pairs."
            ) from error
        self.vocabulary_ = {term: int(k) for term, k in vectorizer.vocabulary_.items()}
        return self._output(counts)

    def _check_loaded(self) -> None:
        """Raise a ValueError unless each column of a file has one name."""
        check_ngram_range(self.ngram_range, MOST_WORDS)
        columns = sorted(self.vocabulary_.values())
        if columns != list(range(len(columns))):
            raise ValueError("vocabulary_ does not number the columns")

    def transform(self, X: PairsLike) -> sparse.csr_matrix | NDArray[np.int64]:
        """Return which terms pairs have.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Pairs to compare.

        Returns
        -------
        csr_matrix or ndarray of int64, shape (n_pairs, n_terms)
            1 where a pair has a term, else 0; terms that ``fit`` did not collect are left out.
        """
        check_is_fitted(self)
        pairs = self.check_pairs(X, reset=False)
        vectorizer = _vectorizer(vocabulary=self.vocabulary_)
        return self._output(vectorizer.transform(self._documents(pairs)))

    def _output(self, columns: sparse.csr_matrix) -> sparse.csr_matrix | NDArray[np.int64]:
        return columns if self._fitted_parameter("sparse_output") else columns.toarray()

    def _documents(self, pairs: Pairs) -> Iterator[list[str]]:
        """Yield the terms of each pair."""
        (low, high), cross, ordered, _ = map(self._fitted_parameter, self._fixed_by_fit)
        names = ("first", "second") if ordered else ("only", "only")
        for pair in pairs.tolist():
            tokens = [tokenize(sentence) for sentence in pair]
            first, second = (_ngrams(side, low, high) for side in tokens)
            terms = [f"both {term}" for term in first & second]
            terms += [f"{names[0]} {term}" for term in first - second]
            terms += [f"{names[1]} {term}" for term in second - first]
            if ordered:
                terms += [f"in second {term}" for term in second]
            if cross:
                words, others = (dict.fromkeys(side) for side in tokens)
                added = [other for other in others if other not in words][:MOST_WORDS]
                for word in [word for word in words if word not in others][:MOST_WORDS]:
                    for other in added:
                        # Without an order, "cat, dog" and "dog, cat" are the same column.
                        a, b = (word, other) if ordered else sorted((word, other))
                        terms.append(f"{names[0]} {a} | {b}")
            yield terms

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the terms.

        Parameters
        ----------
        input_features : Ignored
            Not used, present for API consistency.

        Returns
        -------
        ndarray of str, shape (n_terms,)
            The names of the columns in order.
        """
        check_is_fitted(self)
        return np.array(sorted(self.vocabulary_, key=self.vocabulary_.__getitem__), dtype=object)


def _vectorizer(**parameters: Any) -> Any:
    # Imported here: models without interactions do not need it.
    from sklearn.feature_extraction.text import CountVectorizer

    return CountVectorizer(analyzer=_as_is, binary=True, **parameters)


def _ngrams(tokens: list[str], low: int, high: int) -> set[str]:
    return {
        " ".join(tokens[k : k + n])
        for n in range(low, min(high, len(tokens)) + 1)
        for k in range(len(tokens) - n + 1)
    }


def _as_is(terms: list[str]) -> list[str]:
    return terms
