"""Columns that tell nothing about which rows are the same, such as row numbers."""

import warnings
from itertools import product

import numpy as np
import pytest

from skpara import Deduplicator, TableMatcher

FIRST = ["Ann", "Bob", "Carla", "Dieter", "Elena", "Farid", "Greta", "Hugo"]
LAST = ["Almeida", "Brunner", "Castellano", "Dimitrov", "Eriksen", "Fontaine"]
CITIES = ["Lisbon", "Vienna", "Naples", "Sofia", "Bergen", "Lyon", "Ghent"]


def persons(rng, n=40):
    """Return columns of different persons."""
    names = [f"{first} {last}" for first, last in product(FIRST, LAST)]
    return {
        "name": rng.permutation(names)[:n].tolist(),
        "city": rng.choice(CITIES, n).tolist(),
        "born": rng.integers(1930, 2010, n).astype(str).tolist(),
    }


def with_numbers(table, rng):
    """Add a column of numbers that mean nothing."""
    n = len(table["name"])
    return table | {"number": [f"{x:06}" for x in rng.choice(10**6, n, replace=False)]}


def misspelled(table):
    """Return the same persons with a slip in each name."""
    return table | {"name": [name[:3] + name[4:] for name in table["name"]]}


@pytest.fixture
def tables():
    """Return two tables of the same persons, with numbers of their own."""
    rng = np.random.default_rng(3)
    table = persons(rng)
    return with_numbers(misspelled(table), rng), with_numbers(table, rng)


def test_a_column_of_row_numbers_is_named_in_a_warning(tables):
    left, right = tables
    on = ["name", "number"]
    with pytest.warns(UserWarning, match="Column 'number'.* leave it out of on") as caught:
        found = TableMatcher().join(left, right, on=on, how="inner")
    assert len(caught) == 1  # not of the names
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        without = TableMatcher().join(left, right, on="name", how="inner")
    assert (without["query"] == without["candidate"]).all()
    assert len(without) > 2 * len(found)


def test_columns_that_tell_something_cause_no_warning(tables):
    left, right = tables
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        joined = TableMatcher().join(left, right, on=["name", "city", "born"], how="inner")
    assert len(joined) == 40


def test_a_few_rows_show_nothing(tables):
    left, right = tables
    few = {name: column[:10] for name, column in left.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TableMatcher().join(few, right, on=["name", "number"])


def test_no_warning_once_people_have_answered(tables):
    left, right = tables
    matcher = TableMatcher().fit(right, on=["name", "number"])
    with pytest.warns(UserWarning, match="Column 'number'"):
        matcher.match(left)
    asked = matcher.review(20)
    matcher.judge(asked, (asked["query"] == asked["candidate"]).tolist())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        matcher.match(left)


def test_a_deduplicator_warns_of_it_too(tables):
    table = {
        name: a + b for (name, a), b in zip(tables[0].items(), tables[1].values(), strict=True)
    }
    with pytest.warns(UserWarning, match="Column 'number'.* have a duplicate") as caught:
        Deduplicator().fit(table, on=["name", "city", "number"])
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = Deduplicator().fit(table, on=["name", "city", "born"])
    assert 40 <= len(found.kept_) <= 41
