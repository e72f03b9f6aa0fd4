"""The compiled module against the NumPy code, and what it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skpara
from skpara import WordVectors
from skpara._compiled import MODULES, compiled
from skpara.resources._subword import RowCache
from skpara.text import tokenize

native = compiled("skpara._native")
ROOT = Path(skpara.__file__).parent
needs_native = pytest.mark.skipif(native is None, reason="skpara._native is not built or is off")

KNOWN = sorted({"guitar", "guitars", "music", "musical", "musician", "straße", "café", "aa", "ab"})
KNOWN += [f"word{c}{d}" for c in "abcdefgh" for d in "abcdefghijk"]
WORDS = st.one_of(
    st.text(alphabet="guitarmscwordeéß1", max_size=30),
    st.text(alphabet=st.characters(exclude_categories=()), max_size=30),
)


@given(words=st.lists(WORDS, max_size=8))
def test_unknown_words_get_the_same_vectors(words, numpy_code):
    words = [token for word in words for token in tokenize(word)]
    matrix = np.random.default_rng(0).standard_normal((len(KNOWN), 7)).astype(np.float32)
    got = WordVectors(KNOWN, matrix).lookup(words)
    with numpy_code():
        expected = WordVectors(KNOWN, matrix).lookup(words)
    np.testing.assert_allclose(got, expected, rtol=0, atol=3e-7)


def test_misspelled_words_of_the_packaged_table_get_the_same_vectors(numpy_code):
    vectors = WordVectors.load()
    words, matrix = vectors.words[:10_000], vectors.take(np.arange(10_000))
    misspelled = [word[:4] + word[3:] + "y" for word in words[::30]]
    got = WordVectors(words, matrix).lookup(misspelled)
    with numpy_code():
        expected = WordVectors(words, matrix).lookup(misspelled)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-7)


def test_memory_of_unknown_words_is_bounded(monkeypatch):
    monkeypatch.setattr("skpara.resources._subword._MOST_ROWS", 100)
    matrix = np.eye(len(KNOWN), dtype=np.float32)
    vectors = WordVectors(KNOWN, matrix)
    words = [f"guitar{i}x" for i in range(250)]
    together = vectors.lookup(words)
    for _ in range(2):
        in_parts = [vectors.lookup(words[start : start + 30]) for start in range(0, 250, 30)]
        np.testing.assert_array_equal(together, np.concatenate(in_parts))
    assert len(vectors._subwords._cache) <= 100
    assert len(vectors.unknown_rows(["guitarx"], "subword")[0]) == 100


def test_no_unknown_word_is_computed_twice_when_the_memory_is_full(monkeypatch):
    monkeypatch.setattr("skpara.resources._subword._MOST_ROWS", 10)
    computed = []

    def compute(words):
        computed.extend(words)
        return np.array([[len(word)] for word in words])

    cache = RowCache(compute, 1, np.int64)
    first, second = list(map("x".__mul__, range(8))), list(map("x".__mul__, range(4, 12)))
    for words in (first, second, second):
        table, rows = cache.rows(words)
        assert table[rows].ravel().tolist() == list(map(len, words))
    assert computed == list(map("x".__mul__, range(12)))


def test_threads_share_the_memory_of_unknown_words(monkeypatch):
    monkeypatch.setattr("skpara.resources._subword._MOST_ROWS", 50)
    vectors = WordVectors(KNOWN, np.eye(len(KNOWN), dtype=np.float32))
    batches = [[f"guitar{(7 * i + k) % 90}x" for k in range(9)] for i in range(200)]
    expected = [vectors.lookup(batch) for batch in batches]
    with ThreadPoolExecutor(4) as threads:
        for got, alone in zip(threads.map(vectors.lookup, batches), expected, strict=True):
            np.testing.assert_array_equal(got, alone)


def sums(ids=(0, 1), offsets=(0, 2), size=2, table=2, scales=None, moved=1, places=None, **more):
    """Call ``row_sums`` with arrays of some sizes."""
    ids, offsets = np.array(ids, dtype=np.int32), np.array(offsets, dtype=np.int64)
    weights = more.get("weights", np.full(len(ids), 0.5, np.float32))
    kind = np.float32 if scales is None else np.int8
    layers = np.ones((table, size), kind), scales, np.ones((moved, size), np.float32), places
    out = np.empty((1, size), dtype=np.float32)
    native.row_sums(out, size, ids, weights, offsets, True, more.get("extra"), *layers)
    return out


@needs_native
@pytest.mark.parametrize(
    "wrong",
    [
        {"ids": [0, 2]},
        {"ids": [0, -1]},
        {"offsets": [0, 3]},
        {"offsets": [-1, 1]},
        {"offsets": [2, 1]},
        {"offsets": [0]},
        {"offsets": [0, 1, 2]},
        {"scales": np.ones(3, np.float32)},
        {"ids": [0, 1], "places": np.array([-1, 1], np.int32)},
        {"ids": [0, 2], "places": np.array([-1, -1, -1], np.int32)},
        {"ids": [0, 3], "extra": np.ones((1, 2), np.float32)},
        {"weights": np.ones(1, np.float32)},
    ],
)
def test_wrong_sizes_and_ids_are_refused(wrong):
    np.testing.assert_array_equal(sums(), [[1, 1]])
    with pytest.raises(ValueError, match="out of range"):
        sums(**wrong)


@needs_native
def test_arrays_of_another_type_are_refused():
    with pytest.raises(ValueError, match="another size"):
        sums(extra=np.ones(3, np.float32))
    with pytest.raises((BufferError, ValueError)):
        native.row_sums(b"1234", 1, *6 * [None], np.ones((1, 1), np.float32), None, None)


@needs_native
def test_wrong_words_are_refused():
    index = native.make_index(b"adog" + bytes(8), np.array([1, 4]))
    ids, offsets, unknown = native.token_ids(index, ["a cat", "dog"])
    assert np.frombuffer(ids, np.int32).tolist() == [0, 2, 1]
    assert np.frombuffer(offsets, np.int64).tolist() == [0, 2, 3]
    assert unknown == ["cat"]
    for ends in ([1, 5], [3, 1], [-1]):
        with pytest.raises(ValueError, match="A word"):
            native.make_index(b"adog" + bytes(8), np.array(ends))
    with pytest.raises(ValueError, match="A word"):
        native.make_index(b"aa" + bytes(8), np.array([1, 2]))
    with pytest.raises(TypeError):
        native.token_ids(index, ["a", 1])


@needs_native
def test_a_wrong_index_of_ngrams_is_refused():
    n = 1 << 18
    weights, starts = np.ones(n, np.float32), np.zeros(n + 1, np.int32)
    starts[1:] = 1
    lists = np.array([(5, 1)], dtype=[("id", np.int32), ("weight", np.float32)])
    points = "dog".encode("utf-32-le")

    def nearest(weights, starts, lists, n_known, n_neighbors, ends=(3,)):
        keys, ends = np.zeros(n_neighbors, np.uint64), np.array(ends, dtype=np.int64)
        cosines = np.zeros(n_known, np.float32)
        native.nearest(keys, n_neighbors, points, ends, weights, starts, lists, cosines)

    nearest(weights, starts, lists, 9, 20)
    for wrong in (
        (weights[1:], starts, lists, 9, 20),
        (weights, starts[1:], lists, 9, 20),
        (weights, np.arange(n + 1, dtype=np.int32), lists, 9, 20),
        (weights, starts + np.int32(1), lists, 9, 20),
        (weights, starts, lists, 9, 0),
        (weights, np.arange(n + 1, dtype=np.int32), np.repeat(lists, n), 5, 20),
        (weights, starts, lists, 9, 20, (4,)),
        (weights, starts, lists, 9, 20, (3, 3)),
    ):
        with pytest.raises(ValueError, match="out of range"):
            nearest(*wrong)


def test_compiled_modules_can_be_switched_off():
    code = "import skpara; skpara.show_versions()"
    environment = {**os.environ, "SKPARA_NATIVE": "0"}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert "_native: switched off" in run.stdout


def test_every_compiled_module_is_listed():
    sources = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.c")}
    assert sources == {name.replace(".", "/") + ".c" for name in MODULES}


@needs_native
def test_a_module_that_was_built_from_older_code_is_not_used(monkeypatch):
    monkeypatch.setitem(MODULES, "_native", MODULES["_native"] + " a_new_function")
    with pytest.warns(UserWarning, match="build_ext --inplace"):
        assert compiled("skpara._native") is None
