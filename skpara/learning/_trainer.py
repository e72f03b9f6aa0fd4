"""One training step: rows of a table and weights of a network, moved against a gradient."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from skpara._core import Ragged
from skpara._public import set_module
from skpara._typing import Attributes, Ints, Oov, Vectors, Weights
from skpara.learning import _processes
from skpara.learning._arrays import (
    Array,
    append_rows,
    read_rows,
    row_blocks,
    squared_norm,
    to_numpy,
)
from skpara.learning._averages import mean_gradient, means
from skpara.learning._device import Compute
from skpara.learning._lexicon import NewRows
from skpara.learning._optimizers import make_optimizer
from skpara.learning._parameters import AdaGrad, Device, Optimizer

if TYPE_CHECKING:
    from torch import Tensor

    from skpara.learning._gradients import LossFunction
    from skpara.networks import SentenceModule


@set_module("skpara.learning")
@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a :class:`Session`.

    Parameters
    ----------
    optimizer : Optimizer, optional
        An :class:`AdaDelta`, :class:`AdaGrad` (by default) or :class:`Adam`.
    word_decay : float, default=0.0
        Weight of the squared distance to the initial vectors.
    network_decay : float, default=0.0
        Weight of the squared norm of the network's weights.
    dropout : bool, default=True
        Whether the dropout rates of the network apply.
    train_words : bool, default=True
        Whether word vectors are trained.
    oov : {"subword", "rare", "zero"}, default="subword"
        Vectors of unknown words; see :meth:`skpara.WordVectors.lookup`.
    max_length : int, default=None
        Number of tokens of a sentence that are read; None is all.
    device : str or Device, default="auto"
        Device of torch.
    """

    optimizer: Optimizer = field(default_factory=AdaGrad)
    word_decay: float = 0.0
    network_decay: float = 0.0
    dropout: bool = True
    train_words: bool = True
    oov: Oov = "subword"
    max_length: int | None = None
    device: str | Device = "auto"


