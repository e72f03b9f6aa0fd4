"""Was it the settings? The parameters that the slides name as tuned, searched in domain.

    python examples/papers/wieting_2016_search.py --data DATA --vectors glove-400k

The slides ask whether too little tuning explains why the LSTM does not beat the average, and name
what was tuned: optimizer, clipping of gradients, learning rate, batch size, decays, margin and
kind of negatives. Encoders learn from the paraphrases of wieting_2016.py, fewer of them and for
--epochs epochs. ``GridSearchCV`` chooses the learning rate of each optimizer by Pearson's r on
that script's development set; a second table changes one setting at a time. Both have the figures
of --seeds runs: their mean, and the smallest and largest value in brackets.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, PredefinedSplit

from skpara import ParagramEncoder
from skpara.learning import AdaDelta, AdaGrad, Adam, Negatives
from skpara.metrics import pearson_score

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(1, str(Path(__file__).parent))
import _data
import wieting_2016
from result_tables import Cell, mean_and_range, print_table, script_parser

OPTIMIZERS = {
    AdaGrad: (0.02, 0.05, 0.2),
    Adam: (0.002, 0.008, 0.03),
    AdaDelta: (0.1, 0.3, 1.0),
}
# Those that wieting_2016.py chose from all of GloVe; the others are changed one at a time.
CHOSEN = {
    "average": {"optimizer": Adam(0.03), "negatives": Negatives("hardest", margin=0.4)},
    "lstm": {"optimizer": Adam(0.008), "negatives": Negatives("mix", margin=0.4)},
}
CHANGES: list[tuple[str, tuple[Any, ...]]] = [
    ("negatives__margin", (0.6, 0.8)),
    ("negatives__kind", ("random",)),
    ("batch_size", (25, 50)),
    ("word_decay", (1e-4, 1e-5)),
    ("optimizer__gradient_clip", (1.0,)),
]


class Search:
    """The data, and encoders of one network."""

    def __init__(self, args: argparse.Namespace, network: str) -> None:
        sets = wieting_2016.evaluation_sets(args.data)
        sources = wieting_2016.gather(args.data, args.n_pairs, sets)
        self.training, development, test = wieting_2016.split(sources)
        self.development = wieting_2016.labelled(development, *wieting_2016.NEAR_MISSES)
        self.sets = {name: sets[name] for name in sets if name[:4] in ("2015", "SICK")}
        self.sets["in domain"] = wieting_2016.labelled(test, *wieting_2016.NEAR_MISSES)
        self.seeds, self.name = args.seeds, network
        self.encoder = ParagramEncoder(
            wieting_2016.AVERAGE if network == "average" else network,
            vectors=_data.word_vectors(args.vectors),
            positive_threshold=1,  # a label of the development set; all training pairs have it
            max_iter=args.epochs,
            **wieting_2016.COMMON,
            **CHOSEN[network],
        )

    def rates(self) -> Iterator[list[Cell]]:
        """Yield a row for each optimizer, with its best learning rate."""
        pairs = np.vstack([self.training, self.development[0]])
        labels = np.concatenate([np.ones(len(self.training)), self.development[1]])
        is_development = PredefinedSplit(
            np.where(np.arange(len(pairs)) < len(self.training), -1, 0)
        )
        for kind, rates in OPTIMIZERS.items():
            search = GridSearchCV(
                clone(self.encoder).set_params(random_state=0),
                {"optimizer": [kind(rate) for rate in rates]},
                scoring=correlation,
                cv=is_development,
                refit=False,
            ).fit(pairs, labels)
            best = search.best_params_
            rate = f"{best['optimizer'].learning_rate:g}"
            yield [f"{self.name}, {kind.__name__}", rate, *self.scores(**best)]

    def changes(self) -> Iterator[list[Cell]]:
        """Yield a row for each setting that is changed."""
        yield [f"{self.name}, chosen", *self.scores()]
        for setting, values in CHANGES:
            for value in values:
                name = setting.rpartition("__")[2].replace("_", " ")
                yield [f"{self.name}, {name} {value}", *self.scores(**{setting: value})]

    def scores(self, **settings: Any) -> list[Cell]:
        """Return the scores of the seeds on the development set, 2015, SICK and in domain."""
        runs = []
        for seed in range(self.seeds):
            encoder = clone(self.encoder).set_params(**settings, random_state=seed)
            encoder.fit(self.training, np.ones(len(self.training)))
            found = wieting_2016.evaluate(encoder, self.sets)["scores"]
            runs.append(
                (
                    correlation(encoder, *self.development),
                    wieting_2016.mean_of(found, ("2015",)),
                    found["SICK trial"],
                    found["in domain"],
                )
            )
            print(f"{self.name}: {runs[-1][0]:.4f}", file=sys.stderr, flush=True)
        return [mean_and_range(column) for column in zip(*runs, strict=True)]


def correlation(encoder: ParagramEncoder, pairs: Any, labels: NDArray[np.float64]) -> float:
    """Return Pearson's r of cosines and labels."""
    return pearson_score(labels, encoder.similarity(*np.asarray(pairs, dtype=object).T))


def main() -> None:
    """Print the tables."""
    parser = script_parser(__doc__, seeds=3)
    parser.add_argument("--vectors", default="default", help="a file, glove-400k or default")
    parser.add_argument("--n-pairs", type=int, default=6000)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--networks", nargs="+", default=list(CHOSEN), choices=list(CHOSEN))
    args = parser.parse_args()
    searches = [Search(args, network) for network in args.networks]
    scored = ["development", "2015", "SICK", "in domain"]
    print(f"{len(searches[0].training):,} pairs to learn from")
    print_table(
        "Optimizers",
        ["", "rate", *scored],
        [row for search in searches for row in search.rates()],
    )
    print_table(
        "One setting changed",
        ["", *scored],
        [row for search in searches for row in search.changes()],
    )


if __name__ == "__main__":
    main()
