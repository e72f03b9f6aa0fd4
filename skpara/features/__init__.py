"""Numbers that compare the words of two sentences."""

from skpara.features._lexical import LexicalFeatures

__all__ = ["LexicalFeatures"]
