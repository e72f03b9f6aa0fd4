"""Bring the files of an official archive to the data folder, whole and checked or not at all."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as package_files
from pathlib import Path

from skpara.datasets._tsv import read_rows
from skpara.datasets._unpack import LARGEST, unpack

__all__ = ["Archive", "FileSpec", "download", "verify"]

RETRIES = 2  # further attempts at each address
TIMEOUT = 30.0  # seconds without an answer


@dataclass(frozen=True)
class FileSpec:
    """Shape of an official file, the check where its SHA-256 is not on record."""

    n_lines: int
    n_columns: int


@dataclass(frozen=True)
class Archive:
    """An archive at its official addresses (tried in turn) and the files to take from it."""

    urls: tuple[str, ...]
    files: tuple[str, ...]


def download(archive: Archive, specs: Mapping[str, FileSpec], folder: str, home: Path) -> None:
    """Put the files of `archive` into ``home / folder``.

    Everything is fetched, unpacked and verified in a temporary folder inside `home`; only then
    is each file renamed to its place. Whatever fails, nothing half-written stays. A file that is
    there already is left as it is.

    Raises
    ------
    OSError
        If no address gave the official files (`ConnectionError`), or if `home` cannot be written.
    """
    try:
        home.mkdir(parents=True, exist_ok=True)
        workspace = tempfile.TemporaryDirectory(prefix=".download-", dir=home)
    except OSError as error:
        raise OSError(f"Cannot download into {home}: {error}") from error
    failures = []
    with workspace as name:
        for number, url in enumerate(archive.urls):
            unpacked = Path(name, f"unpacked-{number}")
            unpacked.mkdir()
            try:
                unpack(_fetch(url, Path(name, f"archive-{number}")), archive.files, unpacked)
                for file in archive.files:
                    verify(unpacked / file, f"{folder}/{file}", specs[file])
            except (OSError, ValueError) as error:  # requests' errors are OSErrors
                failures.append(f"{url}: {error}")
                continue
            _install(unpacked, home / folder)
            return
    raise ConnectionError("Download failed.\n  " + "\n  ".join(failures))


def verify(path: Path, key: str, spec: FileSpec) -> None:
    """Refuse a file that is not the official one, by SHA-256 or, where unknown, by its shape."""
    if not path.is_file():
        raise ValueError(f"the archive does not hold {path.name}")
    expected = known_hashes().get(key)
    if expected is not None:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != expected:
            raise ValueError(f"{path.name} has SHA-256 {found}, the official file {expected}")
        return
    n_lines = len(read_rows(path, spec.n_columns))
    if n_lines != spec.n_lines:
        raise ValueError(f"{path.name} has {n_lines} lines, the official file {spec.n_lines}")


@cache
def known_hashes() -> dict[str, str]:
    """SHA-256 of official files, by their path in the data folder."""
    text = package_files("skpara.datasets").joinpath("data/registry.txt").read_text("utf-8")
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {path: digest for path, digest in rows}


def _fetch(url: str, folder: Path) -> Path:
    import pooch

    downloader = pooch.HTTPDownloader(progressbar=_Bounded(), timeout=TIMEOUT)
    fetcher = pooch.create(
        path=folder,
        base_url="",
        registry={"archive": None},  # the files inside are what is checked
        urls={"archive": url},
        retry_if_failed=RETRIES,
    )
    return Path(fetcher.fetch("archive", downloader=downloader))


class _Bounded:
    """Counts what comes in, as a progress bar would, and ends a download without end."""

    total = 0

    def __init__(self) -> None:
        self._n_bytes = 0

    def update(self, n_bytes: int) -> None:
        self._n_bytes += n_bytes
        if self._n_bytes > LARGEST:
            raise OSError(f"more than {LARGEST // 2**20} MB came, which no archive has")

    def reset(self) -> None:
        self._n_bytes = 0

    def close(self) -> None:
        pass


def _install(unpacked: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in unpacked.iterdir():
        if not (folder / path.name).exists():  # what somebody put there stays
            os.replace(path, folder / path.name)
