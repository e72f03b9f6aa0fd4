"""Where data sets are looked for."""

from __future__ import annotations

from pathlib import Path

from skpara.datasets import get_data_home


def test_argument_wins_over_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("SKPARA_DATA", "/elsewhere")
    assert get_data_home(tmp_path) == tmp_path
    assert get_data_home(str(tmp_path)) == tmp_path


def test_environment_wins_over_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("SKPARA_DATA", str(tmp_path))
    assert get_data_home() == tmp_path


def test_the_default_is_a_folder_of_the_user_and_is_not_created(monkeypatch, tmp_path):
    monkeypatch.delenv("SKPARA_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    home = get_data_home()
    assert home.name == "skpara"
    assert home.is_absolute()
    assert list(tmp_path.iterdir()) == []


def test_tilde_and_relative_paths_are_resolved(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert get_data_home("~/corpora") == Path.home() / "corpora"
    assert get_data_home("corpora") == tmp_path / "corpora"
