"""Matching of Parquet files, compared with a TableMatcher that has all rows in memory."""

from __future__ import annotations

import numpy as np
import pytest

from skpara import TableMatcher
from skpara.matching import Counts, Numbers, TextIndex, _products, _strategies
from skpara.scale import _match, _match_tasks, match

pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

FIRST = "red old big blue garden city iron royal north silver smart wooden small electric".split()
SECOND = "bicycle chair museum bridge station hotel lamp table kettle school castle river".split()
THIRD = "london paris rome 12 1900 ii xl mk4 wales north club company ltd berlin of the".split()


def names_of(n, rng):
    """Names of three to six words, some of them several times, with or without capital letters."""
    found = []
    for _ in range(n):
        words = [*rng.choice(FIRST, 2), rng.choice(SECOND), *rng.choice(THIRD, rng.integers(4))]
        name = " ".join(map(str, words))
        found.append(name.title() if rng.random() < 0.5 else name)
    return found


def mistyped(name, rng):
    place = int(rng.integers(len(name)))
    return name[:place] + name[place + 1 :]


@pytest.fixture(autouse=True)
def _no_vectors_propose(monkeypatch):
    """As among more names than a test has."""
    monkeypatch.setattr(_strategies, "MANY_ROWS", 100)


@pytest.fixture
def tables(tmp_path):
    rng = np.random.default_rng(0)
    names = [*names_of(500, rng), None, "Café au lait", "Cafe au lait", "", "???", "N/A"]
    sought = [mistyped(name, rng) for name in rng.choice(names[:500], 150)]
    sought = list(dict.fromkeys([*sought, *names_of(60, rng), "cafe au lait", "", "!!!", " N/A"]))
    reference = pa.table({"name": names, "row": np.arange(len(names))})
    pq.write_table(reference, tmp_path / "r.parquet")
    queries = pa.table({"sought": sought, "n": np.arange(len(sought))})
    pq.write_table(queries, tmp_path / "q.parquet")
    return sought, names, tmp_path


def matched(folder, out="out", **parameters):
    columns = {"left_on": "sought", "right_on": "name"}
    return match(folder / "q.parquet", folder / "r.parquet", folder / out, **columns | parameters)


def triples(found):
    table = pq.read_table(found.matches)
    return list(zip(*(table[x].to_pylist() for x in table.column_names), strict=True))


@pytest.mark.parametrize(
    "parameters", [{}, {"precision": 0.9, "guard": False}, {"threshold": 0.8, "n_candidates": 4}]
)
def test_matches_are_those_of_a_matcher(tables, parameters):
    sought, names, folder = tables
    found = matched(folder, matcher=TableMatcher(**parameters))
    matcher = TableMatcher(**parameters).fit(names)
    expected = matcher.match(sought)[:]
    assert triples(found) == expected.tolist()
    assert found[:3] == (len(sought), len(names), len(expected))
    assert 100 < len(expected) < len(sought)
    joined = pq.read_table(found.joined)
    assert joined.column_names == ["sought", "n", "name", "row", "probability"]
    assert joined["sought"].to_pylist() == sought
    rows = dict(zip(expected["query"].tolist(), expected["candidate"].tolist(), strict=True))
    assert joined["row"].to_pylist() == [rows.get(row) for row in range(len(sought))]


