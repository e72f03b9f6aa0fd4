from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
import wordfreq
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from skpara import LexicalFeatures, load_model, save_model
from skpara.resources import WordFrequencies

COUNTS = {"the": 70, "dog": 20, "barks": 10}


@pytest.fixture
def small():
    return WordFrequencies.load(COUNTS)


def test_probability_is_the_share_of_all_counts(small):
    assert small.probability("dog") == pytest.approx(0.2)
    assert sum(map(small.probability, small)) == pytest.approx(1.0)
    assert small.probability("cat") == 0.0


def test_information_is_the_log_of_the_inverse_probability(small):
    found = small.information(["barks", "the", "cat"])
    np.testing.assert_allclose(found, [math.log(10), math.log(100 / 70), 0.0])
    assert small.information([]).shape == (0,)
    assert small.min_information == pytest.approx(math.log(100 / 70))
    assert small.max_information == pytest.approx(math.log(10))
    found = small.information(["cat", "dog"], unknown=small.max_information)
    np.testing.assert_allclose(found, [math.log(10), math.log(5)])


def test_it_is_a_collection_of_words(small):
    assert len(small) == 3
    assert "dog" in small
    assert "cat" not in small
    assert list(small) == list(COUNTS)
    assert repr(small) == "WordFrequencies(n_words=3)"


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        *(({"the": 1, "dog": n}, ValueError, "'dog'") for n in (-1, math.nan, math.inf, "many")),
        ({"the": 1, "dog": None}, ValueError, "'dog'"),
        ({5: 1}, ValueError, "5 to 1"),
        *((counts, ValueError, "no word with a count above 0") for counts in ({}, {"dog": 0})),
        (["the", "dog"], TypeError, r"frequencies is list .*; pass 'default'"),
    ],
)
def test_other_sources_are_refused(source, error, message):
    with pytest.raises(error, match=message):
        WordFrequencies.load(source)


def test_a_word_of_count_0_is_unknown():
    table = WordFrequencies.load({"the": 1, "dog": 0})
    assert "dog" not in table
    assert table.information(["dog"], unknown=5.0).tolist() == [5.0]


def test_the_mapping_is_copied():
    counts = dict(COUNTS)
    table = WordFrequencies.load(counts)
    counts["dog"] = 1_000_000
    assert table.probability("dog") == pytest.approx(0.2)


def test_one_table_is_shared_by_clones_and_loads(small):
    assert clone(small) is small
    assert WordFrequencies.load(small) is small


def test_pickles_give_the_same_answers(small):
    again = pickle.loads(pickle.dumps(small))
    words = ["the", "dog", "cat"]
    np.testing.assert_array_equal(again.information(words), small.information(words))
    assert again.min_information == small.min_information


def test_the_default_is_english_and_has_a_small_pickle():
    table = WordFrequencies.load("default")
    assert len(table) > 100_000
    the, of, zebra = table.information(["the", "of", "zebra"])
    assert the == table.min_information < of < zebra <= table.max_information
    assert table.probability("qwxzv") == 0.0
    stored = pickle.dumps(table)
    assert len(stored) < 200
    assert pickle.loads(stored).probability("zebra") == table.probability("zebra")


def test_the_default_is_the_table_of_wordfreq():
    expected = wordfreq.get_frequency_dict("en")
    table = WordFrequencies.load("default")
    assert list(table) == list(expected)
    assert min(expected) in table
    information = -np.log([*expected.values()])
    np.testing.assert_allclose(table.information(expected), information, rtol=1e-12)
    assert all(table.probability(word) == expected[word] for word in [*expected][::50])
    assert table.max_information == math.log(1 / min(expected.values()))


@given(st.text("0123456789ast.,:;/$£%()+' -_@’éœ½²—٣ñαç", min_size=1, max_size=7))
def test_words_with_digits_are_those_of_wordfreq(word):
    table = WordFrequencies.load("default")
    found = word if any(map(str.isdigit, word)) else f"{word}7"
    for word in (found, *"1987 00 3,000 7.5pm '60s part_1 o'2a 4h’h km²2 ١٢".split()):
        shares = wordfreq.get_frequency_dict("en")
        assert table.probability(word) == (shares.get(word) or wordfreq.word_frequency(word, "en"))


def test_years_are_those_of_wordfreq():
    table = WordFrequencies.load("default")
    years = [f"{year:04}" for year in range(1, 10_000, 7)]
    expected = [wordfreq.word_frequency(year, "en") for year in years]
    assert [table.probability(year) for year in years] == expected


@given(st.dictionaries(st.text(), st.floats(0.0, 1e300), min_size=1), st.lists(st.text()))
def test_information_is_finite_and_not_negative(counts, words):
    if not any(counts.values()):
        return
    table = WordFrequencies.load(counts)
    found = table.information([*words, *counts])
    assert np.isfinite(found).all()
    assert (found >= 0).all()
    assert found.max() <= table.max_information
    assert 0 <= table.min_information <= table.max_information


@pytest.mark.parametrize("frequencies", ["default", COUNTS])
def test_a_model_file_has_the_counts_or_names_the_packaged_ones(frequencies, tmp_path):
    features = LexicalFeatures("takelab", frequencies=WordFrequencies.load(frequencies))
    features.fit([("the dog", "a dog")])
    save_model(features, tmp_path / "features.skpara")
    loaded = load_model(tmp_path / "features.skpara").frequencies_
    assert len(loaded) == len(features.frequencies_)
    for word in ("the", "dog", "xyzzy"):
        assert loaded.probability(word) == features.frequencies_.probability(word)
    assert ("walks" in loaded) == (frequencies == "default")
