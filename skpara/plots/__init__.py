"""Plots of a fitted model that follow scikit-learn's Display classes.

A display holds numbers and draws them with ``plot``; ``from_estimator`` or ``from_predictions``
creates and draws it. Matplotlib is needed only to draw: ``pip install skpara[plot]``.
"""

from skpara.plots._similarity import SimilarityDisplay
from skpara.plots._threshold import ThresholdDisplay

__all__ = ["SimilarityDisplay", "ThresholdDisplay"]
