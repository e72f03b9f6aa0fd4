from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest
from sklearn.base import clone

from skpara import ParagramEncoder
from skpara.encoders import CachedModel
from skpara.encoders._external_models import as_model, encode_by


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
    assert encode_by(Lengths(), []).shape == (0, 2)


def test_progress_is_shown_by_models_that_can():
    class WithOption(Lengths):
        def encode(self, sentences, show_progress_bar=None):
            self.shown = show_progress_bar
            return super().encode(sentences)

    model = WithOption()
    for verbose in (False, True):
        encode_by(model, ["a"], verbose=verbose)
        assert model.shown is verbose
        encode_by(Lengths(), ["a"], verbose=verbose)  # and no error without


def test_tensors_of_any_precision_become_arrays():
    import torch

    rows = [[1.0, 2.0], [3.0, 4.0]]
    tensor = torch.tensor(rows, dtype=torch.bfloat16, requires_grad=True)
    for output in (tensor, list(torch.tensor(rows)), rows, np.array(rows, dtype=np.int8)):
        np.testing.assert_array_equal(encode_by(Returns(output), ["a", "b"]), rows)


@pytest.mark.parametrize(
    ("output", "error", "message"),
    [
        (np.zeros((3, 4)), ValueError, r"shape \(3, 4\) for 2 sentence\(s\)"),
        (np.zeros((2, 0)), ValueError, r"shape \(2, 0\)"),
        (np.array([["a"], ["b"]]), TypeError, "<U1 values, not numbers"),
        ([[1.0], None], TypeError, "not an array|not numbers"),
        (None, TypeError, "object values, not numbers"),
        ([[1.0, 2.0], [1.0]], TypeError, "list, not an array"),
        ([[1.0, 2.0], [np.nan, 1.0]], ValueError, "vector of 'a cat' has NaN"),
        ([[np.inf, 2.0], [np.nan, 1.0]], ValueError, "of 'a dog' .* 1 more vector"),
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
        as_model("anything")


def test_nothing_is_downloaded_by_default(tmp_path):
    pytest.importorskip("sentence_transformers")
    for name in (tmp_path / "nothing", "nobody/no-such-model"):
        with pytest.raises(FileNotFoundError, match="local_files_only=False"):
            as_model(name)


def test_a_cached_model_is_shared_by_clones():
    model = Lengths()
    cached = CachedModel(model)
    first = cached.encode(["one", "three", "one", ""])
    np.testing.assert_array_equal(first, [[3, 1], [5, 1], [3, 1], [0, 0]])
    again = clone(cached)
    np.testing.assert_array_equal(again.encode(["three", "four"]), [[5, 1], [4, 1]])
    assert model.calls == [["one", "three"], ["four"]]
    assert again.encode([]).shape == (0, 2)
    assert clone(ParagramEncoder(teacher=cached)).teacher is cached


@pytest.mark.parametrize("max_sentences", [0, 3, 100])
def test_a_cached_model_keeps_no_more_sentences_than_it_may(max_sentences):
    texts = [f"sentence {'x' * i}" for i in range(10)]
    model = Lengths()
    cached = CachedModel(model, max_sentences=max_sentences)
    for part in (texts[:4], texts, texts[::-1]):
        np.testing.assert_array_equal(cached.encode(part), Lengths().encode(part))
    counts = Counter(text for call in model.calls for text in call)
    assert all((counts[text] == 1) == (i < max_sentences) for i, text in enumerate(texts))
    assert pickle.loads(pickle.dumps(cached)).max_sentences == max_sentences


def test_a_cached_model_is_pickled_without_cache():
    cached = CachedModel(Returns(np.zeros((100, 384))))
    empty = len(pickle.dumps(cached))
    cached.encode([f"sentence {i}" for i in range(100)])
    assert len(pickle.dumps(cached)) == empty
