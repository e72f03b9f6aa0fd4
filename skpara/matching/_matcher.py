"""Matching of the rows of two tables.

After ``match``, a matcher keeps ``_scored``: the pairs of a query and a candidate that the guard
leaves, with their scores. ``_decide`` makes matches of them: log odds, which are drawn from the
scores in the context of all, become probabilities, which answers of people change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from skpara._array_files import check_texts
from skpara._defaults import DefaultsMixin
from skpara._frames import has_columns
from skpara._public import set_module
from skpara._shared_models import SharedModelsMixin
from skpara._sklearn import BaseEstimator, _fit_context
from skpara._typing import (
    ColumnLike,
    Columns,
    EncoderLike,
    Floats,
    FrameLike,
    How,
    LazyLike,
    PairModel,
    TableLike,
)
from skpara._warnings import warn
from skpara.encoders import ParagramEncoder
from skpara.features.contrast import Detector
from skpara.matching._answers import Cells, Compared, Judgments, Pair, find, is_text
from skpara.matching._fields import TEXTS
from skpara.matching._guard import OF_NAMES, Guard
from skpara.matching._irrelevant import warn_between
from skpara.matching._judging import ReviewMixin
from skpara.matching._model import first_of_best, n_accepted, place_in_run
from skpara.matching._records import Records
from skpara.matching._scores import check_bound, score_pairs, scores_are_probabilities
from skpara.matching._search import Rows, best_of_each_row
from skpara.matching._tables import (
    Table,
    frame_like,
    read_columns,
    records,
    side_by_side,
    stacked,
    warn_of_unread,
)

F = TypeVar("F", bound=FrameLike)

# Lowest probability of a match, unless another one is given.
_LIKELIER_THAN_NOT = 0.5
_EMPTY = "no text"  # the reason of a row whose cells are all missing
_GUARDS = {"names": OF_NAMES, "sentences": True}
# Share of the rows without a probable candidate whose counterpart is there all the same: renamed,
# or not proposed. Nothing in the tables tells it; it is about right for tables whose rows mostly
# have a counterpart, and says a recall that is too low where few have.
_UNSEEN = 0.25


@set_module("skpara.matching")
class Scored(NamedTuple):
    """Pairs of a query and a distinct record of the reference, ordered by query."""

    rows: Rows
    columns: Rows
    scores: Floats  # log odds for several columns and classifiers, else on a scale of their own
    cells: list[list[str]]  # of the queries, a list for each column
    # What answers are learned from, if there are answers.
    features: Floats | None = None

    def without(self, pairs: Rows) -> Scored:
        """Leave out pairs."""
        kept = np.delete(np.arange(len(self.rows)), pairs)
        features = None if self.features is None else self.features[kept]
        rows, columns, scores = self.rows[kept], self.columns[kept], self.scores[kept]
        return Scored(rows, columns, scores, self.cells, features)


@set_module("skpara", trusted=True)
@dataclass(eq=False, repr=False)
class TableMatcher(ReviewMixin, SharedModelsMixin, DefaultsMixin, BaseEstimator):
    """Find the rows of a reference table that name the same things as other rows.

    Candidates are the rows that share the most character n-grams, words, or meaning with a row. A
    packaged linear model compares names by spelling, words, numbers and the lead over other
    candidates, and sentences by meaning and spelling. Records of several columns are compared by
    a packaged model of pairs, which needs no labels and reads no names of columns. Each match has
    a probability, and a row without a probable candidate has no match.

    Parameters
    ----------
    model : fitted estimator of pairs, default=None
        Scores the candidates of a column of sentences, for example a fitted
        :func:`~skpara.make_pair_classifier`. With ``predict_proba``, which needs two classes, the
        score is the probability of the second class. It is used as it is, also by clones.
    top_k : int or None, default=1
        Maximum number of matches of a row; None is no limit.
    precision : float, default=None
        Of the matches with at least ``threshold``, take the most whose mean probability is
        this, between 0 and 1; None takes all.
    one_to_one : bool, default=False
        Match each row of the reference with one row at most, the most probable.
    threshold : float, default=None
        Lowest probability of a match, or lowest score with a ``model`` that predicts no
        probabilities. None is 0.5 for probabilities, and no limit for scores.
    encoder : "default" or object with ``encode``, default="default"
        Computes vectors of meaning, see :class:`~skpara.ParagramVectorizer`.
    n_candidates : int, default=10
        Number of candidates that n-grams, words and vectors each propose for a row, at least
        ``top_k``. With ``top_k=None``, rows that match so many get more.
    guard : "auto", bool, "identifiers" or list of str and detectors, default="auto"
        Contrasts that make a candidate no match, whatever its probability, see
        :class:`~skpara.Deduplicator`. The next one may be a match. "auto" is all kinds for
        sentences, those that cost few matches for names, and none for several columns.

    Attributes
    ----------
    n_candidates_in_ : int
        Number of rows in the reference.
    kinds_ : dict of str to str
        The kind of each column that is compared.

    See Also
    --------
    Deduplicator : Duplicates within one table.

    Notes
    -----
    Candidates and their scores depend on the row and the reference alone, and so do the
    probabilities of several columns. Those of one column depend on the other rows of a call too:
    on the mean of their scores and, for names, on the words that they have and their best
    candidates lack, or the other way round.

    The packaged numbers were learned from names of things in English (DBpedia), from captions,
    questions and news, and from tables of products, papers, films, restaurants, songs and persons.
    Renamed things, other languages and tables full of near-duplicates are
    hard: look at some matches, or pass ``precision``.

    References
    ----------
    P. Li, X. Cheng, X. Chu, Y. He, S. Chaudhuri (2021). Auto-FuzzyJoin: auto-program fuzzy
    similarity joins without labeled examples. SIGMOD.

    Z. Zhang, P. Groth, I. Calixto, S. Schelter (2025). A deep dive into cross-dataset entity
    matching with large and small language models. EDBT. (Comparisons of models for records.)

    Examples
    --------
    >>> from skpara import TableMatcher
    >>> matcher = TableMatcher().fit(["red bicycle", "garden chair"])
    >>> matches = matcher.match(["a bike (red)", "birthday cake"])
    >>> matches["query"], matches["candidate"]
    (array([0]), array([0]))

    Frames give frames:

    >>> import pandas as pd
    >>> shop = pd.DataFrame({"name": ["red bicycle", "garden chair"], "price": [250, 40]})
    >>> wishes = pd.DataFrame({"title": ["Bicycle, red"]})
    >>> TableMatcher().join(wishes, shop, left_on="title", right_on="name")[
    ...     ["title", "name", "price"]]
              title         name  price
    0  Bicycle, red  red bicycle    250
    """

    model: PairModel | None = None
    top_k: int | None = 1
    _: KW_ONLY
    precision: float | None = None
    one_to_one: bool = False
    threshold: float | None = None
    encoder: EncoderLike = "default"
    n_candidates: int = 10
    guard: bool | Literal["auto", "identifiers"] | Sequence[str | Detector] = "auto"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "model": [HasMethods("predict"), HasMethods("predict_proba"), None],
        "top_k": [Interval(Integral, 1, None, closed="left"), None],
        "precision": [Interval(Real, 0, None, closed="left"), None],
        "one_to_one": ["boolean"],
        "threshold": [Interval(Real, None, None, closed="neither"), None],
        "encoder": [HasMethods("encode")],
        "n_candidates": [Interval(Integral, 1, None, closed="left")],
        "guard": ["boolean", StrOptions({"auto", "identifiers"}), list, tuple],
    }

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, reference: TableLike, y: Any = None, *, on: Columns | None = None) -> Self:
        """Index the reference.

        Parameters
        ----------
        reference : sentences of shape (n_rows,), frame, or dict of columns
            The table to search in: a frame of pandas, polars, pyarrow, DuckDB or another library
            that narwhals knows (a lazy one is computed), or columns by their names. Equal rows
            match together. A missing cell is no evidence, and a row of nothing else has no match.
        y : object, optional
            Ignored.
        on : str, list of str, or mapping of str to str, default=None
            The columns to compare, needed if a frame has several. A mapping gives their kinds:
            "text" (guessed: names or sentences), "names", "sentences", "exact", "number" (with or
            without a unit), "date" (in any common form), "code" (phone numbers, and letters and
            digits that may be mistyped), or "same" (a country, a branch: rows that differ in it,
            other than in case, accents and spaces, never match; an empty cell may be any). Other
            kinds are guessed, too.

        Returns
        -------
        TableMatcher
            The fitted matcher itself.
        """
        self._lowest()
        cells, kinds, self._table = read_columns(reference, on, "reference")
        if self.model is not None:
            if len(cells) > 1 or not set(kinds.values()) <= {"guess", *TEXTS}:
                raise ValueError(
                    "model scores pairs of texts, but there are several columns to compare, or "
                    "one of another kind. Leave it out, or pass one column of text as on."
                )
            kinds = dict.fromkeys(kinds, "text") if "guess" in kinds.values() else kinds
        if not cells[0]:
            warn("The reference has no rows, so nothing will match. Pass the table to search in.")
        self._records = Records(cells, list(kinds.values()), self.encoder)
        self.n_candidates_in_ = self._records.n_rows
        self._on = None if list(kinds) == [None] else list(kinds)
        kinds_in_order = zip(kinds, self._records.kinds, strict=True)
        self.kinds_ = {"text" if name is None else name: kind for name, kind in kinds_in_order}
        self._guarded()  # checks the parameter
        self._judgments = Judgments()
        self._scored: Scored | None = None
        return self

    @overload
    def match(
        self,
        queries: LazyLike,
        *,
        on: Columns | None = None,
        how: How = "inner",
        explain: bool = False,
    ) -> Any: ...
    @overload
    def match(
        self, queries: F, *, on: Columns | None = None, how: How = "inner", explain: bool = False
    ) -> F: ...
    @overload
    def match(
        self,
        queries: Sequence[str] | NDArray[Any] | Mapping[str, Any],
        *,
        on: Columns | None = None,
        how: How = "inner",
        explain: bool = False,
    ) -> Table: ...
    @overload
    def match(
        self,
        queries: ColumnLike,
        *,
        on: Columns | None = None,
        how: How = "inner",
        explain: bool = False,
    ) -> Any: ...
    def match(
        self, queries: Any, *, on: Columns | None = None, how: How = "inner", explain: bool = False
    ) -> Any:
        """Find the matches of rows.

        Parameters
        ----------
        queries : sentences of shape (n_queries,), frame, or dict of columns
            The rows to find matches for.
        on : str or list of str, default=None
            The columns to compare, in the order of the columns of ``fit``; None is the same names.
        how : {"inner", "left"}, default="inner"
            "inner" leaves out rows without a match; "left" keeps them with missing values (-1 as
            the number of the candidate), and adds the column ``reason``.
        explain : bool, default=False
            Add a column ``reason``: an :class:`~skpara.explanation.Explanation` of the model's
            score of each match or, without a model, of the cosine. For several columns the score
            is the log odds of a match before answers, the baseline the log odds of any candidate,
            and a column adds what is lost if the cell of the query is empty.

        Returns
        -------
        frame, or ndarray with named fields
            The matches, best first for each row. For a frame (or Series) a frame of the same
            library (of a lazy one the computed frame, for DuckDB a table of pyarrow) with the
            columns of ``queries``, the columns of the reference (of a matcher from a model file
            those that are compared, as text), and ``probability`` (``score`` with a model that
            predicts none). Else an array with the fields ``query`` and ``candidate``, which are
            row numbers, and ``probability`` or ``score``. For a row without a match, ``reason`` is
            the probability of the best candidate, or how it differs, if the guard refused it, or
            "no text". In frames whose columns hold no objects, an explanation is its text.

        Raises
        ------
        ValueError
            If a column or a cell cannot be compared.
        """
        check_is_fitted(self)
        if how not in ("inner", "left"):
            raise ValueError(f"how must be 'inner' or 'left', got {how!r}.")
        cells, table = self._read(queries, on)
        scored, values, best, refused = self._decide(self._score(cells))
        self._scored = scored
        if not (self._records.text_kind or self.model is not None or self._judgments.answers):
            names = self._on or []
            warn_between(names, self._records, scored.cells, scored.rows, scored.columns)
        rows, matched, pairs = self._spread(scored, best, values)
        if how == "left":
            missing = np.setdiff1d(np.arange(len(cells[0])), rows)
            rows = np.concatenate([rows, missing])
            order = np.argsort(rows, kind="stable")
            nothing = np.full(len(missing), -1)
            rows = rows[order]
            matched, pairs = (np.append(x, nothing)[order] for x in (matched, pairs))
        columns: dict[str, NDArray[Any]] = {self._value_name(): np.append(values, np.nan)[pairs]}
        if explain or how == "left":
            reasons = np.full(len(rows), None, dtype=object)
            taken = np.flatnonzero(pairs >= 0)
            if explain and len(taken):
                reasons[taken] = self._explained(scored, pairs[taken])
            nearest = first_of_best(values, scored.rows)
            for row, value in zip(scored.rows[nearest], values[nearest], strict=True):
                refused.setdefault(row, f"best candidate {value:.2f}".replace(" 0", " "))
            for place in np.flatnonzero(pairs < 0).tolist():
                is_empty = not any(column[rows[place]].strip() for column in cells)
                reasons[place] = _EMPTY if is_empty else refused.get(rows[place], "no candidate")
            columns["reason"] = reasons
        if table is None:
            return records({"query": rows, "candidate": matched, **columns})
        reference = self._table
        if reference is None:
            cells = self._records.cells
            reference = frame_like(table, dict(zip(self._on or ["match"], cells, strict=True)))
            places = np.searchsorted(self._records.numbers, matched)  # some may have been dropped
            matched = np.where(matched < 0, -1, places)
        return side_by_side(table, reference, (rows, matched), columns)

    @overload
    def join(
        self,
        left: LazyLike,
        right: TableLike,
        *,
        on: Columns | None = None,
        left_on: Columns | None = None,
        right_on: Columns | None = None,
        how: How = "left",
        explain: bool = False,
    ) -> Any: ...
    @overload
    def join(
        self,
        left: F,
        right: FrameLike,
        *,
        on: Columns | None = None,
        left_on: Columns | None = None,
        right_on: Columns | None = None,
        how: How = "left",
        explain: bool = False,
    ) -> F: ...
    @overload
    def join(
        self,
        left: Sequence[str] | NDArray[Any] | Mapping[str, Any],
        right: TableLike,
        *,
        on: Columns | None = None,
        left_on: Columns | None = None,
        right_on: Columns | None = None,
        how: How = "left",
        explain: bool = False,
    ) -> Table: ...
    @overload
    def join(
        self,
        left: ColumnLike,
        right: TableLike,
        *,
        on: Columns | None = None,
        left_on: Columns | None = None,
        right_on: Columns | None = None,
        how: How = "left",
        explain: bool = False,
    ) -> Any: ...
    def join(
        self,
        left: Any,
        right: Any,
        *,
        on: Columns | None = None,
        left_on: Columns | None = None,
        right_on: Columns | None = None,
        how: How = "left",
        explain: bool = False,
    ) -> Any:
        """Join two tables: each row of ``left`` with the rows of ``right`` that match.

        Fits the matcher to ``right``, and is otherwise like :meth:`match`.

        Parameters
        ----------
        left, right : frame, dict of columns, or sentences
            The two tables; ``right`` is the reference.
        on : str, list of str, or mapping of str to str, default=None
            The columns of both to compare, see :meth:`fit`; needed if a frame has several.
        left_on, right_on : str, list of str or mapping, default=None
            The columns of each, if they have other names. The mapping to kinds is ``right_on``.
        how : {"inner", "left"}, default="left"
            Treatment of rows of ``left`` without a match, see :meth:`match`.
        explain : bool, default=False
            Explain the matches, see :meth:`match`.

        Returns
        -------
        frame, or ndarray with named fields
            As :meth:`match`.
        """
        if on is not None and (left_on is not None or right_on is not None):
            raise ValueError("Pass on, or left_on and right_on, but not both.")
        if on is not None:  # of two tables, one may be a list
            are_frames = has_columns(left), has_columns(right)
            left_on, right_on = (on if x or not any(are_frames) else None for x in are_frames)
        self.fit(right, on=right_on)
        left_on = list(left_on) if isinstance(left_on, Mapping) else left_on
        return self.match(left, on=left_on, how=how, explain=explain)

    @_fit_context(prefer_skip_nested_validation=False)
    def partial_fit(
        self, reference: TableLike, y: Any = None, *, on: Columns | None = None
    ) -> Self:
        """Add rows to the reference; they are numbered after the rows that are there.

        Above 20,000 rows, n-grams and words keep the weights of ``fit`` until a fifth more rows
        have come, so that a few rows cost little; then the whole index is made anew.

        Parameters
        ----------
        reference : sentences of shape (n_rows,), or frame
            More rows, with the columns of ``fit``.
        y : object, optional
            Ignored.
        on : str or list of str, default=None
            The columns to compare; None is the same names.

        Returns
        -------
        TableMatcher
            The matcher itself.
        """
        if not hasattr(self, "_records"):
            return self.fit(reference, on=on)
        cells, table = self._read(reference, on, "reference")
        if self._table is not None and not isinstance(table, type(self._table)):
            raise TypeError(f"Add rows of the type that fit had: a frame, {type(self._table)}.")
        # Lists and model files have no table.
        table = None if self._table is None else stacked(self._table, table)
        self._records, self._table, self._scored = self._records.extended(cells), table, None
        self.n_candidates_in_ = self._records.n_rows
        return self

    def drop(self, ids: Any) -> Self:
        """Remove rows from the reference. The other rows keep their numbers.

        Parameters
        ----------
        ids : array-like of int
            Numbers of rows, as in ``candidate``.

        Returns
        -------
        TableMatcher
            The matcher itself.
        """
        check_is_fitted(self)
        ids = np.atleast_1d(np.asarray(ids))
        if ids.dtype.kind not in "iu" and ids.size:
            raise ValueError(f"ids must be whole numbers of rows, got {ids.ravel()[0]!r:.60}.")
        unknown = np.setdiff1d(ids, self._records.numbers)
        if len(unknown):
            raise ValueError(f"The reference has no row {unknown[0]}.")
        self._records, self._scored = self._records.without(ids), None
        self.n_candidates_in_ = self._records.n_rows
        return self

    def _to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        check_is_fitted(self)
        parameters = self.get_params(deep=False) | {"model": None}
        own = {"model_": self.model, "records_": self._records, "on_": self._on}
        return parameters, vars(self) | own | {"answers_": self._judgments.to_file()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(self._current_parameters(state))

    @staticmethod
    def _current_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters in files of earlier versions by their names of today."""
        current = dict(parameters)
        if "min_probability" in current:
            probability, score = current.pop("min_probability"), current.pop("min_score", None)
            is_default = score is None and probability == _LIKELIER_THAN_NOT
            given = probability if score is None else score
            current["threshold"] = None if is_default else given
        if "target_precision" in current:
            current["precision"] = current.pop("target_precision")
        return current

    def _from_file(self, attributes: dict[str, Any]) -> None:
        self.model, self._on = attributes.pop("model_"), attributes.pop("on_")
        self._validate_params()
        self._records, self._table, self._scored = attributes.pop("records_"), None, None
        check_texts("on_", self._on or ["text"], len(self._records.kinds))
        self._judgments = Judgments.from_file(attributes.pop("answers_"))

    def _read(self, X: Any, on: Any, what: str = "queries") -> tuple[list[list[str]], Any]:
        """Return the cells of more rows, and the frame if there is one; check the parameters."""
        self._validate_params()
        if on is None and has_columns(X):
            on = self._on
        cells, found, table = read_columns(X, on, what)
        if len(cells) != len(self._records.kinds):
            raise ValueError(
                f"{what}: got {len(cells)} columns to compare, but the reference has "
                f"{len(self._records.kinds)}. Pass as many as on."
            )
        for column, kind, name in zip(cells, self._records.kinds, found, strict=True):
            if name is not None:  # the kind of a list is never given
                warn_of_unread(column, kind, f"{what}, column {name!r}")
        return self._records.known(cells), table

    def _has_probabilities(self) -> bool:
        return self.model is None or scores_are_probabilities(self.model)

    def _value_name(self) -> str:
        return "probability" if self._has_probabilities() else "score"

    def _lowest(self) -> Any:
        """Return the lowest probability or score of a match, after a check."""
        if self._has_probabilities():
            check_bound("precision", self.precision, None, "precision")
            if self.threshold is None:
                return _LIKELIER_THAN_NOT
            return check_bound("threshold", self.threshold, None, "probability")
        if self.precision is not None:
            raise ValueError(
                "precision needs probabilities. Pass a model with predict_proba, or none."
            )
        return -np.inf if self.threshold is None else self.threshold

    def _guarded(self) -> Guard:
        guard: Any = self.guard
        if isinstance(guard, str) and guard == "auto":
            guard = _GUARDS.get(self._records.text_kind or "", False)
        return Guard(guard)

    def _score(self, cells: list[list[str]]) -> Scored:
        """Find the candidates of queries, and score them."""
        n_candidates = max(self.n_candidates, self.top_k or 1)
        scored = self._compare(cells, n_candidates)
        while self.top_k is None and n_candidates < len(self._records.whole):
            if self._judgments.need_features:
                scored = self._with_features(scored)
            probable = self._probabilities(scored, by_hand=True) >= self._lowest()
            counts = np.bincount(scored.rows[probable], minlength=len(cells[0]))
            full = np.flatnonzero(counts >= n_candidates)  # these may match others, too
            if not len(full):
                break
            n_candidates *= 4
            more = self._compare([[column[row] for row in full] for column in cells], n_candidates)
            rest = scored.without(np.flatnonzero(np.isin(scored.rows, full)))
            scored = joined([rest, more._replace(rows=full[more.rows])], cells)
        return scored

    def _compare(self, cells: list[list[str]], n_candidates: int) -> Scored:
        rows, columns, scores = self._records.score(cells, n_candidates)
        if self.model is not None:
            pairs = np.column_stack([rows, columns])
            scores = score_pairs(self.model, cells[0], self._records.whole, pairs)
            if self._has_probabilities():
                scores = logit(scores)
        return Scored(rows, columns, scores, cells)

    def _probabilities(self, scored: Scored, by_hand: bool) -> Floats:
        """Return the probabilities of pairs; the scores of a model without probabilities."""
        logits = self._logits(scored)
        if not self._has_probabilities():
            return logits
        if self._judgments.answers:
            logits = self._judgments.decided(self._as_compared(scored), by_hand)
        return expit(logits)

    def _as_compared(self, scored: Scored) -> Compared:
        found = self._records
        columns, places = np.unique(scored.columns, return_inverse=True)
        first = found.rows[found.starts[columns]]
        numbers = {"query": scored.rows, "candidate": found.numbers[first][places]}
        return Compared(
            ["text" if name is None else str(name) for name in self._on or [None]],
            list(zip(*scored.cells, strict=True)),
            [tuple(column[row] for column in found.cells) for row in first.tolist()],
            np.column_stack([scored.rows, places]),
            numbers,
            self._logits(scored),
            scored.features,
        )

    def _with_features(self, scored: Scored) -> Scored:
        """Add what answers are learned from: features that pairs are scored by."""
        if scored.features is not None or self.model is not None:
            return scored
        features = self._records.judged_features(scored.cells, scored.rows, scored.columns)
        return scored._replace(features=features)

    def _compared(self) -> Compared:
        if not self._has_probabilities():
            raise TypeError("Answers need probabilities: a model with predict_proba, or none.")
        if self._scored is None:
            raise ValueError("There is nothing to judge yet. Call match first.")
        self._scored = self._with_features(self._scored)
        return self._as_compared(self._scored)

    def _never_compared(self, pairs: list[Pair], compared: Compared) -> list[Pair]:
        pairs = [
            (a, b)
            for a, b in pairs
            if a != b and self._judgments.answers[a, b].same and not is_text((a, b), compared)
        ]
        if not pairs:
            return []
        scored = self._score(list(map(list, zip(*(query for query, _ in pairs), strict=True))))
        numbers = {pair: k for k, pair in enumerate(pairs)}
        found = set(find(self._as_compared(scored), numbers).tolist())
        return [pair for pair, k in numbers.items() if k not in found]

    def _others(self, compared: Compared) -> Iterable[Cells]:
        return zip(*self._records.cells, strict=True)  # the guard refused some, or none asked

    def _cut(self) -> float:
        return float(logit(self._lowest()))

    def _expected_right(self, logits: Floats) -> float:
        """Return how many pairs of the queries and the reference are expected to be right."""
        assert self._scored is not None
        rows, p = self._scored.rows, expit(logits)
        none_right = np.ones(len(self._scored.cells[0]))
        np.multiply.at(none_right, rows, 1 - p)
        found = np.bincount(rows, p, len(none_right)) if self.top_k != 1 else 1 - none_right
        return float((found + _UNSEEN * none_right).sum())

    def _best(self, logits: Floats) -> Rows:
        assert self._scored is not None
        return first_of_best(logits, self._scored.rows)

    def _matched(self, compared: Compared, by_hand: bool = True) -> Rows:
        assert self._scored is not None
        scored, _, best, _ = self._decide(self._scored, by_hand)
        n = len(self._records.whole)
        keys, matched = (x.rows * n + x.columns for x in (self._scored, scored))
        return np.flatnonzero(np.isin(keys, matched[best]))

    def _logits(self, scored: Scored) -> Floats:
        """Return the log odds of pairs in the context of all."""
        if self.model is not None:
            return scored.scores
        return self._records.logits(scored.cells, scored.rows, scored.columns, scored.scores)

    def _decide(
        self, scored: Scored, by_hand: bool = True
    ) -> tuple[Scored, Floats, Rows, dict[int, str]]:
        """Return the pairs that the guard leaves, their probabilities, and which of them match.

        The last result tells why the best candidates of queries were refused. Only what would
        match is guarded, which is slow; then what was second has another lead.
        """
        lowest, guard = self._lowest(), self._guarded()
        if self._judgments.need_features:
            scored = self._with_features(scored)
        said = np.zeros(len(scored.rows), dtype=np.int8)  # 1 is yes, -1 is no
        if by_hand and self._judgments.answers:
            said = self._judgments.said(self._as_compared(scored))
        texts, others = self._records.joined(scored.cells), self._records.whole
        refused: dict[int, str] = {}
        taken = np.zeros(len(scored.rows), dtype=bool)  # candidates that another row has
        while True:
            rows, columns = scored.rows, scored.columns
            values = self._probabilities(scored, by_hand)
            likely = np.flatnonzero((values >= lowest) & ~taken & (said >= 0))
            best = likely[
                best_of_each_row(rows[likely], columns[likely], values[likely], self.top_k)
            ]
            reasons = guard.reasons(texts, others, np.column_stack([rows, columns])[best])
            reasons[said[best] > 0] = ""
            bad = best[reasons != ""]
            for row, reason in zip(rows[bad].tolist(), reasons[reasons != ""], strict=True):
                refused.setdefault(row, reason)
            if len(bad):
                scored, taken, said = (
                    scored.without(bad),
                    np.delete(taken, bad),
                    np.delete(said, bad),
                )
                continue
            order = best[np.lexsort((rows[best], -values[best], columns[best]))]
            n_rows = np.diff(self._records.starts)[columns[order]]  # that have one record
            lost = order[place_in_run(columns[order]) >= n_rows]
            if not self.one_to_one or not len(lost):
                break
            taken[lost] = True
        if self.precision is not None:
            order = np.argsort(-values[best], kind="stable")
            best = np.sort(best[order[: n_accepted(values[best][order], self.precision)]])
        return scored, values, best, refused

    def _spread(self, scored: Scored, pairs: Rows, values: Floats) -> tuple[Rows, Rows, Rows]:
        """Return matches with all rows that have the matching records, up to ``top_k``.

        One to one, each pair has one of the rows. The last result tells which pair each is of.
        """
        starts, columns = self._records.starts, scored.columns[pairs]
        if self.one_to_one:
            place, within = np.arange(len(columns)), np.empty(len(columns), dtype=np.int64)
            order = np.lexsort((scored.rows[pairs], -values[pairs], columns))
            within[order] = place_in_run(columns[order])
        else:
            counts = starts[columns + 1] - starts[columns]
            if self.top_k is not None:  # more would be cut again: equal rows may be many
                counts = np.minimum(counts, min(self.top_k, self._records.n_rows))
            place = np.repeat(np.arange(len(columns)), counts)
            within = place_in_run(place)
        matched = self._records.numbers[self._records.rows[starts[columns[place]] + within]]
        pairs = pairs[place]
        best = best_of_each_row(scored.rows[pairs], matched, values[pairs], self.top_k)
        return scored.rows[pairs[best]], matched[best], pairs[best]

    def _texts_of(self, scored: Scored) -> list[tuple[str, str]]:
        texts, others = self._records.joined(scored.cells), self._records.whole
        pairs = zip(scored.rows.tolist(), scored.columns.tolist(), strict=True)
        return [(texts[i], others[j]) for i, j in pairs]

    def _explained(self, scored: Scored, pairs: Rows) -> list[Any]:
        """Explain pairs: columns by what they add to the log odds, a text by its words."""
        from skpara.explanation import Explanation, explain

        texts = self._texts_of(scored)
        if self._records.text_kind is None:
            names, words = (*map(str, self.kinds_), "whole row"), ((), ())
            prior, values, contributions = self._records.contributions(
                scored.cells, scored.rows, scored.columns, pairs
            )
            return [
                Explanation(
                    *(texts[pair], score, prior, names, similar, x, words, ()),
                    probability=float(expit(score)),
                )
                for pair, similar, x in zip(pairs.tolist(), values, contributions, strict=True)
                for score in [prior + x.sum()]
            ]
        encoder = ParagramEncoder() if isinstance(self.encoder, str) else self.encoder
        model = encoder if self.model is None else self.model
        return list(explain(model, [texts[pair] for pair in pairs.tolist()]))


