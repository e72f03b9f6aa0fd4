"""The units and pairs that vectors are learned from in examples/papers/bitext_2019.py."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "papers"))
import bitext_2019


def test_words_with_the_same_letters_share_units():
    sentences = ["a cat", "a cat", "a cat", "a cats", "a cats", "a cats", "no dog"]
    units = bitext_2019.Units(sentences, "trigrams")
    cat, cats, rare = (set(text.split()) for text in units.written(["cat", "cats", "dog"]))
    assert len(cat) == 3  # <ca, cat, at>
    assert len(cat & cats) == 2  # <ca, cat
    assert rare == set()
    # Of 6 + 3 * 3 + 3 * 4 + 5 units in sentences, <a>, <ca and cat are in six.
    assert units.shares.max() == 6 / 32


def test_words_can_be_the_units():
    units = bitext_2019.Units(["to be"] * 3, "words")
    assert len(units.names) == 2
    assert units.written(["be or be"]) == [f"{units.names[0]} {units.names[0]}"]


def test_english_sentences_with_the_same_translation_are_pairs():
    bitext = {
        "es": [("hi", "hola"), ("hello", "hola"), ("bye", "adiós"), ("hi", "hola")],
        "fr": [("hi", "salut"), ("bye", "salut")],
        "de": [(f"go {i}", "geh") for i in range(bitext_2019.MOST_VARIANTS + 1)],
    }
    assert bitext_2019.english_pairs(bitext) == [("hi", "hello"), ("hi", "bye")]


def test_translations_come_closer():
    english = [f"{a} {b}" for a in ("red", "green", "big", "old") for b in ("car", "sea", "cat")]
    foreign = [f"{b} {a}" for a in ("rojo", "verde", "gran", "viejo") for b in ("co", "mar", "ga")]
    units = bitext_2019.Units(english * 3 + foreign * 3, "words")
    one, other = (np.array(units.written(side), dtype=object) for side in (english, foreign))
    args = Namespace(
        n_dims=20,
        frequency=0.01,
        dropout=0.0,
        word_dropout=0.0,
        megabatch=3,
        margin=0.4,
        rate=0.05,
        batch_size=4,
        epochs=30,
    )
    pairs = np.column_stack([one, other])
    development = np.vstack([pairs, np.column_stack([one, np.roll(other, 1)])])
    scores = np.repeat([1.0, 0.0], len(one))
    encoder = bitext_2019.train(pairs, units, (development, scores), args, seed=0)
    assert encoder.similarity(one, other).min() > encoder.similarity(one, np.roll(other, 1)).max()
