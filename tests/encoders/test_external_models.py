from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from skpara import ParagramEncoder
from skpara.encoders import CachedModel
from skpara.encoders._external_models import encode_by, load_model


class Lengths:
    """A model whose vector of a sentence is its length and the number of its words."""

    def __init__(self):
        self.calls = []

    def encode(self, sentences):
        self.calls.append(list(sentences))
        return np.array([[len(s), len(s.split())] for s in sentences], dtype=np.float64)


class Returns:
    """A model that returns the same output for all sentences."""

    def __init__(self, output):
        self.output = output

    def encode(self, sentences):
        return self.output


def test_each_distinct_sentence_is_encoded_once():
    model = Lengths()
    vectors = encode_by(model, ["a dog", "a cat runs", "a dog", "a dog"])
    assert model.calls == [["a dog", "a cat runs"]]
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, [[5, 2], [10, 3], [5, 2], [5, 2]])


def test_blank_sentences_are_zero_with_any_model():
    vectors = encode_by(Lengths(), ["", "a dog", " \t"])
    np.testing.assert_array_equal(vectors, [[0, 0], [5, 2], [0, 0]])
    np.testing.assert_array_equal(encode_by(Lengths(), ["", ""]), [[0, 0], [0, 0]])


def test_no_sentences_have_the_width_of_the_model():
    assert encode_by(Lengths(), []).shape == (0, 2)


def test_options_are_passed_to_models_that_have_them():
    class WithOptions(Lengths):
        def encode(self, sentences, batch_size=32, show_progress_bar=None):
            self.options = batch_size, show_progress_bar
            return super().encode(sentences)

    model = WithOptions()
    encode_by(model, ["a"])
    assert model.options == (32, False)
    encode_by(model, ["a"], batch_size=7, verbose=1)
    assert model.options == (7, True)
    encode_by(Lengths(), ["a"], batch_size=7, verbose=1)  # and no error without


def test_tensors_of_any_precision_become_arrays():
    import torch

    rows = [[1.0, 2.0], [3.0, 4.0]]
    tensor = torch.tensor(rows, dtype=torch.bfloat16, requires_grad=True)
    for output in (tensor, list(torch.tensor(rows)), rows, np.array(rows, dtype=np.int8)):
        np.testing.assert_array_equal(encode_by(Returns(output), ["a", "b"]), rows)


def test_an_encoder_of_the_package_is_a_model(small_vectors):
    encoder = ParagramEncoder(vectors=small_vectors)
    sentences = ["a man plays", "", "a dog sleeps", "a man plays"]
    np.testing.assert_array_equal(encode_by(encoder, sentences), encoder.encode(sentences))


@pytest.mark.parametrize(
    ("output", "error", "message"),
    [
        (np.zeros((3, 4)), ValueError, r"shape \(3, 4\) for 2 sentence\(s\)"),
        (np.zeros(2), ValueError, r"shape \(2,\) for 2"),
        (np.zeros((2, 0)), ValueError, r"shape \(2, 0\)"),
        (np.array([["a"], ["b"]]), TypeError, "<U1 values, not numbers"),
        ([[1.0], None], TypeError, "not an array|not numbers"),
        (None, TypeError, "object values, not numbers"),
        ([[1.0, 2.0], [1.0]], TypeError, "list, not an array"),
        ([[1.0, 2.0], [np.nan, 1.0]], ValueError, "vector of 'a cat' has NaN"),
        ([[np.inf, 2.0], [np.nan, 1.0]], ValueError, "of 'a dog' .* 1 more sentence"),
        ([[1.0, 2.0], [1e300, 1.0]], ValueError, "vector of 'a cat' .* infinite"),
    ],
)
def test_bad_output_of_a_model_is_refused(output, error, message):
    with pytest.raises(error, match=message):
        encode_by(Returns(output), ["a dog", "a cat"])


@pytest.mark.parametrize("model", ["a path", object(), None])
def test_objects_without_encode_are_refused(model):
    with pytest.raises(TypeError, match="cannot encode sentences"):
        encode_by(model, ["a dog"])


def test_a_missing_package_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ImportError, match="pip install 'sentence-transformers'"):
        load_model("anything")


@pytest.mark.slow
def test_nothing_is_downloaded_by_default(tmp_path):
    pytest.importorskip("sentence_transformers")
    for name in (tmp_path / "nothing", "nobody/no-such-model"):
        with pytest.raises(FileNotFoundError, match="local_files_only=False"):
            load_model(name)


class Recording:
    """Records the sentences it encodes."""

    def __init__(self):
        self.sentences = []

    def encode(self, sentences):
        self.sentences += sentences
        return np.array([[len(sentence), 1.0] for sentence in sentences])


def test_a_cached_model_is_shared_by_clones():
    model = Recording()
    cached = CachedModel(model)
    first = cached.encode(["one", "three", "one", ""])
    np.testing.assert_array_equal(first, [[3, 1], [5, 1], [3, 1], [0, 0]])
    again = clone(cached)
    np.testing.assert_array_equal(again.encode(["three", "four"]), [[5, 1], [4, 1]])
    assert model.sentences == ["one", "three", "four"]
    assert clone(ParagramEncoder(teacher=cached)).teacher is cached


@pytest.mark.parametrize("max_sentences", [0, 1, 3, 100])
def test_a_cached_model_keeps_no_more_sentences_than_it_may(max_sentences):
    texts = [f"sentence {'x' * i}" for i in range(10)]
    model = Recording()
    cached = CachedModel(model, max_sentences=max_sentences)
    for part in (texts[:4], texts, texts[::-1]):
        np.testing.assert_array_equal(cached.encode(part), Recording().encode(part))
    first, rest = texts[:max_sentences], texts[max_sentences:]
    assert all(model.sentences.count(text) == 1 for text in first)
    assert all(model.sentences.count(text) >= 2 for text in rest)
    assert pickle.loads(pickle.dumps(cached)).max_sentences == max_sentences


def test_a_cached_model_returns_no_row_for_no_sentence():
    cached = CachedModel(Recording())
    assert cached.encode([]).shape == (0, 2)
    cached.encode(["one"])
    assert cached.encode([]).shape == (0, 2)


def test_a_cached_model_is_pickled_without_cache():
    cached = CachedModel("models/some-model")
    empty = len(pickle.dumps(cached))
    cached._cache = {f"sentence {i}": np.zeros(384, np.float32) for i in range(100)}
    cached._loaded = Recording()
    assert len(pickle.dumps(cached)) == empty
    again = pickle.loads(pickle.dumps(cached))
    assert again.model == "models/some-model"
    pytest.importorskip("sentence_transformers")
    with pytest.raises(FileNotFoundError, match="models/some-model"):
        again.encode(["a sentence"])
