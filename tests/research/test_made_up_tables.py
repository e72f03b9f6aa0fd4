"""Made-up tables: the truth holds, and different things can be told apart."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from skpara import Deduplicator


@pytest.fixture
def tables(load):
    return load("made_up_tables")


def test_same_seed_same_tables_whatever_the_other_sizes(tables):
    first = list(tables.made_up_tables(3, sizes=(12,)))
    again = list(tables.made_up_tables(3, sizes=(12, 13)))
    assert first == again[: len(first)]
    assert first[0] != next(tables.made_up_tables(4, sizes=(12,)))
    assert len({table.kind for table in first}) >= 14


def test_rows_have_the_same_columns_and_some_text(tables):
    for table in tables.made_up_tables(0, sizes=(12, 30)):
        assert len({tuple(row) for row in [*table.left, *table.right]}) == 1
        for row in [*table.left, *table.right]:
            assert all(isinstance(cell, str) for cell in row.values())
            assert any(row.values())


def test_matches_are_rows_and_as_many_as_the_variant_says(tables):
    for kind in tables.KINDS:
        for variant in tables.VARIANTS:
            table = tables.make_table(kind, 30, variant, 0)
            assert len(table.right) == 30
            assert table.one_table == variant.one_table
            if table.one_table:
                assert table.left is table.right
                assert all(0 <= i < j < 30 for i, j in table.matches)
                assert len(table.matches) >= round(variant.share * 30)
                assert bool(table.matches) == bool(variant.share)
            else:
                n_known = Counter(i for i, _ in table.matches)
                assert all(0 <= i < len(table.left) and 0 <= j < 30 for i, j in table.matches)
                assert len(n_known) == round(variant.share * len(table.left))
                assert max(n_known.values(), default=1) == 1


def test_rows_that_are_no_match_differ_by_letters_or_digits(tables):
    for table in tables.made_up_tables(1, sizes=(12, 120)):
        places: dict[tuple[str, ...], list[int]] = {}
        for j, row in enumerate(table.right):
            places.setdefault(tables.text_of(row), []).append(j)
        for i, row in enumerate(table.left):
            for j in places.get(tables.text_of(row), []):
                if not (table.one_table and i == j):
                    pair = (min(i, j), max(i, j)) if table.one_table else (i, j)
                    assert pair in table.matches, (table.kind, row, table.right[j])


def test_similar_things_are_told_apart_by_a_column_that_is_filled(tables):
    kind = tables.KINDS["families"]
    names = tables.Names(np.random.default_rng(0))
    member = kind.make(names)
    twin = member | {"first": "Odo"}
    things = [tables.Thing(member, 0), tables.Thing(twin, 0)]
    rows = [tables.Row(0, {"first", "born", "city"}), tables.Row(1, set())]
    care = tables.take_care(kind, things, ["first", "last", "born"], rows, names)
    assert care == [{"first"}, {"first"}]
    assert rows[0].empty == {"born", "city"}


def test_care_keeps_what_tells(load):
    errors, names = load("made_up_errors"), load("made_up_names")
    draw = names.Draw(np.random.default_rng(0))
    for _ in range(100):
        hand = errors.Hand(draw, errors.draw_style(draw, "heavy"))
        assert digits(hand.code("DX-4500/2", True)) == "45002"
        assert digits(hand.phone("4045550123", True)).endswith("4045550123")
        assert digits(hand.amount("12.90", True)) == "1290"
        assert {"12", "80"} <= set(re.findall("..", digits(hand.date("1980-03-12", True))))
        title = hand.parts("Sonara|DX-45|kettle|500 ml|red", True).lower()
        assert all(word in title for word in ("45", "red"))


def digits(text):
    return re.sub(r"\D", "", text)


def check_order(table, on, rng, **options):
    """Rows and columns in another order have the same pairs, scores and clusters."""
    expected = Deduplicator(**options).fit(table, on=on)
    order = rng.permutation(len(table))
    again = table.iloc[order].reset_index(drop=True)
    found = Deduplicator(**options).fit(again, on=rng.permutation(on).tolist())
    clusters = [
        {tuple(sorted(rows[labels == label].tolist())) for label in np.unique(labels)}
        for labels, rows in ((expected.labels_, np.arange(len(table))), (found.labels_, order))
    ]
    assert clusters[0] == clusters[1]
    # Of equal rows, another one may be the one that is compared.
    np.testing.assert_allclose(np.sort(found.scores_), np.sort(expected.scores_), rtol=1e-9)
    return expected


@pytest.mark.filterwarnings("ignore:Column")
@pytest.mark.parametrize("kind", ["persons", "companies", "books", "products", "families"])
def test_no_order_of_rows_or_columns_changes_clusters(tables, kind):
    rng, merged = np.random.default_rng(0), 0
    for variant in tables.VARIANTS[-2:]:
        table = pd.DataFrame(tables.make_table(kind, 60, variant, 5).right)
        on = list(table)
        for options in ({"threshold": 0.4}, {"threshold": 0.2, "linkage": "complete"}):
            found = check_order(table, on, rng, **options)
            merged += len(table) - len(found.kept_)
    assert merged


@pytest.mark.filterwarnings("ignore:Column")
def test_no_order_changes_clusters_of_restaurants_and_sentences(data_home, sample):
    rng = np.random.default_rng(0)
    folder = data_home / "records" / "restaurants"
    fodors, zagats = (pd.read_csv(folder / f"{name}.csv") for name in ("fodors", "zagats"))
    restaurants = pd.concat([fodors[:120], zagats[-120:]], ignore_index=True)
    for names in (["name", "addr", "city", "phone"], ["name"]):
        found = check_order(restaurants, names, rng, threshold=0.5)
        assert len(found.kept_) < len(restaurants)
    texts = pd.DataFrame({"text": sample.data[:200].ravel()})
    for threshold in (0.7, 0.9):
        check_order(texts, ["text"], rng, kind="sentences", threshold=threshold)
