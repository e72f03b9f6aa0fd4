"""Facts about words: vectors, frequencies, parts of speech, WordNet."""

from skpara.resources._frequencies import WordFrequencies
from skpara.resources._tagger import Tagger
from skpara.resources._word_vectors import WordVectors
from skpara.resources._wordnet import WordNet

__all__ = ["Tagger", "WordFrequencies", "WordNet", "WordVectors"]
