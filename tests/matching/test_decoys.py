"""How probable matches are by what the tables of a call tell."""

from __future__ import annotations

import joblib
import numpy as np
import pytest
from scipy.special import expit, logit

from skpara import TableMatcher, load_model, save_model
from skpara.matching import _decoys

rng = np.random.default_rng(0)
WORDS = [
    a + b for a in ("bar", "kel", "mon", "tir", "sol", "wen") for b in ("do", "ra", "mi", "tu")
]


def call(n_rows, n_right, n_candidates=5, seed=0):
    """Scores of rows, of which the first ones have a right candidate that is 5 better."""
    rng = np.random.default_rng(seed)
    rows = np.repeat(np.arange(n_rows), n_candidates)
    columns = np.concatenate([rng.permutation(10 * n_rows)[:n_candidates] for _ in range(n_rows)])
    scores = rng.normal(-4, 1, len(rows))
    scores[np.arange(n_right) * n_candidates] += 5
    features = np.column_stack(
        [scores + rng.normal(0, 0.5, len(rows)), rng.normal(size=len(rows))]
    )
    return scores, rows, columns, features


def log_odds(scores, rows, columns, features, earlier=None):
    return _decoys.call_log_odds(scores, lambda: scores - 6, features, rows, columns, earlier)


def test_values_far_above_all_decoys_are_right_and_those_among_them_are_not():
    decoys = rng.normal(0, 1, 500)
    values = np.concatenate([rng.normal(0, 1, 250), rng.normal(8, 1, 250)])
    odds = _decoys.decoy_log_odds(values, decoys)
    assert np.median(odds[:250]) < -1
    assert np.median(odds[250:]) > 3
    order = np.argsort(values)
    assert (np.diff(odds[order]) >= 0).all()


def test_the_share_of_false_discoveries_is_about_what_log_odds_say():
    right = rng.random(4000) < 0.5
    values = rng.normal(np.where(right, 2.0, 0.0), 1)
    odds = _decoys.decoy_log_odds(values, rng.normal(0, 1, 4000))
    middle = (odds > logit(0.3)) & (odds < logit(0.9))
    assert expit(odds[middle]).mean() == pytest.approx(right[middle].mean(), abs=0.08)


