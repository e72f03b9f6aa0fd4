"""TableMatcher: names, sentences and records, whatever the tables and the batches."""

from __future__ import annotations

import datetime
import pickle
import re
import tracemalloc
import unicodedata
from collections import Counter
from decimal import Decimal

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel
from scipy.special import expit, logit
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from skpara import ParagramEncoder, load_model, save_model
from skpara.explanation import Explanation
from skpara.fusion import make_cosine_scorer
from skpara.matching import Deduplicator, TableMatcher
from skpara.matching._model import margins
from skpara.matching._texts import FEATURES, TextIndex, normalize
from skpara.matching._words import word_evidence

# Parts of names that are made up.
WORDS = [
    f"{a}{b}{c}" for a in ("ar", "el", "in", "os", "um") for b in "bdlmt" for c in ("an", "o")
]


@pytest.fixture(scope="module")
def sentences(sample):
    return sample.data[:150].ravel().tolist()


@pytest.fixture(scope="module")
def queries(sample):
    return sample.data[150:200].ravel().tolist()


@pytest.fixture
def shop():
    names = ["red bicycle", "garden chair", "electric guitar"]
    return pd.DataFrame({"name": names, "price": [250, 40, 700]}, index=[3, 2, 1])


@pytest.fixture
def wishes():
    columns = {"title": ["bike (red)", "", "a chair"], "price": [1.5, 2, 3]}
    return pd.DataFrame(columns, index=[7, 8, 9])


def most_similar(word, others):
    values = []
    for other in others:
        if word.isalpha() and other.isalpha():
            prefix = word.startswith(other) or other.startswith(word)
            least = (0.8 if min(len(word), len(other)) > 2 else 0.5) * prefix
            by_letters = max(0, 2 * Indel.normalized_similarity(word, other) - 1) ** 1.5
            values.append(max(by_letters, least))
        else:
            values.append(float(word == other))
    return max(values)


def test_features_are_those_of_independent_formulas():
    names = ["St. Mary's Hospital", "Mercy Hosp. No4", "U.S. Senate", "Café & Bar", "Senate Café"]
    queries = ["saint mary hospital", "Mercy Hospital5", "us senate", "cafe and bar", "Senat", ""]
    index = TextIndex(names)
    rows, columns = (x.ravel() for x in np.indices((len(queries), len(names))))
    found = index.compare(index.prepare(queries), rows, columns)
    features = dict(zip(FEATURES, found.T, strict=True))
    plain = ["st mary hospital", "mercy hosp no 4", "us senate", "cafe and bar", "senate cafe"]
    assert list(map(normalize, names)) == plain
    tfidf = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3), sublinear_tf=True)
    expected = tfidf.fit_transform(plain)
    expected = (tfidf.transform(map(normalize, queries)) @ expected.T).toarray()
    np.testing.assert_allclose(features["characters"], expected.ravel(), atol=1e-6)
    documents = Counter(word for text in plain for word in set(text.split()))

    def soft(first, second):
        first, second = first.split(), second.split()
        parts = []
        for side, other in ((first, second), (second, first)):
            weights = [(np.log(6 / (1 + documents[word])) + 1) ** 2 for word in side]
            best = [most_similar(word, other) for word in side]
            parts.append((np.dot(weights, best), sum(weights)))
        return (parts[0][0] + parts[1][0]) / (2 * np.sqrt(parts[0][1] * parts[1][1]))

    both = [(normalize(queries[i]), plain[j]) for i, j in zip(rows, columns, strict=True)]
    expected = [soft(*pair) if pair[0] else 0 for pair in both]
    np.testing.assert_allclose(features["soft"], expected, atol=1e-6)


