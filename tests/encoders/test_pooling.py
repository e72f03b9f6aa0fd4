from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from skpara import WordVectors
from skpara.learning import mean_vectors
from skpara.text import tokenize

SENTENCES = ["A dog sleeps.", "", "dog dog cat", "unseenword", "dog unseenword dog", "\u00e9 a"]
SENTENCES += ["a cat and a dog and 12 or 13 or 12 cats " * 40]


@pytest.mark.parametrize("distinct_words", [True, False])
@pytest.mark.parametrize("oov", ["subword", "rare", "zero"])
def test_mean_of_looked_up_vectors(small_vectors, oov, distinct_words):
    pooled = mean_vectors(small_vectors, SENTENCES, oov, distinct_words=distinct_words)
    assert pooled.dtype == np.float32
    for sentence, got in zip(SENTENCES, pooled, strict=True):
        words = tokenize(sentence)
        if distinct_words:  # unknown words that share a row count as one
            index, share = small_vectors.vocabulary.index, oov != "subword"
            words = list({index.get(w, -share or w): w for w in words}.values())
        rows = small_vectors.lookup(words, oov)
        expected = rows.sum(axis=0) / max(1, len(rows))
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


def test_a_row_does_not_depend_on_the_others(small_vectors):
    rng = np.random.default_rng(0)
    sentences = [
        " ".join(rng.choice([*small_vectors.words, "odd", "\u00f6dd"], size=rng.integers(0, 12)))
        for _ in range(9000)
    ]
    together = mean_vectors(small_vectors, sentences)
    alone = np.vstack([mean_vectors(small_vectors, [s]) for s in sentences[4000:4200]])
    np.testing.assert_array_equal(together[4000:4200], alone)


@pytest.mark.parametrize("oov", ["subword", "rare", "zero"])
def test_compiled_code_and_numpy_agree(oov, numpy_code):
    words = WordVectors.load().words[:5000]
    rng = np.random.default_rng(0)
    codes = rng.integers(-127, 128, size=(len(words), 97)).astype(np.int8)
    scales = rng.random(len(words), dtype=np.float32) / 127
    scales[::100] = 0  # a vector of zeros
    sentences = [
        " ".join(rng.choice([*words[:50], *words[-50:], "unseeen", "\u00f6dd", ""], size=n))
        for n in rng.integers(0, 12, size=3000)
    ]
    moved = np.sort(rng.choice(len(words), size=99, replace=False))
    rows = rng.standard_normal((100, 97)).astype(np.float32)

    def tables():
        eight_bit = WordVectors(words, codes, scales)
        more = eight_bit.with_rows(np.append(moved, len(words)), rows, ["unseeen"])
        return eight_bit, WordVectors(words, np.asfortranarray(eight_bit.matrix)), more

    def means():
        return [
            mean_vectors(table, sentences, oov, distinct_words=distinct_words)
            for table in tables()
            for distinct_words in (True, False)
        ]

    compiled = means()
    with numpy_code():
        expected = means()
    np.testing.assert_array_equal(compiled, expected)


def test_threads_do_not_change_the_result(small_vectors):
    # Some blocks of a thread have more characters than are read at once.
    sentences = [f"w{i % 290} unseen{i % 7} \u00e9 " * (1 + i // 2000) for i in range(30_000)]
    one, *more = (mean_vectors(small_vectors, sentences, n_jobs=n) for n in (1, 2, 3))
    for vectors in more:
        np.testing.assert_array_equal(one, vectors)


def test_a_list_that_another_thread_has_cut_is_an_error(numpy_code):
    class Cut(list):
        def __len__(self):
            return 3

    for code in (nullcontext, numpy_code):
        with code(), pytest.raises(RuntimeError, match="became shorter while it was encoded"):
            mean_vectors(WordVectors(["dog"], [[1.0]]), Cut(["A dog"]))
