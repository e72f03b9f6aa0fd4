"""Changes to the vectors of a sentence model: numbers, and partial whitening."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from skpara import ParagramEncoder
from skpara.encoders import SentenceTransformerFeature
from skpara.learning import Teacher
from skpara.resources import random_directions

PAIRS = [
    ("it costs 14 cents", "it costs 93 cents"),
    ("it costs 14 cents", "14 cents and 14 more"),
    ("a dog runs", "two dogs run"),
    ("a dog runs", ""),
    ("in 2004 and 2012", "in 2012 or 2004"),
    ("from 1 to 2 to 3", "3 2 1"),
]
SENTENCES = list(dict.fromkeys(sentence for pair in PAIRS for sentence in pair))


class Letters:
    """A model whose vectors are counts of letters: numbers are all the same to it."""

    def __init__(self):
        self.encoded = []

    def encode(self, sentences):
        self.encoded += sentences
        counts = [[s.count(letter) for letter in "aeiostncdgr"] for s in sentences]
        return np.array(counts, dtype=np.float32) + np.float32(0.1)


def units(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def refined(sentences, learned_from, number_weight, whitening):
    """Compute by hand the unit vectors that numbers and whitening make of the model's."""
    known = [text for text in dict.fromkeys(learned_from) if text]
    # As if each direction had a sentence more.
    mean = units(Letters().encode(known)).sum(axis=0) / (len(known) + 11)

    def with_numbers(texts):
        rows = []
        for text in texts:
            vector = units(Letters().encode([text]))[0] - mean if text else np.zeros(11)
            numbers = np.zeros(64)
            for word in sorted(set(text.split())):
                if any(c.isdigit() for c in word):
                    numbers += random_directions([word], 64)[0]
            rows.append([*units(vector[None])[0], *(number_weight * numbers)])
        return np.array(rows)

    _, values, directions = np.linalg.svd(units(with_numbers(known)))
    squares = np.zeros(len(directions))
    squares[: len(values)] = values**2
    matrix = directions.T @ np.diag((squares + 1) ** (-whitening / 2)) @ directions
    return units(with_numbers(sentences) @ matrix)


def test_the_similarity_is_that_of_whitened_vectors_with_numbers():
    feature = SentenceTransformerFeature(Letters(), number_weight=0.4, whitening=0.25)
    feature.fit(PAIRS, unlabeled=["some 7 birds", "a dog runs"])
    learned_from = [*SENTENCES, "some 7 birds"]
    first, second = (refined(side, learned_from, 0.4, 0.25) for side in zip(*PAIRS, strict=True))
    cosines = (first * second).sum(axis=1)
    np.testing.assert_allclose(feature.transform(PAIRS)[:, 0], cosines, atol=1e-5)
    by_hand = refined(SENTENCES, learned_from, 0.4, 0.25)
    np.testing.assert_allclose(units(feature.encode(SENTENCES)), by_hand, atol=1e-5)


def test_each_step_can_be_left_out():
    plain = SentenceTransformerFeature(Letters(), number_weight=0, whitening=0).fit(PAIRS)
    vectors = Letters().encode(SENTENCES)
    vectors[SENTENCES.index("")] = 0
    np.testing.assert_array_equal(plain.encode(SENTENCES), vectors)
    assert plain.whitening_ is None
    numbers = SentenceTransformerFeature(Letters(), number_weight=0.4, whitening=0).fit(PAIRS)
    assert numbers.transform(PAIRS)[0, 0] < plain.transform(PAIRS)[0, 0] - 0.1
    by_hand = refined(SENTENCES, SENTENCES, 0.4, 0)
    np.testing.assert_allclose(units(numbers.encode(SENTENCES)), by_hand, atol=1e-5)
    assert numbers.encode(["a dog"]).shape == (1, 11 + 64)


