"""Spanish, French and German by word vectors that were learned from translated sentences.

    python examples/benchmarks/languages.py --data DATA --leave-out HASHES --out FILE [--parts dev]

Builds one table for four languages from the bitext in the data folder, as ``align_vectors``
does, without a transformer. Scores the translated STS Benchmark with it: both sentences in one
language, or one in English and the other in another language. FILE is the table. The bitext:

* Tatoeba (Spanish and French), CC BY 2.0, from manythings.org/anki and tatoeba.org;
* NTREX-128 (all three), CC BY-SA 4.0;
* Multi30k, captions of images (French and German), licence not stated in the repository;
* a sample of WMT's English-German text (harvardnlp/seq2seq-attn), licence not stated.

Evaluated sentences and their translations are left out: English ones by the hashes that
``examples/builders/evaluation_sentences.py`` writes, others by the hashes of the sets themselves.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import normalize

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder, WordVectors
from skpara.augment import TranslateToEnglish
from skpara.encoders import align_vectors
from skpara.metrics import pearson_score

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "builders"))
from build_languages import (
    LANGUAGES,
    PARTS,
    TextPairs,
    evaluated_translations,
    lines,
    open_sources,
    retrieval_pairs,
    retrieval_shares,
    usable,
)
from cross_lingual import fetch_translated_benchmark
from evaluation_sentences import read_hashes, sentence_hashes
from paraphrases import fetch_bitext
from result_tables import Cell, mean_and_range, print_table

CODES = ("es", "fr", "de")
NAMES = {"en": "English", **{code: LANGUAGES[code].name for code in CODES}}
SHRINKING = -0.25
# Smaller singular values are noise.
NOISE = 1e-3


def main() -> None:
    """Build the table unless there is one, and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="data folder")
    parser.add_argument("--leave-out", type=Path, required=True, help="file of hashes")
    parser.add_argument("--out", type=Path, required=True, help="table to write")
    parser.add_argument("--reuse", action="store_true", help="read the table of an earlier run")
    parser.add_argument("--vectors", default="default", help="English vectors")
    parser.add_argument("--parts", nargs="+", default=["dev"], choices=PARTS[1:])
    parser.add_argument(
        "--n-train", type=int, default=2000, help="training pairs of the fused Spanish scores"
    )
    parser.add_argument("--seeds", type=int, default=3, help="runs of the fused Spanish scores")
    args = parser.parse_args()
    english = WordVectors.load(args.vectors)
    if not args.reuse:
        build(args, english)
    table = WordVectors.load(args.out)
    print(f"\n{table}, {args.out.stat().st_size / 1e6:.1f} MB")
    for part in args.parts:
        print_cosines(args.data, part, english, table)
        print_fused(args.data, part, args.n_train, args.seeds, table)
    print_retrieval(args.data, table)


def build(args: argparse.Namespace, english: WordVectors) -> None:
    """Write a table of the words of all languages."""
    left_out = read_hashes(args.leave_out)
    for language in CODES:
        left_out |= sentence_hashes(first for first, _ in retrieval_pairs(args.data, language))
    rows: list[list[Cell]] = []
    text = []
    for language in CODES:
        evaluated = evaluated_translations(args.data, language)
        for source, pairs in sources(args.data, language):
            kept, n_left_out = usable(pairs, left_out, evaluated)
            rows.append([NAMES[language], source, len(kept), n_left_out])
            text += kept
    print_table("Pairs", ["language", "source", "used", "left out"], rows)
    start = time.process_time()
    table = align_vectors(np.array(text, dtype=object), english)
    table.save(args.out)
    print(f"\n{len(text):,} pairs, {time.process_time() - start:.0f} s of processor time")


def sources(data: Path, language: str) -> Iterator[tuple[str, TextPairs]]:
    """Yield the bitext of a language: the name of a source, and its English and foreign sides."""
    yield from open_sources(data, language)
    code, folder = LANGUAGES[language].code, data / "bitext" / "wmt-en-de"
    if language != "es":
        yield "Multi30k", list(map(tuple, fetch_bitext(f"multi30k-{code}", data_home=data).data))
    if language == "de":
        yield (
            "WMT sample",
            [
                pair
                for part in ("train", "test")
                for pair in zip(
                    lines(folder / f"src-{part}.txt"),
                    lines(folder / f"targ-{part}.txt"),
                    strict=True,
                )
            ],
        )


