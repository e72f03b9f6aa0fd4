"""ParagramEncoder: sentence vectors tuned on paraphrase pairs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.parallel import Parallel, delayed

from skpara._pairs import as_sentences
from skpara._public import set_module
from skpara._typing import Oov
from skpara.encoders._adaptation import (
    NO_PAIRS,
    Adaptation,
    follow_teacher,
    synthetic_pairs,
    teacher_step,
)
from skpara.encoders._base import SentenceEncoder
from skpara.learning._parameters import TRAINING
from skpara.learning._state import learned_by
from skpara.learning._training_data import Chunks, as_validation, checked_scores, split_rows
from skpara.resources import WordVectors
from skpara.saving._safetensors import SavingMixin

if TYPE_CHECKING:
    from skpara.learning._session import Learned, Session
    from skpara.learning._trainer import StepSettings

_Pairs = NDArray[np.object_]


@set_module("skpara", trusted=True)
class ParagramEncoder(SavingMixin, SentenceEncoder):
    """Sentence vectors, tuned so that paraphrases come close and other sentences do not.

    A network makes a sentence's vector of its word vectors: by default their mean. ``fit`` moves
    the word vectors, and the network's weights, with a margin objective over paraphrase pairs;
    ``transform`` turns pairs into similarities, or into the numbers a regressor learns from.
    With the average, :meth:`encode` and :meth:`similarity` work before ``fit`` too, with the
    vectors as given.

    Parameters
    ----------
    network : str or Network, default="average"
        How word vectors become a sentence vector: "average", "projection", "dan", "rnn", "irnn",
        "lstm", "lstm_no_output_gate", "gran", "charagram", or a configured object of
        :mod:`skpara.networks`, whose fields a search reaches as ``network__<field>``.
    vectors : "default", path, KeyedVectors, mapping or WordVectors, default="default"
        Initial word vectors; see :meth:`WordVectors.load`. "charagram" has none: its n-grams
        start at random.
    negatives : {"random", "hardest", "mix"}, default="random"
        Negative examples (t of the papers), drawn anew for every batch from its other pairs: any
        sentence, the most similar one, or either with even chance.
    megabatch_size : int, default=1
        Number of batches whose sentences are the candidates for "hardest" and "mix".
    margin : float, default=0.8
        The margin (delta of the papers).
    positive_threshold : float, default=3.8
        Rows with a score of at least this are the paraphrases.
    paraphraser : PivotParaphraser or "copy", default=None
        What makes more pairs at ``fit``; anything with ``pairs(sentences)``. "copy" pairs each
        sentence with itself, which teaches something where ``word_dropout`` or ``dropout`` make
        the two differ (Gao et al. 2021), and needs no translator.
    paraphrased : {"all", "unlabeled"}, default="all"
        Of which sentences it makes them: those of ``X`` and those given as ``unlabeled``, or the
        latter alone, as Hokamp and Arora did.
    teacher : path, str, or object with ``encode``, default=None
        A better model of sentences, such as one of sentence-transformers (its folder, or the
        object), needed at ``fit`` only. Before the margin objective, vectors and weights are
        moved until the cosines of the sentences at hand, those of ``X`` and those given as
        ``unlabeled``, are the teacher's. Decay then pulls towards what that led to. A fitted
        encoder of skpara must be wrapped in ``FrozenEstimator`` to survive ``clone``.
    teacher_iter : int, default=20
        Passes over these sentences.
    word_decay : float, default=1e-5
        Weight of the squared distance to the initial vectors (lambda_w), over the rows that a
        batch uses. N-grams of "charagram" are pulled towards zero.
    network_decay : float, default=0.0
        Weight of the squared norm of the network's weights (lambda_c); matrices that start as the
        identity are pulled towards the identity.
    decay_towards : ParagramEncoder or path, default=None
        Fitted encoder whose vectors and weights both decays pull towards instead. To survive
        ``clone``, as in a grid search, wrap it in scikit-learn's ``FrozenEstimator`` or give the
        path of :meth:`save`.
    init : ParagramEncoder or path, default=None
        Fitted encoder to start from, in place of ``vectors``; its weights too where it has the
        same network. Wrap it as ``decay_towards``.
    dropout : float, default=0.0
        Part of the units of each word's vector that a batch sets to zero.
    word_dropout : float, default=0.0
        Part of the words that a batch leaves out.
    gradient_clip : float, default=None
        Largest norm of a batch's gradient; a larger one is scaled down to it.
    optimizer : {"adadelta", "adagrad", "adam"}, default="adadelta"
        All of them touch only the word vectors that a batch uses.
    learning_rate : float, default=None
        None is the optimiser's own: 1.0 for AdaDelta, 0.05 for AdaGrad, 0.001 for Adam.
    batch_size : int, default=100
        Pairs a batch, at least 2; where several processes train together, those of each.
    max_iter : int, default=10
        Passes over the paraphrases; with 0 the margin objective is left out.
    early_stopping : bool, default=False
        Hold out some of the pairs, score them after each pass, stop when they get no better and
        keep the best state. The score is Pearson's r of cosines and ``y``; without ``y``, or where
        it is the same for all, minus the loss with hardest negatives. A ``validation`` set given
        to ``fit`` switches this on with that set.
    validation_fraction : float, default=0.1
        Part of the pairs held out by ``early_stopping``.
    n_iter_no_change : int, default=3
        Passes without a better score after which training stops.
    warm_start : bool, default=False
        Whether ``fit`` goes on from the last fit.
    output : {"similarity", "interaction", "both"}, default="similarity"
        What ``transform`` gives for pairs: the cosine; ``|u - v|`` and ``u * v`` of the unit
        vectors; or all of it.
    oov : {"subword", "rare", "zero"}, default="subword"
        What words that the vectors do not hold get. With "subword" those of the paraphrases
        become rows of their own and are tuned too.
    cross_fit : int, default=None
        Number of folds. If given, ``fit_transform`` gives each pair the features of an encoder
        that did not train on it, as scikit-learn's ``TargetEncoder`` does, so that a regressor
        behind it does not trust similarities more than it should.
    device : {"auto", "cpu", "cuda", "mps"}, default="auto"
        Where torch computes. Results and fitted state are NumPy arrays all the same. Fitted with a
        GPU, and asked where there is none, it warns and uses the CPU.
    precision : {"float32", "bfloat16"}, default="float32"
        Of the network's matrix products. "bfloat16" takes half the memory and is faster where the
        hardware has it; weights, word vectors, recurrences and the loss stay float32.
    compile : bool, default=False
        Whether ``torch.compile`` makes one kernel of what it can; recurrences are left as they
        are. Costs some ten seconds at first, and needs a C++ compiler on the CPU.
    n_jobs : int, default=None
        Workers for the folds of ``cross_fit``, for cosines of 131,072 pairs or more, and for
        vectors of a network from 8,192 sentences; None is one unless a
        :func:`joblib.parallel_config` says otherwise. The result does not depend on it. Vectors
        of an average are computed here: sending them costs as much.
    random_state : int, RandomState or None, default=None
        Initial weights, order of the pairs, choice of negatives, dropout, what is held out.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    vectors_ : WordVectors
        The tuned vectors, of words or of character n-grams.
    weights_ : dict of str to ndarray
        The network's weights; empty for the average.
    network_ : str or Network
        The network that was fitted.
    loss_curve_ : list of float
        Mean loss a pair of each pass, decay included.
    teacher_loss_curve_ : list of float
        Mean loss a sentence of each pass towards the teacher; empty without one.
    history_ : list of dict
        For each pass ``epoch``, ``loss``, ``score``, ``n_pairs``, ``seconds`` and
        ``pairs_per_second``.
    best_score_ : float or None
        Validation score of the state that was kept.
    n_iter_ : int
        Number of complete passes made.
    n_paraphrases_ : int
        Number of pairs learned from.
    n_features_in_ : int
        Always 2.
    feature_names_in_ : ndarray of str, shape (2,)
        Column names, where ``X`` was a frame.

    See Also
    --------
    skpara.encoders.paper_settings : the parameters that the papers used.

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.

    C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram
    embeddings for semantic textual similarity. SemEval.

    J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
    back-translated bitext. EMNLP.

    T. Gao, X. Yao, D. Chen (2021). SimCSE: simple contrastive learning of sentence embeddings.
    EMNLP. (``paraphraser="copy"``)

    W. Park, D. Kim, Y. Lu, M. Cho (2019). Relational knowledge distillation. CVPR. (``teacher``)

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> encoder = ParagramEncoder()
    >>> near, far = encoder.similarity(
    ...     ["A man plays a guitar.", "A man plays a guitar."],
    ...     ["Someone is playing music.", "The cat sleeps."],
    ... )
    >>> bool(near > far)
    True
    >>> pairs = [("a big dog", "a large dog"), ("he sings", "he is singing")]
    >>> encoder.fit(pairs).transform(pairs).shape
    (2, 1)
    >>> ParagramEncoder("lstm", max_iter=1, random_state=0).fit(pairs).encode(["a dog"]).shape
    (1, 256)
    """

    # With metadata routing on, unlabeled sentences given to a pipeline come here unasked for.
    __metadata_request__fit = {"unlabeled": True}
    _parameter_constraints: dict[str, Any] = {
        **TRAINING,
        "network": [str, HasMethods("build")],
        "negatives": [StrOptions({"random", "hardest", "mix"})],
        "megabatch_size": [Interval(Integral, 1, None, closed="left")],
        "margin": [Interval(Real, 0, 2, closed="right")],
        "positive_threshold": [Real],
        "paraphraser": [HasMethods("pairs"), StrOptions({"copy"}), None],
        "paraphrased": [StrOptions({"all", "unlabeled"})],
        "teacher": [str, os.PathLike, HasMethods("encode"), None],
        "teacher_iter": [Interval(Integral, 1, None, closed="left")],
        "batch_size": [Interval(Integral, 2, None, closed="left")],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "output": [StrOptions({"similarity", "interaction", "both"})],
        "cross_fit": [Interval(Integral, 2, None, closed="left"), None],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        network: Any = "average",
        *,
        vectors: Any = "default",
        negatives: str = "random",
        megabatch_size: int = 1,
        margin: float = 0.8,
        positive_threshold: float = 3.8,
        paraphraser: Any = None,
        paraphrased: str = "all",
        teacher: Any = None,
        teacher_iter: int = 20,
        word_decay: float = 1e-5,
        network_decay: float = 0.0,
        decay_towards: Any = None,
        init: Any = None,
        dropout: float = 0.0,
        word_dropout: float = 0.0,
        gradient_clip: float | None = None,
        optimizer: str = "adadelta",
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
        device: str = "auto",
        precision: str = "float32",
        compile: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.network = network
        self.vectors = vectors
        self.negatives = negatives
        self.megabatch_size = megabatch_size
        self.margin = margin
        self.positive_threshold = positive_threshold
        self.paraphraser = paraphraser
        self.paraphrased = paraphrased
        self.teacher = teacher
        self.teacher_iter = teacher_iter
        self.word_decay = word_decay
        self.network_decay = network_decay
        self.decay_towards = decay_towards
        self.init = init
        self.dropout = dropout
        self.word_dropout = word_dropout
        self.gradient_clip = gradient_clip
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
        self.precision = precision
        self.compile = compile
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: ArrayLike | None = None,
        *,
        unlabeled: Any = None,
        validation: Any = None,
    ) -> ParagramEncoder:
        """Learn from the paraphrases among the pairs.

        Interrupted (Ctrl-C), it warns and keeps what was learned until then.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
        y : array-like of shape (n_pairs,), optional
            Scores. Rows with ``y >= positive_threshold`` are the paraphrases; without ``y``, all
            rows are.
        unlabeled : sentences of shape (n_sentences,), optional
            Sentences to be scored later: ``paraphraser`` makes pairs of them and ``teacher``
            says how near they are, so that the encoder adapts to them and their kind of text.
            Without either they change nothing.
        validation : tuple of (pairs, scores), or pairs, optional
            Scored after each pass, see ``early_stopping``.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If fewer than two rows are paraphrases: a pair needs another one as its negative. Or
            if the teacher gives no finite vector for a sentence.
        """
        self._validate_params()
        pairs = self._check_pairs(X, reset=True)
        return self._fit(pairs, y, self._adaptation(pairs, unlabeled), validation)

    def _fit(
        self, pairs: _Pairs, y: ArrayLike | None, adaptation: Adaptation, validation: Any
    ) -> ParagramEncoder:
        """Learn from pairs, and from what was learned without their scores."""
        scores = None if y is None else checked_scores(y, pairs)
        held_out = as_validation(validation)
        if held_out is None and self.early_stopping:
            pairs, scores, held_out = self._split(pairs, scores)
        paraphrases = NO_PAIRS
        if self.max_iter:
            paraphrases = self._paraphrases(pairs, scores, adaptation.pairs)
        self._rng = self._new_rng()
        last = self._last() if self.warm_start else None
        session = self._session(last, paraphrases, adaptation.taught)
        history = session.fit(
            self.max_iter,
            validation=held_out,
            patience=self.n_iter_no_change,
            verbose=self.verbose,
        )
        best = None if held_out is None else session.score(*held_out)
        return self._keep(session.learned(), history, len(paraphrases), best, adaptation.losses)

    def _adaptation(self, pairs: _Pairs, unlabeled: Any) -> Adaptation:
        """What the paraphraser and the teacher make of the sentences at hand."""
        from skpara.learning._device import resolve_device

        more = [] if unlabeled is None else as_sentences(unlabeled)
        at_hand = list(dict.fromkeys([*pairs.ravel().tolist(), *more]))
        synthetic = NO_PAIRS
        if self.paraphraser is not None:
            resolve_device(self.device)  # before the long work of a translator, not after it
            asked = at_hand if self.paraphrased == "all" else list(dict.fromkeys(more))
            synthetic = synthetic_pairs(self.paraphraser, asked)
        if self.teacher is None:
            return Adaptation(synthetic)
        self._rng = self._new_rng()
        step = replace(teacher_step(self.device), precision=self.precision, compile=self.compile)
        session = self._session(None, None, step=step)
        losses = follow_teacher(
            session,
            self.teacher,
            at_hand,
            self.teacher_iter,
            device=self.device,
            verbose=self.verbose,
        )
        return Adaptation(synthetic, session.learned(), losses)

    def partial_fit(self, X: Any, y: ArrayLike | None = None) -> ParagramEncoder:
        """Make one pass over more pairs, going on from what is there.

        The optimiser's memory is kept between calls; words met for the first time are added.
        Neither ``paraphraser`` nor ``teacher`` is asked: that is for ``fit``. Every call copies
        the table of vectors, so pass thousands of pairs at a time.

        Parameters
        ----------
        X, y
            As in :meth:`fit`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            With ``early_stopping``, for which there would be nothing to hold out.
        """
        self._validate_params()
        if self.early_stopping:
            raise ValueError(
                "partial_fit makes a single pass; set early_stopping=False, or use fit_stream "
                "with a validation set."
            )
        last = self._last()
        pairs = self._check_pairs(X, reset=last is None)
        paraphrases = self._paraphrases(pairs, None if y is None else checked_scores(y, pairs))
        if last is None or not hasattr(self, "_rng"):  # a file keeps none
            self._rng = self._new_rng()
        if last is not None:
            last = replace(last, optimizer=self._optimizer_state)
        session = self._session(last, paraphrases)
        history = session.fit(1, verbose=self.verbose)
        earlier, n_earlier = ([], 0) if last is None else (self.history_, self.n_paraphrases_)
        for entry in history:
            entry["epoch"] += len(earlier)
        learned = session.learned(keep_optimizer=True)
        return self._keep(learned, earlier + history, n_earlier + len(paraphrases), None)

    def fit_stream(self, chunks: Iterable[Any], *, validation: Any = None) -> ParagramEncoder:
        """Learn from more pairs than fit in memory; without ``paraphraser`` and ``teacher``.

        Parameters
        ----------
        chunks : iterable of pairs, or of tuples (pairs, scores)
            Each chunk is shuffled, learned from and let go. What can be iterated anew, such as
            :func:`skpara.datasets.iter_pairs`, is read ``max_iter`` times; an iterator once.
        validation : tuple of (pairs, scores), or pairs, optional
            As in :meth:`fit`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a chunk is not made of pairs, or there is no paraphrase at all.

        Examples
        --------
        >>> from skpara import ParagramEncoder
        >>> chunks = ([(f"a {a} dog", f"one {a} dog") for a in "xyz"] for _ in range(3))
        >>> ParagramEncoder().fit_stream(chunks).n_paraphrases_
        9
        """
        self._validate_params()
        held_out = as_validation(validation)
        stream = Chunks(chunks, self._chunk)
        self._rng = self._new_rng()
        session = self._session(self._last() if self.warm_start else None, None)
        history = session.fit(
            1 if stream.once else self.max_iter,
            chunks=stream.read,
            validation=held_out,
            patience=self.n_iter_no_change,
            verbose=self.verbose,
        )
        stream.check_not_empty()
        best = None if held_out is None else session.score(*held_out)
        return self._keep(session.learned(), history, stream.n_pairs, best)

    def fit_transform(
        self,
        X: Any,
        y: ArrayLike | None = None,
        *,
        unlabeled: Any = None,
        validation: Any = None,
    ) -> NDArray[np.float64]:
        """Fit, then transform the same pairs: out of fold where ``cross_fit`` is given."""
        self._validate_params()
        pairs = self._check_pairs(X, reset=True)
        adaptation = self._adaptation(pairs, unlabeled)
        self._fit(pairs, y, adaptation, validation)
        if self.cross_fit is None:
            return self._pair_features(pairs)
        scores = None if y is None else np.asarray(y)
        folds = KFold(self.cross_fit, shuffle=True, random_state=self.random_state)
        splits = list(folds.split(pairs))
        parts = Parallel(n_jobs=self.n_jobs)(
            delayed(_fold_features)(
                self._fold(), pairs, scores, adaptation, train, test, validation
            )
            for train, test in splits
        )
        features = np.empty((len(pairs), parts[0].shape[1]))
        for (_, test), part in zip(splits, parts, strict=True):
            features[test] = part
        return features

    def _new_rng(self) -> np.random.Generator:
        return np.random.default_rng(check_random_state(self.random_state).randint(2**31))

    def _paraphrases(
        self,
        pairs: _Pairs,
        scores: NDArray[np.float64] | None,
        synthetic: _Pairs = NO_PAIRS,
    ) -> _Pairs:
        chosen = pairs if scores is None else pairs[scores >= self.positive_threshold]
        chosen = np.concatenate([chosen, synthetic]) if len(synthetic) else chosen
        if len(chosen) < 2:
            raise ValueError(
                f"{len(chosen)} of {len(pairs)} pairs are paraphrases (score of at least "
                f"{self.positive_threshold}); at least 2 are needed, since each takes its "
                "negative examples from the others. Lower positive_threshold or add pairs."
            )
        return chosen

    def _split(
        self, pairs: _Pairs, scores: NDArray[np.float64] | None
    ) -> tuple[_Pairs, NDArray[np.float64] | None, Any]:
        """What to learn from, and what to hold out."""
        kept, held = split_rows(len(pairs), self.validation_fraction, 2, self.random_state)
        if scores is None:
            return pairs[kept], None, (pairs[held], None)
        return pairs[kept], scores[kept], as_validation((pairs[held], scores[held]))

    def _chunk(self, pairs: Any, scores: Any, number: int) -> _Pairs:
        """The paraphrases of a chunk; none where there are too few to learn from."""
        checked = self._check_pairs(pairs, reset=number == 0)
        if scores is not None:
            checked = checked[checked_scores(scores, checked) >= self.positive_threshold]
        return checked if len(checked) > 1 else checked[:0]

    def _last(self) -> Learned | None:
        """What the last fit learned."""
        return learned_by(self, "warm_start") if self.__sklearn_is_fitted__() else None

    def _session(
        self,
        last: Learned | None,
        paraphrases: _Pairs | None,
        taught: Learned | None = None,
        step: StepSettings | None = None,
    ) -> Session:
        """Training as the parameters say, from ``last``, ``taught`` or the start."""
        from skpara.learning._margin import MarginSettings
        from skpara.learning._processes import n_processes
        from skpara.learning._session import Learned, Session, sides, step_settings
        from skpara.networks import as_network

        network = as_network(self.network)
        init = None if self.init is None else learned_by(self.init, "init")
        towards = taught
        if self.decay_towards is not None:
            towards = learned_by(self.decay_towards, "decay_towards")
        source = None
        if network.units == "words":
            source = init.vectors if init else WordVectors.load(self.vectors)
        start = last or taught or init or Learned(source)
        if start is init and init and type(as_network(init.network)) is not type(network):
            start = Learned(init.vectors)  # words only: its weights are of another network
        return Session(
            network,
            start,
            source,
            towards,
            [] if paraphrases is None else sides(paraphrases),
            oov=self.oov,
            step=step or step_settings(self),
            margin=MarginSettings(
                negatives=self.negatives,
                margin=self.margin,
                batch_size=self.batch_size * n_processes(),
                megabatch_size=self.megabatch_size,
            ),
            rng=self._rng,
        )

    def _keep(
        self,
        learned: Learned,
        history: list[dict[str, Any]],
        n_paraphrases: int,
        best_score: float | None,
        teacher_losses: Sequence[float] = (),
    ) -> ParagramEncoder:
        assert learned.vectors is not None
        self.vectors_ = learned.vectors
        self.weights_ = learned.weights
        self.network_ = self.network if isinstance(self.network, str) else clone(self.network)
        self._optimizer_state = learned.optimizer
        self.history_ = history
        self.loss_curve_ = [entry["loss"] for entry in history]
        self.teacher_loss_curve_ = list(teacher_losses)
        self.best_score_ = best_score
        self.n_iter_ = len(history)
        self.n_paraphrases_ = n_paraphrases
        self._forget_network()
        return self

    def _fold(self) -> ParagramEncoder:
        """A copy to fit on a fold; ``clone`` would unfit the encoders that it starts from."""
        fold: ParagramEncoder = clone(self)
        return fold.set_params(
            cross_fit=None,
            warm_start=False,
            paraphraser=None,
            teacher=None,
            init=self.init,
            decay_towards=self.decay_towards,
        )


def _fold_features(
    encoder: ParagramEncoder,
    pairs: _Pairs,
    scores: NDArray[np.float64] | None,
    adaptation: Adaptation,
    train: NDArray[np.int64],
    test: NDArray[np.int64],
    validation: Any,
) -> NDArray[np.float64]:
    encoder._check_pairs(pairs[train], reset=True)
    encoder._fit(pairs[train], None if scores is None else scores[train], adaptation, validation)
    return encoder._pair_features(pairs[test])
