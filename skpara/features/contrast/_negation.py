"""Negation: which tokens a sentence denies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skpara.features.contrast._lexicon import (
    AFFIRMING_PHRASES,
    FAILURES,
    NEGATING_CLAUSES,
    NEGATING_PHRASES,
    NEGATING_THE_VERB,
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
# Parts of speech behind a phrase that negates: "far from clean", but "far from the station".
_DENIABLE = "vbxjr"
_NEGATORS = FAILURES | NEGATING_CLAUSES | NEGATING_PHRASES.keys


class Negations(NamedTuple):
    """Whether each token of a sentence is negated, and how many negations there are."""

    negated: list[bool]
    n_negations: int


def find_negations(tokens: Sequence[str], classes: str) -> Negations:
    """Find the tokens that are negated: those behind a negation, up to the end of its clause.

    A second negation cancels the first one, as in "never fails to call".
    """
    negated = [False] * len(tokens)
    n_negations = 0
    if "!" not in classes and _NEGATORS.isdisjoint(tokens):
        return Negations(negated, n_negations)
    is_negative = False
    verb = -1  # the last verb of the clause
    end = 0  # of the latest phrase
    behind = zip([*tokens[1:], ""], classes[1:] + ".", strict=True)
    for i, (following, following_kind) in enumerate(behind):
        token = tokens[i]
        kind = classes[i]
        if i < end:
            continue
        if kind not in _DECIDING and token not in _NEGATORS:  # most words
            negated[i] = is_negative
            verb = i if kind == "v" else verb
            continue
        affirming = AFFIRMING_PHRASES.match(tokens, i) if kind == "!" else None
        if affirming is not None:
            # "No shortage of water" denies the shortage, not the water.
            end = affirming.end
            if affirming.meaning:
                negated[i + 1 : end] = [not is_negative] * (end - i - 1)
            continue
        phrase = NEGATING_PHRASES.match(tokens, i) if token in _NEGATORS else None
        if phrase is not None and classes[phrase.end : phrase.end + 1] in _DENIABLE:
            end = phrase.end
            is_negative = not is_negative
            n_negations += 1
        elif token in NEGATING_CLAUSES:
            is_negative = True
            verb = -1
            n_negations += 1
        elif token in _QUOTES or (token == "yet" and i and classes[i - 1] == "!"):
            continue
        elif kind in _CLAUSE_ENDS or (kind == "&" and following_kind in _VERBS):
            is_negative = False
            verb = -1
        elif kind == "!":
            is_negative = not is_negative or token in ("nor", "neither")
            n_negations += 1
            if token in NEGATING_THE_VERB and 0 <= verb >= i - _REACH:
                negated[verb:i] = [is_negative] * (i - verb)
        elif token in FAILURES and _has_complement(token, following):
            negated[i] = is_negative
            is_negative = not is_negative
            n_negations += 1
        else:
            negated[i] = is_negative
            verb = i if kind == "v" else verb
    return Negations(negated, n_negations)


def _has_complement(token: str, following: str) -> bool:
    """Return whether what a word such as "fail" negates follows: "failed to win", "free of"."""
    if token == "free":
        return following in ("of", "from")
    return following == "to"
