"""What a kind of table for ``made_up_joins.py`` is made of: words, columns, changes.

A kind makes things, dictionaries of values, and relatives of them. A column lists the writers
that institutions may have, and says what may have changed from one to the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
from made_up_names import Draw
from made_up_writers import WORDS, Term, Writer, said

Thing = dict[str, Any]
Change = Callable[[Draw, Any], Any]  # of a value
WHOLE = "*"  # a column that is written from the whole thing


def part_of(thing: Thing, keys: str) -> Thing:
    """Return some values of a thing."""
    return {key: thing[key] for key in keys.split()}


class World(Draw):
    """The words of one table, a part of all: rows share towns, makers and surnames."""

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__(rng)
        self._sections: dict[str, list[Term]] = {}
        self._coined = [self._coin() for _ in range(self.pick([12, 40, 200]))]

    def section(self, title: str) -> list[Term]:
        """Return the words of a section that this table has."""
        if title not in self._sections:
            words = [tuple(entry.split("|")) for entry in WORDS[title]]
            self._sections[title] = self.shuffled(words)[: self.pick([10, 30, len(words)])]
        return self._sections[title]

    def widen(self) -> None:
        """Let all words in: too few were drawn for a table of this size."""
        self._sections = {
            title: [tuple(entry.split("|")) for entry in WORDS[title]] for title in self._sections
        }

    def term(self, title: str) -> Term:
        """Return a word of a section with its synonyms."""
        return self.pick(self.section(title))

    def word(self, title: str) -> str:
        """Return a word of a section."""
        return self.term(title)[0]

    def terms(self, title: str, low: int, high: int) -> list[Term]:
        """Return different words of a section."""
        return self.shuffled(self.section(title))[: self.integer(low, high)]

    def other_term(self, title: str, than: Term) -> Term:
        """Return another word of a section."""
        return self.other(self.section(title), than)

    def _coin(self) -> str:
        parts = [self.pick(WORDS["syllables"]) for _ in range(self.integer(2, 4))]
        return "".join(parts).capitalize()

    def coined(self) -> str:
        """Return a name that means nothing."""
        return self.pick(self._coined)

    def given(self) -> Term:
        """Return a given name, perhaps with what friends say."""
        return self.term(self.pick(["given f", "given m"]))

    def other_given(self, than: Term) -> Term:
        """Return a given name of another initial."""
        return self.other(
            [
                term
                for term in self.section("given f") + self.section("given m")
                if term[0][0] != than[0][0]
            ],
            than,
        )

    def person(self) -> tuple[Term, str]:
        """Return given name and surname."""
        return self.given(), self.word("surnames")

    def date(self, first: int, last: int) -> date:
        """Return a day of the years from ``first`` to ``last``."""
        return date(first, 1, 1) + timedelta(self.integer(0, 365 * (last - first + 1) - 1))

    def phone(self) -> tuple[str, str, str]:
        """Return country, area and number."""
        return self.pick(["44", "49", "33", "48"]), self.digits(self.integer(2, 4)), self.digits(6)

    def letters(self, n: int) -> str:
        """Return capital letters that are not mistaken for digits."""
        return "".join(self.pick("ABCDEFGHKLMNPRTUVWXYZ") for _ in range(n))

    def between(self, low: float, high: float) -> float:
        """Return a number, small ones as often as large ones."""
        return low * (high / low) ** self.random()


class Column(NamedTuple):
    """A column, how institutions write it, and what may have changed between them."""

    name: str
    writers: Sequence[Writer]
    of: str = ""  # the value of a thing that is written; the name of the column by default
    changes: Change | None = None


class Kind(NamedTuple):
    """How the things of a kind are made and written."""

    make: Callable[[World], Thing]
    relative: Callable[[World, Thing], Thing]
    # Of columns that tell any two things apart, one choice is in each table. Things without
    # relatives may lack all of it but the first.
    layouts: list[list[Column]]
    others: list[Column]
    keys: Callable[[Thing], list[Hashable]]  # each is of one thing only
    most_relatives: int = 3


# What may have changed from one institution to the other


def by_percent(percent: float) -> Callable[[Draw, float], float]:
    """Return a change of an amount by up to so many percent. Whole numbers stay whole."""

    def change(draw: Draw, value: float) -> float:
        changed = value * (1 + (2 * draw.random() - 1) * percent / 100)
        return round(changed) if isinstance(value, int) else changed

    return change


def by_steps(steps: int, low: int, high: int) -> Callable[[Draw, int], int]:
    """Return a change of an integer by up to so many steps."""
    return lambda draw, value: min(high, max(low, value + draw.integer(-steps, steps)))


def to_another(title: str) -> Callable[[Draw, Term], Term]:
    """Return a change to any word of a section."""
    return lambda draw, term: tuple(draw.pick(WORDS[title]).split("|"))


def later(days: int) -> Callable[[Draw, date], date]:
    """Return a change to a day that is up to so many days later."""
    return lambda draw, day: day + timedelta(draw.integer(0, days))


def anew(make: Callable[[Draw], Any]) -> Callable[[Draw, Any], Any]:
    """Return a change to a value that has nothing to do with the old one."""
    return lambda draw, value: make(draw)


def somebody(draw: Draw) -> tuple[Term, str]:
    """Return any person."""
    given = draw.pick(WORDS[draw.pick(["given f", "given m"])])
    return tuple(given.split("|")), draw.pick(WORDS["surnames"])


def married(draw: Draw, person: tuple[Term, str]) -> tuple[Term, str]:
    """Return a person, of whom one in ten has another surname by now."""
    return (person[0], somebody(draw)[1]) if draw.chance(0.1) else person


def tidy(text: str) -> str:
    """Return a text without the marks around values that are not there."""
    text = re.sub(r"\(\s+\)|\[\s+\]", "", text)
    text = re.sub(r"\s+([,.:;)])", r"\1", " ".join(text.split()))
    return re.sub(r"[,;](?=[,;])", "", text).strip(" ,;:-")


def parts(*pattern: str) -> list[Writer]:
    """Return writers of several values of a thing. A term is named in its first way, or by !1."""

    def writer(text: str) -> Writer:
        def write(draw: Draw, thing: Thing) -> str:
            way = 1 if text.startswith("!") else 0
            values = {
                key: said(way)(draw, value) if isinstance(value, tuple) else value
                for key, value in thing.items()
                if not (isinstance(value, tuple) and isinstance(value[0], tuple))
            }
            return tidy(text.lstrip("!").format(**values))

        return write

    return [writer(text) for text in pattern]


ADDRESSES = parts(
    "{house} {street} {way}",
    "!{house} {street} {way}",
    "{street} {way} {house}",
    "!{street} {way} {house}",
    "{street} {way}, no. {house}",
)
FULL_ADDRESSES = parts(
    "{house} {street} {way}, {town}",
    "!{street} {way} {house}, {town}",
    "{town}, {street} {way} {house}",
)
