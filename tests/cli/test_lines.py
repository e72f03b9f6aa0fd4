"""Lines of files and of standard input."""

from __future__ import annotations

import gzip
import io
import os
import threading
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.cli import _lines
from skpara.cli._lines import Lines

TEXTS = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]))


def written(path, content):
    path.write_bytes(content)
    return str(path)


@given(st.lists(TEXTS))
def test_lines_come_back_as_they_were_written(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("lines") / "a.txt"
    content = "".join(line + "\n" for line in lines)
    expected = [line.removeprefix("\ufeff") if i == 0 else line for i, line in enumerate(lines)]
    assert list(Lines(written(path, content.encode()))) == expected


@pytest.mark.parametrize("block", [1, 3, 2**18])
def test_the_size_of_blocks_changes_nothing(tmp_path, monkeypatch, block):
    monkeypatch.setattr(_lines, "_BLOCK", block)
    path = written(tmp_path / "a.txt", "\ufeffä one\r\ntwo\u2028\x0b more\n\nend".encode())
    lines = Lines(path)
    found = [(lines.number, line) for line in lines]
    assert found == [(1, "ä one\r"), (2, "two\u2028\x0b more"), (3, ""), (4, "end")]


def test_packed_files_are_unpacked(tmp_path):
    path = written(tmp_path / "a.txt.gz", gzip.compress("ä\nö\n".encode()))
    assert list(Lines(path)) == ["ä", "ö"]


def test_standard_input_is_read_and_left_open(monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(b"one\ntwo"))
    monkeypatch.setattr("sys.stdin", stdin)
    lines = Lines("-")
    assert lines.name == "standard input"
    assert list(lines) == ["one", "two"]
    assert not stdin.closed


def test_a_line_is_given_before_the_next_is_there(monkeypatch):
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source, os.fdopen(writing, "wb", buffering=0) as sink:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=source))
        lines = Lines("-")
        incoming = iter(lines)
        sink.write(b"one\ntwo\nthr")
        assert next(incoming) == "one"
        assert lines.at_hand
        assert next(incoming) == "two"
        assert not lines.at_hand
        threading.Timer(0.1, lambda: sink.write(b"ee\n")).start()
        assert next(incoming) == "three"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"good\ncaf\xe9\n", "a.txt, line 2, is not UTF-8"),
        ("a.txt.gz", b"plain text", "cannot be unpacked"),
        ("a.txt.gz", gzip.compress(os.urandom(1000).hex().encode())[:500], "cannot be unpacked"),
        ("a.txt", b"short\n" + b"x" * (2**24 + 2**18), "line 2, is longer than 16 MB"),
    ],
)
def test_errors(tmp_path, name, content, message):
    with pytest.raises(ValueError, match=message):
        list(Lines(written(tmp_path / name, content)))


def test_a_missing_file_is_missed_at_once(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"There is no file .*nothing\.txt"):
        Lines(str(tmp_path / "nothing.txt"))
