"""The gradient of a batch: at once, in chunks that fit into memory, or shared by processes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from skpara._warnings import warn
from skpara.learning._device import Compute
from skpara.learning._memory import try_in_memory
from skpara.learning._processes import all_reduce, n_processes, shard
from skpara.networks import SentenceModule
from skpara.text import TokenIds

# From a module's outputs (sentence vectors, or a siamese module's outputs of pairs) to the loss.
LossFunction = Callable[[Tensor], Tensor]


class Gradients:
    """Loss and gradients of one batch after another.

    The loss needs the vectors of all sentences of a batch; the forward graph need not hold them
    at once. Where a batch is chunked, the chunks are encoded without a graph, the loss's gradient
    with respect to the vectors is taken, and each chunk is encoded again to call backward with its
    part of that gradient (gradient caching). This is exact. A batch is chunked where several
    processes share it, and where a GPU has no memory for the whole.

    References
    ----------
    L. Gao, Y. Zhang, J. Han, J. Callan (2021). Scaling deep contrastive learning batch size under
    memory limited setup. RepL4NLP.
    """

    def __init__(self, module: SentenceModule, compute: Compute, rng: Generator) -> None:
        self._module, self._compute, self._rng = module, compute, rng
        self._weights = list(module.parameters())
        self._n_chunks = 1

    def __call__(
        self, rows: Tensor, batch: TokenIds, loss_function: LossFunction
    ) -> tuple[float, list[Tensor]]:
        """Return the loss and its gradients by ``rows``, if they are trained, and by weights."""
        n_outputs = len(batch.lengths) // self._module.n_inputs
        rng_state = self._rng.bit_generator.state
        while True:
            compute = (
                partial(self._at_once, rows, batch, loss_function)
                if self._n_chunks == 1 and not 1 < n_processes() <= n_outputs
                else partial(self._chunked, rows, batch, loss_function, n_outputs)
            )
            # Processes must stay in step, so a shared batch is never retried.
            last = self._n_chunks >= n_outputs or n_processes() > 1
            result = try_in_memory(compute, last=last)
            if result is not None:
                return result
            self._rng.bit_generator.state = rng_state
            self._n_chunks *= 2
            warn(
                f"Out of memory on the GPU with a batch of {len(batch.lengths)} sentences; "
                f"continued with chunks of {-(-len(batch.lengths) // self._n_chunks)}, which is "
                "slower and gives the same result. A smaller batch_size avoids it, at the cost "
                "of fewer negatives.",
            )

    def _at_once(
        self, rows: Tensor, batch: TokenIds, loss_function: LossFunction
    ) -> tuple[float, list[Tensor]]:
        loss = loss_function(self._forward(rows, batch))
        return float(loss.detach()), self._backward(loss, rows)

    def _chunked(
        self, rows: Tensor, batch: TokenIds, loss_function: LossFunction, n_outputs: int
    ) -> tuple[float, list[Tensor]]:
        own = shard(n_outputs) if n_processes() <= n_outputs else slice(0, n_outputs)
        shared = own != slice(0, n_outputs)
        bounds = np.linspace(own.start, own.stop, self._n_chunks + 1).astype(int).tolist()
        chunks = [slice(*ends) for ends in pairwise(bounds) if ends[0] < ends[1]]
        forward = partial(self._forward_chunk, rows, batch, n_outputs)
        # The graph of a single chunk is kept, so that it need not be encoded twice.
        with torch.set_grad_enabled(len(chunks) == 1):
            outputs = [forward(chunk) for chunk in chunks]
        vectors = rows.new_zeros(n_outputs, outputs[0].shape[1])
        vectors[own] = torch.cat(outputs).detach()
        if shared:
            all_reduce(vectors)
        loss = loss_function(vectors.requires_grad_())
        (output_gradient,) = torch.autograd.grad(loss, vectors)
        gradients = [torch.zeros_like(trained) for trained in self._trained(rows)]
        for i, chunk in enumerate(chunks):
            chunk_outputs = outputs[i] if len(chunks) == 1 else forward(chunk)
            chunk_gradients = self._backward(chunk_outputs, rows, output_gradient[chunk])
            for gradient, chunk_gradient in zip(gradients, chunk_gradients, strict=True):
                gradient += chunk_gradient
        if shared:
            all_reduce(*gradients)
        return float(loss.detach()), gradients

    def _forward_chunk(
        self, rows: Tensor, batch: TokenIds, n_outputs: int, chunk: slice
    ) -> Tensor:
        """Compute some of the outputs; an output of a pair needs its two sentences."""
        chosen = np.arange(chunk.start, chunk.stop)
        sides = [chosen + side * n_outputs for side in range(self._module.n_inputs)]
        return self._forward(rows, batch.take(np.concatenate(sides)))

    def _forward(self, rows: Tensor, batch: TokenIds) -> Tensor:
        ids, offsets = self._compute.tensors(batch.ids.astype(np.int64), batch.offsets[:-1])
        return self._compute.run(self._module, rows, ids, offsets)

    def _backward(
        self, outputs: Tensor, rows: Tensor, output_gradient: Tensor | None = None
    ) -> list[Tensor]:
        trained = self._trained(rows)
        if not outputs.requires_grad:  # all sentences are empty: their vectors are constant zeros
            return [torch.zeros_like(tensor) for tensor in trained]
        return list(torch.autograd.grad(outputs, trained, output_gradient))

    def _trained(self, rows: Tensor) -> list[Tensor]:
        return [rows] * rows.requires_grad + self._weights
