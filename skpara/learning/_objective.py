"""The margin objective and its negative examples.

Sentences of a batch of n pairs are numbered left ones first: 0 to n - 1, then right ones: n to
2n - 1; whatever follows are negatives from outside the batch.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor

_BLOCK = 1024


def margin_loss(units: Tensor, negatives: Tensor, margin: float) -> Tensor:
    """Mean hinge loss of both sides: equation 2 of Hokamp and Arora (2016), without decay.

    For a pair (x1, x2) with negatives t1, t2 and margin delta::

        max(0, delta - cos(x1, x2) + cos(x1, t1)) + max(0, delta - cos(x1, x2) + cos(x2, t2))

    Parameters
    ----------
    units : Tensor of shape (at least 2 * n_pairs, n_dims)
        Sentence vectors of length 1, or zeros, which have cosine 0 with anything; the first
        ``2 * n_pairs`` are the two sides.
    negatives : Tensor of int64, shape (2 * n_pairs,)
        The number of each sentence's negative.
    margin : float

    Returns
    -------
    Tensor, a scalar
    """
    n_pairs = len(negatives) // 2
    sides = units[: 2 * n_pairs]
    together = (sides[:n_pairs] * sides[n_pairs:]).sum(dim=1)
    apart = (sides * units.index_select(0, negatives)).sum(dim=1)
    hinge = (apart.view(2, n_pairs) - together + margin).relu()
    return hinge.sum() / n_pairs


def choose_negatives(kind: str, units: Tensor, rng: Generator) -> Tensor:
    """For each sentence, the number of a sentence of another pair.

    Parameters
    ----------
    kind : {"random", "hardest", "mix"}
        Any sentence of another pair; the most similar one; each of them half the time.
    units : Tensor of shape (2 * n_pairs, n_dims)
        Sentence vectors of length 1.
    rng : numpy Generator

    Returns
    -------
    Tensor of int64, shape (2 * n_pairs,)
    """
    n_sentences = len(units)
    if kind == "hardest":
        return hardest_negatives(units)
    chosen = torch.from_numpy(_random(n_sentences // 2, rng)).to(units.device)
    if kind == "mix":
        coin = torch.from_numpy(rng.random(n_sentences) < 0.5).to(units.device)
        chosen = torch.where(coin, hardest_negatives(units), chosen)
    return chosen


def _random(n_pairs: int, rng: Generator) -> NDArray[np.int64]:
    own = np.tile(np.arange(n_pairs), 2)
    other = (own + rng.integers(1, n_pairs, size=2 * n_pairs)) % n_pairs
    return other + n_pairs * rng.integers(0, 2, size=2 * n_pairs)


@torch.no_grad()
def hardest_negatives(units: Tensor) -> Tensor:
    """For each sentence, the number of the most similar sentence of another pair."""
    n_sentences = len(units)
    chosen = []
    for start in range(0, n_sentences, _BLOCK):  # a mega-batch need not fit all its cosines
        cosines = units[start : start + _BLOCK] @ units.T
        for own in (start, start + n_sentences // 2, start - n_sentences // 2):
            if -len(cosines) < own < n_sentences:  # neither itself nor its own partner
                cosines.diagonal(own).fill_(-2.0)
        chosen.append(_largest(cosines))
    return torch.cat(chosen)


def _largest(rows: Tensor) -> Tensor:
    """The place of each row's largest number; on the CPU by NumPy, which is five times faster."""
    if rows.device.type == "cpu":
        return torch.from_numpy(rows.numpy().argmax(axis=1))
    return rows.argmax(dim=1)
