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


FLIPPED = {
    "negation_flip": [
        ("I like pizza.", "I don't like pizza."),
        ("I like pizza.", "I never liked pizza."),
        ("The train stopped here.", "The train failed to stop here."),
        ("The dog is asleep.", "The dog is not asleep."),
        ("He ate the pizza.", "He ate no pizza."),
        ("A man with a hat smiles.", "A man without a hat smiles."),
        ("There is a dog in the park.", "There is no dog in the park."),
    ],
    "antonym_flip": [
        ("The soup is hot.", "The soup is cold."),
        ("Prices rose in Spain.", "Prices fell in Spain."),
        ("The road was safe.", "The road was unsafe."),
        ("He went up the stairs.", "He went down the stairs."),
        ("The door is open.", "The door is closed."),
    ],
    "roles_swapped": [
        ("The dog chased the cat.", "The cat chased the dog."),
        ("The dog chased the cat.", "The dog was chased by the cat."),
        ("Anna gave Peter a book.", "Peter gave Anna a book."),
        ("Anna is taller than Peter.", "Peter is taller than Anna."),
        ("They flew from Paris to London.", "They flew from London to Paris."),
        ("Anna called Paul and Mary called Tom.", "Paul called Anna and Mary called Tom."),
        (
            "He says that the nurse thanked the doctor.",
            "He says that the doctor thanked the nurse.",
        ),
    ],
    "modifiers_swapped": [("A red car hit a blue truck.", "A blue car hit a red truck.")],
    "": [
        ("The exam turned out easy.", "In the end the exam turned easy."),
        ("The dog chased the cat.", "The cat was chased by the dog."),
        ("Anna gave Peter a book.", "Anna gave a book to Peter."),
        ("Anna is taller than Peter.", "Peter is shorter than Anna."),
        ("Anna sold the car to Peter.", "Peter bought the car from Anna."),
        ("Anna married Peter.", "Peter married Anna."),
        ("The man who kicked the ball left.", "The man left who kicked the ball."),
        ("Dogs and cats like milk.", "Cats and dogs like milk."),
        ("Yesterday Anna saw Peter.", "Anna saw Peter yesterday."),
    ],
}


@pytest.mark.parametrize(
    ("flip", "first", "second"),
    [(flip, *pair) for flip, pairs in FLIPPED.items() for pair in pairs],
)
def test_one_kind_of_flip_or_none(compute, flip, first, second):
    features = compute(first, second)
    assert flips(features) == ({flip} if flip else set())
    assert features["flips"] == bool(flip)
    assert flip != "roles_swapped" or features["words_kept"] == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("He did not eat any pizza.", "He ate no pizza."),
        ("The train didn't stop.", "The train failed to stop."),
        ("She did not only sing, she danced.", "She sang, she danced."),
        ("He didn't come because he was ill.", "Because he was ill, he didn't come."),
        ("Nobody saw the thief.", "The thief was seen by nobody."),
        ("He was unable to open the door.", "He did not open the door."),
    ],
)
def test_the_same_negation_in_other_words_is_no_flip(compute, first, second):
    assert "negation_flip" not in flips(compute(first, second))


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


