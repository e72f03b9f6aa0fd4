"""Detectors of parts of things, of things for a thing, and of lesser offices."""

from __future__ import annotations

from collections.abc import Iterator

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._alignment import AlignedPairs
from skpara.features.contrast._comparison import MOST_CHANGED, Comparison
from skpara.features.contrast._detector import (
    FEW_CHANGED,
    HINT,
    REASON,
    Detector,
    Difference,
)
from skpara.features.contrast._forms import Form
from skpara.features.contrast._lexicon import (
    LESSER_OFFICES,
    NOT_PARTS,
    PRIVATIVE_PREFIXES,
    PRIVATIVES,
    QUALIFIERS,
)
from skpara.features.contrast._roles import AGENT, PATIENT, Role
from skpara.features.contrast._sentences import Sentence
from skpara.features.contrast._tokens import Mark

# Prepositions between a part and the whole.
_OF_WHOLES = frozenset(["of", "in", "from", "for"])
# Words in front of what comes with a thing.
_INCLUDING = frozenset(["with", "and", "including", "incl", "plus", "+", "&"])
# Parts of speech of verbs, which titles of products do not have.
_VERBS = frozenset("vbx")
# Words between "with" and a noun, with it: "with six matching chairs".
_MOST_DESCRIBING = 4
# Words in a title between what is sold and "for".
_ADVERBS = "r"


