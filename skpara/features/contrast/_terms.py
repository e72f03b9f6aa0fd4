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
from skpara.features.contrast._detector import REASON, Detector, Difference, Examples
from skpara.features.contrast._lexicon import Phrases
from skpara.features.contrast._sentences import Sentence

# Words between a verb and its particle, as in "turned the old radio off".
_REACH = 4
# The particle is in the clause of the verb.
_CLAUSE_ENDS = ".,s&v"

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
    follows : {"", "thing", "noun", "clause"}, default=""
        What has to follow in one sentence, and to be in the other: the next word, the next noun,
        which is no name, or the next word of the clause that is no function word.
    is_affirmed : bool, default=False
        Whether that word may be negated in neither of them: "must not" is "may not".
    followed_by : dict of str to str
        By the first word of a phrase, the parts of speech that may follow it: no "in May".
    is_moved : bool, default=False
        Whether they also differ if a phrase of both stands in front of another word.
    is_parted : bool, default=False
        Whether the phrases are verbs with particles, which other words may part.
    weight : float, default=1.0
        The weight of such a difference: below 1, it is only a hint.
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
    follows: Literal["", "thing", "noun", "clause"] = ""
    is_affirmed: bool = False
    followed_by: Mapping[str, str] = field(default_factory=dict)
    is_moved: bool = False
    is_parted: bool = False
    weight: float = REASON
    different: Examples = ()
    same: Examples = ()

    def __post_init__(self) -> None:
        terms: dict[str, list[Term]] = {}
        self._prefixes = set[str]()  # "semi-"
        for row, groups in enumerate(self.groups):
            for group, texts in enumerate(groups):
                for text in texts:
                    phrase = text.removesuffix("-")
                    terms.setdefault(phrase, []).append(Term(row, group))
                    if phrase != text:
                        self._prefixes.add(phrase)
        self.phrases = Phrases(terms, by_longest=not self.is_parted)
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
            if term.row == other.row:
                yield from self._compare(comparison, only_first[term], only_second[other])
        added = self._find_added(first, second, only_first, comparison.partner)
        other_added = self._find_added(second, first, only_second, comparison.partner_in_first)
        if bool(added) != bool(other_added):  # "almost hid" is "tried to hide"
            for places in added:
                yield Difference(self.column, places, (), self.weight)
            for places in other_added:
                yield Difference(self.column, (), places, self.weight)

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

    def _compare(
        self, comparison: Comparison, places: Places, others: Places
    ) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        if self.is_in_place and (places[0], others[0]) not in comparison.replaced:
            return
        are_words = len(places) == len(others) == 1
        if are_words and (self.is_parted or (places[0], others[0]) in comparison.opposed):
            return  # plain opposites
        if self.follows and not (
            self._is_followed(first, second, places, comparison.partner)
            and self._is_followed(second, first, others, comparison.partner_in_first)
        ):
            return
        is_denied = first.negated[places[0]] != second.negated[others[0]]
        if not is_denied or self.column == "antonym_flip":
            yield Difference(self.columns[is_denied], places, others, self.weight)

    def _is_followed(
        self, side: Sentence, other: Sentence, places: Places, partner: Mapping[int, int]
    ) -> bool:
        """Return whether what has to follow does so, and is in the other sentence."""
        start = places[0]
        end = places[-1] + 1
        if self.follows == "noun":
            is_article = side.classes[end : end + 1] == "d"
            noun = side.noun_after(end if is_article else end - 1)
            return noun >= end and noun not in side.names and side.bases[noun] in other.bases
        if self.follows == "thing":
            following = "".join(side.tokens[end : end + 1])
            is_prefix = f"{side.tokens[start]}-{following}" in side.text.lower()
            may_precede = is_prefix or side.tokens[start] not in self._prefixes
            return may_precede and following in other.tokens and side.classes[end] in "njvr"
        if self.follows == "clause":
            governed = side.next_word(end)
            if governed < 0:
                return any(k in partner for k in range(start))
            if governed not in partner:
                return False
            is_denied = side.negated[governed] or other.negated[partner[governed]]
            return not (self.is_affirmed and is_denied)
        return True

    def _find_terms(self, side: Sentence) -> dict[Term, Places]:
        """Find the listed words and phrases of a sentence, with the positions of their words."""
        if self not in side.terms:
            found: dict[Term, Places] = {}
            for places, terms in self._read_verbs(side) if self.is_parted else self._read(side):
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

    def _read_verbs(self, side: Sentence) -> Iterator[tuple[Places, list[Term]]]:
        bases = side.bases
        for i, base in enumerate(bases):
            # A tagger takes some verbs for nouns.
            if side.classes[i] not in "vn" or base not in self.phrases.keys:
                continue
            for k in range(i, min(len(bases), i + 2 + _REACH)):
                if k > i and side.classes[k] in _CLAUSE_ENDS:
                    break
                words = [base, bases[k]] if k > i else [base]
                phrase = self.phrases.match(words, 0)
                if phrase and phrase.end == len(words):
                    yield (i,) if k == i else (i, k), phrase.meaning


def read_rules() -> tuple[Terms, ...]:
    """Read the rules of ``terms.json``."""
    text = Path(__file__).with_name("terms.json").read_text("utf-8")
    return tuple(Terms(**rule) for rule in json.loads(text))


TERMS = read_rules()
_BY_NAME = {rule.name: rule for rule in TERMS}
# Words that make the name of another one; a "junior" is often left out of a person's name.
ADDED_TO_NAMES = {
    text
    for name in ("lesser offices", "privatives")
    for text in _BY_NAME[name].groups[0][0]
    if text != "junior"
}


def are_exclusive(first: str, second: str) -> bool:
    """Return whether texts have other terms of a row of "exclusive terms"."""
    phrases = _BY_NAME["exclusive terms"].phrases
    terms, others = (phrases.find(text.split()) for text in (first, second))
    return any(
        term.row == other.row and term.group != other.group
        for term, other in product(chain(*terms), chain(*others))
    )
