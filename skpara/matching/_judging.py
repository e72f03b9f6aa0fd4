"""Answers of people about a few pairs, and what is learned from them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import binomtest
from sklearn.utils.validation import check_is_fitted

from skpara._pairs import as_pairs
from skpara._public import set_module
from skpara._scores import check_count
from skpara._typing import Floats
from skpara.matching._search import Rows
from skpara.matching._tables import records
from skpara.metrics import Estimate

# Slope and offset of the log odds before there are answers, and how strongly they are held there.
_PRIOR, _PENALTIES = np.array([1.0, 0.0]), np.array([4.0, 0.4])
# Log odds beyond say no more; one wrong answer there would outweigh all others.
_LARGEST = 10.0
_SLOPES = (0.05, None)  # below 0 it would reverse the order of the pairs
_ANSWERS: dict[Any, bool | None] = {
    **{"y": True, "yes": True, "n": False, "no": False, "u": None, "unsure": None},
    **{True: True, False: False, None: None},
}

TextPair = tuple[str, str]


class Quality(NamedTuple):
    """Expected and measured quality of matches."""

    n_matches: int
    expected_precision: float
    expected_recall: float
    n_judged: int
    precision: Estimate | None
    recall: Estimate | None


class Compared(NamedTuple):
    """Pairs that an estimator compared, with log odds before answers."""

    texts: list[TextPair]
    numbers: dict[str, Rows]  # of the two rows, by name of the column
    logits: Floats


@set_module("skpara.matching")
class Judgments:
    """Answers by pair of texts, and the recalibration of log odds that they give."""

    def __init__(self, rows: Sequence[Sequence[Any]] = ()) -> None:
        self.answers: dict[TextPair, bool | None] = {}  # None is unsure
        self.slope, self.offset = _PRIOR.tolist()
        self.version = 0  # number of times that answers came
        self._logits: dict[TextPair, float] = {}
        self._even = {(a, b) for a, b, *_, even in rows if even}  # not for their uncertainty
        if rows:
            known = {(a, b): logit for a, b, _, logit, _ in rows if logit is not None}
            self.add({(a, b): answer for a, b, answer, *_ in rows}, known)

    def as_rows(self) -> list[list[Any]]:
        """Return the texts of each pair, the answer, the log odds, and whether it is even."""
        return [
            [*pair, answer, self._logits.get(pair), pair in self._even]
            for pair, answer in self.answers.items()
        ]

    def choose(self, texts: Sequence[TextPair], logits: Floats, n: int, evenly: bool) -> Rows:
        """Choose pairs to ask about: the least certain; first, or ``evenly``, from all ranks."""
        new = np.flatnonzero([pair not in self.answers for pair in texts])
        certainty = np.abs(self.slope * logits[new] + self.offset)
        if self.answers and not evenly:
            return new[np.argsort(certainty, kind="stable")[:n]]
        parts = np.array_split(new[np.argsort(-logits[new], kind="stable")], min(n, len(new) or 1))
        chosen = [part[len(part) // 2] for part in parts if len(part)]
        self._even.update(texts[i] for i in chosen)
        return np.array(chosen, dtype=np.int64)

    def add(self, answers: dict[TextPair, bool | None], logits: dict[TextPair, float]) -> None:
        """Store answers, and fit the recalibration to all whose log odds are known."""
        self.version += 1
        self.answers |= answers
        self._logits |= {pair: logits[pair] for pair in answers if pair in logits}
        known = [pair for pair in self._logits if self.answers[pair] is not None]
        x = np.clip([self._logits[pair] for pair in known], -_LARGEST, _LARGEST)
        signs = np.array([1.0 if self.answers[pair] else -1.0 for pair in known])

        def loss(w: Floats) -> float:
            errors = np.logaddexp(0, -signs * (w[0] * x + w[1])).sum()
            return float(errors + _PENALTIES @ (w - _PRIOR) ** 2 / 2)

        fitted = minimize(loss, _PRIOR, bounds=[_SLOPES, (None, None)]).x
        self.slope, self.offset = fitted.tolist()

    def decided(self, compared: Compared, by_hand: bool = True) -> Floats:
        """Return log odds after recalibration, infinite where there is an answer ``by_hand``."""
        logits: Floats = self.slope * compared.logits + self.offset
        if by_hand and self.answers:
            answers = [self.answers.get(pair) for pair in compared.texts]
            logits[[answer is True for answer in answers]] = np.inf
            logits[[answer is False for answer in answers]] = -np.inf
        return logits

    def measured(
        self, pairs: Sequence[TextPair], is_match: NDArray[np.bool_]
    ) -> tuple[int, Estimate | None, Estimate | None]:
        """Return the number of answers about pairs drawn evenly, and precision and recall."""
        rows = [
            (self.answers[pair] is True, match)
            for pair, match in zip(pairs, is_match.tolist(), strict=True)
            if pair in self._even and self.answers.get(pair) is not None
        ]
        both = sum(right and match for right, match in rows)
        right, matches = (sum(side) for side in zip(*rows, strict=True)) if rows else (0, 0)
        return len(rows), _share(both, matches), _share(both, right)


class ReviewMixin:
    """Review, judgment and estimate of matches.

    An estimator has ``_judgments``, and returns by ``_compared()`` what it compared, by
    ``_best(logits)`` the positions of the pairs to ask about, by ``_matched(compared, by_hand)``
    the positions of matches (see :meth:`Judgments.decided`), and by ``_has_probabilities()``
    whether its log odds mean something before there are answers.
    """

    def review(self: Any, n: int = 10, *, evenly: bool = False) -> NDArray[Any]:
        """Return the pairs whose judgment teaches most.

        Parameters
        ----------
        n : int, default=10
            Number of pairs. Several rounds of ten teach more than one of fifty.
        evenly : bool, default=False
            Take pairs from all ranks of probability, as the first review does, to measure
            precision and recall. Otherwise they are those with a probability near one half.

        Returns
        -------
        ndarray with named fields, shape (n,) or less
            Numbers of the two rows, ``sentence1``, ``sentence2`` and ``probability``. Pairs that
            were judged are left out.
        """
        check_is_fitted(self)
        check_count("n", n)
        compared, judgments = self._compared(), self._judgments
        logits = judgments.decided(compared)
        best = self._best(logits)
        best = best[np.isfinite(logits[best])]
        texts = [compared.texts[i] for i in best.tolist()]
        chosen = best[judgments.choose(texts, compared.logits[best], n, evenly)]
        numbers = {name: rows[chosen] for name, rows in compared.numbers.items()}
        sides = np.array([compared.texts[i] for i in chosen], dtype=object).reshape(-1, 2).T
        columns = {**numbers, "sentence1": sides[0], "sentence2": sides[1]}
        return records({**columns, "probability": expit(logits[chosen])})

    def judge(self: Any, pairs: Any, answers: Any) -> Any:
        """Take answers about pairs into account: for these, and for others by recalibration.

        Log odds are multiplied by a slope and moved by an offset, which logistic regression learns
        from all answers so far.

        Parameters
        ----------
        pairs : result of ``review``, or pairs of shape (n_pairs, 2)
            The texts of both rows. Answers about pairs that were not compared are kept.
        answers : array-like of shape (n_pairs,)
            True (or "y") for the same thing, False ("n") for different ones, and None ("u") for
            unsure, which is not asked again.

        Returns
        -------
        estimator
            The estimator itself. A later answer about a pair replaces an earlier one.

        Raises
        ------
        ValueError
            If an answer is something else, or there are more or fewer than pairs.
        """
        check_is_fitted(self)
        if "sentence1" in (getattr(getattr(pairs, "dtype", None), "names", None) or ()):
            pairs = np.column_stack([pairs["sentence1"], pairs["sentence2"]])
        if isinstance(answers, str | Set | Mapping) or not isinstance(answers, Iterable):
            raise TypeError(f"answers must be a list or array, got {answers!r:.60}.")
        texts, given = list(map(tuple, as_pairs(pairs).tolist())), list(answers)
        if len(texts) != len(given):
            raise ValueError(f"There are {len(texts)} pairs, but {len(given)} answers.")
        cleaned = {}
        for row, (pair, answer) in enumerate(zip(texts, given, strict=True)):
            key = answer.strip().lower() if isinstance(answer, str) else answer
            if not isinstance(key, Hashable) or key not in _ANSWERS:
                raise ValueError(
                    f"answers[{row}] is {answer!r:.40}. Pass True, False or None, or y, n or u."
                )
            cleaned[pair] = _ANSWERS[key]
        compared = self._compared()
        logits = dict(zip(compared.texts, compared.logits.tolist(), strict=True))
        self._judgments.add(cleaned, logits)
        return self

    def curve(self: Any) -> NDArray[Any]:
        """Compute the expected precision and recall of matches by their lowest probability.

        Returns
        -------
        ndarray with the fields ``threshold``, ``n_matches``, ``precision`` and ``recall``
            One row for each probability, in falling order, of the pairs that might match: the
            best ones of a :class:`TableMatcher`'s rows, and all of a :class:`Deduplicator`. The
            recall is the share of the expected right pairs among them. The guard is left out, and
            so is ``one_to_one``.
        """
        check_is_fitted(self)
        logits = self._judgments.decided(self._compared())
        p = np.sort(expit(logits[self._best(logits)]))[::-1]
        n, right = np.arange(1, len(p) + 1), np.cumsum(p)
        last = np.flatnonzero(np.append(np.diff(p) < 0, True)[: len(p)])  # of equal ones
        recall = right / max(right[-1:].sum(), np.finfo(float).tiny)
        columns = {"threshold": p, "n_matches": n, "precision": right / n, "recall": recall}
        return records({name: column[last] for name, column in columns.items()})

    def estimate(self: Any) -> Quality:
        """Estimate precision and recall, from probabilities and from answers.

        Returns
        -------
        tuple with named fields
            ``n_matches``; ``expected_precision`` and ``expected_recall`` by the probabilities, NaN
            if these are unknown; ``n_judged``, the number of answers about pairs that were drawn
            evenly; and ``precision`` and ``recall`` measured on these, each a tuple of ``value``,
            ``low`` and ``high``, the ends of a 95 % interval, or None. Measured are the matches as
            they would be without answers about these very pairs. Recall is the share of the right
            pairs that match; what no candidate was found for is not part of it.
        """
        check_is_fitted(self)
        compared, judgments = self._compared(), self._judgments
        logits = judgments.decided(compared)
        matched, p = self._matched(compared), expit(logits)
        total, possible = float(p[matched].sum()), float(p[self._best(logits)].sum())
        is_known = bool(judgments.answers) or self._has_probabilities()
        best = self._best(judgments.decided(compared, by_hand=False))
        is_match = np.isin(best, self._matched(compared, by_hand=False))
        measured = judgments.measured([compared.texts[i] for i in best.tolist()], is_match)
        return Quality(
            len(matched),
            total / len(matched) if is_known and len(matched) else np.nan,
            total / possible if is_known and possible else np.nan,
            *measured,
        )


def _share(n_right: int, n: int) -> Estimate | None:
    """Return a share with Wilson's 95 % interval."""
    if not n:
        return None
    interval = binomtest(n_right, n).proportion_ci(method="wilson")
    return Estimate(n_right / n, float(interval.low), float(interval.high))
