from __future__ import annotations

import numpy as np
import pytest

from skpara.features import TermInteractions

PAIRS = [("A cat runs", "a dog runs"), ("a dog runs", "a cat runs")]


def terms(pairs, **parameters):
    interactions = TermInteractions(min_df=1, **parameters)
    columns = interactions.fit_transform(pairs)
    names = interactions.get_feature_names_out()
    return [set(names[row.toarray()[0] > 0]) for row in columns]


def test_unordered_terms_are_the_same_for_swapped_sentences():
    expected = {"both a", "both runs", "only cat", "only dog", "only cat | dog"}
    assert terms(PAIRS, ngram_range=(1, 1)) == [expected, expected]


def test_ordered_terms_tell_the_sentences_apart():
    first, second = terms(PAIRS, ngram_range=(1, 1), ordered=True)
    assert first - second == {"first cat", "second dog", "first cat | dog", "in second dog"}
    assert second - first == {"first dog", "second cat", "first dog | cat", "in second cat"}


def test_longer_ngrams_are_terms_but_are_not_crossed():
    (columns,) = terms(PAIRS[:1], ngram_range=(2, 2))
    assert columns == {"only a cat", "only cat runs", "only a dog", "only dog runs"} | {
        "only cat | dog"
    }


def test_crossed_terms_can_be_left_out():
    assert not any("|" in term for term in terms(PAIRS, cross=False)[0])


def test_rare_terms_are_left_out():
    pairs = [*PAIRS, ("a cat", "a bird")]
    names = TermInteractions().fit(pairs).get_feature_names_out()
    assert "only dog" in names
    assert "only bird" not in names


def test_new_terms_are_ignored_and_rows_do_not_depend_on_each_other():
    interactions = TermInteractions().fit(PAIRS)
    new = [("a fish", "a cat runs"), ("", ""), *PAIRS]
    columns = interactions.transform(new)
    assert columns[1].nnz == 0
    for row, pair in zip(columns, new, strict=True):
        np.testing.assert_array_equal(row.toarray(), interactions.transform([pair]).toarray())


@pytest.mark.parametrize("ngram_range", [(2, 1), (0, 1)])
def test_wrong_ngram_range_is_refused(ngram_range):
    with pytest.raises(ValueError, match="1 <= low <= high"):
        TermInteractions(ngram_range).fit(PAIRS)
    for min_df in (0, TermInteractions):  # a class is no estimator to roll back
        with pytest.raises(ValueError, match="'min_df' parameter"):
            TermInteractions(min_df=min_df).fit(PAIRS)


def test_pairs_without_common_terms_are_refused():
    with pytest.raises(ValueError, match=r"in 2 pairs or more, but of these 2 none does\. Pass"):
        TermInteractions().fit([("a b", "c"), ("d", "e f")])
