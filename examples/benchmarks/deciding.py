"""Do two sentences mean the same? Quality, calibration, and a target precision.

Each classifier learns from the training part of a data set, and is scored once on the test part.
Quora: from the first 4,000 pairs of the development part, on the first 3,000 of the test part.
Twitter's pairs of one headline are held out together for the calibration. The rival is a logistic
regression on the cosine of all-MiniLM-L6-v2, whose own training text includes Quora's questions;
the packaged vectors were distilled from it. It learns its two numbers from at most 2,000 training
pairs. "packaged" classifiers learn from no label of the data set.

AUC, accuracy and F1 of the more probable class, best F1 (of the best threshold on the test pairs);
calibration error: mean difference between probability and share of paraphrases in 15 equal
intervals; precision and recall on the test pairs at ``threshold(precision=.95)``; seconds of
processor time to fit, and pairs a second. What is trained is trained with several seeds, and the
range is in brackets; times are of the first, and so is the reliability diagram of the guide, which
--figure FILE draws.

Opposites and repeats: the hand-made pairs of opposites.txt, whose words are mostly equal. The AUC
of a kind compares its pairs with all pairs of the other side. MiniLM's regression is Quora's.

Run: python examples/benchmarks/deciding.py --data DATA [--model MINILM] [--only quora|opposites]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measure import parse, parser
from result_tables import over_seeds, print_table
from sklearn.metrics import accuracy_score, f1_score, precision_recall_curve, roc_auc_score
from sklearn.pipeline import make_pipeline

from skpara import FusionClassifier, ParagramEncoder, load_pair_classifier, make_pair_classifier

sys.path.insert(0, str(Path(__file__).parents[1] / "papers"))
from transfer import TASKS

PAIRS = Path(__file__).with_name("opposites.txt")
SETS = {"quora": (4000, 3000), "msrp": (None, None), "twitter": (None, None)}
TARGET = 0.95
N_INTERVALS = 15
COLUMNS = ("AUC", "accuracy", "F1", "best F1", "calibration error",
           f"precision, {TARGET:g} targeted", "recall", "fit, s", "pairs/s")  # fmt: skip


class Transformer:
    """Cosines of a sentence-transformers model, which encodes each sentence once."""

    def __init__(self, folder: str) -> None:
        from sentence_transformers import SentenceTransformer

        self.model = SentenceTransformer(folder, device="cpu")
        self.vectors: dict[str, Any] = {}

    def cosines(self, pairs: Any) -> Any:
        """Return a column of cosines."""
        texts = pairs.astype(str)
        new = [text for text in np.unique(texts).tolist() if text not in self.vectors]
        if new:
            units = self.model.encode(new, batch_size=64, normalize_embeddings=True)
            self.vectors |= zip(new, units, strict=True)
        first, second = (np.array([self.vectors[text] for text in side]) for side in texts.T)
        return (first * second).sum(axis=1)[:, None].astype(np.float64)


class CosineClassifier:
    """Logistic regression on the cosine of a transformer."""

    def __init__(self, transformer: Transformer, seed: int) -> None:
        self.transformer, self.seed = transformer, seed

    def fit(self, pairs: Any, labels: Any, groups: Any = None) -> CosineClassifier:
        """Fit the regression on some pairs of the training part."""
        rows = np.random.default_rng(self.seed).permutation(len(pairs))[:2000]
        groups = None if groups is None else groups[rows]
        # With one column, FusionClassifier is a calibrated logistic regression.
        self.classifier = FusionClassifier(random_state=self.seed)
        self.classifier.fit(self.transformer.cosines(pairs[rows]), labels[rows], groups=groups)
        return self

    def predict_proba(self, pairs: Any) -> Any:
        """Return the probabilities of both classes."""
        return self.classifier.predict_proba(self.transformer.cosines(pairs))

    def threshold(self, *, precision: float) -> float:
        """Return the threshold for a target precision."""
        return self.classifier.threshold(precision=precision)


class Packaged:
    """The packaged classifier, which is not fitted."""

    def __init__(self) -> None:
        self.model = load_pair_classifier()
        self.predict_proba = self.model.predict_proba
        self.threshold = self.model.threshold

    def fit(self, pairs: Any, labels: Any, groups: Any = None) -> Packaged:
        """Do nothing."""
        return self


def classifiers(transformer: Transformer | None) -> dict[str, Callable[[int], Any]]:
    """Return functions that make the classifiers of a seed."""
    made: dict[str, Callable[[int], Any]] = {
        "packaged": lambda _: Packaged(),
        "make_pair_classifier": lambda seed: make_pair_classifier(random_state=seed),
    }
    if transformer is not None:
        made["all-MiniLM-L6-v2"] = lambda seed: CosineClassifier(transformer, seed)
    return made


def calibration_error(truth: Any, probabilities: Any) -> float:
    """Return the expected calibration error."""
    interval = np.minimum((probabilities * N_INTERVALS).astype(int), N_INTERVALS - 1)
    differences = np.bincount(interval, probabilities - truth, minlength=N_INTERVALS)
    return float(np.abs(differences).sum() / len(truth))


def score(truth: Any, probabilities: Any, threshold: float | None) -> list[float | None]:
    """Return the measures of predicted probabilities."""
    predicted = probabilities > 0.5
    precision, recall, _ = precision_recall_curve(truth, probabilities)
    best = (2 * precision * recall / np.maximum(precision + recall, 1e-9)).max()
    reached: list[float | None] = [None, None]
    if threshold is not None:
        above = probabilities >= threshold
        reached = [float(truth[above].mean()), float(above[truth].mean())]
    return [
        float(roc_auc_score(truth, probabilities)), float(accuracy_score(truth, predicted)),
        float(f1_score(truth, predicted)), float(best),
        calibration_error(truth, probabilities), *reached,
    ]  # fmt: skip


def run(name: str, args: Any, transformer: Transformer | None) -> dict[str, tuple[Any, Any]]:
    """Print the table of a data set, and return the probabilities of the first seed."""
    task, parts = TASKS[name], []
    for part, n_pairs in zip(("train", "test"), SETS[name], strict=True):
        pairs, labels = task.read(args.data, part)
        n_pairs = min(n_pairs or len(pairs), 300 if args.quick else len(pairs))
        parts.append((pairs[:n_pairs], labels[:n_pairs] == "1"))
    (train, labels), (test, truth) = parts
    groups = train[:, 0].astype(str) if task.grouped else None
    rows_by_seed, by_name = [], {}
    for seed in range(args.seeds):
        rows = []
        for method, make in classifiers(transformer).items():
            start = time.process_time()
            model = make(seed).fit(train, labels, groups=groups)
            fitted = time.process_time()
            probabilities = model.predict_proba(test)[:, 1]
            seconds = time.process_time() - fitted
            try:
                threshold = model.threshold(precision=TARGET)
            except ValueError:  # no threshold reaches it
                threshold = None
            times = f"{fitted - start:.1f}", f"{len(test) / seconds:,.0f}"
            rows.append([method, *score(truth, probabilities, threshold), *times])
            by_name.setdefault(method, (truth, probabilities))
        rows_by_seed.append(rows)
    title = f"{name}: {len(train):,} pairs to learn from, {len(test):,} scored"
    title = f"{title}, {100 * truth.mean():.0f} % paraphrases"
    print_table(title, ["", *COLUMNS], over_seeds(rows_by_seed))
    sys.stdout.flush()
    return by_name


def read_hand_made(half: str) -> tuple[Any, Any, Any]:
    """Return the pairs, whether they repeat each other, and their kinds."""
    pairs, repeats, kinds = [], [], []
    side = kind = own = ""
    for line in PAIRS.read_text("utf8").split("\n"):
        if line.startswith("["):
            side, kind, own = line.strip("[]").split()
        elif own == half and " | " in line:
            pairs.append(line.split(" | "))
            repeats.append(side == "repeat")
            kinds.append(f"{side}: {kind}")
    return np.array(pairs, dtype=object), np.array(repeats), np.array(kinds)


def print_hand_made(args: Any, transformer: Transformer | None) -> None:
    """Print the tables of opposites and repeats, and of their kinds."""
    models: dict[str, Any] = {"packaged": Packaged()}
    encoder = ParagramEncoder(max_iter=0, output="similarity")
    cosine = make_pipeline(encoder, FusionClassifier(random_state=0))
    train, labels = (part[:2000] for part in TASKS["quora"].read(args.data, "train"))
    models["cosine"] = cosine.fit(train, labels == "1")
    if transformer is not None:
        cosine_classifier = CosineClassifier(transformer, 0)
        models["all-MiniLM-L6-v2"] = cosine_classifier.fit(train, labels == "1")
    for half in ("develop", "report"):
        pairs, repeats, kinds = read_hand_made(half)
        by_name = {name: model.predict_proba(pairs)[:, 1] for name, model in models.items()}
        n_repeats = int(repeats.sum())
        print_table(
            f"{len(pairs) - n_repeats} opposites and {n_repeats} repeats, {half}",
            ["", "AUC", "opposites above .8", "above .5", "repeats above .5"],
            [
                [name, float(roc_auc_score(repeats, p)), float((p[~repeats] > 0.8).mean()),
                 float((p[~repeats] > 0.5).mean()), float((p[repeats] > 0.5).mean())]
                for name, p in by_name.items()
            ],
        )  # fmt: skip
    rows = []
    for kind in dict.fromkeys(kinds.tolist()):
        own = kinds == kind
        against = own | (repeats != repeats[own][0])
        aucs = [float(roc_auc_score(repeats[against], p[against])) for p in by_name.values()]
        rows.append([kind, int(own.sum()), *aucs])
    print_table("Opposites and repeats by kind, report, AUC", ["", "pairs", *by_name], rows)


def draw(path: Path, by_set: dict[str, dict[str, tuple[Any, Any]]]) -> None:
    """Draw how probabilities and shares of paraphrases agree."""
    import matplotlib.pyplot as plt
    from sklearn.calibration import calibration_curve

    figure, axes = plt.subplots(1, len(by_set), figsize=(9, 3.4), sharey=True, squeeze=False)
    for axis, (name, by_name) in zip(axes[0], by_set.items(), strict=True):
        axis.plot([0, 1], [0, 1], color="gray", linewidth=1, linestyle="--")
        for method, (truth, probabilities) in by_name.items():
            shares, means = calibration_curve(truth, probabilities, n_bins=10, strategy="quantile")
            axis.plot(means, shares, marker="o", markersize=4, label=method)
        axis.set(title=name, xlabel="predicted probability", aspect="equal")
    axes[0, 0].set_ylabel("share of paraphrases")
    axes[0, 0].legend(fontsize=8, frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    """Print the tables."""
    options = parser(__doc__)
    options.add_argument("--model", help="folder of all-MiniLM-L6-v2")
    options.add_argument("--figure", type=Path, help="file for the reliability diagram")
    options.add_argument("--seeds", type=int, default=3, help="runs of what is trained")
    args = parse(options)
    transformer = Transformer(args.model) if args.model else None
    by_set = {name: run(name, args, transformer) for name in SETS if args.only in name}
    if args.only in "opposites":
        print_hand_made(args, transformer)
    if args.figure:
        draw(args.figure, by_set)


if __name__ == "__main__":
    main()
