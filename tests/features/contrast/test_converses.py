from __future__ import annotations

import pytest

from skpara import LexicalFeatures
from skpara.features import find_contrasts
from skpara.features.contrast._opposite_phrases import find_opposite_phrases

CONVERSES = [
    ("The bank is left of the museum.", "The museum is right of the bank."),
    ("The pub is north of the river.", "The river is south of the pub."),
    ("The lamp is above the table.", "The table is below the lamp."),
    ("Otto is taller than Nina.", "Nina is shorter than Otto."),
    ("Nina bought the car from Otto.", "Otto sold the car to Nina."),
    ("Nina lent Otto a bike.", "Otto borrowed a bike from Nina."),
    ("He ate before he slept.", "He slept after he ate."),
    ("Nina is Otto's teacher.", "Otto is Nina's student."),
    ("Otto is the employer of Nina.", "Nina is the employee of Otto."),
    (
        "The copper wire is thicker than the steel wire.",
        "The steel wire is thinner than the copper wire.",
    ),
    ("Rome is much older than Oslo.", "Oslo is much younger than Rome."),
]


@pytest.mark.parametrize(("first", "second"), CONVERSES)
def test_a_converse_of_exchanged_things_means_the_same(first, second):
    assert find_contrasts([(first, second), (second, first)]) == [[], []]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # One of the two is not exchanged.
        ("The bank is left of the museum.", "The bank is right of the museum."),
        ("The pub is north of the river.", "The river is north of the pub."),
        ("He ate before he slept.", "He ate after he slept."),
        ("Nina bought the car from Otto.", "Nina sold the car to Otto."),
        ("According to Nina, Otto won.", "According to Otto, Nina won."),
        # An opposite that relates nothing.
        ("Nina loves Otto.", "Otto hates Nina."),
        ("Nina left by the north gate.", "Nina left by the south gate."),
        # Clauses that exchange something.
        ("The nurse slept while the doctor worked.", "The doctor slept while the nurse worked."),
        ("When the nurse spoke, the man ate.", "When the man spoke, the nurse ate."),
        ("Sales rose in Spain and fell in Italy.", "Sales fell in Spain and rose in Italy."),
        ("The judge who met the banker resigned.", "The banker who met the judge resigned."),
        ("Rebels shell army near the border.", "Army shells rebels near the border."),
        # Opposites of several words, and of times.
        ("The boy was taken to hospital.", "The boy was released from hospital."),
        ("The truce holds up.", "The truce breaks down."),
        ("They set up the factory in May.", "They shut down the factory in May."),
        ("He put his coat on.", "He took his coat off."),
        ("The bank hired 50 clerks.", "The bank laid off 50 clerks."),
        ("The shop is open until 6 pm.", "The shop is open from 6 pm."),
        ("The court lifts the ban.", "The court imposes the ban."),
        ("The council will demolish it.", "The council will preserve it."),
    ],
)
def test_opposites_and_exchanges_are_reasons(first, second):
    assert all(find_contrasts([(first, second), (second, first)]))


def test_a_negated_opposite_phrase_means_the_same():
    lexical = LexicalFeatures(["antonym_flip", "antonym_negated"])
    pairs = [("They did not lay off clerks.", "They hired clerks.")]
    assert lexical.fit_transform(pairs).tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("they/n set/v up/r a/d shop/n", ["set up"]),
        ("set/v the/d very/r big/j old/j shop/n up/r", []),  # too far
        ("they/n set/v off/r ,/, up/p there/r", []),  # another clause
        ("turn/v the/d radio/n off/r", ["turn off"]),
    ],
)
def test_verbs_and_their_particles(text, expected):
    words, classes = zip(*(word.split("/", 1) for word in text.split()), strict=True)
    found = find_opposite_phrases(words, "".join(classes)).values()
    phrases = {" ".join(words[k] for k in places) for places in found if len(places) > 1}
    assert sorted(phrases) == expected
