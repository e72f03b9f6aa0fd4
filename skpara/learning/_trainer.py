"""One step of training: rows of a table and weights of a network, down a loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor

from skpara.learning import _processes
from skpara.learning._compute import Compute
from skpara.learning._encoding import encode, sentence_blocks
from skpara.learning._gradients import Gradients, Objective
from skpara.learning._optimizers import WeightOptimizer, make_optimizer
from skpara.learning._rows import Anchor, Distinct, tensors
from skpara.networks import SentenceModule
from skpara.text import TokenIds


@dataclass(frozen=True)
class StepSettings:
    """How a step is made; the fields are parameters of ``ParagramEncoder``."""

    optimizer: str = "adadelta"
    learning_rate: float | None = None
    word_decay: float = 0.0
    network_decay: float = 0.0
    dropout: float = 0.0
    word_dropout: float = 0.0
    gradient_clip: float | None = None
    train_words: bool = True
    device: str = "cpu"
    precision: str = "float32"
    compile: bool = False


class Trainer:
    """What moves while training, and the optimisers that move it.

    Where several processes train together, each has all of it, and learns from its share of every
    batch; the gradients are added up, so that all make the same step.

    Parameters
    ----------
    table : ndarray of shape (n_rows, n_dims), float32
        Word vectors; moved in place where the device is the CPU.
    module : SentenceModule
        The network; its weights are moved in place.
    anchor : Anchor or None
        What word decay pulls the rows towards; None is zero.
    weight_anchor : dict of str to ndarray
        What network decay pulls weights towards; those not named are pulled towards zero, or
        towards the identity where the module says so.
    settings : StepSettings
    rng : numpy Generator
        Draws dropout.
    """

    def __init__(
        self,
        table: NDArray[np.float32],
        module: SentenceModule,
        anchor: Anchor | None,
        weight_anchor: dict[str, NDArray[np.float32]],
        settings: StepSettings,
        rng: Generator,
    ) -> None:
        self.settings, self._rng, self._anchor = settings, rng, anchor
        (self._table,) = tensors(settings.device, table)
        self._compute = Compute(settings.device, settings.precision, settings.compile)
        self.module = self._compute.ready(module)
        self._names = [name for name, _ in module.named_parameters()]
        self._weights = list(module.parameters())
        self._pulls = [self._pull(name, weight_anchor) for name in self._names]
        self._distinct = Distinct(len(table))
        self._rows = make_optimizer(settings.optimizer, self._table, settings.learning_rate)
        self._others = WeightOptimizer(settings.optimizer, self._weights, settings.learning_rate)
        self._gradients = Gradients(self.module, self._compute, rng)
        self._blocks = sentence_blocks()
        self._first_step = True
        _processes.warn_if_alone()

    def _pull(self, name: str, anchors: dict[str, NDArray[np.float32]]) -> Tensor | None:
        if name in anchors:
            return tensors(self.settings.device, anchors[name])[0]
        if name in self.module.identity_parameters:
            n_dims = self.module.get_parameter(name).shape[0]
            return torch.eye(n_dims, device=self.settings.device)
        return None

    @property
    def table(self) -> NDArray[np.float32]:
        """The rows as they stand."""
        return self._table.cpu().numpy()

    @property
    def weights(self) -> dict[str, NDArray[np.float32]]:
        """A copy of the network's weights as they stand."""
        state = self.module.state_dict()
        return {name: np.array(weight.cpu().numpy()) for name, weight in state.items()}

    def fit_row_rate(self) -> None:
        """Let rows that hold large numbers move faster: a sixth of their root mean square."""
        if len(self._table):
            size = float(self._table.square().mean().sqrt())
            self._rows.learning_rate = max(self._rows.learning_rate, size / 6)

    def step(self, sentences: TokenIds, objective: Objective) -> float:
        """Move down the gradient of ``objective(vectors of the sentences)``.

        Returns
        -------
        float
            The loss before the step, decay included.
        """
        if self._first_step:
            self._meet_others(sentences)
        sentences = self._thinned(sentences)
        used, local = self._distinct(sentences.ids)
        batch = TokenIds(local.astype(np.int32), sentences.offsets, [])
        (rows,) = tensors(self.settings.device, used)
        values = self._table.index_select(0, rows)
        kept = self._kept(values)
        moves = self.settings.train_words
        inputs = (values if kept is None else values * kept).requires_grad_(moves)
        loss, gradients = self._gradients(inputs, batch, objective)
        values = values.detach()
        if moves and kept is not None:
            gradients[0] = gradients[0] * kept
        loss += self._decay(rows, values, gradients)
        self._clip(gradients)
        if moves:
            self._rows.step(self._table, rows, gradients[0], values)
        self._others.step(gradients[moves:])
        return loss

    def _meet_others(self, sentences: TokenIds) -> None:
        """Begin alike in all processes."""
        self._first_step = False
        if _processes.n_processes() > 1:
            _processes.check_alike(sentences, self._rng, self.settings.device)
            _processes.take_from_first(*(weight.detach() for weight in self._weights))

    def encode(self, sentences: TokenIds, extra: NDArray[np.float32] | None = None) -> Tensor:
        """Vectors of sentences as things stand, shape (n_sentences, n_dims_out).

        ``extra`` are rows of words that the table does not hold: id ``n_rows + k`` is row ``k``.
        """
        n_rows = len(self._table)

        def take(ids: NDArray[np.int64]) -> Tensor:
            (known,) = tensors(self.settings.device, ids[ids < n_rows])
            rows = self._table.index_select(0, known)
            if extra is None:
                return rows
            return torch.cat(
                [rows, *tensors(self.settings.device, extra[ids[ids >= n_rows] - n_rows])]
            )

        device = self.settings.device
        return encode(
            self.module.sentence_module, take, sentences, self._compute, self._blocks, to=device
        )

    def grow(self, rows: NDArray[np.float32], anchor: NDArray[np.float32]) -> None:
        """Add rows to the table; decay pulls them to ``anchor``, where there are anchors."""
        if len(rows) == 0:
            return
        self._table = torch.cat([self._table, *tensors(self.settings.device, rows)])
        self._anchor = self._anchor and self._anchor.then(anchor)
        self._distinct = Distinct(len(self._table))
        self._rows.resize(len(self._table))

    def snapshot(self) -> tuple[Tensor, dict[str, Tensor]]:
        """A copy of what moves, for :meth:`revert`."""
        state = self.module.state_dict()
        return self._table.clone(), {name: weight.clone() for name, weight in state.items()}

    def revert(self, snapshot: tuple[Tensor, dict[str, Tensor]]) -> None:
        """Put back what :meth:`snapshot` gave; rows added since stay as they are."""
        table, state = snapshot
        self._table[: len(table)] = table
        self.module.load_state_dict(state)

    def optimizer_arrays(self) -> dict[str, dict[str, NDArray[np.generic]]]:
        """The optimisers' state, to go on from later."""
        return {"rows": self._rows.arrays(), "weights": self._others.arrays()}

    def restore_optimizer(self, arrays: dict[str, dict[str, NDArray[np.generic]]]) -> None:
        """Go on from the state that :meth:`optimizer_arrays` gave."""
        self._rows.restore(arrays["rows"])
        self._rows.resize(len(self._table))
        self._others.restore(arrays["weights"])

    def _thinned(self, sentences: TokenIds) -> TokenIds:
        """Without the words that word dropout takes out."""
        if not self.settings.word_dropout:
            return sentences
        kept = self._rng.random(len(sentences.ids)) >= self.settings.word_dropout
        offsets = np.append(0, np.cumsum(kept))[sentences.offsets]
        # A sentence that would be left empty keeps all its words: zeros have nothing to learn.
        bare = np.repeat(np.diff(offsets) == 0, sentences.lengths)
        kept |= bare
        offsets = np.append(0, np.cumsum(kept))[sentences.offsets]
        return TokenIds(sentences.ids[kept], offsets, sentences.unknown)

    def _kept(self, values: Tensor) -> Tensor | None:
        """What dropout multiplies units of words by: zero, or a little more than one."""
        rate = self.settings.dropout
        if not rate:
            return None
        drawn = self._rng.random(tuple(values.shape), dtype=np.float32)
        return tensors(self.settings.device, (drawn >= rate).astype(np.float32) / (1 - rate))[0]

    def _decay(self, rows: Tensor, values: Tensor, gradients: list[Tensor]) -> float:
        """Add decay's gradients; what it adds to the loss is returned."""
        added = 0.0
        rate, moves = self.settings.word_decay, self.settings.train_words
        if rate and moves:
            away = values
            if self._anchor is not None:
                (anchor,) = tensors(self.settings.device, self._anchor.take(rows.cpu().numpy()))
                away = values - anchor
            added += rate * _squared_norm(away)
            gradients[0] = gradients[0].add_(away, alpha=2 * rate)
        rate = self.settings.network_decay
        if rate:
            for i, (weight, pull) in enumerate(
                zip(self._weights, self._pulls, strict=True), moves
            ):
                away = weight.detach() if pull is None else weight.detach() - pull
                added += rate * _squared_norm(away)
                gradients[i] = gradients[i].add(away, alpha=2 * rate)
        return added

    def _clip(self, gradients: list[Tensor]) -> None:
        """Scale the gradients so that their joint norm is at most ``gradient_clip``."""
        limit = self.settings.gradient_clip
        if limit is None:
            return
        norm = torch.sqrt(sum((g.square().sum() for g in gradients), torch.zeros(())))
        if float(norm) > limit:
            for gradient in gradients:
                gradient.mul_(limit / norm)


def _squared_norm(values: Tensor) -> float:
    flat = values.reshape(-1)
    return float(torch.dot(flat, flat))
