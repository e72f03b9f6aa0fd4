"""Objectives for learning the similarities, or the directions, of a teacher's vectors."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor
from torch.nn import functional

from skpara._core import Ragged
from skpara._typing import Vectors
from skpara.learning._loop import Steps
from skpara.learning._objective import Objective
from skpara.learning._session import Session

# Weight of a pair of cosine 1, relative to one of cosine 0. Nearly all pairs of sentences in a
# batch are unrelated; without it the related ones, which users score, hardly count.
_POSITIVE_WEIGHT = 50.0

_BATCH = 512  # sentences per batch
# The learning rate of rows is at least this fraction of their root mean square, as tables differ
# in scale.
_ROW_RATE = 1 / 6


class DistillationObjective(Objective):
    """Relational distillation: match a teacher's cosines of all sentences of a batch."""

    unit = "sentence"
    learning_rate = 0.01  # of AdaGrad

    def __init__(self, targets: Vectors) -> None:
        self._targets = targets

    def epoch(self, session: Session, tokens: Ragged) -> Steps:
        if not session.history:
            session.scale_row_learning_rate(_ROW_RATE, at_least=self.learning_rate)
        yield from self._steps(session, tokens)

    def _steps(self, session: Session, tokens: Ragged) -> Steps:
        for rows in session.batches(len(self._targets), _BATCH):
            targets = torch.from_numpy(self._targets[rows]).to(session.trainer.compute.device)
            loss = partial(self._loss, targets=targets)
            yield session.trainer.step(tokens.take(rows), loss), len(rows)

    @staticmethod
    def _loss(vectors: Tensor, targets: Tensor) -> Tensor:
        return similarity_loss(functional.normalize(vectors), targets)

    def n_samples(self, tokens: Ragged) -> int:
        return len(tokens.lengths)


class DirectionObjective(DistillationObjective):
    """Match the directions of a teacher's vectors as well as their cosines.

    The learning rate falls linearly to zero over ``n_epochs``.
    """

    learning_rate = 0.003  # of Adam

    def __init__(self, targets: Vectors, n_epochs: int) -> None:
        super().__init__(targets)
        self._n_epochs = n_epochs

    def epoch(self, session: Session, tokens: Ragged) -> Steps:
        n_done = 0
        n_samples = len(self._targets)
        for loss, n_sentences in self._steps(session, tokens):
            yield loss, n_sentences
            n_done += n_sentences
            progress = (len(session.history) + n_done / n_samples) / self._n_epochs
            session.trainer.row_optimizer.learning_rate = self.learning_rate * (1 - progress)

    @staticmethod
    def _loss(vectors: Tensor, targets: Tensor) -> Tensor:
        units = functional.normalize(vectors)
        directions = 1 - (units * targets).sum(dim=1).mean()
        return directions + similarity_loss(units, targets) / len(units)


def similarity_loss(units: Tensor, targets: Tensor) -> Tensor:
    """Compute the weighted squared difference of the cosines of all sentences of a batch.

    With u for the student's unit vectors, t for the teacher's and n sentences::

        1/n sum_ij (1 + 50 max(0, t_i.t_j)^2) (u_i.u_j - t_i.t_j)^2

    Only cosines are compared, so that the two may differ in dimensions (Park et al. 2019).
    """
    cosines = targets @ targets.T
    weights = 1 + _POSITIVE_WEIGHT * cosines.clamp(min=0).square()
    return (weights * (units @ units.T - cosines).square()).sum() / len(units)
