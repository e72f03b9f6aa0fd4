"""A killed process loses only the chunk that it was working on."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import numpy as np
import pytest

pytestmark = pytest.mark.slow

SENTENCES = [f"a small house number {i} stands here" for i in range(300)]

TRANSLATE = """
import sys, time
from skpara.augment import CachedTranslator, FunctionTranslator

def slowly(texts):
    time.sleep(0.1)  # more than a busy machine lets pass between two looks at the cache
    return [text.upper() for text in texts]

sentences = [f"a small house number {i} stands here" for i in range(300)]
translator = CachedTranslator(FunctionTranslator(slowly, "words"), sys.argv[1], chunk_size=10)
translator.translate(sentences)
"""


class Recording:
    """A translator into capitals that records what it translates."""

    name = "words"

    def __init__(self):
        self.sentences = []

    def translate(self, sentences):
        self.sentences += sentences
        return [text.upper() for text in sentences]


def rows_in(path):
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path, timeout=30)) as database:
        try:
            return database.execute("SELECT count(*) FROM translations").fetchone()[0]
        except sqlite3.OperationalError:  # the table does not exist yet
            return 0


def run_and_kill_at(command, path, n_rows):
    """Run a command until a cache has ``n_rows`` rows, then kill it and its child processes."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    deadline = time.monotonic() + 120
    while rows_in(path) < n_rows:
        assert process.poll() is None, "the command ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


def test_a_cache_has_whole_chunks_after_a_kill(tmp_path):
    from skpara.augment import CachedTranslator

    path = tmp_path / "cache"
    for n_rows in (1, 100, 200):  # each run continues where the last was killed
        run_and_kill_at([sys.executable, "-c", TRANSLATE, str(path)], path, n_rows)
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert rows_in(path) >= n_rows
        assert rows_in(path) % 10 == 0
    n_cached, translator = rows_in(path), Recording()
    translations = CachedTranslator(translator, path).translate(SENTENCES)
    assert translations == [text.upper() for text in SENTENCES]
    assert translator.sentences == SENTENCES[n_cached:]


def test_augment_writes_the_same_after_a_kill(apertium, tmp_path):
    source = tmp_path / "sentences.txt"
    source.write_text("\n".join(f"The house number {i} is old." for i in range(1050)))
    out, expected = tmp_path / "out.tsv", tmp_path / "expected.tsv"

    def command(out, *options):
        return [sys.executable, "-m", "skpara", "augment", str(source), "-o", str(out), *options]

    cache = tmp_path / "out.tsv.translations"
    out.write_text("what was there before\n")
    run_and_kill_at(command(out), cache, 1000)
    assert out.read_text() == "what was there before\n"
    assert rows_in(cache) % 50 == 0  # whole chunks, which have 1,000 or 50 sentences
    subprocess.run(command(out), check=True, capture_output=True)
    assert not cache.exists()
    options = ["--cache", str(tmp_path / "cache")]
    subprocess.run(command(expected, *options), check=True, capture_output=True)
    assert out.read_bytes() == expected.read_bytes()


# New processes, because a fork of this one would hang if torch has started threads.
FIT = """
import sys, time
import numpy as np
from skpara import ParagramEncoder
from skpara.augment import FunctionTranslator, PivotParaphraser
from skpara.learning import Paraphraser

def words(source, target):
    old, new = ("small", "peque") if target == "es" else ("peque", "little")

    def translate(texts):
        time.sleep(0.01)
        return [text.replace(old, new) for text in texts]

    return FunctionTranslator(translate, f"words {source}-{target}", batch_size=20)

sentences = [f"a small house number {i} stands here" for i in range(300)]
known = sorted({word for text in sentences for word in [*text.split(), "little"]})
rows = np.random.default_rng(0).standard_normal((len(known), 10))
for cache, result in zip(sys.argv[1::2], sys.argv[2::2]):
    encoder = ParagramEncoder(
        vectors=dict(zip(known, rows)),
        paraphraser=Paraphraser(PivotParaphraser(translator=words, cache=cache)),
        max_iter=1,
        random_state=0,
        device="cpu",
    )
    pairs = list(zip(sentences[:100], sentences[100:200]))
    encoder.fit(pairs, unlabeled=sentences)
    np.save(result, encoder.encode(sentences[:5]))
"""


def test_processes_that_fit_with_one_cache_agree(tmp_path):
    shared, own = str(tmp_path / "shared"), str(tmp_path / "own")
    results = [str(tmp_path / f"{i}.npy") for i in range(3)]
    arguments = [[shared, results[0]], [shared, results[1], own, results[2]]]
    fits = [subprocess.Popen([sys.executable, "-c", FIT, *each]) for each in arguments]
    assert [fit.wait(300) for fit in fits] == [0, 0]
    first, second, alone = map(np.load, results)
    np.testing.assert_array_equal(first, alone)
    np.testing.assert_array_equal(second, alone)
