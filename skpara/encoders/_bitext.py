"""Word vectors for more languages, from sentences and their translations."""

from __future__ import annotations

from itertools import pairwise
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils import check_scalar, gen_batches

from skpara._core import Ragged, distinct
from skpara._pairs import as_pairs
from skpara._typing import Ints, PairsLike, Vectors
from skpara.learning import shares_of_means
from skpara.networks import Average
from skpara.resources import WordVectors, has_digit, with_codes
from skpara.text import Vocabulary

# Pairs of a word and a word of the translation in memory at once, at 100 bytes each.
_CHUNK = 2_000_000
# The dictionaries need not converge: the regression that follows corrects them.
_N_ROUNDS = 3
# Less probable translations of a word are noise, and take most of the memory.
_LEAST_PROBABILITY = 1e-3
_SENTENCES = 65_536  # at a time: their means take 64 MB
# For words of both languages, a sentence of the first one counts as this many translations. With
# 1, learning Spanish and French costs English .0023 of r (development part of STS Benchmark); with
# 4 it costs .0016, and French .002.
_FIRST_LANGUAGE = 4
# In a table of both languages, either column may have a few more known words.
_SWAPPED = 0.1


def align_vectors(
    pairs: PairsLike,
    vectors: Any = "default",
    *,
    min_count: int = 2,
    alpha: float = 0.03,
    max_iter: int = 4,
    redundancy: float = Average.redundancy,
) -> WordVectors:
    """Add the words of other languages to a table, from sentences and their translations.

    Each word of a translation first gets the mean vector of its probable translations, with their
    mean length, by the probabilities of IBM model 1 (Brown et al. 1993). Ridge regression then
    moves these vectors so that the mean over a translation is close to the mean over its
    sentence. Both steps are sums over the text, so the result depends neither on its order nor on
    random numbers.

    A word of both languages has one vector. A word that is more frequent in the first language,
    such as "on" in English and French, keeps its vector. Other words, such as "no" in English and
    Spanish, are learned from both sides, weighted by frequency, with four times the weight on the
    first language.

    Parameters
    ----------
    pairs : pairs of shape (n_pairs, 2)
        Sentences in the language of ``vectors``, and their translations. Translations may be in
        several languages. Dictionaries are pairs too. A hundred thousand pairs of sentences are
        enough for a language.
    vectors : object, default="default"
        The vectors of the first language, as :meth:`skpara.WordVectors.load` takes them.
    min_count : int, default=2
        Number of translations in which a word must occur to get a vector. Other words stay
        unknown: their vectors come from words with a similar spelling, which are more reliable
        than one sentence. Pass 1 for dictionaries.
    alpha : float, default=0.03
        Strength of the regularization towards the first vectors. A larger value keeps rare words
        closer to their translations.
    max_iter : int, default=4
        Iterations of conjugate gradients. With 0, the first vectors are the result.
    redundancy : float, default=0.6
        The pooling for which the vectors are made, see :class:`skpara.networks.Average`. The
        weights of the words of a translation are those that their first vectors give them.

    Returns
    -------
    WordVectors
        A table of 8-bit codes with the words of ``vectors``, followed by the new words. Words
        without a translation keep their rows.

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
    >>> english = WordVectors(["dog", "cat"], [[1.0, 0.0], [0.0, 1.0]])
    >>> pairs = [("dog", "perro"), ("cat", "gato"), ("dog cat", "perro gato")]
    >>> both = align_vectors(pairs, english)
    >>> both.words
    ['dog', 'cat', 'perro', 'gato']
    >>> ParagramEncoder(vectors=both).similarity(["cat"], ["gato"]).round(2)
    array([1.])
    """
    check_scalar(min_count, "min_count", Integral, min_val=1)
    check_scalar(alpha, "alpha", Real, min_val=0, include_boundaries="neither")
    check_scalar(max_iter, "max_iter", Integral, min_val=0)
    check_scalar(redundancy, "redundancy", Real, min_val=0)
    table = WordVectors.load(vectors)
    first, second = as_pairs(pairs).T.tolist()
    source = _Bags.of(first)
    target = _Bags.of(second)
    _check_columns(source, target, table)
    learned = _learned_words(source, target, table, min_count)
    if not len(learned):
        raise ValueError(
            f"No word occurs in {min_count} of the {len(first)} translations; pass more pairs or "
            "a lower min_count."
        )
    words = [target.words[i] for i in learned.tolist()]
    # Numbers are translations of themselves. Punctuation marks stay: they take what function words
    # without a counterpart would add to others, as the empty word of model 1 does.
    possible = [i for i, word in enumerate(source.words) if not has_digit(word)]
    dictionary = _translation_probabilities(target.counts[:, learned], source.counts[:, possible])
    source_rows = table.lookup([source.words[i] for i in possible])
    # A mean is shorter than its terms, but a word with several translations is not less important.
    rows = dictionary @ source_rows
    factors = (dictionary @ _lengths(source_rows)) / np.maximum(_lengths(rows), 1e-12)
    rows = rows * factors.astype(np.float32)
    shared, selection = _shared_words(words, table, source)
    shared_rows = table.lookup([words[i] for i in shared.tolist()])
    counts = _FIRST_LANGUAGE * (selection.T @ source.frequencies)[shared] + 1
    weights = (counts / (counts + target.frequencies[learned][shared])).astype(np.float32)
    rows[shared] += weights[:, None] * (shared_rows - rows[shared])

    vectors_of_target = table.lookup(target.words)
    vectors_of_target[learned] = rows
    source_means = _Means(source.counts, table.lookup(source.words), redundancy)
    target_means = _Means(target.counts, vectors_of_target, redundancy)
    gram, moment = _moments(source_means, target_means, learned)
    shared_gram = np.float32(_FIRST_LANGUAGE) * _gram(source_means, selection)
    # Sentences of the first language should keep their means.
    moment += shared_gram[:, shared] @ shared_rows
    return with_codes(table, words, _ridge(gram + shared_gram, moment, rows, alpha, max_iter))


