"""Names of scikit-learn with types, which it does not declare; ``_sklearn.pyi`` has them.

Classes that derive from scikit-learn's own would be ``Any`` to a type checker, and so would be all
that is done with them. Import these names from here.
"""

from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClusterMixin,
    RegressorMixin,
    TransformerMixin,
    _fit_context,
)
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import available_if

__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "ClusterMixin",
    "Pipeline",
    "RegressorMixin",
    "TransformerMixin",
    "_fit_context",
    "available_if",
]
