"""Pairs of a sentence and a paraphrase, with where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from skpara._pairs import as_pairs
from skpara._public import set_module
from skpara.augment._translator import Hypothesis
from skpara.text import tokenize


@set_module("skpara.augment")
@dataclass(frozen=True, eq=False)
class Paraphrases:
    """What a paraphraser made of sentences, or a back-translator of bitext.

    It has the length of its pairs and iterates over them.

    Attributes
    ----------
    pairs : ndarray of str, shape (n_pairs, 2)
        A sentence and a paraphrase of it.
    rows : ndarray of int, shape (n_pairs,)
        The number of the sentence among those given.
    costs : ndarray of float64, shape (n_pairs,)
        Negative log-likelihood of the translation by token, in nats; NaN where the translator
        does not say.
    ranks : ndarray of int, shape (n_pairs,)
        Place in the translator's list of translations; 0 is the best.
    dropped : dict of str to int
        Why, and how many were not kept: "empty"; a "copy" of the sentence; "again", the same
        tokens as another paraphrase of the sentence; or the name of a filter.
    """

    pairs: NDArray[np.object_]
    rows: NDArray[np.intp]
    costs: NDArray[np.float64]
    ranks: NDArray[np.intp]
    dropped: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.pairs)

    @property
    def references(self) -> list[str]:
        """The sentences, each once, in the order of their numbers."""
        _, first = np.unique(self.rows, return_index=True)
        found: list[str] = self.pairs[first, 0].tolist()
        return found

    def take(self, which: NDArray[Any], why: str | None = None) -> Paraphrases:
        """The pairs that a mask or a list of numbers names.

        Parameters
        ----------
        which : ndarray of bool or of int
        why : str, optional
            Under what the others are counted in ``dropped``.
        """
        pairs = self.pairs[which]
        dropped = dict(self.dropped)
        if why is not None:
            dropped[why] = dropped.get(why, 0) + len(self) - len(pairs)
        return Paraphrases(pairs, self.rows[which], self.costs[which], self.ranks[which], dropped)

    def filtered(self, filters: Iterable[Any]) -> Paraphrases:
        """The pairs that all filters select, each asked about what those before it left.

        Parameters
        ----------
        filters : iterable
            Each has ``select``, which gives a boolean for each pair. One of
            :mod:`skpara.augment.filters` that has to be fitted, and is not, is fitted to the
            pairs that come to it; the one given stays as it is.

        Returns
        -------
        Paraphrases
            ``dropped`` counts under the filters' class names.
        """
        left = self
        for one in filters:
            left = left.take(
                np.asarray(_ready(one, left).select(left), dtype=bool), type(one).__name__
            )
        return left

    @classmethod
    def joined(cls, parts: Sequence[Paraphrases]) -> Paraphrases:
        """All of several, in order."""
        if not parts:
            return Collector([]).finished()
        dropped: dict[str, int] = {}
        for part in parts:
            for why, count in part.dropped.items():
                dropped[why] = dropped.get(why, 0) + count
        return cls(
            np.concatenate([part.pairs for part in parts]),
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.costs for part in parts]),
            np.concatenate([part.ranks for part in parts]),
            dropped,
        )


class Collector:
    """Pairs sentences with their paraphrases, and leaves out those that teach nothing."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences
        self._tokens = [tuple(tokenize(sentence)) for sentence in sentences]
        self._seen: list[set[tuple[str, ...]]] = [set() for _ in sentences]
        self._found: list[tuple[int, Hypothesis, int]] = []
        self._dropped = {"empty": 0, "copy": 0, "again": 0}

    def add(self, nbest: Iterable[Sequence[Hypothesis]]) -> None:
        """The paraphrases of each sentence."""
        for row, hypotheses in enumerate(nbest):
            for rank, hypothesis in enumerate(hypotheses):
                tokens = tuple(tokenize(hypothesis.text))
                if not tokens:
                    self._dropped["empty"] += 1
                elif tokens == self._tokens[row]:
                    self._dropped["copy"] += 1
                elif tokens in self._seen[row]:
                    self._dropped["again"] += 1
                else:
                    self._seen[row].add(tokens)
                    self._found.append((row, hypothesis, rank))

    def finished(self) -> Paraphrases:
        """What was added, sentence after sentence."""
        found = sorted(self._found, key=lambda entry: entry[0])
        pairs = np.empty((len(found), 2), dtype=object)
        for i, (row, hypothesis, _) in enumerate(found):
            pairs[i] = self._sentences[row], hypothesis.text
        return Paraphrases(
            pairs,
            np.array([row for row, _, _ in found], dtype=np.intp),
            np.array([hypothesis.cost_per_token for _, hypothesis, _ in found], dtype=np.float64),
            np.array([rank for _, _, rank in found], dtype=np.intp),
            self._dropped,
        )


def as_paraphrases(X: Any) -> Paraphrases:
    """Paraphrases, or pairs as the paraphrases of their left sentences.

    Equal left sentences that stand one after the other count as one sentence.
    """
    return X if isinstance(X, Paraphrases) else paraphrases_of(as_pairs(X))


def paraphrases_of(pairs: NDArray[np.object_]) -> Paraphrases:
    """The same of pairs that are checked already."""
    new = np.ones(len(pairs), dtype=bool)
    new[1:] = pairs[1:, 0] != pairs[:-1, 0]
    rows = np.cumsum(new) - 1
    starts = np.flatnonzero(new)
    ranks = np.arange(len(pairs)) - starts[rows]
    return Paraphrases(pairs, rows, np.full(len(pairs), np.nan), ranks)


def renumbered(paraphrases: Paraphrases, first: int) -> Paraphrases:
    """The same of sentences that are counted from ``first``."""
    return replace(paraphrases, rows=paraphrases.rows + first)


def _ready(one: Any, paraphrases: Paraphrases) -> Any:
    """The filter, or a fitted copy of it."""
    if not hasattr(one, "fit") or not len(paraphrases):
        return one
    try:
        check_is_fitted(one)
    except NotFittedError:
        return clone(one).fit(paraphrases)
    return one
