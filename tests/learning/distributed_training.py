"""Train the same models alone, or in several processes that share every batch.

``python distributed_training.py FOLDER`` expects the environment that torchrun sets, and writes
what it learned to ``FOLDER/RANK.json``.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
import torch

from skpara import ParagramEncoder, SiameseClassifier, SiameseRegressor, WordVectors
from skpara.augment.filters import ReferenceFilter
from skpara.learning import AdaDelta, Negatives
from skpara.networks import Projection

BATCH_SIZE = 32  # of all processes together


def make_data():
    """Return pairs, of which batches of 32 leave 11, and the vectors of their words."""
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(300)]
    first = rng.integers(0, 300, (75, 7))
    second = first.copy()
    second[:, :2] = rng.integers(0, 300, (75, 2))
    texts = [[" ".join(words[i] for i in row) for row in side] for side in (first, second)]
    vectors = WordVectors(words, rng.standard_normal((300, 16)).astype(np.float32))
    return list(zip(*texts, strict=True)), vectors


def make_encoders(common):
    """Return the encoders to train, by name."""
    decay = {"word_decay": 1e-3, "network_decay": 1e-3}
    mixed, clipped = Negatives("mix", megabatch_size=2), AdaDelta(gradient_clip=0.5)
    dropout = Projection(dropout=0.2, word_dropout=0.2)
    return {
        "average": ParagramEncoder(**common, **decay),
        "hardest": ParagramEncoder(negatives="hardest", **common),
        "lstm": ParagramEncoder("lstm", negatives="hardest", **common, **decay),
        "gran": ParagramEncoder("gran", negatives=mixed, **common, **decay),
        "dropout": ParagramEncoder(dropout, optimizer=clipped, early_stopping=True, **common),
    }


def train(rank, n_processes):
    """Return losses and outputs of all models by name, and messages of errors."""
    pairs, vectors = make_data()
    sentences = [pair[0] for pair in pairs]
    common = {"vectors": vectors, "random_state": 0, "device": "cpu", "max_iter": 2}
    common["batch_size"] = BATCH_SIZE // n_processes
    results = {}
    for name, encoder in make_encoders(common).items():
        encoder.fit(pairs)
        results[name] = encoder.loss_curve_, encoder.encode(sentences).tolist()
    scores = np.linspace(0, 5, len(pairs))
    regressor = SiameseRegressor(**common).fit(pairs, scores)
    results["siamese"] = regressor.loss_curve_, regressor.predict(pairs).tolist()
    classifier = SiameseClassifier(class_weight="balanced", **common).fit(pairs, scores > 1)
    results["classifier"] = classifier.loss_curve_, classifier.predict_proba(pairs).tolist()
    reference = ReferenceFilter("lstm", **common).fit(pairs)
    losses = [epoch["loss"] for epoch in reference.history_]
    results["reference"] = losses, reference.score_pairs(pairs).tolist()
    stream = ParagramEncoder(**common).partial_fit(pairs[:40]).partial_fit(pairs[40:])
    results["stream"] = stream.loss_curve_, stream.encode(sentences).tolist()
    if n_processes > 1:
        for name, parameters, subset in (
            ("other pairs", common, pairs[rank:]),
            ("no random_state", common | {"random_state": None}, pairs),
        ):
            try:
                ParagramEncoder(**parameters).fit(subset)
            except ValueError as error:
                results[name] = str(error)
    return results


def main(folder):
    """Train in one of several processes."""
    rank, n_processes = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    # A file, not a port, so that runs at the same time cannot meet.
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{folder / 'store'}", rank=rank, world_size=n_processes
    )
    results = train(rank, n_processes)
    torch.distributed.destroy_process_group()
    (folder / f"{rank}.json").write_text(json.dumps(results))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
