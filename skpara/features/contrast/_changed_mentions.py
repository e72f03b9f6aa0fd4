"""Numbers and times that have changed in their place.

A number may become one that the sentence already has, as "SPF 30, 50 ml" and "SPF 50, 50 ml":
the sets of numbers do not tell. Each is compared with the one in its place: before the same
noun, or behind the same word.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from skpara.features.contrast._comparison import Comparison
from skpara.features.contrast._mentions import Mention
from skpara.features.contrast._sentences import Sentence
from skpara.quantities import agree

# A number may only become another one of its sentence if there are two.
FEWEST_IN_PLACES = 2
# A text with more numbers of a kind is a table; the time grows with their square.
_MOST_IN_PLACES = 24


class _Placed(NamedTuple):
    """A mention, and the base form of its noun, "" for none."""

    mention: Mention
    noun: str


def find_changed(comparison: Comparison) -> Iterator[tuple[Mention, Mention]]:
    """Find mentions of both sentences that stand in one place and differ."""
    first = comparison.first
    second = comparison.second
    if min(len(first.mentions), len(second.mentions)) < FEWEST_IN_PLACES:
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
        if fewest >= FEWEST_IN_PLACES and most <= _MOST_IN_PLACES:
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
