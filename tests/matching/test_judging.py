"""Answers of people: which pairs are asked about, what is learned, certificates and estimates."""

from __future__ import annotations

import copy
import io
import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit, logit
from scipy.stats import binom, hypergeom

from skpara import load_model, save_model
from skpara.matching import Deduplicator, Judgments, TableMatcher
from skpara.matching._answers import Answer, Compared
from skpara.matching._certificate import (
    Sample,
    certified,
    in_random_order,
    n_answers_needed,
    to_ask,
)

REFERENCE = ["University of Oslo", "Oslo City Museum", "Lund Cathedral"]
QUERIES = ["Univ. of Oslo", "Oslo Museum", "Lund Castle"]
PLACES = pd.DataFrame({"a": ["new", "new york", "lund"], "b": ["york city", "city", "church"]})


class Points:
    """Encodes a number as a direction in the plane, so that cosines are known."""

    def encode(self, sentences):
        angles = np.array([float(text) for text in sentences])
        return np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)


@pytest.fixture
def numbers():
    """Forty numbers, 370 pairs of which are near each other."""
    texts = [f"{x:.6f}" for x in np.cumsum(np.linspace(0.2, 0.9, 40)) % 3.1]
    return Deduplicator(encoder=Points(), min_cosine=0.6, guard=False).fit(texts)


@pytest.fixture
def people():
    """Names with typing errors, matched with 300 names: (matcher, queries, right rows)."""
    rng = np.random.default_rng(0)
    parts = ["ka", "lo", "mi", "ren", "tru", "vos", "dan", "zel", "ber", "sun"]
    words = ["".join(rng.choice(parts, 3)) for _ in range(600)]
    names = [f"{a} {b}" for a, b in zip(words[::2], words[1::2], strict=True)]
    queries = [name[:2] + name[3:] if k % 3 else name[:-4] for k, name in enumerate(names[:150])]
    matcher = TableMatcher().fit(names)
    matcher.match(queries)
    return matcher, queries


def right(pairs):
    return pairs["query"] == pairs["candidate"]


def same(pairs):
    """The right answers: the numbers differ by less than .5."""
    return [abs(float(a) - float(b)) < 0.5 for a, b in pairs[["sentence1", "sentence2"]].tolist()]


# What is asked


@pytest.mark.filterwarnings("ignore:Answers contradict")  # nearness is not transitive
def test_the_first_review_is_of_all_ranks_of_what_could_match(numbers):
    everything = np.sort(copy.deepcopy(numbers).review(1000)["probability"])
    likely = everything[everything >= 0.01]
    assert 50 < len(likely) < len(everything)
    first = numbers.review(20)
    assert set(first["drawn"]) == {"ranks"}
    ranks = np.searchsorted(likely, np.sort(first["probability"]), "right")
    np.testing.assert_allclose(ranks, (np.arange(20) + 0.5) * len(likely) / 20, atol=4)
    numbers.judge(first, [*same(first[:-1]), None])
    # Nothing is asked twice, not even what somebody was unsure of.
    asked = set(first[["first", "second"]].tolist())
    others = numbers.review(1000)
    assert asked.isdisjoint(others[["first", "second"]].tolist())
    assert len(asked) + len(others) == len(everything)


def test_later_reviews_are_half_of_doubts_and_half_of_random_matches(people):
    matcher, _ = people
    first = matcher.review(10)
    matcher.judge(first, right(first))
    every = copy.deepcopy(matcher._last).review(10_000)
    second = matcher.review(10)
    doubts, matches = (second[second["drawn"] == x] for x in ("doubt", "matches"))
    assert (len(doubts), len(matches)) == (5, 5)
    distances = np.sort(np.abs(logit(every["probability"])))
    np.testing.assert_allclose(np.sort(np.abs(logit(doubts["probability"]))), distances[:5])
    assert (matches["probability"] >= 0.5).all()
    matcher.set_params(threshold=0.8)
    near = matcher.review(10)
    near = near[near["drawn"] == "doubt"]
    distances = np.sort(np.abs(logit(every["probability"]) - logit(0.8)))
    found = np.sort(np.abs(logit(near["probability"]) - logit(0.8)))
    np.testing.assert_allclose(found, distances[:5])


