"""The plan that all workers share: rules, cells of the space, and rows that measure recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._core import distinct
from skpara._normal_form import compose
from skpara._typing import Ints, Vectors
from skpara.matching import (
    Cells,
    Lookups,
    TextRules,
    encode_units,
    plain,
    sample_size,
    vector_keys,
)

# Texts whose pairs are counted to measure the recall.
_N_PROBED = 500
# Texts from which the number of texts in a group is estimated.
_N_TRIED = 2**12


def text_keys(texts: Sequence[str], units: Vectors) -> tuple[Ints, Ints]:
    """Return two numbers of 64 bits for each text: only texts that are compared once share both.

    The first is of the text without case, accents, spaces and final punctuation, the second of its
    vector of length 1.
    """
    digests = b"".join(
        blake2b(plain(text).encode("utf8", "surrogatepass"), digest_size=8).digest()
        for text in texts
    )
    # With a sign, as all engines have them.
    return np.frombuffer(digests, "<i8").astype(np.int64), vector_keys(units).view(np.int64)


class Plan(NamedTuple):
    """The rules, the cells and the probed rows that all workers share."""

    rules: TextRules
    cells: Cells
    group_of_cell: NDArray[np.int32]  # cells of one group are compared by one worker
    probed: Vectors
    text_keys: Ints  # of the probed rows, like the next one
    vector_keys: Ints

    def to_arrays(self) -> dict[str, Any]:
        """Return all but the rules, to be saved."""
        own = self._asdict()
        del own["rules"], own["cells"]
        return vars(self.cells) | own

    @classmethod
    def of_arrays(cls, rules: TextRules, arrays: Mapping[str, NDArray[Any]]) -> Plan:
        """Return the plan that was saved."""
        x = dict(arrays)
        own, margin = [x.pop(name) for name in cls._fields[2:]], float(x.pop("margin"))
        return cls(rules, Cells(**x, margin=margin), *own)


def texts_of_plan(n_texts: int) -> int:
    """Return from how many texts, the first by their MD5, a plan is made."""
    return max(sample_size(n_texts), _N_PROBED)


def fit_plan(rules: TextRules, texts: Sequence[str], n_texts: int, most: int) -> Plan:
    """Make the plan for ``n_texts`` different texts, of which a worker compares at most ``most``.

    ``texts`` are the first by their MD5, in this order.
    """
    texts = list(map(compose, texts))
    units = encode_units(rules.encoder, texts)
    keys = text_keys(texts, units)
    with_words = np.flatnonzero(units.any(axis=1))
    units = units[with_words]
    cells = Cells.learn(units[: sample_size(n_texts)], n_texts, rules.lowest)
    n_cells = len(cells.centres)
    probed = slice(n_cells, n_cells + _N_PROBED) if n_cells > 1 else slice(0)
    # The last ones are not centres.
    groups = _groups(cells, cells.assign(units[-_N_TRIED:]), n_texts, most)
    return Plan(rules, cells, groups, units[probed], *(x[with_words][probed] for x in keys))


def parts_of_group(n: int, most: int) -> list[tuple[int, int, int]]:
    """Return the parts (i, j, k) in which ``n`` texts of a group are compared, one at a time.

    Each part of a heavy group is compared with each: those with a number of i, modulo k, as the
    ones of the group, with those of j as the ones that are looked up in it.
    """
    k = 1 if n <= most else -(-2 * n // most)
    return [(i, j, k) for i in range(k) for j in range(k)]


def _groups(cells: Cells, lookups: Lookups, n_texts: int, most: int) -> NDArray[np.int32]:
    """Return the group of each cell, in as few groups as compare at most ``most`` texts each.

    Neighbouring regions are in one group, so that texts are in few groups.
    """
    regions = np.repeat(np.arange(len(cells.regions)), np.diff(cells.starts))
    n_tried, n_groups = max(1, len(lookups.own)), 1
    while True:
        groups = np.empty(len(cells.regions), dtype=np.int32)
        halved = _halved(cells.regions, np.arange(len(cells.regions)), n_groups)
        for group, members in enumerate(halved):
            groups[members] = group
        of_cells = groups[regions]
        pairs = distinct(lookups.rows * n_groups + of_cells[lookups.cells])
        share = np.bincount(pairs % n_groups, minlength=1).max(initial=0) / n_tried
        if share * n_texts <= most or n_groups == len(cells.regions):
            return of_cells
        n_groups = min(n_groups + max(1, n_groups // 4), len(cells.regions))


def _halved(centres: Vectors, members: Ints, n_groups: int) -> list[Ints]:
    """Divide members along their first principal component, again and again."""
    if n_groups == 1:
        return [members]
    offsets = centres[members] - centres[members].mean(axis=0)
    axis = np.linalg.eigh(offsets.T @ offsets)[1][:, -1]
    order = members[np.argsort(offsets @ axis, kind="stable")]
    half = n_groups // 2
    border = len(members) * half // n_groups
    return [
        *_halved(centres, order[:border], half),
        *_halved(centres, order[border:], n_groups - half),
    ]
