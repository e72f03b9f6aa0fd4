"""The UMDeep system."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from sklearn.utils._param_validation import Interval

from skpara._public import set_module
from skpara._typing import Oov
from skpara.siamese._regressor import SiameseRegressor

if TYPE_CHECKING:
    from skpara.networks import Network


@set_module("skpara", trusted=True)
class SiameseLSTMRegressor(SiameseRegressor):
    """The UMDeep system: a :class:`SiameseRegressor` whose network is an LSTM.

    The last state of a shared LSTM stands for each sentence. How many words of it are read is a
    parameter to tune like any other.

    Parameters
    ----------
    vectors : "default", path, KeyedVectors, mapping or WordVectors, default="default"
    max_length : int or None, default=20
        Tokens of a sentence that are read; the rest is cut off. None reads all.
    hidden_size : int, default=100
        Units of the LSTM.
    dense_size : int, default=50
    n_classes : int, default=6
    loss : {"kl", "mse", "manhattan"}, default="kl"
    score_range : tuple of (low, high), default=(0, 5)
    bidirectional : bool, default=False
        Whether a second LSTM reads backwards.
    vector_norm : float or None, default=12.0
        Mean length that the initial vectors are scaled to.
    trainable_vectors : bool, default=True
    init, decay_towards, word_decay, network_decay, dropout, word_dropout, gradient_clip, \
optimizer, learning_rate, batch_size, max_iter, early_stopping, validation_fraction, \
n_iter_no_change, warm_start, oov, device, precision, compile, random_state, verbose
        As those of :class:`SiameseRegressor`, and so are the attributes.

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
        "bidirectional": ["boolean"],
    }

    def __init__(
        self,
        vectors: Any = "default",
        max_length: int | None = 20,
        hidden_size: int = 100,
        dense_size: int = 50,
        n_classes: int = 6,
        loss: str = "kl",
        score_range: tuple[float, float] = (0, 5),
        *,
        bidirectional: bool = False,
        vector_norm: float | None = 12.0,
        trainable_vectors: bool = True,
        init: Any = None,
        decay_towards: Any = None,
        word_decay: float = 0.0,
        network_decay: float = 1e-4,
        dropout: float = 0.3,
        word_dropout: float = 0.0,
        gradient_clip: float | None = None,
        optimizer: str = "adam",
        learning_rate: float | None = None,
        batch_size: int = 25,
        max_iter: int = 10,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 3,
        warm_start: bool = False,
        oov: Oov = "subword",
        device: str = "auto",
        precision: str = "float32",
        compile: bool = False,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.vectors = vectors
        self.max_length = max_length
        self.hidden_size = hidden_size
        self.dense_size = dense_size
        self.n_classes = n_classes
        self.loss = loss
        self.score_range = score_range
        self.bidirectional = bidirectional
        self.vector_norm = vector_norm
        self.trainable_vectors = trainable_vectors
        self.init = init
        self.decay_towards = decay_towards
        self.word_decay = word_decay
        self.network_decay = network_decay
        self.dropout = dropout
        self.word_dropout = word_dropout
        self.gradient_clip = gradient_clip
        self.optimizer = optimizer
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.oov = oov
        self.device = device
        self.precision = precision
        self.compile = compile
        self.random_state = random_state
        self.verbose = verbose

    def _network(self) -> Network:
        from skpara.networks import LSTM

        return LSTM(hidden_size=self.hidden_size, bidirectional=self.bidirectional)
