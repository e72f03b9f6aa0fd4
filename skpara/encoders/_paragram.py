"""ParagramEncoder: sentence vectors tuned on paraphrase pairs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike
from sklearn.base import _fit_context
from sklearn.model_selection import KFold
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from skpara._fitting import restore_on_failure
from skpara._folds import out_of_fold
from skpara._public import set_module
from skpara._typing import Floats, Oov, Pairs, PairsLike, SentencesLike
from skpara.encoders._base import SentenceEncoder
from skpara.encoders._training import (
    NO_PAIRS,
    Adaptation,
    PairStream,
    Supervision,
    adapt,
    fit_fold,
    make_objective,
    select_training_data,
    train,
)
from skpara.learning import (
    TRAINING_CONSTRAINTS,
    WHITENING_CONSTRAINTS,
    Negatives,
    Paraphraser,
    Teacher,
    check_validation,
    document_parameters,
)

if TYPE_CHECKING:
    from skpara.learning import Callback


@set_module("skpara", trusted=True)
@document_parameters
class ParagramEncoder(SentenceEncoder):
    """Sentence vectors, tuned so that paraphrases are close and other sentences are not.

    A network turns the word vectors of a sentence into one vector; by default it is their mean.
    ``fit`` trains the word vectors and the network's weights, on graded scores so that cosines
    correlate with them, on paraphrases with a margin objective. The defaults are small steps from
    good vectors; :func:`~skpara.paper_settings` has the parameters of the papers.
    ``transform`` turns pairs into similarities, or into features for a regressor. The average also
    encodes before ``fit``, with the initial vectors.

    Parameters
    ----------
    network : str or Network, default="average"
        "average", "projection", "dan", "rnn", "irnn", "lstm", "lstm_no_output_gate", "gran",
        "charagram", or a configured object of :mod:`skpara.networks`, which may have dropout.
    vectors : "default", "multilingual", path, KeyedVectors, mapping, WordVectors, encoder or \
