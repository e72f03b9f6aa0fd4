"""The UMDeep system: Table 1 by maximum length, Table 2 by example.

    python examples/papers/umdeep_2017.py --data DATA

One siamese LSTM is trained for each maximum length: 11, 20 and unlimited. If the files of STS 2017
are available, it is trained on 2012-2016 and scores the seven tracks; Apertium translates what is
not English, and tracks of languages without a translator are listed. Otherwise it is trained on
2012-2015 and scores the sets of 2016 (the authors found postediting the closest to 2017) and the
English-Spanish training pairs of 2017. For STS Benchmark, it is trained on the train part.

Training ends by early stopping on a tenth of the training pairs. All other settings were chosen on
the dev part of STS Benchmark, after training on its train part. The LSTM is compared with the same
regressor with a GRAN and with a plain average of word vectors.

J. Barrow, D. Peskov (2017). UMDeep at SemEval-2017 Task 1: end-to-end shared weight LSTM model for
semantic textual similarity. SemEval.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from skpara import SiameseLSTMRegressor, SiameseRegressor
from skpara.augment import ApertiumTranslator, TranslateToEnglish
from skpara.datasets import fetch_sts, fetch_sts_benchmark, fetch_sts_cross_lingual
from skpara.metrics import pearson_score
from skpara.networks import LSTM

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
SETTINGS: dict[str, Any] = {
    "early_stopping": True,
    "max_iter": 20,
    "random_state": 0,
}
MODELS: dict[str, Callable[[int | None], SiameseRegressor]] = {
    "LSTM": lambda length: SiameseLSTMRegressor(max_length=length, **SETTINGS),
    "LSTM both ways": lambda length: SiameseRegressor(
        LSTM(hidden_size=100, bidirectional=True, dropout=0.3), max_length=length, **SETTINGS
    ),
    "GRAN": lambda length: SiameseRegressor("gran", max_length=length, **SETTINGS),
    "average": lambda length: SiameseRegressor("average", max_length=length, **SETTINGS),
}


def tracks_of_2017(data: str | None) -> dict[str, Bunch | str]:
    """Return the available tracks, translated, or the reason why a track cannot be scored."""
    tracks: dict[str, Bunch | str] = {}
    for track in TRACKS:
        try:
            bunch = fetch_sts(2017, subset=track, data_home=data, download_if_missing=False)
        except FileNotFoundError:
            continue
        languages = [part for part in track.split(".")[1].split("-") if part != "en"]
        try:
            for language in languages:
                ApertiumTranslator(language, "en")
        except FileNotFoundError:
            tracks[track] = f"no translator from {languages[0]}"
            continue
        if languages:
            bunch.data = TranslateToEnglish(["en", *languages]).fit_transform(bunch.data)
        tracks[track] = bunch
    return tracks


def table_2(model: SiameseRegressor) -> list[float]:
    """Return the scores of the paper's examples."""
    return model.predict([(left, right) for left, right, _, _ in PAIRS]).tolist()


def by_length(
    kind: str, train: Bunch, tests: dict[str, Bunch], lengths: tuple[int | None, ...] = LENGTHS
) -> tuple[dict[str, list[float]], SiameseRegressor]:
    """Return the correlations of each set for each length, and the model of length 20."""
    scores: dict[str, list[float]] = {name: [] for name in tests}
    model_20 = None
    for length in lengths:
        start = time.perf_counter()
        model = MODELS[kind](length).fit(train.data, train.target)
        for name, test in tests.items():
            scores[name].append(pearson_score(test.target, model.predict(test.data)))
        model_20 = model if length == 20 else model_20
        print(
            f"{kind}, at most {length or 'all'} words: {model.n_iter_} epochs, "
            f"{time.perf_counter() - start:.0f} s",
            flush=True,
        )
    assert model_20 is not None
    return scores, model_20


def show(title: str, scores: dict[str, list[float]], theirs: dict[str, Any]) -> None:
    """Print a table by length."""
    print(f"\n{title:34}" + "".join(f"{f'<= {n}' if n else 'longest':>10}" for n in LENGTHS))
    for name, row in scores.items():
        cells = "".join(f"{value:10.3f}" for value in row)
        paper = "".join(f"{value:10.3f}" for value in theirs.get(name, ()))
        print(f"{name:34}{cells}{paper}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", help="folder of the STS files; default $SKPARA_DATA or cache")
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    args = parser.parse_args()

    benchmark = {part: fetch_sts_benchmark(part, data_home=args.data) for part in ("dev", "test")}
    names = {"STS Benchmark dev": benchmark["dev"], "STS Benchmark test": benchmark["test"]}
    learned = fetch_sts_benchmark("train", data_home=args.data)
    examples = {}
    for kind in args.models:
        scores, model = by_length(kind, learned, names)
        show(f"{kind}: STS Benchmark", scores, {})
        examples[kind] = table_2(model)

    tracks = tracks_of_2017(args.data)
    years = range(2012, 2017 if tracks else 2016)
    past = fetch_sts(years, split="all", data_home=args.data)
    print(f"\n{len(past.data)} pairs of 2012-{years[-1]} to learn from")
    if tracks:
        print("STS 2017 is available; the paper's figures are on the right")
        for name in TRACKS.keys() - tracks.keys():
            print(f"{name}: not available")
        tests = {name: test for name, test in tracks.items() if isinstance(test, Bunch)}
        for name, reason in tracks.items():
            if isinstance(reason, str):
                print(f"{name}: {reason}")
    else:
        print("STS 2017 is not available: sets of 2016, and English-Spanish training pairs")
        year = fetch_sts(2016, data_home=args.data)
        tests = {
            str(group): Bunch(data=year.data[rows], target=year.target[rows])
            for group in np.unique(year.groups)
            for rows in [year.groups == group]
        }
        spanish = fetch_sts_cross_lingual(data_home=args.data)
        spanish.data = TranslateToEnglish(["en", "es"]).fit_transform(spanish.data)
        tests["2017-train/track4b.es-en"] = spanish
    for kind in args.models:
        scores, model = by_length(kind, past, tests)
        if tracks:
            sizes = [len(test.data) for test in tests.values()]
            means = np.average(list(scores.values()), axis=0, weights=sizes)
            scores["weighted mean"] = means.tolist()
        else:
            whole = [name for name in tests if name.startswith("2016/")]
            sizes = [len(tests[name].data) for name in whole]
            means = np.average([scores[name] for name in whole], axis=0, weights=sizes)
            scores["2016, weighted by pairs"] = means.tolist()
        show(f"{kind}: {'2017' if tracks else '2016'}", scores, TRACKS)
        examples[f"{kind}, STS"] = table_2(model)

    print(f"\nTable 2{'gold':>48}{'UMDeep':>9}" + "".join(f"{name[:14]:>16}" for name in examples))
    for i, (left, right, gold, theirs) in enumerate(PAIRS):
        print(f"{left}\n  {right:50}{gold:5.1f}{theirs:9.1f}", end="")
        print("".join(f"{row[i]:16.1f}" for row in examples.values()))


if __name__ == "__main__":
    main()
