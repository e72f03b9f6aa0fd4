"""Sentences to tokens, tokens to ids."""

from skpara.text._character_ngrams import CharacterNgrams
from skpara.text._tokenizer import tokenize
from skpara.text._vocabulary import TokenIds, Vocabulary

__all__ = ["CharacterNgrams", "TokenIds", "Vocabulary", "tokenize"]
