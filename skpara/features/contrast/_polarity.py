"""Detectors of what a sentence denies, asks or limits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skpara._typing import Bools
from skpara.features.contrast._alignment import GROUPS, AlignedPairs
from skpara.features.contrast._comparison import MOST_CHANGED, Comparison
from skpara.features.contrast._detector import (
    HINT,
    REASON,
    Detector,
    Difference,
)
from skpara.features.contrast._lexicon import (
    DENIALS,
    NEGATION_RAISING,
)
from skpara.features.contrast._sentences import Form, Sentence
from skpara.features.contrast._tokens import Mark

# Parts of speech of predicates: verbs, adjectives and adverbs.
_PREDICATES = frozenset("vjr")
# Words of "not until", which means "only when", and of "nobody but".
_LIMITS = frozenset(["until", "till", "unless", "before", "without", "except", "but"])
# Words that differ where a negation moves, such as "did".
_MOST_OF_AUXILIARIES = 2
# A form of "be" and words between it and a noun that it says something with.
_NOMINAL = re.compile("b[!djnr]*$")
# Words that differ between a question and a statement, such as "did".
_MOST_OF_QUESTIONS = 2
_NEGATING_PREFIXES = ("un", "in", "im", "ir", "non", "dis")
_NEGATING_ENDINGS = ("less", "lessly")


class Negation(Detector):
    """Words that only one side negates."""

    name = "negation"
    columns = ("negation_flip",)
    different = (
        ("I like pizza.", "I don't like pizza."),
        ("The train stopped here.", "The train failed to stop here."),
        ("He leaves if he pays.", "He leaves unless he pays."),
    )
    same = (
        ("He did not eat any pizza.", "He ate no pizza."),
        ("He leaves unless he pays.", "He leaves if he does not pay."),
        ("She did not only sing, she danced.", "She sang, she danced."),
        ("The train didn't stop.", "The train failed to stop."),
        ("I do not think he came.", "I think he did not come."),
        ("It will no longer sell tickets.", "It will stop selling tickets."),
    )

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MODAL)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        negated = comparison.first.negated
        other_negated = comparison.second.negated
        if not (any(negated) or any(other_negated)):
            return
        found = self._find_words(comparison)
        if not found or self._is_made_up_for(comparison) or comparison.is_denied_twice:
            return
        if self._is_moved(comparison, found):
            places, other_places = zip(*found, strict=True)
            yield Difference("negation_flip", places, other_places)
            return
        n_negations = comparison.first.n_negations + comparison.second.n_negations
        is_one_sided = any(negated) != any(other_negated) or n_negations % 2 == 1
        is_reason = (
            is_one_sided
            and comparison.n_changed <= MOST_CHANGED
            and not self._is_denied_otherwise(comparison, found)
        )
        places, other_places = zip(*found, strict=True)
        yield Difference("negation_flip", places, other_places, REASON if is_reason else HINT)

    def _is_moved(self, comparison: Comparison, found: list[tuple[int, int]]) -> bool:
        """Return whether each side negates another verb, and nothing else differs.

        "I did not say she left" and "I said she did not leave".
        """
        first = comparison.first
        if any(first.bases[i] in NEGATION_RAISING for i, _ in found):
            return False
        are_first = {first.negated[i] for i, _ in found}
        are_verbs = all(first.classes[i] == "v" for i, _ in found)
        if not comparison.n_changed:  # "tea, not milk" and "milk, not tea"
            are_verbs = True
        is_moved = len(are_first) == 2
        return is_moved and are_verbs and comparison.n_changed <= _MOST_OF_AUXILIARIES

    def _is_denied_otherwise(self, comparison: Comparison, found: list[tuple[int, int]]) -> bool:
        """Return whether the other side may deny the same in other words.

        "It will no longer sell tickets" and "It will stop selling tickets".
        """
        first = comparison.first
        second = comparison.second
        are_first = {first.negated[i] for i, _ in found}
        if len(are_first) > 1:
            return False
        if are_first == {True}:
            return self._denies(second, first)
        return self._denies(first, second)

    def _denies(self, side: Sentence, other: Sentence) -> bool:
        """Return whether a side has a word that denies something and that the other side lacks."""
        if "only" in side.tokens and not _LIMITS.isdisjoint(other.tokens):
            return True  # "only if he pays" is "not unless he pays"
        known = {*other.bases, *other.tokens}
        for k, base in enumerate(side.bases):
            if base in DENIALS and base not in known and (base != "end" or side.classes[k] == "v"):
                return True
            if not known.isdisjoint(_without_negation(side.tokens[k])):
                return True
        return False

    def _find_words(self, comparison: Comparison) -> list[tuple[int, int]]:
        """Return the predicates that one side negates, or else the nouns."""
        first = comparison.first
        second = comparison.second
        equal = []  # predicates that both sides negate, or neither
        predicates = []
        nouns = []
        for i, j in comparison.aligned:
            if (i, j) in comparison.opposed:
                continue
            differs = first.negated[i] != second.negated[j]
            if _is_predicate(first, i) or _is_predicate(second, j):
                if differs:
                    predicates.append((i, j))
                else:
                    equal.append((i, j))
            elif differs:
                nouns.append((i, j))
        if predicates:
            return predicates
        # Which nouns are behind a negated verb depends on the order of words.
        has_opposite_negation = any(
            first.classes[i] == "!" or second.classes[j] == "!" for i, j in comparison.opposed
        )
        # "Tea, not milk" and "milk, not tea".
        are_exchanged = len({first.negated[i] for i, _ in nouns}) > 1 and not comparison.n_changed
        is_all = not equal or comparison.n_changed == 1 or has_opposite_negation
        is_of_nouns = is_all or are_exchanged
        return nouns if is_of_nouns else []

    def _is_made_up_for(self, comparison: Comparison) -> bool:
        """Return whether an opposite is negated: "not possible to win" is "impossible to win"."""
        first = comparison.first
        second = comparison.second
        return any(
            first.classes[i] in GROUPS and first.negated[i] != second.negated[j]
            for i, j in comparison.opposed
        )


def _is_predicate(side: Sentence, i: int) -> bool:
    """Return whether a word says something: no adjective in front of a noun, as in "red spots"."""
    kind = side.classes[i]
    if kind == "n":  # "was not a guard"
        return bool(_NOMINAL.search(side.classes, 0, i))
    return kind in "vr" or (kind == "j" and side.classes[i + 1 : i + 2] not in ("n", "j"))


def _without_negation(token: str) -> Iterator[str]:
    """Yield a word without the part that negates it: "paid" for "unpaid", "aim" for "aimless"."""
    for ending in _NEGATING_ENDINGS:
        if token.endswith(ending):
            yield token.removesuffix(ending)
    for prefix in _NEGATING_PREFIXES:
        if token.startswith(prefix):
            yield token.removeprefix(prefix)


class Questions(Detector):
    """A question whether something is so, and the statement that it is."""

    name = "questions"
    columns = ("scope_flip",)
    different = (
        ("Is the pool open?", "The pool is open."),
        ("Did you pay the bill?", "You paid the bill."),
    )
    same = (("Can you send the file?", "You can send the file."),)

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.n_changed <= _MOST_OF_QUESTIONS

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        if (first.form is Form.QUESTION) == (second.form is Form.QUESTION):
            return
        question, other = (first, second) if first.form is Form.QUESTION else (second, first)
        # "Could you send it?" asks to send it, and "You paid?" may be a statement.
        is_inverted = question.classes[:1] in ("b", "x") and question.tokens[1:2] != ["you"]
        is_inverted = is_inverted or question.tokens[:2] == ["did", "you"]
        n_words = [
            sum(side.is_word(k) for k in range(len(side.tokens))) for side in (first, second)
        ]
        is_all = n_words == [len(comparison.partner)] * 2
        if is_inverted and other.tokens[-1:] == ["."] and is_all:
            yield Difference("scope_flip", (0,), (0,))