def test_a_row_does_not_depend_on_its_batch():
    feature = SentenceTransformerFeature(Letters(), whitening=0.25).fit(PAIRS)
    together = feature.transform(PAIRS)
    alone = np.vstack([feature.transform([pair]) for pair in PAIRS])
    np.testing.assert_allclose(alone, together, atol=1e-6)
    again = pickle.loads(pickle.dumps(feature))
    np.testing.assert_array_equal(again.transform(PAIRS), together)


def test_fit_and_transform_together_encode_each_sentence_once():
    model = Letters()
    feature = SentenceTransformerFeature(model, whitening=0.25)
    together = feature.fit_transform(PAIRS, unlabeled=["a cat"])
    encoded = [s for s in model.encoded if s in SENTENCES]
    assert len(encoded) == len(set(encoded))
    np.testing.assert_allclose(feature.transform(PAIRS), together, atol=1e-6)


@pytest.mark.parametrize("parameter", ["number_weight", "whitening"])
def test_wrong_values_are_refused(parameter):
    with pytest.raises(ValueError, match=f"'{parameter}' parameter of SentenceTransformerFeature"):
        SentenceTransformerFeature(Letters(), **{parameter: -0.1}).fit(PAIRS)
    with pytest.raises(ValueError, match=f"'{parameter}' parameter of Teacher"):
        ParagramEncoder(teacher=Teacher(Letters(), **{parameter: -0.1})).fit(PAIRS)


def test_a_teachers_whitened_cosines_are_learned(small_vectors):
    teacher = Teacher(Letters(), max_iter=1, number_weight=0.4, whitening=0.25)
    encoder = ParagramEncoder(vectors=small_vectors, teacher=teacher, max_iter=0)
    encoder.fit(PAIRS, unlabeled=["it costs 7 cents"])
    # All sentences are one batch, whose loss is computed before the first step.
    sentences = [*SENTENCES, "it costs 7 cents"]
    target = refined(sentences, sentences, 0.4, 0.25)
    student = units(ParagramEncoder(vectors=small_vectors).encode(sentences).astype(float))
    target, student = target @ target.T, student @ student.T
    loss = ((1 + 50 * np.maximum(target, 0) ** 2) * (student - target) ** 2).sum()
    assert encoder.teacher_loss_curve_[0] == pytest.approx(loss / len(sentences), rel=1e-4)


def is_diagonal(matrix):
    return np.allclose(matrix, np.diag(np.diag(matrix)), atol=1e-6)


def test_scores_decide_whether_vectors_are_whitened():
    def r(feature, y):
        return np.corrcoef(feature.transform(PAIRS)[:, 0], y)[0, 1]

    rng = np.random.default_rng(0)
    choices = set()
    for _ in range(20):
        y = rng.uniform(0, 5, len(PAIRS))
        plain, whitened, chosen = (
            SentenceTransformerFeature(Letters(), whitening=degree).fit(PAIRS, y)
            for degree in (0, 0.25, "auto")
        )
        better = max(plain, whitened, key=lambda feature, y=y: r(feature, y))
        np.testing.assert_array_equal(chosen.transform(PAIRS), better.transform(PAIRS))
        choices.add(is_diagonal(chosen.whitening_[1]))
    assert choices == {True, False}


@pytest.mark.parametrize("y", [None, ["same", "different"] * 3])
def test_without_scores_vectors_are_not_whitened(y):
    feature = SentenceTransformerFeature(Letters()).fit(PAIRS, y)
    assert is_diagonal(feature.whitening_[1])


def test_groups_are_compared_with_their_own_scores():
    groups = np.array([0, 0, 0, 1, 1, 1])
    y = np.array([1.0, 2.0, 3.0, 3.0, 4.0, 5.0])
    shifted = y + 100 * groups
    features = [
        SentenceTransformerFeature(Letters()).fit(PAIRS, scores, groups=groups)
        for scores in (y, shifted)
    ]
    np.testing.assert_array_equal(features[0].whitening_[1], features[1].whitening_[1])
