"""Facts about words: vectors and frequencies."""

from skpara.resources._frequencies import WordFrequencies
from skpara.resources._word_vectors import WordVectors
from skpara.resources._wordnet import WordNet

__all__ = ["WordFrequencies", "WordNet", "WordVectors"]
