"""ParagramVectorizer: one column of text to vectors."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils._param_validation import HasMethods

from skpara._compatibility import DefaultsMixin
from skpara._estimators import SharedModelsMixin
from skpara._pairs import as_sentences
from skpara._public import set_module
from skpara._sklearn import BaseEstimator, TransformerMixin, checks_parameters
from skpara._typing import Attributes, Constraints, EncoderLike, Objects, SentencesLike, Vectors
from skpara.encoders._external_models import encode_by
from skpara.encoders._paragram import ParagramEncoder
from skpara.resources import WordVectors


@set_module("skpara", trusted=True)
class ParagramVectorizer(SharedModelsMixin, DefaultsMixin, TransformerMixin, BaseEstimator):
    """Turn one column of text into vectors, for any estimator of scikit-learn.

    Like ``HashingVectorizer``, it takes sentences rather than pairs and has nothing to fit.
    Sentences with similar meanings have vectors that point in similar directions.

    Parameters
    ----------
    encoder : "default" or object with ``encode``, default="default"
        Source of the vectors: "default" is :class:`ParagramEncoder` with the packaged vectors;
        any other is a fitted encoder, or an object whose ``encode`` turns a list of str into an
        array of shape (n_sentences, n_dims), such as a ``SentenceTransformer``. It is used as it
        is: clones share it and keep it fitted.

    See Also
    --------
    ParagramEncoder : Learns from pairs of sentences, and compares them.

    Notes
    -----
    Estimators that use Euclidean distances, such as ``KMeans``, often work better with vectors of
    length 1: put scikit-learn's ``Normalizer`` in between.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from skpara import ParagramVectorizer
    >>> texts = ["A dog barks.", "The cat sleeps.", "Shares fell.", "Prices rose again."]
    >>> model = make_pipeline(ParagramVectorizer(), LogisticRegression())
    >>> model.fit(texts, ["pets", "pets", "money", "money"]).predict(["A puppy runs."])
    array(['pets'], dtype='<U5')

    In a frame with other columns, name the column by a string, not by a list::

        ColumnTransformer([("title", ParagramVectorizer(), "title")], remainder="passthrough")
    """

    # skrub passes such a transformer each column as a Series instead of a frame.
    __single_column_transformer__ = True
    _parameter_constraints: Constraints = {"encoder": [HasMethods("encode")]}

    def __init__(self, encoder: EncoderLike = "default") -> None:
        self.encoder = encoder

    @checks_parameters
    def fit(self, X: SentencesLike, y: Any = None) -> Self:
        """Validate the parameters and the sentences; nothing is learned.

        Parameters
        ----------
        X : sentences of shape (n_sentences,)
            One column of text.
        y : object, optional
            Ignored.

        Returns
        -------
        ParagramVectorizer
            The vectorizer itself.
        """
        self._encoder()
        as_sentences(X)
        return self

    def transform(self, X: SentencesLike) -> Vectors:
        """Compute the vectors of sentences; works without ``fit``.

        Parameters
        ----------
        X : sentences of shape (n_sentences,)
            One column of text.

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
            The vectors, or a frame as ``set_output`` says; zeros for an empty sentence.
        """
        sentences = as_sentences(X)
        encoder = self._encoder()
        if isinstance(encoder, ParagramEncoder):
            return np.asarray(encoder.encode(sentences), dtype=np.float32)
        return encode_by(encoder, sentences)  # validates what anything else returns

    def get_feature_names_out(self, input_features: Any = None) -> Objects:
        """Return the names of the dimensions.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Ignored, as by scikit-learn's other vectorizers.

        Returns
        -------
        ndarray of str, shape (n_dims,)
            "paragram_0", "paragram_1", ...
        """
        # Not of transform, which names its columns by this method where the output is a frame.
        n_dims = np.asarray(self._encoder().encode([""])).shape[1]
        return np.array([f"paragram_{i}" for i in range(n_dims)], dtype=object)

    def _encoder(self) -> Any:
        if not isinstance(self.encoder, str):
            return self.encoder
        if self.encoder != "default":  # strings, too, have the method encode
            raise ValueError(
                f"encoder must be 'default' or an object with encode, got {self.encoder!r}. For "
                "other word vectors, pass ParagramEncoder(vectors=...)."
            )
        return ParagramEncoder()

    def _to_file(self) -> tuple[Attributes, Attributes]:
        """Return parameters and fitted attributes; files keep the vectors, which may change."""
        encoder = self.encoder
        if isinstance(encoder, str):
            encoder = ParagramEncoder(vectors=WordVectors.load())
        return {"encoder": encoder}, {}

    def __sklearn_is_fitted__(self) -> bool:
        """Nothing is fitted, so it always is."""
        return True

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: one column of text, nothing to fit."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = False
        tags.transformer_tags.preserves_dtype = []
        return tags
