"""Deduplicator: all pairs above a threshold, and what follows from them."""

from __future__ import annotations

import copy
import math
import pickle
import threading
from itertools import combinations, permutations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import repeated_names
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from skpara import ParagramEncoder
from skpara.features import find_contrasts
from skpara.matching import Deduplicator, TableMatcher, _deduplicator, _search
from skpara.matching._clusters import average_merges, connected


class Points:
    """Encodes a number as a direction in the plane, so that cosines are known."""

    def encode(self, sentences):
        angles = np.array([float(text or "nan") for text in sentences])
        rows = np.column_stack([np.cos(angles), np.sin(angles)])
        return np.nan_to_num(rows).astype(np.float32)


ANGLES = [0.0, 0.1, 2.0, 0.2, 0.3, 2.05, -1.0]
TEXTS = [f"{angle}" for angle in ANGLES]


def deduplicator(**parameters):
    # Directions that differ by 0.11 or less are duplicates, though their numbers differ.
    own = {"threshold": np.cos(0.11), "guard": False} | parameters
    return Deduplicator(encoder=Points(), **own)


@pytest.fixture(scope="module")
def sentences(sample):
    return sample.data.ravel().tolist() + sample.data[:50, 0].tolist()


def brute_force(units, lowest):
    cosines = units.astype(float) @ units.T.astype(float)
    first, second = np.nonzero(np.triu(cosines >= lowest, 1))
    return {pair: cosines[pair] for pair in zip(first.tolist(), second.tolist(), strict=True)}


def test_chains_and_complete_linkage():
    assert deduplicator(linkage="single").fit_predict(TEXTS).tolist() == [0, 0, 1, 0, 0, 1, 2]
    labels = deduplicator().fit_predict(TEXTS)
    assert labels[2] == labels[5]
    assert labels[[0, 1]].tolist() == [0, 0]
    assert labels[3] == labels[4] != labels[0]


def test_clusters_are_computed_once(monkeypatch):
    found = Deduplicator().fit(["Anna Berg", "Anna Bergg", "Otto Lund", "Otto Lundd"])
    labels = found.labels_
    monkeypatch.setattr(Deduplicator, "_cluster", None)
    assert found.labels_.tolist() == labels.tolist() == [0, 0, 1, 1]
    assert found.kept_.tolist() == [0, 2]


def test_rows_of_one_vector_that_differ_in_a_number_take_few_rounds(monkeypatch):
    rounds = []
    merge = _deduplicator.complete_merges
    monkeypatch.setattr(
        _deduplicator, "complete_merges", lambda *pairs: rounds.append(1) or merge(*pairs)
    )
    rows = [f"Guest number {number} goes home." for number in range(200)]
    encoder = SimpleNamespace(encode=lambda texts: np.ones((len(texts), 4), dtype=np.float32))
    found = Deduplicator(encoder=encoder, kind="sentences").fit(rows)
    assert found.labels_.tolist() == list(range(200))
    assert len(found.pairs_) > 200
    assert len(rounds) <= 3


def test_other_thresholds_without_fitting():
    fitted = deduplicator(min_cosine=0.9).fit(TEXTS)
    for distance in (0.06, 0.11, 0.3):
        threshold = float(np.cos(distance))
        expected = deduplicator(threshold=threshold).fit_predict(TEXTS)
        assert fitted.labels(threshold).tolist() == expected.tolist()
    with pytest.raises(ValueError, match=r"cosines below 0.9.*min_cosine=0.5"):
        fitted.labels(0.5)
    with pytest.raises(ValueError, match=r"cosines below 0.88, so"):
        deduplicator(threshold=0.9).fit(TEXTS).labels(0.87)


@pytest.mark.parametrize("texts", [TEXTS, {"a": TEXTS, "b": TEXTS}])
def test_parameters_that_are_set_later_are_for_the_next_fit(texts):
    fitted = deduplicator(threshold=0.9).fit(texts, on=list(texts) if texts is not TEXTS else None)
    before = fitted.labels_.tolist(), fitted.kept_.tolist(), fitted.summary_
    fitted.set_params(threshold=0.3, keep="last", linkage="single", model=_Half())
    assert (fitted.labels_.tolist(), fitted.kept_.tolist(), fitted.summary_) == before
    assert fitted.set_params(threshold=math.nan, linkage="average").kept_.tolist() == before[1]


def test_the_rows_of_a_cluster_are_merged():
    columns = {
        "name": ["Ann Lee", "ann lee", "Bo Ek", "ANN LEE", "ann lee"],
        "born": [None, 1970, 1981, 1971, 1970],
        "note": ["", "tall", None, "very tall", "shy"],
        "id": [1, 2, 3, 4, 5],
    }
    fitted = Deduplicator(kind="names").fit(columns, on="name")
    expected = [("ann lee", 1970, "tall", 1), ("Bo Ek", 1981, None, 3)]
    assert list(zip(*fitted.merge(columns).values(), strict=True)) == expected
    for library in (pd.DataFrame, pl.DataFrame, pa.table):
        merged = fitted.merge(library(columns))
        assert isinstance(merged, type(library(columns)))
        rows = (
            merged.to_pylist() if hasattr(merged, "to_pylist") else pl.DataFrame(merged).to_dicts()
        )
        assert [row["id"] for row in rows] == [1, 3]
        assert [row["name"] for row in rows] == ["ann lee", "Bo Ek"]
    by_column = fitted.merge(columns, {"note": "longest", "name": "first"})
    assert (by_column["name"][0], by_column["note"][0]) == ("Ann Lee", "very tall")
    assert fitted.merge(columns["name"], "first") == ["Ann Lee", "Bo Ek"]
    assert fitted.merge(columns, threshold=1.0)["id"] == [1, 3]
    with pytest.raises(ValueError, match="no column 'nme'"):
        fitted.merge(columns, {"nme": "first"})
    with pytest.raises(ValueError, match="how must be one of most frequent, longest, first"):
        fitted.merge(columns, "mode")
    with pytest.raises(ValueError, match="X has 2 rows, but 5 were fitted"):
        fitted.merge(["a", "b"])


