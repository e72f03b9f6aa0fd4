"""What turns the meaning of a sentence around though most of its words stay the same."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

from skpara._typing import Floats
from skpara.features._batch import WORDNET_POS, Family, PairBatch, row_norms
from skpara.features._lists import MOST_WORDS, Lists, align_cells, cell_cosines, cells, parts
from skpara.features.families._alignment import (
    NEIGHBOR_WEIGHT,
    WINDOW,
    word_similarities,
)
from skpara.features.families._clauses import AGENT, PATIENT, Clauses, read_clauses, word_class
from skpara.features.families._mentions import (
    QUANTIFIERS,
    TIME_WORDS,
    find_names,
    find_numbers_and_times,
    find_quantifiers,
)
from skpara.resources import WordNet

NAMES = (
    *("negation_flip", "antonym_flip", "antonym_negated", "roles_swapped", "roles_kept"),
    *("modifiers_swapped", "number_flip", "number_added", "time_flip", "time_added"),
    *("name_flip", "name_added", "quantifier_flip", "quantifier_added", "flips"),
    *("words_kept", "nouns_changed", "verbs_changed", "descriptions_changed"),
    *("words_added", "words_misspelled"),
)


def _both_ways(pairs: str) -> dict[str, frozenset[str]]:
    """Return the opposites of each word of pairs "word/word"."""
    opposites: defaultdict[str, set[str]] = defaultdict(set)
    for pair in pairs.split():
        first, second = pair.split("/")
        opposites[first].add(second)
        opposites[second].add(first)
    return {word: frozenset(others) for word, others in opposites.items()}


# WordNet has no prepositions, and one antonym of an adjective at most.
_OPPOSITES = _both_ways(
    "in/out inside/outside into/off on/off on/under over/under above/below above/under up/down "
    "upstairs/downstairs before/after left/right front/behind toward/from towards/from near/far "
    "with/without more/less most/least first/last early/late always/never happy/sad big/tiny "
    "huge/tiny huge/small large/tiny begin/end start/stop start/finish start/end begin/stop "
    "begin/finish arrive/leave arrive/depart come/go push/pull enter/leave rise/fall buy/sell "
    "give/take open/shut cheap/expensive easy/difficult noisy/quiet loud/quiet correct/wrong "
    "true/false clean/dirty full/empty wet/dry sleep/wake sit/stand win/lose increase/decrease "
    "increase/reduce raise/lower gain/lose love/hate like/hate like/dislike accept/reject "
    "accept/refuse allow/forbid allow/ban agree/disagree remember/forget add/remove put/remove "
    "build/destroy save/waste save/spend succeed/fail pass/fail against/for alive/dead "
    "asleep/awake old/young old/new rich/poor thick/thin fat/thin deep/shallow soft/hard "
    "strong/weak warm/cold warm/cool hot/cool sharp/blunt wide/narrow bright/dark heavy/light "
    "polite/rude kind/cruel brave/cowardly calm/nervous generous/greedy lazy/busy smooth/rough "
    "sweet/bitter sweet/sour fresh/stale safe/dangerous guilty/innocent public/private "
    "same/different possible/impossible friend/enemy profit/loss supply/demand victory/defeat "
    "question/answer peace/war success/failure hire/fire praise/criticize praise/blame "
    "attack/defend borrow/lend laugh/cry live/die appear/disappear improve/worsen "
    "strengthen/weaken expand/shrink fast/slow quick/slow ahead/behind indoors/outdoors"
)
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
_NOMINATIVE = {"him": "he", "her": "she", "them": "they", "us": "we", "me": "i"}
# Those before adjectives, and before verbs. A short remainder is often no word of its own.
_PREFIXES = {"JJ": ("un", "non", "dis", "in", "im", "ir", "il"), "VB": ("un", "dis", "mis")}
_SHORTEST_REST = 4
# Wrong letters of a misspelled word, by its length. Longer words are none.
_MISSPELLED = ((8, 2), (4, 1))
_LONGEST = 30
# Words of each side without a counterpart that are compared with each other.
_MOST_COMPARED = 8
# Characters in which dates are searched: more than the tokens that are read usually have.
_MOST_CHARACTERS = 16 * MOST_WORDS
# How near a noun is to the negation that negates it, as in "without a red hat".
_NEAR = 3
_PREDICATES = frozenset("vjr")
_GROUPS = {"n": 0, "t": 0, "v": 1, "j": 2, "r": 2}  # nouns, verbs, descriptions
_NO_PAIRS: Set[tuple[int, int]] = frozenset()


class _Reading(NamedTuple):
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


class _Match(NamedTuple):
    """Two words that are aligned, by their places, and whether they mean the same."""

    first: int
    second: int
    similar: float
    same: bool


class _Tokens:
    """The tokens of a batch, with what does not depend on their sentences."""

    def __init__(self, batch: PairBatch) -> None:
        tagged = batch.tagged
        self.sides = batch.takelab.sides
        self.lists = tagged.ids.head(MOST_WORDS)
        self.words, self.tags = tagged.words, tagged.tags
        self.codes = [word_class(*item) for item in zip(tagged.words, tagged.tags, strict=True)]
        lemmas = zip(tagged.words, tagged.lemmas, strict=True)
        self.bases, numbers = Lists.of([[_NOMINATIVE.get(word, lemma) for word, lemma in lemmas]])
        self.base_of = numbers.ids
        aligned = [
            (kind in "nvjt" or (kind == "r" and tag == "RB"))
            and word not in QUANTIFIERS
            and word not in TIME_WORDS
            and not word[0].isdigit()
            for word, tag, kind in zip(tagged.words, tagged.tags, self.codes, strict=True)
        ]
        self.is_word = tagged.content & np.array(aligned, dtype=bool)


def compute(batch: PairBatch) -> Floats:
    """Find what turns the meaning around. All features are symmetric.

    Words are nouns, verbs, adjectives and adverbs, but not quantifiers and times. They are aligned
    one to one as in "aligned_content", with base forms; then synonyms and misspelled words.

    negation_flip
        1 if a word is negated on one side only ("not", "no", "never", "without", "failed to").
    antonym_flip, antonym_negated
        Numbers of opposites, in WordNet or of another list, that are negated on neither or both
        sides; that are negated on one, and so mean the same.
    roles_swapped
        1 if two words have exchanged the roles that they have for the same verb: agent, patient or
        a preposition; 0.5 if an agent has become a patient. Passives are taken into account.
    roles_kept
        Number of the roles that are equal; not 0 for equal sentences.
    modifiers_swapped
        1 if an adjective belongs to another noun that both sides have.
    number_flip, time_flip, name_flip, quantifier_flip
        1 if each side has one that the other lacks, or if a number or quantifier has changed its
        noun. Times are clock times, days, dates, seasons, "last year".
    number_added, time_added, name_added, quantifier_added
        1 if only one side has one that the other lacks.
    flips
        Sum of the eight kinds above, each 0 or 1 (roles_swapped may be 0.5).
    words_kept
        Share of the words that have an equal word, a synonym or a misspelling on the other side;
        1 if there is no word.
    nouns_changed, verbs_changed, descriptions_changed
        Number of words that have a different word instead; an aligned one counts as one minus the
        similarity.
    words_added
        Number of the other words.
    words_misspelled
        Number of the words that one side misspells.
    """
    tokens = _Tokens(batch)
    readings = _readings(batch, tokens)
    matches = _matches(batch, tokens)
    opposed = _opposed(batch.wordnet, tokens)
    pairs = [
        _Pair(readings[a], readings[b], matches[p], opposed.get(p, _NO_PAIRS))
        for p, (a, b) in enumerate(batch.takelab.pairs)
    ]
    speller = _Speller(batch.wordnet, {c for pair in pairs for c in pair.candidates()})
    rows = [pair.compare(speller) for pair in pairs]
    return np.array(rows, dtype=np.float64).reshape(len(pairs), len(NAMES))


def _readings(batch: PairBatch, tokens: _Tokens) -> list[_Reading]:
    takelab = batch.takelab
    # A list with joined compounds belongs to the sentence of its pair.
    texts = batch.sentences + [""] * (len(takelab.tokens) - len(batch.sentences))
    for (a, b), i, j in zip(takelab.pairs, batch.left.tolist(), batch.right.tolist(), strict=True):
        texts[a], texts[b] = batch.sentences[i], batch.sentences[j]
    ids, ends = tokens.lists.ids.tolist(), tokens.lists.offsets.tolist()
    bases = [tokens.bases[i] for i in tokens.base_of.tolist()]
    is_word = tokens.is_word.tolist()
    readings = []
    for text, cased, tags, (start, end) in zip(
        texts, takelab.tokens, takelab.tags, pairwise(ends), strict=True
    ):
        items = ids[start:end]
        cased = cased[:MOST_WORDS]
        words = [token.lower() for token in cased]
        codes = [tokens.codes[i] for i in items]
        clauses = read_clauses(words, codes)
        readings.append(
            _Reading(
                words,
                codes,
                [bases[i] for i in items],
                [k for k, i in enumerate(items) if is_word[i]],
                clauses,
                *find_numbers_and_times(text[:_MOST_CHARACTERS], words, clauses.nouns),
                find_names(cased, tags),
                find_quantifiers(words, clauses.nouns),
            )
        )
    return readings


def _matches(batch: PairBatch, tokens: _Tokens) -> list[list[_Match]]:
    """Align the words of each pair one to one by their base forms and vectors."""
    lists = tokens.lists
    keep = tokens.is_word[lists.ids]
    words = lists.where(keep)
    places = (np.arange(len(lists.ids)) - lists.offsets[:-1].repeat(lists.lengths))[keep]
    norms = row_norms(batch.tagged_vectors)
    result: list[list[_Match]] = [[] for _ in range(len(batch))]
    columns: list[list[NDArray[Any]]] = []
    for rows, sides in parts(words, tokens.sides):
        pair, first, second = cells(words, sides)
        same = tokens.base_of[words.ids[first]] == tokens.base_of[words.ids[second]]
        similar = word_similarities(cell_cosines(words, sides, batch.tagged_vectors, norms), same)
        aligned = align_cells(words, sides, similar, WINDOW, NEIGHBOR_WEIGHT)
        first, second = first[aligned], second[aligned]
        columns.append([pair[aligned] + rows.start, first, second, similar[aligned]])
    if not columns:
        return result
    pair, first, second, similar = map(np.concatenate, zip(*columns, strict=True))
    bases = tokens.base_of[words.ids[first]], tokens.base_of[words.ids[second]]
    same = _synonyms(batch.wordnet, tokens.bases, *bases)
    for p, *match in zip(
        *(pair.tolist(), places[first].tolist(), places[second].tolist()),
        *(similar.tolist(), same.tolist()),
        strict=True,
    ):
        result[p].append(_Match(*match))
    return result


def _synonyms(
    wordnet: WordNet, names: Sequence[str], first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which words are equal or have a sense in common."""
    same = first == second
    others = np.flatnonzero(~same)
    keys, numbers = np.unique(
        np.array([first[others], second[others]]), axis=1, return_inverse=True
    )
    same[others] = (wordnet.similarities(names, *keys) == 1)[numbers.ravel()]
    return same


