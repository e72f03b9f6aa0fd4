"""``skpara demo``: train and evaluate the whole system on sample pairs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from skpara._files import replace_file
from skpara.cli._options import step, stops_when_interrupted
from skpara.cli._report import plot_scores

HELP = "train a model on sample pairs and evaluate it on held-out ones"
DESCRIPTION = (
    "Train the whole scoring system on the sample pairs of the package, score held-out pairs, and "
    "save the pairs, the model and a plot. Takes less than a minute and needs no network."
)
EXAMPLES = """\
  skpara demo
  skpara demo --out folder
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        default=Path("skpara-demo"),
        help="folder to write to (default: ./skpara-demo)",
    )


def run(arguments: argparse.Namespace) -> None:
    from sklearn.model_selection import train_test_split

    from skpara import make_sts_pipeline
    from skpara.datasets import load_sts_sample
    from skpara.metrics import pearson_score, semeval_report
    from skpara.saving import save_model

    sample: Any = load_sts_sample(as_frame=True)
    frame = sample.frame
    train, test = train_test_split(frame, test_size=0.25, stratify=frame["group"], random_state=0)
    sentences = sample.feature_names
    model = make_sts_pipeline(random_state=0)
    with step(f"Training on {len(train)} pairs"), stops_when_interrupted():
        model.fit(train[sentences].to_numpy(), train["score"].to_numpy())
    with step(f"Scoring {len(test)} held-out pairs"):
        predicted = model.predict(test[sentences].to_numpy())
    with step("Saving"):
        paths = {name: arguments.out / name for name in ("train.csv", "test.csv", "sts.skpara")}
        replace_file(paths["train.csv"], lambda path: train.to_csv(path, index=False))
        replace_file(paths["test.csv"], lambda path: test.to_csv(path, index=False))
        save_model(model, paths["sts.skpara"], data="the sample of skpara", n_pairs=len(train))
        figure = plot_scores(test["score"], predicted, test["group"])
        if figure is not None:
            path = arguments.out / "gold-against-predicted.png"
            replace_file(path, lambda unfinished: figure.savefig(unfinished, dpi=150))
    print(f"Held-out Pearson's r: {pearson_score(test['score'], predicted):.3f}\n")
    print(semeval_report(test["score"], predicted, test["group"]))
    model_path, test_path = paths["sts.skpara"], paths["test.csv"]
    print(f"\nWritten to {arguments.out}. Try:")
    print(f'  skpara predict "It rains." "Rain is falling." --model {model_path}')
    print(f"  skpara evaluate {test_path} --group group --model {model_path}")
    print(f"  skpara report {test_path} --group group --model {model_path} -o report.html")
