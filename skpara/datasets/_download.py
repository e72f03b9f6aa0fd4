"""Download an official archive, unpack it and check its files: all of it, or nothing.

The archives come from servers that nobody maintains for this package, some over plain HTTP, so
what arrives is not trusted. Pooch's own ``Unzip`` and ``Untar`` are not used because they set no
limit to what an archive unpacks to, and because ``Untar`` follows links out of its folder on
Python 3.11.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import tarfile
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files as package_files
from pathlib import Path, PurePosixPath
from typing import IO, Any

from skpara._progress import progress_bar
from skpara.datasets._text_files import Lines, read_lines

LARGEST = 2**28  # bytes of an archive, packed or unpacked; the largest data set has a tenth of it
RETRIES = 2  # further attempts at each address
TIMEOUT = 30.0  # seconds without an answer
# Bytes that must come in every period of so many seconds: a server that sends a byte now and then
# would be waited for without end.
SLOWEST, PERIOD = 60_000, 60.0
# Bytes that a line may have on average, twenty times as many as in any data set, and bytes of the
# notes beside the files.
_LONGEST_LINE, _LONGEST_NOTES = 2000, 2**20
_BLOCK = 2**20  # bytes copied at a time
_READ = 2**14  # bytes of an answer read at a time, which decompress to 16 MB at most

# Terms of use and attribution must stay with the data.
_NOTES = re.compile(r"(?i)[\d-]*(readme|licen[cs]e)(\.txt|\.md)?|.*\.license")

# What the standard library raises for damaged archives: RuntimeError for encrypted or unknown
# kinds, OSError also for what is not gzip.
_ARCHIVE_ERRORS = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError)
_DAMAGED = (*_ARCHIVE_ERRORS, EOFError, OSError, RuntimeError)


@dataclass(frozen=True)
class FileSpec:
    """Shape of an official file, checked where its SHA-256 is not in the registry."""

    n_lines: int
    n_columns: int


@dataclass(frozen=True)
class Archive:
    """An archive at its official addresses (tried in turn) and the files to take from it."""

    urls: tuple[str, ...]
    files: tuple[str, ...]
    checksum: str | None = None  # as pooch writes it: "md5:..."


def download(
    archive: Archive,
    specs: Mapping[str, FileSpec],
    folder: str,
    home: Path,
    names: Collection[str],
) -> None:
    """Put the files of ``archive`` into ``home / folder``; those of ``names`` are required.

    Everything is downloaded, unpacked and verified in a temporary folder inside ``home``, on the
    same file system; only then is each file moved to its place, in one step. After a failure
    nothing is left, and another process never sees half a file. Existing files are not replaced.
    """
    try:
        home.mkdir(parents=True, exist_ok=True)
        workspace = tempfile.TemporaryDirectory(prefix=".download-", dir=home)
    except OSError as error:
        raise OSError(f"Cannot download into {home}: {error}.") from error
    n_lines = sum(specs[file].n_lines for file in archive.files)
    limit = min(LARGEST, _LONGEST_NOTES + _LONGEST_LINE * n_lines)
    failures = []
    with workspace as name:
        for number, url in enumerate(archive.urls):
            unpacked = Path(name, str(number))
            unpacked.mkdir()
            try:
                packed = _fetch(url, Path(name, f"archive-{number}"), archive.checksum)
                unpack(packed, archive.files, unpacked, limit)
                for file in archive.files:
                    try:
                        verify(unpacked / file, f"{folder}/{file}", specs[file])
                    except ValueError:
                        if file in names:
                            raise
                        # One bad track must not keep users from the others.
                        (unpacked / file).unlink(missing_ok=True)
            except (OSError, ValueError) as error:  # errors of requests are OSErrors
                failures.append(f"{url}: {error}")
                continue
            (home / folder).mkdir(parents=True, exist_ok=True)
            for path in unpacked.iterdir():
                if not (home / folder / path.name).exists():
                    os.replace(path, home / folder / path.name)
            return
    raise ConnectionError("Download failed.\n  " + "\n  ".join(failures))


def _fetch(url: str, path: Path, checksum: str | None) -> Path:
    import pooch

    fetcher = pooch.create(
        path.parent,
        base_url="",
        # For most archives no checksum is on record; the files inside are verified instead.
        registry={path.name: checksum},
        urls={path.name: url},
        retry_if_failed=RETRIES,
    )
    return Path(fetcher.fetch(path.name, downloader=_download_bounded))


def _download_bounded(url: str, output_file: str, _: Any) -> None:
    import requests
    from urllib3.exceptions import HTTPError

    with (
        requests.get(url, stream=True, timeout=TIMEOUT) as response,
        _BoundedFile(output_file, "wb") as file,
    ):
        response.raise_for_status()
        size = response.headers.get("Content-Length", "")
        bar = progress_bar(int(size) if size.isdecimal() else None, "B")
        # Unlike `read`, this does not wait for a full block, which may come a byte at a time.
        read = getattr(response.raw, "read1", response.raw.read)
        n_bytes, deadline = 0, time.monotonic() + PERIOD
        try:
            while block := read(_READ, decode_content=True):
                file.write(block)
                bar.update(len(block))
                if time.monotonic() > deadline:
                    before, n_bytes = n_bytes, file.tell()
                    deadline = time.monotonic() + PERIOD
                    if n_bytes - before < SLOWEST:
                        raise OSError(
                            f"The server sent fewer than {SLOWEST:,} bytes in {PERIOD:g} seconds."
                        )
        except HTTPError as error:
            raise requests.exceptions.ConnectionError(str(error)) from error
        finally:
            bar.close()


class _BoundedFile(io.FileIO):
    """A file that does not grow beyond ``LARGEST``, since a response need not end."""

    def write(self, data: Any, /) -> int:
        if self.tell() + len(data) > LARGEST:
            raise OSError(
                f"The server sent more than {LARGEST // 2**20} MB, too much for this archive."
            )
        return super().write(data)


def verify(path: Path, key: str, spec: FileSpec) -> None:
    """Raise ValueError for a file that is not the official one.

    Files in the registry are compared by SHA-256, others by their number of lines and columns.
    """
    import pooch

    if not path.is_file():
        raise ValueError(f"The archive does not contain {path.name}.")
    expected = known_hashes().get(key)
    if expected is not None:
        actual = pooch.file_hash(str(path))
        if actual == expected:
            return
        raise ValueError(
            f"{path.name} has SHA-256 {actual}, but the official file has {expected}."
        )
    lines = read_lines(Lines(path))
    if len(lines) != spec.n_lines:
        raise ValueError(
            f"{path.name} has {len(lines)} lines, but the official file has {spec.n_lines}."
        )
    for number, line in enumerate(lines, start=1):
        if line.count("\t") + 1 < spec.n_columns:
            raise ValueError(
                f"{path.name}, line {number}, has fewer than {spec.n_columns} columns."
            )


@cache
def known_hashes() -> dict[str, str]:
    """SHA-256 of official files, by their path in the data folder."""
    import pooch

    fetcher = pooch.create("", "")
    with package_files("skpara.datasets").joinpath("data/registry.txt").open("rb") as registry:
        fetcher.load_registry(registry)
    return fetcher.registry


def canonical_name(name: str) -> str:
    """Return the name under which a file is kept.

    The organisers renamed the files in 2016: ``STS2016.gs.X.txt`` is ``STS.gs.X.txt`` elsewhere.
    """
    return re.sub(r"^STS20\d\d\.", "STS.", name)


def unpack(archive: Path, names: Collection[str], folder: Path, limit: int | None = None) -> None:
    """Write the named files of a zip or tar archive, and its readme and licence, to ``folder``.

    A member is selected by its own name, whatever its folder in the archive, and is written to
    ``folder`` itself. Links and devices are skipped. An archive with a member that points outside
    the folder is refused as a whole, as is one that is damaged or too large: larger than
    ``limit`` bytes, by default ``LARGEST``.
    """
    remaining = LARGEST if limit is None else limit
    try:
        with _open_members(archive, folder) as members:
            for name, member in _select(members, names).items():
                if (open_member := members[member]) is not None:
                    with open_member() as source, (folder / name).open("wb") as target:
                        remaining -= _copy(source, target, remaining)
    except _DAMAGED as error:
        raise ValueError(f"This is not a complete zip or tar archive ({error}).") from error


@contextmanager
def _open_members(archive: Path, folder: Path) -> Iterator[dict[str, Callable[[], Any] | None]]:
    """Yield a function that opens each member; None for what is not a file."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zipped:
            members = [member for member in zipped.infolist() if not member.is_dir()]
            yield {member.filename: partial(zipped.open, member) for member in members}
        return
    with archive.open("rb") as start:
        open_packed: Any = gzip.open if start.read(2) == b"\x1f\x8b" else open
    # Decompressed first, up to the limit: tarfile itself would read the headers of a compressed
    # archive without any.
    with tempfile.TemporaryFile(dir=folder) as plain:
        with open_packed(archive, "rb") as packed:
            _copy(packed, plain, LARGEST)
        plain.seek(0)
        with (
            _CappedReader(plain.fileno(), closefd=False) as file,
            tarfile.open(fileobj=file, mode="r:") as tar,
        ):
            yield {
                member.name: partial(tar.extractfile, member) if member.isfile() else None
                for member in tar.getmembers()
                if not member.isdir()
            }


