from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from nltk.lm import Vocabulary, WittenBellInterpolated
from nltk.lm.preprocessing import pad_both_ends
from nltk.util import everygrams

from skpara.augment.filters import LanguageModelFilter

REFERENCES = [
    *("the dog runs in the park", "the cat sleeps in the house", "a dog sleeps in a house"),
    *("a cat runs", "the park is big", "the house is big", "a bird runs in the park"),
]
PAIRS = [(text, text) for text in REFERENCES]
QUESTIONS = ["the dog sleeps", "sleeps the dog the", "zyzzyva runs", "", "the house is big"]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_perplexity_is_nltks(order):
    padded = [list(pad_both_ends(text.split(), n=max(2, order))) for text in REFERENCES]
    vocabulary = Vocabulary([token for tokens in padded for token in tokens], unk_cutoff=2)
    nltk_model = WittenBellInterpolated(order, vocabulary=vocabulary)
    nltk_model.fit([everygrams(vocabulary.lookup(tokens), max_len=order) for tokens in padded])
    expected = []
    for text in QUESTIONS:
        padded_text = list(pad_both_ends(text.split(), n=max(2, order)))
        logs = []
        for i in range(max(1, order - 1), max(1, order - 1) + len(text.split()) + 1):
            context = padded_text[max(0, i - order + 1) : i]
            logs.append(math.log(nltk_model.score(padded_text[i], context)))
        expected.append(math.exp(-sum(logs) / len(logs)))
    scores = LanguageModelFilter(order).fit(PAIRS).score_pairs([("", text) for text in QUESTIONS])
    np.testing.assert_allclose(scores, expected)


def test_unknown_words_have_infinite_perplexity_without_mass():
    model = LanguageModelFilter(upper=1e9).fit([("a b", ""), ("b a", "")])
    assert model.score_pairs([("", "a b"), ("", "zyzzyva")])[1] == np.inf
    assert model.select([("", "a b"), ("", "zyzzyva")]).tolist() == [True, False]


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


def test_what_a_filter_keeps_for_speed_is_bounded(monkeypatch):
    monkeypatch.setattr("skpara.augment.filters._language_model._MAX_LOGS", 5)
    model, questions = LanguageModelFilter().fit(PAIRS), [("", text) for text in QUESTIONS]
    first = model.score_pairs(questions)
    assert len(model._ngrams._logs) <= 5
    np.testing.assert_array_equal(model.score_pairs(questions), first)
