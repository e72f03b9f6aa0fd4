"""Choices of the DCU-SEManiacs paper that it names without a table.

    python examples/papers/dcu_choices.py --data DATA --glove glove-400k

All encoders have the paper's settings, learn from pairs of 2012-2014 and score 2015, as the paper
chose. They start from the packaged vectors and from the first 42,091 words of GloVe, as many as
the paper's vectors have. The tables

threshold   the least score of a pair to learn from, which the authors tuned between 3 and 4.5
unknown     the vector of a word that the table does not have: that of a rare word, which the
            authors found a little better than a stop word, that of a stop word, zeros, or the
            package's own, of its character n-grams; GloVe only
sets        paraphrases of the sentences to be scored: of all sets in one model, or of each set in
            a model of its own, which the authors propose
stages      several objectives one after the other, which the authors propose too: the margin of
            paraphrases that people wrote (mixed negatives, three epochs of Adam), then the
            correlation with the scores, by the defaults of ParagramEncoder

Each figure is the mean over --seeds runs (of the words, over words), with the smallest and largest
value in brackets. No pair to learn from has a sentence of 2015.

C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram embeddings
for semantic textual similarity. SemEval.
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
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import Bunch

from skpara import ParagramEncoder, WordVectors, paper_settings
from skpara.datasets import fetch_sts
from skpara.learning import Adam, Negatives
from skpara.metrics import semeval_score

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
import _data
import wieting_2016
from pivots import paraphrases_by
from result_tables import Cell, mean_and_range, print_table, script_parser

THRESHOLDS = (3.0, 3.4, 3.8, 4.2, 4.5)
PARAPHRASE = 3.8  # the paper's choice
N_WORDS = 42_091  # of the paper's vectors
STOP_WORDS = ("the", "of", "and")
# The paper draws a rare word. Here: the last words of the table that are of letters.
N_RARE = len(STOP_WORDS)
N_PARAPHRASES = 22_000  # of wieting_2016.py, for its table encoders-400k
SETTINGS = paper_settings("dcu-2016-task-internal")


class Task:
    """Pairs to learn from, and the sets of 2015."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.test = fetch_sts(2015, data_home=args.data)
        past = fetch_sts((2012, 2013, 2014), split="all", data_home=args.data)
        unseen = _data.are_unseen(past.data, _data.sentences_of([self.test]))
        self.past = Bunch(data=past.data[unseen], target=past.target[unseen])

    def cosines(self, vectors: WordVectors, pairs: Any, seed: int, **settings: Any) -> Any:
        """Return the cosines of 2015 by an encoder that learned from pairs, if there are any."""
        start = time.perf_counter()
        encoder = ParagramEncoder(**SETTINGS | settings, vectors=vectors, random_state=seed)
        if pairs is not None:
            encoder.fit(pairs)
        cosines = encoder.similarity(self.test.data[:, 0], self.test.data[:, 1])
        print(f"a run took {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        return cosines

    def score(self, cosines: NDArray[np.float64]) -> float:
        """Return the mean over the sets, weighted by their pairs."""
        return float(semeval_score(self.test.target, cosines, self.test.groups))

    def runs(self, vectors: WordVectors, pairs: Any, **settings: Any) -> str:
        """Return the mean and the range of the seeds."""
        seeds = range(self.args.seeds if pairs is not None else 1)
        scores = [self.score(self.cosines(vectors, pairs, seed, **settings)) for seed in seeds]
        return mean_and_range(scores)

    def scored_pairs(self, threshold: float = PARAPHRASE) -> NDArray[np.object_]:
        """Return the pairs of earlier years with at least this score."""
        pairs: NDArray[np.object_] = self.past.data[self.past.target >= threshold]
        return pairs


def threshold(task: Task, starts: dict[str, WordVectors]) -> None:
    """Print r by the least score of a pair to learn from."""
    raw: list[Cell] = [task.runs(vectors, None) for vectors in starts.values()]
    rows: list[list[Cell]] = [["not trained", None, *raw]]
    for least in THRESHOLDS:
        pairs = task.scored_pairs(least)
        scores = [task.runs(vectors, pairs) for vectors in starts.values()]
        rows.append([f"{least:g} or more", len(pairs), *scores])
    print_table("Least score of a pair to learn from", ["", "pairs", *starts], rows)


def with_unknown_word(vectors: WordVectors, word: str) -> WordVectors:
    """Return a table whose last word, which stands for the unknown ones, has a word's vector."""
    row = vectors.lookup([word])
    return WordVectors([*vectors.words, "unknownword"], np.vstack([vectors.matrix, row]))


def unknown(task: Task, glove: WordVectors) -> None:
    """Print r by the vector of words that the table does not have."""
    rare = [word for word in glove.words[::-1] if word.isalpha() and word.isascii()][:N_RARE]
    rows: list[list[Cell]] = []
    scored = task.scored_pairs()
    for name, words in (("a rare word", rare), ("a stop word", STOP_WORDS)):
        tables = [with_unknown_word(glove, word) for word in words]
        row: list[Cell] = [f"{name} ({', '.join(words)})"]
        for pairs in (None, scored):
            cosines = [task.cosines(table, pairs, 0, oov="rare") for table in tables]
            row.append(mean_and_range([task.score(each) for each in cosines]))
        rows.append(row)
    for name, oov in (("zeros", "zero"), ("character n-grams", "subword")):
        rows.append([name, *(task.runs(glove, pairs, oov=oov) for pairs in (None, scored))])
    print_table("Vector of unknown words, GloVe", ["", "not trained", "scored pairs"], rows)


def sets(task: Task, starts: dict[str, WordVectors]) -> None:
    """Print r of one model for all sets of 2015, and of one for each."""
    scored = task.scored_pairs()
    groups = task.test.groups
    made = {
        str(group): paraphrases_by(
            "es", list(dict.fromkeys(task.test.data[groups == group].ravel())), task.args.cache
        ).pairs
        for group in np.unique(groups)
    }
    everything = np.vstack([scored, *made.values()])
    rows: list[list[Cell]] = [
        [name, len(pairs), *(task.runs(vectors, pairs) for vectors in starts.values())]
        for name, pairs in (("scored pairs", scored), ("one model for all sets", everything))
    ]
    row: list[Cell] = ["one model for each set", None]
    for vectors in starts.values():
        scores = []
        for seed in range(task.args.seeds):
            cosines = np.empty(len(groups))
            for group, pairs in made.items():
                of_set = groups == group
                learned = task.cosines(vectors, np.vstack([scored, pairs]), seed)
                cosines[of_set] = learned[of_set]
            scores.append(task.score(cosines))
        row.append(mean_and_range(scores))
    rows.append(row)
    print_table("Paraphrases of the sets of 2015", ["", "pairs", *starts], rows)


def stages(task: Task, starts: dict[str, WordVectors]) -> None:
    """Print r of one objective, and of two one after the other."""
    sources = wieting_2016.gather(task.args.data, N_PARAPHRASES, {"2015": (task.test.data, None)})
    paraphrases = np.vstack(list(sources.values()))
    rows: list[list[Cell]] = [
        [name] for name in ("not trained", "paraphrases", "scores", "paraphrases, then scores")
    ]
    for vectors in starts.values():
        scores: list[list[float]] = [[] for _ in rows]
        for seed in range(task.args.seeds):
            plain = ParagramEncoder(vectors=vectors, random_state=seed)
            margin = clone(plain).set_params(
                negatives=Negatives("mix", margin=0.4), optimizer=Adam(0.003), max_iter=3
            )
            margin.fit(paraphrases)
            correlation = clone(plain).fit(task.past.data, task.past.target)
            both = clone(plain).set_params(vectors=FrozenEstimator(margin))
            both.fit(task.past.data, task.past.target)
            for row, encoder in zip(scores, (plain, margin, correlation, both), strict=True):
                row.append(task.score(encoder.similarity(*task.test.data.T)))
        for cells, row in zip(rows, scores, strict=True):
            cells.append(mean_and_range(row))
    title = (
        f"Objectives in stages, {len(paraphrases):,} paraphrases, {len(task.past.data):,} scores"
    )
    print_table(title, ["", *starts], rows)


def main() -> None:
    """Print the tables."""
    parser = script_parser(__doc__, seeds=3)
    parser.add_argument("--glove", required=True, help="a file, or glove-400k")
    parser.add_argument("--cache", help="file that caches translations for later runs")
    parser.add_argument("--tables", nargs="+", default=["threshold", "unknown", "sets"])
    args = parser.parse_args()
    task = Task(args)
    every = _data.word_vectors(args.glove)
    glove = WordVectors(every.words[:N_WORDS], every.matrix[:N_WORDS])
    starts = {"packaged": WordVectors.load("default"), "GloVe": glove}
    tables: dict[str, Callable[[Task, dict[str, WordVectors]], None]] = {
        "threshold": threshold,
        "unknown": lambda task, starts: unknown(task, starts["GloVe"]),
        "sets": sets,
        "stages": stages,
    }
    for name in args.tables:
        tables[name](task, starts)


if __name__ == "__main__":
    main()