class _Half:
    def predict(self, pairs):
        return np.full(len(pairs), 0.5)


def test_fit_in_another_thread_gives_one_of_two_results():
    tables = [["red bicycle", "garden chair", "steel kettle"], ["steel kettle", "red bicycle"]]
    matcher = TableMatcher()
    expected = [clone(matcher).fit(x).match(tables[0])[:].tolist() for x in tables]
    matcher.fit(tables[0])
    stop = threading.Event()

    def fit():
        while not stop.is_set():
            for table in tables:
                matcher.fit(table)

    thread = threading.Thread(target=fit)
    thread.start()
    try:
        found = [matcher.match(tables[0])[:].tolist() for _ in range(8)]
    finally:
        stop.set()
        thread.join()
    assert all(result in expected for result in found)


def test_a_fit_in_another_thread_does_not_change_a_result_that_is_computed(monkeypatch):
    found = deduplicator().fit(TEXTS)
    expected, kept = found.dropped().tolist(), Deduplicator.kept

    def fit_and_keep(self, threshold=None):
        found.fit(TEXTS[:1])
        return kept(self, threshold)

    monkeypatch.setattr(Deduplicator, "kept", fit_and_keep)
    assert found.dropped().tolist() == expected


def test_dropped_rows_name_the_row_that_is_kept():
    single = deduplicator(linkage="single", keep="last").fit(TEXTS)
    table = single.dropped()
    assert table["kept"].tolist() == [4, 4, 5, 4]
    assert table["dropped"].tolist() == [0, 1, 2, 3]
    assert table["reason"].tolist() == ["row 1", "row 3", "score", "score"]
    np.testing.assert_allclose(table["score"][2:], np.cos([0.05, 0.1]), atol=1e-6)
    assert np.isnan(table["score"][0])  # farther than what fit looked for
    for threshold in (None, float(np.cos(0.06))):
        rows = single.dropped(threshold)
        assert sorted([*rows["dropped"], *single.kept(threshold)]) == list(range(len(TEXTS)))
        labels = single.labels(threshold)
        np.testing.assert_array_equal(labels[rows["dropped"]], labels[rows["kept"]])


def test_dropped_rows_have_a_reason():
    names = ["Harlow Timber Ltd", "HARLOW TIMBER, Limited", "12 Oak Rd", "14 Oak Rd", "12 Oak Rd"]
    fitted = Deduplicator().fit(names)
    assert fitted.dropped()["reason"].tolist() == ["score", "same text"]
    answered = fitted.judge([("12 Oak Rd", "14 Oak Rd")], ["y"]).dropped()
    assert answered[["kept", "dropped", "reason"]].tolist() == [
        (0, 1, "score"), (2, 3, "answer"), (2, 4, "same text"),
    ]  # fmt: skip
    assert len(Deduplicator().fit(["A dog runs."]).dropped()) == 0


@pytest.mark.parametrize("linkage", ["complete", "single"])
def test_the_threshold_for_a_number_of_rows_is_the_highest(linkage):
    texts = [f"{angle}" for angle in np.random.default_rng(0).random(12)]
    fitted = deduplicator(linkage=linkage, min_cosine=0.5).fit(texts)
    counts = {score: len(fitted.kept(score)) for score in [*fitted.scores_.tolist(), 1.0]}
    for n in range(1, 13):
        few_enough = [score for score, count in counts.items() if count <= n]
        assert fitted.threshold_for(n) == max(few_enough)


def test_too_few_pairs_for_so_few_rows():
    with pytest.raises(ValueError, match=r"leave at least 4 rows, more than 2.*min_cosine"):
        deduplicator().fit(TEXTS).threshold_for(2)
    with pytest.raises(ValueError, match="max_rows"):
        deduplicator().fit(TEXTS).threshold_for(0)
    assert deduplicator().fit(["1", "2"]).threshold_for(2) == 1


@pytest.mark.parametrize(
    ("keep", "expected"), [("first", [0, 2, 6]), ("last", [4, 5, 6]), ("longest", [0, 5, 6])]
)
def test_which_row_is_kept(keep, expected):
    fitted = deduplicator(keep=keep, linkage="single").fit(TEXTS)
    assert fitted.kept_.tolist() == expected
    frame = pd.DataFrame({"text": TEXTS, "row": range(7)}, index=range(10, 17))
    assert fitted.drop_duplicates(frame).index.tolist() == [10 + i for i in expected]
    assert fitted.drop_duplicates(pl.from_pandas(frame))["row"].to_list() == expected
    assert fitted.drop_duplicates(TEXTS) == [TEXTS[i] for i in expected]
    with pytest.raises(ValueError, match="7 were fitted"):
        fitted.drop_duplicates(TEXTS[:3])


