"""More pairs to learn from: sentences translated there and back."""

from skpara.augment._apertium import ApertiumTranslator
from skpara.augment._cache import CachedTranslator
from skpara.augment._function import FunctionTranslator
from skpara.augment._pivot import Paraphrases, PivotParaphraser
from skpara.augment._translator import TranslationError, Translator

__all__ = [
    "ApertiumTranslator",
    "CachedTranslator",
    "FunctionTranslator",
    "Paraphrases",
    "PivotParaphraser",
    "TranslationError",
    "Translator",
]
