"""The loss of scores, and scores from the outputs of a network."""

from __future__ import annotations

import numpy as np
from torch import Tensor
from torch.nn import functional

from skpara._linalg import pearson
from skpara._typing import Floats, Vectors

# Added to each class before a label distribution is normalized: the KL divergence needs logarithms
# of all of them. Small against the rounding of human scores.
SMOOTHING = 1e-6


def label_distribution(scores: Floats, n_classes: int) -> Floats:
    """Turn scores into distributions over the two nearest classes (Tai and others 2015).

    For a score y, class floor(y) + 1 gets y - floor(y), and class floor(y) the rest.
    """
    lower = np.clip(np.floor(scores), 0, n_classes - 2).astype(np.intp)
    rows = np.arange(len(scores))
    distributions = np.zeros((len(scores), n_classes))
    distributions[rows, lower + 1] = scores - lower
    distributions[rows, lower] = 1 - distributions[rows, lower + 1]
    return distributions


class ScoreLoss:
    """The loss of scores, and scores from the outputs of a network."""

    def __init__(self, kind: str, score_range: tuple[float, float], n_classes: int) -> None:
        self.kind = kind
        self._n_classes = n_classes
        self._low, self._high = score_range

    def targets(self, scores: Floats) -> Vectors:
        """Return the targets of the outputs, one row per pair."""
        fractions = (scores - self._low) / (self._high - self._low)
        if self.kind != "kl":
            return fractions[:, None].astype(np.float32)
        positions = fractions * (self._n_classes - 1)
        distributions = label_distribution(positions, self._n_classes) + SMOOTHING
        return (distributions / distributions.sum(axis=1, keepdims=True)).astype(np.float32)

    def __call__(self, outputs: Tensor, targets: Tensor, weights: Tensor | float = 1.0) -> Tensor:
        """Compute the mean KL divergence of the distributions, or the mean squared error.

        ``weights`` are of the samples, shape (n_samples, 1).
        """
        if self.kind == "kl":
            log_probabilities = outputs.log_softmax(dim=1)
            losses = functional.kl_div(log_probabilities, targets, reduction="none")
        else:
            losses = functional.mse_loss(outputs, targets, reduction="none")
        return (losses * weights).sum() / len(losses)

    def distributions(self, outputs: Tensor) -> Floats:
        """Return the probabilities of the classes."""
        return outputs.double().softmax(dim=1).cpu().numpy()

    def scores(self, outputs: Tensor) -> Floats:
        """Return the expected class, or the output, on the scale of the scores."""
        if self.kind == "kl":
            fractions = self.distributions(outputs) @ np.linspace(0, 1, self._n_classes)
        else:
            fractions = np.clip(outputs[:, 0].double().cpu().numpy(), 0, 1)
        return np.asarray(self._low + fractions * (self._high - self._low))

    def score(self, outputs: Tensor, scores: Floats) -> float:
        """Return Pearson's r of predicted and given scores; -1 where either is constant."""
        return float(pearson(self.scores(outputs), scores, undefined=-1.0))
