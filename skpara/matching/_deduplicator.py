"""Deduplication of the sentences of a column."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin, _fit_context
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from skpara._defaults import DefaultsMixin
from skpara._public import set_module
from skpara._shared_models import SharedModelsMixin
from skpara._typing import Floats, Vectors
from skpara.matching._clusters import complete_merges, connected
from skpara.matching._scores import score_pairs
from skpara.matching._search import (
    Rows,
    compare,
    encode_units,
    join_pairs,
    row_keys,
    similar_pairs,
)
from skpara.matching._tables import records, take_rows, text_column

# Pairs this far below the threshold are kept too, so that a lower threshold can be tried.
_BELOW_THRESHOLD = 0.02
# Lowest cosine of pairs that a model scores. There are many pairs below it, and few of them mean
# the same.
_LOWEST_FOR_MODELS = 0.8


@set_module("skpara")
class Deduplicator(SharedModelsMixin, DefaultsMixin, ClusterMixin, BaseEstimator):
    """Find sentences that say the same, and group them.

    All pairs whose vectors have a high cosine are found. With a model of pairs, it scores them;
    else the cosine is the score. Pairs with at least ``threshold`` are duplicates, and connected
    duplicates form a cluster. One row of each cluster is kept.

    Parameters
    ----------
    model : fitted estimator of pairs, default=None
        Scores the pairs that were found. With ``predict_proba``, which needs two classes, the
        score is the probability of the second class. It is used as it is, also by clones.
    threshold : float, default=0.9
        Lowest score of duplicates: a cosine, or what the model returns.
    linkage : {"single", "complete"}, default="single"
        "single": chains of duplicates are a cluster. "complete": all pairs of a cluster are
        duplicates, so chains do not grow together.
    keep : {"first", "last", "longest"}, default="first"
        The row of a cluster to keep; the first of several longest sentences.
    min_cosine : float, default=None
        Lowest cosine of pairs that are found. None is 0.02 below the threshold, or 0.8 with a
        model. Lower values find more pairs and take more time and memory.
    encoder : "default" or object with ``encode``, default="default"
        Computes the vectors, see :class:`~skpara.ParagramVectorizer`.
    n_jobs : int, default=None
        Threads that compare vectors; None is one thread, with products by the threads of the BLAS
        library, unless a :func:`joblib.parallel_config` says otherwise.

    Attributes
    ----------
    labels_ : ndarray of shape (n_sentences,), int64
        The cluster of each row. Clusters are numbered in the order of their first row.
    kept_ : ndarray of shape (n_clusters,), int64
        The rows that are kept, in order.
    pairs_ : ndarray of shape (n_pairs, 2), int64
        The pairs that were found, including some below the threshold, with the lower row number
        first. Only the first of several rows with the same vector is in other pairs.
    scores_ : ndarray of shape (n_pairs,), float64
        The score of each pair.
    recall_ : float
        The estimated fraction of all pairs that was found: 1 for up to 20,000 different sentences,
        else measured on a sample, about .995.

    See Also
    --------
    SentenceMatcher : Matches between two tables, such as test sentences in a training set.

    Notes
    -----
    Rows with equal vectors are compared once, and each is paired with the first of them only, so
    that memory is proportional to the number of rows and of similar pairs. Empty sentences are
    duplicates of nothing.

    Examples
    --------
    >>> from skpara import Deduplicator
    >>> sentences = ["It rains.", "A man is playing a guitar.", "It rains!", "A dog runs."]
    >>> deduplicator = Deduplicator().fit(sentences)
    >>> deduplicator.labels_
    array([0, 1, 0, 2])
    >>> deduplicator.drop_duplicates(sentences)
    ['It rains.', 'A man is playing a guitar.', 'A dog runs.']
    """

    _parameter_constraints: dict[str, Any] = {
        "model": [HasMethods("predict"), HasMethods("predict_proba"), None],
        "threshold": [Interval(Real, None, None, closed="neither")],  # not NaN, nor infinite
        "linkage": [StrOptions({"single", "complete"})],
        "keep": [StrOptions({"first", "last", "longest"})],
        "min_cosine": [Interval(Real, 0, 1, closed="right"), None],
        "encoder": [HasMethods("encode")],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        model: Any = None,
        threshold: float = 0.9,
        *,
        linkage: str = "single",
        keep: str = "first",
        min_cosine: float | None = None,
        encoder: Any = "default",
        n_jobs: int | None = None,
    ) -> None:
        self.model = model
        self.threshold = threshold
        self.linkage = linkage
        self.keep = keep
        self.min_cosine = min_cosine
        self.encoder = encoder
        self.n_jobs = n_jobs

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, *, on: Any = None) -> Deduplicator:
        """Find the similar pairs.

        Parameters
        ----------
        X : sentences of shape (n_sentences,), or frame
            The sentences.
        y : object, optional
            Ignored.
        on : str, default=None
            The column of a frame that holds the sentences; needed if it has several.

        Returns
        -------
        Deduplicator
            The fitted estimator itself.
        """
        self._sentences, _ = text_column(X, on, "X")
        self._units = encode_units(self.encoder, self._sentences)
        result = similar_pairs(self._units, self._lowest(), self.n_jobs)
        self.pairs_, self._owners, self.recall_ = result.pairs, result.owners, result.recall
        self.scores_ = self._score(result.pairs, result.cosines)
        self._least, self._writer = self._lowest(), id(self)
        self._first_rows: dict[int, int] | None = None
        self._labels: dict[tuple[float, str], NDArray[np.int64]] = {}
        return self

    @_fit_context(prefer_skip_nested_validation=False)
    def partial_fit(self, X: Any, y: Any = None, *, on: Any = None) -> Deduplicator:
        """Add sentences, one or many, and compare them with all that were added before.

        Unlike ``fit``, it compares with every row, so no pair is missed. A call takes a tenth of a
        second for a million rows.

        Parameters
        ----------
        X : sentences of shape (n_sentences,), or frame
            More sentences. Their row numbers continue the numbers of the earlier ones.
        y : object, optional
            Ignored.
        on : str, default=None
            The column of a frame that holds the sentences; needed if it has several.

        Returns
        -------
        Deduplicator
            The estimator itself.
        """
        if not self.__sklearn_is_fitted__() or not self._sentences:
            return self.fit(X, on=on)
        sentences, _ = text_column(X, on, "X")
        n_rows = len(self._units)
        units = encode_units(self.encoder, sentences)
        if not sentences:
            return self
        self._append(sentences, units)
        if self._first_rows is None:
            distinct = np.unique(self._owners)
            keys = row_keys(self._units[:n_rows])[distinct]
            self._first_rows = dict(zip(keys.tolist(), distinct.tolist(), strict=True))
        owners = [
            self._first_rows.setdefault(key, n_rows + i)
            for i, key in enumerate(row_keys(units).tolist())
        ]
        self._owners = np.concatenate([self._owners, np.array(owners, dtype=np.int64)])
        rows = np.arange(n_rows, n_rows + len(units))
        added = self._owners[rows] == rows
        pairs, cosines = compare(
            self._units, rows[added], np.arange(len(self._units)), self._least
        )
        distinct = (self._owners[pairs] == pairs).all(axis=1)
        equal = rows[~added & units.any(axis=1)]
        repeats = np.column_stack([self._owners[equal], equal]), np.ones(len(equal))
        pairs, cosines = join_pairs([(pairs[distinct], cosines[distinct]), repeats])
        scores = self._score(pairs, cosines)
        self.pairs_, self.scores_ = join_pairs([(self.pairs_, self.scores_), (pairs, scores)])
        self._labels = {}
        return self

    @property
    def labels_(self) -> NDArray[np.int64]:
        """The cluster of each row."""
        return self.labels()

    @property
    def kept_(self) -> Rows:
        """The rows that are kept."""
        return self.kept()

    def labels(self, threshold: float | None = None) -> NDArray[np.int64]:
        """Compute the clusters, at the threshold of the estimator or at another one.

        Parameters
        ----------
        threshold : float, default=None
            Lowest score of duplicates; None is the parameter of the estimator.

        Returns
        -------
        ndarray of shape (n_sentences,), int64
            The cluster of each row.

        Raises
        ------
        ValueError
            If ``fit`` did not look for pairs at this threshold.
        """
        threshold = self._checked_threshold(threshold)
        key = (threshold, self.linkage)
        if key not in self._labels:
            self._labels = {key: self._cluster(threshold)}  # only the last one
        return self._labels[key].copy()

    def kept(self, threshold: float | None = None) -> Rows:
        """Return the row of each cluster that is kept.

        Parameters
        ----------
        threshold : float, default=None
            As in :meth:`labels`.

        Returns
        -------
        ndarray of shape (n_clusters,), int64
            Row numbers, in order.
        """
        labels = self.labels(threshold)
        rows = np.arange(len(labels))
        if self.keep == "longest":
            lengths = np.fromiter(map(len, self._sentences), dtype=np.int64, count=len(rows))
            rows = np.lexsort((rows, -lengths))
        elif self.keep == "last":
            rows = rows[::-1]
        _, first = np.unique(labels[rows], return_index=True)
        kept: Rows = np.sort(rows[first])
        return kept

    def drop_duplicates(self, X: Any, *, threshold: float | None = None) -> Any:
        """Drop all rows of a cluster but one.

        Parameters
        ----------
        X : frame, array or list
            The fitted rows, or other columns of them.
        threshold : float, default=None
            As in :meth:`labels`.

        Returns
        -------
        frame, array or list
            The rows that are kept, in order, with all their columns.
        """
        check_is_fitted(self)
        if len(X) != len(self._sentences):
            raise ValueError(
                f"X has {len(X)} rows, but {len(self._sentences)} were fitted. Pass the same rows."
            )
        return take_rows(X, self.kept(threshold))

    def borderline(self, width: float = 0.02, threshold: float | None = None) -> NDArray[Any]:
        """List the pairs closest to the threshold, for review.

        Parameters
        ----------
        width : float, default=0.02
            Largest difference between a score and the threshold. Below the threshold, the list
            ends at ``min_cosine``.
        threshold : float, default=None
            As in :meth:`labels`.

        Returns
        -------
        ndarray with the fields ``first``, ``second`` (row numbers) and ``score``
            The pairs, those closest to the threshold first.
        """
        threshold = self._checked_threshold(threshold)
        distances = np.abs(self.scores_ - threshold)
        near = np.flatnonzero(distances <= width)
        near = near[np.argsort(distances[near], kind="stable")]
        first, second = self.pairs_[near].T
        return records({"first": first, "second": second, "score": self.scores_[near]})

    def _lowest(self) -> float:
        """Return the lowest cosine of pairs to look for."""
        if self.min_cosine is not None:
            return float(self.min_cosine)
        if self.model is not None:
            return _LOWEST_FOR_MODELS
        return max(0.0, float(self.threshold) - _BELOW_THRESHOLD)

    def _score(self, pairs: Rows, cosines: Floats) -> Floats:
        if self.model is None:
            return cosines
        return score_pairs(self.model, self._sentences, self._sentences, pairs)

    def _checked_threshold(self, threshold: float | None) -> float:
        check_is_fitted(self)
        threshold = float(self.threshold if threshold is None else threshold)
        if not np.isfinite(threshold):
            raise ValueError(f"threshold must be a finite number, got {threshold}.")
        if self.model is None and threshold < self._least:
            raise ValueError(
                f"fit did not look for pairs with cosines below {self._least:g}, so clusters at "
                f"{threshold:g} are unknown. Fit again with min_cosine={threshold:g}."
            )
        return threshold

    def _cluster(self, threshold: float) -> NDArray[np.int64]:
        pairs, scores = self.pairs_, self.scores_
        if self.linkage == "complete":
            # Rows with equal vectors join the first of them, the only one in other pairs.
            repeats = self._owners[pairs[:, 1]] == pairs[:, 0]
            merges = complete_merges(pairs[~repeats], scores[~repeats])
            pairs, scores = (
                np.concatenate(parts)
                for parts in zip(merges, (pairs[repeats], scores[repeats]), strict=True)
            )
        return connected(pairs[scores >= threshold], len(self._sentences))

    def _append(self, sentences: list[str], units: Vectors) -> None:
        """Add rows in time proportional to their number, on average."""
        n_rows, n_new = len(self._units), len(units)
        buffer = self._units.base
        # A copy of the estimator has the same buffer, and must not write into it.
        if self._writer != id(self) or buffer is None or len(buffer) < n_rows + n_new:
            buffer = np.empty((n_rows + max(n_rows, n_new), units.shape[1]), dtype=np.float32)
            buffer[:n_rows] = self._units[:, : units.shape[1]]
            self._writer = id(self)
        buffer[n_rows : n_rows + n_new] = units
        self._units = buffer[: n_rows + n_new]
        self._sentences = [*self._sentences, *sentences]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "pairs_")
