"""Sentence vectors, from word vectors, networks or transformers."""

from skpara.encoders._bitext import align_vectors
from skpara.encoders._distillation import distill
from skpara.encoders._external_models import CachedModel
from skpara.encoders._paragram import ParagramEncoder
from skpara.encoders._sentence_transformer import SentenceTransformerFeature
from skpara.encoders._vectorizer import ParagramVectorizer

__all__ = [
    "CachedModel",
    "ParagramEncoder",
    "ParagramVectorizer",
    "SentenceTransformerFeature",
    "align_vectors",
    "distill",
]
