"""The margin objective and its negative examples."""

from __future__ import annotations

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor
from torch.nn import functional


def margin_loss(
    left: Tensor, right: Tensor, left_negative: Tensor, right_negative: Tensor, margin: float
) -> Tensor:
    """Mean hinge loss of both sides: equation 2 of Hokamp and Arora (2016), without decay.

    For a pair (x1, x2) with negatives t1, t2 and margin delta::

        max(0, delta - cos(x1, x2) + cos(x1, t1)) + max(0, delta - cos(x1, x2) + cos(x2, t2))

    All tensors have shape (n_pairs, n_dims). A zero vector has cosine 0 with anything.
    """
    together = functional.cosine_similarity(left, right)
    apart_left = functional.cosine_similarity(left, left_negative)
    apart_right = functional.cosine_similarity(right, right_negative)
    hinge = (margin - together + apart_left).relu() + (margin - together + apart_right).relu()
    return hinge.mean()


def choose_negatives(
    kind: str, left: Tensor, right: Tensor, rng: Generator
) -> tuple[Tensor, Tensor]:
    """For each side of each pair, the number of a sentence of another pair in the batch.

    Sentences are numbered left ones first: 0 to n - 1, then right ones: n to 2n - 1.

    Parameters
    ----------
    kind : {"random", "hardest", "mix"}
        Any sentence of another pair; the most similar one; each of them half the time.
    left, right : Tensor of shape (n_pairs, n_dims)
    rng : numpy Generator

    Returns
    -------
    left_negatives, right_negatives : Tensor of int64, shape (n_pairs,)
    """
    n_pairs = len(left)
    if kind == "hardest":
        chosen = _hardest(left, right)
    else:
        chosen = torch.from_numpy(_random(n_pairs, rng)).to(left.device)
        if kind == "mix":
            coin = torch.from_numpy(rng.random(2 * n_pairs) < 0.5).to(left.device)
            chosen = torch.where(coin, _hardest(left, right), chosen)
    return chosen[:n_pairs], chosen[n_pairs:]


def _random(n_pairs: int, rng: Generator) -> np.ndarray:
    own = np.tile(np.arange(n_pairs), 2)
    other = (own + rng.integers(1, n_pairs, size=2 * n_pairs)) % n_pairs
    return other + n_pairs * rng.integers(0, 2, size=2 * n_pairs)


@torch.no_grad()
def _hardest(left: Tensor, right: Tensor) -> Tensor:
    sentences = functional.normalize(torch.cat([left, right]))
    cosines = sentences @ sentences.T
    own = torch.arange(len(left), device=left.device).repeat(2)
    cosines[own[:, None] == own[None, :]] = -2.0  # neither itself nor its own partner
    return cosines.argmax(dim=1)
