"""Frequencies of events: "twice a day", "every other week", "monthly"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skpara.features._families.quantities import amounts
from skpara.features.contrast._mentions import word_at

# How often each of them is in a year.
_PERIODS = {
    "hour": 8760.0,
    "day": 365.0,
    "night": 365.0,
    "week": 52.0,
    "fortnight": 26.0,
    "month": 12.0,
    "quarter": 4.0,
    "year": 1.0,
}
_ADVERBS = {
    "hourly": 8760.0,
    "daily": 365.0,
    "nightly": 365.0,
    "weekly": 52.0,
    "fortnightly": 26.0,
    "monthly": 12.0,
    "quarterly": 4.0,
    "yearly": 1.0,
    "annually": 1.0,
}
_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_PER = frozenset(["a", "an", "per", "each", "every"])
_EVERY = frozenset(["every", "each"])
_ORDINALS = {"other": 2.0, "second": 2.0, "third": 3.0, "fourth": 4.0, "sixth": 6.0}
# "Four times a month" is as often as "weekly".
_TOLERANCE = 0.15
# Words of a frequency, one of which each has.
FREQUENCY_WORDS = _EVERY | _TIMES.keys() | _ADVERBS.keys() | {"times", "time"}


class Frequency(NamedTuple):
    """The times that something happens in a year, and the positions of the words that tell it."""

    per_year: float
    places: tuple[int, ...]
    is_plain: bool  # "monthly", "every month", which are compared as times

    def agrees_with(self, other: Frequency) -> bool:
        """Return whether both are about as often."""
        most = max(self.per_year, other.per_year)
        return abs(self.per_year - other.per_year) <= _TOLERANCE * most


def find_frequencies(tokens: Sequence[str]) -> list[Frequency]:
    """Find how often a sentence says that something happens."""
    return list(_find(tokens))


def _find(tokens: Sequence[str]) -> Iterator[Frequency]:
    end = 0
    for i, token in enumerate(tokens):
        if i < end:
            continue
        found = _find_times(tokens, i) or _find_every(tokens, i)
        if found is None and token in _ADVERBS:
            found = Frequency(_ADVERBS[token], (i,), is_plain=True)
        if found is not None:
            end = found.places[-1] + 1
            yield found


def _find_times(tokens: Sequence[str], i: int) -> Frequency | None:
    """Read "twice a day", "3 times per week" or "twice daily" at a position."""
    if tokens[i] in _TIMES:
        times = _TIMES[tokens[i]]
        k = i + 1
    elif word_at(tokens, i + 1) in ("time", "times"):
        times = _number(tokens[i])
        k = i + 2
    else:
        return None
    if not times:
        return None
    if word_at(tokens, k) in _PER:
        k += 1
        per_year = _PERIODS.get(word_at(tokens, k).removesuffix("s"), 0.0)
    else:
        per_year = _ADVERBS.get(word_at(tokens, k), 0.0)
    if not per_year:
        return None
    return Frequency(times * per_year, tuple(range(i, k + 1)), is_plain=False)


def _find_every(tokens: Sequence[str], i: int) -> Frequency | None:
    """Read "every day", "every other week" or "every 6 hours" at a position."""
    if tokens[i] not in _EVERY:
        return None
    following = word_at(tokens, i + 1)
    n_periods = _ORDINALS.get(following) or _number(following)
    k = i + 2 if n_periods else i + 1
    per_year = _PERIODS.get(word_at(tokens, k).removesuffix("s"), 0.0)
    if not per_year:
        return None
    places = tuple(range(i, k + 1))
    return Frequency(per_year / (n_periods or 1.0), places, is_plain=not n_periods)


def _number(word: str) -> float:
    """Return the number that a word stands for; 0 if it is none."""
    found = amounts([word], [0]) if word else []
    return found[0].value if found else 0.0
