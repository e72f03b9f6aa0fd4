"""A network that reads both sentences of a pair and predicts their score."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if

from skpara._pairs import PairEstimatorMixin, as_pairs
from skpara._public import set_module
from skpara._scores import check_score_range, check_scores
from skpara._typing import Floats, Pairs, PairsLike
from skpara.learning import document_parameters
from skpara.networks import Network, Siamese
from skpara.siamese._base import NetworkPredictor

if TYPE_CHECKING:
    from skpara.learning import ScoreLoss


def _predicts_classes(regressor: SiameseRegressor) -> bool:
    if regressor.loss != "kl":
        raise AttributeError(f"loss={regressor.loss!r} has no classes; set loss='kl'.")
    return True


@set_module("skpara", trusted=True)
@document_parameters
class SiameseRegressor(PairEstimatorMixin, RegressorMixin, NetworkPredictor):
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
    vectors : "default", "multilingual", path, KeyedVectors, mapping, WordVectors, encoder or \
Start, default="default"
        Initial word vectors, see :meth:`WordVectors.load`, or a fitted encoder to start from.
        "default" is English, "multilingual" the table that ``skpara align-vectors`` made.
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
    SiameseClassifier : The same for classes.

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
        **NetworkPredictor._parameter_constraints,
        "dense_size": [Interval(Integral, 1, None, closed="left")],
        "n_classes": [Interval(Integral, 2, None, closed="left")],
        "loss": [StrOptions({"kl", "mse", "manhattan"})],
        "score_range": [tuple, list],
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
        outputs = self._outputs(X)
        return self._loss().scores(outputs)

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
        outputs = self._outputs(X)
        return self._loss().distributions(outputs)

    def _check_loaded(self) -> None:
        check_score_range(self.score_range)
        super()._check_loaded()

    def _check_samples(self, X: Any, *, reset: bool = True) -> Pairs:
        return self._check_pairs(X, reset=reset)

    def _as_samples(self, X: Any) -> Pairs:
        return as_pairs(X)

    def _with_head(self, network: Network) -> Siamese:
        comparison = "manhattan" if self.loss == "manhattan" else "dense"
        n_outputs = self.n_classes if self.loss == "kl" else 1
        return Siamese(network, comparison, self.dense_size, n_outputs)

    def _loss(self, labels: Floats | None = None) -> ScoreLoss:
        from skpara.learning import ScoreLoss

        return ScoreLoss(self.loss, check_score_range(self.score_range), self.n_classes)

    def _check_labels(self, y: ArrayLike, pairs: Pairs, *, reset: bool) -> Floats:
        """Validate scores: one number for each pair, within the range."""
        return check_scores(y, check_score_range(self.score_range), X=pairs)
