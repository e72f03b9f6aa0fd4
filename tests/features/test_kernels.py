from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq, Levenshtein

from skpara._core import Ragged, list_kernels
from skpara.features import _kernels
from skpara.features._kernels import f_score, harmonic_mean, ratio
from skpara.text import code_points

N_IDS = 7


@st.composite
def lists_and_sides(draw):
    ids = draw(st.lists(st.lists(st.integers(0, N_IDS - 1), max_size=9), min_size=1, max_size=5))
    lists = Ragged(
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


# Each comparison of two lists of ids, in plain Python.


def counts_of(items):
    return np.bincount(np.array(items, dtype=int), minlength=N_IDS)


def cosine(u, v):
    norms = np.linalg.norm(u) * np.linalg.norm(v)
    return u @ v / norms if norms else 0.0


def grams(items, n):
    return Counter(zip(*(items[k:] for k in range(n)), strict=False))


def shared_ngrams(left, right):
    sizes = 1, 2, 3, 4
    shared = [(grams(left, n) & grams(right, n)).total() for n in sizes]
    totals = [(grams(left, n).total(), grams(right, n).total()) for n in sizes]
    f = [2 * n / sum(both) if all(both) else 1.0 for n, both in zip(shared, totals, strict=True)]
    return [shared, f]


def shared_weights(left, right):
    first, second = counts_of(left), counts_of(right)
    sums = [WEIGHTS @ counts for counts in (np.minimum(first, second), first, second)]
    return [*sums, ratio(2 * sums[0], sums[1] + sums[2])]


def cosines(left, right):
    damped = [np.log(np.maximum(c, 1)) + (c > 0) for c in map(counts_of, (left, right))]
    return [cosine(row * damped[0], row * damped[1]) for row in WEIGHTS]


def undamped_cosines(left, right):
    return [cosine(row * counts_of(left), row * counts_of(right)) for row in WEIGHTS]


def sequences(left, right):
    runs = [
        n
        for i in range(len(left))
        for j in range(len(right))
        for n in range(1, len(left) + 1)
        if left[i : i + n] == right[j : j + n] and i + n <= len(left)
    ]
    return [Levenshtein.distance(left, right), LCSseq.similarity(left, right), max([0, *runs])]


def sums_of_rows(left, right):
    first, second = counts_of(left), counts_of(right)
    return [cosine((row * first) @ ROWS, (row * second) @ ROWS) for row in WEIGHTS]


def products_of_rows(left, right):
    first = ROWS[left].astype(float).prod(axis=0) * bool(left)
    second = ROWS[right].astype(float).prod(axis=0) * bool(right)
    return [cosine(first, second)]


def similarities(left, right):
    """The cosine, at least 0, of each word on the left with each on the right."""
    cells = [1.0 if i == j else max(0.0, cosine(ROWS[i], ROWS[j])) for i in left for j in right]
    return np.reshape(cells, (len(left), len(right)))


def best_matches(left, right):
    """The weighted mean of the best similarities of each side, and its largest loss."""
    first, second = ([*dict.fromkeys(items)] for items in (left, right))
    means, worst = np.zeros((2, 2, len(WEIGHTS)))
    table = similarities(first, second)
    for side, items, own in ((0, first, left), (1, second, right)):
        if items:
            best = table.max(axis=1 - side, initial=0)
            times = WEIGHTS[:, items] * counts_of(own)[items]
            means[side] = times @ best / times.sum(axis=1)
            worst[side] = (WEIGHTS[:, items] * (1 - best)).max(axis=1)
    return np.array([means, worst])


def align(table, window, neighbor_weight):
    """Align the best cells first, one to one; ties go to near and early words."""
    cells = []
    for i, j in np.argwhere(table > 0).tolist():
        near = table[max(0, i - window) : i + window + 1, max(0, j - window) : j + window + 1]
        around = min(1.0, (near.sum() - table[i, j]) / (2 * window))
        score = (1 - neighbor_weight) * table[i, j] + neighbor_weight * around
        cells.append((-math.floor(1e6 * score + 0.5), abs(i - j), i + j, i, j))
    rows, columns, chosen = set(), set(), []
    for *_, i, j in sorted(cells):
        if i not in rows and j not in columns:
            rows.add(i)
            columns.add(j)
            chosen.append(i * table.shape[1] + j)
    return sorted(chosen)


def best(lists, sides):
    words, counts = _kernels.distinct(lists, N_IDS)
    cells = _kernels.cell_cosines(words, sides, ROWS, NORMS)
    return np.array(_kernels.best_of_cells(words, sides, cells, counts, WEIGHTS))


# What the package computes for all pairs at once, the last axis, and what Python does for one.
COMPARISONS = {
    "shared n-grams": (lambda *x: np.array(_kernels.shared_ngrams(*x, 4)), shared_ngrams),
    "shared weights": (lambda *x: _kernels.shared_weights(*x, WEIGHTS), shared_weights),
    "cosines": (lambda *x: _kernels.cosines(*x, WEIGHTS), cosines),
    "undamped": (lambda *x: _kernels.cosines(*x, WEIGHTS, damped=False), undamped_cosines),
    "sequences": (_kernels.sequences, sequences),
    "best": (best, best_matches),
    "sums": (lambda *x: _kernels.vector_cosines(*x, ROWS, WEIGHTS), sums_of_rows),
    "products": (lambda *x: _kernels.vector_cosines(*x, ROWS), products_of_rows),
}


@settings(max_examples=10)  # of each kernel
@given(lists_and_sides())
@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_are_those_of_plain_python(name, arguments):
    lists, sides = arguments
    compare, by_hand = COMPARISONS[name]
    found = compare(lists, sides)
    assert found.shape[-1] == len(sides[0])
    for p, left, right in lists.pairs(sides):
        np.testing.assert_allclose(found[..., p], by_hand(left, right), rtol=1e-6, atol=1e-7)


@settings(max_examples=10)  # of each kernel
@given(lists_and_sides())
@pytest.mark.parametrize("name", COMPARISONS)
def test_a_pair_has_the_same_bits_alone_and_among_others(name, arguments):
    lists, sides = arguments
    compare, _ = COMPARISONS[name]
    together = compare(lists, sides)
    for p in range(len(sides[0])):
        alone = compare(lists, tuple(side[p : p + 1] for side in sides))
        np.testing.assert_array_equal(alone[..., 0], together[..., p])


@given(lists_and_sides())
def test_cells_and_their_alignment_are_those_of_plain_python(arguments):
    lists, sides = arguments
    similar = _kernels.cell_cosines(lists, sides, ROWS, NORMS)
    expected = [similarities(left, right).ravel() for _, left, right in lists.pairs(sides)]
    np.testing.assert_allclose(similar, np.concatenate([[], *expected]), rtol=1e-6, atol=1e-7)
    rounded, aligned, start = similar.round(1), [], 0
    for p, left, right in lists.pairs(sides):
        n_cells = len(left) * len(right)
        table = rounded[start : start + n_cells].reshape(len(left), len(right))
        starts = [lists.offsets[side[p]] for side in sides]
        for cell in align(table, 3, 0.1):
            i, j = divmod(cell, len(right))
            aligned.append((p, starts[0] + i, starts[1] + j, table[i, j]))
        start += n_cells
    found = _kernels.align_cells(lists, sides, rounded, 3, 0.1)
    assert [*zip(*found, strict=True)] == aligned


@given(lists_and_sides())
def test_words_with_a_key_in_common_are_equal(arguments):
    lists, sides = arguments
    keys = np.array([[0, 1, 2, 3, 4, 5, 5], [0, 1, 2, 2, 3, 4, 5]])
    plain = _kernels.cell_cosines(lists, sides, ROWS, NORMS)
    found = _kernels.cell_cosines(lists, sides, ROWS, NORMS, keys, least=0.3, factor=0.9)
    cells = [(i, j) for _, left, right in lists.pairs(sides) for i in left for j in right]
    same = [(keys[:, i] == keys[:, j]).any() for i, j in cells]
    expected = np.where(same, 1.0, np.where(plain >= 0.3, 0.9 * plain, 0.0))
    np.testing.assert_array_equal(found, expected)


@given(lists_and_sides())
def test_distinct_items_are_counted(arguments):
    lists, _ = arguments
    found, counts = _kernels.distinct(lists, N_IDS)
    every = np.arange(len(lists))
    expected = [Counter(items) for _, items, _ in lists.pairs((every, every))]
    assert found.ids.tolist() == [item for counter in expected for item in counter]
    assert found.lengths.tolist() == [len(counter) for counter in expected]
    assert counts.tolist() == [n for counter in expected for n in counter.values()]


@given(st.lists(st.lists(st.text("abä", max_size=5), max_size=3), max_size=4))
def test_ngrams_of_words_are_numbered_and_found(texts):
    words = [word for text in texts for word in text]
    characters = code_points("".join(words))
    offsets = np.cumsum([0, *map(len, words)])
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    lists, starts, lengths = _kernels.cut(characters, offsets, ends, (2, 3, 4))
    ngrams = ["".join(words)[i : i + n] for i, n in zip(starts, lengths, strict=True)]
    expected = [
        [
            word[i : i + n]
            for word in text
            for i in range(len(word))
            for n in (2, 3, 4)
            if i + n <= len(word)
        ]
        for text in texts
    ]
    names = [name for text in expected for name in text]
    assert ngrams == list(dict.fromkeys(names))
    assert [ngrams[i] for i in lists.ids] == names
    assert lists.lengths.tolist() == [len(text) for text in expected]
    known = ["ab", "bä", "aab", "abab"]
    numbers = _kernels.Terms.of("\n".join(known)).find(characters, starts, lengths)
    assert numbers.tolist() == [known.index(g) if g in known else -1 for g in ngrams]


@pytest.mark.parametrize("size", [1e-3, 1e3])
def test_products_of_many_rows_keep_their_direction(size):
    rows = np.array([[size, 2 * size], [-size, size]], dtype=np.float32)
    lists = Ragged(np.repeat([0, 1], [300, 301]), np.array([0, 300, 601]))
    sides = np.array([0, 0]), np.array([0, 1])
    # Of 300 products by 2 the second number outweighs the first; 301 products by -1 change a sign.
    cosines = _kernels.vector_cosines(lists, sides, rows)
    np.testing.assert_allclose(cosines, [[1.0, np.sqrt(0.5)]], rtol=1e-6)


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
    arguments += [np.ones((1, 2)), 2, np.zeros((4, 1, 1))]
    list_kernels.shared_weights(*arguments)
    for position, value in changes.items():
        arguments[position] = value
    with pytest.raises(ValueError, match=message):
        list_kernels.shared_weights(*arguments)


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
    list_kernels.find_terms(*arguments, numbers)
    assert numbers.tolist() == [0]
    for position, value in changes.items():
        arguments[position] = value
    with pytest.raises(ValueError, match=message):
        list_kernels.find_terms(*arguments, numbers)


def unmatched(lists, sides, **changes):
    """What describes the unmatched items of each pair, all of which are words."""
    arrays = {
        "kinds": np.full(len(lists.ids), 3, dtype=np.uint8),
        "weights": np.ones(len(lists.ids)),
        "are_swapped": np.zeros(len(sides[0]), dtype=bool),
        "least": 0.0,
        "numbers": np.empty((len(sides[0]), 30)),
    } | changes
    list_kernels.unmatched(lists.ids, lists.offsets, *sides, *arrays.values())
    return arrays["numbers"]


@given(lists_and_sides())
def test_unmatched_items_are_those_that_rapidfuzz_edits(arguments):
    lists, sides = arguments
    weights = 2.0 ** np.arange(len(lists.ids))  # sums tell which items were added
    found = unmatched(lists, sides, weights=weights)
    starts = lists.offsets.tolist()
    for p, left, right in lists.pairs(sides):
        sums = [0.0, 0.0]
        for tag, i, j in LCSseq.editops(left, right).as_list():
            side, k = (1, j) if tag == "insert" else (0, i)
            sums[side] += weights[starts[sides[side][p]] + k]
        assert found[p, [1, 16]].tolist() == [max(sums), min(sums)]


def test_fewer_kinds_weights_or_marks_are_refused():
    lists, sides = Ragged(np.arange(4), np.array([0, 2, 4])), (np.array([0]), np.array([1]))
    assert unmatched(lists, sides)[0, 0] == 1.0
    short = {"kinds": np.zeros(3, dtype=np.uint8), "weights": np.ones(3), "are_swapped": b""}
    for name, value in short.items():
        with pytest.raises(ValueError, match="fewer kinds, weights or marks"):
            unmatched(lists, sides, **{name: value})
    with pytest.raises(ValueError, match="an output is too small"):
        unmatched(lists, sides, numbers=np.empty(29))


@given(lists_and_sides())
def test_marked_items_that_the_right_side_lacks_are_found(arguments):
    lists, sides = arguments
    marks = lists.ids % 2 > 0
    found = _kernels.missing(lists, sides, marks, N_IDS)
    expected = [
        (p, place)
        for p, left, right in lists.pairs(sides)
        for place, item in enumerate(left)
        if item % 2 and item not in right
    ]
    assert [*zip(*map(np.ndarray.tolist, found), strict=True)] == expected
    if len(marks):
        with pytest.raises(ValueError, match="fewer marks than items"):
            _kernels.missing(lists, sides, marks[1:], N_IDS)


# A tree of one comparison, and one that is a leaf.
TREES = {
    "rows": np.array([[0.0, 1.0], [0.0, 2.0]]),
    "n_features": 2,
    "features": np.array([1, 0, 0, 0], dtype=np.int32),
    "thresholds": np.array([1.0, np.inf, np.inf, np.inf]),
    "left": np.array([2, 1, 2, 3], dtype=np.int32),
    "values": np.array([0.0, 10.0, 1.0, 2.0]),
    "n_trees": 2,
    "baseline": 0.5,
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"left": np.array([2, 0, 2, 3], dtype=np.int32)}, "inconsistent nodes"),
        ({"left": np.array([4, 1, 2, 3], dtype=np.int32)}, "inconsistent nodes"),
        ({"features": np.array([2, 0, 0, 0], dtype=np.int32)}, "inconsistent nodes"),
        ({"n_trees": 5}, "other numbers of features or nodes"),
        ({"values": np.ones(3)}, "other numbers of features or nodes"),
        ({"rows": np.ones((3, 2))}, "an output is too small"),
    ],
)
def test_wrong_trees_are_refused(changes, message):
    predictions = np.empty(2)
    list_kernels.trees(*TREES.values(), predictions)
    assert predictions.tolist() == [11.5, 12.5]
    with pytest.raises(ValueError, match=message):
        list_kernels.trees(*(TREES | changes).values(), predictions)


def test_fewer_cells_or_counts_than_items_are_refused():
    lists, sides = Ragged(np.arange(4), np.array([0, 2, 4])), (np.array([0]), np.array([1]))
    for n_cells, n_counts in ((3, 4), (4, 3)):
        with pytest.raises(ValueError, match="fewer cells or counts than items"):
            _kernels.best_of_cells(lists, sides, np.ones(n_cells), np.ones(n_counts), WEIGHTS)
    with pytest.raises(ValueError, match="cells"):
        _kernels.align_cells(lists, sides, np.ones(3), 3, 0.1)


def test_missing_memory_is_no_error_of_value():
    no_ids, one = np.array([], dtype=np.int64), np.array([0])
    arguments = no_ids, np.array([0, 0]), one, one, np.array([], dtype=np.float32)
    for n_dims, error in ((0, ValueError), (1 << 58, MemoryError)):
        with pytest.raises(error):
            list_kernels.vector_cosines(*arguments, n_dims, np.ones(1), 1, np.zeros(1))


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
