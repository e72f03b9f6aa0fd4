"""A process killed in mid-work loses the piece that was not finished, and nothing else."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import numpy as np

SENTENCES = [f"a small house number {i} stands here" for i in range(300)]

PARAPHRASE = """
import sys, time
from skpara.augment import CachedTranslator, FunctionTranslator

def slowly(texts):
    time.sleep(0.02)
    return [text.upper() for text in texts]

sentences = [f"a small house number {i} stands here" for i in range(300)]
print("ready", flush=True)
translator = CachedTranslator(FunctionTranslator(slowly, "words"), sys.argv[1], chunk_size=10)
translator.translate(sentences)
"""


class Counting:
    """Translates into capitals and counts."""

    name = "words"

    def __init__(self):
        self.seen = []

    def translate(self, sentences):
        self.seen += sentences
        return [text.upper() for text in sentences]


def rows_in(path):
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path, timeout=30)) as database:
        try:
            return database.execute("SELECT count(*) FROM translations").fetchone()[0]
        except sqlite3.OperationalError:  # the table is not made yet
            return 0


def killed_at(command, path, n_rows):
    """Run a command until a cache holds so many rows, and kill it and all that it started."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while rows_in(path) < n_rows:
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


def test_a_cache_holds_whole_chunks_whenever_its_writer_is_killed(tmp_path):
    from skpara.augment import CachedTranslator

    path = tmp_path / "cache"
    for n_rows in (1, 100, 200):  # killed again and again, it goes on where it was
        killed_at([sys.executable, "-c", PARAPHRASE, str(path)], path, n_rows)
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert rows_in(path) >= n_rows
        assert rows_in(path) % 10 == 0
    kept, counting = rows_in(path), Counting()
    found = CachedTranslator(counting, path).translate(SENTENCES)
    assert found == [text.upper() for text in SENTENCES]
    assert counting.seen == SENTENCES[kept:]


def test_augment_killed_goes_on_and_writes_what_it_would_have_written(apertium, tmp_path):
    source = tmp_path / "sentences.txt"
    source.write_text("\n".join(f"The house number {i} is old." for i in range(1050)))
    whole, out = tmp_path / "whole.tsv", tmp_path / "out.tsv"

    def command(out, cache):
        cache = ["--cache", str(cache)] if cache else []
        return [sys.executable, "-m", "skpara", "augment", str(source), "-o", str(out), *cache]

    beside = tmp_path / "out.tsv.translations"
    out.write_text("what was there before\n")
    killed_at(command(out, None), beside, 1000)
    assert out.read_text() == "what was there before\n"
    kept = rows_in(beside)
    assert kept in (1000, 2000)  # whole chunks, of the way there and of that back
    subprocess.run(command(out, None), check=True, capture_output=True)
    assert not beside.exists()
    subprocess.run(command(whole, tmp_path / "cache"), check=True, capture_output=True)
    assert out.read_bytes() == whole.read_bytes()


# Two fresh processes: one forked from this would stand still where torch has threads already.
FIT = """
import sys, time
import numpy as np
from skpara import ParagramEncoder
from skpara.augment import FunctionTranslator, PivotParaphraser

def words(source, target):
    old, new = ("small", "peque") if target == "es" else ("peque", "little")

    def translate(texts):
        time.sleep(0.01)
        return [text.replace(old, new) for text in texts]

    return FunctionTranslator(translate, f"words {source}-{target}", batch_size=20)

sentences = [f"a small house number {i} stands here" for i in range(300)]
known = sorted({word for text in sentences for word in [*text.split(), "little"]})
rows = np.random.default_rng(0).standard_normal((len(known), 10))
encoder = ParagramEncoder(
    vectors=dict(zip(known, rows)),
    paraphraser=PivotParaphraser(translator=words, cache=sys.argv[1]),
    max_iter=1,
    random_state=0,
    device="cpu",
)
pairs = list(zip(sentences[:100], sentences[100:200]))
encoder.fit(pairs, unlabeled=sentences)
np.save(sys.argv[2], encoder.encode(sentences[:5]))
"""


def test_processes_that_fit_with_one_cache_agree(tmp_path):
    caches = ["shared", "shared", "of its own"]
    results = [tmp_path / f"{i}.npy" for i in range(3)]
    fits = [
        subprocess.Popen([sys.executable, "-c", FIT, str(tmp_path / cache), str(result)])
        for cache, result in zip(caches, results, strict=True)
    ]
    assert [fit.wait(300) for fit in fits] == [0, 0, 0]
    first, second, alone = map(np.load, results)
    np.testing.assert_array_equal(first, alone)
    np.testing.assert_array_equal(second, alone)
