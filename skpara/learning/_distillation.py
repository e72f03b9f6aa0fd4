"""Training towards a teacher: sentences as near to each other as another model finds them."""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from skpara.learning._loop import Pass
from skpara.learning._trainer import Trainer
from skpara.text import TokenIds

# How much more a pair of cosine 1 counts than one of cosine 0: nearly all sentences of a batch
# have nothing to do with each other, and similarity is asked of those that have.
_NEAR = 50.0


def similarity_loss(units: Tensor, targets: Tensor) -> Tensor:
    """Weighted squared difference of the cosines of all sentences of a batch.

    With u for the student's unit vectors, t for the teacher's and n sentences::

        1/n sum_ij (1 + 50 max(0, t_i.t_j)^2) (u_i.u_j - t_i.t_j)^2

    Only cosines are compared, so that the two may differ in dimensions (relational distillation,
    Park et al. 2019).

    Parameters
    ----------
    units : Tensor of shape (n_sentences, n_dims)
    targets : Tensor of shape (n_sentences, n_dims_of_teacher)
        Vectors of length 1, both.

    Returns
    -------
    Tensor, a scalar
    """
    wanted = targets @ targets.T
    weights = 1 + _NEAR * wanted.clamp(min=0).square()
    return (weights * (units @ units.T - wanted).square()).sum() / len(units)


def teacher_pass(
    trainer: Trainer,
    sentences: TokenIds,
    targets: NDArray[np.float32],
    batch_size: int,
    rng: Generator,
) -> Pass:
    """One pass over the sentences, whose vectors by the teacher are ``targets``, of length 1."""
    order = rng.permutation(len(targets))
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        wanted = torch.from_numpy(targets[rows]).to(trainer.settings.device)
        yield trainer.step(sentences.take(rows), partial(_loss, targets=wanted)), len(rows)


def _loss(vectors: Tensor, targets: Tensor) -> Tensor:
    return similarity_loss(functional.normalize(vectors), targets)