@given(st.lists(st.text("aaaabbcdжя日", min_size=1, max_size=9), min_size=1, unique=True))
def test_words_that_share_few_letters_are_not_compared(words):
    index = TextIndex(words)
    rows, columns = (x.ravel() for x in np.indices((len(words), len(words))))
    found = index.compare(index.prepare(words), rows, columns)[:, FEATURES.index("first")]
    expected = [most_similar(words[i], [words[j]]) for i, j in zip(rows, columns, strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_words_are_evidence_as_by_the_definition():
    names = ["oslo university", "bergen university", "oslo airport", "university of york"]
    queries = ["oslo univ ltd", "bergen college ltd", "york 2 ltd", "oslo univ ltd", ""]
    owners = [0, 1, 2, 0, 4]  # the fourth repeats the first
    scores = np.random.default_rng(0).normal(size=(5, 4))
    best, every = scores.argmax(axis=1), list(np.ndindex(scores.shape))
    right = np.where(best[:, None] == np.arange(4), expit(scores), 0)
    wanted = [right[[0, 1, 2, 4], j].sum() - right[owners[i], j] for i, j in every]
    numbers = [np.clip(wanted, 0, 1).reshape(scores.shape)]
    for side in (0, 1):
        missing = {}
        for i, j in every[:16]:
            texts = queries[i].split(), names[j].split()
            missing |= {(i, j, x): 1 - most_similar(x, texts[1 - side]) for x in texts[side]}

        def share(word, weights, usual, without=None, missing=missing):
            counted = [(k, x) for k, x in missing.items() if k[0] != 3]
            table = np.array([(usual, 50), *((x, weights[k[:2]]) for k, x in counted)]).T
            own = [(x, weights[k[:2]]) for k, x in counted if k[2] == word and k[0] != without]
            table = np.array([(np.average(table[0], weights=table[1]), 2), *own]).T
            return np.average(table[0], weights=table[1])

        sums, least = np.zeros(scores.shape), np.full(scores.shape, np.inf)
        for (i, j, word), x in missing.items():
            m, u = share(word, right, 0.2, owners[i]), share(word, 1 - right, 0.5)
            weight = x * np.log(m / u) + (1 - x) * np.log((1 - m) / (1 - u))
            sums[i, j], least[i, j] = sums[i, j] + weight, min(least[i, j], weight)
        numbers += [sums, np.where(np.isinf(least), 0, least)]
    others = [np.delete(x, j) for i, j in enumerate(best) for x in np.array(numbers)[:, i]]
    own = np.array(numbers)[:, np.arange(5), best].T
    margins = own - np.reshape([x.max() for x in others], own.shape)
    rows, columns = np.indices(scores.shape).reshape(2, -1)
    found = word_evidence(TextIndex(names), queries, rows, columns, scores.ravel())
    np.testing.assert_allclose(found, np.hstack([own, margins]), atol=1e-9)


def test_words_that_tables_add_cost_little():
    cities = ["Oslo", "Bergen", "York", "Munich", "Geneva", "Lisbon", "Turin", "Krakow"]
    matcher = TableMatcher(threshold=0).fit(cities)
    others = [f"{city} Limited" for city in cities[:-1]]
    gains = []
    for query in ("Krakow Limited", "Krakow College"):
        alone, together = (matcher.match([*x, query])["probability"][-1] for x in ([], others))
        gains.append(logit(together) - logit(alone))
    assert gains[0] > gains[1] + 0.2


def test_few_rows_are_enough():
    names = ["University of Oslo", "University of Bergen", "Technical University of Munich"]
    matches = TableMatcher().fit(names).match(["Univ. of Oslo", "Univ Bergen", "Harvard College"])
    assert matches[["query", "candidate"]].tolist() == [(0, 0), (1, 1)]
    texts = TableMatcher().fit(["The dog runs.", "It is raining outside.", "A man plays."])
    assert texts.match(["A dog is running.", "Someone eats an apple."])["query"].tolist() == [0]
    texts = ["The cat saw the dog.", "The dog saw the cat."]  # equal ones come first
    assert TableMatcher(guard=False).fit(texts).match(texts)["candidate"].tolist() == [0, 1]


@pytest.mark.parametrize("kind", ["sentences", "names"])
def test_only_the_calibration_depends_on_the_batch(sentences, queries, kind, monkeypatch):
    from skpara.matching import _search, _strategies

    matcher = TableMatcher(top_k=3, threshold=0, guard=False)
    matcher.fit(pd.DataFrame({"text": sentences}), on={"text": kind})
    together = matcher.match(queries)
    for i, query in [*enumerate(queries)][::4]:
        expected = together["candidate"][together["query"] == i]
        np.testing.assert_array_equal(matcher.match([query])["candidate"], expected)
    backwards = np.asarray(matcher.match(queries[::-1])).reshape(-1, 3)[::-1].ravel()
    np.testing.assert_array_equal(backwards["candidate"], together["candidate"])
    np.testing.assert_allclose(backwards["probability"], together["probability"])
    for module, name, value in (
        (_search, "_MAX_PRODUCTS", 5000), (_search, "_COLUMNS_PER_MAXIMUM", 8),
        (_strategies, "_PAIRS_AT_ONCE", 70),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    again = matcher.match(queries)
    np.testing.assert_array_equal(again["candidate"], together["candidate"])
    np.testing.assert_allclose(again["probability"], together["probability"], atol=1e-12)


@pytest.mark.parametrize("columns", [["first", "last"], ["first", "last", "born", "city"]])
def test_records_get_the_same_candidates_in_batches_of_any_size(columns):
    rng = np.random.default_rng(5)
    firsts = "Kerlo Misha Polo Zed Vand Trugri Humqua Orli Brin Sola Teka Urmo".split()
    lasts = "Drane Grun Holm Ister Jarn Kvist Lund Moor Nord Oster Pell Quade".split()
    cities = "Askby Brode Carn Dunmar Elsted Forl Gant Hove".split()
    frame = pd.DataFrame(  # many have equal cells, and many candidates are equally good
        {
            "first": rng.choice(firsts, 160),
            "last": rng.choice(lasts, 160),
            "born": [f"{year}-{1 + year % 12:02d}-07" for year in rng.integers(1940, 2005, 160)],
            "city": rng.choice(cities, 160),
        }
    )
    matcher = TableMatcher(top_k=3, threshold=0).fit(frame[:100], on=columns)
    queries = frame[110:140][columns].reset_index(drop=True)
    together = candidates(matcher, queries)
    for size in (1, 7):
        parts = [queries[k : k + size] for k in range(0, len(queries), size)]
        apart = [candidates(matcher, part) for part in parts]
        for one, column in zip(zip(*apart, strict=True), together, strict=True):
            np.testing.assert_array_equal(np.concatenate(one), column)


def candidates(matcher, queries):
    """The candidates of queries, and their scores before those of the call are compared."""
    found = matcher._decisions().score([queries[name].tolist() for name in queries])
    return found.columns, found.scores


def test_each_of_equal_rows_has_a_match_of_its_own():
    names = ["Ann Lee", "Ann Lee", "Bob Ray", "Ann Lee"]
    for top_k in (1, 2, None):
        matcher = TableMatcher(one_to_one=True, top_k=top_k).fit(names)
        matches = matcher.match([*names, "Ann Lee"])
        assert matches[["query", "candidate"]].tolist() == [(0, 0), (1, 1), (2, 2), (3, 3)]
        assert matcher.match(names[:2])["candidate"].tolist() == [0, 1]
    several = TableMatcher(top_k=2).fit(names).match(["Ann Lee", "Bob Ray"])
    assert several[["query", "candidate"]].tolist() == [(0, 0), (0, 1), (1, 2)]
    every = TableMatcher(top_k=None).fit(names).match(["Ann Lee"])
    assert every["candidate"].tolist() == [0, 1, 3]
    # A row with the very text comes first.
    one = TableMatcher(one_to_one=True).fit(["Ann Lee", "ANN LEE", "ann lee", "Bob Ray"])
    matches = one.match(["ann lee", "Ann Lee", "Bob Ray", "ann lee"])
    assert matches["candidate"].tolist() == [2, 0, 3, 1]


def test_equal_rows_take_no_memory_for_what_is_left_out():
    names = ["Ann Lee"] * 3000
    matcher = TableMatcher().fit(names)
    tracemalloc.start()
    matches = matcher.match(names)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert matches["candidate"].tolist() == [0] * 3000
    assert peak < 50e6  # the pairs alone would be 72 MB a number


def test_rare_ngrams_propose_candidates_that_all_rank(monkeypatch):
    from skpara.matching import _products, _strategies

    names = [f"{a}{b} university" for a in "bcdfgklmnp" for b in ("olo", "ada", "ime", "uxi")]
    queries = [name.replace("uni", "umi") for name in names]
    expected = TableMatcher(n_candidates=40).fit(names)._decisions().score([queries]).scores
    monkeypatch.setattr(_strategies, "MANY_ROWS", 10)  # nor do vectors, which are not kept
    found = TableMatcher(n_candidates=40).fit(names)._decisions().score([queries]).scores
    np.testing.assert_allclose(found, expected, atol=1e-4)
    for name in ("_ALL_READ", "_MOST_READ"):
        monkeypatch.setattr(_products, name, 100)
    monkeypatch.setattr(_products, "_MORE", 7)
    matches = TableMatcher().fit(names).match(queries)
    assert matches["candidate"].tolist() == list(range(len(names)))
    index = TextIndex(names)
    bag = index.prepare(["university", *queries])
    rows, columns = index.candidates(bag, 3)
    products = (bag.ngrams @ index.rows.ngrams.T).toarray()
    best = [products[i, columns[rows == i]].max() for i in range(len(bag.texts))]
    np.testing.assert_allclose(best, products.max(axis=1))
    alone = [index.candidates(index.prepare([query]), 3)[1].tolist() for query in queries]
    assert [columns[rows == i].tolist() for i in range(1, len(bag.texts))] == alone


@pytest.mark.parametrize("n", [4, 20, 100, 500])
def test_equal_texts_match_however_many_others_there_are(n):
    first = ["Harlow Timber Ltd", "Caf\u00e9 Z\u00fcrich", "C#", "C++", "harlow timber ltd."]
    names = [*first, *(f"{a}{b} Works" for a in "bdfgklmnpr" for b in WORDS)][: n + 1]
    queries = ["HARLOW Timber, Ltd", "cafe zurich", "C++", "c#", "Bright Foods"]
    matches = TableMatcher().fit(names).match(queries, how="left")
    assert matches["candidate"].tolist() == [0, 1, 3, 2, -1]
    assert matches["probability"][:4].min() > 0.999
    both = TableMatcher(top_k=2).fit(names).match(["Harlow Timber Ltd"])
    assert both["candidate"].tolist() == [0, 4]
    # Two rows with one text are one candidate: they have no lead over each other.
    doubled = TableMatcher(threshold=0).fit(names).match(["Harlow Timber"])
    alone = TableMatcher(threshold=0).fit(names[:4] + names[5:]).match(["Harlow Timber"])
    assert doubled["candidate"].tolist() == [0]
    assert logit(doubled["probability"]) == pytest.approx(logit(alone["probability"]), abs=1.5)
    # Texts without words are equal only as they are written.
    signs = TableMatcher().fit(["", "!!", "a"]).match(["", "??", "!!"])
    assert signs[["query", "candidate"]].tolist() == [(2, 1)]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-9, 9)), max_size=20))
