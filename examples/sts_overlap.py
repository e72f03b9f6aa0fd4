"""Count the pairs of STS Benchmark that are also pairs of the yearly tasks.

    python examples/sts_overlap.py --data DATA

Settings of skpara were chosen on STS 2012-2015, and STS Benchmark was selected from STS 2012-2017,
so most of its dev and test pairs took part in these choices. Tables of STS Benchmark therefore
also show the part of it that is not in 2012-2015. Two pairs are the same if they have the same
two texts, in any order, apart from white space.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from skpara.datasets import fetch_sts, fetch_sts_benchmark

sys.path.insert(0, str(Path(__file__).parent))
from result_tables import print_table, script_parser

CHOSEN_ON = range(2012, 2016)


def pair_keys(pairs: Iterable[Sequence[str]]) -> list[frozenset[str]]:
    """Return what two equal pairs have in common."""
    return [frozenset(" ".join(sentence.split()) for sentence in pair) for pair in pairs]


def in_years(
    pairs: Iterable[Sequence[str]], years: Iterable[int], data: str | None
) -> NDArray[np.bool_]:
    """Return which pairs are pairs of these years, scored or not."""
    earlier = fetch_sts(list(years), split="all", include_unscored=True, data_home=data)
    known = set(pair_keys(earlier.data))
    return np.array([pair in known for pair in pair_keys(pairs)], dtype=bool)


def benchmark_parts(part: str, data: str | None) -> dict[str, Bunch]:
    """Return a part of STS Benchmark, whole and without the pairs of 2012-2015."""
    whole = fetch_sts_benchmark(part, data_home=data)
    remaining = ~in_years(whole.data, CHOSEN_ON, data)
    parts = {f"{part}, all {len(remaining)} pairs": whole}
    if remaining.any():
        parts[f"{part}, the {remaining.sum()} not in 2012-2015"] = Bunch(
            data=whole.data[remaining], target=whole.target[remaining]
        )
    return parts


def main() -> None:
    """Print how many pairs of each part are in each year."""
    parser = script_parser(__doc__)
    args = parser.parse_args()
    years = range(2012, 2017)
    rows = []
    for part in ("train", "dev", "test"):
        pairs = fetch_sts_benchmark(part, data_home=args.data).data
        counts = [int(in_years(pairs, [year], args.data).sum()) for year in years]
        chosen_on = int(in_years(pairs, CHOSEN_ON, args.data).sum())
        share = f"{100 * chosen_on / len(pairs):.0f} %"
        rows.append([part, len(pairs), *counts, chosen_on, share])
    print_table(
        "Pairs of STS Benchmark that are pairs of the yearly tasks",
        ["part", "pairs", *map(str, years), "2012-2015", "share"],
        rows,
    )


if __name__ == "__main__":
    main()
