"""Sentences to vectors."""

from skpara.encoders._external_models import CachedModel
from skpara.encoders._paragram import ParagramEncoder
from skpara.encoders._pooling import mean_vectors
from skpara.encoders._quantization import quantize
from skpara.encoders._sentence_transformer import SentenceTransformerFeature

__all__ = [
    "CachedModel",
    "ParagramEncoder",
    "SentenceTransformerFeature",
    "mean_vectors",
    "quantize",
]