class _Bags(NamedTuple):
    """The distinct words of each sentence."""

    words: list[str]
    counts: sparse.csr_matrix  # 1 if the sentence has the word

    @classmethod
    def of(cls, sentences: list[str]) -> _Bags:
        tokens, words = Vocabulary([]).token_ids(sentences)
        ones = np.ones(len(tokens.ids), dtype=np.float32)
        shape = (len(sentences), len(words))
        counts = sparse.csr_matrix((ones, tokens.ids, tokens.offsets), shape=shape)
        counts.sum_duplicates()
        counts.data[:] = 1
        return cls(words, counts)

    @property
    def frequencies(self) -> Ints:
        """Number of sentences with each word."""
        return np.bincount(self.counts.indices, minlength=len(self.words))


class _Means(NamedTuple):
    """The words of each sentence, and their vectors."""

    counts: sparse.csr_matrix
    vectors: Vectors
    redundancy: float

    def shares(self, sentences: slice) -> sparse.csr_matrix:
        """Return the share of each word in the means of some sentences."""
        counts = self.counts[sentences]
        batch = Ragged(counts.indices, counts.indptr)
        return shares_of_means(self.vectors, batch, self.redundancy)


def _check_columns(source: _Bags, target: _Bags, table: WordVectors) -> None:
    known, known_target = (
        bags.frequencies @ [word in table for word in bags.words] / max(bags.counts.nnz, 1)
        for bags in (source, target)
    )
    if known_target > known + _SWAPPED:
        raise ValueError(
            f"The table has {known:.0%} of the first column's words, {known_target:.0%} of the "
            "second's. The columns seem to be swapped: the first must be in the language of the "
            "table, the second its translation."
        )


def _learned_words(source: _Bags, target: _Bags, table: WordVectors, min_count: int) -> Ints:
    """Return the columns of the words that get a row, most frequent first."""
    first = dict(zip(source.words, source.frequencies.tolist(), strict=True))
    frequencies = target.frequencies
    order = np.argsort(-frequencies, kind="stable")
    learned = []
    for column in order[frequencies[order] >= min_count].tolist():
        word = target.words[column]
        # Languages share numbers and most punctuation marks, but not marks such as "¿".
        if has_digit(word) or (word in table and not word[0].isalpha()):
            continue
        if word not in table or first.get(word, 0) <= frequencies[column]:
            learned.append(column)
    return np.array(learned, dtype=np.int64)


