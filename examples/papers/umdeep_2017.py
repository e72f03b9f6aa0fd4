"""The UMDeep system: Table 1 by maximum length, Table 2 by example.

    python examples/papers/umdeep_2017.py --data DATA
    python examples/papers/umdeep_2017.py --data DATA --tables tracks --marian ar=MODEL tr=MODEL

One siamese LSTM is trained for each maximum length (11, 20 and unlimited) and each of five seeds;
the tables show the mean and, in brackets, the smallest and largest value; another processor gives
other values for the same seeds. If files of STS 2017 are
available, the models are trained on 2012-2016 and score its tracks. What is not English is
translated, and tracks of languages without a translator are listed. Otherwise they are trained on
2012-2015 and score the sets of 2016 (the authors found postediting the closest to 2017) and the
English-Spanish training pairs of 2017. For STS Benchmark, they are trained on the train part.

The table "vectors" (--tables vectors --vectors GLOVE) has the LSTM with 20 words and word vectors
that are trained or fixed, all of them or only those of the words of the training pairs; the other
words get vectors of their character n-grams then. The table "words" has the LSTM with lemmas,
without articles or function words, and with proper nouns twice, so that they weigh more; the
authors say of such attempts that they did not help much.

Training ends by early stopping on a tenth of the training pairs. All other settings were chosen on
the dev part of STS Benchmark, after training on its train part. The LSTM is compared with the same
regressor with a GRAN and with a plain average of word vectors.

J. Barrow, D. Peskov (2017). UMDeep at SemEval-2017 Task 1: end-to-end shared weight LSTM model for
semantic textual similarity. SemEval.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from skpara import SiameseLSTMRegressor, SiameseRegressor, WordVectors
from skpara.augment import (
    ApertiumTranslator,
    MarianTranslator,
    TranslateToEnglish,
    TranslationError,
    Translator,
)
from skpara.datasets import fetch_sts, fetch_sts_benchmark
from skpara.metrics import pearson_score
from skpara.networks import LSTM, Average
from skpara.resources import Tagger, WordNet
from skpara.text import tokenize

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(1, str(Path(__file__).parent))
import _data
from cross_lingual import fetch_sts_cross_lingual
from result_tables import Cell, mean_and_range, print_table, script_parser
from sts_overlap import benchmark_parts

LENGTHS = (11, 20, None)
# The paper's correlations on each track, for the three lengths.
TRACKS = {
    "track1.ar-ar": (0.3905, 0.4753, 0.4587),
    "track2.ar-en": (0.3713, 0.4939, 0.5199),
    "track3.es-es": (0.4588, 0.5165, 0.5148),
    "track4a.es-en": (0.3482, 0.5615, 0.5232),
    "track4b.es-en": (0.0586, 0.1609, 0.1300),
    "track5.en-en": (0.4727, 0.6174, 0.6222),
    "track6.tr-en": (0.3644, 0.5293, 0.5725),
}
# Table 2: pair, gold score, and the score of the authors' system.
PAIRS = [
    ("A man is performing labor.", "A man is performing today.", 2.8, 1.5),
    (
        "A kid sits on a soccer ball outside.",
        "A kid sitting on a soccer ball at the park.",
        4.2,
        4.2,
    ),
    (
        "The player shoots the winning points.",
        "The basketball player is about to score points for his team.",
        2.8,
        2.7,
    ),
    ("The yard has a dog.", "The dog is running after another dog.", 1.6, 4.1),
    ("the people are running a marathon", "People are running a marathon", 5.0, 0.9),
]
MODELS: dict[str, Callable[..., SiameseRegressor]] = {
    "LSTM": SiameseLSTMRegressor,
    "LSTM-both-ways": lambda **settings: SiameseRegressor(
        LSTM(hidden_size=100, bidirectional=True, dropout=0.3), **settings
    ),
    "GRAN": lambda **settings: SiameseRegressor("gran", **settings),
    "average": lambda **settings: SiameseRegressor(Average(redundancy=0), **settings),
}
# The columns of tables of one length.
BENCHMARK_TESTS = ("dev, all 1375 pairs", "test, all 1254 pairs")
ARTICLES = {"the", "a", "an"}
# Determiners, prepositions, conjunctions, pronouns, auxiliaries and so on.
FUNCTION_TAGS = {
    "DT",
    "PDT",
    "WDT",
    "IN",
    "TO",
    "CC",
    "EX",
    "MD",
    "PRP",
    "PRP$",
    "WP",
    "WP$",
    "RP",
}
WORDNET_POS = {"N": "n", "V": "v", "J": "a", "R": "r"}
# Correlations of a set by length, one for each seed.
Scores = dict[str, list[list[float]]]
# Predictions of the paper's examples, one list for each seed.
Examples = list[list[float]]


def translator_into_english(language: str, args: argparse.Namespace) -> Translator:
    """Return the translator of a language that the options select."""
    if language in args.marian:
        return MarianTranslator(args.marian[language])
    if args.translator == "marian":
        return MarianTranslator(f"Helsinki-NLP/opus-mt-{language}-en")
    return ApertiumTranslator(language, "en")


def tracks_of_2017(args: argparse.Namespace) -> tuple[dict[str, Bunch], dict[str, str]]:
    """Return the tracks in English, and the reasons why the others cannot be scored."""
    tracks, missing = {}, {}
    for track in TRACKS:
        try:
            bunch = fetch_sts(2017, subset=track, data_home=args.data, download_if_missing=False)
        except FileNotFoundError:
            missing[track] = "its files are missing"
            continue
        except ValueError as error:  # damaged files of one track do not stop the others
            missing[track] = f"not read: {str(error).splitlines()[0]}"
            continue
        languages = {part for part in track.split(".")[1].split("-") if part != "en"}
        try:
            if languages:
                translators = {code: translator_into_english(code, args) for code in languages}
                english = TranslateToEnglish(["en", *languages], translators=translators)
                # Sentences without a translator would pass through with a warning.
                with warnings.catch_warnings(action="error", category=UserWarning):
                    bunch.data = english.fit_transform(bunch.data)
        except (OSError, TranslationError, UserWarning) as error:
            missing[track] = f"not translated: {str(error).splitlines()[0]}"
            continue
        tracks[track] = bunch
    return tracks, missing


def by_length(
    kind: str, train: Bunch, tests: dict[str, Bunch], args: argparse.Namespace
) -> tuple[Scores, Examples]:
    """Return the scores of the sets, and of the paper's examples at most 20 words long.

    If 20 is not among the lengths, the examples are scored with the first one.
    """
    scores: Scores = {name: [[] for _ in args.lengths] for name in tests}
    examples: Examples = []
    example_length = 20 if 20 in args.lengths else args.lengths[0]
    for seed in range(args.seeds):
        for column, length in enumerate(args.lengths):
            start = time.perf_counter()
            model = MODELS[kind](
                max_length=length,
                early_stopping=True,
                max_iter=args.epochs,
                random_state=seed,
            ).fit(train.data, train.target)
            for name, test in tests.items():
                score = pearson_score(test.target, model.predict(test.data))
                scores[name][column].append(score)
            if length == example_length:
                examples.append(model.predict([pair[:2] for pair in PAIRS]).tolist())
            print(
                f"{kind}, at most {length or 'all'} words, seed {seed}: {model.n_iter_} epochs, "
                f"{time.perf_counter() - start:.0f} s",
                file=sys.stderr,
                flush=True,
            )
    return scores, examples


def show(title: str, scores: Scores, args: argparse.Namespace, *, paper: bool = False) -> None:
    """Print a table by length, with the paper's figures if it has any."""
    heads = [f"{n} words" if n else "all words" for n in args.lengths]
    columns = ["set", *heads]
    rows: list[list[Cell]] = [
        [name, *(mean_and_range(values) for values in row)] for name, row in scores.items()
    ]
    if paper:
        columns += [f"paper {n}" if n else "paper all" for n in args.lengths]
        for row in rows:
            theirs = TRACKS.get(str(row[0]), (None, None, None))
            row += [theirs[LENGTHS.index(n)] if n in LENGTHS else None for n in args.lengths]
    print_table(title, columns, rows)