class Trainer:
    """The table and the module, and the optimizers that move them.

    On the CPU both are updated in place. Word decay pulls rows towards their ``targets``; network
    decay pulls weights towards ``weight_targets``, the others towards zero or, if they are
    ``module.identity_parameters``, the identity. Without a ``module`` the network is the average,
    with some ``redundancy``, and neither encoding nor losses that compute their own gradients need
    torch.

    Where several processes train together, each has all of it and computes its shard of every
    batch; gradients are summed over the processes, so that all make the same step.
    """

    def __init__(
        self,
        start: NewRows,
        module: SentenceModule | None,
        weight_targets: Weights,
        settings: TrainingSettings,
        rng: Generator,
        compute: Compute,
        dropout: float = 0.0,
        word_dropout: float = 0.0,
        redundancy: float = 0.0,
    ) -> None:
        self.settings = settings
        self.compute = compute
        self._rng = rng
        self._dropout = dropout
        self._word_dropout = word_dropout
        self._redundancy = redundancy
        self._table = self._as_array(np.array(start.rows))  # a copy, which steps move
        self._targets = self._as_array(start.targets)
        self._module = module
        self._averages = module is None
        self._weights: list[Tensor] = []
        self._weight_targets: list[Tensor | None] = []
        if module is not None:
            if _processes.is_forked():
                raise RuntimeError(
                    "This process was forked from one that has computed with torch, so training "
                    "would never end. Start processes by multiprocessing.get_context('spawn')."
                )
            self._module = module.to(self.compute.device)
            self._weights = list(module.parameters())
            names = [name for name, _ in module.named_parameters()]
            self._weight_targets = [self._weight_target(name, weight_targets) for name in names]
        self._positions = np.empty(len(self._table), dtype=np.int64)  # of ids in a batch
        self.row_optimizer = make_optimizer(settings.optimizer, self._table)
        # Views: a step moves the weights themselves.
        self._weight_tables = [w.detach().view(len(w), -1) for w in self._weights]
        self._weight_optimizers = [
            make_optimizer(settings.optimizer, table) for table in self._weight_tables
        ]
        self._synchronized = False

    def _as_array(self, array: NDArray[Any]) -> Array:
        """Return an array for computing on the device: on the CPU it is NumPy's."""
        return array if self.compute.device == "cpu" else self.compute.tensors(array)[0]

    @property
    def module(self) -> SentenceModule:
        """The torch module; for the average it is made when a loss needs it."""
        if self._module is None:
            from skpara.networks import Average

            network = Average(redundancy=self._redundancy)
            module = network.build(self._table.shape[1], self._rng)  # draws nothing
            self._module = module.to(self.compute.device)
        return self._module

    def _weight_target(self, name: str, targets: Weights) -> Tensor | None:
        import torch

        if name in targets:
            return self.compute.tensors(targets[name])[0]
        if name in self.module.identity_parameters:
            n_dims = self.module.get_parameter(name).shape[0]
            return torch.eye(n_dims, device=self.compute.device)
        return None

    @property
    def table(self) -> Vectors:
        """The current rows."""
        return to_numpy(self._table)

    @property
    def weights(self) -> Weights:
        """A copy of the network's current weights."""
        if self._averages:
            return {}
        state = self.module.state_dict()
        return {name: np.array(weight.cpu().numpy()) for name, weight in state.items()}

    def step(self, sentences: Ragged, loss_function: LossFunction) -> float:
        """Make one step against the gradient of ``loss_function(vectors of the sentences)``."""
        self._synchronize(sentences)
        sentences = self._apply_word_dropout(sentences)
        unique, local = unique_ids(sentences.ids, self._positions)
        batch = sentences.with_ids(local.astype(np.int32))
        rows = self._as_array(unique)
        values = read_rows(self._table, rows)
        mask = self._dropout_mask(values)
        inputs = values if mask is None else values * mask
        loss, gradients = self._loss_and_gradients(inputs, batch, loss_function)
        train_words = self.settings.train_words
        if train_words and mask is not None:
            gradients[0] = gradients[0] * mask
        decay = self._add_decay(rows, gradients)
        self._clip(gradients)
        if train_words:
            of_rows, *gradients = gradients
            self.row_optimizer.step(self._table, rows, of_rows)
        parts = zip(self._weight_optimizers, self._weight_tables, gradients, strict=True)
        for optimizer, table, gradient in parts:
            optimizer.step(table, slice(None), gradient.reshape(table.shape))
        return float(loss) + float(decay)  # last, because it waits for a GPU

    def _loss_and_gradients(
        self, inputs: Array, batch: Ragged, loss_function: LossFunction
    ) -> tuple[Any, list[Array]]:
        """Return the loss and its gradients by rows, if they are trained, and by weights."""
        if self._in_numpy() and hasattr(loss_function, "gradient"):
            value, gradient = mean_gradient(
                inputs, batch, loss_function.gradient, self._redundancy
            )
            return value, [gradient]
        from skpara.learning._gradients import loss_and_gradients

        train_words = self.settings.train_words
        is_array = isinstance(inputs, np.ndarray)
        (tensor,) = self.compute.tensors(inputs) if is_array else (inputs,)
        tensor.requires_grad_(train_words)
        loss, gradients = loss_and_gradients(
            self.module, self.compute, tensor, batch, loss_function
        )
        if train_words and is_array:
            return loss, [gradients[0].numpy(), *gradients[1:]]
        return loss, list(gradients)

    def _in_numpy(self) -> bool:
        """Return whether the network is the average, and trained by this process alone."""
        return (
            self._averages
            and self.compute == Compute()
            and self.settings.train_words
            and _processes.n_processes() == 1
        )

    def _synchronize(self, sentences: Ragged) -> None:
        """Before the first step, make all processes start from the same weights."""
        if not self._synchronized and _processes.n_processes() > 1:
            _processes.check_identical(sentences, self._rng, self.compute.device)
            _processes.broadcast(*(weight.detach() for weight in self._weights))
        self._synchronized = True

    def encode(self, sentences: Ragged, extra: Vectors | None = None) -> Array:
        """Encode sentences with the current state, shape (n_sentences, n_dims_out).

        ``extra`` are rows of words that the table does not have: id ``n_rows + k`` is row ``k``.
        The vectors are an ndarray where :meth:`_in_numpy`, else a tensor.
        """
        if self._in_numpy():
            table = self._table if extra is None else np.concatenate([self._table, extra])
            return means(table, sentences, self._redundancy)
        from skpara.learning._batches import encode

        module = self.module.sentence_module
        compute = self.compute
        return encode(module, self._table, extra, sentences, compute, compute.device)

    def outputs(self, sentences: Ragged, extra: Vectors | None = None) -> Tensor:
        """Compute the outputs of a network with a head, shape (n_samples, n_outputs), on the CPU.

        The parameters equal :meth:`encode`'s.
        """
        from skpara.learning._batches import apply_head

        return apply_head(self.module, self.encode(sentences, extra), self.compute.device)

    def grow(self, new: NewRows) -> None:
        """Add rows to the table."""
        if len(new.rows) == 0:
            return
        self._table = append_rows(self._table, new.rows)
        self._targets = append_rows(self._targets, new.targets)
        self._positions = np.empty(len(self._table), dtype=np.int64)
        self.row_optimizer.resize(len(self._table))

    def is_finite(self) -> bool:
        """Return whether all rows and weights are finite numbers."""
        # A NaN is both minimum and maximum. np.isfinite would need a mask of the table's size.
        weights = [weight.detach() for weight in self._weights]
        arrays = [array for array in (self._table, *weights) if 0 not in array.shape]
        return all(math.isfinite(array.min()) and math.isfinite(array.max()) for array in arrays)

    def snapshot(self) -> tuple[Vectors, Weights]:
        """Copy what is trained, for :meth:`revert`."""
        return np.array(self.table), self.weights

    def revert(self, snapshot: tuple[Vectors, Weights]) -> None:
        """Restore a snapshot; rows added since then stay as they are."""
        table, weights = snapshot
        self._table[: len(table)] = self._as_array(table)
        if weights:
            names = weights.keys()
            arrays = self.compute.tensors(*weights.values())
            self.module.load_state_dict(dict(zip(names, arrays, strict=True)))

    def optimizer_state(self) -> Attributes:
        """Return the state of the optimizers, to continue from later."""
        of_weights = [optimizer.arrays() for optimizer in self._weight_optimizers]
        return {"rows": self.row_optimizer.arrays(), "weights": of_weights}

    def restore_optimizer(self, state: Attributes) -> None:
        """Continue from what :meth:`optimizer_state` returned."""
        self.row_optimizer.restore(state["rows"])
        self.row_optimizer.resize(len(self._table))
        for optimizer, arrays in zip(self._weight_optimizers, state["weights"], strict=True):
            optimizer.restore(arrays)

    def _apply_word_dropout(self, sentences: Ragged) -> Ragged:
        if not self._word_dropout:
            return sentences
        keep = self._rng.random(len(sentences.ids)) >= self._word_dropout
        # A sentence that would lose every word keeps all of them: a vector of zeros has no
        # gradient and would be the same for every such sentence.
        loses_all = sentences.where(keep).lengths == 0
        return sentences.where(keep | loses_all[sentences.owners])

    def _dropout_mask(self, values: Array) -> Array | None:
        """Draw the factors of dropout: zero, or 1 / (1 - rate)."""
        rate = self._dropout
        if not rate:
            return None
        # Drawn by NumPy, so that torch's global generator is left alone and every device gets the
        # same mask.
        uniform = self._rng.random(tuple(values.shape), dtype=np.float32)
        return self._as_array((uniform >= rate).astype(np.float32) / np.float32(1 - rate))

    def _add_decay(self, rows: Array, gradients: list[Array]) -> Any:
        """Add the gradients of both decays; return their part of the loss, a float or a tensor."""
        loss: Any = 0.0
        rate = self.settings.word_decay
        train_words = self.settings.train_words
        if rate and train_words:
            for block in row_blocks(rows):
                difference = read_rows(self._table, rows[block])
                difference -= read_rows(self._targets, rows[block])
                loss += rate * squared_norm(difference)
                difference *= 2 * rate
                gradients[0][block] += difference
        rate = self.settings.network_decay
        if rate:
            for i, (weight, weight_target) in enumerate(
                zip(self._weights, self._weight_targets, strict=True), train_words
            ):
                difference = weight.detach()
                if weight_target is not None:
                    difference = difference - weight_target
                loss += rate * squared_norm(difference)
                gradients[i] = gradients[i].add(difference, alpha=2 * rate)
        return loss

    def _clip(self, gradients: list[Array]) -> None:
        """Scale the gradients so that their joint norm is at most ``gradient_clip``."""
        limit = self.settings.optimizer.gradient_clip
        if limit is None:
            return
        squared: Any = sum((squared_norm(gradient) for gradient in gradients), 0.0)
        if not isinstance(squared, float):  # on a GPU: scaling by 1 is faster than asking it
            factor = (limit / squared.sqrt()).clamp(max=1)
        elif (norm := float(np.sqrt(squared))) > limit:
            factor = limit / norm
        else:
            return
        for gradient in gradients:
            gradient *= factor


def unique_ids(ids: NDArray[np.integer], positions: Ints) -> tuple[Ints, Ints]:
    """Return the unique ids and, for each id, its position among them; nothing is sorted.

    ``positions`` has room for a number of each possible id.
    """
    places = np.arange(len(ids))
    positions[ids] = places
    # Of equal ids the last assignment wins, so exactly one of each finds its own place.
    unique = ids[positions[ids] == places].astype(np.int64)
    positions[unique] = places[: len(unique)]
    return unique, positions[ids]
