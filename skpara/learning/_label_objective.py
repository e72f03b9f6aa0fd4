"""The objective on labels of pairs or sentences."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from skpara._core import Ragged
from skpara._typing import Floats
from skpara.learning._class_loss import ClassLoss
from skpara.learning._loop import Steps
from skpara.learning._objective import Objective
from skpara.learning._score_loss import ScoreLoss
from skpara.learning._session import Session

LabelLoss = ScoreLoss | ClassLoss


class LabelObjective(Objective):
    """Fit the outputs of a network with a head to the labels of samples."""

    def __init__(
        self,
        loss: LabelLoss,
        labels: NDArray[Any],
        batch_size: int,
        unit: str = "pair",
        weights: Floats | None = None,
    ) -> None:
        self._loss = loss
        self._targets = loss.targets(labels)
        weights = np.ones(len(labels)) if weights is None else weights
        self._weights = weights[:, None].astype(np.float32)
        self._batch_size = batch_size
        self.unit = unit

    def epoch(self, session: Session, tokens: Ragged) -> Steps:
        trainer = session.trainer
        n_samples = len(self._targets)
        # The sentences of a sample are n_samples apart: all first sentences, then all second ones.
        shifts = n_samples * np.arange(trainer.module.n_inputs)[:, None]
        for rows in session.batches(n_samples, self._batch_size):
            targets, weights = (
                torch.from_numpy(values[rows]).to(trainer.compute.device)
                for values in (self._targets, self._weights)
            )
            loss = partial(self._loss, targets=targets, weights=weights)
            sentences = tokens.take((rows + shifts).ravel())
            yield trainer.step(sentences, loss), len(rows)

    def score(self, session: Session, pairs: NDArray[Any], scores: NDArray[Any] | None) -> float:
        """Return the loss's score of the outputs; ``pairs`` are samples, ``scores`` labels."""
        assert scores is not None  # nobody learns labels and validates without them
        tokens, extra = session.lookup(pairs.T.ravel().tolist())
        return self._loss.score(session.trainer.outputs(tokens, extra), scores)

    def n_samples(self, tokens: Ragged) -> int:
        return len(self._targets)
