"""What belongs to the caller stays independent of what skpara holds, and unchanged."""

from __future__ import annotations

import threading
import warnings

import numpy as np
import platformdirs
import pytest

from skpara import WordVectors
from skpara.datasets import get_data_home
from skpara.metrics import bootstrap_interval, pearson_score, semeval_intervals, spearman_score
from skpara.resources._cache import cached_tables

WORDS = ["dog", "cat", "cow"]
MATRIX = np.eye(3, 4, dtype=np.float32)


@pytest.mark.parametrize(
    "own",
    [
        *(lambda m: m, lambda m: m[:], lambda m: m.astype(np.float64), np.asfortranarray),
        lambda m: memoryview(m),
    ],
    ids=["array", "view", "double", "Fortran order", "memoryview"],
)
def test_a_changed_array_changes_no_vectors(own):
    matrix = own(MATRIX.copy())
    vectors = WordVectors(WORDS, matrix)
    np.asarray(matrix)[...] = 7.0
    np.testing.assert_array_equal(vectors.matrix, MATRIX)


def test_changed_codes_and_rows_change_no_vectors():
    codes, scales = np.eye(3, dtype=np.int8), np.ones(3, dtype=np.float32)
    vectors = WordVectors(WORDS, codes, scales)
    rows = np.full((1, 3), 5, dtype=np.float32)
    tuned = vectors.with_rows(np.array([1]), rows)
    codes[...], scales[...], rows[...] = 9, 9, 9
    np.testing.assert_array_equal(vectors.matrix, np.eye(3))
    assert tuned["cat"].tolist() == [5, 5, 5]


def test_the_callers_array_stays_writable():
    matrix = MATRIX.copy()
    WordVectors(WORDS, matrix)
    matrix[0, 0] = 2.0


def test_warning_filters_are_unchanged_by_threads():
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.normal(size=(2, 12)).round()
    before = list(warnings.filters)
    barrier = threading.Barrier(4)

    def work():
        barrier.wait()
        for _ in range(5):
            bootstrap_interval(y_true, y_pred, n_resamples=20, random_state=0)
            semeval_intervals(y_true, y_pred, ["a", "b"] * 6, n_resamples=20, random_state=0)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(warnings.filters) == before


def test_without_a_home_directory_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        platformdirs, "user_cache_dir", lambda *_, **__: "~no-such-user/.cache/skpara"
    )
    monkeypatch.delenv("SKPARA_DATA", raising=False)
    arrays, more = cached_tables("x", 1, [], lambda: ({"a": np.arange(3)}, {"b": 1}))
    assert (arrays["a"].tolist(), more) == ([0, 1, 2], {"b": 1})
    with pytest.raises(FileNotFoundError, match="Pass data_home="):
        get_data_home()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("metric", [pearson_score, spearman_score])
def test_masked_scores_are_missing(metric):
    true, pred = np.arange(5.0), np.array([0.0, 2, 1, 3, 4])
    assert metric(np.ma.array(true), pred) == metric(true, pred)
    with pytest.raises(ValueError, match=r"y_true\[2\] = nan"):
        metric(np.ma.array(true, mask=true == 2), pred)
    with pytest.raises(ValueError, match=r"y_pred\[4\] = nan"):
        metric(true, np.ma.array(pred.astype(int), mask=pred == 4))
