"""Values of all features stay the same from version to version.

`python tests/features/test_values.py` writes the sums that are expected. Do so only where a change
of scores is intended, and name the features in the changelog: models that were saved before give
other scores then.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from skpara import LexicalFeatures
from skpara.datasets import load_sts_sample

FILE = Path(__file__).parents[1] / "data" / "features.json"


def checksums(sentences: list[str]) -> dict[str, list[float]]:
    """Return two sums of each feature, weighted by random numbers, over 300 pairs.

    Each sentence is paired with the two behind it. They have what families look for, beside and
    without its opposite.
    """
    pairs = [(a, b) for step in (1, 2) for a, b in zip(sentences, sentences[step:], strict=False)]
    pairs += load_sts_sample().data[::3].tolist()
    lexical = LexicalFeatures(["all", "contrast"]).fit(pairs)
    weights = np.random.default_rng(0).random((2, len(pairs)))
    sums = weights @ lexical.transform(pairs)
    names = lexical.get_feature_names_out().tolist()
    return dict(zip(names, sums.T.round(9).tolist(), strict=True))


def test_values_of_features_stay_the_same(wordnet):
    data = json.loads(FILE.read_text("utf-8"))
    sums, expected = checksums(data["sentences"]), data["sums"]
    changed = [
        name
        for name, values in expected.items()
        if not np.allclose(sums[name], values, rtol=1e-6, atol=1e-8)
    ]
    assert not changed
    assert sums.keys() == expected.keys()


if __name__ == "__main__":
    data = json.loads(FILE.read_text("utf-8"))
    data["sums"] = checksums(data["sentences"])
    parts = [json.dumps(data["sentences"], indent=1)]
    parts.append(",\n".join(f"  {json.dumps(name)}: {row}" for name, row in data["sums"].items()))
    FILE.write_text('{{"sentences": {},\n "sums": {{\n{}\n}}}}\n'.format(*parts), "utf-8")
