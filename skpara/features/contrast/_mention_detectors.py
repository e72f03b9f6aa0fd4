"""Detectors of other names, numbers, times and quantifiers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from skpara._typing import Bools
from skpara.features.contrast._alignment import AlignedPairs
from skpara.features.contrast._comparison import Comparison
from skpara.features.contrast._detector import (
    FEW_CHANGED,
    HINT,
    REASON,
    Detector,
    Difference,
)
from skpara.features.contrast._mentions import Mention, harmonize_kinds
from skpara.features.contrast._sentences import SYMBOL, Form, Sentence
from skpara.features.contrast._tokens import Mark
from skpara.quantities import agree

# A number may only become another one of its sentence if there are two.
_FEWEST_IN_PLACES = 2
# A text with more numbers of a kind is a table; the time grows with their square.
_MOST_IN_PLACES = 24


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

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MENTIONED) | pairs.have_new_names()

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
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
                is_reason = is_reason and not _is_made_up_for(comparison, kind, values)
            if topic == "name" and comparison.form is Form.STATEMENT:
                is_reason = is_reason and _are_in_one_place(comparison, places, other_places)
            weight = REASON if is_reason else HINT
            return Difference(f"{topic}_flip", places, other_places, weight)
        return Difference(f"{topic}_added", places, other_places)


def _is_made_up_for(comparison: Comparison, kind: str, values: set[Any]) -> bool:
    """Return whether other quantifiers mean the same with a negation or an opposite."""
    if kind == "quantifier bound":  # "must be at least 9" is "below 9 is not accepted"
        return (comparison.first.n_negations + comparison.second.n_negations) % 2 == 1
    # "Nobody disliked it" is "everybody liked it".
    is_opposed = bool(comparison.opposed) or comparison.is_denied_twice
    return values == {"all", "none"} and is_opposed


def _are_in_one_place(comparison: Comparison, own: list[int], other: list[int]) -> bool:
    """Return whether one of some names stands where one of the other names does.

    It is replaced by it, has the same preposition, or the same role for the same verb.
    """
    first = comparison.first
    second = comparison.second
    replaced = set(comparison.replaced)
    for i, j in product(own, other):
        if (i, j) in replaced:
            return True
        is_governed = i > 0 and j > 0 and first.classes[i - 1] == second.classes[j - 1] == "p"
        if is_governed and first.bases[i - 1] == second.bases[j - 1]:
            return True
        roles = product(first.roles.get(i, ()), second.roles.get(j, ()))
        if any(
            role.name == one.name
            and role.verb >= 0
            and comparison.partner.get(role.verb) == one.verb
            for role, one in roles
        ):
            return True
    return False


class ChangedMentions(Detector):
    """Numbers and times that become another one which the sentence already has.

    The sets of numbers of "SPF 30, 50 ml" and "SPF 50, 50 ml" do not tell. Each is compared with
    the one in its place: before the same noun, or behind the same word.
    """

    name = "changed mentions"
    columns = ("number_flip", "time_flip")
    different = (("Pack of 10 pens, 10 blue", "Pack of 12 pens, 10 blue"),)
    same = (("2 cats and 3 dogs slept", "3 dogs and 2 cats slept"),)

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.both_have(Mark.MENTIONED, _FEWEST_IN_PLACES)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        for mention, other in _find_changed(comparison):
            topic = "number" if mention.kind.startswith("number") else "time"
            weight = REASON if comparison.is_close else HINT
            yield Difference(f"{topic}_flip", (mention.place,), (other.place,), weight)


class _Placed(NamedTuple):
    """A mention, and the base form of its noun, "" for none."""

    mention: Mention
    noun: str


def _find_changed(comparison: Comparison) -> Iterator[tuple[Mention, Mention]]:
    """Find mentions of both sentences that stand in one place and differ."""
    first = comparison.first
    second = comparison.second
    if min(len(first.mentions), len(second.mentions)) < _FEWEST_IN_PLACES:
        return
    placed = _by_kind(first, {})
    other_nouns = {
        j: first.bases[i] for j, i in comparison.partner_in_first.items()
    }  # synonyms are one noun
    other_placed = _by_kind(second, other_nouns)
    for kind in sorted(placed.keys() & other_placed.keys()):
        own = placed[kind]
        other = other_placed[kind]
        fewest, most = sorted((len(own), len(other)))
        if fewest >= _FEWEST_IN_PLACES and most <= _MOST_IN_PLACES:
            yield from _find_at_nouns(own, other)
            yield from _find_at_edits(comparison, own, other)


def _by_kind(side: Sentence, nouns: dict[int, str]) -> dict[str, list[_Placed]]:
    """Return numbers and times by their kinds."""
    found = defaultdict[str, list[_Placed]](list)
    for mention in side.mentions:
        if not mention.kind.startswith("quantifier"):
            noun = side.noun_after(mention.place)
            name = nouns.get(noun, side.bases[noun]) if noun >= 0 else ""
            found[mention.kind].append(_Placed(mention, name))
    return found


def _find_at_nouns(own: list[_Placed], other: list[_Placed]) -> Iterator[tuple[Mention, Mention]]:
    """Find other numbers of one noun: "10 pens, 10 blue" and "12 pens, 10 blue".

    A number without a noun may belong to it, too: "six of 10 dogs" are "6 dogs out of 10".
    """
    own_of = _of_single_nouns(own)
    other_of = _of_single_nouns(other)
    for noun, mine in own_of.items():
        yours = other_of.get(noun)
        if yours is None or agree(mine.mention, yours.mention):
            continue
        is_bound = _count(other, mine, "") <= _count(own, mine, "")
        is_other_bound = _count(own, yours, "") <= _count(other, yours, "")
        is_seen = _count(other, mine) == 0 and _count(own, yours) == 0  # without places
        if is_bound and is_other_bound and not is_seen:
            yield mine.mention, yours.mention


def _of_single_nouns(placed: list[_Placed]) -> dict[str, _Placed]:
    """Return the mentions whose nouns have no other number, by their nouns."""
    n_of_noun = Counter(one.noun for one in placed)
    return {one.noun: one for one in placed if one.noun and n_of_noun[one.noun] == 1}


def _find_at_edits(
    comparison: Comparison, own: list[_Placed], other: list[_Placed]
) -> Iterator[tuple[Mention, Mention]]:
    """Find numbers that are replaced behind the same word, and that their side has once more.

    In another order all numbers are still there.
    """
    own_at = {one.mention.place: one for one in own}
    other_at = {one.mention.place: one for one in other}
    for i, j in comparison.replaced:
        if i not in own_at or j not in other_at:
            continue
        mine = own_at[i]
        yours = other_at[j]
        is_other = mine.noun == yours.noun and not agree(mine.mention, yours.mention)
        if (
            is_other
            and _word_before(comparison.first, i) == _word_before(comparison.second, j)
            and _count(own, mine) > _count(other, mine)
            and _count(other, yours) > _count(own, yours)
            and _count(own, yours) + _count(other, mine) > 0  # else seen without places
        ):
            yield mine.mention, yours.mention


def _word_before(side: Sentence, place: int) -> str:
    """Return the base form of the last word in front of a position whose order matters."""
    k = side.ordered_places.index(place)
    return side.ordered_bases[k - 1] if k else ""


def _count(placed: list[_Placed], wanted: _Placed, noun: str | None = None) -> int:
    """Count the mentions that mean the same as one, of all nouns or of one."""
    return sum(agree(one.mention, wanted.mention) and noun in (None, one.noun) for one in placed)


class Symbols(Detector):
    """Another symbol: an arrow, a tick or an emoji."""

    name = "symbols"
    columns = ("number_flip",)  # as of identifiers, which also tell titles apart
    different = (
        ("Great \U0001f44d", "Great \U0001f44e"),
        ("temp \u2191", "temp \u2193"),
    )
    same = (("Great \U0001f44d", "Great"),)

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        having = np.array(
            [bool(SYMBOL.search(text)) for text in pairs.sentences.texts], dtype=bool
        )
        left, right = pairs.sides
        return having[left] & having[right]

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        places = _find_symbols(first, second)
        others = _find_symbols(second, first)
        if places and others:
            yield Difference("number_flip", places, others)


def _find_symbols(side: Sentence, other: Sentence) -> list[int]:
    """Return the places of the symbols that another sentence lacks."""
    symbols = enumerate(side.symbols, len(side.tokens))
    return [place for place, symbol in symbols if symbol not in other.symbols]


class AddedNames(Detector):
    """A name that one side adds, as in "in Oslo", but no fuller form of a name.

    It makes another question, and another thing of a title. To a statement, and to a headline, it
    often only adds who said it, or where.
    """

    name = "added names"
    columns = ("name_flip",)
    different = (
        ("Is rain rare?", "Is rain rare in Peru?"),
        ("Hotel with a pool", "Hotel with a pool in Peru"),
        ("Boeing 737", "Boeing 737 Max"),
        ("Anna was at the party.", "Anna and Peter were at the party."),
    )
    same = (
        ("The bridge was closed.", "According to Otto, the bridge was closed."),
        ("What is the best way to sleep?", "What is the Best way to sleep?"),
        ("Who is Eric Holder?", "Who is Holder?"),
    )

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.have_new_names() & pairs.differ_little(FEW_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        names, other_names = comparison.new_names
        if names and other_names:
            return
        found = self._find(comparison.first, names, comparison.partner, comparison)
        partner = comparison.partner_in_first
        other_found = self._find(comparison.second, other_names, partner, comparison)
        if found or other_found:
            yield Difference("name_flip", found, other_found)

    def _find(
        self,
        side: Sentence,
        names: list[Mention],
        partner: dict[int, int],
        comparison: Comparison,
    ) -> list[int]:
        places = {name.place for name in names}
        others = set(side.names) - places
        numbers = {mention.place for mention in side.mentions if mention.kind == "number"}
        wordnet = comparison.lexicon.wordnet
        found = []
        for i in sorted(places - partner.keys()):
            # "iPhone 13 Pro", but a fuller name of a person is of the same one.
            is_model = not numbers.isdisjoint((i - 1, i - 2))
            is_alone = others.isdisjoint((i - 1, i + 1)) or is_model
            is_amount = i in side.measured  # "16 GB"
            if comparison.form is Form.STATEMENT:
                is_other = {i - 2, i + 2} & others and "&" in side.classes[max(0, i - 1) : i + 2]
            else:
                is_name = side.is_proper_noun(i) or not wordnet.senses(side.bases[i])
                is_other = is_name and (comparison.form is Form.QUESTION or not side.has_predicate)
            if is_alone and is_other and not is_amount:
                found.append(i)
        return found