def test_pairs_are_those_of_brute_force(sentences):
    fitted = Deduplicator(min_cosine=0.5).fit(sentences)
    encoder = ParagramEncoder()
    first, second = fitted.pairs_.T
    texts = np.array(sentences, dtype=object)
    cosines = encoder.similarity(texts[first], texts[second])
    np.testing.assert_allclose(fitted.scores_, cosines, atol=1e-6)
    rows = [sentences.index(text) for text in dict.fromkeys(sentences)]
    units = encoder.encode(texts[rows])
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    expected = {tuple(sorted((rows[i], rows[j]))) for i, j in brute_force(units, 0.5 + 1e-6)}
    assert expected <= set(map(tuple, fitted.pairs_.tolist()))
    assert fitted.recall_ == 1


@pytest.mark.parametrize(("n_dims", "lowest", "at_least"), [(64, 0.9, 0.97), (8, 0.96, 0.85)])
def test_cells_find_nearly_all_pairs(n_dims, lowest, at_least, monkeypatch):
    rng = np.random.default_rng(3)
    topics = rng.standard_normal((40, n_dims))
    rows = topics[rng.integers(40, size=1500)] + rng.standard_normal((1500, n_dims)) * 0.8
    rows = np.vstack([rows, rows[:750] + rng.standard_normal((750, n_dims)) * 0.3])
    units = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    expected = brute_force(units, lowest)
    assert len(expected) > 500
    monkeypatch.setattr(_search, "_MAX_EXACT", 1000)
    rows = np.arange(len(units))
    pairs, cosines, bound = _search.similar_pairs(units, rows, lowest)
    found = dict(zip(map(tuple, pairs.tolist()), cosines, strict=True))
    assert set(found) <= set(expected)
    assert len(found) == len(pairs)  # each once
    assert at_least < bound < min(len(found) / len(expected), 1)
    threads = _search.similar_pairs(units, rows, lowest, n_jobs=2)
    np.testing.assert_array_equal(threads[0], pairs)
    assert _search.similar_pairs(units, rows, 0.99999)[2] == 0  # there is nothing to find


def test_many_equal_sentences_give_few_pairs():
    fitted = deduplicator().fit(["1"] * 500 + ["1.05"] * 500 + [""] * 50)
    assert len(fitted.pairs_) == 499 + 499 + 1
    assert fitted.labels_[:1000].max() == 0
    assert len(set(fitted.labels_[1000:])) == 50  # empty sentences
    complete = deduplicator().fit(["1"] * 5 + ["1.1"] * 5 + ["1.2"] * 5)
    assert complete.labels_.tolist() == [0] * 10 + [1] * 5


WORDS = "the dog bites a man in Oslo not".split()


@settings(max_examples=20)
@given(
    st.lists(
        st.permutations(WORDS) | st.lists(st.sampled_from(WORDS), min_size=3, max_size=7),
        min_size=2, max_size=40,
    ),
    st.sampled_from(["first", "last", "longest"]),
    st.sampled_from([0.8, 0.95]),
)  # fmt: skip
def test_a_dropped_row_resembles_the_kept_row(words, keep, threshold):
    texts = list(map(" ".join, words))
    table = pd.DataFrame({"text": texts})
    fitted = Deduplicator(threshold=threshold, keep=keep).fit(table, on={"text": "sentences"})
    kept = {fitted.labels_[row]: row for row in fitted.kept_}
    rows = [sorted((row, kept[label])) for row, label in enumerate(fitted.labels_)]
    pairs = [(texts[i], texts[j]) for i, j in rows]
    cosines = ParagramEncoder().similarity(*map(list, zip(*pairs, strict=True)))
    assert cosines.min() >= threshold - 1e-6
    assert not any(find_contrasts([pair for pair in pairs if pair[0] != pair[1]]))


def test_the_guard_removes_pairs_before_they_are_linked(sentences):
    texts = list(dict.fromkeys(sentences))
    fitted = Deduplicator(threshold=0.75).fit(texts)
    pairs = [(texts[i], texts[j]) for i, j in fitted.pairs_.tolist()]
    apart = np.array(list(map(bool, find_contrasts(pairs))))
    assert apart[fitted.scores_ >= 0.75].any()
    distances = np.full((len(texts), len(texts)), 2.0)
    distances[tuple(fitted.pairs_[~apart].T)] = 1 - fitted.scores_[~apart]
    upper = distances[np.triu_indices(len(texts), 1)]
    expected = fcluster(linkage(upper, "complete"), 0.25, "distance")
    same = fitted.labels_[:, None] == fitted.labels_
    np.testing.assert_array_equal(same, expected[:, None] == expected)


