"""What all workers share: the rules, the cells of the space, and rows that measure recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Vectors
from skpara._unicode import compose
from skpara.matching import Cells, Lookups, TextRules, encode_units, sample_size
from skpara.scale._keys import Keys, text_keys

# Texts whose pairs are counted to measure the recall.
_N_PROBED = 500


class Plan(NamedTuple):
    """What all workers share."""

    rules: TextRules
    cells: Cells
    group_of_cell: NDArray[np.int32]  # cells of one group are compared by one worker
    probed: Vectors
    lookups_of_probed: Lookups
    keys_of_probed: Keys

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return all but the rules, to be saved."""
        cells, lookups, keys = self.cells, self.lookups_of_probed, self.keys_of_probed
        return {
            "basis": cells.basis,
            "regions": cells.regions,
            "centres": cells.centres,
            "starts": cells.starts,
            "margin": np.array(cells.margin),
            "group_of_cell": self.group_of_cell,
            "probed": self.probed,
            "own": lookups.own,
            "rows": lookups.rows,
            "cells": lookups.cells,
            "text_keys": keys.texts,
            "vector_keys": keys.vectors,
        }

    @classmethod
    def of_arrays(cls, rules: TextRules, arrays: Mapping[str, NDArray[Any]]) -> Plan:
        """Return the plan that was saved."""
        x = arrays
        margin = float(x["margin"])
        cells = Cells(x["basis"], x["regions"], x["centres"], x["starts"], margin)
        lookups = Lookups(x["own"], x["rows"], x["cells"], len(cells.centres))
        keys = Keys(x["text_keys"], x["vector_keys"])
        return cls(rules, cells, x["group_of_cell"], x["probed"], lookups, keys)


def texts_of_plan(n_texts: int) -> int:
    """Return of how many texts, the first ones by their MD5, a plan is made."""
    return max(sample_size(n_texts), _N_PROBED)


def fit_plan(rules: TextRules, texts: Sequence[str], n_texts: int, n_groups: int) -> Plan:
    """Make the plan for so many different texts, and groups of cells.

    ``texts`` are the first ones by their MD5, in this order.
    """
    texts = list(map(compose, texts))
    units = encode_units(rules.encoder, texts)
    keys = text_keys(texts, units)
    with_words = np.flatnonzero(units.any(axis=1))
    units, keys = units[with_words], Keys(*(x[with_words] for x in keys))
    cells = Cells.learn(units[: sample_size(n_texts)], n_texts, rules.lowest)
    n_cells = len(cells.centres)
    probed = slice(n_cells, n_cells + _N_PROBED) if n_cells > 1 else slice(0)
    # Regions are far from each other, so each group has whole ones.
    n_groups = min(n_groups, len(cells.regions))
    regions = np.repeat(np.arange(len(cells.regions)), np.diff(cells.starts))
    return Plan(
        rules,
        cells,
        (regions * n_groups // len(cells.regions)).astype(np.int32),
        units[probed],
        cells.assign(units[probed]),
        Keys(*(x[probed] for x in keys)),
    )
