"""Word similarity sets."""

from __future__ import annotations

import pytest

from skpara.datasets import fetch_word_similarity


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "word-sim"
    folder.mkdir()
    (folder / "EN-MC-30.txt").write_text("car\tautomobile\t3.92\ngem\tjewel\t3.84\n")
    (folder / "EN-VERB-143.txt").write_bytes(b"happen\tsay\t0.1900\r\n")
    return tmp_path


def test_one_set(home):
    words = fetch_word_similarity("MC-30", data_home=home)
    assert words.data.tolist() == [["car", "automobile"], ["gem", "jewel"]]
    assert words.target.tolist() == [3.92, 3.84]
    assert words.groups.tolist() == ["MC-30"] * 2
    assert "Miller and Charles" in words.DESCR


def test_windows_line_ends_and_x_y(home):
    X, y = fetch_word_similarity("VERB-143", data_home=home, return_X_y=True)
    assert (X.tolist(), y.tolist()) == ([["happen", "say"]], [0.19])


def test_missing_and_unknown_sets_are_named(home):
    with pytest.raises(FileNotFoundError, match=r"EN-RG-65\.txt not found .*eval-word-vectors"):
        fetch_word_similarity("RG-65", data_home=home)
    with pytest.raises(ValueError, match=r"name must be one of \['MC-30'"):
        fetch_word_similarity("RG", data_home=home)


def test_a_row_without_a_score_is_named(home):
    (home / "word-sim" / "EN-RG-65.txt").write_text("gem\tjewel\t3.9\nnoon\tmidday\thigh\n")
    with pytest.raises(ValueError, match=r"EN-RG-65\.txt, line 2"):
        fetch_word_similarity("RG-65", data_home=home)


def test_all_real_sets_are_read(data_home):
    words = fetch_word_similarity(data_home=data_home)
    assert len(set(words.groups)) == 13

    assert len(words.data) == 11_768
