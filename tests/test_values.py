"""Values of features, matches and fits stay the same from version to version.

`python tests/test_values.py` writes the sums that are expected. Do so only where a change of
scores is intended, and name it in the changelog: models that were saved before give other scores.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from skpara import Deduplicator, LexicalFeatures, ParagramEncoder, TableMatcher, WordVectors
from skpara.datasets import load_sts_sample
from skpara.learning import AdaDelta, Adam, Negatives
from skpara.text import tokenize

FILE = Path(__file__).parent / "data" / "values.json"
KINDS = dict(name="names", text="sentences", code="code", price="number", day="date", city="exact")
ENCODERS = {
    "average": {"oov": "rare", "word_decay": 0.1},
    "projection": {"optimizer": Adam(), "network_decay": 0.1},
    "dan": {"optimizer": AdaDelta(), "positive_threshold": 3.8, "negatives": "mix"},
    "rnn": {"positive_threshold": "auto", "negatives": Negatives("hardest", margin=0.6)},
    "lstm": {"early_stopping": True},
    "gran": {"output": "both"},
    "charagram": {"paraphraser": "copy"},
}


def features(data: dict[str, Any]) -> dict[str, np.ndarray]:
    """Each sentence with the two behind it, which have what families look for, or its opposite."""
    sentences = data["sentences"]
    pairs = [pair for step in (1, 2) for pair in zip(sentences, sentences[step:], strict=False)]
    pairs += load_sts_sample().data[::3].tolist()
    lexical = LexicalFeatures(["all", "contrast"]).fit(pairs)
    return dict(zip(lexical.get_feature_names_out(), lexical.transform(pairs).T, strict=True))


def matches(data: dict[str, Any]) -> dict[str, np.ndarray]:
    """Columns of the results of matching, and of finding duplicates."""
    left, right = load_sts_sample().data[:160].T.tolist()
    names = [" ".join(text.split()[-5:-1]).title() for text in left + right]
    records, others = (pd.DataFrame(rows, columns=list(KINDS)) for rows in data["tables"])
    every, both = {"top_k": 3, "threshold": 0}, [*left, *right, *data["sentences"]]
    results = {
        "texts": TableMatcher(**every).fit(left).match(right),
        "names": TableMatcher(**every, guard=False).fit(names[:160]).match(names[160:]),
        "one to one": TableMatcher(one_to_one=True, precision=0.9).fit(left).match(right),
        "records": TableMatcher(**every).fit(records, on=KINDS).match(others, on=[*KINDS]),
        "guessed": TableMatcher().fit(records, on=[*KINDS]).match(others, on=[*KINDS]),
    }
    results = {
        name: found[:] if name in ("texts", "names", "one to one") else found.to_frame()
        for name, found in results.items()
    }
    for name, X, on in (("rows", both, None), ("records", pd.concat([records, others]), KINDS)):
        found = Deduplicator(threshold=0.6).fit(X, on=on)
        results[f"similar {name}"] = found.borderline(float("inf"))
        results[f"clusters of {name}"] = {"cluster": found.labels_}
    return {
        f"{name}: {column}": values.to_numpy(float)
        for name, result in results.items()
        for column, values in pd.DataFrame(result).select_dtypes("number").fillna(-1).items()
    }


def fits(data: dict[str, Any]) -> dict[str, np.ndarray]:
    """Losses, and features of pairs, of encoders that were fitted in several ways."""
    pairs, scores = load_sts_sample(return_X_y=True)
    words = sorted({word for text in pairs[:50].ravel() for word in tokenize(text)})
    vectors = WordVectors(words, np.random.default_rng(0).normal(size=(len(words), 8)))
    values = {}
    for network, options in ENCODERS.items():
        options = {"output": "similarity", "batch_size": 20} | options
        encoder = ParagramEncoder(network, vectors=vectors, max_iter=2, random_state=0, **options)
        encoder.fit(pairs[:50], scores[:50])
        values[f"{network}: features"] = encoder.transform(pairs[:80]).ravel()
        values[f"{network}: loss"] = np.array(encoder.loss_curve_)
    return values


# How to compute the values, and how exactly they are the same on other machines.
VALUES = {"features": (features, 1e-6), "matches": (matches, 1e-6), "fits": (fits, 1e-3)}


def checksums(kind: str, data: dict[str, Any]) -> dict[str, list[float]]:
    """Return two sums of the values of each name, weighted by random numbers."""
    return {
        name: (np.random.default_rng(0).random((2, len(x))) @ x).round(9).tolist()
        for name, x in VALUES[kind][0](data).items()
    }


@pytest.mark.parametrize("kind", VALUES)
def test_values_stay_the_same(kind, wordnet):
    data = json.loads(FILE.read_text("utf-8"))
    sums, expected, rtol = checksums(kind, data), data[kind], VALUES[kind][1]
    changed = [k for k, x in expected.items() if not np.allclose(sums[k], x, rtol, atol=1e-8)]
    assert not changed
    assert sums.keys() == expected.keys()


if __name__ == "__main__":
    data = json.loads(FILE.read_text("utf-8"))
    data |= {kind: checksums(kind, data) for kind in VALUES}
    FILE.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
