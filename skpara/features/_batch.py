"""A batch of pairs with everything that several features need, computed once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara._typing import Floats, Pairs, Vectors
from skpara.features._bags import Bags
from skpara.features._document_frequencies import DocumentFrequencies
from skpara.features._lists import Lists, compounds
from skpara.features._takelab_tokens import (
    STOP_WORDS,
    is_content,
    is_word,
    join_compounds,
    takelab_tokens,
)
from skpara.resources import Tagger, WordFrequencies, WordNet, WordVectors

_DIGIT = re.compile(r"\d")
# A sentence is a text, or a tuple of tokens with their tags.
Tagged = tuple[tuple[str, str], ...]
Cell = str | Tagged
# WordNet's part of speech by the first two letters of a Penn Treebank tag.
WORDNET_POS = {"NN": "n", "JJ": "a", "VB": "v", "RB": "r"}


@set_module("skpara.features")
@dataclass(frozen=True)
class Knowledge:
    """What features read besides the pairs; ``fit`` loads or learns only what is needed."""

    frequencies: WordFrequencies | None = None
    vectors: WordVectors | None = None
    wordnet: WordNet | None = None
    tagger: Tagger | None = None
    # Of words ("word") and of character n-grams ("char").
    document_frequencies: Mapping[str, DocumentFrequencies] = field(default_factory=dict)


@set_module("skpara.features")
class PairBatch:
    """A batch of pairs and views of their sentences, each computed on first use.

    ``cells`` are the distinct sentences, as text or as tuples of (token, tag), and ``sentences``
    their text. ``left`` and ``right`` are the positions of the two sentences of each pair.
    """

    def __init__(self, pairs: Pairs, knowledge: Knowledge) -> None:
        index: dict[Cell, int] = {}
        cells = [index.setdefault(cell, len(index)) for cell in pairs.ravel().tolist()]
        self.cells = list(index)
        self.sentences = [
            cell if isinstance(cell, str) else " ".join(token for token, _ in cell)
            for cell in self.cells
        ]
        self.left, self.right = np.array(cells, dtype=np.int64).reshape(-1, 2).T.copy()
        self.sides = self.left, self.right
        self.knowledge = knowledge

    def __len__(self) -> int:
        return len(self.left)

    @cached_property
    def takelab(self) -> TakelabSides:
        """TakeLab's tokens of both sides of each pair."""
        return TakelabSides(self)

    @cached_property
    def bags(self) -> Bags:
        """The words and the character n-grams of the sentences."""
        return Bags(self.sentences)

    @cached_property
    def word_vectors(self) -> Vectors:
        """Vectors of ``bags.words``; those of unknown words come from their subwords."""
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
        # Looking up unknown words is slow: reuse what word_vectors has.
        known = {word: i for i, word in enumerate(self.bags.words)}
        rows = np.array([known.get(word, -1) for word in tagged.words], dtype=np.intp)
        vectors = self.word_vectors[rows] if known else self.vectors.lookup(tagged.words, "zero")
        pos = [tag in ("NN", "VB") for tag in tagged.tags]
        needed = np.array(pos, dtype=bool) | tagged.content
        vectors[~needed] = 0.0
        new = np.flatnonzero(needed & (rows < 0))
        if len(new):
            vectors[new] = self.vectors.lookup([tagged.words[i] for i in new.tolist()], "subword")
        return vectors

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
        return TaggedTokens(self)

    @cached_property
    def lemmas(self) -> tuple[list[str], Lists]:
        """The distinct lemmas of content words, and their positions for each token list."""
        tagged = self.tagged
        words = [is_word(word) and word not in STOP_WORDS for word in tagged.words]
        names, lemmas = Lists.of([tagged.lemmas])
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


def row_norms(matrix: Vectors) -> Floats:
    """Return the lengths of rows."""
    norms: Floats = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    return norms


