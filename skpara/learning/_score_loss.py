"""Learning scores of pairs: from outputs of a network to a loss, and to scores."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from skpara._linalg import pearson
from skpara._public import set_module
from skpara._typing import Floats, Pairs, Vectors
from skpara.learning._memory import BatchSize
from skpara.learning._objective import Objective, shuffled_batches
from skpara.text import TokenIds

if TYPE_CHECKING:
    from skpara.learning._loop import Steps
    from skpara.learning._session import Session

# Added to each class before a label distribution is normalized: the KL divergence needs logarithms
# of all of them. Small against the rounding of human scores.
SMOOTHING = 1e-6

# Pairs compared at a time: their two vectors and the hidden layer take about 50 MB.
_BATCH = 8192


def label_distribution(scores: Floats, n_classes: int) -> Floats:
    """Turn scores into distributions over the two nearest classes (Tai and others 2015).

    Of a score y, class floor(y) + 1 has y - floor(y), and class floor(y) the rest.
    """
    lower = np.clip(np.floor(scores), 0, n_classes - 2).astype(np.intp)
    rows = np.arange(len(scores))
    distributions = np.zeros((len(scores), n_classes))
    distributions[rows, lower + 1] = scores - lower
    distributions[rows, lower] = 1 - distributions[rows, lower + 1]
    return distributions


@set_module("skpara.learning")
class ScoreLoss:
    """The loss of a siamese network, and how scores are read from its outputs."""

    def __init__(self, kind: str, score_range: tuple[float, float], n_classes: int) -> None:
        self.kind, self._n_classes = kind, n_classes
        self._low, self._high = score_range

    def targets(self, scores: Floats) -> Vectors:
        """Return what the outputs are compared with, a row a pair."""
        fractions = (scores - self._low) / (self._high - self._low)
        if self.kind != "kl":
            return fractions[:, None].astype(np.float32)
        positions = fractions * (self._n_classes - 1)
        distributions = label_distribution(positions, self._n_classes) + SMOOTHING
        return (distributions / distributions.sum(axis=1, keepdims=True)).astype(np.float32)

    def __call__(self, outputs: Tensor, targets: Tensor) -> Tensor:
        """Compute the mean KL divergence of the distributions, or the mean squared error."""
        if self.kind == "kl":
            return functional.kl_div(outputs.log_softmax(dim=1), targets, reduction="batchmean")
        return functional.mse_loss(outputs, targets)

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


@set_module("skpara.learning")
class ScoreObjective(Objective):
    """Outputs of pairs as their scores demand."""

    def __init__(self, loss: ScoreLoss, scores: Floats, batch_size: int) -> None:
        self._loss, self._targets = loss, loss.targets(scores)
        self._batch_size, self._chunk_size = batch_size, pair_batch_size()

    def epoch(self, session: Session, tokens: TokenIds) -> Steps:
        n_pairs = len(self._targets)
        batch_size = self._batch_size * session.n_processes
        for rows in shuffled_batches(n_pairs, batch_size, session.rng):
            targets = torch.from_numpy(self._targets[rows]).to(session.trainer.compute.device)
            sentences = tokens.take(np.concatenate([rows, rows + n_pairs]))
            yield session.trainer.step(sentences, partial(self._loss, targets=targets)), len(rows)

    def score(self, session: Session, pairs: Pairs, scores: Floats | None) -> float:
        """Return Pearson's r of predicted and given scores; -1 where either is constant."""
        assert scores is not None  # a regressor has no validation set without scores
        vectors = session.trainer.encode(*session.lookup(pairs.T.ravel().tolist()))
        module, device = session.trainer.module, session.trainer.compute.device
        outputs = compare_pairs(module, vectors, device, self._chunk_size)
        return float(pearson(self._loss.scores(outputs), scores, undefined=-1.0))


def pair_batch_size() -> BatchSize:
    """Return how many pairs are compared at a time; fewer where memory runs out."""
    return BatchSize(_BATCH, "pairs")


@torch.no_grad()
def compare_pairs(module: Any, vectors: Tensor, device: str, batch_size: BatchSize) -> Tensor:
    """Compute a siamese module's outputs of pairs from the vectors of their sentences.

    Encoding and comparing are separate, so that sentences of similar length are encoded together.
    """
    u, v = vectors.tensor_split(2)
    outputs: list[Tensor] = []

    def compare(rows: slice) -> None:
        outputs.append(module.comparison(u[rows].to(device), v[rows].to(device)).cpu())

    if len(u) == 0:  # the comparison knows the number of columns of an empty result
        compare(slice(0, 0))
    batch_size.run(len(u), compare)
    return torch.cat(outputs)
