"""A session to train with, and a module that runs out of memory."""

from __future__ import annotations

import pytest

from skpara import ParagramEncoder
from skpara.learning import Session
from skpara.networks import as_network


@pytest.fixture
def make_session(small_vectors):
    """Function that sets up training of two sentences; parameters are those of the encoder."""

    def make(network="average", sentences=("w1 w2", "w3"), **parameters):
        encoder = ParagramEncoder(
            network, **{"vectors": small_vectors, "random_state": 0, "device": "cpu"} | parameters
        )
        return Session.of(encoder, as_network(network), sentences)

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
