"""Plots of a fitted model, in the manner of scikit-learn's Display classes.

A display holds numbers, draws them with ``plot``, and is usually made by ``from_estimator`` or
``from_predictions``. Matplotlib is needed only to draw: ``pip install skpara[plot]``.
"""

from skpara.plots._alignment import AlignmentDisplay
from skpara.plots._importance import FeatureImportanceDisplay, feature_importances
from skpara.plots._similarity import SimilarityDisplay
from skpara.plots._training import TrainingCurveDisplay

__all__ = [
    "AlignmentDisplay",
    "FeatureImportanceDisplay",
    "SimilarityDisplay",
    "TrainingCurveDisplay",
    "feature_importances",
]
