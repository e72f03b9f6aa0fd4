"""Novelty of text, against held-out English, other languages and noise."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from skpara import LexicalFeatures, ParagramEncoder
from skpara.augment import FunctionTranslator, TranslateToEnglish
from skpara.explanation import explain, novelty

FOREIGN = [
    ("Un hombre toca la guitarra en la calle.", "Alguien está tocando música."),
    ("Zwei Hunde laufen durch den tiefen Schnee.", "Der Preis ist gestern gestiegen."),
    ("La police a arrêté deux hommes hier soir.", "Le gouvernement annonce de nouvelles mesures."),
]


@pytest.fixture(scope="module")
def model(scored_sample):
    pairs, scores = scored_sample
    return make_pipeline(LexicalFeatures("counts"), Ridge()).fit(pairs[:320], scores[:320])


def test_held_out_english_is_told_from_other_languages_and_noise(model, scored_sample):
    rng = np.random.default_rng(0)
    english = scored_sample[0][320:]
    shuffled = [["".join(rng.permutation([*text])) for text in pair] for pair in english[:100]]
    letters = [["".join(rng.choice([*"abcdefghij "], 40)) for _ in "ab"] for _ in range(100)]
    usual = novelty(model, english)
    for strange in (FOREIGN, shuffled, letters):
        values = novelty(model, strange)
        truth = np.repeat([0, 1], [len(usual), len(values)])
        assert roc_auc_score(truth, [*usual, *values]) > 0.97
    assert np.mean(usual > 0.4) < 0.03
    [first, second] = english[0]
    one_sentence = [(first, FOREIGN[0][0]), (FOREIGN[0][0], second)]
    assert (novelty(model, one_sentence) > 0.4).all()


def test_words_of_the_training_sentences_are_known():
    pair = ("Zyxqwv blorptak", "Zyxqwv frimble")
    fitted = make_pipeline(LexicalFeatures("counts"), Ridge()).fit([pair, pair], [0, 1])
    assert novelty(fitted, [pair]) == [0]
    assert novelty(ParagramEncoder(), [pair]) == [1]
    search = GridSearchCV(fitted, {}, cv=2).fit([pair] * 4, [0, 1] * 2)
    assert novelty(search, [pair]) == [0]


def test_rare_words_are_between_common_and_unknown_ones():
    values = novelty(ParagramEncoder(), [("the", "the"), ("the", "ukulele"), ("the", "zyxqwv")])
    assert values[0] == 0 < values[1] < values[2] == 1


def test_a_sentence_without_words_is_strange():
    assert novelty(ParagramEncoder(), [("", "a dog"), ("?!", "a dog")]).tolist() == [1, 1]


def test_no_pairs_have_no_novelty():
    assert novelty(ParagramEncoder(), []).shape == (0,)


def test_what_a_model_translates_is_read_in_english(scored_sample):
    english = {FOREIGN[0][0]: "A man plays a guitar.", FOREIGN[0][1]: "Someone is playing music."}
    translator = FunctionTranslator(lambda texts: [english[text] for text in texts], "es-en")
    to_english = TranslateToEnglish(
        translators={"es": translator},
        detector=lambda texts: ["es" if text in english else "en" for text in texts],
    )
    pairs, scores = scored_sample
    fitted = make_pipeline(to_english, LexicalFeatures("counts"), Ridge())
    fitted.fit(pairs[:40], scores[:40])
    assert novelty(fitted, FOREIGN[:1])[0] < 0.1
    assert explain(fitted, FOREIGN[:1])[0].novelty < 0.1