def test_margins_leave_out_candidates_with_the_same_text(pairs):
    rows, texts, values = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 3).T
    expected = []
    for row, text, value in sorted(pairs):
        others = [v for r, t, v in pairs if r == row and t != text]
        expected.append(value - max(others, default=0))
    found = margins(values[:, None].astype(float), rows, texts).ravel()
    assert found.tolist() == expected


PHONES = [f"({200 + 7 * n}) {999 - 3 * n}-{(n * 7919) % 10_000:04d}" for n in range(100)]


@pytest.mark.parametrize("write", ["{}{}{}", "{}-{}-{}", "+1 {} {} {}"])
def test_one_column_of_phones_or_dates(write):
    queries = [write.format(*re.findall(r"\d+", phone)) for phone in PHONES[40:80]]
    matcher = TableMatcher().fit(PHONES)
    assert matcher.kinds_ == {"text": "code"}
    assert matcher.match(queries)["candidate"].tolist() == list(range(40, 80))
    assert matcher.match(queries[:1])["candidate"].tolist() == [40]
    frame = pd.DataFrame({"phone": PHONES})
    assert TableMatcher().fit(frame, on={"phone": "names"}).kinds_ == {"phone": "names"}
    with pytest.raises(ValueError, match="model scores pairs of texts"):
        TableMatcher(model=make_cosine_scorer()).fit(frame, on={"phone": "code"})
    assert TableMatcher(model=make_cosine_scorer()).fit(frame).kinds_ == {"text": "names"}


def test_columns_that_must_be_the_same_restrict_candidates(tmp_path):
    n = 30
    names, countries = (
        ["Harlow Timber"] * n + ["Harlow Works"],
        [f"Land {i}" for i in range(n)] + [""],
    )
    table = pd.DataFrame({"name": names, "country": countries})
    on = {"name": "names", "country": "same"}
    matcher = TableMatcher(top_k=None, n_candidates=2, threshold=0).fit(table, on=on)
    save_model(matcher, tmp_path / "matcher.skpara")
    # More rows have the name than are proposed; each is found by its country.
    queries = pd.DataFrame({"name": ["Harlow Timbre"] * n, "country": countries[:n]})
    queries["country"] = queries["country"].str.upper() + " "
    for fitted in (matcher, load_model(tmp_path / "matcher.skpara")):
        matches = fitted.match(queries).to_frame()
        same = matches["country_match"].str.upper() + " " == matches["country"]
        assert same.sum() == n
        assert set(matches["country_match"][~same]) == {""}  # which may be any
    queries["country"] = ["elsewhere", "", *["Land 0"] * (n - 2)]
    matches = matcher.match(queries).to_frame()
    assert set(matches["country_match"][matches["country"] == "elsewhere"]) == {""}
    assert len(set(matches["country_match"][matches["country"] == ""])) > 1
    with pytest.raises(ValueError, match="Add one to compare"):
        TableMatcher().fit(table, on={"country": "same"})
    more = pd.DataFrame({"name": ["Harlow Timber"], "country": ["Elsewhere"]})
    added = matcher.partial_fit(more).match(queries[:1]).to_frame()
    assert "Elsewhere" in set(added["country_match"])


def test_cells_that_cannot_be_read_as_the_given_kind():
    born = ["Mar 12, 1980", "1.2.1999", "2001-05-06", "gone", "left"] * 4
    people = pd.DataFrame({"name": [f"{a}nn {a}ee" for a in "bcdfghklmnprstvwxyzq"], "born": born})
    on = {"name": "names", "born": "date"}
    with pytest.warns(UserWarning, match="column 'born': 8 of 20 cells.*date.*'gone' in row 3"):
        matcher = TableMatcher().fit(people, on=on)
    with pytest.warns(UserWarning, match="queries, column 'born': 8 of 20 cells"):
        matcher.match(people)
    people.loc[people["born"].isin(["gone", "left"]), "born"] = ["gone", *[""] * 7]
    TableMatcher().fit(people, on=on)  # one is no mistake


def test_equal_candidates_match_together():
    candidates = ["no", "a dog", "yes", "a dog"] + ["a cat"] * 100
    matcher = TableMatcher(top_k=3, n_candidates=3, threshold=0, guard=False)
    matches = matcher.fit(candidates).match(["the dog"])
    assert matches["candidate"].tolist()[:2] == [1, 3]
    assert matches["probability"][0] == matches["probability"][1]


@pytest.mark.parametrize("model", [None, make_cosine_scorer()])
def test_no_limit_gives_all_matches_however_many(model):
    dogs = [f"The dog number {number} runs." for number in range(60)]
    options = {"guard": False, "threshold": 0.3 if model else 0.01}
    matches = TableMatcher(None, model=model, n_candidates=2, **options).fit(dogs).match(dogs[:9])
    every = TableMatcher(60, model=model, **options).fit(dogs).match(dogs[:9])
    assert len(matches) > 9 * 6  # more than each of the three proposes
    np.testing.assert_array_equal(matches, every)


def test_nothing_matches_an_empty_sentence():
    matcher = TableMatcher().fit(["a dog", ""])
    assert len(matcher.match([""])) == 0
    missing = matcher.match(["", "a dog!"], how="left")
    assert missing["candidate"].tolist() == [-1, 0]
    assert missing["reason"].tolist() == ["no text", None]
    assert np.isnan(missing["probability"][0])
    with pytest.warns(UserWarning, match="The reference has no rows"):
        assert len(TableMatcher().fit([]).match(["a dog"])) == 0
    assert len(TableMatcher().fit([""]).match(["a dog"])) == 0
    assert len(matcher.match([])) == 0


def test_a_name_that_says_that_nothing_is_known_is_missing():
    reference, queries = ["N/A", "Ann Lee", "unknown"], ["N/A", " unknown", "TBD", "Ann Lee"]
    matches = TableMatcher().fit(reference).match(queries, how="left")
    assert matches["candidate"].tolist() == [-1, -1, -1, 1]
    assert matches["reason"].tolist() == ["no text"] * 3 + [None]
    assert Deduplicator().fit(["N/A", "Ann Lee", "N/A"]).labels_.tolist() == [0, 1, 2]
    # Said to be sentences, they are compared as they are written.
    matcher = TableMatcher().fit({"text": reference}, on={"text": "sentences"})
    assert matcher.match({"text": queries[:2]}, on="text")["candidate"].tolist() == [0, 2]


