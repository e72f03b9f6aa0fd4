"""What an encoder learns of sentences without any score of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skpara._pairs import as_pairs
from skpara.encoders._external_models import as_model, encoded
from skpara.encoders._similarity import unit

if TYPE_CHECKING:
    from skpara.learning._session import Learned, Session
    from skpara.learning._trainer import StepSettings

NO_PAIRS: NDArray[np.object_] = np.empty((0, 2), dtype=object)
_TEACHER_BATCH = 512


@dataclass(frozen=True)
class Adaptation:
    """What is learned once, for all folds: it depends on no score.

    Attributes
    ----------
    pairs : ndarray of shape (n_pairs, 2)
        The paraphraser's.
    taught : Learned or None
        Where the teacher led.
    losses : sequence of float
        Of each pass towards the teacher.
    """

    pairs: NDArray[np.object_]
    taught: Learned | None = None
    losses: Sequence[float] = ()


def synthetic_pairs(paraphraser: Any, sentences: list[str]) -> NDArray[np.object_]:
    """Pairs of sentences with their paraphrases, or with themselves."""
    if paraphraser == "copy":
        made = [(sentence, sentence) for sentence in sentences]
    else:
        made = paraphraser.pairs(sentences)
    return as_pairs(made) if len(made) else NO_PAIRS


def teacher_step(device: str) -> StepSettings:
    """How the passes towards a teacher move.

    Chosen on STS 2013 and 2015, where half or double of the rate, or of the batch, is within .005.
    """
    from skpara.learning._device import resolve_device
    from skpara.learning._trainer import StepSettings

    return StepSettings(optimizer="adagrad", learning_rate=0.01, device=resolve_device(device))


def follow_teacher(
    session: Session,
    teacher: Any,
    sentences: list[str],
    n_passes: int,
    *,
    device: str,
    verbose: int,
) -> list[float]:
    """Move vectors and weights until sentences are as near as the teacher says; the losses."""
    model = as_model(teacher, device=device)
    targets = unit(encoded(model, sentences, verbose=verbose)).astype(np.float32)
    history = session.follow(
        sentences, targets, n_passes, batch_size=_TEACHER_BATCH, verbose=verbose
    )
    return [entry["loss"] for entry in history]
