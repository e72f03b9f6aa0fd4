from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline

from skpara import ParagramEncoder
from skpara.augment import FunctionTranslator, TranslateToEnglish

SERIES_DATA = {"pandas": "data", "polars": "values"}
WORDS = {"el": "the", "perro": "dog", "gato": "cat", "duerme": "sleeps", "corre": "runs"}


def word_by_word(texts):
    return [" ".join(WORDS.get(word, word) for word in text.split()) for text in texts]


class Recording:
    name = "words es-en"

    def __init__(self):
        self.sentences = []

    def translate(self, sentences):
        self.sentences += sentences
        return word_by_word(sentences)


PAIRS = [
    ("the dog is running fast", "el perro corre"),
    ("el gato duerme", "the cat is sleeping now"),
    ("el gato duerme", "el gato duerme"),
    ("a man with 3 dogs", ""),
]


def test_foreign_sentences_are_translated_on_either_side():
    translator = Recording()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        translated = TranslateToEnglish(translators={"es": translator}).fit_transform(PAIRS)
    assert translated.tolist() == [
        ["the dog is running fast", "the dog runs"],
        ["the cat sleeps", "the cat is sleeping now"],
        ["the cat sleeps", "the cat sleeps"],
        ["a man with 3 dogs", ""],
    ]
    assert translator.sentences == ["el perro corre"] + ["el gato duerme"] * 3


