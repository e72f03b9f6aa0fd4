"""Sentences to vectors."""

from skpara.encoders._paragram import ParagramEncoder
from skpara.encoders._pooling import mean_vectors

__all__ = ["ParagramEncoder", "mean_vectors"]
