"""Where the data sets live on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["get_data_home", "obtained_files"]


def get_data_home(data_home: str | os.PathLike[str] | None = None) -> Path:
    """Folder in which the `fetch_*` functions look for data and keep downloads.

    The first of these that is given is used: the argument, the environment variable
    ``SKPARA_DATA``, the user's cache folder (``~/.cache/skpara`` on Linux). Nothing is created.

    Parameters
    ----------
    data_home : str or path-like, default=None
        The folder; ``~`` stands for the home directory.

    Returns
    -------
    pathlib.Path
        Absolute path of the folder, which need not exist yet.

    Examples
    --------
    >>> from skpara.datasets import get_data_home
    >>> get_data_home("~/corpora").name
    'corpora'
    """
    chosen = data_home if data_home is not None else os.environ.get("SKPARA_DATA")
    if not chosen:
        import platformdirs

        chosen = platformdirs.user_cache_dir("skpara", appauthor=False)
    return Path(chosen).expanduser().absolute()


def obtained_files(
    data_home: str | os.PathLike[str] | None,
    folder: str,
    names: Iterable[str],
    *,
    title: str,
    source: str,
) -> list[Path]:
    """Files of a set that users obtain themselves.

    Raises
    ------
    FileNotFoundError
        If one is missing; says where the set comes from and where it is looked for.
    """
    files = [get_data_home(data_home) / folder / name for name in names]
    missing = [file.name for file in files if not file.is_file()]
    if missing:
        raise FileNotFoundError(
            f"{title}: {', '.join(missing)} not found in {files[0].parent}. Obtain {source} and "
            "put the files there, or point data_home= or the environment variable SKPARA_DATA at "
            f"a folder that has {folder}."
        )
    return files
