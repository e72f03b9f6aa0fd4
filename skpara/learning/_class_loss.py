"""Cross entropy of classes, and their probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from skpara._typing import Floats, Vectors


class ClassLoss:
    """Cross entropy of classes, and their probabilities.

    Labels are the numbers of the classes, from 0. ``weights`` has one weight for each class; None
    gives all classes a weight of 1.
    """

    def __init__(self, n_classes: int, weights: Floats | None = None) -> None:
        self._weights = np.ones(n_classes) if weights is None else weights

    def targets(self, labels: NDArray[np.integer]) -> Vectors:
        """Return the targets of the outputs: the weight of the class, in its column."""
        # Weights are in the targets, so that a batch is divided by its number of samples. torch's
        # own ``weight`` divides by the weights of the batch, which lets samples of a rare class
        # count for more in batches without the others.
        return np.diag(self._weights)[labels].astype(np.float32)

    def __call__(self, outputs: Tensor, targets: Tensor, weights: Tensor | float = 1.0) -> Tensor:
        """Compute the mean cross entropy; ``weights`` are of the samples, shape (n_samples, 1)."""
        return functional.cross_entropy(outputs, targets * weights)

    def probabilities(self, outputs: Tensor) -> Floats:
        """Return the probabilities of the classes."""
        return outputs.double().softmax(dim=1).cpu().numpy()

    def score(self, outputs: Tensor, labels: NDArray[np.integer]) -> float:
        """Return the mean logarithm of the probability of the right class."""
        log_probabilities = outputs.double().log_softmax(dim=1).cpu().numpy()
        return float(np.mean(log_probabilities[np.arange(len(labels)), labels]))
