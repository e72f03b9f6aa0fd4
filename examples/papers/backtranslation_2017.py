"""Back-translated bitext to learn from: the tables of the paper.

    python examples/papers/backtranslation_2017.py --data DATA --vectors GLOVE --out results.json
    python examples/papers/backtranslation_2017.py --out results.json --print

The tables of the back-translation paper in form. Bitext of Tatoeba, English and Spanish, goes
through Apertium Spanish-English and gives pairs of a reference and a back-translation. Sets of
24,000 pairs, or as many as there are, each train an averaging encoder (20 passes) and a GRAN
(3 passes) with the paper's settings: Adam, 0.001, batches of 100, margin 0.4, no decay, hardest
negatives. (The GRAN gets hardest and random ones mixed: with hardest ones alone from the start it
learned, from captions and from words, to give all sentences one vector.) The pass, and the bounds
of filters, are chosen by the mean Pearson's r over the five sets of STS 2016, as the paper does;
what is reported is the mean over the sets of STS 2012-2015. Pairs with a sentence that any of
these sets holds are left out.

Table 4     back-translations against human paraphrases
Table 5     by length of the translation, as many pairs of each range; beside it captions of one
            image, in place of the paper's Simple Wikipedia, which is not at hand in such number
Table 6     the length range chosen on development data
Table 7     quality: language model, reference classifier (a rule-based translator has no costs)
Table 8     accuracy of the reference classifier
Tables 9, 10  how translations differ from references; what the classifier's score goes with
Table 12    n-gram overlap and BLEU
Table 13    all pairs

J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
back-translated bitext. EMNLP.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from skpara import ParagramEncoder, WordVectors
from skpara.augment import (
    ApertiumTranslator,
    BackTranslator,
    CachedTranslator,
    Paraphrases,
    compare_translations,
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
from skpara.datasets import fetch_bitext, fetch_paraphrases, fetch_sts
from skpara.text import tokenize

Pairs = NDArray[np.object_]
SEED = 0
N_PAIRS = 24_000
# For the language model and the reference classifier, and to test the latter.
N_APART, N_HELD_OUT = 40_000, 5_000
PASSES = {"average": 20, "gran": 3}
NEGATIVES = {"average": "hardest", "gran": "mix"}
HUMAN = [
    "ppdb-lexical",
    "multi30k",
    "flickr8k",
    "tatoeba-spa",
    "quora",
    "twitter-url",
    "asset",
    "wikisplit",
]
RANGES = [(0, 5), (6, 8), (9, 11), (12, 100)]
TUNED_RANGES = [(0, 5), (0, 8), (0, 10), (0, 15), (0, 100), (6, 10), (6, 100), (9, 100)]
LOWER, UPPER = (None, 0.2, 0.4), (0.6, 0.8, None)
DIVERSITY = {
    "unigrams": OverlapFilter(order=1),
    "bigrams": OverlapFilter(order=2),
    "trigrams": OverlapFilter(order=3),
    "BLEU": BleuFilter(),
}
PERPLEXITY = (25, 50, 100, 200)
REFERENCE = (0.1, 0.3, 0.5, 0.7, 0.9)


def key(sentence: str) -> str:
    """What makes two sentences the same."""
    return " ".join(tokenize(sentence))


def scored_sets(data: str | None) -> tuple[list[Bunch], list[Bunch]]:
    """The sets of 2016 to choose by, and those of 2012-2015 to report."""

    def sets(years: list[int]) -> list[Bunch]:
        found = fetch_sts(years, data_home=data)
        return [
            Bunch(data=found.data[rows], target=found.target[rows])
            for rows in (found.groups == group for group in np.unique(found.groups))
        ]

    return sets([2016]), sets([2012, 2013, 2014, 2015])


def mean_pearson(encoder: ParagramEncoder, sets: list[Bunch]) -> float:
    """Pearson's r of cosine and score, mean over the sets."""
    found = [
        np.corrcoef(encoder.similarity(one.data[:, 0], one.data[:, 1]), one.target)[0, 1]
        for one in sets
    ]
    return float(np.mean(found))


