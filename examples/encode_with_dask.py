"""Encode the sentences of a text file of any size to Parquet, in several processes.

The file has one sentence per line::

    python examples/encode_with_dask.py sentences.txt vectors/ --workers 4

The file is read in blocks of ``--block`` bytes. ``--blocks-per-shard`` blocks are written to a
folder such as ``vectors/shard-00000``, which gets its name when it is complete. After an
interruption, start the script again with the same options; it continues after the last complete
shard. Use ``--scheduler tcp://host:8786`` to connect to an existing cluster.

Needs ``pip install "skpara[dask]"``.
"""

from __future__ import annotations

import argparse
import shutil
from contextlib import ExitStack
from pathlib import Path

import dask.bag
from dask.distributed import Client, LocalCluster

import skpara.dask
from skpara import ParagramEncoder, load_model


def write_vectors(
    text: Path, folder: Path, encoder: ParagramEncoder, dtype: str, block: int, blocks: int
) -> None:
    """Write the shards that do not exist yet."""
    lines = dask.bag.read_text(str(text), blocksize=block).map(str.rstrip, "\r\n")
    sentences = lines.to_dataframe(meta={"sentence": str})["sentence"]
    vectors = skpara.dask.encode(encoder, sentences, dtype=dtype)
    starts = range(0, vectors.npartitions, blocks)
    for number, start in enumerate(starts):
        shard = folder / f"shard-{number:05d}"
        if shard.exists():
            continue
        unfinished = folder / f"unfinished-{number:05d}"
        shutil.rmtree(unfinished, ignore_errors=True)
        partitions = vectors.partitions[start : start + blocks]
        # Vectors hardly repeat, so a dictionary or compression would only cost time.
        partitions.to_parquet(
            unfinished,
            write_index=False,
            use_dictionary=False,
            compression=None,
            name_function=lambda i: f"{i:06d}.parquet",  # names sort like the partitions
        )
        unfinished.rename(shard)
        print(f"{number + 1} of {len(starts)} shards", flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Start workers or connect to a cluster, and write the vectors."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", type=Path, help="file with one sentence per line")
    parser.add_argument("folder", type=Path, help="output folder")
    parser.add_argument("--model", type=Path, help="file written by ParagramEncoder.save")
    parser.add_argument("--dtype", default="float16", choices=["float16", "float32"])
    parser.add_argument("--block", type=int, default=4_000_000, help="bytes of text")
    parser.add_argument("--blocks-per-shard", type=int, default=64)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--scheduler", help="address of an existing cluster")
    args = parser.parse_args(arguments)
    encoder = ParagramEncoder() if args.model is None else load_model(args.model)
    args.folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        cluster = args.scheduler or stack.enter_context(
            LocalCluster(
                n_workers=args.workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=":0",
            )
        )
        stack.enter_context(Client(cluster))
        write_vectors(
            args.text, args.folder, encoder, args.dtype, args.block, args.blocks_per_shard
        )


if __name__ == "__main__":
    main()
