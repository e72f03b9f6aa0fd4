"""Roles and negation of the words of a sentence, from parts of speech and word order.

This is no parser. It reads a sentence once from left to right and knows noun phrases, verbs,
passives, prepositions and "and", which is enough for most short sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

from skpara.features._families.mentions import PERIODS, TIME_WORDS
from skpara.features._families.words import NEGATIONS

AGENT, PATIENT = "agent", "patient"
_PREPOSITIONS = frozenset(
    "about above across after against along among around as at before behind below beneath beside "
    "between beyond by despite down during for from in inside into like near of off on onto out "
    "outside over past per since than through throughout to toward towards under until up upon "
    "via with within without".split()
)
_PRONOUNS = frozenset(
    "i me you he him she it we us they them everybody everyone everything nobody nothing none "
    "somebody someone something anybody anyone anything".split()
)
# They negate the words behind "to", as in "failed to win".
_FAILURES = frozenset(
    "fail fails failed failing refuse refuses refused refusing forget forgets forgot forgotten "
    "decline declines declined neglect neglects neglected unable".split()
)
# They also negate the verb in front of them, as in "ate nothing".
_WITH_THE_VERB = frozenset("no none nobody nothing nowhere neither".split())
# Prepositions that may also begin a clause, such as "before he slept".
_CONJUNCTIONS = frozenset("after as before since than until".split())
# Parts of speech that a word has whatever its tag: the first one counts.
_CLASS_OF_WORD: dict[str, str] = {}
for _class, _words in (
    ("!", [*NEGATIONS, *"lack lacks lacked lacking avoid avoids avoided avoiding".split()]),
    ("b", "be am is are was were been being 's 're 'm get gets got getting gotten".split()),
    ("x", "have has had having do does did doing will would shall should can could may".split()),
    ("x", "might must ca wo sha 'll 'd 've".split()),
    ("&", ["and", "or", "&"]),
    ("s", "although because but how if so though unless what when whenever where whereas".split()),
    ("s", "whether which while who whom whose why yet".split()),
    ("t", [*TIME_WORDS, *PERIODS, *(f"{period}s" for period in PERIODS)]),
    ("d", "my your his its our their".split()),
    (",", ","),
):
    for _word in _words:
        _CLASS_OF_WORD.setdefault(_word, _class)
_CLASS_OF_TAG = {
    **{"NN": "n", "PR": "n", "WP": "s", "WR": "s", "VB": "v", "MD": "x", "JJ": "j", "RB": "r"},
    **{"RP": "r", "DT": "d", "CD": "c", "IN": "p", "TO": "p", "CC": "&", "PO": "'", "EX": "r"},
    **{"FW": "n", "UH": "r"},
}
# Words between a verb and "no", subjects of a verb, and roles of a noun: larger numbers only make
# strange text slow.
_REACH = 8
_MOST_SUBJECTS = 4
_MOST_ROLES = 8


def word_class(word: str, tag: str) -> str:
    """Return the part of speech of a lower-cased token.

    n noun or pronoun, v verb, b form of "be", x auxiliary, j adjective, r adverb, d determiner,
    c number, t time, p preposition, s word that begins a clause, & "and", ' possessive, !
    negation, comma, full stop for other marks.
    """
    if word == "that":
        return "d" if tag == "DT" else "s"
    if word in _PREPOSITIONS and tag != "VB" and word not in NEGATIONS:  # "like" may be a verb
        return "r" if tag in ("RP", "RB") else "p"
    if word in _CLASS_OF_WORD:
        return "'" if (word, tag) == ("'s", "PO") else _CLASS_OF_WORD[word]
    if not any(map(str.isalnum, word)):
        return "."
    return _CLASS_OF_TAG.get(tag, "n" if word in _PRONOUNS else "d")


def find_negated(tokens: Sequence[str], classes: Sequence[str]) -> list[bool]:
    """Return which tokens are negated: those behind a negation, up to the end of its clause."""
    negated = [False] * len(tokens)
    if "!" not in classes and _FAILURES.isdisjoint(tokens):
        return negated
    current, verb = False, -1
    behind = zip([*classes[1:], "."], [*tokens[1:], ""], strict=True)
    for i, (token, kind, following) in enumerate(zip(tokens, classes, behind, strict=True)):
        if kind in ".,s" or (kind == "&" and following[0] in "vbx"):  # a clause ends
            current, verb = False, -1
        elif kind == "!":
            if following[1] == "only":
                continue
            current = not current or token in ("nor", "neither")
            if token in _WITH_THE_VERB and 0 <= verb >= i - _REACH:
                negated[verb:i] = [current] * (i - verb)
        elif token in _FAILURES and following[1] == "to":
            current = not current
        else:
            negated[i] = current
            verb = i if kind == "v" else verb
    return negated


Role = tuple[str, int]


class Roles:
    """The roles of nouns, read from left to right.

    A role is "agent", "patient" or a preposition, and the position of the verb (-1 for a form of
    "be").
    """

    def __init__(self, tokens: Sequence[str], classes: Sequence[str]) -> None:
        # A mark behind the last token spares tests for the end.
        self._tokens, self._classes = [*tokens, ""], [*classes, "."]
        self.of_nouns: dict[int, list[Role]] = {}
        self._subjects: list[int] = []  # of the latest verb
        self._objects: list[int] = []
        self._free: list[int] = []  # nouns since the latest verb that have no preposition
        self._latest: list[Role] = []  # roles of the latest noun
        self._noun = self._verb = self._described = -1
        self._has_verb = self._passive = self._be = self._joined = self._relative = False
        self._preposition = self._last_preposition = ""
        for i, kind in enumerate(classes):
            if kind in self._readers:
                self._readers[kind](self, i)

    def _read_noun(self, i: int) -> None:
        if self._classes[i + 1] in "n'" and self._tokens[i] not in _PRONOUNS:
            return
        if not (self._joined and self._noun >= 0):
            self._latest = self._roles_of(i)
        elif self._free and self._free[-1] == self._noun:
            self._free.append(i)
        if self._latest:
            self.of_nouns[i] = list(self._latest)
        self._noun, self._joined = i, False
        # The preposition is kept for a noun behind "and", but not for another noun.
        self._last_preposition, self._preposition = self._preposition, ""

    def _roles_of(self, i: int) -> list[Role]:
        if self._preposition:
            role = AGENT if self._preposition == "by" and self._passive else self._preposition
        else:
            role, self._free = PATIENT, [i]
            if self._has_verb:
                if len(self._objects) == 1:  # "gave Mary a book": a book to Mary
                    self.of_nouns[self._objects[0]] = [("to", self._verb)]
                self._objects.append(i)
        return [(role, self._verb)] if self._has_verb else []

    def _read_verb(self, i: int) -> None:
        kind = self._classes[i]
        if kind != "v" and self._is_auxiliary(i):
            self._be |= kind == "b"
            return
        self._find_subjects(i)
        by = self._tokens[i + 1] == "by" and self._noun == i - 1
        self._passive = kind == "v" and (self._be or by) and not self._tokens[i].endswith("ing")
        self._verb = i if kind == "v" else -1
        if kind == "b":
            self._read_predicate(i)
        for k in self._subjects[-_MOST_SUBJECTS:]:
            roles = self.of_nouns.setdefault(k, [])
            if len(roles) < _MOST_ROLES:
                roles.append((PATIENT if self._passive else AGENT, self._verb))
        self._has_verb, self._be, self._joined, self._relative = True, False, False, False
        self._free, self._objects, self._latest = [], [], []
        self._preposition = ""

    def _is_auxiliary(self, i: int) -> bool:
        k = self._skip(i + 1, "r!")
        is_question = self._classes[i] == "b" and self._tokens[k] in _PRONOUNS  # "Is he asleep?"
        return self._classes[k] in "vbx" or (is_question and self._classes[k] == "n")

    def _skip(self, i: int, kinds: str) -> int:
        while self._classes[i] in kinds:
            i += 1
        return i

    def _find_subjects(self, i: int) -> None:
        free = self._free
        after_and = self._joined or self._classes[i - 1] == "&"
        if self._relative:
            self._subjects = [self._noun] if self._noun >= 0 else []
            self._described = self._noun
        elif self._described >= 0 and free and not after_and:
            # "The man who kicked the ball ran": the ball did not run.
            self._subjects, self._described = [self._described], -1
        elif self._has_verb and len(free) > 1 and self.of_nouns.get(free[-1]):
            # "Anna called Peter and Mary called Paul": Mary was not called.
            self._subjects = [free[-1]]
            self.of_nouns[free[-1]] = []
        elif free and not after_and:
            self._subjects = free
        elif self._noun == i - 1 and self._last_preposition in _CONJUNCTIONS:
            self._subjects = [self._noun]

    def _read_predicate(self, i: int) -> None:
        """Take an adjective behind "be" for the verb, as in "is taller than Peter"."""
        k = self._skip(i + 1, "r!d")
        if self._classes[k] == "j" and self._classes[k + 1] not in "nj":
            self._verb = k

    def _read_preposition(self, i: int) -> None:
        if not (self._tokens[i] == "to" and self._classes[i + 1] in "vbx"):
            self._preposition = self._tokens[i]
        self._joined = False

    def _read_time(self, i: int) -> None:  # "this morning" is no object
        self._preposition = ""

    def _read_and(self, i: int) -> None:
        self._joined = self._classes[i + 1] not in "vbxs"

    def _read_comma(self, i: int) -> None:
        self._joined = self._noun == i - 1 and not self._preposition

    def _read_clause(self, i: int) -> None:
        self._relative = self._tokens[i] in ("who", "which", "that") and self._noun == i - 1
        if not self._relative:
            self._has_verb, self._free = False, []
        self._joined, self._preposition = False, ""

    def _read_end(self, i: int) -> None:
        self._has_verb, self._joined, self._preposition = False, False, ""
        self._free, self._described = [], -1

    _readers = {
        **{"n": _read_noun, "v": _read_verb, "b": _read_verb, "x": _read_verb},
        **{"p": _read_preposition, "t": _read_time, "&": _read_and, "s": _read_clause},
        **{",": _read_comma, ".": _read_end},
    }
