"""From text to rows of a table that grows with the words met in training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from numpy.random import Generator

from skpara._core import Ragged
from skpara._typing import Ints, Oov, Vectors
from skpara.resources import WordVectors
from skpara.text import CharacterNgrams

if TYPE_CHECKING:
    from skpara.networks import Charagram, Network


class NewRows(NamedTuple):
    """Rows to add to the table, and the targets of word decay."""

    rows: Vectors
    targets: Vectors


def make_lexicon(
    network: Network,
    known: WordVectors | None,
    source: WordVectors | None,
    target: WordVectors | None,
    oov: Oov,
    rng: Generator,
) -> WordLexicon | NgramLexicon:
    """Make the lexicon of the units that a network reads: it maps text to embedding row indices.

    Its table has the rows of words met in training. ``start`` returns the rows of words that were
    trained before, ``extend`` ids of sentences and the rows to add for new words in them, and
    ``lookup`` ids and rows beyond the table, which does not grow. ``vectors`` returns all words
    with their rows, ``ids`` the position of each row of the table among them, and ``rms`` the
    root mean square of all rows.
    """
    if network.units == "words":
        # Only character n-grams start without vectors.
        assert known is not None
        assert source is not None
        return WordLexicon(known, source, oov, target)
    return NgramLexicon(known, cast("Charagram", network), target, oov, rng)


class WordLexicon:
    """Words, with a table of the words met in training only.

    Text uses few rows of a large table of vectors. A copy of the whole for each fold of a
    cross-fit would take longer than to train the fold.

    Words start with their vectors in ``known``. With ``oov="subword"`` unknown words of
    :meth:`extend` get rows of their own, from ``source``, the table before any training. Decay
    pulls towards ``target``, else ``source``.
    """

    def __init__(
        self, known: WordVectors, source: WordVectors, oov: Oov, target: WordVectors | None = None
    ) -> None:
        self._known = known
        self._source = source
        self._oov = oov
        self._target = target or source
        # The row of each known word, -1 for one that has not been met.
        self._places = np.full(len(known), -1, dtype=np.int32)
        self._ids = np.empty(0, dtype=np.int64)
        self._added: dict[str, int] = {}

    def start(self, ids: Ints) -> NewRows:
        return self._add(ids, [])

    def extend(self, sentences: Sequence[str]) -> tuple[Ragged, NewRows]:
        tokens, ids, words = self._locate(sentences)
        return tokens, self._add(ids, words)

    def lookup(self, sentences: Sequence[str]) -> tuple[Ragged, Vectors]:
        tokens, ids, words = self._locate(sentences)
        return tokens, self._rows(ids, words)

    def _add(self, ids: Ints, words: list[str]) -> NewRows:
        rows = self._rows(ids, words)
        n_rows = len(self._ids)
        self._places[ids] = np.arange(n_rows, n_rows + len(ids))
        first = n_rows + len(ids)
        new_ids = len(self._known) + len(self._added) + np.arange(len(words))
        self._added |= {word: first + i for i, word in enumerate(words)}
        self._ids = np.concatenate([self._ids, ids, new_ids])
        if self._target is self._known:
            return NewRows(rows, rows)
        known_words = [self._known.words[i] for i in ids.tolist()]
        targets = self._target.lookup(known_words, self._oov)
        return NewRows(rows, np.concatenate([targets, rows[len(ids) :]]))

    def _rows(self, ids: Ints, words: list[str]) -> Vectors:
        unknown = self._source.unknown_vectors(words, self._oov)
        return np.concatenate([self._known.take(ids), unknown]) if words else self._known.take(ids)

    def _locate(self, sentences: Sequence[str]) -> tuple[Ragged, Ints, list[str]]:
        """Return the rows of tokens, and the known and unknown words of rows beyond the table."""
        tokens, unknown = self._known.vocabulary.token_ids(sentences)
        n_known = len(self._known)
        if unknown and self._oov == "rare":
            # One row stands for all of them, and is trained for them.
            is_known = tokens.ids < n_known
            tokens = tokens.with_ids(np.where(is_known, tokens.ids, self._known.rarest_row))
        elif unknown and self._oov == "zero":
            tokens = tokens.where(tokens.ids < n_known)
        added = [self._added.get(word, -1) for word in unknown]
        places = np.append(self._places, np.array(added, dtype=np.int32))
        # Flags instead of np.unique, which sorts all tokens.
        is_new = np.zeros(len(places), dtype=bool)
        is_new[tokens.ids] = True
        new = np.flatnonzero(is_new & (places < 0))
        places[new] = len(self._ids) + np.arange(len(new))
        n_new = int(np.searchsorted(new, n_known))
        words = [unknown[i - n_known] for i in new[n_new:].tolist()]
        return tokens.with_ids(places[tokens.ids]), new[:n_new], words

    def vectors(self, table: Vectors) -> WordVectors:
        return self._known.with_rows(self._ids, table, list(self._added))

    def ids(self) -> Ints:
        return self._ids

    def rms(self, table: Vectors) -> float:
        added = table[self._ids >= len(self._known)]
        n_numbers = len(self._known) * self._known.n_dims
        total = n_numbers * self._known.rms**2 + float(np.square(added).sum())
        return float(np.sqrt(total / (n_numbers + added.size)))


class NgramLexicon:
    """Character n-grams; new ones start with small random vectors, and decay pulls towards zero.

    N-grams of an encoder to start from are pulled towards their vectors in ``target``.
    """

    def __init__(
        self,
        known: WordVectors | None,
        network: Charagram,
        target: WordVectors | None,
        oov: Oov,
        rng: Generator,
    ) -> None:
        self._known = known
        self._network = network
        self._target = target
        self._oov = oov
        self._rng = rng
        self._ngrams = CharacterNgrams([] if known is None else known.words, network.ngram_range)

    def start(self, ids: Ints) -> NewRows:
        if self._known is None:
            rows = np.empty((0, self._network.n_dims), dtype=np.float32)
        else:
            rows = self._known.matrix
        targets = np.zeros_like(rows)
        if self._target is not None and self._known is not None:
            targets = self._target.lookup(self._known.words, self._oov)
        return NewRows(rows, targets)

    def extend(self, sentences: Sequence[str]) -> tuple[Ragged, NewRows]:
        network = self._network
        learned = CharacterNgrams.learn(sentences, network.ngram_range, network.min_count)
        new_ngrams = [ngram for ngram in learned.words if ngram not in self._ngrams]
        if new_ngrams:
            self._ngrams = CharacterNgrams([*self._ngrams.words, *new_ngrams], network.ngram_range)
        if not self._ngrams.words:
            raise ValueError(
                "The sentences to learn from have no character n-grams that occur "
                f"{network.min_count} time(s). Pass sentences with letters, or more of them."
            )
        rows = network.initial_table(len(new_ngrams), self._rng)
        targets = np.zeros_like(rows) if self._target is None else rows
        return self._ngrams.token_ids(sentences), NewRows(rows, targets)

    def lookup(self, sentences: Sequence[str]) -> tuple[Ragged, Vectors]:
        no_rows = np.empty((0, self._network.n_dims), dtype=np.float32)
        return self._ngrams.token_ids(sentences), no_rows

    def vectors(self, table: Vectors) -> WordVectors:
        return WordVectors(self._ngrams.words, table)

    def ids(self) -> Ints:
        return np.arange(len(self._ngrams.words))

    def rms(self, table: Vectors) -> float:
        return float(np.sqrt(np.square(table).mean())) if len(table) else 0.0
