"""The cells of a plain recurrent network, forwards and back through time, over packed sentences.

Torch's own kernels know no linear network, on the CPU they add to the gradient of the weights at
every step, and on CUDA they cannot go backwards outside training mode. This one does the gradient
of the weights in one product at the end, on any device.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from skpara.networks._packing import Packed


def recur(packed: Packed, inputs: Tensor, recurrent: Tensor, nonlinearity: str) -> Tensor:
    """The state after every word: ``h_t = f(inputs_t + W_h h_{t-1})``, ``h_0 = 0``.

    Parameters
    ----------
    packed : Packed
    inputs : Tensor of shape (n_tokens, size), in packed order
    recurrent : Tensor of shape (size, size)
    nonlinearity : {"identity", "tanh", "relu"}

    Returns
    -------
    Tensor of shape (n_tokens, size), in packed order
    """
    states: Tensor = _Recurrence.apply(  # type: ignore[no-untyped-call]
        inputs, recurrent, nonlinearity, packed.sizes, packed.before
    )
    return states


class _Recurrence(torch.autograd.Function):
    """From what the words send to the units, to the states."""

    @staticmethod
    def forward(
        ctx: Any,
        inputs: Tensor,
        recurrent: Tensor,
        nonlinearity: str,
        sizes: list[int],
        before: Tensor,
    ) -> Tensor:
        states = inputs.clone()
        into = recurrent.T
        start, earlier = 0, states
        for n in sizes:
            state = states[start : start + n]
            if start:
                state.addmm_(earlier[:n], into)
            if nonlinearity == "tanh":
                state.tanh_()
            elif nonlinearity == "relu":
                state.relu_()
            start, earlier = start + n, state
        ctx.sizes, ctx.nonlinearity = sizes, nonlinearity
        ctx.save_for_backward(recurrent, states, before)
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, above: Tensor) -> tuple[Tensor | None, ...]:
        recurrent, states, before = ctx.saved_tensors
        sizes: list[int] = ctx.sizes
        # The slopes of all words at once: both functions tell theirs by their values.
        slopes = None
        if ctx.nonlinearity == "tanh":
            slopes = 1 - states * states
        elif ctx.nonlinearity == "relu":
            slopes = (states > 0).to(states.dtype)
        gradient = above.clone()
        end = len(states)
        for step in range(len(sizes) - 1, -1, -1):
            start = end - sizes[step]
            now = gradient[start:end]
            if slopes is not None:
                now *= slopes[start:end]
            if step:
                earlier = start - sizes[step - 1]
                gradient[earlier : earlier + sizes[step]].addmm_(now, recurrent)
            end = start
        of_recurrent = gradient[sizes[0] :].T @ states.index_select(0, before)
        return gradient, of_recurrent, None, None, None
