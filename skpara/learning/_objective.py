"""What training minimizes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from skpara._public import set_module
from skpara._typing import Floats, Pairs
from skpara.text import TokenIds

if TYPE_CHECKING:
    from skpara.learning._loop import Steps
    from skpara.learning._session import Session


@set_module("skpara.learning")
class Objective(ABC):
    """Base of the objectives: makes the steps of one epoch.

    Attributes
    ----------
    unit : str
        What a sample is, for the progress bar.
    """

    unit = "pair"

    @abstractmethod
    def epoch(self, session: Session, tokens: TokenIds) -> Steps:
        """Make the steps of an epoch by ``session.trainer.step(batch, loss_function)``.

        Where several processes train together, all of them get the same batches: ``step`` shards
        them, so a batch is ``session.n_processes`` times as large.

        Parameters
        ----------
        session : Session
            The running training.
        tokens : TokenIds
            The sentences to learn from; of pairs, all first sentences, then all second ones.

        Yields
        ------
        tuple of (float, int)
            The loss and the number of samples of each step.
        """

    def score(self, session: Session, pairs: Pairs, scores: Floats | None) -> float:
        """Score a validation set in the current state; larger is better.

        Parameters
        ----------
        session : Session
            The running training.
        pairs : ndarray of str, shape (n_pairs, 2)
            The validation set.
        scores : ndarray of shape (n_pairs,) or None
            Its scores, if there are any.

        Returns
        -------
        float
            The score.
        """
        raise NotImplementedError(f"{type(self).__name__} has no validation score.")

    def on_train_end(self, session: Session) -> None:  # noqa: B027, it does nothing by default
        """Look at the state that training has led to, for example to warn about it.

        Parameters
        ----------
        session : Session
            The training that has ended, in the state that is kept.
        """

    def n_samples(self, tokens: TokenIds) -> int:
        """Count the samples of an epoch: pairs, unless a subclass says otherwise.

        Parameters
        ----------
        tokens : TokenIds
            The sentences to learn from.

        Returns
        -------
        int
            The number of samples.
        """
        return len(tokens.lengths) // 2


def shuffled_batches(
    n_samples: int, batch_size: int, rng: Generator, *, min_size: int = 1
) -> Iterator[NDArray[np.int64]]:
    """Yield shuffled row numbers, a batch at a time.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    batch_size : int
        Rows of a batch.
    rng : numpy.random.Generator
        Shuffles the rows.
    min_size : int, default=1
        A last batch of fewer rows joins the one before.

    Yields
    ------
    ndarray of int64
        The row numbers of a batch.
    """
    order = rng.permutation(n_samples)
    yield from np.split(order, np.arange(batch_size, n_samples - min_size + 1, batch_size))
