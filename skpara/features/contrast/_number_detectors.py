"""Detectors of other counts, letters, ends of models and signs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skpara._typing import Bools
from skpara.features.contrast._alignment import AlignedPairs
from skpara.features.contrast._comparison import MOST_CHANGED, Comparison
from skpara.features.contrast._detector import Detector, Difference
from skpara.features.contrast._lexicon import MODEL_ENDS
from skpara.features.contrast._sentences import Sentence
from skpara.features.contrast._tokens import Mark

# Prepositions in front of an amount, which tell whether it is a change or its result.
_OF_AMOUNTS = frozenset(["by", "to", "from"])
# Prepositions in front of a time, by what they say of it.
_OF_TIMES = {
    "by": "deadline",
    "until": "end",
    "till": "end",
    "after": "start",
    "since": "start",
    "from": "start",
}
# Words between a preposition and an amount or time.
_BETWEEN = frozenset(
    ["a", "an", "the", "about", "around", "over", "nearly", "almost", "$", "£", "€"]
)
# Letters that name things, also sizes of batteries and of clothes, and Roman numerals.
_LETTERS = re.compile("[B-HJ-Z] [B-HJ-Z]|A+ A+|X*[SML] X*[SML]|[IVX]+ [IVX]+")


class Counts(Detector):
    """A plural with a number in the place of a single thing: "two dogs" and "a dog"."""

    name = "counts"
    columns = ("number_flip",)
    different = (("Two big dogs ran.", "A big dog ran."),)

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


class NumbersAndYears(Detector):
    """A number in the place of one that reads as a year: "item 155" and "item 1555"."""

    name = "numbers and years"
    columns = ("number_flip",)
    different = (("Item No. 155", "Item No. 1555"),)

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.both_have(Mark.MENTIONED, 1) & pairs.differ_little(MOST_CHANGED)

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


class PrepositionsOfAmounts(Detector):
    """A change and its result, or the start and the end of a time: "by 5 %" and "to 5 %"."""

    name = "prepositions of amounts"
    columns = ("number_flip", "time_flip")
    different = (("Profits rose from 20 percent.", "Profits rose by 20 percent."),)

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.both_have(Mark.MENTIONED) & pairs.differ_little(MOST_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        for mention in first.mentions:
            equal = [
                other
                for other in second.mentions
                if (mention.kind, mention.value) == (other.kind, other.value)
            ]
            if len(equal) != 1 or mention.kind.startswith("quantifier"):
                continue
            word, place = self._find_preposition(first, mention.place)
            other_word, other_place = self._find_preposition(second, equal[0].place)
            is_amount = mention.kind.startswith("number")
            if is_amount:
                are_other = word != other_word and {word, other_word} <= _OF_AMOUNTS
            else:
                ends = _OF_TIMES.get(word, ""), _OF_TIMES.get(other_word, "")
                are_other = all(ends) and ends[0] != ends[1]
            if are_other:
                column = "number_flip" if is_amount else "time_flip"
                yield Difference(column, (place, mention.place), (other_place, equal[0].place))

    def _find_preposition(self, side: Sentence, place: int) -> tuple[str, int]:
        """Return the word in front of a mention, but articles, and its position."""
        k = place - 1
        while k > 0 and side.tokens[k] in _BETWEEN:
            k -= 1
        return (side.tokens[k], k) if k >= 0 else ("", -1)


class Letters(Detector):
    """Another letter that names a thing: "vitamin C" and "vitamin D", "AA" and "AAA"."""

    name = "letters"
    columns = ("number_flip",)
    different = (("Take vitamin C.", "Take vitamin D."),)

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.differ_little(MOST_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        for i, j in comparison.replaced:
            if _LETTERS.fullmatch(f"{first.cased[i]} {second.cased[j]}"):
                yield Difference("number_flip", (i,), (j,))


class LongerNames(Detector):
    """The end of a longer name of a model: "Galaxy S22" and "Galaxy S22 Ultra"."""

    name = "longer names"
    columns = ("number_flip",)  # as of identifiers, which also tell titles apart
    different = (("Case for a Galaxy S22", "Case for a Galaxy S22 Ultra"),)

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MODEL_END) & pairs.differ_little(MOST_CHANGED)

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


class Signs(Detector):
    """A sign that a number or letter has on one side only: "-5" and "5", "C++" and "C#"."""

    name = "signs"
    columns = ("number_flip",)
    different = (("A course in C++", "A course in C#"),)

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has_sign() & (pairs.n_changed <= MOST_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        for core in dict.fromkeys(signed.core for signed in first.signed + second.signed):
            places = first.places_by_sign(core)
            others = second.places_by_sign(core)
            if places and others and places.keys().isdisjoint(others):
                yield Difference("number_flip", list(places.values()), list(others.values()))
