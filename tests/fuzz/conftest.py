"""Hypothesis' profile "fuzz": how many inputs a test tries, and when it counts as hanging."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

N_INPUTS = int(os.environ.get("SKPARA_FUZZ", "0"))  # set by tests/fuzz/run.py
settings.register_profile(
    "fuzz",
    max_examples=N_INPUTS or 20,
    derandomize=not N_INPUTS,
    deadline=30_000,  # milliseconds: more is a hang
    database=None,
    suppress_health_check=list(HealthCheck),
)
