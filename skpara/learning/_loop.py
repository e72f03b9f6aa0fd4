"""Epochs over the data: history, callbacks, interruption."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from skpara._warnings import warn
from skpara.learning._callbacks import Callback

if TYPE_CHECKING:
    from skpara.learning._session import Session

# The steps of one epoch: yields the mean loss and the number of samples of each step it made.
Steps = Iterator[tuple[float, int]]


def run_epochs(
    session: Session, steps: Callable[[], Steps], n_epochs: int, callbacks: Sequence[Callback]
) -> None:
    """Make epochs until there are ``n_epochs`` or ``session.stop_training`` is set.

    Each appends a dict to ``session.history``. A ``KeyboardInterrupt`` ends training with a
    warning; what was learned until then is kept.
    """
    session.stop_training = False
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
        warn(
            f"Training was interrupted after {len(session.history)} complete epoch(s); what was "
            "learned so far is kept.",
        )
    finally:
        for callback in started:
            callback.on_train_end(session)


def _run_epoch(session: Session, steps: Steps, callbacks: Sequence[Callback]) -> dict[str, Any]:
    total, n_samples = 0.0, 0
    start = time.perf_counter()
    for loss, count in steps:
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
