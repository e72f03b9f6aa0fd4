"""Take chosen files out of a zip or tar archive, and only into the folder given."""

from __future__ import annotations

import re
import shutil
import tarfile
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import IO

__all__ = ["canonical_name", "unpack"]

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
        If the archive is damaged, of another kind, or holds an unsafe member.
    """
    try:
        if zipfile.is_zipfile(archive):
            _unpack_zip(archive, wanted, folder)
        else:
            _unpack_tar(archive, wanted, folder)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, RuntimeError) as error:
        raise ValueError(f"not a complete zip or tar archive ({error})") from error


def _unpack_zip(archive: Path, wanted: Collection[str], folder: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        members = [info.filename for info in opened.infolist() if not info.is_dir()]
        for member, name in _choose(members, wanted):
            with opened.open(member) as stream:
                _write(stream, folder / name)


def _unpack_tar(archive: Path, wanted: Collection[str], folder: Path) -> None:
    with tarfile.open(archive, mode="r:*") as opened:
        # Links and devices have no content of their own, so they are never taken.
        members = {info.name: info for info in opened.getmembers() if not info.isdir()}
        regular = {name for name, info in members.items() if info.isfile()}
        for member, name in _choose(members, wanted):
            stream = opened.extractfile(members[member]) if member in regular else None
            if stream is not None:
                with stream:
                    _write(stream, folder / name)


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


def _write(stream: IO[bytes], path: Path) -> None:
    with path.open("wb") as out:
        shutil.copyfileobj(stream, out)