def test_opposites_are_kept_apart_with_a_reason(capsys):
    texts = ["The dog bit the man.", "The man bit the dog.", "The dog bit the man."]
    fitted = Deduplicator(verbose=1).fit([*texts, "The man bit a dog."])
    assert fitted.labels_.tolist() == [0, 1, 0, 1]
    reviewed = fitted.borderline()[["first", "second", "reason"]].tolist()
    reason = "roles of dog and man"
    assert reviewed == [(0, 3, reason), (0, 1, reason)]
    printed = (
        "4 rows, 2 clusters, 2 rows dropped, largest cluster 2 rows; pairs to look at: 0 near the "
        "threshold, 2 kept apart by the guard.\n"
    )
    assert capsys.readouterr().out == fitted.summary_ + "\n" == printed
    fitted = (
        Deduplicator(4, model=SameLength(), linkage="single").fit(texts[:1]).partial_fit(texts[1:])
    )
    assert fitted.labels_.tolist() == [0, 1, 0]
    assert fitted.set_params(guard="identifiers").fit_predict(texts).tolist() == [0, 0, 0]


def test_typing_errors_stand_for_words_of_the_other_row():
    texts = [
        "A man in a yelow jakcet climbs a steep rock.",
        "A man in a yellow jacket climbs a steep rock.",
        "A man in a yellow jacket never clmbs a steep rock.",  # an opposite
        "A man in a yellow racket climbs a steep rock.",  # another word
        "A man in a yellow jacket clmbs a steep rock",
        "I met john smyth today", "I met john smith today", "He saw Smyth", "He saw Smith",
    ]  # fmt: skip
    fitted = Deduplicator().fit(texts)
    assert fitted.labels_.tolist() == [0, 0, 1, 2, 0, 3, 4, 5, 6]
    as_written = ParagramEncoder().similarity(texts[:1], texts[1:2])[0]
    expected = ParagramEncoder().similarity([texts[4].replace("clmbs", "climbs")], texts[1:2])[0]
    assert as_written < 0.9 < fitted.scores_[fitted.pairs_.tolist().index([0, 1])]
    assert fitted.scores_[fitted.pairs_.tolist().index([1, 4])] == pytest.approx(expected)
    growing = Deduplicator()
    for text in texts:
        growing.partial_fit([text])
    assert growing.pairs_.tolist() == fitted.pairs_.tolist()
    np.testing.assert_allclose(growing.scores_, fitted.scores_, atol=1e-7)


def test_orders_of_the_same_words_give_few_pairs():
    rng = np.random.default_rng(0)
    words = "one old brown dog and two small white cats sleep here".split()
    texts = [" ".join(rng.permutation(words)) for _ in range(3000)]
    table = pd.DataFrame({"text": texts})
    fitted = Deduplicator(guard=False).fit(table, on={"text": "sentences"})
    assert len(fitted.pairs_) < 10 * len(texts)
    assert fitted.labels_.max() == 0


def test_a_cluster_far_above_the_others_warns():
    texts = [f"{angle:.3f}" for angle in np.linspace(0, 0.1, 60)]
    with pytest.warns(UserWarning, match=r"60 different texts.* Row 1, '0.000', stands.*higher"):
        deduplicator().fit(["2", *texts])
    deduplicator().fit(["0"] * 500 + ["2", "2.01", "1"])


def test_borderline():
    pairs = deduplicator(min_cosine=0.9).fit(TEXTS).borderline(0.02)
    assert (np.diff(np.abs(pairs["score"] - np.cos(0.11))) >= -1e-9).all()
    assert set(zip(pairs["first"], pairs["second"], strict=True)) == {
        (0, 1), (1, 3), (3, 4), (2, 5), (0, 3), (1, 4)
    }  # fmt: skip


def test_rows_one_by_one(sentences):
    together = Deduplicator().fit(sentences)
    for start, size in ((len(sentences) - 30, 1), (0, 120)):
        growing = Deduplicator()
        growing.partial_fit(sentences[:start]) if start else None
        for i in range(start, len(sentences), size):
            growing.partial_fit(sentences[i : i + size])
        np.testing.assert_array_equal(growing.pairs_, together.pairs_)
        np.testing.assert_allclose(growing.scores_, together.scores_, atol=1e-7)
        np.testing.assert_array_equal(growing.labels_, together.labels_)


def test_copies_grow_apart():
    first = deduplicator().fit(TEXTS).partial_fit(["1"])
    second = copy.copy(first)
    first.partial_fit(["2.01"])
    second.partial_fit(["-1.01"])
    assert first.labels_[-1] == first.labels_[2]
    assert second.labels_[-1] == second.labels_[6]
    first.partial_fit(["-1.02"])
    second.partial_fit(["0"])
    assert first.labels_[-1] == first.labels_[6]
    assert second.labels_[-1] == second.labels_[0]
    pickles = [pickle.dumps(first)]
    for name in ("_records", "_keys", "_guard", "_judgments", "_readings", "_mended"):
        delattr(first, name)  # as in pickles of version 0.2.0
    for again in map(pickle.loads, [*pickles, pickle.dumps(first)]):
        again.partial_fit(["2"])
        assert again.labels_[-1] == again.labels_[2]


class SameLength:
    """Scores 5 for sentences of equal length, else 1."""

    def predict(self, X):
        return np.array([5.0 if len(a) == len(b) else 1.0 for a, b in X])


def test_a_model_scores_the_pairs(sentences):
    fitted = Deduplicator(4, model=SameLength(), min_cosine=0.7, linkage="single", guard=False)
    fitted.fit(sentences)
    assert set(fitted.scores_) == {1, 5}
    assert len(fitted.pairs_) == len(Deduplicator(min_cosine=0.7).fit(sentences).pairs_)
    lengths = np.array(list(map(len, sentences)))
    first, second = fitted.pairs_[fitted.scores_ >= 4].T
    assert (lengths[first] == lengths[second]).all()
    assert (fitted.labels_[first] == fitted.labels_[second]).all()
    growing = clone(fitted).fit(sentences[:300]).partial_fit(sentences[300:])
    np.testing.assert_array_equal(growing.labels_, fitted.labels_)


