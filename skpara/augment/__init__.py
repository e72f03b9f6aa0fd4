"""More pairs to learn from: paraphrases by machine translation, and filters for them."""

from skpara.augment._apertium import ApertiumTranslator
from skpara.augment._cached_translator import CachedTranslator
from skpara.augment._marian import MarianTranslator
from skpara.augment._paraphrasers import BackTranslator, ParaphraseSampler, PivotParaphraser
from skpara.augment._paraphrases import Paraphrases
from skpara.augment._to_english import TranslateToEnglish
from skpara.augment._translationese import (
    compare_translations,
    mean_idf,
    ngram_entropy,
    repetition_rates,
)
from skpara.augment._translator import FunctionTranslator, Hypothesis, TranslationError, Translator

__all__ = [
    "ApertiumTranslator",
    "BackTranslator",
    "CachedTranslator",
    "FunctionTranslator",
    "Hypothesis",
    "MarianTranslator",
    "ParaphraseSampler",
    "Paraphrases",
    "PivotParaphraser",
    "TranslateToEnglish",
    "TranslationError",
    "Translator",
    "compare_translations",
    "mean_idf",
    "ngram_entropy",
    "repetition_rates",
]
