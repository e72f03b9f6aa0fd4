"""Names of scikit-learn with types, which it does not declare; ``_sklearn.pyi`` has them.

Classes that derive from scikit-learn's own would be ``Any`` to a type checker, and so would be all
that is done with them. Import these names from here.
"""

from sklearn import base
from sklearn.base import (
    ClassifierMixin,
    ClusterMixin,
    RegressorMixin,
    TransformerMixin,
    _fit_context,
)
from sklearn.pipeline import Pipeline
from sklearn.utils._param_validation import InvalidParameterError
from sklearn.utils.metaestimators import available_if

from skpara._public import PublicMixin
from skpara._validation import remedy_of_value

__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "ClusterMixin",
    "Pipeline",
    "RegressorMixin",
    "TransformerMixin",
    "available_if",
    "checks_parameters",
]

# Decorator of a method that raises an error for a parameter of no valid value.
checks_parameters = _fit_context(prefer_skip_nested_validation=False)


class BaseEstimator(PublicMixin, base.BaseEstimator):
    """scikit-learn's class, with errors and links of this package."""

    def _validate_params(self):
        for name, value in self.get_params(deep=False).items():
            if isinstance(value, type) and issubclass(value, base.BaseEstimator):
                raise InvalidParameterError(
                    f"The {name!r} parameter of {type(self).__name__} is a class. Pass an object: "
                    f"{value.__name__}(), fitted if it predicts."
                )
        try:
            super()._validate_params()
        except InvalidParameterError as error:
            remedy = remedy_of_value(self, str(error))
            raise InvalidParameterError(f"{error}{remedy}") from None
