"""Pairs of any language as pairs of English."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils._param_validation import StrOptions

from skpara._pairs import PairEstimatorMixin, as_sentences, is_sentences
from skpara._public import set_module
from skpara._warnings import warn
from skpara.augment._apertium import ApertiumTranslator
from skpara.augment._cache import CachedTranslator
from skpara.augment._languages import LanguageDetector
from skpara.augment._translator import Translator

_ENGLISH = "en"

Translators = Callable[[str, str], Translator] | Mapping[str, Translator]


@set_module("skpara.augment")
class TranslateToEnglish(PairEstimatorMixin, TransformerMixin, BaseEstimator):
    """Translate what is not English, sentence by sentence, and leave English as it is.

    Put it first in a pipeline, and a system for English pairs scores pairs of which either
    sentence, or both, are in another language.

    Parameters
    ----------
    languages : sequence of str, default=("en", "es")
        Codes of two letters of the languages expected. The fewer, the surer is the detector of
        short sentences; None is all that it knows.
    translators : "apertium", callable or mapping, default="apertium"
        A callable takes two languages and gives a :class:`Translator` from the one to the other;
        a mapping has translators into English by the code of their language.
    detector : "py3langid" or callable, default="py3langid"
        A callable takes a list of sentences and gives the language of each.
    cache : path, default=None
        A file that keeps the translations; see :class:`CachedTranslator`.

    Attributes
    ----------
    n_features_in_ : int
        Always 2, where it was fitted on pairs.

    See Also
    --------
    skpara.make_sts_pipeline : What can stand behind it.

    Notes
    -----
    Sentences of a language without a translator are passed as they are, with one warning that
    counts them.

    References
    ----------
    C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram
    embeddings for semantic textual similarity. SemEval. Section 3.5.

    Examples
    --------
    >>> from skpara.augment import FunctionTranslator, TranslateToEnglish
    >>> words = {"El": "The", "gato": "cat", "duerme.": "sleeps."}
    >>> def word_by_word(texts):
    ...     return [" ".join(words.get(word, word) for word in text.split()) for text in texts]
    >>> spanish = FunctionTranslator(word_by_word, "words es-en")
    >>> to_english = TranslateToEnglish(translators={"es": spanish})
    >>> to_english.fit_transform([("A dog is sleeping.", "El gato duerme.")]).tolist()
    [['A dog is sleeping.', 'The cat sleeps.']]
    """

    _parameter_constraints: dict[str, Any] = {
        "languages": ["array-like", None],
        "translators": [StrOptions({"apertium"}), callable, Mapping],
        "detector": [StrOptions({"py3langid"}), callable],
        "cache": [str, os.PathLike, None],
    }

    def __init__(
        self,
        languages: Sequence[str] | None = (_ENGLISH, "es"),
        *,
        translators: str | Translators = "apertium",
        detector: str | Callable[[list[str]], Sequence[str]] = "py3langid",
        cache: str | os.PathLike[str] | None = None,
    ) -> None:
        self.languages = languages
        self.translators = translators
        self.detector = detector
        self.cache = cache

    def fit(self, X: Any, y: Any = None) -> TranslateToEnglish:
        """Check the input; nothing is learned.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2), or sentences of shape (n_sentences,)
        y : ignored

        Returns
        -------
        self
        """
        self._validate_params()
        if not is_sentences(X):
            self._check_pairs(X, reset=True)
        self._detector()
        return self

    def transform(self, X: Any) -> NDArray[np.object_]:
        """The same pairs, or sentences, in English.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2), or sentences of shape (n_sentences,)

        Returns
        -------
        ndarray of str, of the shape of X

        Raises
        ------
        TranslationError
            If a translator fails.
        ImportError
            If py3langid is wanted and not installed.
        """
        sentences, shape = self._sentences(X)
        english = np.empty(len(sentences), dtype=object)
        english[:] = self._english(sentences)
        return english.reshape(shape)

    def detect(self, X: Any) -> NDArray[np.object_]:
        """The language of each sentence.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2), or sentences of shape (n_sentences,)

        Returns
        -------
        ndarray of str, of the shape of X
            Codes of two letters; English where nothing speaks for another language.
        """
        sentences, shape = self._sentences(X)
        found = self._detector().detect(sentences, _ENGLISH)
        return np.array(found, dtype=object).reshape(shape)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns: those of the input, or "sentence1" and "sentence2"."""
        names = getattr(self, "feature_names_in_", ["sentence1", "sentence2"])
        return np.array(list(names), dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        """Scikit-learn's tags: pairs or sentences, and nothing to learn."""
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.requires_fit = False
        return tags

    def _sentences(self, X: Any) -> tuple[list[str], tuple[int, ...]]:
        """All sentences of pairs or of a list of sentences, and the shape that they came in."""
        if is_sentences(X):
            sentences = as_sentences(X)
            return sentences, (len(sentences),)
        pairs = self._check_pairs(X, reset=False)
        return pairs.ravel().tolist(), pairs.shape

    def _english(self, sentences: list[str]) -> list[str]:
        languages = self._detector().detect(sentences, _ENGLISH)
        english = list(sentences)
        untranslated: Counter[str] = Counter()
        for language in dict.fromkeys(languages):
            rows = [i for i, found in enumerate(languages) if found == language]
            if language == _ENGLISH:
                continue
            translator = self._translator(language)
            if translator is None:
                untranslated[language] = len(rows)
                continue
            found = translator.translate([sentences[i] for i in rows])
            for i, text in zip(rows, found, strict=True):
                english[i] = text
        if untranslated:
            counts = ", ".join(
                f"{n} of {language!r}" for language, n in untranslated.most_common()
            )
            warn(
                f"{untranslated.total()} of {len(sentences)} sentences are in a language without "
                f"a translator into English ({counts}) and are left as they are. Pass translators "
                "that have one, or languages= with those that occur.",
            )
        return english

    def _translator(self, language: str) -> Translator | None:
        """Into English; None where there is none."""
        translator: Translator | None
        if isinstance(self.translators, Mapping):
            translator = self.translators.get(language)
        elif callable(self.translators):
            translator = self.translators(language, _ENGLISH)
        elif self.translators == "apertium":
            try:
                translator = ApertiumTranslator(language, _ENGLISH)
            except FileNotFoundError:
                translator = None
        else:
            raise ValueError(
                "translators must be 'apertium', a callable or a mapping of language to "
                f"translator, got {self.translators!r}."
            )
        if translator is None or self.cache is None:
            return translator
        return CachedTranslator(translator, self.cache)

    def _detector(self) -> LanguageDetector:
        if self.languages is not None and _ENGLISH not in self.languages:
            raise ValueError(f"languages must hold 'en', got {self.languages!r}.")
        return LanguageDetector(self.detector, self.languages)
