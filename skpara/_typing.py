"""Names of the types that the whole package shares."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

# What users pass as X: anything of shape (n_pairs, 2) that holds text, or, where a docstring says
# sentences, anything one-dimensional. `skpara._pairs` turns either into plain Python strings.
PairsLike: TypeAlias = Any
SentencesLike: TypeAlias = Any

# What `as_pairs` returns: shape (n_pairs, 2), Python strings.
Pairs: TypeAlias = NDArray[np.object_]
Floats: TypeAlias = NDArray[np.float64]
# Vectors and weights are kept in single precision throughout.
Vectors: TypeAlias = NDArray[np.float32]
Weights: TypeAlias = dict[str, NDArray[np.float32]]

# What a word gets that the vectors do not hold; see `WordVectors.lookup`.
Oov = Literal["subword", "rare", "zero"]

# Pairs, and their scores if there are any.
ValidationSet: TypeAlias = tuple[Pairs, Floats | None]
