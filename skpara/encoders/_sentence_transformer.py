"""SentenceTransformerFeature: the similarity by another model, as a feature."""

from __future__ import annotations

import os
from dataclasses import KW_ONLY, field
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils._param_validation import HasMethods

from skpara._estimators import restore_on_failure
from skpara._pairs import as_sentences
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator, TransformerMixin, checks_parameters
from skpara._typing import (
    Attributes,
    Constraints,
    FilePath,
    Floats,
    Output,
    Pairs,
    SentenceModel,
    SentencesLike,
    Vectors,
)
from skpara._validation import counted
from skpara.encoders._base import OUTPUTS, PairEncoder
from skpara.encoders._external_models import CachedModel, as_model, encode_by
from skpara.encoders._training import Supervision
from skpara.encoders._whitening import Whitening, learn_whitening, refine
from skpara.learning import TRAINING_CONSTRAINTS, WHITENING_CONSTRAINTS

_PROBE = "A man is playing a guitar."  # its vector identifies a model
# Precision and device change a vector by up to 1 %, another model by far more.
_PROBE_TOLERANCE = 0.05


@set_module("skpara")
@with_fields
class SentenceTransformerFeature(PairEncoder, TransformerMixin, BaseEstimator):
    """Similarity of two sentences by a sentence-transformers model, or any other encoder.

    It is one feature among others for a regressor to weigh. The model's weights stay as they are.

    Parameters
    ----------
    model : path, str, or object with ``encode``
        The folder of a saved sentence-transformers model, or its name on the hub; or any object
        whose ``encode`` turns a list of str into an array of shape (n_sentences, n_dims): a
        ``SentenceTransformer``, model2vec's ``StaticModel``, an encoder of skpara.

        A path is small in a pickle, and the same model must be there where it is loaded. An object
        is pickled, and a clone copies it; wrap it in scikit-learn's ``FrozenEstimator`` for clones
        to share it, which also keeps an encoder of skpara fitted.
    output : {"measures", "similarity", "interaction", "both"}, default="similarity"
        Result of ``transform`` for pairs, see :class:`ParagramEncoder`; by default the cosine.
    number_weight : float, default=0.4
        Weight of the random directions that distinguish numbers, in separate dimensions, see
        :class:`~skpara.learning.Teacher`. 0 leaves them out.
    whitening : "auto" or float, default="auto"
        Degree of whitening, from 0 (none) to 1, see :class:`~skpara.learning.Teacher`. ``fit``
        encodes the sentences of ``X`` and ``unlabeled`` for it. Before ``fit``, and with both
        parameters at 0, vectors are the model's own.
    name : str, default="transformer"
        Prefix of the names of the features.
    device : {"auto", "cpu", "cuda", "cuda:<number>", "mps"}, default="auto"
        Device of a model given by path; an object stays on its own.
    local_files_only : bool, default=True
        False allows sentence-transformers to download the model.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    probe_ : ndarray of shape (n_dims,), float32
        The model's vector of a fixed sentence. A model given by path is compared with it when it
        is loaded again, so that no other model takes its place unnoticed.
    whitening_ : tuple of two ndarrays, or None
        Mean subtracted from the model's unit vectors, of shape (n_model_dims,), and the matrix
        they are multiplied by, of shape (n_dims, n_dims); None with ``number_weight=0`` and no
        whitening.
    n_features_in_ : int
        Always 2.

    See Also
    --------
    ParagramEncoder : Has its own vectors, learned from pairs; much faster.

    Notes
    -----
    Each distinct sentence of a call is encoded once. A grid search encodes again in every fold;
    ``Pipeline(..., memory=folder)`` caches the features of training folds.

    References
    ----------
    N. Reimers, I. Gurevych (2019). Sentence-BERT: sentence embeddings using siamese
    BERT-networks. EMNLP.

    J. Su, J. Cao, W. Liu, Y. Ou (2021). Whitening sentence representations for better semantics
    and faster retrieval. arXiv:2103.15316.

    Examples
    --------
    Any encoder will do; this one needs no other package:

    >>> from skpara import ParagramEncoder, SentenceTransformerFeature
    >>> pairs = [("A man plays a guitar.", "Someone is playing music."), ("A dog runs.", "")]
    >>> feature = SentenceTransformerFeature(ParagramEncoder(), name="average")
    >>> feature.fit_transform(pairs).round(2)
    array([[0.66],
           [0.  ]])
    >>> feature.get_feature_names_out()
    array(['average_similarity'], dtype=object)

    A transformer, saved in a folder::

        SentenceTransformerFeature("models/all-MiniLM-L6-v2").fit_transform(pairs)
    """

    model: FilePath | SentenceModel
    _: KW_ONLY
    output: Output = "similarity"
    number_weight: float = 0.4
    whitening: float | Literal["auto"] = "auto"
    name: str = "transformer"
    device: str = "auto"
    local_files_only: bool = True
    verbose: int = 0

    _loaded: tuple[Any, Any] = field(init=False)  # source and model; see __getstate__
    _fixed_by_fit = ("output", "number_weight")
    # With metadata routing on, arguments of a pipeline's fit reach this fit by default.
    __metadata_request__fit = {"groups": True, "unlabeled": True, "sample_weight": True}
    _parameter_constraints: ClassVar[Constraints] = {
        "model": [str, os.PathLike, HasMethods("encode")],
        "output": OUTPUTS,
        **WHITENING_CONSTRAINTS,
        "name": [str],
        "device": TRAINING_CONSTRAINTS["device"][:1],  # a name
        "local_files_only": ["boolean"],
        "verbose": ["verbose"],
    }

    @checks_parameters
    @restore_on_failure
    def fit(
        self,
        X: Any,
        y: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        unlabeled: SentencesLike | None = None,
    ) -> Self:
        """Load the model, and learn to whiten its vectors.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
            The pairs to learn from.
        y : array-like of shape (n_pairs,), optional
            Scores, by which ``whitening="auto"`` decides.
        sample_weight : array-like of shape (n_pairs,), optional
            Pairs of weight 0 are left out. Other weights make no difference.
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
        """
        self._fit(X, y, sample_weight, groups, unlabeled)
        self._loaded = self._source(), self._loaded[1].model  # without the cache
        return self

    @checks_parameters
    @restore_on_failure
    def fit_transform(
        self,
        X: Any,
        y: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        unlabeled: SentencesLike | None = None,
    ) -> Floats:
        """Fit, then transform the same pairs; each sentence is encoded once.

        Parameters
        ----------
        X, y, sample_weight, groups, unlabeled : see fit
            As in :meth:`fit`.

        Returns
        -------
        ndarray of shape (n_pairs, k), float64
            See ``output``.
        """
        features = self._pair_features(self._fit(X, y, sample_weight, groups, unlabeled))
        self._loaded = self._source(), self._loaded[1].model
        return features

    def _fit(
        self,
        X: Any,
        y: ArrayLike | None,
        sample_weight: ArrayLike | None,
        groups: ArrayLike | None,
        unlabeled: SentencesLike | None,
    ) -> Pairs:
        """Fit, keep the vectors of the sentences, and return the pairs."""
        given = self.check_pairs(X, reset=True)
        pairs, y, groups, _ = counted(sample_weight, given, y, groups)
        for name in ("probe_", "whitening_", "_loaded"):
            self.__dict__.pop(name, None)
        model = CachedModel(self._load_model())
        self._loaded = self._source(), model
        self.probe_ = encode_by(model, [_PROBE])[0]
        self.whitening_: Whitening | None = None
        if self.whitening == 0 and self.number_weight == 0:
            return given  # without encoding anything
        scores = Supervision.of(pairs, y, None, silent=True).scores  # none of class labels
        more = [] if unlabeled is None else as_sentences(unlabeled)
        sentences = list(dict.fromkeys([*pairs.ravel().tolist(), *more]))
        vectors = self._encode_by_model(sentences)
        self.whitening_ = learn_whitening(
            vectors, sentences, self.number_weight, self.whitening, pairs, scores, groups
        )
        return given

    def _encode(self, sentences: list[str]) -> Vectors:
        vectors = self._encode_by_model(sentences)
        weight = self._fitted_parameter("number_weight")
        whitening = getattr(self, "whitening_", None)  # none before fit
        return refine(vectors, sentences, weight, whitening)

    def _encode_by_model(self, sentences: list[str]) -> Vectors:
        source = self._source()
        if "_loaded" not in vars(self) or self._loaded[0] != source:
            self._loaded = source, self._load_model()
        return encode_by(self._loaded[1], sentences, verbose=self.verbose)

    def _load_model(self) -> SentenceModel:
        """Return the model, which must be the one of ``fit``, if there was a fit."""
        model = as_model(self.model, device=self.device, local_files_only=self.local_files_only)
        if self.__sklearn_is_fitted__():
            vector = encode_by(model, [_PROBE])[0]
            limit = _PROBE_TOLERANCE * np.linalg.norm(self.probe_)
            if vector.shape != self.probe_.shape or np.linalg.norm(vector - self.probe_) > limit:
                raise ValueError(
                    f"The model at {str(self.model)!r} is not the one of fit: its vector of "
                    f"{_PROBE!r} differs. Restore that model, or fit again."
                )
        return model

    def _source(self) -> tuple[Any, str]:
        """Return a key that changes with the model."""
        model = self.model
        key = os.fspath(model) if isinstance(model, (str, os.PathLike)) else id(model)
        return key, self.device

    def _n_dims(self) -> int:
        # Without loading the model.
        return len(self.probe_ if self.whitening_ is None else self.whitening_[1])

    @property
    def _feature_prefix(self) -> str:  # type: ignore[override]
        return self.name

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "probe_")

    def __getstate__(self) -> Attributes:
        # Without the loaded model: its path is enough to load it again.
        return {name: value for name, value in super().__getstate__().items() if name != "_loaded"}