def weighted_mean(scores: Scores, tests: dict[str, Bunch], names: Iterable[str]) -> list[Sequence]:
    """Return the means of the sets for each length and seed, weighted by their pairs."""
    chosen = list(names)
    sizes = [len(tests[name].data) for name in chosen]
    return np.average([scores[name] for name in chosen], axis=0, weights=sizes).tolist()


def benchmark(args: argparse.Namespace, examples: dict[str, Examples]) -> None:
    """Print the tables of STS Benchmark."""
    tests = benchmark_parts("dev", args.data) | benchmark_parts("test", args.data)
    train = fetch_sts_benchmark("train", data_home=args.data)
    for kind in args.models:
        scores, examples[kind] = by_length(kind, train, tests, args)
        show(f"{kind}, trained on {len(train.data):,} pairs of STS Benchmark", scores, args)


def benchmark_scores(
    args: argparse.Namespace, prepared: Callable[[Any], Any] = np.asarray, **settings: Any
) -> list[Cell]:
    """Return r of an LSTM with 20 words on STS Benchmark, dev and test, by all seeds."""
    start = time.perf_counter()
    train, *tests = (
        fetch_sts_benchmark(part, data_home=args.data) for part in ("train", "dev", "test")
    )
    scores: list[list[float]] = [[] for _ in tests]
    X, y = prepared(train.data[: args.limit]), train.target[: args.limit]
    for seed in range(args.seeds):
        model = SiameseLSTMRegressor(
            max_length=20,
            early_stopping=True,
            max_iter=args.epochs,
            random_state=seed,
            **settings,
        ).fit(X, y)
        for runs, test in zip(scores, tests, strict=True):
            runs.append(pearson_score(test.target, model.predict(prepared(test.data))))
    print(f"{args.seeds} runs: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    return [mean_and_range(runs) for runs in scores]


def by_vectors(args: argparse.Namespace, examples: dict[str, Examples]) -> None:
    """Print r on STS Benchmark by what is done with the initial vectors."""
    train = fetch_sts_benchmark("train", data_home=args.data)
    seen = {token for text in train.data.ravel() for token in tokenize(text)}
    vectors = _data.word_vectors(args.vectors)
    words = [word for word in vectors.words if word in seen]
    part = WordVectors(words, vectors.lookup(words))
    rows: list[list[Cell]] = [
        [way, len(table), *benchmark_scores(args, vectors=table, trainable_vectors=trained)]
        for way, table, trained in (
            ("trained", vectors, True),
            ("fixed", vectors, False),
            ("words of the training pairs, trained", part, True),
        )
    ]
    title = f"Trained on {len(train.data[: args.limit]):,} pairs of STS Benchmark"
    print_table(title, ["LSTM, 20 words", "words", *BENCHMARK_TESTS], rows)


def with_tags(text: str) -> list[tuple[str, str]]:
    """Return the words and marks of a sentence, with their parts of speech."""
    tokens = re.findall(r"\w+(?:[-'.,]\w+)*|[^\w\s]", text)
    return list(zip(tokens, Tagger.load().tag([tokens])[0], strict=True))


def lemmas(text: str) -> str:
    """Replace nouns, verbs, adjectives and adverbs by their base forms."""
    wordnet = WordNet.load()
    return " ".join(
        wordnet.lemma(token.lower(), WORDNET_POS[tag[:1]]) if tag[:1] in WORDNET_POS else token
        for token, tag in with_tags(text)
    )


def without(tags: Collection[str], text: str) -> str:
    """Leave words of some parts of speech out, but for sentences that have no others."""
    return " ".join(token for token, tag in with_tags(text) if tag not in tags) or text


def names_twice(text: str) -> str:
    """Repeat proper nouns, which so weigh more."""
    return " ".join(
        f"{token} {token}" if tag.startswith("NNP") else token for token, tag in with_tags(text)
    )


def without_articles(text: str) -> str:
    """Leave the, a and an out."""
    return " ".join(word for word in tokenize(text) if word not in ARTICLES) or text


def by_words(args: argparse.Namespace, examples: dict[str, Examples]) -> None:
    """Print r on STS Benchmark by lemmas, and by parts of speech that are left out."""
    ways: dict[str, Callable[[str], str]] = {
        "all words": str,
        "lemmas": lemmas,
        "without articles": without_articles,
        "without function words": partial(without, FUNCTION_TAGS),
        "proper nouns twice": names_twice,
    }
    rows: list[list[Cell]] = []
    for name, change in ways.items():
        known = lru_cache(None)(change)
        prepared = np.vectorize(known, otypes=[object])
        test = fetch_sts_benchmark("test", data_home=args.data).data.ravel()
        length = float(np.mean([len(tokenize(known(text))) for text in test]))
        rows.append([name, f"{length:.1f}", *benchmark_scores(args, prepared)])
    columns = ["LSTM, 20 words", "words a sentence", *BENCHMARK_TESTS]
    print_table("Lemmas and parts of speech", columns, rows)


def yearly(args: argparse.Namespace, examples: dict[str, Examples]) -> None:
    """Print the tables of the tracks of 2017, or of 2016."""
    tests, missing = tracks_of_2017(args)
    years = range(2012, 2017 if tests else 2016)
    past = fetch_sts(years, split="all", data_home=args.data)
    mean_of = list(tests)
    if tests:
        for track, reason in missing.items():
            print(f"{track}: {reason}")
    else:
        print(
            "STS 2017 is not available: sets of 2016, and English-Spanish training pairs of 2017"
        )
        tests = _data.sts_sets([2016], args.data)
        mean_of = list(tests)
        spanish = fetch_sts_cross_lingual(data_home=args.data)
        translators = {"es": translator_into_english("es", args)}
        english = TranslateToEnglish(["en", "es"], translators=translators)
        spanish.data = english.fit_transform(spanish.data)
        tests["2017-train/track4b.es-en"] = spanish
    for kind in args.models:
        scores, examples[f"{kind}, {years[0]}-{years[-1]}"] = by_length(kind, past, tests, args)
        scores["mean, by pairs" if len(tests) == len(mean_of) else "2016, by pairs"] = (
            weighted_mean(scores, tests, mean_of)
        )
        title = f"{kind}, trained on {len(past.data):,} pairs of 2012-{years[-1]}"
        show(title, scores, args, paper=years[-1] == 2016)


def marian_models(texts: Sequence[str]) -> dict[str, str]:
    """Return the models by language, from texts such as ``ar=FOLDER``."""
    return dict(text.split("=", 1) for text in texts)


def main() -> None:
    """Print the tables."""
    parser = script_parser(__doc__, seeds=5)
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--tables", nargs="+", default=["benchmark", "tracks"], metavar="TABLE")
    parser.add_argument(
        "--vectors", default="default", help="a file, or glove-400k; table vectors"
    )
    parser.add_argument("--limit", type=int, help="training pairs of tables vectors and words")
    parser.add_argument("--epochs", type=int, default=20, help="at most, if not stopped early")
    parser.add_argument(
        "--lengths",
        type=lambda text: None if text == "all" else int(text),
        nargs="+",
        default=list(LENGTHS),
        help="words read of each sentence, or all",
    )
    parser.add_argument(
        "--translator",
        choices=["apertium", "marian"],
        default="apertium",
        help="marian: Helsinki-NLP/opus-mt-LANGUAGE-en, if it is on this machine",
    )
    parser.add_argument(
        "--marian",
        nargs="+",
        default=[],
        metavar="LANGUAGE=MODEL",
        help="Marian models, folders or names, of languages that they translate into English",
    )
    args = parser.parse_args()
    if any("=" not in text for text in args.marian):
        parser.error("--marian needs entries such as ar=FOLDER")
    args.marian = marian_models(args.marian)
    examples: dict[str, Examples] = {}
    tables = {"benchmark": benchmark, "tracks": yearly, "vectors": by_vectors, "words": by_words}
    if unknown := set(args.tables) - set(tables):
        parser.error(f"--tables must be of {list(tables)}, got {sorted(unknown)}")
    for name in args.tables:
        tables[name](args, examples)
    if not examples:
        return
    print_table(
        "Table 2: pairs of the paper; at most 20 words",
        ["pair", "gold", "UMDeep", *examples],
        [
            [
                f"{first[:28]}...",
                gold,
                theirs,
                *(mean_and_range([run[i] for run in runs], 1) for runs in examples.values()),
            ]
            for i, (first, _, gold, theirs) in enumerate(PAIRS)
        ],
        digits=1,
    )


if __name__ == "__main__":
    main()
