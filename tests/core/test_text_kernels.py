"""Unknown words against plain NumPy, and what the compiled functions refuse."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import sparse

from skpara import WordVectors
from skpara._core import text_kernels, word_index
from skpara.resources._subword import UnknownVectors, _ngram_counts
from skpara.text import UnknownIds, Vocabulary
from skpara.text._tokenizer import CHARACTERS

KNOWN = sorted({"guitar", "guitars", "music", "musical", "musician", "straße", "café", "aa", "ab"})
KNOWN += [f"word{c}{d}" for c in "abcdefgh" for d in "abcdefghijk"]


# No more words than an unknown one is compared with.
FEW = KNOWN[:12]


def ngrams(word):
    """How often the hashed character n-grams of a word occur; some n-grams share a hash."""
    _, numbers, counts = _ngram_counts([word])
    return dict(zip(numbers.tolist(), counts.tolist(), strict=True))


def shares(word):
    """The share of each known word: the squared cosine of weighted counts of n-grams."""
    counts = {known: ngrams(known) for known in FEW}
    frequencies = Counter(number for counter in counts.values() for number in counter)

    def weighted(counter):
        weights = {
            number: n * np.log((len(FEW) + 1) / (frequencies[number] + 1))
            for number, n in counter.items()
        }
        length = np.sqrt(sum(weight**2 for weight in weights.values()))
        return {number: weight / length for number, weight in weights.items()}

    own = weighted(ngrams(word))
    squares = [
        sum(own.get(number, 0.0) * weight for number, weight in weighted(counter).items()) ** 2
        for counter in counts.values()
    ]
    return np.array(squares) / max(sum(squares), 1e-30)


@given(words=st.lists(st.text(alphabet="guitarmscwordeéß", min_size=1, max_size=30), max_size=5))
@example(words=["guitar" * 4, "guitar" * 4 + "s", "guitar" * 6])  # 24 characters are used
def test_an_unknown_word_is_the_mean_of_known_ones_that_are_spelled_alike(words):
    matrix = np.random.default_rng(0).standard_normal((len(FEW), 7)).astype(np.float32)
    words = [word for word in words if word not in FEW]
    for word, vector in zip(words, WordVectors(FEW, matrix).lookup(words), strict=True):
        np.testing.assert_allclose(vector, shares(word) @ matrix, rtol=1e-4, atol=1e-5)


def test_memory_of_unknown_words_is_bounded(monkeypatch):
    monkeypatch.setattr("skpara.resources._word_vectors.MOST_WORDS", 100)
    vectors = WordVectors(KNOWN, np.eye(len(KNOWN), dtype=np.float32))
    words = [f"guitar{i}x" for i in range(250)]
    together = vectors.lookup(words)
    for _ in range(2):
        in_parts = [vectors.lookup(words[start : start + 30]) for start in range(0, 250, 30)]
        np.testing.assert_array_equal(together, np.concatenate(in_parts))
        assert 0 < len(vectors.unknown_words("subword").ids.words) < 100 + 30


def test_each_unknown_word_is_computed_once(monkeypatch):
    monkeypatch.setattr("skpara.resources._subword.MOST_WORDS", 10)
    computed = []

    def compute(words, out):
        computed.extend(words)
        out[:, 0] = list(map(len, words))

    unknown = UnknownVectors(UnknownIds(3, {"known": 1}), 1, compute)
    for batch in ("a bb known a", "bb ccc", " ".join("x" * n for n in range(4, 20)), "a ccc"):
        before, lengths = unknown.rows(), list(map(len, unknown.ids.words))
        Vocabulary(["m", "known", "n"]).read_chunk([batch], 0, 1, unknown.ids)
        table = unknown.rows()
        assert table[: len(unknown.ids.words), 0].tolist() == list(map(len, unknown.ids.words))
        assert before[: len(lengths), 0].tolist() == lengths  # another thread may read it
    assert computed == unknown.ids.words == ["a", "bb", "ccc", *("x" * n for n in range(4, 20))]


def test_threads_share_the_memory_of_unknown_words(monkeypatch):
    monkeypatch.setattr("skpara.resources._word_vectors.MOST_WORDS", 50)
    vectors = WordVectors(KNOWN, np.eye(len(KNOWN), dtype=np.float32))
    batches = [[f"guitar{(7 * i + k) % 90}x" for k in range(9)] for i in range(200)]
    expected = [vectors.lookup(batch) for batch in batches]
    with ThreadPoolExecutor(4) as threads:
        for got, alone in zip(threads.map(vectors.lookup, batches), expected, strict=True):
            np.testing.assert_array_equal(got, alone)


def sums(
    ids=(0, 1),
    offsets=(0, 2),
    size=2,
    scales=None,
    n_dims=None,
    weights=None,
    extra=None,
    redundancy=0.0,
    lengths=None,
):
    """Call ``row_sums`` with arrays of some sizes."""
    ids, offsets = np.array(ids, dtype=np.int32), np.array(offsets, dtype=np.int64)
    table = np.ones((2, size), np.float32 if scales is None else np.int8)
    out = np.empty((1, size), dtype=np.float32)
    moved = np.ones((1, size), np.float32)
    n_dims = size if n_dims is None else n_dims
    arrays = ids, offsets, weights, table, scales, moved, extra
    text_kernels.row_sums(out, n_dims, *arrays, redundancy, lengths, None)
    return out


def test_wrong_sizes_and_ids_are_refused():
    np.testing.assert_array_equal(sums(), [[1, 1]])
    np.testing.assert_array_equal(sums(weights=np.ones(2, np.float32)), [[2, 2]])
    extra = np.full((1, 2), 4, np.float32)
    np.testing.assert_array_equal(sums([1, 2, 3], [0, 3], extra=extra), [[2, 2]])
    for wrong in (
        *({"ids": ids} for ids in ([0, 3], [0, -1])),
        *({"offsets": ends} for ends in ([0, 3], [-1, 1], [2, 1], [0], [0, 1, 2])),
        *({"n_dims": n} for n in (0, 1 << 24)),
        {"scales": np.ones(3, np.float32)},
        {"ids": [0, 4], "extra": np.ones((1, 2), np.float32)},
        {"weights": np.ones(1, np.float32)},
        {"extra": np.ones(3, np.float32)},
        {"redundancy": -1.0},
        {"redundancy": float("nan")},
        {"redundancy": 1.0, "offsets": [0, 3]},
        {"redundancy": 1.0, "offsets": [2, 1]},
        {"redundancy": 1.0, "lengths": np.ones(4, np.float32)},
    ):
        with pytest.raises(ValueError, match=r"out of range|another size"):
            sums(**wrong)
    table = np.ones((1, 1), np.float32)
    with pytest.raises((BufferError, ValueError)):
        text_kernels.row_sums(b"1234", 1, *3 * [None], table, *3 * [None], 0.0, None, None)


def index_of(text, ends, n_slots=8):
    """Return the arrays that ``fill_index`` fills."""
    index = np.zeros((n_slots, 3), dtype=np.uint64), text + bytes(8)
    text_kernels.fill_index(*index, np.array(ends, dtype=np.int64))
    return index


def read(strings=("a cat", "dog"), size=3, index=None, entries=CHARACTERS, **functions):
    """Call ``token_ids``, and return ids, offsets and unknown words."""
    if index is None:
        index = index_of(b"adog", [1, 4])
    offsets, unknown = np.empty(size, dtype=np.int64), functions.get("unknown", UnknownIds(2, {}))
    normalize = functions.get("normalize", str.lower)
    ids, n = text_kernels.token_ids(*index, entries, offsets, list(strings), normalize, unknown)
    return np.frombuffer(ids, np.int32).tolist(), offsets[: n + 1].tolist(), [*unknown]


def test_wrong_words_are_refused():
    assert read() == ([0, 2, 1], [0, 2, 3], ["cat"])
    assert read(index=index_of(b"adog", [1, 4], n_slots=4))[0] == [0, 2, 1]
    for text, ends, n_slots in (
        (b"adog", [1, 5], 8),
        (b"adog", [3, 1], 8),
        (b"adog", [-1], 8),
        (b"aa", [1, 2], 8),
        (b"adog", [1, 4], 2),
        (b"adog", [1, 4], 6),
        (b"adog", [1, 4], 0),
    ):
        with pytest.raises(ValueError, match=r"A word|out of range"):
            index_of(text, ends, n_slots)


def test_not_too_much_text_is_read_at_once():
    assert read(["long " * 20_000, "a"], unknown={"long": 7})[1] == [0, 20_000]


def test_an_unknown_word_of_a_batch_is_looked_up_once():
    class Counting(dict):
        def __missing__(self, word):
            looked_up.append(word)
            return 7 + len(looked_up)

    looked_up = []
    ids = read(["cat dog cat", "CAT a mouse"], unknown=Counting())[0]
    assert looked_up == ["cat", "mouse"]
    assert ids == [8, 1, 8, 8, 0, 9]


def test_text_that_cannot_be_split_is_refused():
    for wrong, error in (
        ({"strings": ["a", 1]}, TypeError),
        ({"size": 2}, ValueError),
        ({"entries": CHARACTERS[1:]}, ValueError),
        ({"index": (np.zeros((6, 3), np.uint64), b"adog")}, ValueError),
        ({"index": (np.zeros(8, np.uint64), b"adog")}, ValueError),
        ({"unknown": {}}, KeyError),
        ({"unknown": {"cat": "2"}}, TypeError),
        ({"strings": ["&"], "normalize": len}, TypeError),
    ):
        with pytest.raises(error):
            read(**wrong)


def test_a_wrong_index_of_ngrams_is_refused():
    n = (1 << 18) + 1
    kind = [("number", np.uint32), ("weight", np.float32)]
    ngrams, words = np.ones(n, dtype=kind), np.array([(5, 1)], dtype=kind)
    ngrams["number"][0] = 0
    beyond, each = ngrams.copy(), ngrams.copy()
    beyond["number"] += 1
    each["number"] = np.arange(n)

    def nearest(ngrams, words, n_known, n_neighbors=20, unknown=("dog",)):
        shares, cosines = np.zeros(n_neighbors, dtype=kind), np.zeros(n_known, np.float32)
        text_kernels.nearest_words(shares, ngrams, words, cosines, list(unknown))

    nearest(ngrams, words, 9)
    nearest(each, np.repeat(words, n), 9)
    for wrong in (
        (ngrams[1:], words, 9),
        (each, words, 9),
        (beyond, words, 9),
        (ngrams, words, 9, 19),
        (each, np.repeat(words, n), 5),
        (ngrams, words, 9, 20, ["dog", "cat"]),
        (ngrams, words, 9, 20, [b"dog"]),
    ):
        with pytest.raises((ValueError, TypeError), match=r"out of range|argument"):
            nearest(*wrong)


def ints(*values, dtype=np.int64):
    return np.array(values, dtype=dtype)


ROWS = {
    "left_starts": ints(0, 1, 2, dtype=np.int32),
    "left_indices": ints(0, 1, dtype=np.int32),
    "left_values": np.ones(2, dtype=np.float32),
    "right_starts": ints(0, 2, dtype=np.int32),
    "right_indices": ints(0, 1, dtype=np.int32),
    "right_values": np.ones(2, dtype=np.float32),
    "n_columns": 2,
    "rows": ints(0, 1),
    "columns": ints(0, 0),
    "products": np.zeros(2),
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("left_starts", ints(0, 1, 3, dtype=np.int32)),
        ("left_starts", ints(0, 2, 1, dtype=np.int32)),
        ("left_indices", ints(0, 2, dtype=np.int32)),
        ("left_indices", ints(0, -1, dtype=np.int32)),
        ("right_values", np.ones(1, dtype=np.float32)),
        ("n_columns", 1),
        ("rows", ints(0, 2)),
        ("rows", ints(0)),
        ("columns", ints(0, -1)),
        ("products", np.zeros(1)),
        ("products", np.zeros(3, dtype=np.float32)),
    ],
)
def test_wrong_rows_of_matrices_are_refused(name, value):
    text_kernels.row_products(*ROWS.values())
    np.testing.assert_array_equal(ROWS["products"], [1, 1])
    with pytest.raises(ValueError, match=r"out of range|another size"):
        text_kernels.row_products(*(ROWS | {name: value}).values())


@pytest.mark.parametrize("digits", [0, 6])  # rounded, many products are equal
@pytest.mark.parametrize(("n", "k"), [(1, 1), (70, 5), (2500, 5), (2500, 300), (2500, 1100)])
def test_the_largest_products_of_sparse_rows(n, k, digits):
    rng = np.random.default_rng(n)
    left, right = (
        sparse.random_array((rows, 30), density=0.2, format="csr", dtype=np.float32, rng=rng)
        for rows in (8, n)
    )
    for matrix in (left, right):
        matrix.data = (4 * matrix.data).round(digits)
    inverted = right.T.tocsr()
    best = np.empty((8, k), dtype=np.int64)
    arrays = (x for y in (left, inverted) for x in (y.indptr, y.indices, y.data))
    text_kernels.best_products(*arrays, n, k, best)
    products = (left @ right.T).toarray()
    for row, found in zip(products, best, strict=True):
        expected = [i for i in np.argsort(-row, kind="stable")[:k] if row[i] > 0]
        assert sorted(found[found >= 0].tolist()) == sorted(expected)


BEST = {
    "row_starts": ints(0, 1, 2, dtype=np.int32),
    "row_indices": ints(0, 1, dtype=np.int32),
    "row_values": np.ones(2, dtype=np.float32),
    "column_starts": ints(0, 1, 2, dtype=np.int32),
    "column_indices": ints(0, 2, dtype=np.int32),
    "column_values": np.ones(2, dtype=np.float32),
    "n": 3,
    "k": 1,
    "best": ints(9, 9),
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("row_starts", ints(0, 2, 1, dtype=np.int32)),
        ("row_indices", ints(0, 2, dtype=np.int32)),
        ("row_values", np.ones(1, dtype=np.float32)),
        ("column_starts", ints(0, 1, 3, dtype=np.int32)),
        ("column_indices", ints(0, -1, dtype=np.int32)),
        ("n", 2),
        ("n", -1),
        ("k", 0),
        ("k", 2),
        ("best", ints(9)),
    ],
)
def test_wrong_arrays_for_the_largest_products_are_refused(name, value):
    text_kernels.best_products(*BEST.values())
    np.testing.assert_array_equal(BEST["best"], [0, 2])
    with pytest.raises(ValueError, match=r"out of range|another size"):
        text_kernels.best_products(*(BEST | {name: value}).values())


DENSE = {
    "matrix": np.arange(6, dtype=np.float32).reshape(2, 3),
    "n_columns": 3,
    "rows": ints(0, 1),
    "other_rows": ints(1, 1),
    "products": np.zeros(2, dtype=np.float32),
}


@pytest.mark.parametrize("n_columns", [1, 15, 16, 40])
def test_products_of_dense_rows(n_columns):
    rng = np.random.default_rng(n_columns)
    matrix = rng.normal(size=(20, n_columns)).astype(np.float32)
    rows, others = rng.integers(20, size=(2, 30))
    products = np.empty(30, dtype=np.float32)
    text_kernels.dense_products(matrix, n_columns, rows, others, products)
    expected = (matrix[rows].astype(np.float64) * matrix[others]).sum(axis=1)
    np.testing.assert_allclose(products, expected, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("matrix", np.zeros(5, dtype=np.float32)),
        ("n_columns", 0),
        ("n_columns", -1),
        ("rows", ints(0, 2)),
        ("rows", ints(0)),
        ("other_rows", ints(-1, 0)),
        ("products", np.zeros(1, dtype=np.float32)),
        ("products", np.zeros(2)),
    ],
)
def test_wrong_rows_of_a_dense_matrix_are_refused(name, value):
    text_kernels.dense_products(*DENSE.values())
    np.testing.assert_array_equal(DENSE["products"], [14, 50])
    with pytest.raises(ValueError, match=r"out of range|another size"):
        text_kernels.dense_products(*(DENSE | {name: value}).values())


SPELLINGS = np.zeros(3, dtype=[("letters", np.uint64), ("more", np.int32), ("length", np.int32)])
PAIRS = {
    "first_words": ints(0, 1),
    "first_sizes": ints(2),
    "second_words": ints(1, 2),
    "second_sizes": ints(2),
    "spellings": SPELLINGS,
    "first_same": np.zeros(2),
    "second_same": np.zeros(2),
    "first_places": ints(*[0] * 4),
    "second_places": ints(*[0] * 4),
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("first_words", ints(0, 3)),
        ("first_words", ints(0, -1)),
        ("first_sizes", ints(3)),
        ("first_sizes", ints(-1)),
        ("second_sizes", ints(1, 1)),
        ("spellings", SPELLINGS[:2]),
        ("first_same", np.zeros(1)),
        ("second_places", ints(0)),
    ],
)
def test_wrong_pairs_of_words_are_refused(name, value):
    # Words without letters share all letters of the shorter one.
    assert text_kernels.word_pairs(*PAIRS.values()) == 3
    assert PAIRS["first_same"].tolist() == [0, 1]
    assert PAIRS["second_same"].tolist() == [1, 0]
    with pytest.raises(ValueError, match=r"out of range|another size"):
        text_kernels.word_pairs(*(PAIRS | {name: value}).values())


SLOTS, WORDS = word_index(["ab", "b"])
MODEL = {
    "morpheme_slots": SLOTS,
    "morphemes": WORDS,
    "own_starts": ints(0, 1, 2),
    "own": np.array([[1, -1.0], [1, -2.0]]),
    "step_starts": ints(0, 1, 1, 1, 1),
    "steps": np.array([[1, -0.5]]),
    "end_starts": ints(0, 0, 1, 1, 1),
    "ends": np.array([[0, -0.25]]),
    "ending_slots": SLOTS,
    "endings": WORDS,
    "ending_values": np.zeros((2, 1)),
    "guesses": np.array([[0, -9.0, 0.0]]),
    "n_tags": 2,
    "first_last": 0,
    "first_tag": 0,
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("own_starts", ints(0, 1)),
        ("own_starts", ints(0, 2, 1)),
        ("own", np.array([[2, -1.0], [1, -2.0]])),
        ("own", np.array([[1.0]])),
        ("step_starts", ints(0, 1)),
        ("steps", np.array([[-1, -0.5]])),
        ("ending_values", np.zeros((1, 1))),
        ("guesses", np.array([[5, -9.0, 0.0]])),
        ("guesses", np.zeros((0, 3))),
        ("n_tags", 1),
        ("n_tags", 1000),
        ("first_tag", 2),
        ("morpheme_slots", SLOTS[:3]),
    ],
)
def test_wrong_models_of_words_are_refused(name, value):
    # The word is a morpheme: of the step to its tag, of itself, and of the end.
    model = text_kernels.morphology(*MODEL.values())
    assert text_kernels.word_tags(model, b"ab" + bytes(8)) == [(0, -1.75)]
    with pytest.raises(ValueError, match=r"out of range|another size"):
        text_kernels.morphology(*(MODEL | {name: value}).values())


def test_words_that_are_too_long_or_no_model_are_refused():
    model = text_kernels.morphology(*MODEL.values())
    assert text_kernels.word_tags(model, bytes(8)) == []
    for word in (b"a" * 200 + bytes(8), b"ab"):
        with pytest.raises(ValueError, match="out of range"):
            text_kernels.word_tags(model, word)
    with pytest.raises(ValueError, match="PyCapsule"):
        text_kernels.word_tags(object(), b"ab" + bytes(8))
