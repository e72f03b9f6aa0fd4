"""Training and encoding on every available device, compared with the CPU.

    python examples/benchmarks/gpu.py
    python examples/benchmarks/gpu.py --quick   # tiny sizes, to see that it runs

Random sentences of 4 to 21 words, 50,000 words with 300 dimensions. Before the clock starts, each
row is trained on a few batches and encodes a few blocks, so that kernels are loaded. Training is
the epoch of ``fit`` alone, with hardest negatives in batches of 100 and of 1,000. Encoding is from
text to NumPy arrays. Rows take turns; medians and their ratios to the CPU are printed. The average
always encodes with NumPy, so it has no row for encoding. Without a GPU only the CPU is measured.
"""

from __future__ import annotations

import os
import time

import torch
from measure import Measurement, compare, parser, show, write
from texts import made_up_sentences, random_vectors

from skpara import ParagramEncoder, WordVectors
from skpara.learning import Device

Row = tuple[str, int | None, str]  # network, batch size (None encodes), precision


def devices() -> list[str]:
    """Return the available devices, the CPU first."""
    available = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    return ["cpu", *(name for name in available if available[name])]


def rate(
    row: Row, device: str, vectors: WordVectors, pairs: list[tuple[str, str]], seconds: float
) -> float:
    """Return pairs (or sentences) per second, measured for about as many seconds."""
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
    most = len(sentences) if batch_size is None else len(pairs)
    n = min(most, 1024 if batch_size is None else 3 * batch_size)
    if batch_size is None:
        encoder.encode(sentences[:n])
    while True:
        start = time.perf_counter()
        if batch_size is None:
            encoder.encode(sentences[:n])
            took = time.perf_counter() - start
        else:
            took = encoder.fit(pairs[:n]).history_[0]["seconds"]
        speed = n / took
        if took > seconds / 2 or n == most:
            return speed
        n = min(most, max(2 * n, int(speed * seconds)))


def main() -> None:
    """Print the table."""
    options = parser(__doc__)
    options.set_defaults(repeats=3)
    options.add_argument("--n-pairs", type=int, default=100_000, help="largest number for any row")
    options.add_argument(
        "--seconds", type=float, default=5.0, help="approximate duration of a row"
    )
    options.add_argument("--words", type=int, default=50_000, help="size of the vocabulary")
    options.add_argument("--dims", type=int, default=300, help="length of the word vectors")
    args = options.parse_args()
    if args.quick:
        args.n_pairs, args.seconds, args.repeats, args.words, args.dims = 200, 0.0, 1, 500, 8
    sentences = made_up_sentences(2 * args.n_pairs)
    pairs = list(zip(sentences[::2], sentences[1::2], strict=True))
    vectors = random_vectors(sentences, args.words, args.dims)
    works: list[Row] = [
        (network, batch_size, "float32")
        for network in ("average", "lstm", "gran")
        for batch_size in (100, 1000, None)
        if args.only in network and (network, batch_size) != ("average", None)
    ]
    works += [("gran", size, "bfloat16") for size in (1000, None) if args.only in "gran"]
    names = devices()
    print(
        f"torch {torch.__version__}, {torch.get_num_threads()} threads of {os.cpu_count()} cores"
    )
    for name in names[1:]:
        about = torch.cuda.get_device_name() if name == "cuda" else "Apple's GPU"
        print(f"{name}: {about}")
    if len(names) == 1:
        print("There is no GPU; only the CPU is measured.")
    seconds: dict[Row, dict[str, list[float]]] = {
        row: {name: [] for name in names} for row in works
    }
    for _ in range(args.repeats):
        for row in works:
            for name in names:
                speed = rate(row, name, vectors, pairs, args.seconds)
                seconds[row][name].append(1 / speed)
    rows: list[Measurement] = []
    for row, times in seconds.items():
        network, batch_size, precision = row
        what = f"pairs, batches of {batch_size}" if batch_size else "sentences encoded"
        label = f"{network}{'' if precision == 'float32' else ' ' + precision}, {what}, "
        rows += compare(times, "1/s", title=label, peer="cpu")
    show(f"Medians of {args.repeats} rounds", rows)
    write(args.json, "gpu", rows)


if __name__ == "__main__":
    main()
