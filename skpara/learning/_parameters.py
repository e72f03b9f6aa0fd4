"""Parameters that are objects of parameters.

``optimizer="adam"`` is ``optimizer=Adam()``. The fields of an object are ordinary parameters, so a
search reaches them by nested names: ``optimizer__gradient_clip``. Torch is not imported here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import KW_ONLY
from numbers import Real
from typing import Any, ClassVar, Literal, Self

from sklearn import get_config
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from skpara._compatibility import DefaultsMixin
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator
from skpara._typing import Attributes, Constraints, OptimizerName
from skpara._validation import COUNT, FRACTION, NOT_NEGATIVE, POSITIVE, SHARE
from skpara.networks import Average, as_network


class _DeviceName(StrOptions):
    """The names of devices; a GPU can have a number."""

    def __init__(self) -> None:
        super().__init__({"auto", "cpu", "cuda", "cuda:<number>", "mps"})

    def is_satisfied_by(self, val: Any) -> bool:
        pattern = r"auto|cpu|mps|cuda(:\d+)?"
        return isinstance(val, str) and re.fullmatch(pattern, val) is not None


class Parameters(DefaultsMixin, BaseEstimator):
    """Base of the parameter objects."""

    _parameter_constraints: ClassVar[Constraints] = {}

    @classmethod
    def of(cls, value: Any, **defaults: Any) -> Self:
        """Return a configured object, made of a plain value where it is not one already.

        Parameters
        ----------
        value : object
            A configured object is validated and returned as it is. Anything else becomes the
            first field of a new object.
        **defaults
            More fields of a new object.
        """
        make: Callable[..., Self] = cls  # of a subclass, which has fields
        parameters = value if isinstance(value, cls) else make(value, **defaults)
        # Within fit, scikit-learn has validated the estimator's own parameters only.
        if not get_config()["skip_parameter_validation"]:
            parameters._validate_params()
        return parameters


@with_fields
class Optimizer(Parameters):
    """Base of the optimizers.

    All of them touch only the word vectors that a batch uses, so that the cost of a step does not
    grow with the vocabulary.
    """

    learning_rate: float
    _: KW_ONLY
    gradient_clip: float | None = None

    _parameter_constraints: ClassVar[Constraints] = {
        "learning_rate": [POSITIVE],
        "gradient_clip": [POSITIVE, None],
    }


@set_module("skpara.learning", trusted=True)
@with_fields
class AdaDelta(Optimizer):
    """AdaDelta (Zeiler 2012, arXiv:1212.5701), with a decay of .95.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor of the step sizes that the method sets itself.
    gradient_clip : float, default=None
        Largest norm of a batch's gradient, over word vectors and weights together. A larger one
        is scaled down to it.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.learning import AdaDelta
    >>> encoder = ParagramEncoder(optimizer=AdaDelta(gradient_clip=1.0))
    >>> encoder.get_params()["optimizer__gradient_clip"]
    1.0
    """

    learning_rate: float = 1.0


@set_module("skpara.learning", trusted=True)
@with_fields
class AdaGrad(Optimizer):
    """AdaGrad (Duchi, Hazan and Singer 2011, JMLR 12).

    Parameters
    ----------
    learning_rate : float, default=0.05
        Step size before it is scaled.
    gradient_clip : float, default=None
        Largest norm of a batch's gradient; see :class:`AdaDelta`.
    """

    learning_rate: float = 0.05


@set_module("skpara.learning", trusted=True)
@with_fields
class Adam(Optimizer):
    """Adam (Kingma and Ba 2015, ICLR).

    Parameters
    ----------
    learning_rate : float, default=0.001
        Step size before it is scaled.
    gradient_clip : float, default=None
        Largest norm of a batch's gradient; see :class:`AdaDelta`.
    """

    learning_rate: float = 0.001


@set_module("skpara.learning", trusted=True)
@with_fields
class Negatives(Parameters):
    """Negative examples of the margin objective, drawn again for every batch.

    Parameters
    ----------
    kind : {"random", "hardest", "mix"}, default="random"
        Any sentence of another pair, the most similar one, or either of them with even odds.
    megabatch_size : int, default=1
        Number of batches whose sentences are the candidates for "hardest" and "mix" (Wieting and
        Gimpel 2018, ACL).
    margin : float, default=0.8
        By how much the cosine of a pair should exceed its cosines with negatives (delta in the
        papers).
    """

    kind: Literal["random", "hardest", "mix"] = "random"
    megabatch_size: int = 1
    _: KW_ONLY
    margin: float = 0.8

    _parameter_constraints: ClassVar[Constraints] = {
        "kind": [StrOptions({"random", "hardest", "mix"})],
        "megabatch_size": [COUNT],
        "margin": [Interval(Real, 0, 2, closed="right")],
    }


# Parameters of estimators and teachers that whiten the vectors of a model.
WHITENING_CONSTRAINTS: Constraints = {
    "number_weight": [NOT_NEGATIVE],
    "whitening": [SHARE, StrOptions({"auto"})],
}


@set_module("skpara.learning", trusted=True)
@with_fields
class Teacher(Parameters):
    """A better model of sentences, and how to learn from it.

    Parameters
    ----------
    model : path, str, or object with ``encode``
        Such as a model of sentence-transformers: its folder, or the object.
    max_iter : int, default=20
        Epochs over the sentences.
    number_weight : float, default=0.4
        Weight of numbers, as models hardly separate "14 cents" and "93 cents": a random direction
        for each number of a sentence, times this weight, is added to its centered unit vector, in
        separate dimensions. Use 0 for an encoder of skpara, whose word vectors have this already.
    whitening : "auto" or float, default="auto"
        Degree of whitening, from 0 (none) to 1, which takes weight from the directions that many
        sentences share: the unit vectors of all sentences are centered, and their singular values
        s become s ** (1 - whitening). "auto" is 0.25 if this brings the model's cosines closer to
        the scores passed to ``fit``, else 0: whitening helps with sentences of many kinds and
        harms with sentences of one kind, such as the captions of SICK.

    References
    ----------
    W. Park, D. Kim, Y. Lu, M. Cho (2019). Relational knowledge distillation. CVPR.

    J. Su, J. Cao, W. Liu, Y. Ou (2021). Whitening sentence representations for better semantics
    and faster retrieval. arXiv:2103.15316.
    """

    model: Any
    max_iter: int = 20
    number_weight: float = 0.4
    whitening: float | Literal["auto"] = "auto"

    _parameter_constraints: ClassVar[Constraints] = {
        "model": [str, os.PathLike, HasMethods("encode")],
        "max_iter": [COUNT],
        **WHITENING_CONSTRAINTS,
    }


@set_module("skpara.learning", trusted=True)
@with_fields
class Paraphraser(Parameters):
    """Source of paraphrases to learn from, and the sentences that it gets.

    Parameters
    ----------
    source : object with ``pairs(sentences)``, or "copy", default="copy"
        Such as :class:`skpara.augment.PivotParaphraser`. "copy" pairs each sentence with itself:
        dropout makes the two differ (Gao et al. 2021), and no translator is needed.
    sentences : {"all", "unlabeled"}, default="all"
        The sentences to paraphrase: both ``X``'s and the unlabeled ones, or only the
        latter, as Hokamp and Arora (2016) did.
    """

    source: Any = "copy"
    sentences: Literal["all", "unlabeled"] = "all"

    _parameter_constraints: ClassVar[Constraints] = {
        "source": [HasMethods("pairs"), StrOptions({"copy"})],
        "sentences": [StrOptions({"all", "unlabeled"})],
    }


@set_module("skpara.learning", trusted=True)
@with_fields
class Start(Parameters):
    """Starting point of training, and target of regularization.

    Parameters
    ----------
    vectors : "default", "multilingual", path, KeyedVectors, mapping, WordVectors or encoder, \
