from __future__ import annotations

import os
import pickle
import signal
import sqlite3
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from skpara.augment import (
    CachedTranslator,
    FunctionTranslator,
    TranslateToEnglish,
    TranslationError,
)


class Counting:
    """Translates into capitals and records the sentences."""

    def __init__(self, name="capitals", fails_on=None):
        self.name = name
        self.sentences = []
        self.fails_on = fails_on

    def translate(self, sentences):
        finished = []
        for text in sentences:
            if text == self.fails_on:
                raise TranslationError("broken", [*finished, None])
            self.sentences.append(text)
            finished.append(text.upper())
        return finished


def test_each_sentence_is_translated_once(tmp_path):
    first = Counting()
    translator = CachedTranslator(first, tmp_path / "a folder" / "cache")
    assert translator.translate(["a", "b", "a"]) == ["A", "B", "A"]
    second = Counting()
    translator = CachedTranslator(second, tmp_path / "a folder" / "cache")
    assert translator.translate(["b", "c", ""]) == ["B", "C", ""]
    assert (first.sentences, second.sentences) == (["a", "b"], ["c", ""])


def test_systems_share_a_file_but_not_translations(tmp_path):
    path = tmp_path / "cache"
    CachedTranslator(Counting(), path).translate(["a"])
    other = FunctionTranslator(lambda texts: ["other"] * len(texts), "another system")
    assert CachedTranslator(other, path).translate(["a"]) == ["other"]
    assert CachedTranslator(Counting(), path).translate(["a"]) == ["A"]


def test_a_failure_loses_nothing(tmp_path):
    path = tmp_path / "cache"
    broken = Counting(fails_on="c")
    with pytest.raises(TranslationError) as caught:
        CachedTranslator(broken, path, chunk_size=10).translate(["a", "b", "c", "d"])
    assert caught.value.finished == ["A", "B", None, None]
    repaired = Counting()
    assert CachedTranslator(repaired, path).translate(list("abcd")) == list("ABCD")
    assert repaired.sentences == ["c", "d"]


def test_too_few_translations_are_an_error(tmp_path):
    lazy = SimpleNamespace(name="lazy", translate=lambda sentences: sentences[1:])
    to_english = TranslateToEnglish(translators={"es": lazy}, detector=lambda x: ["es"] * len(x))
    for translate in (CachedTranslator(lazy, tmp_path / "c").translate, to_english.transform):
        with pytest.raises(TranslationError, match="lazy returned 1 translations for 2 sentences"):
            translate(["a", "b"])


@pytest.mark.parametrize("text", ["\ud800 lone", "\x00", "😀", "a\nb", "'; DROP TABLE x; --", ""])
def test_any_text_and_name_are_stored(tmp_path, text):
    path = tmp_path / "cache"
    expected = [text.upper()]
    assert CachedTranslator(Counting(text), path).translate([text]) == expected
    second = Counting(text)
    assert CachedTranslator(second, path).translate([text]) == expected
    assert second.sentences == []


def test_many_sentences_are_stored_in_chunks(tmp_path):
    texts = [f"sentence {i}" for i in range(3000)]
    translator = CachedTranslator(Counting(), tmp_path / "cache", chunk_size=700)
    for order in (texts, texts[::-1]):
        assert translator.translate(order) == [text.upper() for text in order]
    assert len(translator.translator.sentences) == 3000


def translate_in_chunks(path, start):
    texts = [f"sentence {i}" for i in range(start, start + 400)]
    return CachedTranslator(Counting(), path, chunk_size=7).translate(texts)


def test_processes_share_a_file(tmp_path):
    path = str(tmp_path / "cache")
    starts = [0, 200, 100, 300]
    with ProcessPoolExecutor(4) as pool:
        results = list(pool.map(translate_in_chunks, [path] * 4, starts))
    for start, translations in zip(starts, results, strict=True):
        assert translations == [f"SENTENCE {i}" for i in range(start, start + 400)]
    counting = Counting()
    CachedTranslator(counting, path).translate([f"sentence {i}" for i in range(700)])
    assert counting.sentences == []


