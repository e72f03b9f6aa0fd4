"""Lists of words that the rules know, from ``vocabulary.json``."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from skpara.features._families.words import NEGATIONS
from skpara.quantities import ADVERBS, CURRENCIES, DAYS, MONTHS, PERIODS, PLAIN_DATES, TIMES

_VOCABULARY: dict[str, Any] = json.loads(
    Path(__file__).with_name("vocabulary.json").read_text("utf-8")
)

Meaning = TypeVar("Meaning")


class Phrase(NamedTuple, Generic[Meaning]):
    """A phrase of a sentence: where it starts and ends, and what it means."""

    start: int
    end: int
    meaning: Meaning


class Phrases(Generic[Meaning]):
    """Listed phrases, each with its meaning.

    A phrase is looked up by one of its words: the first one, or else the longest one, which is
    seldom as frequent as the "in" of "in spite of".

    Attributes
    ----------
    keys : frozenset of str
        The words by which phrases are looked up.
    """

    def __init__(self, meanings: Mapping[str, Meaning], *, by_longest: bool = False) -> None:
        found: defaultdict[str, list[tuple[int, list[str], Meaning]]] = defaultdict(list)
        # The longest phrase is tried first.
        for text in sorted(meanings, key=lambda text: -text.count(" ")):
            words = text.split()
            key = max(words, key=len) if by_longest else words[0]
            found[key].append((words.index(key), words, meanings[text]))
        self._by_key = dict(found)
        self.keys = frozenset(found)

    def match(self, words: Sequence[str], place: int) -> Phrase[Meaning] | None:
        """Return the longest phrase whose key is at a position, if there is one."""
        for offset, phrase, meaning in self._by_key.get(words[place], ()):
            start = place - offset
            end = start + len(phrase)
            if start >= 0 and list(words[start:end]) == phrase:
                return Phrase(start, end, meaning)
        return None

    def find(self, words: Sequence[str]) -> list[Meaning]:
        """Return what the phrases among some words mean."""
        found = (self.match(words, place) for place in range(len(words)))
        return [phrase.meaning for phrase in found if phrase]


def _words(name: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(_VOCABULARY[name])


def _kinds(name: str) -> dict[str, str]:
    """Return the kind of each word of a table, which has a list of words for each kind."""
    return {word: kind for kind, words in _VOCABULARY[name].items() for word in words}


def _pairs(name: str) -> frozenset[frozenset[str]]:
    """Return the pairs of a list, each in either order."""
    return frozenset(frozenset(pair) for pair in _VOCABULARY[name])


class Quantifier(NamedTuple):
    """A quantifier: its amount, such as "all", and of what it is one, such as "person"."""

    amount: str
    of: str


# Quantifiers of different things are not compared: "always" is no answer to "nobody".
_QUANTIFIED = _kinds("quantified")
QUANTIFIERS = {
    word: Quantifier(amount, _QUANTIFIED.get(word, ""))
    for word, amount in _kinds("quantifiers").items()
}
# "over 50" is at least 50 for most purposes, and not "under 50".
BOUNDS = _kinds("bounds")

_HALVES_OF_DAY = ["o'clock", "am", "a.m.", "a.m", "pm", "p.m.", "p.m"]
# Words of times, which are compared as times, not as words.
TIME_WORDS = frozenset(_HALVES_OF_DAY).union(TIMES, ADVERBS, PLAIN_DATES)
# Quantifiers that may also be written as numbers.
SHARES = {"half": 0.5, "quarter": 0.25}
# Units that are no names: "64 GB".
UNITS = _words("units")

# Titles are left out with a name or added to it; text that was read by a parser has brackets such
# as "-LRB-".
NO_NAMES = _words("titles").union(_words("brackets"), MONTHS, DAYS, CURRENCIES)
# Names of a place in other words, each with one of them.
SAME_NAME = _kinds("same name")
# Words that do not stand for another person than a name does: "Mr Smith" is "John Smith".
NOT_ANOTHER_PERSON = _words("not another person") | NO_NAMES

# They negate the words behind "to", as in "failed to win".
FAILURES = _words("negating what follows to")
# They negate a clause that they begin: "unless he pays" is "if he does not pay".
NEGATING_CLAUSES = _words("negating clauses")
# They negate what follows, as in "far from clean".
NEGATING_PHRASES = Phrases(dict.fromkeys(_VOCABULARY["negating phrases"], True))
# "I do not think he came" is "I think he did not come".
NEGATION_RAISING = _words("negation raising")
# Their negation does not reach what follows: "not only", "no shortage of". Some are quantifiers.
AFFIRMING_PHRASES = Phrases(_kinds("affirming phrases"))
# Words that deny something without a negation: "stopped smoking" is "no longer smokes".
DENIALS = _words("denials")
# They also negate the verb in front of them, as in "ate nothing".
NEGATING_THE_VERB = _words("negating the verb before")
FUTURE = frozenset(["will", "'ll", "wo"])
PAST = _words("past")

PREPOSITIONS = _words("prepositions")
PRONOUNS = _words("pronouns")
_PERIODS = {f"{period}{ending}" for period in PERIODS for ending in ("", "s")}
# The part of speech that a word has whatever its tag; a later one of these holds.
PART_OF_SPEECH = {
    **dict.fromkeys(TIME_WORDS | _PERIODS, "t"),
    **_kinds("parts of speech of words"),
    **dict.fromkeys(NEGATIONS, "!"),
}
PART_OF_SPEECH_OF_TAG = _kinds("parts of speech of tags")


# "Anna sold it to Peter" is "Peter bought it from Anna": the relation and what it relates are
# both exchanged.
CONVERSES = _pairs("converses")
CONVERSE_WORDS: dict[str, list[str]] = {}
for _pair in _VOCABULARY["converses"]:
    for _word, _other in permutations(_pair):
        CONVERSE_WORDS.setdefault(_word, []).append(_other)
# Words that mean the same if what they relate is exchanged: "Anna married Peter".
MUTUAL_RELATIONS = _words("mutual relations")

# What follows "then" is later; an event behind "after" is earlier, and one behind "before" later.
IN_ORDER = _words("events in order")

# Kinds of these exclude each other however similar they are.
EXCLUSIVE_KINDS = _words("exclusive kinds")


# Beginnings and endings of words, with those of their opposites: "southbound", "employee".
OPPOSITE_BEGINNINGS: dict[str, str] = _VOCABULARY["opposite beginnings"]
OPPOSITE_ENDINGS: dict[str, list[str]] = _VOCABULARY["opposite endings"]


def _read_opposites() -> dict[str, set[str]]:
    opposites: dict[str, set[str]] = {}
    for sides in _VOCABULARY["opposites"]:
        for words, others in permutations(sides):
            for word in words:
                opposites.setdefault(word, set()).update(others)
    return opposites


# Verbs that a particle makes another verb of, "look after", and such particles.
PHRASAL_VERBS = _words("verbs with particles")
PARTICLES = _words("particles")
# Particles that seldom make a difference: "turned up at" and "turned up in".
SAME_PARTICLES = tuple(frozenset(words) for words in _VOCABULARY["particles that may agree"])
# Opposites that WordNet does not have: prepositions, and words like those that it has.
OPPOSITES = _read_opposites()
