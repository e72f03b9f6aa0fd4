from __future__ import annotations

import pytest

from skpara import LexicalFeatures
from skpara.features import find_contrasts
from skpara.features.contrast._clauses import find_negations


def test_a_negation_among_many_differences_is_a_hint():
    lexical = LexicalFeatures(["negation_flip"])
    few = ("The mayor will not speak.", "The mayor will speak.")
    many = (
        "On Friday evening the old mayor will not speak about new parks in our town.",
        "Asked by two young reporters, the mayor agreed to speak after lunch.",
    )
    assert lexical.fit_transform([few, few[::-1], many, many[::-1]]).tolist() == [
        [1.0],
        [1.0],
        [0.5],
        [0.5],
    ]


@pytest.mark.parametrize(
    ("first", "second", "is_reason"),
    [
        ("They will no longer sell tickets.", "They will end selling tickets.", False),
        ("They will not sell it.", "They will sell it at the end.", True),
        ("They will not sell it at the end.", "They will end it and sell it.", True),
        ("A man hit a man.", "A man was hit by a man.", False),
    ],
)
def test_what_denies_without_a_negation(first, second, is_reason):
    assert [bool(row) for row in find_contrasts([(first, second), (second, first)])] == [
        is_reason,
        is_reason,
    ]


@pytest.mark.parametrize(
    ("text", "negated", "number"),
    [
        ("has/x yet/s to/p win/v", {"to", "win"}, 1),
        ("not/! yet/s won/v", {"won"}, 1),
        ("never/! fails/v to/p win/v", {"fails"}, 2),
        ("no/! shortage/n of/p rain/n", {"shortage"}, 0),
        ("go/v unless/s rain/n falls/v", {"rain", "falls"}, 1),
        ('no/! "/. war/n', {"war"}, 1),
        ("not/! only/r fast/j", set(), 0),
    ],
)
def test_negations_of_a_sentence(text, negated, number):
    tokens, classes = zip(*(word.split("/") for word in text.split()), strict=True)
    found, n_negations = find_negations(tokens, "".join(classes))
    assert {token for token, is_so in zip(tokens, found, strict=True) if is_so} == negated
    assert n_negations == number
