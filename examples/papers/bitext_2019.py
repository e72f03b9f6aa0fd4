"""Sentence vectors from bitext alone: no teacher, no language model, no translation.

    python examples/papers/bitext_2019.py --data DATA

One table of units for English, Spanish, French, German and Czech is learned from sentences and
their translations, as in Wieting and others (2019): a sentence is the mean of the vectors of its
units, and translations come closer than the most similar other sentence of a mega-batch. The
units are the character trigrams of words, as in one of their models, or with ``--units words`` the
words.

Vectors start at random, and shorter for frequent units (Arora and others 2017): before anything
is learned, a cosine is then that of TF-IDF, about. With ``--frequency 1`` all are equally long.
English sentences with the same translation are pairs, too, unless ``--no-english`` leaves them
out.

The bitext is that of examples/benchmarks/languages.py, with Czech. Evaluated sentences and their
translations are left out. Settings were chosen on the dev part of STS Benchmark, in English and
translated by machine; its test part and LASER's Tatoeba are scored once. ``--show-dev`` prints the
dev part only.

J. Wieting, K. Gimpel, G. Neubig, T. Berg-Kirkpatrick (2019). Simple and effective paraphrastic
similarity from parallel translations. ACL.

S. Arora, Y. Liang, T. Ma (2017). A simple but tough-to-beat baseline for sentence embeddings.
ICLR.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
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
UNITS = ("trigrams", "words")
NGRAM = 3
FEWEST_SENTENCES = 3  # with a unit; rarer ones are noise
MOST_VARIANTS = 6  # English sentences of one translation that are paired: more are too general


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


def english_pairs(bitext: dict[str, TextPairs]) -> TextPairs:
    """Return pairs of different English sentences with the same translation."""
    variants: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for code, pairs in bitext.items():
        for english, translation in pairs:
            variants[code, translation][english] = None
    groups = [[*group] for group in variants.values() if len(group) <= MOST_VARIANTS]
    return [*dict.fromkeys(pair for group in groups for pair in combinations(group, 2))]


class Units:
    """Trigrams of words, or words, in a form that the encoder reads.

    The encoder would split a trigram into tokens, so a unit is written as the letter u and its
    number. Units that few sentences have are left out.
    """

    def __init__(self, sentences: Iterable[str], kind: str) -> None:
        self.kind = kind
        self._of_word: dict[str, list[str]] = {}
        counts = Counter(unit for sentence in sentences for unit in set(self._split(sentence)))
        frequent = sorted(unit for unit, count in counts.items() if count >= FEWEST_SENTENCES)
        self._names = {unit: f"u{i}" for i, unit in enumerate(frequent)}
        self.names = [*self._names.values()]
        n_all = sum(counts.values())
        self.shares = np.array([counts[unit] / n_all for unit in frequent])

    def _split(self, sentence: str) -> Iterator[str]:
        for word in tokenize(sentence):
            if word not in self._of_word:
                marked = f"<{word}>"
                places = range(len(marked) - NGRAM + 1)
                trigrams = [marked[i : i + NGRAM] for i in places]
                self._of_word[word] = trigrams if self.kind == "trigrams" else [word]
            yield from self._of_word[word]

    def written(self, sentences: Iterable[str]) -> list[str]:
        """Return sentences as units with blanks between them, as an encoder reads them."""
        return [
            " ".join(self._names[unit] for unit in self._split(s) if unit in self._names)
            for s in sentences
        ]


def benchmark(
    data: Path, part: str, units: Units
) -> dict[str, tuple[NDArray[np.object_], NDArray[np.float64]]]:
    """Return the units of STS Benchmark in each language, and the scores."""
    sets = {}
    for code in BENCHMARKS:
        bunch = fetch_translated_benchmark(part, code, data_home=data)
        written = np.array(units.written(bunch.data.ravel()), dtype=object).reshape(-1, 2)
        sets[code] = (written, fetch_translated_benchmark(part, "en", data_home=data).target)
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
    pairs: NDArray[np.object_], units: Units, development: Any, args: argparse.Namespace, seed: int
) -> ParagramEncoder:
    """Return an encoder of units, trained from random vectors."""
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((len(units.names), args.n_dims)) / np.sqrt(args.n_dims)
    vectors *= (args.frequency / (args.frequency + units.shares))[:, None]
    return ParagramEncoder(
        Average(redundancy=0.0, dropout=args.dropout, word_dropout=args.word_dropout),
        vectors=WordVectors(units.names, vectors.astype(np.float32)),
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
    parser.add_argument("--units", choices=UNITS, default="trigrams")
    parser.add_argument("--n-dims", type=int, default=256)
    parser.add_argument(
        "--frequency", type=float, default=3e-4, help="share at which a unit starts half as long"
    )
    parser.add_argument("--no-english", action="store_true", help="no pairs of English sentences")
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
    pairs = [pair for text in bitext.values() for pair in text]
    if not args.no_english:
        pairs += english_pairs(bitext)
    # Each English sentence once, or its units would be counted several times.
    distinct = dict.fromkeys(sentence for pair in pairs for sentence in pair)
    units = Units(distinct, args.units)
    written = dict(zip(distinct, units.written(distinct), strict=True))
    learned = np.array([[written[s] for s in pair] for pair in pairs], dtype=object)
    learned = learned[[all(pair) for pair in learned]]
    development = benchmark(args.data, "dev", units)
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
        encoder = train(learned, units, validation, args, seed)
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
        parts["test"] = benchmark(args.data, "test", units)
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
        sides = [units.written(pair[i] for pair in pairs) for i in (0, 1)]
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
