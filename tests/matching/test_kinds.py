"""Kinds of columns, which capital letters and the number of columns do not change."""

from __future__ import annotations

import numpy as np
import pytest

from skpara.matching._kinds import guessed, reading

NAMES = {
    "products": [
        "draper infrared remote transmitter", "koss eq50 3-band stereo equalizer",
        "sony turntable pslx350h", "case for 13 inch notebook", "black ink cartridge pack of 2",
    ],
    "papers": [
        "Semantic integration of environmental models for decision-making",
        "A survey of distributed query processing techniques", "Adaptive indexes for joins",
        "Efficient storage of sparse matrices", "On the design of database machines",
        "Parallel algorithms for nearest neighbours in high dimension",
    ],
    "restaurants": ["the blue door", "cafe on the hill", "mama's kitchen", "house of noodles"],
    "addresses": ["435 s. river blvd.", "12 w. hill street", "9 mill lane", "77 north road"],
    "cities": ["new york", "los angeles", "saint-denis", "west linn"],
    "people": ["a. blum and i. kant.", "m. li, j. doe and v. roe.", "c. lee.", "e. hesse."],
    "machines": ["Boeing 747", "Airbus A320 neo", "Tatra 77", "Concorde"],
}  # fmt: skip
SENTENCES = {
    "questions": ["How do I learn to cook?", "What is the best book of all?", "Can dogs swim?"],
    "captions": ["A man playing a guitar", "Two dogs in the snow", "girl in a red hat on a bike"],
    "headlines": ["Minister Resigns After Vote", "Storm Hits Coast", "Team wins third title"],
    "statements": ["It rains.", "Stocks fell.", "The train was late again."],
    "numbered": ["The dog number 1 runs.", "The dog number 2 runs.", "The dog number 3 runs."],
    # "in" is a function word of English, too.
    "German": ["Der Zug nach Bonn verkehrt leider nur in Richtung Norden."],
    "French": ["Les enfants jouent dans le jardin.", "Le monsieur mange une pomme verte."],
}  # fmt: skip
VALUES = {
    "date": ["Mar 12, 1980", "1 May 1999", "2001-05-06", "unknown", "31.12.2020", "1/2/1990"],
    "number": ["$5", "7.99", "1,200.50 EUR", "12", "-3"],
    "code": ["(404) 555-0123", "404 555 0199", "4045550123", "310/246-1501"],
}


@pytest.mark.parametrize("change", [str, str.lower, str.upper])
@pytest.mark.parametrize("name", NAMES)
def test_names(name, change):
    assert guessed("guess", [*map(change, NAMES[name])]) == "names"


@pytest.mark.parametrize("change", [str, str.lower, str.upper])
@pytest.mark.parametrize("name", SENTENCES)
def test_sentences(name, change):
    cells = [*map(change, SENTENCES[name])]
    assert guessed("guess", cells) == guessed("text", cells) == "sentences"


@pytest.mark.parametrize("kind", VALUES)
def test_values(kind):
    assert reading(VALUES[kind])[0] == kind
    assert reading(VALUES[kind])[1] >= 0.8
    assert guessed("text", VALUES[kind]) == "names"
    assert reading([*VALUES[kind], *NAMES["cities"]])[0] == "names"


@pytest.mark.parametrize(
    "cells", [["1999", "2001.0", "1995"], ["AB-1234", "CD-99", "ef12"], ["0017", "12345"]]
)
def test_whole_numbers_and_single_words_with_digits_are_codes(cells):
    assert guessed("guess", cells) == "code"


def test_a_code_has_40_letters_and_digits_at_most():
    codes = [f"{digit} {'7' * 38}a" for digit in range(5)]
    assert reading(codes)[0] == "code"
    assert reading([f"{code}b" for code in codes])[0] != "code"


def test_a_given_kind_is_kept_and_nothing_is_names():
    assert guessed("date", ["x"]) == "date"
    assert reading([]) == reading(["", " "]) == ("names", 1.0)


def test_many_cells_are_read_by_a_sample():
    cells = np.array([["Oslo", "The dog runs in the park."]] * 2000).T.ravel().tolist()
    cells = [f"{cell} {number}" for number, cell in enumerate(cells)]
    kind, share = reading(cells)
    assert kind in ("names", "sentences")
    assert 0.45 < share < 0.55
