"""Train one encoder in several processes, or on several GPUs, from a file of pairs.

    torchrun --nproc-per-node 2 examples/train_distributed.py pairs.tsv encoder.safetensors

Started by plain ``python`` it does the same in one process, with ``--batch-size`` for all.
"""

from __future__ import annotations

import argparse
import os

import torch
from torch import distributed

from skpara import ParagramEncoder
from skpara.datasets import iter_pairs


def main() -> None:
    """Read, train, save."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairs", help="file of pairs, two tab-separated sentences a line")
    parser.add_argument("encoder", help="where to write it, .safetensors")
    parser.add_argument("--network", default="lstm")
    parser.add_argument("--batch-size", type=int, default=100, help="pairs, in each process")
    parser.add_argument("--max-iter", type=int, default=1)
    parser.add_argument("--random-state", type=int, default=0)
    given = parser.parse_args()
    together = "RANK" in os.environ  # torchrun sets it
    if together:
        if torch.cuda.is_available():  # one for each process; "cuda" is that one from now on
            torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    first = not together or distributed.get_rank() == 0
    encoder = ParagramEncoder(
        given.network,
        batch_size=given.batch_size,
        max_iter=given.max_iter,
        random_state=given.random_state,
        verbose=1,
    )
    # Each process reads all pairs, in the same order; fit shares out every batch.
    encoder.fit_stream(iter_pairs(given.pairs))
    if first:
        encoder.save(given.encoder)
        print(f"{encoder.n_paraphrases_:,} pairs, loss {encoder.loss_curve_}")
        print(f"{encoder.history_[-1]['pairs_per_second']:,.0f} pairs/s in the last pass")
    if together:
        distributed.destroy_process_group()


if __name__ == "__main__":
    main()
