"""Training on scored pairs: what is learned of a score, and what a score is read from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from skpara.learning._loop import Pass
from skpara.learning._memory import Blocks
from skpara.learning._trainer import Trainer
from skpara.networks import SentenceModule
from skpara.networks._siamese import SiameseModule
from skpara.text import TokenIds

# What each class gets before the label distribution is made to sum to one again.
SMOOTHING = 1e-6


def label_distribution(scores: NDArray[np.float64], n_classes: int) -> NDArray[np.float64]:
    """Scores as distributions over the two classes next to them.

    Parameters
    ----------
    scores : ndarray of shape (n_pairs,)
        From 0, the first class, to ``n_classes - 1``, the last.
    n_classes : int

    Returns
    -------
    ndarray of shape (n_pairs, n_classes)
        Of a score y, class floor(y) + 1 has y - floor(y), and class floor(y) the rest.
    """
    lower = np.clip(np.floor(scores), 0, n_classes - 2).astype(np.intp)
    rows = np.arange(len(scores))
    found = np.zeros((len(scores), n_classes))
    found[rows, lower + 1] = scores - lower
    found[rows, lower] = 1 - found[rows, lower + 1]
    return found


@dataclass(frozen=True)
class ScoreLoss:
    """From outputs of pairs to a loss, and to scores.

    Attributes
    ----------
    kind : {"kl", "mse", "manhattan"}
    low, high : float
        The range of the scores.
    n_classes : int
        Of "kl".
    """

    kind: str
    low: float
    high: float
    n_classes: int

    def targets(self, scores: NDArray[np.float64]) -> NDArray[np.float32]:
        """What the outputs are compared with, a row a pair."""
        part = (scores - self.low) / (self.high - self.low)
        if self.kind != "kl":
            return part[:, None].astype(np.float32)
        found = label_distribution(part * (self.n_classes - 1), self.n_classes) + SMOOTHING
        return (found / found.sum(axis=1, keepdims=True)).astype(np.float32)

    def __call__(self, outputs: Tensor, targets: Tensor) -> Tensor:
        """Mean over the pairs: KL divergence of the distributions, or squared error."""
        if self.kind == "kl":
            return functional.kl_div(outputs.log_softmax(dim=1), targets, reduction="batchmean")
        return functional.mse_loss(outputs, targets)

    def distributions(self, outputs: Tensor) -> NDArray[np.float64]:
        """Probabilities of the classes."""
        return outputs.double().softmax(dim=1).cpu().numpy()

    def scores(self, outputs: Tensor) -> NDArray[np.float64]:
        """Expected class, or output, on the scale of the scores."""
        if self.kind == "kl":
            part = self.distributions(outputs) @ np.linspace(0, 1, self.n_classes)
        else:
            part = np.clip(outputs[:, 0].double().cpu().numpy(), 0, 1)
        return np.asarray(self.low + part * (self.high - self.low))


def score_pass(
    trainer: Trainer,
    pairs: TokenIds,
    targets: NDArray[np.float32],
    loss: ScoreLoss,
    batch_size: int,
    rng: Generator,
) -> Pass:
    """One pass over the pairs: their left sentences are the first half of ``pairs``."""
    n_pairs = len(targets)
    order = rng.permutation(n_pairs)
    for start in range(0, n_pairs, batch_size):
        rows = order[start : start + batch_size]
        wanted = torch.from_numpy(targets[rows]).to(trainer.settings.device)
        sentences = pairs.take(np.concatenate([rows, rows + n_pairs]))
        yield trainer.step(sentences, partial(loss, targets=wanted)), len(rows)


def pair_blocks() -> Blocks:
    """As many pairs as are compared at a time."""
    return Blocks(8192, "pairs")


@torch.no_grad()
def pair_outputs(module: SentenceModule, vectors: Tensor, device: str, blocks: Blocks) -> Tensor:
    """Outputs of pairs from the vectors of their sentences, the left ones first; on the CPU.

    ``module`` is a SiameseModule on ``device``; reading and comparing apart lets sentences be read
    in batches of like lengths.
    """
    u, v = vectors.tensor_split(2)
    found: list[Tensor] = []

    def one_block(pairs: slice) -> None:
        compared = cast(SiameseModule, module).comparison(u[pairs].to(device), v[pairs].to(device))
        found.append(compared.cpu())

    if len(u) == 0:
        one_block(slice(0, 0))
    blocks.run(len(u), one_block)
    return torch.cat(found)
