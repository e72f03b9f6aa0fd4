"""Initial weights.

They are drawn from NumPy, so that fits depend on ``random_state`` alone and torch's generators are
left as they were. Saved results depend on the order and the precision of the draws. All of them
are on the CPU, whatever ``torch.set_default_device`` says; the trainer moves the finished module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn

NONLINEARITIES: dict[str, Callable[[Tensor], Tensor]] = {
    "identity": lambda x: x,
    "relu": torch.relu,
    "tanh": torch.tanh,
}

_SHAPES_ONLY: ContextVar[bool] = ContextVar("shapes_only", default=False)


@contextmanager
def shapes_only() -> Iterator[None]:
    """Make weights that have a shape and nothing else, to check sizes that a file claims."""
    token = _SHAPES_ONLY.set(True)
    try:
        yield
    finally:
        _SHAPES_ONLY.reset(token)


def _weight(shape: tuple[int, ...], make: Callable[[], NDArray[np.floating]]) -> nn.Parameter:
    if _SHAPES_ONLY.get():
        return nn.Parameter(torch.empty(shape, device="meta"))
    return nn.Parameter(torch.from_numpy(make().astype(np.float32)))


def uniform(rng: Generator, limit: float, *shape: int) -> nn.Parameter:
    """Draw from the uniform distribution on (-limit, limit)."""
    return _weight(shape, lambda: rng.uniform(-limit, limit, size=shape))


def normal(rng: Generator, *shape: int) -> nn.Parameter:
    """Draw from the normal distribution with mean 0 and standard deviation 0.1.

    This is how Wieting and others (2016, 2017) initialized gates and dense layers.
    """
    return _weight(shape, lambda: 0.1 * rng.standard_normal(shape))


def glorot(rng: Generator, n_out: int, n_in: int) -> nn.Parameter:
    """Draw a matrix that keeps the variance of its input (Glorot and Bengio 2010)."""
    return uniform(rng, np.sqrt(6 / (n_out + n_in)), n_out, n_in)


def orthogonal(rng: Generator, size: int, n_blocks: int = 1) -> nn.Parameter:
    """Draw ``n_blocks`` orthogonal matrices, one below the other.

    An orthogonal matrix keeps the length of a state however often it is applied, so that gradients
    over many steps neither vanish nor explode at the start of training (Saxe and others 2014).
    Every gate gets a matrix of its own: the rows of one tall matrix could not all be orthogonal.
    """

    def draw() -> NDArray[np.floating]:
        blocks = [np.linalg.qr(rng.standard_normal((size, size)))[0] for _ in range(n_blocks)]
        return np.vstack(blocks)

    return _weight((n_blocks * size, size), draw)


def zeros(*shape: int) -> nn.Parameter:
    """Return a parameter of zeros."""
    return _weight(shape, lambda: np.zeros(shape))


def identity(size: int) -> nn.Parameter:
    """Return an identity matrix."""
    return _weight((size, size), lambda: np.eye(size))
