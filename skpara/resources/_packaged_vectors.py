"""Paths of the packaged vectors, and of those of the package of data for other languages."""

from __future__ import annotations

import hashlib
import json
from importlib.util import find_spec
from pathlib import Path

from skpara._warnings import warn

DEFAULT_FILE = Path(__file__).parent / "data" / "default.safetensors"
_MULTILINGUAL = "multilingual.safetensors"


def multilingual_file() -> Path:
    """Return the file of the multilingual table: the user's own, else the installed one."""
    import platformdirs

    folder = Path(platformdirs.user_cache_dir("skpara", appauthor=False))
    path = folder / "tables" / _MULTILINGUAL
    if path.is_file():  # who saved a table there wants that one
        return path
    installed = _installed_file()
    if installed is None:
        raise FileNotFoundError(
            "There are no multilingual vectors. Install the package skpara-languages (pip "
            "install the wheel that examples/builders/build_languages.py makes), or save a "
            f"table of align_vectors at {path}: see the guide on other languages."
        )
    return installed


def _installed_file() -> Path | None:
    """Return the table of the package of data skpara_languages, which is not imported."""
    spec = find_spec("skpara_languages")
    if spec is None:
        return None
    for folder in spec.submodule_search_locations or []:
        path = Path(folder, _MULTILINGUAL)
        if path.is_file():
            return path
    return None


def warn_of_other_english(path: Path) -> None:
    """Warn if a table of the package of data was made for other English vectors."""
    record = path.with_name("languages.json")  # only the package of data has it
    if not record.is_file():
        return
    if json.loads(record.read_text("utf8"))["english_sha256"] != english_hash():
        warn(
            "The installed skpara-languages extends other English vectors than the packaged ones. "
            'Do not compare its vectors of sentences with those of vectors="default". Build it '
            "again with this version of skpara, see the guide on other languages."
        )


def english_hash() -> str:
    """Return the SHA-256 of the packaged table's file."""
    with DEFAULT_FILE.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
