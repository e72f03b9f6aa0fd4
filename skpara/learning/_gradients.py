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


class Gradients:
    """Loss and gradients of one batch after another.

    The loss needs the vectors of all sentences of a batch. Where several processes share it, each
    encodes its part of the sentences and exchanges the vectors; the gradient of the loss with
    respect to all vectors is then taken, and backward called with its own part (gradient caching).
    This is exact.

    References
    ----------
    L. Gao, Y. Zhang, J. Han, J. Callan (2021). Scaling deep contrastive learning batch size under
    memory limited setup. RepL4NLP.
    """

    def __init__(self, module: SentenceModule, compute: Compute) -> None:
        self._module = module
        self._compute = compute
        self._weights = list(module.parameters())

    def __call__(
        self, rows: Tensor, batch: Ragged, loss_function: LossFunction
    ) -> tuple[Tensor, list[Tensor]]:
        """Return the loss and its gradients by ``rows``, if they are trained, and by weights.

        The loss is a tensor: a GPU may still be computing it.
        """
        n_outputs = len(batch.lengths) // self._module.n_inputs
        if not 1 < n_processes() <= n_outputs:
            loss = loss_function(self._forward(rows, batch))
            return loss.detach(), self._backward(loss, rows)
        own = shard(n_outputs)
        # An output of a pair needs its two sentences.
        sides = [np.arange(n_outputs)[own] + k * n_outputs for k in range(self._module.n_inputs)]
        outputs = self._forward(rows, batch.take(np.concatenate(sides)))
        vectors = rows.new_zeros(n_outputs, outputs.shape[1])
        vectors[own] = outputs.detach()
        all_reduce(vectors)
        loss = loss_function(vectors.requires_grad_())
        (output_gradient,) = torch.autograd.grad(loss, vectors)
        gradients = self._backward(outputs, rows, output_gradient[own])
        all_reduce(*gradients)
        return loss.detach(), gradients

    def _forward(self, rows: Tensor, batch: Ragged) -> Tensor:
        ids, offsets = self._compute.tensors(batch.ids.astype(np.int64), batch.offsets[:-1])
        return self._compute.run(self._module, rows, ids, offsets)

    def _backward(
        self, outputs: Tensor, rows: Tensor, output_gradient: Tensor | None = None
    ) -> list[Tensor]:
        trained = [rows, *self._weights] if rows.requires_grad else self._weights
        if not outputs.requires_grad:  # all sentences are empty: their vectors are constant zeros
            return [torch.zeros_like(tensor) for tensor in trained]
        return list(torch.autograd.grad(outputs, trained, output_gradient))
