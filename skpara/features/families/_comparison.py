"""What differs between two sentences whose words are aligned."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import OSA

from skpara.features._batch import WORDNET_POS
from skpara.features._lists import Lists
from skpara.features.families._clauses import AGENT, PATIENT, Clauses
from skpara.resources import WordNet

# Who sells gives to who buys: exchanged roles undo the exchange of the verb.
_CONVERSE = frozenset(
    frozenset(pair.split("/"))
    for pair in "buy/sell give/receive lend/borrow teach/learn send/receive".split()
)
# Verbs whose subject and object may be exchanged.
_MUTUAL = frozenset(
    "marry meet resemble equal match fight play talk speak argue agree compete cooperate join "
    "connect border".split()
)
# Wrong letters of a misspelled word, by its length. Longer words are none.
_MISSPELLED = ((8, 2), (4, 1))
_LONGEST = 30
# Words of each side without a counterpart that are compared with each other.
_MOST_COMPARED = 8
# How near a noun is to the negation that negates it, as in "without a red hat".
_NEAR = 3
_PREDICATES = frozenset("vjr")
_GROUPS = {"n": 0, "t": 0, "v": 1, "j": 2, "r": 2}  # nouns, verbs, descriptions


class Reading(NamedTuple):
    """What one token list says."""

    tokens: Sequence[str]  # lower-cased
    codes: Sequence[str]
    bases: Sequence[str]
    words: Sequence[int]  # places of the words that are aligned
    clauses: Clauses
    numbers: Mapping[float, int]
    times: Mapping[str, Set[Any]]
    names: Mapping[int, str]
    quantifiers: Sequence[tuple[tuple[str, str], int]]


class Match(NamedTuple):
    """Two words that are aligned, by their places, and whether they mean the same."""

    first: int
    second: int
    similar: float
    same: bool


class Speller:
    """Whether two words that no vectors align are synonyms, or one misspells the other."""

    def __init__(self, wordnet: WordNet, candidates: Set[tuple[str, str]]) -> None:
        self._wordnet = wordnet
        self._known: dict[str, bool] = {}
        ordered = list(candidates)
        names, numbers = Lists.of(ordered)
        similar = wordnet.similarities(names, *numbers.ids.reshape(-1, 2).T)
        self.synonyms = {ordered[k] for k in np.flatnonzero(similar == 1).tolist()}

    def _is_known(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            known = any(self._wordnet.base_forms(word, pos) for pos in WORDNET_POS.values())
            self._known[word] = known
        return known

    def misspells(self, first: str, second: str) -> bool:
        """Return whether one word is a misspelling of the other: WordNet lacks one of them."""
        length = max(len(first), len(second))
        most = next((wrong for least, wrong in _MISSPELLED if length >= least), 0)
        return (
            length <= _LONGEST
            and OSA.distance(first, second, score_cutoff=most) <= most
            and first.isalpha()
            and second.isalpha()
            and not (self._is_known(first) and self._is_known(second))
        )


class PairComparison:
    """Two readings and how their words correspond."""

    def __init__(
        self,
        first: Reading,
        second: Reading,
        matches: Sequence[Match],
        opposed: Set[tuple[int, int]],
    ) -> None:
        self.first, self.second = first, second
        self.matches, self.opposed = matches, opposed
        # The word of the second side that belongs to a word of the first one.
        self.partner = {match.first: match.second for match in matches}
        self.partners = set(self.partner.values())
        for i, j in sorted(opposed, key=_from_both_sides) if opposed else ():
            self._pair_up(i, j)
        self.rest = (
            [i for i in first.words if i not in self.partner],
            [j for j in second.words if j not in self.partners],
        )

    def _pair_up(self, i: int, j: int) -> bool:
        """Make two words partners unless one of them has a partner."""
        if i in self.partner or j in self.partners:
            return False
        self.partner[i] = j
        self.partners.add(j)
        return True

    def candidates(self) -> list[tuple[str, str]]:
        """Return the words that may be synonyms."""
        first, second = self.first, self.second
        return [
            (first.bases[i], second.bases[j])
            for i in self.rest[0][:_MOST_COMPARED]
            for j in self.rest[1][:_MOST_COMPARED]
            if first.codes[i] == second.codes[j]
        ]

    def compare(self, speller: Speller) -> list[float]:
        """Return the features in the order of the family's ``NAMES``."""
        first, second = self.first, self.second
        words = self._words(speller)
        swapped, kept, converse = self._roles()
        negation, antonyms, negated = self._polarity(converse)
        modifiers = self._modifiers()
        number, number_added = self._numbers()
        time, time_added = _time_changes(first.times, second.times)
        name, name_added = self._names(speller)
        quantifier, quantifier_added = self._quantifiers()
        flips = negation, antonyms > 0, swapped, modifiers, number, time, name, quantifier
        return [
            *(negation, antonyms, negated, swapped, kept, modifiers, number, number_added),
            *(time, time_added, name, name_added, quantifier, quantifier_added),
            *(sum(flips), *words),
        ]

    def _words(self, speller: Speller) -> list[float]:
        """Count the words that are kept, changed and added; pair up those without vectors."""
        first, second = self.first, self.second
        changes: tuple[list[float], ...] = ([], [], [])
        n_same = n_misspelled = 0
        for i, j, similar, same in self.matches:
            if same:
                n_same += 1
            elif speller.misspells(first.bases[i], second.bases[j]):
                n_same += 1
                n_misspelled += 1
            elif (i, j) not in self.opposed:
                for kind in (first.codes[i], second.codes[j]):
                    changes[_GROUPS[kind]].append((1 - similar) / 2)
        if self.rest[0] and self.rest[1]:
            ranges = [range(min(len(side), _MOST_COMPARED)) for side in self.rest]
            compared = [(a, b) for a in ranges[0] for b in ranges[1]]
            for a, b in sorted(compared, key=_from_both_sides):
                i, j = self.rest[0][a], self.rest[1][b]
                if i in self.partner or j in self.partners:
                    continue
                words = first.bases[i], second.bases[j]
                is_synonym = words in speller.synonyms and first.codes[i] == second.codes[j]
                if is_synonym or speller.misspells(*words):
                    self._pair_up(i, j)
                    n_same += 1
                    n_misspelled += not is_synonym
        counts = [0, 0, 0], [0, 0, 0]
        for i in self.rest[0]:
            counts[0][_GROUPS[first.codes[i]]] += i not in self.partner
        for j in self.rest[1]:
            counts[1][_GROUPS[second.codes[j]]] += j not in self.partners
        shared = [min(pair) for pair in zip(*counts, strict=True)]
        changed = [n + math.fsum(losses) for n, losses in zip(shared, changes, strict=True)]
        added = sum(map(sum, counts)) - 2 * sum(shared)
        n_words = len(first.words) + len(second.words)
        kept = 2 * n_same / n_words if n_words else 1.0
        return [kept, *changed, float(added), float(n_misspelled)]

    def _roles(self) -> tuple[float, float, bool]:
        """Return how far roles are exchanged, how many are kept, and if verbs explain it."""
        first, second = self.first, self.second
        kept, changes, converse = 0, set(), False
        for i, roles in first.clauses.roles.items():
            others = second.clauses.roles.get(self.partner.get(i, -1), ())
            for (role, verb), (other, other_verb) in product(roles, others):
                if (verb if verb < 0 else self.partner.get(verb)) != other_verb:
                    continue
                if first.codes[verb] != second.codes[other_verb] and verb >= 0:
                    continue  # "is open" and "is closed", a passive
                if role == other:
                    kept += 1
                elif (other, verb) in roles or (role, other_verb) in others:
                    continue  # a noun may have both roles
                elif verb >= 0 and self._explains(verb, other_verb, role, other):
                    converse = True
                else:
                    changes.add((role, other))
        swapped = any((after, before) in changes for before, after in changes)
        if not swapped and not changes.isdisjoint(((AGENT, PATIENT), (PATIENT, AGENT))):
            return 0.5, float(kept), converse
        return float(swapped), float(kept), converse

    def _explains(self, verb: int, other_verb: int, role: str, other: str) -> bool:
        """Whether exchanged roles mean the same: "marry", "buy" and "sell", "taller" ..."""
        first, second = self.first.bases[verb], self.second.bases[other_verb]
        if first == second:
            return first in _MUTUAL
        return frozenset((first, second)) in _CONVERSE or (
            "than" in (role, other) and (verb, other_verb) in self.opposed
        )

    def _polarity(self, converse: bool) -> tuple[float, float, float]:
        """Return whether a word is negated on one side only, and the numbers of opposites."""
        first, second = self.first, self.second
        negated = first.clauses.negated, second.clauses.negated
        antonyms = negated_antonyms = 0
        for i, j in self.opposed:
            kinds = first.codes[i], second.codes[j]
            if kinds[0] != kinds[1] and not _GROUPS.keys() >= set(kinds):
                continue  # "turned out" and "in the end"
            if "p" in kinds and not self._have_same_noun(i, j):
                continue
            if negated[0][i] != negated[1][j]:
                negated_antonyms += 1
            elif not converse:
                antonyms += 1
        predicates = [0, 0]  # with equal and with different polarity
        nouns = near = 0
        if True in negated[0] or True in negated[1]:
            for i, j, _, _ in self.matches:
                if (i, j) in self.opposed:
                    continue
                differs = negated[0][i] != negated[1][j]
                if first.codes[i] in _PREDICATES or second.codes[j] in _PREDICATES:
                    predicates[differs] += 1
                elif differs:
                    nouns += 1
                    codes, k = (first.codes, i) if negated[0][i] else (second.codes, j)
                    near += "!" in codes[max(0, k - _NEAR) : k]
        # Which nouns are behind a negated verb depends on the order of words.
        flip = predicates[1] > 0 or near > predicates[0] or (nouns > 0 and not predicates[0])
        return float(flip), float(antonyms), float(negated_antonyms)

    def _have_same_noun(self, i: int, j: int) -> bool:
        """Whether two prepositions belong to nouns that are partners."""
        first, second = self.first, self.second
        return any(
            any(role == first.bases[i] for role, _ in roles)
            and any(
                role == second.bases[j]
                for role, _ in second.clauses.roles.get(self.partner.get(noun, -1), ())
            )
            for noun, roles in first.clauses.roles.items()
        )

    def _modifiers(self) -> float:
        """Return 1 where an adjective or a name belongs to another noun of both sides."""
        nouns = self.second.clauses.nouns
        for k, noun in self.first.clauses.nouns.items():
            other = nouns.get(self.partner.get(k, -1))
            expected = self.partner.get(noun)
            if other != expected and expected is not None and other in self.partners:
                return 1.0
        return 0.0

    def _numbers(self) -> tuple[float, float]:
        first, second = self.first.numbers, self.second.numbers
        if not first and not second:
            return 0.0, 0.0
        only = len(first.keys() - second.keys()), len(second.keys() - first.keys())
        flip = min(only) > 0
        for value in first.keys() & second.keys():
            expected, noun = self.partner.get(first[value]), second[value]
            flip |= expected is not None and noun in self.partners and noun != expected
        return float(flip), float(min(only) == 0 < max(only))

    def _names(self, speller: Speller) -> tuple[float, float]:
        first, second = set(self.first.names.values()), set(self.second.names.values())
        if not first and not second:
            return 0.0, 0.0
        # A name may be written in small letters on the other side.
        only = (
            sorted(first.difference(second, self.second.tokens))[:_MOST_COMPARED],
            sorted(second.difference(first, self.first.tokens))[:_MOST_COMPARED],
        )
        sizes = [
            sum(not any(speller.misspells(a, b) for b in others) for a in names)
            for names, others in (only, only[::-1])
        ]
        return float(min(sizes) > 0), float(min(sizes) == 0 < max(sizes))

    def _quantifiers(self) -> tuple[float, float]:
        sides = self.first.quantifiers, self.second.quantifiers
        if not any(sides):
            return 0.0, 0.0
        kinds = [Counter(kind for kind, _ in side) for side in sides]
        only = kinds[0] - kinds[1], kinds[1] - kinds[0]
        flip = any(a[1] == b[1] for a in only[0] for b in only[1])
        of_nouns: list[defaultdict[int, set[tuple[str, str]]]] = []
        for side in sides:
            of_nouns.append(defaultdict(set))
            for kind, noun in side:
                of_nouns[-1][noun].add(kind)
        for noun, kinds_of_noun in of_nouns[0].items():
            others = of_nouns[1].get(self.partner.get(noun, -2))
            flip |= others is not None and others.isdisjoint(kinds_of_noun)
        return float(flip), float(not flip and bool(only[0] or only[1]))


def _from_both_sides(cell: tuple[int, int]) -> tuple[int, int]:
    """Order places of two sides so that exchanging the sides changes nothing."""
    return sum(cell), abs(cell[0] - cell[1])


def _time_changes(
    first: Mapping[str, Set[Any]], second: Mapping[str, Set[Any]]
) -> tuple[float, float]:
    """Return whether times differ, and whether one side has more."""
    flip = added = False
    for kind in first.keys() | second.keys():
        one, other = first.get(kind, frozenset()), second.get(kind, frozenset())
        if kind == "clock":
            only = _other_clocks(one, other), _other_clocks(other, one)
        else:
            only = len(one - other), len(other - one)
        flip |= min(only) > 0
        added |= min(only) == 0 < max(only)
    return float(flip), float(added)


def _other_clocks(clocks: Set[Any], others: Set[Any]) -> int:
    """Count the times of day that others lack; a time without "am" and "pm" may be either."""
    return sum(
        not any(
            time == other and (half == other_half or half is None or other_half is None)
            for other, other_half in others
        )
        for time, half in clocks
    )
