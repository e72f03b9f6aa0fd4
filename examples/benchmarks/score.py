"""Pairs per second from text to score, on one core.

    taskset -c 0 python examples/benchmarks/score.py --data DATA --model models/all-MiniLM-L6-v2

The pairs are drawn at random from STS 2012-2015, and are the same for all models. The models are
fitted on the packaged sample. Tables and caches are filled before the clock starts. Medians of the
repeats are printed.

encoder      cosine of averaged word vectors
fusion fast  the whole pipeline without tagger and WordNet, ``LexicalFeatures("fast")``
fusion       the whole pipeline
model        cosine of a sentence-transformers model, on a tenth of the pairs
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from skpara import LexicalFeatures, SentenceTransformerFeature, make_sts_pipeline
from skpara.datasets import fetch_sts, load_sts_sample

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import print_table


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", help="folder of the STS files; default $SKPARA_DATA or cache")
    parser.add_argument("--model", help="folder of a sentence-transformers model")
    parser.add_argument("--pairs", type=int, default=4000)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    sample = load_sts_sample()
    every = fetch_sts(range(2012, 2016), split="all", data_home=args.data).data
    pairs = np.random.default_rng(0).permutation(every)[: args.pairs]
    fusion, fast = (
        make_sts_pipeline(lexical=LexicalFeatures(features), random_state=0).fit(
            sample.data, sample.target
        )
        for features in ("all", "fast")
    )
    encoder = dict(fusion["features"].transformer_list)["encoder"]
    rows: dict[str, tuple[Callable[[np.ndarray], np.ndarray], np.ndarray]] = {
        "encoder": (encoder.transform, pairs),
        "fusion fast": (fast.predict, pairs),
        "fusion": (fusion.predict, pairs),
    }
    if args.model:
        model = SentenceTransformerFeature(args.model, device="cpu").fit(sample.data)
        rows["model"] = (model.transform, pairs[: len(pairs) // 10])
    speeds = []
    for name, (score, shown) in rows.items():
        score(shown)
        seconds = []
        for _ in range(args.repeats):
            start = time.perf_counter()
            score(shown)
            seconds.append(time.perf_counter() - start)
        speeds.append([name, round(len(shown) / np.median(seconds))])
    print_table(f"Medians of {args.repeats} rounds", ["model", "pairs/s"], speeds)


if __name__ == "__main__":
    main()