Start, default="default"
        Initial word vectors, see :meth:`WordVectors.load`, or a fitted encoder to start from.
        "default" is English, "multilingual" the table that ``skpara align-vectors`` made for more
        languages. A :class:`~skpara.learning.Start` also sets what regularization pulls towards.
        The n-grams of "charagram" start at random, unless it starts from an encoder.
    negatives : {"random", "hardest", "mix"} or Negatives, default="random"
        Negatives of paraphrases (t in the papers); see :class:`~skpara.learning.Negatives`.
    margin : float, default=0.8
        The margin of paraphrases (delta in the papers).
    positive_threshold : float, "auto" or None, default=None
        What ``y`` is. None: graded scores, learned from all rows; with a ``paraphraser``, "auto".
        A number: rows with at least this score are paraphrases, others are ignored; "auto": 3.8
        for scores from 0 to 5, and the same fraction of another range. Nothing is learned from
        class labels (text, booleans, or fewer than four whole numbers, such as 0 and 1), with a
        warning, unless it is a number.
    paraphraser : PivotParaphraser, "copy" or Paraphraser, default=None
        Makes more pairs at ``fit``; see :class:`~skpara.learning.Paraphraser`.
    teacher : path, str, object with ``encode`` or Teacher, default=None
        A better model of sentences, needed at ``fit`` only; see :class:`~skpara.learning.Teacher`.
        First, vectors and weights learn the teacher's cosines of the sentences of ``X`` and
        ``unlabeled``; regularization then pulls towards that state.
    whitening : "auto" or float, default=0.0
        For the average: degree of whitening, from 0 (none) to 1, of the vectors of the sentences
        of ``X`` and ``unlabeled``, before anything is learned from pairs. It takes weight from the
        directions that many of them share; "auto" is as in :class:`~skpara.learning.Teacher`. At
        0.25, cosines of news, headlines, forums and tweets gain up to .03, those of sentences of
        one kind, as in SICK, lose .02. All rows of the table change, so a saved encoder takes
        16 MB more.
    %(word_decay)s
    %(network_decay)s
    optimizer : {"adadelta", "adagrad", "adam"} or object, default=None
        See :class:`~skpara.learning.AdaDelta`, :class:`~skpara.learning.AdaGrad` (None for the
        average) and :class:`~skpara.learning.Adam` (None for other networks).
    learning_rate : float, default=None
        None is the optimizer's default: 1.0 for AdaDelta, 0.05 for AdaGrad, 0.001 for Adam. With
        neither it nor an optimizer, the average takes smaller steps: 1/60 of the vectors' root
        mean square with graded scores, 1/120 with paraphrases.
    batch_size : int, default=100
        Pairs a batch (of each process, where several train together), at least 2.
    max_iter : int, default=10
        Epochs over the pairs; with 0 only a teacher is learned from.
    early_stopping : bool, default=False
        Hold out some of the pairs, score them after each epoch, stop when the score no longer
        improves and keep the best state. The score is Pearson's r of cosines and ``y``; without
        (different) scores it is minus the loss with hardest negatives. A ``validation`` set passed
        to ``fit`` switches this on.
    %(validation_fraction)s
    %(n_iter_no_change)s
    %(warm_start)s
    %(output)s
    oov : {"subword", "rare", "zero"}, default="subword"
        What words get that are not among the vectors; see :meth:`WordVectors.lookup`. With
        "subword" those of the paraphrases become rows of their own and are trained too.
    %(cross_fit)s
    %(device)s
    n_jobs : int, default=None
        Processes for the folds of ``cross_fit`` and for networks from 8,192 sentences, threads
        for the average from 16,384 sentences or 8,192 pairs; None is one unless a
        :func:`joblib.parallel_config` says otherwise. The result does not depend on it.
    %(random_state)s
    %(verbose)s

    Attributes
    ----------
    %(attributes)s
    n_paraphrases_ : int
        Number of pairs learned from.
    teacher_loss_curve_ : list of float
        Mean loss a sentence of each epoch with the teacher; empty without one.

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
    array([0.68])
    >>> pairs = [("a big dog", "a large dog"), ("he sings", "he is singing")]
    >>> encoder.fit(pairs).transform(pairs).shape
    (2, 1)
    >>> ParagramEncoder("lstm", max_iter=1, random_state=0).fit(pairs).encode(["a dog"]).shape
    (1, 256)
    """

    n_paraphrases_: int
    teacher_loss_curve_: list[float]

    # With metadata routing on, unlabeled sentences passed to a pipeline reach fit by default.
    __metadata_request__fit = {"unlabeled": True}
    _parameter_constraints: dict[str, Any] = {
        **TRAINING_CONSTRAINTS,
        "network": [str, HasMethods("build")],
        "negatives": [StrOptions({"random", "hardest", "mix"}), Negatives],
        "margin": [Interval(Real, 0, 2, closed="right")],
        "positive_threshold": [Real, StrOptions({"auto"}), None],
        "optimizer": [*TRAINING_CONSTRAINTS["optimizer"], None],
        "paraphraser": [HasMethods("pairs"), StrOptions({"copy"}), Paraphraser, None],
        "teacher": [str, os.PathLike, HasMethods("encode"), Teacher, None],
        "whitening": WHITENING_CONSTRAINTS["whitening"],
        "batch_size": [Interval(Integral, 2, None, closed="left")],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "output": [StrOptions({"similarity", "interaction", "both"})],
        "oov": [StrOptions({"subword", "rare", "zero"})],
        "cross_fit": [Interval(Integral, 2, None, closed="left"), None],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        network: Any = "average",
        *,
        vectors: Any = "default",
        negatives: str | Negatives = "random",
        margin: float = 0.8,
        positive_threshold: float | str | None = None,
        paraphraser: Any = None,
        teacher: Any = None,
        whitening: float | str = 0.0,
        word_decay: float = 1e-5,
        network_decay: float = 0.0,
        optimizer: Any = None,
        learning_rate: float | None = None,
        batch_size: int = 100,
        max_iter: int = 10,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 3,
        warm_start: bool = False,
        output: str = "similarity",
        oov: Oov = "subword",
        cross_fit: int | None = None,
        device: Any = "auto",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.network = network
        self.vectors = vectors
        self.negatives = negatives
        self.margin = margin
        self.positive_threshold = positive_threshold
        self.paraphraser = paraphraser
        self.teacher = teacher
        self.whitening = whitening
        self.word_decay = word_decay
        self.network_decay = network_decay
        self.optimizer = optimizer
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.output = output
        self.oov = oov
        self.cross_fit = cross_fit
        self.device = device
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @_fit_context(prefer_skip_nested_validation=False)
    @restore_on_failure
    def fit(
        self,
        X: PairsLike,
        y: ArrayLike | None = None,
        *,
        unlabeled: SentencesLike = None,
        validation: Any = None,
        callbacks: Sequence[Callback] = (),
    ) -> ParagramEncoder:
        """Learn from scored pairs, or from paraphrases.

        Interrupted (Ctrl-C), it warns and keeps what was learned until then.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
            The pairs to learn from.
        y : array-like of shape (n_pairs,), optional
            Scores, see ``positive_threshold``; without ``y``, all rows are paraphrases.
        unlabeled : sentences of shape (n_sentences,), optional
            Sentences to be scored later, which ``paraphraser``, ``teacher`` and ``whitening``
            adapt the encoder to. Without any of these they change nothing.
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
        pairs = self._check_pairs(X, reset=True)
        supervision = Supervision.of(self, pairs, y)
        adaptation = adapt(self, pairs, supervision.scores, unlabeled)
        return self._fit(pairs, supervision, adaptation, validation, callbacks)

    @_fit_context(prefer_skip_nested_validation=False)
    @restore_on_failure
    def fit_transform(
        self,
        X: PairsLike,
        y: ArrayLike | None = None,
        *,
        unlabeled: SentencesLike = None,
        validation: Any = None,
        callbacks: Sequence[Callback] = (),
    ) -> Floats:
        """Fit, then transform the same pairs: out of fold where ``cross_fit`` is set.

        Parameters
        ----------
        X, y, unlabeled, validation, callbacks : see fit
            As in :meth:`fit`.

        Returns
        -------
        ndarray of shape (n_pairs, k), float64
            See ``output``.
        """
        pairs = self._check_pairs(X, reset=True)
        supervision = Supervision.of(self, pairs, y)
        # What the teacher and the paraphraser say depends on no score, so folds share it.
        adaptation = adapt(self, pairs, supervision.scores, unlabeled)
        self._fit(pairs, supervision, adaptation, validation, callbacks)
        if self.cross_fit is None:
            return self._pair_features(pairs)
        fold = partial(fit_fold, self, pairs, supervision, adaptation, validation)
        folds = KFold(self.cross_fit, shuffle=True, random_state=self.random_state)
        return out_of_fold(fold, folds.split(pairs), n_jobs=self.n_jobs)

    @_fit_context(prefer_skip_nested_validation=False)
    @restore_on_failure
    def partial_fit(self, X: PairsLike, y: ArrayLike | None = None) -> ParagramEncoder:
        """Make one epoch over more pairs, continuing from the current state.

        The optimizer's state is kept between calls; new words are added. ``paraphraser``,
        ``teacher``, ``whitening`` and ``early_stopping`` are for ``fit`` only. Every call copies
        the rows that were trained so far, so pass thousands of pairs at a time.

        Parameters
        ----------
        X, y : see fit
            As in :meth:`fit`.

        Returns
        -------
        ParagramEncoder
            The encoder itself.
        """
        if self.early_stopping:
            raise ValueError(
                "partial_fit makes a single epoch; set early_stopping=False, or use fit_stream "
                "with a validation set."
            )
        is_fitted = self.__sklearn_is_fitted__()
        pairs = self._check_pairs(X, reset=not is_fitted)
        pairs, scores = Supervision.of(self, pairs, y).select(pairs)
        start: dict[str, Any] = {}
        n_earlier = 0
        if is_fitted:
            start = {"state": self._encoder_state(), "optimizer_state": self._optimizer_state}
            start["history"], n_earlier = self.history_, self.n_paraphrases_
        n_epochs = len(start.get("history", ())) + (len(pairs) > 0)
        session = train(self, make_objective(self, scores), pairs, n_epochs, start)
        self.n_paraphrases_ += n_earlier
        self._optimizer_state = session.optimizer_state()
        return self

    @_fit_context(prefer_skip_nested_validation=False)
    @restore_on_failure
    def fit_stream(
        self, chunks: Iterable[Any], *, validation: Any = None, callbacks: Sequence[Callback] = ()
    ) -> ParagramEncoder:
        """Learn from more pairs than fit in memory, without ``paraphraser`` and ``teacher``.

        Parameters
        ----------
        chunks : iterable of pairs, or of tuples (pairs, scores)
            What can be iterated again, such as :func:`skpara.datasets.iter_pairs`, is read
            ``max_iter`` times; an iterator once.
        validation : tuple of (pairs, scores), or pairs, optional
            As in :meth:`fit`.
        callbacks : sequence of Callback, default=()
            As in :meth:`fit`.

        Returns
        -------
        ParagramEncoder
            The fitted encoder itself.

        Examples
        --------
        >>> from skpara import ParagramEncoder
        >>> chunks = ([(f"a {a} dog", f"one {a} dog") for a in "xyz"] for _ in range(3))
        >>> ParagramEncoder().fit_stream(chunks).n_paraphrases_
        9
        """
        held_out = check_validation(validation)
        stream = PairStream(
            self, chunks, lambda pairs, number: self._check_pairs(pairs, reset=number == 0)
        )
        n_epochs = 1 if stream.is_iterator else self.max_iter
        train(
            self,
            stream.objective,
            NO_PAIRS,
            0 if stream.has_labels else n_epochs,
            {"state": self._warm_start_state()},
            chunks=stream.read,
            validation=held_out,
            callbacks=callbacks,
        )
        stream.check_not_empty()
        self.n_paraphrases_ = stream.n_pairs
        return self

    def _fit(
        self,
        pairs: Pairs,
        supervision: Supervision,
        adaptation: Adaptation,
        validation: Any,
        callbacks: Sequence[Callback] = (),
    ) -> ParagramEncoder:
        pairs, scores, held_out = select_training_data(
            self, pairs, supervision, adaptation.pairs, validation
        )
        objective, n_epochs = make_objective(self, scores), self.max_iter if len(pairs) else 0
        start = {"state": self._warm_start_state(), "taught": adaptation.taught}
        train(self, objective, pairs, n_epochs, start, validation=held_out, callbacks=callbacks)
        self.teacher_loss_curve_ = list(adaptation.losses)
        if self.averages:
            # Rounded here, not in files, so that a saved encoder has the same scores. Cosines of
            # STS pairs differ by .0002 at most; model files are a third smaller.
            self.vectors_ = self.vectors_.rounded()
        return self
