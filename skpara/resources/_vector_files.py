"""Reading and writing files of word vectors.

A reader returns the arguments of ``WordVectors``: words, rows, and scales if rows are 8-bit codes.
"""

from __future__ import annotations

import gzip
import json
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from skpara._array_files import map_arrays, pack_words, unpack_words, write_arrays
from skpara._files import replace_file
from skpara._messages import warn
from skpara._typing import Vectors
from skpara.text import normalize

Table = tuple[list[str], NDArray[Any], "Vectors | None"]

_FORMAT = "skpara.WordVectors"
_SPACES = ("\u2581", "\u0120")  # a space in tokens of SentencePiece, and of byte-level BPE
_LONGEST_LINE = 2**22  # bytes: room for 100,000 numbers and a word of a thousand characters
_FASTTEXT = struct.pack("<i", 793_712_314)  # the first bytes of a model of fastText
# Of packed files, .npz among them, that are truncated or of an unknown kind.
_UNREADABLE = (
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    KeyError,
    MemoryError,
    zlib.error,
    BadZipFile,
)


def read(path: Path) -> Table:
    """Read a file of any supported format, by its suffix, else by its first bytes."""
    if not path.is_file():
        raise FileNotFoundError(
            f"There are no word vectors at {path}. Pass the path of a word2vec, GloVe, .npz or "
            ".safetensors file, or 'default' for the vectors that ship with skpara. Transformers, "
            "such as all-MiniLM-L6-v2, have no table of words: use SentenceTransformerFeature, or "
            "teacher=."
        )
    suffix = path.suffix.lower()
    if suffix == ".safetensors":
        return _read_safetensors(path)
    if suffix == ".npz":
        return _read_npz(path)
    if suffix == ".zip":
        raise ValueError(f"{path} is an archive. Unpack it and pass the path of one of its files.")
    if suffix in (".kv", ".model", ".pkl", ".pickle"):
        raise ValueError(
            f"{path} is a pickle, which can run code when loaded. If you trust it, load it "
            "yourself (gensim.models.KeyedVectors.load) and pass the object."
        )
    return lower_cased(*_read_word2vec(path))


def from_object(source: Any) -> Table:
    """Convert a mapping from words to vectors, or an object of gensim or model2vec."""
    if isinstance(source, Mapping):
        return from_mapping(source)
    source = getattr(source, "wv", source)  # of a gensim model: Word2Vec, FastText
    if hasattr(source, "index_to_key") and hasattr(source, "vectors"):
        return lower_cased(source.index_to_key, source.vectors)
    if hasattr(source, "embedding") and hasattr(source, "token_mapping"):
        return from_static_model(source)
    raise TypeError(
        "vectors must be 'default', 'multilingual', a path, gensim's KeyedVectors or a model "
        "that has them as .wv, model2vec's StaticModel, a mapping from words to vectors or a "
        f"WordVectors, got {type(source).__name__}."
    )


def from_mapping(mapping: Mapping[str, Any]) -> Table:
    """Convert a mapping from words to vectors."""
    words = list(mapping)
    not_text = [word for word in words if not isinstance(word, str)]
    if not_text:
        raise TypeError(f"The mapping's keys must be words (str), got {not_text[0]!r}.")
    shapes = {np.shape(vector) for vector in mapping.values()}
    if len(shapes) != 1 or len(next(iter(shapes))) != 1:
        raise ValueError(
            "The mapping's vectors must all be one-dimensional and of one length, got shapes "
            f"{sorted(shapes)[:3]}."
        )
    return lower_cased(words, np.array(list(mapping.values()), dtype=np.float32))


