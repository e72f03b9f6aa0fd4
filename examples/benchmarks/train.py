"""Training pairs per second, compared with sentence-transformers and torch, on one core.

Every row gets the same caption pairs, the same 50,000 words and 300-dimensional vectors, and
batches of 100. Each runs in its own process, so that memory is that of the row alone. The rows
take turns, so that slow moments of the machine affect all of them::

    taskset -c 0 python examples/benchmarks/train.py --data DATA

Without --data, random sentences are used. What is timed:

skpara               ``ParagramEncoder.fit`` from text to the fitted encoder, one epoch
StaticEmbedding      sentence-transformers' trainer, which tokenizes the text during training
dense AdaDelta       ``nn.EmbeddingBag`` and ``torch.optim.Adadelta`` with the same loss, from ids;
                     without decay, which would make it even slower
packed nn.LSTM       a gather of the batch's rows, ``pack_padded_sequence``, ``nn.LSTM``, the same
                     loss, AdaDelta for the LSTM, nothing for the rows; from ids

Each row gets only as many pairs as it can learn from in some ten seconds. Before the clock starts,
each is trained on a few batches, so that imports, compilation and first accesses to memory are not
counted.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import print_table

WORDS, DIMS, BATCH = 50_000, 300, 100
WARM_UP = 5 * BATCH  # pairs
# For each row: the largest number of pairs, and the row that it is compared with.
ROWS = {
    "sentence-transformers StaticEmbedding, ranking loss": (10_000, None),
    "sentence-transformers StaticEmbedding, triplet loss": (10_000, None),
    "dense AdaDelta": (5_000, None),
    "skpara average, AdaDelta": (100_000, "sentence-transformers StaticEmbedding, ranking loss"),
    "skpara average, AdaDelta, hardest": (100_000, "skpara average, AdaDelta"),
    "skpara average, AdaGrad": (100_000, "skpara average, AdaDelta"),
    "skpara average, Adam": (100_000, "skpara average, AdaDelta"),
    "skpara projection": (50_000, "skpara average, AdaDelta"),
    "skpara dan": (50_000, "skpara average, AdaDelta"),
    "packed nn.LSTM": (4_000, None),
    "skpara lstm": (5_000, "packed nn.LSTM"),
    "skpara lstm_no_output_gate": (5_000, "packed nn.LSTM"),
    "skpara lstm with peepholes": (5_000, "packed nn.LSTM"),
    "skpara gran": (5_000, "packed nn.LSTM"),
    "skpara rnn": (10_000, "packed nn.LSTM"),
    "skpara irnn": (10_000, "packed nn.LSTM"),
    "skpara charagram": (20_000, "packed nn.LSTM"),
}
# Shorter names for the table.
LABELS = {
    "sentence-transformers StaticEmbedding, ranking loss": "StaticEmbedding, ranking loss",
    "sentence-transformers StaticEmbedding, triplet loss": "StaticEmbedding, triplet loss",
}


class Memory:
    """Peak memory of this process in MiB, relative to the creation of this object."""

    def __init__(self) -> None:
        Path("/proc/self/clear_refs").write_text("5")  # resets the peak (Linux)
        self._before = self._now("VmRSS")

    @staticmethod
    def _now(name: str) -> float:
        for line in Path("/proc/self/status").read_text().split("\n"):
            if line.startswith(name):
                return int(line.split()[1]) / 1024
        raise KeyError(name)

    def added(self) -> float:
        """Return the peak minus the initial memory."""
        return self._now("VmHWM") - self._before


def captions(data: str | None, n_pairs: int) -> list[tuple[str, str]]:
    """Return pairs of captions of the same image, or random pairs."""
    if data is None:
        sys.path.insert(0, str(Path(__file__).parent))
        from encode import made_up_sentences

        sentences = made_up_sentences(2 * n_pairs)
        return list(zip(sentences[::2], sentences[1::2], strict=True))
    folder = Path(data) / "paraphrase" / "multi30k-captions"
    texts = [
        gzip.decompress((folder / f"train.{k}.en.gz").read_bytes()).decode("utf8").split("\n")
        for k in range(1, 6)
    ]
    order = np.random.default_rng(0).permutation(len(texts[0]) - 1)
    pairs = [
        (texts[a][i].strip(), texts[b][i].strip())
        for a, b in ((0, 1), (2, 3), (1, 4), (0, 2))
        for i in order
    ]
    return pairs[:n_pairs]


def table(pairs: list[tuple[str, str]]) -> tuple[list[str], np.ndarray]:
    """Return the words of the pairs, padded with words that never occur, and random vectors."""
    from collections import Counter

    from skpara.text import tokenize

    counts = Counter(token for pair in pairs for sentence in pair for token in tokenize(sentence))
    words = [word for word, _ in counts.most_common(WORDS)]
    words += [f"filler{i}" for i in range(WORDS - len(words))]
    rng = np.random.default_rng(0)
    return words, 0.1 * rng.standard_normal((WORDS, DIMS), dtype=np.float32)


def by_skpara(
    row: str, pairs: list[tuple[str, str]], words: list[str], matrix: np.ndarray
) -> dict[str, float]:
    """Fit one epoch."""
    from skpara import ParagramEncoder, WordVectors
    from skpara.networks import LSTM

    settings: dict = {"network": "average", "word_decay": 1e-5}
    for name in ("projection", "dan", "lstm", "lstm_no_output_gate", "gran", "rnn", "irnn"):
        if row == f"skpara {name}":
            settings["network"] = name
    if "peepholes" in row:
        settings["network"] = LSTM(peepholes=True)
    elif "charagram" in row:
        settings["network"] = "charagram"
    for name in ("AdaGrad", "Adam"):
        if row.endswith(name):
            settings["optimizer"] = name.lower()
    if "hardest" in row:
        settings["negatives"] = "hardest"
    vectors = WordVectors(words, matrix)
    encoder = ParagramEncoder(vectors=vectors, max_iter=1, random_state=0, **settings)
    memory = Memory()
    encoder.fit(pairs[:WARM_UP])
    start = time.perf_counter()
    encoder.fit(pairs)
    seconds = time.perf_counter() - start
    return {
        "pairs": len(pairs) / seconds,
        "loop": encoder.history_[0]["pairs_per_second"],
        "memory": memory.added(),
    }


def by_sentence_transformers(
    row: str, pairs: list[tuple[str, str]], words: list[str], matrix: np.ndarray
) -> dict[str, float]:
    """Run the trainer with its default optimizer, without output."""
    import tempfile
    import warnings

    warnings.simplefilter("ignore")
    from datasets import Dataset
    from sentence_transformers import (
        SentenceTransformerTrainer,
        SentenceTransformerTrainingArguments,
    )
    from sentence_transformers.sentence_transformer import losses

    from skpara import ParagramEncoder, WordVectors

    model = ParagramEncoder(vectors=WordVectors(words, matrix)).to_sentence_transformer()
    if "triplet" in row:
        loss = losses.TripletLoss(
            model, distance_metric=losses.TripletDistanceMetric.COSINE, triplet_margin=0.8
        )
    else:
        loss = losses.MultipleNegativesRankingLoss(model)

    def trainer(folder: str, chosen: list[tuple[str, str]]) -> SentenceTransformerTrainer:
        columns = {"anchor": [a for a, _ in chosen], "positive": [b for _, b in chosen]}
        if "triplet" in row:
            columns["negative"] = columns["positive"][1:] + columns["positive"][:1]
        return SentenceTransformerTrainer(
            model,
            SentenceTransformerTrainingArguments(
                folder,
                num_train_epochs=1,
                per_device_train_batch_size=BATCH,
                save_strategy="no",
                logging_strategy="no",
                report_to="none",
                disable_tqdm=True,
                use_cpu=True,
                dataloader_num_workers=0,
            ),
            train_dataset=Dataset.from_dict(columns),
            loss=loss,
        )

    memory = Memory()
    with tempfile.TemporaryDirectory() as folder:
        trainer(folder, pairs[:WARM_UP]).train()
        timed = trainer(folder, pairs)
        start = time.perf_counter()
        timed.train()
        seconds = time.perf_counter() - start
    return {"pairs": len(pairs) / seconds, "memory": memory.added()}


def by_torch(
    row: str, pairs: list[tuple[str, str]], words: list[str], matrix: np.ndarray
) -> dict[str, float]:
    """Train in plain torch, from ids."""
    import torch
    from torch import nn
    from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

    from skpara.text import Vocabulary

    tokens = Vocabulary(words).token_ids([sentence for pair in pairs for sentence in pair])
    torch.manual_seed(0)
    embedding = nn.EmbeddingBag.from_pretrained(torch.from_numpy(matrix), freeze=False)
    lstm = nn.LSTM(DIMS, DIMS, batch_first=True)
    weights = lstm.parameters() if "LSTM" in row else embedding.parameters()
    optimizer = torch.optim.Adadelta(weights, lr=1.0, rho=0.95)

    def vectors(batch):
        if "LSTM" not in row:
            return embedding(torch.from_numpy(batch.ids), torch.from_numpy(batch.offsets[:-1]))
        used, local = np.unique(batch.ids, return_inverse=True)
        rows = embedding.weight.detach()[torch.from_numpy(used)].requires_grad_()
        lengths = torch.from_numpy(batch.lengths)
        ids = pad_sequence(
            torch.split(torch.from_numpy(local), lengths.tolist()), batch_first=True
        )
        padded = nn.functional.embedding(ids, rows)
        packed = pack_padded_sequence(padded, lengths, batch_first=True, enforce_sorted=False)
        return lstm(packed)[1][0][0]

    def learn(n_pairs: int) -> None:
        for first in range(0, n_pairs, BATCH):
            batch = tokens.take(np.arange(2 * first, 2 * (first + BATCH)))
            units = nn.functional.normalize(vectors(batch))
            left, right = units[0::2], units[1::2]
            near = (left * right).sum(dim=1)
            far = torch.stack([(side * side.roll(1, 0)).sum(dim=1) for side in (left, right)])
            loss = (0.8 - near + far).relu().sum() / BATCH
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    memory = Memory()
    learn(WARM_UP)
    start = time.perf_counter()
    learn(len(pairs))
    seconds = time.perf_counter() - start
    return {"pairs": len(pairs) / seconds, "memory": memory.added()}


def measure(row: str, data: str | None, n_pairs: int) -> None:
    """Measure a row in this process; print JSON."""
    import torch

    torch.set_num_threads(1)
    pairs = captions(data, max(n for n, _ in ROWS.values()))
    words, matrix = table(pairs)
    kinds = {"skpara": by_skpara, "sentence-transformers": by_sentence_transformers}
    print(json.dumps(kinds.get(row.split()[0], by_torch)(row, pairs[:n_pairs], words, matrix)))


def run(row: str, data: str | None, n_pairs: int) -> dict[str, float] | None:
    """Measure a row in its own process; None if a package it needs is not installed."""
    command = [sys.executable, __file__, "--row", row, "--n-pairs", str(n_pairs)]
    command += ["--data", data] if data else []
    environment = os.environ | {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1]
        print(f"{row}: left out, {reason}", file=sys.stderr, flush=True)
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--data", default=os.environ.get("SKPARA_DATA"), help="folder of data sets"
    )
    parser.add_argument("--n-pairs", type=int, default=100_000, help="largest number for any row")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="", help="only rows whose name contains this")
    parser.add_argument("--row", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.row:
        measure(args.row, args.data, args.n_pairs)
        return
    names = [row for row in ROWS if args.only in row]
    results: dict[str, list[dict[str, float]]] = {row: [] for row in names}
    for _ in range(args.repeats):
        for row in names:
            result = run(row, args.data, min(ROWS[row][0], args.n_pairs))
            if result is not None:
                results[row].append(result)
    speed = {
        row: float(np.median([run["pairs"] for run in runs]))
        for row, runs in results.items()
        if runs
    }
    rows = []
    for row in speed:
        loop = [x["loop"] for x in results[row] if "loop" in x]
        inside = round(float(np.median(loop))) if loop else None
        memory = np.median([x["memory"] for x in results[row]])
        peer = ROWS[row][1]
        ratio = f"{speed[row] / speed[peer]:.2f}" if peer in speed else None
        short = LABELS.get(row, row)
        compared = f"x {LABELS.get(peer, peer)}" if peer in speed else None
        rows.append([short, round(speed[row]), inside, round(memory), ratio, compared])
    print_table(
        f"Medians of {args.repeats} runs; memory is what training adds to the peak",
        ["row", "pairs/s", "in the loop", "MiB", "ratio", "compared with"],
        rows,
    )


if __name__ == "__main__":
    main()
