"""SentenceTransformerFeature: the similarity by another model, as one more feature."""

from __future__ import annotations

import copy
import os
from numbers import Integral, Real
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import _fit_context
from sklearn.model_selection import KFold
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from skpara._fitting import restore_on_failure
from skpara._folds import out_of_fold
from skpara._pairs import as_sentences
from skpara._public import set_module
from skpara._scores import check_scores
from skpara._typing import Floats, Pairs, SentencesLike, Vectors, Weights
from skpara.encoders._base import PairEncoder
from skpara.encoders._external_models import CachedModel, SentenceModel, encode_by, load_model
from skpara.encoders._fine_tuning import TunedModel, TuningSettings, fine_tune, with_weights
from skpara.encoders._whitening import Whitening, learn_whitening, refine
from skpara.learning import (
    TRAINING_CONSTRAINTS,
    WHITENING_CONSTRAINTS,
    document_parameters,
    is_class_labels,
)

_PROBE = "A man is playing a guitar."  # its vector identifies a model
# Precision and device change a vector by up to 1 %, another model by far more.
_PROBE_TOLERANCE = 0.05

# Of each feature in use its source and its model: encoding must not change an estimator, and a
# pickle has no model that was given by path, because the path is enough to load it again.
_LOADED: WeakKeyDictionary[Any, tuple[tuple[Any, str], SentenceModel]] = WeakKeyDictionary()


