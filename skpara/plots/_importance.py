"""Bars of feature importances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted

from skpara._public import set_module
from skpara.plots._style import COLOURS, TEXT, TITLE, clean_frame, make_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@set_module("skpara.plots")
class FeatureImportanceDisplay:
    """Most important features of a fitted model, as horizontal bars.

    Parameters
    ----------
    importances : array-like of shape (n_features,)
        Importance of each feature; the larger, the more the model uses it.
    feature_names : array-like of str, shape (n_features,)
        Names of the features.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Axes and figure of the plot, after :meth:`plot`.

    Examples
    --------
    >>> from skpara.plots import FeatureImportanceDisplay
    >>> display = FeatureImportanceDisplay(
    ...     importances=[0.1, 0.7, 0.2], feature_names=["length", "similarity", "overlap"]
    ... )
    >>> display.top(2)
    [('similarity', 0.7), ('overlap', 0.2)]
    """

    def __init__(self, *, importances: ArrayLike, feature_names: ArrayLike) -> None:
        check_consistent_length(importances, feature_names)
        self.importances: NDArray[np.float64] = column_or_1d(importances, dtype=np.float64)
        self.feature_names: NDArray[Any] = column_or_1d(feature_names)

    @classmethod
    def from_estimator(cls, estimator: Any, **kwargs: Any) -> FeatureImportanceDisplay:
        """Draw the importances of a fitted model.

        Parameters
        ----------
        estimator : Pipeline or regressor
            Fitted model whose regressor, or last step, has ``feature_importances_``, such as
            :class:`~skpara.FusionRegressor`.
        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        FeatureImportanceDisplay
            The display, drawn.
        """
        names, importances = feature_importances(estimator)
        return cls(importances=importances, feature_names=names).plot(**kwargs)

    def top(self, n: int = 10) -> list[tuple[str, float]]:
        """Return the names and importances of the most important features.

        Parameters
        ----------
        n : int, default=10
            Number of features; all of them if there are fewer.

        Returns
        -------
        list of (str, float)
            Name and importance, largest first.
        """
        order = np.argsort(-self.importances, kind="stable")[:n]
        return [(str(self.feature_names[i]), float(self.importances[i])) for i in order]

    def plot(
        self, ax: Axes | None = None, *, top: int = 10, **bar_kwargs: Any
    ) -> FeatureImportanceDisplay:
        """Draw one bar for each feature, the largest on top.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw in; None draws in a new figure.
        top : int, default=10
            Number of features to show.
        **bar_kwargs : dict
            Passed to ``Axes.barh``.

        Returns
        -------
        FeatureImportanceDisplay
            The display itself.
        """
        shown = self.top(top)
        ax = make_axes(ax, figsize=(6.4, 0.9 + 0.32 * len(shown)))
        names, values = zip(*shown, strict=True) if shown else ((), ())
        bars = ax.barh(range(len(shown)), values, **{"color": COLOURS[0], **bar_kwargs})
        ax.bar_label(bars, fmt="%.3f", padding=4, color=TEXT, fontsize="small")
        ax.set_yticks(range(len(shown)), names)
        ax.invert_yaxis()
        ax.margins(x=0.12)
        ax.set_xlabel("Importance")
        ax.set_title(f"Top {len(shown)} of {self.importances.size} features", **TITLE)
        clean_frame(ax, bars=True)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def feature_importances(estimator: Any) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Return feature names and importances of a fitted model.

    Parameters
    ----------
    estimator : Pipeline or regressor
        Fitted model whose regressor, or last step, has ``feature_importances_``.

    Returns
    -------
    names : ndarray of str, shape (n_features,)
        Names from the pipeline's other steps, or of the columns that the regressor was fitted on,
        or ``x0``, ``x1``, ...
    importances : ndarray of float, shape (n_features,)
        Importance of each feature.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from skpara.plots import feature_importances
    >>> tree = DecisionTreeRegressor().fit([[0, 1], [0, 2], [0, 3]], [1, 2, 3])
    >>> names, importances = feature_importances(tree)
    >>> print(names, importances)
    ['x0' 'x1'] [0. 1.]
    """
    check_is_fitted(estimator)
    regressor = estimator[-1] if isinstance(estimator, Pipeline) else estimator
    importances = getattr(regressor, "feature_importances_", None)
    if importances is None:
        raise TypeError(
            f"{type(regressor).__name__} has no feature_importances_. Use FusionRegressor and its "
            "default estimator, or sklearn.inspection.permutation_importance."
        )
    if isinstance(estimator, Pipeline) and len(estimator) > 1:
        names = estimator[:-1].get_feature_names_out()
    else:
        unnamed = [f"x{i}" for i in range(len(importances))]
        names = getattr(regressor, "feature_names_in_", unnamed)
    return np.asarray(names), np.asarray(importances, dtype=np.float64)
