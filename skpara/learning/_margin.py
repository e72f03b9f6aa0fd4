"""The margin objective and its negative examples.

Sentences of a batch of n pairs are numbered first sides first: 0 to n - 1, then second sides: n to
2n - 1; whatever follows are negatives from outside the batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator
from scipy import sparse

from skpara._core import Ragged
from skpara._linalg import pearson, row_cosines, unit_rows
from skpara._messages import warn
from skpara._typing import Floats, Ints, Pairs, Vectors
from skpara.learning._arrays import Array, read_rows, to_numpy
from skpara.learning._averages import through_units, unit_vectors
from skpara.learning._loop import Steps
from skpara.learning._objective import Objective
from skpara.learning._parameters import Negatives
from skpara.learning._processes import is_main_process, n_processes
from skpara.learning._session import Session

if TYPE_CHECKING:
    from torch import Tensor

# Rows of the matrix of cosines that are held at a time: all rows of a mega-batch of 40 * 100 pairs
# would take 256 MB.
_BLOCK = 1024
_COLLAPSE_PAIRS = 100  # pairs that are checked for collapse
_FEWEST_PAIRS = 10  # fewer pairs may truly be similar
# Mean cosine of unrelated sentences above which training has collapsed. A good average of captions
# reaches .97.
_COLLAPSE_COSINE = 0.99


class MarginObjective(Objective):
    """Paraphrases closer than negatives, by a margin (Wieting et al. 2016)."""

    # Default learning rate of an average's vectors, as a fraction of their root mean square.
    row_rate = 1 / 120

    def __init__(
        self, negatives: Negatives, batch_size: int, *, weights: Floats | None = None
    ) -> None:
        self._weights = weights
        self._kind = negatives.kind
        self._margin = negatives.margin
        self._batch_size = batch_size
        self._tokens: Ragged | None = None  # of the last epoch
        # Mega-batches do not help with random negatives.
        self._n_batches = 1 if negatives.kind == "random" else negatives.megabatch_size

    def epoch(self, session: Session, tokens: Ragged) -> Steps:
        self._tokens = tokens
        of_all = np.ones(len(tokens.lengths) // 2) if self._weights is None else self._weights
        batches = self._batches(tokens, session)
        if self._n_batches > 1:
            batches = self._megabatches(tokens, session)
        for sentences, rows in batches:
            loss = MarginLoss(self._kind, self._margin, of_all[rows], session.rng)
            yield session.trainer.step(sentences, loss), len(rows)

    def on_train_end(self, session: Session) -> None:
        """Warn if all sentences have the same vector, so that nothing was learned.

        The loss is then 2 * margin, whatever the negatives are.
        """
        tokens = self._tokens
        n_pairs = 0 if tokens is None else len(tokens.lengths) // 2
        if tokens is None or n_pairs < _FEWEST_PAIRS or not is_main_process():
            return
        # One batch suffices to detect collapse.
        rows = np.linspace(0, n_pairs - 1, min(n_pairs, _COLLAPSE_PAIRS)).astype(np.int64)
        sentences = take_pairs(tokens, rows)
        units = _units(session.trainer.encode(sentences))
        loss = float(margin_loss(units, hardest_negatives(units), self._margin))
        negatives = _random_negatives(len(rows), np.random.default_rng(0))
        cosine = float((units * read_rows(units, negatives)).sum(1).mean())
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

    def _batches(self, pairs: Ragged, session: Session) -> Iterator[tuple[Ragged, Ints]]:
        """Yield the sentences of each batch, and the numbers of its pairs."""
        n_pairs = len(pairs.lengths) // 2
        # A batch of one pair would have no negatives.
        for rows in session.batches(n_pairs, self._batch_size, min_size=2):
            yield take_pairs(pairs, rows), rows

    def _megabatches(self, pairs: Ragged, session: Session) -> Iterator[tuple[Ragged, Ints]]:
        """Yield batches that bring negatives chosen from several batches.

        A mega-batch is encoded in the current state, negatives are chosen for all its sentences,
        and it is then learned from batch by batch (Wieting and Gimpel 2018).
        """
        n_pairs = len(pairs.lengths) // 2
        batch_size = self._batch_size * n_processes()
        size = self._batch_size * self._n_batches
        for megabatch in session.batches(n_pairs, size, min_size=2):
            sides = np.concatenate([megabatch, megabatch + n_pairs])
            units = _units(session.trainer.encode(pairs.take(sides)))
            chosen = choose_negatives(self._kind, units, session.rng)
            negatives = sides[chosen].reshape(2, -1)
            cuts = np.arange(batch_size, len(megabatch) - 1, batch_size)
            for positions in np.split(np.arange(len(megabatch)), cuts):
                rows = megabatch[positions]
                outside = negatives[:, positions].ravel()
                yield pairs.take(np.concatenate([rows, rows + n_pairs, outside])), rows

    def _mean_loss(self, session: Session, pairs: Ragged, extra: Vectors) -> float:
        """Return the mean loss with hardest negatives, batch by batch in the given order."""
        n_pairs = len(pairs.lengths) // 2
        units = _units(session.trainer.encode(pairs, extra))
        total = 0.0
        # array_split spreads the remainder, so that no batch is of a single pair.
        n_batches = max(1, n_pairs // self._batch_size)
        for rows in np.array_split(np.arange(n_pairs), n_batches):
            sides = read_rows(units, np.concatenate([rows, rows + n_pairs]))
            loss = margin_loss(sides, hardest_negatives(sides), self._margin)
            total += float(loss) * len(rows)
        return total / n_pairs


class MarginLoss:
    """The margin loss of a batch, whose negatives are chosen when it is computed.

    Vectors after the two sides are negatives from outside the batch, one for each.
    """

    def __init__(self, kind: str, margin: float, weights: Floats, rng: Generator) -> None:
        self._kind = kind
        self._margin = margin
        self._weights = weights.astype(np.float32)
        self._rng = rng

    def __call__(self, vectors: Tensor) -> Tensor:
        import torch

        units = _units(vectors)
        hinge = _hinge(units, self._negatives(units.detach()), self._margin)
        weights = torch.from_numpy(self._weights).to(hinge.device)
        return (hinge * weights).sum() / len(weights)

    def gradient(self, vectors: Vectors) -> tuple[float, Vectors]:
        """Return the loss and its gradient, in NumPy."""
        units, lengths = unit_vectors(vectors)
        negatives = self._negatives(units)
        n_pairs = len(self._weights)
        hinge = _hinge(units, negatives, self._margin)
        # Gradient of the active hinge terms with respect to both cosines.
        active = (hinge > 0).astype(np.float32) * (self._weights / np.float32(n_pairs))
        by_pair = -active.sum(axis=0)[:, None]
        by_side = active.reshape(-1, 1)
        sides = units[: 2 * n_pairs]
        chosen = units[negatives]
        gradient = np.zeros_like(units)
        gradient[:n_pairs] = by_pair * sides[n_pairs:]
        gradient[n_pairs : 2 * n_pairs] = by_pair * sides[:n_pairs]
        gradient[: 2 * n_pairs] += by_side * chosen
        # A product instead of np.add.at, which takes as long as all the rest of the step.
        shape = (2 * n_pairs, len(units))
        by_negative = sparse.csr_matrix(
            (by_side.ravel(), negatives, np.arange(2 * n_pairs + 1)), shape=shape
        )
        gradient += by_negative.T @ sides
        loss = float((hinge * self._weights).sum()) / n_pairs
        return loss, through_units(gradient, units, lengths)

    def _negatives(self, units: Array) -> Ints:
        n_sides = 2 * len(self._weights)
        if len(units) > n_sides:
            return np.arange(n_sides, 2 * n_sides)
        return choose_negatives(self._kind, units, self._rng)


def take_pairs(pairs: Ragged, rows: Ints) -> Ragged:
    """Return the sentences of some pairs: all first ones, then all second ones."""
    return pairs.take(np.concatenate([rows, rows + len(pairs.lengths) // 2]))


def _units(vectors: Array) -> Array:
    """Return vectors of length 1, or zeros; they are arrays or tensors."""
    if isinstance(vectors, np.ndarray):
        return unit_vectors(vectors)[0]
    from torch.nn import functional

    return functional.normalize(vectors)


def margin_loss(units: Array, negatives: Ints, margin: float) -> Array:
    """Compute the mean hinge loss of both sides: equation 2 of Hokamp and Arora (2016).

    For a pair (x1, x2) with negatives t1, t2 and margin delta::

        max(0, delta - cos(x1, x2) + cos(x1, t1)) + max(0, delta - cos(x1, x2) + cos(x2, t2))

    ``units`` are sentence vectors of length 1, or zeros, which have cosine 0 with anything; the
    first ``2 * n_pairs`` are the two sides, and ``negatives`` has a row number for each of these.
    """
    return _hinge(units, negatives, margin).sum() / (len(negatives) // 2)


def _hinge(units: Array, negatives: Ints, margin: float) -> Array:
    """Return the loss of each side, shape (2, n_pairs)."""
    n_pairs = len(negatives) // 2
    sides = units[: 2 * n_pairs]
    positive = (sides[:n_pairs] * sides[n_pairs:]).sum(1)
    negative = (sides * read_rows(units, negatives)).sum(1)
    distance = negative.reshape(2, n_pairs) - positive + margin
    return distance * (distance > 0)


def choose_negatives(kind: str, units: Array, rng: Generator) -> Ints:
    """Choose for each sentence a sentence of another pair."""
    n_sentences = len(units)
    if kind == "hardest":
        return hardest_negatives(units)
    negatives = _random_negatives(n_sentences // 2, rng)
    if kind == "mix":
        negatives = np.where(rng.random(n_sentences) < 0.5, hardest_negatives(units), negatives)
    return negatives


def _random_negatives(n_pairs: int, rng: Generator) -> Ints:
    own = np.tile(np.arange(n_pairs), 2)
    other = (own + rng.integers(1, n_pairs, size=2 * n_pairs)) % n_pairs
    return other + n_pairs * rng.integers(0, 2, size=2 * n_pairs)


def hardest_negatives(units: Array) -> Ints:
    """Choose for each sentence the most similar sentence of another pair."""
    n_sentences = len(units)
    chosen = []
    for start in range(0, n_sentences, _BLOCK):
        cosines = units[start : start + _BLOCK] @ units.T
        rows = np.arange(len(cosines))
        # Exclude the sentence itself and its partner.
        for shift in (0, n_sentences // 2, -(n_sentences // 2)):
            columns = start + rows + shift
            inside = (columns >= 0) & (columns < n_sentences)
            cosines[rows[inside], columns[inside]] = -2.0
        # On the CPU NumPy's argmax is five times faster than torch's.
        on_cpu = isinstance(cosines, np.ndarray) or cosines.device.type == "cpu"
        chosen.append(to_numpy(to_numpy(cosines).argmax(1) if on_cpu else cosines.argmax(1)))
    return np.concatenate(chosen)
