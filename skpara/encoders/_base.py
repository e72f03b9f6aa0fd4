"""What every encoder of sentences can do once it is fitted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from skpara._pairs import PairEstimatorMixin, as_sentences, is_sentences
from skpara._typing import Oov
from skpara.encoders._interop import (
    to_keyed_vectors,
    to_sentence_transformer,
    to_static_model,
)
from skpara.encoders._parallel import in_blocks
from skpara.encoders._pooling import mean_vectors
from skpara.encoders._similarity import feature_names, pair_features, unit
from skpara.learning._inference import NetworkEncoder, NetworkMixin
from skpara.resources import WordVectors

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from model2vec import StaticModel
    from sentence_transformers import SentenceTransformer

_Pairs = NDArray[np.object_]
_Floats = NDArray[np.float64]
# What is worth a worker, which must unpickle the model and index its words: about half a second
# of work. The average's vectors take longer to send than to compute; its cosines do not.
_SENTENCES_OF_A_NETWORK = 4096
_PAIRS_OF_THE_AVERAGE = 65_536


class PairEncoder(PairEstimatorMixin, TransformerMixin, BaseEstimator):
    """Base of whatever turns sentences into vectors, and pairs into what these say of them.

    A subclass has the parameter ``output`` and the method :meth:`encode`.
    """

    output: str

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
        """Vectors of sentences, shape (n_sentences, n_dims)."""
        raise NotImplementedError

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
        return self._compared(as_sentences(a), as_sentences(b), "similarity")[:, 0]

    def _pair_features(self, pairs: _Pairs) -> NDArray[np.float64]:
        left, right = pairs.T.tolist()
        return self._compared(left, right, self.output)

    def _compared(self, a: list[str], b: list[str], output: str) -> _Floats:
        """Features of the pairs ``(a[i], b[i])``, encoded in one go: a sentence may be on both."""
        vectors = unit(self.encode([*a, *b]))
        return pair_features(vectors[: len(a)], vectors[len(a) :], output)


class SentenceEncoder(NetworkMixin, PairEncoder):
    """Base of encoders: pairs and sentences to numbers.

    A subclass has the parameters ``network``, ``vectors``, ``oov``, ``output`` and ``device``, and
    its ``fit`` sets ``network_``, ``vectors_`` and ``weights_``.
    """

    network: Any
    vectors: Any
    oov: Oov
    device: str
    n_jobs: int | None = None
    network_: Any
    vectors_: WordVectors
    weights_: dict[str, NDArray[np.float32]]

    def encode(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of sentences; the average's before ``fit`` with the given word vectors.

        Parameters
        ----------
        sentences : sequence of str, shape (n_sentences,)

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
        """
        texts = as_sentences(sentences)
        if self._averages():
            return mean_vectors(self._table(), texts, self.oov)
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"A {self.network!r} network has no weights before it is fitted; call fit "
                "first. Only the average encodes without."
            )
        return in_blocks(
            _encoded, self, [texts], least=_SENTENCES_OF_A_NETWORK, n_jobs=self.n_jobs
        )

    def _compared(self, a: list[str], b: list[str], output: str) -> _Floats:
        least: int | None = _SENTENCES_OF_A_NETWORK // 2
        if self._averages():
            least = _PAIRS_OF_THE_AVERAGE if output == "similarity" else None
        work = partial(_features, output=output)
        return in_blocks(work, self, [a, b], least=least, n_jobs=self.n_jobs)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns that ``transform`` gives for pairs."""
        check_is_fitted(self)
        n_dims = 0 if self.output == "similarity" else self.encode([""]).shape[1]
        return feature_names(n_dims, self.output)

    def to_keyed_vectors(self) -> KeyedVectors:
        """The table of vectors as gensim's ``KeyedVectors``."""
        return to_keyed_vectors(self._table())

    def to_sentence_transformer(self) -> SentenceTransformer:
        """The encoder as a ``StaticEmbedding`` of sentence-transformers.

        Vectors are the same; words that the table does not hold count as zeros there, as with
        ``oov="zero"``.

        Raises
        ------
        ValueError
            If the network is not the average.
        ImportError
            If sentence-transformers is not installed.
        """
        return to_sentence_transformer(self._averaged_table())

    def to_static_model(self) -> StaticModel:
        """The encoder as a ``StaticModel`` of model2vec.

        Vectors of sentences of known words are the same; others are left out of the mean there.
        Its ``encode`` cuts text at 512 tokens unless told ``max_length=None``.

        Raises
        ------
        ValueError
            If the network is not the average.
        ImportError
            If model2vec is not installed.
        """
        return to_static_model(self._averaged_table())

    def _table(self) -> WordVectors:
        if self.__sklearn_is_fitted__():
            return self.vectors_
        return WordVectors.load(self.vectors)

    def _averaged_table(self) -> WordVectors:
        if not self._averages():
            raise ValueError(
                f"Only the average has a counterpart in other libraries, not {self.network!r}."
            )
        return self._table()

    def _averages(self) -> bool:
        if self.__sklearn_is_fitted__():
            return not self.weights_
        return bool(self.network == "average" or type(self.network).__name__ == "Average")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "vectors_")

    def _inference(self) -> NetworkEncoder:
        from skpara.networks import as_network

        network = as_network(self.network_)
        return NetworkEncoder(network, self.weights_, self.vectors_, self.oov, **self._compute())


def _encoded(encoder: SentenceEncoder, sentences: list[str]) -> NDArray[np.float32]:
    return encoder._ready().encode(sentences)


def _features(encoder: SentenceEncoder, a: list[str], b: list[str], output: str) -> _Floats:
    return PairEncoder._compared(encoder, a, b, output)
