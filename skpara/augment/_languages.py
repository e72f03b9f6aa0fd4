"""Which language a sentence is in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MISSING = (
    "Language identification needs py3langid: pip install py3langid. Or give a function as "
    "detector."
)


class LanguageDetector:
    """Probabilities of languages by py3langid, or what a function says.

    Parameters
    ----------
    detector : "py3langid" or callable
        A callable takes a list of sentences and gives the language of each.
    languages : sequence of str, default=None
        Codes of two letters of those that may occur; None is all.

    Raises
    ------
    ImportError
        If py3langid is wanted and not installed.
    ValueError
        If a language is not one that it knows.
    """

    def __init__(
        self,
        detector: str | Callable[[list[str]], Sequence[str]],
        languages: Sequence[str] | None = None,
    ) -> None:
        self._function: Callable[[list[str]], Sequence[str]] | None = None
        self._languages = None if languages is None else tuple(dict.fromkeys(languages))
        if callable(detector):
            self._function = detector
        elif detector == "py3langid":
            self._model = _model(self._languages)
        else:
            raise ValueError(f"detector must be 'py3langid' or a callable, got {detector!r}.")

    def detect(self, sentences: Sequence[str], default: str) -> list[str]:
        """The most probable language of each sentence.

        ``default`` where others are no more probable, such as of a number or an empty sentence.
        """
        if self._function is not None:
            return self._called(sentences)
        found = []
        for sentence in sentences:
            ranked = self._model.rank(sentence)
            best, highest = ranked[0]
            found.append(default if dict(ranked).get(default, -1.0) >= highest else best)
        return found

    def probability(self, sentences: Sequence[str], language: str) -> NDArray[np.float64]:
        """How probable ``language`` is for each sentence."""
        if self._function is not None:
            return np.array([found == language for found in self._called(sentences)], dtype=float)
        if language not in self._model.labels:
            raise ValueError(f"{language!r} is not among the languages {self._model.labels}.")
        ranks = (dict(self._model.rank(sentence)) for sentence in sentences)
        return np.array([rank[language] for rank in ranks], dtype=np.float64)

    def _called(self, sentences: Sequence[str]) -> list[str]:
        assert self._function is not None
        found = list(self._function(list(sentences)))
        if len(found) != len(sentences):
            raise ValueError(
                f"detector gave {len(found)} languages for {len(sentences)} sentences; it must "
                "give one for each."
            )
        return found


@lru_cache(maxsize=8)
def _model(languages: tuple[str, ...] | None) -> Any:
    """An identifier of our own: py3langid's is shared by all that use it."""
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ImportError as error:
        raise ImportError(_MISSING) from error
    model = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    model.set_languages(languages)
    return model
