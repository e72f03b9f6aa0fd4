"""Take chosen files out of a zip or tar archive, and only into the folder given.

A small archive can claim to hold more than the disk does: there is a limit to what is unpacked.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any

__all__ = ["LARGEST", "canonical_name", "unpack", "unpacked_gzip", "unpacked_text"]

LARGEST = 2**28  # bytes that an archive may hold; the largest data set has a tenth of it
_BLOCK = 2**20

# Terms of use and attribution travel with the data.
_NOTES = re.compile(r"(?i)[\d-]*(readme|licen[cs]e)(\.txt|\.md)?|.*\.license")


def canonical_name(name: str) -> str:
    """Name under which a file is kept: ``STS2016.gs.X.txt`` is ``STS.gs.X.txt`` elsewhere."""
    return re.sub(r"^STS20\d\d\.", "STS.", name)


def unpack(archive: Path, wanted: Collection[str], folder: Path) -> None:
    """Write the wanted members of `archive`, and its readme and licence, flat into `folder`.

    A member is taken by its own name, whatever folder it has in the archive, and always lands in
    `folder` itself. An archive with a member that points outside is refused as a whole.

    Raises
    ------
    ValueError
        If the archive is damaged, of another kind, too large, or holds an unsafe member.
    """
    try:
        if zipfile.is_zipfile(archive):
            _unpack_zip(archive, wanted, folder)
        else:
            _unpack_tar(archive, wanted, folder)
    except _DAMAGED as error:
        raise ValueError(f"not a complete zip or tar archive ({error})") from error


def unpacked_gzip(path: Path) -> bytes:
    """The content of a file that gzip packed.

    Raises
    ------
    ValueError
        If it is damaged or too large: names the file.
    """
    try:
        with gzip.open(path) as stream:
            return b"".join(_blocks(stream, [LARGEST]))
    except (*_DAMAGED, ValueError) as error:
        raise ValueError(f"{path} cannot be unpacked: {error}. Fetch it again.") from error


def unpacked_text(path: Path) -> tuple[str, bytes]:
    """Name and content of the one text in a zip archive, apart from its ``_about.txt``.

    Raises
    ------
    ValueError
        If there is no such text, or it is damaged or too large: names the file.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            names = (name for name in archive.namelist() if name.endswith(".txt"))
            texts = [name for name in names if "_about" not in name]
            if len(texts) != 1:
                raise ValueError(f"one .txt file is to be in it, found {texts[:5]}")
            with archive.open(texts[0]) as stream:
                return texts[0], b"".join(_blocks(stream, [LARGEST]))
    except (*_DAMAGED, ValueError) as error:
        raise ValueError(f"{path} cannot be unpacked: {error}. Fetch it again.") from error


# What damaged archives bring up in the standard library. An encrypted or unknown form is a
# RuntimeError; BadGzipFile an OSError, as is what bz2 raises.
_DAMAGED = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,
)
_COMPRESSED: dict[bytes, Callable[[Path], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZ": bz2.open,
    b"\xfd7": lzma.open,
}


def _unpack_zip(archive: Path, wanted: Collection[str], folder: Path) -> None:
    left = [LARGEST]
    with zipfile.ZipFile(archive) as opened:
        members = [info.filename for info in opened.infolist() if not info.is_dir()]
        for member, name in _choose(members, wanted):
            with opened.open(member) as stream:
                _write(stream, folder / name, left)


def _unpack_tar(archive: Path, wanted: Collection[str], folder: Path) -> None:
    # Uncompressed first: what a tar says of itself would else be read without limit.
    tar, left = folder / ".tar", [LARGEST]
    try:
        with archive.open("rb") as start:
            open_packed = _COMPRESSED.get(start.read(2))
        if open_packed is not None:
            with open_packed(archive) as packed:
                _write(packed, tar, [LARGEST])
        with (
            _Clipped(archive if open_packed is None else tar) as file,
            tarfile.open(fileobj=file, mode="r:") as opened,
        ):
            # Links and devices have no content of their own, so they are never taken.
            members = {info.name: info for info in opened.getmembers() if not info.isdir()}
            for member, name in _choose(members, wanted):
                if members[member].isfile():
                    with opened.extractfile(members[member]) as stream:  # type: ignore[union-attr]
                        _write(stream, folder / name, left)
    finally:
        tar.unlink(missing_ok=True)


class _Clipped(io.FileIO):
    """Takes memory for what a file holds, not for what its headers say it holds."""

    def read(self, size: int | None = -1, /) -> bytes:
        left = max(0, os.fstat(self.fileno()).st_size - self.tell())
        return super().read(left if size is None or size < 0 else min(size, left))


def _choose(members: Collection[str], wanted: Collection[str]) -> Iterator[tuple[str, str]]:
    """(member, name to keep it under), the least nested member of each name."""
    for member in members:
        parts = PurePosixPath(member.replace("\\", "/")).parts
        if not parts or parts[0] == "/" or ".." in parts or ":" in parts[0]:
            raise ValueError(f"the member {member!r} points outside the archive's folder")
    chosen: dict[str, str] = {}
    for member in sorted(members, key=lambda member: (member.count("/"), member)):
        name = canonical_name(PurePosixPath(member).name)
        if name in wanted or _NOTES.fullmatch(name):
            chosen.setdefault(name, member)
    for name, member in chosen.items():
        yield member, name


def _write(stream: IO[bytes], path: Path, left: list[int]) -> None:
    with path.open("wb") as out:
        for block in _blocks(stream, left):
            out.write(block)


def _blocks(stream: Any, left: list[int]) -> Iterator[bytes]:
    """All of the stream, as long as it is within the bytes that are ``left``, one number."""
    while block := stream.read(_BLOCK):
        left[0] -= len(block)
        if left[0] < 0:
            raise ValueError(f"it unpacks to more than {LARGEST // 2**20} MB")
        yield block
