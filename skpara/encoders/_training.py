"""What an encoder learns from: paraphrases, streams of them, and sentences without scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import check_consistent_length

from skpara._linalg import unit_rows
from skpara._pairs import as_pairs, as_sentences
from skpara._scores import check_scores
from skpara._typing import Floats, Pairs, PairsLike, SentencesLike, ValidationSet
from skpara._warnings import warn
from skpara.encoders._external_models import as_model, encode_by
from skpara.encoders._pooling import mean_vectors
from skpara.encoders._whitening import learn_whitening, refine
from skpara.learning import (
    AdaGrad,
    Adam,
    Negatives,
    Paraphraser,
    Teacher,
    check_validation,
    hold_out,
    is_class_labels,
)
from skpara.networks import as_network

if TYPE_CHECKING:
    from skpara.encoders._paragram import ParagramEncoder
    from skpara.learning import EncoderState, MarginObjective, Session

NO_PAIRS: Pairs = np.empty((0, 2), dtype=object)
# Where positive_threshold="auto" puts the threshold in the range of the scores: 3.8 of 0 to 5,
# which Hokamp and Arora (2016) chose.
# The tolerance is for rounding errors of rescaled scores.
_POSITIVE_FRACTION = 0.76 - 1e-9
# Weight of the initial cosines beside the scores. Sets of pairs differ in what a score means;
# without initial cosines, what is learned on some sets harms others.
_ANCHOR = 2.0
_CLASS_LABELS = (
    "y has class labels, or fewer than four whole numbers, and not graded scores: the encoder "
    "learns nothing from it and keeps its vectors. If the pairs of a class are paraphrases, set "
    "positive_threshold, for example to 1 for labels of 0 and 1, or fit the encoder on these "
    "pairs alone, without y. With max_iter=0 there is no warning."
)


@dataclass(frozen=True)
class Adaptation:
    """What is learned of sentences without their scores; all folds of a cross-fit share it."""

    pairs: Pairs
    taught: EncoderState | None = None
    losses: Sequence[float] = ()


def adapt(
    encoder: ParagramEncoder, pairs: Pairs, scores: Floats | None, unlabeled: SentencesLike
) -> Adaptation:
    """Let the encoder's paraphraser and teacher work on the sentences.

    Scores decide only whether the teacher's vectors are whitened.
    """
    more = [] if unlabeled is None else as_sentences(unlabeled)
    sentences = list(dict.fromkeys([*pairs.ravel().tolist(), *more]))
    synthetic = NO_PAIRS
    if encoder.paraphraser is not None:
        if encoder.device not in ("auto", "cpu"):  # these need no torch here
            # Fail before the long work of a translator if the device is missing, not after it.
            from skpara.learning import resolve_device

            resolve_device(encoder.device)
        paraphraser = Paraphraser.of(encoder.paraphraser)
        chosen = sentences if paraphraser.sentences == "all" else list(dict.fromkeys(more))
        synthetic = _synthetic_pairs(paraphraser.source, chosen)
    adaptation = Adaptation(synthetic)
    if encoder.teacher is not None:
        teacher = Teacher.of(encoder.teacher)
        adaptation = _learn_from_teacher(encoder, teacher, sentences, synthetic, pairs, scores)
    if encoder.whitening == 0:
        return adaptation
    return replace(
        adaptation, taught=_whiten(encoder, adaptation.taught, sentences, pairs, scores)
    )


def _whiten(
    encoder: ParagramEncoder,
    taught: EncoderState | None,
    sentences: list[str],
    pairs: Pairs,
    scores: Floats | None,
) -> EncoderState | None:
    """Multiply the table by the matrix that whitens the means of its rows."""
    from skpara.learning import EncoderState, resolve_start

    network = as_network(encoder.network)
    if not network.averages:
        raise ValueError(
            f"whitening={encoder.whitening!r} is for the average, whose vectors are linear in the "
            f"word vectors, not for {encoder.network!r}. Use whitening=0."
        )
    table = (taught or resolve_start(encoder.vectors, network).state).vectors
    assert table is not None  # words have vectors
    means = mean_vectors(table, sentences, encoder.oov, distinct_words=network.distinct_words)
    # Without centering: blank sentences, and the lengths of rows, would no longer fit.
    whitening = learn_whitening(
        means, sentences, 0.0, encoder.whitening, pairs, scores, center=False
    )
    if whitening is None:
        return taught
    rows = table.take(np.arange(len(table)))
    whitened = rows @ whitening.matrix
    # Vectors of unknown numbers, which are added to others, and step sizes are for this scale.
    whitened *= np.sqrt(np.square(rows).mean() / max(float(np.square(whitened).mean()), 1e-30))
    return EncoderState(table.with_rows(np.arange(len(table)), whitened))


def _synthetic_pairs(source: Any, sentences: list[str]) -> Pairs:
    if source == "copy":
        pairs = [(sentence, sentence) for sentence in sentences]
    else:
        pairs = source.pairs(sentences)
    return as_pairs(pairs) if len(pairs) else NO_PAIRS


def _learn_from_teacher(
    encoder: ParagramEncoder,
    teacher: Teacher,
    sentences: list[str],
    synthetic: Pairs,
    pairs: Pairs,
    scores: Floats | None,
) -> Adaptation:
    from skpara.learning import DistillationObjective, Session

    model = as_model(teacher.model, device=encoder.device)
    vectors = encode_by(model, sentences, verbose=encoder.verbose)
    weight, degree = teacher.number_weight, teacher.whitening
    whitening = learn_whitening(vectors, sentences, weight, degree, pairs, scores)
    targets = unit_rows(refine(vectors, sentences, weight, whitening)).astype(np.float32)
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


@dataclass(frozen=True)
class Supervision:
    """What ``y`` says about pairs: graded scores, which pairs are paraphrases, or nothing.

    Without a ``threshold``, ``scores`` are learned by the correlation objective. Else the pairs
    with at least this score, or all of them without scores, are learned by the margin objective.
    """

    scores: Floats | None = None
    threshold: float | None = None
    is_labels: bool = False

    @classmethod
    def of(cls, encoder: ParagramEncoder, pairs: Pairs, y: ArrayLike | None) -> Supervision:
        """Read ``y`` as the encoder's ``positive_threshold`` says."""
        rule = encoder.positive_threshold
        threshold = None if rule is None or isinstance(rule, str) else float(rule)
        if y is None:
            return cls(threshold=threshold)
        # One number says nothing about what kind it is; one pair is refused below.
        if threshold is None and len(pairs) > 1 and is_class_labels(y):
            check_consistent_length(pairs, y)
            if encoder.max_iter:
                warn(_CLASS_LABELS)
            return cls(is_labels=True)
        scores = check_scores(y, X=pairs)
        # A paraphraser's pairs have no scores; the margin objective learns from both kinds.
        if rule == "auto" or (rule is None and encoder.paraphraser is not None):
            threshold = float(scores.min() + _POSITIVE_FRACTION * np.ptp(scores))
        return cls(scores, threshold)

    @property
    def is_graded(self) -> bool:
        """Whether the pairs are learned from by the correlation objective."""
        return self.scores is not None and self.threshold is None

    def take(self, rows: NDArray[np.int64]) -> Supervision:
        """Return that of some of the pairs, read in the same way."""
        return replace(self, scores=None if self.scores is None else self.scores[rows])

    def select(self, pairs: Pairs, synthetic: Pairs = NO_PAIRS) -> tuple[Pairs, Floats | None]:
        """Return the pairs to learn from, and their scores if these are graded."""
        n_pairs = len(pairs)
        if self.is_graded:
            if n_pairs < 2:
                raise ValueError(
                    f"{n_pairs} pair(s) with scores; at least 2 are needed to correlate with."
                )
            return pairs, self.scores
        if self.is_labels:
            return synthetic if len(synthetic) > 1 else NO_PAIRS, None
        if self.scores is not None and self.threshold is not None:
            pairs = pairs[self.scores >= self.threshold]
        paraphrases = np.concatenate([pairs, synthetic])
        if len(paraphrases) < 2:
            what = "" if self.scores is None else f" (score of at least {self.threshold:g})"
            raise ValueError(
                f"{len(paraphrases)} of {n_pairs} pairs are paraphrases{what}; at least 2 are "
                "needed, since each takes its negative examples from the others. Lower "
                "positive_threshold or add pairs."
            )
        return paraphrases, None


