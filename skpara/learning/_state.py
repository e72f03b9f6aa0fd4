"""What a fitted encoder hands on to another one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from sklearn.frozen import FrozenEstimator

from skpara.encoders._base import SentenceEncoder
from skpara.saving._safetensors import read

if TYPE_CHECKING:
    from skpara.learning._session import Learned


def learned_by(encoder: Any, parameter: str) -> Learned:
    """Vectors and weights of a fitted encoder, a frozen one, or one that was saved.

    Raises
    ------
    TypeError, ValueError
        Naming ``parameter``, if it is not an encoder, or not a fitted one.
    """
    from skpara.learning._session import Learned

    if isinstance(encoder, FrozenEstimator):
        encoder = encoder.estimator
    elif isinstance(encoder, (str, os.PathLike)):
        from skpara.encoders._paragram import ParagramEncoder

        stored = read(encoder, ParagramEncoder)
        return Learned(stored.vectors, stored.weights, network=stored.parameters["network"])
    if not isinstance(encoder, SentenceEncoder):
        raise TypeError(
            f"{parameter} must be a fitted ParagramEncoder, a FrozenEstimator of one, or the "
            f"path of a saved one, got {type(encoder).__name__}."
        )
    if not encoder.__sklearn_is_fitted__():
        raise ValueError(
            f"The encoder given as {parameter} is not fitted. scikit-learn's clone unfits it: "
            f"give {parameter}=FrozenEstimator(encoder), or the path of a saved one."
        )
    return Learned(encoder.vectors_, encoder.weights_, network=encoder.network_)
