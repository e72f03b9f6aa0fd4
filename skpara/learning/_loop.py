"""Passes over the data: progress, history, early stopping, interruption."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tqdm.auto import tqdm

from skpara._warnings import warn
from skpara.learning._processes import is_first
from skpara.learning._trainer import Trainer

# One pass: the loss and the number of pairs of each step, as it is made.
Pass = Iterator[tuple[float, int]]


@dataclass(frozen=True)
class Stopping:
    """When to stop, and what the best state is.

    Attributes
    ----------
    score : callable
        The validation score as things stand; larger is better.
    patience : int
        Passes without a better score after which training stops.
    """

    score: Callable[[], float]
    patience: int


def run_passes(
    trainer: Trainer,
    passes: Iterable[Callable[[], Pass]],
    *,
    stopping: Stopping | None = None,
    n_pairs: int | None = None,
    unit: str = "pair",
    verbose: int = 0,
) -> list[dict[str, Any]]:
    """Make the passes one after another.

    With ``stopping``, the state before training and that after each pass are scored; training
    stops when it no longer improves, and the best state is put back. A ``KeyboardInterrupt``
    ends training with a warning; what was learned until then is kept.

    Returns
    -------
    list of dict
        For each pass ``epoch``, ``loss`` (mean a pair, decay included), ``score`` (or None),
        ``n_pairs``, ``seconds`` and ``pairs_per_second``.
    """
    history: list[dict[str, Any]] = []
    best = _Best(trainer, stopping) if stopping else None
    quiet = not (verbose and is_first())
    with tqdm(total=n_pairs, unit=unit, disable=quiet) as progress:
        try:
            for one_pass in passes:
                history.append(_run(one_pass(), len(history) + 1, progress))
                if best is not None:
                    history[-1]["score"] = best.update()
                progress.set_postfix(_shown(history[-1]))
                if best is not None and best.stop:
                    break
        except KeyboardInterrupt:
            warn(
                f"Training was interrupted after {len(history)} complete pass(es); what was "
                "learned so far is kept.",
            )
    if best is not None:
        best.put_back()
    return history


class _Best:
    """The best state so far."""

    def __init__(self, trainer: Trainer, stopping: Stopping) -> None:
        self._trainer, self._stopping = trainer, stopping
        self._score, self._waited = stopping.score(), 0
        self._snapshot = trainer.snapshot()

    def update(self) -> float:
        score = self._stopping.score()
        if score > self._score:
            self._score, self._waited = score, 0
            self._snapshot = self._trainer.snapshot()
        else:
            self._waited += 1
        return score

    @property
    def stop(self) -> bool:
        return self._waited >= self._stopping.patience

    def put_back(self) -> None:
        self._trainer.revert(self._snapshot)


def _run(steps: Pass, epoch: int, progress: Any) -> dict[str, Any]:
    total, n_pairs = 0.0, 0
    start = time.perf_counter()
    for loss, count in steps:
        total += loss * count
        n_pairs += count
        progress.update(count)
    seconds = time.perf_counter() - start
    return {
        "epoch": epoch,
        "loss": total / max(n_pairs, 1),
        "score": None,
        "n_pairs": n_pairs,
        "seconds": seconds,
        "pairs_per_second": n_pairs / seconds if seconds > 0 else float("inf"),
    }


def _shown(entry: dict[str, Any]) -> dict[str, str]:
    shown = {"loss": f"{entry['loss']:.4f}"}
    if entry["score"] is not None:
        shown["score"] = f"{entry['score']:.4f}"
    return shown
