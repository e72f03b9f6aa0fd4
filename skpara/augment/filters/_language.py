"""Sentences that are in another language than they should be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara.augment._languages import LanguageDetector
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import PairFilter


@set_module("skpara.augment.filters")
class LanguageFilter(PairFilter):
    """Keep pairs of which both sentences are in one language.

    The score is the probability that the language detector gives it, of the sentence where it is
    smaller. What a translator left untranslated is dropped.

    Parameters
    ----------
    language : str, default="en"
        Code of two letters.
    languages : sequence of str, default=None
        Languages that may occur, which makes the detector surer of short sentences; None is all
        that it knows.
    detector : "py3langid" or callable, default="py3langid"
        A callable takes a list of sentences and gives the language of each.
    lower : float, default=0.5
        Least probability that is kept.
    upper : float, default=None

    Examples
    --------
    >>> from skpara.augment.filters import LanguageFilter
    >>> pairs = [("The house is big.", "The house is large."), ("the house", "la casa es grande")]
    >>> LanguageFilter(languages=["en", "es"]).select(pairs).tolist()
    [True, False]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **PairFilter._parameter_constraints,
        "language": [str],
        "languages": ["array-like", None],
        "detector": [str, callable],
    }

    def __init__(
        self,
        language: str = "en",
        *,
        languages: Sequence[str] | None = None,
        detector: str | Callable[[list[str]], Sequence[str]] = "py3langid",
        lower: float | None = 0.5,
        upper: float | None = None,
    ) -> None:
        super().__init__(lower, upper)
        self.language = language
        self.languages = languages
        self.detector = detector

    def _score(self, paraphrases: Paraphrases) -> NDArray[np.float64]:
        sentences = paraphrases.pairs.ravel().tolist()
        detector = LanguageDetector(self.detector, self.languages)
        return detector.probability(sentences, self.language).reshape(-1, 2).min(axis=1)