@pytest.mark.parametrize("placeholder", ["N/A", "NULL", "-", "unknown", "?", "nan", "\\N"])
def test_a_cell_that_says_that_nothing_is_known_is_missing(placeholder):
    names = ["Vera Holt", "Ada Lind", "Otto Brandt", "Ines Null"]
    towns = ["Leeds", "", "Oslo", "Graz"]
    people = pd.DataFrame({"name": names, "town": towns, "phone": ["", "", "", "0316 4521"]})
    marked = people.replace("", placeholder)
    for one, other in ((people, marked), (marked, people)):
        expected = TableMatcher(threshold=0).fit(one, on=[*one]).match(one)
        found = TableMatcher(threshold=0).fit(one, on=[*one]).match(other)
        np.testing.assert_array_equal(found["probability"], expected["probability"])
        assert found["probability"].min() > 0.5


def test_what_resembles_nothing_has_no_match():
    candidates = ["red bicycle", "garden chair"]
    matches = TableMatcher().fit(candidates).match(["a bike (red)", "birthday cake"], how="left")
    assert matches["candidate"].tolist() == [0, -1]
    assert re.fullmatch(r"best candidate \.[0-4]\d", matches["reason"][1])
    # The scale of a regressor is its own.
    matcher = TableMatcher(model=ByLength().fit([])).fit(candidates)
    assert np.asarray(matcher.match(["a bike", "cake"])).dtype.names == (
        "query",
        "candidate",
        "score",
    )


def test_opposites_do_not_match():
    queries = ["The dog bit the man.", "There is a meeting on Monday."]
    candidates = ["The man bit the dog.", "The dog bites a man.", "There is a meeting on Tuesday."]
    for guard, expected in (
        ("auto", [1, -1]), (False, [0, 2]), ("identifiers", [0, 2]), (["role"], [1, 2]),
        (("time",), [0, -1]),
    ):  # fmt: skip
        matches = TableMatcher(guard=guard).fit(candidates).match(queries, how="left")
        assert matches["candidate"].tolist() == expected
        assert guard != "auto" or matches["reason"][1] == "Tuesday, not Monday"
    for guard in (["roles"], [3]):
        with pytest.raises(ValueError, match=r"guard must be True.*quantifier.*got \["):
            TableMatcher(guard=guard).fit(candidates)


@pytest.mark.parametrize("write", [str, str.lower])
def test_names_that_differ_in_a_colour_do_not_match(write):
    """Where each row has a sister, most promises of a precision would be wrong."""
    names = ["Kerlo Vand", "Misha Drane", "Polo Humqua", "Zedfen Orli"]
    colors = ["Red", "Blue", "Green", "Black"]
    shop = [write(f"{name} {color}") for name, color in zip(names, colors, strict=True)]
    wishes = [write(f"{name} {color}") for name, color in zip(names, colors[::-1], strict=True)]
    matcher = TableMatcher(precision=0.95).fit(shop)
    assert matcher.kinds_ == {"text": "names"}
    assert len(matcher.match(wishes)) == 0
    assert matcher.match(shop)["candidate"].tolist() == [0, 1, 2, 3]
    assert Deduplicator(threshold=0.01).fit_predict(shop[:1] + wishes[:1]).tolist() == [0, 1]
    assert len(TableMatcher(guard="identifiers").fit(shop).match(wishes)) == 4


def reason_of_names(name, other):
    """Return why two names are kept apart at any threshold, "" if they are not."""
    names = {"name": [name, other, "Kerlo Vand", "Misha Drane"]}
    deduplicator = Deduplicator(threshold=0.0).fit(names, on={"name": "names"})
    pairs = deduplicator.borderline(1)
    [reason] = pairs["reason"][(pairs["first"] == 0) & (pairs["second"] == 1)]
    assert not reason or deduplicator.labels_[0] != deduplicator.labels_[1]
    return reason


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("Salted butter", "Unsalted butter"), ("Left brake pad", "Right brake pad")),
        *(("Austria", "Australia"), ("Prednisone", "Prednisolone"), ("Iran", "Iraq")),
        *(("Vice President", "President"), ("Leather belt", "Faux leather belt")),
        *(("Football League", "Basketball League"), ("Brine 2019", "Brine 2021")),
        ("Black tea, sugar", "Black tea, no sugar"),
    ],
)
def test_names_of_two_things_are_kept_apart(name, other):
    assert reason_of_names(name, other)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("Mark Lind", "Marc Lind"), ("Anne Brandt", "Anna Brandt"), ("Reed Otto", "Reid Otto")),
        *(("Martin Junior", "Martin"), ("Oslo Opera Theatre", "Oslo Opera Theater")),
        *(("Bergen North", "Bergen Northern"), ("Hotel Aristarkh", "Hotel Aristarchus")),
    ],
)
def test_names_that_may_be_one_are_not_refused(name, other):
    assert not reason_of_names(name, other)


def test_names_are_not_guarded_by_places_and_parts():
    names = ["Oslo West 2", "Bergen North", "Turku East Side", "Lund Old Town", "Malmö Harbour"]
    matcher = TableMatcher(threshold=0).fit(names)
    assert matcher.kinds_ == {"text": "names"}
    matches = matcher.match(["Oslo West 3", "Bergen Northern"], how="left")
    assert matches["candidate"][0] != 0
    assert matches["candidate"][1] == 1


def test_thresholds():
    rng = np.random.default_rng(1)
    letters = np.array(list("abcdefghiklmnoprstuvw"))
    names = [
        "".join(rng.choice(letters, 6)) + " " + "".join(rng.choice(letters, 5)) for _ in range(300)
    ]
    queries = [name[: i % 8] + name[1 + i % 8 :] for i, name in enumerate(names[:150])]
    queries += ["".join(rng.choice(letters, 9)) for _ in range(100)]
    matcher = TableMatcher().fit(names)
    every = matcher.match(queries)
    assert (every["probability"] >= 0.5).all()
    right = every["candidate"] == every["query"]
    assert right.mean() > 0.95
    assert right.sum() > 140
    loose = matcher.set_params(threshold=0.001).match(queries)
    few = matcher.set_params(precision=0.95).match(queries)
    assert every["query"].size < few["query"].size < loose["query"].size
    assert few["probability"].mean() >= 0.95
    left_out = np.setdiff1d(loose["query"], few["query"])
    best = loose["probability"][np.isin(loose["query"], left_out)].max()
    assert np.append(few["probability"], best).mean() < 0.95
    # Two rows want one: the more probable one gets it.
    pair = [names[0], names[0][:-1]]
    assert TableMatcher().fit(names).match(pair)["candidate"].tolist() == [0, 0]
    one = TableMatcher(one_to_one=True).fit(names).match(pair, how="left")
    assert one["candidate"].tolist() == [0, -1]


