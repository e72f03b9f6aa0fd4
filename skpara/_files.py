"""Files are written beside their place and moved there: old or new, never half."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_PREFIX = ".skpara-unfinished-"
_ABANDONED = 3600.0  # seconds without a change, after which nobody is writing


def replace_file(path: Path, write: Callable[[Path], Any]) -> Path:
    """Write a file beside its place and move it there, so a reader never sees half of it.

    It is on the disk before it is moved: after a crash or a loss of power, too, there is the old
    file or the new one. What a killed process left beside it is removed an hour later, by the next
    call in that folder.

    Parameters
    ----------
    path : Path
        Where the file is to be; its folder is made if missing. A link is followed. A file that is
        there hands on its permissions; a new one has those of any new file.
    write : callable
        Called with the path of the unfinished file, which has the same suffix.

    Returns
    -------
    Path
        ``path``.
    """
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file() and not place.is_dir():
        write(place)  # /dev/null and the like are written to, not replaced
        return path
    place.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(place.parent)
    unfinished = place.with_name(f"{_PREFIX}{secrets.token_hex(8)}{place.suffix}")
    try:
        unfinished.touch(exist_ok=False)
        permissions = (place if place.exists() else unfinished).stat().st_mode
        write(unfinished)
        unfinished.chmod(permissions & 0o777)  # whatever the writer made of it
        _flush(unfinished, os.O_RDWR)
        os.replace(unfinished, place)
    finally:
        unfinished.unlink(missing_ok=True)
    if os.name == "posix":
        _flush(place.parent, os.O_RDONLY)  # the folder holds the name
    return path


def _flush(path: Path, flags: int) -> None:
    """Wait until the disk has it."""
    opened = os.open(path, flags)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _remove_abandoned(folder: Path) -> None:
    for path in folder.glob(f"{_PREFIX}*"):
        try:
            if time.time() - path.stat().st_mtime > _ABANDONED:
                path.unlink()
        except OSError:  # another process was faster, or it is not ours to remove
            continue
