"""Batches of pairs, shuffled, with negatives from a pool larger than a batch where asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from skpara.learning._objective import choose_negatives
from skpara.text import TokenIds

# Sentences of a batch: its n left ones, its n right ones, then negatives from outside, if any.
Batch = tuple[TokenIds, int]
Encode = Callable[[TokenIds], Tensor]


def row_batches(n_pairs: int, batch_size: int, rng: Generator) -> Iterator[NDArray[np.int64]]:
    """Shuffled row numbers, ``batch_size`` at a time.

    A last batch of one pair would have no negatives; it joins the batch before.
    """
    order = rng.permutation(n_pairs)
    cuts = np.arange(batch_size, n_pairs - 1, batch_size)
    yield from np.split(order, cuts)


def pair_batches(pairs: TokenIds, batch_size: int, rng: Generator) -> Iterator[Batch]:
    """Batches of the pairs whose left sentences are the first half of ``pairs``."""
    n_pairs = len(pairs.lengths) // 2
    for rows in row_batches(n_pairs, batch_size, rng):
        yield pairs.take(np.concatenate([rows, rows + n_pairs])), len(rows)


def pooled_batches(
    pairs: TokenIds,
    batch_size: int,
    n_batches: int,
    kind: str,
    encode: Encode,
    rng: Generator,
) -> Iterator[Batch]:
    """Batches that bring negatives chosen from ``n_batches`` batches (mega-batching).

    The pool is encoded with the network as it stands, the negatives of all its sentences are
    chosen, and it is then learned from batch by batch (Wieting and Gimpel 2018).
    """
    n_pairs = len(pairs.lengths) // 2
    for pool in row_batches(n_pairs, batch_size * n_batches, rng):
        sides = np.concatenate([pool, pool + n_pairs])
        units = functional.normalize(encode(pairs.take(sides)))
        chosen = choose_negatives(kind, units, rng).cpu().numpy()
        negatives = sides[chosen].reshape(2, -1)
        cuts = np.arange(batch_size, len(pool) - 1, batch_size)
        for rows in np.split(np.arange(len(pool)), cuts):
            own = pool[rows]
            others = negatives[:, rows].ravel()
            yield pairs.take(np.concatenate([own, own + n_pairs, others])), len(rows)
