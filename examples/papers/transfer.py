"""Labelled pairs: paraphrase identification, duplicate questions, entailment.

    python examples/papers/transfer.py --data DATA [--tasks msrp sick ...] [--limit N] [--seeds 5]

One recipe for five tasks. Four classifiers are trained on the labels: boosting on lexical
features and alignment statistics, a linear model and a small network on these and on vectors of
the sentences and of what they do not share, and a linear model on sparse terms. A logistic
regression combines the logarithms of their probabilities; it learns from predictions of held-out
training pairs (stacking, five folds). Where the order of two sentences does not matter, the dense
models also learn the pairs the other way round. No transformer takes part. The packaged vectors
were distilled from one, all-MiniLM, whose own training text includes Quora's questions and
Flickr30k, the captions of SNLI.

Features are fitted on the training pairs only; no test sentence is seen before it is scored. The
settings were chosen by cross-validation of the training parts, which ``--development`` prints,
those for Twitter also on the last fifth of its training pairs, since the share of paraphrases
falls over time.
SNLI is at hand as its development set only: it is scored by cross-validation in five folds, and
all hypotheses of a premise are in one fold. Folds of Twitter's pairs keep the tweets of one
headline together.

The table has, for each task and measure, the majority class, logistic regression on the cosine
of the packaged vectors, the four classifiers alone, and their combination: mean, smallest and
largest value of the runs. A run's seed draws its folds, the columns that boosting tries, and the
first weights of the network. "best F1" is that of the best threshold on the scored pairs, as
published figures are; "F1" that of the more probable class. The areas under the ROC curve of SNLI
are those of contradiction against all other pairs, and against entailment.

Y. Ji, J. Eisenstein (2013). Discriminative improvements to distributional sentence similarity.
EMNLP.

W. Lan, S. Qiu, H. He, W. Xu (2017). A continuously growing dataset of sentential paraphrases.
EMNLP.

M. Marelli, L. Bentivogli, M. Baroni, R. Bernardi, S. Menini, R. Zamparelli (2014). SemEval-2014
Task 1: evaluation of compositional distributional semantic models on full sentences. SemEval.

S. Bowman, G. Angeli, C. Potts, C. Manning (2015). A large annotated corpus for learning natural
language inference. EMNLP.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, precision_recall_curve, roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skpara import LexicalFeatures, ParagramEncoder
from skpara.features import AlignmentFeatures, TermInteractions

Labels = NDArray[Any]
METHODS = ("majority", "cosine", "boosting", "vectors", "network", "terms", "recipe")
PUBLISHED = {
    "msrp": "TF-KLD .804 (Ji and Eisenstein 2013, test sentences seen)",
    "sick": "UIUC .846 (best of SemEval-2014, on the test part)",
}


class Fold(NamedTuple):
    """Pairs to learn from and pairs to score."""

    train: NDArray[np.object_]
    labels: Labels
    groups: NDArray[np.object_] | None
    test: NDArray[np.object_]
    gold: Labels


class Task(NamedTuple):
    """A data set."""

    read: Callable[[Path, str], tuple[NDArray[np.object_], Labels]]
    measures: tuple[str, ...] = ("accuracy",)
    has_test: bool = True
    grouped: bool = False  # by the first sentence
    ordered: bool = False  # the sentences differ in kind
    symmetric: bool = False  # their order does not matter


def lines(path: Path) -> list[str]:
    """Return the lines of a file."""
    text = path.read_text(encoding="utf-8-sig").removesuffix("\n")
    return [line.removesuffix("\r") for line in text.split("\n")]


def table(path: Path, columns: Sequence[int], *, header: bool) -> tuple[Any, Labels]:
    """Read pairs and labels from the columns of a tab-separated file."""
    rows = [line.split("\t") for line in lines(path)[header:]]
    cells = np.array([[row[column] for column in columns] for row in rows], dtype=object)
    return cells[:, :2], cells[:, 2].astype(str)


def read_msrp(data: Path, part: str) -> tuple[Any, Labels]:
    """Read the Microsoft Research Paraphrase Corpus."""
    path = data / "paraphrase" / "msrp" / f"msr_paraphrase_{part}.txt"
    return table(path, (3, 4, 0), header=True)


def read_twitter(data: Path, part: str) -> tuple[Any, Labels]:
    """Read the Twitter News URL corpus."""
    folder = data / "paraphrase" / "twitter-url" / part
    pairs = np.array([lines(folder / "a.toks"), lines(folder / "b.toks")], dtype=object).T
    return pairs, np.array(lines(folder / "sim.txt"))


def read_quora(data: Path, part: str) -> tuple[Any, Labels]:
    """Read the Quora question pairs; those of the development part are learned from."""
    name = {"train": "dev.txt", "test": "test.txt"}[part]
    return table(data / "paraphrase" / "quora" / name, (0, 1, 2), header=False)


def read_sick(data: Path, part: str) -> tuple[Any, Labels]:
    """Read the entailment labels of SICK; its trial part is the test part here."""
    name = {"train": "SICK_train.txt", "test": "SICK_trial.txt"}[part]
    pairs, labels = table(data / "SICK" / name, (1, 2, 4), header=True)
    return pairs, np.char.lower(np.char.strip(labels))


def read_snli(data: Path, part: str) -> tuple[Any, Labels]:
    """Read the development set of SNLI."""
    first, second, labels = (
        lines(data / "nli" / "snli" / f"{name}.dev") for name in ("s1", "s2", "labels")
    )
    return np.array([first, second], dtype=object).T, np.array(labels)


TASKS = {
    "msrp": Task(read_msrp, symmetric=True),
    "twitter": Task(read_twitter, ("best F1", "F1", "accuracy"), grouped=True),
    "quora": Task(read_quora, symmetric=True),
    "sick": Task(read_sick),
    "snli": Task(
        read_snli,
        ("AUC, all", "AUC, entailment", "accuracy"),
        has_test=False,
        grouped=True,
        ordered=True,
    ),
}


def measure(name: str, gold: Labels, probabilities: Any, classes: Labels) -> float:
    """Return one measure of predicted probabilities."""
    if name.startswith("AUC"):
        contradiction, entailment = (
            list(classes).index(c) for c in ("contradiction", "entailment")
        )
        scores = probabilities[:, contradiction]
        if name == "AUC, entailment":
            rows = gold != "neutral"
            both = scores + probabilities[:, entailment]
            scores = (scores / np.maximum(both, 1e-30))[rows]  # both may be 0 with few pairs
            gold = gold[rows]
        return float(roc_auc_score(gold == "contradiction", scores))
    if name == "best F1":  # over all thresholds, chosen on the scored pairs as in Lan et al.
        precision, recall, _ = precision_recall_curve(gold == classes[1], probabilities[:, 1])
        return float((2 * precision * recall / np.maximum(precision + recall, 1e-9)).max())
    predicted = classes[probabilities.argmax(axis=1)]
    if name == "F1":  # of the more probable class
        return float(f1_score(gold, predicted, pos_label=classes[1]))
    return float(accuracy_score(gold, predicted))


def splits(
    labels: Labels, groups: NDArray[np.object_] | None, n_folds: int, seed: int
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return folds with equal shares of the classes; a group is in one fold."""
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    folds = kind(n_folds, shuffle=True, random_state=seed)
    return list(folds.split(np.zeros(len(labels)), labels, groups))


