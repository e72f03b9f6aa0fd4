"""Errors leave no open file, temporary file, process or thread behind."""

from __future__ import annotations

import gc
import gzip
import itertools
import os
import sqlite3
import tempfile
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from skpara import WordVectors, load_model, make_sts_pipeline, save_model
from skpara.augment import CachedTranslator, FunctionTranslator
from skpara.cli import main
from skpara.datasets import iter_pairs
from skpara.matching import Deduplicator

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counted as on Linux")


def in_use():
    """Count open files, temporary files, child processes and threads."""
    gc.collect()
    files = []
    for name in os.listdir("/proc/self/fd"):
        try:
            files.append(os.readlink(f"/proc/self/fd/{name}"))
        except FileNotFoundError:  # the list of the folder itself
            continue
    children = [path.read_text() for path in Path("/proc/self/task").glob("*/children")]
    temporary = map(str, Path(tempfile.gettempdir()).rglob("*"))
    return Counter([*files, *temporary, *children, *map(str, threading.enumerate())])


def damaged(source, path):
    data = bytearray(source.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    return path


class Failing:
    """An encoder and a translator that fails from its second call on."""

    calls = 0

    def encode(self, sentences):
        self.calls += 1
        if self.calls >= 2:
            raise OSError("The encoder is gone.")
        return np.ones((len(sentences), 2))

    def __call__(self, sentences):
        self.encode(sentences)
        return sentences


def failures(folder, model, model_file, pairs, scores):
    """Yield a name and a function that fails, of every kind of resource."""
    vectors = WordVectors(["a", "b"], np.eye(2))
    for suffix in (".npz", ".safetensors"):
        vectors.save(folder / f"good{suffix}")
        path = folder / f"bad{suffix}"
        path.write_bytes((folder / f"good{suffix}").read_bytes()[:-20])
        yield f"vectors {suffix}", lambda path=path: WordVectors.load(path)
    (folder / "bad.txt.gz").write_bytes(gzip.compress(b"a 1 2\nb 3 4\n" * 999)[:-9])
    yield "vectors as text", lambda: WordVectors.load(folder / "bad.txt.gz")
    yield "pairs", lambda: list(iter_pairs(folder / "bad.txt.gz", format="tsv"))
    bad = damaged(model_file, folder / "bad.skpara")
    yield "model file", lambda: load_model(bad)
    yield "save to a folder", lambda: save_model(model, folder)
    yield "save below a file", lambda: save_model(model, bad / "model")
    yield "fit", lambda: make_sts_pipeline().fit(pairs, np.full_like(scores, np.nan))
    yield "predict", lambda: model.predict([("a", None)])
    with sqlite3.connect(folder / "other.db") as database:
        database.execute("CREATE TABLE other (x)")
    database.close()
    numbers = itertools.count()
    shout = FunctionTranslator(str.upper, "shout")
    yield "cache", lambda: CachedTranslator(shout, folder / "other.db").translate(["a"])
    yield (
        "translator",
        lambda: CachedTranslator(
            FunctionTranslator(Failing(), "fails", retries=0), folder / "new.db", chunk_size=1
        ).translate([str(next(numbers)) for _ in range(5)]),
    )
    many = list(map(str, range(20_000)))  # more than are encoded in one call
    sentences = {"kind": "sentences", "n_jobs": 2}
    yield "encoder", lambda: Deduplicator(encoder=Failing(), **sentences).fit(many)
    yield "command", lambda: main(["predict", str(folder / "bad.txt.gz"), "--model", str(bad)])


def test_nothing_remains_after_errors(tmp_path, monkeypatch, model, model_file, sample, capfd):
    folder = tmp_path / "files"
    folder.mkdir()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    cases = dict(failures(folder, model, model_file, sample.data[:40], sample.target[:40]))
    for name, fail in cases.items():  # what is loaded once stays
        assert fails(fail), name
    capfd.readouterr()
    before = in_use()
    for name, fail in cases.items():
        assert fails(fail), name
    assert not in_use() - before  # what an earlier test has left may go away meanwhile
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def fails(function):
    try:
        return function() in (1, 2)  # exit codes of the command
    except (OSError, ValueError, TypeError, RuntimeError):
        return True
