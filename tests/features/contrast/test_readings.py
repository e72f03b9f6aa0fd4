"""What is read in sentences made at random, as a digest: any change of the rules changes it."""

from __future__ import annotations

import random
import zlib

import pytest

from skpara.features.contrast._clauses import find_negations, find_roles

# Words by part of speech, and phrases.
WORDS = {
    "n": "dog anna she nobody",
    "v": "bit gave biting failed avoid",
    "b": "was is",
    "x": "did will",
    "p": "by to of from with after as before since than until",
    "s": "that unless yet",
    "&": "and or",
    ",": ",",
    ".": ". ; \" ' `` '' \u201c \u201d \u2018 \u2019",
    "!": "not never no nothing nor neither",
    "d": "the a",
    "j": "tall free",
    "r": "only often",
    "c": "two",
    "t": "today",
    "'": "'s",
}
PIECES = [f"{word}/{kind}" for kind, words in WORDS.items() for word in words.split()]
PIECES += 3 * [f"{word}/{kind}" for kind in "nvb&!" for word in WORDS[kind].split()]
PIECES += 2 * [
    "dog/n and/& cat/n or/& man/n and/& she/n and/& anna/n",
    "ran/v and/& sat/v and/& bit/v or/& ran/v",
    "no/! shortage/n of/p rain/n",
    "not/! only/r",
    "was/b bitten/v by/p",
    "failed/v to/p win/v",
    "to/p be/b",
]


def sentences(n):
    """Tokens and parts of speech."""
    rng = random.Random(0)
    for k in range(n):
        words = " ".join(rng.choices(PIECES, k=k % 12 + 1)).split()
        tokens, classes = zip(*(word.rsplit("/", 1) for word in words), strict=True)
        yield tokens, "".join(classes)


def roles_of(tokens, classes):
    return [(noun, *map(tuple, roles)) for noun, roles in find_roles(tokens, classes).items()]


def negations_of(tokens, classes):
    return tuple(find_negations(tokens, classes))


@pytest.mark.parametrize(("read", "digest"), [(roles_of, 1473808670), (negations_of, 1008999292)])
def test_words_in_any_order_are_read_as_before(read, digest):
    found = [read(*sentence) for sentence in sentences(6000)]
    assert zlib.crc32(repr(found).encode()) == digest
