from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge

from skpara import ParagramEncoder
from skpara.augment import (
    ApertiumTranslator,
    FunctionTranslator,
    ParaphraseSampler,
    PivotParaphraser,
)

DICTIONARIES = {
    ("en", "es"): {"big": "grande", "small": "chico", "gone": ""},
    ("es", "en"): {"grande": "large", "chico": "small"},
    ("en", "ca"): {"big": "gran"},
    ("ca", "en"): {"gran": "large great"},
}


class Words:
    """Translators by dictionary that count what they are asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, source, target):
        words = DICTIONARIES[source, target]

        def translate(texts):
            self.asked += texts
            return [" ".join(words.get(word, word) for word in text.split()) for text in texts]

        return FunctionTranslator(translate, f"words {source}-{target}")


SENTENCES = ["a big dog", "a Small, dog", "gone", "the big cat"]


def test_pairs_by_hand():
    found = PivotParaphraser(translator=Words()).paraphrase(SENTENCES)
    assert found.pairs.tolist() == [["a big dog", "a large dog"], ["the big cat", "the large cat"]]
    assert found.rows.tolist() == [0, 3]
    assert found.dropped == {"empty": 1, "copy": 1, "again": 0}


def test_a_sentence_that_comes_again_is_paraphrased_once():
    words = Words()
    pairs = PivotParaphraser(translator=words).pairs(["a big dog"] * 3)
    assert pairs.tolist() == [["a big dog", "a large dog"]]
    assert len(words.asked) == 2


def test_several_pivots():
    both = PivotParaphraser(["es", "ca", "es"], translator=Words())
    found = both.paraphrase(["a big dog"])
    assert [pair[1] for pair in found.pairs] == ["a large dog", "a large great dog"]
    assert found.dropped["again"] == 1
    one = clone(both).set_params(keep="most_different").paraphrase(["a big dog", "big"])
    assert one.pairs[:, 1].tolist() == ["a large great dog", "large"]
    assert one.dropped["less different"] == 2


def test_transform_gives_each_sentence_a_paraphrase_or_itself():
    found = PivotParaphraser(["es", "ca"], translator=Words()).fit_transform(SENTENCES)
    assert found.tolist() == ["a large great dog", "a Small, dog", "gone", "the large great cat"]


class NoCats:
    def select(self, pairs):
        return np.array(["cat" not in other for _, other in pairs], dtype=bool)


def test_filters_choose_and_are_counted():
    found = PivotParaphraser(translator=Words(), filters=[NoCats()]).paraphrase(SENTENCES)
    assert found.pairs.tolist() == [["a big dog", "a large dog"]]
    assert found.dropped["NoCats"] == 1


def test_imbalanced_learns_pipeline_adds_paraphrases(small_vectors):
    imblearn = pytest.importorskip("imblearn.pipeline")
    X = [("a big dog", "a dog"), ("a cat", "a big dog"), ("a man", "a small dog")]
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, positive_threshold=3)
    paraphraser = PivotParaphraser(translator=Words())
    sampler = ParaphraseSampler(paraphraser)
    model = imblearn.make_pipeline(sampler, encoder, Ridge()).fit(X, [3.5, 1.0, 2.0])
    # Of the pairs given one is a paraphrase; "a big dog" has one more.
    assert model[1].n_paraphrases_ == 2
    assert model.predict(X).shape == (3,)


def test_resampling_adds_paraphrases_with_the_best_score():
    X = np.array([["a big dog", "a dog"], ["the cat", "a big dog"]], dtype=object)
    more, y = PivotParaphraser(translator=Words()).fit_resample(X, [1.5, 3.0])
    assert more.tolist() == [*X.tolist(), ["a big dog", "a large dog"]]
    assert y.tolist() == [1.5, 3.0, 3.0]
    sampled = ParaphraseSampler(PivotParaphraser(translator=Words())).fit_resample(X, [1.5, 3.0])
    assert sampled[0].tolist() == more.tolist()


def test_translations_are_kept(tmp_path):
    words = Words()
    paraphraser = PivotParaphraser(translator=words, cache=tmp_path / "cache")
    first = paraphraser.pairs(SENTENCES)
    asked = len(words.asked)
    assert paraphraser.pairs(SENTENCES).tolist() == first.tolist()
    assert len(words.asked) == asked


def test_no_sentences():
    found = PivotParaphraser(translator=Words()).paraphrase([])
    assert found.pairs.shape == (0, 2)
    assert found.rows.shape == (0,)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"keep": "best"}, "keep must be"),
        ({"pivots": "es"}, "pivots must be a list"),
        ({"pivots": []}, "pivots must be a list"),
        ({"translator": "google"}, "translator must be"),
    ],
)
def test_wrong_parameters(settings, message):
    paraphraser = PivotParaphraser(**{"translator": Words(), **settings})
    with pytest.raises(ValueError, match=message):
        paraphraser.paraphrase(["a dog"])


def test_by_way_of_spanish(apertium):
    pairs = PivotParaphraser().pairs(["The boy is eating an apple in the kitchen.", "dog"])
    assert pairs[0, 0] == "The boy is eating an apple in the kitchen."
    assert "apple" in pairs[0, 1]
    there, back = apertium, ApertiumTranslator("es", "en")
    assert back.name == "apertium spa-eng"
    assert pairs[0, 1] == back.translate(there.translate([pairs[0, 0]]))[0]
