"""Official files of data sets: in the data folder, or downloaded into it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from skpara._typing import FilePath
from skpara.datasets._download import DAMAGED, fetch_archive
from skpara.datasets._text_files import read_sentences

_DATA = package_files("skpara.datasets") / "data"
# A line of the longest set has 160 bytes on average, with its notes twice as many.
_BYTES_PER_LINE = 1_000
_MORE_BYTES = 5_000_000  # of readmes, licences and lists of authors
# Terms of use and attribution must stay with the data.
_NOTES = re.compile(r"(?i)[\d-]*(readme|licen[cs]e)(\.txt|\.md)?|.*\.license")


def get_data_home(data_home: FilePath | None = None) -> Path:
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
    folder = data_home or os.environ.get("SKPARA_DATA")
    if not folder:
        import platformdirs

        folder = platformdirs.user_cache_dir("skpara", appauthor=False)
    try:
        return Path(folder).expanduser().absolute()
    except RuntimeError as error:
        raise FileNotFoundError(f"{error} Pass data_home=, or set SKPARA_DATA.") from error


@dataclass(frozen=True)
class Archive:
    """An archive at its official addresses (tried in turn) and the files to take from it."""

    urls: Sequence[str]
    files: Mapping[str, int]  # with their numbers of lines
    checksum: str | None = None  # as pooch writes it: "md5:..."

    @property
    def max_bytes(self) -> int:
        """Largest size of the unpacked archive."""
        return _MORE_BYTES + _BYTES_PER_LINE * sum(self.files.values())


@dataclass(frozen=True)
class Source:
    """One release of a data set: its files, its folder and its origin."""

    title: str  # in messages: "STS 2014"
    folder: str  # below the data folder, with forward slashes: "STS/STS14-en-test"
    page: str  # a page with the archives, or their name
    archives: Sequence[Archive] = ()
    official_folders: Sequence[str] = ()  # folders in the official archives

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Source:
        """Return the source with these fields, as ``facts`` has them."""
        return cls(**fields | {"archives": [Archive(**archive) for archive in fields["archives"]]})

    def folders(self, home: Path) -> list[Path]:
        """Return the folders in which the files may be; downloads go to the first."""
        parent, _, name = self.folder.rpartition("/")
        names = (name, *self.official_folders)
        places = [home / parent / name for name in names] + [home / name for name in names]
        return list(dict.fromkeys(places))


def require_files(
    source: Source,
    names: Sequence[str],
    data_home: FilePath | None,
    *,
    download_if_missing: bool = False,
) -> list[Path]:
    """Return the path of each named file of ``source``; download them if allowed and needed."""
    home = get_data_home(data_home)
    paths = _find(source, names, home)
    missing = [name for name in names if name not in paths]
    if missing:
        advice = _how_to_get(source, missing, home)
        archives = [a for a in source.archives if not set(missing).isdisjoint(a.files)]
        unavailable = set(missing).difference(*(archive.files for archive in archives))
        if source.archives and unavailable:
            shown = ", ".join(sorted(unavailable))
            raise FileNotFoundError(f"{advice}\nNo public archive has {shown}.")
        if not archives:
            raise FileNotFoundError(advice)
        if not download_if_missing:
            raise FileNotFoundError(f"{advice}\nOr allow it with download_if_missing=True.")
        try:
            for archive in archives:
                _download(archive, source, home, missing)
        except OSError as error:
            raise type(error)(f"{error}\n{advice}") from error
        paths = _find(source, names, home)
    return [paths[name] for name in names]


def require_split(
    kind: str, split: str, data_home: FilePath | None, *, download_if_missing: bool
) -> tuple[Path, str]:
    """Return the file of a split, and a description of it with {} for the number of pairs."""
    known = facts(kind)
    splits, source = known["splits"], Source.of(known["source"])
    if split not in list(splits):
        raise ValueError(f"split must be one of {list(splits)}, got {split!r}.")
    names = [splits[split]]
    [path] = require_files(source, names, data_home, download_if_missing=download_if_missing)
    about = f"{known['data']}\nTerms: {known['terms']}\nPaper: {known['paper']}"
    return path, f"{source.title}, {split}: {{}} {about}"


def _find(source: Source, names: Collection[str], home: Path) -> dict[str, Path]:
    # The organisers renamed files in 2016: STS.gs.X.txt is STS2016.gs.X.txt.
    paths: dict[str, Path] = {}
    for folder in source.folders(home):
        for name in names:
            for path in (folder / name, folder / name.replace("STS.", "STS2016.", 1)):
                if path.is_file():
                    paths.setdefault(name, path)
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


def _download(archive: Archive, source: Source, home: Path, names: Collection[str]) -> None:
    """Put the files of ``archive`` into its folder; the files ``names`` are required.

    Everything is downloaded, unpacked and verified in a temporary folder inside ``home``, on the
    same file system; only then is each file moved to its place. After a failure nothing is left,
    and another process never sees half a file. Existing files are not replaced.
    """
    try:
        home.mkdir(parents=True, exist_ok=True)
        workspace = tempfile.TemporaryDirectory(prefix=".download-", dir=home)
    except OSError as error:
        raise OSError(f"Cannot download into {home}: {error}.") from error
    target = home / source.folder
    failures = []
    with workspace as name:
        for number, url in enumerate(archive.urls):
            try:
                files = fetch_archive(
                    url, Path(name, str(number)), archive.checksum, archive.max_bytes
                )
                found = {re.sub(r"^STS20\d\d\.", "STS.", key): files[key] for key in files}
                wanted = {name for name in found if _NOTES.fullmatch(name)}
                for file, n_lines in archive.files.items():
                    try:
                        _verify(found, file, f"{source.folder}/{file}", n_lines)
                        wanted.add(file)
                    except ValueError:
                        # One bad track must not keep users from the others.
                        if file in names:
                            raise
            except (*DAMAGED, ValueError) as error:  # errors of requests are OSErrors
                failures.append(f"{url}: {error}")
                continue
            target.mkdir(parents=True, exist_ok=True)
            for file in wanted:
                if not (target / file).exists():
                    os.replace(found[file], target / file)
            return
    raise ConnectionError("Download failed.\n  " + "\n  ".join(failures))


def _verify(found: Mapping[str, Path], name: str, key: str, n_lines: int) -> None:
    """Raise ValueError for a file that is not the official one.

    Files in the registry are compared by SHA-256, others by their number of lines.
    """
    if name not in found:
        raise ValueError(f"The archive does not contain {name}.")
    expected = known_hashes().get(key)
    if expected is not None:
        with found[name].open("rb") as file:
            actual = hashlib.file_digest(file, "sha256").hexdigest()
        if actual != expected:
            raise ValueError(f"{name} has SHA-256 {actual}, but the official file has {expected}.")
        return
    actual_lines = len(read_sentences(found[name]))
    if actual_lines != n_lines:
        raise ValueError(f"{name} has {actual_lines} lines, but the official file has {n_lines}.")


@cache
def facts(kind: str) -> Any:
    """Return the files, origin and terms of the data sets of a kind, from ``data/sets.json``."""
    return json.loads((_DATA / "sets.json").read_text("utf-8"))[kind]


@cache
def known_hashes() -> dict[str, str]:
    """Return the SHA-256 of official files, by their path in the data folder."""
    lines = (_DATA / "registry.txt").read_text("utf-8").splitlines()
    return dict(line.split() for line in lines if line and line[0] != "#")
