"""SentenceTransformerFeature: what another model makes of a pair, as one more feature."""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import KFold
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from skpara._pairs import as_sentences
from skpara._public import set_module
from skpara.encoders._base import PairEncoder
from skpara.encoders._external_models import SentenceModel, encode_by, load_model
from skpara.encoders._fine_tuning import Tuned, TuningSettings, Weights, fine_tune, with_weights
from skpara.learning import check_scores

_Pairs = NDArray[np.object_]

_PROBE = "A man is playing a guitar."  # its vector tells one model from another


@set_module("skpara")
class SentenceTransformerFeature(PairEncoder):
    """Similarity of two sentences by a sentence-transformers model, or any other encoder.

    It stands beside other features for a regressor to weigh. The model is used as it is, unless
    ``max_iter`` says that it be tuned on the pairs and their scores.

    Parameters
    ----------
    model : path, str, or object with ``encode``
        The folder of a saved sentence-transformers model, or its name on the hub. Or any object
        whose ``encode`` turns a list of str into an array of shape (n_sentences, n_dims): a
        ``SentenceTransformer``, model2vec's ``StaticModel``, an encoder of skpara.

        A path is small in a pickle and the same model must be there where it is loaded. An object
        goes into pickles, and a clone copies it; wrap it in scikit-learn's ``FrozenEstimator``
        for clones to share it, which also keeps an encoder of skpara fitted.
    output : {"similarity", "interaction", "both"}, default="similarity"
        What ``transform`` gives for pairs: the cosine; ``|u - v|`` and ``u * v`` of the unit
        vectors; or all of it.
    name : str, default="transformer"
        What the names of the features start with.
    max_iter : int, default=0
        Passes over the scored pairs in which the model is tuned, for a sentence-transformers
        model; 0 leaves it as it is. What moves is a copy's upper half of layers, up the
        correlation of cosines and scores within a batch of pairs of one group.
    learning_rate : float, default=2e-5
        Of tuning (AdamW); it rises over the first tenth of the steps, then falls to zero.
    tuning_batch_size : int, default=32
        Pairs of a step of tuning.
    cross_fit : int, default=None
        A number of folds: ``fit_transform`` gives a pair the features of a model tuned without
        it, so that a regressor behind does not trust them more than it may. Costs as many times
        more.
    batch_size : int, default=None
        Sentences encoded at a time, for a model that takes it; None is the model's own. Results
        differ by rounding only, about 1e-6.
    device : {"auto", "cpu", "cuda", "mps"}, default="auto"
        Where a model given by path computes; an object stays where it is.
    local_files_only : bool, default=True
        False lets sentence-transformers download a model that is not there.
    random_state : int, RandomState instance or None, default=None
        Of tuning: the order of the pairs, dropout, and the folds of ``cross_fit``.
    verbose : int, default=0
        1 shows progress bars of tuning, and of encoding for a model that has one.

    Attributes
    ----------
    tuned_weights_ : dict of str to ndarray
        The weights that tuning moved, by their names in the model; empty without tuning.
    loss_curve_ : list of float
        With tuning, the mean loss of each pass: one minus Pearson's r within a batch.
    n_iter_ : int
        With tuning, the number of passes.
    probe_ : ndarray of shape (n_dims,), float32
        The model's vector of a fixed sentence, before tuning. A model given by path is held
        against it when it is loaded again, so that no other model takes its place unnoticed.
    n_features_in_ : int
        Always 2.
    feature_names_in_ : ndarray of str, shape (2,)
        Column names, where ``X`` was a frame.

    See Also
    --------
    ParagramEncoder : Its own vectors, learned from pairs; a thousand times faster.

    Notes
    -----
    Each distinct sentence of a call is encoded once. A grid search encodes anew in every fold;
    ``Pipeline(..., memory=folder)`` keeps what was computed for training folds.

    References
    ----------
    N. Reimers, I. Gurevych (2019). Sentence-BERT: sentence embeddings using siamese
    BERT-networks. EMNLP.

    Examples
    --------
    Any encoder will do; here one that needs no other package:

    >>> from skpara import ParagramEncoder, SentenceTransformerFeature
    >>> pairs = [("A man plays a guitar.", "Someone is playing music."), ("A dog runs.", "")]
    >>> feature = SentenceTransformerFeature(ParagramEncoder(), name="average")
    >>> feature.fit_transform(pairs).round(2)
    array([[0.65],
           [0.  ]])
    >>> feature.get_feature_names_out()
    array(['average_similarity'], dtype=object)

    A transformer, saved in a folder (its features do not depend on the data, so that ``fit`` is
    quick)::

        SentenceTransformerFeature("models/all-MiniLM-L6-v2").fit_transform(pairs)
    """

    # With metadata routing on, what is given to a pipeline comes here unasked for.
    __metadata_request__fit = {"groups": True, "unlabeled": True}
    _parameter_constraints: dict[str, list[Any]] = {
        "model": [str, os.PathLike, HasMethods("encode")],
        "output": [StrOptions({"similarity", "interaction", "both"})],
        "name": [str],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "tuning_batch_size": [Interval(Integral, 2, None, closed="left")],
        "cross_fit": [Interval(Integral, 2, None, closed="left"), None],
        "batch_size": [Interval(Integral, 1, None, closed="left"), None],
        "device": [StrOptions({"auto", "cpu", "cuda", "mps"})],
        "local_files_only": ["boolean"],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }
    _loaded: tuple[tuple[Any, str], SentenceModel] | None = None

    def __init__(
        self,
        model: Any,
        *,
        output: str = "similarity",
        name: str = "transformer",
        max_iter: int = 0,
        learning_rate: float = 2e-5,
        tuning_batch_size: int = 32,
        cross_fit: int | None = None,
        batch_size: int | None = None,
        device: str = "auto",
        local_files_only: bool = True,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.model = model
        self.output = output
        self.name = name
        self.max_iter = max_iter
        self.learning_rate = learning_rate
        self.tuning_batch_size = tuning_batch_size
        self.cross_fit = cross_fit
        self.batch_size = batch_size
        self.device = device
        self.local_files_only = local_files_only
        self.random_state = random_state
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        unlabeled: Any = None,
    ) -> SentenceTransformerFeature:
        """Load the model, and tune it where ``max_iter`` says so.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
        y : array-like of shape (n_pairs,), optional
            Scores; needed for tuning only.
        groups : array-like of shape (n_pairs,), optional
            Data set of each pair. Cosines are compared with scores of the same set only.
        unlabeled : ignored
            Accepted because encoders and lexical features beside it in a union learn from it.

        Returns
        -------
        self

        Raises
        ------
        ImportError
            If the model is given by path and sentence-transformers is not installed.
        FileNotFoundError
            If the model is not there; with ``local_files_only`` nothing is downloaded.
        TypeError
            If ``max_iter`` is given for a model that is not of sentence-transformers.
        ValueError
            If there is nothing to tune on.
        """
        self._validate_params()
        self._fit(self._check_pairs(X, reset=True), y, groups)
        return self

    def _fit(self, pairs: _Pairs, y: ArrayLike | None, groups: ArrayLike | None) -> None:
        for name in ("_loaded", "probe_", "tuned_weights_", "loss_curve_", "n_iter_"):
            self.__dict__.pop(name, None)
        model = self._given()
        self.probe_ = encode_by(model, [_PROBE])[0]
        self.tuned_weights_: Weights = {}
        if self.max_iter:
            tuned = self._tuned(model, pairs, np.arange(len(pairs)), y, groups)
            model, self.tuned_weights_, self.loss_curve_ = tuned
            self.n_iter_ = self.max_iter
        self._loaded = self._source(), model

    def fit_transform(
        self,
        X: Any,
        y: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        unlabeled: Any = None,
    ) -> NDArray[np.float64]:
        """Fit, then transform the same pairs: out of fold where ``cross_fit`` is given."""
        self._validate_params()
        pairs = self._check_pairs(X, reset=True)
        self._fit(pairs, y, groups)
        if self.cross_fit is None or not self.max_iter:
            return self._pair_features(pairs)
        model = self._given()
        folds = KFold(self.cross_fit, shuffle=True, random_state=self.random_state)
        features = np.empty((len(pairs), len(self.get_feature_names_out())))
        for train, test in folds.split(pairs):
            fold = copy.copy(self)
            fold._loaded = self._source(), self._tuned(model, pairs, train, y, groups).model
            features[test] = fold._pair_features(pairs[test])
        return features

    def _tuned(
        self,
        model: Any,
        pairs: _Pairs,
        rows: NDArray[np.intp],
        y: ArrayLike | None,
        groups: ArrayLike | None,
    ) -> Tuned:
        """The model tuned on some of the pairs; a pair with a blank sentence has no cosine."""
        if y is None:
            raise ValueError(f"max_iter={self.max_iter} tunes the model on scores; pass y.")
        scores = check_scores(y, pairs)
        sets = np.zeros(len(pairs)) if groups is None else np.asarray(groups)
        check_consistent_length(pairs, sets)
        rows = np.array([row for row in rows if all(side.strip() for side in pairs[row])], int)
        seed = check_random_state(self.random_state).randint(2**31)
        settings = TuningSettings(
            self.max_iter, self.learning_rate, self.tuning_batch_size, self.verbose
        )
        return fine_tune(model, pairs[rows], scores[rows], sets[rows], settings, seed)

    def encode(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of sentences; works before ``fit`` too.

        Parameters
        ----------
        sentences : sequence of str, shape (n_sentences,)

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
            The model's; zeros for an empty sentence.
        """
        texts = as_sentences(sentences)
        return encode_by(self._ready(), texts, batch_size=self.batch_size, verbose=self.verbose)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns that ``transform`` gives for pairs."""
        check_is_fitted(self)
        return self._feature_names(len(self.probe_), self.name)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "probe_")

    def __sklearn_tags__(self) -> Any:
        """Scikit-learn's tags: scores are required for tuning."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = bool(self.max_iter)
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_loaded", None)  # the path is enough to load it again
        return state

    def _ready(self) -> SentenceModel:
        """The model as tuned; made when first needed, and kept."""
        if self._loaded is None or self._loaded[0] != self._source():
            model = self._given()
            if getattr(self, "tuned_weights_", None):
                model = with_weights(model, self.tuned_weights_)
            self._loaded = self._source(), model
        return self._loaded[1]

    def _given(self) -> SentenceModel:
        """The model before tuning; one given by path is loaded."""
        if not isinstance(self.model, (str, os.PathLike)):
            given: SentenceModel = self.model
            return given
        model = load_model(self.model, device=self.device, local_files_only=self.local_files_only)
        self._refuse_another(model)
        return model

    def _source(self) -> tuple[Any, str]:
        """What tells whether another model was put in the place of the one that is kept."""
        by_path = isinstance(self.model, (str, os.PathLike))
        return os.fspath(self.model) if by_path else id(self.model), self.device

    def _refuse_another(self, model: SentenceModel) -> None:
        """Compare with the model of ``fit``; precision and device may change a vector by 1 %."""
        if not self.__sklearn_is_fitted__():
            return
        found = encode_by(model, [_PROBE])[0]
        if len(found) == len(self.probe_):
            difference = np.linalg.norm(found - self.probe_)
            if difference <= 0.05 * np.linalg.norm(self.probe_):
                return
        raise ValueError(
            f"The model at {str(self.model)!r} is not the one this was fitted with: its vector of "
            f"{_PROBE!r} is another. Put the old model there, or fit again."
        )
