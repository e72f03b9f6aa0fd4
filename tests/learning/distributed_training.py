"""Train under torchrun or alone, the batch shared out; the last argument is where results go.

``torchrun --nproc-per-node 2 together.py FOLDER`` and ``python together.py FOLDER`` give the same.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import torch

from skpara import ParagramEncoder, SiameseRegressor, WordVectors
from skpara.augment.filters import ReferenceFilter

BATCH = 32  # in all processes together
RANK, WORLD = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))


def data():
    """Pairs of which 32 leave an uneven batch of 11, and the vectors of their words."""
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(300)]
    first = rng.integers(0, 300, (107, 7))
    second = first.copy()
    second[:, :2] = rng.integers(0, 300, (107, 2))
    texts = [[" ".join(words[i] for i in row) for row in side] for side in (first, second)]
    vectors = WordVectors(words, rng.standard_normal((300, 16)).astype(np.float32))
    return list(zip(*texts, strict=True)), vectors


def encoders(vectors):
    """What is trained, by name."""
    common = {"vectors": vectors, "random_state": 0, "device": "cpu", "batch_size": BATCH // WORLD}
    decays = {"word_decay": 1e-3, "network_decay": 1e-3}
    return {
        "average": ParagramEncoder(max_iter=4, **common, **decays),
        "hardest": ParagramEncoder(negatives="hardest", max_iter=3, **common),
        "lstm": ParagramEncoder("lstm", negatives="hardest", max_iter=3, **common, **decays),
        "gran": ParagramEncoder(
            "gran", negatives="mix", megabatch_size=2, max_iter=3, **common, **decays
        ),
        "dropout": ParagramEncoder(
            "projection",
            dropout=0.2,
            word_dropout=0.2,
            gradient_clip=0.5,
            early_stopping=True,
            max_iter=3,
            **common,
        ),
    }


def main(folder):
    """Train all, and write what they learned."""
    pairs, vectors = data()
    sentences = [pair[0] for pair in pairs]
    found = {}
    for name, encoder in encoders(vectors).items():
        encoder.fit(pairs)
        found[name] = encoder.loss_curve_, encoder.encode(sentences).tolist()
    common = {"vectors": vectors, "random_state": 0, "device": "cpu", "max_iter": 2}
    common["batch_size"] = BATCH // WORLD
    scores = np.linspace(0, 5, len(pairs))
    regressor = SiameseRegressor(dropout=0.2, **common).fit(pairs, scores)
    found["siamese"] = regressor.loss_curve_, regressor.predict(pairs).tolist()
    reference = ReferenceFilter("lstm", **common).fit(pairs)
    curve = [entry["loss"] for entry in reference.history_]
    found["reference"] = curve, reference.score_pairs(pairs).tolist()
    stream = encoders(vectors)["average"].fit_stream([pairs[:40], pairs[40:]])
    found["stream"] = stream.loss_curve_, stream.encode(sentences).tolist()
    try:  # each process with pairs of its own
        ParagramEncoder(**common).fit(pairs[RANK:])
    except ValueError as error:
        found["other pairs"] = str(error)
    try:
        ParagramEncoder(**common | {"random_state": None}).fit(pairs)
    except ValueError as error:
        found["no random_state"] = str(error)
    (Path(folder) / f"{RANK}of{WORLD}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    if WORLD > 1:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            ParagramEncoder(max_iter=1).fit(data()[0][:4])
        assert "init_process_group" in str(warned[0].message), warned
        torch.distributed.init_process_group("gloo")
    main(sys.argv[1])
    if WORLD > 1:
        torch.distributed.destroy_process_group()
