"""The whole system: time to fit, the first second, one pair, many pairs, memory, two processes.

    python examples/benchmarks/pipeline.py --data DATA [--model all-MiniLM-L6-v2]

fit        ``make_sts_pipeline().fit`` in new processes, loading of tables included, beside
           scikit-learn's gradient boosting alone (500 trees, as many rows, 116 columns)
start      new processes until their first score, beside one that imports the parts of scikit-learn
           that every pipeline needs; their memory; the size of the file
one pair   one after the other, with tables loaded, and whether scores are those in bulk
bulk       pairs per second. Every round has pairs that were not scored before, so caches help as
           much as in use. ``headlines`` are STS's, the others are drawn from 2012-2015
processes  ``n_jobs=2`` beside 1, by the clock, so this needs two free cores

Peers are the cosine of scikit-learn's TF-IDF of character n-grams, one measure of rapidfuzz, and
with ``--model`` a sentence-transformers model.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from measure import Measurement, compare, parse, parser, run_child, show, take_turns, write
from sklearn.feature_extraction.text import TfidfVectorizer
from texts import YEARS, captions

from skpara import LexicalFeatures, ParagramEncoder, load_model
from skpara.datasets import fetch_sts, load_sts_sample

Score = Callable[[np.ndarray], Any]
TFIDF = "TF-IDF cosine"

FIT = """
import sys, time
import joblib
import numpy as np
from skpara import LexicalFeatures, make_sts_pipeline
from skpara.saving import save_model
from sklearn.ensemble import GradientBoostingRegressor
data, out, features = sys.argv[1:]
pairs, scores = joblib.load(data)
start = time.process_time()
lexical = None if features == "default" else LexicalFeatures(features)
model = make_sts_pipeline(lexical=lexical, random_state=0).fit(pairs, scores)
fitted = time.process_time()
save_model(model, out)
X = np.random.default_rng(0).random((len(scores), 116))
saved = time.process_time()
GradientBoostingRegressor(n_estimators=500).fit(X, scores)
result = {"fit": fitted - start, "peer": time.process_time() - saved}
"""
STARTS = {
    "import scikit-learn": ("import sklearn.pipeline, sklearn.ensemble", ""),
    "load_model and one score": (
        "import sys, skpara\n"
        "skpara.load_model(sys.argv[1]).predict([('A dog runs.', 'Dogs run.')])",
        "1.4x",
    ),
    "skpara predict, one line": (
        "import sys\nfrom skpara.cli import main\nmain(['predict', '--model', sys.argv[1]])",
        "1.4x",
    ),
    "ParagramEncoder().similarity": (
        "from skpara import ParagramEncoder\n"
        "ParagramEncoder().similarity(['A dog runs.'], ['Dogs run.'])",
        "",
    ),
}


def fit(data: Sequence[Any], folder: Path, repeats: int, goal: str) -> list[Measurement]:
    """Fit in new processes; the model stays in the folder."""
    n = len(data[1])
    joblib.dump(data, folder / "data")
    out = folder / f"default-{n}.skpara"
    runs = [run_child(FIT, folder / "data", out, "default") for _ in range(repeats)]
    title, peer = f"fit, {n:,} pairs, ", "gradient boosting alone"
    seconds = {name: [run[key] for run in runs] for name, key in ((peer, "peer"), ("CPU", "fit"))}
    rows = compare(seconds, "s", title=title, peer=peer, goals={"CPU": goal})
    return [
        *rows,
        Measurement(f"{title}memory", float(np.median([r["peak"] for r in runs])), "MB"),
    ]


def start(model: Path, repeats: int) -> list[Measurement]:
    """Measure new processes until their first score."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in STARTS}
    for _ in range(repeats):
        for name, (code, _) in STARTS.items():
            runs[name].append(run_child(code, model, stdin="A dog runs.\tDogs run.\n"))
    seconds = {name: [run["cpu"] for run in done] for name, done in runs.items()}
    goals = {name: goal for name, (_, goal) in STARTS.items()}
    rows = compare(seconds, "s", title="start, ", peer="import scikit-learn", goals=goals)
    for name, done in runs.items():
        peak = float(np.median([run["peak"] for run in done]))
        goal = "300" if "score" in name or "predict" in name else ""
        rows.append(Measurement(f"start, {name}, memory", peak, "MB", goal=goal))
    rows.append(Measurement("model file", model.stat().st_size / 1e6, "MB", goal="20"))
    return rows


def peers(sentences: list[str], model: str | None) -> dict[str, Score]:
    """Return other ways to score pairs."""
    tfidf = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5)).fit(sentences)

    def cosines(pairs: np.ndarray) -> Any:
        first, second = (tfidf.transform(side) for side in pairs.T)
        return first.multiply(second).sum(axis=1)

    scores: dict[str, Score] = {TFIDF: cosines}
    try:
        from rapidfuzz.fuzz import token_set_ratio
    except ImportError as error:
        print(f"rapidfuzz: left out, {error}")
    else:
        scores["rapidfuzz token_set_ratio"] = lambda pairs: [
            token_set_ratio(first, second) for first, second in pairs
        ]
    if model:
        from sentence_transformers import SentenceTransformer

        transformer = SentenceTransformer(model, device="cpu")
        # A tenth of the pairs, if there are many, since it takes ten times as long as others.
        scores[Path(model).name] = lambda pairs: transformer.similarity_pairwise(
            *(transformer.encode(side.tolist(), show_progress_bar=False) for side in pairs[::10].T)
        )
    return scores


