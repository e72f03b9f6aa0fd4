"""Detection of the language of sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from skpara._optional import import_optional
from skpara._typing import Floats


class LanguageDetector:
    """Detect languages by py3langid, or by a function of a list of sentences."""

    def __init__(
        self,
        detector: str | Callable[[list[str]], Sequence[str]],
        languages: Sequence[str] | None = None,
    ) -> None:
        self._function = detector if callable(detector) else None
        if self._function is None:
            codes = None if languages is None else tuple(dict.fromkeys(languages))
            self._model = _load_py3langid(codes)

    def detect(self, sentences: Sequence[str], default: str) -> list[str]:
        """Return the most probable language of each sentence.

        It is ``default`` if no other is more probable, as for a number or an empty sentence.
        """
        if self._function is not None:
            return self._call(sentences)
        languages = []
        for sentence in sentences:
            ranking = self._model.rank(sentence)
            best, highest = ranking[0]
            languages.append(default if dict(ranking).get(default, -1.0) >= highest else best)
        return languages

    def probabilities(self, sentences: Sequence[str], language: str) -> Floats:
        """Return the probability of ``language`` for each sentence."""
        if self._function is not None:
            return np.array([code == language for code in self._call(sentences)], dtype=np.float64)
        if language not in self._model.labels:
            raise ValueError(f"{language!r} is not among the languages {self._model.labels}.")
        rankings = (dict(self._model.rank(sentence)) for sentence in sentences)
        return np.array([ranking[language] for ranking in rankings], dtype=np.float64)

    def _call(self, sentences: Sequence[str]) -> list[str]:
        assert self._function is not None
        languages = list(self._function(list(sentences)))
        if len(languages) != len(sentences):
            raise ValueError(
                f"detector returned {len(languages)} languages for {len(sentences)} sentences; it "
                "must return one for each."
            )
        return languages


# Loading takes a second. py3langid's own shared model is not used, since restricting its languages
# would restrict them for all code that uses it.
@lru_cache(maxsize=8)
def _load_py3langid(languages: tuple[str, ...] | None) -> Any:
    langid = import_optional("py3langid.langid", "detector='py3langid'")
    model = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    model.set_languages(languages)
    return model
