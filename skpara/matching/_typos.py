"""Texts with typos corrected, or without accents, compared in addition to those as written."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, product
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import OSA

from skpara._normal_form import without_accents
from skpara._typing import Bools
from skpara.matching._search import Rows
from skpara.matching._texts import WORD
from skpara.resources import WordFrequencies, WordNet

# A word, unless it precedes the "'t" of "wasn't", which is not a typo.
_WORD = re.compile(r"([^\W_]++(?!['’]t\b))")
# A typo may stand for one of this many most frequent words.
_FREQUENT = 30_000
# Most words that a typo may stand for.
_MOST_MEANT = 5
# Shorter words are similar to too many others.
_SHORTEST = 3
# A text with more unknown words has names, or is in another language.
_MOST_TYPOS = 2
# So does a text with fewer other words.
_FEWEST_OTHERS = 3
# A text with more accented words is hardly English, so its words are not read without accents.
_MOST_ACCENTS = 3
# Words that are remembered: in many millions of rows, there is no end of names and typos.
_MOST_REMEMBERED = 2**18


class Reading(NamedTuple):
    """A text of a table, read in another way."""

    row: int
    text: str
    words: frozenset[str]  # that typos, or accented words, stand for


def readings(rows: Iterable[int], texts: Sequence[str]) -> Iterator[Reading]:
    """Yield the readings of rows of a table other than what is written."""
    known: set[str] = set()  # words that stand for no other
    for row in rows:
        if not texts[row].isascii() and (accented := _without_accents(row, texts[row])):
            yield accented
        found = _WORD.findall(texts[row])
        if known.issuperset(found):
            continue
        words = dict.fromkeys(found)
        meant = {word: others for word in words if (others := _meant(word))}
        if len(known) < _MOST_REMEMBERED:
            known.update(words.keys() - meant.keys())
        if not 0 < len(meant) <= min(_MOST_TYPOS, len(words) - _FEWEST_OTHERS):
            continue
        parts: list[str] = _WORD.split(texts[row])
        for chosen in product(*([word, *others] for word, others in meant.items())):
            if new := frozenset(chosen) - set(meant):
                instead = dict(zip(meant, chosen, strict=True))
                yield Reading(row, "".join([instead.get(part, part) for part in parts]), new)


def rows_of(pairs: Rows, texts: Sequence[str], others: Sequence[Reading]) -> tuple[Rows, Bools]:
    """Return the rows of pairs of texts and readings, and which may say the same.

    The readings are numbered after the texts. What a typo stands for must be in the other
    row as it is written.
    """
    n = len(texts)
    rows = np.array([*range(n), *(x.row for x in others)], dtype=np.int64)[pairs]
    may_be = rows[:, 0] != rows[:, 1]
    for side, other in ((0, 1), (1, 0)):
        for place in np.flatnonzero(may_be & (pairs[:, side] >= n)).tolist():
            words = others[pairs[place, side] - n].words
            may_be[place] = words <= words_of(texts[rows[place, other]])
    return rows, may_be


@lru_cache(2**12)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a text in lower case."""
    return frozenset(WORD.findall(text.lower()))


def _without_accents(row: int, text: str) -> Reading | None:
    accented = (word for word in WORD.findall(text) if not word.isascii())
    words = {word: unicodedata.normalize("NFC", without_accents(word)) for word in accented}
    plain = {new.lower() for word, new in words.items() if new != word}
    if not 0 < len(plain) <= _MOST_ACCENTS:
        return None
    return Reading(row, WORD.sub(lambda m: words.get(m[0], m[0]), text), frozenset(plain))


@lru_cache(_MOST_REMEMBERED)
def _meant(word: str) -> tuple[str, ...]:
    """Return the frequent words that differ by one letter from a word that no list has.

    A word with capital letters is more often a name than a typo.
    """
    ranks, near = _frequent()
    may_be = len(word) >= _SHORTEST and word.isalpha() and word.islower()
    if not may_be or word in ranks or WordNet.load().senses(word):
        return ()
    others = {other for rest in _shortened(word) for other in near.get(rest, ())}
    others = {other for other in others if OSA.distance(word, other, score_cutoff=1) == 1}
    return tuple(sorted(others, key=ranks.__getitem__)[:_MOST_MEANT])


@cache
def _frequent() -> tuple[dict[str, int], dict[str, list[str]]]:
    """Return frequent words with their ranks, and by what is left of them without a letter."""
    words = islice(filter(str.isalpha, WordFrequencies.load()), _FREQUENT)
    ranks = {word: rank for rank, word in enumerate(words)}
    near = defaultdict[str, list[str]](list)
    for word in ranks:
        for rest in _shortened(word):
            near[rest].append(word)
    return ranks, near


def _shortened(word: str) -> set[str]:
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}
