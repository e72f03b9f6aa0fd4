"""What all encoders share: pairs to similarities."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from skpara._linalg import row_cosines, unit_rows
from skpara._pairs import PairEstimatorMixin, TextTransformMixin, as_sentences, is_sentences
from skpara._typing import Floats, Oov, Pairs, SentencesLike, Vectors
from skpara.encoders._interop import InteropMixin
from skpara.encoders._parallel import BLOCK, in_blocks
from skpara.encoders._pooling import mean_vectors
from skpara.learning import FittedNetwork, NetworkMixin, initial_vectors
from skpara.networks import Network, as_network
from skpara.resources import WordVectors

# What is worth a worker. A process must unpickle the model and index its words, which takes about
# half a second; the average is computed by threads, as most of its work does not hold the GIL.
_MIN_SENTENCES_OF_A_NETWORK = 4096
_MIN_PAIRS_OF_THE_AVERAGE = 4096
# The parameter ``vectors`` of each encoder that encoded before ``fit``, and the table made of it:
# a dict or a file takes longer to convert than thousands of sentences to encode. It is not an
# attribute: encoding must not change an encoder, and copies and pickles must not have the table.
_INITIAL: WeakKeyDictionary[Any, tuple[Any, WordVectors]] = WeakKeyDictionary()


class PairEncoder(PairEstimatorMixin, TextTransformMixin, TransformerMixin, BaseEstimator):
    """Base of whatever turns sentences into vectors, and pairs into comparisons of these.

    A subclass has the parameter ``output``, the method ``_encode`` and the attribute
    ``_feature_prefix``.
    """

    output: str
    _feature_prefix: str

    def encode(self, sentences: SentencesLike) -> Vectors:
        """Encode sentences; works before ``fit`` too.

        Parameters
        ----------
        sentences : sequence of str, shape (n_sentences,)
            The sentences to encode.

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
            The model's; zeros for an empty sentence.
        """
        return self._encode(as_sentences(sentences))

    def similarity(self, a: Sequence[str], b: Sequence[str]) -> Floats:
        """Compute the cosine of the vectors of ``a[i]`` and ``b[i]``.

        Parameters
        ----------
        a, b : sequence of str, shape (n,)
            The first and the second sentence of each pair.

        Returns
        -------
        ndarray of shape (n,), float64
            In [-1, 1].
        """
        first, second = as_sentences(a), as_sentences(b)
        if len(first) != len(second):
            check_consistent_length(a, b)  # raises the error
        return self._compare(first, second, "similarity")[:, 0]

    def _transform(self, X: Any) -> tuple[NDArray[Any], Any]:
        if is_sentences(X):
            rows = self.encode(X)
            return rows, self._vector_names(rows.shape[1])
        check_is_fitted(self)
        return self._pair_features(self._check_pairs(X, reset=False)), self.get_feature_names_out

    def _pair_features(self, pairs: Pairs) -> Floats:
        first, second = pairs.T.tolist()
        return self._compare(first, second, self.output)

    def _compare(self, a: list[str], b: list[str], output: str) -> Floats:
        """Compare ``a[i]`` with ``b[i]``, both validated."""
        return self._encode_and_compare(a, b, output)

    def _encode_and_compare(self, a: list[str], b: list[str], output: str) -> Floats:
        # One call for both sides: a sentence may be on both, and batches are fuller.
        rows = unit_rows(self._encode([*a, *b]))
        u, v = rows[: len(a)], rows[len(a) :]
        cosines = [row_cosines(u, v)[:, None]] if output != "interaction" else []
        if output == "similarity":
            return cosines[0]
        return np.hstack([*cosines, np.abs(u - v), u * v])

    def _encode(self, sentences: list[str]) -> Vectors:
        """Encode validated sentences."""
        raise NotImplementedError

    def _n_dims(self) -> int:
        """Return the length of a vector."""
        return self.encode([""]).shape[1]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the columns that ``transform`` returns.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the columns of text. The names of the output are those for sentences if this
            is a single column, else those for pairs.

        Returns
        -------
        ndarray of str, shape (k,)
            Such as "paragram_similarity" for pairs and "paragram_0" for sentences.
        """
        if input_features is not None and len(input_features) == 1:
            return self._vector_names(self._n_dims())
        check_is_fitted(self)
        prefix, names = self._feature_prefix, []
        if self.output in ("similarity", "both"):
            names.append(f"{prefix}_similarity")
        if self.output in ("interaction", "both"):
            n_dims = self._n_dims()
            names += [f"{prefix}_difference_{i}" for i in range(n_dims)]
            names += [f"{prefix}_product_{i}" for i in range(n_dims)]
        return np.array(names, dtype=object)

    def _vector_names(self, n_dims: int) -> NDArray[np.object_]:
        """Return the names of the columns of vectors."""
        return np.array([f"{self._feature_prefix}_{i}" for i in range(n_dims)], dtype=object)