def _shared_words(
    words: list[str], table: WordVectors, source: _Bags
) -> tuple[Ints, sparse.csr_matrix]:
    """Return the learned words that are in the table already, and a matrix that selects them.

    The matrix has a row for each word of the first language and a column for each learned word.
    """
    positions = {word: i for i, word in enumerate(words) if word in table}
    rows = [i for i, word in enumerate(source.words) if word in positions]
    columns = [positions[source.words[i]] for i in rows]
    ones = np.ones(len(rows), dtype=np.float32)
    selection = sparse.csr_matrix((ones, (rows, columns)), (len(source.words), len(words)))
    return np.array(list(positions.values()), dtype=np.int64), selection


def _gram(source: _Means, selection: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return the products of the shares of selected words in sentences of the first language."""
    gram = sparse.csr_matrix((selection.shape[1],) * 2, dtype=np.float32)
    for rows in gen_batches(source.counts.shape[0], _SENTENCES):
        shares = source.shares(rows) @ selection
        gram += shares.T @ shares
    return gram


def _moments(source: _Means, target: _Means, learned: Ints) -> tuple[sparse.csr_matrix, Vectors]:
    """Return the matrix and the right-hand side of the normal equations, without regularization.

    The sums are computed in parts, so that memory grows with the number of words and not of
    sentences.
    """
    n_words, n_dims = target.vectors.shape
    fixed = np.setdiff1d(np.arange(n_words), learned)
    gram = sparse.csr_matrix((len(learned), len(learned)), dtype=np.float32)
    moment = np.zeros((len(learned), n_dims), dtype=np.float32)
    for sentences in gen_batches(source.counts.shape[0], _SENTENCES):
        shares = target.shares(sentences)
        own = shares[:, learned]
        # Numbers and punctuation marks contribute a fixed part to the mean.
        residuals = source.shares(sentences) @ source.vectors
        residuals -= shares[:, fixed] @ target.vectors[fixed]
        gram += own.T @ own
        moment += own.T @ residuals
    return gram, moment


def _translation_probabilities(
    target: sparse.csr_matrix, source: sparse.csr_matrix
) -> sparse.csr_matrix:
    """Return the probability that a word translates a word of the first language.

    This is the word's share of the expected alignments of IBM model 1, in which each word of a
    translation comes from one word of the sentence.
    """
    n_source = source.shape[1]
    chunks = _chunks(target, source)
    keys = distinct(np.concatenate([distinct(_cells(target, source, *c)[0]) for c in chunks]))
    from_target, from_source = np.divmod(keys, n_source)
    expected = np.ones(len(keys))
    for _ in range(_N_ROUNDS):
        totals = np.bincount(from_source, expected, n_source)
        probabilities = expected / totals[from_source]
        expected = np.zeros(len(keys))
        for chunk in chunks:
            pairs, tokens = _cells(target, source, *chunk)
            places = np.searchsorted(keys, pairs)
            shares = probabilities[places]
            shares /= np.bincount(tokens, shares)[tokens]
            expected += np.bincount(places, shares, len(keys))
    shares = expected / np.bincount(from_target, expected, target.shape[1])[from_target]
    probable = shares >= _LEAST_PROBABILITY
    return sparse.csr_matrix(
        (shares[probable].astype(np.float32), (from_target[probable], from_source[probable])),
        shape=(target.shape[1], n_source),
    )


def _cells(
    target: sparse.csr_matrix, source: sparse.csr_matrix, start: int, stop: int
) -> tuple[Ints, Ints]:
    """Return the pairs of a word of a translation and a word of its sentence, and the occurrences.

    A pair is one number, an occurrence the number of the word in the translations.
    """
    target = target[start:stop]
    source = source[start:stop]
    translations = Ragged(target.indices, target.indptr)
    # The words of the sentence that each word of a translation belongs to.
    candidates = Ragged(source.indices, source.indptr).take(translations.owners)
    tokens = candidates.owners
    pairs = target.indices[tokens].astype(np.int64) * source.shape[1] + candidates.ids
    return pairs, tokens


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

    The method is conjugate gradients, preconditioned by the diagonal. All dimensions share the
    step lengths, so that an iteration is one matrix product.
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
        previous = product
        product = np.vdot(remainder, scaled)
        direction = scaled + (product / previous) * direction
    return rows


def _lengths(rows: Vectors) -> Vectors:
    return np.linalg.norm(rows, axis=1, keepdims=True).astype(np.float32)
