"""Pairs of STS in other languages, in files that users download themselves."""

from __future__ import annotations

import math
import os
from pathlib import Path

from sklearn.utils import Bunch

from skpara.datasets import (
    PairFile,
    Source,
    fetch_sts_benchmark,
    make_bunch,
    read_sets,
    require_files,
)

Home = str | os.PathLike[str] | None
PAPER = "Cer et al. (2017). SemEval-2017 Task 1."
SETS = {
    "2016": Source(
        "STS 2016, English-Spanish",
        "STS/STS2016-cross-lingual-test",
        'the test data "Cross-lingual STS (English-Spanish)" of SemEval-2016 Task 1, '
        "http://alt.qcri.org/semeval2016/task1/index.php?id=data-and-tools",
        official_folders=("STS16-cross-lingual-test",),
    ),
    "2017-train": Source(
        "STS 2017, English-Spanish, training",
        "STS/STS-en-es-train",
        "the training data of SemEval-2017 Task 1, track 4b, from the STS wiki, "
        "http://ixa2.si.ehu.eus/stswiki",
    ),
}
FILES = {
    "2016": {
        f"2016/{name}": [f"STS.input.{name}.txt", f"STS.gs.{name}.txt"]
        for name in ("news", "multisource")
    },
    "2017-train": {
        "2017-train/track4b.es-en": [
            "STS.input.en-es.train.txt",
            "STS.input.en-es.train_scores.txt",
        ]
    },
}


def fetch_sts_cross_lingual(name: str = "2017-train", *, data_home: Home = None) -> Bunch:
    """Load the scored English-Spanish pairs of STS 2016, or the training pairs of 2017, track 4b.

    Either sentence of a pair of 2016 may be the Spanish one. Many Spanish sentences of 2017 are
    the output of translation systems, and one score is 5.2. The test pairs of 2017 are tracks of
    ``skpara.datasets.fetch_sts``.
    """
    if name not in SETS:
        raise ValueError(f"name must be '2016' or '2017-train', got {name!r}.")
    files = [file for pair in FILES[name].values() for file in pair]
    paths = require_files(SETS[name], files, data_home)
    rows = [row for row in read_sets(list(FILES[name]), paths) if not math.isnan(row.score)]
    return make_bunch(rows, f"{SETS[name].title}. {PAPER}", paths, False, False)


def fetch_translated_benchmark(split: str, language: str, *, data_home: Home = None) -> Bunch:
    """Load STS Benchmark, or its translation by machine, in the order of the English rows.

    The files ``stsb-<language>-<split>.csv`` of the folder ``stsb-multi-mt`` come from github
    PhilipMay/stsb-multi-mt (May 2021). Rows of other languages have no genres.
    """
    if language == "en":
        return fetch_sts_benchmark(split, data_home=data_home, download_if_missing=False)
    source = Source(
        f"STS Benchmark in {language!r}",
        "stsb-multi-mt",
        "stsb_multi_mt (github PhilipMay/stsb-multi-mt)",
    )
    paths: list[Path] = require_files(source, [f"stsb-{language}-{split}.csv"], data_home)
    file = PairFile(paths[0], columns=(0, 1), score_column=2, header=False)
    rows = [row._replace(group=f"stsb-{language}") for row in file]
    return make_bunch(rows, f"STS Benchmark in {language!r}, {split}.", paths, False, False)
