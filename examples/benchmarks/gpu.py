"""Training and encoding on every available device, in results and time beside the CPU.

    python examples/benchmarks/gpu.py
    python examples/benchmarks/gpu.py --quick   # tiny sizes, to see that it runs

Random sentences of 4 to 21 words, 50,000 words with 300 dimensions. Before the clock starts, each
row is trained on a few batches and encodes a few blocks, so that kernels are loaded. Training is
the epoch of ``fit`` alone, with hardest negatives in batches of 100 and of 1,000. Encoding is from
text to NumPy arrays. Rows take turns; medians and their ratios to the CPU are printed. The average
always encodes with NumPy, so it has no row for encoding. Without a GPU only the CPU is measured.

First, each network learns and encodes the same on every device: the exit status is 1 if a vector
of a sentence differs from the CPU's by more than 2e-3 of the largest number, or the loss by more
than one in a thousand. TensorFloat-32 is off for this. In bfloat16, the vectors must correlate
with the CPU's by .98. The defaults are meant to end within four minutes.
"""

from __future__ import annotations

import os
import sys
import time

import numpy as np
import torch
from measure import Measurement, compare, parser, show, write
from texts import made_up_sentences, random_vectors

from skpara import ParagramEncoder, WordVectors
from skpara.learning import Adam, Device, Negatives
from skpara.networks import GRAN, LSTM, Network

Pairs = list[tuple[str, str]]
Row = tuple[str, int | None]  # network, and batch size (None encodes)
MOST_OF_VECTORS, MOST_OF_LOSS, LEAST_CORRELATION = 2e-3, 1e-3, 0.98
# Recurrent networks with peepholes do not use cuDNN, so that their results are checked as well.
CHECKED: dict[str, str | Network] = {
    "average": "average",
    "projection": "projection",
    "lstm": "lstm",
    "lstm with peepholes": LSTM(peepholes=True),
    "gran": "gran",
    "gran with peepholes": GRAN(peepholes=True),
    "charagram": "charagram",
}


def devices() -> dict[str, Device]:
    """Return the available devices, the CPU first, each GPU with both precisions."""
    available = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    found = {"cpu": Device("cpu")}
    for name in available:
        if available[name]:
            found[name] = Device(name)
            found[f"{name} bfloat16"] = Device(name, precision="bfloat16")
    return found


def learned(
    network: str | Network, device: Device, vectors: WordVectors, pairs: Pairs
) -> tuple[np.ndarray, float]:
    """Return vectors of sentences by a network trained on the device, and the last loss."""
    encoder = ParagramEncoder(
        network,
        vectors=vectors,
        negatives=Negatives("mix", margin=0.4),
        optimizer=Adam(1e-3, gradient_clip=1.0),
        max_iter=2,
        device=device,
        random_state=0,
    ).fit(pairs)
    return encoder.encode([first for first, _ in pairs]), encoder.loss_curve_[-1]


def check(vectors: WordVectors, pairs: Pairs, only: str) -> bool:
    """Print how much the results of each device differ from the CPU's; return if little."""
    is_right = True
    allowed = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = False
    for title, network in CHECKED.items():
        if only not in title:
            continue
        known, known_loss = learned(network, Device("cpu"), vectors, pairs)
        for name, device in devices().items():
            found, loss = learned(network, device, vectors, pairs)
            if name == "cpu":  # again: the same to the bit
                agrees = np.array_equal(found, known)
                text = "repeats"
            elif device.precision == "bfloat16":
                correlation = np.corrcoef(found.ravel(), known.ravel())[0, 1]
                agrees = correlation > LEAST_CORRELATION
                text = f"correlation {correlation:.4f}"
            else:
                gap = np.abs(found - known).max() / np.abs(known).max()
                of_loss = abs(loss / known_loss - 1)
                agrees = gap < MOST_OF_VECTORS and of_loss < MOST_OF_LOSS
                text = f"vectors {gap:.0e}, loss {of_loss:.0e}"
            is_right &= bool(agrees)
            print(
                f"{'as' if agrees else 'NOT AS'} on the CPU: {title}, {name}: {text}", flush=True
            )
    torch.backends.cudnn.allow_tf32 = allowed
    return is_right


def rate(row: Row, device: Device, vectors: WordVectors, pairs: Pairs, seconds: float) -> float:
    """Return pairs (or sentences) per second, measured for about as many seconds."""
    network, batch_size = row
    encoder = ParagramEncoder(
        network,
        vectors=vectors,
        negatives="hardest",
        batch_size=batch_size or 100,
        max_iter=1,
        device=device,
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
    """Check the results, and print the table of speed."""
    options = parser(__doc__)
    options.set_defaults(repeats=2)
    options.add_argument("--n-pairs", type=int, default=100_000, help="largest number for any row")
    options.add_argument(
        "--seconds", type=float, default=2.0, help="approximate duration of a row"
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
        (network, batch_size)
        for network in ("average", "lstm", "gran")
        for batch_size in (100, 1000, None)
        if args.only in network and (network, batch_size) != ("average", None)
    ]
    found = devices()
    names = [name for name, device in found.items() if device.precision == "float32"]
    print(
        f"torch {torch.__version__}, {torch.get_num_threads()} threads of {os.cpu_count()} cores"
    )
    for name in names[1:]:
        about = torch.cuda.get_device_name() if name == "cuda" else "Apple's GPU"
        print(f"{name}: {about}")
    if len(names) == 1:
        print("There is no GPU; only the CPU is measured.")
    is_right = check(vectors, pairs[:300], args.only)
    # The GRAN, with large batches, shows what bfloat16 gains.
    seconds: dict[Row, dict[str, list[float]]] = {
        row: {name: [] for name in (found if row[0] == "gran" and row[1] != 100 else names)}
        for row in works
    }
    for _ in range(args.repeats):
        for row in works:
            for name, times in seconds[row].items():
                times.append(1 / rate(row, found[name], vectors, pairs, args.seconds))
    rows: list[Measurement] = []
    for row, times in seconds.items():
        network, batch_size = row
        what = f"pairs, batches of {batch_size}" if batch_size else "sentences encoded"
        rows += compare(times, "1/s", title=f"{network}, {what}, ", peer="cpu")
    show(f"Medians of {args.repeats} rounds", rows)
    write(args.json, "gpu", rows)
    if not is_right:
        sys.exit(1)


if __name__ == "__main__":
    main()
