"""Who does what to whom in a sentence, and what is negated, from parts of speech and word order.

This is no parser. It reads a sentence once from left to right and knows noun phrases, verbs,
passives, prepositions and "and", which are most of what short sentences have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skpara.features.families._function_words import NEGATIONS
from skpara.features.families._mentions import PERIODS, TIME_WORDS

AGENT, PATIENT = "agent", "patient"
BE = frozenset("be am is are was were been being 's 're 'm get gets got getting gotten".split())
AUXILIARIES = frozenset(
    "have has had having do does did doing will would shall should can could may might must ca wo "
    "sha 'll 'd 've".split()
)
_PREPOSITIONS = frozenset(
    "about above across after against along among around as at before behind below beneath beside "
    "between beyond by despite down during for from in inside into like near of off on onto out "
    "outside over past per since than through throughout to toward towards under until up upon "
    "via with within without".split()
)
_SUBORDINATORS = frozenset(
    "although because but how if so that though unless what when whenever where whereas whether "
    "which while who whom whose why yet".split()
)
_JOINING = frozenset(["and", "or", "&"])
_POSSESSIVES = frozenset("my your his its our their".split())
_PRONOUNS = frozenset(
    "i me you he him she it we us they them everybody everyone everything nobody nothing none "
    "somebody someone something anybody anyone anything".split()
)
# They negate what follows "to", as in "failed to win".
_FAILURES = frozenset(
    "fail fails failed failing refuse refuses refused refusing forget forgets forgot forgotten "
    "decline declines declined neglect neglects neglected unable".split()
)
_LACKS = frozenset("lack lacks lacked lacking avoid avoids avoided avoiding".split())
# They also negate the verb in front of them, as in "ate nothing".
_WITH_THE_VERB = frozenset("no none nobody nothing nowhere neither".split())
# Prepositions that may also begin a clause, such as "before he slept".
_CONJUNCTIONS = frozenset("after as before since than until".split())

# Words between a verb and "no", subjects of a verb, and roles of a noun: more only make
# strange text slow.
_REACH = 8
_MOST_SUBJECTS = 4
_MOST_ROLES = 8


def word_class(word: str, tag: str) -> str:
    """Return the part of speech of a lower-cased token, by its word if that is enough.

    n noun or pronoun, v verb, b form of "be", x auxiliary, j adjective, r adverb, d determiner,
    c number, t time, p preposition, s word that begins a clause, & "and", ' possessive, !
    negation, comma, full stop for other marks.
    """
    if word in NEGATIONS or word in _LACKS:
        return "!"
    if word == "'s" and tag == "PO":
        return "'"
    if word in BE:
        return "b"
    if word in AUXILIARIES:
        return "x"
    if word in _JOINING:
        return "&"
    if word == "that":
        return "d" if tag == "DT" else "s"
    if word in _SUBORDINATORS:
        return "s"
    if word in TIME_WORDS or word.removesuffix("s") in PERIODS:
        return "t"
    if word in _PREPOSITIONS and tag != "VB":  # "like" may be a verb
        return "r" if tag in ("RP", "RB") else "p"
    if word in _POSSESSIVES:
        return "d"
    if word == ",":
        return ","
    if not word[0].isalnum() and not any(map(str.isalnum, word)):
        return "."
    return _OF_TAGS.get(tag, "n" if word in _PRONOUNS else "d")


_OF_TAGS = {
    **{"NN": "n", "PR": "n", "WP": "s", "WR": "s", "VB": "v", "MD": "x", "JJ": "j", "RB": "r"},
    **{"RP": "r", "DT": "d", "CD": "c", "IN": "p", "TO": "p", "CC": "&", "PO": "'", "EX": "r"},
    **{"FW": "n", "UH": "r"},
}


class Clauses(NamedTuple):
    """What a sentence says about its tokens, which are numbered from 0."""

    negated: list[bool]
    # For each noun, its roles: agent, patient or a preposition, and the token of the verb (-1 for
    # a form of "be").
    roles: dict[int, list[tuple[str, int]]]
    nouns: dict[int, int]  # the noun that an adjective, a number or a determiner belongs to


def read_clauses(tokens: Sequence[str], codes: Sequence[str]) -> Clauses:
    """Read the lower-cased tokens of a sentence, whose parts of speech are ``codes``."""
    return Clauses(find_negated(tokens, codes), *_find_roles(tokens, codes))


def find_negated(tokens: Sequence[str], codes: Sequence[str]) -> list[bool]:
    """Return which tokens are negated: those behind a negation, up to the end of its clause."""
    negated = [False] * len(tokens)
    if "!" not in codes and _FAILURES.isdisjoint(tokens):
        return negated
    current, verb = False, -1
    for i, (token, kind) in enumerate(zip(tokens, codes, strict=True)):
        following = codes[i + 1] if i + 1 < len(codes) else "."
        if kind in ".,s" or (kind == "&" and following in "vbx"):
            current, verb = False, -1
        elif kind == "!":
            if following == "r" and tokens[i + 1] == "only":
                continue
            current = True if token in ("nor", "neither") else not current
            if token in _WITH_THE_VERB and 0 <= verb >= i - _REACH:
                for k in range(verb, i):
                    negated[k] = current
            continue
        elif token in _FAILURES and i + 1 < len(tokens) and tokens[i + 1] == "to":
            current = not current
            continue
        elif kind == "v":
            verb = i
        negated[i] = current
    return negated


def _find_roles(
    tokens: Sequence[str], codes: Sequence[str]
) -> tuple[dict[int, list[tuple[str, int]]], dict[int, int]]:
    roles: dict[int, list[tuple[str, int]]] = {}
    nouns: dict[int, int] = {}
    modifiers: list[int] = []  # of the noun phrase that is being read
    subjects: list[int] = []  # of the latest verb
    free: list[int] = []  # nouns since the latest verb that have no preposition
    latest: list[tuple[str, int]] = []  # roles of the latest noun
    noun = verb = described = -1
    has_verb = passive = be = joined = relative = False
    objects: list[int] = []
    preposition = ""
    n = len(tokens)
    for i, kind in enumerate(codes):
        following = codes[i + 1] if i + 1 < n else "."
        if kind == "n":
            if following in "n'" and tokens[i] not in _PRONOUNS:
                modifiers.append(i)
                continue
            if joined and noun >= 0:
                if free and free[-1] == noun:
                    free.append(i)
            elif preposition:
                role = AGENT if preposition == "by" and passive else preposition
                latest = [(role, verb)] if has_verb else []
            else:
                if has_verb:
                    if len(objects) == 1:  # "gave Mary a book": a book to Mary
                        roles[objects[0]] = [("to", verb)]
                    latest = [(PATIENT, verb)]
                    objects.append(i)
                else:
                    latest = []
                free = [i]
            if latest:
                roles[i] = list(latest)
            for k in modifiers:
                nouns[k] = i
            modifiers = []
            noun, joined = i, False
            # The preposition is kept for what follows "and", but not for another noun.
            last_preposition, preposition = preposition, ""
        elif kind in "vbx":
            if kind != "v":
                k = i + 1
                while k < n and codes[k] in "r!":
                    k += 1
                ahead = codes[k] if k < n else "."
                if ahead in "vbx":
                    be = be or kind == "b"
                    continue
                if kind == "b" and ahead == "n" and tokens[k] in _PRONOUNS:
                    be = True
                    continue  # a question, "Is he sleeping?"
            previous = codes[i - 1] if i else "."
            if relative:
                subjects = [noun] if noun >= 0 else []
                described = noun
            elif described >= 0 and free and not joined and previous != "&":
                # "The man who kicked the ball ran": the ball did not run.
                subjects, described = [described], -1
            elif free and has_verb and len(free) > 1 and roles.get(free[-1]):
                # "Anna called Peter and Mary called Paul": Mary was not called.
                subjects = [free[-1]]
                roles[free[-1]] = []
            elif free and previous != "&" and not joined:
                subjects = free
            elif noun == i - 1 and noun >= 0 and last_preposition in _CONJUNCTIONS:
                subjects = [noun]
            by = i + 1 < n and tokens[i + 1] == "by"
            passive = (be or (by and noun == i - 1)) and not tokens[i].endswith("ing")
            passive = passive and kind == "v"
            verb = i if kind == "v" else -1
            if kind == "b":
                k = i + 1
                while k < n and codes[k] in "r!d":
                    k += 1
                if k < n and codes[k] == "j" and not (k + 1 < n and codes[k + 1] in "nj"):
                    verb = k  # "is taller than Peter"
                    # What is taller than something else is also shorter from its side.
                    if subjects and tokens[k + 1 : k + 2] != ["than"]:
                        nouns[k] = subjects[-1]
            for k in subjects[-_MOST_SUBJECTS:]:
                of_noun = roles.setdefault(k, [])
                if len(of_noun) < _MOST_ROLES:
                    of_noun.append((PATIENT if passive else AGENT, verb))
            has_verb, be, joined, relative = True, False, False, False
            free, objects, latest, modifiers, preposition = [], [], [], [], ""
        elif kind == "p":
            if not (tokens[i] == "to" and following in "vbx"):
                preposition = tokens[i]
            modifiers, joined = [], False
        elif kind == "t":  # "this morning" is no object
            modifiers, preposition = [], ""
        elif kind == "d":
            modifiers = [i]
        elif kind in "jc":
            if i != verb:  # not "warm" of "was warm this morning"
                modifiers.append(i)
        elif kind == "&":
            joined = following not in "vbxs"
            modifiers = []
        elif kind == "s":
            relative = tokens[i] in ("who", "which", "that") and noun == i - 1
            if not relative:
                has_verb, free = False, []
            modifiers, joined, preposition = [], False, ""
        elif kind == ",":
            joined = noun == i - 1 and not preposition
            modifiers = []
        elif kind == ".":
            has_verb, free, modifiers, joined, preposition = False, [], [], False, ""
            described = -1
    return roles, nouns
