"""Numbers that compare the words of two sentences."""

from skpara.features._batch import WORDNET_POS, Knowledge, PairBatch
from skpara.features._document_frequencies import DocumentFrequencies
from skpara.features._lexical import LexicalFeatures
from skpara.features.families._alignment import unit_rows_and_norms
from skpara.features.families._word_alignment import (
    aligned_words,
    is_content,
    word_similarities,
)

__all__ = [
    "WORDNET_POS",
    "DocumentFrequencies",
    "Knowledge",
    "LexicalFeatures",
    "PairBatch",
    "aligned_words",
    "is_content",
    "unit_rows_and_norms",
    "word_similarities",
]
