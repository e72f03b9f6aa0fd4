"""Which encoder is best? The comparison of the "universal paraphrastic embeddings" slides.

    python examples/papers/wieting_2016.py --data DATA --vectors GLOVE --out results.json
    python examples/papers/wieting_2016.py --out results.json --print

Every encoder learns from the same paraphrases: captions of one image, English sentences with the
same translation, simplifications, split sentences, questions, and words of PPDB. Pairs with a
sentence that any evaluated set holds are left out, as are MSRP (it has the pairs of a set of STS
2012) and the training part of Twitter-URL (its test part is out of domain here).

One tenth of the groups is held out. Half of it, each pair beside the sentence most similar to its
first by TF-IDF that is not its paraphrase, is the development set: it alone chooses the kind of
negatives, the learning rate and the number of passes. The other half is the in-domain test set.
STS 2012-2016, SICK trial, Twitter-URL test and Quora test are looked at once, at the end.

The packaged vectors were distilled from a teacher and have little to gain, so the comparison with
the slides starts from plain ones (--vectors takes any file; "default" is the packaged table).
Finished encoders are kept in --out, and a second run goes on with the others.

J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
embeddings. ICLR.
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
from scipy.stats import spearmanr
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import roc_auc_score

from skpara import ParagramEncoder, WordVectors
from skpara.datasets import fetch_paraphrases, fetch_sick, fetch_sts
from skpara.text import tokenize

Pairs = NDArray[np.object_]
SEED = 0
# Largest part of the training pairs that a source may be.
SHARES = {
    "multi30k": 0.3,
    "flickr8k": 0.1,
    "tatoeba-spa": 0.1,
    "tatoeba-fra": 0.1,
    "asset": 0.05,
    "wikisplit": 0.05,
    "simple-wikipedia": 0.02,
    "quora": 0.08,
    "ppdb-lexical": 0.2,
}
COMMON = {"margin": 0.4, "optimizer": "adam", "word_decay": 1e-6, "network_decay": 1e-6}
# What is chosen for each encoder. With the hardest negatives from the start, a network of random
# weights may learn to give all captions one vector; a mixture keeps it from that.
NEGATIVES = ("hardest", "mix")
# Learning rates to choose from, and the most passes.
WORDS_ONLY = ((0.002, 0.008, 0.03), 30)
RECURRENT = ((0.0005, 0.002, 0.008), 15)
GRIDS = {
    "average": WORDS_ONLY,
    "projection": WORDS_ONLY,
    "dan": WORDS_ONLY,
    "charagram": ((0.0005, 0.002), 8),
}
ENCODERS = [
    "average",
    "projection",
    "dan",
    "rnn",
    "irnn",
    "lstm",
    "lstm_no_output_gate",
    "gran",
    "charagram",
]
SLIDES = ["unlike", "lookin", "disagree"]
SLIDES_CHARAGRAM = [
    "not capable",
    "not possible",
    "not sufficient",
    "babyyyyyy",
    "vehicals",
    "huge",
]
LENGTHS = [(0, 6), (6, 9), (9, 12), (12, 16), (16, 24), (24, 1000)]


def test_sets(data: str | None) -> dict[str, tuple[Pairs, NDArray[np.float64]]]:
    """Pairs and scores of every set that is evaluated, by name."""
    sets = {}
    for year in (2012, 2013, 2014, 2015, 2016):
        found = fetch_sts(year, data_home=data)
        for group in np.unique(found.groups):
            rows = found.groups == group
            sets[f"{year}/{group.rpartition('/')[2]}"] = (found.data[rows], found.target[rows])
    sick = fetch_sick("trial", data_home=data)
    sets["SICK trial"] = (sick.data, sick.target)
    for name in ("twitter-url", "quora"):
        found = fetch_paraphrases(name, subset="test", data_home=data)
        sets[name] = (found.data, found.target)
    return sets


def key(sentence: str) -> str:
    """What makes two sentences the same."""
    return " ".join(tokenize(sentence))


def gather(data: str | None, n_pairs: int, sets: dict[str, Any]) -> dict[str, tuple[Pairs, Any]]:
    """Paraphrases and their groups, source by source."""
    rng = np.random.default_rng(SEED)
    seen = {key(s) for pairs, _ in sets.values() for s in pairs.ravel()}
    sources = {}
    for name, share in SHARES.items():
        found = fetch_paraphrases(name, data_home=data)
        order = rng.permutation(np.flatnonzero(found.target == 1))
        _, first = np.unique(found.groups[order], return_index=True)  # one pair of a group
        order = order[np.sort(first)] if name != "ppdb-lexical" else order
        if name == "ppdb-lexical":
            order = [i for i in order if all(w.isalpha() for w in found.data[i])]
        kept = []
        for i in order:
            left, right = map(key, found.data[i])
            if left != right and left not in seen and right not in seen:
                kept.append(i)
            if len(kept) == round(share * n_pairs):
                break
        sources[name] = found.data[kept]
    return sources


def split(sources: dict[str, Pairs]) -> tuple[Pairs, Any, Any]:
    """Training pairs, and two labelled sets of held-out pairs beside near misses."""
    training, held = [], ([], [])
    for pairs in sources.values():
        n_held = len(pairs) // 10
        training.append(pairs[2 * (n_held // 2) :])
        for side in (0, 1):
            positive = pairs[side * (n_held // 2) : (side + 1) * (n_held // 2)]
            # Of all second sentences, the one most like the first that is not its own.
            tfidf = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit(positive.ravel())
            alike = (tfidf.transform(positive[:, 0]) @ tfidf.transform(positive[:, 1]).T).toarray()
            np.fill_diagonal(alike, -1)
            negative = np.column_stack([positive[:, 0], positive[alike.argmax(axis=1), 1]])
            held[side].append((positive, negative))
    labelled = []
    for parts in held:
        both = [np.vstack([p for p, _ in parts]), np.vstack([n for _, n in parts])]
        labels = np.repeat([1.0, 0.0], [len(both[0]), len(both[1])])
        labelled.append((np.vstack(both), labels))
    shuffled = np.random.default_rng(SEED).permutation(np.vstack(training))
    return shuffled, labelled[0], labelled[1]


def score(cosines: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """Area under the ROC curve for labels, Pearson's r for scores."""
    if set(np.unique(truth)) <= {0.0, 1.0}:
        return float(roc_auc_score(truth, cosines))
    return float(np.corrcoef(cosines, truth)[0, 1])


