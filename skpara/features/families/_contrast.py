"""What turns the meaning of a sentence around though most of its words stay the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

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
    *("negation_flip", "antonym_flip", "negated_antonym", "role_flip", "role_kept"),
    *("modifier_flip", "number_flip", "number_added", "time_flip", "time_added"),
    *("name_flip", "name_added", "quantifier_flip", "quantifier_added", "flips"),
    *("kept_words", "changed_nouns", "changed_verbs", "changed_descriptions"),
    *("added_words", "misspelled_words"),
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
    "strong/weak warm/cold warm/cool hot/cool sharp/blunt wide/narrow bright/dark heavy/light polite/rude kind/cruel brave/cowardly calm/nervous generous/greedy lazy/busy smooth/rough sweet/bitter sweet/sour fresh/stale safe/dangerous guilty/innocent public/private same/different possible/impossible friend/enemy profit/loss supply/demand victory/defeat question/answer peace/war success/failure hire/fire praise/criticize praise/blame attack/defend borrow/lend laugh/cry live/die appear/disappear improve/worsen strengthen/weaken expand/shrink fast/slow quick/slow ahead/behind indoors/outdoors"
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
# Wrong letters of a misspelled word, by its length, and how many words of a side may be such.
_MISSPELLED = ((8, 2), (4, 1))
_MOST_MISSPELLED = 8
# Characters in which dates are searched: as many as the tokens that are read may have.
_MOST_CHARACTERS = 16 * MOST_WORDS
# How near to a negation a noun is that it negates, as in "without a red hat".
_NEAR = 3
_GROUPS = {"n": 0, "t": 0, "v": 1, "j": 2, "r": 2}  # nouns, verbs, descriptions


class _Reading(NamedTuple):
    """What one token list says."""

    codes: Sequence[str]
    bases: Sequence[str]
    words: Sequence[int]  # places of the words that are aligned
    clauses: Clauses
    numbers: Mapping[float, int]
    times: Mapping[str, Set[object]]
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
            for word, tag, kind in zip(tagged.words, tagged.tags, self.codes, strict=True)
        ]
        self.is_word = tagged.content & np.array(aligned, dtype=bool)


def compute(batch: PairBatch) -> Floats:
    """FILL."""
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


_NO_PAIRS: Set[tuple[int, int]] = frozenset()


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
    columns: list[list[NDArray[np.float64]]] = []
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
    lists = Lists(tokens.base_of[tokens.lists.ids], tokens.lists.offsets)
    # Few pairs have a word and an opposite of it or of another word.
    has_one = lists.sums([i in opposites for i in range(len(tokens.bases))]) > 0
    left, right = tokens.sides
    both = np.flatnonzero(has_one[left] & has_one[right])
    result: dict[int, set[tuple[int, int]]] = {}
    for p, *sides in lists.pairs((left[both], right[both])):
        first, second = ({base: k for k, base in enumerate(side)} for side in sides)
        opposed = {
            (first[i], second[j])
            for i in first.keys() & opposites.keys() - second.keys()
            for j in opposites[i] & second.keys() - first.keys()
        }
        if opposed:
            result[int(both[p])] = opposed
    return result


def _opposites(wordnet: WordNet, tokens: _Tokens) -> dict[int, set[int]]:
    """Return for the words of a batch their opposites among these words."""
    # "fell" is the base form of a verb, and a form of "fall".
    forms: dict[int, set[str]] = {i: {base} for i, base in enumerate(tokens.bases)}
    for word, tag, i in zip(tokens.words, tokens.tags, tokens.base_of.tolist(), strict=True):
        if tag == "VB":
            forms[i].update(wordnet.base_forms(word, "v"))
    numbers: defaultdict[str, set[int]] = defaultdict(set)
    for i, of_word in forms.items():
        for form in of_word:
            numbers[form].add(i)
    result: defaultdict[int, set[int]] = defaultdict(set)

    def add(i: int, others: Set[int]) -> None:
        for j in others - {i}:
            result[i].add(j)
            result[j].add(i)

    for i, of_word in forms.items():
        for form in of_word:
            for other in wordnet.antonyms(form) | _OPPOSITES.get(form, frozenset()):
                if other in numbers:
                    add(i, numbers[other])
    for word, tag in set(zip(tokens.words, tokens.tags, strict=True)):
        for prefix in _PREFIXES.get(tag, ()):
            rest = word.removeprefix(prefix)
            if rest != word and rest in numbers and len(rest) >= _SHORTEST_REST:
                for i in numbers.get(word, ()):
                    add(i, numbers[rest])
    return dict(result)


class _Speller:
    """Whether two words that no vectors align are synonyms, or one misspells the other."""

    def __init__(self, wordnet: WordNet, candidates: Set[tuple[str, str]]) -> None:
        self._wordnet = wordnet
        self._known: dict[str, bool] = {}
        names, numbers = Lists.of(candidates)
        similar = wordnet.similarities(names, *numbers.ids.reshape(-1, 2).T)
        pairs = np.array(list(candidates), dtype=object).reshape(-1, 2)[similar == 1]
        self.synonyms = set(map(tuple, pairs.tolist()))

    def is_known(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            known = any(self._wordnet.base_forms(word, pos) for pos in set(WORDNET_POS.values()))
            self._known[word] = known
        return known

    def same(self, first: str, second: str) -> bool:
        """Whether one word is a misspelling of the other."""
        length = max(len(first), len(second))
        most = next((wrong for least, wrong in _MISSPELLED if length >= least), 0)
        return (
            OSA.distance(first, second, score_cutoff=most) <= most
            and first.isalpha()
            and second.isalpha()
            and not (self.is_known(first) and self.is_known(second))
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
        self.opposed = opposed
        self.matches = matches
        self.partner = {match.first: match.second for match in matches}
        self.partner.update(opposed)

    def _rest(self) -> tuple[list[int], list[int]]:
        """Return the first words of each side that are not aligned."""
        aligned = {match.first for match in self.matches}, {match.second for match in self.matches}
        first, second = (
            [i for i in reading.words if i not in places]
            for reading, places in zip((self.first, self.second), aligned, strict=True)
        )
        return first, second

    def candidates(self) -> Iterator[tuple[str, str]]:
        """Yield the words that may be synonyms."""
        first, second = (side[:_MOST_MISSPELLED] for side in self._rest())
        for i in first:
            for j in second:
                if self.first.codes[i] == self.second.codes[j]:
                    yield self.first.bases[i], self.second.bases[j]

    def compare(self, speller: _Speller) -> list[float]:
        first, second = self.first, self.second
        words = self._words(speller)
        swapped, kept, converse = self._roles()
        negation, antonym, negated = self._polarity(converse)
        modifier = self._modifiers()
        number, number_added = self._numbers()
        time, time_added = _time_changes(first.times, second.times)
        name, name_added = self._names(speller)
        quantifier, quantifier_added = self._quantifiers()
        flips = (negation, antonym > 0, swapped, modifier, number, time, name, quantifier)
        return [
            *(negation, antonym, negated, swapped, kept, modifier, number, number_added),
            *(time, time_added, name, name_added, quantifier, quantifier_added),
            *(float(sum(flips)), *words),
        ]

    def _words(self, speller: _Speller) -> list[float]:
        """Count the words that are kept, changed and added; also align misspelled words."""
        first, second = self.first, self.second
        changed = [0.0, 0.0, 0.0]
        rest = [set(first.words), set(second.words)]
        n_same = misspelled = 0
        for i, j, similar, same in self.matches:
            rest[0].discard(i)
            rest[1].discard(j)
            if same:
                n_same += 1
            elif speller.same(first.bases[i], second.bases[j]):
                n_same += 1
                misspelled += 1
            elif (i, j) not in self.opposed:
                changed[_GROUPS[first.codes[i]]] += 1 - similar
        if rest[0] and rest[1]:
            for i in sorted(rest[0])[:_MOST_MISSPELLED]:
                for j in sorted(rest[1])[:_MOST_MISSPELLED]:
                    wrong = speller.same(first.bases[i], second.bases[j])
                    if wrong or (
                        first.codes[i] == second.codes[j]
                        and (first.bases[i], second.bases[j]) in speller.synonyms
                    ):
                        rest[0].discard(i)
                        rest[1].discard(j)
                        self.partner[i] = j
                        n_same += 1
                        misspelled += wrong
                        break
        counts = [Counter(_GROUPS[r.codes[i]] for i in s) for r, s in zip((first, second), rest)]
        added = 0
        for group in range(3):
            shared = min(counts[0][group], counts[1][group])
            changed[group] += shared
            added += counts[0][group] + counts[1][group] - 2 * shared
        n_words = len(first.words) + len(second.words)
        kept = 2 * n_same / n_words if n_words else 1.0
        return [kept, *changed, float(added), float(misspelled)]

    def _roles(self) -> tuple[float, float, bool]:
        """Return how far roles are exchanged, how many are kept, and whether verbs explain it."""
        kept, changes = 0, set()
        converse = False
        second_roles = self.second.clauses.roles
        for i, roles in self.first.clauses.roles.items():
            j = self.partner.get(i)
            if j is None or j not in second_roles:
                continue
            for role, verb in roles:
                for other, other_verb in second_roles[j]:
                    if (verb if verb < 0 else self.partner.get(verb)) != other_verb:
                        continue
                    if role == other:
                        kept += 1
                    elif verb >= 0 and self._explained(verb, other_verb, role, other):
                        converse = True
                    else:
                        changes.add((role, other))
        swapped = any((after, before) in changes for before, after in changes)
        if not swapped and ({(AGENT, PATIENT), (PATIENT, AGENT)} & changes):
            return 0.5, float(kept), converse
        return float(swapped), float(kept), converse

    def _explained(self, verb: int, other_verb: int, role: str, other: str) -> bool:
        """Whether verbs such as "marry", "buy" and "sell", and "taller" and "shorter" do it."""
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
            if "p" in kinds and not self._same_noun(i, j):
                continue
            if kinds[0] != kinds[1] and not {*kinds} <= {*"nvj"}:
                continue  # "turned out" and "in the end"
            if negated[0][i] != negated[1][j]:
                negated_antonyms += 1
            elif not converse:
                antonyms += 1
        predicates = [0, 0]
        nouns = 0
        if any(negated[0]) or any(negated[1]):
            for i, j, _, _ in self.matches:
                if (i, j) in self.opposed:
                    continue
                differs = negated[0][i] != negated[1][j]
                if first.codes[i] != "n" or second.codes[j] != "n":
                    predicates[differs] += 1
                elif differs:
                    reading, k = (first, i) if negated[0][i] else (second, j)
                    # Behind a negated verb, what is negated depends on the order of words.
                    nouns += not any(predicates) or "!" in reading.codes[max(0, k - _NEAR) : k]
        differ = predicates[1] > 0 or (nouns > 0 and not predicates[0])
        return float(differ), float(antonyms), float(negated_antonyms)

    def _same_noun(self, i: int, j: int) -> bool:
        """Whether two prepositions belong to nouns that are aligned."""
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
        heads = set(self.partner.values())
        for k, noun in self.first.clauses.nouns.items():
            other = self.second.clauses.nouns.get(self.partner.get(k, -1))
            expected = self.partner.get(noun)
            if other is not None and expected is not None and other != expected and other in heads:
                return 1.0
        return 0.0

    def _numbers(self) -> tuple[float, float]:
        first, second = self.first.numbers, self.second.numbers
        if not first and not second:
            return 0.0, 0.0
        only = len(first.keys() - second.keys()), len(second.keys() - first.keys())
        flip = min(only) > 0
        heads = set(self.partner.values())
        for value in first.keys() & second.keys():
            expected, noun = self.partner.get(first[value]), second[value]
            flip |= expected is not None and noun in heads and noun != expected
        return float(flip), float(min(only) == 0 < max(only))

    def _names(self, speller: _Speller) -> tuple[float, float]:
        first, second = set(self.first.names.values()), set(self.second.names.values())
        if not first and not second:
            return 0.0, 0.0
        # A name may be written in small letters on the other side.
        only = first.difference(second, self.second.bases), second.difference(
            first, self.first.bases
        )
        if only[0] and only[1]:
            for a in sorted(only[0])[:_MOST_MISSPELLED]:
                for b in sorted(only[1])[:_MOST_MISSPELLED]:
                    if speller.same(a, b):
                        only[0].discard(a)
                        only[1].discard(b)
                        break
        sizes = len(only[0]), len(only[1])
        return float(min(sizes) > 0), float(min(sizes) == 0 < max(sizes))

    def _quantifiers(self) -> tuple[float, float]:
        first, second = self.first.quantifiers, self.second.quantifiers
        if not first and not second:
            return 0.0, 0.0
        kinds = Counter(kind for kind, _ in first), Counter(kind for kind, _ in second)
        only = kinds[0] - kinds[1], kinds[1] - kinds[0]
        flip = any(a[1] == b[1] for a in only[0] for b in only[1])
        nouns = {noun: kind for kind, noun in second if noun >= 0}
        for kind, noun in first:
            other = nouns.get(self.partner.get(noun, -1))
            flip |= other is not None and other != kind
        return float(flip), float(not flip and bool(only[0] or only[1]))


def _time_changes(
    first: Mapping[str, Set[object]], second: Mapping[str, Set[object]]
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


def _other_clocks(clocks: Iterable[object], others: Set[object]) -> int:
    """Count the times of day that others lack; without "am" and "pm" they are the same."""
    minutes: defaultdict[object, set[object]] = defaultdict(set)
    for time, half in others:  # type: ignore[misc, has-type]
        minutes[time].add(half)
    return sum(
        not (time in minutes and (half is None or not minutes[time].isdisjoint((half, None))))
        for time, half in clocks  # type: ignore[misc, has-type]
    )


FAMILY = Family("contrast", NAMES, compute, needs={"vectors", "wordnet", "tagger"})
