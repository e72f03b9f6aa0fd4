"""Sentences to vectors."""

from skpara.encoders._paragram import ParagramEncoder
from skpara.encoders._pooling import mean_vectors
from skpara.encoders._presets import paper_settings

__all__ = ["ParagramEncoder", "mean_vectors", "paper_settings"]
