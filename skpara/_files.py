"""Atomic replacement of files, and their locks."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from skpara._messages import near_name

_PREFIX = ".skpara-unfinished-"
# Seconds after which nobody who writes to an unfinished file is expected to be still there. Its
# lock says so for sure, but some file systems of networks have none.
_ABANDONED = 7 * 24 * 3600.0
_NO_PLACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # without the name of the file


def replace_file(path: Path, write: Callable[[Path], Any]) -> Path:
    """Write a file under another name and rename it, so that readers never see half of it.

    The content is flushed to disk before the file is renamed, so the old or the new file survives
    a crash or a power cut. A killed process leaves an unfinished file, which is deleted when its
    user writes into the folder a week later. A missing folder is created, links are followed, and
    an existing file keeps its permissions. ``write`` is called with the path of the unfinished
    file, which has the same suffix. Return ``path``.
    """
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path} is a folder. Pass the name of a file.")
    if _is_open_elsewhere(path):
        try:
            write(path)
        except OSError as error:
            raise _named(error, path, path) from error
        return path
    place = Path(os.path.realpath(path))
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished = place.with_name(f"{_PREFIX}{secrets.token_hex(8)}{place.suffix}")
    try:
        unfinished.touch(exist_ok=False)
        permissions = (place if place.exists() else unfinished).stat().st_mode
        with locked(unfinished):
            write(unfinished)
            unfinished.chmod(permissions & 0o777)  # the writer may have changed them
            _flush(unfinished, os.O_RDWR)
            os.replace(unfinished, place)
    except OSError as error:
        raise _named(error, unfinished, path) from error
    finally:
        with contextlib.suppress(OSError):  # the folder may have become read-only
            unfinished.unlink(missing_ok=True)
    if os.name == "posix":
        _flush(place.parent, os.O_RDONLY)  # the new name is content of the folder
        _sweep(place.parent)
    return path


def missing_file(path: str | os.PathLike[str]) -> FileNotFoundError:
    """Return the error of a file that does not exist, which says what may be meant."""
    name = os.fspath(path)
    folder, base = os.path.split(name)
    remedy = f"Check the name; names without a folder are looked up in {os.getcwd()}."
    if "://" in name:
        remedy = "Download it, and pass the name of the file."
    elif folder and not os.path.isdir(folder):
        remedy = f"There is no folder {folder}, either."
    else:
        with contextlib.suppress(OSError):  # the folder may not be listed
            if near := near_name(base, os.listdir(folder or ".")):
                remedy = f"Did you mean {os.path.join(folder, near)}?"
    return FileNotFoundError(f"There is no file {name}. {remedy}")


def remove_unfinished(folder: Path) -> None:
    """Delete what killed processes have left in a folder that nobody else writes to."""
    for path in folder.rglob(f"{_PREFIX}*"):
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def locked(path: str | os.PathLike[str], *, wait: bool = True) -> Iterator[bool]:
    """Hold the lock of a file or folder, where the system has locks; yield whether it is held."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield False
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        is_held = True
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # somebody else has it, or a file system of a network that has no locks
            is_held = False
        yield is_held
    finally:
        os.close(descriptor)


def _named(error: OSError, written: Path, path: Path) -> OSError:
    """Return an error of writing a file with the name that the caller knows."""
    if error.errno is None:  # NumPy says only how much of an array was written
        return OSError(f"{os.fspath(path)}: {error}")
    if str(error.filename) == str(written) or error.errno in _NO_PLACE:
        return OSError(error.errno, error.strerror, os.fspath(path))
    return error


def _is_open_elsewhere(path: Path) -> bool:
    """Return whether a path is of a device, a pipe, or what a process has open.

    /dev/stdout and its like are links to a file, or have no name at all: a new file in their
    place would not be read.
    """
    folder = os.path.realpath(os.path.dirname(os.path.abspath(path)))
    is_special = os.path.exists(path) and not os.path.isfile(path)
    return is_special or folder == "/dev" or folder.startswith("/proc/")


def _sweep(folder: Path) -> None:
    """Delete old files that killed processes of this user have left unfinished."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(_PREFIX) or not entry.is_file(follow_symlinks=False):
                continue
            state = entry.stat(follow_symlinks=False)
            is_old = state.st_mtime < time.time() - _ABANDONED
            if is_old and state.st_uid == os.getuid():
                with locked(entry.path, wait=False) as is_free:
                    if is_free:
                        os.unlink(entry.path)


def _flush(path: Path, flags: int) -> None:
    """Wait until the content of a file or folder is on disk."""
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
