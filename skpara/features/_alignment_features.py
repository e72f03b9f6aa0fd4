"""AlignmentFeatures: what each sentence of a pair says that the other one does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin, _fit_context
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from skpara._fitting import restore_on_failure
from skpara._linalg import unit_rows
from skpara._pairs import PairEstimatorMixin
from skpara._public import set_module
from skpara._typing import Floats, Pairs, PairsLike
from skpara.features._batch import Knowledge, PairBatch
from skpara.features._lists import MOST_WORDS, distinct
from skpara.features._padding import best_similarities, groups, padded_words
from skpara.features._scores import ratio
from skpara.features._split import split_into_batches
from skpara.features.families._alignment import unit_rows_and_norms
from skpara.features.families._function_words import NEGATIONS
from skpara.resources import WordFrequencies, WordVectors

# Elements of the largest array for a group of pairs: 4 MB, which fits into the cache.
_MAX_SIZE = 1_000_000
# Numbers of one side: see the Notes of the class.
_STATISTICS = (
    *("similarity_mean", "similarity_min", "similarity_ic_mean"),
    *("residue_ic_sum", "residue_ic_max", "unshared_words", "unshared_share"),
    *("unshared_ic_sum", "unshared_ic_max", "unshared_negations", "words"),
)
_SIDES = ("first", "second")


@set_module("skpara.features", trusted=True)
class AlignmentFeatures(PairEstimatorMixin, TransformerMixin, BaseEstimator):
    """What each sentence of a pair says that the other one does not.

    Each word is compared with the most similar word of the other sentence. The part of it that
    has no counterpart there, its residue, tells paraphrases from near misses, and entailment
    from contradiction: "a man sleeps" and "a man runs" differ by "sleeps" and "runs". Unlike
    those of :class:`~skpara.LexicalFeatures`, most columns depend on the order of the sentences.

    Parameters
    ----------
    output : {"statistics", "vectors", "both"}, default="both"
        "statistics": 11 numbers for each side. "vectors": the mean word vectors u and v of the
        two sentences, scaled to length 1, as ``|u - v|``, ``u * v``, u and v, then the same of
        the residues; 2,048 columns with the packaged vectors.
    vectors : "default", path, KeyedVectors, mapping or WordVectors, default="default"
        Word vectors; see :meth:`skpara.WordVectors.load`.
    frequencies : "default", path, mapping or WordFrequencies, default="default"
        How common words are; see :meth:`skpara.WordFrequencies.load`.

    Attributes
    ----------
    vectors_ : WordVectors
        Word vectors.
    frequencies_ : WordFrequencies
        Word frequencies.
    n_features_in_ : int
        2, the columns of a pair.
    feature_names_in_ : ndarray of str
        Names of the columns of ``X`` if it is a data frame.

    See Also
    --------
    skpara.LexicalFeatures : Symmetric comparisons of words, characters and numbers.
    TermInteractions : The words themselves, as sparse columns.

    Notes
    -----
    The similarity s of a word is the largest cosine of its vector with those of the other
    sentence's words, at least 0, and 1 for a word that both have. Its residue is its vector times
    1 - s. The statistics of a side, over its distinct words:

    ==================  ==========================================================================
    similarity_mean     mean of s; _min: the smallest s; _ic_mean: mean weighted by information
                        content
    residue_ic_sum      sum of the information content times 1 - s; _max: the largest of them
    unshared_words      number of words that the other side does not have; _share: their share
    unshared_ic_sum     information content of these words; _max: of the rarest one
    unshared_negations  number of negations ("not", "nobody") that the other side does not have
    words               number of words
    ==================  ==========================================================================

    The columns are all 0 where a sentence is empty, except for the other sentence's words. Of
    longer texts, the first 512 words are compared.
    Scale the columns before a linear model. Nothing is learned from labels.

    References
    ----------
    A. Parikh, O. Täckström, D. Das, J. Uszkoreit (2016). A decomposable attention model for
    natural language inference. EMNLP.

    Examples
    --------
    >>> from skpara.features import AlignmentFeatures
    >>> pairs = [("A man sleeps.", "Nobody sleeps."), ("a dog", "a big dog")]
    >>> alignment = AlignmentFeatures("statistics").fit(pairs)
    >>> columns = alignment.get_feature_names_out().tolist()
    >>> alignment.transform(pairs)[:, columns.index("second_unshared_words")].tolist()
    [1.0, 1.0]
    >>> AlignmentFeatures().fit_transform(pairs).shape
    (2, 2070)
    """

    _parameter_constraints: dict[str, Any] = {
        "output": [StrOptions({"statistics", "vectors", "both"})],
        "vectors": "no_validation",
        "frequencies": "no_validation",
    }

    # What a model file has instead of an object that is a parameter.
    _replaced_in_files = {"vectors": "vectors_", "frequencies": "frequencies_"}

    def __init__(
        self, output: str = "both", *, vectors: Any = "default", frequencies: Any = "default"
    ) -> None:
        self.output = output
        self.vectors = vectors
        self.frequencies = frequencies

    @_fit_context(prefer_skip_nested_validation=True)
    @restore_on_failure
    def fit(self, X: PairsLike, y: Any = None) -> AlignmentFeatures:
        """Load the vectors and the frequencies.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Pairs; only their shape is read.
        y : Ignored
            Not used, present for API consistency.

        Returns
        -------
        AlignmentFeatures
            The fitted estimator.
        """
        self._check_pairs(X, reset=True)
        self.vectors_ = WordVectors.load(self.vectors)
        self.frequencies_ = WordFrequencies.load(self.frequencies)
        return self

    def _check_loaded(self) -> None:
        """Raise a ValueError unless a file has both tables."""
        for name, table in (("vectors_", WordVectors), ("frequencies_", WordFrequencies)):
            if not isinstance(getattr(self, name), table):
                raise ValueError(f"{name} is a {type(getattr(self, name)).__name__}")

    def transform(self, X: PairsLike) -> Floats:
        """Compute the features of pairs.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Pairs to compare.

        Returns
        -------
        ndarray of float64, shape (n_pairs, n_features)
            The features. Except for rounding, a row depends on its own pair only.
        """
        check_is_fitted(self)
        pairs = self._check_pairs(X, reset=False)
        result = np.zeros((len(pairs), len(self.get_feature_names_out())))
        knowledge = Knowledge(frequencies=self.frequencies_, vectors=self.vectors_)
        for rows in split_into_batches(pairs):
            for places, values in self._blocks(pairs[rows], knowledge):
                result[rows][places] = values
        return result

    def _blocks(self, pairs: Pairs, knowledge: Knowledge) -> Iterator[tuple[Any, Floats]]:
        """Yield positions in a batch of pairs and their features."""
        batch = PairBatch(pairs, knowledge)
        vectors, words = batch.word_vectors, batch.bags.words
        lists, counts = distinct(batch.bags.ids.head(MOST_WORDS), len(words))
        # The last row is that of padding.
        table = np.vstack([vectors, np.zeros((1, vectors.shape[1]), dtype=vectors.dtype)])
        unit, _ = unit_rows_and_norms(table)
        information = batch.frequencies.information(
            words, unknown=batch.frequencies.max_information
        )
        of_words = np.zeros((2, len(words) + 1))
        of_words[0, :-1] = information
        of_words[1, :-1] = [word in NEGATIONS for word in words]
        sizes = lists.lengths
        longest = np.maximum(sizes[batch.left], sizes[batch.right])
        for group in groups(longest * np.maximum(longest, 2 * unit.shape[1]) + 1, _MAX_SIZE):
            sides = [padded_words(lists, counts, side[group], len(words)) for side in batch.sides]
            ids = [side[0] for side in sides]
            best = best_similarities(ids[0], ids[1], unit)
            shared = (
                (ids[0][:, :, None] == ids[1][:, None, :]).any(axis=2),
                (ids[1][:, :, None] == ids[0][:, None, :]).any(axis=2),
            )
            parts = []
            if self.output != "vectors":
                parts += [
                    _statistics(similar, of_words[:, word], word < len(words), ~both)
                    for similar, word, both in zip(best, ids, shared, strict=True)
                ]
            if self.output != "statistics":
                weights = [side[1] for side in sides], [1 - similar for similar in best]
                for weight in weights:
                    u, v = (
                        unit_rows(np.einsum("ij,ijk->ik", w, table[word]))
                        for w, word in zip(weight, ids, strict=True)
                    )
                    parts += [np.abs(u - v), u * v, u, v]
            yield group, np.hstack(parts)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the features.

        Parameters
        ----------
        input_features : Ignored
            Not used, present for API consistency.

        Returns
        -------
        ndarray of str, shape (n_features,)
            Such as "second_unshared_words" and "residue_product_12".
        """
        check_is_fitted(self)
        names: list[str] = []
        if self.output != "vectors":
            names += [f"{side}_{name}" for side in _SIDES for name in _STATISTICS]
        if self.output != "statistics":
            names += [
                f"{part}_{kind}_{k}"
                for part in ("mean", "residue")
                for kind in ("difference", "product", *_SIDES)
                for k in range(self.vectors_.n_dims)
            ]
        return np.array(names, dtype=object)


def _statistics(
    similar: Floats, of_words: Floats, is_word: NDArray[np.bool_], unshared: NDArray[np.bool_]
) -> Floats:
    """Compute the statistics of one side from padded arrays, one row for each pair."""
    information, negations = of_words
    unshared = unshared & is_word
    n_words = is_word.sum(axis=1)
    residues = information * (1 - similar)
    n_unshared = unshared.sum(axis=1)
    return np.column_stack(
        [
            ratio((similar * is_word).sum(axis=1), n_words),
            np.where(n_words > 0, np.where(is_word, similar, 1.0).min(axis=1), 0.0),
            ratio((similar * information).sum(axis=1), information.sum(axis=1)),
            residues.sum(axis=1),
            residues.max(axis=1),
            n_unshared,
            ratio(n_unshared, n_words),
            (information * unshared).sum(axis=1),
            (information * unshared).max(axis=1),
            (negations * unshared).sum(axis=1),
            n_words,
        ]
    )