KINDS = {
    "identifier": [
        ("Lens for the XT-200 camera", "Lens for the XT-300 camera"),
        ("It runs on Solaris 9.", "It runs on Solaris 11."),
        ("See clause 7(a).", "See clause 7(d)."),
        ("Drill KD-1840", "Drill KD-1480"),
    ],
    "number": [
        ("A 16GB card", "A 32 GB card"),
        ("Take vitamin C.", "Take vitamin D."),
        ("Two cats met three mice.", "Three cats met two mice."),
        ("An AA cell", "An AAA cell"),
        ("A pair of dogs ran.", "Three dogs ran."),
        ("It weighs 9 kg.", "It weighs 9 lb."),
        ("It lasts six days.", "Six months it lasts."),
        ("a $9 hat", "a €9 hat"),
        ("Lost 4-7", "Lost 7-4"),
        ("a grade II burn", "a grade III burn"),
    ],
    "name": [
        ("Nina moved to Oslo.", "Nina moved to Quito."),
        ("Toyota recalls cars", "Honda recalls cars"),
    ],
    "negation": [
        ("He left with a word.", "He left without a word."),
        ("A deserted tower with a railing", "A deserted tower with no railing"),
        ("The soap has dyes.", "The soap is free of dyes."),
    ],
    "antonym": [
        ("She is older.", "She is younger."),
        ("Tighten the bolts.", "Loosen the bolts."),
        ("Wash your hands before eating.", "Wash your hands after eating."),
        ("He was ill until he left.", "He was ill since he left."),
        ("The oven stays on.", "The oven stays off."),
        ("It is in stock.", "It is out of stock."),
        ("a letter to Otto", "a letter from Otto"),
        ("southern hills", "northern hills"),
        ("Call the payer.", "Call the payee."),
        ("She came later.", "She came earlier."),
        ("Northgate Dental", "Southgate Dental"),
    ],
    "time": [
        ("The fee is due monthly.", "The fee is due yearly."),
        ("A song of the 1970s", "A song of the '80s"),
        ("$9 an hour", "9 dollars per month"),
        ("The pub will shut.", "The pub has shut."),
        ("She left.", "She will leave."),
        ("See you next Sunday.", "See you last Sunday."),
    ],
    "role": [
        ("Ferry from Kiel to Oslo", "Ferry from Oslo to Kiel"),
        ("Turn a JPEG image into PNG", "Turn a PNG image into JPEG"),
        ("a transfer from savings to checking", "a transfer from checking to savings"),
        ("Otto taught me to play it.", "I taught Otto to play it."),
        ("She wept because he sang.", "He sang because she wept."),
    ],
    "quantifier": [
        ("At least 9 voted.", "At most 9 voted."),
        ("It is over 9 kg.", "It is under 9 kg."),
        ("Now he has a few friends.", "Now he has few friends."),
        ("All plastic bags fit.", "Most plastic bags fit."),
        ("Both cats ran.", "One of the cats ran."),
        ("Dogs may enter.", "Only dogs may enter."),
    ],
    "scope": [("Guests must pay.", "Guests may pay."), ("Guests must pay.", "Guests can pay.")],
    "attribute": [
        ("A grey scarf", "A purple scarf"),
        ("A horse sleeps.", "A cow sleeps."),
        ("buy a vrmlo", "buy a qzenth"),
        ("She is a pilot.", "He is a pilot."),
        ("a cup of tea", "a cup of coffee"),
        ("A boy sits here.", "A boy runs here."),
    ],
    "": [
        ("The lake is 3 km long.", "The lake is 3km long."),
        ("A pair of dogs", "Two dogs"),
        ("The 21st of them", "The twenty-first of them"),
        ("The UN voted.", "The United Nations voted."),
        ("We left the U.S.", "We left the USA."),
        ("Dr. Weber called.", "Otto Weber called."),
        ("Tokyo is in Japan.", "The Japanese city is Tokyo."),
        ("DHP-484-Z", "A DHP484Z"),
        ("It is not possible to see.", "It is impossible to see."),
        ("A black and green hat", "A green and black hat"),
        ("Nina met Otto in May.", "Otto met Nina in May."),
        ("The US grew.", "The USA grew."),
        ("Is Kiel or Oslo older?", "Is Oslo or Kiel older?"),
        ("Barack Obama spoke.", "Obama spoke."),
        ("Visit Yale.", "Visit Yale University."),
        ("A man climbs.", "A hiker climbs."),
        ("The colour is grey.", "The color is gray."),
        ("The protestor left.", "The protester left."),
        ("He recieved it.", "He received it."),
        ("the most useful new tips", "all useful new tips"),
        ("The bus came before the train.", "The train came after the bus."),
        ("Built in 48 hours", "Built in two days"),
        ("a £3m sale", "a sale for 3 million pounds"),
        ("EUR 1.250,00", "1250 euros"),
        ("The UK firm", "The British firm"),
        ("due 3/11/2021", "due 3 November 2021"),
        ("due 3/11/2021", "due 11 March 2021"),
        ("Pupils may not run.", "Pupils must not run."),
        ("It was built in 1931, and is shut.", "It was built in 1931. It is shut."),
        ("Hooks, white, 8 pcs", "Hooks, white, 8 pieces"),
        ("It will shut.", "It shuts."),
        ("Nobody paid, said Otto.", "Otto said nobody paid."),
        ("9 euros an hour", "€9 per hour"),
    ],
}


@pytest.mark.parametrize(("kind", "pairs"), KINDS.items())
def test_contrasts_are_of_one_kind(kind, pairs):
    both = [*pairs, *((second, first) for first, second in pairs)]
    assert [{found.kind for found in row} for row in find_contrasts(both)] == (
        [{kind} if kind else set()] * len(both)
    )


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
        assert [found.kind for found in row] == ["antonym", "quantifier"]
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
