"""Words that exclude each other: what one describes, the other hardly does."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from skpara.features.contrast._lexicon import EXCLUSIVE_KINDS
from skpara.features.contrast._same_words import are_synonyms, look_alike
from skpara.features.contrast._tokens import Mark, TokenLexicon
from skpara.resources import WordNet

# Nouns with a lower cosine are never interchangeable.
_UNLIKE_NOUNS = 0.2
# Verbs with a higher cosine may describe the same.
_UNLIKE_VERBS = 0.1
# Words with a higher cosine may be used for each other, unless their kinds exclude each other.
_SIMILAR = 0.5
# Nouns with a higher path similarity in WordNet are two kinds of one thing.
_TWO_KINDS = 0.3
# A word without a vector is unlike no other: its cosine is 0, not undefined.
_TINY = 1e-300


@lru_cache(1)
def _exclusive_kinds(wordnet: WordNet) -> frozenset[int]:
    return frozenset[int]().union(*map(wordnet.senses, EXCLUSIVE_KINDS))


def exclude(lexicon: TokenLexicon, i: int, j: int, is_only_change: bool, has_name: bool) -> bool:
    """Return whether what a word of a lexicon describes, another word hardly does.

    That is so for colours. Where nothing else differs, it is so for two kinds of one thing, for
    nouns and verbs with unlike vectors, and for words that WordNet lacks. It is not so for a thing
    and a kind of it, nor for persons.
    """
    wordnet = lexicon.wordnet
    first = lexicon.bases[i]
    second = lexicon.bases[j]
    if lexicon.marks[i] & lexicon.marks[j] & Mark.COLOR:
        return not are_synonyms(wordnet, first, second)
    if not is_only_change:
        return False
    kinds = {lexicon.classes[i], lexicon.classes[j]}
    are_known = bool(wordnet.senses(first)), bool(wordnet.senses(second))
    if all(are_known):
        if kinds == {"v"} and _cosine(lexicon, i, j) >= _UNLIKE_VERBS:
            return False
        are_comparable = kinds == {"v"} or kinds <= {"n", "t"}
        return are_comparable and _are_exclusive_kinds(lexicon, i, j)
    are_comparable = has_name or not any(are_known)
    return are_comparable and _are_other_names(lexicon, i, j)


def _cosine(lexicon: TokenLexicon, i: int, j: int) -> float:
    first, second = lexicon.vectors[[i, j]].astype(float)
    norms = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second / max(norms, _TINY))


def _are_exclusive_kinds(lexicon: TokenLexicon, i: int, j: int) -> bool:
    """Return whether two known words are two kinds of one thing, such as "tea" and "coffee"."""
    wordnet = lexicon.wordnet
    first = lexicon.bases[i]
    second = lexicon.bases[j]
    cosine = _cosine(lexicon, i, j)
    above_first = wordnet.ancestors(first)
    above_second = wordnet.ancestors(second)
    common = above_first & above_second
    are_exclusive = not common.isdisjoint(_exclusive_kinds(wordnet))
    if cosine >= _SIMILAR and not are_exclusive:
        return False
    senses = wordnet.senses(first) | wordnet.senses(second)
    if not common.isdisjoint(senses):  # one is a kind of the other: an animal may be a dog
        return False
    if are_exclusive:  # tested first: most animals are persons, too, in a figurative sense
        return True
    if not common.isdisjoint(wordnet.senses("person")):  # a man may be a hiker
        return False
    if cosine < _UNLIKE_NOUNS:
        return True
    similarities = wordnet.similarities([first, second], np.array([0]), np.array([1]))
    return bool(similarities[0] >= _TWO_KINDS)


def _are_other_names(lexicon: TokenLexicon, i: int, j: int) -> bool:
    """Return whether two words, of which WordNet lacks one, name two things.

    A name and the word for a person may be one, as in "Mary" and "the girl".
    """
    wordnet = lexicon.wordnet
    first = lexicon.bases[i]
    second = lexicon.bases[j]
    if _cosine(lexicon, i, j) >= _SIMILAR and not look_alike(wordnet, first, second):
        return False
    above = wordnet.ancestors(first) | wordnet.ancestors(second)
    return above.isdisjoint(wordnet.senses("person"))
