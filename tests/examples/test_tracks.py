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
    """Options for a folder with two of the seven tracks."""
    folder = tmp_path / "STS" / "STS17-en-test"
    folder.mkdir(parents=True)
    arabic = ("الكلب يجري في الشارع", "البيت كبير جدا")
    for track, pair in (("track1.ar-ar", arabic), ("track3.es-es", WORDS)):
        (folder / f"STS.input.{track}.txt").write_text("\t".join(pair) + "\n", "utf8")
        (folder / f"STS.gs.{track}.txt").write_text("1.2\n")
    marian = {"ar": str(tmp_path / "no model")}
    return argparse.Namespace(data=tmp_path, translator="apertium", marian=marian)


def test_tracks_are_translated_or_their_problem_is_named(script, options, monkeypatch):
    spanish = FunctionTranslator(lambda texts: [WORDS[text] for text in texts], "words es-en")
    choose = script["translator_into_english"]
    monkeypatch.setitem(
        script["tracks_of_2017"].__globals__,
        "translator_into_english",
        lambda language, args: spanish if language == "es" else choose(language, args),
    )
    scored, missing = script["tracks_of_2017"](options)
    assert {name: bunch.data.tolist() for name, bunch in scored.items()} == {
        "track3.es-es": [[*WORDS.values()]]
    }
    assert "no model" in missing["track1.ar-ar"]
    assert missing["track6.tr-en"] == "its files are missing"
    assert len(scored) + len(missing) == 7
