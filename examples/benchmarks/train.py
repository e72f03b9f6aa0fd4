"""Training pairs per second, compared with sentence-transformers and torch, on one core.

    python examples/benchmarks/train.py --data DATA

Every row runs in new processes, so that memory is of the row alone: what training adds to the
peak. The rows take turns; CPU times, medians. Each gets only as many pairs as it can learn from in
some ten seconds. Before the clock starts, it is trained on a few batches, so that imports and
first accesses to memory are not counted.

Encoders get pairs of captions, 50,000 words with 300 dimensions, and batches of 100.

skpara           ``ParagramEncoder.fit`` from text to the fitted encoder, one epoch
StaticEmbedding  sentence-transformers' trainer, which tokenizes the text during training
dense AdaDelta   ``nn.EmbeddingBag`` and ``torch.optim.Adadelta`` with the same loss, from ids;
                 without decay, which would make it even slower
packed nn.LSTM   a gather of the batch's rows, ``pack_padded_sequence``, ``nn.LSTM``, the same
                 loss, AdaDelta for the LSTM, nothing for the rows; from ids

Siamese networks get STS Benchmark's train part, the packaged vectors, at most 20 words, an LSTM
with 100 units, a dense layer with 50, six classes and batches of 25. skpara is ``fit`` from text.
The plain loop starts from ids, packs both sentences of all pairs of a batch and runs ``nn.LSTM``
once. Its word vectors are fixed, or an ``nn.Embedding`` with sparse gradients and
``SparseAdam``, so that only a batch's rows are updated, as in skpara. It has no dropout or decay.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measure import Measurement, compare, parse, parser, run_child, show, start_memory, write
from paraphrases import fetch_paraphrases
from texts import random_vectors

from skpara import WordVectors
from skpara.datasets import fetch_sts_benchmark

BATCH = 100
WARM_UP = 5 * BATCH  # pairs
# Of the siamese networks.
LENGTH, HIDDEN, DENSE, CLASSES, SIAMESE_BATCH = 20, 100, 50, 6, 25
STATIC, DENSE_LOOP, LSTM_LOOP = "StaticEmbedding, ranking loss", "dense AdaDelta", "packed nn.LSTM"
SPARSE, FIXED = "siamese nn.LSTM, SparseAdam", "siamese nn.LSTM, fixed vectors"
# For each row: the largest number of pairs, and the row that it is compared with.
ROWS: dict[str, tuple[int, str]] = {
    STATIC: (10_000, ""),
    "StaticEmbedding, triplet loss": (10_000, ""),
    DENSE_LOOP: (5_000, ""),
    LSTM_LOOP: (4_000, ""),
    "skpara average, AdaDelta": (100_000, STATIC),
    "skpara average, AdaDelta, hardest": (100_000, STATIC),
    "skpara average, AdaGrad": (100_000, STATIC),
    "skpara average, Adam": (100_000, STATIC),
    "skpara projection": (50_000, STATIC),
    "skpara dan": (50_000, STATIC),
    "skpara lstm": (5_000, LSTM_LOOP),
    "skpara lstm_no_output_gate": (5_000, LSTM_LOOP),
    "skpara lstm with peepholes": (5_000, LSTM_LOOP),
    "skpara gran": (5_000, LSTM_LOOP),
    "skpara rnn": (10_000, LSTM_LOOP),
    "skpara irnn": (10_000, LSTM_LOOP),
    "skpara charagram": (20_000, LSTM_LOOP),
    SPARSE: (5_749, ""),
    FIXED: (5_749, ""),
    "siamese skpara": (5_749, SPARSE),
    "siamese skpara, dropout and decay": (5_749, SPARSE),
    "siamese skpara, fixed vectors": (5_749, FIXED),
}
# Trains on so many pairs, the first of those that it was prepared for.
Train = Callable[[int], object]


def by_skpara(row: str, pairs: np.ndarray, vectors: WordVectors) -> Train:
    """Fit one epoch."""
    from skpara import ParagramEncoder
    from skpara.networks import LSTM

    _, network, *rest = row.replace(",", "").split()
    settings: dict[str, Any] = {"network": network}
    if "peepholes" in rest:
        settings["network"] = LSTM(peepholes=True)
    if network == "average":
        settings |= {"optimizer": rest[0].lower()}
        settings |= {"negatives": "hardest"} if "hardest" in rest else {}
    encoder = ParagramEncoder(
        vectors=vectors, max_iter=1, word_decay=1e-5, random_state=0, **settings
    )
    return lambda n: encoder.fit(pairs[:n])


def by_sentence_transformers(row: str, pairs: np.ndarray, vectors: WordVectors) -> Train:
    """Run the trainer with its default optimizer, without output."""
    import tempfile

    from datasets import Dataset
    from sentence_transformers import (
        SentenceTransformerTrainer,
        SentenceTransformerTrainingArguments,
    )
    from sentence_transformers.sentence_transformer import losses

    from skpara import ParagramEncoder
    from skpara.networks import Average

    model = ParagramEncoder(Average(redundancy=0), vectors=vectors).to_sentence_transformer()
    if "triplet" in row:
        metric = losses.TripletDistanceMetric.COSINE
        loss = losses.TripletLoss(model, distance_metric=metric, triplet_margin=0.8)
    else:
        loss = losses.MultipleNegativesRankingLoss(model)

    def train(n: int) -> None:
        columns = {"anchor": pairs[:n, 0].tolist(), "positive": pairs[:n, 1].tolist()}
        if "triplet" in row:
            columns["negative"] = columns["positive"][1:] + columns["positive"][:1]
        with tempfile.TemporaryDirectory() as folder:
            arguments = SentenceTransformerTrainingArguments(
                folder,
                num_train_epochs=1,
                per_device_train_batch_size=BATCH,
                save_strategy="no",
                logging_strategy="no",
                report_to="none",
                disable_tqdm=True,
                use_cpu=True,
                dataloader_num_workers=0,
            )
            SentenceTransformerTrainer(
                model, arguments, train_dataset=Dataset.from_dict(columns), loss=loss
            ).train()

    return train


def by_torch(row: str, pairs: np.ndarray, vectors: WordVectors) -> Train:
    """Train in plain torch, from ids."""
    import torch
    from torch import nn
    from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

    tokens, _ = vectors.vocabulary.token_ids(pairs.ravel().tolist())
    table = torch.from_numpy(np.array(vectors.matrix))
    embedding = nn.EmbeddingBag.from_pretrained(table, freeze=False)
    lstm = nn.LSTM(vectors.n_dims, vectors.n_dims, batch_first=True)
    weights = lstm.parameters() if row == LSTM_LOOP else embedding.parameters()
    optimizer = torch.optim.Adadelta(weights, lr=1.0, rho=0.95)

    def encode(batch: Any) -> torch.Tensor:
        if row != LSTM_LOOP:
            return embedding(torch.from_numpy(batch.ids), torch.from_numpy(batch.offsets[:-1]))
        used, local = np.unique(batch.ids, return_inverse=True)
        rows = embedding.weight.detach()[torch.from_numpy(used)].requires_grad_()
        lengths = torch.from_numpy(batch.lengths)
        ids = torch.split(torch.from_numpy(local), lengths.tolist())
        padded = nn.functional.embedding(pad_sequence(ids, batch_first=True), rows)
        packed = pack_padded_sequence(padded, lengths, batch_first=True, enforce_sorted=False)
        return lstm(packed)[1][0][0]

    def train(n: int) -> None:
        for first in range(0, n, BATCH):
            batch = tokens.take(np.arange(2 * first, 2 * min(first + BATCH, n)))
            units = nn.functional.normalize(encode(batch))
            left, right = units[0::2], units[1::2]
            near = (left * right).sum(dim=1)
            far = torch.stack([(side * side.roll(1, 0)).sum(dim=1) for side in (left, right)])
            loss = (0.8 - near + far).relu().sum() / BATCH
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return train


def siamese_by_skpara(row: str, pairs: np.ndarray, scores: np.ndarray) -> Train:
    """Fit one epoch."""
    from skpara import SiameseRegressor
    from skpara.networks import LSTM

    dropout = 0.3 if "dropout" in row else 0.0
    settings = {} if dropout else {"network_decay": 0.0}
    model = SiameseRegressor(
        network=LSTM(hidden_size=HIDDEN, dropout=dropout),
        trainable_vectors="fixed" not in row,
        max_length=LENGTH,
        dense_size=DENSE,
        n_classes=CLASSES,
        batch_size=SIAMESE_BATCH,
        max_iter=1,
        device="cpu",
        **settings,
    )
    return lambda n: model.fit(pairs[:n], scores[:n])


def siamese_by_torch(row: str, pairs: np.ndarray, scores: np.ndarray) -> Train:
    """Train the same model in a plain loop."""
    import torch
    from torch import Tensor, nn
    from torch.nn.utils.rnn import pack_padded_sequence

    from skpara.learning import ScoreLoss

    vectors = WordVectors.load()
    words = nn.Embedding.from_pretrained(
        torch.from_numpy(np.array(vectors.matrix)), freeze=row == FIXED, sparse=True
    )
    lstm = nn.LSTM(vectors.n_dims, HIDDEN, batch_first=True)
    top = nn.Sequential(nn.Linear(2 * HIDDEN, DENSE), nn.Sigmoid(), nn.Linear(DENSE, CLASSES))
    optimizers: list[torch.optim.Optimizer] = [
        torch.optim.Adam([*lstm.parameters(), *top.parameters()])
    ]
    if row == SPARSE:
        optimizers.append(torch.optim.SparseAdam([words.weight]))

    def padded(texts: list[str]) -> tuple[Tensor, Tensor]:
        tokens, _ = vectors.vocabulary.token_ids(texts)
        lengths = np.clip(tokens.lengths, 1, LENGTH)
        ids = np.zeros((len(texts), LENGTH), dtype=np.int64)
        for i, start in enumerate(tokens.offsets[:-1]):
            chosen = tokens.ids[start : start + min(LENGTH, tokens.lengths[i])]
            ids[i, : len(chosen)] = np.minimum(chosen, len(vectors) - 1)
        return torch.from_numpy(ids), torch.from_numpy(lengths)

    sides = [padded(pairs[:, side].tolist()) for side in (0, 1)]
    targets = torch.from_numpy(ScoreLoss("kl", (0, CLASSES - 1), CLASSES).targets(scores))

    def train(n: int) -> None:
        for rows in torch.randperm(n).split(SIAMESE_BATCH):
            ids, lengths = (torch.cat([side[k][rows] for side in sides]) for k in (0, 1))
            packed = pack_padded_sequence(
                words(ids), lengths, batch_first=True, enforce_sorted=False
            )
            u, v = lstm(packed)[1][0][0].chunk(2)
            predicted = top(torch.cat([(u - v).abs(), u * v], dim=1)).log_softmax(dim=1)
            loss = nn.functional.kl_div(predicted, targets[rows], reduction="batchmean")
            for optimizer in optimizers:
                optimizer.zero_grad()
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()

    return train


def measure(row: str, data: str, n: int) -> dict[str, float]:
    """Return seconds a pair, and the memory before training; run in a new process."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    if row.startswith("siamese"):
        bunch = fetch_sts_benchmark("train", data_home=data)
        n = min(n, len(bunch.data))
        make = siamese_by_skpara if "skpara" in row else siamese_by_torch
        train = make(row, bunch.data, bunch.target)
    else:
        pairs = fetch_paraphrases("multi30k", data_home=data).data
        pairs = np.random.default_rng(0).permutation(pairs)
        vectors = random_vectors(pairs[:100_000].ravel().tolist(), 50_000, 300)
        makers = {"skpara": by_skpara, "StaticEmbedding,": by_sentence_transformers}
        train = makers.get(row.split()[0], by_torch)(row, pairs[:n], vectors)
        n = min(n, len(pairs))
    before = start_memory()
    train(min(n, WARM_UP))
    start = time.process_time()
    train(n)
    return {"seconds": (time.process_time() - start) / n, "before": before}


