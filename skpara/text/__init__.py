"""Tokens and character n-grams of sentences, and their ids."""

# Internal: names for other rooms of the package.
from skpara.text._character_ngrams import CharacterNgrams as CharacterNgrams
from skpara.text._character_ngrams import check_ngram_range as check_ngram_range
from skpara.text._tokenizer import code_points as code_points
from skpara.text._tokenizer import normalize as normalize
from skpara.text._tokenizer import replace_lone_surrogates as replace_lone_surrogates
from skpara.text._tokenizer import tokenize as tokenize
from skpara.text._vocabulary import UnknownIds as UnknownIds
from skpara.text._vocabulary import Vocabulary as Vocabulary

__all__: list[str] = []
