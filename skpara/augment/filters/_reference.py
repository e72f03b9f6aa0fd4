"""Filter by a classifier of references and translations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils._param_validation import StrOptions

from skpara import learning
from skpara._public import set_module, with_fields
from skpara._typing import Constraints, Floats, Ints, NetworkName, OptimizerName
from skpara.augment._paraphrases import Paraphrases, as_paraphrases
from skpara.augment.filters._base import PairFilter
from skpara.networks import Classifier, Network

if TYPE_CHECKING:
    from skpara._core import Ragged


# Parameters of the training of all networks.
_TRAINING = (
    "network",
    "vectors",
    "word_decay",
    "optimizer",
    "batch_size",
    "max_iter",
    "device",
    "random_state",
    "verbose",
)


@set_module("skpara.augment.filters")
@with_fields
class ReferenceFilter(learning.FittedStateMixin, PairFilter):
    """Keep paraphrases that read as if a person had written them.

    A classifier learns to distinguish references, the first sentences of the pairs, from
    translations, the second ones; the score is its probability that the second sentence is a
    reference. A network encodes the sentence, followed by a softmax over two classes; both are
    trained with the cross entropy.

    Parameters
    ----------
    network : {"average", "lstm"} or Network, default="average"
        How word vectors become a sentence vector; see :class:`~skpara.ParagramEncoder`.
    vectors : "default", path, KeyedVectors, mapping, WordVectors or Start, default="default"
        Initial word vectors; they are trained too.
    negatives : {"random", "hardest"}, default="random"
        Which translation of a reference an epoch learns from, where there are several: any, or the
        one that the classifier currently finds most like a reference.
    word_decay : float, default=0.0
        Weight of the squared distance to the initial vectors.
    optimizer : {"adadelta", "adagrad", "adam"} or object, default="adam"
        A name, or an :class:`~skpara.learning.AdaDelta`, :class:`~skpara.learning.AdaGrad` or
        :class:`~skpara.learning.Adam` with another learning rate.
    batch_size : int, default=100
        References per batch, each with one translation.
    max_iter : int, default=10
        Epochs over the references.
    device : {"auto", "cpu", "cuda", "cuda:<number>", "mps"} or Device, default="auto"
        Device of torch; a :class:`~skpara.learning.Device` also sets the precision. Results
        and fitted state are NumPy arrays in any case. A model fitted on a GPU warns and uses the
        CPU where there is no GPU.
    random_state : int, RandomState or None, default=None
        Determines initial weights, order of the samples, negatives, dropout and what is held out.
    verbose : int, default=0
        1 shows a progress bar.
    lower : float, default=0.5
        Smallest probability that is kept; the paper chooses from 0 to 0.9.
    upper : float, default=None
        Largest probability that is kept; None means no bound.

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

    References
    ----------
    Wieting, Mallinson and Gimpel (2017), section 5.6.1; see :class:`PairFilter`.

    Examples
    --------
    >>> from skpara.augment.filters import ReferenceFilter
    >>> from skpara.learning import Adam
    >>> pairs = [(f"{x} runs", f"the {x} the runs") for x in ("a dog", "a cat", "one", "he")]
    >>> reference = ReferenceFilter(max_iter=100, optimizer=Adam(0.01), random_state=0).fit(pairs)
    >>> reference.select([("he runs", "one runs"), ("he runs", "the he the runs")]).tolist()
    [True, False]
    >>> reference.evaluate(pairs).accuracy
    1.0
    """

    network: NetworkName | Network = "average"
    _: KW_ONLY
    vectors: Any = "default"
    negatives: Literal["random", "hardest"] = "random"
    word_decay: float = 0.0
    optimizer: OptimizerName | learning.Optimizer = "adam"
    batch_size: int = 100
    max_iter: int = 10
    device: str = "auto"
    random_state: Any = None
    verbose: int = 0
    lower: float | None = 0.5
    upper: float | None = None

    _parameter_constraints: ClassVar[Constraints] = {
        **PairFilter._parameter_constraints,
        **{name: learning.TRAINING_CONSTRAINTS[name] for name in _TRAINING},
        "negatives": [StrOptions({"random", "hardest"})],
    }
    learns = True

    def evaluate(self, X: Any) -> Bunch:
        """Compute the accuracy of the classifier.

        Parameters
        ----------
        X : Paraphrases, or pairs of shape (n_pairs, 2)
            References and translations.

        Returns
        -------
        Bunch
            ``accuracy``, the mean of ``accuracy_references`` and ``accuracy_translations``, each
            in [0, 1]. References count once.
        """
        paraphrases: Any = as_paraphrases(X)
        translations = self.score_pairs(paraphrases)
        references = self._probabilities(paraphrases.references)
        first, second = float(np.mean(references > 0.5)), float(np.mean(translations <= 0.5))
        accuracy = (first + second) / 2
        return Bunch(accuracy=accuracy, accuracy_references=first, accuracy_translations=second)

    def learn(self, paraphrases: Paraphrases) -> None:
        sentences = [*paraphrases.references, *paraphrases.pairs[:, 1].tolist()]
        network = self.network if isinstance(self.network, str) else clone(self.network)
        model = Classifier(network)
        settings = learning.TrainingSettings(
            learning.as_optimizer(self.optimizer), word_decay=self.word_decay, device=self.device
        )
        session = learning.Session(
            model,
            sentences,
            vectors=self.vectors,
            settings=settings,
            random_state=self.random_state,
        )
        objective = _ReferenceObjective(paraphrases, self.negatives, self.batch_size)
        session.fit(objective, self.max_iter, verbose=self.verbose)
        session.raise_interrupt()
        self.state_ = session.state(network, model=model)

    def measure(self, paraphrases: Paraphrases) -> Floats:
        return self._probabilities(paraphrases.pairs[:, 1].tolist())

    def _probabilities(self, sentences: list[str]) -> Floats:
        """Return the probability that each sentence is a reference."""
        outputs = self.state_.outputs(np.array(sentences, dtype=object), self.device)
        return learning.ClassLoss(2).probabilities(outputs)[:, 1]


class _ReferenceObjective(learning.Objective):
    """Cross entropy of references and translations, each reference with one of its translations.

    Sentences are numbered references first, then translations; a batch has ``batch_size``
    references of each process.
    """

    unit = "reference"

    def __init__(self, paraphrases: Paraphrases, negatives: str, batch_size: int) -> None:
        self._n_references = len(paraphrases.references)
        # For each translation the number of its reference.
        self._owners = np.unique(paraphrases.rows, return_inverse=True)[1]
        self._negatives, self._batch_size = negatives, batch_size

    def epoch(self, session: learning.Session, tokens: Ragged) -> Iterator[tuple[float, int]]:
        import torch

        loss, device = learning.ClassLoss(2), session.trainer.compute.device
        for references in session.batches(self._n_references, self._batch_size):
            translations = self._choose_translations(session, tokens, references)
            batch = tokens.take(np.concatenate([references, self._n_references + translations]))
            # The first half are references, class 1; the rest are translations, class 0.
            classes = loss.targets(np.repeat([1, 0], len(references)))
            targets = torch.from_numpy(classes).to(device)
            yield session.trainer.step(batch, partial(loss, targets=targets)), len(references)

    def n_samples(self, tokens: Ragged) -> int:
        return self._n_references

    def _choose_translations(
        self, session: learning.Session, tokens: Ragged, references: Ints
    ) -> NDArray[np.intp]:
        """Choose one translation of each reference."""
        owners = self._owners
        candidates = np.flatnonzero(np.isin(owners, references))
        order = np.argsort(np.argsort(references))
        if len(candidates) == len(references):
            return candidates[np.argsort(owners[candidates])][order]
        preference = session.rng.random(len(candidates))
        if self._negatives == "hardest":
            scores = session.trainer.outputs(tokens.take(self._n_references + candidates)).numpy()
            preference = scores[:, 1] - scores[:, 0]
        best = candidates[np.lexsort((-preference, owners[candidates]))]
        _, first = np.unique(owners[best], return_index=True)
        return best[first][order]
