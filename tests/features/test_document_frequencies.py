from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from skpara.features import _bags
from skpara.features._bags import Bags, count_documents

SENTENCES = ["a dog barks", "a cat and a cat", "birds sing", "a dog barks"]


def test_each_distinct_sentence_counts_a_word_once():
    words = count_documents(SENTENCES)["word"]
    assert words.n_documents == 3
    assert {word: words[word] for word in ("a", "cat", "dog")} == {"a": 2, "cat": 1, "dog": 1}
    assert "zebra" not in words


@pytest.mark.parametrize(
    ("kind", "analysis"),
    [("word", {"analyzer": str.split}), ("char", {"analyzer": "char_wb", "ngram_range": (2, 5)})],
)
def test_idf_is_that_of_scikit_learn(kind, analysis):
    table = count_documents(SENTENCES)[kind]
    peer = TfidfVectorizer(**analysis).fit(SENTENCES[:3])
    assert len(table) == len(peer.vocabulary_)
    np.testing.assert_allclose(table.idf(peer.get_feature_names_out()), peer.idf_)


def test_a_new_term_has_the_largest_idf():
    table = count_documents(SENTENCES)["word"]
    assert table.idf(["zebra"]) > table.idf(["dog"]) > table.idf(["a"])


def test_counting_in_chunks_gives_the_same(monkeypatch):
    whole = count_documents(SENTENCES)
    monkeypatch.setattr(_bags, "_CHUNK", 1)
    parts = count_documents(SENTENCES)
    for kind in ("word", "char"):
        terms = whole[kind].__getstate__()["terms"].split("\n")
        assert set(parts[kind].__getstate__()["terms"].split("\n")) == set(terms)
        np.testing.assert_array_equal(parts[kind].idf(terms), whole[kind].idf(terms))


@pytest.mark.parametrize("sentences", [SENTENCES, [""]])
def test_pickles_give_the_same(sentences):
    for table in count_documents(sentences).values():
        again = pickle.loads(pickle.dumps(table))
        assert repr(again) == repr(table)
        np.testing.assert_array_equal(again.idf(["a", "xx"]), table.idf(["a", "xx"]))


@pytest.mark.parametrize("sentences", [SENTENCES, [""], ["a\0b caf\u00e9 \ud800 \U0001f600"]])
def test_ngrams_have_the_idf_of_their_strings(sentences):
    table = count_documents(sentences)["char"]
    ngrams = Bags([*SENTENCES, "zebras", "b\0a caf\u00e9s \ud800 \U0001f600"]).chars
    np.testing.assert_array_equal(table.idf_of_ngrams(ngrams), table.idf(ngrams.ngrams))
