"""Sentences to tokens, and tokens to ids."""

from skpara.text._character_ngrams import CharacterNgrams
from skpara.text._code_points import code_points, items_to_end
from skpara.text._tokenizer import normalize, tokenize
from skpara.text._tokenizer import replace_lone_surrogates as replace_lone_surrogates
from skpara.text._vocabulary import TokenIds, Vocabulary
from skpara.text._vocabulary import UnknownIds as UnknownIds

__all__ = [
    "CharacterNgrams",
    "TokenIds",
    "Vocabulary",
    "code_points",
    "items_to_end",
    "normalize",
    "tokenize",
]
