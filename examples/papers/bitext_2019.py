"""Sentence vectors from bitext alone: no teacher, no language model, no translation.

    python examples/papers/bitext_2019.py --data DATA

One table of sub-word units for English, Spanish, French, German and Czech is learned from
sentences and their translations, as in Wieting and others (2019): a sentence is the mean of the
vectors of its units, and translations come closer than the most similar other sentence of a
mega-batch. The units are pieces of SentencePiece (which must be installed), learned from the same
bitext, or with ``--units words`` whole words, as a baseline.

The bitext is that of examples/benchmarks/languages.py, with Czech. Evaluated sentences and their
translations are left out. Vectors start at random. Settings were chosen on the dev part of STS
Benchmark, in English and translated by machine; its test part and LASER's Tatoeba are scored
once. ``--show-dev`` prints the dev part only.

J. Wieting, K. Gimpel, G. Neubig, T. Berg-Kirkpatrick (2019). Simple and effective paraphrastic
similarity from parallel translations. ACL.
"""

from __future__ import annotations

import argparse
import io
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara import ParagramEncoder, WordVectors
from skpara.learning import Adam, Negatives
from skpara.metrics import pearson_score
from skpara.networks import Average
from skpara.text import tokenize

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(1, str(Path(__file__).parents[1] / "builders"))
sys.path.insert(2, str(Path(__file__).parents[1] / "benchmarks"))
from build_languages import (
    LANGUAGES,
    evaluated_translations,
    retrieval_pairs,
    retrieval_shares,
    usable,
)
from cross_lingual import fetch_translated_benchmark
from evaluation_sentences import evaluation_hashes, sentence_hashes
from languages import sources
from result_tables import Cell, mean_and_range, print_table

TextPairs = list[tuple[str, str]]
BENCHMARKS = ["en", *(code for code, language in LANGUAGES.items() if language.has_benchmark)]
# Pairs of languages in which STS Benchmark is scored.
SCORED = [(code, code) for code in BENCHMARKS] + [("en", code) for code in BENCHMARKS[1:]]
NAMES = {"en": "English"} | {code: language.name for code, language in LANGUAGES.items()}
N_TO_LEARN_PIECES = 300_000  # sentences; more do not change the pieces much


def gather(data: Path) -> dict[str, TextPairs]:
    """Return the usable bitext of each language: English sentences and their translations."""
    english = evaluation_hashes(data)
    for code in LANGUAGES:
        english |= sentence_hashes(first for first, _ in retrieval_pairs(data, code))
    return {
        code: [
            pair
            for _, pairs in sources(data, code)
            for pair in usable(pairs, english, evaluated_translations(data, code))[0]
        ]
        for code in LANGUAGES
    }


def learn_pieces(bitext: dict[str, TextPairs], n_pieces: int) -> Callable[[str], list[str]]:
    """Return a function that splits a sentence into pieces of a vocabulary of all languages."""
    import sentencepiece

    # Each English sentence once, or its pieces would be learned from several copies.
    pairs = [pair for text in bitext.values() for pair in text]
    sentences = list(dict.fromkeys(sentence for pair in pairs for sentence in pair))
    rng = np.random.default_rng(0)
    chosen = rng.permutation(len(sentences))[:N_TO_LEARN_PIECES]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(" ".join(tokenize(sentences[i])) for i in chosen),
        model_writer=model,
        vocab_size=n_pieces,
        character_coverage=1.0,
        num_threads=1,
        minloglevel=2,
    )
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    # The encoder splits text into tokens; a number with a letter stays whole.
    return lambda text: [f"p{i}" for i in processor.encode(" ".join(tokenize(text)))]


def as_units(sentences: Sequence[str], split: Callable[[str], list[str]]) -> list[str]:
    """Return sentences as units with blanks between them, as an encoder reads them."""
    return [" ".join(split(sentence)) for sentence in sentences]


def benchmark(
    data: Path, part: str, split: Callable[[str], list[str]]
) -> dict[str, tuple[NDArray[np.object_], NDArray[np.float64]]]:
    """Return the units of STS Benchmark in each language, and the scores."""
    sets = {}
    for code in BENCHMARKS:
        bunch = fetch_translated_benchmark(part, code, data_home=data)
        units = np.array(as_units(bunch.data.ravel(), split), dtype=object).reshape(-1, 2)
        sets[code] = (units, fetch_translated_benchmark(part, "en", data_home=data).target)
    return sets


