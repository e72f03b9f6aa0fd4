from __future__ import annotations

from functools import cache

import pytest

from skpara import ParagramEncoder


@pytest.fixture
def encoder(small_vectors):
    return ParagramEncoder(vectors=small_vectors, batch_size=20, max_iter=3, random_state=0)


@pytest.fixture
def load_once(monkeypatch):
    """Read each model of sentence-transformers from its folder once.

    Reading takes longer than all else that a test does with the model, which nothing changes:
    what is tuned is a copy.
    """
    package = pytest.importorskip("sentence_transformers")
    cached = cache(package.SentenceTransformer)
    monkeypatch.setattr(package, "SentenceTransformer", cached)
