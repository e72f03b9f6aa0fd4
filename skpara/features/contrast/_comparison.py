"""Two sentences and how their words correspond, and the base class of what compares them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import permutations, product
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein, Postfix, Prefix

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._clauses import Role
from skpara.features.contrast._lexicon import MUTUAL_RELATIONS, VOCABULARY, TokenLexicon
from skpara.features.contrast._mentions import (
    Mention,
    are_one_name,
    find_acronyms,
    plain_name,
)
from skpara.features.contrast._sentences import Form, Sentence, form_of_both

if TYPE_CHECKING:  # it makes comparisons
    from skpara.features.contrast._alignment import AlignedPairs

# A difference of this weight is a reason to keep two sentences apart.
REASON = 1.0
# A difference of this weight is only a hint.
HINT = 0.5
# Words that differ if one word and those that depend on it have changed.
FEW_CHANGED = 3

Examples = Sequence[Sequence[str]]
# Words that differ between two sentences if a changed number or name is all that matters.
MOST_CHANGED = 6
# Words that differ between two statements if one of them decides.
_FEW_OF_STATEMENTS = 4
# "Far more expensive than" is "much dearer than".
_OF_COMPARATIVES = frozenset(["more", "much", "far"])
# "Anna sold it to Peter" is "Peter bought it from Anna": the relation and what it relates are
# both exchanged.
_CONVERSES: dict[str, list[str]] = {}
for _pair in VOCABULARY["converses"]:
    for _word, _other in permutations(_pair):
        _CONVERSES.setdefault(_word, []).append(_other)
# Names of a side that are compared with names of the other: the time grows with their product.
_MOST_NAMES = 8
# Words of a phrase that may be exchanged.
_LONGEST_PHRASE = 4
# Words from the beginning of one phrase to the end of the other.
_LONGEST_EXCHANGE = 40


class Exchange(NamedTuple):
    """Two phrases that changed places, and what is between them, as positions in two lists."""

    before: list[int]
    between: list[int]
    after: list[int]
    exchanged: list[int]  # both phrases in the second list


class Edits:
    """The edits from one list of words to another, as positions in the two lists."""

    def __init__(self, first: Sequence[str], second: Sequence[str]) -> None:
        start = Prefix.similarity(first, second)
        end = Postfix.similarity(first[start:], second[start:])
        self._start = start
        self._first = first[start : len(first) - end]
        self._second = second[start : len(second) - end]

    def replaced(self) -> list[tuple[int, int]]:
        """Return the positions of words of the first list and of those in their place."""
        first = self._first
        second = self._second
        # There may be several lists of edits. The same one is found in either order.
        is_swapped = (len(first), first) > (len(second), second)
        if is_swapped:
            first, second = second, first
        edits = Levenshtein.editops(first, second)
        found = [
            (edit.src_pos + self._start, edit.dest_pos + self._start)
            for edit in edits
            if edit.tag == "replace"
        ]
        return [(j, i) for i, j in found] if is_swapped else found

    def exchange(self) -> Exchange | None:
        """Return two phrases that changed places, if this is the only edit."""
        first = self._first
        second = self._second
        n = len(first)
        if len(second) != n or n > _LONGEST_EXCHANGE or sorted(first) != sorted(second):
            return None
        lengths = range(1, min(n - 1, _LONGEST_PHRASE) + 1)
        for n_after in lengths:
            if second[:n_after] != first[n - n_after :]:
                continue
            end = n - n_after
            for n_before in lengths:
                is_exchange = (
                    n_before <= end
                    and second[n - n_before :] == first[:n_before]
                    and second[n_after : n - n_before] == first[n_before:end]
                )
                if is_exchange:
                    places = list(range(self._start, self._start + n))
                    return Exchange(
                        before=places[:n_before],
                        between=places[n_before:end],
                        after=places[end:],
                        exchanged=places[:n_after] + places[n - n_before :],
                    )
        return None


class RoleChange(NamedTuple):
    """A noun of the first sentence, and its roles for one verb in both sentences."""

    kind: Literal["kept", "changed", "converse"]  # converse roles mean the same
    noun: int
    first: str
    second: str


class Comparison:
    """Two sentences and how their words correspond.

    Attributes
    ----------
    number : int
        The position of the pair in its batch.
    first, second : Sentence
        The sentences.
    lexicon : TokenLexicon
        Facts about their words, by ``first.ids`` and ``second.ids``.
    n_changed : int
        How many words whose order matters only one side has.
    aligned : list of tuples of two ints
        Positions of words of both sentences that are aligned.
    partner : dict of int to int
        The position of the word of the second sentence that belongs to a word of the first one:
        words that are aligned, opposites, synonyms and misspelled words.
    opposed, misspelled : sets of tuples of two ints
        Positions of words that are opposites, and of words one of which is misspelled.
    """

    def __init__(
        self,
        number: int,
        first: Sentence,
        second: Sentence,
        lexicon: TokenLexicon,
        *,
        n_changed: int,
        aligned: list[tuple[int, int]],
        others: Sequence[tuple[int, int]],
        opposed: Set[tuple[int, int]],
        misspelled: Set[tuple[int, int]],
        new_names: tuple[Sequence[int], Sequence[int]],
    ) -> None:
        self.number = number
        self.lexicon = lexicon
        self.first = first
        self.second = second
        self.n_changed = n_changed
        self.aligned = aligned
        self.partner = dict(aligned)
        self.partner.update(others)
        self.opposed = opposed
        self.misspelled = misspelled
        self._left_names, self._right_names = new_names

    @cached_property
    def form(self) -> Form:
        """Whether the sentences are titles, statements or questions."""
        return form_of_both(self.first.form, self.second.form)

    @property
    def is_close(self) -> bool:
        """Whether so few words differ that one of them decides.

        Long statements may report one event with different details.
        """
        if self.n_changed <= _FEW_OF_STATEMENTS:
            return True
        return self.n_changed <= MOST_CHANGED and self.form is not Form.STATEMENT

    @cached_property
    def partner_in_first(self) -> dict[int, int]:
        """The word of the first sentence that belongs to a word of the second one."""
        return {j: i for i, j in self.partner.items()}

    def bases(self, i: int, j: int) -> tuple[str, str]:
        """Return the base forms of a word of each sentence."""
        return self.first.bases[i], self.second.bases[j]

    @cached_property
    def replaced(self) -> list[tuple[int, int]]:
        """The positions of words of the first sentence, and of those in their place."""
        pairs = Edits(self.first.ordered_bases, self.second.ordered_bases).replaced()
        return [(self.first.ordered_places[a], self.second.ordered_places[b]) for a, b in pairs]

    @cached_property
    def exchange(self) -> Exchange | None:
        """The positions of two phrases that changed places, if nothing else differs."""
        first = self.first
        second = self.second
        exchange = Edits(first.ordered_bases, second.ordered_bases).exchange()
        if exchange is None:
            return None
        return Exchange(
            before=[first.ordered_places[k] for k in exchange.before],
            between=[first.ordered_places[k] for k in exchange.between],
            after=[first.ordered_places[k] for k in exchange.after],
            exchanged=[second.ordered_places[k] for k in exchange.exchanged],
        )

    @cached_property
    def is_converse(self) -> bool:
        """Whether a relation and its converse have exchanged what they relate.

        "The bank is left of the museum" and "The museum is right of the bank", or "is wider than"
        and "is narrower than".
        """
        first = _relating_words(self.first)
        second = _relating_words(self.second)
        opposites = _CONVERSES
        if "than" in first and "than" in second:
            opposed = {self.second.bases[j]: [self.first.bases[i]] for i, j in self.opposed}
            opposites = _CONVERSES | opposed
        changed = [
            next((x for x in opposites.get(word, ()) if x in first and x not in second), word)
            for word in second
        ]
        return changed != second and Edits(first, changed).exchange() is not None

    @cached_property
    def new_names(self) -> tuple[list[Mention], list[Mention]]:
        """The names of each side that do not stand for a name of the other one."""
        if not (self._left_names or self._right_names):
            return [], []
        known = find_acronyms(self.first.cased, self.second.cased)
        return (
            self._new_names(self.first, self._left_names, self.second, known),
            self._new_names(self.second, self._right_names, self.first, known),
        )

    def _new_names(
        self, side: Sentence, places: Sequence[int], other: Sentence, known: set[str]
    ) -> list[Mention]:
        names = [Mention("name", plain_name(side.cased[i]), i) for i in places]
        names = [name for name in names if name.value not in known][:_MOST_NAMES]
        others = [plain_name(other.cased[i]) for i in other.names[:_MOST_NAMES]]
        wordnet = self.lexicon.wordnet
        return [
            name
            for name in names
            if not any(are_one_name(wordnet, name.value, other) for other in others)
        ]

    @cached_property
    def role_changes(self) -> list[RoleChange]:
        """The roles that nouns and their partners have for the same verb."""
        changes = []
        second_roles = self.second.roles
        for noun, roles in self.first.roles.items():
            others = second_roles.get(self.partner.get(noun, -1), [])
            for role, other in product(roles, others):
                if self._is_same_verb(role.verb, other.verb):
                    kind = self._change(role, other, roles, others)
                    if kind:
                        changes.append(RoleChange(kind, noun, role.name, other.name))
        return changes

    def _change(
        self, role: Role, other: Role, roles: list[Role], others: list[Role]
    ) -> Literal["kept", "changed", "converse", ""]:
        """Return how a role of a noun differs from another; "" if it has both."""
        if role.name == other.name:
            return "kept"
        if (other.name, role.verb) in roles or (role.name, other.verb) in others:
            return ""
        if role.verb >= 0 and self._mean_the_same(role, other):
            return "converse"
        return "changed"

    def _is_same_verb(self, verb: int, other: int) -> bool:
        if verb < 0:
            return other < 0
        # "is open" is not a passive, as "is closed" may be.
        is_same_class = self.first.classes[verb] == self.second.classes[other]
        return is_same_class and self.partner.get(verb) == other

    def _mean_the_same(self, role: Role, other: Role) -> bool:
        """Return whether exchanged roles mean the same: "marry", "buy" and "sell", "taller"."""
        first, second = self.bases(role.verb, other.verb)
        if first == second:
            return first in MUTUAL_RELATIONS or first == "say"  # "said Anna" is "Anna said"
        if second in _CONVERSES.get(first, ()):
            return True
        return "than" in (role.name, other.name) and (role.verb, other.verb) in self.opposed


def _relating_words(side: Sentence) -> list[str]:
    """Return the words whose order matters, but of "more ... than", with "left" as it is."""
    return [
        side.tokens[k] if side.tokens[k] in _CONVERSES else side.bases[k]
        for k in side.ordered_places
        if side.tokens[k] not in _OF_COMPARATIVES
    ]


@set_module("skpara.features.contrast")
class Difference(NamedTuple):
    """A difference between two sentences.

    Parameters
    ----------
    column : str
        The feature that it changes, such as "name_flip".
    first, second : sequence of int
        The positions of its tokens in both sentences.
    weight : float, default=1.0
        1 for a reason to keep the sentences apart, 0.5 for a hint.
    """

    column: str
    first: Sequence[int]
    second: Sequence[int]
    weight: float = REASON


@set_module("skpara.features.contrast")
class Detector(ABC):
    """Base class of rules that find one kind of difference between two sentences.

    Attributes
    ----------
    name : str
        A short name.
    columns : tuple of str
        The columns of the differences that it may find.
    different, same : sequences of pairs of str
        Pairs of sentences that have such a difference, and pairs that have none.
    """

    name: str
    columns: tuple[str, ...]
    different: Examples
    same: Examples = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def find(self, pairs: AlignedPairs) -> Iterator[tuple[Comparison, Difference]]:
        """Find the differences of all pairs of a batch.

        Parameters
        ----------
        pairs : AlignedPairs
            The pairs, and how their words correspond.

        Yields
        ------
        tuple of Comparison and Difference
            A pair, and one of its differences.
        """
        for number in self.may_differ(pairs).nonzero()[0].tolist():
            comparison = pairs[number]
            for difference in self.detect(comparison):
                yield comparison, difference

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        """Return which pairs may have a difference of this kind: all, unless overridden.

        Parameters
        ----------
        pairs : AlignedPairs
            The pairs of a batch; what is cheap to ask is asked for all of them at once.

        Returns
        -------
        ndarray of shape (n_pairs,), bool
            The pairs that ``detect`` is called for.
        """
        return np.ones(len(pairs), dtype=bool)

    @abstractmethod
    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        """Find the differences between two sentences.

        Parameters
        ----------
        comparison : Comparison
            The sentences, and how their words correspond.

        Yields
        ------
        Difference
            One difference.
        """


def find_differences(
    pairs: AlignedPairs, detectors: Iterable[Detector]
) -> Iterator[tuple[Comparison, Difference]]:
    """Find the differences of all pairs, one detector after another."""
    for detector in detectors:
        yield from detector.find(pairs)
