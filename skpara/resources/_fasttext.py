"""Models of fastText, as its program saves them in ``.bin`` files, read with gensim."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import Any

from skpara._optional import import_optional

# The first bytes of such a file, since 2016: a magic number and the version of the format.
MAGIC = struct.pack("<i", 793_712_314)
_HEADER = struct.Struct("<2i 12i d 3i 2q")
_LEAST_ENTRY = 10  # bytes of a word of the vocabulary: its end, its count and its type


def read_fasttext(path: Path) -> tuple[list[str], Any]:
    """Return the words of a model, and the mean of each word's vector and those of its n-grams."""
    fasttext: Any = import_optional("gensim.models.fasttext", "Reading a model of fastText")
    problem = _problem(path)
    if problem is None:
        try:
            vectors = fasttext.load_facebook_vectors(str(path))
            return vectors.index_to_key, vectors.vectors
        except Exception as error:  # gensim has assertions, for example against equal words
            problem = f"gensim cannot read it ({error or type(error).__name__})"
    raise ValueError(
        f"{path} starts like a model of fastText, but {problem}. Only models of words, not "
        "quantized, can be read. If it is one, download it again."
    )


def _problem(path: Path) -> str | None:
    """Return what would stop gensim, which reads forever where a word has no end.

    It would also allocate whatever a damaged file claims.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if len(data) < _HEADER.size:
            return "it is too short"
        header = _HEADER.unpack_from(data)
        n_dims, n_buckets = header[2], header[10]
        n_entries, n_words, n_labels, _, n_pruned = header[15:]
        if n_labels > 0:
            return "it has labels"
        if min(n_dims, n_words) < 1 or n_buckets < 0 or n_entries != n_words:
            return "its header is damaged"
        n_rows = n_words + n_buckets
        if 4 * n_dims * n_rows + _LEAST_ENTRY * n_words + 8 * max(n_pruned, 0) > len(data):
            return f"it is too small for {n_rows} rows of {n_dims} numbers"
        position = _HEADER.size
        for _ in range(n_words):
            end = data.find(b"\0", position)
            if end < 0:
                return "a word has no end"
            position = end + _LEAST_ENTRY
        position += 8 * max(n_pruned, 0)
        matrix = struct.Struct("<? 2q")
        if position + matrix.size > len(data):
            return "it ends within the vocabulary"
        is_quantized, *shape = matrix.unpack_from(data, position)
        if is_quantized:
            return "it is quantized"
        if shape != [n_rows, n_dims]:
            return "its matrix has another shape than its header says"
        if position + matrix.size + 4 * n_rows * n_dims > len(data):
            return "it ends within the matrix"
        return None
