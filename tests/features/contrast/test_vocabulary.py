"""Numbers, ranks, shares and times that words stand for: each beside the same in digits."""

from __future__ import annotations

import pytest

from skpara.features import find_contrasts

RANKS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def differ(first, second):
    there, back = find_contrasts([(first, second), (second, first)])
    assert bool(there) == bool(back)
    return bool(there)


@pytest.mark.parametrize(("rank", "word"), list(enumerate(RANKS, 1)))
def test_ranks(rank, word):
    same, next_one = (f"The {k}{ENDINGS.get(k, 'th')} runner fell." for k in (rank, rank + 1))
    assert not differ(f"The {word} runner fell.", same)
    assert differ(f"The {word} runner fell.", next_one)


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        ("He called once.", "He called 1 time.", "He called 2 times."),
        ("He called twice.", "He called 2 times.", "He called 3 times."),
        ("a single dog ran", "1 dog ran", "2 dogs ran"),
        ("a couple of dogs ran", "2 dogs ran", "3 dogs ran"),
        ("a pair of dogs ran", "2 dogs ran", "3 dogs ran"),
        ("We meet at 5 am.", "We meet at 5:00.", "We meet at 17:00."),
        ("We meet at 5 a.m.", "We meet at 5:00.", "We meet at 17:00."),
        ("We meet at 5 pm.", "We meet at 17:00.", "We meet at 18:00."),
        ("We meet at 5 p.m.", "We meet at 17:00.", "We meet at 18:00."),
        ("We met in fall.", "We met in autumn.", "We met in winter."),
    ],
)
def test_words_of_amounts_and_times(text, same, other):
    assert not differ(text, same)
    assert differ(text, other)


def test_seasons_and_weeks_differ_from_each_other():
    seasons = ["spring", "summer", "fall", "winter"]
    weeks = ["last week", "this week", "next week"]
    for words in (seasons, weeks):
        for i, first in enumerate(words):
            for second in words[:i]:
                assert differ(f"We meet in {first}.", f"We meet in {second}.")
    assert not differ("We met last week.", "We met the previous week.")
    assert not differ("We meet next week.", "We meet the following week.")


@pytest.mark.parametrize(("first", "second"), [("he", "she"), ("him", "her"), ("his", "her")])
def test_words_of_one_gender_alone(first, second):
    assert differ(f"{first} paid", f"{second} paid")
    assert not differ(f"{first} paid", f"{first} paid")


NUMBERS = "one two three four five six seven eight nine ten eleven twelve thirteen".split()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((word, k) for k, word in enumerate(NUMBERS, 1)),
        ("twenty", 20), ("twenty one", 21), ("ninety-nine", 99), ("a hundred", 100),
        ("a million", 10**6), ("two million", 2 * 10**6),
        ("2m", 2 * 10**6), ("2bn", 2 * 10**9), ("2 billion", 2 * 10**9),
    ],
)  # fmt: skip
def test_numbers_in_words(text, value):
    assert not differ(f"They sold {text} old maps.", f"They sold {value} old maps.")
    assert differ(f"They sold {text} old maps.", f"They sold {value + value // 2 + 1} old maps.")
