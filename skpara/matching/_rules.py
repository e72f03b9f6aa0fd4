"""Rules that make two texts duplicates: the settings of a Deduplicator, without any rows."""

from __future__ import annotations

from typing import Any, NamedTuple

from skpara.matching._deduplicator import (
    KINDS_OF_REASONS,
    Deduplicator,
    lowest_cosine,
    text_linkage,
)
from skpara.matching._guard import Guard
from skpara.matching._model import SENTENCES
from skpara.matching._scores import check_bound


def are_sentences(deduplicator: Deduplicator, texts: list[str]) -> bool:
    """Return whether a deduplicator compares different texts, in order, as sentences."""
    return deduplicator._kind_of([texts], ["guess"]) == SENTENCES


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
