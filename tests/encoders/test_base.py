"""Encoders: vectors of sentences, and comparisons of pairs."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pytest
from sklearn import config_context
from sklearn.exceptions import NotFittedError
from torch.nn import functional

from skpara import ParagramEncoder, WordVectors
from skpara.networks import Average, Network, SentenceModule


def test_cosines_are_of_unit_vectors_and_zero_when_empty():
    vectors = WordVectors(["a", "b", "c"], [[3.0, 4.0], [4.0, -3.0], [6.0, 8.0]])
    cosines = ParagramEncoder(vectors=vectors).similarity(["a", "a", "a", ""], ["c", "b", "", ""])
    np.testing.assert_allclose(cosines, [1.0, 0.0, 0.0, 0.0], atol=1e-7)


def test_columns_and_their_names():
    vectors = WordVectors(["u", "v"], [[1.0, 0.0], [0.6, 0.8]])
    encoder = ParagramEncoder(vectors=vectors, output="both", max_iter=0)
    features = encoder.fit_transform([("u", "v")])
    np.testing.assert_allclose(features, [[0.6, 0.4, 0.8, 0.6, 0.0]], atol=1e-7)
    names = "similarity difference_0 difference_1 product_0 product_1".split()
    assert encoder.get_feature_names_out().tolist() == [f"paragram_{name}" for name in names]


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
    encoder.set_params(output="interaction").fit(small_pairs)
    np.testing.assert_array_equal(encoder.transform(small_pairs), features[:, 1:])
    encoder.set_params(output="measures").fit(small_pairs)
    a, b = encoder.encode(first).astype(float), encoder.encode(second).astype(float)
    measures = [features[:, 0], (a * b).sum(axis=1), np.linalg.norm(a - b, axis=1)]
    np.testing.assert_allclose(encoder.transform(small_pairs), np.column_stack(measures))
    names = "paragram_similarity paragram_dot_product paragram_distance".split()
    assert encoder.get_feature_names_out().tolist() == names
    encoder.set_params(output="similarity").fit(small_pairs)
    np.testing.assert_array_equal(encoder.transform(small_pairs), features[:, :1])
    np.testing.assert_allclose(encoder.similarity(first, second), features[:, 0], atol=1e-12)


def test_sentences_become_vectors(encoder, small_pairs):
    encoder.fit(small_pairs)
    sentences = ["a dog sleeps", ""]
    np.testing.assert_array_equal(encoder.transform(sentences), encoder.encode(sentences))
    assert encoder.encode(sentences).dtype == np.float32
    assert not encoder.encode(sentences)[1].any()


def test_sides_of_different_lengths_are_refused(encoder):
    with pytest.raises(ValueError, match="inconsistent numbers"):
        encoder.similarity(["a"], ["a", "b"])


def test_pairs_are_transformed_after_fit_only(encoder, small_vectors):
    assert encoder._current_network.averages
    assert encoder._word_vectors is small_vectors
    assert encoder.similarity(["a dog"], ["a dog"])[0] == pytest.approx(1)
    np.testing.assert_array_equal(encoder.transform(["a dog"]), encoder.encode(["a dog"]))
    for call in (encoder.transform, lambda X: encoder.get_feature_names_out()):
        with pytest.raises(NotFittedError):
            call([("a", "b")])


def test_a_network_encodes_after_fit_only(encoder, small_pairs):
    encoder.set_params(network="lstm")
    assert not encoder._current_network.averages
    for call in (encoder.encode, lambda X: encoder.similarity(X, X)):
        with pytest.raises(NotFittedError, match="call fit"):
            call(["w1"])
    encoder.fit(small_pairs)
    assert encoder._word_vectors is encoder.vectors_
    # The fitted network encodes, whatever the parameter says now.
    vectors = encoder.encode(["w1 w2"])
    np.testing.assert_array_equal(encoder.set_params(network="average").encode(["w1 w2"]), vectors)


class MaximumModule(SentenceModule):
    def __init__(self, n_dims):
        super().__init__()
        self.n_dims_out = n_dims

    def sentence_vectors(self, rows, ids, offsets, lengths):
        return functional.embedding_bag(ids, rows, offsets, mode="max")


class Maximum(Network):
    """A user's network without weights."""

    def make_module(self, n_dims, rng):
        return MaximumModule(n_dims)