def classifiers(seed: int) -> dict[str, Any]:
    """Return the classifiers that are combined.

    Strong regularization suits the many correlated columns of the vectors; a tree that may try
    few of its columns differs from the others.
    """
    return {
        "boosting": HistGradientBoostingClassifier(
            learning_rate=0.05,
            max_iter=200,
            max_leaf_nodes=15,
            max_features=0.3,
            early_stopping=False,
            random_state=seed,
        ),
        "vectors": make_pipeline(StandardScaler(), LogisticRegression(C=5e-4, max_iter=200)),
        # A dozen epochs on purpose: more fit the training pairs too closely.
        "network": make_pipeline(
            StandardScaler(), MLPClassifier(64, alpha=3, max_iter=12, random_state=seed)
        ),
        "terms": LogisticRegression(C=0.1, max_iter=200),
    }


def views(fold: Fold, task: Task, n_jobs: int) -> dict[str, tuple[list[Any], list[Any]]]:
    """Return the columns of each classifier, of training pairs and of pairs to score.

    Each is a list: where the order of two sentences does not matter, there are columns of the
    pairs and of the same pairs the other way round.
    """
    sets = (fold.train, fold.test)
    lexical = LexicalFeatures(n_jobs=n_jobs).fit(fold.train)
    alignment = AlignmentFeatures().fit(fold.train)
    names = alignment.get_feature_names_out()
    n_scalars = len(lexical.features_) + sum(
        name.startswith(("first_", "second_")) for name in names
    )
    terms = TermInteractions(ordered=task.ordered).fit(fold.train)
    products = Products(names)
    orders = (slice(None), slice(None, None, -1)) if task.symmetric else (slice(None),)
    columns: dict[str, tuple[list[Any], list[Any]]] = {
        name: ([], []) for name in ("cosine", *classifiers(0))
    }
    encoder = ParagramEncoder()
    for part, pairs in enumerate(sets):
        for order in orders:
            turned = pairs[:, order]
            aligned = alignment.transform(turned).astype(np.float32)
            dense = np.hstack(
                [lexical.transform(turned), aligned], dtype=np.float32, casting="same_kind"
            )
            if part == 0 and order == orders[0]:
                products.fit(aligned)
            columns["boosting"][part].append(dense[:, :n_scalars])
            columns["vectors"][part].append(np.hstack([dense, products.transform(aligned)]))
            columns["network"][part].append(dense)
        columns["cosine"][part].append(encoder.similarity(pairs[:, 0], pairs[:, 1])[:, None])
        columns["terms"][part].append(terms.transform(pairs))
    return columns


