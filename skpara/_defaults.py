"""Parameters that are not set: of pickles of earlier versions, and of parts that are None."""

from __future__ import annotations

import inspect
from typing import Any, Self


class DefaultsMixin:
    """Set parameters that a pickle of an earlier version lacks to their defaults.

    A parameter of a part that is None is refused with a reason. Put the mixin left of
    ``BaseEstimator``.
    """

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # type: ignore[misc]
        for name, parameter in inspect.signature(type(self).__init__).parameters.items():
            if parameter.default is not parameter.empty and not hasattr(self, name):
                setattr(self, name, parameter.default)

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also nested ones such as ``estimator__max_depth``.

        Parameters
        ----------
        **params : dict
            The parameters.

        Returns
        -------
        self
            The estimator.

        Raises
        ------
        ValueError
            If a name is unknown, or its part is None: the default has no parameters to set.
        """
        for name in params:
            part, nested, _ = name.partition("__")
            if nested and part not in params and getattr(self, part, part) is None:
                raise ValueError(
                    f"{name} cannot be set: {part} of {type(self).__name__} is None, which stands "
                    f"for the default. Pass an object as well: set_params({part}=..., {name}=...)."
                )
        return super().set_params(**params)  # type: ignore[misc]
