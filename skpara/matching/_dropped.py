"""Rows that are dropped, the row that is kept for each, and the reason."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Bools, Floats
from skpara.matching._search import Rows, pair_keys, places_in, plain
from skpara.matching._tables import Table, records


def dropped_rows(
    texts: Sequence[str],
    labels: NDArray[np.int64],
    kept: Rows,
    pairs: Rows,
    scores: Floats,
    is_enough: Bools,
    answered: Bools,
) -> Table:
    """Return the dropped rows, in order, with the row kept for each, the score and the reason.

    ``is_enough`` says which pairs are duplicates by their score, ``answered`` which of them
    somebody said to be.
    """
    rows = np.delete(np.arange(len(labels)), kept)
    kept_for = kept[np.argsort(labels[kept])][labels[rows]]
    wanted = np.sort(np.column_stack([rows, kept_for]), axis=1)
    places = places_in(pair_keys(pairs), pair_keys(wanted))
    found = places >= 0
    values = np.append(scores, np.nan)[places]
    enough, by_hand = (np.append(x, False)[places] for x in (is_enough, answered))
    partner = _best_partners(labels, pairs, scores, is_enough | answered)[rows]
    reasons = np.full(len(rows), "group", dtype=object)
    for place, row in enumerate(rows.tolist()):
        if plain(texts[row]) == plain(texts[kept_for[place]]):
            reasons[place] = "same text"
        elif by_hand[place]:
            reasons[place] = "answer"
        elif found[place] and enough[place]:
            reasons[place] = "score"
        elif partner[place] >= 0:
            reasons[place] = f"row {partner[place]}"
    return records({"kept": kept_for, "dropped": rows, "score": values, "reason": reasons})


def _best_partners(labels: NDArray[np.int64], pairs: Rows, scores: Floats, linked: Bools) -> Rows:
    """Return the row of its cluster that each row is most like, or -1."""
    inside = linked & (labels[pairs[:, 0]] == labels[pairs[:, 1]])
    both = np.concatenate([pairs[inside], pairs[inside, ::-1]])
    order = np.argsort(np.tile(scores[inside], 2), kind="stable")
    partners = np.full(len(labels), -1)
    partners[both[order, 0]] = both[order, 1]  # of several values, the last one stays
    return partners
