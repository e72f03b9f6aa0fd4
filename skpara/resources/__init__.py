"""Facts about words: vectors and frequencies."""

from skpara.resources._word_vectors import WordVectors

__all__ = ["WordVectors"]
