"""Columns that number the rows of each table by themselves are left out."""

from __future__ import annotations

import uuid

import numpy as np
import pytest

from skpara import Deduplicator, TableMatcher
from skpara.matching import Column
from skpara.matching._unrelated import numbering_columns, unrelated_columns
from tests.matching.test_decoys import people

rng = np.random.default_rng(3)


def numbers(n, way):
    if way == "row numbers":
        return [str(number) for number in range(n)]
    if way == "uuids":
        return [str(uuid.UUID(bytes=rng.bytes(16))) for _ in range(n)]
    return [f"{rng.choice(['AB', 'XY'])}-{number:05d}" for number in rng.permutation(99_999)[:n]]


def matched(reference, queries):
    matcher = TableMatcher().fit(reference, on=list(reference))
    return matcher.match(queries, on=list(queries))


@pytest.mark.parametrize("way", ["row numbers", "uuids", "codes"])
def test_a_column_that_numbers_the_rows_costs_no_match(way):
    reference, queries, _ = people(120, 1)
    expected = matched(reference, queries)
    with_numbers = matched(
        reference | {"number": numbers(120, way)}, queries | {"number": numbers(120, way)}
    )
    for name in ("query", "candidate"):
        np.testing.assert_array_equal(with_numbers[name], expected[name])
    np.testing.assert_allclose(with_numbers["probability"], expected["probability"])


def test_a_number_that_names_things_is_compared():
    reference, queries, order = people(120, 1)
    number = numbers(120, "codes")
    reference |= {"number": number}
    queries |= {"number": [number[i] for i in order]}
    queries["name"] = [name[:4] for name in queries["name"]]
    found = matched(reference, queries)
    assert len(found) >= 115
    assert (order[found["query"]] == found["candidate"]).all()


def test_a_small_call_leaves_out_what_a_large_one_did():
    reference, queries, order = people(120, 1)
    reference |= {"number": numbers(120, "row numbers")}
    queries |= {"number": numbers(120, "row numbers")}
    matcher = TableMatcher().fit(reference, on=list(reference))
    matcher.match(queries, on=list(queries))
    some = {name: cells[:4] for name, cells in queries.items()}
    assert matcher.match(some, on=list(some))["candidate"].tolist() == order[:4].tolist()


def test_two_columns_of_which_one_is_left_out_are_names():
    reference, _, _ = people(60, 1)
    both = {"name": reference["name"], "number": numbers(60, "row numbers")}
    mine = {"name": reference["name"][::-1], "number": numbers(60, "row numbers")}
    found = matched(both, mine)
    assert (
        np.array(both["name"])[found["candidate"]] == np.array(mine["name"])[found["query"]]
    ).all()
    assert len(found) == 60


@pytest.mark.parametrize("way", ["row numbers", "uuids"])
def test_row_numbers_hide_no_duplicates(way):
    table, _, _ = people(60, 1)
    table = {name: [*cells, *map(str.upper, cells[:20])] for name, cells in table.items()}
    expected = Deduplicator().fit(table, on=list(table))
    found = Deduplicator().fit(table | {"id": numbers(80, way)}, on=[*table, "id"])
    assert len(expected.kept_) == 60
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    assert list(found.kinds_) == list(table)


def test_numbers_that_alone_tell_things_apart_are_compared():
    table = {"series": ["The Long Road"] * 40, "episode": [str(k) for k in range(1, 41)]}
    assert len(Deduplicator().fit(table, on=list(table)).kept_) == 40


@pytest.mark.parametrize(
    ("cells", "is_numbering"),
    [
        ([*range(1, 16)], True),
        ([*range(1, 15)], False),
        ([*range(14), 29], True),
        ([*range(14), 30], False),
        ([*range(14), 13], False),
        ([*range(14), "x"], False),
        ([*range(14), "-1"], False),
        ([*range(10**6, 10**6 + 15)], True),
        ([uuid.UUID(int=k) for k in range(15)], True),
        ([uuid.UUID(int=k).hex for k in range(15)], True),
        ([*(uuid.UUID(int=k) for k in range(14)), "x"], False),
        ([*(uuid.UUID(int=k) for k in range(14)), ""], False),
    ],
)
def test_rows_are_numbered_nearly_without_gaps(cells, is_numbering):
    names = [f"name {k}" for k in range(len(cells))]
    assert numbering_columns([names, list(map(str, cells))]) == [1] * is_numbering
    assert numbering_columns([list(map(str, cells))]) == []


@pytest.mark.parametrize(("n_names", "found"), [(8, [1]), (7, [])])
def test_half_of_the_rows_differ_without_their_numbers(n_names, found):
    names = [f"name {k % n_names}" for k in range(15)]
    assert numbering_columns([names, list(map(str, range(15)))]) == found


@pytest.mark.parametrize(
    ("n_rows", "n_different", "n_same", "found"),
    [
        (40, 40, 0, [1]),
        (40, 40, 1, []),
        (40, 40, 4, []),
        (40, 40, 5, [1]),
        (15, 15, 0, [1]),
        (14, 14, 0, []),
        (20, 18, 0, [1]),
        (20, 17, 0, []),
    ],
)
def test_five_rows_with_the_same_number_show_that_it_names_nothing(
    n_rows, n_different, n_same, found
):
    reference, queries, _ = people(40, 1)
    codes = [f"AB-{k:05d}" for k in range(100)]
    columns = [
        Column("names", reference["name"], "default"),
        Column("code", codes[:40], "default"),
    ]
    mine = [*codes[:n_same], *codes[60 + n_same :]]
    mine = [mine[k % n_different] for k in range(n_rows)]
    assert unrelated_columns(columns, [queries["name"][:n_rows], mine]) == found
    assert unrelated_columns(columns[1:], [mine]) == []
