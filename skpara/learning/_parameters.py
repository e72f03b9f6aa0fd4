"""Parameters that all estimators who train a network have, and what they may be."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from sklearn.utils._param_validation import Interval, StrOptions

TRAINING: dict[str, Any] = {
    "vectors": "no_validation",
    "word_decay": [Interval(Real, 0, None, closed="left")],
    "network_decay": [Interval(Real, 0, None, closed="left")],
    "decay_towards": "no_validation",
    "init": "no_validation",
    "dropout": [Interval(Real, 0, 1, closed="left")],
    "word_dropout": [Interval(Real, 0, 1, closed="left")],
    "gradient_clip": [Interval(Real, 0, None, closed="neither"), None],
    "optimizer": [StrOptions({"adadelta", "adagrad", "adam"})],
    "learning_rate": [Interval(Real, 0, None, closed="neither"), None],
    "early_stopping": ["boolean"],
    "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
    "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
    "warm_start": ["boolean"],
    "oov": [StrOptions({"subword", "rare", "zero"})],
    "device": [StrOptions({"auto", "cpu", "cuda", "mps"})],
    "precision": [StrOptions({"float32", "bfloat16"})],
    "compile": ["boolean"],
    "random_state": ["random_state"],
    "verbose": ["verbose"],
}
