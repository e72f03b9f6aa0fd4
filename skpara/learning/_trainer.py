"""One training step: rows of a table and weights of a network, moved against a gradient."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor

from skpara._typing import Vectors, Weights
from skpara.learning import _processes
from skpara.learning._device import Compute
from skpara.learning._gradients import Gradients, LossFunction
from skpara.learning._memory import (
    apply_head,
    encode,
    encoding_batch_size,
    head_batch_size,
)
from skpara.learning._optimizers import OptimizerState, WeightOptimizer, make_optimizer
from skpara.learning._parameters import AdaDelta, Optimizer
from skpara.networks import SentenceModule
from skpara.text import TokenIds


@dataclass(frozen=True)
class StepSettings:
    """How a step is made; the fields are parameters of the estimators and of their networks."""

    optimizer: Optimizer = field(default_factory=AdaDelta)
    learning_rate: float | None = None
    word_decay: float = 0.0
    network_decay: float = 0.0
    dropout: float = 0.0
    word_dropout: float = 0.0
    train_words: bool = True
    compute: Compute = field(default_factory=Compute)


class DecayTarget(NamedTuple):
    """What word decay pulls rows towards: consecutive tables, without a copy that joins them."""

    tables: tuple[Vectors, ...]

    def take(self, rows: NDArray[np.int64]) -> Vectors:
        """Return the targets of ``rows``."""
        if len(self.tables) == 1:
            return self.tables[0][rows]
        targets = np.empty((len(rows), self.tables[0].shape[1]), dtype=np.float32)
        start = 0
        for table in self.tables:
            inside = np.flatnonzero((rows >= start) & (rows < start + len(table)))
            targets[inside] = table[rows[inside] - start]
            start += len(table)
        return targets

    def append(self, table: Vectors) -> DecayTarget:
        """Return the target with those of rows that were added."""
        return DecayTarget((*self.tables, table))


class Trainer:
    """The table and the module, and the optimizers that move them.

    On the CPU both are updated in place. Word decay pulls rows towards ``decay_target``, or zero;
    network decay pulls weights towards ``weight_targets``, the others towards zero or, if they are
    ``module.identity_parameters``, the identity.

    Where several processes train together, each has all of it and computes its shard of every
    batch; gradients are summed over the processes, so that all make the same step.
    """

    def __init__(
        self,
        table: Vectors,
        module: SentenceModule,
        decay_target: DecayTarget | None,
        weight_targets: Weights,
        settings: StepSettings,
        rng: Generator,
    ) -> None:
        self.settings, self._rng, self._decay_target = settings, rng, decay_target
        self.compute = settings.compute
        (self._table,) = self.compute.tensors(table)
        self.module = module.to(self.compute.device)
        self._names = [name for name, _ in module.named_parameters()]
        self._weights = list(module.parameters())
        self._weight_targets = [self._weight_target(name, weight_targets) for name in self._names]
        self._unique_ids = _UniqueIds(len(table))
        optimizer, rate = settings.optimizer, settings.learning_rate
        self._row_optimizer = make_optimizer(optimizer, self._table, rate)
        self._weight_optimizer = WeightOptimizer(optimizer, self._weights, rate)
        self._gradients = Gradients(self.module, self.compute, rng)
        self._batch_size, self._head_batch_size = encoding_batch_size(), head_batch_size()
        self._synchronized = False
        _processes.warn_if_not_initialized()

    def _weight_target(self, name: str, targets: Weights) -> Tensor | None:
        if name in targets:
            return self.compute.tensors(targets[name])[0]
        if name in self.module.identity_parameters:
            n_dims = self.module.get_parameter(name).shape[0]
            return torch.eye(n_dims, device=self.compute.device)
        return None

    @property
    def table(self) -> Vectors:
        """The current rows."""
        return self._table.cpu().numpy()

    @property
    def weights(self) -> Weights:
        """A copy of the network's current weights."""
        state = self.module.state_dict()
        return {name: np.array(weight.cpu().numpy()) for name, weight in state.items()}

    def scale_row_learning_rate(self, factor: float) -> None:
        """Use ``factor`` times the rows' root mean square as their learning rate, if larger."""
        if len(self._table):
            rms = float(self._table.square().mean().sqrt())
            self._row_optimizer.learning_rate = max(
                self._row_optimizer.learning_rate, factor * rms
            )

    def step(self, sentences: TokenIds, loss_function: LossFunction) -> float:
        """Make one step against the gradient of ``loss_function(vectors of the sentences)``."""
        self._synchronize(sentences)
        sentences = self._apply_word_dropout(sentences)
        unique, local = self._unique_ids(sentences.ids)
        batch = TokenIds(local.astype(np.int32), sentences.offsets, [])
        (rows,) = self.compute.tensors(unique)
        values = self._table.index_select(0, rows)
        mask = self._dropout_mask(values)
        train_words = self.settings.train_words
        inputs = (values if mask is None else values * mask).requires_grad_(train_words)
        loss, gradients = self._gradients(inputs, batch, loss_function)
        values = values.detach()
        if train_words and mask is not None:
            gradients[0] = gradients[0] * mask
        loss += self._add_decay(rows, values, gradients)
        self._clip(gradients)
        if train_words:
            self._row_optimizer.step(self._table, rows, gradients[0], values)
        self._weight_optimizer.step(gradients[train_words:])
        return loss

    def _synchronize(self, sentences: TokenIds) -> None:
        """Before the first step, make all processes start from the same weights."""
        if not self._synchronized and _processes.n_processes() > 1:
            _processes.check_identical(sentences, self._rng, self.compute.device)
            _processes.broadcast(*(weight.detach() for weight in self._weights))
        self._synchronized = True

    def encode(self, sentences: TokenIds, extra: Vectors | None = None) -> Tensor:
        """Encode sentences with the current state, shape (n_sentences, n_dims_out).

        ``extra`` are rows of words that the table does not hold: id ``n_rows + k`` is row ``k``.
        """
        n_rows = len(self._table)

        def take(ids: NDArray[np.int64]) -> Tensor:
            (known,) = self.compute.tensors(ids[ids < n_rows])
            rows = self._table.index_select(0, known)
            if extra is None:
                return rows
            return torch.cat([rows, *self.compute.tensors(extra[ids[ids >= n_rows] - n_rows])])

        return encode(
            self.module.sentence_module,
            take,
            sentences,
            self.compute,
            self._batch_size,
            output_device=self.compute.device,
        )

    def outputs(self, sentences: TokenIds, extra: Vectors | None = None) -> Tensor:
        """Compute the outputs of a network with a head, shape (n_samples, n_outputs), on the CPU.

        The parameters are those of :meth:`encode`.
        """
        vectors = self.encode(sentences, extra)
        return apply_head(self.module, vectors, self.compute.device, self._head_batch_size)

    def grow(self, rows: Vectors) -> None:
        """Add rows to the table; decay pulls them towards what they are now."""
        if len(rows) == 0:
            return
        self._table = torch.cat([self._table, *self.compute.tensors(rows)])
        self._decay_target = self._decay_target and self._decay_target.append(rows)
        self._unique_ids = _UniqueIds(len(self._table))
        self._row_optimizer.resize(len(self._table))

    def snapshot(self) -> tuple[Tensor, dict[str, Tensor]]:
        """Copy what is trained, for :meth:`revert`."""
        state = self.module.state_dict()
        return self._table.clone(), {name: weight.clone() for name, weight in state.items()}

    def revert(self, snapshot: tuple[Tensor, dict[str, Tensor]]) -> None:
        """Restore a snapshot; rows added since then stay as they are."""
        table, state = snapshot
        self._table[: len(table)] = table
        self.module.load_state_dict(state)

    def optimizer_state(self) -> dict[str, OptimizerState]:
        """Return the state of the optimizers, to continue from later."""
        return {"rows": self._row_optimizer.arrays(), "weights": self._weight_optimizer.arrays()}

    def restore_optimizer(self, state: dict[str, OptimizerState]) -> None:
        """Continue from what :meth:`optimizer_state` returned."""
        self._row_optimizer.restore(state["rows"])
        self._row_optimizer.resize(len(self._table))
        self._weight_optimizer.restore(state["weights"])

    def _apply_word_dropout(self, sentences: TokenIds) -> TokenIds:
        if not self.settings.word_dropout:
            return sentences
        keep = self._rng.random(len(sentences.ids)) >= self.settings.word_dropout
        offsets = np.append(0, np.cumsum(keep))[sentences.offsets]
        # A sentence that would lose every word keeps all of them: a vector of zeros has no
        # gradient and would be the same for every such sentence.
        keep |= np.repeat(np.diff(offsets) == 0, sentences.lengths)
        offsets = np.append(0, np.cumsum(keep))[sentences.offsets]
        return TokenIds(sentences.ids[keep], offsets, sentences.unknown)

    def _dropout_mask(self, values: Tensor) -> Tensor | None:
        """Draw the factors of dropout: zero, or 1 / (1 - rate)."""
        rate = self.settings.dropout
        if not rate:
            return None
        # Drawn by NumPy, so that torch's global generator is left alone and every device gets the
        # same mask.
        uniform = self._rng.random(tuple(values.shape), dtype=np.float32)
        return self.compute.tensors((uniform >= rate).astype(np.float32) / (1 - rate))[0]

    def _add_decay(self, rows: Tensor, values: Tensor, gradients: list[Tensor]) -> float:
        """Add the gradients of both decays; return their part of the loss."""
        loss = 0.0
        rate, train_words = self.settings.word_decay, self.settings.train_words
        if rate and train_words:
            difference = values
            if self._decay_target is not None:
                (target,) = self.compute.tensors(self._decay_target.take(rows.cpu().numpy()))
                difference = values - target
            loss += rate * _squared_norm(difference)
            gradients[0] = gradients[0].add_(difference, alpha=2 * rate)
        rate = self.settings.network_decay
        if rate:
            for i, (weight, weight_target) in enumerate(
                zip(self._weights, self._weight_targets, strict=True), train_words
            ):
                difference = weight.detach()
                if weight_target is not None:
                    difference = difference - weight_target
                loss += rate * _squared_norm(difference)
                gradients[i] = gradients[i].add(difference, alpha=2 * rate)
        return loss

    def _clip(self, gradients: list[Tensor]) -> None:
        """Scale the gradients so that their joint norm is at most ``gradient_clip``."""
        limit = self.settings.optimizer.gradient_clip
        if limit is None or not gradients:
            return
        start = torch.zeros((), device=self.compute.device)
        norm = torch.sqrt(sum((g.square().sum() for g in gradients), start))
        if float(norm) > limit:
            for gradient in gradients:
                gradient.mul_(limit / norm)


class _UniqueIds:
    """Unique values of an array of small integers; unlike ``np.unique`` it does not sort."""

    def __init__(self, n_values: int) -> None:
        self._position = np.empty(n_values, dtype=np.int64)

    def __call__(self, ids: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the unique ids and, for each id, its position among them."""
        positions = np.arange(len(ids))
        self._position[ids] = positions
        # Of equal ids the last assignment wins, so exactly one of each finds its own position.
        unique = ids[self._position[ids] == positions].astype(np.int64)
        self._position[unique] = positions[: len(unique)]
        return unique, self._position[ids]


def _squared_norm(values: Tensor) -> float:
    flat = values.reshape(-1)
    return float(torch.dot(flat, flat))
