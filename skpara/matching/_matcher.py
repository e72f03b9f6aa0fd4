"""Matching of sentences with the best of many candidates."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from skpara._defaults import DefaultsMixin
from skpara._public import set_module
from skpara._shared_models import SharedModelsMixin
from skpara._typing import Floats
from skpara.encoders import ParagramEncoder
from skpara.matching._guard import Guard
from skpara.matching._ngrams import NgramIndex
from skpara.matching._scores import check_bound, score_pairs, scores_are_probabilities
from skpara.matching._search import (
    Rows,
    best_of_each_row,
    encode_units,
    exact_cosines,
    nearest,
)
from skpara.matching._tables import records, side_by_side, text_column

# With 40 candidates each, 40,000 pairs are scored at a time.
_QUERIES_PER_CHUNK = 1024
# Lowest score without a model. Where 40 % of the rows have no match, it is near the best F1 on
# captions, questions, translations and names of things, and loses 1 to 16 % of the matches.
_LOWEST_SCORE = 0.6


@set_module("skpara")
class SentenceMatcher(SharedModelsMixin, DefaultsMixin, BaseEstimator):
    """Find the candidates that mean the same as a sentence.

    An exact search among all candidates finds those with the highest cosines of sentence vectors
    and those that share the most character n-grams. A model of pairs, if there is one, then scores
    these few; otherwise, the score is the weighted mean of both similarities.

    Parameters
    ----------
    model : fitted estimator of pairs, default=None
        Scores the candidates that were found, for example a fitted
        :func:`~skpara.make_sts_pipeline`. With ``predict_proba``, which needs two classes, the
        score is the probability of the second class. It is used as it is, also by clones.
    top_k : int or None, default=1
        Maximum number of matches of a sentence; None is no limit.
    min_probability : float, default=0.5
        Lowest probability of a match, where the model predicts probabilities.
    min_score : "auto", float or None, default="auto"
        Lowest score of a match otherwise; None is no limit. "auto" is 0.6 without a model, a
        bound for the default encoder, and no limit with one.
    encoder : "default" or object with ``encode``, default="default"
        Computes the vectors, see :class:`~skpara.ParagramVectorizer`.
    n_candidates : int, default=20
        Number of candidates that vectors and n-grams each propose for a sentence, at least
        ``top_k``; all of them for ``top_k=None`` without a model.
    ngram_weight : float, default=0.2
        Weight of the similarity of n-grams in the score without a model; the cosine has the rest.
        0 leaves n-grams out, with a model too.
    guard : bool, "identifiers" or list of str, default=True
        Contrasts that make a candidate no match, whatever its score, see
        :class:`~skpara.Deduplicator`. The next one may be a match.

    Attributes
    ----------
    n_candidates_in_ : int
        Number of fitted rows.

    See Also
    --------
    Deduplicator : Duplicates within one column.

    Notes
    -----
    A match of a sentence does not depend on the other sentences of the call. Time is proportional
    to the product of the numbers of sentences and candidates, memory to their sum. Sentences that
    share nothing with any candidate, such as empty ones, have no match.

    Examples
    --------
    >>> from skpara import SentenceMatcher
    >>> matcher = SentenceMatcher().fit(["A man plays the guitar.", "Stocks fell.", "It rains."])
    >>> matches = matcher.match(["It is raining.", "Someone is playing music.", "A cake."])
    >>> matches["query"], matches["candidate"]
    (array([0, 1]), array([2, 0]))

    Frames give frames:

    >>> import pandas as pd
    >>> shop = pd.DataFrame({"name": ["red bicycle", "garden chair"], "price": [250, 40]})
    >>> matcher.join(pd.DataFrame({"title": ["bike (red)"]}), shop, on=("title", "name"))[
    ...     ["title", "name", "price"]]
            title         name  price
    0  bike (red)  red bicycle    250
    """

    _parameter_constraints: dict[str, Any] = {
        "model": [HasMethods("predict"), HasMethods("predict_proba"), None],
        "top_k": [Interval(Integral, 1, None, closed="left"), None],
        "min_probability": [Interval(Real, 0, None, closed="left")],
        "min_score": [Interval(Real, None, None, closed="neither"), StrOptions({"auto"}), None],
        "encoder": [HasMethods("encode")],
        "n_candidates": [Interval(Integral, 1, None, closed="left")],
        "ngram_weight": [Interval(Real, 0, 1, closed="both")],
        "guard": ["boolean", StrOptions({"identifiers"}), list, tuple],
    }

    def __init__(
        self,
        model: Any = None,
        top_k: int | None = 1,
        *,
        min_probability: float = 0.5,
        min_score: Any = "auto",
        encoder: Any = "default",
        n_candidates: int = 20,
        ngram_weight: float = 0.2,
        guard: Any = True,
    ) -> None:
        self.model = model
        self.top_k = top_k
        self.min_probability = min_probability
        self.min_score = min_score
        self.encoder = encoder
        self.n_candidates = n_candidates
        self.ngram_weight = ngram_weight
        self.guard = guard

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, candidates: Any, y: Any = None, *, on: Any = None) -> SentenceMatcher:
        """Encode the candidates.

        Parameters
        ----------
        candidates : sentences of shape (n_candidates,), or frame
            The sentences to search in. Equal candidates match together.
        y : object, optional
            Ignored.
        on : str, default=None
            The column of a frame that holds the sentences; needed if it has several.

        Returns
        -------
        SentenceMatcher
            The fitted matcher itself.
        """
        self._lowest(), Guard(self.guard)  # checks the parameters
        sentences, self._table = text_column(candidates, on, "candidates")
        rows: dict[str, list[int]] = {}
        for row, sentence in enumerate(sentences):
            rows.setdefault(sentence, []).append(row)
        # Equal candidates are searched once, else a frequent sentence would hide all others.
        self._sentences = list(rows)
        self._rows = np.concatenate([*rows.values(), []]).astype(np.int64)
        self._starts = np.cumsum([0, *map(len, rows.values())])
        self._units = encode_units(self.encoder, self._sentences)
        has_ngrams = self.ngram_weight > 0 and self._sentences
        self._ngrams = NgramIndex(self._sentences) if has_ngrams else None
        self.n_candidates_in_ = len(sentences)
        return self

    def match(
        self, queries: Any, *, on: Any = None, how: str = "inner", explain: bool = False
    ) -> Any:
        """Find the matches of sentences.

        Parameters
        ----------
        queries : sentences of shape (n_queries,), or frame
            The sentences to find matches for.
        on : str, default=None
            The column of a frame that holds the sentences; needed if it has several.
        how : {"inner", "left"}, default="inner"
            "inner" leaves out sentences without a match; "left" keeps them with missing values
            (-1 as the number of the candidate).
        explain : bool, default=False
            Add a column ``reason`` with an :class:`~skpara.explanation.Explanation` of the model's
            score of each match or, without a model, of the cosine. For a sentence without a match,
            it is the contrast with the best candidate that the guard refused, if there is one.

        Returns
        -------
        frame, or ndarray with named fields
            The matches, best first for each sentence. For a frame (or Series) a frame with the
            columns of ``queries``, the columns of the candidates, and ``probability`` or
            ``score``. Else an array with the fields ``query`` and ``candidate``, which are row
            numbers, and ``probability`` or ``score``.

        Raises
        ------
        ValueError
            If a column is missing, or a cell is not a string.
        """
        check_is_fitted(self)
        if how not in ("inner", "left"):
            raise ValueError(f"how must be 'inner' or 'left', got {how!r}.")
        sentences, table = text_column(queries, on, "queries")
        refused: dict[int, str] = {}
        parts = [
            self._match(sentences[start : start + _QUERIES_PER_CHUNK], start, refused)
            for start in range(0, len(sentences) or 1, _QUERIES_PER_CHUNK)
        ]
        rows, matched, scores = (np.concatenate(part) for part in zip(*parts, strict=True))
        if how == "left":
            missing = np.setdiff1d(np.arange(len(sentences)), rows)
            order = np.argsort(np.concatenate([rows, missing]), kind="stable")
            rows = np.concatenate([rows, missing])[order]
            matched = np.concatenate([matched, np.full(len(missing), -1)])[order]
            scores = np.concatenate([scores, np.full(len(missing), np.nan)])[order]
        name = "probability" if scores_are_probabilities(self.model) else "score"
        columns: dict[str, NDArray[Any]] = {name: scores}
        if explain:
            columns["reason"] = self._reasons(sentences, rows, matched)
            none = matched < 0
            columns["reason"][none] = list(map(refused.get, rows[none].tolist()))
        if table is None:
            return records({"query": rows, "candidate": matched, **columns})
        candidates = self._table
        if candidates is None:
            candidates = type(table)({"match": self._in_order()})
        return side_by_side(table, candidates, (rows, matched), columns)

    def join(
        self, left: Any, right: Any, *, on: Any = None, how: str = "left", explain: bool = False
    ) -> Any:
        """Join two tables: each row of ``left`` with the rows of ``right`` that match.

        Fits the matcher to ``right``, and is otherwise like :meth:`match`.

        Parameters
        ----------
        left, right : frame, or sentences
            The two tables.
        on : str or tuple of (str, str), default=None
            The column of the sentences in both frames, or in ``left`` and in ``right``; needed if
            a frame has several columns.
        how : {"inner", "left"}, default="left"
            Treatment of rows of ``left`` without a match, see :meth:`match`.
        explain : bool, default=False
            Add a column ``reason``, see :meth:`match`.

        Returns
        -------
        frame, or ndarray with named fields
            As :meth:`match`.
        """
        if isinstance(on, tuple) and len(on) != 2:
            raise ValueError(f"on must be one column, or a tuple of two, got {on!r}.")
        left_on, right_on = on if isinstance(on, tuple) else (on, on)
        has_columns = [hasattr(table, "columns") for table in (left, right)]
        self.fit(right, on=right_on if has_columns[1] else None)
        return self.match(left, on=left_on if has_columns[0] else None, how=how, explain=explain)

    def __getattr__(self, name: str) -> Any:
        hint = ". Call match(queries)" if name in ("predict", "transform") else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}.")

    def _lowest(self) -> Any:
        """Return the lowest score of a match, after a check."""
        if scores_are_probabilities(self.model):
            return check_bound("min_probability", self.min_probability, self.model)
        if self.min_score == "auto":
            return _LOWEST_SCORE if self.model is None else None
        return check_bound("min_score", self.min_score, self.model, "similarity")

    def _match(
        self, sentences: list[str], start: int, refused: dict[int, str]
    ) -> tuple[Rows, Rows, Floats]:
        """Return numbers of sentences, from ``start``, and of candidates, and their scores.

        ``refused`` gets the reasons why the guard refused the best candidates of sentences.
        """
        rows, columns, scores = self._search(sentences)
        if self.model is not None:
            pairs = np.column_stack([rows, columns])
            scores = score_pairs(self.model, sentences, self._sentences, pairs)
        lowest, guard = self._lowest(), Guard(self.guard)
        left = np.arange(len(rows)) if lowest is None else np.flatnonzero(scores >= lowest)
        while True:
            best = left[best_of_each_row(rows[left], columns[left], scores[left], self.top_k)]
            pairs = np.column_stack([rows, columns])[best]
            reasons = guard.reasons(sentences, self._sentences, pairs)
            bad = reasons != ""
            if not bad.any():
                break
            for row, reason in zip(rows[best[bad]].tolist(), reasons[bad], strict=True):
                refused.setdefault(row + start, reason)
            left = np.setdiff1d(left, best[bad])
        rows, columns, scores = rows[best], columns[best], scores[best]
        # From distinct candidates to all rows that hold them.
        counts = self._starts[columns + 1] - self._starts[columns]
        place = np.repeat(np.arange(len(columns)), counts)
        within = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
        matched = self._rows[self._starts[columns[place]] + within]
        rows, scores = rows[place], scores[place]
        best = best_of_each_row(rows, matched, scores, self.top_k)
        return rows[best] + start, matched[best], scores[best]

    def _search(self, sentences: list[str]) -> tuple[Rows, Rows, Floats]:
        """Return pairs of a sentence and a distinct candidate, and their similarities."""
        n_candidates, least = max(self.n_candidates, self.top_k or 1), -np.inf
        shape, ngrams = (len(sentences), len(self._sentences)), self._ngrams
        weight = 0.0 if ngrams is None else self.ngram_weight
        if self.top_k is None and self.model is None:
            n_candidates = shape[1]
            if weight < 1:  # where n-grams are equal, the cosine needs this much
                least = ((self._lowest() or 0.0) - weight) / (1 - weight)
        units = encode_units(self.encoder, sentences)
        if not all(shape):
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0)
        rows, columns = nearest(
            lambda block: units[block] @ self._units.T, shape, n_candidates, least
        )
        cosines = exact_cosines(units, self._units, rows, columns)
        best = best_of_each_row(rows, columns, cosines, n_candidates)
        rows, columns, cosines = rows[best], columns[best], cosines[best]
        if ngrams is None:
            return rows, columns, cosines
        weights = ngrams.transform(sentences)
        if least <= 0:  # else all matches are among the nearest
            spelled = nearest(lambda block: ngrams.products(weights, block), shape, n_candidates)
            best = best_of_each_row(*spelled, ngrams.similarities(weights, *spelled), n_candidates)
            more = [numbers[best] for numbers in spelled]
            keys = [i * shape[1] + j for i, j in ((rows, columns), more)]
            rows, columns = np.divmod(np.union1d(*keys), shape[1])
            cosines = exact_cosines(units, self._units, rows, columns)
        similarities = ngrams.similarities(weights, rows, columns)
        return rows, columns, (1 - weight) * cosines + weight * similarities

    def _reasons(self, sentences: list[str], rows: Rows, matched: Rows) -> NDArray[np.object_]:
        from skpara.explanation import explain

        candidates = self._in_order()
        pairs = [
            (sentences[i], candidates[j])
            for i, j in zip(rows.tolist(), matched.tolist(), strict=True)
            if j >= 0
        ]
        reasons = np.full(len(rows), None, dtype=object)
        if pairs:
            encoder = ParagramEncoder() if isinstance(self.encoder, str) else self.encoder
            model = encoder if self.model is None else self.model
            reasons[matched >= 0] = explain(model, pairs)
        return reasons

    def _in_order(self) -> list[str]:
        """Return the candidates in the order of ``fit``."""
        counts = np.diff(self._starts)
        order = np.repeat(np.arange(len(counts)), counts)[np.argsort(self._rows)]
        return [self._sentences[i] for i in order.tolist()]
