"""Negation: which tokens a sentence denies."""

from __future__ import annotations

from collections.abc import Sequence

from skpara.features.contrast._lexicon import FAILURES, NEGATING_THE_VERB

# Words between a verb and "no", as in "ate almost no": more only make strange text slow.
_REACH = 8
# Parts of speech with which a new clause begins, and behind which an "and" begins one.
_CLAUSE_ENDS = ".,s"
_VERBS = "vbx"


def find_negated(tokens: Sequence[str], classes: str) -> list[bool]:
    """Return which tokens are negated: those behind a negation, up to the end of its clause."""
    negated = [False] * len(tokens)
    if "!" not in classes and FAILURES.isdisjoint(tokens):
        return negated
    is_negative = False
    verb = -1  # the last verb of the clause
    behind = zip([*tokens[1:], ""], classes[1:] + ".", strict=True)
    for i, (following, following_kind) in enumerate(behind):
        token = tokens[i]
        kind = classes[i]
        if kind in _CLAUSE_ENDS or (kind == "&" and following_kind in _VERBS):
            is_negative = False
            verb = -1
        elif kind == "!":
            if following == "only":  # "not only"
                continue
            is_negative = not is_negative or token in ("nor", "neither")
            if token in NEGATING_THE_VERB and 0 <= verb >= i - _REACH:
                negated[verb:i] = [is_negative] * (i - verb)
        elif token in FAILURES and _has_complement(token, following):
            is_negative = not is_negative
        else:
            negated[i] = is_negative
            verb = i if kind == "v" else verb
    return negated


def _has_complement(token: str, following: str) -> bool:
    """Return whether what a word such as "fail" negates follows: "failed to win", "free of"."""
    if token == "free":
        return following in ("of", "from")
    return following == "to"
