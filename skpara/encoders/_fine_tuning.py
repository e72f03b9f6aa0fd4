"""A sentence-transformers model tuned on scored pairs, and what of it has moved."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

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


class Tuned(NamedTuple):
    """A tuned model, its weights that moved, and the mean loss of each pass."""

    model: Any
    weights: Weights
    losses: list[float]


def fine_tune(
    model: Any,
    pairs: _Pairs,
    scores: NDArray[np.float64],
    groups: NDArray[Any],
    settings: TuningSettings,
    seed: int,
) -> Tuned:
    """A copy of the model whose cosines correlate better with the scores.

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
    weights = list(moving.values())
    optimizer = torch.optim.AdamW(weights, lr=settings.learning_rate, weight_decay=0.01)
    rng = np.random.default_rng(seed)
    passes = [_batches(groups, scores, settings.batch_size, rng) for _ in range(settings.max_iter)]
    progress = tqdm(total=sum(map(len, passes)), unit="batch", disable=not settings.verbose)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, partial(_rate, n_steps=progress.total))
    device = next(tuned.parameters()).device

    def step(rows: NDArray[np.intp]) -> float:
        loss = _loss(_cosines(tuned, pairs[rows]), scores[rows])
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(weights, _LARGEST_NORM)
        optimizer.step()
        schedule.step()
        progress.update()
        return float(loss.detach())

    with progress, torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)  # for dropout; the caller's state comes back afterwards
        tuned.train()
        losses = [float(np.mean([step(rows) for rows in batches])) for batches in passes]
    tuned.eval()
    moved = {name: weight for name, weight in moving.items() if weight.grad is not None}
    optimizer.zero_grad()
    arrays = {name: weight.detach().cpu().numpy().copy() for name, weight in moved.items()}
    return Tuned(tuned, arrays, losses)


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
    groups: NDArray[Any], scores: NDArray[np.float64], size: int, rng: np.random.Generator
) -> list[NDArray[np.intp]]:
    """Rows of one group each, in random order; a remainder is a batch where it is half of one."""
    batches = []
    for group in np.unique(groups):
        rows = rng.permutation(np.flatnonzero(groups == group))
        for start in range(0, max(len(rows) - size // 2, 1), size):
            batch = rows[start : start + size]
            if np.ptp(scores[batch]) > 0:
                batches.append(batch)
    if not batches:
        raise ValueError(
            "There is nothing to tune the model on: the scores of each group are all the same."
        )
    return [batches[i] for i in rng.permutation(len(batches))]


def _rate(step: int, n_steps: int) -> float:
    """The share of the learning rate: it rises, then falls to nothing."""
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
