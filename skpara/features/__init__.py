"""Numbers that compare the words of two sentences."""

from skpara.features._batch import WORDNET_POS, Family, Knowledge, PairBatch
from skpara.features._catalogue import FAMILY_OF as FAMILY_OF
from skpara.features._document_frequencies import DocumentFrequencies
from skpara.features._lexical import LexicalFeatures
from skpara.features._lists import MOST_WORDS
from skpara.features._takelab_tokens import is_content
from skpara.features._term_interactions import TermInteractions
from skpara.features.families._alignment import (
    aligned_words,
    unit_rows_and_norms,
    word_similarities,
)

__all__ = [
    "MOST_WORDS",
    "WORDNET_POS",
    "DocumentFrequencies",
    "Family",
    "Knowledge",
    "LexicalFeatures",
    "PairBatch",
    "TermInteractions",
    "aligned_words",
    "is_content",
    "unit_rows_and_norms",
    "word_similarities",
]
