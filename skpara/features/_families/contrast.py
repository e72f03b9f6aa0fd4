"""Differences that turn the meaning of a sentence around though most of its words stay."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import OSA

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._families import readings
from skpara.features._families.alignment import align
from skpara.features._families.edits import Edits
from skpara.features._families.readings import (
    AGENT,
    PATIENT,
    QUANTIFIERS,
    RANKS,
    TIME_WORDS,
    UNITS,
    Mention,
)
from skpara.features._kernels import MOST_WORDS, Lists
from skpara.features._takelab import WORDNET_POS, is_content
from skpara.resources import WordNet

NAMES = (
    *("negation_flip", "antonym_flip", "antonym_negated", "roles_swapped", "roles_kept"),
    *("modifiers_swapped", "number_flip", "number_added", "time_flip", "time_added"),
    *("name_flip", "name_added", "quantifier_flip", "quantifier_added", "attribute_flip", "flips"),
    *("words_kept", "nouns_changed", "verbs_changed", "descriptions_changed"),
    *("words_added", "words_misspelled"),
)
FLIPS = [name for name in NAMES if name.endswith(("_flip", "_swapped"))]
# Kinds of mentions that have columns of their own; the others are times.
_COLUMNS = frozenset(["number", "name", "quantifier"])
# Columns that count; the others are the largest weight of a difference.
_COUNTED = frozenset(["antonym_flip", "antonym_negated", "roles_kept", "words_misspelled"])
# A difference of this weight is a reason to keep two sentences apart; others are hints.
REASON, _HINT = 1.0, 0.5
# Words that differ between two sentences if a changed number or name is all that matters.
_MOST_CHANGED = 6
_ARTICLES = frozenset("a an the".split())
# Cosine of two nouns below which one does not stand for the other, and of two kinds of one thing,
# which WordNet's path similarity tells.
_UNLIKE, _SIMILAR_KINDS, _ONE_KIND = 0.2, 0.5, 0.3
_AMOUNT_ENDS = TIME_WORDS | UNITS | {"%", "percent", "million", "billion"}
_PLAIN = frozenset("i me you it we us they them one person people someone somebody".split())
_PLAIN |= readings.NO_NAMES  # "Mr Smith" is "John Smith"
_PRONOUNS = ({"he", "she"}, {"him", "her"}, {"his", "her"}, {"himself", "herself"})
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
    "connect border compare between difference distance similarity relation relationship "
    "differ".split()
)
_BESIDE = frozenset(["near", "next", "beside", "alongside", "with"])
_BEARERS = re.compile("[njcdp]")  # parts of speech that have roles
_EXCHANGED = {"j": "modifiers_swapped", "c": "number_flip", "d": "quantifier_flip"}
_JOINING = frozenset("be as while than versus vs".split())
# Opposites that WordNet does not have: it has no prepositions.
_OPPOSITES: defaultdict[str, set[str]] = defaultdict(set)
for _pair in (
    "in/out into/off on/under over/under above/under before/after front/behind toward/from "
    "towards/from with/without against/for ahead/behind always/never happy/sad big/tiny huge/tiny "
    "huge/small large/tiny start/end begin/stop begin/finish arrive/depart enter/leave loud/quiet "
    "correct/wrong increase/reduce gain/lose like/hate allow/forbid allow/ban add/remove "
    "put/remove build/destroy save/waste save/spend warm/cold hot/cool sharp/blunt bright/dark "
    "polite/rude kind/cruel calm/nervous generous/greedy lazy/busy sweet/bitter friend/enemy "
    "profit/loss praise/blame live/die improve/worsen expand/shrink quick/slow support/oppose "
    "upper/lower demolish/build overturn/uphold arrest/release hire/dismiss approve/reject "
    "confirm/deny agree/refuse help/hinder allow/prevent enable/prevent fix/break create/delete "
    "launch/cancel grant/deny grant/revoke join/leave boost/cut raise/cut increase/cut rise/drop "
    "grow/shrink surge/plunge soar/plunge gain/drop climb/fall advantage/drawback cheap/costly "
    "safe/risky healthy/sick brave/afraid tidy/messy calm/angry weekend/weekday guest/host "
    "buyer/seller teacher/student landlord/tenant beginner/expert real/fake original/copy "
    "temporary/permanent"
).split():
    for _word, _other in (_pair.split("/"), _pair.split("/")[::-1]):
        _OPPOSITES[_word].add(_other)
_RANKED = QUANTIFIERS.keys() | RANKS.keys()
_NO_OPPOSITES = frozenset(["here", "there"])
# Endings that tell the people of a place from the place.
_DEMONYM = re.compile(r"(?<=\w{3})(ian|ean|ia|an|ese|ish|is|i|n|s|a|e|y)s?$")
# Prefixes of adjectives and verbs. A short remainder is often no word of its own.
_PREFIXES = {"JJ": ("un", "non", "dis", "in", "im", "ir", "il"), "VB": ("un", "dis", "mis")}
_SHORTEST_REST = 4
# Texts have the same words again and again: 15 MB.
_CACHED_FACTS = 20_000


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
        self.cased = cased[:MOST_WORDS]
        self.classes = [types.classes[i] for i in ids]
        self.bases = [types.bases[i] for i in ids]
        is_word = types.is_word
        self.words = [k for k, i in enumerate(ids) if is_word[i]]
        self.opposable = {i: k for k, i in enumerate(ids) if i in types.opposites}
        self.negated = readings.find_negated(self.tokens, self.classes)
        self.roles = readings.Roles(self.tokens, self.classes).of_nouns
        self.mentions: defaultdict[str, list[Mention]] = defaultdict(list)
        source = text[:_MOST_CHARACTERS], self.tokens, self.cased, tags, self.classes
        for mention in readings.find_mentions(*source):
            self.mentions[mention.kind].append(mention)
        # The words whose order matters, and their positions.
        self.places = [k for k, i in enumerate(ids) if types.has_order[i]]
        self.order = [self.bases[k] for k in self.places]

    @cached_property
    def plain(self) -> set[str]:
        """The tokens without full stops."""
        return set(map(readings.plain_name, self.tokens))

    def written(self, places: Iterable[int]) -> list[str]:
        """Return the words at some positions as they are written."""
        found = []
        for k in sorted({k for k in places if k >= 0}):
            is_amount = self.tokens[k][-1].isdigit() and self.tokens[k + 1 : k + 2]
            end = k + 1 + (bool(is_amount) and self.tokens[k + 1] in _AMOUNT_ENDS)  # "8 pm"
            found.append(" ".join(self.cased[k:end]))
        return found

    def identify(self, places: Iterable[int]) -> bool:
        """Return whether a number at some positions is that of a thing, as in "iPhone 13"."""
        codes = {m.place for m in self.mentions["number"] if isinstance(m.value, str)}
        names = {m.place + 1 for m in self.mentions["name"]}
        return any(k in codes | names or (k > 0 and self.tokens[k - 1] == "#") for k in places)


class Facts(NamedTuple):
    """Properties of a token with its tag in any sentence."""

    kind: str
    base: str
    is_word: bool
    has_order: bool
    forms: tuple[str, ...]
    opposites: frozenset[str]


@lru_cache(_CACHED_FACTS)
def _find_facts(wordnet: WordNet, word: str, tag: str) -> Facts:
    kind, pos = readings.word_class(word, tag), WORDNET_POS.get(tag)
    base = _NOMINATIVE.get(word) or (wordnet.lemma(word, pos) if pos else word)
    is_aligned = kind in "nvjt" or (kind == "r" and tag == "RB")
    is_word = is_aligned and is_content(word) and not word[0].isdigit()
    is_word = is_word and word not in QUANTIFIERS and word not in TIME_WORDS
    # "fell" is a verb of its own, and a form of "fall".
    forms = {base, *(wordnet.base_forms(word, pos) if pos else ())}
    rests = {word.removeprefix(prefix) for prefix in _PREFIXES.get(tag, ())} - {word}
    others = {rest for rest in rests if len(rest) >= _SHORTEST_REST}
    others.update(*map(wordnet.antonyms, forms), *(_OPPOSITES.get(form, ()) for form in forms))
    # WordNet has "all" and "some", which are compared as mentions.
    others -= _RANKED if word in _RANKED else _NO_OPPOSITES
    has_order = kind not in ".," and word not in _ARTICLES
    return Facts(kind, base, is_word, has_order, tuple(forms), frozenset(others))


def _find_opposites(facts: Sequence[Facts]) -> dict[int, set[int]]:
    """Return the positions of the opposites of each word that has some."""
    wanted = frozenset[str]().union(*(fact.opposites for fact in facts))
    numbers: defaultdict[str, set[int]] = defaultdict(set)
    for i, fact in enumerate(facts):
        for form in wanted.intersection(fact.forms):
            numbers[form].add(i)
    result: defaultdict[int, set[int]] = defaultdict(set)
    for i, fact in enumerate(facts):
        for j in set[int]().union(*(numbers[other] for other in fact.opposites & numbers.keys())):
            result[i].add(j)
            result[j].add(i)
    return dict(result)


class Types:
    """The distinct tokens of a batch, and which words are opposites, synonyms or misspellings."""

    def __init__(self, batch: PairBatch) -> None:
        tagged = batch.tagged
        self.words, self._wordnet = tagged.words, batch.wordnet
        keys = zip(self.words, tagged.tags, strict=True)
        facts = [_find_facts(batch.wordnet, word, tag) for word, tag in keys]
        self.classes = [fact.kind for fact in facts]
        self.bases = [fact.base for fact in facts]
        self.is_word = [fact.is_word for fact in facts]
        self.has_order = [fact.has_order for fact in facts]
        self.opposites = _find_opposites(facts)
        self._vectors = batch.tagged_vectors

    def are_synonyms(self, first: str, second: str) -> bool:
        """Return whether two base forms are equal or have a sense in common."""
        senses = self._wordnet.senses
        return first == second or not senses(first).isdisjoint(senses(second))

    def exclude(self, i: int, j: int, alone: bool, named: bool) -> bool:
        """Return whether a word hardly describes what another one does.

        That is so for colours; and where nothing else differs, for nouns with unlike vectors and
        for two kinds of one thing, but not for a thing and a kind of it, nor for persons: a man
        may be a hiker. A name and another word are no kinds of persons either.
        """
        wordnet, bases = self._wordnet, (self.bases[i], self.bases[j])
        senses = [wordnet.senses(base) for base in bases]
        above = [wordnet.ancestors(base) for base in bases]
        known, are_nouns = all(senses), {self.classes[i], self.classes[j]} <= {"n", "t"}
        common = above[0] & above[1] if known else above[0] | above[1]
        if known and common & wordnet.senses("color"):
            return not self.are_synonyms(*bases)
        # Most animals are persons in a figurative sense, too.
        is_animal = common & wordnet.senses("animal")
        persons = frozenset() if is_animal else wordnet.senses("person")
        related = common & (senses[0] & above[1] | senses[1] & above[0] | persons)
        is_comparable = named or known == any(senses)
        if not (alone and is_comparable and (are_nouns or not known)) or related:
            return False
        a, b = self._vectors[[i, j]].astype(float)
        similar = wordnet.similarities(bases, *np.array([[0], [1]]))[0]
        are_kinds = similar >= _ONE_KIND or is_animal or not known
        most = _SIMILAR_KINDS if are_kinds else _UNLIKE
        return bool(a @ b < most * np.linalg.norm(a) * np.linalg.norm(b))

    def are_one_name(self, first: str, second: str) -> bool:
        """Return whether two names stand for the same: "India", "Indian" or "Burma", "Myanmar"."""
        stems = [{name, _DEMONYM.sub("", name)} for name in (first, second)]
        return bool(
            stems[0] & stems[1]
            or self.are_synonyms(first, second)
            or self.misspells(first, second)
            or self._abbreviates(first, second)
        )

    def _abbreviates(self, first: str, second: str) -> bool:
        """Return whether one word shortens the other, as "St" does "Street"."""
        short, long = sorted((first, second), key=len)
        letters = iter(long)
        return (
            short[0] == long[0]
            and (short[-1] == long[-1] or (len(short) > 2 and long.startswith(short)))
            and (len(short) == 2 or not self._wordnet.senses(short))
            and all(letter in letters for letter in short)
        )

    def misspells(self, first: str, second: str) -> bool:
        """Return whether one word is a misspelling of the other: WordNet lacks one of them."""
        length = max(len(first), len(second))
        most = (length >= _ONE_WRONG) + (length >= _TWO_WRONG)
        return (
            abs(len(first) - len(second)) <= most
            and length <= _LONGEST
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
            (i, j, 1.0 if similar == 1 or types.are_synonyms(*self._bases(i, j)) else similar)
            for i, j, similar in matches
        ]
        self.opposed = self._find_opposed()
        # The word of the second sentence that belongs to a word of the first one.
        self.partner = {i: j for i, j, _ in matches}
        self.partners = set(self.partner.values())
        for i, j in sorted(self.opposed, key=_from_both_sides):
            self._pair_up(i, j)
        self.n_synonyms = 0  # of the words that are not aligned
        self._edits = Edits(first.order, second.order)
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
        first, second = self.first, self.second
        return {
            (k, second.opposable[j])
            for i, k in first.opposable.items()
            for j in second.opposable.keys() & self._types.opposites[i]
            if first.bases[k] not in second.bases
            and second.bases[second.opposable[j]] not in first.bases
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
        losses: tuple[list[float], ...] = ([], [], [])
        for i, j, similar in self.matches:
            n_same += similar == 1
            if similar < 1 and (i, j) not in explained:
                for kind in (first[i], second[j]):
                    losses[_GROUPS[kind]].append((1 - similar) / 2)
        n_words = len(self.first.words) + len(self.second.words)
        values["words_kept"] = 2 * n_same / n_words if n_words else 1.0
        counts = [0, 0, 0], [0, 0, 0]
        sides = zip(counts, (first, second), self._without_partner(), strict=True)
        for numbers, kinds, rest in sides:
            for i in rest:
                numbers[_GROUPS[kinds[i]]] += 1
        names = "nouns_changed", "verbs_changed", "descriptions_changed"
        for name, a, b, lost in zip(names, *counts, losses, strict=True):
            values[name] = min(a, b) + math.fsum(lost)
            values["words_added"] += abs(a - b)

    def differences(self) -> Iterator[Difference]:
        """Find all differences, and the tokens that are responsible for them."""
        for i, j in self.misspelled:
            yield Difference("words_misspelled", (i,), (j,))
        yield from self._polarity()
        yield from self._opposites()
        yield from self._replaced()
        exchanged = list(self._exchanged())
        yield from exchanged
        yield from (role for role in self._roles() if not exchanged or role.column == "roles_kept")
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
        of_nouns |= any("!" in (classes[0][i], classes[1][j]) for i, j in self.opposed)
        found = predicates[1] or (nouns if of_nouns else [])
        # "not possible to win" is "impossible to win".
        if found and not any(negated[0][i] != negated[1][j] for i, j in self.opposed):
            one_sided = any(negated[0]) != any(negated[1])
            is_other = one_sided or classes[0].count("!") != classes[1].count("!")
            weight = REASON if is_other else _HINT
            places, others = zip(*found, strict=True)
            yield Difference("negation_flip", places, others, weight)

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
            if any(mention.place == i for mention in self.first.mentions["quantifier bound"]):
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
        is_swap = len({self.first.bases[noun] for noun in swapped}) > 1
        weight = REASON if is_swap and self._edits.n_changed <= _MOST_CHANGED else _HINT
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

    def _replaced(self) -> Iterator[Difference]:
        """Find words in the place of words that they exclude."""
        first, second, n_changed = self.first, self.second, self._edits.n_changed
        names = [{mention.place for mention in side.mentions["name"]} for side in (first, second)]
        for a, b in self._edits.replaced() if 0 < n_changed <= _MOST_CHANGED else ():
            i, j = first.places[a], second.places[b]
            if first.bases[i] in second.bases or second.bases[j] in first.bases:
                continue
            words = {readings.plain_name(first.tokens[i]), readings.plain_name(second.tokens[j])}
            n_names = (i in names[0]) + (j in names[1])
            if n_names == 2 or (i, j) in self.opposed | self.misspelled or words & _PLAIN:
                continue
            is_word, ids = self._types.is_word, (first.ids[i], second.ids[j])
            alone = n_changed == 2 and is_word[ids[0]] and is_word[ids[1]]
            if words in _PRONOUNS or self._types.exclude(*ids, alone, n_names == 1):
                yield Difference("attribute_flip", (i,), (j,))

    def _exchanged(self) -> Iterator[Difference]:
        """Find two phrases that changed places, as in "from Oslo to Rome"."""
        first, second = self.first, self.second
        for before, between, after, exchanged in self._edits.exchanged():
            parts = [[first.places[k] for k in part] for part in (before, between, after)]
            kinds = ["".join(first.classes[k] for k in part) for part in parts]
            bases = [first.bases[k] for k in parts[1]]
            relations = [b for k, b in zip(kinds[1], bases, strict=True) if k in "vp"]
            kind = kinds[0] if kinds[0] == kinds[2] else ""
            # "white shirt and black pants"
            are_adjectives = kind == "j" and "n" in kinds[1]
            if (
                (are_adjectives or not _JOINING.issuperset(relations))
                and all(map(_BEARERS.search, kinds[::2]))
                and _BESIDE.isdisjoint(bases)
                and (kind in _EXCHANGED or _MUTUAL.isdisjoint(first.bases))
            ):
                places = [second.places[k] for k in exchanged]
                yield Difference(
                    _EXCHANGED.get(kind, "roles_swapped"), parts[0] + parts[2], places
                )

    def _mentions(self, kind: str) -> Iterator[Difference]:
        """Find mentions that one side lacks."""
        sides = self.first, self.second
        only = self._only(kind, *sides), self._only(kind, *sides[::-1])
        if any(only):
            column = kind.split()[0] if kind.split()[0] in _COLUMNS else "time"
            suffix = "flip" if all(only) else "added"
            is_hint = all(only) and self._edits.n_changed > _MOST_CHANGED
            weight = _HINT if is_hint else REASON
            places, others = ([m.place for m in side] for side in only)
            yield Difference(f"{column}_{suffix}", places, others, weight)

    def _only(self, kind: str, own: Sentence, other: Sentence) -> list[Mention]:
        """Return the mentions of one side that the other side lacks."""
        others = other.mentions[kind]
        # A name may be written in small letters on the other side.
        if not own.mentions[kind]:
            return []
        known: set[Any] = {mention.value for mention in others}
        alike = self._types.are_one_name if kind == "name" else _share
        if kind == "name":
            known |= other.plain | readings.find_acronyms(own.cased, other.cased)
        only = [m for m in own.mentions[kind] if m.value not in known][:_MOST_COMPARED]
        values = [mention.value for mention in others[:_MOST_COMPARED]]
        return [m for m in only if not any(alike(m.value, value) for value in values)]


def _share(first: Any, second: Any) -> bool:
    """Whether two times of day have minutes in common: "3 o'clock" is 3 am or 3 pm."""
    return isinstance(first, frozenset) and bool(first & second)


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
        1 if a word is negated on one side only ("not", "no", "never", "without", "failed to"); 0.5
        if both sides have as many negations.
    antonym_flip, antonym_negated
        Numbers of opposites, in WordNet or of another list, that are negated on neither or both
        sides; that are negated on one, and so mean the same.
    roles_swapped
        1 if two words have exchanged the roles that they have for the same verb: agent, patient or
        a preposition; 0.5 if an agent has become a patient or many other words differ. Passives
        are taken into account.
    roles_kept
        Number of the roles that are equal; not 0 for equal sentences.
    modifiers_swapped
        1 if two adjectives have exchanged their places, and nothing else differs.
    number_flip, time_flip, name_flip, quantifier_flip
        1 if each side has one that the other lacks, or if two numbers have exchanged their places;
        0.5 if many other words differ. Codes are numbers; times are clock times, days, dates,
        seasons, "last year", "monthly".
    attribute_flip
        1 if a word is replaced by one that excludes it: another colour, or a noun of another
        meaning if nothing else differs.
    number_added, time_added, name_added, quantifier_added
        1 if only one side has one that the other lacks.
    flips
        Sum of the nine kinds above, each from 0 to 1.
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
