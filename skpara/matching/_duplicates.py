"""Names within one table: how probably two of them are of the same thing.

The packaged numbers for names suppose another table, where many rows have a counterpart. Here each
pair is scored from both of its rows, words that stand where the other row has other ones count
against it, and how many rows are repeated is estimated from the table itself.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

import numpy as np
from scipy.special import expit, logit

from skpara._typing import Bools, Floats
from skpara.matching._groups import Found
from skpara.matching._model import CONTEXT, LOWEST, NAMES, leads, packaged, weighted
from skpara.matching._search import Rows, plain
from skpara.matching._texts import TextIndex
from skpara.matching._words import evidence_of_pairs
from skpara.resources import WordFrequencies

# A word that so many texts have is no typing error.
_FEWEST_TEXTS = 3
# Nor is one of so many words that are the most frequent in English.
_FREQUENT = 30_000
# Conflicts beyond say no more.
_MOST_CONFLICTS = 3
# Weights of the mean log odds of both directions, of conflicts, and of differences that are typing
# errors, in the log of how much more often pairs of the same thing have them than others. Logistic
# regression on made-up tables of persons, companies and addresses, half of them without copies.
_SLOPE = 1.28
_CONFLICT = -5.06
_MISTYPED = 2.13
_OFFSET = 2.58
# Share of records that are repeated, before it is estimated.
_USUAL_SHARE = 0.05
# How many records this usual share counts for.
_USUAL_RECORDS = 20
# By how much these log odds are too low: of pairs with a probability of 0.77, 97 % or more were
# right in the tables of tests/repeated_names.py.
_UNDERSTATED = 1.0
_ROUNDS = 50
# Below this similarity, a word has no counterpart in the other text.
_NO_COUNTERPART = 0.5
# From this similarity on, a word may be an error for another one.
_LIKE = 0.3
# Below this similarity, it is another word.
_UNLIKE = 0.15

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


def names_log_odds(index: TextIndex, found: Found) -> tuple[Rows, Floats]:
    """Return pairs of indexed names, and the log odds that they are of the same thing."""
    model = packaged(NAMES)
    rows, columns = found.rows, found.columns
    scores = model.score(found.values.astype(np.float64), rows)
    words = evidence_of_pairs(index, index.rows.texts, rows, columns, scores)
    both = np.column_stack([np.maximum(scores, LOWEST), leads(scores, rows), words])
    own = weighted(both, np.delete(model.calibration, CONTEXT))
    pairs, own = of_both_directions(found, own, np.add)
    conflicting, mistyped = conflicts(index, *pairs.T)
    conflicting = np.minimum(conflicting, _MOST_CONFLICTS)
    ratios = _SLOPE * own / 2 + _CONFLICT * conflicting + _MISTYPED * mistyped + _OFFSET
    return pairs, ratios + logit(_share_of_repeated(pairs, ratios)) + _UNDERSTATED


def of_both_directions(found: Found, values: Floats, combine: np.ufunc) -> tuple[Rows, Floats]:
    """Return pairs, the lower number first, and what the values of both directions give."""
    forward = found.rows < found.columns
    pairs = np.column_stack([found.rows, found.columns])
    back = np.lexsort((found.rows[~forward], found.columns[~forward]))
    combined: Floats = combine(values[forward], values[~forward][back])
    return pairs[forward], combined


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


def conflicts(index: TextIndex, rows: Rows, columns: Rows) -> tuple[Floats, Bools]:
    """Return two facts about pairs of indexed texts.

    How many words stand in each where the other one has others, which are no typing errors and do
    not abbreviate each other; and whether typing errors explain all differences: each word is in
    the other text, or is like one of which it may be an error.
    """
    words = [*index.words]
    n_texts = np.diff(index.rows.words.tocsc().indptr)[: len(words)]
    frequent = _frequent()
    known = np.array([x in frequent or not x.isalpha() for x in words], dtype=bool)
    known |= n_texts >= _FEWEST_TEXTS
    texts = [index.rows.texts[row] for row in rows.tolist()]
    alone: list[dict[int, set[int]]] = []
    n_different, n_known, n_unlike = [], [], []
    for side in index.aligned(texts, np.arange(len(rows)), columns):
        different, is_known = side.found < 1, known[side.ids]
        n_different.append(np.bincount(side.pairs[different], minlength=len(rows)))
        n_known.append(np.bincount(side.pairs[different & is_known], minlength=len(rows)))
        n_unlike.append(np.bincount(side.pairs[side.found < _LIKE], minlength=len(rows)))
        other = (side.found < _NO_COUNTERPART) & is_known | (side.found < _UNLIKE)
        found: dict[int, set[int]] = {}
        pairs, ids = side.pairs[other].tolist(), side.ids[other].tolist()
        for pair, word in zip(pairs, ids, strict=True):
            found.setdefault(pair, set()).add(word)
        alone.append(found)
    counts = np.zeros(len(rows))
    for pair in alone[0].keys() & alone[1].keys():
        left, right = alone[0][pair], alone[1][pair]
        short = {(a, b) for a in left for b in right if _abbreviates(words[a], words[b])}
        for i, own in enumerate((left, right)):
            explained = {both[i] for both in short}
            n_unlike[i][pair] -= len(explained)
            n_known[i][pair] -= sum(known[word] for word in explained)
            own -= explained
        counts[pair] = min(len(left), len(right))
    is_like = np.maximum(n_unlike[0], n_unlike[1]) <= 0
    is_other = np.maximum(n_different[0], n_different[1]) > 0
    return counts, is_like & is_other & (np.minimum(n_known[0], n_known[1]) <= 0)


def _abbreviates(a: str, b: str) -> bool:
    """Return whether one word has the letters of the other one, in order, from its first."""
    short, long = sorted((a, b), key=len)
    letters = iter(long)
    return short[0] == long[0] and all(letter in letters for letter in short)


@cache
def _frequent() -> frozenset[str]:
    return frozenset(islice(WordFrequencies.load(), _FREQUENT))
