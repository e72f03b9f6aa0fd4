"""Evaluate the packaged vectors with MTEB's own code, on local files of STS 2012 to 2016.

    pip install mteb
    python examples/benchmarks/mteb_results.py --data DATA --out docs/results/mteb

MTEB downloads its data sets. This script gives its tasks STS12 to STS16 the pairs of the data
folder, which are as many, so it needs no network. STS Benchmark and SICK are left out: the data
folder has only some of their pairs, and MTEB's files would have the names of the whole tasks.

The folder gets one JSON file for each task and one for the model, in the format of MTEB's
leaderboard. ``dataset_revision`` in them is the revision in MTEB's task, not of the data folder.
The first row of ``static_vectors.py`` has the same figures.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import mteb
import numpy as np
from datasets import Dataset, DatasetDict
from mteb.models.abs_encoder import AbsEncoder
from mteb.models.model_meta import ModelMeta, ScoringFunction

from skpara import ParagramEncoder, WordVectors, __version__
from skpara.datasets import fetch_sts

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import print_table

YEARS = range(2012, 2017)


class Encoder(AbsEncoder):
    """An encoder as MTEB calls it."""

    def __init__(self, encoder: ParagramEncoder) -> None:
        words = WordVectors.load(encoder.vectors)
        n_numbers = len(words) * words.n_dims
        self.model = encoder
        self.mteb_model_meta = ModelMeta.create_empty(
            {
                "name": "skpara/default",
                "revision": __version__,
                "languages": ["eng-Latn"],
                "n_parameters": n_numbers,
                "n_embedding_parameters": n_numbers,
                "embed_dim": words.n_dims,
                "license": "cc-by-sa-4.0",
                "open_weights": True,
                "similarity_fn_name": ScoringFunction.COSINE,
                "use_instructions": False,
                "adapted_from": "sentence-transformers/all-MiniLM-L6-v2",
            }
        )

    def encode(self, inputs: Any, **options: Any) -> Any:
        """Return the vectors of all batches."""
        return np.vstack([self.model.encode(list(batch["text"])) for batch in inputs])


def task_of_year(year: int, data: str | None) -> Any:
    """Return MTEB's task of a year with the pairs of the data folder."""
    sts = fetch_sts(year, data_home=data)
    task = mteb.get_task(f"STS{year % 100}")
    first, second = np.asarray(sts.data).T.tolist()
    columns = {"sentence1": first, "sentence2": second, "score": sts.target.tolist()}
    task.dataset = DatasetDict({"test": Dataset.from_dict(columns)})
    task.data_loaded = True
    return task


def main() -> None:
    """Write the result files, and print the main score and Pearson's r of each task."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", help="data folder; default $SKPARA_DATA or cache")
    parser.add_argument("--out", required=True, type=Path, help="folder for the result files")
    args = parser.parse_args()
    tasks = [task_of_year(year, args.data) for year in YEARS]
    model = Encoder(ParagramEncoder())
    results = mteb.evaluate(model, tasks, cache=None, co2_tracker=False, show_progress_bar=False)
    args.out.mkdir(parents=True, exist_ok=True)
    description = json.dumps(model.mteb_model_meta.to_dict(), indent=2)
    (args.out / "model_meta.json").write_text(description + "\n", "utf8")
    rows = []
    for task, result in zip(tasks, results.task_results, strict=True):
        result.to_disk(args.out / f"{result.task_name}.json")
        (scores,) = result.scores["test"]
        figures = [100 * scores[name] for name in ("main_score", "cosine_pearson")]
        rows.append([result.task_name, len(task.dataset["test"]), *figures])
    print_table(
        f"MTEB {version('mteb')}, local data: correlations (x 100) of the cosine",
        ["task", "pairs", "Spearman", "Pearson"],
        rows,
        digits=2,
    )


if __name__ == "__main__":
    main()
