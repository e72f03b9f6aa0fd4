from __future__ import annotations

import numpy as np
import pytest

from skpara import LexicalFeatures, WordVectors
from skpara.features import CONTRAST_KINDS, Contrast, find_contrasts

FLIPS = ("negation_flip", "antonym_flip", "roles_swapped", "modifiers_swapped", "number_flip")
FLIPS += ("time_flip", "name_flip", "quantifier_flip")


@pytest.fixture(scope="module")
def lexical():
    return LexicalFeatures("contrast").fit([("", "")])


@pytest.fixture(scope="module")
def compute(lexical):
    names = lexical.get_feature_names_out().tolist()

    def compute(first, second):
        forward, backward = lexical.transform([(first, second), (second, first)]).tolist()
        assert forward == backward
        return dict(zip(names, forward, strict=True))

    return compute


def flips(features):
    return {name for name in FLIPS if features[name]}


def test_a_negated_opposite_means_the_same(compute):
    features = compute("The soup is not hot.", "The soup is cold.")
    assert not flips(features)
    assert features["antonym_negated"] == 1


@pytest.mark.parametrize(
    ("first", "second", "flip", "added"),
    [
        ("Two dogs ran.", "Three dogs ran.", 1, 0),
        ("Two dogs ran.", "2 dogs ran.", 0, 0),
        ("Two dogs ran.", "Dogs ran.", 0, 1),
        ("Two dogs saw three cats.", "Three dogs saw two cats.", 1, 0),
        ("He paid $1.5 million.", "He paid 1,500,000 dollars.", 0, 0),
        ("He called twice.", "He called 2 times.", 0, 0),
        ("The first runner fell.", "The second runner fell.", 1, 0),
        ("It is 2 km away.", "It is 2000 m away.", 0, 0),
        ("He ate half a pie.", "He ate 1/2 pie.", 0, 0),
        ("He ate 1/4 pie.", "He ate 1/2 pie.", 1, 0),
    ],
)
def test_numbers(compute, first, second, flip, added):
    features = compute(first, second)
    assert (features["number_flip"], features["number_added"]) == (flip, added)
    assert flips(features) <= {"number_flip"}


@pytest.mark.parametrize(
    ("first", "second", "flip"),
    [
        ("We meet at 3 pm.", "We meet at 5 pm.", 1),
        ("We meet at 3 pm.", "We meet at 3 am.", 1),
        ("We meet at 3 pm.", "We meet at 3pm.", 0),
        ("Given 06:15", "Given 18:15", 1),
        ("Given 6:15", "Given 18:15", 0),
        ("We meet at 3 pm.", "We meet at 15:00.", 0),
        ("We meet at 3 pm.", "We meet at three o'clock.", 0),
        ("We meet at 3 pm.", "We meet at 3 in the afternoon.", 0),
        ("We meet at 3.30 pm.", "We meet at half past three.", 0),
        ("We meet at 2:45.", "We meet at quarter to three.", 0),
        ("We meet at noon.", "We meet at 12 pm.", 0),
        ("We meet at noon.", "We meet at midnight.", 1),
        ("We meet on Monday.", "We meet on Tuesday.", 1),
        ("We met in 1990.", "We met in 1991.", 1),
        ("We met last week.", "We met this week.", 1),
        ("We met yesterday.", "We met last week.", 1),
        ("We met in spring.", "We met in autumn.", 1),
        ("We met in autumn.", "We met in the fall.", 0),
        ("We meet in March.", "We meet in May.", 1),
        ("We meet at 10:30.", "We meet at 10.30.", 0),
    ],
)
def test_times(compute, first, second, flip):
    features = compute(first, second)
    assert features["time_flip"] == flip
    assert features["number_flip"] == features["number_added"] == 0  # an hour is no amount
    assert features["time_added"] == ("afternoon" in second)


@pytest.mark.parametrize("time", ["3pm", "15:00", "three o'clock", "noon"])
def test_a_time_is_not_a_word(compute, time):
    assert compute("We meet at 3 pm.", f"We meet at {time}.")["words_kept"] == 1


def test_a_time_that_one_side_has_is_added(compute):
    features = compute("We meet on Monday at 3 pm.", "We meet on Monday.")
    assert (features["time_flip"], features["time_added"]) == (0, 1)


@pytest.mark.parametrize(
    ("first", "second", "flip", "added"),
    [
        ("Anna called.", "Maria called.", 1, 0),
        ("We flew to Paris.", "We flew to London.", 1, 0),
        ("We flew to Paris.", "We flew to Parris.", 0, 0),
        ("The Ashfield shop is shut.", "The Oakfield shop is shut.", 1, 0),
        ("We saw Anna.", "we saw anna.", 0, 0),
        ("We saw Anna Smith.", "We saw Smith.", 0, 1),
        ("They met J.P. Smith in May.", "They met JP Smith in May.", 0, 0),
    ],
)
def test_names(compute, first, second, flip, added):
    features = compute(first, second)
    assert (features["name_flip"], features["name_added"]) == (flip, added)