class MaximumFromAverage(Average):
    """The same, derived from another network."""

    def make_module(self, n_dims, rng):
        return MaximumModule(n_dims)


def maximum(vectors, sentence):
    return vectors.lookup(sentence.split()).max(axis=0)


@pytest.mark.parametrize("network", [Maximum(), MaximumFromAverage()], ids=repr)
def test_a_network_without_weights_encodes_before_fit(small_vectors, network):
    encoder = ParagramEncoder(network, vectors=small_vectors)
    sentence = "w1 w2 w9"
    vectors = encoder.encode([sentence, ""])
    np.testing.assert_allclose(vectors[0], maximum(small_vectors, sentence), rtol=1e-6)
    assert not vectors[1].any()
    assert encoder.similarity([sentence], [sentence])[0] == pytest.approx(1)
    # Nothing is kept of the unfitted network.
    encoder.set_params(oov="zero")
    assert not encoder.encode(["guitars"]).any()


def test_parameters_are_checked_before_fit(small_vectors):
    with pytest.raises(ValueError, match="'n_jobs' parameter of ParagramEncoder must be"):
        ParagramEncoder(vectors=small_vectors, n_jobs=0).encode(["w1"])


@pytest.mark.parametrize("max_iter", [0, 1])
@pytest.mark.parametrize("way", ["as fitted", "pickle", "joblib"])
def test_a_network_without_weights_encodes_after_fit(
    small_vectors, small_pairs, tmp_path, max_iter, way
):
    encoder = ParagramEncoder(Maximum(), vectors=small_vectors, max_iter=max_iter)
    encoder.fit(small_pairs)
    assert encoder.weights_ == {}
    if way == "pickle":
        encoder = pickle.loads(pickle.dumps(encoder))
    elif way == "joblib":
        joblib.dump(encoder, tmp_path / "encoder")
        encoder = joblib.load(tmp_path / "encoder")
    sentence = "w1 w2 w9"
    expected = maximum(encoder.vectors_, sentence)
    np.testing.assert_allclose(encoder.encode([sentence])[0], expected, rtol=1e-6)
    assert not encoder._current_network.averages
    with pytest.raises(ValueError, match="Only the average"):
        encoder.to_sentence_transformer()


@pytest.mark.parametrize("network", ["average", "projection"])
def test_parameters_of_the_network_act_at_the_next_fit(small_vectors, small_pairs, network):
    encoder = ParagramEncoder(network, vectors=small_vectors, max_iter=1).fit(small_pairs)
    vectors = encoder.encode(["guitars"])
    assert vectors.any()
    encoder.set_params(oov="zero", network="lstm")
    for fitted in (encoder, pickle.loads(pickle.dumps(encoder))):
        np.testing.assert_array_equal(fitted.encode(["guitars"]), vectors)
    assert not encoder.fit(small_pairs).encode(["guitars"]).any()


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_vectors_of_sentences_have_names(encoder, small_pairs, container):
    library = pytest.importorskip(container)
    encoder.fit(small_pairs).set_output(transform=container)
    texts = library.Series([pair[0] for pair in small_pairs])
    names = [f"paragram_{i}" for i in range(20)]
    frame = encoder.transform(texts)
    assert isinstance(frame, library.DataFrame)
    assert list(frame.columns) == names
    np.testing.assert_array_equal(frame.to_numpy(), encoder.encode(texts))
    # The same encoder still names the features of pairs.
    of_pairs = ["paragram_similarity", "paragram_dot_product", "paragram_distance"]
    assert list(encoder.transform(small_pairs).columns) == of_pairs
    with config_context(transform_output=container):
        assert list(encoder.transform(texts.to_list()).columns) == names
