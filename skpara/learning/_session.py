"""One run of training: text, a table of vectors, a module, and the trainer that updates both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.random import Generator
from sklearn import get_config
from sklearn.utils import check_random_state

from skpara._public import set_module
from skpara._typing import Oov, Pairs, ValidationSet, Vectors
from skpara.learning._arrays import to_numpy
from skpara.learning._device import Compute
from skpara.learning._lexicon import make_lexicon
from skpara.learning._loop import (
    LOWER_RATE,
    Callback,
    EarlyStopping,
    ProgressBar,
    Steps,
    run_epochs,
)
from skpara.learning._objective import Objective
from skpara.learning._optimizers import OptimizerState
from skpara.learning._parameters import Device, as_optimizer
from skpara.learning._processes import is_main_process, n_processes
from skpara.learning._state import EncoderState, StartingPoint, load_weights, resolve_start
from skpara.learning._trainer import StepSettings, Trainer
from skpara.networks import Network
from skpara.text import TokenIds


@set_module("skpara.learning")
class Session:
    """One run of training: text, a table of vectors, a module, and the trainer that updates both.

    :meth:`of` makes one from the parameters of an estimator. ``sentences`` are what is learned
    from. Training starts at ``start``, where unknown words get their vectors too, or continues
    from ``state``, ``optimizer_state`` and ``history`` of an earlier session.

    Attributes
    ----------
    history : list of dict
        An entry for each epoch.
    stop_training : bool
        Set it to stop after the current epoch.
    best_score : float or None
        Validation score of the state that was kept.
    tokens : TokenIds
        The sentences.
    trainer : Trainer
        Its ``step(batch, loss_function)`` makes a step.
    rng : numpy.random.Generator
        Draws weights, order, negatives and dropout.
    """

    def __init__(
        self,
        network: Network,
        start: StartingPoint,
        sentences: Sequence[str],
        settings: StepSettings,
        rng: Generator,
        *,
        oov: Oov = "subword",
        max_length: int | None = None,
        state: EncoderState | None = None,
        optimizer_state: dict[str, OptimizerState] | None = None,
        history: Sequence[dict[str, Any]] = (),
    ) -> None:
        self.history = list(history)
        self.stop_training = False
        self.best_score: float | None = None
        self.rng, self._max_length = rng, max_length
        self._distinct_words = network.distinct_words
        state = state or start.state
        source = start.state.vectors if network.units == "words" else None
        target = start.decay_target
        self._lexicon = make_lexicon(
            network, state.vectors, source, None if target is None else target.vectors, oov, rng
        )
        n_known = 0 if state.vectors is None else len(state.vectors)
        # States of earlier versions have a row for each word of the table.
        rows = {} if optimizer_state is None else optimizer_state["rows"]
        ids = rows.get("ids", np.arange(n_known if rows else 0))
        new = self._lexicon.start(np.asarray(ids))
        n_dims = new.rows.shape[1]
        if network.units != "words" and n_dims != network.n_dims:
            raise ValueError(
                f"The vectors to start from have {n_dims} dimensions, the network's n_dims is "
                f"{network.n_dims}; make them equal."
            )
        module, weight_targets = None, {}
        if network.averages:
            if not get_config()["skip_parameter_validation"]:
                network._validate_params()
        else:
            module = network.build(n_dims, rng)
            load_weights(module, state.weights, network)
            # Targets are named as the weights of the part that encodes sentences.
            names = {id(weight): name for name, weight in module.named_parameters()}
            weight_targets = {
                names[id(weight)]: target.weights[name]
                for name, weight in module.sentence_module.named_parameters()
                if target is not None and name in target.weights
            }
        self.trainer = Trainer(new, module, weight_targets, settings, rng)
        if optimizer_state is not None:
            self.trainer.restore_optimizer(optimizer_state)
        self.tokens = self.tokenize(sentences)

    @classmethod
    def of(
        cls,
        estimator: Any,
        network: Network,
        sentences: Sequence[str],
        *,
        taught: EncoderState | None = None,
        start_defaults: Mapping[str, Any] = MappingProxyType({}),
        settings: Mapping[str, Any] = MappingProxyType({}),
        **options: Any,
    ) -> Session:
        """Set up training as the parameters of an estimator say.

        These are ``vectors``, ``optimizer``, ``learning_rate``, ``word_decay``, ``network_decay``,
        ``device`` and ``random_state``. ``taught`` replaces ``vectors`` as the start and the decay
        target. ``start_defaults`` are fields of :class:`Start` where ``vectors`` is a plain value;
        ``settings`` replace the estimator's own of a step.
        """
        start = resolve_start(estimator.vectors, network, **start_defaults)
        if taught is not None:
            start = start._replace(decay_target=start.decay_target or taught)
            options["state"] = options.get("state") or taught
        parameters = {
            "optimizer": as_optimizer(estimator.optimizer),
            "learning_rate": estimator.learning_rate,
            "word_decay": estimator.word_decay,
            "network_decay": estimator.network_decay,
            "dropout": network.dropout,
            "word_dropout": network.word_dropout,
            "compute": _compute(network, estimator.device),
        }
        seed = check_random_state(estimator.random_state).randint(2**31)
        # Epochs of earlier sessions must not be repeated with the same random numbers.
        n_epochs = len(options.get("history", ()))
        rng = np.random.default_rng([seed, n_epochs] if n_epochs else seed)
        step_settings = StepSettings(**(parameters | dict(settings)))
        return cls(network, start, sentences, step_settings, rng, **options)

    def fit(
        self,
        objective: Objective,
        n_epochs: int,
        *,
        chunks: Callable[[], Iterable[Pairs]] | None = None,
        validation: ValidationSet | None = None,
        patience: int = 1,
        callbacks: Sequence[Callback] = (),
        verbose: int = 0,
    ) -> list[dict[str, Any]]:
        """Train with an objective until ``history`` has ``n_epochs`` entries; return it.

        ``chunks``, called once an epoch, returns chunks of pairs to learn from in place of the
        session's own sentences. The objective scores ``validation`` after each epoch: training
        stops after ``patience`` epochs without a better score, and the best state is kept.
        """
        n_samples = None
        if chunks is None:
            n_samples = (n_epochs - len(self.history)) * objective.n_samples(self.tokens)

        def steps() -> Steps:
            if chunks is None:
                yield from objective.epoch(self, self.tokens)
                return
            for pairs in chunks():
                yield from objective.epoch(self, self.tokenize(pairs.T.ravel().tolist()))

        # Scores come first, so that the others see them; the progress bar shows what is final.
        hooks: list[Callback] = []
        if validation is not None:
            score = partial(objective.score, self, *validation)
            hooks.append(EarlyStopping(score, patience))
        hooks += callbacks
        if verbose and is_main_process():
            hooks.append(ProgressBar(n_samples, objective.unit))
        n_before = len(self.history)
        run_epochs(self, steps, n_epochs, hooks)
        # A last step that goes wrong has no later loss that would show it.
        if not self.trainer.is_finite():
            raise ValueError(f"Training diverged: weights became infinite or NaN. {LOWER_RATE}")
        if len(self.history) > n_before:
            objective.on_train_end(self)
        return self.history

    def tokenize(self, sentences: Sequence[str]) -> TokenIds:
        """Convert more sentences to ids; the table grows by rows for their new words."""
        tokens, new = self._lexicon.extend(sentences)
        self.trainer.grow(new)
        return self._select(tokens)

    def lookup(self, sentences: Sequence[str]) -> tuple[TokenIds, Vectors]:
        """Convert sentences to ids, and rows for ids beyond the table, which does not grow."""
        tokens, extra = self._lexicon.lookup(sentences)
        return self._select(tokens), extra

    def _select(self, tokens: TokenIds) -> TokenIds:
        tokens = tokens.cut(self._max_length)
        return tokens.distinct() if self._distinct_words else tokens

    def encode(self, sentences: Sequence[str]) -> Vectors:
        """Encode sentences in the current state, shape (n_sentences, n_dims), on the CPU."""
        return to_numpy(self.trainer.encode(*self.lookup(sentences)))

    def scale_row_learning_rate(self, factor: float) -> None:
        """Use ``factor`` times the vectors' root mean square as learning rate, if it is larger."""
        rate = factor * self._lexicon.rms(self.trainer.table)
        self.trainer.row_learning_rate = max(self.trainer.row_learning_rate, rate)

    def state(self, network: Any) -> EncoderState:
        """Copy the current vectors and weights; ``network`` is what the weights are of."""
        vectors = self._lexicon.vectors(self.trainer.table)
        return EncoderState(vectors, self.trainer.weights, network)

    @property
    def n_processes(self) -> int:
        """The number of processes that share each batch."""
        return n_processes()

    def optimizer_state(self) -> dict[str, OptimizerState]:
        """Copy the state of the optimizers, to continue from later."""
        state = self.trainer.optimizer_state()
        state["rows"]["ids"] = self._lexicon.ids()
        return state


def _compute(network: Network, device: Any) -> Compute:
    """Return where the network is trained."""
    # The average gains nothing on a GPU, and to look for one would import torch.
    is_free = Device.of(device).name in ("auto", "cpu")
    if network.averages and is_free:
        return Compute("cpu", Device.of(device).precision)
    return Compute.of(device)
