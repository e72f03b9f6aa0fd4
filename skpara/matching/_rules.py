"""Rules that make two texts duplicates: the settings of a Deduplicator, without any rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from skpara.features import CONTRAST_KINDS
from skpara.matching._guard import LANGUAGE, Guard
from skpara.matching._scores import check_bound

if TYPE_CHECKING:
    from skpara.matching._deduplicator import Deduplicator

# Kinds of reasons to keep two sentences apart.
KINDS_OF_REASONS = (*CONTRAST_KINDS, LANGUAGE)
# Pairs this far below the threshold are kept too, so that a lower threshold can be tried.
_BELOW_THRESHOLD = 0.02
# Lowest cosine of pairs that a model scores. There are many pairs below it, and few of them mean
# the same.
_LOWEST_FOR_MODELS = 0.8


class TextRules(NamedTuple):
    """Rules that make two texts duplicates."""

    model: Any
    threshold: float
    lowest: float  # cosine of pairs that are found
    linkage: str
    keep: str
    encoder: Any
    guard: Any

    @classmethod
    def of(cls, deduplicator: Deduplicator) -> TextRules:
        """Return the checked rules of a deduplicator."""
        deduplicator._validate_params()
        check_bound("threshold", deduplicator.threshold, deduplicator.model)
        check_bound("min_cosine", deduplicator.min_cosine, None)
        rules = cls(
            deduplicator.model,
            float(deduplicator.threshold),
            lowest_cosine(deduplicator),
            text_linkage(deduplicator.linkage),
            deduplicator.keep,
            deduplicator.encoder,
            deduplicator.guard,
        )
        rules.new_guard()  # raises for unknown kinds
        return rules

    def new_guard(self) -> Guard:
        """Return a guard that has not checked any pair."""
        return Guard(self.guard, KINDS_OF_REASONS)

    def joins_equal_vectors(self) -> bool:
        """Return whether texts with the same vector are the same: nothing else reads them."""
        return self.model is None and not self.new_guard().kinds


def lowest_cosine(deduplicator: Deduplicator) -> float:
    """Return the lowest cosine of pairs of texts to look for."""
    if deduplicator.min_cosine is not None:
        return float(deduplicator.min_cosine)
    if deduplicator.model is not None:
        return _LOWEST_FOR_MODELS
    return max(0.0, float(deduplicator.threshold) - _BELOW_THRESHOLD)


def text_linkage(linkage: str) -> str:
    """Return the linkage of texts."""
    if linkage == "average":
        raise ValueError(
            'linkage="average" is for names and records. Sentences that were not found have '
            'a low cosine: choose "complete" or "single".'
        )
    return "complete" if linkage == "auto" else linkage
