"""Base classes of the estimators with a network and a head on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import KW_ONLY, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import check_is_fitted

from skpara import learning
from skpara._compatibility import DefaultsMixin, require_torch
from skpara._estimators import restore_on_failure
from skpara._pairs import as_sentences
from skpara._public import with_fields
from skpara._sklearn import BaseEstimator, ClassifierMixin, checks_parameters
from skpara._typing import (
    Attributes,
    Constraints,
    Floats,
    NetworkName,
    Objects,
    OptimizerName,
    SentencesLike,
    Vectors,
)
from skpara._validation import COUNT, check_labels, check_length, counted
from skpara.networks import Network, as_network

if TYPE_CHECKING:
    from torch import Tensor

# Mean length of the initial vectors. With smaller numbers, such as 0.94 of the packaged vectors, a
# network learns slowly, and the vectors themselves are moved too far.
_VECTOR_NORM = 12.0
DROPOUT = 0.3


@with_fields
class NetworkPredictor(learning.FittedStateMixin, DefaultsMixin, BaseEstimator, ABC):
    """Base class: a network encodes sentences, and a head predicts labels of samples.

    Samples are pairs or sentences and labels are scores or classes, depending on the subclass.
    """

    _parameter_constraints: ClassVar[Constraints] = {
        **learning.TRAINING_CONSTRAINTS,
        "max_length": [COUNT, None],
        "trainable_vectors": ["boolean"],
    }
    _unit = "pair"
    # With metadata routing on, weights passed to a pipeline reach this fit by default.
    __metadata_request__fit = {"sample_weight": True}
    # Parameters that the fitted network depends on.
    _fixed_by_fit: ClassVar[tuple[str, ...]] = ("max_length", "dense_size")

    network: NetworkName | Network = "average"
    _: KW_ONLY
    vectors: Any = "default"
    max_length: int | None = None
    trainable_vectors: bool = True
    word_decay: float = 0.0
    network_decay: float = 1e-4
    optimizer: OptimizerName | learning.Optimizer = "adam"
    batch_size: int = 25
    max_iter: int = 10
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 3
    warm_start: bool = False
    device: Any = "auto"
    random_state: Any = None
    verbose: int = 0

    @checks_parameters
    @restore_on_failure
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        validation: Any = None,
        callbacks: Sequence[learning.Callback] = (),
    ) -> Self:
        """Learn from labeled samples.

        If training is interrupted (Ctrl-C), the estimator keeps what it has learned until then,
        and the ``KeyboardInterrupt`` goes on to what has called ``fit``.

        Parameters
        ----------
        X : pairs of shape (n_samples, 2), or sentences of shape (n_samples,)
            The samples to learn from: sentences for :class:`SentenceClassifier`, pairs for the
            other classes.
        y : array-like of shape (n_samples,)
            Their labels: classes for a classifier, scores within ``score_range`` for a regressor.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each sample in the loss, such as one of its data set. Their unit does not
            matter; samples of weight 0 are left out.
        validation : tuple of (X, y), optional
            Scored after each epoch, see ``early_stopping``.
        callbacks : sequence of Callback, default=()
            Called during training; see :class:`~skpara.learning.Callback`.

        Returns
        -------
        estimator
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a label is missing or, for a regressor, out of range; the message names its row.
        """
        require_torch()
        samples, y, weights = counted(sample_weight, self._check_samples(X), y)
        weights = np.ones(len(samples)) if weights is None else weights / weights.mean()
        labels = self._check_labels(y, samples, reset=True)
        held_out: Any = None
        if validation is not None:
            if not isinstance(validation, list | tuple) or len(validation) != 2:
                raise ValueError(f"validation must be a tuple of (X, y), got {validation!r:.60}.")
            others = self._check_samples(validation[0], reset=False)
            held_out = others, self._check_labels(validation[1], others, reset=False)
        elif self.early_stopping:
            strata = labels if isinstance(self, ClassifierMixin) else None
            fraction = self.validation_fraction
            seed = self.random_state
            train, test = learning.hold_out(len(samples), fraction, 1, seed, strata)
            held_out = samples[test], labels[test]
            samples = samples[train]
            labels = labels[train]
            weights = weights[train]

        network = as_network(self.network, dropout=DROPOUT)
        if network.units != "words":
            raise ValueError(f"network must read words; {network!r} reads {network.units}.")
        parameters = {name: getattr(self, name) for name in self._fixed_by_fit}
        model = self._with_head(network, parameters)
        settings = learning.TrainingSettings(
            learning.as_optimizer(self.optimizer),
            word_decay=self.word_decay,
            network_decay=self.network_decay,
            train_words=bool(self.trainable_vectors),
            max_length=self.max_length,
            device=self.device,
        )
        session = learning.Session(
            model,
            samples.T.ravel().tolist(),
            vectors=learning.Start.of(self.vectors, norm=_VECTOR_NORM),
            settings=settings,
            random_state=self.random_state,
            state=replace(self.state_, history=[]) if self._is_warm() else None,
        )
        session.fit(
            learning.LabelObjective(
                self._loss(parameters, labels), labels, self.batch_size, self._unit, weights
            ),
            self.max_iter,
            validation=held_out,
            patience=self.n_iter_no_change,
            callbacks=callbacks,
            verbose=self.verbose,
        )
        self.state_ = session.state(clone(network), model=clone(model), parameters=parameters)
        if self.warm_start:
            self.state_.optimizer = session.optimizer_state()
        session.raise_interrupt(self)
        return self

    def encode(self, sentences: SentencesLike) -> Vectors:
        """Encode sentences: the vectors that the head reads.

        Parameters
        ----------
        sentences : sequence of str, shape (n_sentences,)
            The sentences to encode.

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
            Zeros for an empty sentence.
        """
        check_is_fitted(self)
        return self.state_.encode(as_sentences(sentences), device=self.device)

    def _check_samples(self: Any, X: Any, *, reset: bool = True) -> Objects:
        """Validate samples, in ``fit`` or after it; here pairs, by ``PairEstimatorMixin``."""
        return self.check_pairs(X, reset=reset)

    @abstractmethod
    def _check_labels(self, y: ArrayLike, samples: Objects, *, reset: bool) -> NDArray[Any]:
        """Validate labels of ``fit`` (``reset``) or of a validation set."""

    @abstractmethod
    def _loss(
        self, parameters: Attributes, labels: NDArray[Any]
    ) -> learning.ScoreLoss | learning.ClassLoss:
        """Return the loss of the labels."""

    @abstractmethod
    def _with_head(self, network: Network, parameters: Attributes) -> Network:
        """Return the network with the head on it; ``parameters`` are those fixed by ``fit``."""

    def _is_warm(self) -> bool:
        return self.warm_start and self.__sklearn_is_fitted__()

    def _outputs(self, X: Any) -> Tensor:
        check_is_fitted(self)
        return self.state_.outputs(self._check_samples(X, reset=False), self.device)

    def _from_file(self, attributes: Attributes) -> None:
        """Take the state from the fitted attributes of a model file."""
        parameters = {name: getattr(self, name) for name in self._fixed_by_fit}
        model = self._with_head(attributes["network_"], parameters)
        self.state_ = learning.FittedState.from_attributes(attributes, parameters, model)


@with_fields
class NetworkClassifier(ClassifierMixin, NetworkPredictor):
    """Base class of the classifiers; see :class:`NetworkPredictor`."""

    _parameter_constraints: ClassVar[Constraints] = {
        **NetworkPredictor._parameter_constraints,
        "class_weight": [StrOptions({"balanced"}), None],
    }

    _: KW_ONLY
    class_weight: Literal["balanced"] | None = None
    classes_: NDArray[Any] = field(init=False)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the most probable class of each sample.

        Parameters
        ----------
        X : pairs of shape (n_samples, 2), or sentences of shape (n_samples,)
            The samples to classify.

        Returns
        -------
        ndarray of shape (n_samples,)
            Values of ``classes_``.
        """
        numbers = self.predict_proba(X).argmax(axis=1)  # checks first that it is fitted
        return self.classes_[numbers]

    def predict_proba(self, X: Any) -> Floats:
        """Predict the probability of each class.

        Parameters
        ----------
        X : pairs of shape (n_samples, 2), or sentences of shape (n_samples,)
            The samples to classify.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), float64
            Rows sum to one; columns are in the order of ``classes_``.
        """
        outputs = self._outputs(X)
        return learning.ClassLoss(len(self.classes_)).probabilities(outputs)

    def _from_file(self, attributes: Attributes) -> None:
        self.classes_ = attributes.pop("classes_")
        if getattr(self.classes_, "ndim", 0) != 1:
            raise ValueError(f"classes_ is {self.classes_!r:.60}, not an array of classes")
        super()._from_file(attributes)

    def _loss(self, parameters: Attributes, labels: NDArray[Any]) -> learning.ClassLoss:
        # Classes absent from these labels (held out, or unseen in a warm start) get weight 0.
        present = np.unique(labels)
        weights = np.zeros(len(self.classes_))
        weights[present] = compute_class_weight(self.class_weight, classes=present, y=labels)
        return learning.ClassLoss(len(weights), weights)

    def _check_labels(self, y: ArrayLike, samples: Objects, *, reset: bool) -> NDArray[Any]:
        """Return the numbers of the labels' classes; ``fit`` sets ``classes_``."""
        name = type(self).__name__
        if y is None:
            raise ValueError(f"{name} requires y to be passed, but the target y is None.")
        labels = check_labels(y)
        check_length(samples, labels, "y")
        if reset and not self._is_warm():
            classes, numbers = np.unique(labels, return_inverse=True)
            if len(classes) < 2:
                raise ValueError(
                    f"y has one class, {classes[0]!r}, in all rows; {name} needs samples of at "
                    "least 2 classes."
                )
            self.classes_ = classes
            return numbers
        number_of = {label: number for number, label in enumerate(self.classes_.tolist())}
        unknown = [i for i, label in enumerate(labels.tolist()) if label not in number_of]
        if unknown:
            remedy = (
                "Set warm_start=False to learn other classes."
                if reset
                else "Remove it from the validation set, or add samples of it to X."
            )
            raise ValueError(
                f"y[{unknown[0]}] = {labels[unknown[0]]!r} is not one of the classes "
                f"{self.classes_.tolist()}. {remedy}"
            )
        return np.array([number_of[label] for label in labels.tolist()])
