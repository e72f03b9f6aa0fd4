from __future__ import annotations

import pytest

from skpara import ParagramEncoder


@pytest.fixture
def encoder(small_vectors):
    return ParagramEncoder(vectors=small_vectors, batch_size=20, max_iter=3, random_state=0)
