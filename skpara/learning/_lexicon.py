"""From text to rows of a table that grows with the words met in training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.random import Generator

from skpara._typing import Oov, Vectors
from skpara.resources import WordVectors
from skpara.text import CharacterNgrams, TokenIds

if TYPE_CHECKING:
    from skpara.networks import Charagram, Network


class Lexicon(Protocol):
    """Text to ids of rows."""

    def extend(self, sentences: Sequence[str]) -> tuple[TokenIds, Vectors]:
        """Return the ids of sentences, and the rows to add to the table for new words in them."""

    def lookup(self, sentences: Sequence[str]) -> tuple[TokenIds, Vectors]:
        """Return the ids of sentences, and rows for ids beyond the table; nothing is added."""

    def vectors(self, table: Vectors) -> WordVectors:
        """Return the table with its words."""


def make_lexicon(
    network: Network,
    known: WordVectors | None,
    source: WordVectors | None,
    oov: Oov,
    rng: Generator,
) -> Lexicon:
    """Make the lexicon of the units that a network reads."""
    if network.units == "words":
        # Only character n-grams start without vectors.
        assert known is not None
        assert source is not None
        return WordLexicon(known, source, oov)
    return NgramLexicon([] if known is None else known.words, network, rng)


class WordLexicon:
    """Words; with ``oov="subword"`` unknown words of :meth:`extend` get rows of their own."""

    def __init__(self, known: WordVectors, source: WordVectors, oov: Oov) -> None:
        self._vocabulary, self._source, self._oov = known.vocabulary, source, oov
        self._rarest_row = known.rarest_row
        self._added: dict[str, int] = {}

    def extend(self, sentences: Sequence[str]) -> tuple[TokenIds, Vectors]:
        tokens = self._vocabulary.token_ids(sentences)
        new_words: list[str] = []
        if self._oov == "subword":
            new_words = [word for word in tokens.unknown if word not in self._added]
            first = len(self._vocabulary) + len(self._added)
            self._added |= {word: first + i for i, word in enumerate(new_words)}
        return self._to_rows(tokens)[0], self._source.unknown_vectors(new_words, self._oov)

    def lookup(self, sentences: Sequence[str]) -> tuple[TokenIds, Vectors]:
        tokens, unknown = self._to_rows(self._vocabulary.token_ids(sentences))
        return tokens, self._source.unknown_vectors(unknown, self._oov)

    def _to_rows(self, tokens: TokenIds) -> tuple[TokenIds, list[str]]:
        """Turn ids into rows; the words returned have rows beyond the table."""
        n_known = len(self._vocabulary)
        known = tokens.ids < n_known
        if known.all():
            return tokens, []
        if self._oov == "rare":  # one row stands for all of them, and is trained for them
            return tokens._replace(ids=np.where(known, tokens.ids, self._rarest_row)), []
        if self._oov == "zero":
            offsets = np.append(0, np.cumsum(known))[tokens.offsets]
            return tokens._replace(ids=tokens.ids[known], offsets=offsets), []
        unknown = [word for word in tokens.unknown if word not in self._added]
        first = n_known + len(self._added)
        places = self._added | {word: first + i for i, word in enumerate(unknown)}
        rows = np.array([places[word] for word in tokens.unknown], dtype=np.int32)
        ids = tokens.ids.copy()
        ids[~known] = rows[ids[~known] - n_known]
        return tokens._replace(ids=ids), unknown

    def vectors(self, table: Vectors) -> WordVectors:
        if not self._added:
            return WordVectors(self._vocabulary, table)
        return WordVectors([*self._vocabulary.words, *self._added], table)


class NgramLexicon:
    """Character n-grams; new ones start with small random vectors."""

    def __init__(self, known: Sequence[str], network: Charagram, rng: Generator) -> None:
        self._network, self._rng = network, rng
        self._ngrams = CharacterNgrams(known, network.ngram_range)

    def extend(self, sentences: Sequence[str]) -> tuple[TokenIds, Vectors]:
        network = self._network
        learned = CharacterNgrams.learn(sentences, network.ngram_range, network.min_count)
        new_ngrams = [ngram for ngram in learned.words if ngram not in self._ngrams]
        if new_ngrams:
            known = [*self._ngrams.words, *new_ngrams]
            self._ngrams = CharacterNgrams(known, network.ngram_range)
        rows = network.initial_table(len(new_ngrams), self._rng)
        return self._ngrams.token_ids(sentences), rows

    def lookup(self, sentences: Sequence[str]) -> tuple[TokenIds, Vectors]:
        no_rows = np.empty((0, self._network.n_dims), dtype=np.float32)
        return self._ngrams.token_ids(sentences), no_rows

    def vectors(self, table: Vectors) -> WordVectors:
        return WordVectors(self._ngrams.words, table)
