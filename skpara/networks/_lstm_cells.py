"""The cells of an LSTM, forwards and back through time, over packed sentences.

On the CPU torch's own kernel for packed sentences adds to the gradient of the weights at every
step. Here one product at the end does it, which makes training about twice as fast. On CUDA
torch's kernel is cuDNN's, which needs few launches for all steps, so there it is used where it can
be: it knows no peepholes. Its products may be of TF32, as ``torch.backends.cudnn.allow_tf32`` has
it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from skpara.networks._packing import Packed
from skpara.networks._weights import orthogonal, uniform, zeros

_OPEN = 1000.0  # the logistic function of it is 1, and its slope 0, in single and double precision


class LSTMCells(nn.Module):
    """Weights of an LSTM, its gates in the order i, f, g, o.

    With ``x_t`` the vector of word t and ``sigma`` the logistic function::

        i, f, o = sigma(W x_t + U h_{t-1} + b)        g = tanh(W x_t + U h_{t-1} + b)
        c_t = f * c_{t-1} + i * g                      h_t = o * tanh(c_t)

    each gate with rows of its own in W, U and b. Without output gate o is 1. With peepholes i and
    f also see ``p * c_{t-1}``, and o sees ``p * c_t``.
    """

    def __init__(
        self,
        n_dims: int,
        size: int,
        rng: Generator,
        *,
        output_gate: bool = True,
        peepholes: bool = False,
    ) -> None:
        super().__init__()
        self.size = size
        n_gates = 4 if output_gate else 3
        self.input = uniform(rng, 1 / np.sqrt(size), n_gates * size, n_dims)
        self.recurrent = orthogonal(rng, size, n_gates)
        self.bias = zeros(n_gates * size)
        with torch.no_grad():
            self.bias[size : 2 * size] = 1.0  # to remember at first (Gers and others 2000)
        self.peepholes = zeros(n_gates - 1, size) if peepholes else None

    def forward(self, packed: Packed) -> Tensor:
        """The state after every word, in packed order, shape (n_tokens, size)."""
        # What errors of rounding add up over, the recurrence, stays in the weights' precision.
        if packed.words.is_cuda and self.peepholes is None:
            with torch.autocast("cuda", enabled=False):
                return self._by_torch(packed)
        inputs = torch.addmm(self.bias, packed.words, self.input.T).to(self.bias.dtype)
        states: Tensor = _Recurrence.apply(  # type: ignore[no-untyped-call]
            inputs, self.recurrent, self.peepholes, packed.sizes, packed.before
        )
        return states

    def _by_torch(self, packed: Packed) -> Tensor:
        """The same by torch's kernel, for cells without peepholes."""
        weights: list[Tensor] = [self.input, self.recurrent, self.bias]
        if len(self.bias) == 3 * self.size:
            # The kernel has an output gate: one that is open whatever it sees.
            closed = [w.new_zeros(self.size, *w.shape[1:]) for w in weights[:2]]
            rows = [*closed, self.bias.new_full((self.size,), _OPEN)]
            weights = [torch.cat(parts) for parts in zip(weights, rows, strict=True)]
        weights.append(torch.zeros_like(weights[2]))  # its second bias
        # In one piece and in this order, or cuDNN warns and copies them itself.
        flat = torch.cat([weight.flatten() for weight in weights])
        pieces = torch.split(flat, [weight.numel() for weight in weights])
        weights = [piece.view_as(w) for piece, w in zip(pieces, weights, strict=True)]
        first = packed.words.new_zeros(1, packed.sizes[0], self.size)
        states: Tensor = torch.lstm(
            packed.words,
            torch.tensor(packed.sizes),  # cuDNN wants these on the CPU
            (first, first),
            weights,
            has_biases=True,
            num_layers=1,
            dropout=0.0,
            train=torch.is_grad_enabled(),  # or cuDNN cannot go backwards
            bidirectional=False,
        )[0]
        return states


