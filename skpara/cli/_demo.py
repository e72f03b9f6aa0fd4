"""``skpara demo``: the whole system on sample pairs, in less than a minute."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skpara._files import replace_file
from skpara.cli._progress import step, stops_when_interrupted

if TYPE_CHECKING:
    from skpara.cli._demo_split import DemoSplit

__all__ = ["add_command"]


def add_command(commands: Any) -> None:
    """Add the subcommand."""
    parser = commands.add_parser(
        "demo",
        help="train a model on sample pairs, score held-out ones, save it",
        description="Train the whole scoring system on sample pairs, score pairs that it has not "
        "seen, and save the model and a plot. Takes less than a minute and needs no network.",
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="a data folder that holds the SemEval STS years; default: $SKPARA_DATA where it "
        "holds them, else the sample that ships with the package",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        default=Path("skpara-demo"),
        help="where the model and the plot go (default: ./skpara-demo)",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", default=0, help="seed of everything random (default: 0)"
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from skpara import make_sts_pipeline
    from skpara.cli._demo_split import example_rows
    from skpara.metrics import pearson_score, semeval_report
    from skpara.plots import feature_importances
    from skpara.saving._model_file import save_model

    with step("Reading pairs"):
        split = _read_pairs(arguments.data, arguments.seed)
    print(f"Data: {split.title}")
    print(f"  {len(split.train)} pairs to learn from, {len(split.test)} held out")

    model = make_sts_pipeline(random_state=arguments.seed)
    with step(f"Training on {len(split.train)} pairs"), stops_when_interrupted():
        model.fit(split.train, split.train_scores)
    with step(f"Scoring {len(split.test)} held-out pairs"):
        predicted = model.predict(split.test)

    report = semeval_report(split.test_scores, predicted, split.test_groups)
    width = max(map(len, report.groups))
    print(f"\nHeld-out Pearson's r: {pearson_score(split.test_scores, predicted):.3f}")
    for group, score, size in zip(report.groups, report.pearson, report.n_pairs, strict=True):
        print(f"  {group:<{width}}  {score:.3f}  ({size} pairs)")
    print(f"  mean of these, weighted by size as at SemEval: {report.mean_over_pairs:.3f}")

    print("\nThe ten strongest features")
    names, importances = feature_importances(model)
    order = (-importances).argsort(kind="stable")[:10]
    for line in _bars([str(name) for name in names[order]], importances[order].tolist()):
        print(f"  {line}")

    print("\nThree held-out pairs")
    for row in example_rows(split.test_scores):
        left, right = split.test[row]
        print(f"  gold {split.test_scores[row]:.1f}, predicted {predicted[row]:.1f}")
        print(f"    {left}\n    {right}")

    with step("Saving"):
        saved = save_model(
            arguments.out / "sts.joblib", model, data=split.title, n_pairs=len(split.train)
        )
        plot = _save_plot(arguments.out / "gold-against-predicted.png", split, predicted)
    print(f"\nModel: {saved}")
    print(f"Plot: {plot or 'not drawn, as matplotlib is missing: pip install skpara[plot]'}")
    print("\nUse it:")
    print("  import joblib")
    print(f"  model = joblib.load({str(saved)!r})")
    print('  model.predict([("A man plays a guitar.", "Someone is playing music.")])')
    return 0


def _read_pairs(data: Path | None, seed: int) -> DemoSplit:
    """The STS years where they are, else the sample."""
    from skpara.cli._demo_split import split_sample, split_sts

    if data is not None:  # asked for by name: a missing file is the user's to hear about
        return split_sts(data)
    if os.environ.get("SKPARA_DATA"):
        try:
            return split_sts(None)
        except FileNotFoundError:
            print("$SKPARA_DATA does not hold STS 2012 to 2016: the sample it is", file=sys.stderr)
    return split_sample(seed)


def _save_plot(path: Path, split: DemoSplit, predicted: Any) -> Path | None:
    """Draw gold against predicted; None where matplotlib is missing."""
    from skpara.plots import SimilarityDisplay

    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    # a Figure of its own draws to a file on any machine; pyplot would look for a screen
    figure = Figure(figsize=(7.6, 5.2), layout="constrained")
    SimilarityDisplay.from_predictions(
        split.test_scores, predicted, groups=split.test_groups, ax=figure.subplots()
    )
    return replace_file(path, lambda unfinished: figure.savefig(unfinished, dpi=150))


def _bars(names: Sequence[str], values: Sequence[float], length: int = 30) -> Iterator[str]:
    """One line of text a value: name, bar, number."""
    if not names:
        return
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    block = "█" if encoding.lower().replace("-", "") == "utf8" else "#"
    width = max(map(len, names))
    longest = max(max(values), 1e-12)
    for name, value in zip(names, values, strict=True):
        bar = block * max(1, round(length * value / longest))
        yield f"{name:<{width}}  {bar:<{length}}  {value:.3f}"