class Products:
    """Products of what the second sentence adds with what the first one says, and adds.

    A linear model on them has a weight for each pair of topics, such as of "sleeping" against
    "running". Each vector has 32 principal components: 2 x 1,024 products, not 131,072.
    """

    def __init__(self, names: NDArray[np.object_]) -> None:
        self.columns = [
            np.flatnonzero(np.char.startswith(names.astype(str), part))
            for part in ("residue_second_", "residue_first_", "mean_first_")
        ]

    def fit(self, aligned: NDArray[np.float32]) -> None:
        """Learn the principal components."""
        size = min(32, len(aligned))  # fewer for a quick try
        self.components = [PCA(size, random_state=0).fit(aligned[:, c]) for c in self.columns]

    def transform(self, aligned: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the products."""
        second, *others = (
            pca.transform(aligned[:, c])
            for pca, c in zip(self.components, self.columns, strict=True)
        )
        products = [first[:, :, None] * second[:, None, :] for first in others]
        return np.hstack([product.reshape(len(aligned), -1) for product in products])


def fit(model: Any, columns: list[Any], labels: Labels) -> Any:
    """Fit a model to the pairs, and to the same pairs the other way round."""
    rows = columns[0] if len(columns) == 1 else np.vstack(columns)
    return model.fit(rows, np.tile(labels, len(columns)))


def score(model: Any, columns: list[Any]) -> Any:
    """Return the mean probabilities of the pairs and of the pairs the other way round."""
    return np.mean([model.predict_proba(rows) for rows in columns], axis=0)


def predict(fold: Fold, columns: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return the probabilities of the classes by each method.

    The five models that predict held-out training pairs also score: their mean varies less than
    one model trained on all pairs, and the combination has learned how sure such models are.
    """
    probabilities = {}
    train, test = columns["cosine"]
    for name, model in (("majority", DummyClassifier()), ("cosine", LogisticRegression())):
        probabilities[name] = score(fit(model, train, fold.labels), test)
    folds = splits(fold.labels, fold.groups, 5, seed)
    held_out = []
    for name, model in classifiers(seed).items():
        train, test = columns[name]
        predicted = np.zeros((len(fold.labels), len(np.unique(fold.labels))))
        scored = []
        for rows, others in folds:
            fit(model, [part[rows] for part in train], fold.labels[rows])
            predicted[others] = score(model, [part[others] for part in train])
            scored.append(score(model, test))
        held_out.append(predicted)
        probabilities[name] = np.mean(scored, axis=0)
    combination = LogisticRegression(C=0.1).fit(_logarithms(held_out), fold.labels)
    scored = [probabilities[name] for name in classifiers(seed)]
    probabilities["recipe"] = combination.predict_proba(_logarithms(scored))
    return probabilities


def _logarithms(probabilities: Sequence[Any]) -> NDArray[np.float64]:
    # The bound keeps one overconfident classifier from deciding alone.
    return np.log(np.hstack(probabilities).clip(1e-4, 1))


def evaluation_folds(
    task: Task, data: Path, limit: int | None, development: bool
) -> Iterator[Fold]:
    """Yield what to learn from and what to score: the test part, or folds of the training part."""

    def read(part: str) -> tuple[Any, Labels]:
        pairs, labels = task.read(data, part)
        rows = np.arange(len(pairs))
        if limit is not None and limit < len(pairs):
            rows = np.linspace(0, len(pairs) - 1, limit).astype(int)
        return pairs[rows], labels[rows]

    pairs, labels = read("train")
    groups = pairs[:, 0] if task.grouped else None
    if task.has_test and not development:
        yield Fold(pairs, labels, groups, *read("test"))
        return
    for train, test in splits(labels, groups, 5, seed=0):
        yield Fold(
            pairs[train],
            labels[train],
            None if groups is None else groups[train],
            pairs[test],
            labels[test],
        )


def run(name: str, args: argparse.Namespace) -> None:
    """Print the rows of one task."""
    task = TASKS[name]
    gold: list[Labels] = []
    predicted: list[list[dict[str, Any]]] = [[] for _ in range(args.seeds)]
    for fold in evaluation_folds(task, Path(args.data), args.limit, args.development):
        columns = views(fold, task, args.n_jobs)
        gold.append(fold.gold)
        for seed, folds in enumerate(predicted):
            folds.append(predict(fold, columns, seed))
    labels = np.concatenate(gold)
    classes = np.unique(labels)
    for measured in task.measures:
        cells = []
        for method in METHODS:
            values = [
                measure(measured, labels, np.vstack([fold[method] for fold in folds]), classes)
                for folds in predicted
            ]
            cells.append(f"{np.mean(values):>9.3f}")
        print(
            f"{name:<9}{measured:<17}{len(labels):>6}{''.join(cells)}"
            f"  {min(values):.3f}-{max(values):.3f}",
            flush=True,
        )
    if name in PUBLISHED:
        print(f"{'':<9}published: {PUBLISHED[name]}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", default=os.environ.get("SKPARA_DATA"), help="folder of the sets")
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--limit", type=int, help="number of pairs of each part, for a quick try")
    parser.add_argument("--seeds", type=int, default=5, help="number of runs")
    parser.add_argument(
        "--development", action="store_true", help="cross-validate the training parts instead"
    )
    parser.add_argument("--n-jobs", type=int, default=1)
    args = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)  # the network stops early on purpose
    if args.data is None:
        parser.error("pass --data, or set SKPARA_DATA")
    part = "five folds of the training parts" if args.development else "test parts"
    print(f"Scored: {part}; SNLI: five folds of its development set. Runs: {args.seeds}.")
    print(f"{'task':<9}{'measure':<17}{'pairs':>6}" + "".join(f"{m:>9}" for m in METHODS), end="")
    print("  range")
    for name in args.tasks:
        run(name, args)


if __name__ == "__main__":
    main()
