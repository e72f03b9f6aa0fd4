"""Vectors of the sentences of a text file of any size, to Parquet, by several processes.

One sentence a line::

    python examples/encode_with_dask.py sentences.txt vectors/ --workers 4

The file is read in blocks of ``--block`` bytes, and so many blocks as ``--blocks-a-shard`` are
written together to a folder ``vectors/shard-00000`` of their own, which takes its name when it is
whole. Stopped and started again with the same options, it goes on behind the last whole shard. Run
it with ``--scheduler tcp://host:8786`` to use a cluster that is there already.

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
from skpara import ParagramEncoder


def write_vectors(
    text: Path, folder: Path, encoder: ParagramEncoder, dtype: str, block: int, blocks: int
) -> None:
    """Write the shards that are not there yet."""
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
        some = vectors.partitions[start : start + blocks]
        # Numbers that never repeat: a dictionary of them, or compression, only costs time.
        some.to_parquet(
            unfinished,
            write_index=False,
            use_dictionary=False,
            compression=None,
            name_function=lambda i: f"{i:06d}.parquet",  # sorted by name, they are in order
        )
        unfinished.rename(shard)
        print(f"{number + 1} of {len(starts)} shards", flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Start the workers, or find them, and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", type=Path, help="one sentence a line")
    parser.add_argument("folder", type=Path, help="where the Parquet files go")
    parser.add_argument("--model", type=Path, help="written by ParagramEncoder.save")
    parser.add_argument("--dtype", default="float16", choices=["float16", "float32"])
    parser.add_argument("--block", type=int, default=4_000_000, help="bytes of text")
    parser.add_argument("--blocks-a-shard", type=int, default=64)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--scheduler", help="address of a cluster that is there already")
    given = parser.parse_args(arguments)
    encoder = ParagramEncoder() if given.model is None else ParagramEncoder.load(given.model)
    given.folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        cluster = given.scheduler or stack.enter_context(
            LocalCluster(
                n_workers=given.workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=":0",
            )
        )
        stack.enter_context(Client(cluster))
        write_vectors(
            given.text, given.folder, encoder, given.dtype, given.block, given.blocks_a_shard
        )


if __name__ == "__main__":
    main()