def test_random_matches_are_the_same_whatever_else_is_asked(people):
    matcher, _ = people
    some = matcher.review(30, evenly=True)
    assert set(some["drawn"]) == {"evenly"}
    assert (some["probability"] >= 0.5).all()
    before = copy.deepcopy(matcher._last).review(1000)
    matcher.judge(some, right(some))
    after = matcher.review(1000)  # what was measured teaches nothing
    kept = np.isin(before["query"], after["query"])
    np.testing.assert_allclose(after["probability"].max(), before["probability"][kept].max())
    assert not set(some["query"]) & set(matcher.review(30, evenly=True)["query"])


# What is learned


def test_weights_are_at_the_minimum_of_the_penalised_loss():
    rng = np.random.default_rng(1)
    n = 60
    features = rng.normal(5, [0.1, 1, 10], (n, 3))
    features[::7, 1] = np.nan
    logits = rng.normal(0, 3, n)
    y = rng.random(n) < expit(logits + 2 * (features[:, 0] - 5) / 0.1)
    cells = [(f"a{k}",) for k in range(n)], [(f"b{k}",) for k in range(n)]
    pairs = np.column_stack([np.arange(n)] * 2)
    compared = Compared(["text"], *cells, pairs, {"query": pairs[:, 0]}, logits, features)
    judgments = Judgments()
    keys = list(zip(*cells, strict=True))
    judgments.add({keys[k]: Answer(bool(y[k])) for k in range(40)}, compared)

    z = (features - np.nanmean(features, axis=0)) / np.nanstd(features, axis=0)
    X = np.column_stack([logits, np.ones(n), np.nan_to_num(z)])
    prior, penalties = np.array([1.0, 0, 0, 0, 0]), np.array([4, 1, *[8] * 3])

    def loss(w):
        p = 0.05 + 0.9 * expit(X[:40] @ w)
        error = np.where(y[:40], np.log(p), np.log(1 - p))
        return -error.sum() + penalties @ (w - prior) ** 2 / 2

    expected = X @ minimize(loss, prior, options={"gtol": 1e-7}).x
    np.testing.assert_allclose(judgments.decided(compared, by_hand=False), expected, atol=0.01)
    by_hand = judgments.decided(compared)
    np.testing.assert_array_equal(by_hand[:40], np.where(y[:40], np.inf, -np.inf))
    np.testing.assert_allclose(by_hand[40:], expected[40:], atol=0.01)


def test_answers_teach_about_columns_which_score_no_pair():
    """Two kinds of pairs have the same log odds; answers tell the kinds apart."""
    kind = np.arange(40) % 2
    logits, cells = np.zeros(40), [(str(k),) for k in range(40)]
    pairs = np.column_stack([np.arange(40)] * 2)
    compared = Compared(["x"], cells, list(cells), pairs, {}, logits, kind[:, None] * 1.0)
    judgments = Judgments()
    answers = {(cells[k], cells[k]): Answer(bool(kind[k])) for k in range(20)}
    judgments.add(answers, compared)
    assert ((judgments.decided(compared) > 0) == kind).all()
    # Features of another version: what was learned about log odds alone is left.
    for features in (None, np.ones((40, 2))):
        other = judgments.decided(compared._replace(features=features), by_hand=False)
        assert np.ptp(other) == 0


def test_one_wrong_answer_among_twenty_moves_little(people):
    matcher, queries = people
    matches = matcher.match(queries)
    n = len(matches)
    for wrong in (False, True):
        judged = copy.deepcopy(matches)
        asked = judged.review(21)
        answers = right(asked)
        answers[0] ^= wrong  # the most probable of them
        moved = len(judged.judge(asked, answers))
        assert abs(moved - n) < 0.15 * n
        judged.judge(asked, answers)  # the same again says nothing new
        assert len(judged) == moved
    assert len(matches) == n  # what a copy learns is its own


def test_answers_decide_and_recalibrate():
    matcher = TableMatcher(guard=False).fit(REFERENCE)
    with pytest.raises(ValueError, match="Call match first"):
        matcher.review()
    assert len(matcher.match([*QUERIES, *REFERENCE])) == matcher.estimate().n_matches
    matcher.match(QUERIES)
    asked = matcher.review(3)
    assert sorted(asked["sentence1"]) == sorted(QUERIES)
    matcher.judge(asked, [first == "Lund Castle" for first in asked["sentence1"]])
    matches = matcher.match(QUERIES)
    found = dict(matches[["query", "candidate"]].tolist())
    assert found[2] == 2
    assert found.get(0) != 0
    assert found.get(1) != 1
    assert matches["probability"][matches["query"] == 2].tolist() == [1]
    assert matcher.estimate().n_judged == 3


