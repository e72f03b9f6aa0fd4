"""Fine-tuning of a sentence-transformers model on scored pairs."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._progress import progress_bar
from skpara._typing import Pairs, Weights
from skpara.text import replace_lone_surrogates

if TYPE_CHECKING:
    from torch import Tensor

_LAYER = re.compile(r"\.layers?\.(\d+)\.")
# The usual settings for fine-tuning BERT: clipped gradients, and a learning rate that rises for a
# tenth of the steps and then falls to zero.
_MAX_GRADIENT_NORM = 1.0
_WARM_UP = 0.1
_WEIGHT_DECAY = 0.01


@dataclass(frozen=True)
class TuningSettings:
    """The fields are parameters of ``SentenceTransformerFeature``."""

    max_iter: int
    learning_rate: float
    batch_size: int
    verbose: int = 0


class TunedModel(NamedTuple):
    """A tuned model, the weights that were trained, and the mean loss of each epoch."""

    model: Any
    weights: Weights
    losses: list[float]


def fine_tune(
    model: Any,
    pairs: Pairs,
    scores: NDArray[np.float64],
    groups: NDArray[Any],
    settings: TuningSettings,
    seed: int,
) -> TunedModel:
    """Fine-tune a copy of the model so that its cosines correlate better with the scores.

    The loss of a batch is one minus Pearson's r of cosines and scores; a batch consists of pairs
    of one group, since data sets differ in what a score means. The embeddings and the lower half
    of the layers are frozen.
    """
    import torch

    from skpara.learning import correlation_loss

    tuned = copy.deepcopy(check_model(model))
    trained = _freeze_lower_layers(tuned)
    weights = list(trained.values())
    optimizer = torch.optim.AdamW(weights, lr=settings.learning_rate, weight_decay=_WEIGHT_DECAY)
    rng = np.random.default_rng(seed)
    epochs = [_batches(groups, scores, settings.batch_size, rng) for _ in range(settings.max_iter)]
    progress = progress_bar(sum(map(len, epochs)), "batch", shown=bool(settings.verbose))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, partial(_learning_rate_factor, n_steps=progress.total)
    )
    device = next(tuned.parameters()).device

    def step(rows: NDArray[np.intp]) -> float:
        cosines = _cosines(tuned, pairs[rows])
        centered = scores[rows] - scores[rows].mean()
        targets = torch.as_tensor(centered, dtype=cosines.dtype, device=cosines.device)
        loss = correlation_loss(cosines, targets)
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(weights, _MAX_GRADIENT_NORM)
        optimizer.step()
        schedule.step()
        progress.update()
        return float(loss.detach())

    with progress, torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)  # for dropout; fork_rng restores the caller's state
        tuned.train()
        losses = [float(np.mean([step(rows) for rows in batches])) for batches in epochs]
    tuned.eval()
    # Weights without a gradient took no part, such as the pooler of a model that averages.
    trained = {name: weight for name, weight in trained.items() if weight.grad is not None}
    optimizer.zero_grad()
    arrays = {name: weight.detach().cpu().numpy().copy() for name, weight in trained.items()}
    return TunedModel(tuned, arrays, losses)


def with_weights(model: Any, weights: Weights) -> Any:
    """Return a copy of the model with the weights that :func:`fine_tune` trained."""
    import torch

    tuned = copy.deepcopy(check_model(model))
    own = dict(tuned.named_parameters())
    for name, weight in weights.items():
        if name not in own or tuple(own[name].shape) != weight.shape:
            raise ValueError(
                f"The model has no weight {name} of shape {weight.shape}, which tuning trained: "
                "it is not the model of fit. Restore that model, or fit again."
            )
        with torch.no_grad():
            own[name].copy_(torch.from_numpy(np.array(weight)))
    return tuned


def check_model(model: Any) -> Any:
    """Return the model if it can be tuned."""
    if all(callable(getattr(model, name, None)) for name in ("tokenize", "forward", "parameters")):
        return model
    raise TypeError(
        f"max_iter > 0 needs a sentence-transformers model, not {type(model).__name__}. Pass the "
        "path of one, or max_iter=0."
    )


def _freeze_lower_layers(model: Any) -> dict[str, Tensor]:
    """Freeze the embeddings and the lower half of the layers; return all other weights."""
    named = dict(model.named_parameters())
    layers = {name: int(match[1]) for name in named if (match := _LAYER.search(name))}
    n_frozen = (max(layers.values()) + 1) // 2 if layers else 0
    for name, weight in named.items():
        if name in layers:
            frozen = layers[name] < n_frozen
        else:
            frozen = bool(layers) and "embedding" in name
        weight.requires_grad_(not frozen)
    return {name: weight for name, weight in named.items() if weight.requires_grad}


def _batches(
    groups: NDArray[Any], scores: NDArray[np.float64], size: int, rng: np.random.Generator
) -> list[NDArray[np.intp]]:
    """Return rows of one group each, in random order; less than half a batch is left out."""
    batches = []
    for group in np.unique(groups):
        rows = rng.permutation(np.flatnonzero(groups == group))
        for start in range(0, max(len(rows) - size // 2, 1), size):
            batch = rows[start : start + size]
            if np.ptp(scores[batch]) > 0:
                batches.append(batch)
    if not batches:
        raise ValueError("The model cannot be tuned: within each group all scores are the same.")
    return [batches[i] for i in rng.permutation(len(batches))]


def _learning_rate_factor(step: int, n_steps: int) -> float:
    return min((step + 1) / (_WARM_UP * n_steps), 1 - step / n_steps, 1.0)


def _cosines(model: Any, pairs: Pairs) -> Tensor:
    import torch

    device = next(model.parameters()).device
    # Since version 6 of sentence-transformers the method is called preprocess.
    preprocess = getattr(model, "preprocess", model.tokenize)
    # As in encode, the model's default prompt, if it has one, is put before each sentence.
    prompt = model.prompts.get(model.default_prompt_name, "")
    texts = [prompt + replace_lone_surrogates(text) for text in pairs.T.ravel().tolist()]
    inputs = preprocess(texts)
    inputs = {k: v.to(device) if hasattr(v, "to") else v for k, v in inputs.items()}
    vectors = torch.nn.functional.normalize(model(inputs)["sentence_embedding"], dim=1)
    return (vectors[: len(pairs)] * vectors[len(pairs) :]).sum(dim=1)