PEOPLE = {
    "name": ["Ann Lee", "Bob Ray", "Cy Twombly", "Eva Hesse", "Ed Ruscha"],
    "born": [datetime.date(1970, 3, 1), None, datetime.date(1928, 4, 25), None, None],
    "zip": [1234.0, 5678.0, None, 4321.0, 8765.0],
    "size": [1.75, 1.8, 1.9, None, 1.65],
}


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_records(library):
    others = {
        "name": ["Rusha, Ed", "Cy Twombley", "Anne Lee", "Zoe Zed", None],
        "born": ["", "1928-04-26", "1970-03-01", "1999-01-01", None],
        "zip": ["8756", "", "1234", "9999", "5678"],
        "size": [1.65, 1.9, None, 1.1, None],
    }
    kinds = {"name": "text", "born": "date", "zip": "code", "size": "number"}
    matcher = TableMatcher(threshold=0.2)
    joined = matcher.join(library(others), library(PEOPLE), on=kinds)
    assert matcher.kinds_ == kinds | {"name": "names"}
    found = joined["name_match"].to_list()
    assert found[:3] == ["Ed Ruscha", "Cy Twombly", "Ann Lee"]
    assert found[3] is None or found[3] != found[3]
    guessed = TableMatcher().fit(library(PEOPLE), on=list(kinds))
    assert guessed.kinds_ == kinds | {"name": "names"}
    # Columns and the rest of the row add up to the log odds; a missing cell adds nothing.
    matched = matcher.match(library(others), explain=True)
    for reason, p in zip(matched["reason"], matched["probability"], strict=True):
        assert reason.names == ("name", "born", "zip", "size", "whole row")
        assert reason.baseline + reason.contributions.sum() == pytest.approx(logit(p))
    ed, cy = matched["reason"][0], matched["reason"][1]
    born, code = 1, 2
    assert ed.contributions[born] == cy.contributions[code] == 0
    assert ed.contributions[code] != 0


def test_records_without_a_counterpart_do_not_match():
    rng = np.random.default_rng(0)
    kinds = ("bdfgklmnprst", "aeiou", "lmnrst", "aeiou", "dklmnst")
    words = ["".join(rng.choice(list(x)) for x in kinds).title() for _ in range(67)]
    columns = {
        "first": rng.choice(words[:15], 120), "last": rng.choice(words[15:55], 120),
        "town": rng.choice(words[55:], 120),
        "born": [str(day) for day in np.datetime64("1930-01-01") + rng.integers(25_000, size=120)],
    }  # fmt: skip
    people = pd.DataFrame(columns)
    first, second = people[:60], people[60:]
    matcher = TableMatcher().fit(first, on=list(people))
    assert len(matcher.match(second)) <= 1
    some = pd.concat([first[:20], second[:40]])
    some["last"] = some["last"].str.replace("a", "e")
    found = matcher.match(some).to_frame()
    right = found["born"] == found["born_match"]
    assert right.sum() >= 19
    assert len(found) <= 21  # two persons of one name and town, by chance
    kept = Deduplicator().fit(people, on=list(people)).drop_duplicates(people)
    assert len(kept) == 120
    both = pd.concat([people, some])
    labels = Deduplicator(threshold=0.5).fit_predict(both, on=list(people))
    assert len(set(labels)) <= 126
    # Two persons of one name and town, by chance.
    assert (both.groupby(labels)["born"].nunique() > 1).sum() <= 1
    assert len(Deduplicator().fit(both, on=list(people)).kept_) > 120  # two letters differ in some