def scores_of(encoder: ParagramEncoder, sets: dict[str, Any]) -> list[float]:
    """Return Pearson's r for each pair of languages; if they differ, the mean of both orders."""
    scores = []
    for first, second in SCORED:
        target = sets[first][1]
        both = [
            pearson_score(target, encoder.similarity(sets[a][0][:, 0], sets[b][0][:, 1]))
            for a, b in {(first, second), (second, first)}
        ]
        scores.append(float(np.mean(both)))
    return scores


def train(
    pairs: NDArray[np.object_], development: Any, args: argparse.Namespace, seed: int
) -> ParagramEncoder:
    """Return an encoder of units, trained from random vectors."""
    rng = np.random.default_rng(seed)
    units = sorted({unit for side in pairs.ravel() for unit in side.split()})
    vectors = rng.standard_normal((len(units), args.n_dims)) / np.sqrt(args.n_dims)
    return ParagramEncoder(
        Average(redundancy=0.0, dropout=args.dropout, word_dropout=args.word_dropout),
        vectors=WordVectors(units, vectors.astype(np.float32)),
        negatives=Negatives("hardest", args.megabatch, margin=args.margin),
        optimizer=Adam(args.rate),
        batch_size=args.batch_size,
        max_iter=args.epochs,
        word_decay=0.0,
        oov="zero",
        n_iter_no_change=args.epochs,
        random_state=seed,
    ).fit(pairs, validation=development)


def main() -> None:
    """Train, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="data folder")
    parser.add_argument("--units", choices=["pieces", "words"], default="pieces")
    parser.add_argument("--n-pieces", type=int, default=30_000)
    parser.add_argument("--n-dims", type=int, default=300)
    parser.add_argument("--n-pairs", type=int, help="of each language, instead of all")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--margin", type=float, default=0.4)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--megabatch", type=int, default=10, help="batches with negatives")
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--word-dropout", type=float, default=0.0)
    parser.add_argument("--seeds", type=int, default=3, help="runs")
    parser.add_argument("--show-dev", action="store_true", help="the dev part only")
    args = parser.parse_args()
    bitext = {code: pairs[: args.n_pairs] for code, pairs in gather(args.data).items()}
    if args.units == "words":
        split: Callable[[str], list[str]] = tokenize
    else:
        split = learn_pieces(bitext, args.n_pieces)
    pairs = [pair for text in bitext.values() for pair in text]
    units = np.array(as_units([s for pair in pairs for s in pair], split), dtype=object)
    units = units.reshape(-1, 2)
    units = units[[all(map(str.strip, pair)) for pair in units]]
    development = benchmark(args.data, "dev", split)
    # The epoch is chosen by pairs of an English and a Spanish sentence, in both orders: cosines
    # within one language and within another are not on one scale.
    english, spanish = development["en"][0], development["es"][0]
    validation = (
        np.vstack(
            [
                np.column_stack([english[:, 0], spanish[:, 1]]),
                np.column_stack([spanish[:, 0], english[:, 1]]),
            ]
        ),
        np.tile(development["en"][1], 2),
    )
    encoders = []
    for seed in range(args.seeds):
        start = time.process_time()
        encoder = train(units, validation, args, seed)
        encoders.append(encoder)
        curve = ", ".join(f"{entry['score']:.3f}" for entry in encoder.history_)
        print(
            f"seed {seed}: {time.process_time() - start:.0f} s, dev by epoch {curve}",
            file=sys.stderr,
            flush=True,
        )
    rows: list[list[Cell]] = [[NAMES[code], len(text)] for code, text in bitext.items()]
    print_table("Pairs with English", ["language", "pairs"], rows)
    parts = {"dev": development}
    if not args.show_dev:
        parts["test"] = benchmark(args.data, "test", split)
    results = [[scores_of(encoder, sets) for encoder in encoders] for sets in parts.values()]
    print_table(
        "STS Benchmark, translated by machine: Pearson's r of the cosine",
        ["languages", *parts],
        [
            [
                NAMES[a] if a == b else f"{NAMES[a]}-{NAMES[b]}",
                *(mean_and_range([run[i] for run in runs]) for runs in results),
            ]
            for i, (a, b) in enumerate(SCORED)
        ],
    )
    if args.show_dev:
        return
    rows = []
    for code in LANGUAGES:
        pairs = retrieval_pairs(args.data, code)
        if not pairs:
            continue
        sides = [as_units([pair[i] for pair in pairs], split) for i in (0, 1)]
        found = list(zip(*sides, strict=True))
        shares = np.array([retrieval_shares(each, found) for each in encoders])
        rows.append([NAMES[code], *(mean_and_range(each.tolist()) for each in shares.T)])
    print_table(
        "Tatoeba (LASER's test set): share of sentences whose nearest one is the translation",
        ["language", "from English", "to English"],
        rows,
    )


if __name__ == "__main__":
    main()
