"""Names: evidence from the words that two tables add, drop and keep.

As columns of records are weighted (Fellegi and Sunter 1969), so are words: how often a word has no
counterpart in matches, m, and in other pairs, u, is estimated from all rows of a call, which are
matched by their scores. A word that is often missing in matches says little there, and one that
hardly ever is says much. A candidate that another row wants says something, too.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from skpara._typing import Floats
from skpara.matching._model import first_of_best, margins, run_starts
from skpara.matching._search import Rows, best_of_each_row
from skpara.matching._texts import TextIndex

# Candidates of a row that words are counted in: the right one is hardly ever below.
_N_BEST = 5
# Usual share of words without counterpart in matches, as in the model of Fellegi and Sunter (m),
_USUAL_M = 0.2
# and in other pairs (u).
_USUAL_U = 0.5
# Words of a table that the usual shares count for: the shares of a table are drawn towards them,
_USUAL_TABLE = 50
# and those of one word towards the shares of its table, as if by so many texts.
_USUAL_WORD = 2
# Shares are at least this, and at most 1 less it.
_RAREST = 0.001


def word_evidence(
    index: TextIndex, texts: list[str], rows: Rows, columns: Rows, scores: Floats
) -> Floats:
    """Return the evidence for the best candidate of each row, which is first of equals."""
    pairs = np.sort(best_of_each_row(rows, columns, scores, _N_BEST))
    rows, columns, scores = rows[pairs], columns[pairs], scores[pairs]
    found = evidence_of_pairs(index, texts, rows, columns, scores)
    return found[first_of_best(scores, rows)]


def evidence_of_pairs(
    index: TextIndex, texts: list[str], rows: Rows, columns: Rows, scores: Floats
) -> Floats:
    """Return ten numbers for each pair.

    Sum and minimum of the weights of words, for each side, and whether another row wants the
    candidate; all of them, and their margins to the row's other candidates.
    """
    best = first_of_best(scores, rows)
    right = np.zeros(len(rows))
    right[best] = expit(scores[best])
    # Rows with the same text count once, and are no evidence for each other.
    first: dict[str, int] = {}
    owners = np.array([first.setdefault(texts[row], row) for row in rows.tolist()], dtype=np.int64)
    counted = owners == rows
    features = [np.clip(np.bincount(columns, right * counted)[columns] - right, 0, 1)]
    for words in index.aligned(texts, rows, columns):
        missing, n_words = 1 - words.found, words.ids.max(initial=0) + 1
        _, own = np.unique(owners[words.pairs] * n_words + words.ids, return_inverse=True)
        matches, others = (x[words.pairs] for x in (right * counted, (1 - right) * counted))
        m = _shares(words.ids, missing, matches, _USUAL_M, own)
        u = _shares(words.ids, missing, others, _USUAL_U)
        weights = missing * np.log(m / u) + words.found * np.log((1 - m) / (1 - u))
        starts = run_starts(words.pairs)
        for reduce in (np.add, np.minimum):
            values = np.zeros(len(rows))
            values[words.pairs[starts]] = reduce.reduceat(weights, starts)
            features.append(values)
    found = np.column_stack(features)
    return np.hstack([found, margins(found, rows, index.text_numbers(columns))])


def _shares(
    ids: Rows, missing: Floats, weights: Floats, usual: float, own: Rows | None = None
) -> Floats:
    """Return how often the words of weighted pairs have no counterpart.

    What words of the same number in ``own`` add is not counted for them.
    """
    without, n = np.bincount(ids, weights * missing), np.bincount(ids, weights)
    among_all = (without.sum() + _USUAL_TABLE * usual) / (n.sum() + _USUAL_TABLE)
    without, n = without[ids], n[ids]
    if own is not None:
        without -= np.bincount(own, weights * missing)[own]
        n -= np.bincount(own, weights)[own]
    shares = (without + _USUAL_WORD * among_all) / (n + _USUAL_WORD)
    return np.clip(shares, _RAREST, 1 - _RAREST)
