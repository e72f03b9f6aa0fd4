"""The words of other languages: bitext that is left out, and product codes."""

from __future__ import annotations

import numpy as np

from skpara import WordVectors
from skpara._linalg import unit_rows
from skpara.resources._packaged_vectors import read_product_codes


def test_evaluated_sentences_and_their_translations_are_left_out(load, tiny_data):
    builder = load("build_languages")
    (first, second), (other, translation) = builder.retrieval_pairs(tiny_data, "de")[:2]
    english = builder.sentence_hashes([first, other])
    pairs = [
        (first, "Ein neuer Satz."),
        ("A new sentence.", translation),
        ("", ""),
        ("A dog.", "Ein Hund."),
        ("A dog.", "Ein Hund."),
    ]
    kept, n_left_out = builder.usable(
        pairs, english, builder.sentence_hashes([second, translation])
    )
    assert kept == [("A dog.", "Ein Hund.")]
    assert n_left_out == 3


def test_product_codes_are_read_as_rows_of_the_same_length(load, tmp_path):
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((20, 1)) + 0.1 * rng.standard_normal((20, 8))
    path = tmp_path / "codes.safetensors"
    words = [f"wort{i}" for i in range(20)]
    load("build_languages").write_product_codes(path, words, np.float32(rows), np.ones(20))
    read, again = read_product_codes(path)
    assert read == words
    lengths = [np.linalg.norm(table, axis=1) for table in (rows, again)]
    np.testing.assert_allclose(*lengths, rtol=0.01)
    assert ((unit_rows(again) * unit_rows(rows)).sum(axis=1) > 0.98).all()


def test_rows_that_differ_from_the_english_ones_are_found(load):
    codes = np.eye(3, dtype=np.int8)
    english = WordVectors(["a", "b"], codes[:2], np.ones(2))
    table = WordVectors(["a", "b", "c"], codes[[0, 2, 1]], np.ones(3))
    assert load("build_languages").differences(table, english).tolist() == [1, 2]
