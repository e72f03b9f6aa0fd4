"""A session to train with."""

from __future__ import annotations

import pytest

from skpara.learning import AdaGrad, Session, TrainingSettings
from skpara.networks import as_network


@pytest.fixture
def make_session(small_vectors):
    """Function that sets up training of two sentences with some settings."""

    def make(network="average", sentences=("w1 w2", "w3"), optimizer=None, **settings):
        settings = TrainingSettings(optimizer or AdaGrad(), **{"device": "cpu"} | settings)
        start = {"vectors": small_vectors, "settings": settings, "random_state": 0}
        return Session(as_network(network), sentences, **start)

    return make