@set_module("skpara")
@document_parameters
class SentenceTransformerFeature(PairEncoder):
    """Similarity of two sentences by a sentence-transformers model, or any other encoder.

    It is one feature among others for a regressor to weigh. The model's weights stay as they are,
    unless ``max_iter`` lets it be fine-tuned on the pairs and their scores.

    Parameters
    ----------
    model : path, str, or object with ``encode``
        The folder of a saved sentence-transformers model, or its name on the hub; or any object
        whose ``encode`` turns a list of str into an array of shape (n_sentences, n_dims): a
        ``SentenceTransformer``, model2vec's ``StaticModel``, an encoder of skpara.

        A path is small in a pickle, and the same model must be there where it is loaded. An object
        is pickled, and a clone copies it; wrap it in scikit-learn's ``FrozenEstimator`` for clones
        to share it, which also keeps an encoder of skpara fitted.
    %(output)s
    number_weight : float, default=0.4
        Weight of the random directions that tell numbers apart, in dimensions of their own, see
        :class:`~skpara.learning.Teacher`. 0 leaves them out.
    whitening : "auto" or float, default="auto"
        Degree of whitening, from 0 (none) to 1, see :class:`~skpara.learning.Teacher`. ``fit``
        encodes the sentences of ``X`` and ``unlabeled`` for it. Before ``fit``, and with both
        parameters at 0, vectors are the model's own.
    name : str, default="transformer"
        Prefix of the names of the features.
    max_iter : int, default=0
        Epochs of fine-tuning over the scored pairs, for a sentence-transformers model; 0 leaves
        the model as it is. A copy is trained, its upper half of layers, to maximize the
        correlation of cosines and scores within a batch of pairs of one group.
    learning_rate : float, default=2e-5
        Of AdamW; it rises over the first tenth of the steps, then falls to zero.
    batch_size : int, default=32
        Pairs a batch of fine-tuning.
    %(cross_fit)s
    encode_batch_size : int, default=None
        Sentences encoded at a time, for a model with such a parameter; None is the model's
        default. Results differ by rounding only, about 1e-6.
    device : {"auto", "cpu", "cuda", "cuda:<number>", "mps"}, default="auto"
        Where a model given by path computes; an object stays where it is.
    local_files_only : bool, default=True
        False allows sentence-transformers to download the model.
    random_state : int, RandomState instance or None, default=None
        Determines the order of the pairs, dropout, and the folds of ``cross_fit``.
    %(verbose)s

    Attributes
    ----------
    tuned_weights_ : dict of str to ndarray
        The weights that fine-tuning trained, by their names in the model; empty without it.
    loss_curve_ : list of float
        With fine-tuning, the mean loss of each epoch: one minus Pearson's r within a batch.
    n_iter_ : int
        With fine-tuning, the number of epochs.
    probe_ : ndarray of shape (n_dims,), float32
        The model's vector of a fixed sentence, before fine-tuning. A model given by path is
        compared with it when it is loaded again, so that no other model takes its place unnoticed.
    whitening_ : tuple of two ndarrays, or None
        What is subtracted from the model's unit vectors, of shape (n_model_dims,), and what they
        are multiplied by, of shape (n_dims, n_dims); None with ``number_weight=0`` and no
        whitening.
    n_features_in_ : int
        Always 2.
    feature_names_in_ : ndarray of str, shape (2,)
        Column names, where ``X`` was a frame.

    See Also
    --------
    ParagramEncoder : Has its own vectors, learned from pairs; a thousand times faster.

    Notes
    -----
    Each distinct sentence of a call is encoded once. A grid search encodes again in every fold;
    ``Pipeline(..., memory=folder)`` caches what was computed for training folds.

    References
    ----------
    N. Reimers, I. Gurevych (2019). Sentence-BERT: sentence embeddings using siamese
    BERT-networks. EMNLP.

    J. Su, J. Cao, W. Liu, Y. Ou (2021). Whitening sentence representations for better semantics
    and faster retrieval. arXiv:2103.15316.

    Examples
    --------
    Any encoder will do; here one that needs no other package:

    >>> from skpara import ParagramEncoder, SentenceTransformerFeature
    >>> pairs = [("A man plays a guitar.", "Someone is playing music."), ("A dog runs.", "")]
    >>> feature = SentenceTransformerFeature(ParagramEncoder(), name="average")
    >>> feature.fit_transform(pairs).round(2)
    array([[0.68],
           [0.  ]])
    >>> feature.get_feature_names_out()
    array(['average_similarity'], dtype=object)

    A transformer, saved in a folder::

        SentenceTransformerFeature("models/all-MiniLM-L6-v2").fit_transform(pairs)
    """

    # With metadata routing on, what is passed to a pipeline reaches fit by default.
    __metadata_request__fit = {"groups": True, "unlabeled": True}
    _parameter_constraints: dict[str, list[Any]] = {
        "model": [str, os.PathLike, HasMethods("encode")],
        "output": [StrOptions({"similarity", "interaction", "both"})],
        "number_weight": WHITENING_CONSTRAINTS["number_weight"],
        "whitening": WHITENING_CONSTRAINTS["whitening"],
        "name": [str],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "batch_size": [Interval(Integral, 2, None, closed="left")],
        "cross_fit": [Interval(Integral, 2, None, closed="left"), None],
        "encode_batch_size": [Interval(Integral, 1, None, closed="left"), None],
        "device": TRAINING_CONSTRAINTS["device"][:1],  # a name
        "local_files_only": ["boolean"],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        model: Any,
        *,
        output: str = "similarity",
        number_weight: float = 0.4,
        whitening: float | str = "auto",
        name: str = "transformer",
        max_iter: int = 0,
        learning_rate: float = 2e-5,
        batch_size: int = 32,
        cross_fit: int | None = None,
        encode_batch_size: int | None = None,
        device: str = "auto",
        local_files_only: bool = True,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.model = model
        self.output = output
        self.number_weight = number_weight
        self.whitening = whitening
        self.name = name
        self.max_iter = max_iter
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.cross_fit = cross_fit
        self.encode_batch_size = encode_batch_size
        self.device = device
        self.local_files_only = local_files_only
        self.random_state = random_state
        self.verbose = verbose

    @_fit_context(prefer_skip_nested_validation=False)
    @restore_on_failure
    def fit(
        self,
        X: Any,
        y: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        unlabeled: SentencesLike = None,
    ) -> SentenceTransformerFeature:
        """Load the model, fine-tune it with ``max_iter`` > 0, and learn to whiten its vectors.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
            The pairs to learn from.
        y : array-like of shape (n_pairs,), optional
            Scores; needed for fine-tuning only.
        groups : array-like of shape (n_pairs,), optional
            Data set of each pair. Cosines are compared with scores of the same set only.
        unlabeled : sentences of shape (n_sentences,), optional
            Sentences to be scored later, whose vectors are whitened too.

        Returns
        -------
        SentenceTransformerFeature
            The fitted transformer itself.

        Raises
        ------
        FileNotFoundError
            If there is no such model; with ``local_files_only`` nothing is downloaded.
        TypeError
            If ``max_iter`` > 0 and the model is not one of sentence-transformers.
        ValueError
            If ``max_iter`` > 0 and there are no scores, or these are all the same.
        """
        self._fit(self._check_pairs(X, reset=True), y, groups, unlabeled)
        return self

    def _fit(
        self,
        pairs: Pairs,
        y: ArrayLike | None,
        groups: ArrayLike | None,
        unlabeled: SentencesLike,
        *,
        transforms: bool = False,
    ) -> Floats | None:
        """Fit; return the features of the pairs where ``transforms``, encoding them once."""
        _LOADED.pop(self, None)
        for name in ("probe_", "whitening_", "tuned_weights_", "loss_curve_", "n_iter_"):
            self.__dict__.pop(name, None)
        model = self._original_model()
        self.probe_ = encode_by(model, [_PROBE])[0]
        self.tuned_weights_: Weights = {}
        if self.max_iter:
            tuned = self._fine_tune(model, pairs, np.arange(len(pairs)), y, groups)
            model, self.tuned_weights_, self.loss_curve_ = tuned
            self.n_iter_ = self.max_iter
        _LOADED[self] = self._source(), CachedModel(model)
        self._learn_whitening(pairs, y, groups, unlabeled)
        features = self._pair_features(pairs) if transforms else None
        _LOADED[self] = self._source(), model  # without the cache
        return features

    def _learn_whitening(
        self,
        pairs: Pairs,
        y: ArrayLike | None,
        groups: ArrayLike | None,
        unlabeled: SentencesLike,
    ) -> None:
        self.whitening_: tuple[Vectors, Vectors] | None = None
        if self.whitening == 0 and self.number_weight == 0:
            return  # without encoding anything
        if y is not None:  # class labels choose nothing
            y = None if is_class_labels(y) else check_scores(y, X=pairs)
        more = [] if unlabeled is None else as_sentences(unlabeled)
        sentences = list(dict.fromkeys([*pairs.ravel().tolist(), *more]))
        vectors = self._encode_by_model(sentences)
        learned = learn_whitening(
            vectors, sentences, self.number_weight, self.whitening, pairs, y, groups
        )
        self.whitening_ = None if learned is None else (learned.mean, learned.matrix)

    @_fit_context(prefer_skip_nested_validation=False)
    @restore_on_failure
    def fit_transform(
        self,
        X: Any,
        y: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        unlabeled: SentencesLike = None,
    ) -> Floats:
        """Fit, then transform the same pairs: out of fold where ``cross_fit`` is set.

        Parameters
        ----------
        X, y, groups, unlabeled : see fit
            As in :meth:`fit`.

        Returns
        -------
        ndarray of shape (n_pairs, k), float64
            See ``output``.
        """
        pairs = self._check_pairs(X, reset=True)
        in_folds = self.cross_fit is not None and self.max_iter
        features = self._fit(pairs, y, groups, unlabeled, transforms=not in_folds)
        if features is not None:
            return features
        assert self.cross_fit is not None
        model = self._original_model()

        def fit_fold(train: NDArray[np.intp], test: NDArray[np.intp]) -> Floats:
            fold = copy.copy(self)
            tuned = self._fine_tune(model, pairs, train, y, groups).model
            _LOADED[fold] = self._source(), CachedModel(tuned)
            # One degree for all folds, as one fit decides it.
            fold.whitening = 0.0 if self.whitening_ is None else self.whitening
            fold._learn_whitening(pairs, y, groups, unlabeled)
            return fold._pair_features(pairs[test])

        # One worker: torch spreads the work of each fold over the cores.
        folds = KFold(self.cross_fit, shuffle=True, random_state=self.random_state)
        return out_of_fold(fit_fold, folds.split(pairs))

    def _fine_tune(
        self,
        model: Any,
        pairs: Pairs,
        rows: NDArray[np.intp],
        y: ArrayLike | None,
        groups: ArrayLike | None,
    ) -> TunedModel:
        """Fine-tune the model on some of the pairs."""
        if y is None:
            raise ValueError(f"max_iter={self.max_iter} fine-tunes the model on scores; pass y.")
        scores = check_scores(y, X=pairs)
        sets = np.zeros(len(pairs)) if groups is None else np.asarray(groups)
        check_consistent_length(pairs, sets)
        # A pair with a blank sentence has no cosine.
        rows = np.array([row for row in rows if all(side.strip() for side in pairs[row])], int)
        seed = check_random_state(self.random_state).randint(2**31)
        settings = TuningSettings(self.max_iter, self.learning_rate, self.batch_size, self.verbose)
        return fine_tune(model, pairs[rows], scores[rows], sets[rows], settings, seed)

    def _encode(self, sentences: list[str]) -> Vectors:
        whitening = getattr(self, "whitening_", None)  # none before fit
        vectors = self._encode_by_model(sentences)
        learned = None if whitening is None else Whitening(*whitening)
        return refine(vectors, sentences, self.number_weight, learned)

    def _encode_by_model(self, sentences: list[str]) -> Vectors:
        model, batch_size = self._current_model(), self.encode_batch_size
        return encode_by(model, sentences, batch_size=batch_size, verbose=self.verbose)

    def _n_dims(self) -> int:
        # Without loading the model.
        return len(self.probe_ if self.whitening_ is None else self.whitening_[1])

    @property
    def _feature_prefix(self) -> str:  # type: ignore[override]
        return self.name

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "probe_")

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: scores are required for fine-tuning."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = bool(self.max_iter)
        return tags

    def _current_model(self) -> SentenceModel:
        """Return the fine-tuned model; it is loaded when first needed, and kept."""
        cached = _LOADED.get(self)
        if cached is None or cached[0] != self._source():
            model = self._original_model()
            if getattr(self, "tuned_weights_", None):
                model = with_weights(model, self.tuned_weights_)
            cached = _LOADED[self] = self._source(), model
        return cached[1]

    def _original_model(self) -> SentenceModel:
        """Return the model before fine-tuning; one given by path is loaded."""
        if not isinstance(self.model, (str, os.PathLike)):
            original: SentenceModel = self.model
            return original
        model = load_model(self.model, device=self.device, local_files_only=self.local_files_only)
        self._check_probe(model)
        return model

    def _source(self) -> tuple[Any, str]:
        """Return what changes when ``model`` is set to another one."""
        by_path = isinstance(self.model, (str, os.PathLike))
        return os.fspath(self.model) if by_path else id(self.model), self.device

    def _check_probe(self, model: SentenceModel) -> None:
        """Raise an error if this is not the model of ``fit``."""
        if not self.__sklearn_is_fitted__():
            return
        vector = encode_by(model, [_PROBE])[0]
        if len(vector) == len(self.probe_):
            difference = np.linalg.norm(vector - self.probe_)
            if difference <= _PROBE_TOLERANCE * np.linalg.norm(self.probe_):
                return
        raise ValueError(
            f"The model at {str(self.model)!r} is not the one of fit: its vector of {_PROBE!r} "
            "differs. Restore that model, or fit again."
        )
