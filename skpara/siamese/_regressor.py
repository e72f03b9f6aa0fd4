"""A network that reads both sentences of a pair and predicts their score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin, _fit_context
from sklearn.utils import check_consistent_length
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, column_or_1d

from skpara._pairs import PairEstimatorMixin, as_pairs, as_sentences
from skpara._public import set_module
from skpara._typing import Floats, Pairs, PairsLike, SentencesLike, Vectors
from skpara.learning import (
    TRAINING_CONSTRAINTS,
    FittedNetwork,
    NetworkMixin,
    document_parameters,
    hold_out,
)
from skpara.networks import Network, Siamese, as_network

if TYPE_CHECKING:
    from skpara.learning import Callback, EncoderState, ScoreLoss

# Where numbers are small a network learns slowly, and the vectors themselves are moved too far:
# the packaged vectors have a mean length of 0.94. Chosen on the development set of STS Benchmark.
_VECTOR_NORM = 12.0
_DROPOUT = 0.3  # chosen there as well
_PREFIX = "encoder."  # of the weights of the network that encodes sentences


def _predicts_classes(regressor: SiameseRegressor) -> bool:
    if regressor.loss != "kl":
        raise AttributeError(f"loss={regressor.loss!r} has no classes; set loss='kl'.")
    return True


@set_module("skpara", trusted=True)
@document_parameters
class SiameseRegressor(NetworkMixin, PairEstimatorMixin, RegressorMixin, BaseEstimator):
    """Scores of pairs from a network that reads both sentences with the same weights.

    The network turns each sentence into a vector. With u and v those of a pair, ``|u - v|`` and
    ``u * v`` go through a dense layer to one output for each of six classes, the scores 0 to 5;
    the score of the pair is the expected class. All of it, word vectors included, is trained on
    scored pairs. The order of the two sentences does not matter.

    Parameters
    ----------
    network : str or Network, default="lstm"
        How word vectors become a sentence vector: "lstm", "gran", "average" or any other of
        :mod:`skpara.networks` that reads words. A name stands for the network with
        ``dropout=0.3``.
    vectors : "default", path, KeyedVectors, mapping, WordVectors, encoder or Start, \
