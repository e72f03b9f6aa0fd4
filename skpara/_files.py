"""Atomic replacement of files."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

_PREFIX = ".skpara-unfinished-"


def replace_file(path: Path, write: Callable[[Path], Any]) -> Path:
    """Write a file under another name and rename it, so that readers never see half of it.

    The content is flushed to disk before the file is renamed, so the old or the new file survives
    a crash or a power cut. A killed process leaves an unfinished file. A missing folder is
    created, links are followed, and an existing file keeps its permissions. ``write`` is called
    with the path of the unfinished file, which has the same suffix. Return ``path``.
    """
    place = Path(os.path.realpath(path))
    if place.is_dir():
        raise IsADirectoryError(f"{path} is a folder. Pass the name of a file.")
    if place.exists() and not place.is_file():
        write(place)  # a device such as /dev/null, or a pipe: renaming would replace it
        return path
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished = place.with_name(f"{_PREFIX}{secrets.token_hex(8)}{place.suffix}")
    try:
        unfinished.touch(exist_ok=False)
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