default="default"
        Initial word vectors, see :meth:`skpara.WordVectors.load`; or a fitted encoder, or the path
        of a saved one, whose weights are used too if its network is of the same class.
    norm : float, default=None
        Mean length to which the initial vectors are scaled. None leaves them as they are.
    decay_target : encoder or path, default=None
        Fitted encoder that ``word_decay`` and ``network_decay`` pull vectors and weights towards.
        None is the initial vectors, and weights of zero (matrices that start as the identity: the
        identity).

    Notes
    -----
    ``clone``, and with it every search, unfits an encoder: wrap it in scikit-learn's
    ``FrozenEstimator``, or pass the path of a file of :func:`skpara.save_model`.

    Examples
    --------
    >>> from sklearn.frozen import FrozenEstimator
    >>> from skpara import ParagramEncoder
    >>> from skpara.learning import Start
    >>> pairs = [("a big dog", "a large dog"), ("he sings", "he is singing")]
    >>> general = FrozenEstimator(ParagramEncoder().fit(pairs))
    >>> special = ParagramEncoder(vectors=Start(general, decay_target=general), word_decay=0.01)
    """

    vectors: Any = "default"
    norm: float | None = None
    decay_target: Any = None

    _parameter_constraints: ClassVar[Constraints] = {
        "vectors": "no_validation",
        "norm": [POSITIVE, None],
        "decay_target": "no_validation",
    }


@set_module("skpara.learning", trusted=True)
@with_fields
class Device(Parameters):
    """Device and precision of torch.

    Parameters
    ----------
    name : {"auto", "cpu", "cuda", "cuda:<number>", "mps"}, default="auto"
        "auto" is CUDA where there is a GPU, else the CPU; for the average, which is trained
        without torch, the CPU. Of several GPUs, "cuda" is the current one of torch, and "cuda:1",
        for example, is the second one. "mps" (Apple) has not been tested.
    precision : {"float32", "bfloat16"}, default="float32"
        Precision of the network's matrix products. "bfloat16" takes half the memory and is faster
        where the hardware supports it; weights, word vectors, recurrences and the loss stay
        float32.
    """

    name: str = "auto"
    precision: Literal["float32", "bfloat16"] = "float32"

    _parameter_constraints: ClassVar[Constraints] = {
        "name": [_DeviceName()],
        "precision": [StrOptions({"float32", "bfloat16"})],
    }


_OPTIMIZERS: dict[str, Callable[[], Optimizer]] = {
    "adadelta": AdaDelta,
    "adagrad": AdaGrad,
    "adam": Adam,
}


def as_optimizer(optimizer: OptimizerName | Optimizer) -> Optimizer:
    """Return the optimizer of a name; a configured one is validated and returned."""
    return Optimizer.of(_OPTIMIZERS[optimizer]() if isinstance(optimizer, str) else optimizer)


def current_parameters(parameters: Attributes) -> Attributes:
    """Convert parameters of an estimator in a file of version 0.2.0 to this version's."""
    parameters = dict(parameters)
    margin = parameters.pop("margin", 0.8)
    if "learning_rate" in parameters and parameters.get("network") == "average":
        parameters["network"] = Average(redundancy=0.0)  # as it was then
    rate = parameters.pop("learning_rate", None)
    parameters.pop("whitening", None)
    if margin != 0.8:
        parameters["negatives"] = Negatives.of(parameters["negatives"]).set_params(margin=margin)
    if rate is not None:
        optimizer: Any = parameters.get("optimizer")
        if optimizer is None:
            optimizer = "adagrad" if as_network(parameters["network"]).averages else "adam"
        parameters["optimizer"] = as_optimizer(optimizer).set_params(learning_rate=rate)
    return parameters


# Constraints shared by all estimators that train a network; scikit-learn reads one dict per class.
TRAINING_CONSTRAINTS: Constraints = {
    "network": [str, HasMethods("build")],
    "vectors": "no_validation",
    "word_decay": [NOT_NEGATIVE],
    "network_decay": [NOT_NEGATIVE],
    "optimizer": [StrOptions(set(_OPTIMIZERS)), *_OPTIMIZERS.values()],
    "batch_size": [COUNT],
    "max_iter": [COUNT],
    "early_stopping": ["boolean"],
    "validation_fraction": [FRACTION],
    "n_iter_no_change": [COUNT],
    "warm_start": ["boolean"],
    "device": [_DeviceName(), Device],
    "random_state": ["random_state"],
    "verbose": ["verbose"],
}
