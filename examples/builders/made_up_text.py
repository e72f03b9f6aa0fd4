"""Sentences in the style of captions and of headlines, put together from lists of words.

Text that people wrote in these styles is not at hand under an open license, and other text hardly
has them. ``build_default_vectors.py`` lets the teacher embed what this script makes up.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from made_up_names import forms_by_name, read_words

WORDS = read_words("caption_words.txt")
ACTIONS = forms_by_name(WORDS["actions"])  # and what they are done to
PLURALS = {noun: plural for noun, (plural,) in forms_by_name(WORDS["plurals"]).items()}
PARTICIPLES = {verb: done for verb, (done,) in forms_by_name(WORDS["participles"]).items()}


def captions(n_captions: int, seed: int = 3) -> list[str]:
    """Return different sentences such as "Two young women are riding bicycles in the park."."""
    writer = Writer(seed)
    found: dict[str, None] = {}
    while len(found) < n_captions:
        found[writer.caption()] = None
    return list(found)


def headlines(n_headlines: int, seed: int = 4) -> list[str]:
    """Return different headlines such as "12 killed in Baghdad car bomb"."""
    rng = np.random.default_rng(seed)
    found: dict[str, None] = {}
    while len(found) < n_headlines:
        (first, second), city, event, actor, deed, matter, crime, market = (
            rng.choice(WORDS["countries"], 2, replace=False),
            *(
                rng.choice(WORDS[title])
                for title in "cities events actors deeds matters crimes markets".split()
            ),
        )
        n = int(rng.integers(2, 90))
        place = rng.choice([first, city])
        harm = rng.choice(["killed", "dead", "injured", "wounded", "arrested", "missing"])
        change = rng.choice(["rise", "fall", "drop", "slip", "surge", "jump", "edge higher"])
        reason = rng.choice([matter, crime])
        game = rng.choice(["final", "opener", "friendly", "semi-final"])
        sentences = [
            f"{first} {actor} {deed} {matter}",
            f"{first} {actor} {deed} {second} {matter}",
            f"{first} {deed} {matter}",
            f"{first} {deed} {second} {matter}",
            f"{first} and {second} agree on {matter}",
            f"{n} {harm} in {place} {event}",
            f"{place} {event} kills at least {n}",
            f"{event} hits {place}, {n} {harm}",
            f"{event} in {place} leaves {n} {harm}",
            f"{first} {actor} arrested for {crime}",
            f"{first} court jails man for {crime}",
            f"{first} {actor} goes on trial for {crime}",
            f"{first} {actor} killed in {city} {event}",
            f"{first} {actor} resigns over {reason}",
            f"{first} {market} {change} on {matter}",
            f"{market} {change} amid {second} {matter}",
            f"{first} beat {second} in {game}",
            f"thousands protest in {place} against {matter}",
            f"{first} {actor}: {second} {deed} {matter}",
        ]
        headline = str(rng.choice(sentences))
        found[headline[0].upper() + headline[1:]] = None
    return list(found)


class Writer:
    """Draws the parts of captions."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def caption(self) -> str:
        """Return one sentence; most say what someone does, some that nobody does it."""
        is_person = self._happens(0.75)
        noun = self._word("people" if is_person else "animals")
        adjective = self._word("adjectives") + " " if self._happens(0.3) else ""
        is_plural = self._happens(0.22)
        be = "are" if is_plural else "is"
        subject = self._subject(noun, adjective, is_plural, is_person)
        verb, thing = self._one([*ACTIONS]), ""
        if self._happens(0.7 if is_person else 0.15):
            thing = self._thing(verb)
            what = f"{verb} {thing}"
        else:
            what = self._word("activities")
        place = " " + self._word("places") if self._happens(0.5) else ""
        also = self._word("activities")
        kinds = {
            f"{subject} {be} {what}": 62,
            f"{subject} {what}": 10,
            f"there is no {adjective}{noun} {what}": 7,
            f"{subject} {be} not {what}": 3,
            f"nobody is {what}": 3,
            f"{subject} {be} {what} and {with_article(self._word('people'))} is {also}": 5,
            f"{subject} who {be} {what} {be} {also}": 4,
        }
        if thing:
            done = PARTICIPLES.get(verb, verb.removesuffix("ing") + "ed")
            kinds[f"{thing} is being {done} by {subject}"] = 6
        shares = np.array([*kinds.values()]) / sum(kinds.values())
        sentence = [*kinds][self._rng.choice(len(kinds), p=shares)] + place
        return sentence[0].upper() + sentence[1:] + ("." if self._happens(0.7) else "")

    def _subject(self, noun: str, adjective: str, is_plural: bool, is_person: bool) -> str:
        wearing = ""
        if is_person and self._happens(0.15):
            clothes = f"{self._word('colors')} {self._word('clothes')}"
            wearing = f" {self._one(['in', 'wearing'])} {with_article(clothes)}"
        if is_plural:
            number = self._word("numbers")
            return f"{number} {adjective}{PLURALS.get(noun, noun + 's')}{wearing}"
        if self._happens(0.2):
            return f"the {adjective}{noun}{wearing}"
        return with_article(adjective + noun) + wearing

    def _thing(self, verb: str) -> str:
        thing = self._one(ACTIONS[verb])
        if thing.split()[0] in ("a", "an", "the") or thing.split()[-1] in WORDS["without article"]:
            return thing
        return with_article(thing) if self._happens(0.75) else f"the {thing}"

    def _word(self, title: str) -> str:
        return self._one(WORDS[title])

    def _one(self, choices: Sequence[str]) -> str:
        return choices[self._rng.integers(len(choices))]

    def _happens(self, probability: float) -> bool:
        return bool(self._rng.random() < probability)


def with_article(phrase: str) -> str:
    """Return a phrase behind its indefinite article."""
    is_vowel = phrase[0] in "aeiou" and not phrase.startswith("uni")
    return f"an {phrase}" if is_vowel else f"a {phrase}"
