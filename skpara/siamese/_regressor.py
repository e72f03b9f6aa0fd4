"""A network that reads both sentences of a pair and predicts their score."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any, ClassVar, Literal

from numpy.typing import ArrayLike
from sklearn.utils._param_validation import StrOptions

from skpara import learning
from skpara._messages import warn
from skpara._pairs import PairEstimatorMixin
from skpara._public import set_module, with_fields
from skpara._sklearn import RegressorMixin, available_if
from skpara._typing import Attributes, Constraints, Floats, NetworkName, Pairs, PairsLike
from skpara._validation import COUNT, SEVERAL, check_score_range, check_scores
from skpara.networks import LSTM, Network, Siamese
from skpara.siamese._base import DROPOUT, NetworkPredictor

# Scores in so small a part of the range, at its lower end, usually have another range.
_SMALL_SHARE = 0.2


def _predicts_classes(regressor: SiameseRegressor) -> bool:
    state = getattr(regressor, "state_", None)
    loss = regressor.loss if state is None else state.parameters["loss"]
    if loss != "kl":
        raise AttributeError(f"loss={loss!r} has no classes; set loss='kl' and fit again.")
    return True


@set_module("skpara", trusted=True)
@with_fields
class SiameseRegressor(PairEstimatorMixin, RegressorMixin, NetworkPredictor):
    """Scores of pairs from a network that reads both sentences with the same weights.

    The network turns each sentence into a vector. With the vectors u and v of a pair,
    ``|u - v|`` and ``u * v`` go through a dense layer to one output for each of six classes, the
    scores 0 to 5; the score of the pair is the expected class. All of it, word vectors included,
    is trained on scored pairs. The order of the two sentences does not matter.

    Parameters
    ----------
    network : str or Network, default="lstm"
        How word vectors become a sentence vector: "lstm", "gran", "average" or any other of
        ``skpara.networks`` that reads words. A name stands for the network with
        ``dropout=0.3``.
    vectors : "default", "multilingual", path, KeyedVectors, mapping, WordVectors, encoder or \
