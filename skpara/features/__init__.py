"""Numbers that compare the words of two sentences."""

from skpara.features._bags import DocumentFrequencies as DocumentFrequencies
from skpara.features._batch import Family, Knowledge, PairBatch
from skpara.features._catalogue import FAMILY_OF as FAMILY_OF
from skpara.features._contrasts import CONTRAST_KINDS as CONTRAST_KINDS
from skpara.features._contrasts import Contrast as Contrast
from skpara.features._contrasts import find_contrasts as find_contrasts
from skpara.features._contrasts import kinds_of as kinds_of
from skpara.features._contrasts import tells_names_apart as tells_names_apart
from skpara.features._families.alignment import aligned_words as aligned_words
from skpara.features._families.alignment import unit_rows_and_norms as unit_rows_and_norms
from skpara.features._families.alignment import word_similarities as word_similarities
from skpara.features._kernels import MOST_WORDS as MOST_WORDS
from skpara.features._lexical import LexicalFeatures as LexicalFeatures
from skpara.features._takelab import WORDNET_POS as WORDNET_POS
from skpara.features._takelab import is_content as is_content
from skpara.features._term_interactions import TermInteractions
from skpara.features.contrast import MEASURES as MEASURES

# Internal: the other names are for other rooms of the package, and for saved files.
__all__ = ["Family", "Knowledge", "PairBatch", "TermInteractions"]
