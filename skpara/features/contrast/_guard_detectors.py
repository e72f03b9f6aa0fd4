"""Detectors of the guard: those of the features, and some that fitted models do not know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._detector import REASON, Detector, Difference
from skpara.features.contrast._detectors import (
    MOST_CHANGED,
    ExchangedPhrases,
    Mentions,
    Negation,
    Opposites,
    ReplacedWords,
    Roles,
    Tense,
)
from skpara.features.contrast._lexicon import AMOUNT_ENDS
from skpara.features.contrast._mentions import Mention
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
        if found or other_found:
            yield Difference("name_flip", found, other_found)

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


# All detectors of the guard. The order of reasons follows theirs.
GUARD_DETECTORS: tuple[Detector, ...] = (
    Negation(),
    Tense(),
    Opposites(),
    ReplacedWords(),
    ExchangedPhrases(),
    ExchangedRoles(),
    Mentions(),
    Counts(),
    AddedNames(),
    Letters(),
)