class SentenceEncoder(InteropMixin, NetworkMixin, PairEncoder):
    """What an encoder with a network does once it is fitted; a subclass fits it.

    A subclass has the parameters ``network``, ``vectors``, ``oov``, ``output``, ``device`` and
    ``n_jobs``.
    """

    network: Any
    vectors: Any
    oov: Oov
    n_jobs: int | None
    _feature_prefix = "paragram"

    def encode(self, sentences: SentencesLike) -> Vectors:
        """Encode sentences; a network without weights also works before ``fit``.

        Such a network, for example the average, then encodes with the initial vectors.

        Parameters
        ----------
        sentences : sequence of str, shape (n_sentences,)
            The sentences to encode.

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
            Zeros for an empty sentence.
        """
        averages = self.averages
        if averages and type(sentences) is list:
            # To look at each type first takes 3 % of the time. What is not a string fails here,
            # and `as_sentences` says where it is.
            with suppress(TypeError, AttributeError):
                return self._encode(sentences)
        texts = as_sentences(sentences)
        if averages:
            return self._encode(texts)
        self._check_can_encode()
        min_rows, n_jobs = _MIN_SENTENCES_OF_A_NETWORK, self.n_jobs
        return in_blocks(SentenceEncoder._encode, self, [texts], min_rows=min_rows, n_jobs=n_jobs)

    @property
    def averages(self) -> bool:
        """Whether a sentence's vector is the mean of its word vectors."""
        return self.current_network.averages

    @property
    def current_network(self) -> Network:
        """The trained network; before ``fit`` the one to train."""
        return as_network(self.network_ if self.__sklearn_is_fitted__() else self.network)

    @property
    def word_vectors(self) -> WordVectors:
        """The trained vectors; before ``fit`` the initial ones."""
        if self.__sklearn_is_fitted__():
            return self.vectors_
        source, table = _INITIAL.get(self, (None, None))
        if table is None or source is not self.vectors:
            table = initial_vectors(self.vectors)
            # Not of an encoder: its vectors take no time to get, and it may be fitted again.
            is_source = isinstance(self.vectors, (str, os.PathLike, Mapping, WordVectors))
            if is_source or hasattr(self.vectors, "index_to_key") or hasattr(self.vectors, "wv"):
                _INITIAL[self] = self.vectors, table
        return table

    def set_params(self, **params: Any) -> Any:
        """Set parameters, as scikit-learn does; a table made of ``vectors`` is made again.

        Parameters
        ----------
        **params : dict
            Values by the name of the parameter.

        Returns
        -------
        SentenceEncoder
            The encoder itself.
        """
        _INITIAL.pop(self, None)
        return super().set_params(**params)

    def _compare(self, a: list[str], b: list[str], output: str) -> Floats:
        if len(a) <= BLOCK:  # what one pair has time for
            return self._encode_and_compare(a, b, output)
        threads = self.averages
        min_rows = _MIN_PAIRS_OF_THE_AVERAGE if threads else _MIN_SENTENCES_OF_A_NETWORK // 2
        if not threads:
            self._check_can_encode()
        work = partial(PairEncoder._encode_and_compare, output=output)
        n_jobs = self.n_jobs
        return in_blocks(work, self, [a, b], min_rows=min_rows, n_jobs=n_jobs, threads=threads)

    def _encode(self, sentences: list[str]) -> Vectors:
        network = self.current_network
        if network.averages:
            return mean_vectors(
                *(self.word_vectors, sentences, self.oov, self.n_jobs),
                distinct_words=network.distinct_words,
            )
        return self._network_on_device().encode(sentences)

    def _check_can_encode(self) -> None:
        """Raise an error here if encoding would raise it, before any worker is started."""
        if not self.__sklearn_is_fitted__():
            self._build_network()

    def _build_network(self) -> FittedNetwork:
        if self.__sklearn_is_fitted__():
            network = as_network(self.network_)
            return FittedNetwork(network, self.weights_, self.vectors_, self.device, self.oov)
        network = as_network(self.network)
        if network.units == "words":
            built = FittedNetwork(network, {}, self.word_vectors, self.device, self.oov)
            if not built.has_weights:
                return built
        raise NotFittedError(
            f"A {self.network!r} network has weights, which fit learns; call fit first. Only "
            "networks without weights, such as the average, encode without."
        )