@pytest.mark.parametrize(
    ("first", "second", "flip", "added"),
    [
        ("All dogs bark.", "Some dogs bark.", 1, 0),
        ("All dogs bark.", "Every dog barks.", 0, 0),
        ("All dogs bark.", "Dogs bark.", 0, 1),
        ("Everyone left.", "Nobody left.", 1, 0),
        ("He always smiles.", "He rarely smiles.", 1, 0),
        ("A few dogs bark.", "Some dogs bark.", 0, 0),
        ("Few dogs bark.", "A few dogs bark.", 1, 0),
        ("He did plenty of work.", "He did hardly any work.", 1, 0),
        ("All dogs saw some cats.", "Some dogs saw all cats.", 1, 0),
    ],
)
def test_quantifiers(compute, first, second, flip, added):
    features = compute(first, second)
    assert (features["quantifier_flip"], features["quantifier_added"]) == (flip, added)


def test_words_are_kept_changed_added_or_misspelled(compute):
    features = compute("The dog chased a yellow bicycle.", "The dog chased a yelow bike quickly.")
    # Kept: dog, chase, yellow, and bicycle with its synonym; 8 of 9 words.
    assert features["words_kept"] == pytest.approx(8 / 9)
    assert features["words_misspelled"] == features["words_added"] == 1
    features = compute("A dog sleeps.", "A volcano sleeps.")
    assert features["words_kept"] == 2 / 4
    assert features["nouns_changed"] == 1
    assert features["verbs_changed"] == features["words_added"] == 0


def test_sums_of_three_numbers_do_not_depend_on_the_order_of_the_sides():
    # "sings" and "horse" are aligned, so three of the four losses belong to nouns.
    rows = np.float32([[1, 0, 0, 0], [4.1, 7, 0, 0], [0, 0, 1, 0], [0, 0, 4.3, 7]])
    vectors = WordVectors(["hat", "shirt", "sings", "horse"], rows)
    pair = ("A hat sings.", "A shirt has a horse.")
    there, back = LexicalFeatures("contrast", vectors=vectors).fit_transform([pair, pair[::-1]])
    assert there.tolist() == back.tolist()


def test_a_noun_is_no_synonym_of_a_verb(compute):
    features = compute("Every guest received a present.", "A present was given to every guest.")
    assert features["roles_kept"] == 1  # "give" and "present" have a sense in common


def test_roles_are_compared_beside_opposites(compute):
    features = compute("A frog fell into a full pond.", "A frog fell into an empty pond.")
    assert features["roles_kept"] > 0


def test_known_words_that_look_alike_are_not_misspelled(compute):
    assert compute("A cat was here.", "A car was here.")["words_misspelled"] == 0


def test_contrasts_are_given_in_the_words_of_the_sentences():
    pairs = [("Two DOGS met Anna.", "Three dogs met Mary."), ("It rains.", "It rains.")]
    name, number = Contrast("name", "Anna", "Mary"), Contrast("number", "Two", "Three")
    assert find_contrasts(pairs) == [[name, number], []]
    dates = [("It ends on 5/31/2012.", "It ends on 6/30/2012.")]
    assert list(map(str, find_contrasts(dates)[0])) == ["6/30/2012, not 5/31/2012"]
    assert find_contrasts(pairs[1:] * 2000) == [[]] * 2000
    assert str(number) == "Three, not Two"
    counted = [("Two big dogs ran.", "A big dog ran."), ("A flat of 2 rooms", "A 2-room flat")]
    assert list(map(str, find_contrasts(counted)[0])) == ["A dog, not Two dogs"]
    assert find_contrasts(counted)[1] == []
    added = [("Is rain rare?", "Is rain rare in Peru?"), ("Is Fitness fun?", "Is fitness fun?")]
    assert [list(map(str, row)) for row in find_contrasts(added)] == [["only one has Peru"], []]
    bounds = [("At least 9 hot meals", "At most 9 cold meals"), ("Hot at least", "Cold at most")]
    for row in find_contrasts(bounds):
        assert {"antonym", "attribute"} <= {found.kind for found in row}
    assert {name.kind, number.kind} <= set(CONTRAST_KINDS)


def test_empty_text_has_no_flips(compute):
    features = compute("", "")
    assert not flips(features)
    assert features["words_kept"] == 1
    assert compute("", "Three dogs bark.")["words_kept"] == 0


@pytest.mark.parametrize(
    "text",
    [
        "ate no " * 300,
        "Anna and " * 300 + "run and " * 300,
        "the man who saw the man who " * 200,
        "from London to Paris by Monday at 3 pm " * 100,
        "dog " * 600,
        "x" * 5000 + " " + "y" * 5000,
    ],
)
def test_only_the_beginning_of_a_long_text_is_read(lexical, text):
    features = lexical.transform([(text, text), (text, "not " + text)])
    assert features[0][lexical.features_.index("flips")] == 0
    assert features[0][lexical.features_.index("roles_kept")] <= 512 * 8
