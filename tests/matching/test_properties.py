"""Properties that no table may break: of order, copies and thresholds."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from repeated_names import with_copies
from repeated_rows import rows_of

from skpara import Deduplicator, TableMatcher

pytestmark = pytest.mark.filterwarnings("ignore:.*likely duplicate.*")
KINDS = ("sentences", "persons", "addresses", "records", "codes")
THRESHOLDS = (0.9, 0.93, 0.97, 1.0)


@cache
def table(kind, seed=0):
    rng = np.random.default_rng(seed)
    if kind == "sentences":
        # The same words in other orders have the same cosine: ties have the order of rows.
        texts = [text for text in rows_of(seed, 40) if "lazy" not in text]
        return pd.DataFrame({"text": texts})
    if kind == "codes":
        codes = [
            f"{a}{b}-{n}"
            for a, b, n in zip("ABCDEFGH" * 6, "KLMN" * 12, range(4101, 4149), strict=True)
        ]
        codes += [code.replace("-", " ").lower() for code in codes[::4]]
        return pd.DataFrame({"code": rng.permutation(codes)})
    names, numbers = with_copies("persons" if kind == "records" else kind, 50, 16, seed)
    frame = pd.DataFrame({"name": names})
    if kind == "records":
        frame["town"] = [f"{'ABCDE'[k % 5]}ton{'abc'[k % 3]}" for k in numbers]
        frame["born"] = [str(1940 + 37 * k % 63) for k in numbers]
    return frame


def clusters(frame, **parameters):
    return Deduplicator(**parameters).fit(frame, on=list(frame.columns)).labels_


def partition(labels):
    return {tuple(np.flatnonzero(labels == label)) for label in np.unique(labels)}


def matches(reference, queries, **parameters):
    on = list(queries.columns)
    found = TableMatcher(**parameters).fit(reference, on=on).match(queries, on=on)
    pairs = zip(found["query"], found["candidate"], strict=True)
    return dict(zip(pairs, found["probability"], strict=True))


@cache
def fitted(kind):
    return Deduplicator().fit(table(kind), on=list(table(kind).columns))


def halves(kind):
    frame = table(kind)
    half = len(frame) // 2
    return frame[:half].reset_index(drop=True), frame[half:].reset_index(drop=True)


@cache
def likely(kind):
    """The matches of the first half of the rows in the second half, from a low threshold on."""
    queries, reference = halves(kind)
    return matches(reference, queries, threshold=0.3)


def at_least(threshold, kind):
    return {pair: p for pair, p in likely(kind).items() if p >= threshold}


def unrelated(kind, n=12):
    """Rows of the same kind that share no word with any."""
    rng = np.random.default_rng(5)
    words = iter(["".join(rng.choice(list("jkqvwxyz"), 6)).title() for _ in range(6 * n)])
    if kind == "codes":
        return pd.DataFrame({"code": [f"XQ-{k}" for k in range(90701, 90701 + n)]})
    rows = {name: [f"{next(words)} {next(words)}" for _ in range(n)] for name in table(kind)}
    if kind == "records":
        rows["born"] = [str(1900 + k) for k in range(n)]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("kind", KINDS)
def test_no_order_of_rows_or_columns_changes_clusters(kind):
    frame = table(kind)
    expected = partition(fitted(kind).labels_)
    assert len(expected) < len(frame)
    for order in (np.arange(len(frame))[::-1], np.random.default_rng(1).permutation(len(frame))):
        labels = np.empty(len(frame), dtype=int)
        labels[order] = clusters(frame.iloc[order, ::-1])
        assert partition(labels) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_copies_of_rows_join_them_and_change_nothing_else(kind):
    frame = table(kind)
    n = len(frame)
    labels = clusters(pd.concat([frame, frame.iloc[[0, 0, n - 1, n - 1]]]))
    assert labels[n:].tolist() == labels[[0, 0, n - 1, n - 1]].tolist()
    assert partition(labels[:n]) == partition(fitted(kind).labels_)


@pytest.mark.parametrize("kind", KINDS)
def test_unrelated_rows_change_nothing(kind):
    frame, others = table(kind), unrelated(kind)
    n = len(frame)
    labels = clusters(pd.concat([frame, others]))
    assert partition(labels[:n]) == partition(fitted(kind).labels_)
    assert len(np.unique(labels[n:])) == len(others)
    queries, reference = halves(kind)
    found = matches(pd.concat([reference, others]), pd.concat([queries, others]))
    apart = {(len(queries) + k, len(reference) + k) for k in range(len(others))}
    assert set(at_least(0.6, kind)) <= found.keys() - apart <= set(at_least(0.4, kind))


@pytest.mark.parametrize("kind", KINDS)
def test_rows_that_are_kept_are_kept_again(kind):
    kept = fitted(kind).drop_duplicates(table(kind))
    assert len(np.unique(clusters(kept))) == len(kept)


@pytest.mark.parametrize("kind", KINDS)
def test_both_tables_may_be_the_reference(kind):
    queries, reference = halves(kind)
    back = {(row, other): p for (other, row), p in matches(queries, reference).items()}
    assert set(at_least(0.9, kind)) <= back.keys()
    assert {pair for pair, p in back.items() if p >= 0.9} <= set(at_least(0.5, kind))


@pytest.mark.parametrize("kind", KINDS)
def test_no_higher_threshold_merges_more(kind):
    labels = [fitted(kind).labels(threshold) for threshold in THRESHOLDS]
    for lower, higher in pairwise(labels):
        assert len(set(zip(lower, higher, strict=True))) == len(set(higher))
    queries, reference = halves(kind)
    for threshold in THRESHOLDS[::2]:
        assert matches(reference, queries, threshold=threshold) == at_least(threshold, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_no_order_of_rows_or_columns_changes_matches(kind):
    queries, reference = halves(kind)
    expected = at_least(0.5, kind)
    rng = np.random.default_rng(2)
    rows, others = rng.permutation(len(queries)), rng.permutation(len(reference))
    found = matches(reference.iloc[others, ::-1], queries.iloc[rows, ::-1])
    found = {(rows[query], others[candidate]): p for (query, candidate), p in found.items()}
    assert found.keys() == expected.keys()
    assert [found[pair] for pair in expected] == pytest.approx(list(expected.values()), abs=5e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_matches_its_copy_not_one_that_differs_in_case_or_marks(kind):
    frame = table(kind).drop_duplicates().reset_index(drop=True)
    found = matches(frame, frame)
    is_filled = frame.iloc[:, 0] != ""
    assert [(row, row) in found for row in range(len(frame))] == is_filled.tolist()


SIGNS = [
    *("→", "←", "👍", "👎", "👍👎", ":)", ":(", "!!", "★★★"),
    *("C++", "C#", "A+", "A-", "x ≥ 3", "x ≤ 3"),
]


def test_texts_of_signs_match_equal_ones_alone():
    queries = [f" {text}\u200b" for text in SIGNS[::-1]]
    found = TableMatcher().fit(SIGNS).match(queries)
    assert found["query"].tolist() == list(range(len(SIGNS)))
    assert found["candidate"].tolist() == list(range(len(SIGNS)))[::-1]
    for k, text in enumerate(SIGNS[:9]):
        assert not len(TableMatcher().fit(SIGNS[:k] + SIGNS[k + 1 :]).match([text]))
    assert len(set(Deduplicator().fit(SIGNS).labels_)) == len(SIGNS)


# Each is what two rows differ in, which are equal otherwise.
DIFFERENCES = [
    *(("✅", "❌"), ("C++", "C#"), ("A+", "A-"), ("$50 off", "50% off"), ("fine 👍", "fine 👎")),
    *(("2020-05-01 10:00", "2020-05-01 10:20"), ("5/1/2020 9:30 am", "5/1/2020 9:30 pm")),
    (pd.Timestamp("2020-05-01 10:00:01"), pd.Timestamp("2020-05-01 10:00:02")),
]


@pytest.mark.parametrize(("first", "second"), DIFFERENCES)
def test_records_that_differ_in_a_sign_or_a_time_are_two(first, second):
    frame = pd.DataFrame({"what": [f"{x} course" for x in ("Latin", "Music", "Dance", "Logic")]})
    frame = pd.concat([frame, frame], ignore_index=True)
    is_date = not isinstance(first, str) or ":" in first
    others = [f"2020-0{k}-11 08:00" if is_date else f"mark {k}" for k in range(1, 4)]
    frame["value"] = [first, *others, second, *others]
    labels = Deduplicator().fit(frame, on=["what", "value"]).labels_
    assert labels.tolist() == [0, 1, 2, 3, 4, 1, 2, 3]
    found = TableMatcher().fit(frame[:4], on=["what", "value"]).match(frame[4:5])
    same = TableMatcher().fit(frame, on=["what", "value"]).match(frame[4:5])
    assert same["candidate"].tolist() == [4]
    assert same["probability"].tolist() > found["probability"].tolist()


def test_amounts_of_other_measures_are_not_equal():
    cells = ["50%", "50", "$50", "$70", "70%", "90%"]
    for order in (cells, cells[::-1]):
        found = TableMatcher().fit({"off": order}).match({"off": ["$50", "70 %"]})
        assert [order[row] for row in found["candidate"]] == ["$50", "70%"]


@pytest.mark.parametrize("cells", ["AB-1234 CD-99", "2020-01-31 2021-02-28", "5kg 7kg", "Ann Bob"])
def test_cells_that_say_nothing_are_duplicates_of_nothing(cells):
    nothing = 2 * ["", "  ", "\u200b", "N/A", "n/a", None]
    labels = Deduplicator().fit(nothing + cells.split()).labels_
    assert labels.tolist() == list(range(len(nothing) + 2))
