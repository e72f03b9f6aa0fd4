"""Write files of this version, and the numbers that they must give when they are loaded.

``python examples/builders/make_fixtures.py`` writes them into a folder of ``tests/data`` that is
named after the version. Run it for each new version and keep the folders of the old ones:
``tests/saving/test_persistence.py`` reads all of them.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import sklearn
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skpara import (
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    SiameseLSTMRegressor,
    WordVectors,
    __version__,
    make_sts_pipeline,
    save_model,
)
from skpara.learning import Adam, Negatives, Start
from skpara.networks import GRAN, LSTM

WORDS = ["a", "man", "woman", "dog", "cat", "plays", "sleeps", "runs", "guitar", "music", "."]
PAIRS = [
    (f"A {a} {b}.", f"A {c} {d} unheard.")
    for a, c in pairwise(WORDS[1:6])
    for b, d in pairwise(WORDS[5:11])
]
SENTENCES = ["A man plays a guitar.", "music unheard of", ""]


def main() -> None:
    """Write the files."""
    folder = Path(__file__).parents[2] / "tests" / "data" / __version__
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng(0)
    vectors = WordVectors(WORDS, rng.standard_normal((len(WORDS), 6)).astype(np.float32))
    vectors.save(folder / "vectors.npz")
    vectors.save(folder / "vectors.safetensors")
    scores = np.linspace(0, 5, len(PAIRS))

    encoder = ParagramEncoder(LSTM(hidden_size=4), vectors=vectors, max_iter=2, random_state=0)
    save_model(encoder.fit(PAIRS), folder / "encoder.safetensors")

    network, negatives = GRAN(hidden_size=4, dropout=0.1), Negatives("hardest", megabatch_size=2)
    configured = ParagramEncoder(network, vectors=Start(vectors, norm=2.0), negatives=negatives)
    configured.set_params(optimizer=Adam(gradient_clip=1.0), max_iter=2, random_state=0)
    save_model(configured.fit(PAIRS), folder / "configured.safetensors")
    parameters = configured.get_params(deep=False)

    siamese = SiameseLSTMRegressor(
        vectors, hidden_size=4, dense_size=3, max_iter=2, score_range=(0, 5), random_state=0
    )
    save_model(siamese.fit(PAIRS, scores), folder / "siamese.safetensors")

    models = {
        "boosting": FusionRegressor(GradientBoostingRegressor(n_estimators=9), linear_weight=0.5),
        "forest": FusionRegressor(RandomForestRegressor(5), n_repeats=2),
        "ridge": FusionRegressor(make_pipeline(StandardScaler(), Ridge())),
    }
    frequencies = {word: rank + 1 for rank, word in enumerate(reversed(WORDS))}
    for name, regressor in models.items():
        # No tables but these: scores must not depend on what is installed.
        lexical = LexicalFeatures(
            "fast", wordnet=False, tagger=False, frequencies=frequencies, vectors=vectors
        )
        internal = ParagramEncoder(
            vectors=vectors, output="both", max_iter=1, cross_fit=2, random_state=0
        )
        models[name] = make_sts_pipeline(internal, lexical, regressor.set_params(random_state=0))
        models[name].fit(PAIRS, scores)
        save_model(models[name], folder / f"{name}.skpara", data="make_fixtures.py")

    versions = {"skpara": __version__, "scikit-learn": sklearn.__version__}
    expected = {
        "versions": versions | {"numpy": np.__version__},
        "sentences": SENTENCES,
        "pairs": PAIRS,
        "words": WORDS,
        "vectors": vectors.matrix.tolist(),
        "encoder": encoder.encode(SENTENCES).tolist(),
        "configured": configured.encode(SENTENCES).tolist(),
        "parameters": {k: repr(v) for k, v in parameters.items() if k != "vectors"},
        "siamese": siamese.predict(PAIRS).tolist(),
        **{name: model.predict(PAIRS).tolist() for name, model in models.items()},
    }
    (folder / "expected.json").write_text(json.dumps(expected, indent=1), "utf-8")


if __name__ == "__main__":
    main()
