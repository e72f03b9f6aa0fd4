"""Numbers that describe pairs of records."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

from skpara.matching import Column
from skpara.matching._comparison import (
    RECORD_FEATURES,
    code_weights,
    compared_numbers,
    compared_sets,
    compared_texts,
    most_telling,
    ranks,
    rivals,
)
from skpara.matching._records import Records, merged_columns

PEOPLE = [
    ["Anna Berg", "Carl Berg", "Dana Cole", "Anna Berg", "Finn Dahl", "Gina Ek"],
    ["Lund", "Lund", "York", "York", "Oslo", ""],
    ["1980-01-02", "1983-05-06", "1990-07-08", "1975-03-04", "", "1969-12-31"],
]
KINDS = ["names", "names", "date"]


def test_sets_are_compared_from_both_sides():
    weights = {"a1": 2.0, "b2": 1.0, "c3": 1.0}
    left = [{"a1", "b2"}, {"a1"}, set(), {"abcd1"}]
    right = [{"a1", "c3"}, {"b2"}, {"b2"}, {"xabcd1"}]
    found = compared_sets(left, right, weights)
    # found, contained, both, contradict, partly
    assert found.tolist() == [
        [2 / 3, 2 / 3, 1, 0, 0],
        [0, 0, 1, 1, 0],
        [0.5, 0, 0, 0, 0],
        [0, 0, 1, 0, 1],
    ]


def test_codes_and_quantities_of_texts():
    whole = ["camera DSC-W120 8 GB", "camera DSC-W130 8 GB"]
    found = compared_texts(["Sony DSCW120 8GB"], whole[:1], code_weights(whole))
    others = compared_texts(["Sony DSCW120 16GB"], whole[1:], code_weights(whole))
    assert found[0, 3] == 0  # codes contradict
    assert others[0, 3] == 1
    assert found[0, 5:].tolist() == [1, 0]  # quantities equal, differ
    assert others[0, 5:].tolist() == [0, 1]


def test_numbers_of_texts():
    assert compared_numbers(["4th Grammy 1990"], ["4th Grammy 1991"])[0].tolist() == [
        0.5, 0.5, 1, 0, 0,
    ]  # fmt: skip


def test_ratios_of_numbers_are_logarithms():
    records = Records([["a", "b", "c"], ["$20", "5", "0.1"]], ["names", "number"], "default")
    cells = [["a", "b"], ["$10", "x"]]
    rows, columns = np.array([0, 0, 0, 1]), np.array([0, 1, 2, 0])
    found, _ = records.strategy.described(records.strategy.prepare(cells), rows, columns)
    ratios = found[:, RECORD_FEATURES.index("ratio of numbers")]
    assert ratios[:2].tolist() == pytest.approx([np.log(2), np.log(2)])
    assert ratios[2] == 3  # larger ones tell no more
    assert found[:, RECORD_FEATURES.index("no numbers")].tolist() == [0, 0, 0, 1]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=30))
def test_ranks_are_those_of_scipy_within_each_row(pairs):
    rows = np.array(sorted(row for row, _ in pairs), dtype=np.int64)
    values = np.array([value for _, value in pairs], dtype=np.float64)
    found = ranks(values, rows)
    for row in set(rows.tolist()):
        expected = rankdata(-values[rows == row], method="min") - 1
        assert found[rows == row].tolist() == expected.tolist()


@given(arrays(bool, (12, 3)), arrays(np.int64, 12, elements=st.integers(0, 3)))
def test_rivals_agree_where_the_candidate_does(agrees, rows):
    rows = np.sort(rows)
    expected = [
        sum(
            bool((agrees[j] | ~agrees[i]).all())
            for j in range(12)
            if j != i and rows[j] == rows[i]
        )
        for i in range(12)
    ]
    assert rivals(agrees, rows).tolist() == expected


def test_columns_of_which_one_is_always_empty_are_one():
    titles = ["Up"] * 10 + [""] * 10
    persons = [""] * 10 + ["Ann Lee"] * 10
    years = ["1999"] * 20
    kinds = ["names", "names", "number"]
    assert merged_columns([titles, persons, years], kinds) == [[0, 1], [2]]
    assert merged_columns([titles, titles, years], kinds) == [[0], [1], [2]]
    assert merged_columns([titles, [""] * 20], kinds[:2]) == [[0], [1]]


def test_features_do_not_depend_on_other_queries():
    records = Records(PEOPLE, KINDS, "default")
    queries = [["Ana Berg", "Finn Dahl", "Someone Else"], ["Lund", "Oslo", "Rome"], [""] * 3]
    rows = np.repeat(np.arange(3), 6)
    columns = np.tile(np.arange(6), 3)
    strategy = records.strategy
    together, _ = strategy.described(strategy.prepare(queries), rows, columns)
    assert together.shape == (18, len(RECORD_FEATURES))
    assert np.isfinite(together).all()
    for row in range(3):
        one = strategy.prepare([[column[row]] for column in queries])
        alone, _ = strategy.described(one, np.zeros(6, dtype=np.int64), np.arange(6))
        np.testing.assert_allclose(alone, together[rows == row], rtol=1e-12)


def test_a_record_is_not_its_own_neighbour():
    records = Records(PEOPLE, KINDS, "default")
    closer = RECORD_FEATURES.index("closer than neighbours")
    cells = [[column[0]] for column in PEOPLE]
    one, first = np.zeros(1, dtype=np.int64), np.array([1])
    fields = records.fields(cells)
    bag = records.index.prepare(records.joined(cells))
    compare = records.strategy.comparison.compare
    # Anna Berg is the nearest record of Carl Berg: as a query, she is as close as it is.
    as_query, _ = compare(bag, fields, records.joined(cells), one, first)
    as_record, _ = compare(bag, fields, records.joined(cells), one, first, own=one)
    assert as_query[0, closer] == pytest.approx(0, abs=1e-6)
    assert as_record[0, closer] > as_query[0, closer]


@pytest.mark.parametrize(
    ("columns", "key"),
    [
        # The column with the most different cells that are filled, the first of equals,
        ({"a": ["x y"] * 4, "b": ["k l", "m n", "o p", "q r"]}, 1),
        ({"a": ["k l", "m n", "o p", ""], "b": ["k l", "m n", "o p", "q r"]}, 1),
        ({"a": ["k l", "m n", "o p", "q r"], "b": ["s t", "u v", "w x", "y z"]}, 0),
        # but rather a name than a long text, a single word, or a code.
        ({"a": ["w " * 20 + n for n in "abcd"], "b": ["k l", "m n", "o p", "o p"]}, 1),
        ({"a": ["w " * 19 + n for n in "abcd"], "b": ["k l", "m n", "o p", "o p"]}, 0),
        ({"a": ["k", "l", "m", "n"], "b": ["k l", "m n", "o p", "q r"]}, 1),
        ({"a": ["k", "l", "m", "n"], "b": ["k l", "m n", "o p", "o p"]}, 0),
        ({"code": ["k l", "m n", "o p", "q r"], "b": ["k l"] * 4}, 1),
    ],
)
def test_the_most_telling_column(columns, key):
    made = [
        Column("code" if name == "code" else "names", cells, "default")
        for name, cells in columns.items()
    ]
    filled = [np.mean([bool(cell) for cell in cells]) for cells in columns.values()]
    assert most_telling(made, filled) == key
