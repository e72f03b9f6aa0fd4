"""A sentence-transformers model tuned on scored pairs, and what of it has moved."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from tqdm.auto import tqdm

if TYPE_CHECKING:
    from torch import Tensor

Weights = dict[str, NDArray[np.float32]]
_Pairs = NDArray[np.object_]

_LAYER = re.compile(r"\.layers?\.(\d+)\.")
_LARGEST_NORM = 1.0  # of the gradient
_WARM_UP = 0.1  # the share of the steps in which the rate rises; then it falls to nothing


@dataclass(frozen=True)
class TuningSettings:
    """How a model is tuned; the fields are parameters of ``SentenceTransformerFeature``."""

    max_iter: int
    learning_rate: float
    batch_size: int
    verbose: int = 0


def fine_tune(
    model: Any,
    pairs: _Pairs,
    scores: NDArray[np.float64],
    groups: NDArray[Any],
    settings: TuningSettings,
    seed: int,
) -> tuple[Any, Weights]:
    """A copy of the model whose cosines correlate better with the scores, and its moved weights.

    The loss of a batch is one minus Pearson's r of cosines and scores; a batch is made of pairs
    of one group, since data sets differ in what a score means. The embeddings and the lower half
    of the layers stay as they are.

    Parameters
    ----------
    model : SentenceTransformer
        Left as it is.
    pairs : ndarray of str, shape (n_pairs, 2)
    scores : ndarray of shape (n_pairs,)
    groups : ndarray of shape (n_pairs,)
    settings : TuningSettings
    seed : int
        Of the order of the pairs and of dropout.

    Raises
    ------
    TypeError
        If the model is no torch module that can be tuned.
    ValueError
        If the scores of each group are all the same.
    """
    import torch

    tuned = copy.deepcopy(checked_model(model))
    moving = _moving(tuned)
    rng = np.random.default_rng(seed)
    weights = list(moving.values())
    optimizer = torch.optim.AdamW(weights, lr=settings.learning_rate, weight_decay=0.01)
    batches = _batches(groups, scores, settings, rng)
    device = next(tuned.parameters()).device
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)  # for dropout; the caller's state comes back afterwards
        tuned.train()
        for step, rows in enumerate(tqdm(batches, unit="batch", disable=not settings.verbose)):
            optimizer.param_groups[0]["lr"] = settings.learning_rate * _rate(step, len(batches))
            loss = _loss(_cosines(tuned, pairs[rows]), scores[rows])
            gradients = torch.autograd.grad(loss, weights, allow_unused=True)
            for weight, gradient in zip(weights, gradients, strict=True):
                weight.grad = gradient
            torch.nn.utils.clip_grad_norm_(weights, _LARGEST_NORM)
            optimizer.step()
    moved = {name: weight for name, weight in moving.items() if weight.grad is not None}
    for weight in weights:
        weight.grad = None
    tuned.eval()
    return tuned, {name: weight.detach().cpu().numpy().copy() for name, weight in moved.items()}


def with_weights(model: Any, weights: Weights) -> Any:
    """A copy of the model with the weights that :func:`fine_tune` moved.

    Raises
    ------
    ValueError
        If the model has no such weights.
    """
    import torch

    tuned = copy.deepcopy(checked_model(model))
    own = dict(tuned.named_parameters())
    for name, weight in weights.items():
        if name not in own or tuple(own[name].shape) != weight.shape:
            raise ValueError(
                f"The model has no weight {name} of shape {weight.shape}, which tuning moved: it "
                "is not the one this was fitted with. Put the old model there, or fit again."
            )
        with torch.no_grad():
            own[name].copy_(torch.from_numpy(np.array(weight)))
    return tuned


def checked_model(model: Any) -> Any:
    """The model, where it can be tuned."""
    if all(callable(getattr(model, name, None)) for name in ("tokenize", "forward", "parameters")):
        return model
    raise TypeError(
        f"max_iter tunes a sentence-transformers model; {type(model).__name__} is none. Pass the "
        "path of one, or max_iter=0."
    )


def _moving(model: Any) -> dict[str, Tensor]:
    """All weights but the embeddings and the lower half of the layers."""
    named = dict(model.named_parameters())
    layers = {name: int(found[1]) for name in named if (found := _LAYER.search(name))}
    lowest = (max(layers.values()) + 1) // 2 if layers else 0
    for name, weight in named.items():
        still = layers[name] < lowest if name in layers else bool(layers) and "embedding" in name
        weight.requires_grad_(not still)
    return {name: weight for name, weight in named.items() if weight.requires_grad}


def _batches(
    groups: NDArray[Any],
    scores: NDArray[np.float64],
    settings: TuningSettings,
    rng: np.random.Generator,
) -> list[NDArray[np.intp]]:
    """Rows of one group each, in random order; a remainder is a batch where it is half of one."""

    def of_one_pass() -> Iterator[NDArray[np.intp]]:
        size = settings.batch_size
        for group in np.unique(groups):
            rows = rng.permutation(np.flatnonzero(groups == group))
            for start in range(0, max(len(rows) - size // 2, 1), size):
                yield rows[start : start + size]

    batches = []
    for _ in range(settings.max_iter):
        made = [rows for rows in of_one_pass() if np.ptp(scores[rows]) > 0]
        if not made:
            raise ValueError(
                "There is nothing to tune the model on: the scores of each group are all the same."
            )
        batches += [made[i] for i in rng.permutation(len(made))]
    return batches


def _rate(step: int, n_steps: int) -> float:
    return min((step + 1) / (_WARM_UP * n_steps), 1 - step / n_steps, 1.0)


def _cosines(model: Any, pairs: _Pairs) -> Tensor:
    import torch

    device = next(model.parameters()).device
    read = getattr(model, "preprocess", model.tokenize)  # its name since sentence-transformers 6
    inputs = read(pairs.T.ravel().tolist())
    inputs = {k: v.to(device) if hasattr(v, "to") else v for k, v in inputs.items()}
    vectors = torch.nn.functional.normalize(model(inputs)["sentence_embedding"], dim=1)
    return (vectors[: len(pairs)] * vectors[len(pairs) :]).sum(dim=1)


def _loss(cosines: Tensor, scores: NDArray[np.float64]) -> Tensor:
    import torch

    aims = torch.as_tensor(scores - scores.mean(), dtype=cosines.dtype, device=cosines.device)
    away = cosines - cosines.mean()
    return 1 - (away * aims).sum() / (away.norm() * aims.norm()).clamp_min(1e-6)
