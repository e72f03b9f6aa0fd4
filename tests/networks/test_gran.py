"""The gates of a GRAN."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.networks import GRAN, Average

D = 8
ROWS = torch.from_numpy(np.random.default_rng(1).standard_normal((7, D)).astype(np.float32))
IDS, OFFSETS = torch.tensor([0, 3, 3, 6, 2, 5, 4]), torch.tensor([0, 4, 5])
AVERAGE = Average().build(D, np.random.default_rng(0))(ROWS, IDS, OFFSETS)


def test_initial_vectors_are_near_half_the_average():
    rows = 0.1 * ROWS
    vectors = GRAN().build(D, np.random.default_rng(0))(rows, IDS, OFFSETS).detach()
    assert torch.cosine_similarity(vectors, AVERAGE, dim=1).min() > 0.99
    torch.testing.assert_close(vectors, 0.05 * AVERAGE, rtol=0, atol=0.01)


@pytest.mark.parametrize("hidden_size", [3, None])
def test_sentence_vectors_are_as_long_as_word_vectors(hidden_size):
    module = GRAN(hidden_size=hidden_size).build(D, np.random.default_rng(0))
    assert module.n_dims_out == D
    assert module.of_state.shape == (D, hidden_size or D)
