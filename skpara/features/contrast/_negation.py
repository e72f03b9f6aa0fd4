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
    if "!" not in classes and _NEGATORS.isdisjoint(tokens):
        return Negations([False] * len(tokens), 0)
    reader = _Reader(tokens, classes)
    return Negations(reader.negated, reader.n_negations)


class _Reader:
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
                end = self._read_affirming(i) or self._read_phrase(i) or self._read_other(i)

    def _read_word(self, i: int) -> None:
        self.negated[i] = self._is_negative
        if self._classes[i] == "v":
            self._verb = i

    def _read_affirming(self, i: int) -> int:
        """Read a phrase such as "not only", and return its end; 0 if there is none."""
        if self._classes[i] != "!":
            return 0
        phrase = AFFIRMING_PHRASES.match(self._tokens, i)
        if phrase is None:
            return 0
        if phrase.meaning:  # "no shortage of water" denies the shortage, not the water
            self.negated[i + 1 : phrase.end] = [not self._is_negative] * (phrase.end - i - 1)
        return phrase.end

    def _read_phrase(self, i: int) -> int:
        """Read a phrase such as "far from", and return its end; 0 if there is none."""
        token = self._tokens[i]
        phrase = NEGATING_PHRASES.match(self._tokens, i) if token in _NEGATORS else None
        if phrase is None or self._classes[phrase.end] not in _DENIABLE:
            return 0
        self._is_negative = not self._is_negative
        self.n_negations += 1
        return phrase.end

    def _read_other(self, i: int) -> int:
        """Read a negation, the end of a clause, or a word; return the position behind it."""
        token = self._tokens[i]
        kind = self._classes[i]
        if token in NEGATING_CLAUSES:
            self._is_negative = True
            self._verb = -1
            self.n_negations += 1
        elif self._is_skipped(i):
            pass
        elif kind in _CLAUSE_ENDS or (kind == "&" and self._classes[i + 1] in _VERBS):
            self._is_negative = False
            self._verb = -1
        elif kind == "!":
            self._read_negation(i)
        elif token in FAILURES and _has_complement(token, self._tokens[i + 1]):
            self.negated[i] = self._is_negative
            self._is_negative = not self._is_negative
            self.n_negations += 1
        else:
            self._read_word(i)
        return i + 1

    def _is_skipped(self, i: int) -> bool:
        """Return whether a token is a quotation mark, or the "yet" of "not yet"."""
        token = self._tokens[i]
        return token in _QUOTES or (token == "yet" and i > 0 and self._classes[i - 1] == "!")

    def _read_negation(self, i: int) -> None:
        token = self._tokens[i]
        self._is_negative = not self._is_negative or token in ("nor", "neither")
        self.n_negations += 1
        if token in NEGATING_THE_VERB and 0 <= self._verb >= i - _REACH:
            self.negated[self._verb : i] = [self._is_negative] * (i - self._verb)


def _has_complement(token: str, following: str) -> bool:
    """Return whether what a word such as "fail" negates follows: "failed to win", "free of"."""
    if token == "free":
        return following in ("of", "from")
    return following == "to"
