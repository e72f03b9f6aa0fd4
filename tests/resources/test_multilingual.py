"""Where ``"multilingual"`` finds its table."""

from __future__ import annotations

import json
import sys
import warnings

import platformdirs
import pytest

from skpara import WordVectors
from skpara.resources._packaged_vectors import english_hash

NAME = "multilingual.safetensors"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The empty cache folder of tables."""
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: str(tmp_path / "cache"))
    folder = tmp_path / "cache" / "tables"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def install(tmp_path, monkeypatch):
    """A function that installs a package of data for given English vectors."""

    def install(english_sha256):
        folder = tmp_path / "site" / "skpara_languages"
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("raise AssertionError('data only')")
        (folder / "languages.json").write_text(json.dumps({"english_sha256": english_sha256}))
        WordVectors(["perro"], [[1.0, 0.0]]).save(folder / NAME)
        monkeypatch.syspath_prepend(str(folder.parent))

    return install


def test_the_installed_table_is_found_without_an_import(cache, install):
    install(english_hash())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = WordVectors.load("multilingual")
    assert table.words == ["perro"]
    assert WordVectors.load("multilingual") is table
    assert "skpara_languages" not in sys.modules


def test_a_table_in_the_cache_folder_comes_first(cache, install):
    install(english_hash())
    WordVectors(["chien"], [[1.0, 0.0]]).save(cache / NAME)
    assert WordVectors.load("multilingual").words == ["chien"]


def test_a_table_for_other_english_vectors_warns(cache, install):
    install("0" * 64)
    with pytest.warns(UserWarning, match="extends other English vectors than the packaged"):
        assert WordVectors.load("multilingual").words == ["perro"]


def test_without_a_table_the_error_names_both_ways(cache, monkeypatch):
    monkeypatch.setattr("skpara.resources._packaged_vectors.find_spec", lambda name: None)
    with pytest.raises(FileNotFoundError) as caught:
        WordVectors.load("multilingual")
    for text in ("pip install", "build_languages.py", "align_vectors", str(cache / NAME)):
        assert text in str(caught.value)
