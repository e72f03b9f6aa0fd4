"""The work on texts, as pure functions from tables to tables: an engine only moves them.

1. :func:`read_texts`: different texts -> their keys and cells, also with typos corrected
2. :func:`compare_texts`: the texts of some cells -> similar pairs
3. :func:`judge_pairs`: similar pairs with their texts -> scores, and the reasons of the guard
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from skpara._normal_form import compose
from skpara._typing import Bools, Ints, Vectors
from skpara.matching import (
    Lookups,
    compare_cell,
    encode_units,
    readings,
    score_pairs,
    words_of,
)
from skpara.scale._plan import Plan, text_keys

if TYPE_CHECKING:
    import pyarrow as pa


class Read(NamedTuple):
    """Facts about texts before any comparison."""

    # id, text, its keys, and whether it has words.
    texts: pa.Table
    # id, row (of units), text, words, cell_group, own, cells: a row for each text and each group
    # of its cells, as it is written, or with typos corrected, which has words.
    items: pa.Table
    units: Vectors
    # For each text that the recall is measured with: its number, how many pairs it has with these
    # texts, and how many of them share a cell.
    probed: pa.Table


def read_texts(plan: Plan, ids: Ints, texts: list[str]) -> Read:
    """Encode texts, and find the cells that they are compared in.

    ``ids`` are different numbers. A text without words has no cell.
    """
    import pyarrow as pa

    n = len(texts)
    texts = [compose(text) for text in texts]
    found = sorted(readings(range(n), texts), key=lambda reading: (reading.row, reading.text))
    forms = pa.array([*texts, *(reading.text for reading in found)], pa.string())
    words = [None] * n + [sorted(reading.words) for reading in found]
    text_of = np.array([*range(n), *(reading.row for reading in found)])
    units = encode_units(plan.rules.encoder, forms.to_pylist())
    has_words = np.asarray(units.any(axis=1))
    lookups = plan.cells.assign(units)
    of_texts, of_vectors = text_keys(texts, units[:n])
    rows, cells = _items(plan, lookups, has_words)
    items = {
        "id": ids[text_of[rows]],
        "row": rows,
        "text": forms.take(pa.array(rows)),
        "words": pa.array(words, pa.list_(pa.string())).take(pa.array(rows)),
    }
    # The recall is that of texts as they are written, each compared with all others.
    first, probed = plan.cells.near(units[:n], plan.probed, plan.rules.lowest)
    same = of_texts[first] == plan.text_keys[probed]
    same &= of_vectors[first] == plan.vector_keys[probed]
    first, probed = first[~same], probed[~same]
    of_probed = plan.cells.assign(plan.probed)
    is_found = lookups.contain(first, of_probed.own[probed])
    is_found |= of_probed.contain(probed, lookups.own[first])
    n_probed = len(plan.probed)
    return Read(
        pa.table(
            {
                "id": ids,
                "text": texts,
                "text_key": of_texts,
                "vector_key": of_vectors,
                "has_words": has_words[:n],
            }
        ),
        pa.table(items | cells),
        units,
        pa.table(
            {
                "id": np.arange(n_probed),
                "n_pairs": np.bincount(probed, minlength=n_probed),
                "n_found": np.bincount(probed[is_found], minlength=n_probed),
            }
        ),
    )


def _items(plan: Plan, lookups: Lookups, has_words: Bools) -> tuple[Ints, dict[str, Any]]:
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
    units_of: Callable[[Ints], Vectors] | None = None,
) -> pa.Table:
    """Find the similar pairs of texts, at least one of which belongs to a group of cells.

    Parameters
    ----------
    plan : Plan
        What all workers share.
    items : table
        The ``items`` of the group that :func:`read_texts` returned.
    group : int
        The group.
    part : tuple of int (i, j, k), default=(0, 0, 1)
        The part of the group, see :func:`parts_of_group`. ``items`` has its texts.
    units_of : callable, default=None
        Returns the vectors of the column ``row``, if they are known. Else the texts are encoded.

    Returns
    -------
    table with the columns ``first``, ``second``, ``cosine``, ``first_words``, ``second_words``
        The pairs of ids, the lower one first, and words that the other text must have if one of
        them is not compared as it is written. A pair may be there several times.
    """
    import pyarrow as pa

    # The order decides in which cell a pair is found, so it is the same for all engines.
    items = items.sort_by([("id", "ascending"), ("row", "ascending")])
    if units_of is None:
        units = encode_units(plan.rules.encoder, items["text"].to_pylist())
    else:
        units = units_of(items["row"].to_numpy())
    ids, own = items["id"].to_numpy(), items["own"].to_numpy()
    cells = items["cells"].combine_chunks()
    numbers, short = np.arange(len(ids)), plan.cells.shortened(units)
    rows = np.repeat(numbers, cells.value_lengths().to_numpy())
    lookups = Lookups(own, rows, cells.flatten().to_numpy(), len(plan.cells.centres))
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
            "first_words": items["words"].take(pa.array(first)),
            "second_words": items["words"].take(pa.array(second)),
        }
    )


def judge_pairs(plan: Plan, pairs: pa.Table) -> pa.Table:
    """Score similar pairs, and find the reasons to keep them apart.

    Parameters
    ----------
    plan : Plan
        What all workers share.
    pairs : table
        What :func:`compare_texts` returned, with the texts as ``first_text`` and
        ``second_text``, as they are written, and whether they are ``repeated``.

    Returns
    -------
    table with the columns ``first``, ``second``, ``repeated``, ``score``, ``reason``
        The reason is why the guard keeps a pair with a score of at least the threshold apart, or
        "". Pairs with a text read in another way are left out if the other text does not have the
        words.
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
    judged = pairs.select(["first", "second", "repeated"])
    judged = judged.append_column("score", pa.array(scores))
    return judged.append_column("reason", pa.array(reasons, pa.string()))
