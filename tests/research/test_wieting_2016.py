"""The near misses of the comparison of encoders, and how settings are chosen."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

import numpy as np
import pytest

from skpara import WordVectors

SCRIPT = run_path(str(Path(__file__).parents[2] / "examples" / "papers" / "wieting_2016.py"))
PAIRS = np.array(
    [
        ("small dog barks", "the dog is loud"),
        ("one dog sleeps", "the dog is asleep"),
        ("a barkeeper smiles", "a barkeeper barkens"),
        ("it rains", "rain falls"),
        ("small dog yaps", "the dog is loud"),  # of the same paraphrase as the first one
    ],
    dtype=object,
)


@pytest.mark.parametrize("kind", SCRIPT["NEAR_MISSES"])
def test_a_near_miss_is_of_another_pair(kind):
    for seed in range(20):
        misses = SCRIPT["near_misses"](PAIRS, kind, np.random.default_rng(seed))
        assert misses[:, 0].tolist() == PAIRS[:, 0].tolist()
        for (first, second), (_, miss) in zip(PAIRS, misses, strict=True):
            assert miss in PAIRS[:, 1]
            assert miss not in (first, second)


def test_near_misses_share_words_characters_or_nothing():
    drawn = {
        kind: {
            SCRIPT["near_misses"](PAIRS, kind, np.random.default_rng(seed))[0, 1]
            for seed in range(50)
        }
        for kind in SCRIPT["NEAR_MISSES"]
    }
    assert drawn == {
        "words": {"the dog is asleep"},  # by "dog"
        "characters": {"a barkeeper barkens"},  # by "bark", and "dog" is in four sentences
        "random": {"the dog is asleep", "a barkeeper barkens", "rain falls"},
    }


def test_settings_are_chosen_by_the_mean_of_the_seeds():
    words = sorted({word for pair in PAIRS for text in pair for word in text.split()})
    matrix = np.random.default_rng(0).standard_normal((len(words), 5)).astype(np.float32)
    misses = SCRIPT["near_misses"](PAIRS, "random", np.random.default_rng(0))
    development = np.vstack([PAIRS, misses]), np.repeat([1.0, 0.0], len(PAIRS))
    args = SimpleNamespace(
        negatives=["hardest", "random"],
        rates=[0.001, 0.3],
        epochs=2,
        chosen_rates=False,
        choice_seeds=3,
        seeds=4,
    )
    best, chosen = SCRIPT["fit_best"](
        "average", WordVectors(words, matrix), PAIRS, development, args
    )
    tried = chosen["development"]
    assert [(one["negatives"], one["learning_rate"]) for one in tried] == [
        ("hardest", 0.001), ("hardest", 0.3), ("random", 0.001), ("random", 0.3),
    ]  # fmt: skip
    means = [np.mean(one["scores"]) for one in tried]
    assert len(set(means)) > 1
    wanted = tried[int(np.argmax(means))]
    assert SCRIPT["is_chosen"](wanted, chosen)
    assert [each.best_score_ for each in best[:3]] == wanted["scores"]
    assert [each.random_state for each in best] == [0, 1, 2, 3]
    assert {each.optimizer.learning_rate for each in best} == {wanted["learning_rate"]}
