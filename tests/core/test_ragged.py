from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from skpara._core import Ragged, distinct, offsets_of, ranges

LISTS = st.lists(st.lists(st.integers(0, 4), max_size=6), max_size=6)
LONG = [[3, 1, 3], [], [1, 1, 3]] * 700  # more lists than are sorted at a time
NUMBERS = np.array([7, 0, 9, 8, 5])


def ragged(lists, dtype=np.int64):
    items = np.array([i for items in lists for i in items], dtype=dtype)
    return Ragged(items, np.cumsum([0, *map(len, lists)]))


def plain(lists):
    assert lists.offsets[0] == 0
    assert lists.offsets[-1] == len(lists.ids)
    return [part.tolist() for part in np.split(lists.ids, lists.offsets[1:])[: len(lists)]]


@given(LISTS)
def test_distinct_numbers_are_in_order(lists):
    np.testing.assert_array_equal(distinct(ragged(lists).ids), np.unique(ragged(lists).ids))


@given(LISTS)
def test_lengths_owners_and_positions(lists):
    found = ragged(lists)
    assert len(found) == len(lists)
    assert found.lengths.tolist() == [len(items) for items in lists]
    assert found.owners.tolist() == [k for k, items in enumerate(lists) for _ in items]
    assert found.positions.tolist() == [i for items in lists for i in range(len(items))]
    assert plain(found.with_ids(found.ids + 1)) == [[i + 1 for i in items] for items in lists]
    weights = np.array([1.0, 10, 100, 1000, 10_000])
    assert found.sums(weights).tolist() == [sum(weights[items]) for items in lists]


@given(LISTS, st.lists(st.booleans(), min_size=36, max_size=36), st.sets(st.integers(0, 4)))
def test_where_and_only_keep_what_a_mask_marks(lists, keep, wanted):
    found = ragged(lists)
    keep = np.array(keep[: len(found.ids)], dtype=bool)
    left = iter(keep)
    expected = [[i for i in items if next(left)] for items in lists]
    assert plain(found.where(keep)) == expected
    renumbered = [[NUMBERS[i] for i in items] for items in expected]
    assert plain(found.where(keep, NUMBERS)) == renumbered
    mask = np.isin(np.arange(5), [*wanted])
    assert plain(found.only(mask)) == [[i for i in items if i in wanted] for items in lists]


@given(LISTS, st.integers(0, 7), st.sampled_from([np.int32, np.int64]))
@example(LONG, 2, np.int32)
def test_head_and_distinct_keep_the_first_ids(lists, most, dtype):
    found = ragged(lists, dtype)
    assert plain(found.head(most)) == [items[:most] for items in lists]
    assert plain(found.head(None)) == lists
    assert plain(found.distinct()) == [list(dict.fromkeys(items)) for items in lists]
    assert found.distinct().ids.dtype == dtype


@given(LISTS.filter(bool), LISTS, st.data())
def test_take_places_pairs_and_append(lists, others, data):
    rows = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=10))
    found, rows = ragged(lists), np.array(rows, dtype=np.int64)
    assert plain(found.take(rows)) == [lists[k] for k in rows]
    np.testing.assert_array_equal(found.ids[found.places(rows)], found.take(rows).ids)
    assert plain(found.append(ragged(others))) == lists + others
    assert plain(found.between(1, len(lists))) == lists[1:]
    assert plain(found.between(0, len(lists) - 1)) == lists[:-1]
    expected = [
        (p, lists[a], lists[b]) for p, (a, b) in enumerate(zip(rows, rows[::-1], strict=True))
    ]
    assert list(found.pairs((rows, rows[::-1]))) == expected


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=4), max_size=4))
def test_items_are_numbered_in_order_of_appearance(lists):
    names, found = Ragged.of(lists)
    assert names == list(dict.fromkeys(item for items in lists for item in items))
    assert [[names[i] for i in items] for items in plain(found)] == lists


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 4)), max_size=6))
def test_ranges_are_concatenated(spans):
    starts, lengths = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    expected = [i for start, length in spans for i in range(start, start + length)]
    assert ranges(starts, lengths).tolist() == expected


def test_offsets_of_any_kind_of_lengths():
    for lengths in ([2, 0, 3], np.array([2, 0, 3], dtype=np.uint8), np.array([2, 0, 3], np.int32)):
        assert offsets_of(lengths).tolist() == [0, 2, 2, 5]
        assert offsets_of(lengths).dtype == np.int64
    assert offsets_of([True, False]).tolist() == [0, 1, 1]
    assert offsets_of([]).tolist() == [0]
    assert offsets_of(np.full(300, 255, dtype=np.uint8))[-1] == 300 * 255
