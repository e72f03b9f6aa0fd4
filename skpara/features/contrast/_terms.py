"""Listed words and phrases: another one of a list, or one that makes another thing of the rest.

``terms.json`` has the lists with their conditions, and sentences for each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, product
from pathlib import Path
from typing import Literal, NamedTuple

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._alignment import AlignedPairs
from skpara.features.contrast._comparison import Comparison
from skpara.features.contrast._detector import Detector, Difference, Examples
from skpara.features.contrast._lexicon import Phrases
from skpara.features.contrast._sentences import Sentence

Places = tuple[int, ...]


class Term(NamedTuple):
    """A word or phrase of a list: its row there, and the group of phrases that mean the same."""

    row: int
    group: int


@set_module("skpara.features.contrast")
@dataclass(eq=False, repr=False)
class Terms(Detector):
    """Words and phrases of a list, of which a thing has only one, such as "vegan".

    Parameters
    ----------
    name : str
        A short name.
    groups : list of lists of lists of str
        Rows, each of groups of words and phrases that mean the same. If each sentence has another
        group of a row, they differ. A row of one group is of words that only one sentence has,
        such as "refurbished".
    column : str, default="attribute_flip"
        The feature that such a difference changes. Opposites, of the column "antonym_flip", mean
        the same if one of them is negated.
    most_changed : int, default=6
        How many words may differ.
    forms : sequence of {"title", "statement", "question"}
        What the sentences may be; all by default.
    is_in_place : bool, default=False
        Whether one has to stand in the place of the other.
    is_moved : bool, default=False
        Whether they also differ if a phrase of both stands in front of another word.
    follows : {"", "thing", "clause"}, default=""
        What has to follow in one sentence, and to be in the other: the next word, which is no
        name, or the next word of the clause that is no function word.
    followed_by : dict of str to str
        By the first word of a phrase, the parts of speech that may follow it: no "in May".
    different, same : lists of pairs of str
        Examples.

    Examples
    --------
    >>> from skpara import Deduplicator
    >>> from skpara.features.contrast import GUARD_DETECTORS, Terms
    >>> offences = Terms("offences", [[["careless driving"], ["dangerous driving"]]])
    >>> rows = ["She was fined for careless driving.", "She was fined for dangerous driving."]
    >>> found = Deduplicator(threshold=0.7, guard=[*GUARD_DETECTORS, offences]).fit(rows)
    >>> found.borderline()[0][3]
    'dangerous driving, not careless driving'
    """

    name: str
    groups: Sequence[Sequence[Sequence[str]]]
    column: str = "attribute_flip"
    most_changed: int = 6
    forms: Sequence[str] = ("title", "statement", "question")
    is_in_place: bool = False
    is_moved: bool = False
    follows: Literal["", "thing", "clause"] = ""
    followed_by: Mapping[str, str] = field(default_factory=dict)
    different: Examples = ()
    same: Examples = ()

    def __post_init__(self) -> None:
        terms: dict[str, list[Term]] = {}
        for row, groups in enumerate(self.groups):
            for group, texts in enumerate(groups):
                for text in texts:
                    terms.setdefault(text, []).append(Term(row, group))
        self.phrases = Phrases(terms, by_longest=True)
        self._alone = {row for row, groups in enumerate(self.groups) if len(groups) == 1}
        self.columns = (self.column,)
        if self.column == "antonym_flip":
            self.columns += ("antonym_negated",)

    def __repr__(self) -> str:
        return f"Terms({self.name!r})"

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        are_close = pairs.n_changed <= self.most_changed
        are_close &= self.is_moved | (pairs.n_changed > 0)
        if not are_close.any():
            return are_close
        left, right = pairs.have_words(self.phrases.keys)
        return are_close & (left | right if self._alone else left & right)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        if comparison.form.value not in self.forms or comparison.is_converse:
            return
        first = comparison.first
        second = comparison.second
        own = self._find_terms(first)
        others = self._find_terms(second)
        if self.is_moved and not comparison.n_changed:
            yield from self._find_moved(comparison, own, others)
        only_first = {term: places for term, places in own.items() if term not in others}
        only_second = {term: places for term, places in others.items() if term not in own}
        for term, other in product(only_first, only_second):
            places = only_first[term]
            other_places = only_second[other]
            if term.row == other.row and self._are_exclusive(comparison, places, other_places):
                is_denied = first.negated[places[0]] != second.negated[other_places[0]]
                if not is_denied or self.column == "antonym_flip":
                    yield Difference(self.columns[is_denied], places, other_places)
        added = self._find_added(first, second, only_first, comparison.partner)
        other_added = self._find_added(second, first, only_second, comparison.partner_in_first)
        if bool(added) != bool(other_added):  # "almost hid" is "tried to hide"
            for places in added:
                yield Difference(self.column, places, ())
            for places in other_added:
                yield Difference(self.column, (), places)

    def _find_moved(
        self, comparison: Comparison, own: dict[Term, Places], others: dict[Term, Places]
    ) -> Iterator[Difference]:
        """Find terms of both sentences that stand in front of another word."""
        for term in own.keys() & others.keys():
            behind = comparison.first.next_word(own[term][-1])
            other_behind = comparison.second.next_word(others[term][-1])
            if other_behind >= 0 and comparison.partner.get(behind, other_behind) != other_behind:
                yield Difference(self.column, own[term], others[term])

    def _find_added(
        self,
        side: Sentence,
        other: Sentence,
        only_here: dict[Term, Places],
        partner: Mapping[int, int],
    ) -> list[Places]:
        """Return the places of what only one side has, also in another form."""
        return [
            places
            for term, places in only_here.items()
            if term.row in self._alone
            and side.bases[places[0]] not in other.bases
            and self._is_followed(side, other, places, partner)
        ]

    def _are_exclusive(self, comparison: Comparison, places: Places, others: Places) -> bool:
        """Return whether two terms of a row stand where they exclude each other."""
        start = places[0], others[0]
        if self.is_in_place and start not in comparison.replaced:
            return False
        if len(places) == len(others) == 1 and start in comparison.opposed:
            return False  # plain opposites
        first = comparison.first
        second = comparison.second
        return self._is_followed(first, second, places, comparison.partner) and (
            self._is_followed(second, first, others, comparison.partner_in_first)
        )

    def _is_followed(
        self, side: Sentence, other: Sentence, places: Places, partner: Mapping[int, int]
    ) -> bool:
        """Return whether what has to follow does so, and is in the other sentence."""
        end = places[-1] + 1
        if self.follows == "thing":
            is_thing = (
                side.classes[end : end + 1] in ("n", "j", "v", "r") and end not in side.names
            )
            return is_thing and side.tokens[end] in other.tokens
        if self.follows == "clause":
            governed = side.next_word(end)
            if governed < 0:
                return any(k in partner for k in range(places[0]))
            return governed in partner
        return True

    def _find_terms(self, side: Sentence) -> dict[Term, Places]:
        """Find the listed words and phrases of a sentence, with the positions of their words."""
        if self not in side.terms:
            found: dict[Term, Places] = {}
            for places, terms in self._read(side):
                for term in terms:
                    found.setdefault(term, places)
            side.terms[self] = found
        return side.terms[self]

    def _read(self, side: Sentence) -> Iterator[tuple[Places, list[Term]]]:
        end = 0
        for i, token in enumerate(side.tokens):
            if i < end or not (token in self.phrases.keys or side.bases[i] in self.phrases.keys):
                continue
            both = (self.phrases.match(words, i) for words in (side.tokens, side.bases))
            found = [phrase for phrase in both if phrase]
            longest = max((phrase.end - phrase.start for phrase in found), default=0)
            for phrase in found:
                kind = side.classes[phrase.end : phrase.end + 1]
                may_follow = kind in self.followed_by.get(side.bases[phrase.start], kind)
                if may_follow and phrase.end - phrase.start == longest:
                    end = phrase.end
                    yield tuple(range(phrase.start, end)), phrase.meaning


def read_rules() -> tuple[Terms, ...]:
    """Read the rules of ``terms.json``."""
    text = Path(__file__).with_name("terms.json").read_text("utf-8")
    return tuple(Terms(**rule) for rule in json.loads(text))


TERMS = read_rules()
_BY_NAME = {rule.name: rule for rule in TERMS}
# Words that make the name of another one; a "junior" is often left out of a person's name.
ADDED_TO_NAMES = frozenset(_BY_NAME["privatives"].groups[0][0]) - {"junior"}


def are_exclusive(first: str, second: str) -> bool:
    """Return whether texts have other terms of a row of "exclusive terms"."""
    phrases = _BY_NAME["exclusive terms"].phrases
    terms, others = (phrases.find(text.split()) for text in (first, second))
    return any(
        term.row == other.row and term.group != other.group
        for term, other in product(chain(*terms), chain(*others))
    )
