"""Plot of precision and recall by threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_consistent_length, column_or_1d

from skpara._public import set_module
from skpara._typing import Floats
from skpara.plots._similarity import _COLOURS, _import_pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@set_module("skpara.plots")
class ThresholdDisplay:
    """Precision and recall of the pairs at or above each threshold.

    Parameters
    ----------
    threshold, precision, recall : array-like of shape (n_points,)
        Probabilities, and the precision and recall of the pairs with at least this probability,
        all between 0 and 1.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Axes and figure of the plot, after :meth:`plot`.

    See Also
    --------
    skpara.fusion.PairPipeline.threshold : The threshold for a target.

    Examples
    --------
    >>> from skpara.plots import ThresholdDisplay
    >>> display = ThresholdDisplay(threshold=[0.9, 0.5], precision=[1.0, 0.8], recall=[0.4, 0.9])
    >>> display.recall
    array([0.4, 0.9])
    """

    def __init__(self, *, threshold: ArrayLike, precision: ArrayLike, recall: ArrayLike) -> None:
        check_consistent_length(threshold, precision, recall)
        self.threshold: Floats = column_or_1d(threshold, dtype=np.float64)
        self.precision: Floats = column_or_1d(precision, dtype=np.float64)
        self.recall: Floats = column_or_1d(recall, dtype=np.float64)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> ThresholdDisplay:
        """Draw the curve that an estimator has.

        Parameters
        ----------
        estimator : fitted classifier of pairs, TableMatcher or Deduplicator
            A classifier's curve is of its training pairs, each scored by a model that has not
            learned from it. A matcher's curve is expected, see :meth:`~skpara.TableMatcher.curve`.
        ax : matplotlib Axes, default=None
            Axes to draw in; None draws in a new figure.

        Returns
        -------
        ThresholdDisplay
            The display, drawn.

        Raises
        ------
        TypeError
            If the estimator has no curve.
        """
        last = estimator[-1] if hasattr(estimator, "steps") else estimator
        if hasattr(last, "_two_class_curve"):
            threshold, n, right = last._two_class_curve("ThresholdDisplay", None)[:, :3].T
            curve = {"threshold": threshold, "precision": right / n, "recall": right / right[-1]}
        elif hasattr(last, "curve"):
            table = last.curve()
            curve = {name: table[name] for name in ("threshold", "precision", "recall")}
        else:
            raise TypeError(
                f"{type(last).__name__} has no curve. Pass a fitted make_pair_classifier(), a "
                "TableMatcher or a Deduplicator."
            )
        return cls(**curve).plot(ax)

    def plot(self, ax: Axes | None = None) -> ThresholdDisplay:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw in; None draws in a new figure.

        Returns
        -------
        ThresholdDisplay
            The display itself.
        """
        if ax is None:
            ax = _import_pyplot().subplots(layout="constrained")[1]
        ax.plot(self.threshold, self.precision, label="precision", color=_COLOURS[0])
        ax.plot(self.threshold, self.recall, label="recall", color=_COLOURS[1], linestyle="--")
        ax.set(xlabel="Threshold", ylim=(0, 1.02))
        ax.legend(frameon=False)
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self
