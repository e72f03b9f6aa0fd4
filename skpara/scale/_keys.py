"""Numbers by which an engine groups equal texts."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Vectors
from skpara.matching import plain, vector_keys


class Keys(NamedTuple):
    """Two numbers of 64 bits for each text: only texts that are compared once share both."""

    texts: NDArray[np.uint64]  # of the text without case, accents, spaces and final punctuation
    vectors: NDArray[np.uint64]


def text_keys(texts: Sequence[str], units: Vectors) -> Keys:
    """Return the keys of texts with these vectors of length 1."""
    digests = b"".join(
        blake2b(plain(text).encode("utf8", "surrogatepass"), digest_size=8).digest()
        for text in texts
    )
    return Keys(np.frombuffer(digests, dtype="<u8").astype(np.uint64), vector_keys(units))
