"""Words between two phrases that have changed places: some of them say that the order matters."""

from __future__ import annotations

import pytest

from skpara.features import find_contrasts
from skpara.features.contrast._lexicon import words_in


def reasons(first, second):
    found = find_contrasts([(first, second), (second, first)])
    assert [bool(row) for row in found] in ([True, True], [False, False])
    return found[0]


@pytest.mark.parametrize("word", ["near", "next to", "beside", "alongside", "with"])
def test_what_is_beside_is_beside(word):
    assert not reasons(f"A lamp {word} the chair.", f"A chair {word} the lamp.")
    assert reasons("A lamp on the chair.", "A chair on the lamp.")


@pytest.mark.parametrize("word", ["as", "versus", "vs"])
def test_equals(word):
    assert not reasons(f"dogs {word} cats", f"cats {word} dogs")
    assert reasons("dogs for cats", "cats for dogs")


@pytest.mark.parametrize("word", [",", "and", "or", "&"])
def test_numbers_of_a_list_have_no_order(word):
    assert not reasons(f"He has 3 {word} 1 cats.", f"He has 1 {word} 3 cats.")
    assert reasons("He has 3 by 1 cats.", "He has 1 by 3 cats.")


@pytest.mark.parametrize("word", ["because", "if", "so", "unless"])
def test_what_causes_another_thing_is_not_caused_by_it(word):
    assert reasons(f"He sang {word} she danced.", f"She danced {word} he sang.")
    capital = word.title()
    assert reasons(f"{capital} it rains, we stay.", f"{capital} we stay, it rains.")
    assert not reasons("When it rains, we stay.", "When we stay, it rains.")


@pytest.mark.parametrize("word", sorted(words_in("events in order")))
def test_events_have_an_order(word):
    assert reasons(f"He sang {word} she danced.", f"She danced {word} he sang.")


@pytest.mark.parametrize("word", ["to", "into"])
def test_times_have_an_order_if_one_leads_to_the_other(word):
    assert reasons(f"Friday class moved {word} Monday", f"Monday class moved {word} Friday")
    assert not reasons("Friday class before Monday", "Monday class before Friday")


@pytest.mark.parametrize("word", ["until", "till", "unless", "before", "without", "except", "but"])
def test_not_until_is_only_when(word):
    assert not reasons(f"He did not pay {word} she came.", "He paid only when she came.")
    assert reasons("He did not pay after she came.", "He paid only when she came.")


@pytest.mark.parametrize("arrow", ["->", "<-", "=>", "\u2192", "\u2190", "\u21d2", "\u27a4"])
def test_arrows_lead_from_one_thing_to_another(arrow):
    assert reasons(f"PLN {arrow} EUR", f"EUR {arrow} PLN")
    assert reasons(f"convert X{arrow} Y now", f"convert Y{arrow} X now")


@pytest.mark.parametrize("arrow", ["<->", "\u2194", "\u21d4", "-", "<=>"])
def test_arrows_in_both_directions_do_not(arrow):
    assert not reasons(f"X {arrow} Y", f"Y {arrow} X")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Shot by a man in Oslo", "Shot a man in Oslo"),
        (
            "He won by working hard against sleeping well.",
            "He won by sleeping well against working hard.",
        ),
    ],
)
def test_a_preposition_says_who_did_it(first, second):
    assert reasons(first, second)