def evaluate(encoder: ParagramEncoder, sets: dict[str, Any]) -> dict[str, Any]:
    """The score on every set, and Pearson's r by length over all of STS 2012-2015."""
    scores, cosines, truths, lengths = {}, [], [], []
    for name, (pairs, truth) in sets.items():
        found = encoder.similarity(pairs[:, 0].tolist(), pairs[:, 1].tolist())
        scores[name] = score(found, truth)
        if name[:4] in ("2012", "2013", "2014", "2015"):
            cosines.append(found)
            truths.append(truth)
            lengths.append([sum(len(tokenize(s)) for s in pair) / 2 for pair in pairs])
    cosine, truth, length = map(np.concatenate, (cosines, truths, lengths))
    by_length = [
        score(cosine[rows], truth[rows])
        for rows in ((length >= low) & (length < high) for low, high in LENGTHS)
    ]
    return {"scores": scores, "by_length": by_length}


def neighbours(encoder: ParagramEncoder, queries: list[str], words: list[str]) -> dict[str, str]:
    """The eight words most similar to each query."""
    table, vectors = encoder.encode(words), encoder.encode(queries)
    for rows in (table, vectors):
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    nearest = np.argsort(-(vectors @ table.T), axis=1)
    return {
        query: ", ".join([words[i] for i in row[:12] if words[i] != query][:8])
        for query, row in zip(queries, nearest.tolist(), strict=True)
    }


def norms_alone(first: WordVectors, tuned: WordVectors, sets: dict[str, Any]) -> dict[str, float]:
    """Mean of STS 2012-2015 with directions of one table and norms of the other."""
    known = tuned.words
    start = first.lookup(known)
    norm = {
        "initial": np.linalg.norm(start, axis=1, keepdims=True),
        "tuned": np.linalg.norm(tuned.matrix, axis=1, keepdims=True),
    }
    unit = {
        "initial": start / np.maximum(norm["initial"], 1e-9),
        "tuned": tuned.matrix / np.maximum(norm["tuned"], 1e-9),
    }
    found = {}
    for direction in unit:
        for length in norm:
            table = WordVectors(tuned.vocabulary, unit[direction] * norm[length])
            scores = evaluate(ParagramEncoder(vectors=table), sets)["scores"]
            found[f"{direction} directions, {length} norms"] = mean_of(scores, STS)
    order = np.arange(min(len(first), 20_000))  # tables are sorted by frequency
    for name in norm:
        found[f"Spearman of {name} norm and rank"] = spearmanr(order, norm[name][order, 0])[0]
    return found


STS = ("2012", "2013", "2014", "2015")


def mean_of(scores: dict[str, float], years: tuple[str, ...]) -> float:
    """Mean over the sets of some years."""
    return float(np.mean([value for name, value in scores.items() if name[:4] in years]))


def fitted(
    network: str, vectors: Any, training: Pairs, development: Any, args: argparse.Namespace
) -> tuple[ParagramEncoder, dict[str, Any]]:
    """The encoder whose negatives, learning rate and pass did best on the development set."""
    best, tried = None, {}
    rates, most = GRIDS.get(network, RECURRENT)
    for negatives, rate in product(args.negatives, args.rates or rates):
        encoder = ParagramEncoder(
            network,
            vectors=vectors,
            negatives=negatives,
            learning_rate=rate,
            max_iter=args.passes or most,
            n_iter_no_change=2,
            random_state=SEED,
            **COMMON,
        ).fit(training, validation=development)
        tried[f"{negatives} {rate}"] = encoder.best_score_
        if best is None or encoder.best_score_ > best.best_score_:
            best = encoder
    assert best is not None
    speed = float(np.median([entry["pairs_per_second"] for entry in best.history_]))
    kept = ("negatives", "learning_rate")
    chosen = {name: getattr(best, name) for name in kept} | {"passes": best.n_iter_}
    return best, chosen | {"development": tried, "pairs_per_second": speed}


