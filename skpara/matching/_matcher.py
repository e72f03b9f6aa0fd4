"""Matching of the rows of two tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY
from functools import wraps
from itertools import chain
from numbers import Real
from typing import (
    Any,
    ClassVar,
    Concatenate,
    Literal,
    ParamSpec,
    Self,
    TypeVar,
    get_args,
    overload,
)

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from skpara._array_files import check_texts
from skpara._compatibility import DefaultsMixin
from skpara._estimators import SharedModelsMixin
from skpara._frames import has_columns
from skpara._messages import warn
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator, checks_parameters
from skpara._typing import (
    Columns,
    Constraints,
    EncoderLike,
    FrameLike,
    How,
    LazyLike,
    PairModel,
    TableLike,
)
from skpara._validation import COUNT, NOT_NEGATIVE
from skpara.features.contrast import Detector
from skpara.matching._answers import Judgments
from skpara.matching._decisions import Decisions
from skpara.matching._decoys import ENOUGH_ROWS
from skpara.matching._guard import OF_NAMES, Guard
from skpara.matching._kinds import TEXTS, kinds_by_name
from skpara.matching._matches import Call, Matches
from skpara.matching._records import Records, declared
from skpara.matching._scores import check_bound, scores_are_probabilities
from skpara.matching._strategies import RECORDS, STRATEGIES, Scored
from skpara.matching._tables import read_columns, stacked, warn_of_unread
from skpara.matching._texts import become, shallow_copy

F = TypeVar("F", bound=FrameLike)

# Lowest probability of a match by default.
_LIKELIER_THAN_NOT = 0.5
_GUARDS = {"names": OF_NAMES, "sentences": True}


P = ParamSpec("P")
R = TypeVar("R")


def _without_examples(method: Callable[..., Any]) -> str:
    text = (method.__doc__ or "").partition("        Examples\n")[0].rstrip()
    return f"{text}\n        "


def _of_last(method: Callable[Concatenate[Matches, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Return a method of a matcher that is about its last result."""

    @wraps(method)
    def of_last(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return method(self._last_matches(), *args, **kwargs)

    of_last.__doc__ = _without_examples(method)
    return of_last


@set_module("skpara", trusted=True)
@with_fields
class TableMatcher(SharedModelsMixin, DefaultsMixin, BaseEstimator):
    """Find the rows of a reference table that mean the same as other rows.

    Candidates are the rows that share the most character n-grams, words, or meaning with a row. A
    packaged linear model compares names by spelling, words, numbers and the lead over other
    candidates, and sentences by meaning and spelling. Another packaged model compares records with
    several columns; it needs no labels and ignores the names of columns. Each match has a
    probability, and a row without a probable candidate has no match.

    Parameters
    ----------
    top_k : int or None, default=1
        Maximum number of matches of a row; None means no limit.
    kind : {"auto", "sentences", "names", "records"}, default="auto"
        How rows are compared: one column of sentences or of names, or columns one by one. "auto"
        decides by the cells and the number of columns.
    model : fitted estimator of pairs, default=None
        Scores the candidates of a column of sentences, for example a fitted
        :func:`~skpara.make_pair_classifier`. With ``predict_proba``, which needs two classes, the
        score is the probability of the second class. It is used as it is, also by clones.
    precision : float, default=None
        Of the matches with at least ``threshold``, keep as many as have at least this mean
        probability, between 0 and 1; None keeps all.
    one_to_one : bool, default=False
        Match each row of the reference with at most one row, the most probable.
    threshold : float, default=None
        Lowest probability of a match, or lowest score with a ``model`` that predicts no
        probabilities. None is 0.5 for probabilities, and no limit for scores.
    encoder : "default" or object with ``encode``, default="default"
        Computes vectors of meaning, see :class:`~skpara.ParagramVectorizer`.
    n_candidates : int, default=10
        Number of candidates that n-grams, words and vectors each propose for a row, at least
        ``top_k``. With ``top_k=None``, rows that match all of them get more.
    guard : "auto", bool, "identifiers" or list of str and detectors, default="auto"
        Contrasts that rule out a candidate, whatever its probability, see
        :class:`~skpara.Deduplicator`. The next candidate may then match. "auto" uses all kinds for
        sentences, those that cost few matches for names, and none for several columns.

    Attributes
    ----------
    n_candidates_in_ : int
        Number of rows in the reference.
    kind_ : {"sentences", "names", "records"}
        How rows are compared.
    kinds_ : dict of str to str
        The kind of each column that is compared.
    n_calibration_rows_ : int
        Number of rows of the largest call so far, from which calls with fewer than 100 rows take
        their calibration and the weights of columns; 0 if no call has had 100 rows.

    See Also
    --------
    skpara.matching.Matches : The result of ``match``, which people can review and judge.
    Deduplicator : Duplicates within one table.

    Notes
    -----
    Candidates and their scores depend only on the row and the reference. Probabilities also depend
    on the other rows of a call: for sentences, on the mean of their scores. For names and records,
    the runners-up of all rows, which are wrong, show how high wrong candidates score in these
    tables. The probabilities that follow teach how informative each column is, starting from the
    packaged weights, so a column without information, such as a row number, loses its weight.

    The packaged models were trained on English names (DBpedia), on captions, questions and news,
    and on tables of products, papers, films, restaurants, songs and persons. They struggle with
    renamed things, other languages and tables full of near-duplicates: read some matches, or pass
    ``precision``.

    ``review``, ``judge``, ``certify``, ``estimate`` and ``curve`` refer to the last result, see
    :class:`~skpara.matching.Matches`. The last result is not saved.

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

    ``join`` puts the rows of frames side by side:

    >>> import pandas as pd
    >>> shop = pd.DataFrame({"name": ["red bicycle", "garden chair"], "price": [250, 40]})
    >>> wishes = pd.DataFrame({"title": ["Bicycle, red"]})
    >>> TableMatcher().join(wishes, shop, left_on="title", right_on="name")[
    ...     ["title", "name", "price"]]
              title         name  price
    0  Bicycle, red  red bicycle    250
    """

    top_k: int | None = 1
    _: KW_ONLY
    kind: Literal["auto", "sentences", "names", "records"] = "auto"
    model: PairModel | None = None
    precision: float | None = None
    one_to_one: bool = False
    threshold: float | None = None
    encoder: EncoderLike = "default"
    n_candidates: int = 10
    guard: bool | Literal["auto", "identifiers"] | Sequence[str | Detector] = "auto"

    _parameter_constraints: ClassVar[Constraints] = {
        "top_k": [COUNT, None],
        "kind": [StrOptions({"auto", *STRATEGIES})],
        "model": [HasMethods("predict"), HasMethods("predict_proba"), None],
        "precision": [NOT_NEGATIVE, None],
        "one_to_one": ["boolean"],
        "threshold": [Interval(Real, None, None, closed="neither"), None],
        "encoder": [HasMethods("encode")],
        "n_candidates": [COUNT],
        "guard": ["boolean", StrOptions({"auto", "identifiers"}), list, tuple],
    }

    @checks_parameters
    def fit(self, reference: TableLike, y: Any = None, *, on: Columns | None = None) -> Self:
        """Index the reference.

        Parameters
        ----------
        reference : sentences of shape (n_rows,), frame, or dict of columns
            The table to search: a frame of pandas, polars, pyarrow, DuckDB or another library
            that narwhals supports (lazy frames are computed), or columns by their names. Equal
            rows match together. Missing cells count neither for nor against a match, and a row
            without any other cell has no match.
        y : object, optional
            Ignored; a second table is refused.
        on : str, list of str, or mapping of str to str or Kind, default=None
            The columns to compare, needed if a frame has several. A mapping gives their kinds:
            "text" (guessed: names or sentences), "names", "sentences", "exact", "number" (with or
            without a unit), "size" (of several sides, in any order), "date" (in any common format,
            or a span such as "19th century"), "code" (phone numbers, and letters and digits that
            may be mistyped), "same" (a country, a branch: rows that differ in more than its case,
            accents and spaces never match; an empty cell may stand for any), or your own
            :class:`~skpara.matching.Kind`. Otherwise, kinds are guessed.

        Returns
        -------
        TableMatcher
            The fitted matcher itself.
        """
        if y is not None and (has_columns(y) or isinstance(next(iter(y), None), str)):
            raise TypeError(
                "fit takes one table, the reference. Pass the other one to match, or both to "
                "join(left, right)."
            )
        new = shallow_copy(self)
        new._fit(reference, on)
        become(self, new)
        return self

    def _fit(self, reference: TableLike, on: Columns | None) -> None:
        self._lowest()
        cells, kinds, self._table = read_columns(reference, on, "reference")
        kinds = declared(self.kind, kinds)
        if self.model is not None:
            is_text = set(kinds.values()) <= {"guess", *TEXTS}
            if len(cells) > 1 or not is_text or self.kind == RECORDS:
                raise ValueError(
                    "model scores pairs of texts, but there are several columns to compare, or "
                    "one of another kind. Leave it out, or pass one column of text as on."
                )
            kinds = dict.fromkeys(kinds, "text") if "guess" in kinds.values() else kinds
        if not cells[0]:
            warn("The reference has no rows, so nothing will match. Pass the table to search in.")
        self._records = Records(cells, list(kinds.values()), self.encoder, kind=self.kind)
        self.kind_ = self._records.kind
        self.n_candidates_in_ = self._records.n_rows
        self._on = None if list(kinds) == [None] else list(kinds)
        self.kinds_ = kinds_by_name(kinds, self._records.kinds)
        self._judgments = Judgments()
        self._last: Matches | None = None
        self._reduced: tuple[Records, list[int]] | None = None
        self._decisions()  # checks the guard

    def match(
        self,
        queries: TableLike | LazyLike,
        *,
        on: Columns | None = None,
        how: How = "inner",
        explain: bool = False,
    ) -> Matches:
        """Find the matches of rows.

        Parameters
        ----------
        queries : sentences of shape (n_queries,), frame, or dict of columns
            The rows to find matches for.
        on : str or list of str, default=None
            The columns to compare, in the order of ``fit``; None means the same names as there.
        how : {"inner", "left", "right", "outer", "anti"}, default="inner"
            "inner" leaves out rows without a match; "left" keeps them, with the candidate -1, and
            adds the column ``reason``; "right" has all rows of the reference, those without a
            match at the end; "outer" has both; "anti" has only the rows without a match.
        explain : bool, default=False
            Add a column ``reason``: an :class:`~skpara.explanation.Explanation` of the model's
            score of each match or, without a model, of the cosine. For records, the score is the
            log odds of a match before answers, the baseline the log odds of any candidate, and
            each column contributes what would be lost if the cell of the query were empty.

        Returns
        -------
        Matches
            Row numbers and probabilities, best first for each row, in the fields ``query``,
            ``candidate`` and ``probability`` (``score`` with a model that predicts none);
            ``to_frame`` adds the columns of both tables. For a row without a match, ``reason`` is
            the probability of the best candidate, or its difference if the guard refused it, or
            "no text".

        Raises
        ------
        ValueError
            If a column or a cell cannot be compared.
        """
        check_is_fitted(self)
        if how not in (ways := get_args(How)):
            raise ValueError(f"how must be one of {', '.join(ways)}, got {how!r}.")
        now = shallow_copy(self)  # another thread may fit
        cells, table = now._read(queries, on)
        records, kept = now._related(cells)
        cells = [cells[number] for number in kept]
        decisions = now._decisions(records, kept)
        scored = decisions.score(cells)
        call = Call(table, now._table, how, explain, now.encoder)
        matches = Matches(decisions, scored, call)
        len(matches)  # decides now, also what is wrong
        if self._records is now._records:
            self._last, self._reduced = matches, now._reduced
        if matches._scored.taught is not None:
            records.learn_from(matches._scored.taught)
        return matches

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
        right: TableLike,
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
        left: Any,
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
            The columns of each, if their names differ. A mapping to kinds is passed as
            ``right_on``.
        how : {"inner", "left", "right", "outer", "anti"}, default="left"
            Treatment of rows without a match, see :meth:`match`.
        explain : bool, default=False
            Explain the matches, see :meth:`match`.

        Returns
        -------
        frame, or ndarray with named fields
            The rows of both side by side, see :meth:`~skpara.matching.Matches.to_frame`; if
            ``left`` is not a frame, an array with the fields ``query``, ``candidate``, ...
        """
        if on is not None and (left_on is not None or right_on is not None):
            raise ValueError("Pass on, or left_on and right_on, but not both.")
        if on is not None:  # of two tables, one may be a list
            are_frames = has_columns(left), has_columns(right)
            left_on, right_on = (on if x or not any(are_frames) else None for x in are_frames)
        new = shallow_copy(self).fit(right, on=right_on)
        left_on = list(left_on) if isinstance(left_on, Mapping) else left_on
        matches = new.match(left, on=left_on, how=how, explain=explain)
        become(self, new)
        return matches.to_frame() if matches.has_frame else matches[:]

    @checks_parameters
    def partial_fit(
        self, reference: TableLike, y: Any = None, *, on: Columns | None = None
    ) -> Self:
        """Add rows to the reference; they are numbered after the rows that are there.

        Above 200 rows, n-grams and words keep the weights of ``fit`` until a fifth more rows
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
        new = shallow_copy(self)
        cells, table = self._read(reference, on, "reference")
        if self._table is not None and not isinstance(table, type(self._table)):
            raise TypeError(f"Add rows of the type that fit had: a frame, {type(self._table)}.")
        # Lists and model files have no table.
        table = None if self._table is None else stacked(self._table, table)
        new._records, new._table, new._last = self._records.extended(cells), table, None
        new._reduced = None
        new.n_candidates_in_ = new._records.n_rows
        become(self, new)
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
            raise ValueError(
                f"ids must be whole numbers of rows, got {ids.ravel()[0]!r:.60}. Of a mask, they "
                "are np.flatnonzero(mask)."
            )
        unknown = np.setdiff1d(ids, self._records.numbers)
        if len(unknown):
            raise ValueError(
                f"The reference has no row {unknown[0]}. Pass numbers as in the column candidate; "
                "rows that were dropped lose theirs."
            )
        new = shallow_copy(self)
        new._records, new._last = self._records.without(ids), None
        new._reduced = None
        new.n_candidates_in_ = new._records.n_rows
        become(self, new)
        return self

    def transform(self, X: FrameLike | LazyLike) -> Any:
        """Add the columns of the best match to each row of a frame, as a step of a pipeline.

        As ``fit`` takes the reference, the step is a fitted matcher in a
        :class:`~sklearn.frozen.FrozenEstimator`.

        Parameters
        ----------
        X : frame
            Rows whose columns to compare have the names that those of the reference have.

        Returns
        -------
        frame
            As many rows, as :meth:`join` has them; a row without a match has missing values.

        Examples
        --------
        >>> import pandas as pd
        >>> from skpara import TableMatcher
        >>> from sklearn.frozen import FrozenEstimator
        >>> from sklearn.pipeline import make_pipeline
        >>> shop = pd.DataFrame({"name": ["red bicycle", "garden chair"], "price": [250, 40]})
        >>> step = FrozenEstimator(TableMatcher().fit(shop, on="name"))
        >>> wishes = pd.DataFrame({"name": ["Bicycle, red"]})
        >>> make_pipeline(step).transform(wishes)["price"].tolist()
        [250]
        """
        matches = shallow_copy(self).match(X, how="left")
        _, first = np.unique(matches["query"], return_index=True)
        return matches._frame_of(first)

    review = _of_last(Matches.review)
    curve = _of_last(Matches.curve)
    estimate = _of_last(Matches.estimate)
    certify = _of_last(Matches.certify)

    def judge(self, pairs: Any, answers: Any = None) -> Self:
        self._last_matches().judge(pairs, answers)
        return self

    judge.__doc__ = _without_examples(Matches.judge)

    def __getstate__(self) -> dict[str, Any]:
        # A copy on disk has no tables of the last call.
        return super().__getstate__() | {"_last": None, "_reduced": None}

    def _to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        check_is_fitted(self)
        parameters = self.get_params(deep=False) | {"model": None}
        own = {"model_": self.model, "records_": self._records, "on_": self._on}
        return parameters, self.__getstate__() | own | {"answers_": self._judgments.to_file()}

    def _from_file(self, attributes: dict[str, Any]) -> None:
        self.model, self._on = attributes.pop("model_"), attributes.pop("on_")
        self._validate_params()
        self._records, self._table, self._last = attributes.pop("records_"), None, None
        self._reduced = None
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

    @property
    def n_calibration_rows_(self) -> int:
        """Number of rows of the largest call so far."""
        check_is_fitted(self)
        taught = (self._reduced or (self._records,))[0].taught
        return 0 if taught is None else taught.n_rows

    def _related(self, cells: list[list[str]]) -> tuple[Records, list[int]]:
        """Return the reference, without columns that say nothing about these rows.

        A call with too few rows to decide leaves out the columns that the last large one did.
        """
        every = list(range(len(cells)))
        if unrelated := self._records.unrelated_to(cells):
            kept = [number for number in every if number not in unrelated]
            if self._reduced is None or self._reduced[1] != kept:
                self._reduced = self._records.of_columns(kept), kept
        elif len(cells[0]) >= ENOUGH_ROWS:
            self._reduced = None
        return self._reduced or (self._records, every)

    def _decisions(
        self, records: Records | None = None, kept: Sequence[int] | None = None
    ) -> Decisions:
        """Return what decides about matches, by the parameters of now.

        Of the reference and all its columns, unless others are given.
        """
        records = self._records if records is None else records
        names = ["text"] if self._on is None else list(map(str, self._on))
        guard: Any = self.guard
        if isinstance(guard, str) and guard == "auto":
            guard = _GUARDS.get(records.kind, False)
        return Decisions(
            records,
            self._judgments,
            Guard(guard),
            self._lowest(),
            names if kept is None else [names[number] for number in kept],
            self.model,
            self.top_k,
            self.n_candidates,
            self.one_to_one,
            self.precision,
        )

    def _last_matches(self) -> Matches:
        check_is_fitted(self)
        if self._last is None:
            raise ValueError("There is nothing to judge yet. Call match first.")
        names, old = self._on or ["text"], self._last._decisions
        kept = [number for number, name in enumerate(names) if str(name) in old.names]
        self._last = self._last._decided_by(self._decisions(old.records, kept))
        return self._last


def score_part(matcher: TableMatcher, queries: Any, on: Any) -> Scored:
    """Score the candidates of a part of the queries."""
    queries = queries if has_columns(queries) else list(queries)
    return matcher._decisions().score(matcher._read(queries, on)[0])


def match_parts(matcher: TableMatcher, parts: Sequence[Scored]) -> Any:
    """Return a frame with the matches of all queries, whose candidates are scored in parts."""
    import pandas as pd

    starts = np.cumsum([0, *(len(part.cells[0]) for part in parts)])
    cells = [list(chain(*column)) for column in zip(*(part.cells for part in parts), strict=True)]
    moved = [p._replace(rows=p.rows + start) for p, start in zip(parts, starts[:-1], strict=True)]
    # Only all queries show which columns number the rows. Candidates without these are others.
    records, kept = shallow_copy(matcher)._related(cells)
    decisions, cells = matcher._decisions(records, kept), [cells[number] for number in kept]
    is_whole = records is matcher._records
    scored = Scored.joined(moved, cells) if is_whole else decisions.score(cells)
    call = Call(None, None, "inner", False, matcher.encoder)
    matches = Matches(decisions, scored, call)
    return pd.DataFrame(np.asarray(matches))
