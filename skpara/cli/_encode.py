"""``skpara encode``: vectors of sentences."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from skpara._files import replace_file
from skpara.cli._options import add_optional_model, add_vectors_option, new_command, refuse
from skpara.cli._summary import add_json_option, print_summary
from skpara.cli._tables import add_table_input, read_input

_EXAMPLES = """\
  skpara encode sentences.txt -o vectors.npy
  skpara encode shop.csv --on title -o vectors.npy
  skpara encode sentences.txt --vectors multilingual > vectors.tsv
  echo 'A man plays a guitar.' | skpara encode
"""


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "encode",
        help="turn sentences into vectors",
        description="Write one vector for each sentence. The packaged vectors need no training.",
        examples=_EXAMPLES,
    )
    parser.add_argument(
        "table",
        nargs="?",
        default="-",
        metavar="FILE",
        help="text file with one sentence per line, or a table, UTF-8; - is standard input",
    )
    parser.add_argument(
        "--on",
        metavar="NAME",
        help="the column of sentences, by name, or by number from 1 (default: the only column, or "
        "the one with a usual name such as text or title)",
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help="output file: .npy is an array of float32, anything else has a line of numbers for "
        "each sentence, separated by tabs (default: standard output)",
    )
    add_optional_model(parser, "the packaged vectors")
    add_vectors_option(parser)
    add_table_input(parser)
    add_json_option(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.model is not None:
        refuse(arguments, ["--vectors"], "is for encoding without --model; leave out one of them.")
    if arguments.out is None:
        refuse(arguments, ["--json"], "is about the file that was written; name it with -o FILE.")
    table = read_input(arguments.table, arguments, arguments.on)
    _, sentences = table.column(arguments.on)

    import numpy as np

    vectors = _encoder(arguments).encode(sentences)
    if arguments.out is None:
        np.savetxt(sys.stdout, vectors, fmt="%.6g", delimiter="\t")
        return 0

    def write(unfinished: Path) -> None:
        with unfinished.open("wb") as out:
            if arguments.out.suffix == ".npy":
                np.save(out, vectors)
            else:
                np.savetxt(out, vectors, fmt="%.6g", delimiter="\t")

    replace_file(arguments.out, write)
    n, n_dims = vectors.shape
    facts = {"sentences": n, "dimensions": n_dims, "vectors": arguments.out}
    lines = [f"Sentences: {n}, {n_dims} numbers each", f"Vectors: {arguments.out}"]
    print_summary(arguments, facts, lines)
    return 0


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
