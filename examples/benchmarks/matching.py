"""Matching and deduplication: quality, time and memory, beside what else does it.

Match: for each of some sentences, which of all sentences means the same? Recall at 1 and 10 is the
fraction of sentences with a right one among the first 1 or 10. Right are the other captions of the
same picture (Multi30k), questions labelled as duplicates (Quora), and English sentences with a
translation in common (Tatoeba). Each system runs in a process of its own, with one thread.

Deduplicate: all pairs of a corpus with a cosine of at least .9, by number of sentences. The corpus
is all English text of the data folder, and sentences of it with a word left out, two words
exchanged or a misspelling. Recall is measured against two billion comparisons of a row with
another: of all rows with all others up to 40,000 sentences, of 2,000 rows with all others among a
million.

Run: python examples/benchmarks/matching.py --data DATA --minilm FOLDER [--only deduplicate]
"""

from __future__ import annotations

import gzip
import random
import time
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from measure import parse, parser, run_child
from result_tables import print_table

Relevant = dict[int, set[int]]
K = 10
COMPARISONS = 2 * 10**9  # of rows, for the recall of deduplication; half a minute


def captions(data: Path) -> tuple[list[str], Relevant]:
    """Return Multi30k's captions, five of each picture."""
    sides = []
    for number in range(1, 6):
        with gzip.open(data / f"paraphrase/multi30k-captions/train.{number}.en.gz", "rt") as file:
            sides.append(file.read().split("\n")[:-1])
    n = len(sides[0])
    groups = [{i + side * n for side in range(5)} for i in range(n)]
    texts = [text for side in sides for text in side]
    return texts, {row: group - {row} for group in groups for row in group}


def questions(data: Path) -> tuple[list[str], Relevant]:
    """Return Quora's questions, and for each its duplicates."""
    pairs = []
    for part in ("dev", "test"):
        for line in (data / f"paraphrase/quora/{part}.txt").read_text("utf8").split("\n")[:-1]:
            pairs.append(line.split("\t")[:3])
    return _linked([pair[:2] for pair in pairs], [p[:2] for p in pairs if p[2] == "1"])


def translations(data: Path) -> tuple[list[str], Relevant]:
    """Return Tatoeba's English sentences, and for each those with the same translation."""
    groups: dict[str, list[str]] = defaultdict(list)
    for language in ("fra", "spa"):
        with zipfile.ZipFile(data / f"bitext/tatoeba/{language}-eng.zip") as archive:
            for line in _text_of(archive).split("\n"):
                if "\t" in line:
                    english, other = line.split("\t")[:2]
                    groups[other].append(english)
    everything = [group[:1] * 2 for group in groups.values()]
    pairs = [[a, b] for group in groups.values() for a in group for b in group if a != b]
    return _linked(everything + pairs, pairs)


def _text_of(archive: zipfile.ZipFile) -> str:
    [name] = [name for name in archive.namelist() if name.endswith(("fra.txt", "spa-eng/spa.txt"))]
    return archive.read(name).decode("utf8")


def _linked(everything: list[list[str]], pairs: list[list[str]]) -> tuple[list[str], Relevant]:
    rows = {text: row for row, text in enumerate(dict.fromkeys(t for p in everything for t in p))}
    relevant: Relevant = defaultdict(set)
    for first, second in pairs:
        if first != second:
            relevant[rows[first]].add(rows[second])
            relevant[rows[second]].add(rows[first])
    return list(rows), relevant


SETS = {"captions": captions, "questions": questions, "translations": translations}


def matcher(texts: list[str], queries: list[str], **parameters: object) -> Iterator[np.ndarray]:
    """Yield after fitting, and then the ranked rows of each query, itself among them."""
    from skpara import TableMatcher

    fitted = TableMatcher(top_k=K + 1, threshold=0, guard=False, **parameters).fit(texts)
    yield np.empty(0)
    matches = fitted.match(queries)
    ranked = np.full((len(queries), K + 1), -1)
    first = np.searchsorted(matches["query"], matches["query"])
    ranked[matches["query"], np.arange(len(matches)) - first] = matches["candidate"]
    yield ranked


