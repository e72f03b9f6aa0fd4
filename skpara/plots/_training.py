"""Loss and validation score over training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from skpara._public import set_module
from skpara.plots._style import COLOURS, GREY, TEXT, TITLE, clean_frame, make_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@set_module("skpara.plots")
class TrainingCurveDisplay:
    """Loss and, if there is one, validation score after each epoch.

    Parameters
    ----------
    history : sequence of dict
        Dicts with ``epoch``, ``loss`` and ``score`` (or None), such as ``history_`` of a fitted
        :class:`~skpara.ParagramEncoder`.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes with the loss, after :meth:`plot`.
    score_ax_ : matplotlib Axes or None
        Axes with the score, with its scale on the right; None without scores.
    figure_ : matplotlib Figure
        The figure of ``ax_``.

    Examples
    --------
    >>> from skpara.plots import TrainingCurveDisplay
    >>> first = {"epoch": 1, "loss": 0.9, "score": 0.5}
    >>> display = TrainingCurveDisplay(history=[first, {"epoch": 2, "loss": 0.8, "score": 0.6}])
    >>> display.best_epoch
    2
    """

    def __init__(self, *, history: Sequence[Mapping[str, Any]]) -> None:
        if not history:
            raise ValueError("history is empty: fit for at least one epoch before plotting.")
        self.history = [dict(entry) for entry in history]

    @classmethod
    def from_estimator(cls, estimator: Any, **kwargs: Any) -> TrainingCurveDisplay:
        """Draw the history of a fitted estimator.

        Parameters
        ----------
        estimator : estimator
            Fitted estimator with ``history_``.
        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        TrainingCurveDisplay
            The display, drawn.
        """
        check_is_fitted(estimator, "history_")
        return cls(history=estimator.history_).plot(**kwargs)

    @property
    def best_epoch(self) -> int | None:
        """The epoch with the best score; None without scores."""
        scored = [entry for entry in self.history if entry["score"] is not None]
        return max(scored, key=lambda entry: entry["score"])["epoch"] if scored else None

    def plot(self, ax: Axes | None = None, **line_kwargs: Any) -> TrainingCurveDisplay:
        """Draw the loss, and the score on its own axis.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw in; None draws in a new figure.
        **line_kwargs : dict
            Passed to ``Axes.plot``.

        Returns
        -------
        TrainingCurveDisplay
            The display itself.
        """
        self.ax_ = make_axes(ax, (6.0, 3.8))
        self.figure_ = self.ax_.figure
        epochs = [entry["epoch"] for entry in self.history]
        losses = [entry["loss"] for entry in self.history]
        self.ax_.plot(epochs, losses, **_style(COLOURS[0], "o", line_kwargs))
        self.ax_.set_xlabel("epoch", color=TEXT)
        self.ax_.set_ylabel("loss", color=COLOURS[0])
        self.ax_.locator_params(axis="x", integer=True)
        clean_frame(self.ax_)
        self.score_ax_ = None
        title = f"{len(epochs)} epochs"
        if self.best_epoch is not None:
            self.score_ax_ = self.ax_.twinx()
            scores = [np.nan if e["score"] is None else e["score"] for e in self.history]
            self.score_ax_.plot(epochs, scores, **_style(COLOURS[1], "s", line_kwargs))
            self.score_ax_.set_ylabel("validation score", color=COLOURS[1])
            self.score_ax_.axvline(self.best_epoch, color=GREY, linestyle=":", linewidth=1)
            self.score_ax_.spines["top"].set_visible(False)
            self.score_ax_.tick_params(colors=TEXT, labelsize="small")
            title += f", best score after epoch {self.best_epoch}"
        self.ax_.set_title(title, **TITLE)
        return self


def _style(colour: str, marker: str, line_kwargs: dict[str, Any]) -> dict[str, Any]:
    return {"color": colour, "marker": marker, "markersize": 4, **line_kwargs}