default="default"
        Initial word vectors, see :meth:`WordVectors.load`, or a fitted encoder to start from.
        Plain vectors are multiplied by one number, so that their mean length is 12; pass a
        :class:`~skpara.learning.Start` to change that, or what regularization pulls towards. The
        whole table is kept; a batch moves the rows of its words.
    max_length : int or None, default=20
        Tokens of a sentence that are read; the rest is cut off. None reads all.
    dense_size : int, default=50
        Units of the dense layer.
    n_classes : int, default=6
        Classes that divide the range of the scores evenly.
    loss : {"kl", "mse", "manhattan"}, default="kl"
        "kl": divergence of the classes' distribution from that of the label, see Notes (Tai and
        others 2015). "mse": squared error of one output. "manhattan": squared error of
        ``exp(-|u - v|_1)``, without a dense layer (Mueller and Thyagarajan 2016).
    score_range : tuple of (low, high), default=(0, 5)
        Lowest and highest score.
    trainable_vectors : bool, default=True
        Whether word vectors are trained.
    %(word_decay)s
    %(network_decay)s
    %(optimizer)s
    %(learning_rate)s
    batch_size : int, default=25
        Pairs a batch; where several processes train together, of each process.
    max_iter : int, default=10
        Epochs over the pairs.
    early_stopping : bool, default=False
        Hold out some of the pairs, and after each epoch compute Pearson's r on them; stop when it
        no longer improves and keep the best state. A ``validation`` set passed to ``fit`` switches
        this on with that set.
    %(validation_fraction)s
    %(n_iter_no_change)s
    %(warm_start)s
    %(device)s
    %(random_state)s
    %(verbose)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    SiameseLSTMRegressor : The same with an LSTM, as in the UMDeep system.

    Notes
    -----
    A score y, counted in classes, becomes the distribution with y - floor(y) at class
    floor(y) + 1 and the rest at class floor(y): 4.7 is 0.3 at class 4 and 0.7 at class 5. Then
    1e-6 is added to each class, so that none is zero, and the sum is normalized to one.

    Words that are not among the vectors get vectors of their character n-grams, and those of the
    training pairs rows of their own, as with ``oov="subword"`` of :class:`ParagramEncoder`.

    References
    ----------
    J. Barrow, D. Peskov (2017). UMDeep at SemEval-2017 Task 1: end-to-end shared weight LSTM model
    for semantic textual similarity. SemEval.

    K. S. Tai, R. Socher, C. Manning (2015). Improved semantic representations from tree-structured
    long short-term memory networks. ACL.

    J. Mueller, A. Thyagarajan (2016). Siamese recurrent architectures for learning sentence
    similarity. AAAI.

    Examples
    --------
    >>> from skpara import SiameseRegressor
    >>> from skpara.datasets import load_sts_sample
    >>> X, y = load_sts_sample(return_X_y=True)
    >>> model = SiameseRegressor("gran", max_iter=1, random_state=0).fit(X[:100], y[:100])
    >>> model.predict(X[:3]).shape, model.predict_distribution(X[:3]).shape
    ((3,), (3, 6))
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **TRAINING_CONSTRAINTS,
        "network": [str, HasMethods("build")],
        "max_length": [Interval(Integral, 1, None, closed="left"), None],
        "dense_size": [Interval(Integral, 1, None, closed="left")],
        "n_classes": [Interval(Integral, 2, None, closed="left")],
        "loss": [StrOptions({"kl", "mse", "manhattan"})],
        "score_range": [tuple, list],
        "trainable_vectors": ["boolean"],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        network: Any = "lstm",
        *,
        vectors: Any = "default",
        max_length: int | None = 20,
        dense_size: int = 50,
        n_classes: int = 6,
        loss: str = "kl",
        score_range: tuple[float, float] = (0, 5),
        trainable_vectors: bool = True,
        word_decay: float = 0.0,
        network_decay: float = 1e-4,
        optimizer: Any = "adam",
        learning_rate: float | None = None,
        batch_size: int = 25,
        max_iter: int = 10,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 3,
        warm_start: bool = False,
        device: Any = "auto",
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.network = network
        self.vectors = vectors
        self.max_length = max_length
        self.dense_size = dense_size
        self.n_classes = n_classes
        self.loss = loss
        self.score_range = score_range
        self.trainable_vectors = trainable_vectors
        self.word_decay = word_decay
        self.network_decay = network_decay
        self.optimizer = optimizer
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.device = device
        self.random_state = random_state
        self.verbose = verbose

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(
        self,
        X: PairsLike,
        y: ArrayLike,
        *,
        validation: Any = None,
        callbacks: Sequence[Callback] = (),
    ) -> SiameseRegressor:
        """Learn from scored pairs.

        Interrupted (Ctrl-C), it warns and keeps what was learned until then.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
            The pairs to learn from.
        y : array-like of shape (n_pairs,)
            Scores, within ``score_range``.
        validation : tuple of (pairs, scores), optional
            Scored after each epoch, see ``early_stopping``.
        callbacks : sequence of Callback, default=()
            Called during training; see :class:`~skpara.learning.Callback`.

        Returns
        -------
        SiameseRegressor
            The fitted regressor itself.

        Raises
        ------
        ValueError
            If a score is missing or out of range; the message names its row.
        """
        from skpara.learning import ScoreObjective, Session

        # Check the scores and hold out a validation set.
        pairs = self._check_pairs(X, reset=True)
        scores = self._check_scores(y, pairs)
        held_out: Any = None
        if validation is not None:
            validation_pairs = as_pairs(validation[0])
            held_out = validation_pairs, self._check_scores(validation[1], validation_pairs)
        elif self.early_stopping:
            fraction = self.validation_fraction
            pairs, rest, held_out = hold_out(pairs, scores, fraction, 1, self.random_state)
            scores = np.asarray(rest)

        # Train, from the start or from the last state.
        network = self._sentence_network()
        if network.units != "words":
            raise ValueError(f"network must read words; {network!r} reads {network.units}.")
        state = self._warm_start_state()
        session = Session.of(
            self,
            self._siamese(network),
            pairs.T.ravel().tolist(),
            start_defaults={"norm": _VECTOR_NORM},
            settings={"train_words": self.trainable_vectors},
            max_length=self.max_length,
            state=state and replace(state, weights=self.weights_),
            optimizer_state=state and self._optimizer_state,
        )
        session.fit(
            ScoreObjective(self._score_loss(), scores, self.batch_size),
            self.max_iter,
            validation=held_out,
            patience=self.n_iter_no_change,
            callbacks=callbacks,
            verbose=self.verbose,
        )
        self._set_state(session, network)
        self._optimizer_state = session.optimizer_state() if self.warm_start else None
        return self

    def predict(self, X: PairsLike) -> Floats:
        """Predict scores of pairs.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
            The pairs to score.

        Returns
        -------
        ndarray of shape (n_pairs,), float64
            Scores within ``score_range``.
        """
        check_is_fitted(self)
        outputs = self._network_on_device().compare(self._check_pairs(X, reset=False))
        return self._score_loss().scores(outputs)

    @available_if(_predicts_classes)
    def predict_distribution(self, X: PairsLike) -> Floats:
        """Predict the probability of each class; available with ``loss="kl"``.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
            The pairs to score.

        Returns
        -------
        ndarray of shape (n_pairs, n_classes), float64
            Rows sum to one; classes are in the order of their scores, from the lowest.
        """
        check_is_fitted(self)
        outputs = self._network_on_device().compare(self._check_pairs(X, reset=False))
        return self._score_loss().distributions(outputs)

    def encode(self, sentences: SentencesLike) -> Vectors:
        """Encode sentences: the vectors that are compared.

        Parameters
        ----------
        sentences : sequence of str, shape (n_sentences,)
            The sentences to encode.

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
            Zeros for an empty sentence.
        """
        check_is_fitted(self)
        return self._network_on_device().encode(as_sentences(sentences))

    def _sentence_network(self) -> Network:
        return as_network(self.network, dropout=_DROPOUT)

    def _siamese(self, network: Network) -> Siamese:
        comparison = "manhattan" if self.loss == "manhattan" else "dense"
        n_outputs = self.n_classes if self.loss == "kl" else 1
        return Siamese(network, comparison, self.dense_size, n_outputs)

    def _score_loss(self) -> ScoreLoss:
        from skpara.learning import ScoreLoss

        return ScoreLoss(self.loss, self._check_score_range(), self.n_classes)

    def _build_network(self) -> FittedNetwork:
        network = self._siamese(self.network_)
        return FittedNetwork(
            network, self.weights_, self.vectors_, self.device, max_length=self.max_length
        )

    def _encoder_state(self) -> EncoderState:
        state = super()._encoder_state()
        weights = {
            name.removeprefix(_PREFIX): weight
            for name, weight in state.weights.items()
            if name.startswith(_PREFIX)
        }
        return replace(state, weights=weights)

    def _check_score_range(self) -> tuple[float, float]:
        if len(self.score_range) != 2 or not self.score_range[0] < self.score_range[1]:
            raise ValueError(f"score_range must be (low, high), got {self.score_range!r}.")
        return float(self.score_range[0]), float(self.score_range[1])

    def _check_scores(self, y: ArrayLike, pairs: Pairs) -> Floats:
        """Validate scores: one number for each pair, within the range."""
        low, high = self._check_score_range()
        scores = column_or_1d(y, warn=True, dtype=np.float64)
        check_consistent_length(pairs, scores)
        missing = np.flatnonzero(~np.isfinite(scores))
        if len(missing):
            raise ValueError(
                f"Input y contains NaN or infinity in {len(missing)} row(s), the first y"
                f"[{missing[0]}] = {scores[missing[0]]}: drop pairs without a score."
            )
        outside = np.flatnonzero((scores < low) | (scores > high))
        if len(outside):
            raise ValueError(
                f"{len(outside)} score(s) are outside score_range={self.score_range!r}, the first "
                f"y[{outside[0]}] = {scores[outside[0]]:g}: clip them, or pass their range."
            )
        return np.asarray(scores)