def by_pipeline(texts: list[str], queries: list[str]) -> Iterator[np.ndarray]:
    """Score the candidates by a pipeline that learned from the packaged sample of STS."""
    from skpara import make_sts_pipeline
    from skpara.datasets import load_sts_sample

    model = make_sts_pipeline(random_state=0).fit(*load_sts_sample(return_X_y=True))
    return matcher(texts, queries, model=model)


def tfidf(texts: list[str], queries: list[str]) -> Iterator[np.ndarray]:
    """Rank by TF-IDF of words with scikit-learn's NearestNeighbors."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.neighbors import NearestNeighbors

    vectorizer = TfidfVectorizer(sublinear_tf=True)
    neighbors = NearestNeighbors(n_neighbors=K + 1, metric="cosine")
    neighbors.fit(vectorizer.fit_transform(texts))
    yield np.empty(0)
    yield neighbors.kneighbors(vectorizer.transform(queries), return_distance=False)


def tfidf_characters(texts: list[str], queries: list[str]) -> Iterator[np.ndarray]:
    """Rank by TF-IDF of character trigrams with scikit-learn's NearestNeighbors."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.neighbors import NearestNeighbors

    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), sublinear_tf=True)
    neighbors = NearestNeighbors(n_neighbors=K + 1, metric="cosine")
    neighbors.fit(vectorizer.fit_transform(texts))
    yield np.empty(0)
    yield neighbors.kneighbors(vectorizer.transform(queries), return_distance=False)


def fuzzy(texts: list[str], queries: list[str]) -> Iterator[np.ndarray]:
    """Rank by rapidfuzz's token_sort_ratio."""
    from rapidfuzz import fuzz, process, utils

    yield np.empty(0)
    ranked = []
    for query in queries:
        scores = process.cdist(
            [query], texts, scorer=fuzz.token_sort_ratio, processor=utils.default_process
        )
        ranked.append(np.argsort(-scores[0], kind="stable")[: K + 1])
    yield np.array(ranked)


