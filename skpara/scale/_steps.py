"""The work on texts, as pure functions from tables to tables: an engine only moves them.

1. :func:`read_texts`: different texts -> their keys and cells, also with typos corrected
2. :func:`compare_texts`: the texts of some cells -> similar pairs
3. :func:`judge_pairs`: similar pairs with their texts -> scores, and the reasons of the guard
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Vectors
from skpara._unicode import compose
from skpara.matching import (
    Lookups,
    compare_cell,
    encode_units,
    readings,
    score_pairs,
    words_of,
)
from skpara.scale._keys import text_keys
from skpara.scale._plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa

Rows = NDArray[np.int64]


class Read(NamedTuple):
    """Facts about texts before any comparison."""

    # id, text, its keys, and whether it has words.
    texts: pa.Table
    # id, row (of units), cell_group, own, cells: a row for each text and each group of its cells.
    items: pa.Table
    # The same with typos corrected, with text and words.
    readings: pa.Table
    units: Vectors  # of the texts
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
    keys, has_words = text_keys(texts, units), np.asarray(units.any(axis=1))
    columns = {"id": ids, "text": texts, "text_key": keys.texts, "vector_key": keys.vectors}
    lookups = plan.cells.assign(units)
    rows, items = _items(plan, lookups, has_words)
    found = list(readings(range(len(texts)), texts))
    mended = [x.text for x in found]
    mended_units = encode_units(plan.rules.encoder, mended).reshape(len(found), units.shape[1])
    mended_rows, mended_items = _items(
        plan, plan.cells.assign(mended_units), np.asarray(mended_units.any(axis=1))
    )
    as_read = pa.table(
        {
            "id": ids[[x.row for x in found]],
            "text": pa.array(mended, pa.string()),
            "words": pa.array([sorted(x.words) for x in found], pa.list_(pa.string())),
        }
    )
    # The recall is that of texts as they are written, each compared with all others.
    first, probed = plan.cells.near(units, plan.probed, plan.rules.lowest)
    same = keys.texts[first] == plan.keys_of_probed.texts[probed]
    same &= keys.vectors[first] == plan.keys_of_probed.vectors[probed]
    first, probed = first[~same], probed[~same]
    is_found = lookups.contain(first, plan.lookups_of_probed.own[probed])
    is_found |= plan.lookups_of_probed.contain(probed, lookups.own[first])
    return Read(
        pa.table(columns | {"has_words": has_words}),
        pa.table({"id": ids[rows], "row": rows} | items),
        pa.table(
            {name: as_read[name].take(pa.array(mended_rows)) for name in as_read.column_names}
            | mended_items
        ),
        units,
        np.bincount(probed, minlength=len(plan.probed)),
        np.bincount(probed[is_found], minlength=len(plan.probed)),
    )


def _items(
    plan: Plan, lookups: Lookups, has_words: NDArray[np.bool_]
) -> tuple[Rows, dict[str, Any]]:
    """Return rows, and for each a group that it is compared in, its own cell, and its cells.

    These are the cells in the group in which it is looked up, and all in the group of its own
    cell, which show what pairs another group finds.
    """
    import pyarrow as pa

    kept = has_words[lookups.rows]
    rows, cells = lookups.rows[kept].astype(np.int64), lookups.cells[kept]
    groups, own_groups = plan.group_of_cell[cells], plan.group_of_cell[lookups.own[rows]]
    elsewhere = groups != own_groups
    rows = np.concatenate([rows, rows[elsewhere]])
    groups = np.concatenate([groups, own_groups[elsewhere]])
    cells = np.concatenate([cells, cells[elsewhere]])
    keys = rows * (int(plan.group_of_cell.max()) + 1) + groups
    order = np.argsort(keys, kind="stable")
    _, starts = np.unique(keys[order], return_index=True)
    first = order[starts]
    offsets = np.append(starts, len(order)).astype(np.int32)
    return rows[first], {
        "cell_group": groups[first].astype(np.int32),
        "own": lookups.own[rows[first]].astype(np.int32),
        "cells": pa.ListArray.from_arrays(offsets, cells[order].astype(np.int32)),
    }


def compare_texts(
    plan: Plan,
    items: pa.Table,
    group: int,
    part: tuple[int, int, int] = (0, 0, 1),
    units: Vectors | None = None,
) -> pa.Table:
    """Find the similar pairs of texts, at least one of which belongs to a group of cells.

    Parameters
    ----------
    plan : Plan
        What all workers share.
    items : table with the columns ``id``, ``text``, ``words``, ``own``, ``cells``
        What :func:`read_texts` returned for the group, with the text of each ``id``. ``words`` is
        null unless ``text`` is how a text may be read.
    group : int
        The group.
    part : tuple of int (i, j, k), default=(0, 0, 1)
        Of a group that is too large for one worker, those of the texts that belong to it with an
        id of i, modulo k, and of the texts that are looked up in it with an id of j. ``items``
        has these.
    units : ndarray of shape (n_items, n_dims), default=None
        Vectors of length 1, if they are known: only readings need a text then.

    Returns
    -------
    table with the columns ``first``, ``second``, ``cosine``, ``first_words``, ``second_words``
        The pairs of ids, the lower one first, and words that the other text must have if one of
        them is not compared as it is written. A pair may be there several times.
    """
    import pyarrow as pa

    order = order_of(items)
    is_ordered = np.array_equal(order, np.arange(len(order)))
    table = items.select(["id", "words", "own", "cells"])
    if units is None:
        units = encode_units(plan.rules.encoder, items["text"].take(pa.array(order)).to_pylist())
    elif not is_ordered:
        units = units[order]
    table = table.take(pa.array(order)).combine_chunks()
    ids, own = table["id"].to_numpy(), table["own"].to_numpy()
    cells = table["cells"].combine_chunks()
    rows = np.repeat(np.arange(len(ids)), cells.value_lengths().to_numpy())
    lookups = Lookups(own, rows, cells.flatten().to_numpy(), len(plan.cells.centres))
    numbers, short = np.arange(len(ids)), plan.cells.shortened(units)
    i, j, k = part
    pairs, cosines = [np.empty((0, 2), dtype=np.int64)], [np.empty(0)]
    for cell, (inside, around) in enumerate(lookups.members()):
        if plan.group_of_cell[cell] != group or not len(inside):
            continue
        inside, around = inside[ids[inside] % k == i], around[ids[around] % k == j]
        found = compare_cell(units, numbers, lookups, inside, around, plan.rules.lowest, short)
        pairs.append(found[0])
        cosines.append(found[1])
    first, second = np.concatenate(pairs).T
    others = ids[first] != ids[second]  # and not two readings of one text
    first, second = first[others], second[others]
    return pa.table(
        {
            "first": ids[first],
            "second": ids[second],
            "cosine": np.concatenate(cosines)[others],
            "first_words": table["words"].take(pa.array(first)),
            "second_words": table["words"].take(pa.array(second)),
        }
    )


def order_of(items: pa.Table) -> Rows:
    """Return the order in which items are compared.

    It decides in which cell a pair is found, so it is the same for all engines.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = {name: items[name] for name in ("id", "text")}
    keys = pa.table(columns | {"is_reading": pc.is_valid(items["words"])})
    names = ("id", "is_reading", "text")
    return pc.sort_indices(keys, sort_keys=[(name, "ascending") for name in names]).to_numpy()


