"""What an encoder learns from: paraphrases, streams of them, and sentences without scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from skpara._linalg import unit_rows
from skpara._pairs import as_pairs, as_sentences
from skpara._typing import Floats, Pairs, PairsLike, SentencesLike, ValidationSet
from skpara.encoders._external_models import as_model, encode_by
from skpara.learning import (
    AdaGrad,
    Paraphraser,
    Teacher,
    check_scores,
    check_validation,
    hold_out,
)
from skpara.networks import as_network

if TYPE_CHECKING:
    from skpara.encoders._paragram import ParagramEncoder
    from skpara.learning import EncoderState

NO_PAIRS: Pairs = np.empty((0, 2), dtype=object)


@dataclass(frozen=True)
class Adaptation:
    """What is learned of sentences without their scores; all folds of a cross-fit share it."""

    pairs: Pairs
    taught: EncoderState | None = None
    losses: Sequence[float] = ()


def adapt(encoder: ParagramEncoder, pairs: Pairs, unlabeled: SentencesLike) -> Adaptation:
    """Let the encoder's paraphraser and teacher work on the sentences."""
    more = [] if unlabeled is None else as_sentences(unlabeled)
    sentences = list(dict.fromkeys([*pairs.ravel().tolist(), *more]))
    synthetic = NO_PAIRS
    if encoder.paraphraser is not None:
        # Fail before the long work of a translator if the device is missing, not after it.
        from skpara.learning import resolve_device

        resolve_device(encoder.device)
        paraphraser = Paraphraser.of(encoder.paraphraser)
        chosen = sentences if paraphraser.sentences == "all" else list(dict.fromkeys(more))
        synthetic = _synthetic_pairs(paraphraser.source, chosen)
    if encoder.teacher is None:
        return Adaptation(synthetic)
    return _learn_from_teacher(encoder, Teacher.of(encoder.teacher), sentences, synthetic)


def _synthetic_pairs(source: Any, sentences: list[str]) -> Pairs:
    if source == "copy":
        pairs = [(sentence, sentence) for sentence in sentences]
    else:
        pairs = source.pairs(sentences)
    return as_pairs(pairs) if len(pairs) else NO_PAIRS


def _learn_from_teacher(
    encoder: ParagramEncoder, teacher: Teacher, sentences: list[str], synthetic: Pairs
) -> Adaptation:
    from skpara.learning import DistillationObjective, Session

    model = as_model(teacher.model, device=encoder.device)
    targets = unit_rows(encode_by(model, sentences, verbose=encoder.verbose)).astype(np.float32)
    objective = DistillationObjective(targets)
    # The encoder's own optimizer, decays and dropout are for the margin objective.
    settings = {
        "optimizer": AdaGrad(),
        "learning_rate": objective.learning_rate,
        "word_decay": 0.0,
        "network_decay": 0.0,
        "dropout": 0.0,
        "word_dropout": 0.0,
    }
    network = as_network(encoder.network)
    session = Session.of(encoder, network, sentences, oov=encoder.oov, settings=settings)
    history = session.fit(objective, teacher.max_iter, verbose=encoder.verbose)
    losses = [epoch["loss"] for epoch in history]
    return Adaptation(synthetic, session.state(encoder.network), losses)


def select_training_data(
    encoder: ParagramEncoder,
    pairs: Pairs,
    y: ArrayLike | None,
    adaptation: Adaptation,
    validation: Any,
) -> tuple[Pairs, ValidationSet | None]:
    """Return the paraphrases to learn from and the validation set."""
    scores = None if y is None else check_scores(y, pairs)
    held_out = check_validation(validation)
    if held_out is None and encoder.early_stopping:
        fraction = encoder.validation_fraction
        pairs, scores, split = hold_out(pairs, scores, fraction, 2, encoder.random_state)
        held_out = check_validation(split)
    # There need not be any paraphrases where only the teacher is learned from.
    if not encoder.max_iter:
        return NO_PAIRS, held_out
    threshold = encoder.positive_threshold
    if threshold == "auto":
        threshold = _auto_threshold(scores)
    return select_paraphrases(pairs, scores, threshold, adaptation.pairs), held_out


def _auto_threshold(scores: Floats | None) -> float:
    if scores is None:
        return 0.0
    # Rounding errors of rescaled scores must not exclude scores that equal the threshold.
    low, high = float(scores.min()), float(scores.max())
    return low + (0.76 - 1e-9) * (high - low)


def select_paraphrases(
    pairs: Pairs, scores: Floats | None, threshold: float, synthetic: Pairs | None = None
) -> Pairs:
    """Return the pairs whose score is at least ``threshold``, and synthetic ones."""
    paraphrases = pairs if scores is None else pairs[scores >= threshold]
    if synthetic is not None and len(synthetic):
        paraphrases = np.concatenate([paraphrases, synthetic])
    if len(paraphrases) < 2:
        raise ValueError(
            f"{len(paraphrases)} of {len(pairs)} pairs are paraphrases (score of at least "
            f"{threshold}); at least 2 are needed, since each takes its negative examples from "
            "the others. Lower positive_threshold or add pairs."
        )
    return paraphrases


class ParaphraseStream:
    """The paraphrases among chunks of pairs, read once or many times."""

    def __init__(
        self,
        chunks: Iterable[Any],
        threshold: float,
        check_pairs: Callable[[PairsLike, int], Pairs],
    ) -> None:
        if not isinstance(chunks, Iterable) or isinstance(chunks, (str, bytes)):
            raise TypeError(
                f"chunks must be an iterable of chunks of pairs, got {type(chunks).__name__}."
            )
        self._chunks, self._threshold, self._check_pairs = chunks, threshold, check_pairs
        self.is_iterator = iter(chunks) is chunks
        self.n_pairs = 0

    def read(self) -> Iterator[Pairs]:
        """Yield the paraphrases of each chunk that has at least two."""
        self.n_pairs = 0
        for number, chunk in enumerate(self._chunks):
            has_scores = isinstance(chunk, tuple) and len(chunk) == 2
            pairs, scores = chunk if has_scores else (chunk, None)
            try:
                pairs = self._check_pairs(pairs, number)
                if scores is not None:
                    pairs = pairs[check_scores(scores, pairs) >= self._threshold]
            except (TypeError, ValueError) as error:
                raise type(error)(f"Chunk {number}: {error}") from error
            if len(pairs) > 1:
                self.n_pairs += len(pairs)
                yield pairs

    def check_not_empty(self) -> None:
        """Raise a ValueError if there was nothing to learn from."""
        if self.n_pairs == 0:
            raise ValueError(
                "The stream has no chunk with at least 2 paraphrases; lower positive_threshold or "
                "make the chunks larger."
            )


def fit_fold(
    encoder: ParagramEncoder,
    pairs: Pairs,
    scores: Floats | None,
    adaptation: Adaptation,
    validation: Any,
    train: NDArray[np.int64],
    test: NDArray[np.int64],
) -> Floats:
    """Fit a copy of the encoder on some of the pairs; return its features of others."""
    # clone would unfit the encoders in vectors; teacher and paraphraser have been asked already.
    encoder = clone(encoder).set_params(
        cross_fit=None,
        warm_start=False,
        paraphraser=None,
        teacher=None,
        vectors=encoder.vectors,
    )
    encoder._check_pairs(pairs[train], reset=True)
    encoder._fit(pairs[train], None if scores is None else scores[train], adaptation, validation)
    return encoder._pair_features(pairs[test])
