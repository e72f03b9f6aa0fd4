"""Two sentences and how their words correspond."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cached_property
from itertools import product
from typing import Literal, NamedTuple

from rapidfuzz.distance import Levenshtein, Postfix, Prefix

from skpara.features.contrast._lexicon import CONVERSE_WORDS, CONVERSES, MUTUAL_RELATIONS
from skpara.features.contrast._mentions import Mention
from skpara.features.contrast._names import (
    are_one_name,
    find_acronyms,
    is_initial,
    plain_name,
    shortens,
)
from skpara.features.contrast._roles import Role
from skpara.features.contrast._sentences import Form, Sentence, form_of_both
from skpara.features.contrast._tokens import TokenLexicon

# Words that differ between two sentences if a changed number or name is all that matters.
MOST_CHANGED = 6
# Words that differ between two statements if one of them decides.
_FEW_OF_STATEMENTS = 4
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
    """The edits from one list of words to another one, as positions in the two lists."""

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
        Positions of words that are opposites, and of words of which one is misspelled.
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

        Statements of many words may tell of one event with other details.
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
    def is_denied_twice(self) -> bool:
        """Whether one side denies twice what the other one says of all.

        "No guest was left without a meal" and "Every guest got a meal".
        """
        for side, other in ((self.first, self.second), (self.second, self.first)):
            amounts = {m.value for m in side.mentions if m.kind.startswith("quantifier")}
            others = {m.value for m in other.mentions if m.kind.startswith("quantifier")}
            is_twice = side.n_negations > 0 and side.n_negations % 2 == 0
            if is_twice and not other.n_negations and "none" in amounts and "all" in others:
                return True
        return False

    @cached_property
    def is_converse(self) -> bool:
        """Whether a relation and its converse have exchanged what they relate.

        "The bank is left of the museum" and "The museum is right of the bank", or "is wider than"
        and "is narrower than".
        """
        first = self._converse_words(self.first)
        second = self._converse_words(self.second)
        before = list(second)
        if "than" in self.first.tokens and "than" in self.second.tokens:
            places = self._compared_places(self.second)
            for i, j in self.opposed:
                if j in places:
                    second[places.index(j)] = self.first.bases[i]
        for k, base in enumerate(first):
            # "the north gate" is a kind of gate
            place = self._compared_places(self.first)[k]
            is_attribute = self.first.classes[place : place + 2] in ("jn", "nn")
            if base not in CONVERSE_WORDS or base in second or is_attribute:
                continue
            for other in CONVERSE_WORDS[base]:
                if second.count(other) == 1 and other not in first:
                    second[second.index(other)] = base
                    break
        return second != before and Edits(first, second).exchange() is not None

    def _converse_words(self, side: Sentence) -> list[str]:
        """Return the base forms of the words whose order matters, but "left" as it is."""
        return [
            side.tokens[k] if side.tokens[k] in CONVERSE_WORDS else side.bases[k]
            for k in self._compared_places(side)
        ]

    def _compared_places(self, side: Sentence) -> list[int]:
        """Return the positions of the words whose order matters, but of "more ... than"."""
        if "than" not in side.tokens:
            return side.ordered_places
        return [k for k in side.ordered_places if side.tokens[k] not in ("more", "much", "far")]

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
        initials = {token[0] for token in other.cased if is_initial(token)} - {
            token[0] for token in side.cased if is_initial(token)
        }
        names = [
            Mention("name", plain_name(side.cased[i]), i)
            for i in places
            if side.cased[i][0] not in initials
        ]
        names = [name for name in names if name.value not in known][:_MOST_NAMES]
        others = [plain_name(other.cased[i]) for i in other.names[:_MOST_NAMES]]
        wordnet = self.lexicon.wordnet
        return [
            name
            for name in names
            if not any(are_one_name(wordnet, name.value, other) for other in others)
            and not (side.cased[name.place][-1] == "." and _shortens_a_word(name.value, other))
        ]

    def roles_of(self, noun: int) -> tuple[list[Role], list[Role]]:
        """Return the roles of a noun of the first sentence and of its partner."""
        partner = self.partner.get(noun, -1)
        return self.first.roles.get(noun, []), self.second.roles.get(partner, [])

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
        """Return how a role of a noun differs from another one; "" if it has both."""
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
        # "is open" is no passive, as "is closed" may be.
        is_same_class = self.first.classes[verb] == self.second.classes[other]
        return is_same_class and self.partner.get(verb) == other

    def _mean_the_same(self, role: Role, other: Role) -> bool:
        """Return whether exchanged roles mean the same: "marry", "buy" and "sell", "taller"."""
        first, second = self.bases(role.verb, other.verb)
        if first == second:
            return first in MUTUAL_RELATIONS or first == "say"  # "said Anna" is "Anna said"
        if frozenset((first, second)) in CONVERSES:
            return True
        return "than" in (role.name, other.name) and (role.verb, other.verb) in self.opposed


def _shortens_a_word(name: str, other: Sentence) -> bool:
    """Return whether a name shortens a word of a sentence, as "St" does "Street"."""
    return any(shortens(name, token) for token in other.tokens if token[0] == name[0])
