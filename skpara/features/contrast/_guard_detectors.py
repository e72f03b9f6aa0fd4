"""Detectors of the guard: those of the features, and some that fitted models do not know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._detector import (
    FEW_CHANGED,
    HINT,
    MOST_CHANGED,
    REASON,
    Detector,
    Difference,
)
from skpara.features.contrast._detectors import DETECTORS
from skpara.features.contrast._forms import Form
from skpara.features.contrast._lexicon import AMOUNT_ENDS, LESSER_OFFICES, MODEL_ENDS
from skpara.features.contrast._mentions import Mention
from skpara.features.contrast._role_detectors import Roles
from skpara.features.contrast._signs import find_other_signs
from skpara.features.contrast._tokens import Mark

if TYPE_CHECKING:
    from skpara.features.contrast._alignment import AlignedPairs
    from skpara.features.contrast._comparison import Comparison
    from skpara.features.contrast._sentences import Sentence

# Letters that name things, also sizes of batteries and of clothes, and Roman numerals.
_LETTERS = re.compile("[B-HJ-Z] [B-HJ-Z]|A+ A+|X*[SML] X*[SML]|[IVX]+ [IVX]+")


@set_module("skpara.features.contrast")
class ExchangedRoles(Roles):
    """Two words that have exchanged who does what to whom, and hardly anything else differs.

    Roles that are kept, and hints, are no reasons. So fewer pairs are searched: those with two
    nouns that may have exchanged their roles.
    """

    columns = ("roles_swapped",)

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        may_be_reason = (pairs.n_changed <= MOST_CHANGED) & (pairs.count_noun_partners() >= 2)
        return super()._may_differ(pairs) & may_be_reason

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        for difference in super()._detect(comparison):
            if difference.weight >= REASON and difference.column == "roles_swapped":
                yield difference


@set_module("skpara.features.contrast")
class Counts(Detector):
    """A plural with a number in the place of a single thing: "two dogs" and "a dog"."""

    name = "counts"
    columns = ("number_flip",)
    example = ("Two big dogs ran.", "A big dog ran.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MENTIONED) & (pairs.n_changed <= MOST_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        for counted, single in self._find(first, second, comparison.partner):
            yield Difference("number_flip", counted, single)
        for counted, single in self._find(second, first, comparison.partner_in_first):
            yield Difference("number_flip", single, counted)

    def _find(
        self, side: Sentence, other: Sentence, partner: dict[int, int]
    ) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield the positions of a number and its noun, and of an article and its noun."""
        numbers = [
            mention.place
            for mention in side.mentions
            if mention.kind == "number" and isinstance(mention.value, float)
        ]
        if not numbers:
            return
        articles = [k for k, token in enumerate(other.tokens) if token in ("a", "an")]
        article_of = {other.noun_after(k): k for k in articles}
        number_of = {side.noun_after(k): k for k in numbers}
        for noun, number in number_of.items():
            one = partner.get(noun, -1)
            if noun < 0 or one not in article_of or one < 0:
                continue
            is_plural = side.tokens[noun] != side.bases[noun]
            is_single = other.tokens[one] == other.bases[one]
            if is_plural and is_single and other.bases.count(other.bases[one]) == 1:
                yield (number, noun), (article_of[one], one)


@set_module("skpara.features.contrast")
class NumbersAndYears(Detector):
    """A number in the place of one that reads as a year: "item 155" and "item 1555"."""

    name = "numbers and years"
    columns = ("number_flip",)
    example = ("Item No. 155", "Item No. 1555")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        has_few = (pairs.n_changed > 0) & (pairs.n_changed <= MOST_CHANGED)
        return pairs.both_have(Mark.MENTIONED, 1) & has_few

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        mentions = {mention.place: mention for mention in first.mentions}
        other_mentions = {mention.place: mention for mention in second.mentions}
        for i, j in comparison.replaced:
            if i not in mentions or j not in other_mentions:
                continue
            mention, other = mentions[i], other_mentions[j]
            is_short = "'" in first.tokens[i] + second.tokens[j]  # "'99" is 1999
            if (
                {mention.kind, other.kind} == {"number", "year"}
                and mention.value != other.value
                and not is_short
            ):
                yield Difference("number_flip", (i,), (j,))