def run(args: argparse.Namespace, results: dict[str, Any]) -> Iterator[None]:
    """Fill in what is missing, one encoder after another."""
    sets = test_sets(args.data)
    training, development, in_domain = split(gather(args.data, args.n_pairs, sets))
    everything = sets | {"in domain": in_domain}
    vectors = WordVectors.load(args.vectors)
    common = [w for w in WordVectors.load("default").words[:30_000] if w.isalpha()]
    if "initial" not in results:
        plain = ParagramEncoder(vectors=vectors)
        results["n_pairs"], results["n_development"] = len(training), len(development[0])
        results["initial"] = evaluate(plain, everything)
        results["initial"]["neighbours"] = neighbours(plain, SLIDES, common)
        results["unknown"] = {
            name: float(np.mean([t not in vectors for s in pairs.ravel() for t in tokenize(s)]))
            for name, (pairs, _) in everything.items()
        }
        yield
    for network in args.only:
        if network in results:
            continue
        start = time.perf_counter()
        encoder, chosen = fitted(network, vectors, training, development, args)
        results[network] = chosen | evaluate(encoder, everything)
        results[network]["seconds"] = time.perf_counter() - start
        queries = SLIDES + SLIDES_CHARAGRAM if network == "charagram" else SLIDES
        results[network]["neighbours"] = neighbours(encoder, queries, common)
        if network == "average":
            results["norms"] = norms_alone(vectors, encoder.vectors_, sets)
        yield


def show(results: dict[str, Any]) -> None:
    """Print the tables."""
    names = ["initial", *(name for name in ENCODERS if name in results)]
    first = results["initial"]["scores"]
    print(f"{results['n_pairs']} pairs to learn from, {results['n_development']} to choose by\n")
    head = ("STS 12-15", "STS 2016", "SICK", "Twitter", "Quora", "in domain")
    settings = "   negatives   rate  passes  pairs/s"
    print(f"{'encoder':21}" + "".join(f"{h:>10}" for h in head) + settings)
    for name in names:
        entry, scores = results[name], results[name]["scores"]
        row = [mean_of(scores, STS), mean_of(scores, ("2016",))]
        row += [scores[n] for n in ("SICK trial", "twitter-url", "quora", "in domain")]
        line = f"{name:21}" + "".join(f"{value:10.3f}" for value in row)
        if name != "initial":
            line += f"{entry['negatives']:>12} {entry['learning_rate']:6} {entry['passes']:7d}"
            line += f" {entry['pairs_per_second']:8.0f}"
        print(line)
    print("\nPearson's r by mean length of the pair in tokens, STS 2012-2015 together")
    spans = [f"{low}-{high - 1}" if high < 1000 else f"{low}+" for low, high in LENGTHS]
    print(f"{'':21}" + "".join(f"{span:>8}" for span in spans))
    for name in names:
        print(f"{name:21}" + "".join(f"{r:8.3f}" for r in results[name]["by_length"]))
    unknown = results["unknown"]
    years = [name for name in first if name[:4].isdigit() or name == "SICK trial"]
    print("\nSpearman's rho, over the sets, of the score and the rate of unknown words")
    for name in names:
        rho = spearmanr([results[name]["scores"][n] for n in years], [unknown[n] for n in years])
        print(f"{name:21}{rho[0]:8.3f}")
    if "norms" in results:
        print("\nMean over STS 2012-2015, and norms against the rank of a word by frequency")
        for name, value in results["norms"].items():
            print(f"{name:40}{value:8.3f}")
    print("\nNearest words")
    for name in names:
        for query, words in results[name]["neighbours"].items():
            print(f"{name:21}{query:16}{words}")


def main() -> None:
    """Train what is missing, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", help="folder of the data sets; default $SKPARA_DATA or cache")
    parser.add_argument("--vectors", default="default", help="initial vectors: a file, or default")
    parser.add_argument("--n-pairs", type=int, default=40_000)
    parser.add_argument("--only", default=",".join(ENCODERS), type=lambda text: text.split(","))
    parser.add_argument("--passes", type=int, help="most passes, instead of those of each encoder")
    parser.add_argument("--rates", type=float, nargs="+", help="learning rates, instead of those")
    parser.add_argument("--negatives", nargs="+", default=NEGATIVES)
    parser.add_argument("--out", type=Path, help="JSON file of finished encoders")
    parser.add_argument("--print", action="store_true", help="only print what --out holds")
    args = parser.parse_args()
    results: dict[str, Any] = {}
    if args.out and args.out.exists():
        results = json.loads(args.out.read_text("utf8"))
    if not args.print:
        for _ in run(args, results):
            if args.out:
                beside = args.out.with_suffix(".part")
                beside.write_text(json.dumps(results, indent=1), "utf8")
                beside.replace(args.out)
            print(f"{list(results)[-1]} done", flush=True)
    show(results)


if __name__ == "__main__":
    main()
