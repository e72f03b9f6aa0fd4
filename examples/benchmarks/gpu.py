"""Training and encoding on every device that there is, beside the CPU.

    python examples/benchmarks/gpu.py

Made-up sentences of 4 to 21 words, 50,000 words of 300 dimensions. Before the clock starts each
row has learned from a few batches and encoded a few blocks, so that kernels are loaded. Training
is the pass of ``fit`` alone, with hardest negatives in batches of 100 and of 1,000; encoding is
from text to NumPy. Rows take turns; medians are printed, and their ratio to the CPU's. The average
encodes by NumPy on whatever device, so that has no row.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np
import torch

from skpara import ParagramEncoder, WordVectors
from skpara.learning import Device

sys.path.insert(0, str(Path(__file__).parent))
from encode import made_sentences, most_frequent_words

Row = tuple[str, int | None, str]  # network, batch size (None encodes), precision


def devices() -> list[str]:
    """The CPU first."""
    others = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    return ["cpu", *(name for name, there in others.items() if there)]


def rate(
    row: Row, device: str, vectors: WordVectors, pairs: list[tuple[str, str]], seconds: float
) -> float:
    """Pairs, or sentences, a second, over about as many seconds."""
    network, batch_size, precision = row
    encoder = ParagramEncoder(
        network,
        vectors=vectors,
        negatives="hardest",
        batch_size=batch_size or 100,
        max_iter=1,
        device=Device(device, precision=precision),
        random_state=0,
    )
    sentences = [sentence for pair in pairs for sentence in pair]
    encoder.fit(pairs[: 3 * encoder.batch_size])
    if batch_size is None:
        encoder.encode(sentences[:1024])
    found, n = 0.0, 1024 if batch_size is None else 3 * batch_size
    while True:
        start = time.perf_counter()
        if batch_size is None:
            encoder.encode(sentences[:n])
            took = time.perf_counter() - start
        else:
            took = encoder.fit(pairs[:n]).history_[0]["seconds"]
        found = n / took
        most = len(sentences) if batch_size is None else len(pairs)
        if took > seconds / 2 or n == most:
            return found
        n = min(most, max(2 * n, int(found * seconds)))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--n-pairs", type=int, default=100_000, help="at most, for any row")
    parser.add_argument("--seconds", type=float, default=5.0, help="of a row, about")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="", help="networks whose name holds this")
    given = parser.parse_args()
    made = made_sentences(2 * given.n_pairs)
    pairs = list(zip(made[::2], made[1::2], strict=True))
    rng = np.random.default_rng(0)
    matrix = 0.1 * rng.standard_normal((50_000, 300), dtype=np.float32)
    vectors = WordVectors(most_frequent_words(made, 50_000), matrix)
    rows: list[Row] = [
        (network, batch_size, "float32")
        for network in ("average", "lstm", "gran")
        for batch_size in (100, 1000, None)
        if given.only in network and (network, batch_size) != ("average", None)
    ]
    rows += [("gran", size, "bfloat16") for size in (1000, None) if given.only in "gran"]
    there = devices()
    print(
        f"torch {torch.__version__}, {torch.get_num_threads()} threads of {os.cpu_count()} cores"
    )
    for name in there[1:]:
        about = torch.cuda.get_device_name() if name == "cuda" else "Apple's GPU"
        print(f"{name}: {about}")
    if len(there) == 1:
        print("There is no GPU here: the CPU alone is measured.")
    print(
        f"\n{'':<42}"
        + "".join(f"{name + ', 1/s':>14}" for name in there)
        + "   x cpu" * (len(there) > 1)
    )
    found: dict[tuple[Row, str], list[float]] = {}
    for _ in range(given.repeats):
        for row in rows:
            for name in there:
                one = rate(row, name, vectors, pairs, given.seconds)
                found.setdefault((row, name), []).append(one)
    for network, batch_size, precision in rows:
        row = network, batch_size, precision
        rates = [float(np.median(found[row, name])) for name in there]
        what = f"pairs, batches of {batch_size}" if batch_size else "sentences encoded"
        label = f"{network}{'' if precision == 'float32' else ' ' + precision}, {what}"
        ratios = "".join(f"{one / rates[0]:8.2f}" for one in rates[1:])
        print(f"{label:<42}" + "".join(f"{one:14,.0f}" for one in rates) + ratios)


if __name__ == "__main__":
    main()
