"""Groups of parameters that estimators take as one: a name, or a configured object.

``optimizer="adam"`` is ``optimizer=Adam()``. The fields of an object are ordinary parameters, so a
search reaches them by nested names: ``optimizer__gradient_clip``. Torch is not imported here.
"""

from __future__ import annotations

import os
import re
from numbers import Integral, Real
from typing import Any, ClassVar, Self, TypeVar

from sklearn import get_config
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from skpara._defaults import DefaultsMixin
from skpara._docstrings import fill_docstring
from skpara._public import set_module

C = TypeVar("C", bound=type)


class _DeviceName(StrOptions):
    """The names of devices; a GPU can have a number."""

    def __init__(self) -> None:
        super().__init__({"auto", "cpu", "cuda", "cuda:<number>", "mps"})

    def is_satisfied_by(self, val: Any) -> bool:
        pattern = r"auto|cpu|mps|cuda(:\d+)?"
        return isinstance(val, str) and re.fullmatch(pattern, val) is not None


class Parameters(DefaultsMixin, BaseEstimator):
    """Base of the parameter objects."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {}

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
        parameters = value if isinstance(value, cls) else cls(value, **defaults)
        # Within fit, scikit-learn has validated the estimator's own parameters only.
        if not get_config()["skip_parameter_validation"]:
            parameters._validate_params()
        return parameters


class Optimizer(Parameters):
    """Base of the optimizers.

    All of them touch only the word vectors that a batch uses, so that the cost of a step does not
    grow with the vocabulary.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "gradient_clip": [Interval(Real, 0, None, closed="neither"), None]
    }
    default_learning_rate: ClassVar[float]

    def __init__(self, gradient_clip: float | None = None) -> None:
        self.gradient_clip = gradient_clip


@set_module("skpara.learning", trusted=True)
class AdaDelta(Optimizer):
    """AdaDelta (Zeiler 2012, arXiv:1212.5701), with a decay of .95 and a learning rate of 1.

    Parameters
    ----------
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

    default_learning_rate = 1.0  # the method sets its own step sizes; Zeiler has no learning rate


@set_module("skpara.learning", trusted=True)
class AdaGrad(Optimizer):
    """AdaGrad (Duchi, Hazan and Singer 2011, JMLR 12); the default learning rate is 0.05.

    Parameters
    ----------
    gradient_clip : float, default=None
        Largest norm of a batch's gradient; see :class:`AdaDelta`.
    """

    default_learning_rate = 0.05


@set_module("skpara.learning", trusted=True)
class Adam(Optimizer):
    """Adam (Kingma and Ba 2015, ICLR); the default learning rate is 0.001.

    Parameters
    ----------
    gradient_clip : float, default=None
        Largest norm of a batch's gradient; see :class:`AdaDelta`.
    """

    default_learning_rate = 1e-3


@set_module("skpara.learning", trusted=True)
class Negatives(Parameters):
    """Negative examples of the margin objective, drawn again for every batch.

    Parameters
    ----------
    kind : {"random", "hardest", "mix"}, default="random"
        Any sentence of another pair, the most similar one, or either of them with even odds.
    megabatch_size : int, default=1
        Number of batches whose sentences are the candidates for "hardest" and "mix" (Wieting and
        Gimpel 2018, ACL).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "kind": [StrOptions({"random", "hardest", "mix"})],
        "megabatch_size": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, kind: str = "random", megabatch_size: int = 1) -> None:
        self.kind = kind
        self.megabatch_size = megabatch_size


# Of models of sentences: see Teacher.
WHITENING_CONSTRAINTS: dict[str, Any] = {
    "number_weight": [Interval(Real, 0, None, closed="left")],
    "whitening": [Interval(Real, 0, 1, closed="both"), StrOptions({"auto"})],
}