@pytest.mark.parametrize("all_read", [2**18, 2000])
def test_parts_of_names_propose_the_most_similar_of_all(tables, all_read, monkeypatch):
    """Of candidates that are as similar as the last one, others may be among them."""
    sought, names, _ = tables
    names = list(dict.fromkeys(filter(None, names)))
    index, counts = TextIndex(names), Counts.of(names)
    both = (counts.ngrams, counts.with_ngram), (counts.words, counts.with_word)
    empty = TextIndex.of_numbers(Numbers(*both[0], *both[1], len(names)))
    assert (empty.ngrams.words, list(empty.words)) == (index.ngrams.words, list(index.words))
    for mine, expected in zip(empty.idfs, index.idfs, strict=True):
        np.testing.assert_array_equal(mine, expected)
    # Frequent n-grams of all names are not read, however rare they are in a part.
    monkeypatch.setattr(_products, "_ALL_READ", all_read)
    monkeypatch.setattr(_products, "_MOST_READ", all_read // 4)
    whole = index.proposed(index.prepare(sought), 5)
    parts = [
        (start, empty.of_texts(names[start : start + 200])) for start in range(0, len(names), 200)
    ]
    for way in (0, 1):
        best: dict[int, list[float]] = {}
        for _, part in parts:
            rows, _, products = part.proposed(part.prepare(sought), 5)[way]
            for row, product in zip(rows.tolist(), products.tolist(), strict=True):
                best.setdefault(row, []).append(product)
        found = [(row, x) for row in sorted(best) for x in sorted(best[row])[::-1][:5]]
        rows, _, products = whole[way]
        order = np.lexsort((-products, rows))
        assert [row for row, _ in found] == rows[order].tolist()
        mine = np.array([x for _, x in found])
        assert (mine >= products[order]).all()  # parts have more candidates to rank
        assert (mine == products[order]).mean() > (0.99 if all_read == 2000 else 1 - 1e-9)


def test_names_in_parts_and_queries_in_several_calls(tables, monkeypatch):
    sought, _, folder = tables
    whole = triples(matched(folder))
    monkeypatch.setattr(_match, "_QUERIES_PER_CALL", 150)
    monkeypatch.setattr(_match, "_BYTES_PER_NAME", 1e12)
    # DuckDB writes at least 2,048 rows at a time.
    rng = np.random.default_rng(1)
    table = pq.read_table(folder / "r.parquet")
    more = pa.table({"name": [f"{x} {rng.integers(10**9)}" for x in names_of(1500, rng)]})
    both = pa.concat_tables([table, more], promote_options="default")
    pq.write_table(both, folder / "r.parquet")
    monkeypatch.setattr(_match, "_NAMES_PER_TASK", 2048)
    calls = []
    decide = _match_tasks.decided
    monkeypatch.setattr(_match_tasks, "decided", lambda *x: calls.append(x[3]) or decide(*x))
    found = triples(matched(folder, "more"))
    distinct = set(sought) - {" N/A"}  # which is read as ""
    assert len(calls) == -(-len(distinct) // 150)
    assert sorted(text for texts in calls for text in texts) == sorted(distinct)
    # Probabilities depend on the context; the best candidate rarely does.
    right = dict((query, candidate) for query, candidate, _ in whole)
    same = [right[query] == candidate for query, candidate, _ in found if query in right]
    assert len(same) > 0.9 * len(whole)
    assert np.mean(same) > 0.95


def test_what_is_done_is_not_done_again(tables, monkeypatch):
    _, _, folder = tables
    with monkeypatch.context() as patch:
        patch.setattr(_match_tasks, "decided", None)
        with pytest.raises(TypeError):
            matched(folder)
    with monkeypatch.context() as patch:
        patch.setattr(_match_tasks.TextIndex, "proposed", None)  # would raise
        found = matched(folder)
        assert matched(folder) == found
    assert triples(found) == triples(matched(folder, "new"))
    assert not (folder / "out" / "unfinished").exists()
    with pytest.raises(ValueError, match="a call with other rules"):
        matched(folder, matcher=TableMatcher(threshold=0.9))


def test_equal_queries_have_the_same_match(tmp_path):
    pq.write_table(pa.table({"x": ["red lamp", None, "Red lamp", "red lamp"]}), tmp_path / "q")
    pq.write_table(pa.table({"x": ["blue chair", "red lamp", "red lamp"]}), tmp_path / "r")
    found = match(tmp_path / "q", tmp_path / "r", tmp_path / "out", on="x")
    assert [row[:2] for row in triples(found)] == [(0, 1), (2, 1), (3, 1)]
    joined = pq.read_table(found.joined)
    assert joined.column_names == ["x", "x_match", "probability"]
    assert joined["x_match"].to_pylist() == ["red lamp", None, "red lamp", "red lamp"]


def test_bad_input_raises_an_error(tables):
    _, _, folder = tables
    with pytest.raises(ValueError, match="top_k=3 needs all candidates in memory"):
        matched(folder, matcher=TableMatcher(top_k=3))
    with pytest.raises(ValueError, match="Pass on, or left_on and right_on"):
        matched(folder, on="name")
    with pytest.raises(ValueError, match="one column of names"):
        matched(folder, on={"name": "date"}, left_on=None, right_on=None)
    assert not (folder / "out").exists()
    sentences = ["It is raining in the city.", "We have seen them.", "She sold her house."]
    pq.write_table(pa.table({"name": sentences}), folder / "r.parquet")
    with pytest.raises(ValueError, match=r"'name' seems to be of sentences, .*TableMatcher"):
        matched(folder)
