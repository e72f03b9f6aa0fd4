"""``skpara demo``: train and evaluate the whole system on sample pairs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from skpara._files import replace_file
from skpara.cli._options import UsageError, step
from skpara.cli._report import plot_scores
from skpara.cli._tables import write_rows

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
    import numpy as np
    from sklearn.model_selection import train_test_split

    from skpara import make_sts_pipeline
    from skpara.datasets import load_sts_sample, read_table
    from skpara.metrics import pearson_score, semeval_report
    from skpara.saving import save_model

    sample: Any = load_sts_sample()
    train, test, train_scores, scores, train_groups, groups = train_test_split(
        sample.data,
        sample.target,
        sample.groups,
        test_size=0.25,
        stratify=sample.groups,
        random_state=0,
    )
    names = [*sample.feature_names, "score", "group"]
    tables = {"train.csv": (train, train_scores, train_groups), "test.csv": (test, scores, groups)}
    rows = {
        arguments.out / name: [
            [*pair, str(score), group]
            for pair, score, group in zip(*map(np.ndarray.tolist, columns), strict=True)
        ]
        for name, columns in tables.items()
    }
    for path in rows:
        if path.exists() and read_table(path).rows != rows[path]:
            raise UsageError(f"{path} is not of the demo. Pass another folder as --out.")
    model = make_sts_pipeline(random_state=0)
    with step(f"Training on {len(train)} pairs"):
        model.fit(train, train_scores)
    with step(f"Scoring {len(test)} held-out pairs"):
        predicted = model.predict(test)
    with step("Saving"):
        for path in rows:
            write_rows(path, "csv", names, rows[path])
        model_path, test_path = arguments.out / "sts.skpara", arguments.out / "test.csv"
        save_model(model, model_path, data="the sample of skpara", n_pairs=len(train))
        figure = plot_scores(scores, predicted, groups)
        if figure is not None:
            path = arguments.out / "gold-against-predicted.png"
            replace_file(path, lambda unfinished: figure.savefig(unfinished, dpi=150))
    print(f"Held-out Pearson's r, all sets together: {pearson_score(scores, predicted):.3f}\n")
    print(semeval_report(scores, predicted, groups))
    print(f"\nWritten to {arguments.out}. Try:")
    print(f'  skpara predict "It rains." "Rain is falling." --model {model_path}')
    print(f"  skpara evaluate {test_path} --group group --model {model_path}")
    print(f"  skpara report {test_path} --group group --model {model_path} -o report.html")
