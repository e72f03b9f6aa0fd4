"""Type aliases."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

# X as users pass it: text of shape (n_pairs, 2), or of shape (n_sentences,) where a docstring says
# sentences, in any container. `skpara._pairs` converts either to Python strings.
PairsLike: TypeAlias = Any
SentencesLike: TypeAlias = Any

# Validated pairs: shape (n_pairs, 2), Python strings.
Pairs: TypeAlias = NDArray[np.object_]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]
# Vectors and weights are kept in single precision throughout.
Vectors: TypeAlias = NDArray[np.float32]
Weights: TypeAlias = dict[str, NDArray[np.float32]]

# Treatment of out-of-vocabulary words; see `WordVectors.lookup`.
Oov = Literal["subword", "rare", "zero"]

# Pairs, and their scores if there are any.
ValidationSet: TypeAlias = tuple[Pairs, Floats | None]
