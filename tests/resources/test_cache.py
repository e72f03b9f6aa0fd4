"""Tables that are computed once: what loads them again, and what happens to a broken file."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

import numpy as np
import pytest

from skpara.resources import Tagger, WordFrequencies, WordNet, _cache
from skpara.resources._cache import TextIndex, Texts, cached_tables

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="XDG_CACHE_HOME is for Linux")

WORDS = ["dog", "Köln", "", "a b", "line\nbreak", "\ud800", "日本"]
# Prints which tables a process of its own computes, and what the three resources say.
SCRIPT = """
import sys
from skpara.resources import Tagger, WordFrequencies, WordNet
answers = [
    WordNet.load().similarities(["dog", "cats"], [0], [1]).tolist(),
    WordFrequencies.load().information(["dog", "1987"]).tolist(),
    Tagger.load().tag([["Two", "zorkish", "dogs", "ran"]]),
]
print([module in sys.modules for module in ("wordfreq", "HanTa.HanoverTagger")])
print(answers)
"""


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source"
    path.write_text("one")
    return path


@pytest.fixture
def compute():
    def compute():
        compute.calls += 1
        return {"numbers": np.arange(5)}, {"name": "five"}

    compute.calls = 0
    return compute


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "skpara" / "tables"


def load(source, compute, version=1):
    arrays, more = cached_tables("numbers", version, [source], compute)
    assert arrays["numbers"].tolist() == [0, 1, 2, 3, 4]
    assert more == {"name": "five"}
    return arrays


def run(folder):
    environment = os.environ | {"XDG_CACHE_HOME": str(folder)}
    return subprocess.Popen([sys.executable, "-c", SCRIPT], env=environment, stdout=-1, text=True)


def test_they_are_computed_once_and_mapped(folder, source, compute):
    for _ in range(3):
        arrays = load(source, compute)
        assert isinstance(arrays["numbers"].base, np.memmap)
    assert compute.calls == 1
    assert [path.suffix for path in folder.iterdir()] == [".safetensors"]


def test_a_changed_source_or_format_computes_them_again(folder, source, compute):
    load(source, compute)
    load(source, compute, version=2)
    source.write_text("three")
    load(source, compute)
    assert compute.calls == 3


@pytest.mark.parametrize("content", [b"", b"not safetensors", None])
def test_a_damaged_file_is_replaced(folder, source, compute, content):
    load(source, compute)
    (path,) = folder.iterdir()
    path.write_bytes(path.read_bytes()[:-3] if content is None else content)
    load(source, compute)
    load(source, compute)
    assert compute.calls == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write anywhere")
def test_a_read_only_folder_is_not_needed(folder, source, compute):
    folder.mkdir(parents=True)
    folder.chmod(0o500)
    load(source, compute)


def test_a_folder_that_cannot_be_made_is_not_needed(folder, source, compute):
    folder.parents[1].write_text("a file where the cache folder should be")
    load(source, compute)
    load(source, compute)
    assert compute.calls == 2


def test_a_full_disk_is_survived(folder, source, compute, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("skpara.resources._cache.write_arrays", full)
    load(source, compute)


@pytest.mark.slow
def test_processes_that_start_at_once_agree(wordnet, tmp_path):
    processes = [run(tmp_path) for _ in range(2)]
    printed = [process.communicate()[0].splitlines() for process in processes]
    processes.append(run(tmp_path))
    printed.append(processes[-1].communicate()[0].splitlines())
    assert [process.returncode for process in processes] == [0, 0, 0]
    computed = np.array([ast.literal_eval(lines[0]) for lines in printed])
    # One of the first two may start late, and find a table that the other has written.
    assert computed[:2].any(axis=0).all()
    assert not computed[2].any()
    answers = [
        WordNet.load().similarities(["dog", "cats"], [0], [1]).tolist(),
        WordFrequencies.load().information(["dog", "1987"]).tolist(),
        Tagger.load().tag([["Two", "zorkish", "dogs", "ran"]]),
    ]
    assert [lines[1] for lines in printed] == [str(answers)] * 3


@pytest.fixture(params=["C", "Python"])
def implementation(request, monkeypatch):
    if request.param == "Python":
        monkeypatch.setattr(_cache, "NATIVE", None)
    elif _cache.NATIVE is None:
        pytest.skip("the module in C is not built")


def test_texts_are_found_and_read_back(implementation):
    index = TextIndex(TextIndex.arrays("words", WORDS), "words")
    assert list(index) == WORDS
    assert [index.find(word) for word in WORDS] == list(range(len(WORDS)))
    assert [index.find(word) for word in ("Dog", "do", "dogs", "K", " ")] == [-1] * 5
    assert index.find_all(["日本", "dogs", "dog"]).tolist() == [6, -1, 0]
    assert "日本" in index
    assert 3 not in index
    assert list(Texts(Texts.arrays("texts", ["a", "a", ""]), "texts")) == ["a", "a", ""]


def test_an_index_of_no_texts(implementation):
    index = TextIndex(TextIndex.arrays("words", []), "words")
    assert len(index) == 0
    assert "a" not in index
    assert index.find_all([]).tolist() == []


@pytest.mark.skipif(_cache.NATIVE is None, reason="the module in C is not built")
def test_wrong_numbers_in_an_index_are_not_followed():
    arrays = TextIndex.arrays("words", WORDS)
    parts = [f"words.{part}" for part in ("text", "ends", "starts", "members")]
    for part in parts:
        wrong = np.full_like(arrays[part], np.iinfo(arrays[part].dtype).max)
        index = TextIndex(arrays | {part: wrong}, "words")
        assert set(index.find_all(WORDS).tolist()) <= set(range(-1, len(WORDS)))
    for part in parts[1:3]:
        with pytest.raises(ValueError, match="no index"):
            TextIndex(arrays | {part: np.zeros(0, dtype=np.uint32)}, "words")
    index = _cache.NATIVE.index(*(arrays[part] for part in parts))
    for call, text in ((_cache.NATIVE.find, 3), (_cache.NATIVE.find_all, [3])):
        with pytest.raises(TypeError):
            call(index, text)
