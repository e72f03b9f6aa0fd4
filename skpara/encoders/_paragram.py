"""ParagramEncoder: sentence vectors tuned on paraphrase pairs."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.model_selection import KFold
from sklearn.utils import check_array, check_consistent_length, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from skpara._pairs import PairEstimatorMixin, as_sentences, is_sentences
from skpara.encoders._pooling import mean_vectors
from skpara.resources import WordVectors
from skpara.resources._word_vectors import Oov
from skpara.text import TokenIds

if TYPE_CHECKING:
    from skpara.training._loop import MarginSettings


class ParagramEncoder(PairEstimatorMixin, TransformerMixin, BaseEstimator):
    """Sentence vectors, tuned so that paraphrases come close and other sentences do not.

    A sentence's vector is the mean of its word vectors. ``fit`` moves the word vectors with a
    margin objective over paraphrase pairs; ``transform`` turns pairs into similarities, or into
    the numbers a regressor learns from. Without ``fit``, :meth:`encode` and :meth:`similarity`
    work with the vectors as given.

    Parameters
    ----------
    network : {"average"}, default="average"
        How word vectors become a sentence vector.
    vectors : "default", path, KeyedVectors, mapping or WordVectors, default="default"
        Initial word vectors; see :meth:`WordVectors.load`.
    negatives : {"random", "hardest", "mix"}, default="random"
        Negative examples, drawn anew for every batch from its other pairs: any sentence, the most
        similar one, or either with even chance.
    margin : float, default=0.8
        The margin (delta of the paper).
    positive_threshold : float, default=3.8
        Rows with a score of at least this are the paraphrases.
    word_decay : float, default=1e-5
        Weight of the squared distance to the initial vectors (lambda_w of the paper), over the
        rows that a batch uses.
    optimizer : {"adadelta", "adagrad", "adam"}, default="adadelta"
        All of them touch only the rows that a batch uses.
    learning_rate : float, default=None
        None is the optimiser's own: 1.0 for AdaDelta, 0.05 for AdaGrad, 0.001 for Adam.
    batch_size : int, default=100
        Pairs a batch, at least 2.
    max_iter : int, default=10
        Passes over the paraphrases.
    output : {"similarity", "interaction", "both"}, default="similarity"
        What ``transform`` gives for pairs: the cosine; ``|u - v|`` and ``u * v`` of the unit
        vectors; or all of it.
    oov : {"subword", "rare", "zero"}, default="subword"
        What words that the vectors do not hold get. With "subword" those of the paraphrases
        become rows of their own and are tuned too.
    cross_fit : int, default=None
        Number of folds. If given, ``fit_transform`` gives each pair the features of an encoder
        that did not train on it, as scikit-learn's ``TargetEncoder`` does, so that a regressor
        behind it does not trust similarities more than it should.
    device : {"auto", "cpu", "cuda", "mps"}, default="auto"
        Where ``fit`` computes. Results and fitted state are NumPy arrays all the same.
    random_state : int, RandomState or None, default=None
        Order of the pairs and choice of negatives.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    vectors_ : WordVectors
        The tuned vectors.
    loss_curve_ : list of float
        Mean loss of each pass.
    n_iter_ : int
        Number of passes made.
    n_paraphrases_ : int
        Number of pairs learned from.
    n_features_in_ : int
        Always 2.
    feature_names_in_ : ndarray of str, shape (2,)
        Column names, where ``X`` was a frame.

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.

    C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram
    embeddings for semantic textual similarity. SemEval.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> encoder = ParagramEncoder()
    >>> near, far = encoder.similarity(
    ...     ["A man plays a guitar.", "A man plays a guitar."],
    ...     ["Someone is playing music.", "The cat sleeps."],
    ... )
    >>> bool(near > far)
    True
    >>> pairs = [("a big dog", "a large dog"), ("he sings", "he is singing")]
    >>> encoder.fit(pairs).transform(pairs).shape
    (2, 1)
    """

    _parameter_constraints: dict[str, Any] = {
        "network": [StrOptions({"average"})],
        "vectors": "no_validation",
        "negatives": [StrOptions({"random", "hardest", "mix"})],
        "margin": [Interval(Real, 0, 2, closed="right")],
        "positive_threshold": [Real],
        "word_decay": [Interval(Real, 0, None, closed="left")],
        "optimizer": [StrOptions({"adadelta", "adagrad", "adam"})],
        "learning_rate": [Interval(Real, 0, None, closed="neither"), None],
        "batch_size": [Interval(Integral, 2, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "output": [StrOptions({"similarity", "interaction", "both"})],
        "oov": [StrOptions({"subword", "rare", "zero"})],
        "cross_fit": [Interval(Integral, 2, None, closed="left"), None],
        "device": [StrOptions({"auto", "cpu", "cuda", "mps"})],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        network: str = "average",
        *,
        vectors: Any = "default",
        negatives: str = "random",
        margin: float = 0.8,
        positive_threshold: float = 3.8,
        word_decay: float = 1e-5,
        optimizer: str = "adadelta",
        learning_rate: float | None = None,
        batch_size: int = 100,
        max_iter: int = 10,
        output: str = "similarity",
        oov: Oov = "subword",
        cross_fit: int | None = None,
        device: str = "auto",
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.network = network
        self.vectors = vectors
        self.negatives = negatives
        self.margin = margin
        self.positive_threshold = positive_threshold
        self.word_decay = word_decay
        self.optimizer = optimizer
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.output = output
        self.oov = oov
        self.cross_fit = cross_fit
        self.device = device
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: ArrayLike | None = None) -> ParagramEncoder:
        """Tune the word vectors on the paraphrases among the pairs.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
        y : array-like of shape (n_pairs,), optional
            Scores. Rows with ``y >= positive_threshold`` are the paraphrases; without ``y``, all
            rows are.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If fewer than two rows are paraphrases: a pair needs another one as its negative.
        """
        self._validate_params()
        pairs = self._check_pairs(X, reset=True)
        paraphrases = pairs[self._is_paraphrase(pairs, y)]
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        initial = WordVectors.load(self.vectors)
        table, left, right = _trainable(initial, paraphrases, self.oov)
        tuned, losses = _train(table, left, right, self._settings(), rng)
        self.vectors_ = tuned
        self.loss_curve_ = losses
        self.n_iter_ = len(losses)
        self.n_paraphrases_ = len(paraphrases)
        return self

    def fit_transform(self, X: Any, y: ArrayLike | None = None) -> NDArray[np.float64]:
        """Fit, then transform the same pairs: out of fold where ``cross_fit`` is given."""
        self.fit(X, y)
        if self.cross_fit is None:
            return self._pair_features(self._check_pairs(X, reset=False))
        pairs = self._check_pairs(X, reset=False)
        scores = None if y is None else np.asarray(y)
        folds = KFold(self.cross_fit, shuffle=True, random_state=self.random_state)
        features: NDArray[np.float64] | None = None
        for train, test in folds.split(pairs):
            fold = clone(self).set_params(cross_fit=None)
            fold.fit(pairs[train], None if scores is None else scores[train])
            part = fold._pair_features(pairs[test])
            if features is None:
                features = np.empty((len(pairs), part.shape[1]))
            features[test] = part
        assert features is not None
        return features

    def transform(self, X: Any) -> NDArray[np.floating]:
        """Turn pairs into features, or sentences into vectors.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2), or sentences of shape (n_sentences,)

        Returns
        -------
        ndarray
            For pairs float64 of shape (n_pairs, k), see ``output``; for sentences float32 of
            shape (n_sentences, n_dims). A cosine is in [-1, 1]; with an empty sentence it is 0.
        """
        check_is_fitted(self)
        if is_sentences(X):
            return self.encode(X)
        return self._pair_features(self._check_pairs(X, reset=False))

    def encode(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of sentences, with the given word vectors before ``fit``.

        Parameters
        ----------
        sentences : sequence of str, shape (n_sentences,)

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
        """
        vectors = self.vectors_ if self.__sklearn_is_fitted__() else WordVectors.load(self.vectors)
        return mean_vectors(vectors, as_sentences(sentences), self.oov)

    def similarity(self, a: Sequence[str], b: Sequence[str]) -> NDArray[np.float64]:
        """Cosine of the vectors of ``a[i]`` and ``b[i]``.

        Parameters
        ----------
        a, b : sequences of str, shape (n,)

        Returns
        -------
        ndarray of shape (n,), float64, in [-1, 1]
        """
        check_consistent_length(a, b)
        return _dot(_unit(self.encode(a)), _unit(self.encode(b)))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns that ``transform`` gives for pairs."""
        check_is_fitted(self)
        names = []
        if self.output in ("similarity", "both"):
            names.append("paragram_similarity")
        if self.output in ("interaction", "both"):
            n_dims = self.vectors_.n_dims
            names += [f"paragram_difference_{i}" for i in range(n_dims)]
            names += [f"paragram_product_{i}" for i in range(n_dims)]
        return np.array(names, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "vectors_")

    def _is_paraphrase(self, pairs: NDArray[np.object_], y: ArrayLike | None) -> NDArray[np.bool_]:
        if y is None:
            chosen = np.ones(len(pairs), dtype=bool)
        else:
            scores = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
            check_consistent_length(pairs, scores)
            chosen = scores.ravel() >= self.positive_threshold
        if chosen.sum() < 2:
            raise ValueError(
                f"{chosen.sum()} of {len(pairs)} pairs are paraphrases (score of at least "
                f"{self.positive_threshold}); at least 2 are needed, since each takes its "
                "negative examples from the others. Lower positive_threshold or add pairs."
            )
        return chosen

    def _settings(self) -> MarginSettings:
        from skpara.training._device import resolve_device
        from skpara.training._loop import MarginSettings

        return MarginSettings(
            negatives=self.negatives,
            margin=self.margin,
            word_decay=self.word_decay,
            optimizer=self.optimizer,
            learning_rate=self.learning_rate,
            batch_size=self.batch_size,
            max_iter=self.max_iter,
            device=resolve_device(self.device),
            verbose=self.verbose,
        )

    def _pair_features(self, pairs: NDArray[np.object_]) -> NDArray[np.float64]:
        u, v = (_unit(self.encode(pairs[:, side].tolist())) for side in (0, 1))
        parts = []
        if self.output in ("similarity", "both"):
            parts.append(_dot(u, v)[:, None])
        if self.output in ("interaction", "both"):
            parts += [np.abs(u - v), u * v]
        return np.hstack(parts).astype(np.float64)


def _trainable(
    vectors: WordVectors, pairs: NDArray[np.object_], oov: Oov
) -> tuple[WordVectors, TokenIds, TokenIds]:
    """The table that training moves, and both sides of the pairs as ids into it."""
    tokens = vectors.vocabulary.token_ids(pairs.T.ravel().tolist())
    known = tokens.ids < len(vectors)
    if oov == "subword" and tokens.unknown:
        new = vectors.unknown_vectors(tokens.unknown, oov)
        vectors = WordVectors([*vectors.words, *tokens.unknown], np.vstack([vectors.matrix, new]))
    elif oov == "rare":
        tokens = tokens._replace(ids=np.where(known, tokens.ids, len(vectors) - 1))
    elif oov == "zero":
        offsets = np.append(0, np.cumsum(known))[tokens.offsets]
        tokens = tokens._replace(ids=tokens.ids[known], offsets=offsets)
    rows = np.arange(len(pairs))
    return vectors, tokens.take(rows), tokens.take(rows + len(pairs))


def _train(
    vectors: WordVectors,
    left: TokenIds,
    right: TokenIds,
    settings: MarginSettings,
    rng: np.random.Generator,
) -> tuple[WordVectors, list[float]]:
    """Train on a table of the words that occur, then put its rows back."""
    from skpara.networks import Average
    from skpara.training._loop import train_margin

    used, local = np.unique(np.concatenate([left.ids, right.ids]), return_inverse=True)
    left = left._replace(ids=local[: len(left.ids)].astype(np.int32))
    right = right._replace(ids=local[len(left.ids) :].astype(np.int32))
    rows, losses = train_margin(Average(), vectors.matrix[used], left, right, settings, rng)
    matrix = np.array(vectors.matrix)
    matrix[used] = rows
    return WordVectors(vectors.words, matrix), losses


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    wide = vectors.astype(np.float64)
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    return np.divide(wide, norms, out=np.zeros_like(wide), where=norms > 0)


def _dot(u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    # Summed row by row: a matrix kernel may sum in another order for another batch size.
    return np.clip((u * v).sum(axis=1), -1.0, 1.0)
