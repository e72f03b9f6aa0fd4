"""From text to rows of a table that grows with the words met in training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from skpara._typing import Oov
from skpara.resources import WordVectors
from skpara.text import CharacterNgrams, TokenIds

if TYPE_CHECKING:
    from skpara.networks import Charagram


class Lexicon(Protocol):
    """Text to ids of rows."""

    def learn(self, sentences: Sequence[str]) -> tuple[TokenIds, NDArray[np.float32]]:
        """Ids of the sentences, and the rows to add to the table for new words among them."""

    def look_up(self, sentences: Sequence[str]) -> tuple[TokenIds, NDArray[np.float32]]:
        """Ids of the sentences, and rows for ids behind the table's; nothing is learned."""

    def vectors(self, table: NDArray[np.float32]) -> WordVectors:
        """The table with its words."""


class WordLexicon:
    """Words; unknown ones by the rule ``oov``.

    Parameters
    ----------
    known : WordVectors
        Whose words are the first rows of the table.
    source : WordVectors
        Where vectors of unknown words come from.
    oov : {"subword", "rare", "zero"}
        With "subword", unknown words of :meth:`learn` get rows of their own.
    """

    def __init__(self, known: WordVectors, source: WordVectors, oov: Oov) -> None:
        self._vocabulary, self._source, self._oov = known.vocabulary, source, oov
        self._new: dict[str, int] = {}

    def learn(self, sentences: Sequence[str]) -> tuple[TokenIds, NDArray[np.float32]]:
        tokens = self._vocabulary.token_ids(sentences)
        fresh: list[str] = []
        if self._oov == "subword":
            fresh = [word for word in tokens.unknown if word not in self._new]
            first = len(self._vocabulary) + len(self._new)
            self._new |= {word: first + i for i, word in enumerate(fresh)}
        return self._placed(tokens)[0], self._source.unknown_vectors(fresh, self._oov)

    def look_up(self, sentences: Sequence[str]) -> tuple[TokenIds, NDArray[np.float32]]:
        tokens, others = self._placed(self._vocabulary.token_ids(sentences))
        return tokens, self._source.unknown_vectors(others, self._oov)

    def _placed(self, tokens: TokenIds) -> tuple[TokenIds, list[str]]:
        """Ids as rows, and the words whose rows are behind the table's."""
        n_known = len(self._vocabulary)
        known = tokens.ids < n_known
        if known.all():
            return tokens, []
        if self._oov == "rare":
            return tokens._replace(ids=np.where(known, tokens.ids, n_known - 1)), []
        if self._oov == "zero":
            offsets = np.append(0, np.cumsum(known))[tokens.offsets]
            return tokens._replace(ids=tokens.ids[known], offsets=offsets), []
        others = [word for word in tokens.unknown if word not in self._new]
        first = n_known + len(self._new)
        places = self._new | {word: first + i for i, word in enumerate(others)}
        rows = np.array([places[word] for word in tokens.unknown], dtype=np.int32)
        ids = tokens.ids.copy()
        ids[~known] = rows[ids[~known] - n_known]
        return tokens._replace(ids=ids), others

    def vectors(self, table: NDArray[np.float32]) -> WordVectors:
        if not self._new:
            return WordVectors(self._vocabulary, table)
        return WordVectors([*self._vocabulary.words, *self._new], table)


class NgramLexicon:
    """Character n-grams; those met for the first time start with small random vectors."""

    def __init__(self, known: Sequence[str], network: Charagram, rng: Generator) -> None:
        self._network, self._rng = network, rng
        self._ngrams = CharacterNgrams(known, network.ngram_range)

    def learn(self, sentences: Sequence[str]) -> tuple[TokenIds, NDArray[np.float32]]:
        network = self._network
        found = CharacterNgrams.learn(sentences, network.ngram_range, network.min_count)
        fresh = [ngram for ngram in found.words if ngram not in self._ngrams]
        if fresh:
            known = [*self._ngrams.words, *fresh]
            self._ngrams = CharacterNgrams(known, network.ngram_range)
        return self._ngrams.token_ids(sentences), network.initial_table(len(fresh), self._rng)

    def look_up(self, sentences: Sequence[str]) -> tuple[TokenIds, NDArray[np.float32]]:
        nothing = np.empty((0, self._network.n_dims), dtype=np.float32)
        return self._ngrams.token_ids(sentences), nothing

    def vectors(self, table: NDArray[np.float32]) -> WordVectors:
        return WordVectors(self._ngrams.words, table)
