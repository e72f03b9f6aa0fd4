"""Learn the packaged numbers of skpara.load_pair_classifier.

    python examples/builders/build_pair_classifier.py --data DATA

It prints skpara/fusion/pair_classifiers.json. How well the classifiers do on other data is in the
table of examples/benchmarks/deciding.py.

Pairs: STS Benchmark, its training part, and the forum answers of its development part. Scores of
3 ("the two sentences are roughly equivalent, but some important information differs or is
missing") or more count as the same meaning. People who label questions, news and tweets draw the
line there, too: on the training parts of Quora, MSRP and Twitter-URL, probabilities are off by .04
to .10, with a score of 4 ("mostly equivalent, but some unimportant details differ") by .15 to .31,
on all three too low. The scores are licensed under CC BY-SA 4.0. The two sources from Microsoft
Research, MSRpar and MSRvid, may not be passed on and are left out. STS has hardly any pair of a
sentence with itself; one in ten pairs is added that is one.

A logistic regression on standardized features; probabilities are calibrated, and thresholds read,
on sources left out in turn: headlines, captions, news, forum posts and forum answers.

D. Cer, M. Diab, E. Agirre, I. Lopez-Gazpio, L. Specia (2017). SemEval-2017 Task 1: semantic
textual similarity, multilingual and crosslingual focused evaluation. SemEval.
"""

from __future__ import annotations

import argparse
import json
import os

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skpara import FusionClassifier, LexicalFeatures, ParagramEncoder
from skpara.datasets import fetch_sts_benchmark

LOWEST_SCORE = 3
LEFT_OUT = ("MSRpar", "MSRvid")
# Symmetric, quick, and independent of the sentences that features are fitted to.
FEATURES = {
    "cosine": (),
    "fast": (
        *("align_f", "align_ic_f", "align_ic_worst", "weight_word_match_olc", "len_ratio"),
        *("token_set_ratio", "char_n_gram_match_3", "lcs_words", "quantity_f"),
        "negation_mismatch",
    ),
}


def read(data: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return pairs, whether they mean the same, and their sources."""
    parts = [fetch_sts_benchmark(split=part, data_home=data) for part in ("train", "dev")]
    pairs, scores, groups = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("data", "target", "groups")
    )
    sources = np.array([str(group).split("/")[-1] for group in groups])
    in_train = np.arange(len(pairs)) < len(parts[0].data)
    rows = (in_train | (sources == "answers-forums")) & ~np.isin(sources, LEFT_OUT)
    pairs, labels, sources = pairs[rows], scores[rows] >= LOWEST_SCORE, sources[rows]
    equal = np.arange(0, len(pairs), 10)
    pairs = np.concatenate([pairs, pairs[equal][:, [0, 0]]])
    labels = np.concatenate([labels, np.ones(len(equal), dtype=bool)])
    return pairs, labels, np.concatenate([sources, sources[equal]])


def numbers(columns: np.ndarray, labels: np.ndarray, sources: np.ndarray) -> dict[str, object]:
    """Return the coefficients of the columns, and the curve that thresholds are read from."""
    linear = make_pipeline(StandardScaler(), LogisticRegression(C=0.01))
    folds = GroupKFold(len(set(sources)))
    model = FusionClassifier(linear, cv=folds, random_state=0).fit(columns, labels, groups=sources)
    scaler, regression = model.estimators_[0]
    weight = model.weights_.item()
    coef = weight * regression.coef_.ravel() / scaler.scale_
    intercept = model.intercept_.item() + weight * (
        regression.intercept_.item() - (regression.coef_.ravel() / scaler.scale_) @ scaler.mean_
    )
    places = np.linspace(0, len(model.curve_) - 1, 33).round().astype(int)[1:]
    return {
        "coef": [float(f"{x:.4g}") for x in coef],
        "intercept": float(f"{intercept:.4g}"),
        "curve": [
            (float(f"{p:.4g}"), int(n), round(float(right)))
            for p, n, right in model.curve_[places]
        ],
    }


def main() -> None:
    """Print the file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", default=os.environ.get("SKPARA_DATA"), help="folder of the sets")
    args = parser.parse_args()
    pairs, labels, sources = read(args.data)
    cosines = ParagramEncoder(max_iter=0).fit(pairs).transform(pairs)
    learned = {}
    for kind, names in FEATURES.items():
        columns = cosines
        if names:
            lexical = LexicalFeatures(list(names)).fit(pairs)
            columns = np.hstack([cosines, lexical.transform(pairs)])
        learned[kind] = {"features": list(names)} | numbers(columns, labels, sources)
    print(json.dumps(learned).replace("], [", "],\n["))  # a line for each point of a curve


if __name__ == "__main__":
    main()
