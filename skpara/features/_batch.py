"""A batch of pairs with everything that several families need, computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress

import numpy as np

from skpara._core import Ragged
from skpara._public import set_module
from skpara._typing import Floats, Pairs, Vectors
from skpara.features._bags import Bags, DocumentFrequencies
from skpara.features._kernels import runs
from skpara.features._takelab import STOP_WORDS, TaggedTokens, TakelabSides, is_word
from skpara.resources import Tagger, WordFrequencies, WordNet, WordVectors

# Enough pairs to share the work on words that come again, few enough for 100 MB of memory.
_PAIRS_PER_BATCH = 1024
_CHARACTERS_PER_BATCH = 2_000_000


@set_module("skpara.features")
@dataclass(frozen=True)
class Knowledge:
    """Tables that features read. ``fit`` loads or learns only the needed ones."""

    frequencies: WordFrequencies | None = None
    vectors: WordVectors | None = None
    wordnet: WordNet | None = None
    tagger: Tagger | None = None
    # Of words ("word") and of character n-grams ("char").
    document_frequencies: Mapping[str, DocumentFrequencies] = field(default_factory=dict)


@set_module("skpara.features")
class PairBatch:
    """A batch of pairs and views of their sentences, each computed on first use.

    ``sentences`` are the distinct sentences. ``left`` and ``right`` are the positions of the two
    sentences of each pair.
    """

    def __init__(self, pairs: Pairs, knowledge: Knowledge) -> None:
        self.sentences, numbers = Ragged.of([pairs.ravel().tolist()])
        self.left, self.right = numbers.ids.reshape(-1, 2).T.copy()
        self.sides = self.left, self.right
        self.knowledge = knowledge

    def __len__(self) -> int:
        return len(self.left)

    @cached_property
    def takelab(self) -> TakelabSides:
        """TakeLab's tokens of both sides of each pair."""
        return TakelabSides(self.sentences, self.sides, self.knowledge.tagger)

    @cached_property
    def bags(self) -> Bags:
        """The words and the character n-grams of the sentences."""
        return Bags(self.sentences)

    @cached_property
    def word_vectors(self) -> Vectors:
        """Vectors of ``bags.words``, from subwords for unknown words."""
        return self.vectors.lookup(self.bags.words, oov="subword")

    @cached_property
    def word_idf(self) -> Floats:
        """Inverse document frequencies of ``bags.words``."""
        return self.knowledge.document_frequencies["word"].idf(self.bags.words)

    @cached_property
    def word_norms(self) -> Floats:
        """Lengths of ``word_vectors``; 0 where all of a vector is 0."""
        return row_norms(self.word_vectors)

    @cached_property
    def tagged_vectors(self) -> Vectors:
        """Vectors of ``tagged.words`` that are content words, nouns or verbs; zeros of others."""
        tagged = self.tagged
        is_needed = tagged.content | tagged.are("NN") | tagged.are("VB")
        vectors = np.zeros((len(tagged.words), self.vectors.n_dims), dtype=np.float32)
        vectors[is_needed] = self.vectors.lookup([*compress(tagged.words, is_needed)], "subword")
        return vectors

    @cached_property
    def tagged_norms(self) -> Floats:
        """Lengths of ``tagged_vectors``."""
        return row_norms(self.tagged_vectors)

    @cached_property
    def information(self) -> Floats:
        """Information content of ``bags.words`` in nats; -1 for unknown words."""
        return self.frequencies.information(self.bags.words, unknown=-1.0)

    @cached_property
    def takelab_information(self) -> Floats:
        """Information content of ``takelab.distinct`` in nats; -1 for unknown tokens."""
        return self.frequencies.information(self.takelab.distinct, unknown=-1.0)

    @cached_property
    def tagged(self) -> TaggedTokens:
        """The tokens of all pairs with their tags."""
        return TaggedTokens(self.takelab, self.knowledge.wordnet)

    @cached_property
    def lemmas(self) -> tuple[list[str], Ragged]:
        """The distinct lemmas of content words, and their positions for each token list."""
        tagged = self.tagged
        words = [is_word(word) and word not in STOP_WORDS for word in tagged.words]
        names, lemmas = Ragged.of([tagged.lemmas])
        return names, tagged.ids.only(np.array(words, dtype=bool), lemmas.ids)

    @property
    def wordnet(self) -> WordNet:
        assert self.knowledge.wordnet is not None
        return self.knowledge.wordnet

    @property
    def frequencies(self) -> WordFrequencies:
        assert self.knowledge.frequencies is not None
        return self.knowledge.frequencies

    @property
    def vectors(self) -> WordVectors:
        assert self.knowledge.vectors is not None
        return self.knowledge.vectors


def split(pairs: Pairs) -> list[Pairs]:
    """Split pairs into batches, which do not depend on the number of processes."""
    sizes = np.array([len(first) + len(second) for first, second in pairs], dtype=np.int64)
    return [pairs[rows] for rows in runs(sizes, _CHARACTERS_PER_BATCH, _PAIRS_PER_BATCH)]


def row_norms(matrix: Vectors) -> Floats:
    """Return the lengths of rows."""
    return np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))


@set_module("skpara.features")
@dataclass(frozen=True)
class Family:
    """Features that are computed together: the ``group`` that selects all, and their ``names``.

    ``compute`` takes a batch of pairs and returns an array of shape (n_pairs, len(names)): finite
    for any text, each row computed from its own pair only. ``needs`` names the fields of
    :class:`Knowledge` that it reads.
    """

    group: str
    names: tuple[str, ...]
    compute: Callable[[PairBatch], Floats]
    needs: Set[str] = frozenset()