@settings(max_examples=50)
@given(st.integers(2, 25), st.integers(0, 1000), st.sampled_from([0.6, 0.9, 0.99]))
def test_without_a_guard_complete_linkage_is_that_of_scipy(n_rows, seed, threshold):
    angles = 3 * np.random.default_rng(seed).random(n_rows)
    labels = deduplicator(threshold=threshold).fit_predict(list(map(str, angles)))
    distances = 1 - np.cos(angles[:, None] - angles)[np.triu_indices(n_rows, 1)]
    expected = fcluster(linkage(distances, "complete"), 1 - threshold, "distance")
    np.testing.assert_array_equal(labels[:, None] == labels, expected[:, None] == expected)


@settings(max_examples=50)
@given(st.integers(2, 25), st.integers(0, 1000), st.floats(0.3, 2))
def test_average_linkage_of_all_pairs_is_that_of_scipy(n_rows, seed, threshold):
    points = np.random.default_rng(seed).standard_normal((n_rows, 2))
    pairs = np.column_stack(np.triu_indices(n_rows, 1))
    distances = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    labels = connected(average_merges(pairs, threshold - distances), n_rows)
    expected = fcluster(linkage(distances, "average"), threshold, "distance")
    np.testing.assert_array_equal(labels[:, None] == labels, expected[:, None] == expected)


def slow_average_linkage(pairs, margins, n_rows):
    """Merge the two clusters with the highest mean margin, as long as it is not negative."""
    known = dict(zip(map(tuple, pairs.tolist()), margins.tolist(), strict=True))
    clusters = [{row} for row in range(n_rows)]
    while True:
        means = {}
        for a, b in combinations(range(len(clusters)), 2):
            between = [known[min(i, j), max(i, j)] for i in clusters[a] for j in clusters[b]
                       if (min(i, j), max(i, j)) in known]  # fmt: skip
            if between:
                means[a, b] = np.mean(between)
        a, b = max(means, key=means.__getitem__, default=(0, 0))
        if means.get((a, b), -1) < 0:
            return {frozenset(cluster) for cluster in clusters}
        clusters[a] |= clusters.pop(b)


@settings(max_examples=50)
@given(st.integers(2, 12), st.integers(0, 1000), st.floats(0.2, 1), st.floats(0, 4))
def test_average_linkage_of_some_pairs_is_that_of_a_slow_program(n_rows, seed, share, mean):
    rng = np.random.default_rng(seed)
    pairs = np.column_stack(np.triu_indices(n_rows, 1))
    pairs = pairs[rng.random(len(pairs)) < share]
    margins = rng.uniform(mean - 6, mean + 4, len(pairs))
    labels = connected(average_merges(pairs, margins), n_rows)
    found = {frozenset(np.flatnonzero(labels == label).tolist()) for label in labels}
    assert found == slow_average_linkage(pairs, margins, n_rows)


@pytest.mark.parametrize(
    ("margins", "expected"),
    [
        ({(0, 1): 3, (1, 2): 2}, [0, 0, 0, 1]),  # a pair that was not compared says nothing
        ({(0, 1): 3, (1, 2): 2, (0, 2): -1}, [0, 0, 0, 1]),
        ({(0, 1): 3, (1, 2): 2, (0, 2): -2.1}, [0, 0, 1, 2]),
        ({(0, 1): 3, (1, 2): 9, (0, 2): -np.inf}, [0, 1, 1, 2]),  # certainly different
        ({(0, 1): -9, (1, 2): -9, (0, 2): np.inf}, [0, 1, 0, 2]),
        ({(0, 1): 3, (2, 3): 3, (0, 2): 4, (1, 3): -9}, [0, 0, 0, 1]),
        # Log odds beyond 10 say no more.
        ({(0, 1): 30, (0, 2): 11, (1, 2): -12}, [0, 0, 0, 1]),
        ({(0, 1): 30, (0, 2): 8, (1, 2): -9}, [0, 0, 1, 2]),
        ({}, [0, 1, 2, 3]),
    ],
)
def test_average_linkage_of_some_pairs(margins, expected):
    pairs = np.array(list(margins), dtype=np.int64).reshape(-1, 2)
    merges = average_merges(pairs, np.array(list(margins.values()), dtype=float))
    assert connected(merges, 4).tolist() == expected


