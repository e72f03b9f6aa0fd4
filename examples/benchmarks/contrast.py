"""FILL"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SEEDS = Path(__file__).with_name("contrast_seeds.txt")
AUXILIARIES = ("is", "are", "can", "may")
SHORTEST_MISSPELLED = 5


class Triple(NamedTuple):
    """A sentence, one that means the same, and one that does not."""

    kind: str
    half: str
    rule: str
    sentence: str
    same: str
    flip: str


def read_seeds() -> Iterator[tuple[str, str, list[str]]]:
    """Yield the kind, the half and the fields of each seed."""
    kind = half = ""
    for line in SEEDS.read_text("utf8").split("\n"):
        if line.startswith("["):
            kind, half = line.strip("[]").split()
        elif line and not line.startswith("#"):
            yield kind, half, [field.strip() for field in line.split("|")]


def negated(value: str, base: str, never: bool) -> str:
    """Negate a verb."""
    first, _, rest = value.partition(" ")
    if first in AUXILIARIES:
        return f"{first} not {rest}".strip()
    if never:
        return f"never {value}"
    if value == base:
        return f"do not {base}"
    return f"does not {base}" if value == f"{base}s" else f"did not {base}"


def misspelled(sentence: str, value: str, number: int) -> str:
    """Exchange, leave out or double a letter of a word that is not part of a value."""
    words = sentence.split(" ")
    used = set(value.lower().split())
    free = [i for i, word in enumerate(words) if word.isalpha() and word.lower() not in used]
    places = [i for i in free if len(words[i]) >= SHORTEST_MISSPELLED]
    i = places[number % len(places)] if places else max(free, key=lambda i: len(words[i]))
    word = words[i]
    k = 1 + number % max(1, len(word) - 3)
    before, letter, following, after = word[:k], word[k], word[k + 1 : k + 2], word[k + 2 :]
    if number % 3 == 0 and letter != following:
        words[i] = before + following + letter + after
    elif number % 3 == 1:
        words[i] = before + following + after
    else:
        words[i] = before + 2 * letter + following + after
    return " ".join(words)


def triples() -> list[Triple]:
    """Make the triples of all seeds."""
    result = []
    for number, (kind, half, fields) in enumerate(read_seeds()):
        if kind == "quantifier":  # some of which begin a sentence
            fields[2:] = [field.lower() for field in fields[2:]]
        template, paraphrase, value = fields[:3]
        equal, opposite = [*fields[3:], "", ""][:2]
        values: tuple[str, ...] = (value,)
        equals: tuple[str, ...] = (equal,)
        opposites: tuple[str, ...] = (opposite,)
        if kind == "negation":
            opposites = (negated(value, opposite, bool(number % 2)),)
        elif kind == "roles":
            values = tuple(part.strip() for part in value.split("/"))
            opposites, equals = values[::-1], ("",)

        def fill(template: str, values: tuple[str, ...]) -> str:
            text = template.format(*values)
            return text[0].upper() + text[1:]

        sentence, other = fill(template, values), fill(paraphrase, values)
        flip, other_flip = fill(template, opposites), fill(paraphrase, opposites)
        used = " ".join([*values, *opposites])
        made = [
            ("paraphrase", sentence, other, flip),
            ("paraphrase", other, sentence, other_flip),
            ("typo", sentence, misspelled(sentence, used, number), flip),
            ("both", sentence, misspelled(other, used, number + 1), flip),
        ]
        if equals != ("",):
            made.append(("synonym", sentence, fill(template, equals), flip))
        result += [Triple(kind, half, *rest) for rest in made]
    return result