def minilm(texts: list[str], queries: list[str], folder: str = "") -> Iterator[np.ndarray]:
    """Rank by the cosine of a sentence transformer's vectors."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = SentenceTransformer(folder, device="cpu")
    vectors = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    yield np.empty(0)
    cosines = model.encode(queries, normalize_embeddings=True, show_progress_bar=False) @ vectors.T
    yield np.argsort(-cosines, axis=1)[:, : K + 1]


SYSTEMS: dict[str, tuple[str, Callable[..., Iterator[np.ndarray]]]] = {
    "TableMatcher": ("default", matcher),
    "TableMatcher, make_sts_pipeline": ("slow", by_pipeline),
    "TF-IDF of words, NearestNeighbors": ("", tfidf),
    "TF-IDF of trigrams, NearestNeighbors": ("", tfidf_characters),
    "rapidfuzz cdist, token_sort_ratio": ("slow", fuzzy),
    "MiniLM, brute force": ("subset", minilm),
}


def run_system(
    data: str, name: str, system: str, n_queries: int, n_texts: int, folder: str
) -> dict[str, float]:
    """Return recall and times of a system on a set of sentences."""
    texts, relevant = SETS[name](Path(data))
    rng = np.random.default_rng(0)
    rows = np.sort(rng.choice(sorted(row for row in relevant if relevant[row]), n_queries, False))
    if n_texts and n_texts < len(texts):
        needed = set(rows.tolist()).union(*(relevant[row] for row in rows.tolist()))
        others = [row for row in range(len(texts)) if row not in needed]
        chosen = rng.choice(others, max(0, n_texts - len(needed)), replace=False)
        subset = sorted([*needed, *chosen.tolist()])
        numbers = {row: i for i, row in enumerate(subset)}
        texts = [texts[row] for row in subset]
        relevant = {numbers[row]: {numbers[x] for x in relevant[row]} for row in rows.tolist()}
        rows = np.array([numbers[row] for row in rows.tolist()])
    keywords = {"folder": folder} if system.startswith("MiniLM") else {}
    start = time.process_time()
    steps = SYSTEMS[system][1](texts, [texts[row] for row in rows.tolist()], **keywords)
    next(steps)
    fitted = time.process_time()
    ranked = next(steps)
    seconds = time.process_time() - fitted
    hits = np.zeros((len(rows), K), dtype=bool)
    for i, row in enumerate(rows.tolist()):
        others = [x for x in ranked[i].tolist() if x != row][:K]
        hits[i, : len(others)] = [x in relevant[row] for x in others]
    return {
        "n": len(texts), "at_1": float(hits[:, 0].mean()), "at_10": float(hits.any(axis=1).mean()),
        "fit": fitted - start, "query": 1000 * seconds / len(rows),
    }  # fmt: skip


def corpus(data: Path, n: int) -> list[str]:
    """Return ``n`` different sentences: text of the data folder and variants of it."""
    texts = [*captions(data)[0], *questions(data)[0], *translations(data)[0]]
    flickr = (data / "paraphrase/flickr8k/Flickr8k.token.txt").read_text("utf8").split("\n")[:-1]
    texts += [line.split("\t")[1] for line in flickr]
    for side in ("s1", "s2"):
        texts += (data / f"nli/snli/{side}.dev").read_text("utf8").split("\n")
    for part in ("train", "test"):
        for side in "ab":
            path = data / f"paraphrase/twitter-url/{part}/{side}.toks"
            texts += path.read_text("utf8").split("\n") if path.exists() else []
    texts = [text for text in dict.fromkeys(texts) if text.strip()]
    rng = random.Random(0)
    rng.shuffle(texts)
    texts += [variant(rng.choice(texts), rng) for _ in range(n - len(texts))]
    rng.shuffle(texts)
    return texts[:n]


def variant(text: str, rng: random.Random) -> str:
    """Return a text with a word left out, two words exchanged, or a misspelling."""
    words = text.split()
    place, kind = rng.randrange(len(words)), rng.random()
    if kind < 0.4 and len(words) > 3:
        del words[place]
    elif kind < 0.7 and place:
        words[place - 1 : place + 1] = words[place], words[place - 1]
    elif len(words[place]) > 3:
        word = words[place]
        cut = rng.randrange(len(word) - 1)
        words[place] = word[:cut] + word[cut + 1] + word[cut] + word[cut + 2 :]
    return " ".join(words)


def run_deduplicator(data: str, n: int, n_jobs: int) -> dict[str, float]:
    """Return time, memory and recall of the pairs of ``n`` sentences."""
    from measure import start_memory

    from skpara import Deduplicator

    texts = corpus(Path(data), n)
    Deduplicator().fit(texts[:100])  # loads the vectors
    start_memory()
    cpu, wall = time.process_time(), time.perf_counter()
    fitted = Deduplicator(min_cosine=0.9, n_jobs=n_jobs, guard=False).fit(texts)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    labels = time.process_time()
    n_clusters = fitted.set_params(linkage="single").labels_.max() + 1
    labels = time.process_time() - labels
    complete = time.process_time()
    fitted.set_params(linkage="complete").labels()
    complete = time.process_time() - complete
    rng, units, owners = np.random.default_rng(7), fitted._units, fitted._owners
    distinct = np.flatnonzero(owners == np.arange(n))
    n_rows = min(len(distinct), COMPARISONS // n)
    rows = rng.choice(distinct, n_rows, replace=False)
    n_all = n_found = 0
    found = set((fitted.pairs_[:, 0] << 32 | fitted.pairs_[:, 1]).tolist())
    block = 2**26 // n_rows
    for start in range(0, n, block):
        i, j = np.nonzero(units[rows] @ units[start : start + block].T >= 0.9 + 1e-5)
        first, second = rows[i], j + start
        keep = (first != second) & (owners[second] == second)
        first, second = first[keep], second[keep]
        keys = np.minimum(first, second) << 32 | np.maximum(first, second)
        n_all, n_found = n_all + len(keys), n_found + sum(key in found for key in keys.tolist())
    return {
        "cpu_s": cpu, "wall_s": wall, "peak_mb": int(peak.split()[1]) / 1e3, "n": n,
        "labels": labels, "complete": complete, "clusters": int(n_clusters),
        "pairs": len(fitted.pairs_), "recall": n_found / max(n_all, 1), "checked": n_all,
        "estimate": fitted.recall_,
    }  # fmt: skip


def match_tables(args: object) -> None:
    """Print a table of each set, with all its sentences and with a part of them."""
    code = """
