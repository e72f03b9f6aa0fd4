"""Translation of pairs in any language into English."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import KW_ONLY
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import StrOptions

from skpara._compatibility import import_optional
from skpara._messages import warn
from skpara._pairs import PairEstimatorMixin, TextTransformMixin, as_sentences, is_sentences
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator, TransformerMixin, checks_parameters
from skpara._typing import Constraints, FilePath, Objects, PairsLike, SentencesLike
from skpara.augment._apertium import ApertiumTranslator
from skpara.augment._cached_translator import CachedTranslator
from skpara.augment._translator import Translator, check_translations

_ENGLISH = "en"
_NAMES = ["sentence1", "sentence2"]  # of pairs that are not a frame
# At this probability, py3langid takes one in 4,000 English and none of 16,000 short English and
# Spanish sentences for another language, and recognizes nine in ten German and French ones.
_CERTAIN = 0.9
_MISTAKEN = 0.001  # share of sentences that it may mistake without a warning


@set_module("skpara.augment")
@with_fields
class TranslateToEnglish(PairEstimatorMixin, TextTransformMixin, TransformerMixin, BaseEstimator):
    """Translate sentences of other languages into English and leave English ones unchanged.

    As the first step of a pipeline, it lets a system for English score pairs with one or both
    sentences in another language. Encoders with word vectors for several languages need no
    translator, see :func:`skpara.encoders.align_vectors`.

    Sentences stay as they are if no translator of their language is installed. One warning counts
    them and says what to install or pass. Another counts sentences that are clearly in a language
    other than ``languages``, which would otherwise be taken for one of these; it needs the default
    detector.

    Parameters
    ----------
    languages : sequence of str, default=("en", "es")
        Two-letter codes of the languages that occur; None stands for all languages of the
        detector. Short sentences are detected more reliably among fewer languages.
    translators : "apertium", callable or mapping, default="apertium"
        A callable takes two languages and returns a :class:`Translator` from the first into the
        second, or None; a mapping has translators into English by the code of their language.
    detector : "py3langid" or callable, default="py3langid"
        A callable takes a list of sentences and returns the language of each.
    cache : path, default=None
        File of stored translations; see :class:`CachedTranslator`.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns, which is 2; only after ``fit`` on pairs.

    References
    ----------
    Hokamp and Arora (2016), DCU-SEManiacs at SemEval-2016 Task 1, section 3.5.

    Examples
    --------
    >>> from skpara.augment import FunctionTranslator, TranslateToEnglish
    >>> words = {"El gato duerme.": "The cat sleeps."}
    >>> spanish = FunctionTranslator(lambda texts: [words[text] for text in texts], "words es-en")
    >>> to_english = TranslateToEnglish(translators={"es": spanish})
    >>> to_english.fit_transform([("A dog is sleeping.", "El gato duerme.")]).tolist()
    [['A dog is sleeping.', 'The cat sleeps.']]
    """

    languages: Sequence[str] | None = (_ENGLISH, "es")
    _: KW_ONLY
    translators: Any = "apertium"
    detector: str | Callable[[list[str]], Sequence[str]] = "py3langid"
    cache: FilePath | None = None

    _gives_text = True
    _parameter_constraints: ClassVar[Constraints] = {
        "languages": ["array-like", None],
        "translators": [StrOptions({"apertium"}), callable, Mapping],
        "detector": [StrOptions({"py3langid"}), callable],
        "cache": [str, os.PathLike, None],
    }

    @checks_parameters
    def fit(self, X: PairsLike | SentencesLike, y: Any = None) -> Self:
        """Check the input and the parameters; nothing is learned.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2), or sentences of shape (n_sentences,)
            Text in any of the languages.
        y : object, default=None
            Ignored.

        Returns
        -------
        self
            The transformer.
        """
        if not is_sentences(X):
            self.check_pairs(X, reset=True)
        self._detect([])  # loads the detector
        return self

    @checks_parameters
    def detect(self, X: PairsLike | SentencesLike) -> Objects:
        """Detect the language of each sentence.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2), or sentences of shape (n_sentences,)
            Text in any of the languages.

        Returns
        -------
        ndarray of str, of the shape of X
            Two-letter codes; English if no other language is more probable.
        """
        sentences, shape = self._sentences(X)
        return np.array(self._detect(sentences), dtype=object).reshape(shape)

    def get_feature_names_out(self, input_features: Any = None) -> Objects:
        """Return the names of the columns.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the columns of text. A single one is the name for sentences.

        Returns
        -------
        ndarray of str, shape (2,) or (1,)
            For pairs the names seen in ``fit``, or "sentence1" and "sentence2".
        """
        if input_features is not None and len(input_features) == 1:
            return np.asarray(input_features, dtype=object)
        return np.array(getattr(self, "feature_names_in_", _NAMES), dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: pairs or sentences, and nothing to learn."""
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.requires_fit = False
        return tags

    def _sentences(self, X: PairsLike | SentencesLike) -> tuple[list[str], tuple[int, ...]]:
        """Return all sentences of ``X`` in a list, and the shape of ``X``."""
        if is_sentences(X):
            sentences = as_sentences(X)
            return sentences, (len(sentences),)
        pairs = self.check_pairs(X, reset=False)
        return pairs.ravel().tolist(), pairs.shape

    # No fit is needed before transform and detect, so they check the parameters too.
    @checks_parameters
    def _transform(self, X: Any) -> tuple[Objects, Objects]:
        sentences, shape = self._sentences(X)
        names = self.get_feature_names_out()
        if len(shape) == 1:
            names = np.array([getattr(X, "name", None) or "sentence"], dtype=object)
        return self._translate(sentences).reshape(shape), names

    def _translate(self, sentences: list[str]) -> Objects:
        languages = np.array(self._detect(sentences), dtype=object)
        english = np.array(sentences, dtype=object)
        problems: dict[str, str] = {}
        for language in dict.fromkeys(languages[languages != _ENGLISH]):
            rows = np.flatnonzero(languages == language)
            try:
                translator = self._translator(language)
                if translator is not None:
                    # Some translators look for their model on first use only.
                    texts = english[rows].tolist()
                    translations = translator.translate(texts)
                    translations = check_translations(translations, texts, translator.name)
                    for row, translation in zip(rows, translations, strict=True):
                        english[row] = translation
                    continue
                reason = f"translators has no entry for {language!r}"
            except (FileNotFoundError, ImportError) as missing:
                reason = str(missing).rstrip(".")
            problems[language] = f"{len(rows)} in {language!r} ({reason})"
        if problems:
            n_rows = int(np.isin(languages, list(problems)).sum())
            warn(
                f"{n_rows} of {len(sentences)} sentences are in a language without a translator "
                f"into English and are left as they are: {', '.join(problems.values())}. Install "
                "or pass a translator for each of these languages, or set languages to the ones "
                "that occur."
            )
        self._warn_of_other_languages(sentences)
        return english

    def _translator(self, language: str) -> Translator | None:
        """Return the translator into English, if there is one."""
        if isinstance(self.translators, Mapping):
            translator = self.translators.get(language)
        else:
            create = self.translators if callable(self.translators) else ApertiumTranslator
            translator = create(language, _ENGLISH)
        if translator is None or self.cache is None:
            return translator
        return CachedTranslator(translator, self.cache)

    def _warn_of_other_languages(self, sentences: list[str]) -> None:
        """Warn if too many sentences are clearly in a language that is not among ``languages``."""
        if callable(self.detector) or self.languages is None:
            return
        detect = _load_py3langid(None, norm_probs=True).classify
        certain = (code for code, p in map(detect, sentences) if p >= _CERTAIN)
        counts = Counter(code for code in certain if code not in self.languages)
        if counts.total() <= _MISTAKEN * len(sentences):
            return
        rows = ", ".join(f"{n} in {code!r}" for code, n in counts.most_common(5))
        added = [*self.languages, counts.most_common(1)[0][0]]
        warn(
            f"{counts.total()} of {len(sentences)} sentences seem to be in languages other than "
            f"{list(self.languages)} and are taken for one of these: {rows}. Add the languages "
            f"that occur, such as languages={added}, with translators for them."
        )

    def _detect(self, sentences: list[str]) -> list[str]:
        if self.languages is not None and _ENGLISH not in self.languages:
            raise ValueError(f"languages must include 'en', got {self.languages!r}.")
        if not callable(self.detector):
            languages = None if self.languages is None else tuple(dict.fromkeys(self.languages))
            # Sums for a language of two scripts would break ties.
            rank = _load_py3langid(languages, norm_probs=False).rank
            rows = [dict(rank(text)) for text in sentences]
            # Ties, as of a number or an empty sentence, go to English, which is not translated.
            return [max(row, key=lambda code: (row[code], code == _ENGLISH)) for row in rows]
        codes = list(self.detector(sentences.copy())) if sentences else []
        if len(codes) != len(sentences):
            raise ValueError(
                f"detector returned {len(codes)} languages for {len(sentences)} sentences; it "
                "must return one for each."
            )
        return codes


# Loading takes a second. py3langid's own shared model is not used, since restricting its languages
# would restrict them for all code that uses it.
@lru_cache(maxsize=8)
def _load_py3langid(languages: tuple[str, ...] | None, *, norm_probs: bool) -> Any:
    if languages is None:
        langid = import_optional("py3langid.langid", "detector='py3langid'")
        return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=norm_probs)
    model = copy(_load_py3langid(None, norm_probs=norm_probs))
    model.set_languages(languages)
    return model
