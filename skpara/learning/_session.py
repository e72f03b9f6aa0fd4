"""Training of an encoder: what it starts from, what it is pulled to, what comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from skpara._typing import Oov
from skpara.learning._device import resolve_device
from skpara.learning._distillation import teacher_pass
from skpara.learning._lexicon import Lexicon, NgramLexicon, WordLexicon
from skpara.learning._loop import Pass, Stopping, run_passes
from skpara.learning._margin import MarginSettings, margin_pass, margin_score
from skpara.learning._rows import Anchor
from skpara.learning._trainer import StepSettings, Trainer
from skpara.networks import Charagram, Network, SentenceModule
from skpara.resources import WordVectors
from skpara.text import TokenIds

Pairs = NDArray[np.object_]


@dataclass(frozen=True)
class Learned:
    """What an encoder knows.

    Attributes
    ----------
    vectors : WordVectors or None
        None where there are none to start from (character n-grams).
    weights : dict of str to ndarray
        Of the network; empty for the average.
    optimizer : dict or None
        State of the optimisers, to go on with.
    network : str or Network
        What the weights are of.
    """

    vectors: WordVectors | None
    weights: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    optimizer: dict[str, dict[str, NDArray[np.generic]]] | None = None
    network: str | Network = "average"


class Session:
    """One run of training.

    Parameters
    ----------
    network : Network
    start : Learned
        Where to start.
    source : WordVectors or None
        The initial vectors: where unknown words get theirs, and what word decay pulls towards.
    towards : Learned or None
        Pulls words and weights instead, where given.
    first : list of str
        Sentences whose words get rows at once; later ones make the table grow.
    """

    def __init__(
        self,
        network: Network,
        start: Learned,
        source: WordVectors | None,
        towards: Learned | None,
        first: list[str],
        *,
        oov: Oov,
        step: StepSettings,
        margin: MarginSettings,
        rng: Generator,
    ) -> None:
        self._margin, self._rng = margin, rng
        self._lexicon: Lexicon
        if isinstance(network, Charagram):
            words = start.vectors.words if start.vectors else []
            self._lexicon = NgramLexicon(words, network, rng)
            n_dims = network.n_dims
        else:
            assert start.vectors is not None
            assert source is not None
            self._lexicon = WordLexicon(start.vectors, source, oov)
            words, n_dims = start.vectors.words, start.vectors.n_dims
        tokens, new = self._lexicon.learn(first)
        known = start.vectors.matrix if start.vectors else new[:0]
        if known.shape[1] != n_dims:
            raise ValueError(
                f"The vectors to start from have {known.shape[1]} dimensions, the network's "
                f"n_dims is {n_dims}; make them equal."
            )
        table = np.empty((len(known) + len(new), n_dims), dtype=np.float32)
        table[: len(known)], table[len(known) :] = known, new
        module = network.build(n_dims, rng)
        load_weights(module, start.weights, network)
        anchor = anchor_of(words, known, new, source, towards, oov)
        pulls = towards.weights if towards else {}
        self.trainer = Trainer(table, module, anchor, pulls, step, rng)
        if start.optimizer is not None:
            self.trainer.restore_optimizer(start.optimizer)
        self._first = tokens

    def fit(
        self,
        n_passes: int,
        *,
        chunks: Callable[[], Iterable[Pairs]] | None = None,
        validation: tuple[Pairs, NDArray[np.float64] | None] | None = None,
        patience: int = 0,
        verbose: int = 0,
    ) -> list[dict[str, Any]]:
        """Make passes over the first sentences, or over what ``chunks`` gives each time."""
        if chunks is None:
            tokens, n_pairs = self._first, n_passes * (len(self._first.lengths) // 2)
            one_pass = self._learn_from(tokens)
        else:
            one_pass, n_pairs = self._stream(chunks), None
        stopping = None
        if validation is not None:
            stopping = Stopping(lambda: self.score(*validation), patience)
        return run_passes(
            self.trainer,
            [one_pass] * n_passes,
            stopping=stopping,
            n_pairs=n_pairs,
            verbose=verbose,
        )

    def follow(
        self,
        sentences: list[str],
        targets: NDArray[np.float32],
        n_passes: int,
        *,
        batch_size: int,
        verbose: int = 0,
    ) -> list[dict[str, Any]]:
        """Make passes over sentences and what a teacher makes of them, vectors of length 1."""
        tokens, new = self._lexicon.learn(sentences)
        self.trainer.grow(new, new)
        self.trainer.fit_row_rate()

        def one_pass() -> Pass:
            return teacher_pass(self.trainer, tokens, targets, batch_size, self._rng)

        return run_passes(
            self.trainer,
            [one_pass] * n_passes,
            n_pairs=n_passes * len(sentences),
            unit="sentence",
            verbose=verbose,
        )

    def _learn_from(self, tokens: TokenIds) -> Callable[[], Pass]:
        return lambda: margin_pass(self.trainer, tokens, self._margin, self._rng)

    def _stream(self, chunks: Callable[[], Iterable[Pairs]]) -> Callable[[], Pass]:
        def one_pass() -> Iterator[tuple[float, int]]:
            for pairs in chunks():
                tokens, new = self._lexicon.learn(sides(pairs))
                self.trainer.grow(new, new)
                yield from self._learn_from(tokens)()

        return one_pass

    def score(self, pairs: Pairs, scores: NDArray[np.float64] | None) -> float:
        """Pearson's r of cosines and scores; without scores, minus the loss."""
        tokens, extra = self._lexicon.look_up(sides(pairs))
        if scores is None:
            return margin_score(self.trainer, tokens, self._margin, extra)
        vectors = self.trainer.encode(tokens, extra).cpu().numpy().astype(np.float64)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        cosines = (vectors[: len(pairs)] * vectors[len(pairs) :]).sum(axis=1)
        if np.ptp(cosines) == 0:
            return -1.0
        return float(np.corrcoef(cosines, scores)[0, 1])

    def learned(self, *, keep_optimizer: bool = False) -> Learned:
        """What there is now."""
        state = self.trainer.optimizer_arrays() if keep_optimizer else None
        vectors = self._lexicon.vectors(self.trainer.table)
        return Learned(vectors, self.trainer.weights, state)