@set_module("skpara.features.contrast")
class Parts(Detector):
    """A part of a thing, or something for it, and the thing: "the roof of the church"."""

    name = "parts"
    columns = ("attribute_flip",)
    example = ("They painted the roof of the church.", "They painted the church.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.differ_little(MOST_CHANGED) & pairs.have_aligned_kind("n")

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        partner = comparison.partner
        partner_in_first = comparison.partner_in_first
        finders = [_find_part] if comparison.n_changed <= FEW_CHANGED else []
        if comparison.form is Form.TITLE:
            finders += [_find_accessory, _find_head]
        for find in finders:
            for part, whole in find(comparison, first, second, partner):
                yield Difference("attribute_flip", (part,), (whole,))
            for part, whole in find(comparison, second, first, partner_in_first):
                yield Difference("attribute_flip", (whole,), (part,))


@set_module("skpara.features.contrast")
class LesserOffices(Detector):
    """An office and one below it: "head" and "deputy head"."""

    name = "lesser offices"
    columns = ("attribute_flip",)
    example = ("Head of the school", "Deputy head of the school")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.LESSER_OFFICE) & pairs.differ_little(FEW_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        found = self._find(comparison.first, comparison.second)
        other_found = self._find(comparison.second, comparison.first)
        if bool(found) != bool(other_found):
            # In reports, the deputy head may be called the head.
            is_reason = comparison.form is not Form.STATEMENT or comparison.n_changed == 1
            weight = REASON if is_reason else HINT
            yield Difference("attribute_flip", found, other_found, weight)

    def _find(self, side: Sentence, other: Sentence) -> list[int]:
        """Return the words that only one side has in front of an office that both have."""
        found = []
        for i, token in enumerate(side.tokens):
            if token not in LESSER_OFFICES or token in other.tokens:
                continue
            noun = side.noun_after(i)
            # "Deputy Otto Weber" is "Otto Weber".
            is_office = noun > i and noun not in side.names
            if is_office and side.bases[noun] in other.bases:
                found.append(i)
        return found


@set_module("skpara.features.contrast")
class Privatives(Detector):
    """A word that makes something else of what follows: "leather" and "faux leather"."""

    name = "privatives"
    columns = ("attribute_flip",)
    example = ("A leather belt", "A faux leather belt")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.PRIVATIVE) & pairs.differ_little(FEW_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        is_title = comparison.form is Form.TITLE
        found = self._find(comparison.first, comparison.second, is_title)
        other_found = self._find(comparison.second, comparison.first, is_title)
        if bool(found) != bool(other_found):
            yield Difference("attribute_flip", found, other_found)

    def _find(self, side: Sentence, other: Sentence, is_title: bool) -> list[int]:
        """Return such words of one side, if what follows is on both sides."""
        found = []
        for i, token in enumerate(side.tokens):
            if token in other.tokens:
                continue
            following = "".join(side.tokens[i + 1 : i + 2])
            is_word = token in PRIVATIVES and side.classes[i + 1 : i + 2] in ("n", "j")
            is_prefix = token in PRIVATIVE_PREFIXES and f"{token}-{following}" in side.text.lower()
            if ((is_word or is_prefix) and following in other.tokens) or (
                is_title and token in QUALIFIERS
            ):
                found.append(i)
        return found


def _find_part(
    comparison: Comparison, side: Sentence, other: Sentence, partner: dict[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield the positions of parts that a verb acts on, and of the things it acts on instead.

    "The roof of the church burned", or "the church's roof", and "The church burned".
    """
    for part, roles in side.roles.items():
        if part in partner or side.bases[part] in NOT_PARTS:
            continue
        for whole, kinds in _find_wholes(side, part):
            other_roles = other.roles.get(partner.get(whole, -1), [])
            if any(
                Role(role.name, partner.get(role.verb, -1)) in other_roles
                for role in roles
                if role.verb >= 0 and role.name in kinds
            ):
                yield part, partner[whole]


def _find_wholes(side: Sentence, part: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the nouns of which a noun may be a part, and the roles in which it matters.

    They are behind "of", or in front of "'s". "Officials of the ministry said" is "the ministry
    said".
    """
    if side.classes[part + 1 : part + 2] == "p" and side.tokens[part + 1] in _OF_WHOLES:
        whole = side.noun_after(part + 2)
        if side.classes[whole + 1 : whole + 2] == "'" and whole >= 0:  # "of the patient's lung"
            whole = side.noun_after(whole + 1)
        yield side.noun_after(part + 1) if whole < 0 else whole, (PATIENT,)
    start = part
    while start > 0 and side.classes[start - 1] in "nj":
        start -= 1
    if start > 1 and side.tokens[start - 1] == "'s":
        yield start - 2, (AGENT, PATIENT)


def _find_accessory(
    comparison: Comparison, side: Sentence, other: Sentence, partner: dict[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield what is sold for a thing, and the thing in a title that sells the thing itself."""
    if "for" not in side.tokens or "for" in other.tokens:
        return
    place = side.tokens.index("for")
    head = place - 1
    while head > 0 and side.classes[head] in _ADVERBS:  # "only for"
        head -= 1
    thing = next((k for k in range(place + 1, len(side.tokens)) if k in partner), -1)
    if head < 0 or thing < 0 or side.classes[head] != "n":
        return
    # "Shirts for men" and "men's shirts" are of one thing.
    is_named = thing in side.names or side.is_identifier((thing, thing + 1))
    other_head = partner.get(head, -1)
    comes_with = other_head > 0 and not _INCLUDING.isdisjoint(
        other.tokens[max(0, other_head - _MOST_DESCRIBING) : other_head]
    )
    if comes_with or (is_named and other_head < 0):
        yield head, partner[thing]


def _find_head(
    comparison: Comparison, side: Sentence, other: Sentence, partner: dict[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield the last noun of a phrase that makes another thing of it: "vacuum cleaner battery"."""
    if not _VERBS.isdisjoint(side.classes):  # a headline
        return
    wordnet = comparison.lexicon.wordnet
    for i, kind in enumerate(side.classes):
        if kind != "n" or i in partner or i in side.names or side.classes[i + 1 : i + 2] == "n":
            continue
        start = i
        while start > 0 and start not in partner and side.classes[start - 1] == "n":
            start -= 1
        if start == i or start not in partner or side.bases[i] in NOT_PARTS:
            continue
        thing = partner[start]
        is_end = other.classes[thing + 1 : thing + 2] not in ("n", "j", "c")
        is_known = bool(wordnet.senses(side.bases[i]))
        if is_end and is_known and not _is_kind_of(comparison, side, start, i):
            yield i, thing


def _is_kind_of(comparison: Comparison, side: Sentence, place: int, head: int) -> bool:
    """Return whether a noun with a head behind it is the same: "laptop", "laptop computer"."""
    wordnet = comparison.lexicon.wordnet
    noun = side.bases[place]
    compound = f"{noun}_{side.bases[head]}"
    is_below = not wordnet.senses(side.bases[head]).isdisjoint(wordnet.ancestors(noun))
    return is_below or not wordnet.senses(compound).isdisjoint(wordnet.senses(noun))
