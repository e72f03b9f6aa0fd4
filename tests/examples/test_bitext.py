"""The units and pairs that vectors are learned from in examples/papers/bitext_2019.py."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "papers"))
import bitext_2019


def test_words_with_shared_letters_share_units():
    sentences = ["a cat", "a cat", "a cat", "a cats", "a cats", "a cats", "no dog"]
    units = bitext_2019.Units(sentences, lengths=[3])
    cat, cats, rare = (set(text.split()) for text in units.written(["cat", "cats", "dog"]))
    assert len(cat) == 4  # the word, <ca, cat, at>
    assert len(cat & cats) == 2  # <ca, cat
    assert rare == set()
    assert units.shares.sum() < 1  # of all units, some of them too rare
    assert units.shares.max() == 6 / 40  # a, <ca and cat, in six sentences each


def test_words_alone_are_units_without_lengths():
    units = bitext_2019.Units(["to be"] * 3, lengths=[])
    assert len(units.names) == 2
    assert units.written(["be or be"]) == [f"{units.names[0]} {units.names[0]}"]


def test_english_sentences_with_the_same_translation_are_pairs():
    bitext = {
        "es": [("hi", "hola"), ("hello", "hola"), ("bye", "adiós"), ("hi", "hola")],
        "fr": [("hi", "salut"), ("bye", "salut")],
        "de": [(f"go {i}", "geh") for i in range(bitext_2019.MOST_VARIANTS + 1)],
    }
    assert bitext_2019.english_pairs(bitext) == [("hi", "hello"), ("hi", "bye")]
