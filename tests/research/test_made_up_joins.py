"""Made-up tables of two institutions: the truth holds, and writers keep what tells."""

from __future__ import annotations

import datetime

import numpy as np
import pytest


@pytest.fixture
def tables(load):
    return load("made_up_joins")


def test_a_table_depends_on_kind_share_and_seed_alone(tables):
    first = tables.two_tables("hotels", 0.5, 3)
    assert first == tables.two_tables("hotels", 0.5, 3)
    assert first != tables.two_tables("hotels", 0.5, 4)
    kind, share, table = next(tables.made_up_joins(3))
    assert table == tables.two_tables(kind, share, 3)


def test_matches_are_rows_and_as_many_as_the_share_says(tables):
    for kind in tables.KINDS:
        for share in (1.0, 0.1, 0.0):
            left, right, matches = tables.two_tables(kind, share, 1)[1:4]
            assert all(i < len(left) and j < len(right) for i, j in matches)
            assert len({i for i, _ in matches}) == len({j for _, j in matches}) == len(matches)
            # Rows that errors have made equal to another one are left out.
            assert share * len(left) * 0.95 - 1 <= len(matches) <= share * len(left) * 1.05 + 1


def test_one_table_has_pairs_in_order(tables):
    for kind in tables.KINDS:
        table = tables.single_table(kind, 0.4, 1)
        assert table.one_table
        assert table.left is table.right
        assert all(0 <= i < j < len(table.left) for i, j in table.matches)
        assert len(table.matches) > 0.2 * len(table.left)
        assert not tables.single_table(kind, 0.0, 1).matches


def test_rows_have_the_same_columns_and_differ_unless_they_match(tables):
    for kind in tables.KINDS:
        table = tables.two_tables(kind, 0.25, 2)
        columns = list(table.left[0])
        assert 3 <= len(columns) <= tables.MOST_COLUMNS + 1
        rows = {}
        for j, row in enumerate(table.right):
            assert list(row) == columns
            assert all(isinstance(cell, str) for cell in row.values())
            rows[tuple(row.values())] = j
        for i, row in enumerate(table.left):
            assert list(row) == columns
            equal = rows.get(tuple(row.values()))
            assert equal is None or (i, equal) in table.matches


def test_writers_say_the_same_in_other_ways(load):
    writers = load("made_up_writers")
    draw = load("made_up_names").Draw(np.random.default_rng(0))
    day = datetime.date(1999, 5, 3)
    assert {"1999-05-03", "03.05.1999", "May 3, 1999"} <= {w(draw, day) for w in writers.DATES}
    assert {"95", "1:35", "1 h 35 min"} <= {w(draw, 95) for w in writers.MINUTES}
    assert {"100 m²", "1,076 sq. ft."} <= {w(draw, 100) for w in writers.SQUARE_METRES}
    assert writers.without_zeros(draw, "00170") == "170"
    assert writers.century(draw, 1890) == "late 19th century"
    names = {writers.latin("Щербаков", scheme) for scheme in range(len(writers.SCHEMES))}
    assert {"Shcherbakov", "Schtscherbakow", "Chtcherbakov"} <= names


def test_an_error_leaves_short_words_and_numbers_alone(load):
    writers = load("made_up_writers")
    draw = load("made_up_names").Draw(np.random.default_rng(0))
    for _ in range(50):
        text = writers.with_slip(draw, "Flat 12 B III Lavender")
        assert text.startswith("Flat 12 B III L")
        assert text != "Flat 12 B III Lavender" or "Lavender" in text
