from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.features import _kernels
from skpara.features._kernels import Lists, f_score, harmonic_mean, ratio

native = pytest.mark.skipif(_kernels._native is None, reason="the module in C is not built")
N_IDS = 7


@st.composite
def lists_and_sides(draw):
    ids = draw(st.lists(st.lists(st.integers(0, N_IDS - 1), max_size=9), min_size=1, max_size=5))
    lists = Lists(
        np.array([i for items in ids for i in items], dtype=np.int64),
        np.cumsum([0, *map(len, ids)]),
    )
    sides = draw(st.lists(st.tuples(*[st.integers(0, len(ids) - 1)] * 2), max_size=6))
    left, right = np.array(sides, dtype=np.int64).reshape(-1, 2).T.copy()
    return lists, (left, right)


RNG = np.random.default_rng(0)
WEIGHTS = 0.01 + RNG.random((3, N_IDS)).round(2)
WEIGHTS[0] = 1.0
ROWS = RNG.normal(size=(N_IDS, 19)).astype(np.float32)
ROWS[3] = 0.0
NORMS = np.linalg.norm(ROWS.astype(np.float64), axis=1)


def best(lists, sides):
    words, counts = _kernels.distinct(lists, N_IDS)
    cells = _kernels.cell_cosines(words, sides, ROWS, NORMS)
    return _kernels.best_of_cells(words, sides, cells, counts, WEIGHTS)


def aligned(lists, sides):
    similar = np.maximum(_kernels.cell_cosines(lists, sides, ROWS, NORMS).round(1), 0)
    return _kernels.align_cells(lists, sides, similar, 3, 0.1)


FUNCTIONS = {
    "distinct": lambda lists, sides: _kernels.distinct(lists, N_IDS),
    "shared_ngrams": lambda lists, sides: _kernels.shared_ngrams(lists, sides, 4),
    "shared_weights": lambda lists, sides: _kernels.shared_weights(lists, sides, WEIGHTS),
    "cosines": lambda lists, sides: _kernels.cosines(lists, sides, WEIGHTS),
    "undamped_cosines": lambda lists, sides: _kernels.cosines(lists, sides, WEIGHTS, damped=False),
    "sequences": _kernels.sequences,
    "cell_cosines": lambda lists, sides: _kernels.cell_cosines(lists, sides, ROWS, NORMS),
    "best": best,
    "aligned": aligned,
    "sums": lambda lists, sides: _kernels.vector_cosines(lists, sides, ROWS, WEIGHTS),
    "products": lambda lists, sides: _kernels.vector_cosines(lists, sides, ROWS),
    "cut": lambda lists, sides: _kernels.cut(
        lists.ids.astype(np.uint32), lists.offsets, np.arange(1, len(lists.offsets)), (2, 3, 4)
    ),
}


def flat(result):
    if isinstance(result, tuple):
        return [array for part in result for array in flat(part)]
    return [result.ids, result.offsets] if isinstance(result, Lists) else [result]


@pytest.mark.parametrize("size", [1e-3, 1e3])
@pytest.mark.parametrize("compiled", [pytest.param(True, marks=native), False])
def test_products_of_many_rows_keep_their_direction(monkeypatch, size, compiled):
    if not compiled:
        monkeypatch.setattr(_kernels, "_native", None)
    rows = np.array([[size, 2 * size], [-size, size]], dtype=np.float32)
    lists = Lists(np.repeat([0, 1], [300, 301]), np.array([0, 300, 601]))
    sides = np.array([0, 0]), np.array([0, 1])
    # Of 300 products by 2 the second number outweighs the first; 301 products by -1 change a sign.
    cosines = _kernels.vector_cosines(lists, sides, rows)
    np.testing.assert_allclose(cosines, [[1.0, np.sqrt(0.5)]], rtol=1e-6)


@native
@pytest.mark.parametrize("name", FUNCTIONS)
@given(lists_and_sides())
def test_compiled_functions_give_the_bits_of_python(name, numpy_code, arguments):
    compiled = flat(FUNCTIONS[name](*arguments))
    with numpy_code():
        python = flat(FUNCTIONS[name](*arguments))
    for a, b in zip(compiled, python, strict=True):
        np.testing.assert_array_equal(a, b)


@given(lists_and_sides())
@pytest.mark.parametrize("name", ["shared_ngrams", "shared_weights", "cosines", "sequences"])
def test_a_pair_has_the_same_bits_alone_and_among_others(name, arguments):
    lists, sides = arguments
    together = FUNCTIONS[name](lists, sides)
    for p in range(len(sides[0])):
        alone = FUNCTIONS[name](lists, tuple(side[p : p + 1] for side in sides))
        np.testing.assert_array_equal(alone[..., 0], together[..., p])


