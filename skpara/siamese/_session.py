"""Training of a siamese regressor: where it starts, what it is pulled to, how it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.learning._lexicon import WordLexicon
from skpara.learning._score_loss import pair_blocks, pair_outputs
from skpara.learning._session import Learned, anchor_of, load_weights, sides, step_settings
from skpara.learning._state import learned_by
from skpara.learning._trainer import Trainer
from skpara.networks import as_network
from skpara.resources import WordVectors

if TYPE_CHECKING:
    from skpara.siamese._regressor import SiameseRegressor

_Pairs = NDArray[np.object_]
_ENCODER = "encoder."  # what the names of a sentence network's weights begin with here


class Session:
    """What is trained, and what it is trained on."""

    def __init__(
        self, regressor: SiameseRegressor, pairs: _Pairs, rng: np.random.Generator
    ) -> None:
        inner = as_network(regressor._network())
        if inner.units != "words":
            raise ValueError(f"network must read words; {inner!r} reads {inner.units}.")
        self.loss = regressor._loss()
        self._max_length, self._blocks = regressor.max_length, pair_blocks()
        init, towards = (
            None if other is None else learned_by(other, name)
            for name, other in (
                ("init", regressor.init),
                ("decay_towards", regressor.decay_towards),
            )
        )
        given = init.vectors if init else None
        source = given
        if source is None:
            source = _scaled(WordVectors.load(regressor.vectors), regressor.vector_norm)
        again = regressor.warm_start and regressor.__sklearn_is_fitted__()
        start: WordVectors = regressor.vectors_ if again else source
        self.lexicon = WordLexicon(start, source, regressor.oov)
        tokens, new = self.lexicon.learn(sides(pairs))
        self.tokens = tokens.cut(self._max_length)
        network = regressor._siamese()
        module = network.build(start.n_dims, rng)
        if again:
            load_weights(module, regressor.weights_, network)
        elif init and init.weights and type(as_network(init.network)) is type(inner):
            load_weights(module.sentence_module, init.weights, inner)
        pulls = {_ENCODER + name: weight for name, weight in (_weights(towards)).items()}
        self.trainer = Trainer(
            np.concatenate([start.matrix, new]),
            module,
            anchor_of(start.words, start.matrix, new, source, towards, regressor.oov),
            pulls,
            replace(step_settings(regressor), train_words=regressor.trainable_vectors),
            rng,
        )
        if again and regressor._optimizer_state is not None:
            self.trainer.restore_optimizer(regressor._optimizer_state)

    def correlation(self, pairs: _Pairs, scores: NDArray[np.float64]) -> float:
        """Pearson's r as things stand."""
        tokens, extra = self.lexicon.look_up(sides(pairs))
        vectors = self.trainer.encode(tokens.cut(self._max_length), extra)
        device = self.trainer.settings.device
        outputs = pair_outputs(self.trainer.module, vectors, device, self._blocks)
        found = self.loss.scores(outputs)
        if np.ptp(found) == 0 or np.ptp(scores) == 0:
            return -1.0
        return float(np.corrcoef(found, scores)[0, 1])


def _scaled(vectors: WordVectors, norm: float | None) -> WordVectors:
    """With ``norm`` as mean length."""
    mean = float(np.linalg.norm(vectors.matrix, axis=1).mean()) if len(vectors) else 0.0
    if norm is None or mean == 0.0:
        return vectors
    return WordVectors(vectors.vocabulary, vectors.matrix * np.float32(norm / mean))


def _weights(learned: Learned | None) -> dict[str, NDArray[np.float32]]:
    return learned.weights if learned else {}