def test_answers_hold_until_they_are_replaced():
    texts, pairs = ["0", "0.3", "0.7", "2"], [("0", "0.3"), ("0.3", "0.7"), ("0", "0.7")]
    deduplicator = Deduplicator(encoder=Points(), min_cosine=0.6).fit(texts)
    before = deduplicator.labels_.tolist()
    deduplicator.judge(pairs[:1], ["n"]).judge(pairs[1:], ["Yes", False])
    assert deduplicator.labels_.tolist() == [0, 1, 1, 2]
    assert deduplicator.labels(0.9).tolist() == before  # another threshold asks for the scores
    assert deduplicator.judge(pairs, [True] * 3).labels_.tolist() == [0, 0, 0, 1]
    assert deduplicator.judge(pairs, [None] * 3).labels_.tolist() == before  # unsure
    assert deduplicator.fit(texts).labels_.tolist() == before


@pytest.mark.parametrize("linkage", ["auto", "complete", "single"])
@pytest.mark.parametrize(
    "texts",
    [
        ["Acme Ltd", "Acme Limited", "Bo Ek", "Acme Limited"],
        ["It rains in the city.", "it rains in the city!", "A dog runs.", "it rains in the city!"],
    ],
)
def test_a_no_holds_for_texts_that_are_written_alike_and_equal_ones_stay_together(texts, linkage):
    deduplicator = Deduplicator(linkage=linkage).fit(texts)
    assert deduplicator.labels_.tolist() == [0, 0, 1, 0]
    assert deduplicator.judge([texts[:2]], ["n"]).labels_.tolist() == [0, 1, 2, 1]


