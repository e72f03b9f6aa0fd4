"""The table of ``"multilingual"``: the packaged one, or one in the cache folder."""

from __future__ import annotations

import numpy as np
import platformdirs
import pytest

from skpara import ParagramEncoder, WordVectors
from skpara.resources._packaged_vectors import LANGUAGES_FILE, read_product_codes


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The empty cache folder of tables."""
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: str(tmp_path / "cache"))
    folder = tmp_path / "cache" / "tables"
    folder.mkdir(parents=True)
    return folder


def test_the_packaged_table_extends_the_english_one(cache):
    english = WordVectors.load()
    table = WordVectors.load("multilingual")
    assert WordVectors.load("multilingual") is table
    assert table.words[: len(english)] == english.words
    words, _ = read_product_codes(LANGUAGES_FILE)
    unchanged = np.flatnonzero(~np.isin(english.words, words))
    assert len(unchanged) > 0.9 * len(english)
    np.testing.assert_array_equal(table.take(unchanged), english.take(unchanged))


@pytest.mark.parametrize(
    "translation", ["Un hombre toca la guitarra.", "Un homme joue de la guitare."]
)
def test_translations_are_nearer_than_other_sentences(cache, translation):
    encoder = ParagramEncoder(vectors="multilingual")
    english = ["A man plays the guitar.", "The parliament votes on the budget."]
    same, other = encoder.similarity(english, [translation] * 2)
    assert same > 0.8
    assert other < 0.4


def test_a_table_in_the_cache_folder_comes_first(cache):
    WordVectors(["chien"], [[1.0, 0.0]]).save(cache / "multilingual.safetensors")
    assert WordVectors.load("multilingual").words == ["chien"]
