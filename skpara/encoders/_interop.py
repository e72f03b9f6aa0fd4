"""Word vectors for other libraries, with skpara's idea of a token."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from skpara.resources import WordVectors

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from model2vec import StaticModel
    from sentence_transformers import SentenceTransformer

_UNKNOWN = "[UNK]"  # words are lower-cased, so it is none of them
# The rule of skpara.text.tokenize, its character classes spelled out: \w differs between engines.
_TOKEN = r"[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+|(?<=[0-9])[.,](?=[0-9])[\p{L}\p{N}]+)*|[^\p{L}\p{N}\s]"


def to_keyed_vectors(vectors: WordVectors) -> KeyedVectors:
    """The table as gensim's ``KeyedVectors``."""
    models = _needed("gensim.models", "gensim")
    keyed = models.KeyedVectors(vectors.n_dims)
    keyed.add_vectors(vectors.words, vectors.matrix)
    return keyed


def to_sentence_transformer(vectors: WordVectors) -> SentenceTransformer:
    """The average as a ``StaticEmbedding`` of sentence-transformers."""
    package = _needed("sentence_transformers", "sentence-transformers")
    try:  # since version 6
        modules = import_module("sentence_transformers.sentence_transformer.modules")
    except ImportError:
        modules = import_module("sentence_transformers.models")
    matrix, tokenizer = _with_unknown(vectors)
    embedding = modules.StaticEmbedding(tokenizer, embedding_weights=matrix)
    return package.SentenceTransformer(modules=[embedding], device="cpu")


def to_static_model(vectors: WordVectors) -> StaticModel:
    """The average as a ``StaticModel`` of model2vec."""
    package = _needed("model2vec", "model2vec")
    matrix, tokenizer = _with_unknown(vectors)
    # Its newer versions cut texts off after 512 tokens, unless told not to.
    may_cut = "max_length" in inspect.signature(package.StaticModel).parameters
    whole: dict[str, Any] = {"max_length": None} if may_cut else {}
    return package.StaticModel(matrix, tokenizer, normalize=False, **whole)


def _with_unknown(vectors: WordVectors) -> tuple[np.ndarray, Any]:
    """The table with a row of zeros for unknown words, and a tokeniser for it."""
    tokenizers = _needed("tokenizers", "tokenizers")
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


def _needed(module: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"This needs {package}: pip install {package}.") from error
