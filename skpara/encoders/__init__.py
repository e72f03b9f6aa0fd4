"""Sentences to vectors."""

from skpara.encoders._distillation import distill
from skpara.encoders._external_models import CachedModel
from skpara.encoders._paragram import ParagramEncoder
from skpara.encoders._pooling import mean_vectors
from skpara.encoders._sentence_transformer import SentenceTransformerFeature

__all__ = [
    "CachedModel",
    "ParagramEncoder",
    "SentenceTransformerFeature",
    "distill",
    "mean_vectors",
]
