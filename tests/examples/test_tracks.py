"""The tracks of STS 2017 in examples/papers/umdeep_2017.py, translated into English."""

from __future__ import annotations

import argparse
import runpy
from pathlib import Path

import pytest

from skpara.augment import FunctionTranslator

SCRIPT = Path(__file__).parents[2] / "examples" / "papers" / "umdeep_2017.py"
WORDS = {"El perro corre.": "The dog runs.", "La casa es grande.": "The house is big."}


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def options(tmp_path):
    """Options for a folder with three of the seven tracks."""
    folder = tmp_path / "STS" / "STS17-en-test"
    folder.mkdir(parents=True)
    spanish, english = zip(*WORDS.items(), strict=True)
    pairs = {
        "track1.ar-ar": ("الكلب يجري في الشارع", "البيت كبير جدا"),
        "track3.es-es": spanish,
        "track5.en-en": english,
    }
    for track, (first, second) in pairs.items():
        (folder / f"STS.input.{track}.txt").write_text(f"{first}\t{second}\n", "utf8")
        (folder / f"STS.gs.{track}.txt").write_text("1.2\n")
    return argparse.Namespace(data=tmp_path, translator="apertium", marian={})


def tracks(script, options, monkeypatch, translators):
    """Return the tracks; a language without a translator raises as Apertium does."""

    def translator(language, args):
        if language not in translators:
            raise FileNotFoundError(f"Apertium has no mode {language}-en.\nInstall it.")
        return translators[language]

    namespace = script["tracks_of_2017"].__globals__
    monkeypatch.setitem(namespace, "translator_into_english", translator)
    return script["tracks_of_2017"](options)


def test_tracks_are_translated_or_their_problem_is_named(script, options, monkeypatch):
    spanish = FunctionTranslator(lambda texts: [WORDS[text] for text in texts], "words es-en")
    scored, missing = tracks(script, options, monkeypatch, {"es": spanish})
    assert {name: bunch.data.tolist() for name, bunch in scored.items()} == {
        "track3.es-es": [[*WORDS.values()]],
        "track5.en-en": [[*WORDS.values()]],
    }
    assert missing["track1.ar-ar"] == "not translated: Apertium has no mode ar-en."
    assert missing["track6.tr-en"] == "its files are missing"
    assert len(scored) + len(missing) == 7


def test_options_select_the_translator(script, options):
    choose = script["translator_into_english"]
    options.marian = {"tr": "folder"}
    assert choose("tr", options).model == "folder"
    options.translator = "marian"
    assert choose("ar", options).model == "Helsinki-NLP/opus-mt-ar-en"


def test_a_marian_model_that_is_missing_is_named(script, options, tmp_path):
    options.marian = {"ar": str(tmp_path / "no model"), "es": str(tmp_path / "none")}
    scored, missing = script["tracks_of_2017"](options)
    assert list(scored) == ["track5.en-en"]
    assert "no model" in missing["track1.ar-ar"]