class _Recurrence(torch.autograd.Function):
    """From what the words send to the gates, to the states."""

    @staticmethod
    def forward(
        ctx: Any,
        inputs: Tensor,
        recurrent: Tensor,
        peepholes: Tensor | None,
        sizes: list[int],
        before: Tensor,
    ) -> Tensor:
        size = recurrent.shape[1]
        gates = inputs.clone()
        cells, read, states = (inputs.new_empty(len(inputs), size) for _ in range(3))
        into = recurrent.T
        start, previous = 0, slice(0, 0)
        for n in sizes:
            now = slice(start, start + n)
            gate, cell = gates[now], cells[now]
            if start:
                earlier = cells[previous][:n]
                gate.addmm_(states[previous][:n], into)
                if peepholes is not None:
                    gate[:, : 2 * size].view(n, 2, size).addcmul_(earlier[:, None], peepholes[:2])
            gate[:, : 2 * size].sigmoid_()
            gate[:, 2 * size : 3 * size].tanh_()
            torch.mul(gate[:, :size], gate[:, 2 * size : 3 * size], out=cell)
            if start:
                cell.addcmul_(gate[:, size : 2 * size], earlier)
            torch.tanh(cell, out=read[now])
            if gates.shape[1] == 4 * size:
                out = gate[:, 3 * size :]
                if peepholes is not None:
                    out.addcmul_(cell, peepholes[2])
                torch.mul(out.sigmoid_(), read[now], out=states[now])
            else:
                states[now] = read[now]
            start, previous = start + n, now
        ctx.sizes = sizes
        ctx.save_for_backward(recurrent, peepholes, gates, cells, read, states, before)
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, above: Tensor) -> tuple[Tensor | None, ...]:
        recurrent, peepholes, gates, cells, read, states, before = ctx.saved_tensors
        size = recurrent.shape[1]
        i, f, g = (gates[:, k * size : (k + 1) * size] for k in range(3))
        # What does not depend on the step is done for all words at once: the slopes of the gates.
        slopes = torch.empty_like(gates)
        earlier = torch.zeros_like(cells)
        earlier[ctx.sizes[0] :] = cells.index_select(0, before)
        slopes[:, :size] = g * i * (1 - i)
        slopes[:, size : 2 * size] = earlier * f * (1 - f)
        slopes[:, 2 * size : 3 * size] = i * (1 - g * g)
        of_cell = 1 - read * read
        has_output = gates.shape[1] == 4 * size
        if has_output:
            o = gates[:, 3 * size :]
            slopes[:, 3 * size :] = read * o * (1 - o)
            of_cell *= o
        gradient = above.clone()
        end = len(gates)
        cell = gates.new_zeros(0, size)
        for step in range(len(ctx.sizes) - 1, -1, -1):
            n = ctx.sizes[step]
            now = slice(end - n, end)
            slope, state = slopes[now], gradient[now]
            here = state * of_cell[now]
            if has_output:
                slope[:, 3 * size :] *= state
                if peepholes is not None:
                    here.addcmul_(slope[:, 3 * size :], peepholes[2])
            here[: len(cell)] += cell
            slope[:, : 3 * size].view(n, 3, size).mul_(here[:, None])
            if step:
                cell = here * f[now]
                if peepholes is not None:
                    seen = slope[:, : 2 * size].view(n, 2, size) * peepholes[:2]
                    cell += seen.sum(dim=1)
                earlier_end = end - n
                earlier_start = earlier_end - ctx.sizes[step - 1]
                gradient[earlier_start : earlier_start + n].addmm_(slope, recurrent)
            end -= n
        later = slopes[ctx.sizes[0] :]
        of_recurrent = later.T @ states.index_select(0, before)
        of_peepholes = None
        if peepholes is not None:
            seen_cells = [earlier, earlier, cells][: len(peepholes)]
            places = [0, 1, 3][: len(peepholes)]
            of_peepholes = torch.stack(
                [
                    (slopes[:, k * size : (k + 1) * size] * seen).sum(dim=0)
                    for k, seen in zip(places, seen_cells, strict=True)
                ]
            )
        return slopes, of_recurrent, of_peepholes, None, None