import sys, matching
folder, name, system, n_queries, n_texts, minilm = sys.argv[1:]
result = matching.run_system(folder, name, system, int(n_queries), int(n_texts), minilm)
"""
    for name in args.sets:
        for n_texts in dict.fromkeys((0, args.n_texts)):
            rows = []
            for system, (kind, _) in SYSTEMS.items():
                if kind == "subset" and (n_texts != args.n_texts or not args.minilm):
                    continue
                n_queries = (
                    min(args.n_queries, 200) if kind == "slow" and not n_texts else args.n_queries
                )
                done = run_child(
                    code, args.data, name, system, n_queries, n_texts, args.minilm or "-"
                )
                rows.append(
                    [system, f"{done['at_1']:.3f}", f"{done['at_10']:.3f}", f"{done['fit']:.1f}",
                     f"{done['query']:.1f}", f"{done['peak']:.0f}", str(n_queries)]
                )  # fmt: skip
                n = done["n"]
            print_table(
                f"{name}: among {n:,} sentences",
                ["", "recall@1", "recall@10", "fit, s", "ms/query", "peak, MB", "queries"],
                rows,
            )


def deduplication_table(args: object) -> None:
    """Print time, memory and recall by number of sentences."""
    code = """
import sys, matching
result = matching.run_deduplicator(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
"""
    rows, before = [], None
    for n in args.sizes:
        done = run_child(code, args.data, n, args.n_jobs)
        growth = ""
        if before:
            growth = f"{np.log(done['cpu_s'] / before[1]) / np.log(n / before[0]):.2f}"
        before = n, done["cpu_s"]
        rows.append(
            [f"{n:,}", f"{done['cpu_s']:.1f}", f"{done['wall_s']:.1f}", growth,
             f"{done['peak_mb']:.0f}", f"{done['pairs']:,}", f"{done['clusters']:,}",
             f"{done['recall']:.4f}", f"{done['estimate']:.4f}", f"{done['labels']:.2f}",
             f"{done['complete']:.2f}"]
        )  # fmt: skip
    print_table(
        f"Deduplicator, pairs with a cosine of .9, n_jobs={args.n_jobs}",
        ["sentences", "CPU s", "s", "exponent", "peak, MB", "pairs", "clusters", "recall",
         "at least", "clusters, s", "complete, s"],
        rows,
    )  # fmt: skip


def main() -> None:
    """Print the tables."""
    options = parser(__doc__)
    options.add_argument("--minilm", help="folder of all-MiniLM-L6-v2")
    options.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    options.add_argument("--n-queries", type=int, default=1000)
    options.add_argument("--n-texts", type=int, default=5000, help="sentences of the small sets")
    options.add_argument(
        "--sizes", type=int, nargs="+", default=[31_250, 125_000, 500_000, 1_000_000]
    )
    options.add_argument("--n-jobs", type=int, default=2)
    args = parse(options)
    if args.quick:
        args.n_queries, args.n_texts, args.sizes = 50, 500, [10_000, 30_000]
    if args.only in "match":
        match_tables(args)
    if args.only in "deduplicate":
        deduplication_table(args)


if __name__ == "__main__":
    main()
