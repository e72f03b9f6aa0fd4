"""Scatter plot of gold and predicted scores."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length

from skpara._compatibility import import_optional
from skpara._messages import printable
from skpara._public import set_module
from skpara._typing import Bools
from skpara._validation import check_present, check_scores
from skpara.metrics import pearson_score

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Distinguishable with any colour vision; markers differ as well.
_COLOURS = ("#2a5c9a", "#e07b39", "#2f9e77", "#b0447c", "#8c6d1f", "#5b4fa8", "#1fa2b8", "#6b7280")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


@set_module("skpara.plots")
class SimilarityDisplay:
    """Gold scores against predicted scores, one point for each pair.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_pairs,)
        Gold scores and predicted scores, on the same scale.
    groups : array-like of shape (n_pairs,), default=None
        Genre or data set of each pair; each has a colour, a marker and Pearson's r.

    Attributes
    ----------
    pearson : float
        Pearson's r of all pairs, from -1 to 1.
    ax_, figure_ : matplotlib Axes and Figure
        Axes and figure of the plot, after :meth:`plot`.

    Examples
    --------
    >>> from skpara.plots import SimilarityDisplay
    >>> display = SimilarityDisplay(y_true=[0.2, 2.0, 4.8], y_pred=[0.5, 2.5, 4.5])
    >>> round(display.pearson, 3)
    0.992
    """

    def __init__(
        self, *, y_true: ArrayLike, y_pred: ArrayLike, groups: ArrayLike | None = None
    ) -> None:
        check_consistent_length(y_true, y_pred, groups)
        self.y_true = check_scores(y_true, name="y_true")
        self.y_pred = check_scores(y_pred, name="y_pred")
        self.groups: NDArray[Any] | None = None
        if groups is not None:
            self.groups = check_present(groups, "groups")
        self.pearson = float(pearson_score(self.y_true, self.y_pred))

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        ax: Axes | None = None,
        **scatter_kwargs: Any,
    ) -> SimilarityDisplay:
        """Draw predicted scores.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_pairs,)
            Gold scores and predicted scores.
        groups : array-like of shape (n_pairs,), default=None
            Genre or data set of each pair.
        ax : matplotlib Axes, default=None
            Axes to draw in; None draws in a new figure.
        **scatter_kwargs : dict
            Passed to ``Axes.scatter``.

        Returns
        -------
        SimilarityDisplay
            The display, drawn.
        """
        return cls(y_true=y_true, y_pred=y_pred, groups=groups).plot(ax, **scatter_kwargs)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, **kwargs: Any
    ) -> SimilarityDisplay:
        """Score pairs with a fitted model, and draw the scores.

        Parameters
        ----------
        estimator : object with ``predict``
            A fitted regressor or pipeline over pairs.
        X : array-like of str, shape (n_pairs, 2)
            Pairs that the model was not fitted on.
        y : array-like of shape (n_pairs,)
            Gold scores of the pairs.
        **kwargs : dict
            Passed to :meth:`from_predictions`.

        Returns
        -------
        SimilarityDisplay
            The display, drawn.
        """
        _import_pyplot()  # before the model computes anything
        return cls.from_predictions(y, estimator.predict(X), **kwargs)

    def plot(self, ax: Axes | None = None, **scatter_kwargs: Any) -> SimilarityDisplay:
        """Draw the points, the diagonal of perfect scores and Pearson's r.

        Gold scores lie on a coarse grid, so points are moved sideways by up to 1.5% of the range
        to be visible. The stored scores do not change.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw in; None draws in a new figure.
        **scatter_kwargs : dict
            Passed to ``Axes.scatter``.

        Returns
        -------
        SimilarityDisplay
            The display itself.
        """
        if ax is None:
            size = (5.4, 5.2) if self.groups is None else (7.6, 5.2)
            _, ax = _import_pyplot().subplots(figsize=size, layout="constrained")
            assert ax is not None
        both = np.concatenate([self.y_true, self.y_pred])
        margin = 0.04 * np.ptp(both) or 0.5
        low, high = both.min() - margin, both.max() + margin
        spread = 0.015 * (high - low)
        x = self.y_true + np.random.default_rng(0).uniform(-spread, spread, self.y_true.size)
        ax.plot([low, high], [low, high], color="#9aa1ab", linestyle=(0, (4, 3)), linewidth=1)
        # The more points, the more transparent each: dense regions then look darker.
        alpha = float(np.clip(12 / np.sqrt(self.y_true.size), 0.2, 0.75))
        looks = zip(cycle(_COLOURS), cycle(_MARKERS), self._series())
        for colour, marker, (label, rows) in looks:
            style: dict[str, Any] = {"color": colour, "marker": marker, "s": 22, "linewidths": 0}
            style |= {"alpha": alpha, "label": label, **scatter_kwargs}
            ax.scatter(x[rows], self.y_pred[rows], **style)
        ax.set(xlim=(low, high), ylim=(low, high), aspect="equal")
        ax.set(xlabel="Gold score", ylabel="Predicted score")
        ax.set_title(f"Pearson's r = {self.pearson:.3f}, {self.y_true.size} pairs", loc="left")
        if self.groups is not None:
            look: dict[str, Any] = {"frameon": False, "fontsize": "small", "alignment": "left"}
            place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1)}
            ax.legend(title="Pearson's r by group", title_fontsize="small", **place, **look)
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _series(self) -> Iterator[tuple[str | None, Bools]]:
        """Yield the legend's label and the rows of each group."""
        if self.groups is None:
            yield None, np.ones(self.y_true.size, dtype=bool)
            return
        for group in np.unique(self.groups):
            rows = self.groups == group
            r = "–"  # a correlation needs two pairs
            if rows.sum() > 1:
                r = f"{pearson_score(self.y_true[rows], self.y_pred[rows]):.2f}"
            name = printable(str(group)).replace("$", r"\$")  # between two, matplotlib reads math
            yield f"{name}  {r}", rows


def _import_pyplot() -> Any:
    return import_optional("matplotlib.pyplot", "Drawing a plot", install="skpara[plot]")
