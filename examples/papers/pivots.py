"""What paraphrases by several pivot languages gain, and what the filters of 2017 add.

    python examples/papers/pivots.py --data DATA --teacher-free-vectors FILE --glove FILE
    python examples/papers/pivots.py --data DATA --tables filters

Apertium translates. Pairs with English are Debian's apertium-eng-spa, apertium-eng-cat and
apertium-en-gl; French is translated by way of Catalan (apertium-fra-cat), Portuguese by way of
Spanish (apertium-es-pt). ``--pivots`` chooses those that are installed.

pivots     An encoder learns from paraphrases of --n-sentences sentences of STS 2012-2014 and is
           scored on 2015 (the task's mean, weighted by pairs). It starts from the packaged
           vectors, from those without a teacher and from GloVe as they are, with the settings of
           the DCU paper and with the defaults of ParagramEncoder. "All pivots" has the pairs of
           all of them, "as many as Spanish" a random part. Scored pairs are those of 2012-2014
           with at least 3.8. The back-translated pairs are the 64,801 of backtranslation_2017.py.
           No pair has a sentence of 2015.
filters    Each kind of text of STS 2012-2015 and SICK is left out in turn, as in
           left_out_kinds.py. The synthetic encoder of make_sts_pipeline() learns from --n-scored
           scored pairs of the other kinds, and from paraphrases of --n-sentences sentences of the
           kind. Each filter keeps the better half of those by Spanish, so that all have equally
           many: the shortest, those with the fewest words or n-grams (BLEU) of the sentence, the
           likeliest under a language model, those most like references, and those that have the
           most words in common with the paraphrase by the second pivot. Language model and
           reference classifier learned from paraphrases of the other kinds.

Each figure is the mean of --seeds runs, with the smallest and largest: a seed draws scored pairs,
random parts, order, negatives and dropout. Gains are differences of runs of the same seed.

C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram embeddings
for semantic textual similarity. SemEval.

J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
back-translated bitext. EMNLP.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara import ParagramEncoder, WordVectors, make_sts_pipeline, paper_settings
from skpara.augment import (
    ApertiumTranslator,
    CachedTranslator,
    FunctionTranslator,
    Paraphrases,
    PivotParaphraser,
    Translator,
)
from skpara.augment.filters import (
    BleuFilter,
    DuplicateFilter,
    LanguageModelFilter,
    LengthFilter,
    OverlapFilter,
    ReferenceFilter,
)
from skpara.datasets import fetch_sts
from skpara.metrics import semeval_score

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
import _data
from backtranslation_2017 import back_translations
from default_fit import KINDS, Task, tasks
from result_tables import Cell, mean_and_range, print_table, progress, script_parser

Pairs = NDArray[np.object_]
Numbers = NDArray[np.float64]
NOTHING = "scored pairs only"  # what gains are compared with
SEED = 0  # of the choice of sentences, which are translated once
NAMES = {"es": "Spanish", "ca": "Catalan", "gl": "Galician", "fr": "French", "pt": "Portuguese"}
BY_WAY_OF = {"fr": "ca", "pt": "es"}  # Apertium has no pair of these with English
PARAPHRASE = 3.8  # least score of the scored pairs to learn from, as in the paper
# Translations of a chain are cached step by step; a batch is a process for each step.
BATCH_SIZE = 2000


def translators(cache: str | None) -> Callable[[str, str], Translator]:
    """Return a function that creates translators, for PivotParaphraser."""

    def direct(source: str, target: str) -> Translator:
        translator: Any = ApertiumTranslator(source, target)
        return CachedTranslator(translator, cache) if cache else translator

    def create(source: str, target: str) -> Translator:
        middle = BY_WAY_OF.get(target if source == "en" else source)
        if middle is None:
            return direct(source, target)
        first, second = direct(source, middle), direct(middle, target)
        return FunctionTranslator(
            lambda texts: second.translate(first.translate(texts)),
            f"{first.name}, {second.name}",
            batch_size=BATCH_SIZE,
            retries=0,
        )

    return create


def paraphrases_by(pivot: str, sentences: list[str], cache: str | None) -> Paraphrases:
    """Return the paraphrases of sentences by one pivot."""
    start = time.perf_counter()
    pairs = PivotParaphraser([pivot], translator=translators(cache)).paraphrase(sentences)
    progress(f"{len(pairs)} paraphrases by {NAMES[pivot]}", start)
    return pairs


def some(items: Any, n: int, seed: int) -> Any:
    """Return ``n`` random items, or all if there are fewer, in their order."""
    chosen = np.random.default_rng(seed).permutation(len(items))[:n]
    return items[np.sort(chosen)]


def together(parts: list[Pairs]) -> Pairs:
    """Return the pairs of all parts, each once."""
    pairs = np.vstack(parts)
    distinct: Pairs = pairs[DuplicateFilter().select(pairs)]
    return distinct


def pivots(args: argparse.Namespace) -> None:
    """Print what each pivot gives, and how well encoders do that learned from it."""
    train = fetch_sts((2012, 2013, 2014), split="all", data_home=args.data)
    test = fetch_sts(2015, data_home=args.data)
    unseen = _data.are_unseen(train.data, _data.sentences_of([test]))
    distinct = np.array([*dict.fromkeys(train.data[unseen].ravel())], dtype=object)
    sentences = some(distinct, args.n_sentences, SEED).tolist()
    made = {pivot: paraphrases_by(pivot, sentences, args.cache) for pivot in args.pivots}
    first = args.pivots[0]
    show_pivots(made, sentences, first)

    by_name = {NAMES[pivot]: pairs.pairs for pivot, pairs in made.items()}
    one = by_name[NAMES[first]]
    every = together(list(by_name.values()))
    scored = train.data[unseen & (train.target >= PARAPHRASE)]
    evaluated = _data.sentences_of(_data.sts_sets(range(2012, 2017), args.data).values())
    pool = back_translations(args.data, args.cache, args.n_reserved, evaluated).pool.pairs
    sets: dict[str, Callable[[int], Pairs]] = {
        **{name: lambda seed, pairs=pairs: pairs for name, pairs in by_name.items()},
        f"all pivots, as many as {NAMES[first]}": lambda seed: some(every, len(one), seed),
        "all pivots": lambda seed: every,
        "scored pairs": lambda seed: scored,
        f"scored pairs and {NAMES[first]}": lambda seed: np.vstack([scored, one]),
        "scored pairs and all pivots": lambda seed: np.vstack([scored, every]),
        "back-translated": lambda seed: some(pool, args.n_back_translated, seed),
        "scored and back-translated": lambda seed: np.vstack(
            [scored, some(pool, args.n_back_translated, seed)]
        ),
    }
    starts = {"packaged": WordVectors.load("default")}
    if args.teacher_free_vectors:
        starts["teacher-free"] = WordVectors.load(args.teacher_free_vectors)
    if args.glove:
        starts["GloVe"] = WordVectors.load(args.glove)

    def score(encoder: ParagramEncoder) -> float:
        cosines = encoder.similarity(test.data[:, 0], test.data[:, 1])
        return float(semeval_score(test.target, cosines, test.groups))

    for title, settings in (
        ("Settings of the paper", paper_settings("dcu-2016-task-internal")),
        ("Defaults of ParagramEncoder", {}),
    ):
        raw = [score(ParagramEncoder(**settings, vectors=start)) for start in starts.values()]
        rows: list[list[Cell]] = [["not trained", None, *raw]]
        for name, pairs_of in sets.items():
            begin = time.perf_counter()
            row: list[Cell] = [name, len(pairs_of(0))]
            for vectors in starts.values():
                runs = []
                for seed in range(args.seeds):
                    encoder = ParagramEncoder(**settings, vectors=vectors, random_state=seed)
                    runs.append(score(encoder.fit(pairs_of(seed))))
                row.append(mean_and_range(runs))
            rows.append(row)
            progress(f"{title}: {row}", begin)
        print_table(f"{title}: Pearson's r on STS 2015", ["", "pairs", *starts], rows)


def show_pivots(made: dict[str, Paraphrases], sentences: list[str], first: str) -> None:
    """Print how many paraphrases each pivot gives, and how unlike the sentences they are."""
    overlap = OverlapFilter(order=1)
    known = dict(zip(made[first].rows, map(_data.key, made[first].pairs[:, 1]), strict=True))
    rows: list[list[Cell]] = []
    for pivot, pairs in made.items():
        keys = map(_data.key, pairs.pairs[:, 1])
        same = [known.get(row) == text for row, text in zip(pairs.rows, keys, strict=True)]
        way = ["en", *filter(None, [BY_WAY_OF.get(pivot)]), pivot]
        share = None if pivot == first else float(np.mean(same))
        common = float(overlap.score_pairs(pairs).mean())
        rows.append([NAMES[pivot], "-".join(way), len(pairs), common, share])
    columns = ["pivot", "by way of", "pairs", "common words", f"as by {NAMES[first]}"]
    print_table(f"Paraphrases of {len(sentences):,} sentences", columns, rows)


def agreement(first: Paraphrases, second: Paraphrases) -> Numbers:
    """Return the share of words that paraphrases have in common with those by another pivot.

    If the other pivot gives back the sentence itself, that is its paraphrase.
    """
    by_second = dict(zip(second.rows.tolist(), second.pairs[:, 1], strict=True))
    both = [
        (text, by_second.get(row, sentence))
        for row, (sentence, text) in zip(first.rows.tolist(), first, strict=True)
    ]
    return OverlapFilter().score_pairs(both)


class LeftOutKind:
    """A kind of text, and the pairs to learn from under each condition.

    ``made`` has the paraphrases of each kind by the name of the pivot. The filters choose among
    those by the first pivot.
    """

    def __init__(self, task: Task, made: dict[str, dict[str, Paraphrases]], n_scored: int) -> None:
        self.task = task
        self.n_scored = n_scored
        self.scored = task.train[task.train_scores >= PARAPHRASE]
        self.by_pivot = made[task.name]
        self.first, *others = self.by_pivot
        pairs = self.by_pivot[self.first]
        learned = np.vstack(
            [of_kind[self.first].pairs for kind, of_kind in made.items() if kind != task.name]
        )
        model = LanguageModelFilter().fit(learned)
        classifier = ReferenceFilter(random_state=SEED).fit(learned)
        # Of each of these, the half with the greatest scores is kept.
        self.quality = {
            "shortest half": -LengthFilter().score_pairs(pairs),
            "half with fewest common words": -OverlapFilter().score_pairs(pairs),
            "half with smallest BLEU": -BleuFilter().score_pairs(pairs),
            "half by language model": -model.score_pairs(pairs),
            "half by reference classifier": classifier.score_pairs(pairs),
        }
        if others:
            second = self.by_pivot[others[0]]
            self.quality[f"half by agreement with {others[0]}"] = agreement(pairs, second)

    def conditions(self, seed: int) -> dict[str, Pairs]:
        """Return the pairs that are added to the scored ones, by condition."""
        by_pivot = {name: pairs.pairs for name, pairs in self.by_pivot.items()}
        pairs = by_pivot[self.first]
        half = len(pairs) // 2
        added = {
            NOTHING: pairs[:0],
            "copies": np.column_stack([pairs[:, 0]] * 2),
            **by_pivot,
            "all pivots": together(list(by_pivot.values())),
            f"random half of {self.first}": some(pairs, half, seed),
        }
        for name, quality in self.quality.items():
            best = np.argsort(-quality, kind="stable")[:half]
            added[name] = pairs[np.sort(best)]
        return added

    def run(self, seed: int) -> dict[str, float]:
        """Return the mean of Pearson's r over the sets of the kind, by condition."""
        scored = some(self.scored, self.n_scored, seed)
        synthetic = make_sts_pipeline(paraphraser="copy", random_state=seed)["features"]
        encoder = dict(synthetic.transformer_list)["synthetic"].set_params(paraphraser=None)
        left, right = self.task.test.T

        def score(encoder: ParagramEncoder) -> float:
            return float(self.task.correlations(encoder.similarity(left, right)).mean())

        return {"vectors": score(ParagramEncoder())} | {
            name: score(encoder.fit(np.vstack([scored, pairs])))
            for name, pairs in self.conditions(seed).items()
        }


