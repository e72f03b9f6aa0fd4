from __future__ import annotations

import pytest

from skpara import LexicalFeatures
from skpara.features import find_contrasts
from skpara.features.contrast._negation import find_negations


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The room is far from clean.", "The room is clean."),
        ("The test was anything but easy.", "The test was easy."),
        ("She has yet to reply.", "She has replied."),
        ("The house lacks a garden.", "The house has a garden."),
        ("The firm refuses to pay the fine.", "The firm pays the fine."),
        ("He is unlikely to win.", "He is likely to win."),
        ("There is no shortage of water.", "There is a shortage of water."),
        ("It ends if he pays.", "It ends unless he pays."),
        ("The tool never fails to find errors.", "The tool never finds errors."),
        ('There is no "war" here.', 'There is a "war" here.'),
        ("The thief was a guard, they say.", "The thief was not a guard, they say."),
        ("I didn't say she stole the ring.", "I said she didn't steal the ring."),
        ("He told me not to stop.", "He didn't tell me to stop."),
        ("Many of the samples were not tested.", "Not many of the samples were tested."),
        ("You don't have to answer every question.", "You don't have to answer any question."),
    ],
)
def test_a_clause_that_one_side_denies_is_a_reason(first, second):
    assert all(find_contrasts([(first, second), (second, first)]))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # Both are negated, in other words.
        ("The price will not fall soon.", "The price would not fall soon."),
        ("The firm has yet to show a profit.", "The firm hasn't shown a profit."),
        ("There are moons yet to be found.", "There are moons that haven't been found."),
        ("The room is far from clean.", "The room is not clean."),
        ("I dont trust him.", "I don't trust him."),
        ("It hasn't rained yet.", "It has not yet rained."),
        ("The box cannot be opened.", "It is impossible to open the box."),
        ('There is no "war" here.', "There is no war here."),
        # Two negations, or one of an opposite.
        ("He never fails to call.", "He always calls."),
        ("She did not fail to notice.", "She noticed."),
        ("There is no shortage of water.", "There is plenty of water."),
        ("There is no lack of ideas.", "There are plenty of ideas."),
        ("He would not stop talking.", "He would continue talking."),
        ("The shop is not open.", "The shop is closed."),
        ("Don't forget to lock the door.", "Remember to lock the door."),
        ("Nobody disliked the film.", "Everybody liked the film."),
        # The other side denies it in a word that is no negation.
        ("Cannot log in", "Login fails"),
        ("It will no longer sell tickets.", "It will stop selling tickets."),
        ("A tiger walks with no aim.", "A tiger walks aimlessly."),
        ("Only enter if you are a member.", "Do not enter unless you are a member."),
        ("Nobody came except Tom.", "Only Tom came."),
        ("I don't think he is a guard.", "I think he is not a guard."),
        ("Every student may ask.", "Any student may ask."),
    ],
)
def test_the_same_parity_is_no_reason(first, second):
    assert find_contrasts([(first, second), (second, first)]) == [[], []]


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
    ("text", "negated", "number"),
    [
        ("far/r from/p clean/j", {"clean"}, 1),
        ("far/r from/p the/d sea/n", set(), 0),
        ("has/x yet/s to/p win/v", {"win"}, 1),
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
