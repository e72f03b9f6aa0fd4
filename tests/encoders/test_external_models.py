from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from skpara import ParagramEncoder
from skpara.encoders import CachedModel
from skpara.encoders._external_models import encoded, load_model


class Lengths:
    """A model whose vector of a sentence is its length and the number of its words."""

    def __init__(self):
        self.calls = []

    def encode(self, sentences):
        self.calls.append(list(sentences))
        return np.array([[len(s), len(s.split())] for s in sentences], dtype=np.float64)


class Gives:
    """A model that gives what it is told to, whatever it is asked."""

    def __init__(self, found):
        self.found = found

    def encode(self, sentences):
        return self.found


def test_each_distinct_sentence_is_encoded_once():
    model = Lengths()
    found = encoded(model, ["a dog", "a cat runs", "a dog", "a dog"])
    assert model.calls == [["a dog", "a cat runs"]]
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, [[5, 2], [10, 3], [5, 2], [5, 2]])


def test_blank_sentences_are_zero_whatever_the_model_says():
    found = encoded(Lengths(), ["", "a dog", " \t"])
    np.testing.assert_array_equal(found, [[0, 0], [5, 2], [0, 0]])
    np.testing.assert_array_equal(encoded(Lengths(), ["", ""]), [[0, 0], [0, 0]])


def test_no_sentences_give_no_rows_of_the_right_width():
    assert encoded(Lengths(), []).shape == (0, 2)


def test_options_go_to_models_that_know_them():
    class Knowing(Lengths):
        def encode(self, sentences, batch_size=32, show_progress_bar=None):
            self.options = batch_size, show_progress_bar
            return super().encode(sentences)

    model = Knowing()
    encoded(model, ["a"])
    assert model.options == (32, False)
    encoded(model, ["a"], batch_size=7, verbose=1)
    assert model.options == (7, True)
    encoded(Lengths(), ["a"], batch_size=7, verbose=1)  # and do not disturb others


def test_tensors_of_any_precision_become_arrays():
    import torch

    rows = [[1.0, 2.0], [3.0, 4.0]]
    tensor = torch.tensor(rows, dtype=torch.bfloat16, requires_grad=True)
    for found in (tensor, list(torch.tensor(rows)), rows, np.array(rows, dtype=np.int8)):
        np.testing.assert_array_equal(encoded(Gives(found), ["a", "b"]), rows)


def test_an_encoder_of_the_package_is_a_model(small_vectors):
    encoder = ParagramEncoder(vectors=small_vectors)
    sentences = ["a man plays", "", "a dog sleeps", "a man plays"]
    np.testing.assert_array_equal(encoded(encoder, sentences), encoder.encode(sentences))


@pytest.mark.parametrize(
    ("found", "error", "message"),
    [
        (np.zeros((3, 4)), ValueError, r"shape \(3, 4\) for 2 sentence\(s\)"),
        (np.zeros(2), ValueError, r"shape \(2,\) for 2"),
        (np.zeros((2, 0)), ValueError, r"shape \(2, 0\)"),
        (np.array([["a"], ["b"]]), TypeError, "<U1 values, not numbers"),
        ([[1.0], None], TypeError, "no array|not numbers"),
        (None, TypeError, "object values, not numbers"),
        ([[1.0, 2.0], [1.0]], TypeError, "list, which is no array"),
        ([[1.0, 2.0], [np.nan, 1.0]], ValueError, "vector of 'a cat' holds NaN"),
        ([[np.inf, 2.0], [np.nan, 1.0]], ValueError, "of 'a dog' .* 1 more sentence"),
        ([[1.0, 2.0], [1e300, 1.0]], ValueError, "vector of 'a cat' .* infinite"),
    ],
)
def test_what_is_no_vector_a_sentence_is_refused(found, error, message):
    with pytest.raises(error, match=message):
        encoded(Gives(found), ["a dog", "a cat"])


@pytest.mark.parametrize("model", ["a path", object(), None])
def test_what_does_not_encode_is_refused(model):
    with pytest.raises(TypeError, match="does not encode sentences"):
        encoded(model, ["a dog"])


def test_a_missing_package_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ImportError, match="pip install sentence-transformers"):
        load_model("anything")


def test_nothing_is_downloaded_unasked(tmp_path):
    pytest.importorskip("sentence_transformers")
    for name in (tmp_path / "nothing", "nobody/no-such-model"):
        with pytest.raises(FileNotFoundError, match="local_files_only=False"):
            load_model(name)


class Counted:
    """Counts what it is asked for."""

    def __init__(self):
        self.asked = []

    def encode(self, sentences):
        self.asked += sentences
        return np.array([[len(sentence), 1.0] for sentence in sentences])


def test_a_remembering_model_asks_once_and_is_shared_by_clones():
    model = Counted()
    remembering = CachedModel(model)
    first = remembering.encode(["one", "three", "one", ""])
    np.testing.assert_array_equal(first, [[3, 1], [5, 1], [3, 1], [0, 0]])
    again = clone(remembering)
    np.testing.assert_array_equal(again.encode(["three", "four"]), [[5, 1], [4, 1]])
    assert model.asked == ["one", "three", "four"]
    assert clone(ParagramEncoder(teacher=remembering)).teacher is remembering


def test_a_remembering_model_is_pickled_without_what_it_remembers():
    remembering = CachedModel("models/some-model")
    empty = len(pickle.dumps(remembering))
    remembering._known = {f"sentence {i}": np.zeros(384, np.float32) for i in range(100)}
    remembering._loaded = Counted()
    assert len(pickle.dumps(remembering)) == empty
    again = pickle.loads(pickle.dumps(remembering))
    assert again.model == "models/some-model"
    pytest.importorskip("sentence_transformers")
    with pytest.raises(FileNotFoundError, match="models/some-model"):
        again.encode(["a sentence"])
