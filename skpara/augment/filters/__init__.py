"""Filters of synthetic pairs: a score for each pair, and bounds on the score."""

from skpara.augment.filters._base import PairFilter
from skpara.augment.filters._language_model import LanguageModelFilter
from skpara.augment.filters._reference import ReferenceFilter
from skpara.augment.filters._simple import (
    BleuFilter,
    DuplicateFilter,
    LengthFilter,
    OverlapFilter,
    TranslationCostFilter,
)

__all__ = [
    "BleuFilter",
    "DuplicateFilter",
    "LanguageModelFilter",
    "LengthFilter",
    "OverlapFilter",
    "PairFilter",
    "ReferenceFilter",
    "TranslationCostFilter",
]
