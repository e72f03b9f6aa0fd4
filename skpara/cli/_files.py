"""Files are written beside their place and moved there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["replace_file"]


def replace_file(path: Path, write: Callable[[Path], Any]) -> Path:
    """Write a file beside its place and move it there, so a reader never sees half of it.

    Parameters
    ----------
    path : Path
        Where the file is to be; its folder is made if missing.
    write : callable
        Called with the path of the unfinished file, which has the same suffix.

    Returns
    -------
    Path
        ``path``.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=path.parent) as folder:
        unfinished = Path(folder) / path.name
        write(unfinished)
        os.replace(unfinished, path)
    return path
