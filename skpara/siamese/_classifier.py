"""A network that reads both sentences of a pair and predicts their class."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import ClassVar

from skpara._pairs import PairEstimatorMixin
from skpara._public import set_module, with_fields
from skpara._typing import Attributes, Constraints
from skpara._validation import COUNT
from skpara.networks import Network, Siamese
from skpara.siamese._base import NetworkClassifier


@set_module("skpara", trusted=True)
@with_fields
class SiameseClassifier(PairEstimatorMixin, NetworkClassifier):
    """Classes of pairs from a network that reads both sentences with the same weights.

    The network turns each sentence into a vector. With the vectors u and v of a pair, ``u - v``,
    ``|u - v|`` and ``u * v`` go through a dense layer and a softmax to one probability for each
    class. All of it, word vectors included, is trained by cross entropy on labeled pairs. Classes
    may be anything that scikit-learn takes as classes, such as "ENTAILMENT" and "NEUTRAL", or 0
    and 1.

    Parameters
    ----------
    network : str or Network, default="average"
        How word vectors become a sentence vector: "average", "lstm", "gran" or any other of
        ``skpara.networks`` that reads words. A name stands for the network with
        ``dropout=0.3``.
    vectors : "default", "multilingual", path, KeyedVectors, mapping, WordVectors, encoder or \
Start, default="default"
        Initial word vectors, or a fitted encoder to start from, as for
        :class:`SiameseRegressor`: plain vectors are scaled to a mean length of 12.
    max_length : int or None, default=None
        Tokens of a sentence that are read; the rest is cut off. None reads all.
    trainable_vectors : bool, default=True
        Whether word vectors are trained.
    word_decay : float, default=0.0
        Weight of the squared distance to the initial vectors (lambda_w in the papers), over the
        rows that a batch uses. Character n-grams are pulled towards zero.
    network_decay : float, default=0.0001
        Weight of the squared norm of the network's weights (lambda_c in the papers); matrices that
        start as the identity are pulled towards the identity.
    optimizer : {"adadelta", "adagrad", "adam"} or object, default="adam"
        A name, or an :class:`~skpara.learning.AdaDelta`, :class:`~skpara.learning.AdaGrad` or
        :class:`~skpara.learning.Adam` with another learning rate.
    batch_size : int, default=25
        Number of pairs per batch (per process in distributed training).
    max_iter : int, default=10
        Epochs over the pairs.
    early_stopping : bool, default=False
        Hold out some of the pairs, and after each epoch compute the mean logarithm of the
        probability of their right classes; stop when it no longer improves and keep the best
        state. A ``validation`` set passed to ``fit`` switches this on with that set.
    validation_fraction : float, default=0.1
        Fraction of the pairs held out by ``early_stopping``.
    n_iter_no_change : int, default=3
        Epochs without improvement after which training stops.
    warm_start : bool, default=False
        Whether ``fit`` continues from the last fit.
    device : {"auto", "cpu", "cuda", "cuda:<number>", "mps"} or Device, default="auto"
        Device of torch; a :class:`~skpara.learning.Device` also sets the precision. Results
        and fitted state are NumPy arrays in any case. A model fitted on a GPU warns and uses the
        CPU where there is no GPU.
    random_state : int, RandomState or None, default=None
        Determines initial weights, order of the samples, negatives, dropout and what is held out.
    verbose : int, default=0
        1 shows a progress bar.
    class_weight : {"balanced"} or None, default=None
        "balanced" weights each class by the inverse of its frequency.
    dense_size : int, default=50
        Units of the dense layer.
    symmetric : bool, default=False
        Whether the order of the two sentences is ignored by leaving out ``u - v``, as by Wieting
        and others (2016). It does not matter for paraphrases, but does for entailment.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
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

    See Also
    --------
    SiameseRegressor : The same for scores.
    SentenceClassifier : The same for single sentences.

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.

    Examples
    --------
    >>> from skpara import SiameseClassifier
    >>> from skpara.datasets import load_sts_sample
    >>> X, y = load_sts_sample(return_X_y=True)
    >>> labels = ["paraphrase" if score >= 4 else "other" for score in y]
    >>> model = SiameseClassifier(symmetric=True, max_iter=2, random_state=0).fit(X, labels)
    >>> model.classes_.tolist()
    ['other', 'paraphrase']
    >>> model.predict_proba(X[:3]).shape
    (3, 2)
    """

    _: KW_ONLY
    dense_size: int = 50
    symmetric: bool = False

    _parameter_constraints: ClassVar[Constraints] = {
        **NetworkClassifier._parameter_constraints,
        "dense_size": [COUNT],
        "symmetric": ["boolean"],
    }
    _fixed_by_fit = ("max_length", "dense_size", "symmetric")

    def _with_head(self, network: Network, parameters: Attributes) -> Siamese:
        size = parameters["dense_size"]
        symmetric = parameters["symmetric"]
        return Siamese(network, "dense", size, len(self.classes_), symmetric)
