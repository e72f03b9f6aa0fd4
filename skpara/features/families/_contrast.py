"""What turns the meaning of a sentence around though most of its words stay the same."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch, row_norms
from skpara.features._lists import MOST_WORDS, Lists, align_cells, cell_cosines, cells, parts
from skpara.features.families._alignment import (
    NEIGHBOR_WEIGHT,
    WINDOW,
    word_similarities,
)
from skpara.features.families._clauses import read_clauses, word_class
from skpara.features.families._comparison import Match, PairComparison, Reading, Speller
from skpara.features.families._mentions import (
    QUANTIFIERS,
    TIME_WORDS,
    find_names,
    find_numbers_and_times,
    find_quantifiers,
)
from skpara.features.families._opposites import find_opposites
from skpara.resources import WordNet

NAMES = (
    *("negation_flip", "antonym_flip", "antonym_negated", "roles_swapped", "roles_kept"),
    *("modifiers_swapped", "number_flip", "number_added", "time_flip", "time_added"),
    *("name_flip", "name_added", "quantifier_flip", "quantifier_added", "flips"),
    *("words_kept", "nouns_changed", "verbs_changed", "descriptions_changed"),
    *("words_added", "words_misspelled"),
)

_NOMINATIVE = {"him": "he", "her": "she", "them": "they", "us": "we", "me": "i"}
# Characters in which dates are searched: more than the tokens that are read usually have.
_MOST_CHARACTERS = 16 * MOST_WORDS
_NO_PAIRS: Set[tuple[int, int]] = frozenset()


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
        PairComparison(readings[a], readings[b], matches[p], opposed.get(p, _NO_PAIRS))
        for p, (a, b) in enumerate(batch.takelab.pairs)
    ]
    speller = Speller(batch.wordnet, {c for pair in pairs for c in pair.candidates()})
    rows = [pair.compare(speller) for pair in pairs]
    return np.array(rows, dtype=np.float64).reshape(len(pairs), len(NAMES))


def _readings(batch: PairBatch, tokens: _Tokens) -> list[Reading]:
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
            Reading(
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


def _matches(batch: PairBatch, tokens: _Tokens) -> list[list[Match]]:
    """Align the words of each pair one to one by their base forms and vectors."""
    lists = tokens.lists
    keep = tokens.is_word[lists.ids]
    words = lists.where(keep)
    places = (np.arange(len(lists.ids)) - lists.offsets[:-1].repeat(lists.lengths))[keep]
    norms = row_norms(batch.tagged_vectors)
    result: list[list[Match]] = [[] for _ in range(len(batch))]
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
        result[p].append(Match(*match))
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
    opposites = find_opposites(
        wordnet, tokens.words, tokens.tags, tokens.bases, tokens.base_of.tolist()
    )
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


FAMILY = Family("contrast", NAMES, compute, needs={"vectors", "wordnet", "tagger"})
