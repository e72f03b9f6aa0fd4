"""Sentence vectors and outputs, batch by batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from skpara._core import Ragged
from skpara._typing import Vectors
from skpara.learning._arrays import Array, read_rows
from skpara.learning._device import Compute
from skpara.networks import SentenceModule

# Sentences encoded at a time. They are sorted by length, so that a recurrent network makes as few
# steps as it can; larger batches gain nothing on a CPU and cost memory.
_SENTENCES_PER_BATCH = 512
# The two vectors of each pair and the hidden layer take about 50 MB.
_SAMPLES_PER_BATCH = 8192


@torch.no_grad()
def apply_head(module: Any, vectors: Tensor, device: str) -> Tensor:
    """Compute a wrapper module's outputs from the vectors of its sentences, on the CPU.

    Encoding is separate from this, so that sentences of similar length are encoded together.
    """
    sides = vectors.tensor_split(module.n_inputs)
    # At least one batch: only the module knows the number of columns of an empty result.
    batches = zip(*(torch.split(s, _SAMPLES_PER_BATCH) for s in sides), strict=True)
    return torch.cat([module.outputs(*(part.to(device) for part in b)).cpu() for b in batches])


@torch.no_grad()
def encode(
    module: SentenceModule,
    table: Array,
    extra: Vectors | None,
    sentences: Ragged,
    compute: Compute,
    output_device: str,
) -> Tensor:
    """Encode sentences, shape (n_sentences, n_dims_out), float32.

    Parameters
    ----------
    module : SentenceModule
        On the device of ``compute``.
    table : ndarray or tensor
        Vectors by their ids, in an ndarray or on the same device.
    extra : ndarray, optional
        Vectors of the ids behind the table's: id ``len(table) + k`` is row ``k``.
    sentences : Ragged
        The sentences.
    compute : Compute
        Device and precision of the module.
    output_device : str
        Device of the result.
    """
    n_rows = len(table)
    order = np.argsort(sentences.lengths, kind="stable")
    vectors = torch.empty(len(order), module.n_dims_out, device=output_device)
    for start in range(0, len(order), _SENTENCES_PER_BATCH):
        positions = order[start : start + _SENTENCES_PER_BATCH]
        batch = sentences.take(positions)
        unique, local = np.unique(batch.ids, return_inverse=True)
        ids, offsets = compute.tensors(local.astype(np.int64), batch.offsets[:-1])
        rows = read_rows(table, unique[unique < n_rows].astype(np.int64))
        if isinstance(rows, np.ndarray):
            (rows,) = compute.tensors(rows)
        if extra is not None:
            rows = torch.cat([rows, *compute.tensors(extra[unique[unique >= n_rows] - n_rows])])
        outputs = compute.run(module, rows, ids, offsets)
        vectors[torch.from_numpy(positions).to(output_device)] = outputs.to(output_device)
    return vectors
