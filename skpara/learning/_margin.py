"""Training by the margin objective."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from skpara.learning._batches import pair_batches, pooled_batches
from skpara.learning._loop import Pass
from skpara.learning._objective import choose_negatives, hardest_negatives, margin_loss
from skpara.learning._trainer import Trainer
from skpara.text import TokenIds


@dataclass(frozen=True)
class MarginSettings:
    """What is learned; the fields are parameters of ``ParagramEncoder``."""

    negatives: str
    margin: float
    batch_size: int
    megabatch_size: int = 1

    @property
    def pooled(self) -> bool:
        """Whether negatives come from more than the batch."""
        return self.megabatch_size > 1 and self.negatives != "random"


def margin_pass(
    trainer: Trainer, pairs: TokenIds, settings: MarginSettings, rng: Generator
) -> Pass:
    """One pass over the pairs: their left sentences are the first half of ``pairs``."""
    if settings.pooled:
        batches = pooled_batches(
            pairs,
            settings.batch_size,
            settings.megabatch_size,
            settings.negatives,
            trainer.encode,
            rng,
        )
    else:
        batches = pair_batches(pairs, settings.batch_size, rng)
    for sentences, n_pairs in batches:
        objective = partial(_loss, n_pairs=n_pairs, settings=settings, rng=rng)
        yield trainer.step(sentences, objective), n_pairs


def margin_score(
    trainer: Trainer,
    pairs: TokenIds,
    settings: MarginSettings,
    extra: NDArray[np.float32] | None = None,
) -> float:
    """Minus the mean loss with hardest negatives, batch after batch in the given order."""
    n_pairs = len(pairs.lengths) // 2
    units = functional.normalize(trainer.encode(pairs, extra))
    total = 0.0
    # The last batch takes the rest, so that none is of a single pair.
    n_batches = max(1, n_pairs // settings.batch_size)
    for rows in torch.arange(n_pairs, device=units.device).tensor_split(n_batches):
        both = units[torch.cat([rows, rows + n_pairs])]
        loss = margin_loss(both, hardest_negatives(both), settings.margin)
        total += float(loss) * len(rows)
    return -total / n_pairs


def _loss(vectors: Tensor, n_pairs: int, settings: MarginSettings, rng: Generator) -> Tensor:
    units = functional.normalize(vectors)
    sides = 2 * n_pairs
    if len(units) > sides:
        negatives = torch.arange(sides, 2 * sides, device=units.device)
    else:
        negatives = choose_negatives(settings.negatives, units.detach(), rng)
    return margin_loss(units, negatives, settings.margin)
