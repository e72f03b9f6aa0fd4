"""Detectors of the guard: those of the features, and some that fitted models do not know."""

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
from skpara.features.contrast._detectors import DETECTORS
from skpara.features.contrast._forms import Form
from skpara.features.contrast._lexicon import AMOUNT_ENDS
from skpara.features.contrast._mentions import Mention
from skpara.features.contrast._role_detectors import Roles
from skpara.features.contrast._sentences import Sentence


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
class AddedNames(Detector):
    """A name that one side adds, as in "in Oslo", but no fuller form of a name."""

    name = "added names"
    columns = ("name_flip",)
    example = ("Is rain rare?", "Is rain rare in Peru?")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.have_new_names() & pairs.differ_little(MOST_CHANGED)

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
    AddedNames(),
)
