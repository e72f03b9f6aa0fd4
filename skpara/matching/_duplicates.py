"""Names within one table: how probably two of them are of the same thing.

The packaged numbers for names suppose another table, where many rows have a counterpart. Here each
pair is scored from both of its rows, words in the places of other words count against it, and the
number of repeated rows is estimated from the table itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from tqdm import tqdm

from skpara._core import ranges
from skpara._typing import Bools, Floats, Vectors
from skpara.matching._model import (
    CONTEXT,
    LOWEST,
    NAMES,
    leads,
    packaged,
    parts_of_rows,
    weighted,
)
from skpara.matching._search import Rows, chunks, exact_cosines, plain, slices
from skpara.matching._texts import FEATURES, TextIndex
from skpara.matching._word_pairs import Aligned
from skpara.matching._words import evidence_of_pairs
from skpara.resources import WordFrequencies

# A word that occurs in at least this many texts is not a typo.
_FEWEST_TEXTS = 3
# Neither is a word that is as frequent in English.
_FREQUENT = 1e-6
# Further conflicts add nothing.
_MOST_CONFLICTS = 3
# Weights of the mean log odds of both directions, of conflicts, and of typos, in the log odds that
# a pair is one thing. From logistic regression on synthetic tables of persons, companies and
# addresses, half of them without copies.
_SLOPE = 1.28
_CONFLICT = -5.06
_MISTYPED = 2.13
_OFFSET = 2.58
# Share of repeated records, before it is estimated.
_USUAL_SHARE = 0.05
# Weight of this usual share, in records.
_USUAL_RECORDS = 20
# By how much these log odds are too low: of pairs with a probability of 0.77, 97 % or more were
# right in the tables of tests/repeated_names.py.
_UNDERSTATED = 1.0
_ROUNDS = 50
# Below this similarity, a word has no counterpart in the other text.
_NO_COUNTERPART = 0.5
# From this similarity on, a word may be a typo for another.
_LIKE = 0.3
# Below this similarity, it is another word.
_UNLIKE = 0.15
# Names whose neighbours are sought at a time.
_NAMES = 2**13
# Pairs that are compared, or scored, at a time: their features take 50 MB.
_PAIRS = 2**17

# Where the features of a pair are in those of the pair turned round.
_MIRRORED = {
    "containment": "contained",
    "unexplained": "missing",
    "number_unexplained": "number_missing",
}
_MIRRORED |= {second: first for first, second in _MIRRORED.items()}
_MEANING = FEATURES.index("meaning")
_TURNED = [FEATURES.index(_MIRRORED.get(name, name)) for name in FEATURES]

# Abbreviations that stand for one word, whatever the name.
_FULL = {
    "&": "and",
    "ave": "avenue",
    "blvd": "boulevard",
    "bros": "brothers",
    "corp": "corporation",
    "inc": "incorporated",
    "intl": "international",
    "ltd": "limited",
    "rd": "road",
    "univ": "university",
}
_ABBREVIATION = re.compile(rf"(?<!\S)({'|'.join(_FULL)})(?![^\s.,])\.?")


def written_out(name: str) -> str:
    """Return a name as it is compared: without case, and with usual abbreviations written out."""
    return _ABBREVIATION.sub(lambda match: _FULL[match[1]], plain(name))


Encode = Callable[[Rows], Vectors]
Refuse = Callable[[Rows], Bools]


class NamesWithin:
    """The names of one table, see :class:`~skpara.matching._groups.Within`.

    ``encode`` returns the vectors of some names if the index has none.
    """

    def __init__(
        self, index: TextIndex, with_vectors: bool, encode: Encode, refuse: Refuse, verbose: bool
    ) -> None:
        self.index, self.with_vectors, self.encode = index, with_vectors, encode
        self.refused, self.verbose = refuse, verbose
        self._known = known_words(index)
        nothing = np.empty(0, dtype=np.int64)
        self._compared = self._comparison(nothing, nothing)

    def propose(self, numbers: Rows, k: int) -> tuple[Rows, Rows]:
        """Propose the k nearest neighbours of some names."""
        found = [np.empty((2, 0), dtype=np.int64)]
        with self._progress("Search", len(numbers), "names") as progress:
            for some in slices(numbers, _NAMES):
                bag = self.index.rows.part(some)
                rows, columns = self.index.candidates(bag, k, self.with_vectors)
                pairs = np.stack([some[rows], columns])
                found.append(pairs[:, pairs[0] != pairs[1]])
                progress.update(len(some))
        rows, columns = np.concatenate(found, axis=1)
        return rows, columns

    def compare(self, rows: Rows, columns: Rows) -> None:
        """Compare further pairs."""
        parts = [self._compared]
        with self._progress("Compare", len(rows), "pairs") as progress:
            for part in chunks(len(rows), _PAIRS):
                parts.append(self._comparison(rows[part], columns[part]))
                progress.update(len(rows[part]))
        self._compared = ComparedNames.joined(parts)

    def log_odds(self, pairs: Rows) -> Floats:
        """Return the log odds of all pairs."""
        return names_log_odds(self.index, self._compared, pairs)

    def _comparison(self, rows: Rows, columns: Rows) -> ComparedNames:
        features, words = self.index.compared(self.index.rows, rows, columns)
        aligned = Aligned.of_sides(words, len(rows))
        if self.index.rows.units is None:
            numbers, places = np.unique(np.stack([rows, columns]), return_inverse=True)
            units = self.encode(numbers)
            features[:, _MEANING] = exact_cosines(units, units, *places.reshape(2, -1))
        facts = conflicts(list(self.index.words), self._known, aligned)
        return ComparedNames(features.astype(np.float32), aligned, *facts)

    def _progress(self, what: str, total: int, unit: str) -> Any:
        return tqdm(desc=what, total=total, unit=f" {unit}", disable=not self.verbose)


class ComparedNames(NamedTuple):
    """Results of comparing pairs of indexed names in one direction."""

    features: NDArray[np.float32]
    aligned: Aligned
    conflicts: Floats  # see conflicts()
    mistyped: Bools

    @classmethod
    def joined(cls, parts: Sequence[ComparedNames]) -> ComparedNames:
        """Join the facts about parts of the pairs."""
        features, aligned, *facts = zip(*parts, strict=True)
        return cls(np.concatenate(features), Aligned.joined(aligned), *map(np.concatenate, facts))


def names_log_odds(index: TextIndex, compared: ComparedNames, pairs: Rows) -> Floats:
    """Return the log odds that pairs of indexed names are of the same thing."""
    model, n = packaged(NAMES), len(pairs)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    # Both directions, by the row that looks for the other; keys are sorted faster than columns.
    order = np.argsort(both[:, 0] * len(index.rows.texts) + both[:, 1])
    rows, columns = both[order].T
    backward, pair = np.divmod(order, n)
    scores = np.empty(2 * n)
    for part in parts_of_rows(rows, _PAIRS):
        features = compared.features[pair[part]]
        turned = np.where(backward[part, None], features[:, _TURNED], features)
        scores[part] = model.score(turned.astype(np.float64), rows[part])
    texts = index.text_numbers(np.arange(len(index.rows.texts)))
    owners = np.unique(texts, return_index=True)[1][texts]  # texts are numbered from 0
    words = evidence_of_pairs(
        compared.aligned, 2 * pair + backward, owners[rows], rows, columns, scores, texts[columns]
    )
    numbers = np.column_stack([np.maximum(scores, LOWEST), leads(scores, rows), words])
    own = np.empty(2 * n)
    own[order] = weighted(numbers, np.delete(model.calibration, CONTEXT))
    conflicting = np.minimum(compared.conflicts, _MOST_CONFLICTS)
    ratios = _SLOPE * (own[:n] + own[n:]) / 2 + _CONFLICT * conflicting
    ratios += _MISTYPED * compared.mistyped + _OFFSET
    return np.asarray(ratios + logit(_share_of_repeated(pairs, ratios)) + _UNDERSTATED)


def _share_of_repeated(pairs: Rows, ratios: Floats) -> float:
    """Estimate the share of the best pairs of records that are of the same thing, by EM."""
    best = np.full(pairs.max(initial=-1) + 1, -np.inf)
    for side in pairs.T:
        np.maximum.at(best, side, ratios)
    is_best = (ratios >= best[pairs[:, 0]]) | (ratios >= best[pairs[:, 1]])
    share = _USUAL_SHARE
    for _ in range(_ROUNDS):
        right = expit(ratios[is_best] + logit(share)).sum() + _USUAL_RECORDS * _USUAL_SHARE
        share = float(right / (is_best.sum() + _USUAL_RECORDS))
    return share


def known_words(index: TextIndex) -> Bools:
    """Return which of the indexed words are not typos."""
    probability = WordFrequencies.load().probability
    n_texts = np.diff(index.rows.words.tocsc().indptr)[: len(index.words)]
    known = [probability(x) >= _FREQUENT or not x.isalpha() for x in index.words]
    return np.array(known, dtype=bool) | (n_texts >= _FEWEST_TEXTS)


def conflicts(words: list[str], known: Bools, aligned: Aligned) -> tuple[Floats, Bools]:
    """Return two facts about pairs of texts.

    The number of words in the place of other words that they neither abbreviate nor misspell; and
    whether typos explain all differences, so that each word is in the other text, or is similar to
    a word that it may misspell.
    """
    n = len(aligned.words) // 2
    ids, found, lists = aligned.words.ids, aligned.found, aligned.words.owners
    is_known = known[ids]
    is_other = (found < _NO_COUNTERPART) & is_known | (found < _UNLIKE)
    other = np.flatnonzero(is_other)
    other = other[_abbreviated(words, ids[other], lists[other])]
    explained = np.zeros(len(ids), dtype=np.bool_)
    explained[other] = True

    def count(chosen: Bools) -> Rows:
        return np.bincount(lists[chosen], minlength=2 * n).reshape(n, 2)

    n_alone = count(is_other & ~explained)
    n_known = count((found < 1) & is_known) - count(explained & is_known)
    n_unlike = count(found < _LIKE) - count(explained)
    mistyped = (n_unlike.max(axis=1, initial=0) <= 0) & (
        count(found < 1).max(axis=1, initial=0) > 0
    )
    mistyped &= n_known.min(axis=1, initial=1) <= 0
    return n_alone.min(axis=1).astype(np.float64), mistyped


def _abbreviated(words: list[str], ids: Rows, lists: Rows) -> Rows:
    """Return which of the words of lists abbreviate a word of the other list of their pair.

    Or are abbreviated by one.
    """
    # Each word with all those of the other list, which follow each other.
    starts = np.searchsorted(lists, lists ^ 1)
    sizes = np.searchsorted(lists, lists ^ 1, side="right") - starts
    sizes[lists % 2 == 1] = 0
    left, right = np.repeat(np.arange(len(ids)), sizes), ranges(starts, sizes)
    first = np.array([ord(word[0]) for word in words] or [0])
    may_be = first[ids[left]] == first[ids[right]]
    left, right = left[may_be], right[may_be]
    keys, places = np.unique(ids[left].astype(np.int64) << 32 | ids[right], return_inverse=True)
    pairs = zip((keys >> 32).tolist(), (keys & 0xFFFFFFFF).tolist(), strict=True)
    are = np.fromiter((_abbreviates(words[a], words[b]) for a, b in pairs), bool, len(keys))[
        places
    ]
    return np.unique(np.append(left[are], right[are]))


def _abbreviates(a: str, b: str) -> bool:
    """Return whether one word has the letters of the other one, in order, from its first."""
    short, long = sorted((a, b), key=len)
    letters = iter(long)
    return short[0] == long[0] and all(letter in letters for letter in short)