def joined(parts: Sequence[Scored], cells: list[list[str]]) -> Scored:
    """Join the pairs of several groups of queries, ordered by query."""
    rows, columns, scores = (np.concatenate(x) for x in zip(*(y[:3] for y in parts), strict=True))
    order = np.argsort(rows, kind="stable")
    return Scored(rows[order], columns[order], scores[order], cells)


def score_part(matcher: TableMatcher, queries: Any, on: Any) -> Scored:
    """Score the candidates of a part of the queries."""
    queries = queries if has_columns(queries) else list(queries)
    return matcher._score(matcher._read(queries, on)[0])


def match_parts(matcher: TableMatcher, parts: Sequence[Scored]) -> Any:
    """Return a frame with the matches of all queries, whose candidates are scored in parts."""
    import pandas as pd

    starts = np.cumsum([0, *(len(part.cells[0]) for part in parts)])
    cells = [list(chain(*column)) for column in zip(*(part.cells for part in parts), strict=True)]
    moved = [p._replace(rows=p.rows + start) for p, start in zip(parts, starts[:-1], strict=True)]
    scored, values, best, _ = matcher._decide(joined(moved, cells))
    found, matched, pairs = matcher._spread(scored, best, values)
    name = matcher._value_name()
    return pd.DataFrame({"query": found, "candidate": matched, name: values[pairs]})
