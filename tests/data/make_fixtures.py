"""Files as this version writes them, and the numbers that they must give when read again.

``python tests/data/make_fixtures.py`` writes them into a folder named after the version. Run it
for a new version, and keep the folders of the old ones: ``tests/saving/test_persistence.py``
reads all.
"""

from __future__ import annotations

import json
import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import sklearn
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.pipeline import make_pipeline
from skops.io import dump

from skpara import (
    FusionRegressor,
    ParagramEncoder,
    SiameseLSTMRegressor,
    WordVectors,
    __version__,
)
from skpara.networks import LSTM
from skpara.saving._model_file import save_model

WORDS = ["a", "man", "woman", "dog", "cat", "plays", "sleeps", "runs", "guitar", "music", "."]
PAIRS = [
    (f"A {a} {b}.", f"A {c} {d} unheard.")
    for a, c in pairwise(WORDS[1:6])
    for b, d in pairwise(WORDS[5:11])
]
SENTENCES = ["A man plays a guitar.", "music unheard of", ""]


def main() -> None:
    folder = Path(__file__).parent / __version__
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng(0)
    vectors = WordVectors(WORDS, rng.standard_normal((len(WORDS), 6)).astype(np.float32))
    vectors.save(folder / "vectors.npz")
    vectors.save(folder / "vectors.safetensors")
    scores = np.linspace(0, 5, len(PAIRS))

    encoder = ParagramEncoder(LSTM(hidden_size=4), vectors=vectors, max_iter=2, random_state=0)
    encoder.fit(PAIRS).save(folder / "encoder.safetensors")

    siamese = SiameseLSTMRegressor(
        vectors, hidden_size=4, dense_size=3, max_iter=2, score_range=(0, 5), random_state=0
    )
    siamese.fit(PAIRS, scores).save(folder / "siamese.safetensors")

    model = make_pipeline(
        ParagramEncoder(vectors=vectors, output="both", max_iter=1, random_state=0),
        FusionRegressor(GradientBoostingRegressor(n_estimators=5), random_state=0),
    )
    model.fit(PAIRS, scores)
    save_model(folder / "fusion.skpara", model, data="make_fixtures.py", n_pairs=len(PAIRS))
    dump(model, folder / "fusion.skops", compression=zipfile.ZIP_DEFLATED)

    expected = {
        "versions": {
            "skpara": __version__,
            "scikit-learn": sklearn.__version__,
            "numpy": np.__version__,
        },
        "sentences": SENTENCES,
        "pairs": PAIRS,
        "words": WORDS,
        "vectors": vectors.matrix.tolist(),
        "encoder": encoder.encode(SENTENCES).tolist(),
        "siamese": siamese.predict(PAIRS).tolist(),
        "fusion": model.predict(PAIRS).tolist(),
    }
    (folder / "expected.json").write_text(json.dumps(expected, indent=1), "utf-8")


if __name__ == "__main__":
    main()