def step_settings(estimator: Any) -> StepSettings:
    """What the estimator's parameters say of a step."""
    names = {one.name for one in fields(StepSettings)} & estimator.get_params(deep=False).keys()
    given = {name: getattr(estimator, name) for name in names}
    return StepSettings(**given | {"device": resolve_device(estimator.device)})


def sides(pairs: Pairs) -> list[str]:
    """The left sentences, then the right ones."""
    sentences: list[str] = pairs.T.ravel().tolist()
    return sentences


def load_weights(
    module: SentenceModule, weights: dict[str, NDArray[np.float32]], network: Network
) -> None:
    import torch

    if not weights:
        return
    shapes = {name: tuple(weight.shape) for name, weight in module.state_dict().items()}
    given = {name: weight.shape for name, weight in weights.items()}
    if shapes != given:
        raise ValueError(
            f"The weights to start from have shapes {given}; {network!r} needs {shapes}. "
            "Start from an encoder of the same network."
        )
    module.load_state_dict(
        {name: torch.from_numpy(np.array(weight)) for name, weight in weights.items()}
    )


def anchor_of(
    words: list[str],
    known: NDArray[np.float32],
    new: NDArray[np.float32],
    source: WordVectors | None,
    towards: Learned | None,
    oov: Oov,
) -> Anchor | None:
    """What word decay pulls each row to; None is zero."""
    if towards is not None and towards.vectors is not None:
        return Anchor((towards.vectors.lookup(words, oov), new))
    if source is None:  # character n-grams, drawn at random, are pulled towards zero
        return None
    if len(known) == len(source):
        return Anchor((source.matrix, new) if len(new) else (source.matrix,))
    # Words that an earlier call added.
    earlier = source.unknown_vectors(words[len(source) :], oov)
    return Anchor((source.matrix, earlier, new))
