"""Do paraphrases help other tasks? The transfer tables of the "universal embeddings" slides.

    python examples/papers/wieting_2016_transfer.py --data DATA --vectors GLOVE
    python examples/papers/wieting_2016_transfer.py --data DATA --vectors GLOVE --sst SST

An encoder learns from paraphrases: English sentences with the same translation, simplifications,
split sentences, and words of PPDB. (Captions are left out: captions in SNLI and SICK describe the
same photographs.) Then the same network learns each task in five ways:

from scratch   from random word vectors
word vectors   from those that the encoder started from
initialize     from the encoder
regularize     from the encoder, and word decay pulls towards it
features       from the encoder, whose word vectors stay as they are

Tasks are similarity (Pearson's r on SICK trial), entailment (accuracy on SICK trial; on the dev
part of SNLI accuracy, and the area under the ROC curve of contradictions against the rest) and,
with files of the Stanford Sentiment Treebank, sentiment (accuracy on its test part). Learning rate
and word decay are chosen by cross-validation on the train part of SICK or SST. SNLI has no train
part here: its pairs are predicted by cross-validation over premises, with the settings of SICK.
Each cell is the mean over seeds, with the smallest and largest value in brackets.

J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
embeddings. ICLR.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict

from skpara import (
    ParagramEncoder,
    SentenceClassifier,
    SiameseClassifier,
    SiameseRegressor,
    WordVectors,
)
from skpara.datasets import fetch_sick, get_data_home
from skpara.learning import Adam, Negatives, Start
from skpara.metrics import pearson_score, pearson_scorer
from skpara.networks import Average

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(1, str(Path(__file__).parent))
import _data
from paraphrases import fetch_paraphrases
from result_tables import mean_and_range, print_table, script_parser

# Largest fraction of the paraphrases that comes from a source.
SHARES = {
    "tatoeba-spa": 0.3,
    "tatoeba-fra": 0.3,
    "asset": 0.1,
    "wikisplit": 0.1,
    "simple-wikipedia": 0.05,
    "ppdb-lexical": 0.3,
}
# Mean length of the initial vectors of every model: what an estimator does with plain vectors.
# An encoder's vectors are taken as they are, so it has to start with this length too.
NORM = 12.0
RATES = (0.001, 0.003)
DECAYS = (1e-6, 1e-5, 1e-4)
TASKS = ("similarity", "entailment", "snli", "sentiment")


class Row(NamedTuple):
    """A way to learn a task: parameters of the estimator, and those to choose from."""

    parameters: dict[str, Any]
    grid: dict[str, list[float]]


def paraphrases(data: str | None, n_pairs: int) -> NDArray[np.object_]:
    """Return about ``n_pairs`` pairs, shuffled, of the sources that are available."""
    rng = np.random.default_rng(0)
    parts = []
    for name, share in SHARES.items():
        try:
            pairs = fetch_paraphrases(name, data_home=data).data
        except FileNotFoundError as error:
            print(f"without {name}: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        parts.append(rng.permutation(pairs)[: int(share * n_pairs)])
    return rng.permutation(np.vstack(parts))


def make_rows(network: Any, vectors: WordVectors, args: argparse.Namespace) -> dict[str, Row]:
    """Train the encoder, and return the ways to learn a task."""
    encoder = ParagramEncoder(
        network,
        vectors=Start(vectors, norm=NORM),
        negatives=Negatives("mix", margin=0.4),
        optimizer=Adam(0.01),
        word_decay=1e-6,
        network_decay=1e-6,
        max_iter=args.encoder_epochs,
        early_stopping=True,
        random_state=0,
    )
    frozen = FrozenEstimator(encoder.fit(paraphrases(args.data, args.n_pairs)))
    print(f"{network}: encoder of {encoder.n_iter_} epochs", file=sys.stderr, flush=True)
    noise = np.random.default_rng(0).standard_normal(vectors.matrix.shape, dtype=np.float32)
    rates: dict[str, list[Any]] = {"optimizer": [Adam(rate) for rate in args.rates]}
    decays = rates | {"word_decay": list(args.decays)}
    return {
        "from scratch": Row({"vectors": WordVectors(vectors.vocabulary, noise)}, rates),
        "word vectors": Row({"vectors": vectors}, rates),
        "initialize": Row({"vectors": frozen}, rates),
        "regularize": Row({"vectors": Start(frozen, decay_target=frozen)}, decays),
        "features": Row({"vectors": frozen, "trainable_vectors": False}, rates),
    }


def choose(estimator: Any, row: Row, X: Any, y: Any, scoring: Any, folds: int) -> Any:
    """Return the estimator with the parameters that are best in cross-validation."""
    estimator = clone(estimator).set_params(**row.parameters, random_state=0)
    if all(len(values) == 1 for values in row.grid.values()):
        return estimator.set_params(**{name: values[0] for name, values in row.grid.items()})
    search = GridSearchCV(
        estimator, row.grid, scoring=scoring, cv=folds, refit=False, error_score="raise"
    ).fit(X, y)
    return estimator.set_params(**search.best_params_)


def held_out_scores(
    estimator: Any, train: Any, test: Any, measure: Callable[..., float], seeds: int
) -> list[float]:
    """Return the score of each seed on the test part."""
    return [
        measure(
            test[1], clone(estimator).set_params(random_state=seed).fit(*train).predict(test[0])
        )
        for seed in range(seeds)
    ]


def snli_scores(
    estimator: Any, pairs: NDArray[np.object_], labels: NDArray[Any], args: argparse.Namespace
) -> tuple[list[float], list[float]]:
    """Return accuracy, and area under the curve of contradictions, of each seed."""
    accuracies, areas = [], []
    premises = np.unique(pairs[:, 0], return_inverse=True)[1]
    classes = np.unique(labels)
    for seed in range(args.seeds):
        probabilities = cross_val_predict(
            clone(estimator).set_params(random_state=seed),
            pairs,
            labels,
            groups=premises,
            cv=GroupKFold(args.folds),
            method="predict_proba",
        )
        accuracies.append(accuracy_score(labels, classes[probabilities.argmax(axis=1)]))
        contradiction = list(classes).index("contradiction")
        areas.append(roc_auc_score(labels == "contradiction", probabilities[:, contradiction]))
    return accuracies, areas


def read_snli(data: str | None) -> tuple[NDArray[np.object_], NDArray[Any]]:
    """Return pairs and labels of the dev part, in the three files of InferSent."""
    folder = get_data_home(data) / "nli" / "snli"
    first, second, labels = (
        (folder / f"{name}.dev").read_text("utf-8").split("\n")[:-1]
        for name in ("s1", "s2", "labels")
    )
    return np.array(list(zip(first, second, strict=True)), dtype=object), np.array(labels)


def transfer(network_name: str, vectors: WordVectors, args: argparse.Namespace) -> None:
    """Learn the tasks with one network, and print their table."""
    # In the paper, the average is the plain mean.
    network = Average(redundancy=0) if network_name == "average" else network_name
    train, trial = (fetch_sick(part, data_home=args.data) for part in ("train", "trial"))
    cut = slice(args.rows)
    common = {"max_length": None, "max_iter": args.epochs}
    regressor = SiameseRegressor(network, score_range=(1, 5), n_classes=5, **common)
    pairs_classifier = SiameseClassifier(network, **common)
    sentence_classifier = SentenceClassifier(network, **common)
    columns: dict[str, dict[str, str]] = {}
    for name, row in make_rows(network, vectors, args).items():
        cells = columns[name] = {}

        def add(task: str, values: list[float], name: str = name, cells: Any = cells) -> None:
            cells[task] = mean_and_range(values)
            print(f"{network_name}, {name}, {task}: {cells[task]}", file=sys.stderr, flush=True)

        if "similarity" in args.tasks:
            X, y = train.data[cut], train.target[cut]
            model = choose(regressor, row, X, y, pearson_scorer, args.folds)
            test = trial.data, trial.target
            add("SICK r", held_out_scores(model, (X, y), test, pearson_score, args.seeds))
        if {"entailment", "snli"} & set(args.tasks):
            X, y = train.data[cut], train.entailment[cut]
            model = choose(pairs_classifier, row, X, y, "neg_log_loss", args.folds)
            if "entailment" in args.tasks:
                test = trial.data, trial.entailment
                values = held_out_scores(model, (X, y), test, accuracy_score, args.seeds)
                add("SICK entailment", values)
            if "snli" in args.tasks:
                pairs, labels = read_snli(args.data)
                accuracies, areas = snli_scores(model, pairs[cut], labels[cut], args)
                add("SNLI", accuracies)
                add("contradiction", areas)
        if "sentiment" in args.tasks and args.sst:
            parts = [_data.sentiment(args.sst, part) for part in ("train", "test")]
            (X, y), test = parts
            X, y = X[cut], y[cut]
            model = choose(sentence_classifier, row, X, y, "neg_log_loss", args.folds)
            add("SST", held_out_scores(model, (X, y), test, accuracy_score, args.seeds))
    tasks = list(next(iter(columns.values())))
    table = [[name, *(cells[task] for task in tasks)] for name, cells in columns.items()]
    print_table(f"Transfer with the network {network_name!r}", ["", *tasks], table)


def main() -> None:
    """Print a table for each network."""
    parser = script_parser(__doc__, seeds=5)
    parser.add_argument("--vectors", default="default", help="a file, glove-400k or default")
    parser.add_argument("--sst", help="file or folder of the Stanford Sentiment Treebank")
    parser.add_argument("--networks", nargs="+", default=["average"])
    parser.add_argument("--tasks", nargs="+", default=list(TASKS), choices=TASKS)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=6, help="epochs over a task")
    parser.add_argument("--rates", type=float, nargs="+", default=RATES)
    parser.add_argument("--decays", type=float, nargs="+", default=DECAYS)
    parser.add_argument("--rows", type=int, help="rows to learn from; all by default")
    parser.add_argument("--n-pairs", type=int, default=30_000, help="paraphrases")
    parser.add_argument("--encoder-epochs", type=int, default=10)
    args = parser.parse_args()
    vectors = _data.word_vectors(args.vectors)
    for network in args.networks:
        transfer(network, vectors, args)


if __name__ == "__main__":
    main()
