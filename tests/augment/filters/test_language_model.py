from __future__ import annotations

import pickle

import numpy as np
import pytest

from skpara.augment.filters import LanguageModelFilter

REFERENCES = [
    *("the dog runs in the park", "the cat sleeps in the house", "a dog sleeps in a house"),
    *("a cat runs", "the park is big", "the house is big", "a bird runs in the park"),
]
PAIRS = [(text, text) for text in REFERENCES]
QUESTIONS = ["the dog sleeps", "sleeps the dog the", "zyzzyva runs", "", "the house is big"]


def probability(model, *ngram):
    """Of the last word after the others, by the filter's own model."""
    return model._ngrams._probability(ngram)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_probabilities_of_a_context_sum_to_one(order):
    model = LanguageModelFilter(order).fit(PAIRS)
    words = {word for text in REFERENCES for word in text.split()} | {"</s>", "an unknown word"}
    for context in [(), ("<s>",), ("the",), ("in", "the"), ("unheard", "of"), ("<s>", "a", "dog")]:
        kept = context[len(context) - min(len(context), order - 1) :]
        assert sum(probability(model, *kept, word) for word in words) == pytest.approx(1)


def test_one_end_mark_and_no_start_mark_are_words():
    # Of "a b" and "a c", bigrams: "<s> a" twice; "a b", "a c", "b </s>", "c </s>" once. Words by
    # what is before them: a 1, b 1, c 1, end 2. Too few to tell discounts: .5, 1 for two.
    model = LanguageModelFilter(2).fit([("a b", ""), ("a c", "")])
    by_word = {"a": 0.5, "b": 0.5, "c": 0.5, "</s>": 1.0}
    left = 3 * 0.5 + 1.0
    unigram = {word: (seen + left / 5) / 5 for word, seen in by_word.items()}
    assert probability(model, "a") == pytest.approx(unigram["a"])
    first = (2 - 1 + 1 * unigram["a"]) / 2
    second = (1 - 0.5 + 2 * 0.5 * unigram["b"]) / 2
    end = 1 - 0.5 + 0.5 * unigram["</s>"]
    (score,) = model.score_pairs([("", "a b")])
    assert score == pytest.approx((first * second * end) ** (-1 / 3))


def test_discounts_are_those_of_chen_and_goodman():
    from skpara.augment.filters._language_model import _discounts

    frequencies = {1: 100, 2: 40, 3: 20, 4: 12, 9: 1}
    share = 100 / (100 + 2 * 40)
    expected = [1 - 2 * share * 0.4, 2 - 3 * share * 0.5, 3 - 4 * share * 0.6]
    assert _discounts(frequencies) == pytest.approx(expected)
    assert _discounts({1: 3}) == (0.5, 1.0, 1.5)


def test_unknown_words_are_unlikely():
    model = LanguageModelFilter(upper=8).fit(PAIRS)
    questions = [("", "the dog runs"), ("", "the dog zyzzyva")]
    known, unknown = model.score_pairs(questions)
    assert known < unknown < np.inf
    assert model.select(questions).tolist() == [True, False]


def test_repeated_references_count_once():
    once, thrice = LanguageModelFilter().fit(PAIRS), LanguageModelFilter().fit(PAIRS * 3)
    questions = [("", text) for text in QUESTIONS]
    np.testing.assert_array_equal(once.score_pairs(questions), thrice.score_pairs(questions))


def test_scoring_does_not_change_a_filter():
    model = LanguageModelFilter().fit(PAIRS)
    before, questions = pickle.dumps(model), [("", text) for text in QUESTIONS]
    scores = model.score_pairs(questions)
    assert len(pickle.dumps(model)) == len(before)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).score_pairs(questions), scores)