def test_wrong_use(sentences):
    with pytest.raises(NotFittedError):
        Deduplicator().labels()
    assert not hasattr(Deduplicator(), "labels_")
    with pytest.raises(ValueError, match="frame of 2 columns"):
        Deduplicator().fit(pd.DataFrame({"a": ["x"], "b": ["y"]}))
    with pytest.raises(ValueError, match="'linkage' parameter"):
        Deduplicator(linkage="ward").fit(sentences)
    with pytest.raises(ValueError, match=r"threshold is a cosine between 0 and 1, got -0.5"):
        Deduplicator(threshold=-0.5).fit(["a dog"])
    with pytest.raises(ValueError, match=r"threshold is a cosine.* got 90. Did you mean 0.9\?"):
        Deduplicator(threshold=90).fit(sentences)
    with pytest.raises(ValueError, match=r"min_cosine is a cosine.* got 80. Did you mean 0.8\?"):
        Deduplicator(min_cosine=80).fit(sentences)
    with pytest.raises(ValueError, match="one column, encoded as by fit"):
        deduplicator().fit(["1"]).partial_fit(pd.DataFrame({"a": ["1"], "b": [""]}), on=["a", "b"])
    with pytest.raises(ValueError, match='linkage="average" is for names and records'):
        Deduplicator(linkage="average").fit(sentences)
    for rows in ([["a"], ["b"]], [("a",)]):
        with pytest.raises(ValueError, match=r"Row 0 holds .*, not a string"):
            Deduplicator().fit(rows)
    with pytest.raises(ValueError, match="width == -1, must be >= 0"):
        Deduplicator().fit(sentences).borderline(-1)
    for threshold in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match="'threshold' parameter"):
            Deduplicator(threshold=threshold).fit(sentences)
        with pytest.raises(ValueError, match="threshold must be a finite number"):
            Deduplicator().fit(["a dog", "a cat"]).labels(threshold)


def test_a_threshold_on_another_scale_than_the_scores_is_noticed(sentences):
    Grades = type("Grades", (), {"predict": lambda self, X: np.full(len(X), 5.0)})
    with pytest.warns(UserWarning, match="one is 5. Set threshold on this scale; 0.9 may take"):
        Deduplicator(model=Grades()).fit([*sentences, sentences[0]])
    Deduplicator(4.5, model=Grades()).fit([*sentences, sentences[0]])


@pytest.mark.parametrize("predict", [np.sqrt, np.log, lambda x: None, lambda x: x[1:]])
def test_what_a_model_returns_is_checked(predict):
    class Model:
        def predict(self, X):
            with np.errstate(all="ignore"):
                return predict(np.zeros(len(X)) - (predict is np.sqrt))

    texts = ["a dog runs", "a dog runs.", "the dog runs"]
    message = r"The model('s score of \(| returned an array of shape)"
    for call in (
        Deduplicator(0.5, model=Model()).fit,
        TableMatcher(model=Model()).fit(texts).match,
    ):
        with pytest.raises(ValueError, match=message):
            call(texts)


@pytest.mark.parametrize(("value", "is_one"), [(3.0, False), (-0.1, False), (1 + 1e-9, True)])
def test_probabilities_of_a_model_are_checked(value, is_one):
    class Model:
        classes_ = (0, 1)

        def predict_proba(self, X):
            return np.tile([1 - value, value], (len(X), 1))

    texts = ["a dog runs", "a dog runs.", "the dog runs"]
    matcher = TableMatcher(model=Model(), guard=False).fit(texts)
    for call in (Deduplicator(0.5, model=Model(), guard=False).fit, matcher.match):
        if is_one:  # but for rounding
            call(texts)
        else:
            with pytest.raises(ValueError, match=r"score of \(.*from 0 to 1"):
                call(texts)
    if is_one:
        assert matcher.match(texts)["probability"].tolist() == [1, 1, 1]


def test_records_are_compared_by_column():
    rng = np.random.default_rng(0)
    names = [f"{a} {b}" for a in ("Ada", "Bo", "Cy", "Eva") for b in ("Berg", "Dahl", "Holm")]
    days = rng.integers([30, 10, 10], [99, 12, 28], (12, 3))
    zips = rng.integers(1000, 9999, 12).astype(str)
    people = pd.DataFrame({"name": names, "born": [f"19{y}-{m}-{d}" for y, m, d in days]})
    people = people.assign(zip=zips)
    again = people[:4].copy()
    again["name"] = ["Berg, Ada", "Ada Dhal", "Ada Holm", "Bo Berg"]
    again.loc[2, "zip"], again.loc[3, ["born", "zip"]] = None, ["1901-01-01", "0001"]
    table = pd.concat([people, people[11:], again])
    fitted = Deduplicator().fit(table, on=list(people))
    assert fitted.labels_.tolist() == [*range(12), 11, 0, 1, 2, 12]
    assert len(fitted.drop_duplicates(table)) == 13
    assert fitted.scores_[fitted.pairs_[:, 1] == 12].tolist() == [1.0]
    pair = " ".join(people.iloc[3]), " ".join(again.iloc[3])
    assert fitted.judge([pair], ["y"]).labels_[-1] == 3
    with pytest.raises(ValueError, match="Fit all again"):
        fitted.partial_fit(table)
    with pytest.raises(ValueError, match="leave it out for several columns"):
        Deduplicator(model=SameLength()).fit(table, on=list(people))


@pytest.mark.parametrize("n_columns", [8, 16])
def test_rows_of_random_letters_stay_in_tables_of_any_width(n_columns):
    rng = np.random.default_rng(0)
    letters = rng.choice(list("abcdefghijklmnopqrstuvwxyz "), (40, n_columns, 12))
    table = pd.DataFrame([["".join(cell) for cell in row] for row in letters]).add_prefix("c")
    assert len(Deduplicator(threshold=0.5).fit(table[:20], on=list(table)).kept_) == 20
    matcher = TableMatcher().fit(table[:20], on=list(table))
    assert len(matcher.match(table[20:], on=list(table))) == 0


