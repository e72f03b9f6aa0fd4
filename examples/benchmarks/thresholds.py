"""Do thresholds of FusionClassifier reach their target on new pairs? A simulation.

Features are normal, with another mean for the second class; labels of the "noisy" ones are drawn
anew for one pair in ten, so that no probability is near 1. A quarter of the samples each has no
weights, weights of 100, of .01, and random ones (exponential). Of each sample a classifier is
learned, and each threshold is tried on 50,000 new pairs. With --boosting, eight features and
gradient boosting take the place of one feature.

A case is a kind of features and a target (precision .6, .8, .9 and .95; recall .5, .8, .9 and
.95). For the cases of each share of the second class and number of pairs, the table has: mean of
the reached minus the targeted value, over the thresholds that were found; the same for the case
where it is lowest; the share of pairs of the second class above the thresholds for a precision
(0 where none was found), or the precision at thresholds for a recall; and in how many of 100
samples of the worst case a target with a confidence of .9 was kept (by no threshold, too). Cases
with thresholds in fewer than a fifth of the samples count in the mean, not as lowest.

Run: python examples/benchmarks/thresholds.py [--samples 100] [--boosting]
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

from skpara import FusionClassifier

SHARES, SIZES = (0.05, 0.1, 0.2, 0.5), (100, 300, 1000, 3000)
KINDS = (("normal", 1), ("normal", 2), ("noisy", 3))
TARGETS = {"precision": (0.6, 0.8, 0.9, 0.95), "recall": (0.5, 0.8, 0.9, 0.95)}
N_NEW = 50_000


def draw(
    rng: np.random.Generator, kind: str, distance: float, n: int, share: float, n_features: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return features and labels of pairs."""
    labels = rng.random(n) < share
    columns = rng.normal(size=(n, n_features))
    columns += distance * labels[:, None] / n_features**0.5
    if kind == "noisy":
        labels = np.where(rng.random(n) < 0.1, rng.random(n) < share, labels)
    return columns, labels


def weights(rng: np.random.Generator, n: int, sample: int) -> np.ndarray | None:
    """Return weights of another unit for each sample."""
    return (None, np.full(n, 100.0), np.full(n, 0.01), rng.exponential(size=n))[sample % 4]


def reached(model: FusionClassifier, columns: np.ndarray, labels: np.ndarray) -> dict:
    """Return what is reached on new pairs for each target, and the other measure; or None."""
    probabilities, found = model.predict_proba(columns)[:, 1], {}
    for name, targets in TARGETS.items():
        for target, confidence in itertools.product(targets, (None, 0.9)):
            try:
                threshold = model.threshold(**{name: target}, confidence=confidence)
            except ValueError:
                found[name, target, confidence] = (np.nan, 0.0)
                continue
            above = probabilities >= threshold
            pair = labels[above].mean() if above.any() else 1.0, above[labels].mean()
            found[name, target, confidence] = pair if name == "precision" else pair[::-1]
    return found


def row(share: float, n: int, args: argparse.Namespace) -> list[str]:
    """Return a line of the table."""
    cases: dict = {}
    n_features = 8 if args.boosting else 1
    for number, (kind, distance) in enumerate(KINDS):
        for sample in range(args.samples):
            rng = np.random.default_rng([number, sample, n, int(100 * share)])
            labels = np.zeros(n, dtype=bool)
            while not 2 <= labels.sum() <= n - 2:
                columns, labels = draw(rng, kind, distance, n, share, n_features)
            model = FusionClassifier(random_state=0)
            model.fit(columns, labels, sample_weight=weights(rng, n, sample))
            new = draw(rng, kind, distance, N_NEW, share, n_features)
            for key, pair in reached(model, *new).items():
                cases.setdefault((number, *key), []).append(pair)
    cells = [f"{share:g}", f"{n:,}"]
    for name in TARGETS:
        misses, lowest, other, kept = [], [np.nan], [], [1.0]
        for (_, kind, target, confidence), pairs in cases.items():
            if kind != name:
                continue
            values, others = np.transpose(pairs)
            found = values[~np.isnan(values)] - target
            if confidence:
                kept.append(1 - np.mean(values < target))
                continue
            misses.extend(found)
            other.extend(others)
            if len(found) >= len(pairs) / 5:
                lowest.append(found.mean())
        mean = f"{np.mean(misses):+.3f}" if misses else "none"
        worst = "none" if len(lowest) == 1 else f"{np.nanmin(lowest):+.3f}"
        cells += [mean, worst, f"{np.mean(other):.3f}", f"{100 * min(kept):.0f}"]
    return cells


def main() -> None:
    """Print the table, line by line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--boosting", action="store_true")
    args = parser.parse_args()
    names = ("mean", "lowest", "other", "kept")
    titles = ["share", "pairs", *(f"{kind[0]}: {name}" for kind in TARGETS for name in names)]
    print(" ".join(f"{title:>9}" for title in titles))
    sizes = SIZES[:3] if args.boosting else SIZES
    for share, n in itertools.product(SHARES, sizes):
        print(" ".join(f"{cell:>9}" for cell in row(share, n, args)), flush=True)


if __name__ == "__main__":
    main()
