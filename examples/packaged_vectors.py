"""Score STS and word similarity by the cosine of word vectors, without training.

    python examples/packaged_vectors.py --data DATA [--vectors default FILE ...]

The packaged vectors were made from WordNet's glosses, among others, and the pairs of OnWN and FNWN
are definitions. So the means are also shown without these sets.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.preprocessing import normalize

from skpara import ParagramEncoder, WordVectors
from skpara.datasets import fetch_sts, fetch_sts_benchmark
from skpara.metrics import pearson_score, semeval_report, spearman_score
from skpara.networks import Average

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent / "papers"))
import _data
from result_tables import Cell, print_table, script_parser
from sts_overlap import benchmark_parts

GLOSSES = ("OnWN", "FNWN")


def means(scores: dict[str, float]) -> tuple[float, float | None]:
    """Return the mean of all sets, and of those that are not from glosses."""
    others = [score for name, score in scores.items() if not name.endswith(GLOSSES)]
    return float(np.mean([*scores.values()])), float(np.mean(others)) if others else None


def rows_of(encoder: ParagramEncoder, data: str | None) -> list[list[Cell]]:
    """Return the means of each year, of 2012-2015, and the parts of STS Benchmark."""
    rows: list[list[Cell]] = []
    every: dict[str, float] = {}
    for year in range(2012, 2017):
        sts = fetch_sts(year, data_home=data)
        cosines = encoder.similarity(sts.data[:, 0], sts.data[:, 1])
        report = semeval_report(sts.target, cosines, sts.groups)
        of_year = dict(zip(report.groups, report.pearson, strict=True))
        rows.append([f"STS {year}", *means(of_year), report.pearson_over_pairs])
        every |= of_year if year < 2016 else {}
    rows.append([f"the {len(every)} sets of 2012-2015", *means(every), None])
    for part in ("dev", "test"):
        for name, bunch in benchmark_parts(part, data).items():
            cosines = encoder.similarity(bunch.data[:, 0], bunch.data[:, 1])
            rows.append(
                [f"STS Benchmark {name}", None, None, pearson_score(bunch.target, cosines)]
            )
    return rows


def shortened(vectors: WordVectors, data: str | None) -> list[list[Cell]]:
    """Return Pearson's r on STS Benchmark's dev part with fewer dimensions, or without weights."""
    dev = fetch_sts_benchmark("dev", data_home=data)
    first, second = (ParagramEncoder(vectors=vectors).encode(side) for side in dev.data.T)
    rows: list[list[Cell]] = []
    for n_dims in (vectors.n_dims, vectors.n_dims // 2, vectors.n_dims // 4):
        one, other = (normalize(side[:, :n_dims].astype(float)) for side in (first, second))
        cosines = (one * other).sum(axis=1)
        rows.append([f"first {n_dims} dimensions", pearson_score(dev.target, cosines)])
    plain = ParagramEncoder(Average(redundancy=0.0), vectors=vectors)
    cosines = plain.similarity(dev.data[:, 0], dev.data[:, 1])
    return [*rows, ["plain mean", pearson_score(dev.target, cosines)]]


def word_similarity(encoder: ParagramEncoder, data: str | None) -> list[list[Cell]]:
    """Return Spearman's rho on each set of word pairs, and the mean."""
    words = _data.word_similarity(data)
    cosines = encoder.similarity(words.data[:, 0], words.data[:, 1])
    rows: list[list[Cell]] = []
    for name in np.unique(words.groups):
        of_set = words.groups == name
        rho = spearman_score(words.target[of_set], cosines[of_set])
        rows.append([str(name), int(of_set.sum()), rho])
    mean = float(np.mean([rho for *_, rho in rows]))
    return [*rows, ["mean of sets", len(cosines), mean]]


def main() -> None:
    """Print three tables for each file of vectors."""
    parser = script_parser(__doc__)
    parser.add_argument("--vectors", nargs="+", default=["default"], help="files, or default")
    args = parser.parse_args()
    for name in args.vectors:
        vectors = WordVectors.load(name)
        encoder = ParagramEncoder(vectors=vectors)
        print_table(
            f"Cosine of the mean of word vectors, {Path(name).name}: Pearson's r",
            ["pairs", "mean of sets", "without OnWN and FNWN", "by pairs"],
            rows_of(encoder, args.data),
        )
        print_table(
            f"STS Benchmark dev, {Path(name).name}: Pearson's r",
            ["vectors of sentences", "r"],
            shortened(vectors, args.data),
        )
        print_table(
            f"Word similarity, {Path(name).name}: Spearman's rho",
            ["set", "pairs", "rho"],
            word_similarity(encoder, args.data),
        )


if __name__ == "__main__":
    main()
