"""Files are replaced as a whole or not at all."""

from __future__ import annotations

import os
import stat

import pytest

from skpara._files import replace_file


def unfinished(folder):
    return [path for path in folder.iterdir() if path.name.startswith(".")]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "model"
    path.write_text("old")

    def write_half(unfinished):
        unfinished.write_text("ha")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        replace_file(path, write_half)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_folder_is_created_and_the_suffix_kept(tmp_path):
    path = tmp_path / "new" / "table.npz"
    suffixes = []
    assert replace_file(path, lambda p: (suffixes.append(p.suffix), p.write_text("x"))) == path
    assert suffixes == [".npz"]
    assert [p.name for p in path.parent.iterdir()] == ["table.npz"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_permissions_are_the_usual_ones_or_those_of_the_old_file(tmp_path):
    path, ordinary = tmp_path / "model", tmp_path / "ordinary"
    ordinary.write_text("")
    replace_file(path, lambda p: p.write_text("new"))
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(ordinary.stat().st_mode)
    path.chmod(0o640)
    replace_file(path, lambda p: p.write_text("newer"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(IsADirectoryError, match=r"is a folder\. Pass the name of a file"):
        replace_file(tmp_path, lambda path: path.write_text("text"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "far").mkdir()
    path, target = tmp_path / "link", tmp_path / "far" / "model"
    path.symlink_to(target)
    replace_file(path, lambda p: p.write_text("new"))
    assert path.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="devices of POSIX")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_file(pipe, lambda p: p.write_text("new"))
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_content_is_flushed_before_the_file_is_renamed(tmp_path, monkeypatch):
    path, calls = tmp_path / "model", []

    def record(name):
        original = getattr(os, name)

        def call(*arguments):
            calls.append((name, path.exists()))
            return original(*arguments)

        monkeypatch.setattr(os, name, call)

    record("fsync")
    record("replace")
    replace_file(path, lambda p: p.write_text("new"))
    assert calls[:2] == [("fsync", False), ("replace", False)]
