"""Which synthetic pairs to keep: a score for each, and bounds to tune."""

from skpara.augment.filters._base import PairFilter
from skpara.augment.filters._bleu import BleuFilter
from skpara.augment.filters._cost import TranslationCostFilter
from skpara.augment.filters._duplicates import DuplicateFilter
from skpara.augment.filters._language import LanguageFilter
from skpara.augment.filters._language_model import LanguageModelFilter
from skpara.augment.filters._length import LengthFilter
from skpara.augment.filters._overlap import OverlapFilter
from skpara.augment.filters._reference import ReferenceFilter

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