def test_answers_about_rows_that_were_not_compared_are_said():
    texts = ["Acme Ltd", "Acme Limited", "Bo Ek", "Acmee Ltd", "Zed Orli"]
    deduplicator = Deduplicator(threshold=0.5).fit(texts)
    with pytest.warns(UserWarning, match="not compared: 'Acme Limited' and 'Acmee Ltd'"):
        deduplicator.judge([texts[1:4:2]], ["n"])
    matcher = TableMatcher(n_candidates=1).fit(["Acme Ltd", "Bo Ek", "Item 13"])
    matcher.match(["Acme Limited", "Item 12"])
    with pytest.warns(UserWarning, match="not compared: 'Acme Limited' and 'Bo Ek'"):
        matcher.judge([("Acme Limited", "Bo Ek")], ["y"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        matcher.judge([("Acme Limited", "Bo Ek")], ["n"])  # as it is
        matcher.judge([("Item 12", "Item 13")], ["y"])  # compared, and refused by the guard
        others = [("Acme Limited", "Nobody"), ("No one", "Bo Ek")]  # of other tables
        matcher.judge([*others, ("Item 12", "Item 13")], ["y", "n", "y"])
        matcher.judge([("No one", "Nobody")], ["u"])  # changes nothing anywhere
    with pytest.warns(UserWarning, match="no rows 'Acme Limited' and 'Nobody'"):
        matcher.judge(others, ["y", "n"])
    with pytest.warns(UserWarning, match="no rows 'No one' and 'Zed Orli'"):
        deduplicator.judge([("Zed Orli", "No one")], ["y"])
    assert matcher.match(["Item 12"])["candidate"].tolist() == [2]


class Certain:
    """A model that is certain of all pairs."""

    classes_ = (False, True)

    def predict_proba(self, pairs):
        return np.tile([0.0, 1.0], (len(pairs), 1))


def test_an_answer_leaves_the_guard_on_for_other_pairs_of_probability_1():
    twelve, thirteen = "He bought 12 books.", "He bought 13 books."
    matcher = TableMatcher(model=Certain(), guard=True).fit([twelve, "It rains."])
    assert len(matcher.match([thirteen])) == 1  # the other sentence, as Certain says
    first = matcher.match([thirteen])["candidate"].tolist()
    assert matcher.match(["It is raining."])["probability"].tolist() == [1]
    matcher.judge([("It is raining.", "It rains.")], ["y"])
    assert matcher.match([thirteen])["candidate"].tolist() == first == [1]
    matcher.judge([(thirteen, twelve)], ["y"])
    assert matcher.match([thirteen])["candidate"].tolist() == [0]
    texts = [twelve, thirteen, "It rains.", "It is raining."]
    deduplicator = Deduplicator(0.9, model=Certain(), min_cosine=0.01, guard=True).fit(texts)
    apart = deduplicator.judge([texts[2:]], ["y"]).labels_
    assert apart[0] != apart[1]
    joined = deduplicator.judge([texts[:2]], ["y"]).labels_
    assert joined[0] == joined[1]


# What answers are about


def test_answers_are_about_cells_not_about_joined_text():
    matcher = TableMatcher().fit(PLACES, on=["a", "b"])
    matcher.match(PLACES)
    first, second = (tuple(row) for row in PLACES[:2].to_numpy())
    assert matcher.match(PLACES).to_frame()["a"].tolist() == PLACES["a"].tolist()
    matcher.judge([(first, first)], ["n"])
    matches = matcher.match(PLACES).to_frame()
    pairs = list(zip(matches["a"], matches["a_match"], strict=True))
    assert ("new york", "new york") in pairs
    assert ("new", "new") not in pairs
    text = "new york city"
    with pytest.warns(UserWarning, match="texts of 4 pairs of records"):
        matcher.judge([(text, text)], ["n"])
    with pytest.raises(ValueError, match=r"pairs\[1\] must have the 2 cells of both rows"):
        matcher.judge([(first, second), (first, ("a",))], [True, True])


def test_pairs_of_one_table_have_no_order():
    texts = ["0", "0.3", "0.7"]
    deduplicator = Deduplicator(encoder=Points(), threshold=0.9, guard=False).fit(texts)
    assert deduplicator.labels_[0] == deduplicator.labels_[1]
    deduplicator.judge([("0.3", "0")], ["n"])
    assert deduplicator.labels_[0] != deduplicator.labels_[1]
    with pytest.warns(UserWarning, match=r"answers\[0\] and answers\[1\].*first 0 and second 1"):
        deduplicator.judge([("0", "0.3"), ("0.3", "0")], ["n", "y"])
    assert deduplicator.labels_[0] == deduplicator.labels_[1]  # the later one holds


def test_contradictions_are_said():
    deduplicator = Deduplicator(encoder=Points(), min_cosine=0.6).fit(["0", "0.3", "0.7", "2"])
    with pytest.warns(UserWarning, match="row 0, '0', and row 2, '0.7', are different by one"):
        deduplicator.judge([("0", "0.3"), ("0.3", "0.7"), ("0.7", "0")], ["y", "y", "n"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        deduplicator.judge([("0.7", "0")], ["u"])
        matcher = TableMatcher().fit(["a b", "a c"])
        matcher.match(["a b", "a d"])
        # Two rows of the reference may be the counterpart of one query; this is no contradiction.
        matcher.judge([("a b", "a b"), ("a b", "a c"), ("a d", "a b")], ["y", "y", "n"])


@pytest.mark.parametrize("library", [pd, pl])
def test_a_review_goes_through_a_csv_file(library):
    table = pd.DataFrame({"name": ["Ann Berg", "Bo Li", "Cy Dahl"], "zip": ["0012", "77", "5"]})
    queries = table.assign(name=["Anne Berg", "Bo Lie", "Cy Dahl"])
    matcher = TableMatcher().fit(table, on=["name", "zip"])
    matcher.match(queries)
    asked = matcher.review(10)
    assert {"name_1", "name_2", "zip_1", "zip_2"} <= set(asked.dtype.names)
    file = io.StringIO(pd.DataFrame(asked).assign(answer=["n", "", "y"]).to_csv(index=False))
    matcher.judge(library.read_csv(file))  # which reads 0012 as 12
    quality = matcher.estimate()
    assert quality.n_judged == 2
    refused, unanswered, _ = asked["query"].tolist()
    assert refused not in matcher.match(queries)["query"]
    assert matcher.review()["query"].tolist().count(unanswered) == 1
    with pytest.raises(TypeError, match="a frame of pairs that has the column answer"):
        matcher.judge(asked)


@pytest.mark.parametrize(
    ("answers", "match"), [(["maybe"], r"answers\[0\] is 'maybe'"), ([True, True], "2 answers")]
)
def test_other_answers_are_refused(numbers, answers, match):
    with pytest.raises(ValueError, match=match):
        numbers.judge([("0", "1")], answers)


def test_a_notebook_shows_cells_one_below_the_other():
    matcher = TableMatcher().fit(["red <b> bicycle", "garden chair"])
    matcher.match(["red bicycle"])
    shown = matcher.review()._repr_html_()
    assert "<mark>red bicycle</mark><br><mark>red &lt;b&gt; bicycle</mark>" in shown
    matcher = TableMatcher().fit(PLACES, on=["a", "b"])
    matcher.match(PLACES.replace("lund", "lunt"))
    asked = matcher.review(10)
    place = asked["query"].tolist().index(2)
    shown = asked[place : place + 1]._repr_html_()
    assert "<td>a<td><mark>lunt</mark><br><mark>lund</mark>" in shown
    assert "<td>b<td>church</table>" in shown
    assert asked[["query", "candidate"]]._repr_html_().startswith("<table><tr><th>query")


# What is kept


def test_what_was_learned_is_saved(people, tmp_path):
    matcher, queries = people
    asked = matcher.review(20)
    matcher.judge(asked, right(asked))
    random = matcher.review(20, evenly=True)
    expected = matcher.judge(random, right(random)).match(queries)
    assert matcher._judgments.need_features
    loaded = load_model(save_model(matcher, tmp_path / "m.skpara"))
    for other in (loaded, pickle.loads(pickle.dumps(matcher))):
        np.testing.assert_array_equal(other.match(queries), expected)
        assert other.estimate() == matcher.estimate()
        assert other.certify() == matcher.certify()
        other.judge(asked[:1], ["u"])
        again = copy.deepcopy(expected).judge(asked[:1], ["u"])
        np.testing.assert_allclose(other._judgments.weights, again._judgments.weights)


def test_answers_of_a_file_that_are_out_of_order_are_refused():
    for wrong in (
        [[1]],
        {"rows": [[1]]},
        {"rows": []},
        3,
        Judgments().to_file() | {"weights": [1.0]},
    ):
        with pytest.raises(ValueError, match="answers"):
            Judgments.from_file(wrong)


# Certificates


@pytest.mark.parametrize(("precision", "confidence"), [(0.95, 0.95), (0.9, 0.95), (0.8, 0.99)])
def test_the_number_of_answers_that_a_certificate_takes(precision, confidence):
    risk = 1 - confidence
    needed = n_answers_needed(10**9, 0, precision, confidence)
    # As few as one look takes, but for the part of the risk that is kept for further looks.
    assert binom.pmf(0, needed, 1 - precision) <= 0.93 * risk < precision ** (needed - 1)
    for n, k in ((80, 0), (200, 0), (200, 1)):
        few = n_answers_needed(n, k, precision, confidence)
        wrong = round((1 - precision) * n) + 1
        assert few <= n_answers_needed(10**9, k, precision, confidence)
        assert hypergeom.cdf(k, n, wrong, few) <= risk
    assert n_answers_needed(100, 30, precision, confidence) == np.inf
    # Two of twenty are wrong, if the promise is broken.
    assert n_answers_needed(20, 0, 0.95, 0.95) == 16
    assert hypergeom.pmf(0, 20, 2, 16) < 0.93 * 0.05 < hypergeom.pmf(0, 20, 2, 15)


@pytest.mark.parametrize("n", [70, 400])
def test_few_wrong_certificates_however_often_one_looks(n):
    """Answers to all matches one by one: one wrong match too many, in random places."""
    rng = np.random.default_rng(0)
    wrong = n // 20 + 1
    needed = [n_answers_needed(n, k, 0.95, 0.95) for k in range(wrong)]
    labels = rng.permuted(np.tile(np.arange(n) < wrong, (20_000, 1)), axis=1)
    so_far = labels.cumsum(axis=1)
    given = np.zeros(len(labels), dtype=bool)
    for k, m in enumerate(needed):
        given |= so_far[:, int(m) - 1] <= k
    assert 0.03 < given.mean() <= 0.053


def test_certificates_of_nested_sets_are_kept():
    """Scores say little about what is right; a person answers 60 and then 60 more."""
    rng = np.random.default_rng(2)
    n_given = n_wrong = 0
    for _ in range(25):
        p = rng.beta(8, 1, 300)
        is_right = rng.random(300) < np.clip(p + rng.normal(0.03, 0.03), 0, 1)
        logits = logit(np.clip(p, 1e-6, 1 - 1e-6))
        sample = Sample(logits, True, rng.permutation(300), [None] * 300)
        for _ in range(2):
            for place in to_ask(sample, 60):
                sample.answers[place] = bool(is_right[place])
            result = certified(sample, 0.95, 0.95)
            if result.is_given:
                of_set = is_right[expit(logits) >= result.threshold - 1e-12]
                assert len(of_set) == result.n_matches
                n_given += 1
                n_wrong += of_set.mean() < 0.95
    assert n_given > 8
    assert n_wrong <= 0.05 * 25


def test_sixty_right_answers_are_enough_and_what_is_missing_is_said(people):
    matcher, _ = people
    n = len(matcher.match(people[1]))
    for precision in (0, 1, 2):
        with pytest.raises(ValueError, match="precision must be between"):
            matcher.certify(precision)
        with pytest.raises(ValueError, match="confidence must be between"):
            matcher.certify(0.9, precision)
    before = matcher.certify()
    assert not before.is_given
    assert f"{before.n_more:.0f} more that say yes would do" in str(before)
    asked = matcher.review(60, evenly=True)
    after = matcher.judge(asked, [True] * 60).certify()
    assert after.is_given
    assert after.n_wrong == 0
    assert before.n_more <= after.n_answers <= 60
    assert f"Of the {after.n_matches} matches" in str(after)
    assert 100 <= after.n_matches <= n
    assert after.shown >= 0.95
    refused = matcher.judge(asked, [False] * 60).certify()
    assert "More are wrong already." in str(refused)


def test_answers_that_taught_are_no_sample(people):
    matcher, queries = people
    first = matcher.review(20)
    matcher.judge(first, right(first))
    matcher.match(queries)
    assert matcher.certify().n_answers == 0


@settings(max_examples=25)
@given(st.lists(st.tuples(st.text(), st.text())), st.integers(0, 5))
def test_the_random_order_of_some_is_their_order_among_all(keys, step):
    keys = list(dict.fromkeys(keys))
    some = keys[:: step + 1]
    order = [keys[k] for k in in_random_order(keys)]
    assert [some[k] for k in in_random_order(some)] == [key for key in order if key in some]


# Estimates


@pytest.mark.filterwarnings("ignore:Answers contradict")
def test_quality_is_measured_on_pairs_drawn_by_chance_only(numbers):
    every = copy.deepcopy(numbers).review(1000)
    assert np.isnan(numbers.estimate()[1:3]).all()  # a cosine is no probability
    drawn = numbers.review(40)
    numbers.judge(drawn, same(drawn))
    pairs = numbers.review(10)
    doubts = pairs[pairs["drawn"] == "doubt"]
    quality = numbers.judge(doubts, [not answer for answer in same(doubts)]).estimate()
    assert quality.n_judged == 40
    assert quality.precision.low < quality.precision.value <= quality.precision.high <= 1
    quality = numbers.judge(every, same(every)).estimate()
    assert quality[:3] == (sum(same(every)), 1, 1)


def test_the_expected_recall_counts_other_candidates_and_a_usual_share_of_the_rest():
    queries = [*QUERIES, "a very different thing"]
    every = TableMatcher(top_k=3, threshold=0, guard=False).fit(REFERENCE).match(queries)
    matcher = TableMatcher(guard=False).fit(REFERENCE)
    matches = matcher.match(queries)
    none_right = [np.prod(1 - every["probability"][every["query"] == k]) for k in range(4)]
    possible = 4 - 0.75 * np.sum(none_right)
    expected = matches["probability"].sum() / possible
    assert matcher.estimate().expected_recall == pytest.approx(expected)
    assert matcher.curve()["recall"][len(matches) - 1] == pytest.approx(expected)


def test_the_curve_is_what_thresholds_are_expected_to_give(sample):
    matcher = TableMatcher(guard=False).fit(sample.data[:150].ravel().tolist())
    matcher.match(sample.data[150:200].ravel().tolist())
    curve = matcher.curve()
    assert (np.diff(curve["threshold"]) < 0).all()
    assert (np.diff(curve["recall"]) > 0).all()
    assert curve["recall"][-1] <= 1
    for row in curve[:: max(1, len(curve) // 5)]:
        matcher.set_params(threshold=row["threshold"] - 1e-12)
        n, precision, recall, *_ = matcher.estimate()
        assert n == row["n_matches"]
        assert [precision, recall] == pytest.approx(row[["precision", "recall"]].tolist())
    matcher.match([])
    assert len(matcher.curve()) == 0
    assert str(matcher.certify()) == "There are no matches to certify."
    nothing = matcher.certify(0.8, 0.9)
    assert (nothing.precision, nothing.confidence) == (0.8, 0.9)
    assert (nothing.n_matches, nothing.n_answers, nothing.n_wrong) == (0, 0, 0)
    assert not nothing.is_given
