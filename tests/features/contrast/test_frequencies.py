"""How often something happens, and prepositions of amounts and times."""

from __future__ import annotations

import pytest

from skpara.features import find_contrasts
from skpara.features.contrast._frequencies import find_frequencies
from skpara.features.contrast._number_detectors import Frequencies, PrepositionsOfAmounts


@pytest.mark.parametrize(
    ("text", "per_year"),
    [
        ("water it twice a day", 2 * 365),
        ("three times per week", 3 * 52),
        ("take 2 tablets once daily", 365),
        ("every 6 hours", 24 * 365 / 6),
        ("every other month", 6),
        ("each second year", 1 / 2),
        ("every week", 52),
        ("a quarterly report", 4),
    ],
)
def test_how_often_something_happens_in_a_year(text, per_year):
    (found,) = find_frequencies(text.split())
    assert found.per_year == pytest.approx(per_year)
    words = text.split()
    assert words[found.places[0]] in ("twice", "three", "once", "every", "each", "quarterly")


@pytest.mark.parametrize(
    ("period", "adverbs", "per_year"),
    [
        ("hour", "hourly", 365 * 24), ("day", "daily", 365), ("night", "nightly", 365),
        ("week", "weekly", 52), ("fortnight", "fortnightly", 26), ("month", "monthly", 12),
        ("quarter", "quarterly", 4), ("year", "yearly annually", 1),
    ],
)  # fmt: skip
def test_every_period_and_how_often(period, adverbs, per_year):
    rates = {f"every {period}": 1, f"every other {period}": 1 / 2, f"every second {period}": 1 / 2}
    rates |= {f"every third {period}": 1 / 3, f"every fourth {period}": 1 / 4}
    rates |= {f"every sixth {period}": 1 / 6, f"once a {period}": 1, f"twice a {period}": 2}
    rates |= {f"thrice a {period}": 3} | dict.fromkeys(adverbs.split(), 1)
    for text, rate in rates.items():
        (found,) = find_frequencies(text.split())
        assert found.per_year == pytest.approx(rate * per_year), text


@pytest.mark.parametrize(
    "text", ["the other day", "once upon a time", "many times", "every child", "", "times a week"]
)
def test_other_words_are_no_frequency(text):
    assert find_frequencies(text.split()) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Take it twice a week.", "Take it every two weeks."),
        ("The club meets every month.", "The club meets every other month."),
        ("Call her daily.", "Call her once a week."),
    ],
)
def test_another_frequency_is_a_reason(first, second):
    found = find_contrasts([(first, second), (second, first)], [Frequencies()])
    assert [[reason.kind for reason in reasons] for reasons in found] == [["number"], ["number"]]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Take it twice a day.", "Take it every 12 hours."),
        ("It is cleaned four times a month.", "It is cleaned weekly."),
        ("We meet every two weeks.", "We meet every other week."),
        ("Rent is paid annually.", "Rent is paid once a year."),
    ],
)
def test_the_same_frequency_in_other_words_is_no_reason(first, second):
    assert find_contrasts([(first, second), (second, first)], [Frequencies()]) == [[], []]


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (
            "Rents fell by 20 percent.",
            "Rents fell to 20 percent.",
            "to 20 percent, not by 20 percent",
        ),
        ("Sales rose from about $5m.", "Sales rose by $5m.", "by 5m, not from 5m"),
        ("Send it by Friday.", "Send it after Friday.", "after Friday, not by Friday"),
        ("It is open until 5 pm.", "It is open from 5 pm.", "from 5 pm, not until 5 pm"),
    ],
)
def test_a_preposition_tells_a_change_from_its_result(first, second, reason):
    forward, backward = find_contrasts(
        [(first, second), (second, first)], [PrepositionsOfAmounts()]
    )
    assert [str(found) for found in forward] == [reason]
    assert len(backward) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Send it by Friday.", "Send it before Friday."),
        ("It has run since 1990.", "It has run from 1990."),
        ("Rents fell by 20 percent.", "Rents fell 20 percent."),
        ("It grew by 5 to 9 cm.", "It grew to 9 cm, by 5."),
    ],
)
def test_prepositions_that_agree_are_no_reason(first, second):
    pairs = [(first, second), (second, first)]
    assert find_contrasts(pairs, [PrepositionsOfAmounts()]) == [[], []]