def filters(args: argparse.Namespace) -> None:
    """Print what the paraphrases of each filter gain on kinds of text that were left out."""
    kinds = [task for task in tasks(args.data, args.limit) if task.name in KINDS]
    made: dict[str, dict[str, Paraphrases]] = {}
    for task in kinds:
        distinct = np.array([*dict.fromkeys(task.test.ravel())], dtype=object)
        sentences = some(distinct, args.n_sentences, SEED).tolist()
        made[task.name] = {
            NAMES[pivot]: paraphrases_by(pivot, sentences, args.cache) for pivot in args.pivots
        }
    by_kind = {}
    for task in kinds:
        start = time.perf_counter()
        kind = LeftOutKind(task, made, args.n_scored)
        runs = [kind.run(seed) for seed in range(args.seeds)]
        by_kind[task.name] = {name: np.array([run[name] for run in runs]) for name in runs[0]}
        progress(task.name, start)
    show_gains(by_kind)


def show_gains(by_kind: dict[str, dict[str, Numbers]]) -> None:
    """Print the means of kinds by condition, and the gains of each kind; arrays are by seed."""
    first = next(iter(by_kind.values()))
    figures = {name: np.array([runs[name] for runs in by_kind.values()]) for name in first}
    rows: list[list[Cell]] = []
    of_kinds: list[list[Cell]] = []
    for name, runs in figures.items():
        gains = runs - figures[NOTHING]
        row: list[Cell] = [name, mean_and_range(runs.mean(axis=0).tolist())]
        if name != NOTHING:
            row.append(mean_and_range(gains.mean(axis=0).tolist()))
            row += [int(np.all(sign * gains > 0, axis=1).sum()) for sign in (1, -1)]
            of_kinds.append([name, *gains.mean(axis=1).tolist()])
        rows.append(row)
    columns = ["also learned from", "mean of kinds", "gain", "kinds better", "worse"]
    print_table("Kinds left out: Pearson's r; better or worse by all seeds", columns, rows)
    print_table("Gain of each kind", ["also learned from", *by_kind], of_kinds)


TABLES = {"pivots": pivots, "filters": filters}


def main() -> None:
    """Print the tables."""
    parser = script_parser(__doc__, seeds=3)
    parser.add_argument("--tables", nargs="+", default=list(TABLES), choices=list(TABLES))
    parser.add_argument("--pivots", nargs="+", default=list(NAMES), choices=list(NAMES))
    parser.add_argument("--teacher-free-vectors", help="a start without a transformer in it")
    parser.add_argument("--glove", help="GloVe vectors, another start")
    parser.add_argument("--n-sentences", type=int, default=4000, help="that are paraphrased")
    parser.add_argument("--n-scored", type=int, default=1000, help="scored pairs (filters)")
    parser.add_argument(
        "--n-back-translated", type=int, default=10**6, help="most back-translated pairs"
    )
    parser.add_argument(
        "--n-reserved", type=int, default=40_000, help="as for backtranslation_2017.py"
    )
    parser.add_argument("--cache", help="file that caches translations for later runs")
    parser.add_argument("--limit", type=int, help="pairs of left-out kinds, for a quick try")
    args = parser.parse_args()
    for name in args.tables:
        TABLES[name](args)


if __name__ == "__main__":
    main()
