"""The tokens that a clause denies, and the roles of nouns: who does what to whom.

This is not a parser. A sentence is read once from left to right, by parts of speech and word
order. Roles rely on noun phrases, verbs, passives, prepositions and "and", which is enough for
most short sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skpara.features.contrast._lexicon import (
    AFFIRMING_PHRASES,
    FAILURES,
    NEGATING_CLAUSES,
    PRONOUNS,
    words_in,
)

# Words between a verb and "no", as in "ate almost no": more only make strange text slow.
_REACH = 8
# Parts of speech with which a new clause begins, and behind which an "and" begins one.
_CLAUSE_ENDS = ".,s"
_VERBS = "vbx"
# Parts of speech that may begin or end a negation.
_DECIDING = ".,s&!"
# Marks that end no clause, as in: no "war".
_QUOTES = frozenset(['"', "'", "``", "''", "“", "”", "‘", "’"])
# They also negate the verb in front of them, as in "ate nothing".
_NEGATING_THE_VERB = words_in("negating the verb before")
_NEGATORS = FAILURES | NEGATING_CLAUSES


class Negations(NamedTuple):
    """Whether each token of a sentence is negated, and how many negations there are."""

    negated: list[bool]
    n_negations: int


def find_negations(tokens: Sequence[str], classes: str) -> Negations:
    """Find the tokens that are negated: those behind a negation, up to the end of its clause.

    A second negation cancels the first one, as in "never fails to call".
    """
    if "!" not in classes and _NEGATORS.isdisjoint(tokens):
        return Negations([False] * len(tokens), 0)
    reader = _NegationReader(tokens, classes)
    return Negations(reader.negated, reader.n_negations)


class _NegationReader:
    """A sentence that has been read up to some token."""

    def __init__(self, tokens: Sequence[str], classes: str) -> None:
        self.negated = [False] * len(tokens)
        self.n_negations = 0
        self._tokens = [*tokens, ""]
        self._classes = classes + "."
        self._is_negative = False
        self._verb = -1  # the last verb of the clause
        end = 0  # of the latest phrase
        for i, kind in enumerate(classes):
            if i < end:
                continue
            if kind not in _DECIDING and tokens[i] not in _NEGATORS:  # most words
                self._read_word(i)
            else:
                end = self._read_affirming(i) or self._read_other(i)

    def _read_word(self, i: int) -> None:
        self.negated[i] = self._is_negative
        if self._classes[i] == "v":
            self._verb = i

    def _read_affirming(self, i: int) -> int:
        """Read a phrase such as "not only", and return its end; 0 if there is none."""
        phrase = AFFIRMING_PHRASES.match(self._tokens, i)
        if phrase is None:
            return 0
        if phrase.meaning:  # "no shortage of water" denies the shortage, not the water
            self.negated[i + 1 : phrase.end] = [not self._is_negative] * (phrase.end - i - 1)
        return phrase.end

    def _read_other(self, i: int) -> int:
        """Read a negation, the end of a clause, or a word; return the position behind it."""
        token = self._tokens[i]
        kind = self._classes[i]
        is_after_negation = i > 0 and self._classes[i - 1] == "!"
        if token in NEGATING_CLAUSES:
            self._is_negative = True
            self._verb = -1
            self.n_negations += 1
        elif token in _QUOTES or (token == "yet" and is_after_negation):
            pass
        elif token in FAILURES and _has_complement(token, self._tokens[i + 1]):
            self.negated[i] = self._is_negative
            self._is_negative = not self._is_negative
            self.n_negations += 1
        elif kind in _CLAUSE_ENDS or (kind == "&" and self._classes[i + 1] in _VERBS):
            self._is_negative = False
            self._verb = -1
        elif kind == "!":
            self._read_negation(i)
        else:
            self._read_word(i)
        return i + 1

    def _read_negation(self, i: int) -> None:
        token = self._tokens[i]
        self._is_negative = not self._is_negative or token in ("nor", "neither")
        self.n_negations += 1
        if token in _NEGATING_THE_VERB and 0 <= self._verb >= i - _REACH:
            self.negated[self._verb : i] = [self._is_negative] * (i - self._verb)


def _has_complement(token: str, following: str) -> bool:
    """Return whether what a word such as "fail" negates follows: "failed to win", "free of"."""
    if token == "free":
        return following in ("of", "from")
    return following == "to"


AGENT = "agent"
PATIENT = "patient"
# Prepositions that may also begin a clause, such as "before he slept".
_CONJUNCTIONS = frozenset(["after", "as", "before", "since", "than", "until"])
# Subjects of a verb, and roles of a noun: more only make strange text slow.
_MOST_SUBJECTS = 4
_MOST_ROLES = 8


class Role(NamedTuple):
    """The role of a noun."""

    name: str  # AGENT, PATIENT or a preposition
    verb: int  # the position of the verb; -1 for a form of "be"


def find_roles(tokens: Sequence[str], classes: str) -> dict[int, list[Role]]:
    """Return the roles of each noun that has some, by its position."""
    return _RoleReader(tokens, classes).roles


class _RoleReader:
    """A sentence that has been read up to some token."""

    def __init__(self, tokens: Sequence[str], classes: str) -> None:
        self.roles: dict[int, list[Role]] = {}
        # A mark behind the last token spares tests for the end.
        self._tokens = [*tokens, ""]
        self._classes = classes + "."
        self._noun = -1  # the latest noun
        self._verb = -1  # the latest verb; -1 for a form of "be"
        self._has_verb = False  # the clause has a verb
        self._is_passive = False
        self._has_be = False  # a form of "be" stands in front of a verb
        self._is_joined = False  # "and" or a comma follows a noun
        self._preposition = ""
        self._last_preposition = ""
        self._subjects: list[int] = []  # of the latest verb
        self._objects: list[int] = []
        self._free: list[int] = []  # nouns since the latest verb that have no preposition
        self._latest: list[Role] = []  # roles of the latest noun
        for i, kind in enumerate(classes):
            if kind == "n":
                self._read_noun(i)
            elif kind in "vbx":
                self._read_verb(i)
            elif kind == "p":
                self._read_preposition(i)
            elif kind == "&":
                self._read_and(i)
            elif kind == ",":
                self._read_comma(i)
            elif kind in ".s":
                self._begin_clause()
            elif kind == "t":  # "this morning" is not an object
                self._preposition = ""

    def _read_noun(self, i: int) -> None:
        if self._classes[i + 1] in "n'" and self._tokens[i] not in PRONOUNS:
            return  # the phrase goes on
        if not (self._is_joined and self._noun >= 0):
            self._latest = self._roles_of(i)
        elif self._free and self._free[-1] == self._noun:
            self._free.append(i)
        if self._latest:
            self.roles[i] = list(self._latest)
        self._noun = i
        self._is_joined = False
        # The preposition is kept for a noun behind "and", but not for another noun.
        self._last_preposition = self._preposition
        self._preposition = ""

    def _roles_of(self, i: int) -> list[Role]:
        if self._preposition:
            is_agent = self._preposition == "by" and self._is_passive
            name = AGENT if is_agent else self._preposition
        else:
            name = PATIENT
            self._free = [i]
            if self._has_verb:
                if len(self._objects) == 1:  # "gave Mary a book": a book to Mary
                    self.roles[self._objects[0]] = [Role("to", self._verb)]
                self._objects.append(i)
        return [Role(name, self._verb)] if self._has_verb else []

    def _read_verb(self, i: int) -> None:
        kind = self._classes[i]
        if kind != "v" and self._classes[self._skip(i + 1, "r!")] in "vbx":
            if kind == "b":
                self._has_be = True
            return
        self._find_subjects(i)
        has_agent = self._tokens[i + 1] == "by" and self._noun == i - 1
        is_participle = kind == "v" and not self._tokens[i].endswith("ing")
        self._is_passive = is_participle and (self._has_be or has_agent)
        self._verb = i if kind == "v" else -1
        if kind == "b":
            self._read_predicate(i)
        role = Role(PATIENT if self._is_passive else AGENT, self._verb)
        for k in self._subjects[-_MOST_SUBJECTS:]:
            roles = self.roles.setdefault(k, [])
            if len(roles) < _MOST_ROLES:
                roles.append(role)
        self._has_verb = True
        self._has_be = False
        self._is_joined = False
        self._free = []
        self._objects = []
        self._latest = []
        self._preposition = ""

    def _skip(self, i: int, kinds: str) -> int:
        """Return the first position from i on without one of some parts of speech."""
        while self._classes[i] in kinds:
            i += 1
        return i

    def _find_subjects(self, i: int) -> None:
        free = self._free
        is_after_and = self._is_joined or self._classes[i - 1] == "&"
        if self._has_verb and len(free) > 1 and self.roles.get(free[-1]):
            # "Anna called Peter and Mary called Paul": Mary was not called.
            self._subjects = [free[-1]]
            self.roles[free[-1]] = []
        elif free and not is_after_and:
            self._subjects = free
        elif self._noun == i - 1 and self._last_preposition in _CONJUNCTIONS:
            self._subjects = [self._noun]

    def _read_predicate(self, i: int) -> None:
        """Take an adjective behind "be" for the verb, as in "is taller than Peter"."""
        k = self._skip(i + 1, "r!d")
        if self._classes[k] == "j" and self._classes[k + 1] not in "nj":
            self._verb = k

    def _read_preposition(self, i: int) -> None:
        self._preposition = self._tokens[i]  # that of an infinitive ends with its verb
        self._is_joined = False

    def _read_and(self, i: int) -> None:
        self._is_joined = self._classes[i + 1] not in "vbxs"

    def _read_comma(self, i: int) -> None:
        self._is_joined = self._noun == i - 1 and not self._preposition

    def _begin_clause(self) -> None:
        self._has_verb = False
        self._free = []
        self._is_joined = False
        self._preposition = ""
