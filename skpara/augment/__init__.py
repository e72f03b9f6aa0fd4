"""More pairs to learn from: sentences translated there and back."""

from skpara.augment._analysis import (
    compare_translations,
    mean_idf,
    ngram_entropy,
    repetition_rates,
)
from skpara.augment._apertium import ApertiumTranslator
from skpara.augment._back import BackTranslator
from skpara.augment._cache import CachedTranslator
from skpara.augment._function import FunctionTranslator
from skpara.augment._marian import MarianTranslator
from skpara.augment._paraphrases import Paraphrases
from skpara.augment._pivot import PivotParaphraser
from skpara.augment._sampler import ParaphraseSampler
from skpara.augment._to_english import TranslateToEnglish
from skpara.augment._translator import Hypothesis, TranslationError, Translator

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
