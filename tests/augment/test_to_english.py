from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from skpara import ParagramEncoder
from skpara.augment import FunctionTranslator, TranslateToEnglish

WORDS = {"el": "the", "perro": "dog", "gato": "cat", "duerme": "sleeps", "corre": "runs"}


def word_by_word(texts):
    return [" ".join(WORDS.get(word, word) for word in text.split()) for text in texts]


class Recording:
    name = "words es-en"

    def __init__(self):
        self.asked = []

    def translate(self, sentences):
        self.asked += sentences
        return word_by_word(sentences)


PAIRS = [
    ("the dog is running fast", "el perro corre"),
    ("el gato duerme", "the cat is sleeping now"),
    ("el gato duerme", "el gato duerme"),
    ("a man with 3 dogs", ""),
]


def test_either_sentence_may_be_foreign_and_english_is_left_alone():
    translator = Recording()
    found = TranslateToEnglish(translators={"es": translator}).fit_transform(PAIRS)
    assert found.tolist() == [
        ["the dog is running fast", "the dog runs"],
        ["the cat sleeps", "the cat is sleeping now"],
        ["the cat sleeps", "the cat sleeps"],
        ["a man with 3 dogs", ""],
    ]
    assert translator.asked == ["el perro corre"] + ["el gato duerme"] * 3


def test_sentences_and_frames():
    one = TranslateToEnglish(translators={"es": Recording()})
    assert one.transform(["el perro corre", "12"]).tolist() == ["the dog runs", "12"]
    frame = pd.DataFrame(PAIRS, columns=["left", "right"])
    found = one.set_output(transform="pandas").fit_transform(frame)
    assert found.columns.tolist() == ["left", "right"]
    assert found["right"].tolist()[0] == "the dog runs"


def test_what_cannot_be_told_apart_is_english():
    one = TranslateToEnglish(["en", "es", "de"])
    assert one.detect(["", "12", "?!", "...", "el perro duerme en la casa"]).tolist() == [
        *["en"] * 4,
        "es",
    ]
    assert one.detect([("the big house is here", "das Haus ist sehr gross")]).tolist() == [
        ["en", "de"]
    ]


def test_untranslatable_text_stays_with_one_warning_that_counts_it():
    one = TranslateToEnglish(["en", "es", "de", "fr"], translators={"es": Recording()})
    pairs = [
        ("el perro corre", "der Hund schläft im Haus"),
        ("le chien dort dans la maison", "die Katze ist sehr groß und alt"),
    ]
    with pytest.warns(UserWarning, match=r"3 of 4 sentences .*2 of 'de', 1 of 'fr'") as caught:
        found = one.fit_transform(pairs)
    assert len(caught) == 1
    assert found.tolist() == [["the dog runs", pairs[0][1]], list(pairs[1])]


def test_no_warning_where_all_is_translated():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TranslateToEnglish(translators={"es": Recording()}).fit_transform(PAIRS)


def test_translators_by_function_and_a_cache(tmp_path):
    made = []

    def make(source, target):
        made.append((source, target))
        return Recording()

    one = TranslateToEnglish(translators=make, cache=tmp_path / "cache")
    first = one.fit_transform(PAIRS)
    assert set(made) == {("es", "en")}

    def fails(texts):
        raise AssertionError("the cache should have known")

    cached = TranslateToEnglish(
        translators={"es": FunctionTranslator(fails, "words es-en")}, cache=tmp_path / "cache"
    )
    assert cached.fit_transform(PAIRS).tolist() == first.tolist()


def test_a_detector_of_ones_own():
    one = TranslateToEnglish(
        translators={"xx": FunctionTranslator(lambda texts: ["!"] * len(texts), "xx-en")},
        detector=lambda texts: ["xx" if "z" in text else "en" for text in texts],
    )
    assert one.fit_transform([("za", "b")]).tolist() == [["!", "b"]]


def test_bad_settings():
    with pytest.raises(ValueError, match="languages must hold 'en'"):
        TranslateToEnglish(["es", "fr"]).fit(PAIRS)
    with pytest.raises(ValueError, match="Unknown language code"):
        TranslateToEnglish(["en", "klingon"]).fit(PAIRS)
    with pytest.raises(ValueError, match="'translators' parameter of TranslateToEnglish must be"):
        TranslateToEnglish(translators="google").fit_transform(PAIRS)
    with pytest.raises(ValueError, match="Row 0, column 1"):
        TranslateToEnglish().fit([("a", 3)])


def test_it_is_cloned_and_put_in_a_pipeline(small_vectors):
    one = TranslateToEnglish(translators={"es": Recording()})
    assert clone(one).get_params()["languages"] == ("en", "es")
    pairs = [("el gato duerme", "the cat sleeps"), ("el perro corre", "the dog runs")]
    model = make_pipeline(one, ParagramEncoder(vectors=small_vectors, max_iter=1))
    np.testing.assert_allclose(model.fit(pairs).transform(pairs).ravel(), 1.0, atol=1e-6)


def test_apertium_by_default(apertium):
    found = TranslateToEnglish().fit_transform([("The house is big.", "La casa es grande.")])
    assert found.tolist() == [["The house is big."] * 2]
    german = TranslateToEnglish(["en", "de"])
    with pytest.warns(UserWarning, match="1 of 2 sentences"):
        kept = german.fit_transform([("The house", "das Haus ist sehr groß")])
    assert kept.tolist() == [["The house", "das Haus ist sehr groß"]]
