"""Differences that turn the meaning of a sentence around though most of its words stay."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, product
from operator import and_
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import OSA

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._families.alignment import align
from skpara.features._families.clauses import AGENT, PATIENT, Roles, find_negated, word_class
from skpara.features._families.mentions import QUANTIFIERS, TIME_WORDS, Mention, find_mentions
from skpara.features._kernels import MOST_WORDS, Lists

NAMES = (
    *("negation_flip", "antonym_flip", "antonym_negated", "roles_swapped", "roles_kept"),
    *("modifiers_swapped", "number_flip", "number_added", "time_flip", "time_added"),
    *("name_flip", "name_added", "quantifier_flip", "quantifier_added", "flips"),
    *("words_kept", "nouns_changed", "verbs_changed", "descriptions_changed"),
    *("words_added", "words_misspelled"),
)
FLIPS = [name for name in NAMES if name.endswith(("_flip", "_swapped"))]
# Kinds of mentions that have columns of their own; the others are times.
_COLUMNS = frozenset(["number", "name", "quantifier"])
# Columns that count; the others are the largest weight of a difference.
_COUNTED = frozenset(["antonym_flip", "antonym_negated", "roles_kept", "words_misspelled"])
_NOMINATIVE = {"him": "he", "her": "she", "them": "they", "us": "we", "me": "i"}
# Characters in which dates are searched: more than the tokens that are read usually have.
_MOST_CHARACTERS = 16 * MOST_WORDS
# Words or mentions of each side without a counterpart that are compared with each other.
_MOST_COMPARED = 8
# Letters of a word that may have a wrong one, and two. Longer words are not compared.
_ONE_WRONG, _TWO_WRONG, _LONGEST = 4, 8, 30
# Words between a negation and a noun that it negates, as in "without a red hat".
_NEAR = 3
_GROUPS = {"n": 0, "t": 0, "v": 1, "j": 2, "r": 2}  # nouns, verbs, descriptions
# "Anna sold it to Peter" is "Peter bought it from Anna": both verb and roles are exchanged.
_CONVERSE = frozenset(
    frozenset(pair.split("/"))
    for pair in "buy/sell give/receive lend/borrow teach/learn send/receive".split()
)
# Verbs that mean the same with subject and object exchanged.
_MUTUAL = frozenset(
    "marry meet resemble equal match fight play talk speak argue agree compete cooperate join "
    "connect border".split()
)
# Opposites that WordNet does not have: it has no prepositions.
_OPPOSITES: defaultdict[str, set[str]] = defaultdict(set)
for _pair in (
    "in/out into/off on/under over/under above/under before/after front/behind toward/from "
    "towards/from with/without against/for ahead/behind always/never happy/sad big/tiny huge/tiny "
    "huge/small large/tiny start/end begin/stop begin/finish arrive/depart enter/leave loud/quiet "
    "correct/wrong increase/reduce gain/lose like/hate allow/forbid allow/ban add/remove "
    "put/remove build/destroy save/waste save/spend warm/cold hot/cool sharp/blunt bright/dark "
    "polite/rude kind/cruel calm/nervous generous/greedy lazy/busy sweet/bitter friend/enemy "
    "profit/loss praise/blame live/die improve/worsen expand/shrink quick/slow"
).split():
    for _word, _other in (_pair.split("/"), _pair.split("/")[::-1]):
        _OPPOSITES[_word].add(_other)
# Prefixes of adjectives and verbs. A short remainder is often no word of its own.
_PREFIXES = {"JJ": ("un", "non", "dis", "in", "im", "ir", "il"), "VB": ("un", "dis", "mis")}
_SHORTEST_REST = 4


class Difference(NamedTuple):
    """A difference between two sentences: its column, and the positions of its tokens."""

    column: str
    first: Sequence[int]
    second: Sequence[int]
    weight: float = 1.0


class Sentence:
    """The first tokens of a sentence, with negation, roles and mentions."""

    def __init__(
        self, types: Types, ids: list[int], text: str, cased: Sequence[str], tags: Sequence[str]
    ) -> None:
        self.ids, self.tokens = ids, [types.words[i] for i in ids]
        self._cased = cased
        self.classes = [types.classes[i] for i in ids]
        self.bases = [types.bases[i] for i in ids]
        is_word = types.is_word
        self.words = [k for k, i in enumerate(ids) if is_word[i]]
        self.negated = find_negated(self.tokens, self.classes)
        roles = Roles(self.tokens, self.classes)
        self.roles, self.nouns = roles.of_nouns, roles.nouns
        self.mentions: defaultdict[str, list[Mention]] = defaultdict(list)
        cased, text = cased[:MOST_WORDS], text[:_MOST_CHARACTERS]
        for mention in find_mentions(text, self.tokens, cased, tags, self.nouns):
            self.mentions[mention.kind].append(mention)

    def written(self, places: Iterable[int]) -> list[str]:
        """Return the words at some positions as they are written."""
        return [self._cased[k] for k in sorted(set(places)) if k >= 0]


class Types:
    """The distinct tokens of a batch, and which words are opposites, synonyms or misspellings."""

    def __init__(self, batch: PairBatch) -> None:
        tagged = batch.tagged
        self.words, self._tags, self._wordnet = tagged.words, tagged.tags, batch.wordnet
        self.classes = list(map(word_class, self.words, tagged.tags))
        lemmas = zip(self.words, tagged.lemmas, strict=True)
        self.bases = [_NOMINATIVE.get(word, lemma) for word, lemma in lemmas]
        aligned = [
            (kind in "nvjt" or (kind == "r" and tag == "RB"))
            and not (word in QUANTIFIERS or word in TIME_WORDS or word[0].isdigit())
            for word, tag, kind in zip(self.words, tagged.tags, self.classes, strict=True)
        ]
        self.is_word = (tagged.content & np.array(aligned, dtype=bool)).tolist()
        self.opposites = self._find_opposites()

    def are_synonyms(self, first: str, second: str) -> bool:
        """Return whether two base forms are equal or have a sense in common."""
        senses = self._wordnet.senses
        return first == second or not senses(first).isdisjoint(senses(second))

    def _find_opposites(self) -> dict[int, set[int]]:
        forms: list[set[str]] = []
        numbers: defaultdict[str, set[int]] = defaultdict(set)
        for i, (word, tag, base) in enumerate(
            zip(self.words, self._tags, self.bases, strict=True)
        ):
            # "fell" is a verb of its own, and a form of "fall".
            forms.append({base, *(self._wordnet.base_forms(word, "v") if tag == "VB" else ())})
            for form in forms[-1]:
                numbers[form].add(i)
        result: defaultdict[int, set[int]] = defaultdict(set)
        for i, (word, tag) in enumerate(zip(self.words, self._tags, strict=True)):
            rests = {word.removeprefix(prefix) for prefix in _PREFIXES.get(tag, ())} - {word}
            others = {rest for rest in rests if len(rest) >= _SHORTEST_REST}
            others.update(*map(self._wordnet.antonyms, forms[i]))
            others.update(*(_OPPOSITES.get(form, ()) for form in forms[i]))
            for j in set().union(*(numbers[other] for other in others & numbers.keys())):
                result[i].add(j)
                result[j].add(i)
        return dict(result)

    def misspells(self, first: str, second: str) -> bool:
        """Return whether one word is a misspelling of the other: WordNet lacks one of them."""
        length = max(len(first), len(second))
        most = (length >= _ONE_WRONG) + (length >= _TWO_WRONG)
        return (
            length <= _LONGEST
            and OSA.distance(first, second, score_cutoff=most) <= most
            and (first + second).isalpha()
            and not (self._wordnet.senses(first) and self._wordnet.senses(second))
        )


Matches = Iterable[tuple[int, int, float]]


class Comparison:
    """Two sentences and how their words correspond.

    ``matches`` are the positions of words that are aligned, and their similarity, 1 for words that
    mean the same.
    """

    def __init__(self, types: Types, first: Sentence, second: Sentence, matches: Matches) -> None:
        self.first, self.second, self._types = first, second, types
        self.matches = [
            (i, j, 1.0 if types.are_synonyms(*self._bases(i, j)) else similar)
            for i, j, similar in matches
        ]
        self.opposed = self._find_opposed()
        # The word of the second sentence that belongs to a word of the first one.
        self.partner = {i: j for i, j, _ in matches}
        self.partners = set(self.partner.values())
        for i, j in sorted(self.opposed, key=_from_both_sides):
            self._pair_up(i, j)
        self.n_synonyms = 0  # of the words that are not aligned
        self.misspelled = {
            (i, j)
            for i, j, similar in self.matches
            if similar < 1 and types.misspells(*self._bases(i, j))
        }
        first_rest, second_rest = (side[:_MOST_COMPARED] for side in self._without_partner())
        for i, j in sorted(product(first_rest, second_rest), key=_from_both_sides):
            if i in self.partner or j in self.partners:
                continue
            if first.classes[i] == second.classes[j] and types.are_synonyms(*self._bases(i, j)):
                self.n_synonyms += 1
            elif types.misspells(*self._bases(i, j)):
                self.misspelled.add((i, j))
            else:
                continue
            self._pair_up(i, j)

    def _find_opposed(self) -> set[tuple[int, int]]:
        """Find the positions of words and their opposites that one side has each."""
        first, second, opposites = self.first, self.second, self._types.opposites
        if opposites.keys().isdisjoint(first.ids) or opposites.keys().isdisjoint(second.ids):
            return set()
        places = [{i: k for k, i in enumerate(side.ids)} for side in (first, second)]
        return {
            (k, places[1][j])
            for i, k in places[0].items()
            if first.bases[k] not in second.bases
            for j in places[1].keys() & opposites.get(i, ())
            if second.bases[places[1][j]] not in first.bases
        }

    def _pair_up(self, i: int, j: int) -> None:
        """Make two words partners unless one of them has a partner."""
        if i not in self.partner and j not in self.partners:
            self.partner[i] = j
            self.partners.add(j)

    def _without_partner(self) -> tuple[list[int], list[int]]:
        return (
            [i for i in self.first.words if i not in self.partner],
            [j for j in self.second.words if j not in self.partners],
        )

    def _bases(self, i: int, j: int) -> tuple[str, str]:
        return self.first.bases[i], self.second.bases[j]

    def row(self) -> list[float]:
        """Return the features in the order of ``NAMES``."""
        values = dict.fromkeys(NAMES, 0.0)
        for column, *_, weight in self.differences():
            if column in _COUNTED:
                values[column] += weight
            else:
                values[column] = max(values[column], weight)
        values["flips"] = sum(min(1.0, values[flip]) for flip in FLIPS)
        self._count_words(values)
        return list(values.values())

    def _count_words(self, values: dict[str, float]) -> None:
        first, second = self.first.classes, self.second.classes
        n_same = len(self.misspelled) + self.n_synonyms
        explained = self.misspelled | self.opposed
        losses = defaultdict[int, list[float]](list)
        for i, j, similar in self.matches:
            n_same += similar == 1
            if similar < 1 and (i, j) not in explained:
                for kind in (first[i], second[j]):
                    losses[_GROUPS[kind]].append((1 - similar) / 2)
        n_words = len(self.first.words) + len(self.second.words)
        values["words_kept"] = 2 * n_same / n_words if n_words else 1.0
        rest = self._without_partner()
        only = Counter(_GROUPS[first[i]] for i in rest[0])
        others = Counter(_GROUPS[second[j]] for j in rest[1])
        changed = only & others
        for k, name in enumerate(("nouns_changed", "verbs_changed", "descriptions_changed")):
            values[name] = changed[k] + math.fsum(losses[k])
        values["words_added"] = only.total() + others.total() - 2.0 * changed.total()

    def differences(self) -> Iterator[Difference]:
        """Find all differences, and the tokens that are responsible for them."""
        for i, j in self.misspelled:
            yield Difference("words_misspelled", (i,), (j,))
        yield from self._polarity()
        yield from self._opposites()
        yield from self._roles()
        yield from self._modifiers()
        for kind in sorted({*self.first.mentions, *self.second.mentions}):
            yield from self._mentions(kind)

    def _polarity(self) -> Iterator[Difference]:
        """Find words that one side negates."""
        negated = self.first.negated, self.second.negated
        if not any(map(any, negated)):
            return
        classes = self.first.classes, self.second.classes
        predicates: list[list[tuple[int, int]]] = [[], []]  # of equal and of different polarity
        nouns, n_near = [], 0
        for i, j, _ in self.matches:
            differs = negated[0][i] != negated[1][j]
            if (i, j) in self.opposed:
                continue
            if not {classes[0][i], classes[1][j]}.isdisjoint("vjr"):
                predicates[differs].append((i, j))
            elif differs:
                nouns.append((i, j))
                side, k = (0, i) if negated[0][i] else (1, j)
                n_near += "!" in classes[side][max(0, k - _NEAR) : k]
        # Which nouns are behind a negated verb depends on the order of words.
        of_nouns = n_near > len(predicates[0]) or not predicates[0]
        found = predicates[1] or (nouns if of_nouns else [])
        if found:
            yield Difference("negation_flip", [i for i, _ in found], [j for _, j in found])

    def _opposites(self) -> Iterator[Difference]:
        if not self.opposed:
            return
        exchanged = any(kind == "converse" for kind, *_ in self._role_changes())
        for i, j in self.opposed:
            kinds = {self.first.classes[i], self.second.classes[j]}
            if len(kinds) > 1 and not kinds <= _GROUPS.keys():
                continue  # "turned out" and "in the end"
            if "p" in kinds and not self._have_same_noun(*self._bases(i, j)):
                continue
            if self.first.negated[i] != self.second.negated[j]:
                yield Difference("antonym_negated", (i,), (j,))
            elif not exchanged:
                yield Difference("antonym_flip", (i,), (j,))

    def _have_same_noun(self, first: str, second: str) -> bool:
        """Whether a noun has one preposition in the first sentence and another in the second."""
        pairs = (product(*self._roles_of(noun)) for noun in self.first.roles)
        return any((a, b) == (first, second) for roles in pairs for (a, _), (b, _) in roles)

    def _roles_of(self, noun: int) -> tuple[Sequence[tuple[str, int]], Sequence[tuple[str, int]]]:
        """Return the roles of a noun of the first sentence and of its partner."""
        partner = self.partner.get(noun, -1)
        return self.first.roles.get(noun, ()), self.second.roles.get(partner, ())

    def _roles(self) -> Iterator[Difference]:
        changes = defaultdict(list)
        for kind, noun, role, other in self._role_changes():
            if kind == "kept":
                yield Difference("roles_kept", (noun,), (self.partner[noun],))
            elif kind == "changed":
                changes[role, other].append(noun)
        swapped = [
            noun for (a, b), nouns in changes.items() if (b, a) in changes for noun in nouns
        ]
        weight = 1.0 if swapped else 0.5
        found = swapped or [*changes[AGENT, PATIENT], *changes[PATIENT, AGENT]]
        if found:
            partners = [self.partner[noun] for noun in found]
            yield Difference("roles_swapped", found, partners, weight)

    def _role_changes(self) -> Iterator[tuple[str, int, str, str]]:
        """Yield whether a role is kept, changed or converse; the noun; and the roles."""
        for noun in self.first.roles:
            roles, others = self._roles_of(noun)
            for (role, verb), (other, other_verb) in product(roles, others):
                if not self._is_same_verb(verb, other_verb):
                    continue
                if role == other:
                    yield "kept", noun, role, other
                elif (other, verb) in roles or (role, other_verb) in others:
                    continue  # a noun may have both roles
                elif verb >= 0 and self._explains(verb, other_verb, role, other):
                    yield "converse", noun, role, other
                else:
                    yield "changed", noun, role, other

    def _is_same_verb(self, verb: int, other: int) -> bool:
        if verb < 0:
            return other < 0
        # "is open" is no passive, as "is closed" may be.
        same_class = self.first.classes[verb] == self.second.classes[other]
        return same_class and self.partner.get(verb) == other

    def _explains(self, verb: int, other_verb: int, role: str, other: str) -> bool:
        """Whether exchanged roles mean the same: "marry", "buy" and "sell", "taller" ..."""
        first, second = self._bases(verb, other_verb)
        if first == second:
            return first in _MUTUAL
        return frozenset((first, second)) in _CONVERSE or (
            "than" in (role, other) and (verb, other_verb) in self.opposed
        )

    def _modifiers(self) -> Iterator[Difference]:
        """Find adjectives and names that belong to another noun of both sides."""
        for k, noun in self.first.nouns.items():
            other = self.partner.get(k, -1)
            if self._moved([noun], [self.second.nouns.get(other, -1)]):
                yield Difference("modifiers_swapped", (k,), (other,))

    def _moved(self, nouns: Iterable[int], others: Iterable[int]) -> bool:
        """Whether both sides have the nouns of the other side, but none is the same."""
        expected = {self.partner[noun] for noun in nouns if noun in self.partner}
        found = self.partners.intersection(others)
        return bool(expected and found) and expected.isdisjoint(found)

    def _mentions(self, kind: str) -> Iterator[Difference]:
        """Find mentions that one side lacks, or that have changed their noun."""
        first, second = self.first.mentions[kind], self.second.mentions[kind]
        column = kind.split()[0] if kind.split()[0] in _COLUMNS else "time"
        only = (
            self._only(kind, first, second, self.second),
            self._only(kind, second, first, self.first),
        )
        if any(only):
            suffix = "flip" if all(only) else "added"
            yield Difference(f"{column}_{suffix}", _places(only[0]), _places(only[1]))
        if column == "quantifier":
            yield from self._quantified(first, second)
            return
        for value in {mention.value for mention in first if mention.noun >= 0}:
            own, other = ([m for m in side if m.value == value] for side in (first, second))
            if self._moved([mention.noun for mention in own], [m.noun for m in other]):
                yield Difference(f"{column}_flip", _places(own), _places(other))

    def _quantified(
        self, first: Sequence[Mention], second: Sequence[Mention]
    ) -> Iterator[Difference]:
        """Find nouns with other quantifiers on the other side."""
        for noun in {mention.noun for mention in first} & self.partner.keys():
            own = [mention for mention in first if mention.noun == noun]
            others = [mention for mention in second if mention.noun == self.partner[noun]]
            if others and {m.value for m in own}.isdisjoint(m.value for m in others):
                yield Difference("quantifier_flip", _places(own), _places(others))

    def _only(
        self, kind: str, mentions: Sequence[Mention], others: Sequence[Mention], other: Sentence
    ) -> list[Mention]:
        """Return the mentions of one side that the other side lacks."""
        # A name may be written in small letters on the other side.
        known = set(other.tokens) if kind == "name" else {mention.value for mention in others}
        only = [mention for mention in mentions if mention.value not in known][:_MOST_COMPARED]
        if kind not in ("name", "clock"):
            return only
        # "3 o'clock" is 3 am or 3 pm: two times of day are alike if they have minutes in common.
        alike: Callable[..., Any] = self._types.misspells if kind == "name" else and_
        values = [mention.value for mention in others[:_MOST_COMPARED]]
        return [m for m in only if not any(alike(m.value, value) for value in values)]


def _places(mentions: Sequence[Mention]) -> list[int]:
    return [mention.place for mention in mentions]


def _from_both_sides(cell: tuple[int, int]) -> tuple[int, int]:
    """Order positions of two sides so that exchanging the sides changes nothing."""
    return sum(cell), abs(cell[0] - cell[1])


def compare(batch: PairBatch) -> Iterator[Comparison]:
    """Compare the sentences of each pair."""
    types, takelab = Types(batch), batch.takelab
    lists = batch.tagged.ids.head(MOST_WORDS)
    ids, ends = lists.ids.tolist(), lists.offsets.tolist()
    sentences = [
        Sentence(types, ids[start:end], text, cased, tags)
        for (start, end), text, cased, tags in zip(
            pairwise(ends), takelab.texts, takelab.tokens, takelab.tags, strict=True
        )
    ]
    keep = np.array(types.is_word, dtype=bool)[lists.ids]
    positions = (np.arange(len(keep)) - lists.offsets[:-1].repeat(lists.lengths))[keep]
    matches: list[list[tuple[int, int, float]]] = [[] for _ in range(len(batch))]
    base_of = Lists.of([types.bases])[1].ids
    words = lists.where(keep)
    for pair, i, j, similar in align(batch, words, lambda a, b: base_of[a] == base_of[b]):
        columns = pair, positions[i], positions[j], similar
        for p, a, b, value in zip(*(column.tolist() for column in columns), strict=True):
            matches[p].append((a, b, value))
    for (a, b), own in zip(takelab.pairs, matches, strict=True):
        yield Comparison(types, sentences[a], sentences[b], own)


def compute(batch: PairBatch) -> Floats:
    """Find differences that turn the meaning around. All features are symmetric.

    Words are nouns, verbs, adjectives and adverbs, but not quantifiers and times. They are aligned
    one to one as in "aligned_content", with base forms and synonyms; then misspelled words.

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
    rows = [comparison.row() for comparison in compare(batch)]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(NAMES))


FAMILY = Family("contrast", NAMES, compute, needs={"vectors", "wordnet", "tagger"})
