"""The gradient of a batch, which several processes may share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from skpara._core import Ragged
from skpara.learning._device import Compute
from skpara.learning._processes import all_reduce, n_processes, shard
from skpara.networks import SentenceModule

# From a module's outputs (sentence vectors, or a siamese module's outputs of pairs) to the loss.
LossFunction = Callable[[Tensor], Tensor]


def loss_and_gradients(
    module: SentenceModule,
    compute: Compute,
    rows: Tensor,
    batch: Ragged,
    loss_function: LossFunction,
) -> tuple[Tensor, list[Tensor]]:
    """Return the loss and its gradients by ``rows``, if they are trained, and by weights.

    The loss needs the vectors of all sentences of a batch. Where several processes share it, each
    encodes its part of the sentences and exchanges the vectors; the gradient of the loss with
    respect to all vectors is then taken, and backward called with its own part (gradient caching).
    This is exact. The loss is a tensor: a GPU may still be computing it.

    References
    ----------
    L. Gao, Y. Zhang, J. Han, J. Callan (2021). Scaling deep contrastive learning batch size under
    memory limited setup. RepL4NLP.
    """

    def forward(part: Ragged) -> Tensor:
        ids, offsets = compute.tensors(part.ids.astype(np.int64), part.offsets[:-1])
        return compute.run(module, rows, ids, offsets)

    def backward(outputs: Tensor, output_gradient: Tensor | None = None) -> list[Tensor]:
        weights = list(module.parameters())
        trained = [rows, *weights] if rows.requires_grad else weights
        if not outputs.requires_grad:  # all sentences are empty: their vectors are constant zeros
            return [torch.zeros_like(tensor) for tensor in trained]
        return list(torch.autograd.grad(outputs, trained, output_gradient))

    n_outputs = len(batch.lengths) // module.n_inputs
    if not 1 < n_processes() <= n_outputs:
        loss = loss_function(forward(batch))
        return loss.detach(), backward(loss)
    own = shard(n_outputs)
    # An output of a pair needs its two sentences.
    sides = [np.arange(n_outputs)[own] + k * n_outputs for k in range(module.n_inputs)]
    outputs = forward(batch.take(np.concatenate(sides)))
    vectors = rows.new_zeros(n_outputs, outputs.shape[1])
    vectors[own] = outputs.detach()
    all_reduce(vectors)
    loss = loss_function(vectors.requires_grad_())
    (output_gradient,) = torch.autograd.grad(loss, vectors)
    gradients = backward(outputs, output_gradient[own])
    all_reduce(*gradients)
    return loss.detach(), gradients
