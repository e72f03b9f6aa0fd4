"""Certificates that at most a given share of the matches is wrong, from answers about random ones.

A set of matches passes if a set with too many wrong matches would show this few wrong answers with
at most the probability that the confidence leaves. The numbers of answers needed with no wrong
one, with one, with two, ... are fixed in advance, so one may look at the result after each answer.
They are exact for draws from a finite set. The sets of matches are nested, the most probable ones
first; as each must pass before the next is tested, the probability of any wrong certificate stays
the same (Learn then Test, fixed sequence).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import inf, isfinite, isnan, nan
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from skpara._public import set_module
from skpara._typing import Bools, Floats
from skpara.matching._search import Rows

# Of the probability of a wrong certificate, what is spent on the first look, at which no answer is
# wrong: then 60 answers suffice for 5 % at 95 %, for which 59 are needed without a second look.
# Each further look, with one more wrong answer, has half of what is left.
_FIRST_LOOK = 0.93
# The first set of matches has this expected precision, so that 60 answers without a wrong one are
# probable.
_SAFE_PRECISION = 0.99
# Of a smaller set nearly all matches would have to be asked.
_SMALLEST_SET = 100
# Sets from the first one to all matches.
_N_SETS = 6
# Steps in which the precision that answers show is given.
_STEPS = 200


@set_module("skpara.matching")
@dataclass(frozen=True)
class Certificate:
    """A guarantee from answers about random matches; ``str()`` puts it in words.

    Attributes
    ----------
    precision, confidence : float
        What was asked for.
    threshold : float
        Lowest probability of the certified matches; NaN if none are certified.
    n_matches : int
        Number of these matches; 0 if none are certified.
    n_answers, n_wrong : int
        Number of answers about random ones of these matches (if none are certified, of the most
        probable matches), and how many say that a match is wrong, or are unsure.
    shown : float
        The highest precision that these answers show at this confidence.
    n_more : float
        Number of further answers that would be enough if none is wrong: 0 if matches are
        certified, infinite if there are no matches.
    """

    precision: float
    confidence: float
    threshold: float
    n_matches: int
    n_answers: int
    n_wrong: int
    shown: float
    n_more: float

    @property
    def is_given(self) -> bool:
        """Whether the matches have the precision, at the confidence."""
        return not isnan(self.threshold)

    def __str__(self) -> str:
        answers = f"{self.n_answers} answers, {self.n_wrong} of them no"
        share = f"{100 * (1 - self.precision):.3g} %"
        sure = f"{100 * self.confidence:.3g} %"
        if self.is_given:
            return (
                f"Of the {self.n_matches} matches with a probability of at least "
                f"{self.threshold:.3g}, at most {share} are wrong ({sure} sure, by {answers})."
            )
        if not self.n_answers and not isfinite(self.n_more):
            return "There are no matches to certify."
        text = (
            f"It cannot be said that at most {share} of the matches are wrong ({sure} sure): "
            f"{answers}, show that at most {100 * (1 - self.shown):.3g} % are."
        )
        if not isfinite(self.n_more):
            return f"{text} More are wrong already."
        return f"{text} {self.n_more:.0f} more that say yes would do: review(evenly=True)."


def in_random_order(keys: Iterable[Hashable]) -> Rows:
    """Return the places of keys in an order that is random, but the same in every call.

    Some of the keys have the same order among themselves as among all, so answers about the first
    ones are a random sample of any later set of matches. A repeated key has another number.
    """
    seen: Counter[Hashable] = Counter()
    numbers = []
    for key in keys:
        text = f"{seen[key]} {key!r}"
        seen[key] += 1
        digest = blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).digest()
        numbers.append(int.from_bytes(digest, "big"))
    return np.argsort(np.array(numbers, dtype=np.uint64), kind="stable")


def n_answers_needed(n_matches: int, n_wrong: int, precision: float, confidence: float) -> float:
    """Return the number of random answers, ``n_wrong`` of them wrong, that a certificate takes.

    With the least number of wrong matches that break the promise, answers lead to a certificate,
    now or after fewer wrong ones, with a probability of at most ``1 - confidence``.
    """
    too_many = int((1 - precision) * n_matches + 1e-9) + 1  # not 4 for .05 * 100
    if too_many > n_matches:
        return 0
    if n_wrong >= too_many:
        return inf
    risk = 1 - confidence
    # Probability of each number of wrong answers so far without a certificate.
    open_ = np.zeros(n_wrong + 2)
    open_[0] = 1.0
    level, n = 0, 0
    wrong_left = np.maximum(too_many - np.arange(n_wrong + 2), 0)
    while n < n_matches:
        allowed = risk * (_FIRST_LOOK if level == 0 else (1 - _FIRST_LOOK) / 2**level)
        if n >= level and open_[level] <= allowed:
            if level == n_wrong:
                return n
            open_[level], level = 0.0, level + 1
            continue
        p_wrong = wrong_left / (n_matches - n)
        moved = open_ * p_wrong
        open_ = open_ - moved
        open_[1:] += moved[:-1]
        n += 1
    return n_matches  # then all are known


class Sample(NamedTuple):
    """Matches, and the answers about some of them."""

    logits: Floats
    are_known: bool  # whether probabilities mean something
    order: Rows  # the random order in which they are asked about
    answers: list[bool | None]  # None is not answered


def certified(sample: Sample, precision: float, confidence: float) -> Certificate:
    """Test the sets of matches one after the other; return the last certificate."""
    given: Certificate | None = None
    for members in nested_sets(sample):
        result = _tested(members, sample, precision, confidence)
        if not result.is_given:
            return given or result
        given = result
    return given or Certificate(precision, confidence, nan, 0, 0, 0, 0.0, inf)


def to_ask(sample: Sample, n: int, precision: float = 0.95, confidence: float = 0.95) -> list[int]:
    """Return the matches to ask about: what the sets need in turn, if all answers say yes."""
    chosen: list[int] = []
    believed, order = list(sample.answers), sample.order
    for members in nested_sets(sample):
        places = order[members[order]]
        while len(chosen) < n:
            n_asked, n_wrong = _counts(places, believed)
            needed = n_answers_needed(len(places), n_wrong, precision, confidence)
            if n_asked >= min(needed, len(places)):
                break
            chosen.append(int(places[n_asked]))
            believed[chosen[-1]] = True
    rest = [place for place in order.tolist() if believed[place] is None]
    return chosen + rest[: n - len(chosen)]


def nested_sets(sample: Sample) -> list[Bools]:
    """Return sets of matches by their lowest log odds, from the most probable ones to all."""
    logits, n = sample.logits, len(sample.logits)
    if not n:
        return []
    ordered = np.sort(logits)[::-1]
    first = n
    if sample.are_known:
        means = np.cumsum(expit(ordered)) / np.arange(1, n + 1)
        n_safe = int(np.count_nonzero(means >= _SAFE_PRECISION))  # they fall
        first = min(n, max(n_safe, _SMALLEST_SET))
    sizes = np.linspace(first, n, _N_SETS).round().astype(int)
    return [logits >= lowest for lowest in sorted(set(ordered[sizes - 1].tolist()), reverse=True)]


def _tested(members: Bools, sample: Sample, precision: float, confidence: float) -> Certificate:
    places = sample.order[members[sample.order]]
    size = len(places)
    n_asked, n_wrong = _counts(places, sample.answers)

    def lacks(share: float) -> float:
        return max(0, n_answers_needed(size, n_wrong, share, confidence) - n_asked)

    steps = range(1, _STEPS)
    n_shown = bisect_left(steps, True, key=lambda step: lacks(step / _STEPS) > 0)
    n_more = lacks(precision)
    threshold = nan if n_more else float(expit(sample.logits[members].min()))
    n_matches = 0 if n_more else size
    return Certificate(
        precision, confidence, threshold, n_matches, n_asked, n_wrong, n_shown / _STEPS, n_more
    )


def _counts(places: Rows, answers: Sequence[bool | None]) -> tuple[int, int]:
    """Return the number of first ones in a row that have an answer, and how many are wrong."""
    n = n_wrong = 0
    for place in places.tolist():
        if answers[place] is None:
            break
        n += 1
        n_wrong += not answers[place]
    return n, n_wrong