class Experiment:
    """The data, and what was found so far."""

    def __init__(self, args: argparse.Namespace, results: dict[str, Any]) -> None:
        self.args, self.results = args, results
        self.vectors = WordVectors.load(args.vectors)
        self.development, self.test = scored_sets(args.data)
        held = [*self.development, *self.test]
        self.seen = {key(text) for one in held for text in one.data.ravel()}
        self.pool, self.apart, self.held_out = self.back_translations()

    def back_translations(self) -> tuple[Paraphrases, Paraphrases, Paraphrases]:
        """Pairs to mine, and those kept apart."""
        bitext = fetch_bitext("tatoeba-spa", data_home=self.args.data).data
        translator: Any = ApertiumTranslator("es", "en")
        if self.args.cache:
            translator = CachedTranslator(translator, self.args.cache)
        found = BackTranslator(translator, verbose=1).paraphrase(bitext)
        found = self.unseen(found.filtered([DuplicateFilter()]))
        # Translations of one reference stay together, so that none is seen in both parts.
        references = np.unique([key(text) for text in found.pairs[:, 0]], return_inverse=True)[1]
        place = np.random.default_rng(SEED).permutation(references.max() + 1)[references]
        order = np.argsort(place, kind="stable")
        cuts = (N_APART, N_APART + N_HELD_OUT)
        apart, held_out, pool = (found.take(part) for part in np.split(order, cuts))
        self.results["counts"] = {
            "bitext": len(bitext),
            "pairs": len(found),
            "pool": len(pool),
            **found.dropped,
        }
        return pool, apart, held_out

    def unseen(self, pairs: Any) -> Any:
        """Without pairs that have a sentence of an evaluated set."""
        fresh = np.array([not {key(a), key(b)} & self.seen for a, b in pairs], dtype=bool)
        return pairs.take(fresh, "evaluated") if isinstance(pairs, Paraphrases) else pairs[fresh]

    def human(self, name: str) -> Pairs:
        """Paraphrases by people."""
        found = fetch_paraphrases(name, data_home=self.args.data)
        pairs = found.data[found.target == 1]
        kept: Pairs = self.unseen(pairs[[key(a) != key(b) for a, b in pairs]])
        return kept

    def trained(self, table: str, row: str, network: str, pairs: Pairs, n: int = N_PAIRS) -> None:
        """Train on ``n`` random pairs, keep the score of the pass that 2016 chooses."""
        name = f"{table}|{network}|{row}"
        if name in self.results or network not in self.args.networks or len(pairs) < 500:
            return
        start = time.perf_counter()
        chosen = np.random.default_rng(SEED).permutation(len(pairs))[:n]
        encoder = ParagramEncoder(
            network,
            vectors=self.vectors,
            negatives=NEGATIVES[network],
            margin=0.4,
            optimizer="adam",
            learning_rate=0.001,
            word_decay=0.0,
            max_iter=1,
            warm_start=True,
            random_state=SEED,
        )
        best: dict[str, Any] = {"development": -1.0}
        for epoch in range(1, PASSES[network] + 1):
            encoder.fit(pairs[chosen])
            development = mean_pearson(encoder, self.development)
            if development > best["development"]:
                best = {
                    "development": development,
                    "test": mean_pearson(encoder, self.test),
                    "epoch": epoch,
                    "n_pairs": len(chosen),
                }
        best["seconds"] = time.perf_counter() - start
        self.results[name] = best
        print(f"{name}: {best['test']:.4f} ({best['seconds']:.0f} s)", flush=True)

    def tuned(self, table: str, row: str, network: str, parts: dict[str, Pairs]) -> None:
        """Train on each part; the table shows the one that 2016 chooses."""
        for bounds, pairs in parts.items():
            if len(pairs) >= N_PAIRS // 4:
                self.trained(table, f"{row} {bounds}", network, pairs)

    def bounded(
        self, pairs: Pairs, one: PairFilter, bounds: list[tuple[float | None, float | None]]
    ) -> dict[str, Pairs]:
        """The pairs within each of the bounds, by one filter that scores them once."""
        scores = one.score_pairs(pairs)
        found = {}
        for low, high in bounds:
            kept = np.ones(len(scores), dtype=bool)
            kept &= scores >= low if low is not None else True
            kept &= scores <= high if high is not None else True
            found[f"[{low or 0}, {'inf' if high is None else high}]"] = pairs[kept]
        return found

    def classifiers(self) -> dict[str, ReferenceFilter]:
        """Reference classifiers by network, and Tables 8 to 10."""
        found = {}
        for network in ("average", "lstm"):
            classifier = ReferenceFilter(network, vectors=self.vectors, random_state=SEED)
            found[network] = classifier.fit(self.apart)
            self.results[f"Table 8|{network}"] = dict(classifier.evaluate(self.held_out))
        scores = found["lstm"].score_pairs(self.pool)
        measured = compare_translations(self.pool, scores)
        self.results["Table 10"] = dict(measured.pop("correlations"))
        self.results["Table 9"] = dict(measured)
        return found

    def run(self) -> Iterator[None]:
        """Everything that is missing, table after table."""
        if "initial" not in self.results:
            plain = ParagramEncoder(vectors=self.vectors)
            self.results["initial"] = {
                "development": mean_pearson(plain, self.development),
                "test": mean_pearson(plain, self.test),
            }
            lengths = LengthFilter().score_pairs(self.pool)
            self.results["counts"]["mean length"] = float(lengths.mean())
            yield
        networks = list(PASSES)
        for network in networks:
            self.trained("Table 4", "back-translated", network, self.pool.pairs)
            yield
        for name in HUMAN:
            pairs = self.human(name)
            for network in networks:
                self.trained("Table 4", name, network, pairs)
                yield
        pools = {"": self.pool.pairs, "captions ": self.human("multi30k")}
        for source, pool in pools.items():
            ranges = [(low or None, high) for low, high in RANGES]
            parts = self.bounded(pool, LengthFilter(), ranges)
            fewest = min(N_PAIRS, *(len(pairs) for pairs in parts.values() if len(pairs) >= 500))
            for (row, pairs), network in product(parts.items(), networks):
                self.trained("Table 5", source + row, network, pairs, fewest)
                yield
            ranges = [(low or None, high) for low, high in TUNED_RANGES]
            tuned = self.bounded(pool, LengthFilter(), ranges)
            for network in networks:
                self.tuned("Table 6", f"{source}length", network, tuned)
                yield
        classifier = self.classifiers()["lstm"]
        yield
        model = LanguageModelFilter().fit(self.apart)
        quality: dict[str, dict[str, Pairs]] = {
            "language model": self.bounded(
                self.pool.pairs, model, [(None, high) for high in PERPLEXITY]
            ),
            "reference": self.bounded(
                self.pool.pairs, classifier, [(low, None) for low in REFERENCE]
            ),
        }
        for (row, choices), network in product(quality.items(), networks):
            self.tuned("Table 7", row, network, choices)
            yield
        everything = np.concatenate([self.pool.pairs, self.apart.pairs, self.held_out.pairs])
        for network in networks:
            self.trained("Table 13", "all", network, everything, len(everything))
            yield
        for (source, pool), (row, one) in product(pools.items(), DIVERSITY.items()):
            choices = self.bounded(pool, one, list(product(LOWER, UPPER)))
            for network in networks:
                self.tuned("Table 12", source + row, network, choices)
                yield


