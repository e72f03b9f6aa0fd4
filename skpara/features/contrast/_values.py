"""Detectors of other numbers, times, quantifiers and names, and of other letters and signs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product, starmap

from skpara._typing import Bools
from skpara.features.contrast._alignment import AlignedPairs
from skpara.features.contrast._comparison import (
    FEW_CHANGED,
    HINT,
    MOST_CHANGED,
    REASON,
    Comparison,
    Detector,
    Difference,
)
from skpara.features.contrast._lexicon import Mark
from skpara.features.contrast._mentions import Mention, harmonize_kinds
from skpara.features.contrast._sentences import Form, Sentence
from skpara.quantities import Meaning, agree

# Letters that name things, also sizes of batteries and of clothes, and Roman numerals.
_LETTERS = re.compile("[B-HJ-Z] [B-HJ-Z]|A+ A+|X*[SML] X*[SML]|[IVX]+ [IVX]+")


class Mentions(Detector):
    """Numbers, times, names and quantifiers that one side lacks."""

    name = "mentions"
    columns = (
        "number_flip",
        "number_added",
        "time_flip",
        "time_added",
        "name_flip",
        "name_added",
        "quantifier_flip",
        "quantifier_added",
    )
    different = (
        ("Two dogs ran.", "Three dogs ran."),
        ("We saw Anna.", "We saw Otto."),
        ("All dogs ran.", "Some dogs ran."),
        ("We meet on Monday.", "We meet on Tuesday."),
    )
    same = (
        ("Two dogs ran.", "2 dogs ran."),
        ("We meet at 3 pm.", "We meet at 15:00."),
        ("Two men died in Spain.", "Two men died in a Spanish town."),
        ("The shop in Oslo is shut.", "The shop is shut, Otto said."),
    )

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MENTIONED) | pairs.have_new_names()

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        names, other_names = comparison.new_names
        only_first = names + first.mentions_missing_from(second)
        only_second = other_names + second.mentions_missing_from(first)
        only_first, only_second = (
            harmonize_kinds(only_first, only_second),
            harmonize_kinds(only_second, only_first),
        )
        for kind in sorted({mention.kind for mention in only_first + only_second}):
            own = [mention for mention in only_first if mention.kind == kind]
            other = [mention for mention in only_second if mention.kind == kind]
            yield self._difference(comparison, kind, own, other)

    def _difference(
        self, comparison: Comparison, kind: str, own: list[Mention], other: list[Mention]
    ) -> Difference:
        places = [mention.place for mention in own]
        other_places = [mention.place for mention in other]
        topic = kind.split()[0]
        if topic not in ("number", "name", "quantifier"):
            topic = "time"
        # "Only dogs may enter" is not "Dogs may enter".
        adds_only = {mention.value for mention in own + other} == {"only"}
        if (own and other) or (adds_only and comparison.n_changed == 1):
            values = {mention.value for mention in own + other}
            is_reason = comparison.is_close
            if topic == "quantifier":
                # "Nobody disliked it", or "nobody did not like it", is "everybody liked it".
                n_negations = comparison.first.n_negations + comparison.second.n_negations
                is_denied = bool(comparison.opposed) or n_negations % 2 == 0
                is_reason = is_reason and not (is_denied and values == {"all", "none"})
            if topic == "name" and comparison.form is Form.STATEMENT:
                is_reason = is_reason and _are_in_one_place(comparison, places, other_places)
            weight = REASON if is_reason else HINT
            return Difference(f"{topic}_flip", places, other_places, weight)
        return Difference(f"{topic}_added", places, other_places)


def _are_in_one_place(comparison: Comparison, own: list[int], other: list[int]) -> bool:
    """Return whether one of some names replaces one of the others, or has its preposition."""
    first = comparison.first
    second = comparison.second
    replaced = set(comparison.replaced)
    for i, j in product(own, other):
        is_governed = i > 0 and j > 0 and first.classes[i - 1] == second.classes[j - 1] == "p"
        is_governed = is_governed and first.bases[i - 1] == second.bases[j - 1]
        if is_governed or (i, j) in replaced:
            return True
    return False


class ChangedMentions(Detector):
    """Numbers and times in the place of others, which the sentence may have elsewhere.

    Sets of numbers do not reveal the difference of "SPF 30, 50 ml" and "SPF 50, 50 ml", nor that
    of a number that reads as a year. In another order, all numbers are still there.
    """

    name = "changed mentions"
    columns = ("number_flip", "time_flip")
    different = (
        ("Pack of 10 pens, 10 blue", "Pack of 12 pens, 10 blue"),
        ("Item No. 155", "Item No. 1555"),
    )
    same = (("2 cats and 3 dogs slept", "3 dogs and 2 cats slept"),)

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.both_have(Mark.MENTIONED)

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        own = {mention.place: mention for mention in comparison.first.quantities}
        others = {mention.place: mention for mention in comparison.second.quantities}
        if all(starmap(agree, product(own.values(), others.values()))):
            return
        for i, j in _find_places(comparison, own, others):
            kinds = {own[i].kind, others[j].kind}
            may_be_year = kinds == {"number", "year"} and comparison.is_close
            if (len(kinds) == 1 or may_be_year) and not agree(own[i], others[j]):
                is_number = any(kind.startswith("number") for kind in kinds)
                weight = REASON if comparison.is_close else HINT
                yield Difference("number_flip" if is_number else "time_flip", (i,), (j,), weight)


def _find_places(
    comparison: Comparison, own: dict[int, Mention], others: dict[int, Mention]
) -> Iterator[tuple[int, int]]:
    """Find numbers of one noun, and numbers that are replaced, in other than all new ones."""
    first = comparison.first
    second = comparison.second
    n_own = Counter(mention.says for mention in own.values())
    n_others = Counter(mention.says for mention in others.values())
    for i, j in comparison.replaced:
        if i in own and j in others:
            mine, yours = own[i].says, others[j].says
            noun = first.noun_after(i)
            other_noun = second.noun_after(j)
            is_one = max(noun, other_noun) < 0 or comparison.partner.get(noun) == other_noun
            if is_one and n_own[mine] > n_others[mine] and n_own[yours] < n_others[yours]:
                yield i, j
    of_noun, alone = _numbers_of_nouns(first, own)
    of_other, other_alone = _numbers_of_nouns(second, others)
    for noun, i in of_noun.items():
        j = of_other.get(comparison.partner.get(noun, -1), -1)
        if j < 0:
            continue
        mine, yours = own[i].says, others[j].says
        is_new = not (n_others[mine] or n_own[yours])
        # A number without a noun may belong to it: "six of 10 dogs", "6 dogs out of 10".
        if not is_new and mine not in other_alone and yours not in alone:
            yield i, j


def _numbers_of_nouns(
    side: Sentence, numbers: dict[int, Mention]
) -> tuple[dict[int, int], set[frozenset[Meaning]]]:
    """Return the numbers of nouns that have one, by the noun's place, and what others say."""
    nouns = {place: side.noun_after(place) for place in numbers}
    n_each = Counter(side.bases[noun] for noun in nouns.values() if noun >= 0)
    single = {
        noun: place for place, noun in nouns.items() if noun >= 0 and n_each[side.bases[noun]] == 1
    }
    return single, {numbers[place].says for place, noun in nouns.items() if noun < 0}