def main() -> None:
    """Print the table."""
    options = parser(__doc__)
    options.set_defaults(repeats=3)
    options.add_argument("--n-pairs", type=int, help="at most so many for any row")
    args = parse(options)
    most = args.n_pairs or (2000 if args.quick else 100_000)
    code = "import sys, train\nresult = train.measure(*sys.argv[1:3], int(sys.argv[3]))"
    runs: dict[str, list[dict[str, Any]]] = {}
    chosen = [row for row in ROWS if args.only in row]
    # Peers of the chosen rows, in the order of the table.
    chosen = [row for row in ROWS if row in chosen or row in {ROWS[name][1] for name in chosen}]
    for _ in range(args.repeats):
        for row in list(chosen):
            try:
                done = run_child(code, row, Path(args.data).absolute(), min(ROWS[row][0], most))
            except RuntimeError as error:
                print(f"{row}: left out, {error}", file=sys.stderr)
                chosen.remove(row)
            else:
                runs.setdefault(row, []).append(done)
    rows: list[Measurement] = []
    seconds = {row: [run["seconds"] for run in done] for row, done in runs.items()}
    for row in seconds:
        peer = ROWS[row][1]
        both = {name: seconds[name] for name in (row, peer) if name in seconds}
        rows.append(compare(both, "pairs/s", peer=peer)[0])
    rows += [
        Measurement(f"{row}, memory", np.median([x["peak"] - x["before"] for x in done]), "MB")
        for row, done in runs.items()
    ]
    show("One epoch", rows)
    write(args.json, "train", rows)


if __name__ == "__main__":
    main()
