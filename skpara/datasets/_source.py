"""What a data set consists of, and finding its files on this machine."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from skpara.datasets._download import Archive, FileSpec, download
from skpara.datasets._unpack import canonical_name

__all__ = ["Archive", "FileSpec", "Source", "require_files"]


@dataclass(frozen=True)
class Source:
    """One release of a data set: its files, its folder and where it comes from."""

    title: str  # as messages name it: "STS 2014"
    folder: str  # below the data folder, with forward slashes: "STS/STS14-en-test"
    files: Mapping[str, FileSpec]
    archives: tuple[Archive, ...]
    page: str  # where a person can get the archives
    official_folders: tuple[str, ...] = ()  # names that the official archives unpack to

    def folders(self, home: Path) -> list[Path]:
        """Folders in which the files may lie, the first being where downloads go."""
        parent, _, name = self.folder.rpartition("/")
        names = (name, *self.official_folders)
        places = [home / parent / name for name in names] + [home / name for name in names]
        return list(dict.fromkeys(places))


def require_files(
    source: Source, names: Collection[str], home: Path, *, download_if_missing: bool
) -> dict[str, Path]:
    """Path of each named file of `source`, downloaded first where allowed and needed.

    Raises
    ------
    FileNotFoundError
        If files are missing and may not, or cannot, be downloaded.
    OSError
        If the download failed or did not bring the official files.
    """
    found = _find(source, names, home)
    missing = [name for name in names if name not in found]
    if not missing:
        return found
    advice = _how_to_get(source, missing, home)
    archives = [a for a in source.archives if not set(missing).isdisjoint(a.files)]
    nowhere = set(missing).difference(*(archive.files for archive in archives))
    if nowhere:
        raise FileNotFoundError(f"{advice}\nNot downloaded for you: {', '.join(sorted(nowhere))}.")
    if not download_if_missing:
        raise FileNotFoundError(f"{advice}\nOr allow the download: download_if_missing=True.")
    try:
        for archive in archives:
            download(archive, source.files, source.folder, home)
    except OSError as error:
        raise type(error)(f"{error}\n{advice}") from error
    return _find(source, names, home)


def _find(source: Source, names: Collection[str], home: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for folder in source.folders(home):
        if folder.is_dir():
            present = {canonical_name(path.name): path for path in folder.iterdir()}
            for name in names:
                if name in present:
                    found.setdefault(name, present[name])
    return found


def _how_to_get(source: Source, missing: list[str], home: Path) -> str:
    shown = ", ".join(missing[:4]) + (f" and {len(missing) - 4} more" if missing[4:] else "")
    folders = source.folders(home)
    places = "\n  ".join(str(folder) for folder in folders)
    addresses = "\n  ".join(archive.urls[0] for archive in source.archives)
    # an archive with a folder of its own is unpacked beside the others
    target = folders[0].parent if source.official_folders else folders[0]
    return (
        f"{source.title}: missing {shown}. Looked in\n  {places}\n"
        f"Official source: {source.page}, archives\n  {addresses}\n"
        f"Unpack them into {target}, or point data_home= or the environment variable "
        "SKPARA_DATA at a folder that has the files."
    )
