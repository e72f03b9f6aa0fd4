"""Function words that change whether a clause is true: "almost", "only if", "would have"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skpara.features.contrast._lexicon import SCOPE_PHRASES, TWO_COMPLEMENTS, Operator

# Words in front of "have" and a participle, as in "could have won".
_UNREAL = frozenset(["would", "could", "should", "'d", "might"])
_HAVE = frozenset(["have", "'ve"])
# What the past of such a word does to a clause.
_NOT_SO = Operator("fact", "not so")
# "In case it rains, we stay", unlike "Take a coat in case it rains".
_IF = Operator("condition", "if")
# "I am used to it", unlike "I used to do it".
_ACCUSTOMED = Operator("fact", "accustomed")
_KEYS = SCOPE_PHRASES.keys | _UNREAL | TWO_COMPLEMENTS
# Words that are phrases of the list unless a form of "be" precedes: "is used to it".
_NOT_BEHIND_BE = frozenset(["use"])
# Parts of speech behind words that else have another meaning: "in May", "all but Tom", "try it".
_FOLLOWING = {
    "may": "vbxr!",
    "all": "vj",
    "try": "pv",
    "attempt": "pv",
    "wish": "nsd",
    "use": "v",
    "consider": "v",
    "think": "v",
    "go": "vb",
}
# Words between the parts of such a form, as in "could easily have won".
_MOST_BETWEEN = 2


class Scope(NamedTuple):
    """A word or phrase that changes a clause, and the position of the first word of the clause."""

    operator: Operator
    start: int
    end: int


def find_scopes(tokens: Sequence[str], bases: Sequence[str], classes: str) -> Iterator[Scope]:
    """Find the words and phrases of a list, and forms such as "could have won"."""
    end = 0
    for i, token in enumerate(tokens):
        base = bases[i]
        if i < end or not (token in _KEYS or base in _KEYS):
            continue
        complement = _find_complement(tokens, classes, i + 1) if base in TWO_COMPLEMENTS else ""
        if complement:
            end = i + 1
            yield Scope(Operator("complement", complement), i, end)
            continue
        participle = _skip_have(tokens, classes, i + 1) if token in _UNREAL else 0
        if participle:
            end = participle
            yield Scope(_NOT_SO, i, end)
            continue
        phrase = SCOPE_PHRASES.match(tokens, i) or SCOPE_PHRASES.match(bases, i)
        if phrase is not None:
            end = phrase.end
            following = classes[end : end + 1]
            if base in _NOT_BEHIND_BE and i > 0 and classes[i - 1] in "bx":
                yield Scope(_ACCUSTOMED, phrase.start, end)
                continue
            if following in _FOLLOWING.get(base, following):
                is_if = phrase.meaning.value == "in case" and phrase.start == 0
                yield Scope(_IF if is_if else phrase.meaning, phrase.start, end)


def _find_complement(tokens: Sequence[str], classes: str, i: int) -> str:
    """Return whether an infinitive or a participle is at a position; "" for neither."""
    if tokens[i : i + 1] == ["to"] and classes[i + 1 : i + 2] in ("v", "b"):
        return "infinitive"
    is_participle = classes[i : i + 1] == "v" and tokens[i].endswith("ing")
    return "participle" if is_participle else ""


def _skip_have(tokens: Sequence[str], classes: str, i: int) -> int:
    """Return the position of the participle behind "have"; 0 if there is none."""
    start = i
    while i < min(len(tokens), start + _MOST_BETWEEN) and classes[i] in "r!":
        i += 1
    if i >= len(tokens) or tokens[i] not in _HAVE:
        return 0
    i += 1
    while i < len(tokens) and classes[i] == "r":
        i += 1
    is_participle = i < len(tokens) and (classes[i] == "v" or tokens[i] in ("been", "had"))
    return i if is_participle else 0
