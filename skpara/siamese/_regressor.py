"""A network that reads both sentences and gives their score."""

from __future__ import annotations

from functools import partial
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, column_or_1d

from skpara._pairs import PairEstimatorMixin, as_pairs, as_sentences
from skpara._public import set_module
from skpara._typing import Oov
from skpara.learning._inference import NetworkEncoder, NetworkMixin
from skpara.learning._parameters import TRAINING
from skpara.learning._training_data import split_rows
from skpara.saving._safetensors import SavingMixin

if TYPE_CHECKING:
    from torch import Tensor

    from skpara.learning._score_loss import ScoreLoss
    from skpara.networks import Network
    from skpara.resources import WordVectors

_Pairs = NDArray[np.object_]


def _has_classes(regressor: SiameseRegressor) -> bool:
    if regressor.loss != "kl":
        raise AttributeError(f"loss={regressor.loss!r} knows no classes; set loss='kl'.")
    return True


@set_module("skpara", trusted=True)
class SiameseRegressor(
    SavingMixin, NetworkMixin, PairEstimatorMixin, RegressorMixin, BaseEstimator
):
    """Scores of pairs from a network that reads both sentences with the same weights.

    The network turns each sentence into a vector. With u and v those of a pair, ``|u - v|`` and
    ``u * v`` go through a dense layer to one output for each of six classes, the scores 0 to 5;
    the score of the pair is the expected class. All of it, word vectors included, is trained on
    scored pairs. The order of the two sentences does not matter.

    Parameters
    ----------
    network : str or Network, default="lstm"
        What makes a vector of a sentence: "lstm", "gran", "average" or any other of
        :mod:`skpara.networks` that reads words.
    vectors : "default", path, KeyedVectors, mapping or WordVectors, default="default"
        Initial word vectors; see :meth:`WordVectors.load`. The whole table is kept, and only the
        rows of words that a batch has are moved.
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
        Smallest and largest score.
    vector_norm : float or None, default=12.0
        The initial vectors are all multiplied by one number, so that their mean length becomes
        this: where numbers are small a network learns slowly, and the vectors themselves are moved
        too far. (The packaged ones have 0.94.) None leaves them as they are; so does ``init``.
    trainable_vectors : bool, default=True
        Whether word vectors are moved.
    init : ParagramEncoder or path, default=None
        Fitted encoder to start from, in place of ``vectors``; its weights too where it has the
        same network. To survive ``clone``, as in a grid search, wrap it in scikit-learn's
        ``FrozenEstimator`` or give the path of its ``save``.
    decay_towards : ParagramEncoder or path, default=None
        Fitted encoder that both decays pull towards. Wrap it as ``init``.
    word_decay : float, default=0.0
        Weight of the squared distance to the initial vectors, over the rows that a batch uses.
    network_decay : float, default=1e-4
        Weight of the squared norm of all other weights.
    dropout : float, default=0.3
        Part of the units of each word's vector that a batch sets to zero.
    word_dropout : float, default=0.0
        Part of the words that a batch leaves out.
    gradient_clip : float, default=None
        Largest norm of a batch's gradient; a larger one is scaled down to it.
    optimizer : {"adam", "adagrad", "adadelta"}, default="adam"
        All of them touch only the word vectors that a batch uses.
    learning_rate : float, default=None
        None is the optimiser's own: 0.001 for Adam, 0.05 for AdaGrad, 1.0 for AdaDelta.
    batch_size : int, default=25
        Pairs a batch; where several processes train together, those of each.
    max_iter : int, default=10
        Passes over the pairs.
    early_stopping : bool, default=False
        Hold out some of the pairs, and after each pass compute Pearson's r on them; stop when it
        gets no better and keep the best state. A ``validation`` set given to ``fit`` switches
        this on with that set.
    validation_fraction : float, default=0.1
        Part of the pairs held out by ``early_stopping``.
    n_iter_no_change : int, default=3
        Passes without a better score after which training stops.
    warm_start : bool, default=False
        Whether ``fit`` goes on from the last fit.
    oov : {"subword", "rare", "zero"}, default="subword"
        What words that the vectors do not hold get.
    device : {"auto", "cpu", "cuda", "mps"}, default="auto"
        Where torch computes. Results and fitted state are NumPy arrays all the same. Fitted with a
        GPU, and asked where there is none, it warns and uses the CPU.
    precision : {"float32", "bfloat16"}, default="float32"
        Of the network's matrix products. "bfloat16" takes half the memory and is faster where the
        hardware has it; weights, word vectors, recurrences and the loss stay float32.
    compile : bool, default=False
        Whether ``torch.compile`` makes one kernel of what it can; recurrences are left as they
        are. Costs some ten seconds at first, and needs a C++ compiler on the CPU.
    random_state : int, RandomState or None, default=None
        Initial weights, order of the pairs, dropout, what is held out.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    vectors_ : WordVectors
        The trained vectors.
    weights_ : dict of str to ndarray
        Of the network ("encoder. ...") and of the dense layer ("comparison. ...").
    loss_curve_ : list of float
        Mean loss a pair of each pass, decay included.
    history_ : list of dict
        For each pass ``epoch``, ``loss``, ``score``, ``n_pairs``, ``seconds`` and
        ``pairs_per_second``.
    best_score_ : float or None
        Validation score of the state that was kept.
    n_iter_ : int
        Number of complete passes made.
    n_features_in_ : int
        Always 2.
    feature_names_in_ : ndarray of str, shape (2,)
        Column names, where ``X`` was a frame.

    Notes
    -----
    A score y, counted in classes, becomes the distribution with y - floor(y) at class
    floor(y) + 1 and the rest at class floor(y): 4.7 is 0.3 at class 4 and 0.7 at class 5. Each
    class is given 1e-6 more, so that none is zero, and the whole is made to sum to one.

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

    vectors_: WordVectors
    weights_: dict[str, NDArray[np.float32]]
    _optimizer_state: dict[str, dict[str, NDArray[np.generic]]] | None

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **TRAINING,
        "network": [str, HasMethods("build")],
        "max_length": [Interval(Integral, 1, None, closed="left"), None],
        "dense_size": [Interval(Integral, 1, None, closed="left")],
        "n_classes": [Interval(Integral, 2, None, closed="left")],
        "loss": [StrOptions({"kl", "mse", "manhattan"})],
        "score_range": [tuple, list],
        "vector_norm": [Interval(Real, 0, None, closed="neither"), None],
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
        self.network = network
        self.vectors = vectors
        self.max_length = max_length
        self.dense_size = dense_size
        self.n_classes = n_classes
        self.loss = loss
        self.score_range = score_range
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

    def fit(self, X: Any, y: ArrayLike, *, validation: Any = None) -> SiameseRegressor:
        """Learn from scored pairs.

        Interrupted (Ctrl-C), it warns and keeps what was learned until then.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
        y : array-like of shape (n_pairs,)
            Scores, within ``score_range``.
        validation : tuple of (pairs, scores), optional
            Scored after each pass, see ``early_stopping``.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a score is missing or out of range; the message names its row.
        """
        from skpara.learning._loop import Stopping, run_passes
        from skpara.learning._processes import n_processes
        from skpara.learning._score_loss import score_pass
        from skpara.siamese._session import Session

        self._validate_params()
        pairs = self._check_pairs(X, reset=True)
        scores = self._checked(y, pairs)
        held_out: tuple[_Pairs, NDArray[np.float64]] | None = None
        if validation is not None:
            others = as_pairs(validation[0])
            held_out = others, self._checked(validation[1], others)
        elif self.early_stopping:
            pairs, scores, held_out = self._split(pairs, scores)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        session = Session(self, pairs, rng)
        targets = session.loss.targets(scores)

        def one_pass() -> Any:
            size = self.batch_size * n_processes()
            return score_pass(session.trainer, session.tokens, targets, session.loss, size, rng)

        stopping = None
        if held_out is not None:
            stopping = Stopping(partial(session.correlation, *held_out), self.n_iter_no_change)
        self.history_ = run_passes(
            session.trainer,
            [one_pass] * self.max_iter,
            stopping=stopping,
            n_pairs=self.max_iter * len(pairs),
            verbose=self.verbose,
        )
        self.best_score_ = None if held_out is None else session.correlation(*held_out)
        self.vectors_ = session.lexicon.vectors(session.trainer.table)
        self.weights_ = session.trainer.weights
        network = self._network()
        self.network_ = network if isinstance(network, str) else clone(network)
        self._optimizer_state = session.trainer.optimizer_arrays() if self.warm_start else None
        self.loss_curve_ = [entry["loss"] for entry in self.history_]
        self.n_iter_ = len(self.history_)
        self._forget_network()
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Scores of pairs.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)

        Returns
        -------
        ndarray of shape (n_pairs,), float64, within ``score_range``
        """
        outputs = self._outputs(X)
        return self._loss().scores(outputs)

    @available_if(_has_classes)
    def predict_distribution(self, X: Any) -> NDArray[np.float64]:
        """Probability of each class for each pair; there with ``loss="kl"``.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)

        Returns
        -------
        ndarray of shape (n_pairs, n_classes), float64
            Rows sum to one; classes in the order of their scores, from the smallest.
        """
        outputs = self._outputs(X)
        return self._loss().distributions(outputs)

    def encode(self, sentences: Any) -> NDArray[np.float32]:
        """Vectors of sentences, before they are compared.

        Parameters
        ----------
        sentences : sequence of str, shape (n_sentences,)

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
        """
        check_is_fitted(self)
        return self._ready().encode(as_sentences(sentences))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "vectors_")

    def _network(self) -> str | Network:
        """What makes a vector of a sentence."""
        network: str | Network = self.network
        return network

    def _loss(self) -> ScoreLoss:
        from skpara.learning._score_loss import ScoreLoss

        low, high = self._range()
        return ScoreLoss(self.loss, low, high, self.n_classes)

    def _range(self) -> tuple[float, float]:
        if len(self.score_range) != 2 or not self.score_range[0] < self.score_range[1]:
            raise ValueError(f"score_range must be (low, high), got {self.score_range!r}.")
        return float(self.score_range[0]), float(self.score_range[1])

    def _checked(self, y: ArrayLike, pairs: _Pairs) -> NDArray[np.float64]:
        """One score for each pair, within the range."""
        low, high = self._range()
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
                f"y[{outside[0]}] = {scores[outside[0]]:g}: clip them, or pass the range that "
                "they have."
            )
        return np.asarray(scores)

    def _split(
        self, pairs: _Pairs, scores: NDArray[np.float64]
    ) -> tuple[_Pairs, NDArray[np.float64], Any]:
        kept, held = split_rows(len(pairs), self.validation_fraction, 1, self.random_state)
        return pairs[kept], scores[kept], (pairs[held], scores[held])

    def _siamese(self) -> Network:
        from skpara.networks import Siamese

        comparison = "manhattan" if self.loss == "manhattan" else "dense"
        n_outputs = self.n_classes if self.loss == "kl" else 1
        return Siamese(self._network(), comparison, self.dense_size, n_outputs)

    def _inference(self) -> NetworkEncoder:
        return NetworkEncoder(
            self._siamese(),
            self.weights_,
            self.vectors_,
            self.oov,
            max_length=self.max_length,
            **self._compute(),
        )

    def _outputs(self, X: Any) -> Tensor:
        check_is_fitted(self)
        import torch

        from skpara.learning._score_loss import pair_blocks, pair_outputs

        pairs = self._check_pairs(X, reset=False)
        ready = self._ready()
        vectors = torch.from_numpy(ready.encode(pairs.T.ravel().tolist()))
        return pair_outputs(ready.module, vectors, ready.device, pair_blocks())
