"""What a data set consists of, and where its files are on this machine."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from skpara.datasets._download import Archive, FileSpec, canonical_name, download


def get_data_home(data_home: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder in which the ``fetch_*`` functions look for data and keep downloads.

    It is the argument, else the environment variable ``SKPARA_DATA``, else the user's cache folder
    (``~/.cache/skpara`` on Linux). Nothing is created.

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
    folder = data_home if data_home is not None else os.environ.get("SKPARA_DATA")
    if not folder:
        import platformdirs

        folder = platformdirs.user_cache_dir("skpara", appauthor=False)
    try:
        return Path(folder).expanduser().absolute()
    except RuntimeError as error:
        raise FileNotFoundError(
            f"{error} Pass data_home=, or set the environment variable SKPARA_DATA."
        ) from error


@dataclass(frozen=True)
class Source:
    """One release of a data set: its files, its folder and where it comes from."""

    title: str  # in messages: "STS 2014"
    folder: str  # below the data folder, with forward slashes: "STS/STS14-en-test"
    files: Mapping[str, FileSpec]
    archives: tuple[Archive, ...]
    page: str  # where a person can get the archives
    official_folders: tuple[str, ...] = ()  # names that the official archives unpack to

    def folders(self, home: Path) -> list[Path]:
        """Return the folders in which the files may be; downloads go to the first."""
        parent, _, name = self.folder.rpartition("/")
        names = (name, *self.official_folders)
        places = [home / parent / name for name in names] + [home / name for name in names]
        return list(dict.fromkeys(places))


def require_files(
    source: Source,
    names: Collection[str],
    data_home: str | os.PathLike[str] | None,
    *,
    download_if_missing: bool,
) -> dict[str, Path]:
    """Return the path of each named file of ``source``; download them if allowed and needed."""
    home = get_data_home(data_home)
    paths = _find(source, names, home)
    missing = [name for name in names if name not in paths]
    if not missing:
        return paths
    advice = _how_to_get(source, missing, home)
    if not source.archives:
        raise FileNotFoundError(advice)
    archives = [a for a in source.archives if not set(missing).isdisjoint(a.files)]
    unavailable = set(missing).difference(*(archive.files for archive in archives))
    if unavailable:
        names_shown = ", ".join(sorted(unavailable))
        raise FileNotFoundError(f"{advice}\nNo public archive has {names_shown}.")
    if not download_if_missing:
        raise FileNotFoundError(f"{advice}\nOr allow the download by download_if_missing=True.")
    try:
        for archive in archives:
            download(archive, source.files, source.folder, home, missing)
    except OSError as error:
        raise type(error)(f"{error}\n{advice}") from error
    return _find(source, names, home)


def require_local_files(
    data_home: str | os.PathLike[str] | None,
    folder: str,
    names: Iterable[str],
    *,
    title: str,
    source: str,
) -> list[Path]:
    """Return the paths of files that users have to get themselves."""
    files = [get_data_home(data_home) / folder / name for name in names]
    missing = [file.name for file in files if not file.is_file()]
    if missing:
        raise FileNotFoundError(
            f"{title}: {', '.join(missing)} not found in {files[0].parent}. Get {source} and put "
            "the files there, or point data_home= or the environment variable SKPARA_DATA to a "
            f"folder that has {folder}."
        )
    return files


def _find(source: Source, names: Collection[str], home: Path) -> dict[str, Path]:
    paths: dict[str, Path] = {}
    for folder in source.folders(home):
        if folder.is_dir():
            present = {canonical_name(path.name): path for path in folder.iterdir()}
            for name in names:
                if name in present:
                    paths.setdefault(name, present[name])
    return paths


def _how_to_get(source: Source, missing: list[str], home: Path) -> str:
    shown = ", ".join(missing[:4]) + (f" and {len(missing) - 4} more" if missing[4:] else "")
    folders = source.folders(home)
    places = "\n  ".join(str(folder) for folder in folders)
    addresses = "".join(f"\n  {archive.urls[0]}" for archive in source.archives)
    archives = f", archives{addresses}\nUnpack them" if addresses else ".\nUnpack it"
    # An archive that has a folder of its own is unpacked beside the other sets.
    target = folders[0].parent if source.official_folders else folders[0]
    return (
        f"{source.title}: missing {shown}. Looked in\n  {places}\n"
        f"Official source: {source.page}{archives} into {target}, or point data_home= or the "
        "environment variable SKPARA_DATA to a folder that has the files."
    )
