"""The average of word vectors."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional

from skpara.networks.modules._module import SentenceModule


class AverageModule(SentenceModule):
    """``g(x) = (x_1 + ... + x_n) / n``."""

    def __init__(self, n_dims: int) -> None:
        super().__init__()
        self.n_dims_out = n_dims

    def forward(self, rows: Tensor, ids: Tensor, offsets: Tensor) -> Tensor:
        # Overridden because embedding_bag returns zeros for empty sentences already.
        means: Tensor = functional.embedding_bag(ids, rows, offsets, mode="mean")
        return means
