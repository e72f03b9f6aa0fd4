"""The work on texts, as pure functions from tables to tables: an engine only moves them.

1. :func:`read_texts`: different texts -> their keys and cells, and how typing errors may be read
2. :func:`compare_texts`: the texts of some cells -> similar pairs, and the reasons of the guard
3. :func:`check_equal`: pairs of texts with one vector -> the same
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats
from skpara._unicode import compose
from skpara.matching import (
    Lookups,
    compare_cell,
    encode_units,
    may_be_alike,
    readings,
    score_pairs,
)
from skpara.scale._keys import text_keys
from skpara.scale._plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa

Rows = NDArray[np.int64]


class Read(NamedTuple):
    """What is known of texts before any comparison."""

    # id, text, its keys, and what Lookups say: own, cells, groups
    texts: pa.Table
    # id, text (as it may be read), written, words, own, cells, groups
    readings: pa.Table
    # For each text that measures the recall, how many pairs it has with these, and how many of
    # them share a cell.
    n_pairs: Rows
    n_found: Rows


def read_texts(plan: Plan, ids: Rows, texts: list[str]) -> Read:
    """Encode texts, and find the cells that they are compared in.

    ``ids`` are different numbers. A text without words has no cell.
    """
    import pyarrow as pa

    texts = [compose(text) for text in texts]
    units = encode_units(plan.rules.encoder, texts)
    keys = text_keys(texts, units)
    lookups = plan.cells.assign(units)
    has_words = units.any(axis=1)
    table = pa.table(
        {"id": ids, "text": texts, "text_key": keys.texts, "vector_key": keys.vectors}
        | _cells_of(plan, lookups, has_words)
    )
    found = list(readings(range(len(texts)), texts))
    mended = [x.text for x in found]
    mended_units = encode_units(plan.rules.encoder, mended).reshape(len(found), units.shape[1])
    mended_table = pa.table(
        {
            "id": ids[[x.row for x in found]],
            "text": pa.array(mended, pa.string()),
            "written": pa.array([texts[x.row] for x in found], pa.string()),
            "words": pa.array([sorted(x.words) for x in found], pa.list_(pa.string())),
        }
        | _cells_of(plan, plan.cells.assign(mended_units), mended_units.any(axis=1))
    )
    # The recall is that of texts as they are written, each compared with all others.
    rows, probed = np.nonzero(units @ plan.probed.T >= plan.rules.lowest)
    same = keys.texts[rows] == plan.keys_of_probed.texts[probed]
    same &= keys.vectors[rows] == plan.keys_of_probed.vectors[probed]
    rows, probed = rows[~same], probed[~same]
    is_found = lookups.contain(rows, plan.lookups_of_probed.own[probed])
    is_found |= plan.lookups_of_probed.contain(probed, lookups.own[rows])
    n_pairs = np.bincount(probed, minlength=len(plan.probed))
    n_found = np.bincount(probed[is_found], minlength=len(plan.probed))
    return Read(table, mended_table, n_pairs, n_found)


def _cells_of(plan: Plan, lookups: Lookups, has_words: NDArray[np.bool_]) -> dict[str, Any]:
    """Return columns: the own cell of each row, those of its lookups, and their groups.

    A row without words has -1 and no other cells.
    """
    import pyarrow as pa

    n = len(has_words)
    kept = has_words[lookups.rows]
    rows, cells = lookups.rows[kept], lookups.cells[kept]
    starts = np.searchsorted(rows, np.arange(n + 1))
    n_groups = int(plan.group_of_cell.max()) + 1
    in_groups = np.unique(rows.astype(np.int64) * n_groups + plan.group_of_cell[cells])
    rows_of_groups, groups = np.divmod(in_groups, n_groups)
    group_starts = np.searchsorted(rows_of_groups, np.arange(n + 1))
    return {
        "own": np.where(has_words, lookups.own, -1).astype(np.int32),
        "cells": pa.ListArray.from_arrays(starts.astype(np.int32), cells.astype(np.int32)),
        "groups": pa.ListArray.from_arrays(group_starts.astype(np.int32), groups.astype(np.int32)),
    }


def compare_texts(
    plan: Plan, items: pa.Table, group: int, part: tuple[int, int, int] = (0, 0, 1)
) -> pa.Table:
    """Find the similar pairs of texts of which one belongs to a group of cells.

    Parameters
    ----------
    plan : Plan
        What all workers share.
    items : table with the columns ``id``, ``text``, ``written``, ``words``, ``own``, ``cells``
        The texts that are looked up in a cell of the group, and readings of texts: for these,
        ``text`` is how what is written may be read. Each text is there once.
    group : int
        The group.
    part : tuple of int (i, j, k), default=(0, 0, 1)
        Of a group that is too large for one worker, those of the texts that belong to it with an
        id of i, modulo k, and of the texts that are looked up in it with an id of j. ``items``
        may have others, too.

    Returns
    -------
    table with the columns ``first``, ``second``, ``score``, ``reason``
        The pairs of ids, the lower one first. A pair may be there several times, as it is written
        and as typing errors may be read: the best score counts. The reason is why the guard keeps
        a pair with a score of at least the threshold apart, or "".
    """
    import pyarrow.compute as pc

    i, j, k = part
    ids = items["id"].to_numpy()
    of_inside, of_around = ids % k == i, ids % k == j
    items = items.filter(of_inside | of_around)
    # The order decides in which cell a pair is found, so it is the same for all engines.
    items = items.append_column("is_reading", pc.is_valid(items["written"]))
    items = items.sort_by([(name, "ascending") for name in ("id", "is_reading", "text")])
    items = items.combine_chunks()
    ids = items["id"].to_numpy()
    texts, written = items["text"].to_pylist(), items["written"].to_pylist()
    units = encode_units(plan.rules.encoder, texts)
    cells = items["cells"].combine_chunks()
    rows = np.repeat(np.arange(len(ids)), cells.value_lengths().to_numpy())
    own = items["own"].to_numpy()
    lookups = Lookups(own, rows, cells.flatten().to_numpy(), len(plan.cells.centres))
    numbers = np.arange(len(ids))
    may_be_inside, may_be_around = ids % k == i, ids % k == j
    pairs, cosines = [np.empty((0, 2), dtype=np.int64)], [np.empty(0)]
    for cell, (inside, around) in enumerate(lookups.members()):
        if plan.group_of_cell[cell] != group or not len(inside):
            continue
        found = compare_cell(
            units,
            numbers,
            lookups,
            inside[may_be_inside[inside]],
            around[may_be_around[around]],
            plan.rules.lowest,
        )
        pairs.append(found[0])
        cosines.append(found[1])
    del units
    words = {
        place: frozenset(x) for place, x in enumerate(items["words"].to_pylist()) if x is not None
    }
    as_written = [text if x is None else x for text, x in zip(texts, written, strict=True)]
    text_of = dict(zip(ids.tolist(), as_written, strict=True))
    all_pairs, all_cosines = np.concatenate(pairs), np.concatenate(cosines)
    may = may_be_alike(all_pairs, ids, words, text_of.__getitem__)
    all_pairs, all_cosines = all_pairs[may], all_cosines[may]
    return _judged(plan, ids, as_written, all_pairs, all_cosines)


def check_equal(plan: Plan, pairs: pa.Table) -> pa.Table:
    """Return pairs of texts with one vector as :func:`compare_texts` does.

    ``pairs`` has the columns ``first`` and ``second``, ids, and ``first_text`` and
    ``second_text``.
    """
    n = len(pairs)
    ids = np.concatenate([pairs["first"].to_numpy(), pairs["second"].to_numpy()])
    texts = [*pairs["first_text"].to_pylist(), *pairs["second_text"].to_pylist()]
    places = np.column_stack([np.arange(n), np.arange(n, 2 * n)])
    return _judged(plan, ids, texts, places, np.ones(n))


def _judged(plan: Plan, ids: Rows, texts: list[str], pairs: Rows, cosines: Floats) -> pa.Table:
    """Return the table of pairs of places, with their scores and the reasons of the guard."""
    import pyarrow as pa

    rules = plan.rules
    scores = cosines if rules.model is None else score_pairs(rules.model, texts, texts, pairs)
    enough = scores >= rules.threshold
    reasons = np.full(len(pairs), "", dtype=object)
    reasons[enough] = rules.new_guard().reasons(texts, texts, pairs[enough])
    first, second = np.sort(ids[pairs], axis=1).T
    return pa.table(
        {
            "first": first,
            "second": second,
            "score": scores,
            "reason": pa.array(reasons, pa.string()),
        }
    )