def from_static_model(model: Any) -> Table:
    """Return the whole words of a model of model2vec, and their vectors.

    Tokens within words have no place in a table of words: those with a prefix (WordPiece), or,
    where tokens at the start of a word have a sign for a space, those without one.
    """
    rules = json.loads(model.tokenizer.to_str())
    special = {token["content"] for token in rules["added_tokens"] if token["special"]}
    special.add(rules["model"].get("unk_token"))
    within = rules["model"].get("continuing_subword_prefix")
    tokens = list(model.tokens)
    [space, *_] = [x for x in _SPACES if any(token.startswith(x) for token in tokens)] or [""]
    rows = [
        row
        for row, token in enumerate(tokens)
        if token not in special
        and token.startswith(space)
        and token != space
        and not (within and token.startswith(within))
    ]
    places = np.array(rows, dtype=np.int64)
    mapped = places if model.token_mapping is None else model.token_mapping[places]
    vectors = np.asarray(model.embedding[mapped], dtype=np.float32)
    if model.weights is not None:
        vectors = vectors * np.asarray(model.weights, dtype=np.float32)[places, None]
    return lower_cased([tokens[row].removeprefix(space) for row in rows], vectors)


def lower_cased(words: Sequence[str], rows: Vectors) -> Table:
    """Normalize words as tokens are normalized, and keep one row for each result.

    A word that is normalized already has precedence over one that is not ("us" over "US").
    """
    forms = [normalize(word) for word in words]
    if forms == list(words) and len(set(forms)) == len(forms):
        return forms, np.asarray(rows, dtype=np.float32), None
    chosen: dict[str, int] = {}
    changed = []
    for i, (word, form) in enumerate(zip(words, forms, strict=True)):
        if word == form:
            chosen.setdefault(form, i)
        else:
            changed.append(i)
    for i in changed:
        chosen.setdefault(forms[i], i)
    positions = sorted(chosen.values())
    return [forms[i] for i in positions], np.asarray(rows[positions], dtype=np.float32), None


def write(
    path: Path,
    words: Sequence[str],
    rows: NDArray[Any],
    scales: Vectors | None,
) -> None:
    """Write a ``.safetensors`` or ``.npz`` file atomically."""
    arrays: dict[str, Any] = {
        "words": pack_words(list(words)),
        "codes" if scales is not None else "matrix": np.ascontiguousarray(rows),
    }
    if scales is not None:
        arrays["scales"] = scales
    if path.suffix == ".safetensors":
        write_arrays(path, arrays, {"format": _FORMAT, "version": "1"})
    elif path.suffix == ".npz":
        replace_file(path, lambda unfinished: np.savez(unfinished, **arrays))
    else:
        raise ValueError(
            f"Word vectors are saved as .safetensors or .npz, got {path.name}; change the suffix."
        )


def _read_safetensors(path: Path) -> Table:
    arrays, metadata = map_arrays(path)
    if metadata.get("format") != _FORMAT:
        raise ValueError(
            f"{path} has no word vectors of skpara but the arrays {sorted(arrays)[:5]}. "
            "Write such a file with WordVectors.save."
        )
    if (version := metadata.get("version", "1")) != "1":
        raise ValueError(f"{path} has format {version:.9}, newer than format 1; upgrade skpara.")
    return _joined(path, arrays)


def _read_npz(path: Path) -> Table:
    try:
        # If the path is not an archive, numpy leaves the file open.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return _joined(path, dict(archive))
    except _UNREADABLE as error:
        raise ValueError(
            f"{path} is not a readable .npz file: {error}. Download or write it again."
        ) from error


def _joined(path: Path, arrays: Mapping[str, NDArray[Any]]) -> Table:
    rows = arrays.get("matrix", arrays.get("codes"))
    words = arrays.get("words")
    if words is None or rows is None or ("codes" in arrays and "scales" not in arrays):
        raise ValueError(
            f"{path} must have the arrays 'words' and 'matrix' (or 'codes' and 'scales'), got "
            f"{sorted(arrays)}."
        )
    if words.ndim != 1 or rows.ndim != 2:
        raise ValueError(
            f"{path}: 'words' must be one-dimensional and the vectors two-dimensional, got shapes "
            f"{words.shape} and {rows.shape}."
        )
    if words.dtype == np.uint8:
        try:
            return unpack_words(words), rows, arrays.get("scales")
        except UnicodeDecodeError as error:
            raise ValueError(f"{path} is damaged: its words are not UTF-8 ({error}).") from error
    if words.dtype.kind != "U":
        raise ValueError(f"{path}: 'words' must be text, got {words.dtype}.")
    if len(words) != len(rows):
        raise ValueError(f"{path} has {len(words)} words and {len(rows)} vectors.")
    return lower_cased(words.tolist(), rows)


