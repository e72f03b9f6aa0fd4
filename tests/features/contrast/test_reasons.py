"""What differs between two sentences, in their words: one pair for each turn of the rules."""

from __future__ import annotations

import pytest

from skpara.features import find_contrasts


@pytest.mark.parametrize(
    ("first", "second", "reasons"),
    [
        ("No guest was left without a meal.", "Every guest got a meal.", ""),
        ("Nobody did not pay.", "Everybody paid.", ""),
        ("No guest went without food.", "All guests had food.", ""),
        ("No child was not fed.", "Every child was fed.", ""),
        ("There is no house without a garden.", "Every house has a garden.", ""),
        ("No student failed to pass.", "Every student passed.", ""),
        (
            "No guest got a meal.",
            "Every guest got a meal.",
            "negation meal / meal; quantifier No / Every",
        ),
        ("He is eating lunch.", "He has eaten lunch.", "time is / has"),
        ("He has been eating lunch.", "He is eating lunch.", ""),
        ("The team has won.", "The team is winning.", "time has / is"),
        ("It cannot be true.", "It might not be true.", ""),
        ("It can be true.", "It might be true.", ""),
        ("He could have easily won the race.", "He won the race.", "scope could have easily / "),
        ("He could have won the race.", "He won the race.", "scope could have / "),
        (
            "He might not have won the race.",
            "He won the race.",
            "negation won / won; scope might not have / ",
        ),
        ("Guests must pay.", "Guests should pay.", ""),
        ("Guests must not pay.", "Guests need not pay.", "scope must / need not"),
        ("The tumor of the patient's lung grew.", "The tumor of the patient grew.", ""),
        (
            "The patient's lung was removed.",
            "The patient was removed.",
            "attribute lung / patient",
        ),
        ("The roof of the church burned.", "The church burned.", ""),
        (
            "The roof of the church was repaired.",
            "The church was repaired.",
            "attribute roof / church",
        ),
        (
            "The church's old roof was repaired.",
            "The church was repaired.",
            "attribute roof / church",
        ),
        ("A case only for the phone", "A phone", ""),
        ("A case for the Zorvex 5", "A Zorvex 5", "attribute case / Zorvex"),
        ("We met in mar 2010.", "We met in may 2010.", "time mar / may"),
        ("He left in March.", "He left in april.", "time March / april"),
        ("C++ code", "C# code", "number C++ / C#"),
        ("It was -5 degrees.", "It was 5 degrees.", "number -5 / 5"),
        ("It is 10 - 5.", "It is 10 5.", ""),
        ("Blood type A+", "Blood type A-", "number A+ / A-"),
        ("a F# chord", "a F chord", "number F# / F"),
        ("She almost fell.", "She fell.", "scope almost / "),
        ("She tried to swim.", "She swam.", "scope tried / "),
        ("She tried swimming.", "She tried to swim.", ""),
        ("He only ate fish.", "He ate only fish.", "scope only / only"),
        ("Only he ate fish.", "He ate only fish.", "scope Only / only"),
        ("He leaves unless he pays.", "He leaves if he does not pay.", ""),
        ("He stays only if he pays.", "He does not stay unless he pays.", ""),
        ("He used to smoke.", "He is used to smoke.", "scope used to / used to"),
        ("He pretended to sleep.", "He slept.", "scope pretended to / "),
        (
            "A man drinks tea in the park near the river.",
            "A man drinks coffee in the park near a lake.",
            "",
        ),
        ("A man drinks tea.", "A man drinks coffee.", "attribute tea / coffee"),
        ("A woman rides a horse.", "A woman rides a bicycle.", "attribute horse / bicycle"),
        ("A dog walks.", "An animal walks.", ""),
        ("A man laughs.", "A hiker laughs.", ""),
        ("A red car", "A crimson car", ""),
        ("A red car", "A green car", "attribute red / green"),
        ("The zorvex is loud.", "The quimble is loud.", "attribute zorvex / quimble"),
        ("Zorvex met Mary.", "The girl met Mary.", ""),
        (
            "They removed the tumor of the patient's lung.",
            "They removed the patient's lung.",
            "attribute tumor / lung",
        ),
        ("a scented candle", "an unscented candle", "antonym scented / unscented"),
        ("He installed it.", "He uninstalled it.", "antonym installed / uninstalled"),
        ("They mount the disk.", "They dismount the disk.", "antonym mount / dismount"),
        ("a woven mat", "a nonwoven mat", "antonym woven / nonwoven"),
        ("It is filtered.", "It is unfiltered.", "antonym filtered / unfiltered"),
        ("They frost it.", "They defrost it.", "antonym frost / defrost"),
        ("a salted nut", "an unsalted nut", "antonym salted / unsalted"),
        ("The bill was paid.", "The bill was unpaid.", "antonym paid / unpaid"),
        ("Turn left.", "Turn right.", "antonym left / right"),
        ("He saved the money.", "He lost the money.", "antonym saved / lost"),
        ("It was sent.", "It was unsent.", "antonym sent / unsent"),
        ("She is wanted.", "She is unwanted.", "antonym wanted / unwanted"),
        ("He is married.", "He is single.", "antonym married / single"),
        ("It is broken.", "It is unbroken.", "antonym broken / unbroken"),
    ],
)
def test_what_differs_is_named_by_the_words_of_both_sides(first, second, reasons):
    there, back = find_contrasts([(first, second), (second, first)])
    found = [f"{reason.kind} {reason.first} / {reason.second}" for reason in there]
    assert "; ".join(found) == reasons
    exchanged = sorted((reason.kind, reason.second, reason.first) for reason in back)
    assert exchanged == sorted((reason.kind, reason.first, reason.second) for reason in there)
