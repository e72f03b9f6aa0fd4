"""Detectors of other words: opposites, words in the place of others, and other tenses."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import numpy as np
from rapidfuzz.distance import OSA

from skpara._typing import Bools
from skpara.features.contrast._alignment import GROUPS, AlignedPairs
from skpara.features.contrast._comparison import MOST_CHANGED, Comparison
from skpara.features.contrast._detector import (
    FEW_CHANGED,
    HINT,
    REASON,
    Detector,
    Difference,
)
from skpara.features.contrast._lexicon import (
    EXCLUSIVE_KINDS,
    FUTURE,
    NOT_ANOTHER_PERSON,
    PARTICLES,
    PAST,
    PHRASAL_VERBS,
    PRONOUNS,
    SAME_PARTICLES,
)
from skpara.features.contrast._names import are_one_name, are_synonyms, is_initial_of, plain_name
from skpara.features.contrast._roles import AGENT
from skpara.features.contrast._tokens import Mark, TokenLexicon
from skpara.resources import WordFrequencies, WordNet

# Two words of which the more frequent one is one in this many are other things if their cosine is
# below the limit. The limit falls where a word is ten times as frequent.
_RARE = 1e-5
_LIMIT = 0.5
_FALL = 0.4
# A word that nobody has counted is as frequent as one in this many.
_UNSEEN = 1e-9
# Words that are so alike may be forms or spellings of one.
_ONE_SPELLING = 0.8
# Other words than nouns are only a hint: one may paraphrase the other.
_STRONGEST_HINT = 0.9
# A word without a vector is unlike no other: its cosine is 0, not undefined.
_TINY = 1e-300


class Tense(Detector):
    """Verbs that are past in one sentence and to come in the other one."""

    name = "tense"
    columns = ("time_flip",)
    different = (("She left.", "She will leave."), ("It has been sold.", "It will be sold."))
    same = (("She leaves.", "She will leave."),)

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MODAL) & (pairs.n_changed <= FEW_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        is_first_past = FUTURE.isdisjoint(first.tokens)
        if is_first_past == FUTURE.isdisjoint(second.tokens):
            return
        past, future = (first, second) if is_first_past else (second, first)
        has_past = not PAST.isdisjoint(set(past.tokens) - set(future.tokens))
        for places in comparison.aligned:
            i, j = places if is_first_past else places[::-1]
            is_form = past.tokens[i] != past.bases[i] == future.tokens[j]
            is_past_form = is_form and not past.tokens[i].endswith(("s", "ing"))
            if past.classes[i] == "v" and (has_past or is_past_form):
                yield Difference("time_flip", places[:1], places[1:])


class Opposites(Detector):
    """A word and its opposite, such as "hot" and "cold"."""

    name = "opposites"
    columns = ("antonym_flip", "antonym_negated")
    different = (
        ("The soup is hot.", "The soup is cold."),
        ("Prices rose in Spain.", "Prices fell in Spain."),
        ("The road was safe.", "The road was unsafe."),
    )
    same = (
        ("The soup is not hot.", "The soup is cold."),
        ("Anna is taller than Peter.", "Peter is shorter than Anna."),
        ("The exam turned out easy.", "In the end the exam turned easy."),
    )

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.have_opposites()

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        # "Bought it from her" and "sold it to her" have one agent.
        are_exchanged = comparison.is_converse or any(
            change.kind == "converse" and AGENT in (change.first, change.second)
            for change in comparison.role_changes
        )
        bounds = {m.place for m in first.mentions if m.kind == "quantifier bound"}
        for i, j in comparison.opposed:
            kinds = {first.classes[i], second.classes[j]}
            is_all = "!" not in kinds and self._is_only_change(comparison, i, j)
            if i in bounds or not (is_all or self._may_oppose(comparison, i, j)):
                continue
            if first.negated[i] != second.negated[j]:
                yield Difference("antonym_negated", (i,), (j,))
            elif not are_exchanged:
                # Where many other words differ, they may be of two clauses.
                weight = REASON if comparison.is_close else HINT
                yield Difference("antonym_flip", (i,), (j,), weight)

    def _is_only_change(self, comparison: Comparison, i: int, j: int) -> bool:
        """Return whether only a word and its opposite differ, or "in" and "out of"."""
        if comparison.n_changed > FEW_CHANGED or len(comparison.replaced) != 1:
            return False
        ((place, other_place),) = comparison.replaced
        return place - i in (0, 1) and other_place - j in (0, 1)

    def _may_oppose(self, comparison: Comparison, i: int, j: int) -> bool:
        """Return whether opposites are so where other words differ.

        Prepositions often are not: "turned out" and "in the end".
        """
        kinds = {comparison.first.classes[i], comparison.second.classes[j]}
        if kinds != {"p"}:
            return kinds <= GROUPS.keys()
        names = comparison.bases(i, j)  # "A before B" is "B after A"
        return any(
            (role.name, other.name) == names
            for noun in comparison.first.roles
            for role, other in product(*comparison.roles_of(noun))
        )


class ReplacedWords(Detector):
    """A word in the place of a word that it excludes: another colour, name, animal or drug."""

    name = "replaced words"
    columns = ("attribute_flip", "name_flip", "antonym_flip")
    different = (
        ("A grey scarf", "A purple scarf"),
        ("A man drinks tea.", "A man drinks coffee."),
        ("She is allergic to lisinopril.", "She is allergic to gabapentin."),
        ("Is losartan safe at night?", "Is valsartan safe at night?"),
        ("Error in module auth", "Error in module billing"),
        ("She looked up the word.", "She looked over the word."),
    )
    same = (
        ("A dog walks.", "An animal walks."),
        ("The biker fell.", "The man fell."),
        ("Is the sofa green?", "Is the couch green?"),
        ("He recieved the parcel.", "He received the parcel."),
    )

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        only_first, only_second = pairs.only
        is_replaced = (only_first > 0) & (only_second > 0) & (pairs.n_changed <= MOST_CHANGED)
        return is_replaced & ((pairs.n_changed == 2) | pairs.both_have(Mark.COLOR))

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        for i, j in comparison.replaced:
            if first.bases[i] in second.bases or second.bases[j] in first.bases:
                continue
            if self._is_other_verb(comparison, i, j):
                yield Difference("antonym_flip", (i - 1, i), (j - 1, j))
            elif not self._may_agree(comparison, i, j):
                column, weight = self._weigh(comparison, i, j)
                if weight > 0:
                    yield Difference(column, (i,), (j,), weight)

    def _is_other_verb(self, comparison: Comparison, i: int, j: int) -> bool:
        """Return whether a verb has another particle: "look after" and "look for"."""
        particles = {comparison.first.tokens[i], comparison.second.tokens[j]}
        if not (particles <= PARTICLES and i and j and comparison.n_changed == 2):
            return False
        verb, other = comparison.bases(i - 1, j - 1)
        may_agree = any(particles <= words for words in SAME_PARTICLES)
        return verb == other and verb in PHRASAL_VERBS and not may_agree

    def _may_agree(self, comparison: Comparison, i: int, j: int) -> bool:
        """Return whether two words may stand for one thing, or are two names."""
        first = comparison.first
        second = comparison.second
        words = {plain_name(first.tokens[i]), plain_name(second.tokens[j])}
        n_names = (i in first.names) + (j in second.names)
        is_title = not NOT_ANOTHER_PERSON.isdisjoint(words)
        # "He" may be "Otto".
        is_person = n_names == 1 and not PRONOUNS.isdisjoint(words)
        is_initial = is_initial_of(first.cased[i], second.cased[j])
        is_one = len(words) == 1 or (i, j) in comparison.misspelled  # "NFL" and "N.F.L."
        return n_names == 2 or is_title or is_person or is_initial or is_one

    def _weigh(self, comparison: Comparison, i: int, j: int) -> tuple[str, float]:
        """Return the column of a word in the place of another one, and its weight."""
        first = comparison.first
        second = comparison.second
        lexicon = comparison.lexicon
        word, other = first.ids[i], second.ids[j]
        is_only_change = comparison.n_changed == 2
        # Only one of the first words of two sentences may be known as a name.
        are_names = f"{first.cased[i]} {second.cased[j]}".istitle()
        if is_only_change and are_names and (i in first.names) != (j in second.names):
            names = plain_name(first.tokens[i]), plain_name(second.tokens[j])
            if not are_one_name(lexicon.wordnet, *names):
                return "name_flip", REASON
        if lexicon.marks[word] & lexicon.marks[other] & Mark.COLOR:
            do_exclude = not are_synonyms(lexicon.wordnet, *comparison.bases(i, j))
            return "attribute_flip", REASON * do_exclude
        return "attribute_flip", weigh_exchange(lexicon, word, other) if is_only_change else 0.0


@lru_cache(1)
def _exclusive_kinds(wordnet: WordNet) -> frozenset[int]:
    return frozenset[int]().union(*map(wordnet.senses, EXCLUSIVE_KINDS))


def weigh_exchange(lexicon: TokenLexicon, i: int, j: int) -> float:
    """Return how much it tells that a word of a lexicon stands in the place of another one.

    Nothing, if one is a kind of the other. Kinds of one thing exclude each other, as animals and
    drugs do. Else it tells the more, the less similar the words are, and the rarer: who means the
    same seldom takes another rare word. Persons may be described in many words.
    """
    wordnet = lexicon.wordnet
    first = lexicon.bases[i]
    second = lexicon.bases[j]
    above_first = wordnet.ancestors(first)
    above_second = wordnet.ancestors(second)
    common = above_first & above_second
    senses = wordnet.senses(first), wordnet.senses(second)
    if not (common.isdisjoint(senses[0] | senses[1]) and senses[0].isdisjoint(senses[1])):
        return 0.0
    probability = WordFrequencies.load().probability
    frequency = max(probability(first), probability(second), _UNSEEN)
    if frequency <= _RARE:  # the tagger guesses
        are_words = first.isalpha() and second.isalpha()
        are_nouns = are_words
    else:
        kinds = {lexicon.classes[i], lexicon.classes[j]}
        are_words = lexicon.is_word[i] and lexicon.is_word[j]
        are_nouns = "n" in kinds and kinds <= set("njt")
    # Rare words that WordNet tells apart, as "prednisone" and "prednisolone", are no spellings of
    # one, nor are names of users that nobody has counted, as "asmith" and "bsmith".
    are_two = frequency <= _RARE and bool(senses[0]) and bool(senses[1])
    may_be_one = not are_two and (frequency > _UNSEEN or len(first) != len(second))
    is_one = may_be_one and OSA.normalized_similarity(first, second) >= _ONE_SPELLING
    if not are_words or is_one:
        return 0.0
    if are_nouns and not common.isdisjoint(_exclusive_kinds(wordnet)):
        return REASON
    limit = _LIMIT - _FALL * math.log10(frequency / _RARE)
    weight = max(0.0, REASON + limit - _cosine(lexicon, i, j))
    is_person = not (above_first | above_second).isdisjoint(wordnet.senses("person"))
    strongest = REASON if are_nouns and not is_person else _STRONGEST_HINT
    return min(weight, strongest)


def _cosine(lexicon: TokenLexicon, i: int, j: int) -> float:
    first, second = lexicon.vectors[[i, j]].astype(float)
    norms = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second / max(norms, _TINY))
