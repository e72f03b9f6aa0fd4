"""Sentences to tokens, tokens to ids."""

from skpara.text._tokenizer import tokenize
from skpara.text._vocabulary import TokenIds, Vocabulary

__all__ = ["TokenIds", "Vocabulary", "tokenize"]
