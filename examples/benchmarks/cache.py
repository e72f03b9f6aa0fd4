"""A semantic cache: how often it answers, and how often wrongly.

Traffic is made of Quora's question pairs, of the test part: the first question of each pair is in
the cache, and the second one is asked. A hit is a cached question that is found. It is right if
people call both the same, or if a chain of pairs that they call the same joins them. The others
count as wrong, among them some that people would call the same had they been asked. Half of the
questions have a right answer, and each of the others has a question that looks alike: this is
harder than most traffic.

Each method finds one of the cached questions, and a score. "cosine": the nearest by the packaged
vectors. "+ guard": of the ten nearest, the first one without a reason in ``why_different``.
"TableMatcher": the cache of the guide; "classifier": with ``model=load_pair_classifier()``.

Hit rate: share of the questions with a hit at a threshold. False hits: share of the hits that are
wrong. P-CHR AUC: area below precision over the hit rate, while the threshold falls from 1 to 0 in
steps of .01. PR AUC: area below precision over recall, at all thresholds. CRR: ratio of both, or
what is left of the ranking when a threshold is set. Milliseconds are processor time of a question,
asked alone, of the first 200.

A. Baral, R. Ralev, I. Zhechev, S. Rajamohan, J. Agarwal (2026). Closing the calibration gap in
semantic caching. arXiv 2606.19719. (P-CHR AUC and CRR)

    python examples/benchmarks/cache.py --data DATA [--pairs 1000]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measure import parse, parser
from numpy.typing import NDArray
from result_tables import print_table
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import auc, precision_recall_curve
from sklearn.preprocessing import normalize

from skpara import ParagramVectorizer, TableMatcher, load_pair_classifier, why_different

sys.path.insert(0, str(Path(__file__).parents[1] / "papers"))
from transfer import TASKS

N_CANDIDATES = 10
N_TIMED = 200
THRESHOLDS = {"cosine": (0.7, 0.8, 0.9), "probability": (0.5, 0.8, 0.9)}

# For each question the number of a cached one, and a score; -1 and 0 if none is found.
Found = tuple[NDArray[np.int64], NDArray[np.float64]]


class Traffic:
    """Cached questions, those that are asked, and which mean the same."""

    def __init__(self, pairs: Any, same: Any) -> None:
        texts = pairs.ravel().tolist()
        number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        first, second = np.array([number[text] for text in texts]).reshape(-1, 2).T
        shape = (len(number), len(number))
        joined = coo_array((np.ones(int(same.sum())), (first[same], second[same])), shape=shape)
        groups = connected_components(joined, directed=False)[1]
        names = list(number)
        cached = np.unique(first)
        asked = np.setdiff1d(second, cached)
        self.cached, self.asked = ([names[i] for i in part] for part in (cached, asked))
        self._groups = groups[cached], groups[asked]
        self.n_answerable = int(np.isin(self._groups[1], self._groups[0]).sum())

    def are_right(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return for each question that is asked whether the cached one means the same."""
        cached, asked = self._groups
        return (numbers >= 0) & (cached[numbers] == asked)


def by_cosine(guard: bool) -> Callable[[Traffic, list[str]], Found]:
    """Return a method of the nearest question by cosine."""

    def find(traffic: Traffic, asked: list[str]) -> Found:
        vectorizer = ParagramVectorizer()
        cached = normalize(vectorizer.transform(traffic.cached))
        numbers, scores = [], []
        for text in asked:
            cosines = cached @ normalize(vectorizer.transform([text]))[0]
            best = np.argpartition(-cosines, N_CANDIDATES)[:N_CANDIDATES]
            best = best[np.argsort(-cosines[best])]
            if guard:
                reasons = why_different(text, [traffic.cached[i] for i in best.tolist()])
                best = best[[not found for found in reasons]]
            numbers.append(best[0] if len(best) else -1)
            scores.append(max(0.0, cosines[best[0]]) if len(best) else 0.0)
        return np.array(numbers), np.array(scores)

    return find


def by_matcher(**settings: Any) -> Callable[[Traffic, list[str]], Found]:
    """Return the method of a matcher."""

    def find(traffic: Traffic, asked: list[str]) -> Found:
        matcher = TableMatcher(kind="sentences", threshold=0.0, **settings).fit(traffic.cached)
        numbers, scores = np.full(len(asked), -1), np.zeros(len(asked))
        for row, text in enumerate(asked):
            found = matcher.match([text])
            if len(found):
                numbers[row], scores[row] = found["candidate"][0], found["probability"][0]
        return numbers, scores

    return find


def areas(scores: Any, right: Any) -> tuple[float, float]:
    """Return the area below precision over the cache hit ratio, and over recall."""
    ratios, precisions = [], []
    for threshold in np.linspace(1, 0, 101):
        hits = (scores >= threshold) & (scores > 0)
        if hits.any():
            ratios.append(hits.mean())
            precisions.append(right[hits].mean())
    precision, recall, _ = precision_recall_curve(right, scores)
    return auc(ratios, precisions), auc(recall, precision)


def main() -> None:
    """Print the tables."""
    options = parser(__doc__)
    options.add_argument("--pairs", type=int, default=1000, help="pairs of questions")
    args = parse(options)
    pairs, labels = TASKS["quora"].read(args.data, "test")
    traffic = Traffic(pairs[: args.pairs], labels[: args.pairs] == "1")
    methods = {
        "cosine": ("cosine", by_cosine(guard=False)),
        "cosine + guard": ("cosine", by_cosine(guard=True)),
        "TableMatcher, guard=False": ("probability", by_matcher(guard=False)),
        "TableMatcher": ("probability", by_matcher()),
        "classifier, guard=False": (
            "probability",
            by_matcher(model=load_pair_classifier(), guard=False),
        ),
        "classifier": ("probability", by_matcher(model=load_pair_classifier())),
    }
    rates, curves = [], []
    for name, (kind, find) in methods.items():
        find(traffic, traffic.asked[:1])  # loads what is read once
        start = time.process_time()
        find(traffic, [])
        empty = time.process_time() - start
        start = time.process_time()
        find(traffic, traffic.asked[:N_TIMED])
        milliseconds = 1000 * (time.process_time() - start - empty) / N_TIMED
        numbers, scores = find(traffic, traffic.asked)
        right = traffic.are_right(numbers)
        for threshold in THRESHOLDS[kind]:
            hits = scores >= threshold
            rates.append([name, threshold, float(hits.mean()), float((~right)[hits].mean())])
        over_hits, over_recall = areas(scores, right)
        curves.append([name, over_hits, over_recall, over_hits / over_recall, milliseconds])
    share = traffic.n_answerable / len(traffic.asked)
    print_table(
        f"{len(traffic.cached):,} cached questions, {len(traffic.asked):,} asked, of which "
        f"{share:.0%} have an answer",
        ["", "threshold", "hit rate", "false hits"],
        rates,
    )
    print_table("", ["", "P-CHR AUC", "PR AUC", "CRR", "ms a question"], curves)


if __name__ == "__main__":
    main()
