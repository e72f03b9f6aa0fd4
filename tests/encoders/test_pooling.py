from __future__ import annotations

import numpy as np
import pytest

from skpara import WordVectors
from skpara.learning import mean_vectors
from skpara.text import tokenize

SENTENCES = ["A dog sleeps.", "", "dog dog cat", "unseenword", "dog unseenword dog", "\u00e9 a"]
SENTENCES += ["a cat and a dog and 12 or 13 or 12 cats " * 40]


def weighted_mean(rows, redundancy):
    """The formula in the docstring of Average."""
    rows = rows.astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units = rows / np.where(lengths, lengths, 1)
    similarities = units @ units.T
    np.fill_diagonal(similarities, 0)  # with the other words
    weights = 1 / (1 + redundancy * np.maximum(0, similarities.sum(axis=1)))
    return np.average(rows, axis=0, weights=weights) if len(rows) else np.zeros(rows.shape[1])


def check(vectors, sentences, oov, distinct_words, redundancy):
    """Compare means with those of the vectors of the words."""
    options = {"distinct_words": distinct_words, "redundancy": redundancy}
    pooled = mean_vectors(vectors, sentences, oov, **options)
    assert pooled.dtype == np.float32
    for sentence, got in zip(sentences, pooled, strict=True):
        words = tokenize(sentence)
        if distinct_words:  # unknown words that share a row count as one
            index, share = vectors.vocabulary.index, oov != "subword"
            words = list({index.get(w, -share or w): w for w in words}.values())
        expected = weighted_mean(vectors.lookup(words, oov), redundancy)
        np.testing.assert_allclose(got, expected, rtol=1e-4 if redundancy else 1e-5, atol=1e-6)


@pytest.mark.parametrize("redundancy", [0.0, 0.5, 3.0])
@pytest.mark.parametrize("distinct_words", [True, False])
@pytest.mark.parametrize("oov", ["subword", "rare", "zero"])
def test_weighted_mean_of_looked_up_vectors(small_vectors, oov, distinct_words, redundancy):
    options = {"distinct_words": distinct_words, "redundancy": redundancy}
    check(small_vectors, SENTENCES, oov, **options)


@pytest.mark.parametrize("eight_bits", [True, False])
@pytest.mark.parametrize("distinct_words", [True, False])
def test_the_order_of_words_changes_no_bit(eight_bits, distinct_words):
    rng = np.random.default_rng(0)
    words = WordVectors.load().words[:400]
    table = WordVectors.load()
    if not eight_bits:
        table = WordVectors(words, table.lookup(words))
    vocabulary = [*words, "unseeen", "unseeens", "\u00f6dd", "17"]
    for n_words in (2, 5, 20, 300):
        sentence = rng.choice(vocabulary, size=n_words).tolist()
        orders = [" ".join(rng.permutation(sentence)) for _ in range(20)]
        options = {"distinct_words": distinct_words, "redundancy": 0.5}
        # In one call and in several: ids of unknown words are in the order of the first call.
        together = mean_vectors(table, orders, **options)
        alone = [mean_vectors(table, [order], **options)[0] for order in orders]
        assert len(np.unique(np.vstack([together, *alone]), axis=0)) == 1


@pytest.mark.parametrize("n_dims", [1, 2, 7, 31, 33, 64, 100, 130])
def test_any_number_of_dimensions(n_dims):
    rng = np.random.default_rng(n_dims)
    words = WordVectors.load().words[:50]
    codes = rng.integers(-3, 4, size=(50, n_dims)).astype(np.int8)  # some rows are equal
    scales = rng.random(50, dtype=np.float32)
    sentences = [" ".join(rng.choice(words, size=n)) for n in rng.integers(0, 30, size=60)]
    pooled = mean_vectors(WordVectors(words, codes, scales), sentences, redundancy=0.5)
    rows = WordVectors(words, codes, scales).lookup(words)
    for sentence, got in zip(sentences, pooled, strict=True):
        ids = [words.index(word) for word in dict.fromkeys(sentence.split())]
        np.testing.assert_allclose(got, weighted_mean(rows[ids], 0.5), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("redundancy", [0.0, 0.5])
def test_a_row_does_not_depend_on_the_others(small_vectors, redundancy):
    rng = np.random.default_rng(0)
    sentences = [
        " ".join(rng.choice([*small_vectors.words, "odd", "\u00f6dd"], size=rng.integers(0, 12)))
        for _ in range(900)
    ] * 10
    together = mean_vectors(small_vectors, sentences, redundancy=redundancy)
    alone = [mean_vectors(small_vectors, [s], redundancy=redundancy) for s in sentences[4050:4150]]
    np.testing.assert_array_equal(together[4050:4150], np.vstack(alone))


@pytest.mark.parametrize("redundancy", [0.0, 0.5])
@pytest.mark.parametrize("oov", ["subword", "rare", "zero"])
def test_eight_bit_and_moved_rows_are_read_where_they_are(oov, redundancy):
    words = WordVectors.load().words[:5000]
    rng = np.random.default_rng(0)
    codes = rng.integers(-127, 128, size=(len(words), 97)).astype(np.int8)
    scales = rng.random(len(words), dtype=np.float32) / 127
    codes[::100] = 0  # a vector of zeros
    sentences = [
        " ".join(rng.choice([*words[:50], *words[-50:], "unseeen", "\u00f6dd", ""], size=n))
        for n in rng.integers(0, 12, size=40)
    ]
    moved = np.sort(rng.choice(len(words), size=99, replace=False))
    rows = rng.standard_normal((100, 97)).astype(np.float32)
    eight_bit = WordVectors(words, codes, scales)
    floats = WordVectors(words, np.asfortranarray(eight_bit.matrix))
    tuned = eight_bit.with_rows(np.append(moved, len(words)), rows, ["unseeen"])
    for table in (eight_bit, floats, tuned):
        for distinct_words in (True, False):
            check(table, sentences, oov, distinct_words, redundancy)


def test_threads_do_not_change_the_result(small_vectors):
    # Some blocks of a thread have more characters than are read at once.
    sentences = [f"w{i % 290} unseen{i % 7} \u00e9 " * (1 + i // 2000) for i in range(30_000)]
    one, *more = (
        mean_vectors(small_vectors, sentences, n_jobs=n, redundancy=0.5) for n in (1, 2, 3)
    )
    for vectors in more:
        np.testing.assert_array_equal(one, vectors)


def test_a_list_that_another_thread_has_cut_is_an_error():
    class Cut(list):
        def __len__(self):
            return 3

    with pytest.raises(RuntimeError, match="became shorter while it was encoded"):
        mean_vectors(WordVectors(["dog"], [[1.0]]), Cut(["A dog"]))
