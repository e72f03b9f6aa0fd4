"""Files of word vectors: reading and writing.

A reader returns what ``WordVectors`` takes: words, rows, and scales where rows are 8-bit codes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara.resources._array_files import map_arrays, pack_words, unpack_words, write_arrays
from skpara.text._tokenizer import normalize

Table = tuple[list[str], NDArray[Any], "NDArray[np.float32] | None"]

_FORMAT = "skpara.WordVectors"


def read(path: Path) -> Table:
    """Read any supported file; the ending decides, then the first bytes."""
    if not path.is_file():
        raise FileNotFoundError(
            f"No word vectors at {path}. Pass the path of a word2vec, GloVe, .npz or "
            ".safetensors file, or 'default' for the vectors that ship with skpara."
        )
    suffix = path.suffix.lower()
    if suffix == ".safetensors":
        return _read_safetensors(path)
    if suffix == ".npz":
        return _read_npz(path)
    if suffix in (".kv", ".model", ".pkl", ".pickle"):
        raise ValueError(
            f"{path} is a pickle, which can run code when opened. If you trust it, open it "
            "yourself (gensim.models.KeyedVectors.load) and pass the object."
        )
    return _read_word2vec(path)


def from_mapping(mapping: Mapping[str, Any]) -> Table:
    """Words and rows of a mapping."""
    words = list(mapping)
    not_text = [word for word in words if not isinstance(word, str)]
    if not_text:
        raise TypeError(f"The mapping's keys must be words, got {not_text[0]!r}.")
    shapes = {np.shape(vector) for vector in mapping.values()}
    if len(shapes) != 1 or len(next(iter(shapes))) != 1:
        raise ValueError(
            f"The mapping's vectors must all be one-dimensional and of one length, got shapes "
            f"{sorted(shapes)[:3]}."
        )
    return lower_cased(words, np.array(list(mapping.values()), dtype=np.float32))


def lower_cased(words: Sequence[str], rows: NDArray[np.float32]) -> Table:
    """Give each word the form that tokens have; one row for each form.

    A word that has the form already stands before one that is turned into it ("us" before "US").
    """
    forms = [normalize(word) for word in words]
    if forms == list(words) and len(set(forms)) == len(forms):
        return forms, np.asarray(rows, dtype=np.float32), None
    chosen: dict[str, int] = {}
    turned = []
    for i, (word, form) in enumerate(zip(words, forms, strict=True)):
        if word == form:
            chosen.setdefault(form, i)
        else:
            turned.append(i)
    for i in turned:
        chosen.setdefault(forms[i], i)
    kept = sorted(chosen.values())
    return [forms[i] for i in kept], np.asarray(rows[kept], dtype=np.float32), None


def write(
    path: Path,
    words: Sequence[str],
    rows: NDArray[Any],
    scales: NDArray[np.float32] | None,
) -> None:
    """Write ``.safetensors`` or ``.npz``, beside the path first, then renamed."""
    arrays: dict[str, Any] = {
        "words": pack_words(list(words)),
        "codes" if scales is not None else "matrix": np.ascontiguousarray(rows),
    }
    if scales is not None:
        arrays["scales"] = scales
    if path.suffix == ".safetensors":
        write_arrays(path, arrays, {"format": _FORMAT, "version": "1"})
    elif path.suffix == ".npz":
        beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        try:
            with open(beside, "wb") as opened:
                np.savez(opened, **arrays)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    else:
        raise ValueError(f"Word vectors are written as .safetensors or .npz, not {path.name}.")


def _read_safetensors(path: Path) -> Table:
    arrays, metadata = map_arrays(path)
    if metadata.get("format") != _FORMAT:
        raise ValueError(
            f"{path} holds no word vectors of skpara; it has {sorted(arrays)[:5]}. "
            "Write such a file with WordVectors.save."
        )
    return _joined(path, arrays)


def _read_npz(path: Path) -> Table:
    import zipfile

    try:
        with np.load(path, allow_pickle=False) as opened:
            arrays = {name: opened[name] for name in opened.files}
    except (zipfile.BadZipFile, ValueError, EOFError) as error:
        raise ValueError(f"{path} is not a readable .npz file: {error}") from error
    return _joined(path, arrays)


def _joined(path: Path, arrays: Mapping[str, NDArray[Any]]) -> Table:
    rows = arrays.get("matrix", arrays.get("codes"))
    words = arrays.get("words")
    if words is None or rows is None or ("codes" in arrays and "scales" not in arrays):
        raise ValueError(
            f"{path} needs the arrays 'words' and 'matrix' (or 'codes' and 'scales'), has "
            f"{sorted(arrays)}."
        )
    if words.dtype == np.uint8:
        return unpack_words(words), rows, arrays.get("scales")
    return lower_cased([str(word) for word in words], rows)


def _read_word2vec(path: Path) -> Table:
    """word2vec text and binary, through gensim, and GloVe text."""
    header, binary = _sniff(path)
    if not header:
        return _read_glove(path)
    from gensim.models import KeyedVectors

    try:
        vectors = KeyedVectors.load_word2vec_format(
            str(path), binary=binary, unicode_errors="replace"
        )
    except (ValueError, EOFError, MemoryError, IndexError) as error:
        kind = "word2vec binary" if binary else "word2vec text"
        raise ValueError(
            f"{path} could not be read as {kind}: {error or type(error).__name__}. "
            "Is the file cut short, or its header wrong?"
        ) from error
    return lower_cased(vectors.index_to_key, vectors.vectors)


def _read_glove(path: Path) -> Table:
    """Lines of a word and its numbers, without a header (gensim leaves such a file open)."""
    words: list[str] = []
    rows: list[NDArray[np.float32]] = []
    with _opened(path) as lines:
        for number, raw in enumerate(lines, start=1):
            line = raw.decode("utf8", errors="replace").rstrip()
            n_dims = len(rows[0]) if rows else line.count(" ")
            word, *numbers = line.rsplit(" ", n_dims) if n_dims else [line]
            try:
                row = np.array(numbers, dtype=np.float32)
            except ValueError:
                row = np.empty(0, dtype=np.float32)
            if len(row) != n_dims or n_dims == 0:
                raise ValueError(
                    f"{path}, line {number}: expected a word and {n_dims or 'some'} numbers, as "
                    f"GloVe text has, got {line[:60]!r}. Is the file cut short?"
                )
            words.append(word)
            rows.append(row)
    if not rows:
        raise ValueError(f"{path} is empty; expected GloVe text.")
    return lower_cased(words, np.array(rows))


def _opened(path: Path) -> Any:
    import gzip

    return (gzip.open if path.suffix == ".gz" else open)(path, "rb")


def _sniff(path: Path) -> tuple[bool, bool]:
    """Whether the file has word2vec's header, and whether its rows are binary."""
    with _opened(path) as opened:
        first = opened.readline(10_000)
        start = opened.read(4096)
    fields = first.split()
    header = len(fields) == 2 and all(field.isdigit() for field in fields)
    if not header:
        return False, False
    row = start.split(b"\n")[0].split()
    try:
        binary = len(row) < 2 or not np.isfinite([float(number) for number in row[1:3]]).all()
    except ValueError:
        binary = True
    return True, binary
