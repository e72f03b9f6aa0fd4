"""A grid search over the number of words that a siamese LSTM reads of each sentence.

    python examples/tune_max_length.py [--data DATA] [--plot FILE.png]

It uses the sample that ships with the package, or the train part of STS Benchmark in ``--data``.
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.model_selection import GridSearchCV

from skpara import SiameseLSTMRegressor
from skpara.datasets import fetch_sts_benchmark, load_sts_sample
from skpara.text import tokenize

LENGTHS = [3, 5, 8, 11, 15, 20, None]


def main() -> None:
    """Run the search, print the scores, and plot them if requested."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", help="folder of the STS files; default: the sample")
    parser.add_argument("--plot", metavar="FILE", help="plot the scores to a PNG file")
    args = parser.parse_args()
    data = fetch_sts_benchmark("train", data_home=args.data) if args.data else load_sts_sample()
    search = GridSearchCV(
        SiameseLSTMRegressor(max_iter=8, device="cpu", random_state=0),
        {"max_length": LENGTHS},
        scoring="neg_mean_squared_error",
        cv=3,
        n_jobs=2,
    )
    search.fit(data.data, data.target)
    means = -search.cv_results_["mean_test_score"]
    spread = search.cv_results_["std_test_score"]
    lengths = [len(tokenize(text)) for text in data.data.ravel()]
    print(f"{len(data.data)} pairs, sentences of {np.median(lengths):.0f} words (median)")
    for length, mean, std in zip(LENGTHS, means, spread, strict=True):
        print(f"at most {length or 'all':>3} words: squared error {mean:.3f} +- {std:.3f}")
    print(f"best: max_length={search.best_params_['max_length']}")
    if args.plot:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6, 3.6), layout="constrained")
        axes = figure.subplots()
        axes.errorbar(range(len(LENGTHS)), means, yerr=spread, marker="o", capsize=3)
        axes.set_xticks(range(len(LENGTHS)), [str(n or "all") for n in LENGTHS])
        axes.set_xlabel("number of words read of each sentence")
        axes.set_ylabel("squared error on held-out pairs")
        axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(args.plot, dpi=150)


if __name__ == "__main__":
    main()
