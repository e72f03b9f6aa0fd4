"""Encoders that average word vectors as ONNX models."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from skpara._compatibility import import_optional
from skpara._files import replace_file
from skpara.encoders._interop import UNKNOWN, Table

# Vectors and weights of zeros are divided by this.
_TINY = 1e-12
# The formula of `skpara.networks.Average`; names as there, but for the mask of padding.
_AVERAGE = """
<ir_version: 8, opset_import: ["": 17]>
average (int64[batch, length] input_ids, int64[batch, length] attention_mask)
    => (float[batch, {n_dims}] sentence_embedding) {{
    is_word = Cast <to = 1> (attention_mask)
    mask = Unsqueeze (is_word, dimensions)
    x = Gather <axis = 0> (table, input_ids)
    squares = Mul (x, x)
    squared_lengths = ReduceSum (squares, dimensions)
    lengths = Sqrt (squared_lengths)
    divisors = Max (lengths, tiny)
    directions = Div (x, divisors)
    u = Mul (directions, mask)
    sum_of_u = ReduceSum (u, words)
    with_all = Mul (u, sum_of_u)
    with_itself = Mul (u, u)
    with_others = Sub (with_all, with_itself)
    s = ReduceSum (with_others, dimensions)
    positive = Relu (s)
    scaled = Mul (redundancy, positive)
    denominators = Add (one, scaled)
    w = Div (mask, denominators)
    weighted = Mul (w, x)
    sums = ReduceSum <keepdims = 0> (weighted, words)
    weights = ReduceSum <keepdims = 0> (w, words)
    totals = Max (weights, tiny)
    sentence_embedding = Div (sums, totals)
}}
"""


def save_onnx(table: Table, folder: Path) -> Path:
    """Write an average of word vectors as an ONNX model, and its tokenizer."""
    onnx = import_optional("onnx", "save_onnx", install="onnx")
    matrix = np.vstack([table.matrix, table.unknown])
    tokenizer = table.tokenizer()
    tokenizer.enable_padding(pad_id=len(table.words), pad_token=UNKNOWN)  # the mask leaves it out
    model = onnx.parser.parse_model(_AVERAGE.format(n_dims=matrix.shape[1]))
    constants = {
        "table": matrix,
        "words": np.array([1]),  # axes
        "dimensions": np.array([2]),
        "one": np.float32(1),
        "tiny": np.float32(_TINY),
        "redundancy": np.float32(table.network.redundancy),
    }
    arrays = [onnx.numpy_helper.from_array(np.asarray(x), name) for name, x in constants.items()]
    model.graph.initializer.extend(arrays)
    onnx.checker.check_model(model, full_check=True)
    replace_file(folder / "tokenizer.json", lambda path: tokenizer.save(str(path)))
    return replace_file(folder / "model.onnx", lambda path: onnx.save(model, str(path)))
