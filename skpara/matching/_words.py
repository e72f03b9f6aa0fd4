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
from skpara.matching._model import first_of_best, margins, parts_of_rows, run_starts
from skpara.matching._search import Rows, best_of_each_row
from skpara.matching._texts import TextIndex
from skpara.matching._word_pairs import Aligned, Words

# Candidates of a row in which words are counted: the right one hardly ever ranks lower.
_N_BEST = 5
# Usual share of words without a counterpart in matches, the m of Fellegi and Sunter's model.
_USUAL_M = 0.2
# The same share in other pairs, their u.
_USUAL_U = 0.5
# Weight of the usual shares against those of a table, in words.
_USUAL_TABLE = 50
# Weight of a table's shares against those of a single word, in texts.
_USUAL_WORD = 2
# The smallest share; the largest is 1 minus this.
_RAREST = 0.001
# Pairs whose evidence is computed at a time: their words take 100 MB.
_PAIRS = 2**18


def word_evidence(
    index: TextIndex, texts: list[str], rows: Rows, columns: Rows, scores: Floats
) -> Floats:
    """Return the evidence for the best candidate of each row, which is first of equals."""
    pairs = np.sort(best_of_each_row(rows, columns, scores, _N_BEST))
    rows, columns, scores = rows[pairs], columns[pairs], scores[pairs]
    # Rows with the same text count once, and are not evidence for each other.
    first: dict[str, int] = {}
    owners = np.array([first.setdefault(texts[row], row) for row in rows.tolist()], dtype=np.int64)
    _, words = index.compared(index.prepare(texts), rows, columns)
    aligned = Aligned.of_sides(words, len(rows))
    sides = 2 * np.arange(len(rows))
    found = evidence_of_pairs(
        aligned, sides, owners, rows, columns, scores, index.text_numbers(columns)
    )
    return found[first_of_best(scores, rows)]


def evidence_of_pairs(
    aligned: Aligned,
    lists: Rows,
    owners: Rows,
    rows: Rows,
    columns: Rows,
    scores: Floats,
    texts: Rows,
) -> Floats:
    """Return ten numbers for each pair.

    Sum and minimum of the weights of words, for each side, and whether another row wants the
    candidate; all of them, and their margins to the row's other candidates.

    Parameters
    ----------
    aligned : Aligned
        Words of the pairs, in any order and direction.
    lists : ndarray of shape (n_pairs,)
        For each pair, which of these are the words of the row; those of the candidate are beside.
    owners : ndarray of shape (n_pairs,)
        For each pair, the first row with the text of the row.
    rows, columns : ndarray of shape (n_pairs,)
        The rows, in order, and their candidates.
    scores : ndarray of shape (n_pairs,)
        The scores of the pairs.
    texts : ndarray of shape (n_pairs,)
        The number of the candidate's text.

    Returns
    -------
    ndarray of shape (n_pairs, 10)
        The evidence.
    """
    best = first_of_best(scores, rows)
    right = np.zeros(len(rows))
    right[best] = expit(scores[best])
    counted = owners == rows
    wanted = np.clip(np.bincount(columns, right * counted)[columns] - right, 0, 1)
    parts = parts_of_rows(rows, _PAIRS)
    m, u = [_Shares(_USUAL_M), _Shares(_USUAL_M)], [_Shares(_USUAL_U), _Shares(_USUAL_U)]
    for side in range(2):
        for part in parts:
            words = aligned.lists(lists[part] ^ side)
            m[side].count(words, (right * counted)[part])
            u[side].count(words, ((1 - right) * counted)[part])
        own = best[counted[best]]  # no other pair of a row has a share in the matches
        m[side].remember(aligned.lists(lists[own] ^ side), right[own], rows[own])
    shares = [[counted.of(counted.counts) for counted in both] for both in zip(m, u, strict=True)]
    weights = [_weights(*both) for both in shares]
    result = np.empty((len(rows), 10))
    for part in parts:
        features = [wanted[part]]
        for side in range(2):
            words = aligned.lists(lists[part] ^ side)
            own, counts = m[side].without_own(words, owners[part])
            both = weights[side][:, words.ids]
            both[:, own] = _weights(m[side].of(counts), shares[side][1][words.ids[own]])
            values = (1 - words.found) * both[0] + words.found * both[1]
            starts = run_starts(words.pairs)
            for reduce in (np.add, np.minimum):
                of_pairs = np.zeros(len(features[0]))
                of_pairs[words.pairs[starts]] = reduce.reduceat(values, starts)
                features.append(of_pairs)
        found = np.column_stack(features)
        result[part] = np.hstack([found, margins(found, rows[part], texts[part])])
    return result


def _weights(in_matches: Floats, in_others: Floats) -> Floats:
    """Return the weights of words without a counterpart, and with one, from their shares."""
    return np.log([in_matches / in_others, (1 - in_matches) / (1 - in_others)])


class _Shares:
    """Shares of words of weighted pairs that have no counterpart."""

    def __init__(self, usual: float) -> None:
        self.usual = usual
        self.counts = np.zeros((2, 1))  # of each word: without counterpart, and all
        self.own = np.zeros((2, 1))
        self.keys = np.full(1, -1)

    def count(self, words: Words, weights: Floats) -> None:
        """Count the words of more pairs."""
        of_words, n = weights[words.pairs], self.counts.shape[1]
        both = (of_words * (1 - words.found), of_words)
        more = np.array([np.bincount(words.ids, x, n) for x in both], np.float64)  # none: whole
        more[:, :n] += self.counts
        self.counts = more

    def remember(self, words: Words, weights: Floats, rows: Rows) -> None:
        """Remember what the words of pairs have added: it is not evidence for the same row."""
        keys = rows[words.pairs] << 32 | words.ids
        order = np.argsort(keys)
        of_words = weights[words.pairs]
        own = np.array([of_words * (1 - words.found), of_words])[:, order]
        self.keys, self.own = np.append(keys[order], -1), np.hstack([own, np.zeros((2, 1))])

    def without_own(self, words: Words, owners: Rows) -> tuple[Rows, Floats]:
        """Return of which words the rows with these owners added a part, and the other counts."""
        keys = owners[words.pairs] << 32 | words.ids
        places = np.searchsorted(self.keys[:-1], keys)
        own = np.flatnonzero(self.keys[places] == keys)
        return own, self.counts[:, words.ids[own]] - self.own[:, places[own]]

    def of(self, counts: Floats) -> Floats:
        """Return the shares of words with these counts."""
        totals = self.counts.sum(axis=1)
        among_all = (totals[0] + _USUAL_TABLE * self.usual) / (totals[1] + _USUAL_TABLE)
        shares = (counts[0] + _USUAL_WORD * among_all) / (counts[1] + _USUAL_WORD)
        return np.clip(shares, _RAREST, 1 - _RAREST)