@set_module("skpara.learning", trusted=True)
class Teacher(Parameters):
    """A better model of sentences, and how to learn from it.

    Parameters
    ----------
    model : path, str, or object with ``encode``
        Such as a model of sentence-transformers: its folder, or the object.
    max_iter : int, default=20
        Epochs over the sentences.
    number_weight : float, default=0.4
        A model hardly tells "14 cents" from "93 cents". A random direction for each number of a
        sentence, times this weight, is added to its centered unit vector, in dimensions of their
        own.
        Use 0 for an encoder of skpara, whose word vectors have this already.
    whitening : "auto" or float, default="auto"
        Degree of whitening, from 0 (none) to 1, which takes weight from the directions that many
        sentences share: the model's unit vectors are centered, and the singular values s of those
        of all sentences become s ** (1 - whitening). "auto" is 0.25 where this brings the model's
        cosines closer to the scores passed to ``fit``, else 0: it helps with sentences of many
        kinds, and harms with those of one kind, such as the captions of SICK.

    References
    ----------
    W. Park, D. Kim, Y. Lu, M. Cho (2019). Relational knowledge distillation. CVPR.

    J. Su, J. Cao, W. Liu, Y. Ou (2021). Whitening sentence representations for better semantics
    and faster retrieval. arXiv:2103.15316.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "model": [str, os.PathLike, HasMethods("encode")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        **WHITENING_CONSTRAINTS,
    }

    def __init__(
        self,
        model: Any,
        max_iter: int = 20,
        number_weight: float = 0.4,
        whitening: float | str = "auto",
    ) -> None:
        self.model = model
        self.max_iter = max_iter
        self.number_weight = number_weight
        self.whitening = whitening


@set_module("skpara.learning", trusted=True)
class Paraphraser(Parameters):
    """What makes paraphrases to learn from, and of which sentences.

    Parameters
    ----------
    source : object with ``pairs(sentences)``, or "copy", default="copy"
        Such as :class:`skpara.augment.PivotParaphraser`. "copy" pairs each sentence with itself:
        dropout makes the two differ (Gao et al. 2021), and no translator is needed.
    sentences : {"all", "unlabeled"}, default="all"
        Which sentences are paraphrased: those of ``X`` and the unlabeled ones, or only the
        latter, as Hokamp and Arora (2016) did.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "source": [HasMethods("pairs"), StrOptions({"copy"})],
        "sentences": [StrOptions({"all", "unlabeled"})],
    }

    def __init__(self, source: Any = "copy", sentences: str = "all") -> None:
        self.source = source
        self.sentences = sentences


@set_module("skpara.learning", trusted=True)
class Start(Parameters):
    """Where training starts, and what regularization pulls towards.

    Parameters
    ----------
    vectors : "default", "multilingual", path, KeyedVectors, mapping, WordVectors or encoder, \
default="default"
        Initial word vectors, see :meth:`skpara.WordVectors.load`; or a fitted encoder, or the path
        of a saved one, of which the weights are used too where the network is of the same class.
    norm : float, default=None
        The initial vectors are multiplied by one number, so that this becomes their mean length.
        None leaves them as they are.
    decay_target : encoder or path, default=None
        Fitted encoder that ``word_decay`` and ``network_decay`` pull vectors and weights towards.
        None is the initial vectors, and weights of zero (matrices that start as the identity: the
        identity).

    Notes
    -----
    ``clone``, and with it every search, unfits an encoder: wrap it in scikit-learn's
    ``FrozenEstimator``, or give the path that its ``save`` wrote.

    Examples
    --------
    >>> from sklearn.frozen import FrozenEstimator
    >>> from skpara import ParagramEncoder
    >>> from skpara.learning import Start
    >>> pairs = [("a big dog", "a large dog"), ("he sings", "he is singing")]
    >>> general = FrozenEstimator(ParagramEncoder().fit(pairs))
    >>> special = ParagramEncoder(vectors=Start(general, decay_target=general), word_decay=0.01)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "vectors": "no_validation",
        "norm": [Interval(Real, 0, None, closed="neither"), None],
        "decay_target": "no_validation",
    }

    def __init__(
        self, vectors: Any = "default", norm: float | None = None, decay_target: Any = None
    ) -> None:
        self.vectors = vectors
        self.norm = norm
        self.decay_target = decay_target


@set_module("skpara.learning", trusted=True)
class Device(Parameters):
    """Where torch computes, and how precisely.

    Parameters
    ----------
    name : {"auto", "cpu", "cuda", "cuda:<number>", "mps"}, default="auto"
        "auto" is CUDA, then MPS, then the CPU, whichever is available; for the average, which is
        trained without torch, the CPU. Of several GPUs, "cuda" is the current one of torch, and
        "cuda:1", for example, is the second one.
    precision : {"float32", "bfloat16"}, default="float32"
        Of the network's matrix products. "bfloat16" takes half the memory and is faster where the
        hardware supports it; weights, word vectors, recurrences and the loss stay float32.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "name": [_DeviceName()],
        "precision": [StrOptions({"float32", "bfloat16"})],
    }

    def __init__(self, name: str = "auto", precision: str = "float32") -> None:
        self.name = name
        self.precision = precision


