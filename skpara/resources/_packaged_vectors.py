"""The packaged vectors, and the user's own ones for other languages."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from skpara._array_files import map_arrays, unpack_words
from skpara._typing import Vectors

_FOLDER = Path(__file__).parent / "data"
DEFAULT_FILE = _FOLDER / "default.safetensors"
# What the English table lacks; examples/builders/build_languages.py writes it.
LANGUAGES_FILE = _FOLDER / "languages.safetensors"


def own_multilingual_file() -> Path | None:
    """Return the file of a multilingual table that the user has saved in the cache folder."""
    import platformdirs

    folder = Path(platformdirs.user_cache_dir("skpara", appauthor=False))
    path = folder / "tables" / "multilingual.safetensors"
    return path if path.is_file() else None


def read_product_codes(path: Path) -> tuple[list[str], Vectors]:
    """Read words, and rows that were cut into parts of a few numbers (Jégou and others 2011).

    Each part is one of 256 that all rows share, and a row has a length.
    """
    arrays, _ = map_arrays(path)
    codes = arrays["codes"]
    parts = np.arange(codes.shape[1])
    units = arrays["centroids"].astype(np.float32)[parts, codes].reshape(len(codes), -1)
    return unpack_words(arrays["words"]), units * arrays["lengths"].astype(np.float32)[:, None]
