"""Initial weights, drawn from NumPy so that torch's generators are left alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn

NONLINEARITIES: dict[str, Callable[[Tensor], Tensor]] = {
    "identity": lambda x: x,
    "relu": torch.relu,
    "tanh": torch.tanh,
}


def uniform(rng: Generator, limit: float, *shape: int) -> nn.Parameter:
    """Numbers from (-limit, limit)."""
    drawn = rng.uniform(-limit, limit, size=shape).astype(np.float32)
    return nn.Parameter(torch.from_numpy(drawn))


def glorot(rng: Generator, n_out: int, n_in: int) -> nn.Parameter:
    """A matrix that keeps the variance of what it maps (Glorot and Bengio 2010)."""
    return uniform(rng, np.sqrt(6 / (n_out + n_in)), n_out, n_in)


def orthogonal(rng: Generator, size: int, n_blocks: int = 1) -> nn.Parameter:
    """``n_blocks`` random rotations, one below the other."""
    blocks = [np.linalg.qr(rng.standard_normal((size, size)))[0] for _ in range(n_blocks)]
    return nn.Parameter(torch.from_numpy(np.vstack(blocks).astype(np.float32)))


def zeros(*shape: int) -> nn.Parameter:
    """Zeros."""
    return nn.Parameter(torch.zeros(*shape))
