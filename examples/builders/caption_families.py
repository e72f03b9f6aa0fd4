"""Families of captions: sentences that differ in a word or two, put together by a grammar.

In text, hardly any two sentences are close to each other, so a table of vectors learns little
from it about what a single word changes: "not", another article, another color.
``build_default_vectors.py`` lets the teacher embed families, and learns its cosines within them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from made_up_text import ACTIONS, PARTICIPLES, PLURALS, WORDS, Writer, with_article

OPPOSITES = dict(entry.split("|") for entry in WORDS["opposites"])


def caption_families(n_families: int, size: int, seed: int = 5) -> list[list[str]]:
    """Return families such as "A dog is running.", "There is no dog running."."""
    writer = FamilyWriter(seed)
    return [writer.family(size) for _ in range(n_families)]


@dataclass(frozen=True)
class Scene:
    """What a caption says."""

    noun: str
    adjective: str
    number: str  # "" for one
    article: str
    clothes: str
    verb: str
    thing: str
    thing_adjective: str
    thing_article: str
    adverb: str
    place: str
    second: str  # another clause
    denial: str  # how the sentence says no, or ""
    form: str


class FamilyWriter(Writer):
    """Draws captions and their variants."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        # Words for nearly the same; each is put in the place of another of its row.
        self._synonyms: dict[str, list[str]] = {}
        for row in (entry.split("|") for entry in WORDS["synonyms"]):
            for word in row:
                self._synonyms.setdefault(word, []).extend(w for w in row if w != word)

    def family(self, size: int) -> list[str]:
        """Return a caption and variants of it."""
        scene = self._scene()
        sentences = {self._text(scene): None}
        for _ in range(4 * size):
            variant = self._varied(scene)
            if self._happens(0.35):
                variant = self._varied(variant)
            text = self._text(variant)
            if self._happens(0.25):
                text = self._with_synonym(text)
            sentences[text] = None
            if len(sentences) == size:
                break
        ending = "." if self._happens(0.5) else ""
        return [sentence[0].upper() + sentence[1:] + ending for sentence in sentences]

    def _scene(self) -> Scene:
        is_person = self._happens(0.75)
        noun = (
            self._one(WORDS["people"][: 10 if self._happens(0.5) else None]) if is_person else ""
        )
        verb, thing = self._verb(is_person)
        clothes = f"{self._word('colors')} {self._word('clothes')}"
        return Scene(
            noun=noun or self._one(WORDS["animals"][: 2 if self._happens(0.4) else None]),
            adjective=self._word("adjectives") if self._happens(0.3) else "",
            number=self._word("numbers of families") if self._happens(0.2) else "",
            article="a" if self._happens(0.75) else "the",
            clothes=clothes if is_person and self._happens(0.2) else "",
            verb=verb,
            thing=thing,
            thing_adjective=self._word("thing adjectives") if self._happens(0.1) else "",
            thing_article="a" if self._happens(0.7) else "the",
            adverb=self._word("adverbs") if self._happens(0.04) else "",
            place=self._word("places") if self._happens(0.5) else "",
            second=self._clause() if self._happens(0.12) else "",
            denial="",
            form="plain",
        )

    def _verb(self, is_person: bool) -> tuple[str, str]:
        if self._happens(0.7 if is_person else 0.2):
            verb = self._one([*ACTIONS])
            return verb, self._one(ACTIONS[verb])
        return self._word("activities"), ""

    def _clause(self) -> str:
        return f"{with_article(self._word('people'))} is {self._word('activities')}"

    def _varied(self, scene: Scene) -> Scene:
        """Return a scene with one part changed, added or left out."""
        is_person = scene.noun in WORDS["people"]
        kinds = {
            "article": 10,
            "thing article": 6 if scene.thing else 0,
            "denial": 22,
            "noun": 12,
            "verb": 12,
            "thing": 10 if scene.thing else 0,
            "adjective": 8,
            "thing adjective": 4 if scene.thing else 0,
            "clothes": 5 if is_person else 0,
            "number": 5,
            "place": 12,
            "second": 5,
            "form": 9,
            "adverb": 3,
        }
        shares = np.array([*kinds.values()]) / sum(kinds.values())
        kind = [*kinds][self._rng.choice(len(kinds), p=shares)]
        if kind == "article":
            return replace(scene, article="the" if scene.article == "a" else "a", number="")
        if kind == "thing article":
            return replace(scene, thing_article="the" if scene.thing_article == "a" else "a")
        if kind == "denial":
            return replace(
                scene, denial=self._one(["there", "there", "not", "n't", "nobody", "no"])
            )
        if kind == "noun":
            return replace(scene, noun=self._word("people" if is_person else "animals"))
        if kind == "verb":
            if scene.thing and self._happens(0.6):
                verbs = [v for v, things in ACTIONS.items() if scene.thing in things]
                verb = self._one(verbs if len(verbs) > 1 else [*ACTIONS])
                return replace(scene, verb=verb)
            verb, thing = self._verb(is_person)
            return replace(scene, verb=verb, thing=thing)
        if kind == "thing":
            if self._happens(0.2):
                return replace(scene, verb=self._one(["playing", "eating", "running"]), thing="")
            return replace(scene, thing=self._one(ACTIONS.get(scene.verb, ["ball"])))
        if kind == "adjective":
            if scene.adjective and self._happens(0.6):
                opposite = OPPOSITES.get(scene.adjective, "")
                return replace(scene, adjective=opposite)
            return replace(scene, adjective=self._word("adjectives"))
        if kind == "thing adjective":
            adjective = "" if scene.thing_adjective else self._word("thing adjectives")
            return replace(scene, thing_adjective=adjective)
        if kind == "clothes":
            clothes = f"{self._word('colors')} {self._word('clothes')}"
            if scene.clothes and self._happens(0.5):
                clothes = ""
            elif scene.clothes:
                clothes = f"{self._word('colors')} {scene.clothes.split()[1]}"
            return replace(scene, clothes=clothes)
        if kind == "number":
            return replace(scene, number="" if scene.number else self._word("numbers of families"))
        if kind == "place":
            if scene.place and self._happens(0.4):
                return replace(scene, place="")
            return replace(scene, place=self._word("places"))
        if kind == "second":
            return replace(scene, second="" if scene.second else self._clause())
        if kind == "adverb":
            return replace(scene, adverb="" if scene.adverb else self._word("adverbs"))
        return replace(scene, form=self._one(["passive", "who", "which", "short"]))

    def _text(self, scene: Scene) -> str:
        be = "are" if scene.number else "is"
        noun = PLURALS.get(scene.noun, scene.noun + "s") if scene.number else scene.noun
        adjective = scene.adjective + " " if scene.adjective else ""
        wearing = f" in {with_article(scene.clothes)}" if scene.clothes else ""
        name = adjective + noun + wearing
        if scene.form == "which" and scene.adjective:
            name = noun + wearing
        if scene.number:
            subject = f"{scene.number} {name}"
        else:
            subject = f"the {name}" if scene.article == "the" else with_article(name)
        if scene.form == "which" and scene.adjective:
            subject += f", who {be} {scene.adjective},"
        thing = self._object(scene)
        what = f"{scene.verb} {thing}".strip()
        if scene.adverb:
            what = f"{scene.adverb} {what}"
        place = f" {scene.place}" if scene.place else ""
        second = f" and {scene.second}" if scene.second else ""
        if scene.denial == "there":
            text = f"there {be} no {name} {what}{place}"
        elif scene.denial == "not":
            text = f"{subject} {be} not {what}{place}"
        elif scene.denial == "n't":
            text = f"{subject} {be}n't {what}{place}"
        elif scene.denial == "nobody":
            text = f"nobody is {what}{place}"
        elif scene.denial == "no":
            text = f"no {name} {be} {what}{place}"
        elif scene.form == "passive" and thing:
            verb = scene.verb
            done = PARTICIPLES.get(verb, verb.removesuffix("ing") + "ed")
            text = f"{thing} is being {done} by {subject}{place}"
        elif scene.form == "who":
            text = f"{subject} who {be} {what} {be}{place or ' outside'}"
        elif scene.form == "short":
            text = f"{subject} {what}{place}"
        else:
            text = f"{subject} {be} {what}{place}"
        return text + second

    def _object(self, scene: Scene) -> str:
        thing = scene.thing
        if not thing:
            return ""
        adjective = scene.thing_adjective + " " if scene.thing_adjective else ""
        if thing.split()[0] in ("a", "an", "the"):
            return thing
        if thing.split()[-1] in WORDS["without article"]:
            return adjective + thing
        if scene.thing_article == "the":
            return f"the {adjective}{thing}"
        return with_article(adjective + thing)

    def _with_synonym(self, text: str) -> str:
        words = text.split()
        places = [i for i, word in enumerate(words) if word in self._synonyms]
        if places:
            i = places[self._rng.integers(len(places))]
            words[i] = self._one(self._synonyms[words[i]])
            if i and words[i - 1] in ("a", "an") and words[i][0] in "aeiou":
                words[i - 1] = "an"
        return " ".join(words)
