"""One epoch over STS Benchmark's train part: a siamese LSTM and a plain torch loop.

    taskset -c 0 python examples/benchmarks/siamese.py --data DATA

Both read at most 20 words and have an LSTM with 100 units, a dense layer with 50, six classes,
Kullback-Leibler divergence, Adam and batches of 25. The plain loop starts from ids, packs both
sentences of all pairs of a batch (``pack_padded_sequence``) and runs ``nn.LSTM`` once. Its word
vectors are fixed, or an ``nn.Embedding`` with sparse gradients under ``SparseAdam``, so that only
the rows of a batch are updated, as in skpara. The time of skpara is that of the epoch. The whole
``fit`` from text is printed too, and so is the epoch with dropout and decay, which the plain loop
does not have. The rows take turns, and medians are printed, also of the ratios.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence

from skpara import SiameseRegressor, WordVectors
from skpara.datasets import fetch_sts_benchmark, load_sts_sample
from skpara.learning import ScoreLoss
from skpara.networks import LSTM

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import print_table

LENGTH, HIDDEN, DENSE, CLASSES, BATCH = 20, 100, 50, 6, 25


class Plain(nn.Module):
    """The same model without the package."""

    def __init__(self, table: Tensor, trainable: bool) -> None:
        super().__init__()
        self.words = nn.Embedding.from_pretrained(table, freeze=not trainable, sparse=True)
        self.lstm = nn.LSTM(table.shape[1], HIDDEN, batch_first=True)
        self.dense = nn.Linear(2 * HIDDEN, DENSE)
        self.out = nn.Linear(DENSE, CLASSES)

    def read(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Return the last states."""
        packed = pack_padded_sequence(
            self.words(ids), lengths, batch_first=True, enforce_sorted=False
        )
        return self.lstm(packed)[1][0][0]

    def forward(self, left: tuple[Tensor, Tensor], right: tuple[Tensor, Tensor]) -> Tensor:
        """Return the scores of the classes."""
        ids, lengths = (torch.cat(parts) for parts in zip(left, right, strict=True))
        u, v = self.read(ids, lengths).chunk(2)
        both = torch.cat([(u - v).abs(), u * v], dim=1)
        return self.out(torch.sigmoid(self.dense(both)))


def padded(texts: list[str], vectors: WordVectors) -> tuple[Tensor, Tensor]:
    """Return ids (unknown words are the last one) and lengths."""
    tokens = vectors.vocabulary.token_ids(texts)
    lengths = np.clip(tokens.lengths, 1, LENGTH)
    ids = np.zeros((len(texts), LENGTH), dtype=np.int64)
    for i, start in enumerate(tokens.offsets[:-1]):
        row = tokens.ids[start : start + min(LENGTH, tokens.lengths[i])]
        ids[i, : len(row)] = np.minimum(row, len(vectors) - 1)
    return torch.from_numpy(ids), torch.from_numpy(lengths)


def plain_epoch(
    pairs: NDArray[np.object_], scores: NDArray[np.float64], vectors: WordVectors, trainable: bool
) -> float:
    """Return the seconds of one epoch."""
    torch.manual_seed(0)
    model = Plain(torch.from_numpy(np.array(vectors.matrix)), trainable)
    dense = [w for name, w in model.named_parameters() if name != "words.weight"]
    optimizers: list[torch.optim.Optimizer] = [torch.optim.Adam(dense)]
    if trainable:
        optimizers.append(torch.optim.SparseAdam([model.words.weight]))
    sides = [padded(pairs[:, side].tolist(), vectors) for side in (0, 1)]
    targets = torch.from_numpy(ScoreLoss("kl", (0, CLASSES - 1), CLASSES).targets(scores))
    order = torch.randperm(len(pairs))
    start = time.perf_counter()
    for rows in order.split(BATCH):
        left, right = (tuple(part[rows] for part in side) for side in sides)
        loss = functional.kl_div(
            model(left, right).log_softmax(dim=1), targets[rows], reduction="batchmean"
        )
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
    return time.perf_counter() - start


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", help="folder of the STS files; default $SKPARA_DATA or cache")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    torch.set_num_threads(1)
    try:
        train = fetch_sts_benchmark("train", data_home=args.data, download_if_missing=False)
    except FileNotFoundError:
        train = load_sts_sample()
    vectors = WordVectors.load("default")
    seconds: dict[str, list[float]] = {}
    plain_lstm = {"network": LSTM(hidden_size=HIDDEN), "network_decay": 0.0}
    ours = {
        "skpara, dropout and decay": {"network": LSTM(hidden_size=HIDDEN, dropout=0.3)},
        "skpara": plain_lstm,
        "skpara, fixed vectors": plain_lstm | {"trainable_vectors": False},
    }
    for _ in range(1 + args.rounds):
        for name, settings in ours.items():
            start = time.perf_counter()
            model = SiameseRegressor(
                vectors=vectors,
                max_length=LENGTH,
                dense_size=DENSE,
                n_classes=CLASSES,
                batch_size=BATCH,
                max_iter=1,
                device="cpu",
                **settings,
            ).fit(train.data, train.target)
            seconds.setdefault(f"{name}, fit", []).append(time.perf_counter() - start)
            seconds.setdefault(name, []).append(model.history_[0]["seconds"])
        for name, trainable in (("nn.LSTM, SparseAdam", True), ("nn.LSTM, fixed vectors", False)):
            took = plain_epoch(train.data, train.target, vectors, trainable)
            seconds.setdefault(name, []).append(took)
    print(f"{len(train.data)} pairs, median of {args.rounds} rounds after one to warm up")
    rounds = {name: np.array(values[1:]) for name, values in seconds.items()}
    rows = []
    for name, values in rounds.items():
        fixed = "fixed" in name
        plain = rounds["nn.LSTM, fixed vectors" if fixed else "nn.LSTM, SparseAdam"]
        middle, ratio = np.median(values), np.median(values / plain)
        speed = len(train.data) / middle
        rows.append([name, f"{middle:.2f}", round(speed), float(ratio)])
    print_table("", ["one epoch", "seconds", "pairs/s", "x the plain loop"], rows, digits=2)


if __name__ == "__main__":
    main()
