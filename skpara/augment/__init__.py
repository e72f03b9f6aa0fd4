"""Data augmentation: paraphrases by machine translation, and filters of pairs."""

from skpara.augment._apertium import ApertiumTranslator
from skpara.augment._cached_translator import CachedTranslator
from skpara.augment._marian import MarianTranslator
from skpara.augment._paraphrasers import BackTranslator, PivotParaphraser
from skpara.augment._paraphrases import Paraphrases
from skpara.augment._to_english import TranslateToEnglish
from skpara.augment._translator import FunctionTranslator, Hypothesis, TranslationError, Translator

__all__ = [
    "ApertiumTranslator",
    "BackTranslator",
    "CachedTranslator",
    "FunctionTranslator",
    "Hypothesis",
    "MarianTranslator",
    "Paraphrases",
    "PivotParaphraser",
    "TranslateToEnglish",
    "TranslationError",
    "Translator",
]
