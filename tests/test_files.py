"""Files are replaced as a whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from skpara._files import locked, missing_file, replace_file


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


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("reveiws.csv", r"Did you mean reviews\.csv\?"),
        ("orders.csv", "Check the name; names without a folder are looked up in"),
        ("far/reviews.csv", "There is no folder far, either"),
        ("https://example.org/reviews.csv", "Download it"),
    ],
)
def test_what_a_missing_file_may_be_is_said(tmp_path, monkeypatch, name, remedy):
    monkeypatch.chdir(tmp_path)
    Path("reviews.csv").touch()
    with pytest.raises(FileNotFoundError, match=f"There is no file {re.escape(name)}. {remedy}"):
        raise missing_file(name)


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


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("name", ["/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"])
def test_standard_output_is_written_to_as_a_pipe_and_as_a_file(tmp_path, name):
    if not os.path.exists(os.path.dirname(name)):
        pytest.skip(f"this system has no {name}")
    script = (
        "import pathlib, sys; from skpara._files import replace_file\n"
        "replace_file(pathlib.Path(sys.argv[1]), lambda path: path.write_text('new'))"
    )
    command = [sys.executable, "-c", script, name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "new"
    with (tmp_path / "file").open("w") as file:
        subprocess.run(command, stdout=file, check=True)
        assert os.fstat(file.fileno()).st_nlink == 1  # the same file, not one in its place
    assert (tmp_path / "file").read_text() == "new"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_is_named_with_the_file(tmp_path, number):
    def write(unfinished):
        raise OSError(number, os.strerror(number))

    with pytest.raises(OSError, match=r": '.*table\.csv'") as raised:
        replace_file(tmp_path / "table.csv", write)
    assert raised.value.errno == number
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_device_is_named():
    with pytest.raises(OSError, match=r": '/dev/full'"):
        replace_file(Path("/dev/full"), lambda path: path.write_text("text"))


def test_an_array_that_was_written_in_part_is_named_with_the_file(tmp_path):
    def write(unfinished):
        raise OSError("59031 requested and 10742 written")  # all that NumPy says

    with pytest.raises(OSError, match=r"model\.skpara: 59031 requested"):
        replace_file(tmp_path / "model.skpara", write)
    assert list(tmp_path.iterdir()) == []


def test_a_refused_file_is_named_as_the_user_did(tmp_path):
    def write(unfinished):
        raise PermissionError(errno.EACCES, "Permission denied", str(unfinished))

    with pytest.raises(PermissionError, match=r": '.*table\.csv'"):
        replace_file(tmp_path / "table.csv", write)

    def read_another(unfinished):
        (tmp_path / "another").read_text()

    with pytest.raises(FileNotFoundError, match="another"):
        replace_file(tmp_path / "table.csv", read_another)


@pytest.mark.skipif(os.name != "posix", reason="locks and owners of POSIX")
def test_old_unfinished_files_of_the_user_are_swept_unless_somebody_writes_them(tmp_path):
    old, new, held = (tmp_path / f".skpara-unfinished-{name}" for name in ("old", "new", "held"))
    other, link = tmp_path / ".skpara-other", tmp_path / ".skpara-unfinished-link"
    for path in (old, new, held, other):
        path.touch()
    link.symlink_to(other)
    long_ago = 1_000_000_000
    for path in (old, held, other):
        os.utime(path, (long_ago, long_ago))
    with locked(held) as is_held:
        assert is_held
        replace_file(tmp_path / "table.csv", lambda path: path.write_text("new"))
        assert set(tmp_path.iterdir()) == {new, held, other, link, tmp_path / "table.csv"}
    replace_file(tmp_path / "table.csv", lambda path: path.write_text("newer"))
    assert set(tmp_path.iterdir()) == {new, other, link, tmp_path / "table.csv"}


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_a_slow_writer_keeps_its_file(tmp_path):
    def write_slowly(unfinished):
        os.utime(unfinished, (1_000_000_000, 1_000_000_000))
        replace_file(tmp_path / "another", lambda path: path.write_text("quick"))
        assert unfinished.exists()
        unfinished.write_text("slow")

    replace_file(tmp_path / "table", write_slowly)
    assert (tmp_path / "table").read_text() == "slow"


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


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="this system has no /proc")
def test_writing_leaves_no_file_open(tmp_path):
    before = os.listdir("/proc/self/fd")
    for _ in range(20):
        replace_file(tmp_path / "file", lambda path: path.write_text("new"))
    assert len(os.listdir("/proc/self/fd")) <= len(before)
