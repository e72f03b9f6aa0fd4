"""The UMDeep system."""

from __future__ import annotations

import inspect
from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from skpara._public import set_module
from skpara.networks import LSTM, Network
from skpara.siamese._base import DROPOUT
from skpara.siamese._regressor import SiameseRegressor


@set_module("skpara", trusted=True)
class SiameseLSTMRegressor(SiameseRegressor):
    """The UMDeep system: a :class:`SiameseRegressor` whose network is an LSTM.

    The last state of a shared LSTM represents each sentence.

    Parameters
    ----------
    vectors : "default", "multilingual", path, KeyedVectors, mapping, WordVectors, encoder or \
Start, default="default"
        Initial word vectors, as for :class:`SiameseRegressor`.
    max_length : int or None, default=20
        Largest number of tokens of a sentence that are read.
    hidden_size : int, default=100
        Units of the LSTM.
    dense_size : int, default=50
        Units of the dense layer.
    loss : {"kl", "mse", "manhattan"}, default="kl"
        The loss, as for :class:`SiameseRegressor`.
    n_classes : int, default=6
        Classes that divide the range of the scores evenly.
    score_range : tuple of (low, high), default=(0, 5)
        Lowest and highest score.
    trainable_vectors : bool, default=True
        Whether word vectors are trained.
    **parameters
        The other parameters of :class:`SiameseRegressor` except ``network``, with the same
        defaults; the attributes are the same too. For other fields of the LSTM, such as
        ``bidirectional``, pass an :class:`~skpara.networks.LSTM` to that class.

    References
    ----------
    J. Barrow, D. Peskov (2017). UMDeep at SemEval-2017 Task 1: end-to-end shared weight LSTM model
    for semantic textual similarity. SemEval.

    Examples
    --------
    >>> from skpara import SiameseLSTMRegressor
    >>> from skpara.datasets import load_sts_sample
    >>> X, y = load_sts_sample(return_X_y=True)
    >>> model = SiameseLSTMRegressor(max_length=11, max_iter=1, random_state=0)
    >>> model.fit(X[:100], y[:100]).predict(X[:3]).shape
    (3,)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **{k: v for k, v in SiameseRegressor._parameter_constraints.items() if k != "network"},
        "hidden_size": [Interval(Integral, 1, None, closed="left")],
    }
    _fixed_by_fit: ClassVar[tuple[str, ...]] = (*SiameseRegressor._fixed_by_fit, "hidden_size")

    def __init__(
        self,
        vectors: Any = "default",
        max_length: int | None = 20,
        hidden_size: int = 100,
        dense_size: int = 50,
        loss: str = "kl",
        n_classes: int = 6,
        score_range: tuple[float, float] = (0, 5),
        trainable_vectors: bool = True,
        **parameters: Any,
    ) -> None:
        if "network" in parameters:
            raise TypeError("SiameseLSTMRegressor has no network; use SiameseRegressor.")
        super().__init__(
            vectors=vectors,
            max_length=max_length,
            dense_size=dense_size,
            loss=loss,
            n_classes=n_classes,
            score_range=score_range,
            trainable_vectors=trainable_vectors,
            **parameters,
        )
        self.hidden_size = hidden_size
        del self.network

    def _sentence_network(self) -> Network:
        return LSTM(hidden_size=self.hidden_size, dropout=DROPOUT)


def _signature() -> inspect.Signature:
    """Return the constructor's signature with the parent's parameters in place of ``**``."""
    own = inspect.signature(SiameseLSTMRegressor.__init__).parameters
    inherited = inspect.signature(SiameseRegressor.__init__).parameters
    parameters = [parameter for name, parameter in own.items() if name != "parameters"]
    parameters += [p for name, p in inherited.items() if name not in {*own, "network"}]
    return inspect.Signature(parameters)


# help() shows it, and scikit-learn reads it to clone an estimator.
SiameseLSTMRegressor.__init__.__signature__ = _signature()  # type: ignore[attr-defined]
