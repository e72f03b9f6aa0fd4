"""Agreement of quantities, percentages, sums of money and dates."""

from __future__ import annotations

from collections.abc import Sequence

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._kernels import f_score
from skpara.quantities import CURRENCIES, HINTS, Meaning, Quantity, read

_CURRENCIES = frozenset(CURRENCIES.values())
# Kinds that are numbers as well.
_NUMBERS = ("number", "year", "day", "clock")
_DATES = ("weekday", "month", "day", "year")

Mentions = tuple[list[Quantity], ...]
_NOTHING: Mentions = ([], [], [], [])


def compute(batch: PairBatch) -> Floats:
    """Compare quantities; "2 km" and "2000 m" are equal.

    quantity_f
        F of the values of numbers, in digits or words; 1 without numbers.
    percent_f, money_f, date_f
        The same for percentages, amounts with their currency, and weekdays, months, days and
        years.
    """
    sides = batch.takelab
    have_hints = sides.containing(token in HINTS for token in sides.distinct)
    mentions = [
        _mentions(text) if has_hint or has_digit else _NOTHING
        for text, has_hint, has_digit in zip(
            sides.texts, have_hints, sides.have_digits, strict=True
        )
    ]
    return sides.score(
        lambda first, second: tuple(map(_agreement, first, second)), mentions, _NOTHING
    )


def _agreement(first: Sequence[Quantity], second: Sequence[Quantity]) -> float:
    if not first and not second:
        return 1.0
    shared = min(_count_shared(first, second), _count_shared(second, first))
    return f_score(shared, len(first), len(second))


def _count_shared(first: Sequence[Quantity], second: Sequence[Quantity]) -> int:
    """Count the quantities that `agree` with any of the second, in time linear in both."""
    said = frozenset[Meaning]().union(*(other.says for other in second))
    meant = said.union(*(other.written for other in second))
    return sum(not (one.says.isdisjoint(meant) and one.written.isdisjoint(said)) for one in first)


def _mentions(text: str) -> Mentions:
    """Return the numbers, percentages, sums of money and dates of a text, each once."""
    found = list({quantity.says: quantity for quantity in read(text)}.values())
    measures = [{measure for measure, _ in quantity.says} for quantity in found]
    return (
        [x for x in found if x.kind in _NUMBERS and not isinstance(x.value, str)],
        [x for x, names in zip(found, measures, strict=True) if "share" in names],
        [x for x, names in zip(found, measures, strict=True) if not names.isdisjoint(_CURRENCIES)],
        [x for x in found if x.kind in _DATES],
    )


FAMILY = Family("quantities", ("quantity_f", "percent_f", "money_f", "date_f"), compute)