@pytest.mark.parametrize("n_questions", [10, 20])
def test_answers_to_a_questionnaire_stay(n_questions):
    """All rows have the same few words, and no column tells one from another."""
    rng = np.random.default_rng(0)
    answers = ["strongly agree", "agree", "neutral", "disagree", "strongly disagree"]
    table = pd.DataFrame(rng.choice(answers, (40, n_questions))).add_prefix("q")
    assert len(Deduplicator(threshold=0.5).fit(table, on=list(table)).kept_) == 40
    again = pd.concat([table, table[:5]], ignore_index=True)
    again.loc[44, "q1"] = "disagree" if again.loc[44, "q1"] == "agree" else "agree"
    labels = Deduplicator(threshold=0.5).fit_predict(again, on=list(again))
    np.testing.assert_array_equal(labels[40:44], labels[:4])
    assert len(set(labels)) <= 41


def test_many_likely_duplicates_below_the_threshold_warn():
    rng = np.random.default_rng(0)
    first = rng.choice("Ada Bo Cy Eva Finn Gus Hal Ida Jon Kai Lea Mia Ned Ole Pia".split(), 60)
    last = rng.choice("Berg Dahl Holm Lind Nord Voss Falk Krog Moen Ruud Sand".split(), 60)
    born = [f"19{y}-{m}-{d}" for y, m, d in rng.integers([40, 10, 10], [99, 12, 28], (60, 3))]
    full = [f"{a} {b}" for a, b in zip(first, last, strict=True)]
    short = [f"{a[0]}. {b}" for a, b in zip(first, last, strict=True)]
    people = {"name": [*full, *short], "born": [*born, *(day[:4] for day in born)]}
    with pytest.warns(UserWarning, match=r"^\d+ rows .* of 0.5 to 0.9, .* borderline\(0.4\)"):
        fitted = Deduplicator().fit(people, on=["name", "born"])
    likely = (fitted.scores_ >= 0.5) & (fitted.scores_ < 0.9)
    assert likely.sum() > 20 > len(people["name"]) - len(fitted.kept_)
    Deduplicator(threshold=0.5).fit(people, on=["name", "born"])  # what was likely is dropped


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_rows_of_a_template_are_not_merged(linkage):
    """Some of their numbers read as years, and are as near to others as typing errors."""
    numbers = [*range(150, 170), *range(1500, 1700, 5), *range(11_500, 11_700, 5)]
    texts = [f"Item No. {number}" for number in numbers]
    deduplicator = Deduplicator(threshold=0.01, linkage=linkage).fit(texts)
    assert deduplicator.labels_.tolist() == list(range(len(texts)))


def test_empty_records_are_duplicates_of_nothing():
    table = pd.DataFrame({"name": ["", "Ada Berg", None, "Ada Berg"], "city": ["", "Rome"] * 2})
    assert Deduplicator().fit(table, on=["name", "city"]).labels_.tolist() == [0, 1, 2, 1]
    assert Deduplicator().fit(["", "Ada Berg", "?", " ", "?"]).labels_.tolist() == [0, 1, 2, 3, 4]


# Names


@pytest.mark.parametrize("kind", repeated_names.KINDS)
def test_names_with_errors_are_found(kind):
    names, numbers = repeated_names.with_copies(kind, 300, 150, seed=1)
    labels, numbers = Deduplicator().fit_predict(names), np.array(numbers)
    found, right = (np.triu(x[:, None] == x, 1) for x in (labels, numbers))
    both = (found & right).sum()
    assert both / found.sum() >= 0.95
    assert both / right.sum() >= 0.85


@pytest.mark.parametrize("kind", repeated_names.KINDS)
@pytest.mark.parametrize("n_rows", [12, 50, 400])
def test_different_names_stay(kind, n_rows):
    names = repeated_names.names(kind, n_rows, seed=2)
    assert len(Deduplicator().fit(names).kept_) >= 0.995 * n_rows


def test_forms_of_one_name():
    names = [
        "Harlow Timber Ltd", "Harlow Timber Limited", "HARLOW TIMBER, LTD.", "Harlow Timber Inc",
        "José Ramírez", "Jose Ramirez", "12 Oak Street", "14 Oak Street", "12 oak street",
        "anna.berg@mail.example", "tom.holm@mail.example",
    ]  # fmt: skip
    expected = [0, 0, 0, 1, 2, 2, 3, 4, 3, 5, 6]
    fitted = Deduplicator().fit(names)
    assert fitted.labels_.tolist() == expected
    growing = Deduplicator()
    for start in range(0, len(names), 3):
        growing.partial_fit(names[start : start + 3])
    assert growing.labels_.tolist() == expected
    np.testing.assert_array_equal(growing.scores_, fitted.scores_)
    pair = ("Harlow Timber Ltd", "Harlow Timber Inc")
    answered = fitted.judge([pair], ["y"])
    assert answered.labels_[0] == answered.labels_[3]


def test_the_kind_of_a_column_decides():
    table = pd.DataFrame({"x": ["Harlow Timber Ltd", "Harlow Timber Limited"]})
    assert Deduplicator().fit(table, on={"x": "names"}).labels_.tolist() == [0, 0]
    assert Deduplicator().fit(table, on={"x": "sentences"}).labels_.tolist() == [0, 1]
    many = ["Harlow Timber Ltd"] * 2000 + ["harlow timber ltd."] * 2000
    assert len(Deduplicator().fit(many).pairs_) == 3999


