"""Facts about words: vectors, frequencies, parts of speech and WordNet."""

from skpara.resources._frequencies import WordFrequencies
from skpara.resources._subword import has_digit as has_digit
from skpara.resources._subword import random_directions as random_directions
from skpara.resources._tagger import Tagger as Tagger

# For other rooms of the package.
from skpara.resources._text_warnings import are_foreign as are_foreign
from skpara.resources._text_warnings import warn_of_text as warn_of_text
from skpara.resources._word_vectors import WordVectors as WordVectors
from skpara.resources._word_vectors import eight_bit_codes as eight_bit_codes
from skpara.resources._word_vectors import row_means as row_means
from skpara.resources._word_vectors import with_codes as with_codes
from skpara.resources._wordnet import WordNet as WordNet

__all__ = ["WordFrequencies"]