class TakelabSides:
    """Token lists, and the positions of the two lists of each pair.

    Joining compounds makes the tokens of a sentence depend on the other sentence. That is rare,
    so equal sentences share one list, and a side with a compound gets a list of its own.
    Sentences that come as tokens are not changed.
    """

    def __init__(self, batch: PairBatch) -> None:
        self._cells = batch.cells
        self._tagger = batch.knowledge.tagger
        self.tokens = [
            takelab_tokens(cell) if isinstance(cell, str) else [token for token, _ in cell]
            for cell in batch.cells
        ]
        self.cased, self.cased_ids = Lists.of(self.tokens)
        self._lower()
        self.sides = left, right = batch.left.copy(), batch.right.copy()
        flags = compounds(self.ids, self.sides, self.distinct)
        for p in np.flatnonzero(flags).tolist():
            i, j = batch.left[p], batch.right[p]
            left[p], right[p] = self._joined(i, j), self._joined(j, i)
        self.pairs = list(zip(left.tolist(), right.tolist(), strict=True))
        # The sentence of each token list: a list with joined compounds is that of one pair.
        self.texts = batch.sentences + [""] * (len(self.tokens) - len(batch.cells))
        for own, original in zip(self.sides, batch.sides, strict=True):
            for k in np.flatnonzero(own != original).tolist():
                self.texts[own[k]] = batch.sentences[original[k]]
        joined = self.tokens[len(batch.cells) :]
        if joined:
            # The tokens so far come first and so keep their numbers.
            self.cased, more = Lists.of([self.cased, *joined])
            self.cased_ids = self.cased_ids.append(more.drop_first())
            self._lower()

    def _lower(self) -> None:
        """Number the lower-cased tokens: ``ids`` are positions in ``distinct``."""
        self.distinct, lowered = Lists.of([map(str.lower, self.cased)])
        self.ids = Lists(lowered.ids[self.cased_ids.ids], self.cased_ids.offsets)

    def _joined(self, i: int, j: int) -> int:
        """Return the list of tokens i with the compounds of list j, which is new if it differs."""
        joined = join_compounds(self.tokens[i], self.tokens[j])
        if len(joined) == len(self.tokens[i]) or not isinstance(self._cells[i], str):
            return i
        self.tokens.append(joined)
        return len(self.tokens) - 1

    @cached_property
    def tags(self) -> list[list[str]]:
        """Penn Treebank tags of each token list: those of the input, else the tagger's."""
        tagged = [None if isinstance(cell, str) else cell for cell in self._cells]
        tagged += [None] * (len(self.tokens) - len(tagged))
        untagged = [tokens for tokens, cell in zip(self.tokens, tagged, strict=True) if not cell]
        assert self._tagger is not None
        tags = iter(self._tagger.tag(untagged))
        return [[tag for _, tag in cell] if cell else next(tags) for cell in tagged]

    @cached_property
    def word_ids(self) -> Lists:
        """Like ``ids``, of words only."""
        return self.ids.only(np.array([is_word(token) for token in self.distinct], dtype=bool))

    @cached_property
    def content_word_ids(self) -> Lists:
        """Like ``ids``, of words that are not stop words."""
        content = np.array([token not in STOP_WORDS for token in self.distinct], dtype=bool)
        return self.word_ids.only(content)

    def score(
        self, function: Callable[[Any, Any], Sequence[float]], values: Sequence[Any], nothing: Any
    ) -> Floats:
        """Apply a function to the values that belong to the two token lists of each pair.

        Most lists have the value ``nothing``; the scores of two of these are computed once.
        """
        usual = function(nothing, nothing)
        pairs = ((values[a], values[b]) for a, b in self.pairs)
        scores = [usual if a is nothing is b else function(a, b) for a, b in pairs]
        return np.array(scores, dtype=np.float64)

    def containing(self, marks: Iterable[object]) -> list[bool]:
        """Return for each token list whether it has a token of ``distinct`` that is marked."""
        marked: list[bool] = (self.ids.sums([bool(mark) for mark in marks]) > 0).tolist()
        return marked

    @cached_property
    def have_digits(self) -> list[bool]:
        """Which token lists have a digit."""
        # A test for letters alone is much faster than a search.
        return self.containing(not t.isalpha() and _DIGIT.search(t) for t in self.distinct)


class TaggedTokens:
    """The distinct tokens with their tags, and their positions for each token list.

    Tokens are lower-cased and tags cut to two letters; a token with several kinds of tags occurs
    once for each.
    """

    def __init__(self, batch: PairBatch) -> None:
        sides = batch.takelab
        kinds, tags = Lists.of([[tag[:2] for tag in tags] for tags in sides.tags])
        keys, numbers = np.unique(sides.ids.ids * len(kinds) + tags.ids, return_inverse=True)
        words_and_kinds = [divmod(key, len(kinds)) for key in keys.tolist()]
        self.words = [sides.distinct[word] for word, _ in words_and_kinds]
        self.word_numbers = keys // max(1, len(kinds))
        self.tags = [kinds[kind] for _, kind in words_and_kinds]
        self.ids = Lists(numbers, sides.ids.offsets)
        self._wordnet = batch.knowledge.wordnet

    @cached_property
    def content(self) -> NDArray[np.bool_]:
        """Which of the words are words or numbers but neither stop words nor marks."""
        return np.array([is_content(word) for word in self.words], dtype=bool)

    @cached_property
    def lemmas(self) -> list[str]:
        """WordNet's base form of each word for its part of speech, else the word."""
        assert self._wordnet is not None
        return [
            self._wordnet.lemma(word, WORDNET_POS[tag]) if tag in WORDNET_POS else word
            for word, tag in zip(self.words, self.tags, strict=True)
        ]


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
