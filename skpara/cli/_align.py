"""``skpara align-vectors``: word vectors for more languages, from sentences and translations."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from skpara.cli._options import (
    UsageError,
    add_format_options,
    new_command,
    open_pairs,
    positive_int,
    step,
)
from skpara.cli._summary import add_json_option, print_summary

_EXAMPLES = """\
  skpara align-vectors --bitext spa.txt fra.txt
  skpara align-vectors --bitext spa.txt -o spanish.safetensors
"""


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "align-vectors",
        help="add words of other languages to the word vectors, from translated sentences",
        description="Learn vectors for the words of other languages from English sentences and "
        "their translations, and write one table that has the words of all these languages. Name "
        "the files of all languages at once. A hundred thousand sentences are enough for a "
        "language, and take about ten seconds.",
        examples=_EXAMPLES,
    )
    parser.add_argument(
        "--bitext",
        nargs="+",
        metavar="FILE",
        required=True,
        help="files with an English sentence and its translation per row, UTF-8, such as those of "
        "Tatoeba at manythings.org/anki; dictionaries too",
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help="output file, .safetensors or .npz (default: the file in the cache folder that "
        "vectors='multilingual' reads)",
    )
    parser.add_argument(
        "--vectors",
        default="default",
        metavar="FILE",
        help="word vectors of the first language (default: the English ones of skpara)",
    )
    parser.add_argument(
        "--min-count",
        type=positive_int,
        default=2,
        metavar="N",
        help="leave out words of fewer translations (default: 2; use 1 with dictionaries)",
    )
    add_format_options(parser, scored=False)
    add_json_option(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.bitext.count("-") > 1:
        raise UsageError("Only one of the files can be standard input.")
    files = []
    for name in arguments.bitext:
        files.append(open_pairs(argparse.Namespace(**{**vars(arguments), "pairs": name})))

    import numpy as np

    from skpara import WordVectors
    from skpara.encoders import align_vectors
    from skpara.resources import multilingual_path

    out = arguments.out or multilingual_path()
    if out.suffix not in (".safetensors", ".npz"):  # before minutes of work
        raise ValueError(f"{out}: word vectors are saved as .safetensors or .npz; rename it.")
    table = WordVectors.load(arguments.vectors)
    pairs: list[tuple[str, str]] = []
    for file in files:
        with step(f"Reading {file.name}"):
            rows = [row.pair for row in file]
        if not rows:
            raise ValueError(f"{file.name} holds no pairs.")
        pairs += rows
    n_rows = len(pairs)
    pairs = list(dict.fromkeys(pairs))
    with step(f"Learning from {len(pairs)} pairs"):
        aligned = align_vectors(
            np.array(pairs, dtype=object), table, min_count=arguments.min_count
        )
    with step("Saving"):
        aligned.save(out)
    n_added, size = len(aligned) - len(table), out.stat().st_size
    lines = [
        f"Pairs: {n_rows}, of which {len(pairs)} are different",
        f"Words: {len(table)} of the first language, {n_added} added",
        f"Vectors: {out} ({size / 1e6:.0f} MB)",
    ]
    if arguments.out is None:
        lines.append("Use them with vectors='multilingual'.")
    facts: dict[str, Any] = {"pairs": n_rows, "different_pairs": len(pairs), "words": len(table)}
    facts |= {"added_words": n_added, "vectors": str(out), "bytes": size}
    print_summary(arguments, facts, lines)
    return 0