ODD = [
    pd.NA, float("nan"), Decimal("sNaN"), 10**400, 10**401, np.inf, -1e308, 1e308, "1e999",
    "\ud800", np.array([1, 2]), True, "\u0661\u0662", "e" + "\u0301\u0316" * 9, {},
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:.* cells cannot be read as a")
@pytest.mark.parametrize(
    "kind", ["text", "guess", "exact", "same", "number", "date", "code", "sentences"]
)
def test_cells_of_any_type_are_compared(kind):
    names = [f"{chr(97 + i) * 4} {chr(122 - i) * 5}" for i in range(len(ODD))]
    table = pd.DataFrame({"name": names, "x": pd.Series(ODD, dtype=object)})
    on = ["name", "x"] if kind == "guess" else {"name": "names", "x": kind}
    matcher = TableMatcher().fit(table, on=on)
    matches = matcher.match(table, on=["name", "x"]).to_frame()
    assert matches["name_match"].tolist() == names
    table["x"] = pd.Series([None] * 3 + ODD[3:], dtype=object)
    again = matcher.match(table, on=["name", "x"])
    assert again["probability"].tolist() == matches["probability"].tolist()
    # Composed and decomposed letters are the same.
    table["x"] = ["The caf\u00e9 is old."] * len(ODD)
    composed = matcher.fit(table, on=on).match(table, on=["name", "x"])
    table["x"] = table["x"].map(lambda text: unicodedata.normalize("NFD", text))
    decomposed = matcher.match(table, on=["name", "x"])
    assert decomposed["probability"].tolist() == composed["probability"].tolist()


def test_an_index_that_lives(shop):
    matcher = TableMatcher().partial_fit(shop, on="name")
    more = shop.assign(name=["blue bicycle", "lawn mower", "drum kit"])
    matcher.partial_fit(more)
    assert matcher.n_candidates_in_ == 6
    whole = TableMatcher().fit(pd.concat([shop, more]), on="name")
    queries = ["lawn-mower", "a garden chair"]
    np.testing.assert_array_equal(
        matcher._decisions().score([queries]).scores, whole._decisions().score([queries]).scores
    )
    assert matcher.match(["lawn-mower"])["candidate"].tolist() == [4]
    matcher.drop([0, 1])
    matches = matcher.match(["lawn-mower", "garden chairs"], how="left")
    assert matches["candidate"].tolist() == [4, -1]
    matcher.drop(5).partial_fit(shop[:1])  # whose number is not used again
    found = matcher.match(shop[:1]).to_frame()
    assert found[["name", "name_match"]].values.tolist() == [["red bicycle", "red bicycle"]]
    for ids in (1, [7]):
        with pytest.raises(ValueError, match="no row"):
            matcher.drop(ids)
    with pytest.raises(TypeError, match="type that fit had"):
        matcher.partial_fit(["a lamp"])


@pytest.mark.slow
@pytest.mark.parametrize("column", ["title", ["title", "year"]])
def test_a_few_rows_are_added_with_the_weights_of_the_first_ones(column, tmp_path, monkeypatch):
    monkeypatch.setattr("skpara.matching._strategies.MANY_ROWS", 500)
    words = "red blue garden chair lamp table oak desk quiet water".split()
    names = [f"{words[i % 10]} {words[i // 10 % 10]} {i}" for i in range(600)]
    names[7] = "quiet desk"  # words and n-grams that hundreds of names have
    table = pd.DataFrame({"title": names, "year": np.arange(len(names)) % 300 + 1700})
    more = pd.DataFrame({"title": ["zxω quartz", names[7], ""], "year": [3, 1707, 4]})
    whole = TableMatcher(threshold=0).fit(pd.concat([table, more]), on=column)
    matcher = clone(whole).fit(table, on=column)
    weights = matcher._records.index.idfs[0]
    matcher.partial_fit(more[:1]).partial_fit(more[1:])
    assert matcher._records.index.idfs[0] is weights
    queries = more.assign(title=["zxω quarz", names[7], ""])[:2]
    for one in (matcher, load_model(save_model(matcher, tmp_path / "m.skpara"))):
        found, expected = (x.match(queries).to_frame() for x in (one, whole))
        assert found["title_match"].tolist() == expected["title_match"].tolist()
        assert found["title_match"].tolist() == ["zxω quartz", names[7]]
        assert found["probability"][0] == pytest.approx(expected["probability"][0], abs=0.1)
    matcher.drop([len(names)])
    assert "zxω quartz" not in matcher.match(queries).to_frame()["title_match"].tolist()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_are_joined(shop, wishes, library):
    if library == "polars":
        shop, wishes = pl.from_pandas(shop), pl.from_pandas(wishes)
    joined = TableMatcher().join(wishes, shop, left_on="title", right_on="name")
    assert list(joined.columns) == [
        "title", "price", "name", "price_match", "probability", "reason",
    ]  # fmt: skip
    assert list(joined["title"]) == ["bike (red)", "", "a chair"]
    assert joined["name"].to_list()[::2] == ["red bicycle", "garden chair"]
    assert joined["price_match"].to_list()[::2] == [250, 40]
    if library == "pandas":
        assert joined.index.tolist() == [7, 8, 9]
        assert joined["name"].isna().tolist() == [False, True, False]
    else:
        assert joined["name"].is_null().to_list() == [False, True, False]
        assert joined.schema["price_match"] == pl.Int64
    nothing = TableMatcher().join(wishes[1:2], shop, left_on="title", right_on="name")
    assert list(nothing["reason"]) == ["no text"]
    inner = TableMatcher().join(wishes, shop, left_on="title", right_on="name", how="inner")
    assert list(inner["price_match"]) == [250, 40]
    assert inner["price_match"].dtype == shop["price"].dtype


def test_tables_and_lists_mix(shop, wishes):
    matches = TableMatcher().fit(shop["name"].tolist()).match(wishes, on="title").to_frame()
    assert matches["match"].tolist() == ["red bicycle", "garden chair"]
    matches = TableMatcher().fit(shop, on="name").match(pl.Series(wishes["title"]).to_list())
    assert shop["price"].iloc[matches["candidate"]].tolist() == [250, 40]
    matches = TableMatcher().fit(shop["name"]).match(wishes["title"]).to_frame()
    assert list(matches.columns) == ["title", "name", "probability"]
    assert matches.index.tolist() == [7, 9]
    joined = TableMatcher().join(pl.from_pandas(wishes), shop, left_on="title", right_on="name")
    assert joined["name"].to_list() == ["red bicycle", None, "garden chair"]


@pytest.mark.parametrize(
    ("message", "misuse"),
    [
        ("ids must be whole numbers", lambda m, _: m.drop([True, False, False])),  # a mask
        ("the reference has 2", lambda m, shop: m.partial_fit(shop, on=["name"])),
        ("the type that fit had", lambda m, shop: m.partial_fit(pl.from_pandas(shop))),
        ("answers must be a list", lambda m, _: m.judge([("a", "b"), ("a", "c")], {"y", "n"})),
        ("n == 0", lambda m, _: m.review(10**12) is None or m.review(0)),
        ("'top_k' parameter", lambda m, shop: m.set_params(top_k=0).match(shop)),
    ],
)
def test_wrong_use_is_refused_and_changes_nothing(shop, message, misuse):
    matcher = TableMatcher().fit(shop, on=["name", "price"])
    before = matcher.match(shop).to_frame()
    with pytest.raises((ValueError, TypeError), match=message):
        misuse(matcher, shop)
    pd.testing.assert_frame_equal(matcher.set_params(top_k=1).match(shop).to_frame(), before)


def test_wrong_columns(shop):
    with pytest.raises(ValueError, match=r"frame of 2 columns.*name, price"):
        TableMatcher().fit(shop)
    with pytest.raises(ValueError, match=r"no column 'title'\. Pass"):
        TableMatcher().fit(shop, on="title")
    with pytest.raises(ValueError, match=r"no column 'Nmae' \(did you mean 'name'\?\)"):
        TableMatcher().fit(shop, on="Nmae")
    with pytest.raises(ValueError, match=r"column 'name': Row 0 holds bytes.*Decode it"):
        TableMatcher().fit(pd.DataFrame({"name": [b"a", "b"]}), on="name")
    with pytest.raises(ValueError, match=r"kind of a column is one of text, .*, got 'price'"):
        TableMatcher().fit(shop, on={"name": "price"})
    with pytest.raises(ValueError, match=r"queries: got 1 columns.* has 2"):
        TableMatcher().fit(shop, on=["name", "price"]).match(["a chair"])
    with pytest.raises(ValueError, match="on='name' names a column"):
        TableMatcher().fit(["a"], on="name")
    with pytest.raises(ValueError, match="how must be"):
        TableMatcher().fit(["a"]).match(["a"], how="cross")


class ByLength(BaseEstimator):
    """A model whose score is minus the difference in length, or its logistic function."""

    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def predict(self, X):
        return np.array([-abs(len(a) - len(b)) for a, b in np.asarray(X)], dtype=float)


class LengthClassifier(ByLength):
    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-2 - self.predict(X)))
        return np.column_stack([1 - p, p])


def test_a_model_scores_the_candidates(sentences, queries):
    model = ByLength().fit([])
    matches = TableMatcher(model=model, threshold=-2).fit(sentences).match(queries)
    assert len(matches)
    for query, candidate, score in matches:
        assert score == -abs(len(queries[query]) - len(sentences[candidate])) >= -2
    plain = TableMatcher(threshold=0).fit(sentences).match(queries)
    assert plain["candidate"].tolist() != matches["candidate"].tolist()


def test_a_classifier_gives_probabilities(sentences, queries):
    matcher = TableMatcher(model=LengthClassifier().fit([]), threshold=0.8)
    matches = matcher.fit(sentences).match(queries)
    assert np.asarray(matches).dtype.names == ("query", "candidate", "probability")
    assert 0.8 <= matches["probability"].min() <= matches["probability"].max() < 1
    assert len(matches) < len(matcher.set_params(threshold=0.5).match(queries))


def test_a_pipeline_fitted_to_a_frame(sample, queries):
    frame = pd.DataFrame(sample.data, columns=["first", "second"])
    model = make_pipeline(ParagramEncoder(max_iter=0), LogisticRegression())
    model.fit(frame, sample.target > 3)
    matches = TableMatcher(model=model, threshold=0).fit(queries).match(queries)
    assert (matches["query"] == matches["candidate"]).mean() > 0.9


def test_three_classes_are_refused(sample, queries):
    model = make_pipeline(ParagramEncoder(max_iter=0), LogisticRegression())
    model.fit(sample.data, np.digitize(sample.target, [1.5, 3.5]))
    with pytest.raises(ValueError, match=r"two columns.*shape"):
        TableMatcher(model=model).fit(queries).match(queries)


