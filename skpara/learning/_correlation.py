"""The objective on graded scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from skpara._core import Ragged
from skpara._linalg import row_cosines, unit_rows
from skpara._typing import Floats, Vectors
from skpara.learning._arrays import to_numpy
from skpara.learning._averages import through_units, unit_vectors
from skpara.learning._loop import Steps
from skpara.learning._margin import MarginObjective, take_pairs
from skpara.learning._parameters import Negatives
from skpara.learning._processes import n_processes
from skpara.learning._session import Session

if TYPE_CHECKING:
    from torch import Tensor

# Keeps the gradient finite where all cosines are equal.
_LEAST_SCALE = 1e-6
_BLOCK = 2048  # pairs whose vectors are in memory at once


class CorrelationObjective(MarginObjective):
    """Correlation of cosines with scores, batch by batch.

    With an ``anchor`` a, the targets are the standardized scores plus a times the standardized
    cosines before training. Each pair counts by its weight. A validation set without scores is
    scored by the margin loss.
    """

    row_rate = 1 / 60

    def __init__(
        self,
        scores: Floats,
        batch_size: int,
        *,
        anchor: float,
        negatives: Negatives,
        weights: Floats | None = None,
    ) -> None:
        super().__init__(negatives, batch_size)
        self._pair_weights = np.ones(len(scores)) if weights is None else weights
        self._targets = self._standardized(scores)
        self._anchor = anchor

    def epoch(self, session: Session, tokens: Ragged) -> Steps:
        n_pairs = len(self._targets)
        if self._anchor:
            cosines = np.empty(n_pairs)
            for start in range(0, n_pairs, _BLOCK):
                rows = np.arange(start, min(start + _BLOCK, n_pairs))
                sentences = take_pairs(tokens, rows)
                u, v = np.split(unit_rows(to_numpy(session.trainer.encode(sentences))), 2)
                cosines[rows] = row_cosines(u, v)
            self._targets += self._anchor * self._standardized(cosines)
            self._anchor = 0.0  # later epochs have the same targets
        # The correlation of a few pairs is noise, so a small remainder joins the batch before.
        min_size = max(2, self._batch_size * n_processes() // 2)
        for rows in session.batches(n_pairs, self._batch_size, min_size=min_size):
            sentences = take_pairs(tokens, rows)
            loss = CorrelationLoss(self._targets[rows], self._pair_weights[rows])
            yield session.trainer.step(sentences, loss), len(rows)

    def _standardized(self, values: Floats) -> Floats:
        weights = self._pair_weights / self._pair_weights.mean()
        deviations = values - (weights * values).mean()
        scale = float(np.sqrt((weights * deviations**2).mean()))
        return deviations / max(scale, 1e-6)


class CorrelationLoss:
    """One minus the correlation of the cosines of a batch with its targets."""

    def __init__(self, targets: Floats, weights: Floats) -> None:
        self._targets = targets.astype(np.float32)
        self._weights = (weights / weights.mean()).astype(np.float32)

    def __call__(self, vectors: Tensor) -> Tensor:
        import torch
        from torch.nn import functional

        u, v = functional.normalize(vectors).tensor_split(2)
        targets = torch.from_numpy(self._targets).to(vectors.device)
        weights = torch.from_numpy(self._weights).to(vectors.device)
        return correlation_loss((u * v).sum(dim=1), targets, weights)

    def gradient(self, vectors: Vectors) -> tuple[float, Vectors]:
        """Return the loss and its gradient, in NumPy."""
        units, lengths = unit_vectors(vectors)
        u, v = np.split(units, 2)
        cosines = np.einsum("ij,ij->i", u, v)
        weights = self._weights
        roots = np.sqrt(weights)
        x = roots * (cosines - (weights * cosines).mean())
        y = roots * (self._targets - (weights * self._targets).mean())
        x_norm = np.linalg.norm(x)
        y_norm = np.linalg.norm(y)
        scale = max(float(x_norm * y_norm), _LEAST_SCALE)
        r = float(x @ y) / scale
        by_cosine = -y / np.float32(scale)
        if scale > _LEAST_SCALE:  # else the scale is a constant
            by_cosine += x * np.float32(r / float(x_norm) ** 2)
        by_cosine *= roots
        # x and y have a weighted mean of zero, so the gradient has a sum of zero: centering adds
        # nothing to it.
        unit_gradient = np.concatenate([by_cosine[:, None] * v, by_cosine[:, None] * u])
        return 1 - r, through_units(unit_gradient, units, lengths)


def correlation_loss(x: Tensor, y: Tensor, weights: Tensor) -> Tensor:
    """Compute one minus Pearson's r; where either is constant it is 1, without a gradient.

    ``weights`` have a mean of 1.
    """
    roots = weights.sqrt()
    x = roots * (x - (weights * x).mean())
    y = roots * (y - (weights * y).mean())
    return 1 - (x * y).sum() / (x.norm() * y.norm()).clamp_min(_LEAST_SCALE)
