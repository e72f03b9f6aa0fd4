"""Numbers that compare the words of two sentences."""

from skpara.features._document_frequencies import DocumentFrequencies
from skpara.features._lexical import LexicalFeatures

__all__ = ["DocumentFrequencies", "LexicalFeatures"]
