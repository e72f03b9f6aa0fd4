from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from skpara.features._bags import Bags


def dense(lists, n_ids):
    counts = np.zeros((len(lists.lengths), n_ids))
    np.add.at(counts, (lists.owners, lists.ids), 1)
    return counts


def test_words_and_numbers_are_counted_without_marks():
    bags = Bags(["Two dogs, two cats: 2!", "dogs?"])
    assert bags.words == ["two", "dogs", "cats", "2"]
    np.testing.assert_array_equal(dense(bags.ids, 4), [[2, 1, 1, 1], [0, 1, 0, 0]])


def test_a_sentence_of_marks_keeps_them():
    bags = Bags(["?!?", "ok!", ""])
    assert bags.words == ["?", "!", "ok"]
    np.testing.assert_array_equal(dense(bags.ids, 3), [[2, 1, 0], [0, 0, 1], [0, 0, 0]])


@given(st.lists(st.text("ab ", max_size=12), min_size=1, max_size=4))
def test_character_ngrams_are_those_of_scikit_learn(sentences):
    chars = Bags(sentences).chars
    if not chars.ngrams:
        assert chars.ids.lengths.tolist() == [0] * len(sentences)
        return
    cut = CountVectorizer(analyzer="char_wb", ngram_range=(2, 5))
    expected = cut.fit_transform(sentences).toarray()
    order = [cut.vocabulary_[gram] for gram in chars.ngrams]
    assert len(order) == expected.shape[1]
    np.testing.assert_array_equal(dense(chars.ids, len(order)), expected[:, order])
