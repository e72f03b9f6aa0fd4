"""Function words that change whether a clause is true: "almost", "only if", "would have"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skpara.features.contrast._lexicon import SCOPE_PHRASES, Operator

# Words in front of "have" and a participle, as in "could have won".
_UNREAL = frozenset(["would", "could", "should", "'d", "might"])
_HAVE = frozenset(["have", "'ve"])
# What the past of such a word does to a clause.
_NOT_SO = Operator("fact", "not so")
_KEYS = SCOPE_PHRASES.keys | _UNREAL
# Parts of speech behind words that else have another meaning: "in May", "all but Tom", "try it".
# Words that are phrases of the list unless a form of "be" precedes: "is used to it".
_NOT_BEHIND_BE = frozenset(["use"])
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
                continue
            if following in _FOLLOWING.get(base, following):
                yield Scope(phrase.meaning, phrase.start, end)


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
