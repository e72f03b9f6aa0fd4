"""Facts about words: vectors and frequencies."""

from skpara.resources._frequencies import WordFrequencies
from skpara.resources._word_vectors import WordVectors

__all__ = ["WordFrequencies", "WordVectors"]
