"""Peak memory and CPU time of fit and predict by the number of pairs.

    python examples/benchmarks/resources.py --data DATA [--sizes 10000 100000] [--only PART]

Each number is of a new process that imports, fits or predicts once. Pairs are drawn from
STS 2012-2015 and captions with replacement, so that their lengths are natural. Peak memory is
of the whole process; the first row has the part that imports take.
"""

from __future__ import annotations

from measure import Measurement, parse, parser, run_child, significant, write
from result_tables import print_table

START = """
import sys
import numpy as np
import skpara
from skpara.datasets import fetch_sts, load_sts_sample
from paraphrases import fetch_paraphrases
from texts import YEARS
part, n, data = sys.argv[1], int(sys.argv[2]), sys.argv[3]
sts = fetch_sts(YEARS, split="all", data_home=data)
rng = np.random.default_rng(0)
rows = rng.integers(len(sts.data), size=n)
X, y = sts.data[rows], sts.target[rows] + rng.normal(size=n) * 0.01
y = y.clip(0, 5)
sample = load_sts_sample()
"""
WORKS = {
    "imports": "",
    "ParagramEncoder: encode": "skpara.ParagramEncoder().encode(X[:, 0].tolist())",
    "ParagramEncoder: fit": "skpara.ParagramEncoder(random_state=0).fit(X, y)",
    "LexicalFeatures: transform": "skpara.LexicalFeatures().fit(sample.data).transform(X)",
    "make_sts_pipeline: fit": "skpara.make_sts_pipeline(random_state=0).fit(X, y)",
    "make_sts_pipeline: predict": (
        "skpara.make_sts_pipeline(random_state=0).fit(sample.data, sample.target).predict(X)"
    ),
    "TableMatcher: fit and match": (
        "skpara.TableMatcher().fit(X[:, 0].tolist()).match(X[:1000, 1].tolist())"
    ),
    "Deduplicator: fit": "skpara.Deduplicator().fit(X[:, 0].tolist())",
}


def main() -> None:
    """Measure each part, and print the table."""
    options = parser(__doc__)
    options.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    args = parse(options)
    sizes = [200] if args.quick else args.sizes
    measurements, table = [], []
    for name, work in WORKS.items():
        if args.only not in name:
            continue
        cells = [name]
        for size in sizes:
            report = run_child(START + work, name, size, args.data)
            cells += [f"{report['peak']:,.0f}", significant(report["cpu"])]
            measurements += [
                Measurement(f"{name}, {size:,} pairs", report["peak"], "MB"),
                Measurement(f"{name}, {size:,} pairs, time", report["cpu"], "s"),
            ]
        table.append(cells)
    head = [f"{size:,} pairs: {what}" for size in sizes for what in ("MB", "s")]
    print_table("Peak memory and CPU time of one process", ["", *head], table)
    write(args.json, "resources", measurements)


if __name__ == "__main__":
    main()
