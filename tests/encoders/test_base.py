"""What all encoders share: vectors of sentences, and comparisons of pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from skpara import ParagramEncoder, WordVectors


def test_cosines_are_of_unit_vectors_and_zero_when_empty():
    vectors = WordVectors(["a", "b", "c"], [[3.0, 4.0], [4.0, -3.0], [6.0, 8.0]])
    cosines = ParagramEncoder(vectors=vectors).similarity(["a", "a", "a", ""], ["c", "b", "", ""])
    np.testing.assert_allclose(cosines, [1.0, 0.0, 0.0, 0.0], atol=1e-7)


def test_columns_and_their_names():
    vectors = WordVectors(["u", "v"], [[1.0, 0.0], [0.6, 0.8]])
    encoder = ParagramEncoder(vectors=vectors, output="both", max_iter=0)
    features = encoder.fit_transform([("u", "v")])
    np.testing.assert_allclose(features, [[0.6, 0.4, 0.8, 0.6, 0.0]], atol=1e-7)
    assert encoder.get_feature_names_out().tolist() == [
        "paragram_similarity",
        "paragram_difference_0",
        "paragram_difference_1",
        "paragram_product_0",
        "paragram_product_1",
    ]


def test_outputs_are_parts_of_one_another(encoder, small_pairs):
    first, second = zip(*small_pairs, strict=True)
    encoder.set_params(output="both").fit(small_pairs)
    features = encoder.transform(small_pairs)
    u, v = encoder.encode(first).astype(float), encoder.encode(second).astype(float)
    u, v = (w / np.linalg.norm(w, axis=1, keepdims=True) for w in (u, v))
    np.testing.assert_allclose(features[:, 0], (u * v).sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(features[:, 1:21], np.abs(u - v), atol=1e-12)
    np.testing.assert_allclose(features[:, 21:], u * v, atol=1e-12)
    assert len(encoder.get_feature_names_out()) == features.shape[1]
    encoder.set_params(output="interaction")
    np.testing.assert_array_equal(encoder.transform(small_pairs), features[:, 1:])
    encoder.set_params(output="similarity")
    np.testing.assert_array_equal(encoder.transform(small_pairs), features[:, :1])
    np.testing.assert_allclose(encoder.similarity(first, second), features[:, 0], atol=1e-12)


def test_sentences_become_vectors(encoder, small_pairs):
    encoder.fit(small_pairs)
    sentences = ["a dog sleeps", ""]
    np.testing.assert_array_equal(encoder.transform(sentences), encoder.encode(sentences))
    assert encoder.encode(sentences).dtype == np.float32
    assert not encoder.encode(sentences)[1].any()


def test_an_empty_sentence_is_similar_to_none(encoder, small_pairs):
    encoder.fit(small_pairs)
    features = encoder.transform([("", "a dog"), ("", ""), ("a dog", "a dog")])
    np.testing.assert_allclose(features.ravel(), [0.0, 0.0, 1.0], atol=1e-12)


def test_a_row_does_not_depend_on_the_others(encoder, small_pairs):
    encoder.set_params(output="both").fit(small_pairs)
    together = encoder.transform(small_pairs)
    alone = np.vstack([encoder.transform([pair]) for pair in small_pairs])
    np.testing.assert_array_equal(together, alone)


def test_sides_of_different_lengths_are_refused(encoder):
    with pytest.raises(ValueError, match="inconsistent numbers"):
        encoder.similarity(["a"], ["a", "b"])


def test_the_average_encodes_before_fit_but_transforms_after(encoder, small_vectors):
    assert encoder.averages
    assert encoder.word_vectors is small_vectors
    assert encoder.similarity(["a dog"], ["a dog"])[0] == pytest.approx(1)
    for call in (encoder.transform, lambda X: encoder.get_feature_names_out()):
        with pytest.raises(NotFittedError):
            call([("a", "b")])


def test_a_network_encodes_after_fit_only(encoder, small_pairs):
    encoder.set_params(network="lstm")
    assert not encoder.averages
    for call in (encoder.encode, lambda X: encoder.similarity(X, X)):
        with pytest.raises(NotFittedError, match="call fit"):
            call(["w1"])
    encoder.fit(small_pairs)
    assert encoder.word_vectors is encoder.vectors_
    # The fitted network encodes, whatever the parameter says now.
    vectors = encoder.encode(["w1 w2"])
    np.testing.assert_array_equal(encoder.set_params(network="average").encode(["w1 w2"]), vectors)


def test_frames_keep_their_names(encoder, small_pairs):
    frame = pd.DataFrame(small_pairs, columns=["left", "right"])
    encoder.set_output(transform="pandas").fit(frame)
    assert encoder.feature_names_in_.tolist() == ["left", "right"]
    assert encoder.n_features_in_ == 2
    assert encoder.transform(frame).columns.tolist() == ["paragram_similarity"]
    with pytest.raises(ValueError, match="feature names"):
        encoder.transform(frame[["right", "left"]])