class Counts(Detector):
    """A plural with a number in the place of a single thing: "two dogs" and "a dog"."""

    name = "counts"
    columns = ("number_flip",)
    different = (("Two big dogs ran.", "A big dog ran."),)

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MENTIONED) & (pairs.n_changed <= MOST_CHANGED)

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
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
        numbers = [mention.place for mention in side.quantities if mention.kind == "number"]
        article_of = {
            other.noun_after(k): k for k, token in enumerate(other.tokens) if token in ("a", "an")
        }
        for number in numbers:
            noun = side.noun_after(number)
            one = partner.get(noun, -1)
            if one < 0 or one not in article_of:
                continue
            if side.tokens[noun] != side.bases[noun] == other.tokens[one]:
                yield (number, noun), (article_of[one], one)


class Letters(Detector):
    """Another letter that names a thing: "vitamin C" and "vitamin D", "AA" and "AAA"."""

    name = "letters"
    columns = ("number_flip",)  # as of identifiers, which also separate titles
    different = (("Take vitamin C.", "Take vitamin D."),)

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.differ_little(MOST_CHANGED)

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        if not (any(map(str.isupper, first.cased)) and any(map(str.isupper, second.cased))):
            return
        for i, j in comparison.replaced:
            if _LETTERS.fullmatch(f"{first.cased[i]} {second.cased[j]}"):
                yield Difference("number_flip", (i,), (j,))


class Signs(Detector):
    """Another sign of a number or letter, and another symbol: "C++" and "C#"."""

    name = "signs"
    columns = ("number_flip",)
    different = (
        ("A course in C++", "A course in C#"),
        ("It is -5 degrees", "It is 5 degrees"),
        ("Great \U0001f44d", "Great \U0001f44e"),
    )
    same = (("Great \U0001f44d", "Great"), ("Phone case -10 pack", "Phone case 10 pack"))

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has_sign() & (pairs.n_changed <= MOST_CHANGED)

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        found = comparison.first.signs
        others = comparison.second.signs
        for core in [core for core in found if core in others]:  # a set has no order
            own = {signed.sign: signed.place for signed in found[core]}
            other = {signed.sign: signed.place for signed in others[core]}
            places = [own[sign] for sign in own if sign not in other]
            other_places = [other[sign] for sign in other if sign not in own]
            if places and other_places:
                yield Difference("number_flip", places, other_places)


class AddedNames(Detector):
    """A name that only one of two questions has, but no fuller form of a name.

    To a statement or headline, it often only adds who said it, or where.
    """

    name = "added names"
    columns = ("name_flip",)
    different = (("Is rain rare?", "Is rain rare in Peru?"),)
    same = (
        ("The bridge was closed.", "According to Otto, the bridge was closed."),
        ("What is the best way to sleep?", "What is the Best way to sleep?"),
        ("Who is Eric Holder?", "Who is Holder?"),
    )

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.have_new_names() & pairs.differ_little(FEW_CHANGED)

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        names, other_names = comparison.new_names
        if comparison.form is not Form.QUESTION or (names and other_names):
            return
        found = self._find(comparison.first, names, comparison)
        other_found = self._find(comparison.second, other_names, comparison)
        if found or other_found:
            yield Difference("name_flip", found, other_found)

    def _find(self, side: Sentence, names: list[Mention], comparison: Comparison) -> list[int]:
        """Return the places of names beside no other name that both sentences have."""
        partner = comparison.partner if side is comparison.first else comparison.partner_in_first
        places = {name.place for name in names}
        others = set(side.names) - places
        wordnet = comparison.lexicon.wordnet
        return [
            i
            for i in sorted(places - partner.keys() - side.measured)
            if others.isdisjoint((i - 1, i + 1))
            and (side.is_proper_noun(i) or not wordnet.senses(side.bases[i]))
        ]