def shrunk(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return vectors of sentences with singular values that are less unequal."""
    units = normalize(rows.astype(np.float64))
    _, values, axes = np.linalg.svd(units, full_matrices=False)
    kept = values > NOISE * values[0]
    return units @ (axes[kept].T * (values[kept] / values[0]) ** SHRINKING)


def cosine_scores(
    encoder: ParagramEncoder, pairs: NDArray[np.object_], target: NDArray[np.float64]
) -> list[float]:
    """Return r of the cosine, as it is and with the sentences to be scored shrunk."""
    first, second = (encoder.encode(side.tolist()) for side in pairs.T)
    one, other = np.split(normalize(shrunk(np.vstack([first, second]))), 2)
    cosines = encoder.similarity(*pairs.T), (one * other).sum(axis=1)
    return [pearson_score(target, values) for values in cosines]


def print_cosines(data: Path, part: str, english: WordVectors, table: WordVectors) -> None:
    """Print r of the cosine, for one language and across languages."""
    sets = {code: fetch_translated_benchmark(part, code, data_home=data) for code in NAMES}
    encoder = ParagramEncoder(vectors=table)
    target = sets["en"].target
    rows: list[list[Cell]] = [
        [
            "English, English vectors alone",
            *cosine_scores(ParagramEncoder(vectors=english), sets["en"].data, target),
        ]
    ]
    rows += [
        [NAMES[code], *cosine_scores(encoder, bunch.data, target)] for code, bunch in sets.items()
    ]
    codes = list(NAMES)
    for i, first in enumerate(codes):
        for second in codes[i + 1 :]:
            # Each language is the first sentence in half of the scores.
            both = [
                cosine_scores(
                    encoder,
                    np.column_stack([sets[a].data[:, 0], sets[b].data[:, 1]]),
                    target,
                )
                for a, b in ((first, second), (second, first))
            ]
            rows.append([f"{NAMES[first]}-{NAMES[second]}", *np.mean(both, axis=0).tolist()])
    print_table(
        f"STS Benchmark {part}, {len(target):,} pairs: Pearson's r of the cosine",
        ["languages", "cosine", "sentences shrunk"],
        rows,
    )


def print_retrieval(data: Path, table: WordVectors) -> None:
    """Print how often the nearest sentence is the translation."""
    encoder = ParagramEncoder(vectors=table)
    rows: list[list[Cell]] = []
    for language in CODES:
        pairs = retrieval_pairs(data, language)
        if pairs:
            rows.append([NAMES[language], len(pairs), *retrieval_shares(encoder, pairs)])
    print_table(
        "Tatoeba (LASER's test set): share of sentences whose nearest one is the translation",
        ["language", "pairs", "from English", "to English"],
        rows,
    )


def print_fused(data: Path, part: str, n_train: int, n_seeds: int, table: WordVectors) -> None:
    """Print r of fused scores of Spanish pairs: of the table, of translations, and of both."""
    train = fetch_translated_benchmark("train", "es", data_home=data)
    test = fetch_translated_benchmark(part, "es", data_home=data)
    chosen = np.random.default_rng(0).permutation(len(train.data))[:n_train]
    original = ("table", ParagramEncoder(vectors=table, max_iter=0, output="similarity"))
    translated = (
        "translation",
        make_pipeline(TranslateToEnglish(["en", "es"]), LexicalFeatures()),
    )
    features = FeatureUnion([original, translated])
    target = train.target[chosen]
    seen = features.fit(train.data[chosen], target).transform(train.data[chosen])
    new = features.transform(test.data)
    views = {
        "the table's cosine": slice(0, 1),
        "features of Apertium's translation": slice(1, None),
        "both": slice(0, None),
    }
    rows: list[list[Cell]] = []
    for name, columns in views.items():
        models = (
            FusionRegressor(random_state=seed).fit(seen[:, columns], target)
            for seed in range(n_seeds)
        )
        scores = [pearson_score(test.target, model.predict(new[:, columns])) for model in models]
        rows.append([name, mean_and_range(scores)])
    print_table(
        f"Spanish STS Benchmark {part}, fused, {len(chosen):,} Spanish training pairs",
        ["features", "r"],
        rows,
    )


if __name__ == "__main__":
    main()
