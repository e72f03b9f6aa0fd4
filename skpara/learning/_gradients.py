"""The gradient of a batch: in one go, in parts that fit into memory, or shared by processes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from skpara._warnings import warn
from skpara.learning._compute import Compute
from skpara.learning._memory import attempt
from skpara.learning._processes import add_up, n_processes, share
from skpara.learning._rows import tensors
from skpara.networks import SentenceModule
from skpara.text import TokenIds

# From the vectors of a batch's sentences (a siamese module's outputs of its pairs) to the loss.
Objective = Callable[[Tensor], Tensor]


class Gradients:
    """Loss and gradients of one batch after another.

    An objective compares all sentences of a batch, so their vectors are needed together; what made
    the vectors is not. Where the batch is cut, its vectors are made part by part, the objective
    says where each vector is to move, and every part is followed back by itself (gradient caching,
    Gao et al. 2021). That is exact. The parts are those of the processes that train together, and
    halves where a GPU has no memory for the whole.

    Parameters
    ----------
    module : SentenceModule
    compute : Compute
    rng : numpy Generator
        The one that objectives draw from.

    References
    ----------
    L. Gao, Y. Zhang, J. Han, J. Callan (2021). Scaling deep contrastive learning batch size under
    memory limited setup. RepL4NLP.
    """

    def __init__(self, module: SentenceModule, compute: Compute, rng: Generator) -> None:
        self._module, self._compute, self._rng = module, compute, rng
        self._weights = list(module.parameters())
        self._n_parts = 1

    def __call__(
        self, rows: Tensor, batch: TokenIds, objective: Objective
    ) -> tuple[float, list[Tensor]]:
        """The loss, and its gradient by ``rows``, where these move, and by each weight.

        Parameters
        ----------
        rows : Tensor of shape (n_rows, n_dims)
        batch : TokenIds
            Sentences, of ids into ``rows``.
        objective : callable
        """
        n_outputs = len(batch.lengths) // self._module.n_inputs
        before = self._rng.bit_generator.state
        while True:
            found = attempt(
                partial(self._whole, rows, batch, objective)
                if self._n_parts == 1 and not 1 < n_processes() <= n_outputs
                else partial(self._in_parts, rows, batch, objective, n_outputs),
                last=self._n_parts >= n_outputs or n_processes() > 1,
            )
            if found is not None:
                return found
            self._rng.bit_generator.state = before
            self._n_parts *= 2
            warn(
                f"Out of memory on the GPU with a batch of {len(batch.lengths)} sentences; it is "
                f"learned from {-(-len(batch.lengths) // self._n_parts)} at a time, which is "
                "slower and gives the same. So does a smaller batch_size, with fewer negatives.",
            )

    def _whole(
        self, rows: Tensor, batch: TokenIds, objective: Objective
    ) -> tuple[float, list[Tensor]]:
        loss = objective(self._outputs(rows, batch))
        return float(loss.detach()), self._followed_back(loss, rows)

    def _in_parts(
        self, rows: Tensor, batch: TokenIds, objective: Objective, n_outputs: int
    ) -> tuple[float, list[Tensor]]:
        own = share(n_outputs) if n_processes() <= n_outputs else slice(0, n_outputs)
        bounds = np.linspace(own.start, own.stop, self._n_parts + 1).astype(int).tolist()
        parts = [slice(*ends) for ends in pairwise(bounds) if ends[0] < ends[1]]
        read = partial(self._part, rows, batch, n_outputs)
        once = len(parts) == 1  # and followed back without reading it again
        with torch.set_grad_enabled(once):
            made = [read(part) for part in parts]
        vectors = rows.new_zeros(n_outputs, made[0].shape[1])
        vectors[own] = torch.cat(made).detach()
        if len(vectors) > own.stop - own.start:
            add_up(vectors)
        loss = objective(vectors.requires_grad_())
        (pull,) = torch.autograd.grad(loss, vectors)
        gradients = [torch.zeros_like(moving) for moving in self._moving(rows)]
        for i, part in enumerate(parts):
            outputs = made[i] if once else read(part)
            found = self._followed_back(outputs, rows, pull[part])
            for gradient, more in zip(gradients, found, strict=True):
                gradient += more
        if len(vectors) > own.stop - own.start:
            add_up(*gradients)
        return float(loss.detach()), gradients

    def _part(self, rows: Tensor, batch: TokenIds, n_outputs: int, part: slice) -> Tensor:
        """Some of the outputs: each of one sentence, or of a left one and a right one."""
        chosen = np.arange(part.start, part.stop)
        sides = [chosen + side * n_outputs for side in range(self._module.n_inputs)]
        return self._outputs(rows, batch.take(np.concatenate(sides)))

    def _outputs(self, rows: Tensor, batch: TokenIds) -> Tensor:
        ids, offsets = tensors(
            self._compute.device, batch.ids.astype(np.int64), batch.offsets[:-1]
        )
        return self._compute.run(self._module, rows, ids, offsets)

    def _followed_back(
        self, outputs: Tensor, rows: Tensor, pull: Tensor | None = None
    ) -> list[Tensor]:
        moving = self._moving(rows)
        if not outputs.requires_grad:  # all its sentences are empty: zeros, come what may
            return [torch.zeros_like(one) for one in moving]
        return list(torch.autograd.grad(outputs, moving, pull))

    def _moving(self, rows: Tensor) -> list[Tensor]:
        return [rows] * rows.requires_grad + self._weights
