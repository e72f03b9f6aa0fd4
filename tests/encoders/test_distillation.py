from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from skpara.encoders import distill
from skpara.learning import mean_vectors
from skpara.resources import WordFrequencies
from skpara.text import tokenize

WORDS = [f"{a}{b}" for a in "bdgk" for b in ("an", "el", "ix", "or", "um")]


class Teacher:
    """A model in which a sentence is the mean of random vectors of its words."""

    def __init__(self, n_dims=12):
        self.n_dims = n_dims
        rng = np.random.default_rng(0)
        self.vectors = {word: rng.standard_normal(n_dims) + 0.3 for word in [*WORDS, "."]}
        self.weights = {word: rng.uniform(0.2, 3) for word in self.vectors}

    def encode(self, sentences):
        return np.array([self.vector(sentence) for sentence in sentences])

    def vector(self, sentence):
        known = [word for word in tokenize(sentence) if word in self.vectors]
        parts = [self.weights[word] * self.vectors[word] for word in known]
        return np.mean(parts, axis=0) if parts else np.zeros(self.n_dims)


@pytest.fixture
def texts():
    rng = np.random.default_rng(1)
    return [" ".join(rng.choice(WORDS, size=rng.integers(2, 6), replace=False)) for _ in range(90)]


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def distance_from_teacher(vectors, teacher, texts):
    means, targets = unit(mean_vectors(vectors, texts)), unit(teacher.encode(texts))
    return float(np.abs(means @ means.T - targets @ targets.T).mean())


def test_without_epochs_it_is_components_times_inverse_frequency(texts):
    teacher = Teacher()
    vectors = distill(teacher, texts, n_dims=5, max_iter=0, random_state=0)
    counts = Counter(word for text in texts for word in tokenize(text))
    assert sorted(vectors.words) == sorted(counts)
    total = sum(counts.values())
    of_words, of_texts = unit(teacher.encode(vectors.words)), unit(teacher.encode(texts))
    _, _, axes = np.linalg.svd(np.concatenate([of_words, of_texts]), full_matrices=False)
    expected = (of_words - of_words.mean(axis=0)) @ axes[:5].T
    shares = np.array([[counts[word] / total] for word in vectors.words])
    expected *= 0.6 * 1e-3 / (1e-3 + shares) * shares**-0.05
    expected *= shares**-0.03 / np.linalg.norm(expected, axis=1, keepdims=True) ** 0.15
    rows = dict(zip(vectors.words, expected, strict=True))
    means = [np.mean([rows[word] for word in tokenize(text)], axis=0) for text in texts]
    expected /= np.mean(np.linalg.norm(means, axis=1))
    # The sign of an axis is arbitrary, and a row is rounded to 127 steps of its largest number.
    expected *= np.sign((expected * vectors.matrix).sum(axis=0))
    np.testing.assert_allclose(vectors.matrix, expected, atol=np.abs(expected).max() / 250)


def test_training_approaches_the_teacher(texts):
    teacher = Teacher()
    options = {"n_dims": 12, "random_state": 0}
    start, trained = (distill(teacher, texts, max_iter=n, **options) for n in (0, 80))
    before = distance_from_teacher(start, teacher, texts)
    assert distance_from_teacher(trained, teacher, texts) < 0.5 * before


def test_sentence_vectors_have_a_mean_length_of_1(texts):
    options = {"n_dims": 6, "max_iter": 2, "random_state": 0}
    vectors, again = (distill(Teacher(), texts, **options) for _ in range(2))
    lengths = np.linalg.norm(mean_vectors(vectors, texts), axis=1)
    assert lengths.mean() == pytest.approx(1, abs=0.01)
    np.testing.assert_array_equal(vectors.matrix, again.matrix)


def test_words_are_the_passed_or_the_frequent_ones_without_digits(texts):
    words = ["gum", "ban", "b2b", "."]
    vectors = distill(Teacher(), texts, words=words, n_dims=3, max_iter=1, random_state=0)
    assert vectors.words == ["gum", "ban", "."]
    texts = [*texts, *["zor zor 1999 zor"] * 200, "hapax"]
    words = distill(Teacher(), texts, n_dims=3, max_iter=0, random_state=0).words
    assert words[0] == "zor"
    assert not {"hapax", "1999"} & set(words)


def test_frequencies_may_come_from_elsewhere(texts):
    frequencies = WordFrequencies(dict.fromkeys(WORDS, 1) | {"gum": 10**6})
    common = distill(Teacher(), texts, frequencies=frequencies, n_dims=12, max_iter=0)
    lengths = np.linalg.norm(common.matrix, axis=1)
    assert common.words[int(lengths.argmin())] == "gum"


def test_too_many_dimensions_and_texts_without_words_are_refused(texts):
    for n_dims, message in ((13, "12 dimensions; n_dims is 13"), (0, "n_dims == 0")):
        with pytest.raises(ValueError, match=message):
            distill(Teacher(), texts, n_dims=n_dims)
    with pytest.raises(ValueError, match="There is no word to make a vector of"):
        distill(Teacher(), ["1999", "hapax"], n_dims=2)
    with pytest.raises(ValueError, match="redundancies is empty"):
        distill(Teacher(), texts, redundancies=[])


def test_the_result_is_the_mean_of_a_table_for_each_redundancy(texts):
    options = {"n_dims": 12, "max_iter": 30}
    both, plain, weighted = (
        distill(Teacher(), texts, redundancies=r, random_state=np.random.RandomState(0), **options)
        for r in ([0.0, 0.0], [0.0], [1.0])
    )
    assert not np.array_equal(plain.matrix, weighted.matrix)
    # The second table sees the texts in another order.
    assert not np.array_equal(both.matrix, plain.matrix)
    rng = np.random.RandomState(0)
    parts = [distill(Teacher(), texts, redundancies=[0.0], random_state=rng, **options).matrix]
    parts.append(distill(Teacher(), texts, redundancies=[0.0], random_state=rng, **options).matrix)
    # Parts are scaled after training, so only directions are compared, with the error of rounding.
    mean = unit(sum(part / np.linalg.norm(part, axis=1).mean() for part in parts))
    assert (mean * unit(both.matrix)).sum(axis=1).min() > 0.999