def open_at(path, moment):
    time.sleep(max(0.0, moment - time.time()))
    return CachedTranslator(Counting(), path).translate(["a"])


def test_processes_may_create_the_file_at_the_same_time(tmp_path):
    with ProcessPoolExecutor(6) as pool:
        list(pool.map(time.sleep, [0.05] * 6))  # all processes have started
        for i in range(15):
            path, moment = str(tmp_path / f"cache{i}"), time.time() + 0.05
            jobs = [pool.submit(open_at, path, moment) for _ in range(6)]
            assert [job.result() for job in jobs] == [["A"]] * 6


def test_a_file_that_is_no_cache_is_not_overwritten(tmp_path):
    path = tmp_path / "precious.txt"
    path.write_text("not a database, and long enough for SQLite to see that " * 20)
    before = path.read_bytes()
    with pytest.raises(OSError, match=r"precious\.txt cannot be used"):
        CachedTranslator(Counting(), path).translate(["a"])
    assert path.read_bytes() == before


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
@pytest.mark.parametrize("table", ["notes (text)", "translations (id, word, meaning)"])
def test_a_database_of_another_program_is_not_changed(tmp_path, mode, table):
    path = tmp_path / "notes.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"PRAGMA journal_mode = {mode}")
        database.execute(f"CREATE TABLE {table}")
    before = path.read_bytes()
    message = r"notes\.sqlite cannot be used: it is a database of another"
    with pytest.raises(OSError, match=message):
        CachedTranslator(Counting(), path).translate(["a"])
    assert path.read_bytes() == before


@pytest.mark.parametrize("chunk_size", [0, -1, 2.5, None])
def test_chunks_have_a_sentence_or_more(tmp_path, chunk_size):
    with pytest.raises(ValueError, match=r"chunk_size must be a whole number from 1"):
        CachedTranslator(Counting(), tmp_path / "cache", chunk_size=chunk_size)


def fill_a_disk(path, texts):
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    shout = FunctionTranslator(lambda texts: [10 * text.upper() for text in texts], "shout")
    with pytest.raises(OSError) as caught:  # noqa: PT011
        CachedTranslator(shout, path, chunk_size=20).translate(texts)
    return str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process")
def test_a_full_disk_is_an_error_and_loses_nothing(tmp_path):
    # A process that may not write longer files stands for a full disk.
    path, texts = tmp_path / "cache", [f"a-long-sentence-{i}" for i in range(2000)]
    with ProcessPoolExecutor(1) as pool:
        error = pool.submit(fill_a_disk, path, texts).result()
    assert f"The translation cache {path} cannot be used" in error
    second = Counting("shout")
    CachedTranslator(second, path).translate(texts)
    assert 0 < len(second.sentences) < len(texts)
    assert len(second.sentences) % 20 == 0


def read_without_rights(path):
    if os.getuid() == 0:
        os.setuid(65534)  # no rights make a disk read-only for root
    failing = FunctionTranslator(lambda texts: 1 / 0, "capitals", retries=0)
    cached = CachedTranslator(failing, path)
    assert cached.translate(["a", "b", "a"]) == ["A", "B", "A"]
    with pytest.raises(OSError, match=r"The translation cache .* cannot be used.*readonly"):
        cached.translate(["a", "c"])


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="rights of files")
def test_a_complete_cache_on_a_read_only_disk_is_read(tmp_path):
    with tempfile.TemporaryDirectory() as folder:  # tmp_path is not open to other users
        path = Path(folder, "cache")
        CachedTranslator(Counting(), path).translate(["a", "b"])
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        with ProcessPoolExecutor(1) as pool:
            pool.submit(read_without_rights, path).result()
        Path(folder).chmod(0o755)


def test_a_pickled_translator_finds_the_cache(tmp_path):
    translator = CachedTranslator(Counting(), tmp_path / "cache")
    translator.translate(["a"])
    second = pickle.loads(pickle.dumps(translator))
    assert second.translate(["a"]) == ["A"]
    assert second.translator.sentences == ["a"]
