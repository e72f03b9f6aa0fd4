"""``skpara similarity``: how alike two sentences are, without a model."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from skpara._files import replace_file
from skpara.cli._options import (
    add_pairs_or_sentences,
    add_vectors_option,
    new_command,
    pair_of_arguments,
)
from skpara.cli._predict import add_output_options, write_scores

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

_EXAMPLES = """\
  skpara similarity "A man plays a guitar." "Someone is playing music."
  skpara similarity pairs.csv --with-pairs -o scored.csv
  skpara similarity pairs.csv --scale 0 5
  printf 'A man plays.\\tMusic is played.\\n' | skpara similarity
"""


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "similarity",
        help="score pairs without a model",
        description="Score pairs of sentences by the cosine of the packaged sentence vectors, "
        "which need no training: 0 for unrelated sentences, 1 for equal ones. A model that was "
        "trained on pairs like yours is better: see `skpara train`.",
        examples=_EXAMPLES,
    )
    add_pairs_or_sentences(parser)
    parser.add_argument(
        "--scale",
        nargs=2,
        type=float,
        metavar=("LOW", "HIGH"),
        default=(0.0, 1.0),
        help="scores of unrelated and of equal sentences (default: 0 1)",
    )
    add_vectors_option(parser)
    add_output_options(parser)
    parser.set_defaults(run=_run, interval=None)


def _run(arguments: argparse.Namespace) -> int:
    pair = pair_of_arguments(arguments)
    if pair is None:
        return write_scores(arguments, lambda _: _scorer(arguments))
    model = _scorer(arguments)
    values = [model.predict([pair])[0]]
    if arguments.novelty:
        from skpara.explanation import novelty

        values.append(novelty(model, [pair])[0])
    text = "\t".join(f"{value:.4f}" for value in values) + "\n"
    if arguments.out is None:
        sys.stdout.write(text)
    else:
        replace_file(arguments.out, lambda path: path.write_text(text))
    return 0


def _scorer(arguments: argparse.Namespace) -> Pipeline:
    from skpara.fusion import make_cosine_scorer

    return make_cosine_scorer(arguments.vectors or "default", score_range=tuple(arguments.scale))
