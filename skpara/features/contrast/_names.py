"""Names, and pairs of words that are one: synonyms, misspellings, and other forms of a name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

from skpara._core import Ragged
from skpara._typing import Bools
from skpara._unicode import without_accents
from skpara.features._batch import PairBatch
from skpara.features._kernels import MOST_WORDS, Ids, are_among
from skpara.features.contrast._lexicon import NO_NAMES, SAME_NAME, UNITS
from skpara.resources import WordFrequencies, WordNet

# Parts of speech that no name has.
_NAMELESS = "!bx&sdp"
# Capitalized words from which a sentence may be a headline.
FEWEST_OF_HEADLINE = 4
# Words that acronyms leave out.
_NOT_SPELLED = frozenset(["of", "the", "and", "for"])
# Endings that tell the people of a place from the place; three letters must remain.
_DEMONYM = re.compile(r"(?<=\w{3})(ian|ean|ia|an|ese|ish|is|i|n|s|a|e|y)s?$")
# Letters with which two names begin if they have a stem in common.
_STEM = 3
# Letters of the shortest word that may have one wrong letter: "cat" and "car" are two words.
_LENGTH_FOR_ONE_ERROR = 4
# Letters of the shortest word that may have two.
_LENGTH_FOR_TWO_ERRORS = 8
MOST_ERRORS = 2
# Longer words are not compared: they are no words, and the time grows with their length.
_LONGEST_WORD = 30
# In running text, a misspelling is this many times as rare as the word.
_TIMES_AS_RARE = 3


class Names(NamedTuple):
    """The names of a batch of pairs."""

    of_sentences: Ragged  # positions in each sentence
    # By pair, the positions of the names on each side that the other side lacks.
    new: tuple[dict[int, list[int]], dict[int, list[int]]]


def find_names(batch: PairBatch, positions: Ragged, kinds: NDArray[np.uint8]) -> Names:
    """Find the names of all sentences, and those that the other side of a pair lacks.

    ``positions`` are those of the first tokens of each sentence, and ``kinds`` the parts of speech
    of all these tokens.
    """
    is_name = _mark_names(batch, positions, kinds)
    names = positions.where(is_name)
    # A name may be written in small letters on the other side.
    tokens, n_tokens = _number_plain_tokens(batch)
    written = np.sort(positions.owners * n_tokens + tokens)
    tokens_of_names = tokens[is_name]
    left, right = batch.takelab.sides

    def find_new(own: Ids, other: Ids) -> dict[int, list[int]]:
        pair = np.arange(len(own)).repeat(names.lengths[own])
        places = names.places(own)
        keys = other[pair] * n_tokens + tokens_of_names[places]
        is_new = written.searchsorted(keys, "right") == written.searchsorted(keys)
        new = defaultdict[int, list[int]](list)
        found = zip(pair[is_new].tolist(), names.ids[places[is_new]].tolist(), strict=True)
        for number, position in found:
            new[number].append(position)
        return dict(new)

    return Names(names, (find_new(left, right), find_new(right, left)))


def _mark_names(batch: PairBatch, positions: Ragged, kinds: NDArray[np.uint8]) -> Bools:
    """Return which tokens are names."""
    takelab = batch.takelab
    n_sentences = len(takelab.texts)
    owners = positions.owners
    cased = takelab.cased_ids.head(MOST_WORDS).ids

    def are(test: Callable[[str], bool]) -> Bools:
        return np.array([test(token) for token in takelab.cased], dtype=bool)[cased]

    # In headlines every word may be capitalized.
    n_upper = np.bincount(owners[are(_is_capitalized)], minlength=n_sentences)
    n_letters = np.bincount(owners[are(str.isalpha)], minlength=n_sentences)
    is_headline = (n_upper >= FEWEST_OF_HEADLINE) & (2 * n_upper > n_letters)
    is_inside = (positions.ids > 0) & ~is_headline[owners]
    is_proper = batch.tagged.proper.head(MOST_WORDS).ids > 0
    is_name = are(may_be_name) & (is_inside | is_proper) & ~are_among(kinds, _NAMELESS)
    is_last = positions.ids[1:] == 0
    is_name[:-1] &= is_last | ~are(_is_dollar)[1:]  # "US$5"
    return is_name


def _number_plain_tokens(batch: PairBatch) -> tuple[Ids, int]:
    """Number the first tokens of all sentences, equal ones alike whatever their full stops.

    Also returns how many numbers there are at most.
    """
    takelab = batch.takelab
    numbers = {token: i for i, token in enumerate(takelab.distinct)}
    for token in [token for token in numbers if "." in token]:
        numbers[token] = numbers.setdefault(plain_name(token), len(numbers))
    plain = np.array([numbers[token] for token in takelab.distinct], dtype=np.int64)
    return plain[takelab.ids.head(MOST_WORDS).ids], len(numbers)


def _is_capitalized(token: str) -> bool:
    return token[0].isupper()


def _is_dollar(token: str) -> bool:
    return token == "$"


def may_be_name(token: str) -> bool:
    """Return whether a token looks like a name; in some sentences any capitalized word does."""
    if not token[0].isupper():
        return False
    name = plain_name(token)
    return name not in NO_NAMES and name not in UNITS and name.isalpha() and not is_initial(token)


def is_initial(token: str) -> bool:
    """Return whether a token is an initial, such as "J."."""
    return len(token) == 2 and token[0].isupper() and token[1] == "."


def is_initial_of(token: str, other: str) -> bool:
    """Return whether one of two tokens is the initial of the other: "J." and "John"."""
    if not (is_initial(token) or is_initial(other)):
        return False
    return token[0] == other[0] and token != other


def plain_name(token: str) -> str:
    """Return a name without capitals, accents and full stops."""
    return without_accents(token.lower()).replace(".", "")


def are_one_name(wordnet: WordNet, first: str, second: str) -> bool:
    """Return whether two names stand for the same: "India", "Indian" or "Burma", "Myanmar"."""
    first = SAME_NAME.get(first, first)
    second = SAME_NAME.get(second, second)
    return (
        _have_one_stem(first, second)
        or are_synonyms(wordnet, first, second)
        or is_misspelling(wordnet, first, second)
        or _abbreviates(wordnet, first, second)
    )


def _have_one_stem(first: str, second: str) -> bool:
    if first[:_STEM] != second[:_STEM]:
        return False
    stems = {first, _DEMONYM.sub("", first)}
    return not stems.isdisjoint((second, _DEMONYM.sub("", second)))


def _abbreviates(wordnet: WordNet, first: str, second: str) -> bool:
    """Return whether one word shortens the other, as "St" does "Street"."""
    short, long = sorted((first, second), key=len)
    if len(short) != 2 and wordnet.senses(short):  # a word of its own
        return False
    return shortens(short, long)


def shortens(short: str, long: str) -> bool:
    """Return whether a word has the ends or the beginning, and letters of another in order."""
    has_ends = short[0] == long[0] and short[-1] == long[-1]
    is_beginning = len(short) > 2 and long.startswith(short)
    letters = iter(long)
    return (has_ends or is_beginning) and all(letter in letters for letter in short)


def find_acronyms(first: Sequence[str], second: Sequence[str]) -> set[str]:
    """Return the acronyms of one side that the other side spells out, and its words."""
    return _find_spelled(first, second) | _find_spelled(second, first)


def _find_spelled(tokens: Sequence[str], others: Sequence[str]) -> set[str]:
    """Return the acronyms among tokens that other tokens spell out, and the latter."""
    found = set[str]()
    names = {plain_name(token) for token in tokens if token.isupper() and len(token) > 1}
    if not names:
        return found
    lowered = map(str.lower, others)
    spelled = [token for token in lowered if token not in _NOT_SPELLED]
    initials = "".join(token[0] for token in spelled)
    for name in names:
        start = initials.find(name)
        if start < 0 and len(name) == 3:  # the USA may be the United States
            start = initials.find(name[:2])
        if start >= 0:
            found |= {name, *spelled[start : start + len(name)]}
    return found


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
    if not frequent:  # nobody has counted either: long ones may be one name
        return max(len(first), len(second)) < _LENGTH_FOR_TWO_ERRORS
    return rare > frequent / _TIMES_AS_RARE and (first + second).isascii() and not is_form