def test_sentences_and_frames_are_translated():
    to_english = TranslateToEnglish(translators={"es": Recording()})
    assert to_english.transform(["el perro corre", "12"]).tolist() == ["the dog runs", "12"]
    frame = pd.DataFrame(PAIRS, columns=["left", "right"])
    translated = to_english.set_output(transform="pandas").fit_transform(frame)
    assert translated.columns.tolist() == ["left", "right"]
    assert translated["right"].tolist()[0] == "the dog runs"
    assert to_english.fit_transform(PAIRS).columns.tolist() == ["sentence1", "sentence2"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_translated_sentences_are_a_frame_of_one_column(library):
    module = pytest.importorskip(library)
    to_english = TranslateToEnglish(translators={"es": Recording()}).set_output(transform=library)
    translated = to_english.transform(["el perro corre", "a dog"])
    assert list(translated.columns) == ["sentence"]
    column = module.Series(name="text", **{SERIES_DATA[library]: ["el perro corre", "a dog"]})
    translated = to_english.transform(column)
    assert list(translated.columns) == ["text"]
    assert translated["text"].to_list() == ["the dog runs", "a dog"]
    if library == "pandas":
        column.index = [7, 9]
        assert to_english.transform(column).index.tolist() == [7, 9]


def test_a_column_transformer_names_translated_columns():
    frame = pd.DataFrame(PAIRS, columns=["left", "right"])
    step = TranslateToEnglish(translators={"es": Recording()})
    for columns, names in (("left", ["left"]), (["left", "right"], ["left", "right"])):
        both = ColumnTransformer([("t", step, columns)], verbose_feature_names_out=False)
        translated = both.set_output(transform="pandas").fit_transform(frame)
        assert translated.columns.tolist() == names
        assert both.get_feature_names_out().tolist() == names


def test_text_without_a_language_is_english():
    for to_english in (TranslateToEnglish(None), TranslateToEnglish(["en", "es", "de"])):
        languages = to_english.detect(["", "12", "?!", "...", "el perro duerme en la casa"])
        assert languages.tolist() == [*["en"] * 4, "es"]
    languages = to_english.detect([("the big house is here", "das Haus ist sehr gross")])
    assert languages.tolist() == [["en", "de"]]


class NotInstalled:
    """Looks for its model on first use, as Marian does."""

    name = "model de-en"

    def translate(self, sentences):
        raise FileNotFoundError("No model 'opus-de-en' is on this machine.")


def test_a_language_whose_translator_is_missing_passes_through_with_one_warning():
    def create(source, target):
        if source == "es":
            return Recording()
        if source == "de":
            return NotInstalled()
        raise ImportError("MarianTranslator needs sacremoses: pip install 'skpara[translate]'")

    german, french = "die Katze ist sehr groß und alt", "le chien dort dans la maison"
    pairs = [("el perro corre", german), (french, french)]
    to_english = TranslateToEnglish(["en", "es", "de", "fr"], translators=create)
    with pytest.warns(UserWarning, match="3 of 4 sentences") as caught:
        translated = to_english.fit_transform(pairs)
    assert translated.tolist() == [["the dog runs", german], [french, french]]
    message = str(caught[0].message)
    assert len(caught) == 1
    assert "1 in 'de' (No model 'opus-de-en' is on this machine)" in message
    assert "2 in 'fr' (MarianTranslator needs sacremoses: pip install" in message
    to_english = TranslateToEnglish(["en", "de"], translators={"es": Recording()})
    with pytest.warns(UserWarning, match=r"1 in 'de' \(translators has no entry for 'de'\)"):
        to_english.transform([german])


def test_without_apertium_the_warning_names_its_package(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    pairs = [("the house is big and old", "La casa es grande y vieja.")]
    with pytest.warns(UserWarning, match="apt-get install apertium apertium-eng-spa") as caught:
        assert TranslateToEnglish().fit_transform(pairs).tolist() == [list(pairs[0])]
    assert len(caught) == 1


def test_sentences_of_an_unexpected_language_cause_one_warning():
    german = "Die Katze schläft im Haus, und der Hund läuft durch den Garten."
    to_english = TranslateToEnglish(translators={"es": Recording()})
    with pytest.warns(UserWarning, match=r"2 of 4 sentences seem .* 2 in 'de'.*'es', 'de'\]") as c:
        translated = to_english.fit_transform([(german, "a dog"), (german, "the house is big")])
    assert len(c) == 1
    assert translated[0, 0] == german
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        to_english.transform(["Suicide bomber kills 12 in Nigeria church"] + ["a dog"] * 2_000)
        to_english.set_params(detector=lambda texts: ["en"] * len(texts)).transform([german])


def test_translators_by_function_with_a_cache(tmp_path):
    languages = []

    def create(source, target):
        languages.append((source, target))
        return Recording()

    to_english = TranslateToEnglish(translators=create, cache=tmp_path / "cache")
    first = to_english.fit_transform(PAIRS)
    assert set(languages) == {("es", "en")}

    def fails(texts):
        raise AssertionError("not in the cache")

    failing = FunctionTranslator(fails, "words es-en")
    cached = TranslateToEnglish(translators={"es": failing}, cache=tmp_path / "cache")
    assert cached.fit_transform(PAIRS).tolist() == first.tolist()


def test_the_detector_may_be_a_function():
    to_english = TranslateToEnglish(
        translators={"xx": FunctionTranslator(lambda texts: ["!"] * len(texts), "xx-en")},
        detector=lambda texts: ["xx" if "z" in text else "en" for text in texts],
    )
    assert to_english.fit_transform([("za", "b")]).tolist() == [["!", "b"]]


def test_bad_parameters_are_refused():
    with pytest.raises(ValueError, match="languages must include 'en'"):
        TranslateToEnglish(["es", "fr"]).fit(PAIRS)
    with pytest.raises(ValueError, match="Unknown language code"):
        TranslateToEnglish(["en", "klingon"]).fit(PAIRS)
    with pytest.raises(ValueError, match="'translators' parameter of TranslateToEnglish must be"):
        TranslateToEnglish(translators="google").transform(PAIRS)
    with pytest.raises(ValueError, match="Row 0, column 1"):
        TranslateToEnglish().fit([("a", 3)])


def test_it_can_be_cloned_and_used_in_a_pipeline(small_vectors):
    to_english = TranslateToEnglish(translators={"es": Recording()})
    assert clone(to_english).get_params()["languages"] == ("en", "es")
    pairs = [("el gato duerme", "the cat sleeps"), ("el perro corre", "the dog runs")]
    model = make_pipeline(to_english, ParagramEncoder(vectors=small_vectors, max_iter=1))
    np.testing.assert_allclose(model.fit(pairs).transform(pairs)[:, 0], 1.0, atol=1e-6)


def test_apertium_is_the_default(apertium):
    translated = TranslateToEnglish().fit_transform([("The house is big.", "La casa es grande.")])
    assert translated.tolist() == [["The house is big."] * 2]
    german = TranslateToEnglish(["en", "de"])
    with pytest.warns(UserWarning, match="1 of 2 sentences"):
        translated = german.fit_transform([("The house", "das Haus ist sehr groß")])
    assert translated.tolist() == [["The house", "das Haus ist sehr groß"]]


@pytest.mark.parametrize(
    ("n_german", "n", "warned"), [(1, 1000, False), (1, 999, True), (2, 1000, True)]
)
def test_one_sentence_in_a_thousand_may_be_mistaken(n_german, n, warned):
    german = "Der Zug nach Bonn verkehrt leider nur in Richtung Norden."
    sentences = [german] * n_german + ["The dog is running through the park."] * (n - n_german)
    to_english = TranslateToEnglish(translators={"es": str})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        to_english._warn_of_other_languages(sentences)
    assert bool(caught) == warned