def best_of(results: dict[str, Any], start: str) -> tuple[str, dict[str, Any]] | None:
    """Of the runs of one row, the one that development data choose."""
    found = {
        name: run for name, run in results.items() if name == start or name.startswith(f"{start} ")
    }
    if not found:
        return None
    name = max(found, key=lambda name: found[name]["development"])
    return name.removeprefix(start).strip(), found[name]


def cell(found: tuple[str, dict[str, Any]] | None) -> str:
    """A score, and what was chosen."""
    if found is None:
        return f"{'-':>24}"
    chosen, run = found
    return f"{100 * run['test']:8.1f} {chosen:>15}"


def show(results: dict[str, Any]) -> None:
    """Print the tables."""
    print(results["counts"])
    initial = results["initial"]
    print(f"\nMean Pearson's r x 100 over STS 2012-2015; not trained: {100 * initial['test']:.1f}")

    def runs(table: str, network: str) -> dict[str, Any]:
        start = f"{table}|{network}|"
        return {n.removeprefix(start): r for n, r in results.items() if n.startswith(start)}

    for table, title in (
        ("Table 4", "datasets"),
        ("Table 5", "length of the translation"),
        ("Table 13", "all pairs"),
    ):
        print(f"\n{table}, {title:26}{'pairs':>8}{'GRAN':>8}{'Avg':>8}")
        gran, average = runs(table, "gran"), runs(table, "average")
        for row in average or gran:
            both = [runs.get(row) for runs in (gran, average)]
            scores = [f"{100 * run['test']:8.1f}" if run else f"{'-':>8}" for run in both]
            n_pairs = next(run["n_pairs"] for run in both if run)
            print(f"  {row:33}{n_pairs:8}" + "".join(scores))
    print(f"\nTables 6, 7 and 12: bounds chosen{'GRAN':>9}{'Avg':>24}")
    plain = [runs("Table 4", network).get("back-translated") for network in ("gran", "average")]
    print(f"  {'none (random)':22}" + "".join(cell(run and ("", run)) for run in plain))
    for table, rows in (
        ("Table 6", ["length"]),
        ("Table 7", ["language model", "reference"]),
        ("Table 12", list(DIVERSITY)),
        ("Table 4", ["multi30k"]),
        ("Table 6", ["captions length"]),
        ("Table 12", [f"captions {row}" for row in DIVERSITY]),
    ):
        for row in rows:
            cells = [cell(best_of(results, f"{table}|{net}|{row}")) for net in ("gran", "average")]
            print(f"  {row:22}" + "".join(cells))
    print("\nTable 8, reference classifier      accuracy  references  translations")
    for network in ("lstm", "average"):
        found = results.get(f"Table 8|{network}")
        if found:
            values = (found[f"accuracy{part}"] for part in ("", "_references", "_translations"))
            print(f"  {network:33}" + "".join(f"{100 * value:10.1f}" for value in values))
    for table, title in (
        ("Table 9", "references less translations"),
        ("Table 10", "Spearman's r with the classifier's score"),
    ):
        print(f"\n{table}, {title}")
        for name, value in results.get(table, {}).items():
            print(f"  {name:33}{value:10.3f}")


def main() -> None:
    """Train what is missing, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", help="folder of the data sets; default $SKPARA_DATA or cache")
    parser.add_argument("--vectors", default="default", help="initial vectors: a file, or default")
    parser.add_argument("--cache", help="file of translations, so that a second run has them")
    parser.add_argument("--networks", nargs="+", default=list(PASSES), choices=list(PASSES))
    parser.add_argument("--out", type=Path, help="JSON file of finished runs")
    parser.add_argument("--print", action="store_true", help="only print what --out holds")
    args = parser.parse_args()
    results: dict[str, Any] = {}
    if args.out and args.out.exists():
        results = json.loads(args.out.read_text("utf8"))
    if not args.print:
        for _ in Experiment(args, results).run():
            if args.out:
                beside = args.out.with_suffix(".part")
                beside.write_text(json.dumps(results, indent=1), "utf8")
                beside.replace(args.out)
    show(results)


if __name__ == "__main__":
    main()