class _CappedReader(io.FileIO):
    """A file that allocates memory for what it holds, not for the size that a header claims."""

    def read(self, size: int | None = -1, /) -> bytes:
        remaining = max(0, os.fstat(self.fileno()).st_size - self.tell())
        return super().read(remaining if size is None or size < 0 else min(size, remaining))


def _select(members: Collection[str], names: Collection[str]) -> dict[str, str]:
    """Map each name to be written to its member, the least nested one of that name."""
    for member in members:
        parts = PurePosixPath(member.replace("\\", "/")).parts
        if not parts or parts[0] == "/" or ".." in parts or ":" in parts[0]:
            raise ValueError(f"The member {member!r} points outside the folder of the archive.")
    selected: dict[str, str] = {}
    for member in sorted(members, key=lambda member: (member.count("/"), member)):
        name = canonical_name(PurePosixPath(member).name)
        if name in names or _NOTES.fullmatch(name):
            selected.setdefault(name, member)
    return selected


def read_zipped_text(path: Path) -> tuple[str, io.BytesIO]:
    """Return the name and content of the one text in a zip archive, except ``_about.txt``."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".txt")]
            texts = [name for name in names if "_about" not in name]
            if len(texts) != 1:
                raise ValueError(f"Expected one .txt file in it, got {texts[:5]}")
            content = io.BytesIO()
            with archive.open(texts[0]) as stream:
                _copy(stream, content, LARGEST)
    except (*_DAMAGED, ValueError) as error:
        problem = str(error).rstrip(".")
        raise ValueError(f"{path} cannot be unpacked: {problem}. Download it again.") from error
    content.seek(0)
    return texts[0], content


def _copy(source: IO[bytes], target: IO[bytes], limit: int) -> int:
    """Copy a stream and return its length, which must not exceed ``limit``.

    The lengths that archives declare are not relied on: a small one can claim anything.
    """
    length = 0
    while block := source.read(_BLOCK):
        length += len(block)
        if length > limit:
            raise ValueError(f"It unpacks to more than {max(1, limit // 2**20)} MB.")
        target.write(block)
    return length