# Why not gensim's load_word2vec_format for text: for 106 MB it takes 11 s of CPU time, this reader
# 1.8 s. It stops at words with spaces, which GloVe's 840B file has (". . ."), and silently drops
# rows beyond the number in the header.
def _read_word2vec(path: Path) -> tuple[list[str], Vectors]:
    """Read word2vec text or GloVe text, also from .gz.

    Bytes of a word that are not UTF-8 become U+FFFD.
    """
    with _opened(path) as stream:
        first = stream.readline(_LONGEST_LINE)
        if first.startswith(_FASTTEXT):
            raise _is_not_text(path)
        fields = first.split()
        if len(fields) != 2 or not all(map(bytes.isdigit, fields)):
            stream.seek(0)
            return _read_text(path, stream, None, None)
        n_words, n_dims = (int(field[:19]) for field in fields)  # longer numbers would raise
        # Before memory is allocated. Text of numbers hardly compresses to a tenth of its size.
        size = path.stat().st_size * (10 if path.suffix.lower() == ".gz" else 1)
        if min(n_words, n_dims) < 1 or n_words * (2 * n_dims + 1) > size:
            raise ValueError(
                f"{path} is too small for the {n_words} words of {n_dims} numbers that its first "
                "line announces. The file may be truncated or its header wrong; download it again."
            )
        if _is_binary(stream.read(4096)):
            raise _is_not_text(path)
        stream.seek(len(first))
        return _read_text(path, stream, n_words, n_dims)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open a file, or what is packed in it."""
    try:
        with (gzip.open if path.suffix.lower() == ".gz" else open)(path, "rb") as file:
            yield file
    except ValueError:
        raise
    except _UNREADABLE as error:
        raise ValueError(
            f"{path} cannot be unpacked: {error}. The file may be truncated; download it again."
        ) from error


def _is_not_text(path: Path) -> ValueError:
    return ValueError(
        f"{path} is a binary file. Load it with gensim, and pass the object: "
        "KeyedVectors.load_word2vec_format(path, binary=True), or for fastText "
        "gensim.models.fasttext.load_facebook_vectors(path)."
    )


def _is_binary(start: bytes) -> bool:
    """Return whether the rows after a header are binary."""
    row = start.split(b"\n")[0].split()
    try:
        return len(row) < 2 or not np.isfinite([float(number) for number in row[1:3]]).all()
    except ValueError:
        return True


def _read_text(
    path: Path, stream: Any, n_words: int | None, n_dims: int | None
) -> tuple[list[str], Vectors]:
    """Read a word and its numbers from each line, and compare with the header if there is one."""
    words: list[str] = []
    numbers = bytearray()
    number = int(n_words is not None)
    while raw := stream.readline(_LONGEST_LINE):
        number += 1
        line = raw.decode("utf8", errors="replace").rstrip()
        if not line and n_words is not None:
            continue
        n_dims = n_dims or line.count(" ")
        word, *cells = line.rsplit(" ", n_dims) if n_dims else [line]
        try:
            row = np.array(cells, dtype=np.float64).astype(np.float32)
        except (ValueError, OverflowError):
            row = np.empty(0, dtype=np.float32)
        if len(row) != n_dims or n_dims == 0:
            raise ValueError(
                f"{path}, line {number}: expected a word and {n_dims or 'its'} numbers as in "
                f"word2vec and GloVe text, got {line[:60]!r}. The file may be truncated or have "
                "another format."
            )
        words.append(word)
        numbers += row.tobytes()
    if not words:
        raise ValueError(f"{path} is empty; expected word2vec or GloVe text.")
    if n_words is not None and len(words) != n_words:
        message = f"{path} announces {n_words} words in its first line but has {len(words)}"
        if len(words) < n_words:
            raise ValueError(
                f"{message}. The file may be truncated or its header wrong: download it again or "
                "correct the number."
            )
        # Every row is whole, so only the number is wrong.
        warn(f"{message}; all of them are read. Correct the number to avoid this warning.")
    return words, np.frombuffer(numbers, dtype=np.float32).reshape(len(words), -1)