def score(args: argparse.Namespace, models: dict[str, Any], n: int) -> list[Measurement]:
    """Measure one pair at a time, and many."""
    bunch = fetch_sts(YEARS, split="all", include_unscored=True, data_home=args.data)
    order = np.random.default_rng(0).permutation(len(bunch.data))
    headlines = bunch.data[order][np.char.endswith(bunch.groups[order].astype(str), "headlines")]
    # The last part is for warming up.
    blocks = np.array_split(bunch.data[order][: n * (args.repeats + 1)], args.repeats + 1)
    head_blocks = np.array_split(headlines[: n * (args.repeats + 1)], args.repeats + 1)
    encoder, fusion, fast = ParagramEncoder(), models["default"].predict, models["fast"].predict
    scores = peers(bunch.data[order[:5000]].ravel().tolist(), args.model)
    scores["similarity"] = lambda pairs: encoder.similarity(*pairs.T.tolist())
    lexical = {name: LexicalFeatures(name).fit(blocks[-1]) for name in ("all", "fast")}
    rows: list[Measurement] = []
    if args.only in "one pair":
        ways = scores | {"fusion, fast": fast, "fusion": fusion}
        # So many that what the way before has put into the caches hardly counts.
        n_singles = min(100, *map(len, blocks))
        bulk = fusion(blocks[0])
        single = np.array([fusion(blocks[0][i : i + 1])[0] for i in range(20)])
        works = {
            name: lambda turn, f=way: [f(blocks[turn][i : i + 1]) for i in range(n_singles)]
            for name, way in ways.items()
        }
        for way in ways.values():
            way(blocks[-1][:2])
        seconds = take_turns(works, args.repeats)
        goals = {"similarity": "60", "fusion": "4000"}
        rows += compare(seconds, "µs", n=n_singles, title="one pair, ", peer=TFIDF, goals=goals)
        difference = float(np.abs(bulk[:20] - single).max())
        rows.append(Measurement("one pair, difference from bulk", difference, "", goal="0"))
    if args.only in "bulk":
        ways = scores | {"fusion, fast": fast, "fusion": fusion}
        ways |= {f"features, {name}": each.transform for name, each in lexical.items()}
        for title, parts, goals in (
            ("bulk, ", blocks, {"fusion, fast": "8000", "fusion": "2500"}),
            ("headlines, ", head_blocks, {"features, all": "3000"}),
        ):
            for way in ways.values():
                way(parts[-1])
            works = {
                name: lambda turn, f=way, parts=parts: f(parts[turn]) for name, way in ways.items()
            }
            seconds = take_turns(works, args.repeats)
            if args.model:
                seconds[Path(args.model).name] *= 10
            n_pairs = float(np.mean([len(part) for part in parts]))
            rows += compare(seconds, "pairs/s", n=n_pairs, title=title, peer=TFIDF, goals=goals)
    return rows


def processes(args: argparse.Namespace) -> list[Measurement]:
    """Compare two processes or threads with one, by the clock."""
    pairs = fetch_sts(YEARS, split="all", include_unscored=True, data_home=args.data).data
    sentences = captions(args.data)
    rows: list[Measurement] = []
    for title, data, make in (
        ("encode", sentences, lambda n: ParagramEncoder(n_jobs=n).encode),
        ("features", pairs, lambda n: LexicalFeatures(n_jobs=n).fit(pairs[:9]).transform),
    ):
        ways = {f"n_jobs={n}": make(n) for n in (1, 2)}
        for way in ways.values():  # starts the processes, which load their tables
            way(data[:4096])
        works = {name: lambda _, f=way, x=data: f(x) for name, way in ways.items()}
        # The system may place both threads on one core for a while.
        seconds = take_turns(works, 3 * args.repeats, budget=60, clock=time.perf_counter)
        rows += compare(
            seconds, "rows/s", n=len(data), title=f"{title}, ", peer="n_jobs=1",
            goals={"n_jobs=2": "1.7x"},
        )  # fmt: skip
    return rows


def main() -> None:
    """Print the tables."""
    options = parser(__doc__)
    options.add_argument("--model", help="folder of a sentence-transformers model")
    options.add_argument("--pairs", type=int, help="pairs a round; default 2,000, 400 if --quick")
    args = parse(options)
    n, everything = args.pairs or (400 if args.quick else 2000), []
    slow = min(args.repeats, 3) if args.quick else args.repeats
    with tempfile.TemporaryDirectory() as name:
        folder, sample = Path(name), load_sts_sample()
        known = sample.data[: 8 * n], sample.target[: 8 * n]
        rows = fit(known, folder, slow if args.only in "fit" else 1, "4")
        model = folder / f"default-{len(known[1])}.skpara"
        if args.only in "fit":
            if not args.quick:
                sts = fetch_sts(YEARS, split="all", data_home=args.data)
                order = np.random.default_rng(0).permutation(len(sts.target))[:5000]
                # A third of 27.9 s of CPU time, before work on it began.
                rows += fit((sts.data[order], sts.target[order]), folder, 1, "0.2x")
            show("Fit", rows)
            everything += rows
        if args.only in "start":
            rows = start(model, slow)
            show("Start", rows)
            everything += rows
        if args.only in ("one pair", "bulk", ""):
            joblib.dump(known, folder / "data")
            run_child(FIT, folder / "data", folder / "fast.skpara", "fast")
            models = {"default": load_model(model), "fast": load_model(folder / "fast.skpara")}
            rows = score(args, models, n)
            show("Scores", rows)
            everything += rows
    if args.only in "processes" and not args.quick:
        rows = processes(args)
        show("Two processes", rows)
        everything += rows
    write(args.json, "pipeline", everything)


if __name__ == "__main__":
    main()
