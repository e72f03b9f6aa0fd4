"""A run of training: text, a table of vectors, a module, and the trainer that updates both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.utils import check_random_state

from skpara._compatibility import require_torch
from skpara._core import Ragged
from skpara._messages import TrainingInterrupted
from skpara._public import set_module
from skpara._typing import Attributes, Ints, ValidationSet, Vectors
from skpara.learning._arrays import to_numpy
from skpara.learning._device import Compute
from skpara.learning._lexicon import make_lexicon
from skpara.learning._loop import LOWER_RATE, Callback, EarlyStopping, ProgressBar, run_epochs
from skpara.learning._objective import Objective
from skpara.learning._parameters import Device
from skpara.learning._processes import is_main_process, n_processes
from skpara.learning._state import HEAD_PREFIX, FittedState, resolve_start
from skpara.learning._trainer import Trainer, TrainingSettings
from skpara.networks import Network


@set_module("skpara.learning")
class Session:
    """A run of training: text, a table of vectors, a module, and the trainer that updates both.

    Parameters
    ----------
    network : Network
        The network to train, with a head if the objective needs one.
    sentences : sequence of str
        The sentences to learn from; of pairs, all first sentences, then all second ones.
    vectors : object, default="default"
        Initial vectors, an encoder or a :class:`Start`, as for :class:`skpara.ParagramEncoder`.
    settings : TrainingSettings, default=None
        Optimizer, regularization and device; None for the defaults.
    random_state : int, RandomState or None, default=None
        Draws weights, order, negatives and dropout.
    taught : FittedState, default=None
        State to start from instead, which regularization pulls towards.
    state : FittedState, default=None
        State of an earlier session to continue from, with its history and optimizer.

    Attributes
    ----------
    history : list of dict
        An entry for each epoch.
    stop_training : bool
        Set it to stop after the current epoch.
    interrupted : bool
        Whether a ``KeyboardInterrupt`` has ended training; see :meth:`raise_interrupt`.
    best_score : float or None
        Validation score of the state that was kept.
    tokens : Ragged
        The sentences.
    trainer : Trainer
        Its ``step(batch, loss_function)`` makes a step.
    rng : numpy.random.Generator
        Source of all random numbers.
    """

    def __init__(
        self,
        network: Network,
        sentences: Sequence[str],
        *,
        vectors: Any = "default",
        settings: TrainingSettings | None = None,
        random_state: Any = None,
        taught: FittedState | None = None,
        state: FittedState | None = None,
    ) -> None:
        settings = settings or TrainingSettings()
        start, target = resolve_start(vectors, network)
        self.history = [] if state is None else list(state.history)
        self.stop_training = False
        self.interrupted = False
        self.best_score: float | None = None
        seed = check_random_state(random_state).randint(2**31)
        # Epochs of earlier sessions must not be repeated with the same random numbers.
        self.rng = np.random.default_rng([seed, len(self.history)] if self.history else seed)
        encoder = network.sentence_network
        if not get_config()["skip_parameter_validation"]:
            encoder._validate_params()
        self._max_length = settings.max_length
        self._distinct_words = encoder.distinct_words
        optimizer = None if state is None else state.optimizer
        state = state or taught or start
        target = target or taught
        decay_target = None if target is None else target.vectors
        self._lexicon = make_lexicon(
            encoder, state.vectors, start.vectors, decay_target, settings.oov, self.rng
        )
        self.trainer = self._make_trainer(network, settings, state, target, optimizer)
        self.tokens = self._tokenize(sentences)

    def _make_trainer(
        self,
        network: Network,
        settings: TrainingSettings,
        state: FittedState,
        target: FittedState | None,
        optimizer: dict[str, Any] | None,
    ) -> Trainer:
        n_known = 0 if state.vectors is None else len(state.vectors)
        # States of earlier versions have a row for each word of the table.
        ids = [] if optimizer is None else optimizer["rows"].get("ids", np.arange(n_known))
        new = self._lexicon.start(np.array(ids, dtype=np.int64))
        n_dims = new.rows.shape[1]
        encoder: Any = network.sentence_network
        if encoder.units != "words" and n_dims != encoder.n_dims:
            raise ValueError(
                f"The vectors to start from have {n_dims} dimensions, the network's n_dims is "
                f"{encoder.n_dims}; make them equal."
            )
        module = None
        weight_targets = {}
        if not network.averages:
            require_torch()
            module = network.build(n_dims, self.rng)
            if state.weights:
                from skpara.learning._inference import load_weights

                load_weights(module, state.weights, network)
            if target is not None:  # its weights are of the part that encodes sentences
                prefix = "" if module.sentence_module is module else HEAD_PREFIX
                weight_targets = {prefix + name: w for name, w in target.weights.items()}
        compute = _compute(network, settings.device)
        trainer = Trainer(
            new,
            module,
            weight_targets,
            settings,
            self.rng,
            compute,
            dropout=encoder.dropout if settings.dropout else 0.0,
            word_dropout=encoder.word_dropout if settings.dropout else 0.0,
            redundancy=encoder.redundancy,
        )
        if optimizer is not None:
            trainer.restore_optimizer(optimizer)
        return trainer

    def fit(
        self,
        objective: Objective,
        n_epochs: int,
        *,
        validation: ValidationSet | None = None,
        patience: int = 1,
        callbacks: Sequence[Callback] = (),
        verbose: int = 0,
    ) -> list[dict[str, Any]]:
        """Train until ``history`` has ``n_epochs`` entries.

        Parameters
        ----------
        objective : Objective
            Makes the steps of an epoch.
        n_epochs : int
            Epochs to make, including epochs of earlier sessions.
        validation : tuple of (pairs, scores), default=None
            Scored by the objective after each epoch; the best state is kept.
        patience : int, default=1
            Epochs without a better score after which training stops.
        callbacks : sequence of Callback, default=()
            Hooks into training.
        verbose : int, default=0
            1 shows a progress bar.

        Returns
        -------
        list of dict
            The history.
        """
        # Scores come first, so that the others see them; the progress bar shows what is final.
        hooks: list[Callback] = []
        if validation is not None:
            hooks.append(EarlyStopping(partial(objective.score, self, *validation), patience))
        hooks += callbacks if isinstance(callbacks, Sequence) else [callbacks]
        if not all(isinstance(hook, Callback) for hook in hooks):
            raise TypeError(f"callbacks must be a list of Callback, got {callbacks!r:.60}.")
        n_before = len(self.history)
        if verbose and is_main_process():
            n_samples = (n_epochs - n_before) * objective.n_samples(self.tokens)
            hooks.append(ProgressBar(n_samples, objective.unit))
        run_epochs(self, partial(objective.epoch, self, self.tokens), n_epochs, hooks)
        # A last step that goes wrong has no later loss that would show it.
        if not self.trainer.is_finite():
            raise ValueError(f"Training diverged: weights became infinite or NaN. {LOWER_RATE}")
        if len(self.history) > n_before:
            objective.on_train_end(self)
        return self.history

    def raise_interrupt(self, keeper: Any = None) -> None:
        """Raise a ``KeyboardInterrupt`` if one has ended training.

        Parameters
        ----------
        keeper : estimator, default=None
            The estimator that has kept what was learned.
        """
        if self.interrupted:
            kept = "nothing is kept" if keeper is None else "what was learned until then is kept"
            raise TrainingInterrupted(
                f"Training was interrupted after {len(self.history)} complete epoch(s); {kept}.",
                keeper,
            )

    def batches(self, n_samples: int, batch_size: int, *, min_size: int = 1) -> Iterator[Ints]:
        """Yield the row numbers of an epoch's samples, shuffled, batch by batch.

        Parameters
        ----------
        n_samples : int
            Number of samples.
        batch_size : int
            Samples per batch, and per process if several train together.
        min_size : int, default=1
            A last batch with fewer samples joins the one before.

        Yields
        ------
        ndarray of int64
            The row numbers of a batch.
        """
        size = batch_size * n_processes()
        order = self.rng.permutation(n_samples)
        yield from np.split(order, np.arange(size, n_samples - min_size + 1, size))

    def lookup(self, sentences: Sequence[str]) -> tuple[Ragged, Vectors]:
        """Convert sentences to ids, without adding words to the table.

        Parameters
        ----------
        sentences : sequence of str
            The sentences.

        Returns
        -------
        tuple of (Ragged, ndarray)
            The ids, and rows for ids beyond the table.
        """
        tokens, extra = self._lexicon.lookup(sentences)
        return self._select(tokens), extra

    def encode(self, sentences: Sequence[str]) -> Vectors:
        """Encode sentences in the current state.

        Parameters
        ----------
        sentences : sequence of str, shape (n_sentences,)
            The sentences.

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
            Their vectors.
        """
        return to_numpy(self.trainer.encode(*self.lookup(sentences)))

    def scale_row_learning_rate(self, factor: float, *, at_least: float = 0.0) -> None:
        """Scale the learning rate of the vectors, as tables differ in scale.

        Parameters
        ----------
        factor : float
            Learning rate relative to the root mean square of the vectors.
        at_least : float, default=0.0
            Smallest learning rate.
        """
        rate = factor * self._lexicon.rms(self.trainer.table)
        self.trainer.row_optimizer.learning_rate = max(at_least, rate)

    def state(self, network: Any = "average", **fields: Any) -> FittedState:
        """Copy the current state.

        Parameters
        ----------
        network : str or Network, default="average"
            The network that encodes sentences.
        **fields
            More fields of the state: the ``model`` with a head, ``parameters``.

        Returns
        -------
        FittedState
            Vectors, weights and history, without the optimizer's state.
        """
        vectors = self._lexicon.vectors(self.trainer.table)
        fields |= {"history": self.history, "best_score": self.best_score}
        return FittedState(vectors, self.trainer.weights, network, **fields)

    def optimizer_state(self) -> Attributes:
        """Copy the state of the optimizers.

        Returns
        -------
        dict
            The field ``optimizer`` of a state to continue from.
        """
        state = self.trainer.optimizer_state()
        state["rows"]["ids"] = self._lexicon.ids()
        return state

    def _tokenize(self, sentences: Sequence[str]) -> Ragged:
        """Convert sentences to ids; the table grows by rows for their new words."""
        tokens, new = self._lexicon.extend(sentences)
        self.trainer.grow(new)
        return self._select(tokens)

    def _select(self, tokens: Ragged) -> Ragged:
        tokens = tokens.head(self._max_length)
        return tokens.distinct() if self._distinct_words else tokens


def _compute(network: Network, device: Any) -> Compute:
    """Return the device and precision for training a network."""
    # The average gains nothing on a GPU, and to look for one would import torch.
    is_free = Device.of(device).name in ("auto", "cpu")
    if network.averages and is_free:
        return Compute("cpu", Device.of(device).precision)
    return Compute.of(device)
