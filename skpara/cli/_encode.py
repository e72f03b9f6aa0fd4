"""``skpara encode``: vectors of sentences."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from skpara._files import replace_file
from skpara.cli._options import (
    add_model_option,
    add_on_option,
    add_out_option,
    add_table_options,
    add_vectors_option,
    check_suffix,
    refuse,
)
from skpara.cli._screen import results
from skpara.cli._tables import read_input

HELP = "turn sentences into vectors"
DESCRIPTION = "Write one vector per sentence. The packaged vectors need no training."
EXAMPLES = """\
  skpara encode sentences.txt -o vectors.npy
  skpara encode shop.csv --on title -o vectors.npy
  skpara encode sentences.txt --vectors spanish.safetensors > vectors.tsv
  echo 'A man plays a guitar.' | skpara encode
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table",
        nargs="?",
        default="-",
        metavar="FILE",
        help="text file with one sentence per line, or a table; - is standard input",
    )
    add_on_option(parser)
    add_out_option(
        parser,
        ": .npy is an array of float32, other files have a line of numbers per sentence, "
        "separated by tabs",
    )
    add_model_option(parser, "the packaged vectors")
    add_vectors_option(parser)
    add_table_options(parser)


def run(arguments: argparse.Namespace) -> None:
    if arguments.model is not None:
        refuse(arguments, ["--vectors"], "is for encoding without --model; leave out one of them.")
    check_suffix(arguments.out, (".npy", ".txt", ".tsv"))
    table = read_input(arguments.table, arguments, arguments.on)

    import numpy as np

    vectors = _encoder(arguments).encode(table.column(arguments.on))
    if arguments.out is None:
        np.savetxt(results(), vectors, fmt="%.6g", delimiter="\t")
        return

    def write(unfinished: Path) -> None:
        if unfinished.suffix.lower() == ".npy":
            with unfinished.open("wb") as file:  # a name in capitals would get another suffix
                np.save(file, vectors)
        else:
            np.savetxt(unfinished, vectors, fmt="%.6g", delimiter="\t")

    replace_file(arguments.out, write)
    n, n_dims = vectors.shape
    print(f"Sentences: {n}, {n_dims} numbers each\nVectors: {arguments.out}")


def _encoder(arguments: argparse.Namespace) -> Any:
    """Return the encoder of the model, or one with the packaged vectors."""
    if arguments.model is None:
        from skpara import ParagramEncoder

        return ParagramEncoder(vectors=arguments.vectors or "default")
    from skpara.explanation import parts_of
    from skpara.saving import load_model

    for part in parts_of(load_model(arguments.model)):
        if callable(getattr(part, "encode", None)):
            return part
    raise ValueError(
        f"{arguments.model} has no encoder. Leave out --model to use the packaged vectors, or "
        "train a model with `skpara train`."
    )
