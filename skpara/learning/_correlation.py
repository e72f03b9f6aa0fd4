"""The objective on graded scores."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from skpara._public import set_module
from skpara._typing import Floats
from skpara.learning._margin import MarginObjective
from skpara.learning._objective import shuffled_batches
from skpara.learning._parameters import Negatives
from skpara.text import TokenIds

if TYPE_CHECKING:
    from skpara.learning._loop import Steps
    from skpara.learning._session import Session


@set_module("skpara.learning")
class CorrelationObjective(MarginObjective):
    """Cosines that correlate with scores, batch by batch.

    With an ``anchor`` a, cosines correlate with the sum of the standardized scores and a times the
    standardized cosines of before training. Only a validation set without scores is scored as by
    the margin objective.

    Attributes
    ----------
    scores : ndarray of shape (n_pairs,)
        The scores of the pairs of the next epoch, or of the next chunk of a stream.
    """

    row_rate = 1 / 60

    def __init__(
        self,
        scores: Floats,
        batch_size: int,
        *,
        anchor: float,
        negatives: Negatives,
        margin: float,
    ) -> None:
        super().__init__(negatives, margin, batch_size)
        self.scores, self._anchor = scores, anchor
        self._cosines: tuple[TokenIds, Tensor] | None = None

    def epoch(self, session: Session, tokens: TokenIds) -> Steps:
        targets, n_pairs = self._targets(session, tokens), len(self.scores)
        batch_size = self._batch_size * session.n_processes
        # The correlation of a few pairs is noise, so a small remainder joins the batch before.
        min_size = max(2, batch_size // 2)
        for rows in shuffled_batches(n_pairs, batch_size, session.rng, min_size=min_size):
            sentences = tokens.take(np.concatenate([rows, rows + n_pairs]))
            loss = partial(_loss, targets=targets[torch.from_numpy(rows)])
            yield session.trainer.step(sentences, loss), len(rows)

    def _targets(self, session: Session, tokens: TokenIds) -> Tensor:
        scores = torch.from_numpy(self.scores.astype(np.float32))
        targets = _standardized(scores.to(session.trainer.compute.device))
        if not self._anchor:
            return targets
        # Later epochs have the same tokens, unless they are chunks of a stream.
        if self._cosines is None or self._cosines[0] is not tokens:
            self._cosines = tokens, _standardized(_cosines(session.trainer.encode(tokens)))
        return targets + self._anchor * self._cosines[1]


def correlation_loss(x: Tensor, y: Tensor) -> Tensor:
    """Compute one minus Pearson's r; where either is constant it is 1, without a gradient."""
    x, y = x - x.mean(), y - y.mean()
    # The bound keeps the gradient finite where all of x are equal.
    return 1 - (x * y).sum() / (x.norm() * y.norm()).clamp_min(1e-6)


def _standardized(values: Tensor) -> Tensor:
    return (values - values.mean()) / values.std(correction=0).clamp_min(1e-6)


def _cosines(vectors: Tensor) -> Tensor:
    u, v = functional.normalize(vectors).tensor_split(2)
    return (u * v).sum(dim=1)


def _loss(vectors: Tensor, targets: Tensor) -> Tensor:
    return correlation_loss(_cosines(vectors), targets)