Start, default="default"
        Initial word vectors, see :meth:`WordVectors.load`, or a fitted encoder to start from.
        "default" is English, "multilingual" English, Spanish and French, or a table of
        :func:`~skpara.encoders.align_vectors` in the cache folder.
        Plain vectors are multiplied by one number, so that their mean length is 12; pass a
        :class:`~skpara.learning.Start` to change that, or what regularization pulls towards. The
        whole table is kept; a batch moves the rows of its words.
    max_length : int or None, default=20
        Tokens of a sentence that are read; the rest is cut off. None reads all.
    trainable_vectors : bool, default=True
        Whether word vectors are trained.
    word_decay : float, default=0.0
        Weight of the squared distance to the initial vectors (lambda_w in the papers), over the
        rows that a batch uses. Character n-grams are pulled towards zero.
    network_decay : float, default=0.0001
        Weight of the squared norm of the network's weights (lambda_c in the papers); matrices that
        start as the identity are pulled towards the identity.
    optimizer : {"adadelta", "adagrad", "adam"} or object, default="adam"
        A name, or an :class:`~skpara.learning.AdaDelta`, :class:`~skpara.learning.AdaGrad` or
        :class:`~skpara.learning.Adam` with another learning rate.
    batch_size : int, default=25
        Number of pairs per batch (per process in distributed training).
    max_iter : int, default=10
        Epochs over the pairs.
    early_stopping : bool, default=False
        Hold out some of the pairs, and after each epoch compute Pearson's r on them; stop when it
        no longer improves and keep the best state. A ``validation`` set passed to ``fit`` switches
        this on with that set.
    validation_fraction : float, default=0.1
        Fraction of the pairs held out by ``early_stopping``.
    n_iter_no_change : int, default=3
        Epochs without improvement after which training stops.
    warm_start : bool, default=False
        Whether ``fit`` continues from the last fit.
    device : {"auto", "cpu", "cuda", "cuda:<number>", "mps"} or Device, default="auto"
        Device of torch; a :class:`~skpara.learning.Device` also sets the precision. Results
        and fitted state are NumPy arrays in any case. A model fitted on a GPU warns and uses the
        CPU where there is no GPU.
    random_state : int, RandomState or None, default=None
        Determines initial weights, order of the samples, negatives, dropout and what is held out.
    verbose : int, default=0
        1 shows a progress bar.
    dense_size : int, default=50
        Units of the dense layer.
    n_classes : int, default=6
        Classes that divide the range of the scores evenly.
    loss : {"kl", "mse", "manhattan"}, default="kl"
        "kl": divergence of the predicted distribution from the label's, see Notes (Tai and
        others 2015). "mse": squared error of one output. "manhattan": squared error of
        ``exp(-|u - v|_1)``, without a dense layer (Mueller and Thyagarajan 2016).
    score_range : tuple of (low, high), default=(0, 5)
        Lowest and highest score.

    Attributes
    ----------
    vectors_ : WordVectors
        The trained vectors, of words or of character n-grams.
    weights_ : dict of str to ndarray
        The network's weights; empty for the average.
    network_ : str or Network
        The network that was fitted.
    loss_curve_ : list of float
        Mean loss of each epoch, decay included.
    history_ : list of dict
        For each epoch ``epoch``, ``loss``, ``score``, ``n_pairs``, ``seconds`` and
        ``pairs_per_second``.
    best_score_ : float or None
        Validation score of the state that was kept.
    n_iter_ : int
        Number of complete epochs.
    n_features_in_ : int
        Always 2.

    See Also
    --------
    SiameseLSTMRegressor : The same with an LSTM, as in the UMDeep system.
    SiameseClassifier : The same for classes.

    Notes
    -----
    A score y, counted in classes, becomes the distribution with y - floor(y) at class
    floor(y) + 1 and the rest at class floor(y): 4.7 is 0.3 at class 4 and 0.7 at class 5. Then
    1e-6 is added to each class, so that none is zero, and the sum is normalized to one.

    Words that are not among the vectors get vectors of their character n-grams, and in
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

    network: NetworkName | Network = "lstm"
    _: KW_ONLY
    max_length: int | None = 20
    dense_size: int = 50
    n_classes: int = 6
    loss: Literal["kl", "mse", "manhattan"] = "kl"
    score_range: tuple[float, float] = (0, 5)

    _parameter_constraints: ClassVar[Constraints] = {
        **NetworkPredictor._parameter_constraints,
        "dense_size": [COUNT],
        "n_classes": [SEVERAL],
        "loss": [StrOptions({"kl", "mse", "manhattan"})],
        "score_range": [tuple, list],
    }
    _fixed_by_fit = (
        *NetworkPredictor._fixed_by_fit,
        "loss",
        "n_classes",
        "score_range",
    )

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
        return self._loss(self.state_.parameters).scores(outputs)

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
        return self._loss(self.state_.parameters).distributions(outputs)

    def _with_head(self, network: Network, parameters: Attributes) -> Siamese:
        loss = parameters["loss"]
        comparison: Literal["manhattan", "dense"] = "manhattan" if loss == "manhattan" else "dense"
        n_outputs = parameters["n_classes"] if loss == "kl" else 1
        return Siamese(network, comparison, parameters["dense_size"], n_outputs)

    def _loss(self, parameters: Attributes, labels: Floats | None = None) -> learning.ScoreLoss:
        score_range = check_score_range(parameters["score_range"])
        return learning.ScoreLoss(parameters["loss"], score_range, parameters["n_classes"])

    def _from_file(self, attributes: Attributes) -> None:
        check_score_range(self.score_range)
        super()._from_file(attributes)

    def _check_labels(self, y: ArrayLike, pairs: Pairs, *, reset: bool) -> Floats:
        """Validate scores: one number for each pair, within the range."""
        low, high = check_score_range(self.score_range)
        scores = check_scores(y, (low, high), X=pairs)
        lowest, highest = scores.min(initial=high), scores.max(initial=low)
        if reset and lowest < highest <= low + _SMALL_SHARE * (high - low):
            warn(
                f"y is between {lowest:g} and {highest:g}, a small part of score_range=({low:g}, "
                f"{high:g}). Pass the range of the scores, such as score_range=(0, 1)."
            )
        return scores


@set_module("skpara", trusted=True)
@with_fields
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
        The other parameters of :class:`SiameseRegressor`, with the same defaults; the attributes
        are the same too. For other fields of the LSTM, such as ``bidirectional``, pass an
        :class:`~skpara.networks.LSTM` to that class.

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

    vectors: Any = "default"
    max_length: int | None = 20
    _: KW_ONLY
    hidden_size: int = 100
    network: ClassVar[Any]  # type: ignore[misc]  # no field

    _parameter_constraints: ClassVar[Constraints] = {
        **{k: v for k, v in SiameseRegressor._parameter_constraints.items() if k != "network"},
        "hidden_size": [COUNT],
    }
    _fixed_by_fit = (*SiameseRegressor._fixed_by_fit, "hidden_size")

    @property  # type: ignore[no-redef]
    def network(self) -> Network:  # type: ignore[override]
        """The LSTM that represents a sentence."""
        return LSTM(hidden_size=self.hidden_size, dropout=DROPOUT)
