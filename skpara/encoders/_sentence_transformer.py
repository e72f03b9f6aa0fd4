"""SentenceTransformerFeature: what another model makes of a pair, as one more feature."""

from __future__ import annotations

import os
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from skpara._pairs import as_sentences
from skpara.encoders._base import PairEncoder
from skpara.encoders._pair_features import feature_names
from skpara.encoders._teacher import SentenceModel, encoded, load_model

_PROBE = "A man is playing a guitar."  # its vector tells one model from another


class SentenceTransformerFeature(PairEncoder):
    """Similarity of two sentences by a sentence-transformers model, or any other encoder.

    The model stays as it is; it stands beside other features for a regressor to weigh. With
    ``fit`` it is loaded and asked for one vector, no more.

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
    batch_size : int, default=None
        Sentences encoded at a time, for a model that takes it; None is the model's own. Results
        differ by rounding only, about 1e-6.
    device : {"auto", "cpu", "cuda", "mps"}, default="auto"
        Where a model given by path computes; an object stays where it is.
    local_files_only : bool, default=True
        False lets sentence-transformers download a model that is not there.
    verbose : int, default=0
        1 shows a progress bar, for a model that has one.

    Attributes
    ----------
    probe_ : ndarray of shape (n_dims,), float32
        The model's vector of a fixed sentence. A model given by path is held against it when it
        is loaded again, so that no other model takes its place unnoticed.
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

    _parameter_constraints: dict[str, list[Any]] = {
        "model": [str, os.PathLike, HasMethods("encode")],
        "output": [StrOptions({"similarity", "interaction", "both"})],
        "name": [str],
        "batch_size": [Interval(Integral, 1, None, closed="left"), None],
        "device": [StrOptions({"auto", "cpu", "cuda", "mps"})],
        "local_files_only": ["boolean"],
        "verbose": ["verbose"],
    }
    _loaded: tuple[tuple[str, str], SentenceModel] | None = None

    def __init__(
        self,
        model: Any,
        *,
        output: str = "similarity",
        name: str = "transformer",
        batch_size: int | None = None,
        device: str = "auto",
        local_files_only: bool = True,
        verbose: int = 0,
    ) -> None:
        self.model = model
        self.output = output
        self.name = name
        self.batch_size = batch_size
        self.device = device
        self.local_files_only = local_files_only
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, *, unlabeled: Any = None) -> SentenceTransformerFeature:
        """Check the pairs and load the model.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
        y : ignored
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
        """
        self._validate_params()
        self._check_pairs(X, reset=True)
        self.__dict__.pop("_loaded", None)  # what is in the folder may be new
        self.__dict__.pop("probe_", None)
        self.probe_ = self.encode([_PROBE])[0]
        return self

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
        return encoded(self._ready(), texts, batch_size=self.batch_size, verbose=self.verbose)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns that ``transform`` gives for pairs."""
        check_is_fitted(self)
        return feature_names(len(self.probe_), self.output, self.name)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "probe_")

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_loaded", None)  # the path is enough to load it again
        return state

    def _ready(self) -> SentenceModel:
        """The model; one given by path is loaded when first needed, and kept."""
        if not isinstance(self.model, (str, os.PathLike)):
            return self.model
        source = os.fspath(self.model), self.device
        if self._loaded is None or self._loaded[0] != source:
            model = load_model(source[0], device=source[1], local_files_only=self.local_files_only)
            self._refuse_another(model)
            self._loaded = source, model
        return self._loaded[1]

    def _refuse_another(self, model: SentenceModel) -> None:
        """Compare with the model of ``fit``; precision and device may change a vector by 1 %."""
        if not self.__sklearn_is_fitted__():
            return
        found = encoded(model, [_PROBE])[0]
        if len(found) == len(self.probe_):
            difference = np.linalg.norm(found - self.probe_)
            if difference <= 0.05 * np.linalg.norm(self.probe_):
                return
        raise ValueError(
            f"The model at {str(self.model)!r} is not the one this was fitted with: its vector of "
            f"{_PROBE!r} is another. Put the old model there, or fit again."
        )
