"""Atomic replacement of files."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PREFIX = ".skpara-unfinished-"
# Age in seconds after which an unfinished file is removed, unless its writer holds a lock on it:
# a stream of predictions may pause for long.
_ABANDONED = 3600.0


def replace_file(path: Path, write: Callable[[Path], Any]) -> Path:
    """Write a file under another name and rename it, so that readers never see half of it.

    The content is flushed to disk before the file is renamed, so the old or the new file survives
    a crash or a power cut. A killed process leaves an unfinished file; a later call for the same
    folder removes it after an hour. A missing folder is created, links are followed, and an
    existing file keeps its permissions. ``write`` is called with the path of the unfinished file,
    which has the same suffix. Return ``path``.
    """
    place = Path(os.path.realpath(path))
    if place.is_dir():
        raise IsADirectoryError(f"{path} is a folder. Pass the name of a file.")
    if place.exists() and not place.is_file():
        write(place)  # a device such as /dev/null, or a pipe: renaming would replace it
        return path
    place.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(place.parent)
    unfinished = place.with_name(f"{_PREFIX}{secrets.token_hex(8)}{place.suffix}")
    try:
        with unfinished.open("xb") as held:
            if fcntl is None:
                held.close()  # Windows does not rename an open file, nor remove it
            else:
                with suppress(OSError):  # some network drives have no locks
                    fcntl.flock(held, fcntl.LOCK_EX)
            permissions = (place if place.exists() else unfinished).stat().st_mode
            write(unfinished)
            unfinished.chmod(permissions & 0o777)  # the writer may have changed them
            _flush(unfinished, os.O_RDWR)
            os.replace(unfinished, place)
    finally:
        unfinished.unlink(missing_ok=True)
    if os.name == "posix":
        _flush(place.parent, os.O_RDONLY)  # the new name is content of the folder
    return path


def _flush(path: Path, flags: int) -> None:
    """Wait until the content of a file or folder is on disk."""
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_abandoned(folder: Path) -> None:
    for path in folder.glob(f"{_PREFIX}*"):
        try:
            if time.time() - path.stat().st_mtime > _ABANDONED:
                with path.open("rb") as file:
                    if fcntl is not None:
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
        except OSError:  # it is being written, was removed, or we lack the permission
            continue