def test_few_decoys_say_nothing():
    assert _decoys.decoy_log_odds(np.arange(3.0), np.arange(4.0)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("n_right", [0, 150, 300])
def test_rows_match_if_their_candidate_leads_as_wrong_ones_never_do(n_right):
    scores, rows, columns, features = call(300, n_right)
    odds, taught = log_odds(scores, rows, columns, features)
    matched = np.unique(rows[odds >= 0])
    assert (matched >= n_right).sum() <= 0.05 * 300
    assert (matched < n_right).sum() >= 0.75 * n_right
    assert taught.n_rows == 300
    assert taught.n_matches == pytest.approx(n_right, abs=60)


def test_no_order_of_rows_changes_log_odds():
    scores, rows, columns, features = call(200, 100)
    odds, _ = log_odds(scores, rows, columns, features)
    new = np.random.default_rng(1).permutation(200)
    order = np.argsort(new[rows], kind="stable")
    others, _ = log_odds(scores[order], new[rows][order], columns[order], features[order])
    np.testing.assert_allclose(others, odds[order], atol=1e-3)


def test_at_most_one_candidate_of_a_row_is_right():
    scores, rows, columns, features = call(200, 100)
    odds, _ = log_odds(scores, rows, columns, features)
    assert np.bincount(rows, expit(odds)).max() <= 1.2
    assert np.bincount(rows, odds > 0).max() == 1


def test_one_row_has_the_packaged_log_odds_until_a_large_call_has_taught():
    scores, rows, columns, features = call(200, 150)
    _, taught = log_odds(scores, rows, columns, features)
    one = [x[:5] for x in (scores, rows, columns, features)]
    alone, nothing = log_odds(*one)
    np.testing.assert_array_equal(alone, one[0] - 6)
    assert nothing is None
    known, kept = log_odds(*one, taught)
    assert known[0] > 0 > alone[0]
    assert kept is taught


def test_the_tables_teach_which_numbers_tell():
    scores, rows, columns, features = call(300, 200)
    _, taught = log_odds(scores, rows, columns, features)
    of_score, telling, noise, _ = taught.weights
    assert telling > 0.2
    assert abs(noise) < 0.2
    assert of_score > 0


@pytest.mark.parametrize(("n_rows", "n_kept"), [(100, 100), (2000, 2000), (2001, 1001)])
def test_the_four_best_pairs_of_two_thousand_rows_are_kept(n_rows, n_kept):
    rows, columns = np.repeat(np.arange(n_rows), 5), np.arange(5 * n_rows)
    scores = np.random.default_rng(0).normal(-4, 1, 5 * n_rows)
    _, taught = log_odds(scores, rows, columns, scores[:, None])
    assert len(np.unique(taught.rows)) == n_kept
    assert len(taught.rows) == 4 * n_kept
    assert taught.n_rows == n_rows


def people(n, seed, numbered=False):
    """A table of people in another hand, and its reference."""
    rng = np.random.default_rng(seed)
    first, last = (rng.choice(WORDS, n) for _ in range(2))
    town, year = rng.choice(WORDS[:12], n), rng.integers(1930, 2000, n)
    reference = {
        "name": [f"{a} {b}".title() for a, b in zip(first, last, strict=True)],
        "town": [x.title() for x in town],
        "born": [f"{y}-03-{d:02d}" for y, d in zip(year, rng.integers(1, 29, n), strict=True)],
    }
    order = rng.permutation(n)
    queries = {
        "name": [f"{last[i].upper()}, {first[i].title()}" for i in order],
        "town": [town[i][:3] + "." for i in order],
        "born": [reference["born"][i] for i in order],
    }
    return reference, queries, order


@pytest.fixture(scope="module")
def fitted():
    reference, queries, order = people(150, 0)
    matcher = TableMatcher().fit(reference, on=list(reference))
    return matcher, queries, order, matcher.match(queries, on=list(queries))


def test_a_table_in_another_hand_is_matched(fitted):
    matcher, _, order, matches = fitted
    right = order[matches["query"]] == matches["candidate"]
    assert right.mean() >= 0.95
    assert right.sum() >= 0.9 * len(order)
    assert matcher.n_calibration_rows_ == 150


@pytest.mark.parametrize("way", ["joblib", "model file"])
def test_what_a_call_taught_is_saved(fitted, tmp_path, way):
    matcher, queries, order, _ = fitted
    some = {name: cells[:3] for name, cells in queries.items()}
    if way == "joblib":
        joblib.dump(matcher, tmp_path / "m")
        loaded = joblib.load(tmp_path / "m")
    else:
        save_model(matcher, tmp_path / "m.skpara")
        loaded = load_model(tmp_path / "m.skpara")
    assert loaded.n_calibration_rows_ == 150
    expected, found = (x.match(some, on=list(some)) for x in (matcher, loaded))
    np.testing.assert_array_equal(found["candidate"], order[:3])
    np.testing.assert_allclose(found["probability"], expected["probability"], atol=1e-6)


def test_added_and_dropped_rows_keep_what_was_taught(fitted):
    _, queries, order, _ = fitted
    some = {name: cells[:5] for name, cells in queries.items()}
    reference, _, _ = people(150, 0)
    new = TableMatcher().fit(reference, on=list(reference))
    new.match(queries, on=list(queries))
    new.partial_fit({name: cells[:1] for name, cells in people(3, 9)[0].items()})
    assert new.n_calibration_rows_ == 150
    new.drop([int(order[0])])
    found = new.match(some, on=list(some))
    assert set(found["query"]) == {1, 2, 3, 4}
