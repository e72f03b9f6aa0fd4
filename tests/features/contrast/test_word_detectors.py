"""Opposites among participles, other particles, and phrases that describe another noun."""

from __future__ import annotations

import pytest

from skpara.features import find_contrasts
from skpara.features.contrast import (
    ExchangedPhrases,
    Opposites,
    OtherParticles,
    Roles,
    Tense,
)


@pytest.mark.parametrize(
    ("detector", "first", "second"),
    [
        # A tagger takes one of the participles for an adjective.
        (Opposites(), "The offer is deemed accepted.", "The offer is deemed rejected."),
        (OtherParticles(), "Who looked after the hamster?", "Who looked for the hamster?"),
        (OtherParticles(), "We had to put off the party.", "We had to put out the party."),
        (ExchangedPhrases(), "My sister's teacher is here.", "My teacher's sister is here."),
        (ExchangedPhrases(), "A noisy neighbor's dog barked.", "A neighbor's noisy dog barked."),
        (
            ExchangedPhrases(),
            "The doctor from Oslo called the patient.",
            "The doctor called the patient from Oslo.",
        ),
        (
            ExchangedPhrases(),
            "He said on Monday that he would resign.",
            "He said that he would resign on Monday.",
        ),
        (
            ExchangedPhrases(),
            "Is there a bus station near the train museum?",
            "Is there a train station near the bus museum?",
        ),
        (Roles(), "Police officer shot by man", "Police officer shoots man"),
        (Tense(), "The lift has been repaired.", "The lift is being repaired."),
    ],
)
def test_a_difference_is_a_reason_in_both_orders(detector, first, second):
    forward, backward = find_contrasts([(first, second), (second, first)], [detector])
    assert len(forward) == len(backward) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("They went on to Rome.", "They went to Rome."),
        ("A dog runs on the beach.", "A dog runs along the beach."),
        ("She put it away.", "She put it off."),
        ("On Monday he called the patient.", "He called the patient on Monday."),
        ("He traveled with Ann to Oslo.", "He traveled to Oslo with Ann."),
        ("The bank near the park is shut.", "The park near the bank is shut."),
    ],
)
def test_other_orders_and_particles_may_mean_the_same(first, second):
    detectors = [ExchangedPhrases(), OtherParticles()]
    assert find_contrasts([(first, second), (second, first)], detectors) == [[], []]
