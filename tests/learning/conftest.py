"""A session to train with, and a module that runs out of memory."""

from __future__ import annotations

import pytest

from skpara.learning import AdaGrad, Session, TrainingSettings
from skpara.networks import as_network


@pytest.fixture
def make_session(small_vectors):
    """Function that sets up training of two sentences with some settings."""

    def make(network="average", sentences=("w1 w2", "w3"), optimizer=None, **settings):
        settings = TrainingSettings(optimizer or AdaGrad(), **{"device": "cpu"} | settings)
        network = as_network(network)
        return Session(
            network, sentences, vectors=small_vectors, settings=settings, random_state=0
        )

    return make


@pytest.fixture
def limit_memory():
    """Function that makes a module refuse, as a GPU does, more than ``limit`` sentences at a time.

    It returns a list, to which each call of the module adds its number of sentences.
    """
    import torch

    def limit_module(module, limit):
        sizes, forward = [], module.forward

        def limited(rows, ids, offsets):
            sizes.append(len(offsets))
            if len(offsets) > limit:
                raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
            return forward(rows, ids, offsets)

        module.forward = limited
        return sizes

    return limit_module