_OPTIMIZERS: dict[str, type[Optimizer]] = {
    "adadelta": AdaDelta,
    "adagrad": AdaGrad,
    "adam": Adam,
}


def as_optimizer(optimizer: str | Optimizer | None) -> Optimizer:
    """Return the optimizer of a name, or AdaGrad; a configured one is validated and returned."""
    if optimizer is None:
        return AdaGrad()
    return Optimizer.of(_OPTIMIZERS[optimizer]() if isinstance(optimizer, str) else optimizer)


# Constraints shared by all estimators that train a network; scikit-learn reads one dict a class.
TRAINING_CONSTRAINTS: dict[str, Any] = {
    "vectors": "no_validation",
    "word_decay": [Interval(Real, 0, None, closed="left")],
    "network_decay": [Interval(Real, 0, None, closed="left")],
    "optimizer": [StrOptions(set(_OPTIMIZERS)), *_OPTIMIZERS.values()],
    "learning_rate": [Interval(Real, 0, None, closed="neither"), None],
    "early_stopping": ["boolean"],
    "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
    "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
    "warm_start": ["boolean"],
    "device": [_DeviceName(), Device],
    "random_state": ["random_state"],
    "verbose": ["verbose"],
}


# The text of each parameter and attribute that several estimators have. `{default}` is filled in
# from the signature of the class, so that text and default cannot contradict each other.
_DOCS = {
    "word_decay": """word_decay : float, default={default}
    Weight of the squared distance to the initial vectors (lambda_w in the papers), over the rows
    that a batch uses. Character n-grams are pulled towards zero.""",
    "network_decay": """network_decay : float, default={default}
    Weight of the squared norm of the network's weights (lambda_c in the papers); matrices that
    start as the identity are pulled towards the identity.""",
    "optimizer": """optimizer : {{"adadelta", "adagrad", "adam"}} or object, default={default}
    See :class:`~skpara.learning.AdaDelta`, :class:`~skpara.learning.AdaGrad` and
    :class:`~skpara.learning.Adam`, whose ``gradient_clip`` bounds a step.""",
    "learning_rate": """learning_rate : float, default={default}
    None is the optimizer's default: 1.0 for AdaDelta, 0.05 for AdaGrad, 0.001 for Adam.""",
    "output": """output : {{"similarity", "interaction", "both"}}, default={default}
    What ``transform`` returns for pairs: the cosine; ``|u - v|`` and ``u * v`` of the unit
    vectors; or all of them.""",
    "cross_fit": """cross_fit : int, default={default}
    Number of folds. If set, ``fit_transform`` gives each pair the features of a model that was
    not trained on it, as scikit-learn's ``TargetEncoder`` does, so that a regressor does not
    learn to trust similarities more than it should.""",
    "validation_fraction": """validation_fraction : float, default={default}
    Fraction of the pairs held out by ``early_stopping``.""",
    "n_iter_no_change": """n_iter_no_change : int, default={default}
    Epochs without improvement after which training stops.""",
    "warm_start": """warm_start : bool, default={default}
    Whether ``fit`` continues from the last fit.""",
    "device": """device : {{"auto", "cpu", "cuda", "cuda:<number>", "mps"}} or Device, \
default={default}
    Where torch computes; a :class:`~skpara.learning.Device` also sets the precision. Results
    and fitted state are NumPy arrays in any case. A model fitted on a GPU warns and uses the
    CPU where there is no GPU.""",
    "random_state": """random_state : int, RandomState or None, default={default}
    Determines initial weights, order of the samples, negatives, dropout and what is held out.""",
    "verbose": """verbose : int, default={default}
    1 shows a progress bar.""",
    "training_attributes": """vectors_ : WordVectors
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
    Number of complete epochs.""",
}
_DOCS["attributes"] = (
    _DOCS["training_attributes"]
    + """
n_features_in_ : int
    Always 2.
feature_names_in_ : ndarray of str, shape (2,)
    Column names, where ``X`` was a frame."""
)


def document_parameters(cls: C) -> C:
    """Fill in the shared parts of a class's docstring: a line ``%(name)s`` for each."""
    return fill_docstring(cls, _DOCS)
