"""ParagramEncoder: sentence vectors tuned on scored pairs or paraphrases."""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, field, replace
from functools import partial
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from skpara import learning
from skpara._estimators import out_of_fold, restore_on_failure
from skpara._linalg import unit_rows
from skpara._messages import warn, warn_of_unused
from skpara._pairs import as_sentences
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator, TransformerMixin, checks_parameters
from skpara._typing import (
    Attributes,
    Constraints,
    FilePath,
    Floats,
    NetworkName,
    Oov,
    OptimizerName,
    Output,
    Pairs,
    PairsLike,
    SentenceModel,
    SentencesLike,
    Vectors,
)
from skpara._validation import N_JOBS, SEVERAL, counted
from skpara.encoders import _interop, _onnx, _training
from skpara.encoders._base import OUTPUTS, PairEncoder, compare_halves
from skpara.encoders._external_models import as_model, encode_by
from skpara.encoders._parallel import BLOCK, in_blocks
from skpara.encoders._whitening import learn_whitening, refine
from skpara.networks import Average, Network, as_network
from skpara.resources import WordVectors

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from model2vec import StaticModel
    from sentence_transformers import SentenceTransformer

# Sentences, and pairs of an average, that are worth a worker. A process must unpickle the model
# and index its words, which takes about half a second; the average is computed by threads, as most
# of its work does not hold the GIL.
_MIN_SENTENCES_PER_PROCESS = 4096
_MIN_PAIRS_PER_THREAD = 4096
# Weight of the initial cosines beside the scores. Sets of pairs differ in what a score means;
# without initial cosines, what is learned on some sets harms others.
_ANCHOR = 2.0


