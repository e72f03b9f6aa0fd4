"""Roles of nouns: who does what to whom.

This is no parser. Roles are read once from left to right, from parts of speech and word order. It
knows noun phrases, verbs, passives, prepositions and "and", which is enough for most short
sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skpara.features.contrast._lexicon import PRONOUNS

AGENT = "agent"
PATIENT = "patient"
# Prepositions that may also begin a clause, such as "before he slept".
_CONJUNCTIONS = frozenset(["after", "as", "before", "since", "than", "until"])
_RELATIVE_PRONOUNS = frozenset(["who", "which", "that"])
# Subjects of a verb, and roles of a noun: more only make strange text slow.
_MOST_SUBJECTS = 4
_MOST_ROLES = 8


class Role(NamedTuple):
    """The role of a noun."""

    name: str  # AGENT, PATIENT or a preposition
    verb: int  # the position of the verb; -1 for a form of "be"


def find_roles(tokens: Sequence[str], classes: str) -> dict[int, list[Role]]:
    """Return the roles of each noun that has some, by its position."""
    return _Reader(tokens, classes).roles


class _Reader:
    """A sentence that has been read up to some token."""

    def __init__(self, tokens: Sequence[str], classes: str) -> None:
        self.roles: dict[int, list[Role]] = {}
        # A mark behind the last token spares tests for the end.
        self._tokens = [*tokens, ""]
        self._classes = classes + "."
        self._noun = -1  # the latest noun
        self._verb = -1  # the latest verb; -1 for a form of "be"
        self._described = -1  # the noun that a relative clause describes
        self._has_verb = False  # the clause has a verb
        self._is_passive = False
        self._has_be = False  # a form of "be" stands in front of a verb
        self._is_joined = False  # "and" or a comma follows a noun
        self._is_relative = False  # in a relative clause
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
            elif kind == ".":
                self._read_end()
            elif kind == "&":
                self._read_and(i)
            elif kind == ",":
                self._read_comma(i)
            elif kind == "s":
                self._read_clause(i)
            elif kind == "t":  # "this morning" is no object
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
        if kind != "v" and self._is_auxiliary(i):
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
        self._is_relative = False
        self._free = []
        self._objects = []
        self._latest = []
        self._preposition = ""

    def _is_auxiliary(self, i: int) -> bool:
        k = self._skip(i + 1, "r!")
        if self._classes[k] in "vbx":
            return True
        is_be = self._classes[i] == "b"
        return is_be and self._classes[k] == "n" and self._tokens[k] in PRONOUNS  # "Is he asleep?"

    def _skip(self, i: int, kinds: str) -> int:
        """Return the first position from i on without one of some parts of speech."""
        while self._classes[i] in kinds:
            i += 1
        return i

    def _find_subjects(self, i: int) -> None:
        free = self._free
        is_after_and = self._is_joined or self._classes[i - 1] == "&"
        if self._is_relative:
            self._subjects = [self._noun] if self._noun >= 0 else []
            self._described = self._noun
        elif self._described >= 0 and free and not is_after_and:
            # "The man who kicked the ball ran": the ball did not run.
            self._subjects = [self._described]
            self._described = -1
        elif self._has_verb and len(free) > 1 and self.roles.get(free[-1]):
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
        is_infinitive = self._tokens[i] == "to" and self._classes[i + 1] in "vbx"
        if not is_infinitive:
            self._preposition = self._tokens[i]
        self._is_joined = False

    def _read_and(self, i: int) -> None:
        self._is_joined = self._classes[i + 1] not in "vbxs"

    def _read_comma(self, i: int) -> None:
        self._is_joined = self._noun == i - 1 and not self._preposition

    def _read_clause(self, i: int) -> None:
        is_behind_noun = self._noun == i - 1
        self._is_relative = is_behind_noun and self._tokens[i] in _RELATIVE_PRONOUNS
        if not self._is_relative:
            self._has_verb = False
            self._free = []
        self._is_joined = False
        self._preposition = ""

    def _read_end(self) -> None:
        self._has_verb = False
        self._is_joined = False
        self._preposition = ""
        self._free = []
        self._described = -1