@pytest.mark.parametrize("huge", [2**31, 10**30])
def test_more_matches_or_candidates_than_rows_are_all(huge):
    names = ["Ann Lee", "Ann Leigh", "Bob Ray", "Ann Lee"]
    every = TableMatcher(top_k=None, threshold=0).fit(names).match(names[:3])
    assert len(every) >= 6
    for matcher in (TableMatcher(top_k=huge), TableMatcher(top_k=None, n_candidates=huge)):
        matches = matcher.set_params(threshold=0).fit(names).match(names[:3])
        np.testing.assert_array_equal(matches, every)


def test_wrong_use(wishes, shop):
    with pytest.raises(ValueError, match="'threshold' parameter"):
        TableMatcher(threshold=np.nan).fit(["a dog"])
    with pytest.raises(ValueError, match=r"threshold is a prob.*got 80. Did you mean 0.8"):
        TableMatcher(model=LengthClassifier(), threshold=80).fit(["a dog"])
    for model in (None, LengthClassifier()):
        with pytest.raises(ValueError, match="threshold is a probability between 0 and 1, got -1"):
            TableMatcher(model=model, threshold=-1).fit(["a dog"])
    assert len(TableMatcher(model=ByLength(), threshold=-1).fit(["a dog"]).match(["a cat"])) == 1
    with pytest.raises(ValueError, match=r"precision is a prec.*got 95. Did you mean 0.95"):
        TableMatcher(precision=95).fit(["a dog"])
    with pytest.raises(ValueError, match="precision needs probabilities"):
        TableMatcher(model=ByLength(), precision=0.9).fit(["a dog"])
    with pytest.raises(ValueError, match="there are several columns"):
        TableMatcher(model=ByLength()).fit(shop, on=["name", "price"])
    for on in ([], {}, ["name", "name"]):
        with pytest.raises(ValueError, match="each column to compare once"):
            TableMatcher().fit(shop, on=on)
    with pytest.raises(ValueError, match="but not both"):
        TableMatcher().join(wishes, shop, on="name", left_on="title")


def test_clones_share_the_model_and_pickles_keep_it(sentences, queries):
    matcher = TableMatcher(model=ByLength().fit([])).fit(sentences)
    expected = matcher.match(queries)
    again = clone(matcher)
    assert not hasattr(again, "n_candidates_in_")
    np.testing.assert_array_equal(again.fit(sentences).match(queries), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(matcher)).match(queries), expected)
    assert not hasattr(clone(TableMatcher(model=ByLength())).model, "fitted_")


def test_reasons(wishes, shop, model):
    matches = TableMatcher().join(wishes, shop, left_on="title", right_on="name", explain=True)
    assert isinstance(matches["reason"].iloc[0], Explanation)
    assert matches["reason"].iloc[1] == "no text"
    assert matches["reason"].iloc[0].pair == ("bike (red)", "red bicycle")
    [match] = TableMatcher(model=model).fit(["a dog runs"]).match(["a dog ran"], explain=True)
    assert match["reason"].score == match["score"]
    assert isinstance(matches["reason"].iloc[2], Explanation)
    # Of records, what the columns add to the log odds.
    matches = TableMatcher().join(shop, shop, on=["name", "price"], explain=True)
    for reason, probability in matches[["reason", "probability"]].to_numpy():
        assert reason.names == ("name", "price", "whole row")
        assert [reason.score, reason.unclipped] == pytest.approx([logit(probability)] * 2)
        assert reason.values.tolist() == [1, 1, 1]
        for shown in (str(reason), reason.to_html()):
            assert all(x in shown for x in ("whole row", "price", reason.pair[0]))


@pytest.mark.filterwarnings("ignore:Most words of this text")
@settings(max_examples=15)
@given(st.lists(st.text(), min_size=1), st.lists(st.text()))
def test_any_text(candidates, queries):
    matches = TableMatcher(top_k=2, threshold=0).fit(candidates).match(queries)
    assert np.isfinite(matches["probability"]).all()
    assert np.bincount(matches["query"], minlength=1).max() <= 2


def test_a_saved_matcher_matches_the_same(tmp_path, sentences, queries):
    cells = {"name": ["red bicycle", "garden chair", "guitar"], "price": [250, 40.5, 700]}
    notes = ["It was sold in the spring.", "This is what he said.", "the rain is here"]
    shop = pd.DataFrame(cells | {"note": notes})
    matcher = TableMatcher(guard=False, top_k=None, threshold=0).fit(shop, on=list(shop))
    matcher.match(shop)
    matcher.judge(matcher.review(2), ["y", "n"])
    matcher.drop(1)
    loaded = load_model(save_model(matcher, tmp_path / "m.skpara"))
    expected, found = (x.match(shop).to_frame() for x in (matcher, loaded))
    assert found["name_match"].tolist() == expected["name_match"].tolist()
    assert found["probability"].tolist() == expected["probability"].tolist()
    assert set(found["name_match"]) == {"red bicycle", "guitar"}
    assert loaded.estimate() == matcher.estimate()
    # Short sentences are compared by their words.
    assert loaded.kinds_ == {"name": "names", "price": "number", "note": "names"}
    assert loaded.partial_fit(shop[1:2])._records.numbers.tolist() == [0, 2, 3]
    assert len(loaded.drop([0, 2, 3]).match(shop)) == 0
    assert len(load_model(save_model(loaded, tmp_path / "m.skpara")).match(shop)) == 0
    matcher = TableMatcher(2, model=ByLength().fit([])).fit(sentences)
    with pytest.raises(TypeError, match="ByLength"):
        save_model(matcher, tmp_path / "m.skpara")
    matcher = TableMatcher(2, model=make_cosine_scorer()).fit(sentences)
    loaded = load_model(save_model(matcher, tmp_path / "m.skpara"))
    np.testing.assert_array_equal(loaded.match(queries), matcher.match(queries))
    more = [matcher.partial_fit(queries).match(queries) for matcher in (loaded, matcher)]
    np.testing.assert_array_equal(*more)


def test_results_for_lists_are_tables_in_a_notebook():
    matcher = TableMatcher().fit(["red <b> bicycle", "garden chair"])
    matches = matcher.match(["red bicycle", "cake"], how="left")
    assert matches[:1]._repr_html_() == (
        "<table><tr><th>query<th>candidate<th>probability<th>reason"
        f"<tr><td>0<td>0<td>{matches['probability'][0]:.3f}<td>None</table>1 of 1 rows"
    )
    assert "<th>row<th>candidate<th>match<th>" in matches._repr_html_()
    assert "red &lt;b&gt; bicycle" in matches._repr_html_()
    assert "red &lt;b&gt; bicycle" in matcher.review()._repr_html_()
    assert type(matches["query"]) is np.ndarray


@pytest.mark.parametrize(
    "use",
    [
        lambda matcher, _: matcher.match(["a"]),
        lambda matcher, _: matcher.drop([0]),
        lambda matcher, _: matcher.review(),
        lambda matcher, path: save_model(matcher, path / "matcher.skpara"),
    ],
)
def test_a_matcher_that_was_not_fitted_says_so(use, tmp_path):
    with pytest.raises(NotFittedError):
        use(TableMatcher(), tmp_path)


