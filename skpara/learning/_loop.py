"""Epochs over the data, and the hooks into them: progress, early stopping, callbacks."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from skpara._messages import warn
from skpara._public import set_module

if TYPE_CHECKING:
    from skpara.learning._session import Session

LOWER_RATE = "Lower the optimizer's learning_rate, or set its gradient_clip."
# The steps of one epoch, each with its mean loss and number of samples.
Steps = Iterator[tuple[float, int]]


@set_module("skpara.learning")
class Callback:
    """Base of the callbacks that ``fit(..., callbacks=[...])`` takes; override what is needed.

    Each method gets the running :class:`Session`. A callback may use ``session.history``, a list
    with a dict for each finished epoch; ``session.encode(sentences)``, vectors in the current
    state; and ``session.stop_training``, which stops training after this epoch if set to True.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.learning import Callback
    >>> class StopBelow(Callback):
    ...     def __init__(self, loss):
    ...         self.loss = loss
    ...
    ...     def on_epoch_end(self, session, epoch):
    ...         if epoch["loss"] < self.loss:
    ...             session.stop_training = True
    >>> pairs = [("a big dog", "a large dog"), ("he sings", "he is singing")]
    >>> ParagramEncoder(max_iter=5).fit(pairs, callbacks=[StopBelow(10.0)]).n_iter_
    1
    """

    def on_train_begin(self, session: Session) -> None:
        """Run before the first epoch.

        Parameters
        ----------
        session : Session
            The training that is about to start.
        """

    def on_batch_end(self, session: Session, loss: float, n_samples: int) -> None:
        """Run after each step.

        Parameters
        ----------
        session : Session
            The running training.
        loss : float
            Mean loss per sample of the batch, decay included.
        n_samples : int
            Number of samples (pairs or sentences) of the batch.
        """

    def on_epoch_end(self, session: Session, epoch: dict[str, Any]) -> None:
        """Run after each epoch.

        Parameters
        ----------
        session : Session
            The running training.
        epoch : dict
            ``epoch`` (from 1), ``loss``, ``score`` (None without a validation set), ``n_pairs``,
            ``seconds`` and ``pairs_per_second``. Additions of a callback stay in ``history_``.
        """

    def on_train_end(self, session: Session) -> None:
        """Run after the last epoch, also when training was interrupted.

        Parameters
        ----------
        session : Session
            The training that has ended.
        """


class EarlyStopping(Callback):
    """Score the state after each epoch, stop when it no longer improves, restore the best.

    The state before training counts as well.
    """

    def __init__(self, score: Callable[[], float], patience: int) -> None:
        self._score = score
        self._patience = patience

    def on_train_begin(self, session: Session) -> None:
        session.best_score = self._score()
        self._n_without_change = 0
        self._best_state = session.trainer.snapshot()

    def on_epoch_end(self, session: Session, epoch: dict[str, Any]) -> None:
        epoch["score"] = score = self._score()
        if session.best_score is None or score > session.best_score:
            session.best_score = score
            self._n_without_change = 0
            self._best_state = session.trainer.snapshot()
        else:
            self._n_without_change += 1
        if self._n_without_change >= self._patience:
            session.stop_training = True

    def on_train_end(self, session: Session) -> None:
        session.trainer.revert(self._best_state)


class ProgressBar(Callback):
    """Show a progress bar of samples, with loss and score of the last epoch."""

    def __init__(self, n_samples: int, unit: str) -> None:
        self._n_samples = n_samples
        self._unit = unit

    def on_train_begin(self, session: Session) -> None:
        from tqdm.auto import tqdm

        self._bar = tqdm(total=self._n_samples, unit=self._unit)

    def on_batch_end(self, session: Session, loss: float, n_samples: int) -> None:
        self._bar.update(n_samples)

    def on_epoch_end(self, session: Session, epoch: dict[str, Any]) -> None:
        shown = {name: epoch[name] for name in ("loss", "score") if epoch[name] is not None}
        self._bar.set_postfix({name: f"{value:.4f}" for name, value in shown.items()})

    def on_train_end(self, session: Session) -> None:
        self._bar.close()


class _DivergenceError(Exception):
    """Raised when the loss becomes NaN or infinite."""


def run_epochs(
    session: Session, steps: Callable[[], Steps], n_epochs: int, callbacks: Sequence[Callback]
) -> None:
    """Make epochs until there are ``n_epochs`` or ``session.stop_training`` is set.

    Each appends a dict to ``session.history``. A ``KeyboardInterrupt`` ends training with the
    current state and sets ``session.interrupted``. If the loss becomes infinite or NaN, the best
    state is kept, or an error is raised if there is none.
    """
    session.stop_training = session.interrupted = False
    started: list[Callback] = []
    try:
        for callback in callbacks:
            callback.on_train_begin(session)
            started.append(callback)
        while len(session.history) < n_epochs and not session.stop_training:
            epoch = _run_epoch(session, steps(), callbacks)
            session.history.append(epoch)
            for callback in callbacks:
                callback.on_epoch_end(session, epoch)
    except KeyboardInterrupt:
        session.interrupted = True
    except _DivergenceError as error:
        if session.best_score is None:
            raise ValueError(str(error)) from None
        warn(f"{error} The state with the best score on the validation set is kept.")
    finally:
        for callback in started:
            callback.on_train_end(session)


def _run_epoch(session: Session, steps: Steps, callbacks: Sequence[Callback]) -> dict[str, Any]:
    total = 0.0
    n_samples = 0
    start = time.perf_counter()
    for loss, count in steps:
        if not math.isfinite(loss):
            raise _DivergenceError(
                f"Training diverged in epoch {len(session.history) + 1}, where the loss became "
                f"{loss}. {LOWER_RATE}"
            )
        total += loss * count
        n_samples += count
        for callback in callbacks:
            callback.on_batch_end(session, loss, count)
    seconds = time.perf_counter() - start
    return {
        "epoch": len(session.history) + 1,
        "loss": total / max(n_samples, 1),
        "score": None,
        "n_pairs": n_samples,
        "seconds": seconds,
        "pairs_per_second": n_samples / seconds if seconds > 0 else float("inf"),
    }