def judge_pairs(plan: Plan, pairs: pa.Table) -> pa.Table:
    """Score similar pairs, and find the reasons to keep them apart.

    Parameters
    ----------
    plan : Plan
        What all workers share.
    pairs : table
        What :func:`compare_texts` returned, with the texts as ``first_text`` and
        ``second_text``, as they are written. Other columns are kept.

    Returns
    -------
    table
        With ``score`` and ``reason`` instead of cosines, texts and words. The reason is why the
        guard keeps a pair with a score of at least the threshold apart, or "". Pairs with a text
        read in another way are left out if the other text does not have the words.
    """
    import pyarrow as pa

    may = np.ones(len(pairs), dtype=np.bool_)
    for words, text in (("first_words", "second_text"), ("second_words", "first_text")):
        read_otherwise = np.flatnonzero(pairs[words].is_valid().to_numpy())
        for place in read_otherwise.tolist():
            may[place] &= words_of(pairs[text][place].as_py()).issuperset(
                pairs[words][place].as_py()
            )
    pairs = pairs.filter(pa.array(may))
    left, right = pairs["first_text"].to_pylist(), pairs["second_text"].to_pylist()
    rules, places = plan.rules, np.column_stack([np.arange(len(pairs))] * 2)
    scores = pairs["cosine"].to_numpy()
    if rules.model is not None:
        scores = score_pairs(rules.model, left, right, places)
    enough = scores >= rules.threshold
    reasons = np.full(len(pairs), "", dtype=object)
    reasons[enough] = rules.new_guard().reasons(left, right, places[enough])
    used = ("cosine", "first_text", "second_text", "first_words", "second_words")
    judged = pairs.drop_columns(list(used))
    judged = judged.append_column("score", pa.array(scores))
    return judged.append_column("reason", pa.array(reasons, pa.string()))
