"""Names that records are made of: persons, towns, streets, companies, brands, titles.

Parts of words are put together, so that thousands of different ones exist. ``made_up_tables.py``
makes records of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def read_words(name: str) -> dict[str, list[str]]:
    """Return the sections of a file of words beside this one."""
    sections: dict[str, list[str]] = {}
    for line in Path(__file__).with_name(name).read_text("utf8").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line[1:-1], [])
        elif line and not line.startswith("#"):
            section += [entry.strip() for entry in line.split(";") if entry.strip()]
    return sections


def forms_by_name(entries: Sequence[str]) -> dict[str, list[str]]:
    """Return the other forms of each word by its usual one."""
    return {name: forms for name, *forms in (entry.split("|") for entry in entries)}


WORDS = read_words("made_up_words.txt")
BRAND_ENDS = ["", "", "n", "x", "ra", "tec", "on", "ix", "us", "lo", "va", "ne", "co", "tron"]


class Draw:
    """Random choices, from a store of random numbers: single calls of NumPy are slow."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self._store: list[float] = []

    def random(self) -> float:
        """Return a number from 0 to 1."""
        if not self._store:
            self._store = self.rng.random(4096).tolist()
        return self._store.pop()

    def chance(self, p: float) -> bool:
        """Return True with probability ``p``."""
        return p > 0 and self.random() < p

    def integer(self, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``, both included."""
        return low + int(self.random() * (high - low + 1))

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[int(self.random() * len(options))]

    def other(self, options: Sequence[T], than: T) -> T:
        """Return one of the options that is not ``than``."""
        return self.pick([option for option in options if option != than])

    def word(self, title: str) -> str:
        """Return a word of a section, in its usual form."""
        return self.pick(WORDS[title]).split("|")[0]

    def words(self, title: str, n: int) -> list[str]:
        """Return ``n`` different words of a section."""
        return self.shuffled(WORDS[title])[:n]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in another order."""
        return sorted(items, key=lambda _: self.random())

    def digits(self, n: int) -> str:
        """Return ``n`` digits, of which the first is not zero."""
        return str(self.integer(10 ** (n - 1), 10**n - 1))


class Names(Draw):
    """The names of one table, which share a limited number of towns, surnames and brands."""

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__(rng)
        self.towns = [self._town() for _ in range(self.pick([3, 8, 30, 200]))]
        self.surnames = [self._surname() for _ in range(self.pick([60, 300, 1500]))]
        self.brands = [self.brand() for _ in range(self.pick([5, 20, 80, 300]))]
        self.domains = [f"{self.brand().lower()}.{self.pick(['com', 'org', 'net'])}"]
        self.domains += WORDS["mail"]

    def _town(self) -> str:
        if self.chance(0.4):
            return self.word("towns")
        return self.word("stems") + self.word("town ends")

    def _surname(self) -> str:
        if self.chance(0.4):
            return self.word("surnames")
        name = self.word("stems") + self.word("person ends")
        return f"{name}-{self.word('surnames')}" if self.chance(0.03) else name

    def brand(self) -> str:
        """Return a made-up word, which may be new to the table."""
        syllables = [self.word("syllables") for _ in range(self.integer(2, 3))]
        return ("".join(syllables) + self.pick(BRAND_ENDS)).capitalize()

    def town(self) -> str:
        """Return a town of the table."""
        return self.pick(self.towns)

    def surname(self) -> str:
        """Return a surname of the table."""
        return self.pick(self.surnames)

    def first_name(self) -> str:
        """Return the first name of a woman or a man."""
        return self.word("female" if self.chance(0.5) else "male")

    def person(self) -> str:
        """Return first name and surname, at times with a middle initial."""
        middle = f" {chr(65 + self.integer(0, 25))}." if self.chance(0.1) else ""
        return f"{self.first_name()}{middle} {self.surname()}"

    def persons(self, low: int, high: int) -> str:
        """Return a list of persons, which commas separate."""
        return ", ".join(self.person() for _ in range(self.integer(low, high)))

    def date(self, first_year: int, last_year: int) -> str:
        """Return a date as 1980-03-12."""
        year, month = self.integer(first_year, last_year), self.integer(1, 12)
        return f"{year}-{month:02}-{self.integer(1, 28):02}"

    def phone(self) -> str:
        """Return a number of ten digits."""
        return self.digits(3) + self.digits(3) + self.digits(4)

    def price(self, low: float = 3, high: float = 900) -> str:
        """Return a price; small ones are more frequent."""
        return f"{low * (high / low) ** self.random():.2f}"

    def street(self) -> str:
        """Return a street."""
        name = self.word("street names")
        if self.chance(0.5):
            name = self.word("stems") + self.word("town ends")
        elif self.chance(0.2):
            name = f"{self.pick('NSEW')}. {name}"
        return f"{name} {self.word('street words')}"

    def address(self) -> str:
        """Return a number and a street."""
        flat = f", Apt {self.integer(1, 40)}" if self.chance(0.1) else ""
        return f"{self.integer(1, 400)} {self.street()}{flat}"

    def stem(self) -> str:
        """Return the word that tells a company from the others of its trade."""
        maker = self.pick([self.brand, self._surname, self._town])
        return maker()

    def company(self) -> str:
        """Return a company with its trade and legal form."""
        trade = self.word("trades")
        if self.chance(0.2):
            trade = f"{trade} & {self.other(WORDS['trades'], trade)}"
        if self.chance(0.1):
            return f"{self.word('points')} {self.stem()} {trade} {self.word('legal forms')}"
        return f"{self.stem()} {trade} {self.word('legal forms')}"

    def title(self) -> str:
        """Return the title of a novel, a film or a song."""
        pattern = self.pick(
            [
                "The {a} {n}", "The {a} {n} of {t}", "{a} {p}", "The {n} and the {m}",
                "{n} in the {m}",
                "One {n} for {f}", "{f} and the {n}", "{p} of the {a} {n}", "The {n} of {t}",
                "{p} without {q}",
                "When the {n} meets the {m}", "No {n} for {p}", "{t} {p}",
            ]
        )  # fmt: skip
        title = pattern.format(
            a=self.word("adjectives"),
            n=self.word("nouns"),
            m=self.word("nouns"),
            p=self.word("plurals"),
            q=self.word("plurals"),
            f=self.first_name(),
            t=self.town(),
        )
        return " ".join(
            word if word in SMALL_WORDS else word[0].upper() + word[1:] for word in title.split()
        )

    def paper(self) -> str:
        """Return the title of a scientific paper."""
        pattern = self.pick(
            ["{q} {m} in {s}", "{b}: {q} {m} for {s}", "{m} for {s}", "on the {m} of {s}",
             "towards {q} {m} in {s}", "{q} {m} and {n} over {s}", "a survey of {m} in {s}"]
        )  # fmt: skip
        title = pattern.format(
            q=self.word("qualities"), m=self.word("methods"), n=self.word("methods"),
            s=self.word("settings"), b=self.brand(),
        )  # fmt: skip
        return title[0].upper() + title[1:]

    def model(self) -> str:
        """Return the number of a model, with letters and digits."""
        letters = "".join(self.pick("ABCDEFGHKLMNPRSTVWX") for _ in range(self.integer(1, 3)))
        end = self.pick(["", "", "", "", "B", "S", "X", "/2", "-E"])
        return f"{letters}{self.pick(['', '-', '-', ' '])}{self.digits(self.integer(2, 5))}{end}"

    def other_digit(self, text: str) -> str:
        """Return the text with one of its digits changed, never to a zero in front."""
        places = [i for i, letter in enumerate(text) if letter.isdigit()]
        place = self.pick(places)
        return text[:place] + self.other("123456789", text[place]) + text[place + 1 :]


SMALL_WORDS = {"of", "and", "the", "in", "for", "without", "a"}
