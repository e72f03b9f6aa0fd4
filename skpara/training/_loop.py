"""The loop over epochs and batches that tunes a table of word vectors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from tqdm.auto import tqdm

from skpara.text import TokenIds
from skpara.training._objective import choose_negatives, margin_loss
from skpara.training._optimizers import make_optimizer


@dataclass(frozen=True)
class MarginSettings:
    """How to train; the fields are the parameters of ``ParagramEncoder``."""

    negatives: str
    margin: float
    word_decay: float
    optimizer: str
    learning_rate: float | None
    batch_size: int
    max_iter: int
    device: str
    verbose: int


def train_margin(
    network: nn.Module,
    table: NDArray[np.float32],
    left: TokenIds,
    right: TokenIds,
    settings: MarginSettings,
    rng: Generator,
) -> tuple[NDArray[np.float32], list[float]]:
    """Move the rows of ``table`` so that paired sentences come close.

    Parameters
    ----------
    network : nn.Module
        From (rows, ids, offsets) to sentence vectors.
    table : ndarray of shape (n_rows, n_dims)
        Initial vectors; not changed.
    left, right : TokenIds
        The paraphrases: ids into ``table``.
    settings : MarginSettings
    rng : numpy Generator
        Draws the order of the pairs and the negatives.

    Returns
    -------
    table : ndarray of shape (n_rows, n_dims)
        The tuned vectors.
    losses : list of float
        Mean loss a pair of each epoch, decay included.
    """
    initial = torch.from_numpy(np.array(table)).to(settings.device)
    tuned = initial.clone()
    optimizer = make_optimizer(settings.optimizer, tuned, settings.learning_rate)
    n_pairs = len(left.lengths)
    losses = []
    with tqdm(
        total=settings.max_iter * n_pairs, unit="pair", disable=not settings.verbose
    ) as progress:
        for _ in range(settings.max_iter):
            total = 0.0
            for pairs in batches(n_pairs, settings.batch_size, rng):
                batch = _Batch.gather(left.take(pairs), right.take(pairs), settings.device)
                loss, gradient = _gradient(network, tuned, initial, batch, settings, rng)
                optimizer.step(tuned, batch.rows, gradient)
                total += loss * len(pairs)
                progress.update(len(pairs))
            losses.append(total / n_pairs)
            progress.set_postfix(loss=f"{losses[-1]:.4f}")
    return tuned.cpu().numpy(), losses


def batches(n_pairs: int, batch_size: int, rng: Generator) -> Iterator[NDArray[np.int64]]:
    """Shuffled row numbers, ``batch_size`` at a time.

    A last batch of one pair would have no negatives; it joins the batch before.
    """
    order = rng.permutation(n_pairs)
    cuts = np.arange(batch_size, n_pairs - 1, batch_size)
    yield from np.split(order, cuts)


@dataclass(frozen=True)
class _Batch:
    """The rows that a batch uses, and its sentences as ids into those rows."""

    rows: Tensor
    left_ids: Tensor
    left_offsets: Tensor
    right_ids: Tensor
    right_offsets: Tensor

    @classmethod
    def gather(cls, left: TokenIds, right: TokenIds, device: str) -> _Batch:
        rows, local = np.unique(np.concatenate([left.ids, right.ids]), return_inverse=True)
        parts = (
            rows.astype(np.int64),
            local[: len(left.ids)],
            left.offsets[:-1],
            local[len(left.ids) :],
            right.offsets[:-1],
        )
        return cls(*(torch.from_numpy(np.ascontiguousarray(part)).to(device) for part in parts))


def _gradient(
    network: nn.Module,
    tuned: Tensor,
    initial: Tensor,
    batch: _Batch,
    settings: MarginSettings,
    rng: Generator,
) -> tuple[float, Tensor]:
    rows = tuned[batch.rows].requires_grad_()
    left = network(rows, batch.left_ids, batch.left_offsets)
    right = network(rows, batch.right_ids, batch.right_offsets)
    left_negative, right_negative = choose_negatives(settings.negatives, left, right, rng)
    sentences = torch.cat([left, right])
    loss = margin_loss(
        left, right, sentences[left_negative], sentences[right_negative], settings.margin
    )
    if settings.word_decay:
        loss = loss + settings.word_decay * (rows - initial[batch.rows]).square().sum()
    (gradient,) = torch.autograd.grad(loss, rows)
    return float(loss.detach()), gradient
