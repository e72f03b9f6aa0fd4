"""Training data of an encoder: scores and labels, paraphrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_consistent_length

from skpara._messages import warn
from skpara._pairs import as_pairs
from skpara._typing import Floats, Ints, Pairs, ValidationSet
from skpara._validation import check_scores
from skpara.learning import check_validation, hold_out, is_class_labels

if TYPE_CHECKING:
    from skpara.learning import FittedState

NO_PAIRS: Pairs = np.empty((0, 2), dtype=object)
# Threshold of paraphrases in the range of the scores: 3.8 of 0 to 5 (Hokamp and Arora 2016), with
# a tolerance for rounding errors of rescaled scores.
_POSITIVE_FRACTION = 0.76 - 1e-9
_CLASS_LABELS = (
    "y has class labels, or fewer than four whole numbers, and not graded scores: the encoder "
    "learns nothing from it and keeps its vectors. To predict classes, use "
    "make_pair_classifier(), on the command line `skpara train --labels`. If the pairs of a class "
    "are paraphrases, the encoder learns them with positive_threshold, for example 1 for labels "
    "of 0 and 1. With max_iter=0 there is no warning."
)


@dataclass(frozen=True)
class Adaptation:
    """Result of the unsupervised stage, shared by all cross-fitting folds."""

    pairs: Pairs  # paraphrases that were made
    taught: FittedState | None = None
    losses: Sequence[float] = ()


@dataclass(frozen=True)
class Supervision:
    """Interpretation of ``y``: graded scores, a threshold of paraphrases, or nothing.

    Without a ``threshold``, ``scores`` are learned by the correlation objective. Otherwise the
    pairs with at least this score, or all pairs without scores, are learned by the margin
    objective. ``weights`` of the pairs have a mean of 1.
    """

    weights: Floats
    scores: Floats | None = None
    threshold: float | None = None
    is_labels: bool = False

    @classmethod
    def of(
        cls,
        pairs: Pairs,
        y: ArrayLike | None,
        rule: float | str | None,
        *,
        weights: Floats | None = None,
        silent: bool = False,
    ) -> Supervision:
        """Interpret ``y`` by the rule ``positive_threshold``; warn of labels unless ``silent``."""
        threshold = None if rule is None or isinstance(rule, str) else float(rule)
        weights = np.ones(len(pairs)) if weights is None else weights / weights.mean()
        if y is None:
            return cls(weights, threshold=threshold)
        # The kind of a single number is unknown; a single pair is refused below.
        if threshold is None and len(pairs) > 1 and is_class_labels(y):
            check_consistent_length(pairs, y)
            if not silent:
                warn(_CLASS_LABELS)
            return cls(weights, is_labels=True)
        scores = check_scores(y, X=pairs)
        if rule == "auto":
            threshold = float(scores.min() + _POSITIVE_FRACTION * np.ptp(scores))
        return cls(weights, scores, threshold)

    def take(self, rows: Ints) -> Supervision:
        """Return the supervision of some of the pairs."""
        scores = None if self.scores is None else self.scores[rows]
        return replace(self, weights=self.weights[rows], scores=scores)

    def hold_out(
        self, pairs: Pairs, validation: Any, fraction: float | None, random_state: Any
    ) -> tuple[Pairs, Supervision, ValidationSet | None]:
        """Return the validation set, by default a fraction of the pairs, and what remains."""
        held_out = check_validation(validation)
        if held_out is not None or fraction is None:
            return pairs, self, held_out
        train, test = hold_out(len(pairs), fraction, 2, random_state)
        held_out = check_validation((pairs[test], self.take(test).scores))
        return pairs[train], self.take(train), held_out

    def select(
        self, pairs: Pairs, synthetic: Pairs = NO_PAIRS
    ) -> tuple[Pairs, Floats | None, Floats]:
        """Return the pairs to learn from, their scores if these are graded, and their weights."""
        n_pairs = len(pairs)
        weights = self.weights
        if self.scores is not None and self.threshold is None:
            if n_pairs < 2:
                raise ValueError(
                    f"{n_pairs} pair(s) with scores; at least 2 are needed to correlate with."
                )
            return pairs, self.scores, weights
        if self.is_labels:
            learned = synthetic if len(synthetic) > 1 else NO_PAIRS
            return learned, None, np.ones(len(learned))
        if self.scores is not None and self.threshold is not None:
            is_paraphrase = self.scores >= self.threshold
            pairs = pairs[is_paraphrase]
            weights = weights[is_paraphrase]
        paraphrases = np.concatenate([pairs, synthetic])
        if len(paraphrases) < 2:
            what = "" if self.scores is None else f" (score of at least {self.threshold:g})"
            raise ValueError(
                f"{len(paraphrases)} of {n_pairs} pairs are paraphrases{what}; at least 2 are "
                "needed, since each takes its negative examples from the others. Lower "
                "positive_threshold or add pairs."
            )
        return paraphrases, None, np.append(weights, np.ones(len(synthetic)))


def paraphrases_of(source: Any, sentences: list[str]) -> Pairs:
    """Make paraphrases of sentences by a source, or copies; see ``Paraphraser``."""
    if source == "copy":
        pairs = [(sentence, sentence) for sentence in sentences]
    else:
        pairs = source.pairs(sentences)
    return as_pairs(pairs) if len(pairs) else NO_PAIRS
