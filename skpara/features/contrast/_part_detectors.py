"""Detectors of parts of things, of things for a thing, and of lesser offices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._detector import (
    FEW_CHANGED,
    HINT,
    REASON,
    Detector,
    Difference,
)
from skpara.features.contrast._forms import Form
from skpara.features.contrast._lexicon import LESSER_OFFICES, NOT_PARTS
from skpara.features.contrast._roles import PATIENT, Role
from skpara.features.contrast._tokens import Mark

if TYPE_CHECKING:
    from skpara.features.contrast._alignment import AlignedPairs
    from skpara.features.contrast._comparison import Comparison
    from skpara.features.contrast._sentences import Sentence

# Prepositions between a part and the whole.
_OF_WHOLES = frozenset(["of", "in", "from"])
# Words in front of what comes with a thing.
_INCLUDING = frozenset(["with", "and", "including", "incl", "plus", "+", "&"])
# Words in a title between what is sold and "for".
_ADVERBS = "r"


@set_module("skpara.features.contrast")
class Parts(Detector):
    """A part of a thing, or something for it, and the thing: "the roof of the church"."""

    name = "parts"
    columns = ("attribute_flip",)
    example = ("They painted the roof of the church.", "They painted the church.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        has_few = (pairs.n_changed > 0) & (pairs.n_changed <= FEW_CHANGED)
        return has_few & pairs.have_aligned_kind("n")

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        partner = comparison.partner
        partner_in_first = comparison.partner_in_first
        if comparison.form is Form.TITLE:
            find = _find_accessory
        else:
            find = _find_part
        for part, whole in find(first, second, partner):
            yield Difference("attribute_flip", (part,), (whole,))
        for part, whole in find(second, first, partner_in_first):
            yield Difference("attribute_flip", (whole,), (part,))


@set_module("skpara.features.contrast")
class LesserOffices(Detector):
    """An office and one below it: "head" and "deputy head"."""

    name = "lesser offices"
    columns = ("attribute_flip",)
    example = ("Head of the school", "Deputy head of the school")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        has_few = (pairs.n_changed > 0) & (pairs.n_changed <= FEW_CHANGED)
        return pairs.either_has(Mark.LESSER_OFFICE) & has_few

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


def _find_part(
    side: Sentence, other: Sentence, partner: dict[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield the positions of parts that a verb acts on, and of the things it acts on instead."""
    for whole, roles in side.roles.items():
        role = roles[0] if roles else None
        if role is None or role.name not in _OF_WHOLES or whole not in partner:
            continue
        part = _noun_before(side, whole)
        is_part = (
            part >= 0
            and part not in partner
            and side.bases[part] not in NOT_PARTS
            and Role(PATIENT, role.verb) in side.roles.get(part, [])
        )
        other_verb = partner.get(role.verb, -1) if role.verb >= 0 else -1
        other_roles = other.roles.get(partner[whole], [])
        if is_part and other_verb >= 0 and Role(PATIENT, other_verb) in other_roles:
            yield part, partner[whole]


def _noun_before(side: Sentence, place: int) -> int:
    """Return the noun in front of the preposition of a noun; -1 if there is none."""
    k = place - 1
    while k >= 0 and side.classes[k] in "ndjc":
        k -= 1
    return k - 1 if k > 0 and side.classes[k] == "p" and side.classes[k - 1] == "n" else -1


def _find_accessory(
    side: Sentence, other: Sentence, partner: dict[int, int]
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
        other.tokens[max(0, other_head - 2) : other_head]
    )
    if is_named and (other_head < 0 or comes_with):
        yield head, partner[thing]