def select_training_data(
    encoder: ParagramEncoder,
    pairs: Pairs,
    supervision: Supervision,
    synthetic: Pairs,
    validation: Any,
) -> tuple[Pairs, Floats | None, ValidationSet | None]:
    """Return the pairs to learn from, their scores if graded, and the validation set."""
    held_out = check_validation(validation)
    if held_out is None and encoder.early_stopping:
        rows, fraction = np.arange(len(pairs)), encoder.validation_fraction
        train, _, (test, _) = hold_out(rows, None, fraction, 2, encoder.random_state)
        scores = supervision.scores
        held_out = check_validation((pairs[test], None if scores is None else scores[test]))
        pairs, supervision = pairs[train], supervision.take(train)
    # There need not be any pairs where only the teacher is learned from.
    if not encoder.max_iter:
        return NO_PAIRS, None, held_out
    return *supervision.select(pairs, synthetic), held_out


def make_objective(encoder: ParagramEncoder, scores: Floats | None) -> MarginObjective:
    """Make the objective on graded scores, or on paraphrases."""
    from skpara.learning import CorrelationObjective, MarginObjective

    negatives, margin = Negatives.of(encoder.negatives), encoder.margin
    if scores is None:
        return MarginObjective(negatives, margin, encoder.batch_size)
    # Cosines of random weights are nothing to stay close to.
    anchor = _ANCHOR if as_network(encoder.network).averages else 0.0
    return CorrelationObjective(
        scores, encoder.batch_size, anchor=anchor, negatives=negatives, margin=margin
    )


