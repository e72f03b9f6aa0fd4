"""Prepositions of amounts and times."""

from __future__ import annotations

import pytest

from skpara.features import find_contrasts
from skpara.features.contrast._number_detectors import PrepositionsOfAmounts


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (
            "Rents fell by 20 percent.",
            "Rents fell to 20 percent.",
            "to 20 percent, not by 20 percent",
        ),
        ("Sales rose from about $5m.", "Sales rose by $5m.", "by $5m, not from $5m"),
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
