"""Numbers that compare the words of two sentences."""

from skpara.features._batch import WORDNET_POS, Family, Knowledge, PairBatch
from skpara.features._document_frequencies import DocumentFrequencies
from skpara.features._lexical import LexicalFeatures
from skpara.features.families._alignment import (
    aligned_words,
    is_content,
    unit_rows_and_norms,
    word_similarities,
)

__all__ = [
    "WORDNET_POS",
    "DocumentFrequencies",
    "Family",
    "Knowledge",
    "LexicalFeatures",
    "PairBatch",
    "aligned_words",
    "is_content",
    "unit_rows_and_norms",
    "word_similarities",
]
