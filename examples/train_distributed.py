"""Train one encoder in several processes, or on several GPUs, from a file of pairs.

    torchrun --nproc-per-node 2 examples/train_distributed.py pairs.tsv encoder.safetensors

With plain ``python`` instead of ``torchrun``, it trains in one process.
"""

from __future__ import annotations

import argparse
import os

import torch
from torch import distributed

from skpara import ParagramEncoder, save_model
from skpara.datasets import iter_pairs


def main() -> None:
    """Read pairs, train an encoder and save it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairs", help="file of pairs: two tab-separated sentences per line")
    parser.add_argument("encoder", help="output file, .safetensors")
    parser.add_argument("--network", default="lstm")
    parser.add_argument("--batch-size", type=int, default=100, help="pairs in each process")
    parser.add_argument("--max-iter", type=int, default=1)
    parser.add_argument("--random-state", type=int, default=0)
    args = parser.parse_args()
    distribute = "RANK" in os.environ  # torchrun sets it
    if distribute:
        if torch.cuda.is_available():  # one GPU per process; "cuda" then means that one
            torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    is_main = not distribute or distributed.get_rank() == 0
    encoder = ParagramEncoder(
        args.network,
        batch_size=args.batch_size,
        random_state=args.random_state,
        verbose=1,
    )
    # Each process reads all pairs in the same order; each batch is split between them.
    for _ in range(args.max_iter):
        for pairs in iter_pairs(args.pairs):
            encoder.partial_fit(pairs)
    if is_main:
        save_model(encoder, args.encoder)
        print(f"{encoder.n_paraphrases_:,} pairs, loss {encoder.loss_curve_}")
        print(f"{encoder.history_[-1]['pairs_per_second']:,.0f} pairs/s in the last chunk")
    if distribute:
        distributed.destroy_process_group()


if __name__ == "__main__":
    main()
