from __future__ import annotations

import numpy as np
import pytest

from skpara.augment import ApertiumTranslator, FunctionTranslator, PivotParaphraser

DICTIONARIES = {
    ("en", "es"): {"big": "grande", "small": "chico", "gone": ""},
    ("es", "en"): {"grande": "large", "chico": "small"},
    ("en", "ca"): {"big": "gran"},
    ("ca", "en"): {"gran": "large great"},
}


class Words:
    """Translators by dictionary that record the sentences they translate."""

    def __init__(self):
        self.sentences = []

    def __call__(self, source, target):
        words = DICTIONARIES[source, target]

        def translate(texts):
            self.sentences += texts
            return [" ".join(words.get(word, word) for word in text.split()) for text in texts]

        return FunctionTranslator(translate, f"words {source}-{target}")


SENTENCES = ["a big dog", "a Small, dog", "gone", "the big cat"]


def test_pairs_by_hand():
    paraphrases = PivotParaphraser(translator=Words()).paraphrase(SENTENCES)
    expected = [["a big dog", "a large dog"], ["the big cat", "the large cat"]]
    assert paraphrases.pairs.tolist() == expected
    assert paraphrases.rows.tolist() == [0, 3]
    assert paraphrases.dropped == {"empty": 1, "copy": 1, "again": 0}


def test_a_repeated_sentence_is_paraphrased_once():
    words = Words()
    pairs = PivotParaphraser(translator=words).pairs(["a big dog"] * 3)
    assert pairs.tolist() == [["a big dog", "a large dog"]]
    assert len(words.sentences) == 2


def test_several_pivots():
    both = PivotParaphraser(["es", "ca", "es"], translator=Words())
    paraphrases = both.paraphrase(["a big dog", "the big cat"])
    assert [pair[1] for pair in paraphrases.pairs] == [
        *("a large dog", "a large great dog", "the large cat", "the large great cat")
    ]
    assert paraphrases.rows.tolist() == [0, 0, 1, 1]  # those of a sentence stand together
    assert paraphrases.dropped["again"] == 2


def test_transform_returns_a_paraphrase_or_the_sentence():
    paraphrases = PivotParaphraser(["es", "ca"], translator=Words()).fit_transform(SENTENCES)
    expected = ["a large great dog", "a Small, dog", "gone", "the large great cat"]
    assert paraphrases.tolist() == expected


class NoCats:
    def select(self, pairs):
        return np.array(["cat" not in other for _, other in pairs], dtype=bool)


def test_filters_are_applied_and_counted():
    paraphrases = PivotParaphraser(translator=Words(), filters=[NoCats()]).paraphrase(SENTENCES)
    assert paraphrases.pairs.tolist() == [["a big dog", "a large dog"]]
    assert paraphrases.dropped["NoCats"] == 1


def test_translations_are_cached(tmp_path):
    words = Words()
    paraphraser = PivotParaphraser(translator=words, cache=tmp_path / "cache")
    first = paraphraser.pairs(SENTENCES)
    n_translated = len(words.sentences)
    assert paraphraser.pairs(SENTENCES).tolist() == first.tolist()
    assert len(words.sentences) == n_translated


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"pivots": "es"}, "'pivots' parameter"),
        ({"pivots": []}, "must not be empty"),
        ({"translator": "google"}, "'translator' parameter"),
    ],
)
def test_wrong_parameters(settings, message):
    paraphraser = PivotParaphraser(**{"translator": Words(), **settings})
    with pytest.raises(ValueError, match=message):
        paraphraser.paraphrase(["a dog"])


def test_apertium_paraphrases_through_spanish(apertium):
    pairs = PivotParaphraser().pairs(["The boy is eating an apple in the kitchen.", "dog"])
    assert pairs[0, 0] == "The boy is eating an apple in the kitchen."
    assert "apple" in pairs[0, 1]
    backward = ApertiumTranslator("es", "en")
    assert backward.name == "apertium spa-eng"
    assert pairs[0, 1] == backward.translate(apertium.translate([pairs[0, 0]]))[0]
