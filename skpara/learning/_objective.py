"""Base class of the objectives that training minimizes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from skpara._core import Ragged
from skpara._public import set_module
from skpara._typing import Floats, Pairs
from skpara.learning._loop import Steps

if TYPE_CHECKING:
    from skpara.learning._session import Session


@set_module("skpara.learning")
class Objective(ABC):
    """Base class of objectives, which make the steps of an epoch.

    Attributes
    ----------
    unit : str
        Name of a sample, for the progress bar.
    """

    unit = "pair"

    @abstractmethod
    def epoch(self, session: Session, tokens: Ragged) -> Steps:
        """Make the steps of an epoch by ``session.trainer.step(batch, loss_function)``.

        Several processes that train together all get the same batches, which ``step`` shards.
        ``session.batches`` makes them as many times larger as there are processes.

        Parameters
        ----------
        session : Session
            The running training.
        tokens : Ragged
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
        """Inspect the state after training, for example to warn about it.

        Parameters
        ----------
        session : Session
            The finished training, in the state that is kept.
        """

    def n_samples(self, tokens: Ragged) -> int:
        """Count the samples of an epoch: pairs, unless a subclass says otherwise.

        Parameters
        ----------
        tokens : Ragged
            The sentences to learn from.

        Returns
        -------
        int
            The number of samples.
        """
        return len(tokens.lengths) // 2
