"""Fine-tuning of a sentence-transformers model by the correlation within data sets.

``dcu_semaniacs_2016.py --tune`` uses it. ``SentenceTransformerTrainer`` has no loss that compares
scores within one data set only.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from skpara.text import replace_lone_surrogates

LAYER = re.compile(r"\.layers?\.(\d+)\.")
# The usual settings for fine-tuning BERT: clipped gradients, and a learning rate that rises for a
# tenth of the steps and then falls to zero.
LEARNING_RATE, WEIGHT_DECAY, MAX_GRADIENT_NORM, WARM_UP = 2e-5, 0.01, 1.0, 0.1
BATCH_SIZE = 32


def fine_tune(model: Any, pairs: Any, scores: Any, groups: Any, n_epochs: int, seed: int) -> Any:
    """Fine-tune the upper half of a model's layers so that cosines correlate with the scores.

    The loss of a batch is one minus Pearson's r of cosines and scores; a batch consists of pairs
    of one group, since data sets differ in the meaning of a score.
    """
    pairs, scores = np.asarray(pairs, dtype=object), np.asarray(scores, dtype=float)
    # A pair with a blank sentence has no cosine.
    kept = [row for row, pair in enumerate(pairs) if all(side.strip() for side in pair)]
    pairs, scores, groups = pairs[kept], scores[kept], np.asarray(groups)[kept]
    seed = check_random_state(seed).randint(2**31)
    rng = np.random.default_rng(seed)
    epochs = [batches(groups, scores, rng) for _ in range(n_epochs)]
    n_steps = sum(map(len, epochs))
    weights = upper_weights(model)
    optimizer = torch.optim.AdamW(weights, lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (WARM_UP * n_steps), 1 - step / n_steps, 1.0)
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)  # for dropout
        model.train()
        for rows in (rows for epoch in epochs for rows in epoch):
            found = cosines(model, pairs[rows])
            centered = scores[rows] - scores[rows].mean()
            x, y = found - found.mean(), torch.as_tensor(centered, dtype=found.dtype)
            y = (y - y.mean()).to(x.device)
            optimizer.zero_grad()
            torch.autograd.backward(1 - (x * y).sum() / (x.norm() * y.norm()).clamp_min(1e-6))
            torch.nn.utils.clip_grad_norm_(weights, MAX_GRADIENT_NORM)
            optimizer.step()
            schedule.step()
    model.eval()
    return model


def upper_weights(model: Any) -> list[Any]:
    """Freeze the embeddings and the lower half of the layers; return all other weights."""
    named = dict(model.named_parameters())
    layers = {name: int(match[1]) for name in named if (match := LAYER.search(name))}
    n_frozen = (max(layers.values()) + 1) // 2
    for name, weight in named.items():
        weight.requires_grad_(layers.get(name, n_frozen) >= n_frozen and "embedding" not in name)
    return [weight for weight in named.values() if weight.requires_grad]


def batches(groups: Any, scores: Any, rng: np.random.Generator) -> list[NDArray[np.intp]]:
    """Return rows of one group each, in random order; less than half a batch is left out."""
    made = []
    for group in np.unique(groups):
        rows = rng.permutation(np.flatnonzero(groups == group))
        for start in range(0, max(len(rows) - BATCH_SIZE // 2, 1), BATCH_SIZE):
            batch = rows[start : start + BATCH_SIZE]
            if np.ptp(scores[batch]) > 0:
                made.append(batch)
    return [made[i] for i in rng.permutation(len(made))]


def cosines(model: Any, pairs: Any) -> Any:
    """Compute the cosines of the pairs, with a gradient."""
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
