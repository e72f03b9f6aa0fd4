"""The recurrence of a plain recurrent network over packed sentences, with its gradient.

Torch's kernels are not used for three reasons. On the CPU they add to the gradient of the
recurrent weights at every step, where one matrix product over all words at the end is enough:
training is about three times as fast so (5,200 sentences a second against 1,700 packed; see
_lstm_cells.py for the setting). They have no network without nonlinearity, which the iRNN is. And
on CUDA they cannot compute gradients outside of training mode.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class Recurrence(torch.autograd.Function):
    """States ``h_t = f(inputs_t + W_h h_{t-1})`` after all words, in packed order."""

    @staticmethod
    def forward(
        ctx: Any,
        inputs: Tensor,
        weight_hh: Tensor,
        nonlinearity: str,
        sizes: list[int],
        previous: Tensor,
    ) -> Tensor:
        states = inputs.clone()
        weight_hh_t = weight_hh.T
        start = 0
        previous_state = states
        for size in sizes:
            state = states[start : start + size]
            if start:
                state.addmm_(previous_state[:size], weight_hh_t)
            if nonlinearity == "tanh":
                state.tanh_()
            elif nonlinearity == "relu":
                state.relu_()
            start += size
            previous_state = state
        ctx.sizes = sizes
        ctx.nonlinearity = nonlinearity
        ctx.save_for_backward(weight_hh, states, previous)
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        weight_hh, states, previous = ctx.saved_tensors
        sizes: list[int] = ctx.sizes
        # The derivatives of tanh and relu follow from their values: for all words at once.
        slopes = None
        if ctx.nonlinearity == "tanh":
            slopes = 1 - states * states
        elif ctx.nonlinearity == "relu":
            slopes = (states > 0).to(states.dtype)
        grad_inputs = grad_output.clone()
        end = len(states)
        for step in range(len(sizes) - 1, -1, -1):
            start = end - sizes[step]
            grad = grad_inputs[start:end]
            if slopes is not None:
                grad *= slopes[start:end]
            if step:
                previous_start = start - sizes[step - 1]
                grad_inputs[previous_start : previous_start + sizes[step]].addmm_(grad, weight_hh)
            end = start
        grad_weight_hh = grad_inputs[sizes[0] :].T @ states.index_select(0, previous)
        return grad_inputs, grad_weight_hh, None, None, None
