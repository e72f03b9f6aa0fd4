"""The average of word vectors: equation 1 of Hokamp and Arora (2016)."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional


class Average(nn.Module):
    """Mean of the word vectors of each sentence.

    Takes ``rows`` (n_words, n_dims), ``ids`` (n_tokens,) into them, and ``offsets``
    (n_sentences,), the first token of each sentence. Returns (n_sentences, n_dims); zeros for an
    empty sentence.

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.
    """

    def forward(self, rows: Tensor, ids: Tensor, offsets: Tensor) -> Tensor:
        """Pool the rows."""
        pooled: Tensor = functional.embedding_bag(ids, rows, offsets, mode="mean")
        return pooled
