"""By whether a paraphrase reads as if a person had written it."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.utils import Bunch, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from skpara._public import set_module
from skpara.augment._paraphrases import Paraphrases, as_paraphrases
from skpara.augment.filters._base import PairFilter
from skpara.learning._inference import NetworkEncoder, NetworkMixin
from skpara.resources import WordVectors

if TYPE_CHECKING:
    from torch import Tensor

    from skpara.learning._trainer import Trainer
    from skpara.text import TokenIds


@set_module("skpara.augment.filters")
class ReferenceFilter(NetworkMixin, PairFilter):
    """Keep paraphrases that read as if a person had written them.

    A classifier learns to tell references, the first sentences of the pairs, from translations,
    the second ones; the score is its probability that the second sentence is a reference. Word
    vectors go through a network, then through a softmax of two classes, trained by cross entropy.

    Parameters
    ----------
    network : {"average", "lstm"} or Network, default="average"
        How word vectors become a sentence vector; see :class:`~skpara.ParagramEncoder`.
    vectors : "default", path, KeyedVectors, mapping or WordVectors, default="default"
        Initial word vectors; they are trained too.
    negatives : {"random", "hardest"}, default="random"
        Which of the translations of a reference a pass learns from, where there are several: any,
        or the one that the classifier, as it stands, takes most for a reference.
    word_decay : float, default=0.0
        Weight of the squared distance of the word vectors to the initial ones.
    learning_rate : float, default=0.001
        Of Adam.
    batch_size : int, default=100
        References a batch, each with one translation.
    max_iter : int, default=10
        Passes over the references.
    device : {"auto", "cpu", "cuda", "mps"}, default="auto"
    random_state : int, RandomState or None, default=None
    verbose : int, default=0
        1 shows a progress bar.
    lower : float, default=0.5
        Least probability that is kept; the paper chooses from 0 to 0.9.
    upper : float, default=None

    Attributes
    ----------
    history_ : list of dict
        For each pass ``epoch``, ``loss``, ``seconds`` and more.
    n_iter_ : int
        Number of complete passes made.
    vectors_ : WordVectors
        The trained vectors.
    weights_ : dict of str to ndarray
        Of the network and of the softmax.

    Notes
    -----
    The paper trains it on other pairs than those it filters: fit it first, then pass it to a
    paraphraser within a ``FrozenEstimator``. An unfitted one is fitted to the pairs at hand.

    References
    ----------
    J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
    back-translated bitext. EMNLP. Section 5.6.1.

    Examples
    --------
    >>> from skpara.augment.filters import ReferenceFilter
    >>> pairs = [(f"{x} runs", f"the {x} the runs") for x in ("a dog", "a cat", "one", "he")]
    >>> reference = ReferenceFilter(max_iter=100, learning_rate=0.01, random_state=0).fit(pairs)
    >>> reference.select([("he runs", "one runs"), ("he runs", "the he the runs")]).tolist()
    [True, False]
    >>> reference.evaluate(pairs).accuracy
    1.0
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **PairFilter._parameter_constraints,
        "network": "no_validation",
        "vectors": "no_validation",
        "negatives": [StrOptions({"random", "hardest"})],
        "word_decay": [Interval(Real, 0, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "device": [StrOptions({"auto", "cpu", "cuda", "mps"})],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }
    _learns = True

    def __init__(
        self,
        network: Any = "average",
        *,
        vectors: Any = "default",
        negatives: str = "random",
        word_decay: float = 0.0,
        learning_rate: float = 0.001,
        batch_size: int = 100,
        max_iter: int = 10,
        device: str = "auto",
        random_state: Any = None,
        verbose: int = 0,
        lower: float | None = 0.5,
        upper: float | None = None,
    ) -> None:
        super().__init__(lower, upper)
        self.network = network
        self.vectors = vectors
        self.negatives = negatives
        self.word_decay = word_decay
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.device = device
        self.random_state = random_state
        self.verbose = verbose

    def evaluate(self, X: Any) -> Bunch:
        """How often the classifier is right.

        Parameters
        ----------
        X : Paraphrases, or pairs of shape (n_pairs, 2)

        Returns
        -------
        Bunch
            ``accuracy``, the mean of ``accuracy_references`` and ``accuracy_translations``, each
            in [0, 1]. References count once.
        """
        paraphrases = as_paraphrases(X)
        translations = self.score_pairs(paraphrases)
        references = self._probabilities(paraphrases.references)
        right = float(np.mean(references > 0.5)), float(np.mean(translations <= 0.5))
        return Bunch(
            accuracy=(right[0] + right[1]) / 2,
            accuracy_references=right[0],
            accuracy_translations=right[1],
        )

    def _fit(self, paraphrases: Paraphrases) -> None:
        from skpara.learning._device import resolve_device
        from skpara.learning._lexicon import WordLexicon
        from skpara.learning._loop import run_passes
        from skpara.learning._processes import n_processes
        from skpara.learning._rows import Anchor
        from skpara.learning._trainer import StepSettings, Trainer
        from skpara.networks import Classifier

        if len(paraphrases) == 0:
            raise ValueError(
                "Found no pairs to fit ReferenceFilter to: pass at least one reference with a "
                "translation."
            )
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        references = paraphrases.references
        sentences = [*references, *paraphrases.pairs[:, 1].tolist()]
        source = WordVectors.load(self.vectors)
        lexicon = WordLexicon(source, source, "subword")
        tokens, new = lexicon.learn(sentences)
        trainer = Trainer(
            np.concatenate([source.matrix, new]),
            Classifier(self.network).build(source.n_dims, rng),
            Anchor((source.matrix, new) if len(new) else (source.matrix,)),
            {},
            StepSettings(
                optimizer="adam",
                learning_rate=self.learning_rate,
                word_decay=self.word_decay,
                device=resolve_device(self.device),
            ),
            rng,
        )
        owners = np.unique(paraphrases.rows, return_inverse=True)[1]
        batch_size = self.batch_size * n_processes()
        one_pass = _Pass(trainer, tokens, len(references), owners, self.negatives, batch_size, rng)
        self.history_ = run_passes(
            trainer,
            [one_pass] * self.max_iter,
            n_pairs=self.max_iter * len(references),
            verbose=self.verbose,
        )
        self.n_iter_ = len(self.history_)
        self.vectors_ = lexicon.vectors(trainer.table)
        self.weights_ = trainer.weights
        self._forget_network()

    def _score(self, paraphrases: Paraphrases) -> NDArray[np.float64]:
        return self._probabilities(paraphrases.pairs[:, 1].tolist())

    def _probabilities(self, sentences: list[str]) -> NDArray[np.float64]:
        """That each sentence is a reference."""
        scores = self._ready().encode(sentences).astype(np.float64)
        return np.asarray(1 / (1 + np.exp(scores[:, 0] - scores[:, 1])))

    def _inference(self) -> NetworkEncoder:
        from skpara.networks import Classifier

        return NetworkEncoder(
            Classifier(self.network), self.weights_, self.vectors_, "subword", **self._compute()
        )


class _Pass:
    """One pass: each reference with one of its translations.

    Sentences are numbered references first, then translations; ``owners`` are the references of
    the translations.
    """

    def __init__(
        self,
        trainer: Trainer,
        tokens: TokenIds,
        n_references: int,
        owners: NDArray[np.intp],
        negatives: str,
        batch_size: int,
        rng: Generator,
    ) -> None:
        self._trainer, self._tokens, self._n = trainer, tokens, n_references
        self._owners, self._negatives = owners, negatives
        self._batch_size, self._rng = batch_size, rng

    def __call__(self) -> Iterator[tuple[float, int]]:
        for references in self._batches():
            translations = self._n + self._chosen(references)
            both = self._tokens.take(np.concatenate([references, translations]))
            yield self._trainer.step(both, _cross_entropy), len(references)

    def _batches(self) -> Iterator[NDArray[np.int64]]:
        order = self._rng.permutation(self._n)
        for start in range(0, self._n, self._batch_size):
            yield order[start : start + self._batch_size]

    def _chosen(self, references: NDArray[np.int64]) -> NDArray[np.intp]:
        """One translation of each reference."""
        which = np.flatnonzero(np.isin(self._owners, references))
        if len(which) == len(references):
            places = np.argsort(self._owners[which])
            return which[places][np.argsort(np.argsort(references))]
        preference = self._rng.random(len(which))
        if self._negatives == "hardest":
            scores = self._trainer.encode(self._tokens.take(self._n + which)).cpu().numpy()
            preference = scores[:, 1] - scores[:, 0]
        best = which[np.lexsort((-preference, self._owners[which]))]
        _, first = np.unique(self._owners[best], return_index=True)
        return best[first][np.argsort(np.argsort(references))]


def _cross_entropy(scores: Tensor) -> Tensor:
    """Of the first half, which are references (class 1), and of the rest (class 0)."""
    import torch
    from torch.nn import functional

    half = len(scores) // 2
    classes = torch.zeros(len(scores), dtype=torch.int64, device=scores.device)
    classes[:half] = 1
    return functional.cross_entropy(scores, classes)
