"""A batch of pairs with what the features need to know of each sentence, found once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara.features._bags import Bags
from skpara.features._document_frequencies import DocumentFrequencies
from skpara.features._takelab_tokens import compounds, join_compounds, takelab_tokens
from skpara.features._takelab_words import STOP_WORDS, is_word
from skpara.resources import Tagger, WordFrequencies, WordNet, WordVectors
from skpara.text._overlaps import Sides, encode, shared_counts

_DIGIT = re.compile(r"\d")
# A sentence as text, or as tokens with their tags.
Tagged = tuple[tuple[str, str], ...]
Cell = str | Tagged
# WordNet's parts of speech, by the first two letters of a tag.
_WORDNET_POS = {"NN": "n", "JJ": "a", "VB": "v", "RB": "r"}


@dataclass(frozen=True)
class Knowledge:
    """What the features know beside the pairs; ``fit`` loads or learns what is needed."""

    frequencies: WordFrequencies | None = None
    vectors: WordVectors | None = None
    wordnet: WordNet | None = None
    tagger: Tagger | None = None
    document_frequencies: Mapping[str, DocumentFrequencies] = field(default_factory=dict)


class PairBatch:
    """Pairs, and views of their sentences that are computed when first asked for.

    Parameters
    ----------
    pairs : ndarray of str, or of tuples of (token, tag), shape (n_pairs, 2)
    knowledge : Knowledge

    Attributes
    ----------
    cells : list of str, or of tuples of (token, tag)
        The distinct sentences.
    sentences : list of str
        Their text; the tokens joined by spaces, where these are given.
    left, right : ndarray of int, shape (n_pairs,)
        The numbers of the sentences of each pair.
    """

    def __init__(self, pairs: NDArray[np.object_], knowledge: Knowledge) -> None:
        index: dict[Cell, int] = {}
        cells = [index.setdefault(cell, len(index)) for cell in pairs.ravel().tolist()]
        self.cells = list(index)
        self.sentences = [
            cell if isinstance(cell, str) else " ".join(token for token, _ in cell)
            for cell in self.cells
        ]
        self.left, self.right = np.array(cells, dtype=np.intp).reshape(-1, 2).T
        self.knowledge = knowledge

    def __len__(self) -> int:
        return len(self.left)

    @cached_property
    def takelab(self) -> TakelabSides:
        """TakeLab's tokens and words of both sides of each pair."""
        return TakelabSides(self)

    @cached_property
    def bags(self) -> Bags:
        """Words and character n-grams of the sentences, and how often each stands in each."""
        return Bags(self.sentences)

    @cached_property
    def word_vectors(self) -> NDArray[np.float32]:
        """Vectors of ``bags.words``, by subwords where a word is unknown."""
        return self.vectors.lookup(self.bags.words, oov="subword")

    def vectors_of(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of any words, those of the bags not looked up again."""
        known = {word: i for i, word in enumerate(self.bags.words)}
        rows = np.array([known.get(word, -1) for word in words], dtype=np.intp)
        found = np.empty((len(rows), self.vectors.n_dims), dtype=np.float32)
        found[rows >= 0] = self.word_vectors[rows[rows >= 0]]
        new = [words[i] for i in np.flatnonzero(rows < 0).tolist()]
        found[rows < 0] = self.vectors.lookup(new, oov="subword")
        return found

    @cached_property
    def takelab_information(self) -> NDArray[np.float64]:
        """What each of TakeLab's distinct tokens tells, in nats; unknown ones nothing."""
        return self.frequencies.information(self.takelab.distinct)

    @cached_property
    def tagged(self) -> TaggedTokens:
        """The tokens of all pairs with their tags."""
        return TaggedTokens(self)

    @cached_property
    def lemmas(self) -> tuple[list[str], tuple[Sides, Sides]]:
        """The distinct lemmas of content words, and their numbers on both sides of all pairs."""
        tagged = self.tagged
        content = [is_word(word) and word not in STOP_WORDS for word in tagged.words]
        return tagged.numbered(tagged.lemmas, content)

    @property
    def wordnet(self) -> WordNet:
        """WordNet."""
        assert self.knowledge.wordnet is not None
        return self.knowledge.wordnet

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
    sentences share one list, and a side that has a compound gets a list of its own. Tokens that
    are given are not joined.

    Attributes
    ----------
    tokens : list of list of str
    pairs : list of (int, int)
        For each pair, the numbers of its two token lists.
    """

    def __init__(self, batch: PairBatch) -> None:
        self._cells = batch.cells
        self._tagger = batch.knowledge.tagger
        self.tokens = [
            takelab_tokens(cell) if isinstance(cell, str) else [token for token, _ in cell]
            for cell in batch.cells
        ]
        # Tokens that are given are not joined.
        joinable = [
            compounds(tokens) if isinstance(cell, str) else frozenset()
            for tokens, cell in zip(self.tokens, batch.cells, strict=True)
        ]
        lowered = [frozenset(map(str.lower, tokens)) for tokens in self.tokens]
        self.pairs: list[tuple[int, int]] = []
        for i, j in zip(batch.left.tolist(), batch.right.tolist(), strict=True):
            a = i if joinable[i].isdisjoint(lowered[j]) else self._joined(i, j)
            b = j if joinable[j].isdisjoint(lowered[i]) else self._joined(j, i)
            self.pairs.append((a, b))

    def _joined(self, i: int, j: int) -> int:
        self.tokens.append(join_compounds(self.tokens[i], self.tokens[j]))
        return len(self.tokens) - 1

    @cached_property
    def tags(self) -> list[list[str]]:
        """Penn Treebank tags of each token list: those given, else the tagger's."""
        given = [None if isinstance(cell, str) else cell for cell in self._cells]
        given += [None] * (len(self.tokens) - len(given))
        untagged = [tokens for tokens, cell in zip(self.tokens, given, strict=True) if not cell]
        assert self._tagger is not None
        found = iter(self._tagger.tag(untagged))
        return [[tag for _, tag in cell] if cell else next(found) for cell in given]

    @cached_property
    def _encoded(self) -> tuple[list[str], list[str]]:
        """The distinct lower-cased tokens, and each list with a character for each token."""
        return encode([map(str.lower, tokens) for tokens in self.tokens])

    @property
    def distinct(self) -> list[str]:
        """The distinct lower-cased tokens."""
        return self._encoded[0]

    @cached_property
    def codes(self) -> tuple[list[str], list[str]]:
        """Both sides of all pairs, each token as the character of its number in ``distinct``.

        What compares texts, character by character, then compares tokens.
        """
        codes = self._encoded[1]
        return [codes[a] for a, _ in self.pairs], [codes[b] for _, b in self.pairs]

    @cached_property
    def token_ids(self) -> tuple[Sides, Sides]:
        """The numbers in ``distinct`` of the tokens of both sides of all pairs."""
        return Sides.of(self.codes[0]), Sides.of(self.codes[1])

    @cached_property
    def _are_words(self) -> NDArray[np.bool_]:
        return np.array([is_word(token) for token in self.distinct], dtype=bool)

    @cached_property
    def word_ids(self) -> tuple[Sides, Sides]:
        """Those of the tokens that are words."""
        left, right = self.token_ids
        return left.only(self._are_words), right.only(self._are_words)

    @cached_property
    def content_word_ids(self) -> tuple[Sides, Sides]:
        """Those of the words that are not stop words."""
        content = [token not in STOP_WORDS for token in self.distinct]
        left, right = self.word_ids
        kept = np.array(content, dtype=bool)
        return left.only(kept), right.only(kept)

    @cached_property
    def word_counts(self) -> tuple[sparse.csr_matrix, sparse.csr_matrix, sparse.csr_matrix]:
        """How often each of ``distinct`` is a word of the first sides, the second, and of both."""
        return shared_counts(*self.word_ids, len(self.distinct))

    @property
    def sides(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The numbers of the token lists of the first sides, and of the second."""
        first, second = np.array(self.pairs, dtype=np.intp).reshape(-1, 2).T
        return first, second

    def score(
        self, function: Callable[[Any, Any], Sequence[float]], sides: Sequence[Any]
    ) -> NDArray[np.float64]:
        """``function(sides[a], sides[b])`` of each pair, shape (n_pairs, n_features)."""
        return np.array([function(sides[a], sides[b]) for a, b in self.pairs], dtype=np.float64)

    def having(self, telling: Iterable[object]) -> list[bool]:
        """Which token lists have one of the ``distinct`` tokens that are marked."""
        characters = {chr(i) for i, marked in enumerate(telling) if marked}
        return [not characters.isdisjoint(code) for code in self._encoded[1]]

    @cached_property
    def have_digits(self) -> list[bool]:
        """Which token lists hold a digit."""
        return self.having(map(_DIGIT.search, self.distinct))


class TaggedTokens:
    """The tokens of all pairs with their tags, as numbers of distinct ones.

    Attributes
    ----------
    words : list of str
        The distinct tokens, lower-cased; one for each kind of tag that it has.
    tags : list of str
        The first two letters of the tag of each.
    ids : tuple of (Sides, Sides)
        The numbers of the tokens of both sides of all pairs.
    """

    def __init__(self, batch: PairBatch) -> None:
        sides = batch.takelab
        index, codes = encode(
            [
                zip(map(str.lower, tokens), [tag[:2] for tag in tags], strict=True)
                for tokens, tags in zip(sides.tokens, sides.tags, strict=True)
            ]
        )
        self.words = [word for word, _ in index]
        self.tags = [tag for _, tag in index]
        self.ids = (
            Sides.of([codes[a] for a, _ in sides.pairs]),
            Sides.of([codes[b] for _, b in sides.pairs]),
        )
        self._wordnet = batch.knowledge.wordnet

    @cached_property
    def lemmas(self) -> list[str]:
        """WordNet's base form of each word for its part of speech, or the word."""
        assert self._wordnet is not None
        found = []
        for word, tag in zip(self.words, self.tags, strict=True):
            pos = _WORDNET_POS.get(tag)
            found.append(self._wordnet.lemma(word, pos) if pos else word)
        return found

    def numbered(
        self, names: Sequence[str], kept: Sequence[bool]
    ) -> tuple[list[str], tuple[Sides, Sides]]:
        """The distinct names of some of the tokens, and the numbers of these on both sides.

        Parameters
        ----------
        names : sequence of str
            A name for each of ``words``, such as its lemma.
        kept : sequence of bool
            Which of them to keep.
        """
        index: dict[str, int] = {}
        numbers = np.array(
            [
                index.setdefault(name, len(index)) if keep else 0
                for name, keep in zip(names, kept, strict=True)
            ],
            dtype=np.int64,
        )
        keep = np.array(kept, dtype=bool)
        left, right = (side.only(keep) for side in self.ids)
        sides = Sides(numbers[left.ids], left.lengths), Sides(numbers[right.ids], right.lengths)
        return list(index), sides