def test_accents_say_nothing():
    texts = ["This is a naïve approach to it.", "This is a naive approach to it.", "It rains."]
    fitted = Deduplicator().fit(texts)
    assert fitted.labels_.tolist() == [0, 0, 1]
    assert Deduplicator().fit(["São Paulo", "Sao Paulo"]).labels_.tolist() == [0, 0]


def test_tables_of_pyarrow():
    texts = ["it rains", "it rains!", "a dog"]
    deduplicator = Deduplicator().fit(pa.array(texts))
    table = pa.table({"text": texts, "number": [1, 2, 3]})
    assert deduplicator.drop_duplicates(table)["number"].to_pylist() == [1, 3]
    assert deduplicator.drop_duplicates(pa.array(texts)).to_pylist() == ["it rains", "a dog"]
    lazy = pl.LazyFrame({"text": texts})
    for frame in (table, lazy, {"text": texts, "number": [1, 2, 3]}):
        fitted = Deduplicator().fit(frame, on="text")
        assert fitted.labels_.tolist() == [0, 0, 1]
    assert fitted.drop_duplicates(lazy).to_dict(as_series=False) == {"text": ["it rains", "a dog"]}
    assert fitted.drop_duplicates({"number": [1, 2, 3]}) == {"number": [1, 3]}


@pytest.mark.parametrize("texts", [[], ["a dog"], ["", ""]])
def test_few_sentences(texts):
    for linkage_name in ("auto", "single", "complete"):
        fitted = Deduplicator(linkage=linkage_name).fit(texts)
        assert fitted.labels_.tolist() == fitted.kept_.tolist() == list(range(len(texts)))
    assert fitted.partial_fit(["the dog", "the dog"]).labels_.shape == (len(texts) + 2,)


def test_text_in_another_language_is_pointed_out():
    matcher = TableMatcher().fit(["A dog runs through the snow."])
    for call in (Deduplicator().fit, TableMatcher().fit, matcher.match):
        with pytest.warns(UserWarning, match="another language"):
            call(["Das Wetter ist heute sehr schön.", "Zwei Hunde laufen durch den Schnee."])
    assert len(TableMatcher().fit(["Москва", "Новосибирск"]).match(["г. Москва"])) == 1  # names


def test_sentences_of_other_languages_are_merged_only_if_they_are_equal():
    rows = [
        "Der Zug fährt um 9 Uhr.",
        "Der Zug fährt um 9 Uhr nicht.",
        "der zug faehrt, um 9 Uhr",
        "DER ZUG FÄHRT UM 9 UHR!",
        "La tienda está abierta.",
        "La tienda está cerrada.",
        "The shop is open every day.",
        "The store is open every day.",
    ]
    with pytest.warns(UserWarning, match="another language"):
        found = Deduplicator(threshold=0.75).fit(rows)
    assert found.kept_.tolist() == [0, 1, 2, 4, 5, 6]
    reasons = found.borderline(1)["reason"]
    assert "not English, so the rules cannot tell" in reasons
    kinds = ["negation", "antonym"]
    with pytest.warns(UserWarning, match="another language"):
        assert len(Deduplicator(threshold=0.75, guard=kinds).fit(rows).kept_) < 6


def test_mixed_pairs_are_not_merged():
    rows = ["A man plays the guitar.", "Un hombre toca la guitarra."] * 2
    kept = Deduplicator(threshold=0.3, guard=["language"]).fit(rows).kept_
    assert kept.tolist() == [0, 1]


@pytest.mark.parametrize(("n", "n_pairs"), [(15, 105), (16, 120), (17, 121), (20, 124)])
def test_sixteen_texts_with_one_vector_are_compared_with_each_other(n, n_pairs):
    orders = permutations(["big", "dogs", "chased", "cats"])
    sentences = [" ".join(words).capitalize() + "." for words in orders][:n]
    deduplicator = Deduplicator().fit(pd.DataFrame({"text": sentences}), on={"text": "sentences"})
    assert len(deduplicator.pairs_) == n_pairs
    later = deduplicator.pairs_[deduplicator.pairs_[:, 1] >= 16]
    assert set(later[:, 0].tolist()) <= {0}  # with the first one only


def test_names_of_marks_alone_are_compared():
    names = ["!!!", "???", "!!!", "€", "€", "Yahoo!", "Yahoo", ""]
    assert Deduplicator(kind="names").fit(names).labels_.tolist() == [0, 1, 0, 2, 2, 3, 3, 4]


def test_rows_in_another_order_are_refused():
    texts = ["It rains.", "A dog runs.", "It rains!", "Prices rose."]
    frame = pd.DataFrame({"text": texts, "id": [1, 2, 3, 4]})
    deduplicator = Deduplicator().fit(frame, on="text")
    for same in (frame, frame.assign(text=frame["text"].str.upper()), frame[["id"]], [4, 3, 2, 1]):
        assert len(deduplicator.drop_duplicates(same)) == 3
    for other in (frame.iloc[::-1], texts[::-1], {"text": texts[::-1]}):
        with pytest.raises(ValueError, match="X has the fitted rows in another order"):
            deduplicator.drop_duplicates(other)
    with pytest.raises(ValueError, match="X has the fitted rows in another order"):
        deduplicator.merge(frame.iloc[::-1])