def _opposed(wordnet: WordNet, tokens: _Tokens) -> dict[int, set[tuple[int, int]]]:
    """Return the places of words and their opposites that one side of a pair has each."""
    opposites = _opposites(wordnet, tokens)
    lists, base_of = tokens.lists, tokens.base_of.tolist()
    # Few pairs have a word and an opposite of it or of another word.
    has_one = lists.sums([i in opposites for i in range(len(base_of))]) > 0
    left, right = tokens.sides
    both = np.flatnonzero(has_one[left] & has_one[right])
    result: dict[int, set[tuple[int, int]]] = {}
    for p, *sides in lists.pairs((left[both], right[both])):
        first, second = ({i: k for k, i in enumerate(side)} for side in sides)
        first_bases, second_bases = ({base_of[i] for i in side} for side in sides)
        opposed = {
            (first[i], second[j])
            for i in first.keys() & opposites.keys()
            if base_of[i] not in second_bases
            for j in second.keys() & opposites[i]
            if base_of[j] not in first_bases
        }
        if opposed:
            result[int(both[p])] = opposed
    return result


def _opposites(wordnet: WordNet, tokens: _Tokens) -> dict[int, set[int]]:
    """Return for the words of a batch their opposites among these words."""
    forms: list[set[str]] = []
    numbers: defaultdict[str, set[int]] = defaultdict(set)
    for i, (word, tag, base) in enumerate(
        zip(tokens.words, tokens.tags, tokens.base_of.tolist(), strict=True)
    ):
        # "fell" is a verb of its own, and a form of "fall".
        more = wordnet.base_forms(word, "v") if tag == "VB" else ()
        forms.append({tokens.bases[base], *more})
        for form in forms[-1]:
            numbers[form].add(i)
    result: defaultdict[int, set[int]] = defaultdict(set)
    for i, (word, tag) in enumerate(zip(tokens.words, tokens.tags, strict=True)):
        others = {
            other
            for form in forms[i]
            for other in wordnet.antonyms(form) | _OPPOSITES.get(form, frozenset())
        }
        others.update(
            rest
            for prefix in _PREFIXES.get(tag, ())
            if len(rest := word.removeprefix(prefix)) >= _SHORTEST_REST and rest != word
        )
        for other in others & numbers.keys():
            for j in numbers[other]:
                result[i].add(j)
                result[j].add(i)
    return dict(result)


class _Speller:
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


class _Pair:
    """Two readings and how their words correspond."""

    def __init__(
        self,
        first: _Reading,
        second: _Reading,
        matches: Sequence[_Match],
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

    def compare(self, speller: _Speller) -> list[float]:
        """Return the features; see :func:`compute`."""
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

    def _words(self, speller: _Speller) -> list[float]:
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

    def _names(self, speller: _Speller) -> tuple[float, float]:
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


FAMILY = Family("contrast", NAMES, compute, needs={"vectors", "wordnet", "tagger"})
