"""Any bytes that are read as word vectors give finite vectors, or an error that names the file."""

from __future__ import annotations

import gzip
import io
import json
import struct
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara import WordVectors

pytestmark = pytest.mark.slow

FUZZ = settings.get_profile("fuzz")  # of conftest.py
OUTCOMES: Counter[str] = Counter()

WORDS = ["the", "dog", "café", "bark"]
MATRIX = np.arange(12, dtype=np.float32).reshape(4, 3) / 7


def read(name, content):
    """Read a file with this content, and count the outcome."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        try:
            vectors = WordVectors.load(path)
        except ValueError as error:
            vectors, problem = None, str(error)
        if vectors is None:
            OUTCOMES["refused"] += 1
            assert str(path) in problem
            return
        assert len(vectors) > 0
        assert np.isfinite(vectors.matrix).all()
        vectors.lookup(["dog", "cat"])
        OUTCOMES["read"] += 1


def saved(ending, matrix=MATRIX, scales=None):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"vectors{ending}"
        WordVectors(WORDS, matrix, scales).save(path)
        return path.read_bytes()


def text(header):
    rows = [" ".join([word, *map(repr, row)]) for word, row in zip(WORDS, MATRIX.tolist())]  # noqa: B905
    return ("4 3\n" * header + "\n".join(rows) + "\n").encode()


def binary():
    rows = (word.encode() + b" " + row.tobytes() for word, row in zip(WORDS, MATRIX, strict=True))
    return b"4 3\n" + b"\n".join(rows)


@st.composite
def damaged(draw, whole):
    """A valid file with a few bytes changed, inserted, removed or repeated, or cut short."""
    content = bytearray(whole)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(content)))
        end = start + draw(st.integers(0, 8))
        new = draw(
            st.one_of(
                st.binary(max_size=8),
                st.sampled_from([b" ", b"\n", b"nan", b"inf", b"1e39", b"-1", b"9" * 20, b"\xff"]),
                st.just(bytes(content[start:end]) * 2),
            )
        )
        content[start:end] = new
    cut = draw(st.one_of(st.just(len(content)), st.integers(0, len(content))))
    return bytes(content[:cut])


NUMBER = st.one_of(
    st.integers(0, 9), st.integers(-(2**70), 2**70), st.sampled_from([2**31, 2**32, 2**63, 10**15])
)
LINES = st.lists(
    st.lists(
        st.one_of(
            st.sampled_from(["dog", "the", "1", "0.5", "-3e2", "nan", "inf", "1e39", "1_0", ""]),
            st.text(max_size=5),
        ),
        max_size=5,
    ).map(" ".join),
    max_size=6,
).map("\n".join)


@FUZZ
@given(
    st.one_of(
        st.binary(max_size=200),
        damaged(text(header=False)),
        damaged(text(header=True)),
        st.builds("{} {}\n{}".format, NUMBER, NUMBER, LINES).map(
            lambda text: text.encode("utf8", "surrogatepass")
        ),
        LINES.map(lambda text: text.encode("utf8", "surrogatepass")),
    )
)
def test_text(content):
    read("vectors.txt", content)


@FUZZ
@given(
    st.one_of(
        damaged(binary()),
        st.builds(
            lambda n, d, rows: f"{n} {d}\n".encode() + rows,
            NUMBER,
            NUMBER,
            st.one_of(st.binary(max_size=60), damaged(binary()[4:])),
        ),
    )
)
def test_binary(content):
    read("vectors.bin", content)


@FUZZ
@given(
    st.one_of(
        damaged(gzip.compress(text(header=False), mtime=0)),
        damaged(text(header=True)).map(gzip.compress),
        damaged(binary()).map(gzip.compress),
        st.binary(max_size=60).map(b"\x1f\x8b\x08".__add__),
    )
)
def test_packed(content):
    read("vectors.txt.gz", content)


def npz(members):
    import zipfile

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return buffer.getvalue()


def npy(descr, shape, by_columns, body):
    header = repr({"descr": descr, "fortran_order": by_columns, "shape": shape}).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + body


NPY = st.one_of(
    st.builds(
        npy,
        st.one_of(
            st.sampled_from(
                ["<f4", "<f8", "<f2", "|i1", "|u1", "<U4", "|O", "|V0", "<c8", "|S3", 3]
            ),
            st.text(max_size=5),
        ),
        st.one_of(st.lists(NUMBER, max_size=3).map(tuple), st.just((2,)), st.just((2, 2))),
        st.booleans(),
        st.binary(max_size=32),
    ),
    st.binary(max_size=100),
)


@FUZZ
@given(
    st.one_of(
        damaged(saved(".npz")),
        damaged(saved(".npz", MATRIX.astype(np.int8), np.ones(4))),
        st.dictionaries(st.sampled_from(["words", "matrix", "codes", "scales", "other"]), NPY).map(
            npz
        ),
    )
)
def test_npz(content):
    read("vectors.npz", content)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBER, st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner)
    ),
    max_leaves=6,
)
ENTRY = st.one_of(
    JSON,
    st.fixed_dictionaries(
        {
            "dtype": st.one_of(st.sampled_from(["F32", "U8", "I8", "F64", "BF16", "X"]), JSON),
            "shape": st.one_of(st.lists(NUMBER, max_size=3), JSON),
            "data_offsets": st.one_of(st.lists(NUMBER, min_size=2, max_size=2), JSON),
        }
    ),
)


@st.composite
def safetensors(draw):
    header = draw(
        st.dictionaries(st.sampled_from(["words", "matrix", "codes", "scales", "x"]), ENTRY)
    )
    header["__metadata__"] = draw(st.one_of(st.just({"format": "skpara.WordVectors"}), JSON))
    encoded = json.dumps(header).encode()
    length = draw(st.one_of(st.just(len(encoded)), st.integers(0, 2**64 - 1)))
    return struct.pack("<Q", length) + encoded + draw(st.binary(max_size=40))


@FUZZ
@given(
    st.one_of(
        damaged(saved(".safetensors")),
        damaged(saved(".safetensors", MATRIX.astype(np.int8), np.ones(4))),
        safetensors(),
        st.binary(max_size=100),
    )
)
def test_safetensors(content):
    read("vectors.safetensors", content)