@set_module("skpara", trusted=True)
@with_fields
class ParagramEncoder(learning.FittedStateMixin, PairEncoder, TransformerMixin, BaseEstimator):
    """Sentence vectors, tuned so that paraphrases are close and other sentences are not.

    A network turns the word vectors of a sentence into one vector; by default it is their mean, in
    which redundant words weigh less (:class:`skpara.networks.Average`). You can encode and compare
    sentences without ``fit``: :meth:`encode`, :meth:`similarity`. ``fit`` trains the word vectors
    and the network's weights. From graded scores, it learns cosines that correlate with them; from
    paraphrases, it learns with a margin objective. With the defaults, the vectors change little.
    :func:`~skpara.paper_settings` has the parameters of the papers. ``transform`` turns pairs into
    features for a regressor.

    Parameters
    ----------
    network : str or Network, default="average"
        "average", "projection", "dan", "rnn", "irnn", "lstm", "lstm_no_output_gate", "gran",
        "charagram", or a configured object of ``skpara.networks``, which may have dropout.
    vectors : "default", "multilingual", path, KeyedVectors, StaticModel, mapping, WordVectors, \
encoder or Start, default="default"
        Initial word vectors, see :meth:`WordVectors.load`, or a fitted encoder to start from.
        "default" is English, "multilingual" English, Spanish and French, or a table of
        :func:`~skpara.encoders.align_vectors` in the cache folder. A
        :class:`~skpara.learning.Start` also sets the target of regularization. The n-grams of
        "charagram" start at random, unless it starts from an encoder.
    negatives : {"random", "hardest", "mix"} or Negatives, default="random"
        Negatives of paraphrases (t in the papers); a :class:`~skpara.learning.Negatives` also sets
        the margin.
    positive_threshold : float, "auto" or None, default=None
        Meaning of ``y``. None: graded scores, learned from all rows; with a ``paraphraser``,
        the same as "auto". A number: rows with at least this score are paraphrases, others are
        ignored. "auto": 3.8 for scores from 0 to 5, and the same fraction of another range. If it
        is not a number, class labels (text, booleans, or fewer than four whole numbers, such as 0
        and 1) train nothing, and ``fit`` warns.
    paraphraser : PivotParaphraser, "copy" or Paraphraser, default=None
        Makes more pairs at ``fit``; see :class:`~skpara.learning.Paraphraser`.
    teacher : path, str, object with ``encode`` or Teacher, default=None
        A better model of sentences, needed at ``fit`` only; see :class:`~skpara.learning.Teacher`.
        First, vectors and weights learn the teacher's cosines of the sentences of ``X`` and
        ``unlabeled``; regularization then pulls towards that state.
    word_decay : float, default=1e-05
        Weight of the squared distance to the initial vectors (lambda_w in the papers), over the
        rows that a batch uses. Character n-grams are pulled towards zero.
    network_decay : float, default=0.0
        Weight of the squared norm of the network's weights (lambda_c in the papers); matrices that
        start as the identity are pulled towards the identity.
    optimizer : {"adadelta", "adagrad", "adam"} or object, default=None
        A name, or an :class:`~skpara.learning.AdaDelta`, :class:`~skpara.learning.AdaGrad` or
        :class:`~skpara.learning.Adam` with another learning rate. None is Adam; for the average,
        it is AdaGrad with small steps: 1/60 of the vectors' root mean square with graded scores,
        1/120 with paraphrases.
    batch_size : int, default=100
        Pairs per batch (and per process if several train together), at least 2.
    max_iter : int, default=10
        Epochs over the pairs; 0 learns from a teacher only.
    early_stopping : bool, default=False
        Hold out some of the pairs, score them after each epoch, stop when the score no longer
        improves and keep the best state. The score is Pearson's r of cosines and ``y``; without
        (different) scores it is minus the loss with hardest negatives. A ``validation`` set passed
        to ``fit`` switches this on.
    validation_fraction : float, default=0.1
        Fraction of the pairs held out by ``early_stopping``.
    n_iter_no_change : int, default=3
        Epochs without improvement after which training stops.
    warm_start : bool, default=False
        Whether ``fit`` continues from the last fit.
    output : {"measures", "similarity", "interaction", "both"}, default="measures"
        Result of ``transform`` for pairs. "measures": three columns, the cosine, the dot product
        and the Euclidean distance of the vectors. "similarity": the cosine alone. "interaction":
        ``|u - v|`` and ``u * v`` of the unit vectors. "both": the cosine and the interaction.
    oov : {"subword", "rare", "zero"}, default="subword"
        How to embed out-of-vocabulary words; see :meth:`WordVectors.lookup`. With "subword", the
        unknown words of ``X`` become rows of the table and are trained too.
    cross_fit : int, default=None
        Number of folds. If set, ``fit_transform`` gives each pair the features of a model that was
        not trained on it, as scikit-learn's ``TargetEncoder`` does. Otherwise similarities of
        training pairs are too good, and a regressor trusts them too much.
    device : {"auto", "cpu", "cuda", "cuda:<number>", "mps"} or Device, default="auto"
        Device of torch; a :class:`~skpara.learning.Device` also sets the precision. Results
        and fitted state are NumPy arrays in any case. A model fitted on a GPU warns and uses the
        CPU where there is no GPU.
    n_jobs : int, default=None
        Processes for the folds of ``cross_fit`` and for networks from 8,192 sentences, threads
        for the average from 16,384 sentences or 8,192 pairs; None is one unless a
        :func:`joblib.parallel_config` says otherwise. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Determines initial weights, order of the samples, negatives, dropout and what is held out.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    vectors_ : WordVectors
        The trained vectors, of words or of character n-grams.
    weights_ : dict of str to ndarray
        The network's weights; empty for the average.
    network_ : str or Network
        The network that was fitted.
    loss_curve_ : list of float
        Mean loss of each epoch, decay included.
    history_ : list of dict
        For each epoch ``epoch``, ``loss``, ``score``, ``n_pairs``, ``seconds`` and
        ``pairs_per_second``.
    best_score_ : float or None
        Validation score of the state that was kept.
    n_iter_ : int
        Number of complete epochs.
    n_features_in_ : int
        Always 2.
    n_paraphrases_ : int
        Number of pairs learned from.
    teacher_loss_curve_ : list of float
        Mean loss per sentence of each epoch with the teacher; empty without one.

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.

    C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram
    embeddings for semantic textual similarity. SemEval.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> encoder = ParagramEncoder()
    >>> encoder.similarity(["A man plays a guitar."], ["Someone is playing music."]).round(2)
    array([0.67])
    >>> pairs = [("a big dog", "a large dog"), ("he sings", "he is singing")]
    >>> encoder.fit(pairs).transform(pairs).shape
    (2, 3)
    >>> ParagramEncoder("lstm", max_iter=1, random_state=0).fit(pairs).encode(["a dog"]).shape
    (1, 256)
    """

    network: NetworkName | Network = "average"
    _: KW_ONLY
    vectors: Any = "default"
    negatives: Literal["random", "hardest", "mix"] | learning.Negatives = "random"
    positive_threshold: float | Literal["auto"] | None = None
    paraphraser: Any = None
    teacher: FilePath | SentenceModel | learning.Teacher | None = None
    word_decay: float = 1e-5
    network_decay: float = 0.0
    optimizer: OptimizerName | learning.Optimizer | None = None
    batch_size: int = 100
    max_iter: int = 10
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 3
    warm_start: bool = False
    output: Output = "measures"
    oov: Oov = "subword"
    cross_fit: int | None = None
    device: Any = "auto"
    n_jobs: int | None = None
    random_state: Any = None
    verbose: int = 0

    n_paraphrases_: int = field(init=False)
    teacher_loss_curve_: list[float] = field(init=False)
    _feature_prefix = "paragram"
    _not_in_files = ("paraphraser", "teacher")
    # ``vectors``, the table made of it, and the states before ``fit`` by network and oov.
    _initial: tuple[Any, WordVectors, dict[tuple[Any, str], learning.FittedState]] | None = field(
        default=None, init=False
    )
    # With metadata routing on, what a pipeline's fit gets reaches this fit by default.
    __metadata_request__fit = {"unlabeled": True, "sample_weight": True}
    _parameter_constraints: ClassVar[Constraints] = {
        **learning.TRAINING_CONSTRAINTS,
        "negatives": [StrOptions({"random", "hardest", "mix"}), learning.Negatives],
        "positive_threshold": [Real, StrOptions({"auto"}), None],
        "optimizer": [*learning.TRAINING_CONSTRAINTS["optimizer"], None],
        "paraphraser": [HasMethods("pairs"), StrOptions({"copy"}), learning.Paraphraser, None],
        "teacher": [str, os.PathLike, HasMethods("encode"), learning.Teacher, None],
        "batch_size": [SEVERAL],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "output": OUTPUTS,
        "oov": [StrOptions({"subword", "rare", "zero"})],
        "cross_fit": [SEVERAL, None],
        "n_jobs": N_JOBS,
    }

    @checks_parameters
    @restore_on_failure
    def fit(
        self,
        X: PairsLike,
        y: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        unlabeled: SentencesLike | None = None,
        validation: Any = None,
        callbacks: Sequence[learning.Callback] = (),
    ) -> Self:
        """Learn from scored pairs, or from paraphrases.

        If training is interrupted (Ctrl-C), the encoder keeps what it has learned until then, and
        the ``KeyboardInterrupt`` goes on to what has called ``fit``.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
            The pairs to learn from.
        y : array-like of shape (n_pairs,), optional
            Scores, see ``positive_threshold``; without ``y``, all rows are paraphrases.
        sample_weight : array-like of shape (n_pairs,), optional
            Weight of each pair in the objective, such as one of its data set. Their unit does not
            matter; pairs of weight 0 are left out.
        unlabeled : sentences of shape (n_sentences,), optional
            Sentences to be scored later, to which ``paraphraser`` and ``teacher`` adapt the
            encoder. Without these they change nothing.
        validation : tuple of (pairs, scores), or pairs, optional
            Scored after each epoch, see ``early_stopping``.
        callbacks : sequence of Callback, default=()
            Hooks into training; see :class:`~skpara.learning.Callback`.

        Returns
        -------
        ParagramEncoder
            The fitted encoder itself.

        Raises
        ------
        ValueError
            If there are fewer than two rows to learn from, or the teacher returns no finite vector
            for a sentence.
        """
        pairs, y, weights = counted(sample_weight, self.check_pairs(X, reset=True), y)
        supervision = self._supervision(pairs, y, weights)
        adaptation = self._adapt(pairs, supervision.scores, unlabeled)
        self._fit(pairs, supervision, adaptation, validation, callbacks)
        return self

    @checks_parameters
    @restore_on_failure
    def fit_transform(
        self,
        X: PairsLike,
        y: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        unlabeled: SentencesLike | None = None,
        validation: Any = None,
        callbacks: Sequence[learning.Callback] = (),
    ) -> Floats:
        """Fit, then transform the same pairs: out of fold where ``cross_fit`` is set.

        Parameters
        ----------
        X, y, sample_weight, unlabeled, validation, callbacks : see fit
            As in :meth:`fit`.

        Returns
        -------
        ndarray of shape (n_pairs, k), float64
            See ``output``.
        """
        given = self.check_pairs(X, reset=True)
        rows, pairs, y, weights = counted(sample_weight, np.arange(len(given)), given, y)
        if len(pairs) < (self.cross_fit or 0):
            raise ValueError(
                f"{len(pairs)} pair(s) are too few to hold each of {self.cross_fit} parts out. "
                "Pass more pairs."
            )
        supervision = self._supervision(pairs, y, weights)
        # Teacher and paraphraser get no scores, so folds share their results.
        adaptation = self._adapt(pairs, supervision.scores, unlabeled)
        self._fit(pairs, supervision, adaptation, validation, callbacks)
        features = self._pair_features(given)
        if self.cross_fit is None:
            return features
        from sklearn.model_selection import KFold

        fit_fold = partial(self._fit_fold, pairs, supervision, adaptation, validation)
        folds = KFold(self.cross_fit, shuffle=True, random_state=self.random_state).split(pairs)
        # Pairs of weight 0 were held out from all folds.
        features[rows] = out_of_fold(fit_fold, folds, n_jobs=self.n_jobs)
        return features

    @checks_parameters
    @restore_on_failure
    def partial_fit(
        self,
        X: PairsLike,
        y: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Make one epoch over more pairs, continuing from the current state.

        The optimizer's state is kept between calls; new words are added. ``paraphraser``,
        ``teacher`` and ``early_stopping`` are for ``fit`` only. Every call copies the rows that
        were trained so far, so pass thousands of pairs at a time. To learn from a file that does
        not fit in memory, call it for each chunk of :func:`skpara.datasets.iter_pairs`, once per
        epoch.

        Parameters
        ----------
        X, y, sample_weight : see fit
            As in :meth:`fit`.

        Returns
        -------
        ParagramEncoder
            The encoder itself.
        """
        if self.early_stopping:
            raise ValueError("partial_fit makes a single epoch; set early_stopping=False.")
        state = self.state_ if self.__sklearn_is_fitted__() else None
        pairs = self.check_pairs(X, reset=state is None)
        pairs, y, weights = counted(sample_weight, pairs, y)
        pairs, scores, weights = self._supervision(pairs, y, weights).select(pairs)
        n_earlier, n_epochs = (0, 0) if state is None else (self.n_paraphrases_, self.n_iter_)
        if len(pairs):
            n_epochs += 1
        session = self._train(pairs, scores, weights, n_epochs, state=state)
        self._set_state(session, n_earlier + len(pairs), optimizer=session.optimizer_state())
        session.raise_interrupt(self)
        return self

    def _supervision(
        self, pairs: Pairs, y: ArrayLike | None, weights: Floats | None
    ) -> _training.Supervision:
        rule = self.positive_threshold
        if rule is None and self.paraphraser is not None:
            # Its pairs have no scores; the margin objective learns from both kinds.
            rule = "auto"
        silent = self.max_iter == 0
        supervision = _training.Supervision.of(pairs, y, rule, weights=weights, silent=silent)
        if supervision.scores is not None and supervision.threshold is None:
            warn_of_unused("with graded scores", negatives=self.negatives != "random")
        return supervision

    def _adapt(
        self, pairs: Pairs, scores: Floats | None, unlabeled: SentencesLike | None
    ) -> _training.Adaptation:
        """Make paraphrases of the sentences, and learn the teacher's cosines of them."""
        more = [] if unlabeled is None else as_sentences(unlabeled)
        sentences = list(dict.fromkeys([*pairs.ravel().tolist(), *more]))
        synthetic = _training.NO_PAIRS
        if self.paraphraser is not None:
            if self.device not in ("auto", "cpu"):  # these need no torch here
                # A missing device fails before the long work of a translator, not after it.
                learning.resolve_device(self.device)
            paraphraser = learning.Paraphraser.of(self.paraphraser)
            chosen = sentences if paraphraser.sentences == "all" else list(dict.fromkeys(more))
            synthetic = _training.paraphrases_of(paraphraser.source, chosen)
            if chosen and not len(synthetic):
                warn(
                    f"paraphraser made no pairs of {len(chosen)} sentences, so the encoder learns "
                    "only from the given pairs that are paraphrases. Try its translator alone."
                )
        if self.teacher is None:
            return _training.Adaptation(synthetic)
        teacher = learning.Teacher.of(self.teacher)
        model = as_model(teacher.model, device=self.device)
        vectors = encode_by(model, sentences, verbose=self.verbose)
        weight = teacher.number_weight
        degree = teacher.whitening
        # The scores decide only whether the vectors are whitened.
        whitening = learn_whitening(vectors, sentences, weight, degree, pairs, scores)
        targets = unit_rows(refine(vectors, sentences, weight, whitening)).astype(np.float32)
        del model, vectors  # they take much memory, and training does not need them
        objective = learning.DistillationObjective(targets)
        # The encoder's own optimizer, decays and dropout are for the margin objective.
        settings = learning.TrainingSettings(
            learning.AdaGrad(objective.learning_rate),
            dropout=False,
            oov=self.oov,
            device=self.device,
        )
        session = learning.Session(
            as_network(self.network),
            sentences,
            vectors=self.vectors,
            settings=settings,
            random_state=self.random_state,
        )
        session.fit(objective, teacher.max_iter, verbose=self.verbose)
        session.raise_interrupt()
        taught = session.state(self.network)
        losses = [epoch["loss"] for epoch in taught.history]
        return _training.Adaptation(synthetic, taught, losses)

    def _fit(
        self,
        pairs: Pairs,
        supervision: _training.Supervision,
        adaptation: _training.Adaptation,
        validation: Any,
        callbacks: Sequence[learning.Callback] = (),
    ) -> None:
        fraction = self.validation_fraction if self.early_stopping else None
        held_out = supervision.hold_out(pairs, validation, fraction, self.random_state)
        train, supervision, validation = held_out
        # Enough where only the teacher is learned from.
        pairs = _training.NO_PAIRS
        scores = None
        weights = np.empty(0)
        if self.max_iter:
            pairs, scores, weights = supervision.select(train, adaptation.pairs)
        elif as_network(self.network).units != "words":
            pairs = train  # their n-grams get vectors, though nothing is learned
        warm = self.warm_start and self.__sklearn_is_fitted__()
        session = self._train(
            pairs,
            scores,
            weights,
            self.max_iter if len(pairs) else 0,
            taught=adaptation.taught,
            state=replace(self.state_, history=[], optimizer=None) if warm else None,
            validation=validation,
            callbacks=callbacks,
        )
        self._set_state(session, len(pairs) if self.max_iter else 0)
        self.teacher_loss_curve_ = list(adaptation.losses)
        try:
            session.raise_interrupt(self)
        finally:
            del session  # its tables take more memory than rounding
            if self.state_.averages:
                # Rounded here, not in files, so that a saved encoder has the same scores. Cosines
                # of STS pairs differ by .0002 at most; model files are a third smaller.
                self.state_.vectors = self.vectors_.rounded()

    def _train(
        self,
        pairs: Pairs,
        scores: Floats | None,
        weights: Floats,
        n_epochs: int,
        *,
        taught: learning.FittedState | None = None,
        state: learning.FittedState | None = None,
        **options: Any,
    ) -> learning.Session:
        """Learn graded scores, or paraphrases, until there are ``n_epochs``."""
        network = as_network(self.network)
        negatives = learning.Negatives.of(self.negatives)
        optimizer = self.optimizer
        if optimizer is None:
            optimizer = learning.AdaGrad() if network.averages else learning.Adam()
        settings = learning.TrainingSettings(
            learning.as_optimizer(optimizer),
            word_decay=self.word_decay,
            network_decay=self.network_decay,
            oov=self.oov,
            device=self.device,
        )
        session = learning.Session(
            network,
            pairs.T.ravel().tolist(),
            vectors=self.vectors,
            settings=settings,
            random_state=self.random_state,
            taught=taught,
            state=state,
        )
        objective = learning.MarginObjective(negatives, self.batch_size, weights=weights)
        if scores is not None:
            # Cosines of random weights are nothing to stay close to.
            anchor = _ANCHOR if network.averages else 0.0
            objective = learning.CorrelationObjective(
                scores, self.batch_size, anchor=anchor, negatives=negatives, weights=weights
            )
        if network.averages and self.optimizer is None:
            # Large steps would harm good vectors; tables differ in scale.
            session.scale_row_learning_rate(objective.row_rate)
        patience = self.n_iter_no_change
        session.fit(objective, n_epochs, patience=patience, verbose=self.verbose, **options)
        return session

    def _set_state(self, session: learning.Session, n_paraphrases: int, **fields: Any) -> None:
        network = self.network if isinstance(self.network, str) else clone(self.network)
        parameters = {"network": network, "oov": self.oov}
        self.state_ = replace(session.state(network, parameters=parameters), **fields)
        self.n_paraphrases_ = n_paraphrases
        self.teacher_loss_curve_ = []

    def _fit_fold(
        self,
        pairs: Pairs,
        supervision: _training.Supervision,
        adaptation: _training.Adaptation,
        validation: Any,
        train: NDArray[np.intp],
        test: NDArray[np.intp],
    ) -> Floats:
        """Fit a copy of the encoder on some of the pairs; return its features of others."""
        fold = copy.copy(self)  # a clone would unfit the encoders in vectors
        fold.random_state = copy.deepcopy(self.random_state)
        fold.warm_start = False
        fold._fit(pairs[train], supervision.take(train), adaptation, validation)
        return fold._pair_features(pairs[test])

    def encode(self, sentences: SentencesLike) -> Vectors:
        """Encode sentences; a network without weights also works before ``fit``.

        Such a network, for example the average, then encodes with the initial vectors.

        Parameters
        ----------
        sentences : sequence of str, shape (n_sentences,)
            The sentences to encode.

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
            Zeros for an empty sentence.
        """
        state = self._current_state()
        if state.averages and type(sentences) is list:
            # Checking each type first takes 3 % of the time. Other types fail here, and
            # `as_sentences` names the row.
            with suppress(TypeError, AttributeError):
                return state.encode(sentences, n_jobs=self.n_jobs)
        texts = as_sentences(sentences)
        if state.averages:
            return state.encode(texts, n_jobs=self.n_jobs)
        work = partial(learning.FittedState.encode, device=self.device)
        min_rows = _MIN_SENTENCES_PER_PROCESS
        return in_blocks(work, state, [texts], min_rows=min_rows, n_jobs=self.n_jobs)

    @property
    def _current_network(self) -> Network:
        """The trained network; before ``fit`` the one to train."""
        return self.state_.model if self.__sklearn_is_fitted__() else as_network(self.network)

    @property
    def _word_vectors(self) -> WordVectors:
        """The trained vectors; before ``fit`` the initial ones."""
        if self.__sklearn_is_fitted__():
            return self.state_.vectors
        # A dict or a file takes longer to convert than thousands of sentences to encode.
        if self._initial is None or self._initial[0] is not self.vectors:
            table = learning.initial_vectors(self.vectors)
            if learning.is_encoder(self.vectors) or isinstance(self.vectors, learning.Start):
                return table  # takes no time to get, and the encoder may be fitted again
            self._initial = self.vectors, table, {}
        return self._initial[1]

    def to_keyed_vectors(self, vocabulary: SentencesLike = ()) -> KeyedVectors:
        """Convert the table of vectors to gensim's ``KeyedVectors``.

        Parameters
        ----------
        vocabulary : sequence of str, default=()
            Sentences or words. Their words that the table lacks, numbers among them, become rows
            too, with the vectors that they have here by ``oov``.

        Returns
        -------
        gensim.models.KeyedVectors
            The same words and vectors. A network is not part of it: gensim's means of words count
            a word as often as it is passed, and do not weigh it by the others.
        """
        return _interop.to_keyed_vectors(self._table(vocabulary))

    def to_sentence_transformer(self, vocabulary: SentencesLike = ()) -> SentenceTransformer:
        """Convert the encoder to a ``StaticEmbedding`` of sentence-transformers.

        Parameters
        ----------
        vocabulary : sequence of str, default=()
            Sentences or words, such as those that will be encoded. Their words that the table
            lacks, numbers among them, become rows, with the vectors that they have here by
            ``oov``. All other unknown words are zeros; with ``oov="rare"`` they have the vector of
            the rarest word.

        Returns
        -------
        sentence_transformers.SentenceTransformer
            It computes plain means of word vectors. With ``Average(redundancy=0)``, its vectors
            are the same where all words are known or in ``vocabulary``. Each word of a text counts
            once if it does so here; the time that this takes grows with the square of the length
            of a text, to 40 milliseconds for 1,500 words.

        Raises
        ------
        ValueError
            If the network is not the average: the vectors of other networks are not a table.

        Warns
        -----
        UserWarning
            If words have weights here.
        """
        return _interop.to_sentence_transformer(self._table_of_average(vocabulary))

    def to_model2vec(self, vocabulary: SentencesLike = ()) -> StaticModel:
        """Convert the encoder to a ``StaticModel`` of model2vec.

        Its ``save_pretrained`` writes a folder that model2vec, and what builds on it, can load.

        Parameters
        ----------
        vocabulary : sequence of str, default=()
            As for :meth:`to_sentence_transformer`. All other unknown words are left out.

        Returns
        -------
        model2vec.StaticModel
            It computes plain means of word vectors, of texts of any length. With
            ``Average(redundancy=0)``, its vectors are the same where all words are known or in
            ``vocabulary``.

        Raises
        ------
        ValueError
            If the network is not the average.

        Warns
        -----
        UserWarning
            If words have weights here.
        """
        return _interop.to_model2vec(self._table_of_average(vocabulary))

    def save_onnx(self, folder: FilePath, vocabulary: SentencesLike = ()) -> Path:
        """Write the encoder as an ONNX model, for programs without Python.

        Parameters
        ----------
        folder : path
            Where to write ``model.onnx`` and ``tokenizer.json``, which the package tokenizers and
            its kin in other languages read. The model has the inputs ``input_ids`` and
            ``attention_mask``, int64 of shape (n_sentences, n_tokens), and the output
            ``sentence_embedding``, float32 of shape (n_sentences, n_dims).
        vocabulary : sequence of str, default=()
            As for :meth:`to_sentence_transformer`.

        Returns
        -------
        pathlib.Path
            The path of ``model.onnx``.

        Raises
        ------
        ValueError
            If the network is not the average.

        Notes
        -----
        Words have the weights that they have here. Vectors differ by rounding where all words are
        known or in ``vocabulary``.
        """
        return _onnx.save_onnx(self._table_of_average(vocabulary), Path(folder))

    def _table(self, vocabulary: SentencesLike) -> _interop.Table:
        fitted = self.__sklearn_is_fitted__()
        oov = self.state_.parameters["oov"] if fitted else self.oov
        return _interop.Table.of(self._current_network, self._word_vectors, oov, vocabulary)

    def _table_of_average(self, vocabulary: SentencesLike) -> _interop.Table:
        if not self._current_network.averages:
            raise ValueError("Only the average of word vectors can be converted, not a network.")
        return self._table(vocabulary)

    def _current_state(self) -> learning.FittedState:
        """Return the fitted state; before ``fit`` the state of a network without weights."""
        if self.__sklearn_is_fitted__():
            return self.state_
        # The first step of every call for one sentence, so it is made once; a network that is an
        # object may change.
        states: dict[tuple[Any, str], learning.FittedState] = {}
        key = self.network, self.oov
        if isinstance(self.network, str) and self._initial and self._initial[0] is self.vectors:
            states = self._initial[2]
        if key in states:
            return states[key]
        self._validate_params()
        network = as_network(self.network)
        if network.units == "words":
            state = learning.FittedState(
                self._word_vectors, {}, network, network, {"oov": self.oov}
            )
            if not state.needs_weights():
                states[key] = state
                return state
        raise NotFittedError(
            f"A {self.network!r} network has weights, which fit learns; call fit first. Only "
            "networks without weights, such as the average, encode without."
        )

    def _encode(self, sentences: list[str]) -> Vectors:
        return self._current_state().encode(sentences, device=self.device, n_jobs=self.n_jobs)

    def _compare(self, a: list[str], b: list[str], output: str) -> Floats:
        if len(a) <= BLOCK:  # fast path: avoid joblib overhead for small inputs
            return super()._compare(a, b, output)
        state = self._current_state()
        min_rows = _MIN_SENTENCES_PER_PROCESS // 2
        if state.averages:
            min_rows = _MIN_PAIRS_PER_THREAD
        work = partial(_encode_and_compare, output=output, device=self.device)
        n_jobs = self.n_jobs
        threads = state.averages
        return in_blocks(work, state, [a, b], min_rows=min_rows, n_jobs=n_jobs, threads=threads)

    def __getstate__(self) -> Attributes:
        state = dict(super().__getstate__())
        state.pop("_initial", None)
        return state

    def _from_file(self, attributes: Attributes) -> None:
        """Take the state from the fitted attributes of a model file."""
        if attributes["network_"] == "average" != self.network:  # of version 0.2.0
            attributes["network_"] = Average(redundancy=0.0)
        parameters = {"network": self.network, "oov": self.oov}
        self.state_ = learning.FittedState.from_attributes(attributes, parameters)


def _encode_and_compare(
    state: learning.FittedState, a: list[str], b: list[str], *, output: str, device: Any
) -> Floats:
    return compare_halves(state.encode([*a, *b], device=device), output)
