"""``skpara demo``: train and evaluate the whole system on sample pairs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skpara._files import replace_file
from skpara.cli._options import add_seed_option, new_command, step, stops_when_interrupted
from skpara.cli._summary import add_json_option, print_summary

if TYPE_CHECKING:  # the import of NumPy would make --help slow
    from skpara._typing import Floats, Pairs


@dataclass(frozen=True)
class Split:
    """Scored pairs to train on, and pairs to evaluate the model on."""

    title: str
    train: Pairs
    train_scores: Floats
    test: Pairs
    test_scores: Floats
    test_groups: Any


_EXAMPLES = """\
  skpara demo
  skpara demo --out demo --seed 1
  skpara demo --json | jq .pearson
"""


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "demo",
        help="train a model on sample pairs, evaluate it on held-out ones, save it",
        description="Train the whole scoring system on sample pairs, score held-out pairs, and "
        "save the model and a plot. Takes less than a minute and needs no network.",
        examples=_EXAMPLES,
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="data folder with STS 2012 to 2016 of SemEval (default: $SKPARA_DATA if it has "
        "them, else the sample that ships with the package)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        default=Path("skpara-demo"),
        help="folder for the model and the plot (default: ./skpara-demo)",
    )
    add_seed_option(parser)
    add_json_option(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from skpara import make_sts_pipeline
    from skpara.metrics import pearson_score, semeval_report
    from skpara.plots import feature_importances
    from skpara.saving import save_model

    with step("Reading pairs"):
        split = _read_pairs(arguments.data, arguments.seed)

    model = make_sts_pipeline(random_state=arguments.seed)
    with step(f"Training on {len(split.train)} pairs"), stops_when_interrupted():
        model.fit(split.train, split.train_scores)
    with step(f"Scoring {len(split.test)} held-out pairs"):
        predicted = model.predict(split.test)

    report = semeval_report(split.test_scores, predicted, split.test_groups)
    pearson = pearson_score(split.test_scores, predicted)
    names, importances = feature_importances(model)
    strongest = (-importances).argsort(kind="stable")[:10]
    with step("Saving"):
        path = arguments.out / "sts.skpara"
        saved = save_model(model, path, data=split.title, n_pairs=len(split.train))
        plot = _save_plot(arguments.out / "gold-against-predicted.png", split, predicted)

    sets = list(
        zip(report.groups, map(float, report.pearson), map(int, report.n_pairs), strict=True)
    )
    facts: dict[str, Any] = {
        "data": split.title,
        "training_pairs": len(split.train),
        "held_out_pairs": len(split.test),
        "pearson": float(pearson),
        "mean_over_pairs": float(report.mean_over_pairs),
        "sets": {name: {"pearson": score, "pairs": size} for name, score, size in sets},
        "features": {str(names[i]): float(importances[i]) for i in strongest},
        "model": saved,
        "plot": plot,
    }
    width = max(map(len, report.groups))
    lines = [
        f"Data: {split.title}",
        f"  {len(split.train)} training pairs, {len(split.test)} held-out pairs",
        f"\nHeld-out Pearson's r: {pearson:.3f}",
        *(f"  {name:<{width}}  {score:.3f}  ({size} pairs)" for name, score, size in sets),
        f"  mean weighted by size, as at SemEval: {report.mean_over_pairs:.3f}",
        "\nThe ten strongest features",
        *(f"  {line}" for line in _bars(facts["features"])),
        "\nThree held-out pairs",
    ]
    for row in example_rows(split.test_scores):
        first, second = split.test[row]
        lines.append(f"  gold {split.test_scores[row]:.1f}, predicted {predicted[row]:.1f}")
        lines.append(f"    {first}\n    {second}")
    lines += [
        f"\nModel: {saved}",
        f"Plot: {plot or 'not drawn, it needs matplotlib: pip install skpara[plot]'}",
        f"\nUse it:\n  import skpara\n  model = skpara.load_model({str(saved)!r})",
        '  model.predict([("A man plays a guitar.", "Someone is playing music.")])',
    ]
    print_summary(arguments, facts, lines)
    return 0


def _read_pairs(data: Path | None, seed: int) -> Split:
    """Return the STS years if they are on this machine, else the sample."""
    if data is not None:  # a folder that the user names must have them
        return split_sts(data)
    if os.environ.get("SKPARA_DATA"):
        try:
            return split_sts(None)
        except FileNotFoundError:
            print("no STS 2012 to 2016 in $SKPARA_DATA, using the sample", file=sys.stderr)
    return split_sample(seed)


def split_sample(seed: int, *, test_size: float = 0.25) -> Split:
    """Split the sample that ships with the package, stratified by genre."""
    from sklearn.model_selection import train_test_split

    from skpara.datasets import load_sts_sample

    sample: Any = load_sts_sample()
    arrays = sample.data, sample.target, sample.groups
    train, test, train_scores, test_scores, _, test_groups = train_test_split(
        *arrays, test_size=test_size, stratify=sample.groups, random_state=seed
    )
    title = "the sample that ships with skpara"
    return Split(title, train, train_scores, test, test_scores, test_groups)


def split_sts(data_home: Path | None) -> Split:
    """Return STS 2012 to 2015 for training and 2016 held out, as in the task of 2016."""
    from skpara.datasets import fetch_sts

    folder: dict[str, Any] = {"data_home": data_home, "download_if_missing": False}
    earlier: Any = fetch_sts((2012, 2013, 2014, 2015), split="all", **folder)
    later: Any = fetch_sts(2016, **folder)
    title = "SemEval STS, trained on 2012 to 2015, 2016 held out"
    return Split(title, earlier.data, earlier.target, later.data, later.target, later.groups)


def example_rows(y_true: Floats, n: int = 3) -> list[int]:
    """Return rows spread over the gold scores, highest first.

    The predictions play no part in it, so the examples do not flatter the model.
    """
    import numpy as np

    order = np.argsort(-y_true, kind="stable")
    places = np.linspace(0.1, 0.9, n) * (len(order) - 1)
    return [int(order[place]) for place in dict.fromkeys(np.round(places).astype(int))]


def _save_plot(path: Path, split: Split, predicted: Any) -> Path | None:
    """Plot predicted against gold scores; return None if matplotlib is not installed."""
    from skpara.plots import SimilarityDisplay

    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    # pyplot would look for a display, which servers do not have.
    figure = Figure(figsize=(7.6, 5.2), layout="constrained")
    SimilarityDisplay.from_predictions(
        split.test_scores, predicted, groups=split.test_groups, ax=figure.subplots()
    )
    return replace_file(path, lambda unfinished: figure.savefig(unfinished, dpi=150))


def _bars(values: Mapping[str, float], length: int = 30) -> Iterator[str]:
    """Yield one line of text per value: name, bar, number."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    # Terminals of other encodings would show the block as a question mark.
    block = "█" if encoding.lower().replace("-", "") == "utf8" else "#"
    width = max(map(len, values))
    longest = max(*values.values(), 1e-12)
    for name, value in values.items():
        bar = block * max(1, round(length * value / longest))
        yield f"{name:<{width}}  {bar:<{length}}  {value:.3f}"