def train(
    encoder: ParagramEncoder,
    objective: MarginObjective,
    pairs: Pairs,
    n_epochs: int,
    start: dict[str, Any],
    **options: Any,
) -> Session:
    """Run a session, and let the encoder take over its state."""
    from skpara.learning import Session

    network, sentences = as_network(encoder.network), pairs.T.ravel().tolist()
    # Good vectors are harmed by the large steps that random weights need; tables differ in scale.
    is_scaled = network.averages and encoder.optimizer is None and encoder.learning_rate is None
    settings: dict[str, Any] = {"learning_rate": 0.0} if is_scaled else {}
    if encoder.optimizer is None and not network.averages:
        # After five epochs over 2,500 pairs of STS Benchmark, r on its dev part with Adam and with
        # AdaGrad: projection .851 and .563, LSTM .764 and .154, GRAN .840 and .746.
        settings["optimizer"] = Adam()
    session = Session.of(encoder, network, sentences, oov=encoder.oov, settings=settings, **start)
    if is_scaled:
        session.scale_row_learning_rate(objective.row_rate)
    patience, verbose = encoder.n_iter_no_change, encoder.verbose
    session.fit(objective, n_epochs, patience=patience, verbose=verbose, **options)
    encoder._set_state(session, encoder.network)
    encoder.n_paraphrases_ = len(pairs)
    encoder.teacher_loss_curve_ = []
    return session


class PairStream:
    """Pairs to learn from, read in chunks, once or many times.

    The first chunk decides what the scores of all chunks mean.
    """

    def __init__(
        self,
        encoder: ParagramEncoder,
        chunks: Iterable[Any],
        check_pairs: Callable[[PairsLike, int], Pairs],
    ) -> None:
        if not isinstance(chunks, Iterable) or isinstance(chunks, (str, bytes)):
            raise TypeError(
                f"chunks must be an iterable of chunks of pairs, got {type(chunks).__name__}."
            )
        self._encoder, self._check_pairs = encoder, check_pairs
        iterator = iter(chunks)
        self.is_iterator = iterator is chunks
        head = list(islice(iterator, 1))
        # What was taken from an iterator to look at must be read again.
        self._chunks = chain(head, iterator) if self.is_iterator else chunks
        self._first: Supervision | None = None
        for chunk in head:
            self._first = self._check_chunk(0, chunk)[1]
        self.has_labels = self._first is not None and self._first.is_labels
        is_graded = self._first is not None and self._first.is_graded
        self.objective = make_objective(encoder, np.empty(0) if is_graded else None)
        self.n_pairs = 0

    def read(self) -> Iterator[Pairs]:
        """Yield the pairs to learn from of each chunk that has at least two."""
        from skpara.learning import CorrelationObjective

        self.n_pairs = 0
        for number, chunk in enumerate(self._chunks):
            pairs, supervision = self._check_chunk(number, chunk)
            if supervision.scores is not None and supervision.threshold is not None:
                pairs = pairs[supervision.scores >= supervision.threshold]
            if len(pairs) > 1:
                self.n_pairs += len(pairs)
                if isinstance(self.objective, CorrelationObjective):
                    assert supervision.scores is not None  # or the chunk would be refused
                    self.objective.scores = supervision.scores
                yield pairs

    def _check_chunk(self, number: int, chunk: Any) -> tuple[Pairs, Supervision]:
        has_scores = isinstance(chunk, tuple) and len(chunk) == 2
        pairs, y = chunk if has_scores else (chunk, None)
        first = self._first
        try:
            pairs = self._check_pairs(pairs, number)
            if first is None:
                return pairs, Supervision.of(self._encoder, pairs, y)
            scores = None if y is None else check_scores(y, X=pairs)
            supervision = Supervision(scores, first.threshold)
            if supervision.is_graded != first.is_graded:
                raise ValueError(
                    "Scores are learned from in all chunks or in none; set positive_threshold to "
                    "a number to mix chunks with scores and chunks of paraphrases."
                )
        except (TypeError, ValueError) as error:
            raise type(error)(f"Chunk {number}: {error}") from error
        return pairs, supervision

    def check_not_empty(self) -> None:
        """Raise a ValueError if there was nothing to learn from."""
        if self.n_pairs == 0 and not self.has_labels:
            raise ValueError(
                "The stream has no chunk with at least 2 pairs to learn from; lower "
                "positive_threshold or make the chunks larger."
            )


def fit_fold(
    encoder: ParagramEncoder,
    pairs: Pairs,
    supervision: Supervision,
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
    encoder._fit(pairs[train], supervision.take(train), adaptation, validation)
    return encoder._pair_features(pairs[test])