@native
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({0: np.array([0, 9])}, "an id is outside the table"),
        ({0: np.array([0, -1])}, "an id is outside the table"),
        ({1: np.array([0, 3])}, "offsets are outside the items"),
        ({1: np.array([0, 2, 1, 2])}, "offsets decrease"),
        ({2: np.array([5])}, "a pair is outside the lists"),
        ({2: np.array([0, 0])}, "left and right differ in length"),
        ({4: np.ones(3, dtype=np.uint8)}, "items of another size"),
        ({6: np.zeros(1)}, "an output is too small"),
    ],
)
def test_wrong_arrays_are_refused(changes, message):
    arguments = [np.array([0, 1]), np.array([0, 1, 2]), np.array([0]), np.array([1])]
    arguments += [np.ones((1, 2)), 2, np.zeros((3, 1, 1))]
    _kernels._native.shared_weights(*arguments)
    for position, value in changes.items():
        arguments[position] = value
    with pytest.raises(ValueError, match=message):
        _kernels._native.shared_weights(*arguments)


@native
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({3: np.full(4, -1, dtype=np.int32)}, "there are too few slots"),
        ({2: np.array([2])}, "there are too few slots, or lengths"),
        ({3: np.full(8, 2, dtype=np.int32)}, "all slots are taken"),
        ({5: np.array([-1])}, "a term is outside the text"),
        ({6: np.array([4])}, "a term is outside the text"),
        ({6: np.array([4, 4])}, "starts and lengths differ in number"),
    ],
)
def test_wrong_tables_of_terms_are_refused(changes, message):
    terms = _kernels.Terms.of("ab\nabc")
    text, numbers = np.frombuffer("abc".encode("utf-32-le"), np.uint32), np.zeros(1, np.int64)
    arguments = [terms.characters, terms.starts, terms.lengths, terms.slots]
    arguments += [text, np.array([0]), np.array([2])]
    _kernels._native.find_terms(*arguments, numbers)
    assert numbers.tolist() == [0]
    for position, value in changes.items():
        arguments[position] = value
    with pytest.raises(ValueError, match=message):
        _kernels._native.find_terms(*arguments, numbers)


@native
def test_fewer_cells_or_counts_than_items_are_refused():
    lists, sides = Lists(np.arange(4), np.array([0, 2, 4])), (np.array([0]), np.array([1]))
    for n_cells, n_counts in ((3, 4), (4, 3)):
        with pytest.raises(ValueError, match="fewer cells or counts than items"):
            _kernels.best_of_cells(lists, sides, np.ones(n_cells), np.ones(n_counts), WEIGHTS)
    with pytest.raises(ValueError, match="cells"):
        _kernels.align_cells(lists, sides, np.ones(3), 3, 0.1)


@native
def test_missing_memory_is_no_error_of_value():
    no_ids, one = np.array([], dtype=np.int64), np.array([0])
    arguments = no_ids, np.array([0, 0]), one, one, np.array([], dtype=np.float32)
    for n_dims, error in ((0, ValueError), (1 << 58, MemoryError)):
        with pytest.raises(error):
            _kernels._native.vector_cosines(*arguments, n_dims, np.ones(1), 1, np.zeros(1))


def test_only_and_head_and_sums():
    names, lists = Lists.of([["a", "b", "a"], [], ["c", "a"]])
    assert names == ["a", "b", "c"]
    assert lists.lengths.tolist() == [3, 0, 2]
    assert lists.head(2).ids.tolist() == [0, 1, 2, 0]
    only = lists.only(np.array([True, False, True]), np.array([5, 0, 6]))
    assert only.ids.tolist() == [5, 5, 6, 5]
    assert only.offsets.tolist() == [0, 2, 2, 4]
    assert lists.sums([1.0, 10.0, 100.0]).tolist() == [12.0, 0.0, 101.0]


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_f_score_is_the_harmonic_mean_of_precision_and_recall(shared, more, other):
    first, second = shared + more, shared + other
    p, r = (shared / n if n else 0.0 for n in (first, second))
    assert f_score(shared, first, second) == pytest.approx(2 * p * r / (p + r) if p + r else 0)


def test_harmonic_mean_of_nothing_is_0():
    means = harmonic_mean(np.array([0.0, 1.0, 0.5]), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(means, [0, 0, 2 / 3])


def test_a_ratio_with_denominator_0_is_0():
    assert ratio([1, 0, 3], [2, 0, 0]).tolist() == [0.5, 0.0, 0.0]
