"""Deduplication of sentences and records."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY
from functools import wraps
from numbers import Real
from typing import Any, ClassVar, Concatenate, Literal, ParamSpec, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from sklearn.utils import check_scalar
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from skpara._compatibility import DefaultsMixin
from skpara._estimators import SharedModelsMixin
from skpara._frames import as_frame
from skpara._messages import warn
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator, ClusterMixin, checks_parameters
from skpara._typing import (
    ArrowColumnLike,
    Bools,
    ColumnLike,
    Columns,
    Constraints,
    EncoderLike,
    Floats,
    FrameLike,
    LazyLike,
    PairModel,
    TableLike,
)
from skpara._validation import N_JOBS, POSITIVE, check_count
from skpara.features import CONTRAST_KINDS
from skpara.features.contrast import Detector
from skpara.matching._answers import Compared, Judgments
from skpara.matching._clusters import average_merges, complete_merges, connected
from skpara.matching._dropped import dropped_rows
from skpara.matching._duplicates import written_out
from skpara.matching._guard import LANGUAGE, OF_NAMES, Guard
from skpara.matching._judging import Reviewed
from skpara.matching._kinds import Kind, guessed, kinds_by_name
from skpara.matching._merged import How, merged
from skpara.matching._model import NAMES, SENTENCES
from skpara.matching._records import Records, by_content, declared
from skpara.matching._scores import check_bound, score_pairs, scores_are_probabilities
from skpara.matching._search import (
    Rows,
    compare,
    encode_units,
    join_pairs,
    owners_of,
    partners,
    plain,
    repeats,
    similar_pairs,
    vector_keys,
)
from skpara.matching._strategies import RECORDS, STRATEGIES
from skpara.matching._tables import Table, check_order, check_rows, known, read_columns, take_rows
from skpara.matching._tables import records as as_records
from skpara.matching._texts import become, shallow_copy
from skpara.matching._typos import readings, rows_of
from skpara.matching._unrelated import numbering_columns

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R")
SameRows = TypeVar("SameRows", bound=FrameLike | ColumnLike | ArrowColumnLike | NDArray[Any])

# Kinds of reasons to keep two sentences apart.
KINDS_OF_REASONS = (*CONTRAST_KINDS, LANGUAGE)
# Pairs this far below the threshold are kept too, so that a lower threshold can be tried.
_BELOW_THRESHOLD = 0.02
# Lowest cosine of pairs that a model scores. There are many pairs below it, and few of them mean
# the same.
_LOWEST_FOR_MODELS = 0.8
# Candidates of each record.
_N_CANDIDATES = 10
# A cluster is suspicious if it has more texts than this, and _TIMES_LARGER times as many as the
# median of the others.
_LARGE = 50
_TIMES_LARGER = 10
# Rows in likely but uncertain pairs cause a warning if there are at least this many, and at least
# the share _SHARE_LIKELY of all rows.
_MANY_LIKELY = 20
_SHARE_LIKELY = 0.05
# Log odds per unit of cosine before there are answers; cosines of names have 12 to 64.
_STEEPNESS = 25.0
_SURE = 1e-6, 1 - 1e-6
# Parameters that clusters have from ``fit``, whatever is set later.
_FIXED = ("threshold", "keep", "linkage", "model")
# Pairs that the guard checks besides those inside clusters, in the first round.
_CHECKED_AT_FIRST = 1024
# More probable pairs are likely to be duplicates.
_LIKELY = 0.5


def _of_one_fit(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Return a method that reads one fitted state, even if another thread fits meanwhile."""

    @wraps(method)
    def of_one_fit(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return method(shallow_copy(self), *args, **kwargs)

    return of_one_fit


@set_module("skpara")
@with_fields
class Deduplicator(Reviewed, SharedModelsMixin, DefaultsMixin, ClusterMixin, BaseEstimator):
    """Find sentences that mean the same, or records of the same thing, and group them.

    Sentences are compared by the cosine of their vectors, both as written and with typos corrected
    (see Notes). The larger cosine is their score, unless you pass a model, which then scores the
    pairs as written. Names are compared by spelling, words and numbers, and records by a packaged
    model, as :class:`TableMatcher` does; their score is a probability. Pairs with a score of at
    least ``threshold`` are duplicates, unless the guard sees that they differ in a number, a name,
    a negation, ... Duplicates form clusters, and one row of each is kept.

    Parameters
    ----------
    threshold : float, default=0.9
        Lowest score of duplicates: a cosine or a probability between 0 and 1, or what the model
        returns.
    kind : {"auto", "sentences", "names", "records"}, default="auto"
        How rows are compared: one column of sentences or of names, or columns one by one. "auto"
        decides by the cells and the number of columns.
    model : fitted estimator of pairs, default=None
        Scores the pairs that were found. With ``predict_proba``, which needs two classes, the
        score is the probability of the second class. It is used as it is, also by clones.
    linkage : {"auto", "average", "complete", "single"}, default="auto"
        "complete": all pairs in a cluster are duplicates, so each dropped row reaches the
        threshold with the row that is kept. "average": the mean log odds of the compared pairs
        between two parts of a cluster reach the threshold; for names and records. "single": chains
        of duplicates are a cluster, whose ends may differ. "auto" is "average" for names and
        records, and "complete" for sentences.
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
    guard : bool, "identifiers" or list of str and detectors, default=True
        Contrasts that keep a pair apart, whatever its score. True uses all kinds: "identifier",
        "number", "name", "negation", "antonym", "time", "role" (who does what to whom, from where
        to where), "quantifier", "attribute", "scope" ("almost", "unless", "could have") and
        "language"; "identifiers" uses the first two, for catalogues; False uses none. The rules
        are for English: "language" keeps apart sentences in other languages that differ in more
        than spaces, marks, case and accents. Records have no guard. For names, True means
        "identifiers", "antonym", "negation", "role", "time", mutually exclusive words, such as
        colors, and known words that look alike ("Austria" and "Australia"). A list may include
        your own rules, see :class:`skpara.features.contrast.Detector`.
    verbose : int, default=0
        With 1, ``fit`` prints ``summary_``, and shows the progress of comparing names.

    Attributes
    ----------
    kinds_ : dict of str to str
        The kind of each column that is compared, see :meth:`TableMatcher.fit`.
    kind_ : {"sentences", "names", "records"}
        How rows are compared.
    labels_ : ndarray of shape (n_sentences,), int64
        The cluster of each row. Clusters are numbered in the order of their first row.
    kept_ : ndarray of shape (n_clusters,), int64
        The rows that are kept, in order.
    pairs_ : ndarray of shape (n_pairs, 2), int64
        The pairs that were found, including some below the threshold and those that the guard
        keeps apart, with the lower row number first. Rows with the text of an earlier row are in a
        pair with the first of these only.
    scores_ : ndarray of shape (n_pairs,), float64
        The score of each pair.
    recall_ : float
        A lower bound of the fraction of all pairs that were found, with 95 % confidence: 1 for up
        to 20,000 different sentences, otherwise measured on the pairs of 500 sentences. It is low,
        down to 0, if these have few pairs. NaN for names and records.
    summary_ : str
        The numbers of rows, clusters, rows dropped, and pairs to look at.

    Warns
    -----
    UserWarning
        If ``fit`` finds a cluster with far more different texts than the others have.

    See Also
    --------
    TableMatcher : Matches between two tables, such as test sentences in a training set.

    Notes
    -----
    A repeated text, whatever its case, spaces and final punctuation, is compared once, so memory
    is proportional to the number of rows and of similar pairs. If more than 16 different texts
    have the same vector, such as permutations of the same words, they are compared only with the
    first, and are rarely its duplicates unless ``guard=False``. Empty sentences and records are
    duplicates of nothing. With a ``model`` or an ``encoder``, names are compared as sentences. The
    probability of names depends on how many names of the table seem to be repeated; all are
    compared with all, so the time grows with the square of their number.

    A typo is a lower-case word that is neither in WordNet nor a frequent English word, and that
    differs by one letter, or by two swapped letters, from a frequent word of the other text. A
    text may have at most two of them, beside at least three other words. The guard reads texts as
    written. With single linkage, a chain may connect rows that the guard separates.

    Examples
    --------
    >>> from skpara import Deduplicator
    >>> sentences = ["It rains.", "The dog bit the man.", "It rains!", "The man bit the dog."]
    >>> deduplicator = Deduplicator().fit(sentences)
    >>> deduplicator.labels_
    array([0, 1, 0, 2])
    >>> deduplicator.drop_duplicates(sentences)
    ['It rains.', 'The dog bit the man.', 'The man bit the dog.']
    >>> deduplicator.borderline()["reason"].tolist()
    ['roles of dog and man']
    """

    threshold: float = 0.9
    _: KW_ONLY
    kind: Literal["auto", "sentences", "names", "records"] = "auto"
    model: PairModel | None = None
    linkage: Literal["auto", "average", "complete", "single"] = "auto"
    keep: Literal["first", "last", "longest"] = "first"
    min_cosine: float | None = None
    encoder: EncoderLike = "default"
    n_jobs: int | None = None
    guard: bool | Literal["identifiers"] | Sequence[str | Detector] = True
    verbose: int = 0

    _parameter_constraints: ClassVar[Constraints] = {
        "threshold": [Interval(Real, None, None, closed="neither")],  # not NaN, nor infinite
        "kind": [StrOptions({"auto", *STRATEGIES})],
        "model": [HasMethods("predict"), HasMethods("predict_proba"), None],
        "linkage": [StrOptions({"auto", "average", "complete", "single"})],
        "keep": [StrOptions({"first", "last", "longest"})],
        "min_cosine": [POSITIVE, None],
        "encoder": [HasMethods("encode")],
        "n_jobs": N_JOBS,
        "guard": ["boolean", StrOptions({"identifiers"}), list, tuple],
        "verbose": ["verbose"],
    }

    @checks_parameters
    def fit(self, X: TableLike, y: Any = None, *, on: Columns | None = None) -> Self:
        """Find the similar pairs.

        Parameters
        ----------
        X : sentences of shape (n_sentences,), frame, or dict of columns
            The sentences, or records.
        y : object, optional
            Ignored.
        on : str, list of str, or mapping of str to str, default=None
            The columns of a frame to compare, needed if it has several. Several columns are
            compared by their kinds, see :meth:`TableMatcher.fit`; row numbers are ignored.

        Returns
        -------
        Deduplicator
            The fitted estimator itself.
        """
        new = shallow_copy(self)
        new._fit_columns(X, on)
        become(self, new)
        return self

    def _fit_columns(self, X: TableLike, on: Columns | None) -> None:
        check_bound("threshold", self.threshold, self.model)
        check_bound("min_cosine", self.min_cosine, None)
        cells, kinds, _ = read_columns(X, on, "X")
        numbering = numbering_columns(cells)
        cells = [column for number, column in enumerate(cells) if number not in numbering]
        kinds = {name: kinds[name] for n, name in enumerate(kinds) if n not in numbering}
        kinds = declared(self.kind, kinds)
        self._on = list(map(str, kinds))
        self._fit(cells, list(kinds.values()))
        self.kinds_ = kinds_by_name(kinds, self._found_kinds)

    def _fit(self, cells: list[list[str]], kinds: list[str | Kind]) -> None:
        self._kinds = kinds
        self._fixed = {name: getattr(self, name) for name in _FIXED}
        self.kind_ = self._kind_of(cells, kinds)
        guard = OF_NAMES if self.kind_ == NAMES and self.guard is True else self.guard
        self._guard = Guard(self.kind_ != RECORDS and guard, KINDS_OF_REASONS)
        if self.kind_ == SENTENCES:
            self._fit_sentences(cells[0])
        else:
            self._fit_records(cells)
        self._judgments = Judgments()
        self._labels: dict[tuple[float, str, int], NDArray[np.int64]] = {}
        self._warn_of_a_large_cluster()
        self._warn_of_likely_pairs()
        if self.verbose:
            print(self.summary_)

    def _kind_of(self, cells: list[list[str]], kinds: list[str | Kind]) -> str:
        """Return how rows are compared."""
        if self.kind != "auto" or len(cells) > 1:
            if self.model is not None and self.kind != SENTENCES:
                raise ValueError("model scores pairs of texts: leave it out for several columns.")
            return RECORDS if self.kind == "auto" else self.kind
        # A model and other vectors decide themselves what is alike.
        is_ours = self.model is None and isinstance(self.encoder, str)
        given = "text" if kinds == ["guess"] and not is_ours else kinds[0]
        kind = guessed(given, cells[0])
        if kind not in (NAMES, SENTENCES):
            return RECORDS
        return NAMES if kind == NAMES and is_ours else SENTENCES

    def _fit_sentences(self, texts: list[str]) -> None:
        self._records: Records | None = None
        self._found_kinds: list[str | Kind] = [SENTENCES]
        self._linkage()  # checks the parameter
        self._sentences, n = texts, len(texts)
        first = {plain(text): n - 1 - i for i, text in enumerate(reversed(texts))}
        self._readings = list(readings(sorted(first.values()), texts))
        # Encoded together: joining arrays of vectors takes twice the memory.
        units = encode_units(self.encoder, [*texts, *(reading.text for reading in self._readings)])
        self._units, self._mended = units[:n], units[n:]
        self._keys = vector_keys(self._units)
        self._owners = owners_of(texts, self._keys, np.empty(0, dtype=np.int64))
        self._least = lowest_cosine(self)
        owners = np.append(self._owners, np.arange(n, len(units)))
        found, cosines, self.recall_ = similar_pairs(
            units, owners, self._least, self.n_jobs, texts
        )
        self.pairs_, cosines = self._of_rows(found, cosines)
        self.scores_ = self._score(self.pairs_, cosines)
        if (highest := self.scores_.max(initial=0)) > 1 >= self.threshold:
            warn(
                f"The scores of the model are not between 0 and 1: one is {highest:.3g}. Set "
                f"threshold on this scale; {self.threshold:g} may take all for duplicates."
            )

    def _fit_records(self, cells: list[list[str]]) -> None:
        """Compare names or records; no order of columns changes the result."""
        compared, kinds = cells, self._kinds
        if self.kind_ == NAMES:
            cells, kinds = [known(cells[0])], [NAMES]
            compared = [list(map(written_out, cells[0]))]
        order = by_content(compared, kinds, self._on)
        records = Records(
            [compared[number] for number in order],
            [kinds[number] for number in order],
            self.encoder,
            kind=self.kind,
        )
        self._records = records
        self._found_kinds = [records.kinds[order.index(number)] for number in range(len(order))]
        self._cells, self._sentences = cells, records.joined(cells)
        self._owners = records.owners()
        self.pairs_, self.scores_ = records.similar_pairs(
            _N_CANDIDATES, self._refused, bool(self.verbose)
        )
        self._least, self.recall_ = 0.0, np.nan

    @checks_parameters
    def partial_fit(self, X: TableLike, y: Any = None, *, on: Columns | None = None) -> Self:
        """Add sentences, one or many, and compare them with all earlier ones.

        Unlike ``fit``, this compares sentences with every row, so no pair is missed. A call takes
        half a second for a million rows. Names are all fitted again, so add many at a time.

        Parameters
        ----------
        X : sentences of shape (n_sentences,), frame, or dict of columns
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
        if not hasattr(self, "pairs_") or not self._sentences:
            return self.fit(X, on=on)
        if self._records is not None and self._records.kind != NAMES:
            raise ValueError("The weights of records depend on all of them. Fit all again.")
        (sentences, *others), _, _ = read_columns(X, on, "X")
        if self._records is not None and not others:
            new = shallow_copy(self)
            new._fit([[*self._sentences, *sentences]], self._kinds)
            new._judgments, new._labels = self._judgments, {}
            become(self, new)
            return self
        n_rows = len(self._units)
        units = encode_units(self.encoder, sentences)
        if others or (sentences and units.shape[1] != self._units.shape[1]):
            raise ValueError("Add one column, encoded as by fit, or fit all rows again.")
        if not sentences:
            return self
        new = shallow_copy(self)
        new._sentences = [*self._sentences, *sentences]
        new._keys = np.append(self._keys, vector_keys(units))
        new._owners = owners_of(new._sentences, new._keys, self._owners)
        rows = np.arange(n_rows, n_rows + len(units))
        added = new._owners[rows] == rows
        more = list(readings(rows[added].tolist(), new._sentences))
        mended = encode_units(self.encoder, [x.text for x in more]).reshape(-1, units.shape[1])
        n_rows, new._readings = n_rows + len(units), [*self._readings, *more]
        units = np.concatenate([self._units, units, self._mended, mended])
        new._units, new._mended = units[:n_rows], units[n_rows:]
        changed = np.append(rows[added], np.arange(len(units) - len(more), len(units)))
        every = np.arange(len(units))
        owners = np.append(new._owners, every[n_rows:])
        found = compare(units, changed, every[owners == every], self._least)
        again = repeats(new._owners, rows[new._units[rows].any(axis=1)])
        pairs, cosines = join_pairs([new._of_rows(*found), again])
        scores = new._score(pairs, cosines)
        new.pairs_, new.scores_ = join_pairs([(self.pairs_, self.scores_), (pairs, scores)])
        new._labels = {}
        become(self, new)
        return self

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickles of 0.2.0, which knew sentences alone, lack some of these, and asked no guard.
        units = state.get("_units", np.empty((0, 1)))
        added: dict[str, Any] = {"_records": None, "_readings": ()}
        added |= {"_mended": units[:0], "_on": ["text"], "_judgments": Judgments()}
        if "_keys" not in state:
            added["_keys"] = vector_keys(units)
        added["_guard"] = Guard(False)
        added["_fixed"] = {name: state.get(name, getattr(type(self), name)) for name in _FIXED}
        if "pairs_" in state:
            added["kind_"] = SENTENCES
        super().__setstate__(added | state)

    @property
    def labels_(self) -> NDArray[np.int64]:
        """The cluster of each row."""
        return self.labels()

    @property
    def kept_(self) -> Rows:
        """The rows that are kept."""
        return self.kept()

    @_of_one_fit
    def labels(self, threshold: float | None = None) -> NDArray[np.int64]:
        """Compute the clusters at the estimator's threshold, or at another.

        Parameters
        ----------
        threshold : float, default=None
            Lowest score of duplicates; None is the parameter as it was in ``fit``.

        Returns
        -------
        ndarray of shape (n_sentences,), int64
            The cluster of each row.

        Raises
        ------
        ValueError
            If ``fit`` did not look for pairs at this threshold.
        """
        check_is_fitted(self)
        judged = threshold is None and bool(self._judgments.answers)
        threshold = self._checked_threshold(threshold)
        key = (threshold, self._linkage(), self._judgments.version if judged else 0)
        labels = self._labels.get(key)
        if labels is None:
            margins = self.scores_ - threshold
            if judged:
                margins = self._judgments.decided(self._compared())
            elif self._linkage() == "average":
                scores, least = (np.clip(x, *_SURE) for x in (self.scores_, threshold))
                margins = logit(scores) - logit(least)
            labels = self._cluster(margins)
            self._labels.clear()  # only the last one is kept, by all copies of this fit
            self._labels[key] = labels
        return labels.copy()

    @_of_one_fit
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
        if self._fixed["keep"] == "longest":
            lengths = np.fromiter(map(len, self._sentences), dtype=np.int64, count=len(rows))
            rows = np.lexsort((rows, -lengths))
        elif self._fixed["keep"] == "last":
            rows = rows[::-1]
        _, first = np.unique(labels[rows], return_index=True)
        return np.sort(rows[first])

    @overload
    def drop_duplicates(self, X: LazyLike, *, threshold: float | None = None) -> Any: ...
    @overload
    def drop_duplicates(
        self, X: Mapping[str, Any], *, threshold: float | None = None
    ) -> dict[str, Any]: ...
    @overload
    def drop_duplicates(self, X: Sequence[T], *, threshold: float | None = None) -> list[T]: ...
    @overload
    def drop_duplicates(self, X: SameRows, *, threshold: float | None = None) -> SameRows: ...
    def drop_duplicates(self, X: Any, *, threshold: float | None = None) -> Any:
        """Drop all rows of a cluster but one.

        Parameters
        ----------
        X : frame, dict of columns, array or list
            The fitted rows, or other columns of them.
        threshold : float, default=None
            As in :meth:`labels`.

        Returns
        -------
        frame, dict of columns, array or list
            The rows that are kept, in order, with all their columns.
        """
        check_is_fitted(self)
        now = shallow_copy(self)  # another thread may fit
        frame = as_frame(X)
        X = X if frame is None else frame.to_native()  # a lazy one is computed once
        kept = now.kept(threshold)
        now._check_rows(X)
        return take_rows(X, kept)

    @_of_one_fit
    def merge(
        self,
        X: Any,
        how: How | Mapping[str, How] = "most frequent",
        *,
        threshold: float | None = None,
    ) -> Any:
        """Merge the rows of each cluster into one, with the best cell of each column.

        Parameters
        ----------
        X : frame, dict of columns, array or list
            The fitted rows, or other columns of them.
        how : {"most frequent", "longest", "first"} or mapping, default="most frequent"
            Which of the cells that are not missing to take, for all columns or for each by name;
            columns that are not named use the default. Ties go to the row that is kept, then to
            the first row.
        threshold : float, default=None
            As in :meth:`labels`.

        Returns
        -------
        frame, dict of columns, array or list
            One row for each cluster, in the order of the rows that are kept.

        Examples
        --------
        >>> from skpara import Deduplicator
        >>> people = {"name": ["Ann Lee", "ann lee", "Bo Ek"], "city": [None, "Leeds", "York"]}
        >>> deduplicator = Deduplicator().fit(people, on="name")
        >>> deduplicator.merge(people)
        {'name': ['Ann Lee', 'Bo Ek'], 'city': ['Leeds', 'York']}
        """
        check_is_fitted(self)
        frame = as_frame(X)
        X = X if frame is None else frame.to_native()  # a lazy one is computed once
        self._check_rows(X)
        return merged(
            X,
            self.labels(threshold),
            self.kept(threshold),
            how,
        )

    @_of_one_fit
    def dropped(self, threshold: float | None = None) -> Table:
        """List the rows that are dropped, and the row that is kept for each.

        Parameters
        ----------
        threshold : float, default=None
            As in :meth:`labels`.

        Returns
        -------
        ndarray with the fields ``kept``, ``dropped`` (row numbers), ``score`` and ``reason``
            One row for each dropped row, in order. The score is that of the pair, NaN if it was
            not compared. The reason is "same text", up to case, spaces and final punctuation;
            "answer" (see :meth:`judge`); "score", if it reaches the threshold; another row of the
            cluster, such as "row 7", of which the dropped row is a duplicate; or "group", if only
            the means of several pairs reach the threshold.

        Examples
        --------
        >>> from skpara import Deduplicator
        >>> texts = ["It rains.", "Dogs ran on the beach.", "It rains!", "Dogs ran on the baech."]
        >>> Deduplicator().fit(texts).dropped()[["kept", "dropped", "reason"]].tolist()
        [(0, 2, 'same text'), (1, 3, 'score')]
        """
        labels, kept = self.labels(threshold), self.kept(threshold)
        answered = np.zeros(len(self.pairs_), dtype=np.bool_)
        if threshold is None and self._judgments.answers:
            answered = self._judgments.said(self._compared()) > 0
        is_enough = self.scores_ >= self._checked_threshold(threshold)
        return dropped_rows(
            self._sentences, labels, kept, self.pairs_, self.scores_, is_enough, answered
        )

    @_of_one_fit
    def threshold_for(self, max_rows: int) -> float:
        """Return the highest threshold that keeps at most ``max_rows`` rows.

        Pass it to :meth:`drop_duplicates` or :meth:`dropped`. The rows it merges are the most
        similar, not necessarily the same: read :meth:`borderline` at this threshold.

        Parameters
        ----------
        max_rows : int
            Number of rows to keep.

        Returns
        -------
        float
            The threshold.

        Raises
        ------
        ValueError
            If the pairs that were found leave more rows.

        Examples
        --------
        >>> from skpara import Deduplicator
        >>> texts = ["A dog runs.", "The dog is running.", "It rains.", "It is raining."]
        >>> deduplicator = Deduplicator(min_cosine=0.5).fit(texts)
        >>> deduplicator.drop_duplicates(texts, threshold=deduplicator.threshold_for(2))
        ['A dog runs.', 'It rains.']
        """
        check_is_fitted(self)
        check_count("max_rows", max_rows)
        found = self.scores_[self.scores_ >= self._least]
        # One that merges nothing, or equal texts only.
        on_scale = self._fixed["model"] is None or self._has_probabilities()
        highest = 1.0 if on_scale else float(np.nextafter(found.max(initial=0.0), np.inf))
        thresholds: list[float] = np.unique(np.append(found, highest)).tolist()
        place = bisect_right(thresholds, max_rows, key=lambda x: len(self.kept(x)))
        if not place:
            fewest = len(self.kept(thresholds[0]))
            remedy = "" if self._records is not None else " Fit again with a lower min_cosine."
            raise ValueError(
                f"The pairs found leave at least {fewest} rows, more than {max_rows}.{remedy}"
            )
        return thresholds[place - 1]

    @_of_one_fit
    def borderline(self, width: float = 0.02, threshold: float | None = None) -> Table:
        """List the pairs to review: the closest to the threshold, and those kept apart.

        Parameters
        ----------
        width : float, default=0.02
            Largest difference between a score and the threshold. Below the threshold, the list
            ends at ``min_cosine``.
        threshold : float, default=None
            As in :meth:`labels`.

        Returns
        -------
        ndarray with the fields ``first``, ``second`` (row numbers), ``score`` and ``reason``
            The pairs, those closest to the threshold first. The reason is why the guard keeps a
            pair with at least the threshold apart, such as "13, not 12", or "". Such pairs are
            listed whatever their score.
        """
        threshold = self._checked_threshold(threshold)
        check_scalar(width, "width", Real, min_val=0)
        enough = self.scores_ >= threshold
        reasons = np.full(len(enough), "", dtype=object)
        reasons[enough] = self._reasons(self.pairs_[enough])
        distances = np.abs(self.scores_ - threshold)
        near = np.flatnonzero((distances <= width) | (reasons != ""))
        near = near[np.argsort(distances[near], kind="stable")]
        first, second = self.pairs_[near].T
        scores, reasons = self.scores_[near], reasons[near]
        return as_records({"first": first, "second": second, "score": scores, "reason": reasons})

    @property
    @_of_one_fit
    def summary_(self) -> str:
        """The numbers of rows, clusters, rows dropped, and pairs to look at."""
        sizes = np.bincount(self.labels_)
        apart = self.borderline()["reason"] != ""
        return (
            f"{sizes.sum()} rows, {len(sizes)} clusters, {sizes.sum() - len(sizes)} rows dropped, "
            f"largest cluster {sizes.max(initial=0)} rows; pairs to look at: "
            f"{(~apart).sum()} near the threshold, {apart.sum()} kept apart by the guard."
        )

    def _of_rows(self, pairs: Rows, cosines: Floats) -> tuple[Rows, Floats]:
        """Replace readings by their rows in pairs; keep the largest cosine of a pair."""
        order = np.argsort(-cosines, kind="stable")
        rows, may_be = rows_of(pairs[order], self._sentences, self._readings)
        return join_pairs([(np.sort(rows[may_be], axis=1), cosines[order][may_be])])

    def _score(self, pairs: Rows, cosines: Floats) -> Floats:
        if self.model is None:
            return cosines
        return score_pairs(self.model, self._sentences, self._sentences, pairs)

    def _checked_threshold(self, threshold: float | None) -> float:
        check_is_fitted(self)
        threshold = self._fixed["threshold"] if threshold is None else threshold
        check_scalar(threshold, "threshold", Real)
        if not np.isfinite(threshold):
            raise ValueError(f"threshold must be a finite number, got {threshold}.")
        check_bound("threshold", threshold, self._fixed["model"])
        if self._fixed["model"] is None and threshold < self._least:
            raise ValueError(
                f"fit did not look for pairs with cosines below {self._least:g}, so clusters at "
                f"{threshold:g} are unknown. Fit again with min_cosine={threshold:g}."
            )
        return threshold

    def _check_rows(self, X: Any) -> None:
        """Raise unless X may be the fitted rows, or other columns of them."""
        check_rows(X, len(self._sentences))
        if self._sentences:
            fitted = [self._sentences] if self._records is None else self._cells
            check_order(X, fitted, self._on)

    def _reasons(self, pairs: Rows) -> NDArray[np.object_]:
        """Return why the guard keeps pairs of rows apart, "" where it does not."""
        return self._guard.reasons(self._sentences, self._sentences, pairs)

    def _refused(self, pairs: Rows) -> Bools:
        return np.asarray(self._reasons(pairs) != "", dtype=np.bool_)

    def _compared(self) -> Compared:
        columns = [self._sentences]
        if self._records is not None and len(self._records.kinds) > 1:
            columns = self._cells
        rows = list(zip(*columns, strict=True))
        names = self._on or [f"column {k}" for k in range(1, len(columns) + 1)]
        first, second = self.pairs_.T
        threshold = self._checked_threshold(None)
        if self._has_probabilities():
            scores = np.clip(self.scores_, *_SURE)
            logits = logit(scores) - logit(np.clip(threshold, *_SURE))
        else:
            logits = _STEEPNESS * (self.scores_ - threshold)
        logits[self._are_equal(self.pairs_)] = np.inf  # nobody need be asked
        numbers = {"first": first, "second": second}
        known = self._has_probabilities()
        return Compared(names, rows, rows, self.pairs_, numbers, logits, None, 0.0, known)

    def _are_equal(self, pairs: Rows) -> Bools:
        texts = self._sentences
        equal = (texts[i] == texts[j] for i, j in pairs.tolist())
        return np.fromiter(equal, dtype=np.bool_, count=len(pairs))

    def _expected_right(self, logits: Floats) -> float:
        """Return how many of the pairs are expected to be duplicates."""
        return float(expit(logits).sum())

    def _has_probabilities(self) -> bool:
        return self._records is not None or scores_are_probabilities(self._fixed["model"])

    def _matched(self, compared: Compared, by_hand: bool = True) -> Rows:
        logits = self._judgments.decided(compared, by_hand)
        near = np.flatnonzero(logits >= 0)
        sure = self._are_equal(self.pairs_[near])
        if by_hand:
            sure |= self._judgments.said(compared)[near] > 0
        return near[(self._reasons(self.pairs_[near]) == "") | sure]

    def _linkage(self) -> str:
        """Return the linkage that is used."""
        linkage = self._fixed["linkage"]
        if self._records is None:
            return text_linkage(linkage)
        return "average" if linkage == "auto" else linkage

    def _cluster(self, margins: Floats) -> NDArray[np.int64]:
        """Cluster by the margin of each pair over the threshold; infinite ones are sure."""
        pairs, scores = self.pairs_, margins.copy()
        if self._linkage() != "average":  # others change nothing
            pairs, scores = pairs[margins >= 0], scores[margins >= 0]
        else:  # those that the loop below would find in many rounds
            likely = np.flatnonzero((scores >= 0) & np.isfinite(scores))
            scores[likely[self._refused(pairs[likely])]] = -np.inf
        n_more = _CHECKED_AT_FIRST
        while True:
            labels = self._link(pairs, scores)
            # Other pairs need no check: without them, the clusters would be the same.
            inside = np.flatnonzero(labels[pairs[:, 0]] == labels[pairs[:, 1]])
            inside = inside[np.isfinite(scores[inside])]
            inside = inside[self._refused(pairs[inside])]
            if not len(inside):
                return labels
            if self._linkage() == "average":
                scores[inside] = -np.inf
            else:
                # Others too, each time more: rows of which all differ in a number would else take
                # as many rounds as rows.
                more = np.flatnonzero(self._refused(pairs[:n_more]))
                inside = np.union1d(inside, more)
                pairs, scores = np.delete(pairs, inside, axis=0), np.delete(scores, inside)
                n_more *= 2

    def _link(self, pairs: Rows, scores: Floats) -> NDArray[np.int64]:
        # What is compared through another row joins its cluster, unless the two are apart.
        owners = self._owners
        linkage = self._linkage()
        if linkage != "single" and self._fixed["model"] is None and not self._guard.kinds:
            owners = partners(owners)  # then the vector decides
        owned = owners[pairs[:, 1]] == pairs[:, 0]
        joined, merged = pairs[owned & (scores > -np.inf)], pairs[~owned]
        if linkage != "single":
            merges = average_merges if linkage == "average" else complete_merges
            # By content, so that the order of rows breaks no ties.
            if self._records is None:
                found = sorted(np.unique(merged).tolist(), key=self._sentences.__getitem__)
                rows = np.array(found, dtype=np.int64)
            else:
                rows = self._records.rows
            places = np.empty(len(self._sentences), dtype=np.int64)
            places[rows] = np.arange(len(rows))
            merged = rows[merges(places[merged], scores[~owned])]
        through = self.pairs_[owners[self.pairs_[:, 1]] == self.pairs_[:, 0], 1]
        equal = self._equal_pairs(np.setdiff1d(through, joined[:, 1]))
        return connected(np.concatenate([merged, joined, equal]), len(self._sentences))

    def _equal_pairs(self, rows: Rows) -> Rows:
        """Return pairs that connect those of some rows that have the same text."""
        first: dict[str, int] = {}
        pairs = [(first.setdefault(self._sentences[row], row), row) for row in rows.tolist()]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)

    def _warn_of_a_large_cluster(self) -> None:
        # Of different texts: a text that is repeated many times is fine.
        texts = self._owners == np.arange(len(self._owners))
        sizes = np.bincount(self.labels_[texts], minlength=1)
        largest, others = int(sizes.argmax()), np.sort(sizes)[:-1]
        usual = np.median(np.append(others[others > 1], 1))
        if sizes[largest] > max(_LARGE, _TIMES_LARGER * usual):
            [row] = np.intersect1d(self.kept_, np.flatnonzero(self.labels_ == largest)).tolist()
            remedy = ' or linkage="complete"' if self._linkage() == "single" else ""
            warn(
                f"{sizes[largest]} different texts form one cluster, far more than others. Row "
                f"{row}, {self._sentences[row]!r:.80}, stands for all of them. Look at the rows "
                f"with labels_ == {largest}; a higher threshold{remedy} separates more of them."
            )

    def _warn_of_likely_pairs(self) -> None:
        """Warn where more rows have a likely duplicate than a sure one."""
        if self._records is None or self.threshold <= _LIKELY:
            return
        likely = np.flatnonzero((self.scores_ >= _LIKELY) & (self.scores_ < self.threshold))
        first, second = self.pairs_[likely].T
        apart = likely[self.labels_[first] != self.labels_[second]]
        apart = apart[~self._refused(self.pairs_[apart])]
        n_rows = len(np.unique(self.pairs_[apart, 1]))
        n_dropped = len(self.labels_) - len(self.kept_)
        if n_rows > max(_MANY_LIKELY, _SHARE_LIKELY * len(self.labels_), n_dropped):
            warn(
                f"{n_rows} rows are duplicates with a probability of {_LIKELY:g} to "
                f"{self.threshold:g}, and {n_dropped} rows are dropped. Answer some questions "
                f"(see review and judge), or read borderline({self.threshold - _LIKELY:g}) and "
                "lower the threshold."
            )


def lowest_cosine(deduplicator: Deduplicator) -> float:
    """Return the lowest cosine of pairs of texts to look for."""
    if deduplicator.min_cosine is not None:
        return float(deduplicator.min_cosine)
    if deduplicator.model is not None:
        return _LOWEST_FOR_MODELS
    return max(0.0, float(deduplicator.threshold) - _BELOW_THRESHOLD)


def text_linkage(linkage: str) -> str:
    """Return the linkage of texts."""
    if linkage == "average":
        raise ValueError(
            'linkage="average" is for names and records. Sentences that were not found have '
            'a low cosine: choose "complete" or "single".'
        )
    return "complete" if linkage == "auto" else linkage
