"""A batch of pairs with what the features need to know of each sentence, found once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara.features._bags import Bags
from skpara.features._document_frequencies import DocumentFrequencies
from skpara.features._takelab_tokens import compounds, join_compounds, takelab_tokens
from skpara.features._takelab_words import content_words, words
from skpara.resources import WordFrequencies, WordVectors


@dataclass(frozen=True)
class Knowledge:
    """What the features know beside the pairs; ``fit`` loads or learns what is needed."""

    frequencies: WordFrequencies | None = None
    vectors: WordVectors | None = None
    document_frequencies: Mapping[str, DocumentFrequencies] = field(default_factory=dict)


class PairBatch:
    """Pairs, and views of their sentences that are computed when first asked for.

    Parameters
    ----------
    pairs : ndarray of str, shape (n_pairs, 2)
    knowledge : Knowledge

    Attributes
    ----------
    sentences : list of str
        The distinct sentences.
    left, right : ndarray of int, shape (n_pairs,)
        The numbers of the sentences of each pair.
    """

    def __init__(self, pairs: NDArray[np.object_], knowledge: Knowledge) -> None:
        index: dict[str, int] = {}
        cells = [index.setdefault(sentence, len(index)) for sentence in pairs.ravel().tolist()]
        self.sentences = list(index)
        self.left, self.right = np.array(cells, dtype=np.intp).reshape(-1, 2).T
        self.knowledge = knowledge

    def __len__(self) -> int:
        return len(self.left)

    @cached_property
    def takelab(self) -> TakelabSides:
        """TakeLab's tokens and words of both sides of each pair."""
        return TakelabSides(self)

    @cached_property
    def takelab_weights(self) -> dict[str, float]:
        """What each of TakeLab's words tells, in nats; unknown words nothing."""
        # Not a set: the order of a set differs from process to process, and results with it, by
        # the last digit.
        distinct = list(dict.fromkeys(chain.from_iterable(self.takelab.words)))
        information = self.frequencies.information(distinct)
        return dict(zip(distinct, information.tolist(), strict=True))

    @cached_property
    def bags(self) -> Bags:
        """Words and character n-grams of the sentences, and how often each stands in each."""
        return Bags(self.sentences)

    @cached_property
    def word_vectors(self) -> NDArray[np.float32]:
        """Vectors of ``bags.words``, by subwords where a word is unknown."""
        return self.vectors.lookup(self.bags.words, oov="subword")

    @property
    def frequencies(self) -> WordFrequencies:
        """The frequency table."""
        assert self.knowledge.frequencies is not None
        return self.knowledge.frequencies

    @property
    def vectors(self) -> WordVectors:
        """The word vectors."""
        assert self.knowledge.vectors is not None
        return self.knowledge.vectors


class TakelabSides:
    """Token lists, and which two of them each pair has.

    Joining compounds makes the tokens of a sentence depend on its partner. That is rare, so
    sentences share one list, and a side that has a compound gets a list of its own.

    Attributes
    ----------
    tokens : list of list of str
    pairs : list of (int, int)
        For each pair, the numbers of its two token lists.
    """

    def __init__(self, batch: PairBatch) -> None:
        self.tokens = [takelab_tokens(sentence) for sentence in batch.sentences]
        lowered = [frozenset(map(str.lower, tokens)) for tokens in self.tokens]
        joinable = [compounds(tokens) for tokens in self.tokens]
        self.pairs: list[tuple[int, int]] = []
        for i, j in zip(batch.left.tolist(), batch.right.tolist(), strict=True):
            a = i if joinable[i].isdisjoint(lowered[j]) else self._joined(i, j)
            b = j if joinable[j].isdisjoint(lowered[i]) else self._joined(j, i)
            self.pairs.append((a, b))

    def _joined(self, i: int, j: int) -> int:
        self.tokens.append(join_compounds(self.tokens[i], self.tokens[j]))
        return len(self.tokens) - 1

    @cached_property
    def token_ids(self) -> list[NDArray[np.int64]]:
        """Numbers of the lower-cased tokens of each list: equal tokens have equal numbers."""
        index: dict[str, int] = {}
        number = index.setdefault
        return [
            np.array([number(token, len(index)) for token in " ".join(tokens).lower().split(" ")])
            if tokens
            else np.empty(0, dtype=np.int64)
            for tokens in self.tokens
        ]

    @cached_property
    def words(self) -> list[list[str]]:
        """Lower-cased words of each token list."""
        return [words(tokens) for tokens in self.tokens]

    @cached_property
    def content_words(self) -> list[list[str]]:
        """Words of each token list that are not stop words."""
        return [content_words(found) for found in self.words]

    def score(
        self, function: Callable[[Any, Any], Sequence[float]], sides: Sequence[Any]
    ) -> NDArray[np.float64]:
        """``function(sides[a], sides[b])`` of each pair, shape (n_pairs, n_features)."""
        return np.array([function(sides[a], sides[b]) for a, b in self.pairs], dtype=np.float64)
