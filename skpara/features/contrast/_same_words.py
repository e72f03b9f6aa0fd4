"""Pairs of words that are one: synonyms, and a word and its misspelling."""

from __future__ import annotations

from rapidfuzz.distance import OSA

from skpara.resources import WordFrequencies, WordNet

# Letters of the shortest word that may have one wrong letter: "cat" and "car" are two words.
_LENGTH_FOR_ONE_ERROR = 4
# Letters of the shortest word that may have two.
_LENGTH_FOR_TWO_ERRORS = 8
MOST_ERRORS = 2
# Longer words are not compared: they are no words, and the time grows with their length.
_LONGEST_WORD = 30
# In running text, a misspelling is this many times as rare as the word.
_TIMES_AS_RARE = 3


def are_synonyms(wordnet: WordNet, first: str, second: str) -> bool:
    """Return whether two base forms are equal or have a sense in common."""
    return first == second or not wordnet.senses(first).isdisjoint(wordnet.senses(second))


def is_misspelling(wordnet: WordNet, first: str, second: str) -> bool:
    """Return whether one word is a misspelling of the other: WordNet lacks one of them."""
    return look_alike(wordnet, first, second) and not _are_two_words(first, second)


def look_alike(wordnet: WordNet, first: str, second: str) -> bool:
    """Return whether few letters differ between two words, one of which WordNet lacks."""
    length = max(len(first), len(second))
    if length < _LENGTH_FOR_ONE_ERROR:
        most = 0
    elif length < _LENGTH_FOR_TWO_ERRORS:
        most = 1
    else:
        most = MOST_ERRORS
    return (
        abs(len(first) - len(second)) <= most
        and length <= _LONGEST_WORD
        and OSA.distance(first, second, score_cutoff=most) <= most
        and (first + second).isalpha()
        and not (wordnet.senses(first) and wordnet.senses(second))
    )


def _are_two_words(first: str, second: str) -> bool:
    """Return whether neither of two words is so much rarer that it may misspell the other."""
    probability = WordFrequencies.load().probability
    rare, frequent = sorted((probability(first), probability(second)))
    is_form = first.startswith(second) or second.startswith(first)
    return rare > frequent / _TIMES_AS_RARE and (first + second).isascii() and not is_form
