"""Pairs of a sentence and a paraphrase, with their rows, costs and ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from skpara._pairs import as_pairs
from skpara._public import set_module
from skpara._typing import Floats, Pairs, PairsLike
from skpara.augment._translator import Hypothesis
from skpara.text import tokenize


@set_module("skpara.augment")
@dataclass(frozen=True, eq=False)
class Paraphrases:
    """Pairs of a sentence and a paraphrase, from a paraphraser or a back-translator.

    It has the length of its pairs and iterates over them.

    Parameters
    ----------
    pairs : ndarray of str, shape (n_pairs, 2)
        A sentence and a paraphrase of it.
    rows : ndarray of int, shape (n_pairs,)
        Index of the sentence in the input.
    costs : ndarray of float64, shape (n_pairs,)
        Negative log-likelihood per token of the translation, in nats; NaN if the translator has
        no costs.
    ranks : ndarray of int, shape (n_pairs,)
        Position in the translator's list of translations; 0 is the best.
    dropped : dict of str to int
        Number of paraphrases dropped for each reason: "empty"; "copy", the same tokens as the
        sentence; "again", the same tokens as another paraphrase of it; or the name of a filter.
    """

    pairs: Pairs
    rows: NDArray[np.intp]
    costs: Floats
    ranks: NDArray[np.intp]
    dropped: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.pairs)

    @property
    def references(self) -> list[str]:
        """The sentences, each once, in the order of their rows."""
        _, first = np.unique(self.rows, return_index=True)
        return list(self.pairs[first, 0])

    def take(self, which: NDArray[Any], why: str | None = None) -> Paraphrases:
        """Select pairs by a mask or by indices.

        Parameters
        ----------
        which : ndarray of bool or of int
            The pairs to keep.
        why : str, default=None
            Reason under which ``dropped`` counts the other pairs; None does not count them.

        Returns
        -------
        Paraphrases
            The selected pairs.
        """
        pairs = self.pairs[which]
        dropped = dict(self.dropped)
        if why is not None:
            dropped[why] = dropped.get(why, 0) + len(self) - len(pairs)
        return Paraphrases(pairs, self.rows[which], self.costs[which], self.ranks[which], dropped)

    def filtered(self, filters: Iterable[Any]) -> Paraphrases:
        """Apply filters one after the other, each to the pairs that passed the previous ones.

        Parameters
        ----------
        filters : iterable
            Filters of ``skpara.augment.filters``, or other objects whose
            ``select(paraphrases)`` returns a boolean for each pair. A filter that needs fitting is
            cloned and fitted to the pairs that reach it.

        Returns
        -------
        Paraphrases
            The pairs that pass all filters; ``dropped`` counts the others under the filters' class
            names.
        """
        paraphrases = self
        for pair_filter in filters if isinstance(filters, Iterable) else [filters]:
            mask = np.asarray(_fitted(pair_filter, paraphrases).select(paraphrases), dtype=bool)
            paraphrases = paraphrases.take(mask, type(pair_filter).__name__)
        return paraphrases


def collect(
    sentences: Sequence[str], nbest_lists: Iterable[Iterable[Sequence[Hypothesis]]]
) -> Paraphrases:
    """Pair sentences with their paraphrases, without empty ones, copies and repetitions.

    Each of ``nbest_lists`` holds the paraphrases of every sentence by one translator.
    """
    tokens = [tuple(tokenize(sentence)) for sentence in sentences]
    seen: list[set[tuple[str, ...]]] = [set() for _ in sentences]
    dropped = {"empty": 0, "copy": 0, "again": 0}
    entries: list[tuple[int, int, Hypothesis]] = []
    for nbest in nbest_lists:
        for row, hypotheses in enumerate(nbest):
            for rank, hypothesis in enumerate(hypotheses):
                new = tuple(tokenize(hypothesis.text))
                if not new:
                    dropped["empty"] += 1
                elif new == tokens[row]:
                    dropped["copy"] += 1
                elif new in seen[row]:
                    dropped["again"] += 1
                else:
                    seen[row].add(new)
                    entries.append((row, rank, hypothesis))
    entries.sort(key=lambda entry: entry[0])  # stable: the order of the lists stays
    pairs = [(sentences[row], hypothesis.text) for row, _, hypothesis in entries]
    costs = [hypothesis.cost_per_token for _, _, hypothesis in entries]
    rows, ranks = np.array([entry[:2] for entry in entries], dtype=np.intp).reshape(-1, 2).T
    pair_array = np.array(pairs, dtype=object).reshape(-1, 2)
    return Paraphrases(pair_array, rows, np.array(costs, dtype=np.float64), ranks, dropped)


def as_paraphrases(X: Paraphrases | PairsLike) -> Paraphrases:
    """Return paraphrases as they are, and pairs as paraphrases of their first sentences.

    Equal first sentences in consecutive rows count as one.
    """
    if isinstance(X, Paraphrases):
        return X
    pairs = as_pairs(X)
    is_first = np.ones(len(pairs), dtype=bool)
    is_first[1:] = pairs[1:, 0] != pairs[:-1, 0]
    rows = np.cumsum(is_first) - 1
    ranks = np.arange(len(pairs)) - np.flatnonzero(is_first)[rows]
    return Paraphrases(pairs, rows, np.full(len(pairs), np.nan), ranks)


def _fitted(pair_filter: Any, paraphrases: Paraphrases) -> Any:
    """Return the filter, or a fitted clone if it is not fitted."""
    if not hasattr(pair_filter, "fit") or not len(paraphrases):
        return pair_filter
    try:
        check_is_fitted(pair_filter)
    except NotFittedError:
        return clone(pair_filter).fit(paraphrases)
    return pair_filter
