"""The objective on graded scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from skpara._linalg import row_cosines, unit_rows
from skpara._public import set_module
from skpara._typing import Floats, Vectors
from skpara.learning._arrays import to_numpy
from skpara.learning._averages import through_units, unit_vectors
from skpara.learning._margin import MarginObjective
from skpara.learning._objective import shuffled_batches
from skpara.learning._parameters import Negatives
from skpara.text import TokenIds

if TYPE_CHECKING:
    from torch import Tensor

    from skpara.learning._loop import Steps
    from skpara.learning._session import Session


# Keeps the gradient finite where all cosines are equal.
_LEAST_SCALE = 1e-6


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
        self._cosines: tuple[TokenIds, Floats] | None = None

    def epoch(self, session: Session, tokens: TokenIds) -> Steps:
        targets, n_pairs = self._targets(session, tokens), len(self.scores)
        batch_size = self._batch_size * session.n_processes
        # The correlation of a few pairs is noise, so a small remainder joins the batch before.
        min_size = max(2, batch_size // 2)
        for rows in shuffled_batches(n_pairs, batch_size, session.rng, min_size=min_size):
            sentences = tokens.take(np.concatenate([rows, rows + n_pairs]))
            yield session.trainer.step(sentences, CorrelationLoss(targets[rows])), len(rows)

    def _targets(self, session: Session, tokens: TokenIds) -> Floats:
        targets = _standardized(self.scores)
        if not self._anchor:
            return targets
        # Later epochs have the same tokens, unless they are chunks of a stream.
        if self._cosines is None or self._cosines[0] is not tokens:
            u, v = np.split(unit_rows(to_numpy(session.trainer.encode(tokens))), 2)
            self._cosines = tokens, _standardized(row_cosines(u, v))
        return targets + self._anchor * self._cosines[1]


class CorrelationLoss:
    """One minus the correlation of the cosines of a batch with its targets."""

    def __init__(self, targets: Floats) -> None:
        self._targets = targets.astype(np.float32)

    def __call__(self, vectors: Tensor) -> Tensor:
        import torch
        from torch.nn import functional

        u, v = functional.normalize(vectors).tensor_split(2)
        targets = torch.from_numpy(self._targets).to(vectors.device)
        return correlation_loss((u * v).sum(dim=1), targets)

    def gradient(self, vectors: Vectors) -> tuple[float, Vectors]:
        """Return the loss and its gradient, in NumPy."""
        units, lengths = unit_vectors(vectors)
        u, v = np.split(units, 2)
        cosines = np.einsum("ij,ij->i", u, v)
        x, y = cosines - cosines.mean(), self._targets - self._targets.mean()
        x_norm, y_norm = np.linalg.norm(x), np.linalg.norm(y)
        scale = max(float(x_norm * y_norm), _LEAST_SCALE)
        r = float(x @ y) / scale
        by_cosine = -y / np.float32(scale)
        if scale > _LEAST_SCALE:  # else the scale is a constant
            by_cosine += x * np.float32(r / float(x_norm) ** 2)
        # x and y have a mean of zero, and so has the gradient: centering adds nothing to it.
        unit_gradient = np.concatenate([by_cosine[:, None] * v, by_cosine[:, None] * u])
        return 1 - r, through_units(unit_gradient, units, lengths)


def correlation_loss(x: Tensor, y: Tensor) -> Tensor:
    """Compute one minus Pearson's r; where either is constant it is 1, without a gradient."""
    x, y = x - x.mean(), y - y.mean()
    return 1 - (x * y).sum() / (x.norm() * y.norm()).clamp_min(_LEAST_SCALE)


def _standardized(values: Floats) -> Floats:
    centered: Any = values - values.mean()
    return centered / max(float(values.std()), 1e-6)
