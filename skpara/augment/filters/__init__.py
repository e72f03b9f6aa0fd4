"""Filters of synthetic pairs: a score for each pair, and bounds on the score."""

from skpara.augment.filters._base import PairFilter
from skpara.augment.filters._language_model import LanguageModelFilter
from skpara.augment.filters._ngrams import BleuFilter, OverlapFilter
from skpara.augment.filters._reference import ReferenceFilter
from skpara.augment.filters._simple import (
    DuplicateFilter,
    LanguageFilter,
    LengthFilter,
    TranslationCostFilter,
)

__all__ = [
    "BleuFilter",
    "DuplicateFilter",
    "LanguageFilter",
    "LanguageModelFilter",
    "LengthFilter",
    "OverlapFilter",
    "PairFilter",
    "ReferenceFilter",
    "TranslationCostFilter",
]
