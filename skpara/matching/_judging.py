"""Review, judgment and quality of matches and duplicates."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from scipy.stats import binomtest

from skpara._frames import as_frame
from skpara._messages import warn
from skpara._pairs import as_pairs
from skpara._typing import ColumnLike, Floats
from skpara._validation import check_count, check_share
from skpara.matching._answers import (
    DOUBT,
    DRAWS,
    EVENLY,
    MATCHES,
    RANKS,
    Answer,
    Cells,
    Compared,
    Judgments,
    Pair,
    find,
    first_of_equals,
    is_text,
    of_rows,
    unordered,
)
from skpara.matching._certificate import (
    Certificate,
    Sample,
    certified,
    in_random_order,
    to_ask,
)
from skpara.matching._model import first_of_best
from skpara.matching._search import Rows
from skpara.matching._tables import Review, Table, as_text, field_names, records
from skpara.metrics import Estimate

# The first review asks about pairs that could be matches: with this probability at least.
_COULD_MATCH = float(logit(0.01))
_ANSWERS: dict[Any, bool | None] = {
    **{"y": True, "yes": True, "n": False, "no": False, "u": None, "unsure": None},
    **{True: True, False: False, None: None, "true": True, "false": False},
}


class Quality(NamedTuple):
    """Expected and measured quality of matches."""

    n_matches: int
    expected_precision: float
    expected_recall: float
    n_judged: int
    precision: Estimate | None
    recall: Estimate | None


class Reviewed:
    """Pairs that were compared, for people to review, judge, estimate and certify."""

    _judgments: Judgments

    def _compared(self) -> Compared:
        """Return the pairs that were compared."""
        raise NotImplementedError

    def _matched(self, compared: Compared, by_hand: bool = True) -> Rows:
        """Return the places of pairs that match, see :meth:`Judgments.decided`."""
        raise NotImplementedError

    def _expected_right(self, logits: Floats) -> float:
        """Return the expected number of right pairs, those that were not compared among them."""
        raise NotImplementedError

    def _others(self, compared: Compared) -> Iterable[Cells]:
        """Return all rows that may be the second one of a pair."""
        return compared.right

    def review(self, n: int = 10, *, evenly: bool = False) -> Review:
        """Return the pairs whose judgment teaches most, or random matches.

        The first review takes possible matches of all ranks. Later, one half are the pairs nearest
        to the lowest probability of a match, which teach most, and the other half random matches,
        which measure the precision.

        Parameters
        ----------
        n : int, default=10
            Number of pairs. Several rounds of ten teach more than one of fifty.
        evenly : bool, default=False
            Take only random matches, each with the same chance, for :meth:`certify`. Answers about
            them are binding, but teach nothing about other pairs.

        Returns
        -------
        ndarray with named fields, shape (n,) or less
            Numbers of the two rows, ``sentence1`` and ``sentence2``, for several columns also
            the cells of each, ``probability``, and ``drawn``: why a pair was chosen, "ranks",
            "doubt", "matches" or "evenly". Pairs that were judged are left out. A notebook shows
            the cells of both rows one below the other, with differences marked.

        Examples
        --------
        >>> from skpara import TableMatcher
        >>> matcher = TableMatcher().fit(["red bicycle", "garden chair", "steel kettle"])
        >>> matches = matcher.match(["bicycle, red", "a garden chair", "tea pot"])
        >>> asked = matches.review(1)
        >>> asked[["sentence1", "sentence2"]].tolist()
        [('a garden chair', 'garden chair')]
        >>> len(matches.judge(asked, ["y"]).review())
        2
        """
        check_count("n", n)
        compared, judgments = self._compared(), self._judgments
        logits = judgments.decided(compared)
        is_open = np.isfinite(logits) & (judgments.found(compared) < 0)
        best = asked_about(compared, logits)
        best = first_of_equals(compared, best[is_open[best]])
        if evenly:
            # A pair asked about for another reason is not random, so it may be asked about again.
            chosen = self._random_matches(compared, n)
            chosen = first_of_equals(compared, chosen[is_open[chosen]])
            drawn = [EVENLY] * len(chosen)
        elif not judgments.answers:
            best = best[np.argsort(-logits[best], kind="stable")]
            likely = best[: max(n, np.count_nonzero(logits[best] >= _COULD_MATCH))]
            parts = np.array_split(likely, min(n, len(likely) or 1))
            chosen = np.array([part[len(part) // 2] for part in parts if len(part)], np.int64)
            drawn = [RANKS] * len(chosen)
        else:
            near = best[np.argsort(np.abs(logits[best] - compared.cut), kind="stable")]
            matched = self._matched(compared)
            matched = first_of_equals(compared, matched[is_open[matched]])
            matched = matched[in_random_order(compared.keys(matched))]
            matched = matched[~np.isin(matched, near[: n - n // 2])][: n // 2]
            near = near[~np.isin(near, matched)][: n - len(matched)]
            chosen = np.concatenate([near, matched])
            drawn = [DOUBT] * len(near) + [MATCHES] * len(matched)
        judgments.drawn |= dict(zip(compared.keys(chosen), drawn, strict=True))
        return self._as_review(compared, chosen, expit(logits[chosen]), drawn)

    def _as_review(
        self, compared: Compared, chosen: Rows, probabilities: Floats, drawn: list[str]
    ) -> Review:
        left, right = compared.pairs[chosen].T.tolist()
        sides = [[compared.left[i] for i in left], [compared.right[j] for j in right]]
        columns: dict[str, Any] = {name: x[chosen] for name, x in compared.numbers.items()}
        for k, side in enumerate(sides, 1):
            columns[f"sentence{k}"] = _objects([" ".join(filter(None, cells)) for cells in side])
        for place, names in enumerate(field_names(compared.columns)):
            for name, side in zip(names, sides, strict=True):
                columns[name] = _objects([cells[place] for cells in side])
        columns["probability"] = probabilities
        columns["drawn"] = _objects(drawn)
        return records(columns).view(Review)

    def judge(
        self,
        pairs: Any,
        answers: Sequence[bool | str | None] | NDArray[Any] | ColumnLike | None = None,
    ) -> Self:
        """Take answers into account, for these pairs and, by what they teach, for others.

        Penalised logistic regression learns from all answers so far: a factor of the log odds of
        pairs (1 without answers), and a weight of each number that describes a pair (0 without
        answers), such as the similarity of a column. One wrong answer in twenty does little harm.

        Parameters
        ----------
        pairs : result of ``review``, frame, or pairs of shape (n_pairs, 2)
            The pairs that ``review`` returned, perhaps read back from a CSV file, or the texts of
            both rows. Records may be tuples of their cells. Answers about pairs that were not
            compared are kept until they are. Within one table, the order of a pair does not
            matter.
        answers : array-like of shape (n_pairs,), default=None
            True (or "y") for the same thing, False ("n") for different ones, and None ("u") for
            unsure, which is not asked again. If left out, ``pairs`` has the column ``answer``;
            empty ones are skipped.

        Returns
        -------
        object
            The object itself. A later answer about a pair replaces an earlier one.

        Raises
        ------
        ValueError
            If an answer is anything else, or the numbers of answers and pairs differ.

        Warns
        -----
        UserWarning
            If answers contradict each other, if several records have the text of a row, or if
            answers change nothing because the two rows were not compared or do not exist.

        Examples
        --------
        >>> from skpara import TableMatcher
        >>> matcher = TableMatcher().fit(["red bicycle", "garden chair", "steel kettle"])
        >>> matches = matcher.match(["bicycle, red", "a garden chair"])
        >>> matches.judge([("bicycle, red", "red bicycle")], ["n"])["query"]
        array([1])
        """
        compared = self._compared()
        frame = as_frame(pairs)
        pairs = pairs if frame is None else frame  # of narwhals, whatever the library
        keys, drawn = self._read_pairs(compared, pairs)
        is_column = answers is None and "answer" in _names_of(pairs)
        if is_column:
            answers = _column(pairs, "answer")
        if isinstance(answers, str | Set | Mapping) or not isinstance(answers, Iterable):
            raise TypeError(
                f"answers must be a list or array, got {answers!r:.60}. Pass one for each pair, "
                "or a frame of pairs that has the column answer."
            )
        given = list(answers)
        if len(keys) != len(given):
            raise ValueError(
                f"There are {len(keys)} pairs, but {len(given)} answers. Pass one for each pair, "
                '"u" where you are unsure.'
            )
        cleaned: dict[Pair, Answer] = {}
        rows: dict[Pair, int] = {}
        for row, (pair, answer) in enumerate(zip(keys, given, strict=True)):
            if is_column and as_text(answer) == "":
                continue
            same = _as_answer(answer, row)
            earlier = cleaned[pair].same if pair in cleaned else None
            if None not in (same, earlier) and same != earlier:
                warn(
                    f"answers[{rows[pair]}] and answers[{row}] contradict each other: both are "
                    f"about {_shown(pair)}{_rows_of(compared, pair)}. The later one holds."
                )
            cleaned[pair] = Answer(same, drawn[row] or self._judgments.drawn.get(pair, ""))
            rows[pair] = row
        unknown = self._judgments.add(cleaned, compared)
        unknown = [pair for pair in unknown if cleaned[pair].same is not None]
        n_given = sum(answer.same is not None for answer in cleaned.values())
        are_there = of_rows(unknown, compared.left, self._others(compared))
        if not are_there and 0 < n_given == len(unknown):
            warn(
                f"No answer is about these rows: there are no rows {_shown(unknown[0])}. Pass "
                "their texts as the tables have them. Answers are kept until there are such rows."
            )
        one = compared.is_one_table  # in which a no may split a cluster
        if unknown := [x for x in are_there if x[0] != x[1] and (one or cleaned[x].same)]:
            more = f", and {len(unknown) - 1} others" if len(unknown) > 1 else ""
            warn(
                f"An answer changes nothing, as these rows were not compared: "
                f"{_shown(unknown[0])}{more}. Only pairs with some similarity are compared, and "
                "of equal rows only the first."
            )
        if messages := self._judgments.contradictions(cleaned, compared):
            more = f" So do {len(messages) - 1} others." if len(messages) > 1 else ""
            warn(f"Answers contradict each other: {messages[0]}. Judge these pairs again.{more}")
        return self

    def _read_pairs(self, compared: Compared, pairs: Any) -> tuple[list[Pair], list[str]]:
        """Return the cells of the rows of pairs, or their texts, and how each was drawn."""
        names = _names_of(pairs)
        fields = field_names(compared.columns)
        by_cells: list[Pair] | None = None
        drawn: list[str] | None = None
        if {"sentence1", "sentence2"} <= names:
            if all(name in names for both in fields for name in both) and fields:
                sides = [
                    zip(
                        *([as_text(x) for x in _column(pairs, name)] for name in side), strict=True
                    )
                    for side in zip(*fields, strict=True)
                ]
                by_cells = list(zip(*sides, strict=True))
            if "drawn" in names:
                known = [as_text(x) for x in _column(pairs, "drawn")]
                drawn = [x if x in DRAWS else "" for x in known]
            columns = [_objects(_column(pairs, name)) for name in ("sentence1", "sentence2")]
            pairs = np.column_stack(columns)
        elif (found := _as_cells(pairs, len(compared.columns))) is not None:
            by_cells = found
        if by_cells is None or isinstance(pairs, np.ndarray):
            by_text: list[Pair] = [((str(a),), (str(b),)) for a, b in as_pairs(pairs).tolist()]
            keys = (
                by_text if by_cells is None else self._where_compared(compared, by_cells, by_text)
            )
        else:
            keys = by_cells
        if compared.is_one_table:
            keys = list(map(unordered, keys))
        return self._with_cells(compared, keys), drawn or [""] * len(keys)

    def _where_compared(
        self, compared: Compared, by_cells: list[Pair], by_text: list[Pair]
    ) -> list[Pair]:
        """Return cells, or the texts where these cells were not compared.

        A program for tables may have changed cells, such as 0012 to 12.
        """
        found = find(compared, {pair: k for k, pair in enumerate(by_cells)})
        known = {by_cells[k] for k in found[found >= 0].tolist()}
        return [a if a in known else b for a, b in zip(by_cells, by_text, strict=True)]

    def _with_cells(self, compared: Compared, keys: list[Pair]) -> list[Pair]:
        """Replace texts of rows by cells, where one pair of records has these texts."""
        texts = {pair: k for k, pair in enumerate(keys) if is_text(pair, compared)}
        if not texts:
            return keys
        found = find(compared, texts)
        places = np.flatnonzero(found >= 0)
        cells: dict[int, set[Pair]] = {}
        for number, pair in zip(found[places].tolist(), compared.keys(places), strict=True):
            cells.setdefault(number, set()).add(pair)
        replaced = {}
        for pair, number in texts.items():
            records_of = cells.get(number, set())
            if len(records_of) == 1:
                [replaced[pair]] = records_of
            elif records_of:
                warn(
                    f"{_shown(pair)}: these are the texts of {len(records_of)} pairs of records, "
                    "and the answer holds for all. Pass tuples of cells, or what review returned."
                )
        return [replaced.get(pair, pair) for pair in keys]

    def curve(self) -> Table:
        """Compute the expected precision and recall of matches by their lowest probability.

        Returns
        -------
        ndarray with the fields ``threshold``, ``n_matches``, ``precision`` and ``recall``
            One row for each probability, in falling order, of the pairs that might match: the
            best of each row of a :class:`~skpara.TableMatcher`, and all of a
            :class:`~skpara.Deduplicator`. The recall is as in :meth:`estimate`. The guard and
            ``one_to_one`` are ignored.

        Examples
        --------
        >>> from skpara import TableMatcher
        >>> matcher = TableMatcher().fit(["red bicycle", "garden chair", "steel kettle"])
        >>> matches = matcher.match(["bicycle, red", "a garden chair", "tea pot"])
        >>> matches.curve()["n_matches"].tolist()
        [1, 2, 3]
        """
        compared = self._compared()
        logits = self._judgments.decided(compared)
        p = np.sort(expit(logits[asked_about(compared, logits)]))[::-1]
        n, right = np.arange(1, len(p) + 1), np.cumsum(p)
        last = np.flatnonzero(np.append(np.diff(p) < 0, True)[: len(p)])  # of equal ones
        possible = max(self._expected_right(logits), np.finfo(float).tiny)
        recall = np.minimum(right / possible, 1)
        columns = {"threshold": p, "n_matches": n, "precision": right / n, "recall": recall}
        return records({name: column[last] for name, column in columns.items()})

    def estimate(self) -> Quality:
        """Estimate precision and recall, from probabilities and from answers.

        Returns
        -------
        tuple with named fields
            ``n_matches``; ``expected_precision`` and ``expected_recall`` by the probabilities, NaN
            if these are unknown; ``n_judged``, the number of answers about pairs of all ranks or
            random matches; and ``precision`` and ``recall`` measured on these, each a tuple of
            ``value``, ``low`` and ``high``, the ends of a 95 % interval, or None. The measured
            matches are those without the answers about these very pairs.

            The expected recall of a :class:`~skpara.TableMatcher` counts rows whose counterpart is
            another candidate, or none of the candidates. The number of rows without a good
            candidate that have a counterpart is unknown, so a typical share is assumed. The
            measured recall is the share of right pairs in the first review that match.

        Examples
        --------
        >>> from skpara import TableMatcher
        >>> matcher = TableMatcher().fit(["red bicycle", "garden chair", "steel kettle"])
        >>> matches = matcher.match(["bicycle, red", "a garden chair", "tea pot"])
        >>> n_matches, precision, recall, *_ = matches.estimate()
        >>> n_matches, 0.8 < precision < 1, 0.8 < recall < 1
        (2, True, True)
        """
        compared, judgments = self._compared(), self._judgments
        logits = judgments.decided(compared)
        matched = self._matched(compared)
        total, possible = float(expit(logits[matched]).sum()), self._expected_right(logits)
        is_known = judgments.have_taught or compared.are_probable
        return Quality(
            len(matched),
            total / len(matched) if is_known and len(matched) else np.nan,
            min(total / possible, 1.0) if is_known and possible else np.nan,
            *self._measured(compared),
        )

    def _measured(self, compared: Compared) -> tuple[int, Estimate | None, Estimate | None]:
        """Return the number of answers about pairs drawn by chance, and precision and recall."""
        judgments = self._judgments
        found = judgments.found(compared)
        answered = np.flatnonzero(found >= 0)
        is_match = np.isin(answered, self._matched(compared, by_hand=False)).tolist()
        answers = list(judgments.answers.values())
        rows = [
            (answers[k], match)
            for k, match in zip(found[answered].tolist(), is_match, strict=True)
            if answers[k].same is not None
        ]
        drawn = [(x, match) for x, match in rows if x.drawn in (RANKS, MATCHES, EVENLY)]
        of_matches = [x.same is True for x, match in drawn if match]
        of_right = [match for x, match in drawn if x.drawn == RANKS and x.same]
        return len(drawn), _share(of_matches), _share(of_right)

    def certify(self, precision: float = 0.95, confidence: float = 0.95) -> Certificate:
        """Certify the precision of the matches, from answers about random ones.

        Call ``review(evenly=True)``, and pass the answers to ``judge``. With the defaults, 60
        answers are enough if all say yes; fewer if there are few matches, more if some say no. You
        may check after each answer. If not all matches can be certified, perhaps the most probable
        ones can. The certificate depends only on the answers, not on the probabilities.

        Parameters
        ----------
        precision : float, default=0.95
            Lowest share of right matches, between 0 and 1.
        confidence : float, default=0.95
            Probability that a certificate is right.

        Returns
        -------
        Certificate
            Its ``threshold`` is the lowest probability of the certified matches; ``str()`` says in
            words what the answers show, and how many more might be enough. Unsure answers count as
            no. Matches that somebody refused, or of equal texts in one table, are left out. After
            any change to the matches or the question, you need a new certificate.

        References
        ----------
        A. N. Angelopoulos, S. Bates, E. J. Candes, M. I. Jordan, L. Lei (2025). Learn then Test:
        calibrating predictive algorithms to achieve risk control. Annals of Applied Statistics 19.

        Examples
        --------
        >>> from skpara import TableMatcher
        >>> matcher = TableMatcher().fit(["red bicycle", "garden chair", "steel kettle"])
        >>> matches = matcher.match(["bicycle, red", "a garden chair", "tea pot"])
        >>> asked = matches.review(60, evenly=True)
        >>> print(matches.judge(asked, ["y", "y"]).certify())
        Of the 2 matches with a probability of at least 0.99, at most 5 % are wrong (95 % sure, \
by 2 answers, 0 of them no).
        """
        check_share("precision", precision)
        check_share("confidence", confidence)
        return certified(self._sampled(self._compared())[1], precision, confidence)

    def _random_matches(self, compared: Compared, n: int) -> Rows:
        """Return the matches to ask about for a certificate."""
        places, sample = self._sampled(compared)
        return places[np.array(to_ask(sample, n), dtype=np.int64)]

    def _sampled(self, compared: Compared) -> tuple[Rows, Sample]:
        """Return the matches that answers are a sample of, and what is known of them.

        Answers from which weights were learned are left out.
        """
        judgments = self._judgments
        logits = judgments.decided(compared, by_hand=False)
        answers = list(judgments.answers.values())
        found = judgments.found(compared)
        matched = self._matched(compared, by_hand=False)
        taught = np.array([*(answer.teaches for answer in answers), False])[found]
        places = matched[np.isfinite(logits[matched]) & ~taught[matched]]
        said = [None if k < 0 else answers[k].same is True for k in found[places].tolist()]
        is_known = judgments.have_taught or compared.are_probable
        order = in_random_order(compared.keys(places))
        return places, Sample(logits[places], is_known, order, said)


def asked_about(compared: Compared, logits: Floats) -> Rows:
    """Return the pairs to ask about: of two tables the best one of each row."""
    if compared.is_one_table:
        return np.arange(len(logits))
    return first_of_best(logits, compared.pairs[:, 0])


def _as_answer(answer: Any, row: int) -> bool | None:
    key = answer.strip().lower() if isinstance(answer, str) else answer
    if not isinstance(key, Hashable) or key not in _ANSWERS:
        raise ValueError(
            f"answers[{row}] is {answer!r:.40}. Pass True, False or None, or y, n or u."
        )
    return _ANSWERS[key]


def _as_cells(pairs: Any, n_columns: int) -> list[Pair] | None:
    """Return pairs whose rows are tuples of cells; None if the rows are texts."""
    if not isinstance(pairs, list | tuple):
        return None
    rows = [list(pair) if isinstance(pair, list | tuple) else [] for pair in pairs]
    if not any(isinstance(side, list | tuple) for row in rows for side in row):
        return None
    for number, row in enumerate(rows):
        sizes = [len(side) if isinstance(side, list | tuple) else 0 for side in row]
        if sizes != [n_columns] * 2:
            raise ValueError(
                f"pairs[{number}] must have the {n_columns} cells of both rows, or their texts."
            )
    return [(tuple(map(as_text, a)), tuple(map(as_text, b))) for a, b in rows]


def _names_of(table: Any) -> set[str]:
    """Return the names of the columns of a frame or an array with named fields."""
    names = getattr(getattr(table, "dtype", None), "names", None)
    return set(names if names is not None else getattr(table, "columns", ()))


def _column(table: Any, name: str) -> list[Any]:
    values = table[name]
    return list(values.to_list() if hasattr(values, "to_list") else values.tolist())


def _objects(values: list[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _shown(pair: Pair) -> str:
    return " and ".join(f"{' '.join(filter(None, cells))!r:.60}" for cells in pair)


def _rows_of(compared: Compared, pair: Pair) -> str:
    """Return the numbers of the rows of a pair, for a message."""
    places = np.flatnonzero(find(compared, {pair: 0}) >= 0)
    return f" ({compared.rows_named(int(places[0]))})" if len(places) else ""


def _share(right: list[bool]) -> Estimate | None:
    """Return a share with Wilson's 95 % interval."""
    if not right:
        return None
    interval = binomtest(sum(right), len(right)).proportion_ci(method="wilson")
    return Estimate(sum(right) / len(right), float(interval.low), float(interval.high))
