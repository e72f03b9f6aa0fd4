"""Weights of 8 bits, unpacked by examples/papers/_marian.py."""

import struct
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "papers"))
from _marian import EIGHT_BITS, FLOAT, as_floats, read_tables


def packed(tables):
    """Write tables as Marian does: heads, names, shapes, a gap, contents."""
    heads, names, shapes, contents = b"", b"", b"", b""
    for name, kind, shape, content in tables:
        heads += struct.pack("<4Q", len(name) + 1, kind, len(shape), len(content))
        names += name.encode() + b"\0"
        shapes += struct.pack(f"<{len(shape)}i", *shape)
        contents += content
    start = struct.pack("<2Q", 1, len(tables)) + heads + names + shapes
    return start + struct.pack("<Q", 5) + b"gap.." + contents


def test_tables_are_read_and_multiplied(tmp_path):
    rng = np.random.default_rng(0)
    bias = rng.normal(size=(1, 3)).astype(np.float32)
    whole = rng.integers(-127, 128, (2, 3)).astype(np.int8)
    factor = struct.pack("<f", 40.0) + b"\0" * 7
    content = [
        ("Wemb", EIGHT_BITS, (2, 3), whole.tobytes() + factor),
        ("W", EIGHT_BITS, (3, 2), whole.tobytes() + factor),  # stored transposed
        ("b", FLOAT, (1, 3), bias.tobytes() + b"\0" * 4),
        ("special:model.yml", 0x101, (7,), b"a: b\n\0"),
    ]
    path = tmp_path / "model.bin"
    path.write_bytes(packed(content))
    embeddings, weights, read_bias, settings = map(as_floats, read_tables(path))
    np.testing.assert_allclose(embeddings, whole / 40)
    np.testing.assert_allclose(weights, whole.T / 40)
    np.testing.assert_array_equal(read_bias, bias)
    assert settings.tobytes() == b"a: b\n\0"
