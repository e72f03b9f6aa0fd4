"""Word vectors for more languages, from sentences and their translations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._pairs import as_pairs
from skpara._typing import PairsLike, Vectors
from skpara.encoders._pooling import mean_vectors
from skpara.resources import WordVectors, eight_bit_codes
from skpara.text import Vocabulary

# Pairs of a word and a word of the translation that are in memory at once, at 100 bytes each.
_CHUNK = 2_000_000
# With three rounds dictionaries are as good as with more, and they need not converge: the
# regression that follows corrects them.
_N_ROUNDS = 3
# Translations of a word that are less probable are noise, and most of the memory.
_LEAST_PROBABILITY = 1e-3
_SENTENCES = 65_536  # at a time: their means take 64 MB
# Where a table already has both languages, either column may have a few more of its words.
_SWAPPED = 0.1


def align_vectors(
    pairs: PairsLike,
    vectors: Any = "default",
    *,
    min_count: int = 2,
    alpha: float = 0.03,
    max_iter: int = 4,
) -> WordVectors:
    """Add the words of other languages to a table, from sentences and their translations.

    Each word of a translation first gets the mean of its probable translations' vectors, with
    their mean length; probabilities are those of IBM model 1 (Brown et al. 1993). Ridge regression
    then moves these vectors so that the mean over a translation is close to the mean over its
    sentence. Both are sums over the text, so the result does not depend on its order or on random
    numbers.

    Words that both languages have, such as "no" in English and Spanish, have one vector. It is
    learned from both sides, so the language in which the word is more frequent has more weight.

    Parameters
    ----------
    pairs : pairs of shape (n_pairs, 2)
        Sentences in the language of ``vectors``, and their translations. Translations may be in
        several languages. Dictionaries are pairs too. A hundred thousand pairs of sentences are
        enough for a language.
    vectors : object, default="default"
        The vectors of the first language, as :meth:`skpara.WordVectors.load` takes them.
    min_count : int, default=2
        Number of translations that a word must be in to get a vector. Others are unknown words,
        whose vectors come from words with a similar spelling. These are better than what one
        sentence says about a word, but pass 1 for dictionaries.
    alpha : float, default=0.03
        Strength of the regularization towards the first vectors. More keeps rare words closer to
        their translations.
    max_iter : int, default=4
        Iterations of conjugate gradients. With 0, the first vectors are the result.

    Returns
    -------
    WordVectors
        A table of 8-bit codes with the words of ``vectors``, followed by the others. The rows of
        words that no translation has are those of ``vectors``.

    Raises
    ------
    ValueError
        If a parameter is out of range, or no word of the translations can get a vector.

    References
    ----------
    Brown et al. (1993). The Mathematics of Statistical Machine Translation: Parameter Estimation.
    Computational Linguistics.

    Examples
    --------
    >>> from skpara import ParagramEncoder, WordVectors
    >>> from skpara.encoders import align_vectors
    >>> english = WordVectors({"dog": 0, "cat": 1}, [[1.0, 0.0], [0.0, 1.0]])
    >>> pairs = [("dog", "perro"), ("cat", "gato"), ("dog cat", "perro gato")]
    >>> both = align_vectors(pairs, english)
    >>> both.words
    ['dog', 'cat', 'perro', 'gato']
    >>> ParagramEncoder(vectors=both).similarity(["cat"], ["gato"]).round(2)
    array([1.])
    """
    if min_count < 1 or max_iter < 0 or not alpha > 0:
        raise ValueError(
            "min_count must be at least 1, alpha above 0 and max_iter at least 0, got "
            f"min_count={min_count}, alpha={alpha} and max_iter={max_iter}."
        )
    table = WordVectors.load(vectors)
    first, second = as_pairs(pairs).T.tolist()
    source, target = _Bags.of(first), _Bags.of(second)
    _check_columns(source, target, table)
    learned = _learned_words(target, table, min_count)
    if not len(learned):
        raise ValueError(
            f"No word occurs in {min_count} of the {len(first)} translations; pass more pairs or "
            "a lower min_count."
        )
    words = [target.words[i] for i in learned.tolist()]
    # Numbers are translations of themselves. Punctuation marks stay: they take what function words
    # without a counterpart would add to others, as the empty word of model 1 does.
    numbers = np.array([_has_digit(word) for word in source.words], dtype=bool)
    possible = np.flatnonzero(~numbers)
    dictionary = _translation_probabilities(target.counts[:, learned], source.counts[:, possible])
    source_rows = table.lookup([source.words[i] for i in possible.tolist()])
    # A mean is shorter than what it is a mean of, but a word with several translations is not less
    # important: with their mean length, r on Spanish pairs is .002 higher.
    rows = _lengthened(dictionary @ source_rows, dictionary @ _lengths(source_rows))
    shared = _SharedWords.of(words, table, source, target.frequencies[learned])
    rows[shared.positions] += shared.weights[:, None] * (shared.rows - rows[shared.positions])

    gram, moment = _moments(table, first, target, learned)
    shared_gram = shared.gram(source, len(words))
    # A sentence of the first language should keep the mean that it has.
    moment += shared_gram[:, shared.positions] @ shared.rows
    return _joined(table, words, _ridge(gram + shared_gram, moment, rows, alpha, max_iter))


class _Bags(NamedTuple):
    """The distinct words of each sentence."""

    words: list[str]
    counts: sparse.csr_matrix  # 1 where the sentence has the word

    @classmethod
    def of(cls, sentences: list[str]) -> _Bags:
        ids, offsets, words = Vocabulary([]).token_ids(sentences)
        ones = np.ones(len(ids), dtype=np.float32)
        counts = sparse.csr_matrix((ones, ids, offsets), shape=(len(sentences), len(words)))
        counts.sum_duplicates()
        counts.data[:] = 1
        return cls(words, counts)

    @property
    def frequencies(self) -> NDArray[np.int64]:
        """Number of sentences that have each word."""
        return np.bincount(self.counts.indices, minlength=len(self.words))

    def shares(self, start: int, stop: int) -> sparse.csr_matrix:
        """Return the share of each word in the means of some sentences."""
        counts = self.counts[start:stop]
        lengths = np.diff(counts.indptr)
        counts.data = np.repeat(np.float32(1) / np.maximum(lengths, 1), lengths)
        return counts


def _check_columns(source: _Bags, target: _Bags, table: WordVectors) -> None:
    known = [
        bags.frequencies @ [word in table for word in bags.words] / max(bags.counts.nnz, 1)
        for bags in (source, target)
    ]
    if known[1] > known[0] + _SWAPPED:
        raise ValueError(
            f"The table has {known[0]:.0%} of the words of the first column and {known[1]:.0%} of "
            "those of the second. The columns seem to be swapped: the language of the table must "
            "be the first one, and its translation the second."
        )


def _learned_words(bags: _Bags, table: WordVectors, min_count: int) -> NDArray[np.int64]:
    """Return the columns of the words that get a row, most frequent first."""
    frequencies = bags.frequencies
    order = np.argsort(-frequencies, kind="stable")
    columns = order[frequencies[order] >= min_count].tolist()
    return np.array([i for i in columns if _is_learned(bags.words[i], table)], dtype=np.int64)


def _is_learned(word: str, table: WordVectors) -> bool:
    # Numbers and punctuation marks are the same in all languages, but for marks such as "¿".
    return not _has_digit(word) and (word[0].isalpha() or word not in table)


def _has_digit(word: str) -> bool:
    return any(map(str.isdecimal, word))


class _SharedWords(NamedTuple):
    """Words of the translations that the table has too."""

    positions: NDArray[np.int64]  # among the words that are learned
    columns: NDArray[np.int64]  # in the bags of the first language, -1 where it does not occur
    rows: Vectors
    weights: Vectors  # share of the first language in the occurrences

    @classmethod
    def of(
        cls, words: list[str], table: WordVectors, source: _Bags, frequencies: NDArray[np.int64]
    ) -> _SharedWords:
        positions = np.array([i for i, w in enumerate(words) if w in table], dtype=np.int64)
        shared = [words[i] for i in positions.tolist()]
        index = {word: i for i, word in enumerate(source.words)}
        columns = np.array([index.get(word, -1) for word in shared], dtype=np.int64)
        n_source = np.bincount(source.counts.indices, minlength=len(source.words))
        counts = np.where(columns >= 0, np.append(n_source, 0)[columns], 0) + 1
        weights = (counts / (counts + frequencies[positions])).astype(np.float32)
        return cls(positions, columns, table.lookup(shared), weights)

    def gram(self, source: _Bags, n_words: int) -> sparse.csr_matrix:
        """Return the products of the shares of shared words in sentences of the first language."""
        occurs = self.columns >= 0
        positions = self.positions[occurs]
        ones = np.ones(len(positions), dtype=np.float32)
        place = sparse.csr_matrix(
            (ones, (self.columns[occurs], positions)), shape=(len(source.words), n_words)
        )
        gram = sparse.csr_matrix((n_words, n_words), dtype=np.float32)
        for start, stop in _ranges(source.counts.shape[0]):
            shares = source.shares(start, stop) @ place
            gram += shares.T @ shares
        return gram


def _moments(
    table: WordVectors, first: list[str], target: _Bags, learned: NDArray[np.int64]
) -> tuple[sparse.csr_matrix, Vectors]:
    """Return the matrix and the right-hand side of the normal equations, without regularization.

    They are sums over the text, which is read in parts: what is in memory at once, but for the
    text itself, depends on the number of words and not on that of sentences.
    """
    fixed = np.setdiff1d(np.arange(len(target.words)), learned)
    fixed_rows = table.lookup([target.words[i] for i in fixed.tolist()])
    gram = sparse.csr_matrix((len(learned), len(learned)), dtype=np.float32)
    moment = np.zeros((len(learned), table.n_dims), dtype=np.float32)
    for start, stop in _ranges(len(first)):
        shares = target.shares(start, stop)
        own = shares[:, learned]
        # What numbers and marks contribute to the mean of the translation is given.
        residuals = mean_vectors(table, first[start:stop]) - shares[:, fixed] @ fixed_rows
        gram += own.T @ own
        moment += own.T @ residuals
    return gram, moment


def _ranges(n_rows: int) -> Iterator[tuple[int, int]]:
    for start in range(0, n_rows, _SENTENCES):
        yield start, min(start + _SENTENCES, n_rows)


def _translation_probabilities(
    target: sparse.csr_matrix, source: sparse.csr_matrix
) -> sparse.csr_matrix:
    """Return the probability that a word translates a word of the first language.

    It is the share of that word in the expected alignments of IBM model 1, in which each word of a
    translation comes from one word of the sentence.
    """
    n_source = source.shape[1]
    chunks = _chunks(target, source)
    keys = np.unique(
        np.concatenate([np.unique(_Cells.of(target, source, *c).keys) for c in chunks])
    )
    from_target, from_source = np.divmod(keys, n_source)
    expected = np.ones(len(keys))
    for _ in range(_N_ROUNDS):
        totals = np.bincount(from_source, expected, n_source)
        probabilities = expected / totals[from_source]
        expected = np.zeros(len(keys))
        for chunk in chunks:
            cells = _Cells.of(target, source, *chunk)
            places = np.searchsorted(keys, cells.keys)
            shares = probabilities[places]
            shares /= np.bincount(cells.tokens, shares)[cells.tokens]
            expected += np.bincount(places, shares, len(keys))
    shares = expected / np.bincount(from_target, expected, target.shape[1])[from_target]
    probable = shares >= _LEAST_PROBABILITY
    return sparse.csr_matrix(
        (shares[probable].astype(np.float32), (from_target[probable], from_source[probable])),
        shape=(target.shape[1], n_source),
    )


class _Cells(NamedTuple):
    """Each word of a translation with each word of its sentence."""

    keys: NDArray[np.int64]  # the two words
    tokens: NDArray[np.int64]  # the occurrence of the word in the translations

    @classmethod
    def of(
        cls, target: sparse.csr_matrix, source: sparse.csr_matrix, start: int, stop: int
    ) -> _Cells:
        target, source = target[start:stop], source[start:stop]
        sizes = np.diff(source.indptr)[np.repeat(np.arange(stop - start), np.diff(target.indptr))]
        starts = np.repeat(source.indptr[:-1], np.diff(target.indptr))
        tokens = np.repeat(np.arange(len(sizes)), sizes)
        place = np.arange(len(tokens)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        columns = source.indices[np.repeat(starts, sizes) + place]
        keys = target.indices[tokens].astype(np.int64) * source.shape[1] + columns
        return cls(keys, tokens)


def _chunks(target: sparse.csr_matrix, source: sparse.csr_matrix) -> list[tuple[int, int]]:
    """Return ranges of sentences with about ``_CHUNK`` cells each."""
    cells = np.cumsum(np.diff(target.indptr).astype(np.int64) * np.diff(source.indptr))
    borders = np.flatnonzero(np.diff(cells // _CHUNK)) + 1
    edges = [0, *borders.tolist(), len(cells)]
    return [(a, b) for a, b in pairwise(edges) if b > a]


def _ridge(
    gram: sparse.csr_matrix, moment: Vectors, start: Vectors, alpha: float, max_iter: int
) -> Vectors:
    """Solve ``(gram + alpha) @ rows = moment + alpha * start``, from ``start``.

    By conjugate gradients with the diagonal as preconditioner. All dimensions share the step
    lengths, so that an iteration is one product with a matrix.
    """
    strength = np.float32(alpha)
    diagonal = gram.diagonal()[:, None] + strength
    rows = start.copy()
    remainder = moment - gram @ rows
    direction = remainder / diagonal
    product = np.vdot(remainder, direction)
    for _ in range(max_iter):
        if product <= 0:  # solved
            break
        image = gram @ direction + strength * direction
        step = product / np.vdot(direction, image)
        rows += step * direction
        remainder -= step * image
        scaled = remainder / diagonal
        previous, product = product, np.vdot(remainder, scaled)
        direction = scaled + (product / previous) * direction
    return rows


def _lengths(rows: Vectors) -> Vectors:
    return np.linalg.norm(rows, axis=1, keepdims=True).astype(np.float32)


def _lengthened(rows: Vectors, lengths: Vectors) -> Vectors:
    factors = (lengths / np.maximum(_lengths(rows), 1e-12)).astype(np.float32)
    scaled: Vectors = rows * factors
    return scaled


def _joined(table: WordVectors, words: list[str], rows: Vectors) -> WordVectors:
    """Return a table of 8-bit codes with other rows for some words, and new words."""
    layers = table.layers
    if layers.places is None and layers.scales is not None:
        codes, scales = np.array(layers.table), np.array(layers.scales)
    else:
        codes, scales = eight_bit_codes(table.matrix)
    new_codes, new_scales = eight_bit_codes(rows)
    index = table.vocabulary.index
    places = np.array([index.get(word, -1) for word in words], dtype=np.int64)
    known = places >= 0
    codes[places[known]], scales[places[known]] = new_codes[known], new_scales[known]
    added = [word for word, is_known in zip(words, known, strict=True) if not is_known]
    return WordVectors(
        [*table.words, *added],
        np.vstack([codes, new_codes[~known]]),
        np.append(scales, new_scales[~known]),
    )
