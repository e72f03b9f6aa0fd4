"""Encoders for other libraries, with skpara's tokens."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from skpara._optional import import_optional
from skpara.resources import WordVectors

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from model2vec import StaticModel
    from sentence_transformers import SentenceTransformer

_UNKNOWN = "[UNK]"  # words are lower-cased, so no word is equal to it
# The rule of skpara.text.tokenize with its character classes spelled out: \w differs between
# regular expression engines.
_TOKEN = r"[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+|(?<=[0-9])[.,](?=[0-9])[\p{L}\p{N}]+)*|[^\p{L}\p{N}\s]"


class InteropMixin:
    """Conversion of encoders to those of other libraries."""

    @property
    def word_vectors(self) -> WordVectors:
        """The vectors in use."""
        raise NotImplementedError

    @property
    def averages(self) -> bool:
        """Whether a sentence's vector is the mean of its word vectors."""
        raise NotImplementedError

    def to_keyed_vectors(self) -> KeyedVectors:
        """Convert the table of vectors to gensim's ``KeyedVectors``.

        Returns
        -------
        gensim.models.KeyedVectors
            The same words and vectors.
        """
        models = import_optional("gensim.models", "to_keyed_vectors")
        keyed = models.KeyedVectors(self.word_vectors.n_dims)
        keyed.add_vectors(self.word_vectors.words, self.word_vectors.matrix)
        return keyed

    def to_sentence_transformer(self) -> SentenceTransformer:
        """Convert the encoder to a ``StaticEmbedding`` of sentence-transformers.

        Returns
        -------
        sentence_transformers.SentenceTransformer
            Its vectors are the same; unknown words count as zeros, as with ``oov="zero"``.

        Raises
        ------
        ValueError
            If the network is not the average.
        """
        self._check_averages()
        package = import_optional(
            "sentence_transformers", "to_sentence_transformer", install="sentence-transformers"
        )
        try:  # since version 6
            modules = import_module("sentence_transformers.sentence_transformer.modules")
        except ImportError:
            modules = import_module("sentence_transformers.models")
        matrix, tokenizer = _with_unknown(self.word_vectors)
        embedding = modules.StaticEmbedding(tokenizer, embedding_weights=matrix)
        return package.SentenceTransformer(modules=[embedding], device="cpu")

    def to_static_model(self) -> StaticModel:
        """Convert the encoder to a ``StaticModel`` of model2vec.

        Returns
        -------
        model2vec.StaticModel
            Its vectors of sentences of known words are the same; unknown words are left out of
            the mean. Older versions cut text at 512 tokens unless called with ``max_length=None``.

        Raises
        ------
        ValueError
            If the network is not the average.
        """
        self._check_averages()
        package = import_optional("model2vec", "to_static_model")
        matrix, tokenizer = _with_unknown(self.word_vectors)
        # Newer versions cut text off after 512 tokens by default.
        truncates = "max_length" in inspect.signature(package.StaticModel).parameters
        options: dict[str, Any] = {"max_length": None} if truncates else {}
        return package.StaticModel(matrix, tokenizer, normalize=False, **options)

    def _check_averages(self) -> None:
        if not self.averages:
            raise ValueError("Only the average of word vectors can be converted, not a network.")


def _with_unknown(vectors: WordVectors) -> tuple[np.ndarray, Any]:
    """Return the table with a row of zeros for unknown words, and a tokenizer for it."""
    tokenizers = import_module("tokenizers")
    matrix = np.vstack([vectors.matrix, np.zeros((1, vectors.n_dims), dtype=np.float32)])
    index = dict(vectors.vocabulary.index) | {_UNKNOWN: len(vectors)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(index, unk_token=_UNKNOWN))
    normalizers = tokenizers.normalizers
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFC(),
            normalizers.Replace(tokenizers.Regex("[\u2019\u02bc\uff07]"), "'"),
            normalizers.Lowercase(),
        ]
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split(
        tokenizers.Regex(_TOKEN), behavior="removed", invert=True
    )
    return matrix, tokenizer