def test_a_text_that_stands_alone_keeps_its_spaces_and_others_are_written_plainly():
    cells = ["  red  bike ", 5.0, None, "chair"]
    alone = TableMatcher().fit(pd.DataFrame({"name": cells}, dtype=object))
    assert alone._records.cells == [["  red  bike ", "5", "", "chair"]]
    two = pd.DataFrame({"name": cells, "other": ["a", "b", "c", "d"]}, dtype=object)
    assert TableMatcher().fit(two, on=["name", "other"])._records.cells[0] == [
        "red  bike", "5", "", "chair",
    ]  # fmt: skip


def test_amounts_are_compared_in_the_usual_unit_of_their_column(tmp_path):
    shop = {"item": ["spirit level"] * 3 + ["claw hammer"], "size": ["100 cm", "60cm", "", "2 kg"]}
    matcher = TableMatcher(threshold=0).fit(shop, on={"item": "text", "size": "number"})
    save_model(matcher, tmp_path / "m")
    for fitted in (matcher, load_model(tmp_path / "m"), pickle.loads(pickle.dumps(matcher))):
        plain, other = (
            fitted.match({"item": ["spirit level"] * 2, "size": sizes}, on=["item", "size"])
            for sizes in (["100 cm", "60 cm"], ["1 m", "0,6 m"])
        )
        assert plain["candidate"].tolist() == [0, 1]
        np.testing.assert_array_equal(other["candidate"], plain["candidate"])
        np.testing.assert_allclose(other["probability"], plain["probability"])


def test_explanations_show_cells_as_given():
    reference = {"name": ["Ann Lee", "Bo Ek"], "height": ["173 cm", "180 cm"]}
    queries = {"name": ["Ann Lee"], "height": ["1.73 m"]}
    matches = (
        TableMatcher(threshold=0).fit(reference, on=list(reference)).match(queries, explain=True)
    )
    assert "1.73 m" in str(matches["reason"][0])
    assert "173 cm" in str(matches["reason"][0])


def test_the_kind_of_rows_is_said_or_guessed(shop, tmp_path):
    names = shop["name"]
    for kind, expected in [
        ("auto", "names"),
        *((x, x) for x in ("names", "sentences", "records")),
    ]:
        matcher = TableMatcher(kind=kind).fit(names)
        assert matcher.kind_ == Deduplicator(kind=kind).fit(names).kind_ == expected
        assert matcher.match(["red bicycle"])["candidate"].tolist() == [0]
        for again in (load_model(save_model(matcher, tmp_path / "m")), matcher.partial_fit(names)):
            assert again.kind_ == again._records.kind == expected
    assert TableMatcher().fit(shop, on=["name", "price"]).kind_ == "records"
    for estimator in (TableMatcher(kind="names"), Deduplicator(kind="sentences")):
        with pytest.raises(ValueError, match=r"one column of text, but.*guess, guess"):
            estimator.fit(shop, on=["name", "price"])
    with pytest.raises(ValueError, match="leave it out"):
        Deduplicator(kind="names", model=ByLength()).fit(names)


def test_matches_are_of_their_call(shop):
    matcher = TableMatcher().fit(shop, on="name")
    wishes = pd.DataFrame({"name": ["bike (red)", "cake", "a garden chair"]})
    matches = matcher.match(wishes)
    assert matches["query"].tolist() == [0, 2]
    assert matches["candidate"].tolist() == [0, 1]
    assert str(matches).startswith("Matches: 2 of 3 rows\n  0 'bike (red)'  0 'red bicycle'  0.")
    assert [row["candidate"] for row in matches] == [0, 1]
    assert matches.to_frame()["price"].tolist() == [250, 40]
    matcher.match(["nothing at all"])
    matcher.partial_fit(shop).drop(0)
    assert matches.estimate().n_matches == len(matches) == 2
    asked = matches.review(1)
    # Answers teach the matcher, and change the matches at once.
    assert len(matches.judge(asked, ["n"])) == 1
    assert len(matcher.match(wishes[asked["query"][0] :][:1])) == 0
    with pytest.raises(TypeError, match="The queries were not a frame"):
        matcher.match(["a chair"]).to_frame()


LEFT = {"name": ["Bosch GSR120 drill", "garden hose 25 m", "logitech k120"], "q": [1, 2, 3]}
RIGHT = {
    "title": ["Logitech K120 Keyboard", "Philips Kettle", "Bosch GSR120-Li Cordless Drill"],
    "eur": [12, 39, 92],
}
JOINS = {
    "inner": [(1, 92), (3, 12)],
    "left": [(1, 92), (2, None), (3, 12)],
    "right": [(1, 92), (3, 12), (None, 39)],
    "outer": [(1, 92), (2, None), (3, 12), (None, 39)],
    "anti": [(2, None)],
}


@pytest.mark.parametrize("how", JOINS)
def test_joins_keep_rows_without_a_match_of_either_side(how):
    for library in (pd.DataFrame, pl.DataFrame, pa.table):
        left, right = library(LEFT), library(RIGHT)
        joined = TableMatcher().join(left, right, left_on="name", right_on="title", how=how)
        rows = nw.from_native(joined).rows(named=True)
        cells = [(row["q"], row.get("eur")) for row in rows]
        assert [tuple(None if pd.isna(x) else x for x in pair) for pair in cells] == JOINS[how]
        assert ("eur" in rows[0]) == (how != "anti")
        assert ("reason" in rows[0]) == (how in ("left", "outer", "anti"))
    matches = TableMatcher().fit(RIGHT, on="title").match(LEFT, on="name", how=how)
    numbers = zip(matches["query"].tolist(), matches["candidate"].tolist(), strict=True)
    assert [([1, 2, 3, None][i], [12, 39, 92, None][j]) for i, j in numbers] == JOINS[how]
    assert repr(matches).count("\n") == len(matches)
    if how in ("left", "outer"):  # only a query has a reason to be without a match
        has_reason = (matches["query"] >= 0) & (matches["candidate"] < 0)
        assert [reason is not None for reason in matches["reason"]] == has_reason.tolist()


def test_a_matcher_is_a_step_of_a_pipeline():
    matcher = TableMatcher(top_k=2, threshold=0.01).fit(pd.DataFrame(RIGHT), on="title")
    rows = pd.DataFrame({"title": LEFT["name"]})
    joined = make_pipeline(FrozenEstimator(matcher)).fit(rows).transform(rows)
    assert joined["eur"].tolist()[::2] == [92, 12]
    assert joined["title"].tolist() == LEFT["name"]
    with pytest.raises(TypeError, match="not a frame"):
        matcher.transform(LEFT["name"])


def test_the_row_that_matches_is_shown():
    matches = TableMatcher().fit(["acme pumps ltd.", "Acme Pumps Ltd"]).match(["Acme Pumps Ltd"])
    assert "1 'Acme Pumps Ltd'" in repr(matches)


@pytest.mark.parametrize("on", [{"a", "b"}, [], ["a", "a"]])
def test_each_column_is_named_once(on):
    with pytest.raises(ValueError, match="on must name each column to compare once"):
        TableMatcher().fit({"a": ["red"], "b": ["blue"]}, on=on)