@set_module("skpara.features.contrast")
class AddedNames(Detector):
    """A name that one side adds, as in "in Oslo", but no fuller form of a name."""

    name = "added names"
    columns = ("name_flip",)
    example = ("Is rain rare?", "Is rain rare in Peru?")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        has_few = (pairs.n_changed > 0) & (pairs.n_changed <= MOST_CHANGED)
        return pairs.have_new_names() & has_few

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        names, other_names = comparison.new_names
        if names and other_names:
            return
        found = self._find(comparison.first, names, comparison.partner)
        other_found = self._find(comparison.second, other_names, comparison.partner_in_first)
        is_reason = self._is_reason(comparison.first, found, comparison)
        is_reason = is_reason or self._is_reason(comparison.second, other_found, comparison)
        if found or other_found:
            yield Difference("name_flip", found, other_found, REASON if is_reason else HINT)

    def _is_reason(self, side: Sentence, places: list[int], comparison: Comparison) -> bool:
        """Return whether names that a sentence adds make another thing of it.

        They do in titles. They make another question unless many other words differ, and they
        often only say of a statement by whom or where: "..., Smith said", "in Oslo".
        """
        wordnet = comparison.lexicon.wordnet
        if comparison.form is Form.TITLE:
            # "More", "Dies" and "Three" may have capitals in headlines.
            return any(
                (side.classes[i] in "nj" or not wordnet.senses(side.bases[i]))
                and not (side.has_predicate and _is_aside(side, i))
                for i in places
            )
        if comparison.form is Form.STATEMENT:
            return any(_is_joined(side, i) for i in places)
        # Questions may have a capital anywhere, as in "the Best way".
        return comparison.n_changed <= FEW_CHANGED and any(
            side.is_proper_noun(i) or not wordnet.senses(side.bases[i]) for i in places
        )

    def _find(self, side: Sentence, names: list[Mention], partner: dict[int, int]) -> list[int]:
        places = {name.place for name in names}
        others = set(side.names) - places
        # Numbers and the names behind them, as in "iPhone 13 Pro Max".
        models = {mention.place for mention in side.mentions if mention.kind == "number"}
        for i in side.names:
            if i - 1 in models:
                models.add(i)
        return [
            i
            for i in sorted(places - partner.keys())
            if (others.isdisjoint((i - 1, i + 1)) or i in models)
            and side.tokens[i] not in AMOUNT_ENDS  # "16 GB"
        ]


@set_module("skpara.features.contrast")
class Letters(Detector):
    """Another letter that names a thing: "vitamin C" and "vitamin D", "AA" and "AAA"."""

    name = "letters"
    columns = ("number_flip",)
    example = ("Take vitamin C.", "Take vitamin D.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return (pairs.n_changed > 0) & (pairs.n_changed <= MOST_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        for i, j in comparison.replaced:
            if _LETTERS.fullmatch(f"{first.cased[i]} {second.cased[j]}"):
                yield Difference("number_flip", (i,), (j,))


@set_module("skpara.features.contrast")
class LongerNames(Detector):
    """The end of a longer name of a model: "Galaxy S22" and "Galaxy S22 Ultra"."""

    name = "longer names"
    columns = ("number_flip",)  # as of identifiers, which also tell titles apart
    example = ("Case for a Galaxy S22", "Case for a Galaxy S22 Ultra")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        has_few = (pairs.n_changed > 0) & (pairs.n_changed <= MOST_CHANGED)
        return pairs.either_has(Mark.MODEL_END) & has_few

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        found = self._find(comparison.first, comparison.second)
        other_found = self._find(comparison.second, comparison.first)
        if bool(found) != bool(other_found):
            yield Difference("number_flip", found, other_found)

    def _find(self, side: Sentence, other: Sentence) -> list[int]:
        """Return the ends of models that only one side has, behind what both have."""
        numbers = [mention.place for mention in side.mentions if mention.kind == "number"]
        # "iPhone 13", "S22"
        models = {
            i
            for i in numbers
            if side.is_identifier((i,)) or (i > 0 and side.classes[i - 1] == "n")
        }
        models.update(side.names)
        return [
            i
            for i, token in enumerate(side.tokens)
            if token in MODEL_ENDS
            and token not in other.tokens
            and i - 1 in models
            and side.tokens[i - 1] in other.tokens
        ]


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


@set_module("skpara.features.contrast")
class Signs(Detector):
    """A sign that a number or letter has on one side only: "-5" and "5", "C++" and "C#"."""

    name = "signs"
    columns = ("number_flip",)
    example = ("A course in C++", "A course in C#")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has_sign() & (pairs.n_changed <= MOST_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        for places, other_places in find_other_signs(comparison.first, comparison.second):
            yield Difference("number_flip", places, other_places)


def _is_aside(side: Sentence, place: int) -> bool:
    """Return whether a name of a headline says who wrote it, or whose somebody is.

    These are "Interpol: ...", "...: Reuters", and "Norway's" in front of a name.
    """
    is_beside_colon = ":" in side.tokens[max(0, place - 1) : place + 2]
    is_possessive = side.tokens[place + 1 : place + 2] == ["'s"]
    return is_beside_colon or is_possessive


def _is_joined(side: Sentence, place: int) -> bool:
    """Return whether a name is one of several that "and" or "or" joins."""
    is_behind = place - 2 in side.names and side.classes[place - 1] == "&"
    is_before = place + 2 in side.names and side.classes[place + 1] == "&"
    return is_behind or is_before


# All detectors of the guard. The order of reasons follows theirs.
GUARD_DETECTORS: tuple[Detector, ...] = (
    *(ExchangedRoles() if isinstance(detector, Roles) else detector for detector in DETECTORS),
    Counts(),
    NumbersAndYears(),
    AddedNames(),
    LongerNames(),
    LesserOffices(),
    Letters(),
    Signs(),
)
