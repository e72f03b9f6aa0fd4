"""The result of matching two tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from skpara._public import set_module
from skpara._typing import Floats
from skpara.encoders import ParagramEncoder
from skpara.matching._answers import Cells, Compared
from skpara.matching._decisions import Decided, Decisions
from skpara.matching._judging import Reviewed
from skpara.matching._model import first_of_best
from skpara.matching._search import Rows
from skpara.matching._strategies import Fields, Scored
from skpara.matching._tables import Table, frame_like, records, side_by_side

_EMPTY = "no text"  # the reason of a row whose cells are all missing
# Share of the rows without a probable candidate that have a counterpart nevertheless: renamed, or
# not proposed. The tables do not reveal it. It is about right if most rows have a counterpart;
# where few have, the expected recall is too low.
_UNSEEN = 0.25
_MOST_SHOWN = 10  # matches that are printed
_WITH_MISSING = ("left", "outer", "anti")  # joins with rows that have no match, and the reason


class Call(NamedTuple):
    """The call that asked for matches."""

    queries: Any  # the frame of the queries,
    reference: Any  # and of the reference, or None
    how: str
    explain: bool
    encoder: Any


@set_module("skpara.matching")
class Matches(Reviewed):
    """Rows that match rows of a reference: the result of :meth:`~skpara.TableMatcher.match`.

    ``matches["query"]`` and ``matches["candidate"]`` are row numbers, whatever the tables are, and
    ``matches["probability"]`` (``"score"`` with a model that predicts none) says how certain a
    match is; ``"reason"`` is there if you asked for it. ``len``, loops, slices and masks work on
    matches, best first for each row, and ``np.asarray`` returns them as a structured array.
    Answers passed to :meth:`judge` change the matches at once, and teach the matcher.

    Parameters
    ----------
    decisions, scored, call : object
        The reference with the rules of decision, the candidates with their scores, and the call,
        as passed by a matcher.

    See Also
    --------
    skpara.TableMatcher : Makes matches.

    Examples
    --------
    >>> from skpara import TableMatcher
    >>> matcher = TableMatcher().fit(["red bicycle", "garden chair", "steel kettle"])
    >>> matches = matcher.match(["bicycle, red", "a garden chair", "tea pot"])
    >>> matches["query"], matches["candidate"]
    (array([0, 1]), array([0, 1]))
    >>> matches.estimate().n_matches
    2
    """

    def __init__(self, decisions: Decisions, scored: Scored, call: Call) -> None:
        self._decisions, self._call = decisions, call
        self._scored = scored if scored.log_odds is not None else decisions.of_call(scored)
        self._judgments = decisions.judgments
        self._cached: tuple[int, Table] | None = None

    def __getitem__(self, key: Any) -> Any:
        table = self._found()
        names = list(table.dtype.names or ())
        if isinstance(key, str) and key not in names:
            raise ValueError(
                f"Matches have no {key!r}, only {', '.join(names)}. Select one of them."
            )
        return table[key]

    def __len__(self) -> int:
        return len(self._found())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        table = self._found()
        return np.array(table, dtype, copy=bool(copy)) if dtype or copy else table

    def __repr__(self) -> str:
        n_rows = len(self._scored.cells[0])
        matched = np.unique(self["query"][(self["candidate"] >= 0) & (self["query"] >= 0)])
        lines = [f"Matches: {len(matched)} of {n_rows} rows"]
        rows: list[Any] = self._with_texts()[:_MOST_SHOWN].tolist()
        for query, text, candidate, other, value, *_ in rows:
            match = f"{candidate} {other!r:.40}  {value:.3f}" if candidate >= 0 else "no match"
            lines.append(f"  {query} {text!r:.40}  {match}")
        return "\n".join([*lines, "  ..."] if len(self) > _MOST_SHOWN else lines)

    def _repr_html_(self) -> str | None:
        return self._with_texts()._repr_html_()

    def _with_texts(self) -> Table:
        """Return the matches with the texts of both rows."""
        table, found = self._found(), self._decisions.records
        matched = table["candidate"]
        rows = np.where(matched < 0, -1, np.searchsorted(found.numbers, matched))
        # The last ones are of no match.
        texts = np.array([*found.joined(self._scored.cells), ""], dtype=object)
        others = np.array([*found.joined(found.cells), ""], dtype=object)
        names = list(table.dtype.fields or ())
        both = {"row": texts[table["query"]], "match": others[rows]}
        order = [names[0], "row", names[1], "match", *names[2:]]
        return records({name: both[name] if name in both else table[name] for name in order})

    @property
    def has_frame(self) -> bool:
        """Whether the queries were a frame or one of its columns."""
        return self._call.queries is not None

    def to_frame(self) -> Any:
        """Return the rows of both tables side by side.

        Returns
        -------
        frame
            A frame of the queries' library (computed if they were lazy, a pyarrow table for
            DuckDB), with the columns of the queries, the columns of the reference (if the matcher
            comes from a model file, only those compared, as text), and all fields of ``matches``
            but the row numbers. Explanations are text if columns cannot hold objects.
            ``how="anti"`` gives the columns of the queries and the reason.

        Raises
        ------
        TypeError
            If the queries were not a frame.
        """
        return self._frame_of(slice(None))

    def _frame_of(self, chosen: Any) -> Any:
        """Return the frame of some of the matches."""
        table, reference = self._call[:2]
        if table is None:
            raise TypeError(
                "The queries were not a frame, so there is none to add the matches to. Select "
                "rows of both tables by the numbers matches['query'] and matches['candidate']."
            )
        found = self._found()[chosen]
        names = list(found.dtype.fields or ())[2:]
        columns = {name: np.asarray(found[name]) for name in names}
        if self._call.how == "anti":
            return side_by_side(
                table, None, (np.asarray(found["query"]), None), {"reason": columns["reason"]}
            )
        matched = found["candidate"]
        if reference is None:
            compared = self._decisions.records
            names_of = self._decisions.names
            names_of = ["match"] if names_of == ["text"] else names_of
            reference = frame_like(table, dict(zip(names_of, compared.cells, strict=True)))
            places = np.searchsorted(compared.numbers, matched)  # some may have been dropped
            matched = np.where(matched < 0, -1, places)
        return side_by_side(table, reference, (np.asarray(found["query"]), matched), columns)

    def _decided_by(self, decisions: Decisions) -> Matches:
        """Return the matches of the same candidates that others decide."""
        return Matches(decisions, self._scored, self._call)

    def _found(self) -> Table:
        """Return the matches."""
        if self._cached is None or self._cached[0] != self._judgments.version:
            self._cached = self._judgments.version, self._decide()
        return self._cached[1]

    def _decide(self) -> Table:
        if self._judgments.need_features:
            self._scored = self._decisions.with_features(self._scored)
        decided = self._decisions.decide(self._scored)
        rows, matched, pairs = self._decisions.spread(decided)
        how, found = self._call.how, self._decisions.records
        table = np.stack([rows, matched, pairs])  # -1 is none
        if how == "anti":
            table = table[:, :0]
        if how in _WITH_MISSING:
            missing = np.setdiff1d(np.arange(len(self._scored.cells[0])), rows)
            more = np.full((3, len(missing)), -1)
            more[0] = missing
            table = np.append(table, more, axis=1)
            table = table[:, np.argsort(table[0], kind="stable")]
        if how in ("right", "outer"):
            alone = np.flatnonzero(~np.isin(found.numbers, matched))
            more = np.full((3, len(alone)), -1)
            more[1] = found.numbers[alone]
            table = np.append(table, more, axis=1)
        rows, matched, pairs = table
        value = "probability" if self._decisions.has_probabilities else "score"
        values = np.append(decided.values, np.nan)[pairs]
        columns: dict[str, NDArray[Any]] = {"query": rows, "candidate": matched, value: values}
        if self._call.explain or how in _WITH_MISSING:
            columns["reason"] = self._reasons(decided, rows, pairs)
        return records(columns)

    def _reasons(self, decided: Decided, rows: Rows, pairs: Rows) -> NDArray[np.object_]:
        """Explain matches, if that was asked for, and why rows have none."""
        scored, values, _, refused = decided
        reasons = np.full(len(rows), None, dtype=object)
        taken = np.flatnonzero(pairs >= 0)
        if self._call.explain and len(taken):
            reasons[taken] = self._explained(scored, pairs[taken])
        nearest = first_of_best(values, scored.rows)
        for row, value in zip(scored.rows[nearest].tolist(), values[nearest], strict=True):
            refused.setdefault(row, f"best candidate {value:.2f}".replace(" 0", " "))
        for place in np.flatnonzero((pairs < 0) & (rows >= 0)).tolist():
            is_empty = not any(column[rows[place]].strip() for column in scored.cells)
            reasons[place] = _EMPTY if is_empty else refused.get(rows[place], "no candidate")
        return reasons

    def _explained(self, scored: Scored, pairs: Rows) -> list[Any]:
        """Explain pairs: columns by what they add to the log odds, a text by its words."""
        from skpara.explanation import Explanation, explain

        found = self._decisions.records
        left, right = found.joined(scored.cells), found.whole
        chosen = zip(scored.rows[pairs].tolist(), scored.columns[pairs].tolist(), strict=True)
        texts = [(left[i], right[j]) for i, j in chosen]
        if isinstance(found.strategy, Fields):
            names, words = (*self._decisions.names, "whole row"), ((), ())
            priors, values, contributions = found.strategy.contributions(scored, pairs)
            return [
                Explanation(
                    *(both, score, prior, names, similar, x, words, ()),
                    probability=float(expit(score)),
                )
                for both, prior, similar, x in zip(
                    texts, priors.tolist(), values, contributions, strict=True
                )
                for score in [prior + x.sum()]
            ]
        encoder = ParagramEncoder() if isinstance(self._call.encoder, str) else self._call.encoder
        model = encoder if self._decisions.model is None else self._decisions.model
        return list(explain(model, texts))

    def _compared(self) -> Compared:
        if not self._decisions.has_probabilities:
            raise TypeError("Answers need probabilities: a model with predict_proba, or none.")
        self._scored = self._decisions.with_features(self._scored)
        return self._decisions.compared(self._scored)

    def _others(self, compared: Compared) -> Iterable[Cells]:
        return zip(*self._decisions.records.cells, strict=True)  # the guard may refuse some

    def _expected_right(self, logits: Floats) -> float:
        """Return how many pairs of the queries and the reference are expected to be right."""
        rows, p = self._scored.rows, expit(logits)
        none_right = np.ones(len(self._scored.cells[0]))
        np.multiply.at(none_right, rows, 1 - p)
        is_one = self._decisions.top_k == 1
        found = 1 - none_right if is_one else np.bincount(rows, p, len(none_right))
        return float((found + _UNSEEN * none_right).sum())

    def _matched(self, compared: Compared, by_hand: bool = True) -> Rows:
        scored, _, best, _ = self._decisions.decide(self._scored, by_hand)
        n = len(self._decisions.records.whole)
        keys, matched = (x.rows * n + x.columns for x in (self._scored, scored))
        return np.flatnonzero(np.isin(keys, matched[best]))
