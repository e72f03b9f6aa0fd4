"""The margin objective and its negative examples.

Sentences of a batch of n pairs are numbered first sides first: 0 to n - 1, then second sides: n to
2n - 1; whatever follows are negatives from outside the batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from skpara._linalg import pearson, row_cosines, unit_rows
from skpara._public import set_module
from skpara._typing import Floats, Pairs
from skpara._warnings import warn
from skpara.learning._objective import Objective, shuffled_batches
from skpara.learning._parameters import Negatives
from skpara.learning._processes import is_main_process
from skpara.text import TokenIds

if TYPE_CHECKING:
    from skpara.learning._loop import Steps
    from skpara.learning._session import Session

# Sentences whose cosines with all others are held at a time; a mega-batch of 40 * 100 pairs would
# otherwise take 256 MB.
_BLOCK = 1024
# Pairs that are looked at to see whether training has collapsed; encoding them takes milliseconds.
_COLLAPSE_PAIRS = 100
# Fewer pairs may be as similar as they look.
_FEWEST_PAIRS = 10
# Unrelated sentences of collapsed networks have mean cosines of .993 to 1.000. Captions encoded by
# an average of GloVe have .956, and .97 after an epoch that they recover from.
_COLLAPSE_COSINE = 0.99


@set_module("skpara.learning")
class MarginObjective(Objective):
    """Paraphrases closer than negatives, by a margin (Wieting et al. 2016)."""

    # Default learning rate of an average's vectors, as a fraction of their root mean square.
    row_rate = 1 / 120

    def __init__(self, negatives: Negatives, margin: float, batch_size: int) -> None:
        self._kind, self._margin, self._batch_size = negatives.kind, margin, batch_size
        self._tokens: TokenIds | None = None  # of the last epoch, or of its last chunk
        # Random negatives are no better for being drawn from more sentences.
        self._n_batches = 1 if negatives.kind == "random" else negatives.megabatch_size

    def epoch(self, session: Session, tokens: TokenIds) -> Steps:
        self._tokens = tokens
        batches = self._batches(tokens, session)
        if self._n_batches > 1:
            batches = self._megabatches(tokens, session)
        for sentences, n_pairs in batches:
            loss = partial(self._loss, n_pairs=n_pairs, rng=session.rng)
            yield session.trainer.step(sentences, loss), n_pairs

    def on_train_end(self, session: Session) -> None:
        """Warn if all sentences have the same vector, so that nothing was learned.

        The loss is then 2 * margin, whatever the negatives are.
        """
        tokens = self._tokens
        n_pairs = 0 if tokens is None else len(tokens.lengths) // 2
        if tokens is None or n_pairs < _FEWEST_PAIRS or not is_main_process():
            return
        # A batch is enough: what has collapsed has collapsed everywhere.
        rows = np.linspace(0, n_pairs - 1, min(n_pairs, _COLLAPSE_PAIRS)).astype(np.int64)
        sentences = tokens.take(np.concatenate([rows, rows + n_pairs]))
        units = functional.normalize(session.trainer.encode(sentences))
        loss = float(margin_loss(units, hardest_negatives(units), self._margin))
        negatives = torch.from_numpy(_random_negatives(len(rows), np.random.default_rng(0)))
        cosine = float((units * units[negatives.to(units.device)]).sum(dim=1).mean())
        # Hardest negatives can make the loss of a good encoder as large, but not these cosines.
        if abs(loss - 2 * self._margin) <= 0.01 * 2 * self._margin and cosine > _COLLAPSE_COSINE:
            remedy = "a lower learning_rate"
            if self._kind == "hardest":
                remedy = f"negatives='mix' or {remedy}"
            warn(
                "Training has collapsed: all sentences have nearly the same vector (unrelated "
                f"sentences have a mean cosine of {cosine:.3f}), and the loss stays at 2 * margin "
                f"= {2 * self._margin:g}. Use {remedy}."
            )

    def score(self, session: Session, pairs: Pairs, scores: Floats | None) -> float:
        """Return Pearson's r of cosines and scores, or minus the loss where there are no scores.

        Where the cosines are all equal it is -1.
        """
        sentences = pairs.T.ravel().tolist()
        if scores is not None:
            u, v = np.split(unit_rows(session.encode(sentences)), 2)
            return float(pearson(row_cosines(u, v), scores, undefined=-1.0))
        return -self._mean_loss(session, *session.lookup(sentences))

    def _batches(self, pairs: TokenIds, session: Session) -> Iterator[tuple[TokenIds, int]]:
        n_pairs = len(pairs.lengths) // 2
        # A batch of one pair would have no negatives.
        batch_size = self._batch_size * session.n_processes
        for rows in shuffled_batches(n_pairs, batch_size, session.rng, min_size=2):
            yield pairs.take(np.concatenate([rows, rows + n_pairs])), len(rows)

    def _megabatches(self, pairs: TokenIds, session: Session) -> Iterator[tuple[TokenIds, int]]:
        """Yield batches that bring negatives chosen from several batches.

        A mega-batch is encoded in the current state, negatives are chosen for all its sentences,
        and it is then learned from batch by batch (Wieting and Gimpel 2018).
        """
        n_pairs = len(pairs.lengths) // 2
        batch_size = self._batch_size * session.n_processes
        size = batch_size * self._n_batches
        for megabatch in shuffled_batches(n_pairs, size, session.rng, min_size=2):
            sides = np.concatenate([megabatch, megabatch + n_pairs])
            units = functional.normalize(session.trainer.encode(pairs.take(sides)))
            chosen = choose_negatives(self._kind, units, session.rng).cpu().numpy()
            negatives = sides[chosen].reshape(2, -1)
            cuts = np.arange(batch_size, len(megabatch) - 1, batch_size)
            for positions in np.split(np.arange(len(megabatch)), cuts):
                rows = megabatch[positions]
                outside = negatives[:, positions].ravel()
                yield pairs.take(np.concatenate([rows, rows + n_pairs, outside])), len(rows)

    def _loss(self, vectors: Tensor, n_pairs: int, rng: Generator) -> Tensor:
        units = functional.normalize(vectors)
        n_sides = 2 * n_pairs
        if len(units) > n_sides:
            negatives = torch.arange(n_sides, 2 * n_sides, device=units.device)
        else:
            negatives = choose_negatives(self._kind, units.detach(), rng)
        return margin_loss(units, negatives, self._margin)

    def _mean_loss(self, session: Session, pairs: TokenIds, extra: NDArray[np.float32]) -> float:
        """Return the mean loss with hardest negatives, batch by batch in the given order."""
        n_pairs = len(pairs.lengths) // 2
        units = functional.normalize(session.trainer.encode(pairs, extra))
        total = 0.0
        # tensor_split spreads the remainder, so that no batch is of a single pair.
        n_batches = max(1, n_pairs // self._batch_size)
        for rows in torch.arange(n_pairs, device=units.device).tensor_split(n_batches):
            sides = units[torch.cat([rows, rows + n_pairs])]
            loss = margin_loss(sides, hardest_negatives(sides), self._margin)
            total += float(loss) * len(rows)
        return total / n_pairs


def margin_loss(units: Tensor, negatives: Tensor, margin: float) -> Tensor:
    """Compute the mean hinge loss of both sides: equation 2 of Hokamp and Arora (2016).

    For a pair (x1, x2) with negatives t1, t2 and margin delta::

        max(0, delta - cos(x1, x2) + cos(x1, t1)) + max(0, delta - cos(x1, x2) + cos(x2, t2))

    ``units`` are sentence vectors of length 1, or zeros, which have cosine 0 with anything; the
    first ``2 * n_pairs`` are the two sides, and ``negatives`` has a row number for each of these.
    """
    n_pairs = len(negatives) // 2
    sides = units[: 2 * n_pairs]
    positive = (sides[:n_pairs] * sides[n_pairs:]).sum(dim=1)
    negative = (sides * units.index_select(0, negatives)).sum(dim=1)
    hinge = (negative.view(2, n_pairs) - positive + margin).relu()
    return hinge.sum() / n_pairs


def choose_negatives(kind: str, units: Tensor, rng: Generator) -> Tensor:
    """Choose for each sentence a sentence of another pair."""
    n_sentences = len(units)
    if kind == "hardest":
        return hardest_negatives(units)
    negatives = torch.from_numpy(_random_negatives(n_sentences // 2, rng)).to(units.device)
    if kind == "mix":
        hardest = torch.from_numpy(rng.random(n_sentences) < 0.5).to(units.device)
        negatives = torch.where(hardest, hardest_negatives(units), negatives)
    return negatives


def _random_negatives(n_pairs: int, rng: Generator) -> NDArray[np.int64]:
    own = np.tile(np.arange(n_pairs), 2)
    other = (own + rng.integers(1, n_pairs, size=2 * n_pairs)) % n_pairs
    return other + n_pairs * rng.integers(0, 2, size=2 * n_pairs)


@torch.no_grad()
def hardest_negatives(units: Tensor) -> Tensor:
    """Choose for each sentence the most similar sentence of another pair."""
    n_sentences = len(units)
    chosen = []
    for start in range(0, n_sentences, _BLOCK):
        cosines = units[start : start + _BLOCK] @ units.T
        # Exclude the sentence itself and its partner, which are diagonals of the block.
        for diagonal in (start, start + n_sentences // 2, start - n_sentences // 2):
            if -len(cosines) < diagonal < n_sentences:
                cosines.diagonal(diagonal).fill_(-2.0)
        chosen.append(_row_argmax(cosines))
    return torch.cat(chosen)


def _row_argmax(rows: Tensor) -> Tensor:
    if rows.device.type == "cpu":  # NumPy's argmax is five times faster on the CPU
        return torch.from_numpy(rows.numpy().argmax(axis=1))
    return rows.argmax(dim=1)
