"""load_pair_classifier: a classifier of pairs that needs no labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.pipeline import FeatureUnion

from skpara._validation import check_share
from skpara.encoders import ParagramEncoder
from skpara.features import LexicalFeatures
from skpara.fusion._classifier import FusionClassifier
from skpara.fusion._pipeline import PairPipeline
from skpara.saving import trees_from_numbers

# examples/builders/build_pair_classifier.py learns them.
_NUMBERS = Path(__file__).with_name("pair_classifier.json")


def load_pair_classifier(*, base_rate: float | None = None) -> PairPipeline:
    """Load the packaged classifier: the probability that two sentences mean the same.

    The classifier is fitted, and needs no labels. Gradient boosting reads the cosine of the
    packaged vectors, some lexical features, and differences that change the meaning: a different
    number, name or time, a negation, an opposite, swapped roles. It was trained on questions,
    news, tweets and captions labeled by people, on simplified sentences, and on synthetic pairs.
    Probabilities are calibrated on data sets that were left out in turn. They may be off by .1 on
    yours, as data sets differ in what "the same" means and in how often it occurs. With a few
    hundred labels, :func:`make_pair_classifier` is better.

    Parameters
    ----------
    base_rate : float, default=None
        Share of your pairs that mean the same, between 0 and 1, if you know it. If the share is
        .05, only a third of the pairs with a probability of .9 mean the same, unless you set it.
        None is the share in the training data, nearly one half.

    Returns
    -------
    PairPipeline
        The fitted pipeline. Its classes are "different" and "same". It can be passed to
        :class:`~skpara.TableMatcher`, saved and explained like one with labels.

    Examples
    --------
    >>> from skpara import load_pair_classifier
    >>> model = load_pair_classifier()
    >>> pairs = [("Stocks fell today.", "Stocks dropped today."), ("Stocks fell.", "Stocks rose.")]
    >>> model.predict(pairs).tolist()
    ['same', 'different']
    """
    if base_rate is not None:
        check_share("base_rate", base_rate)
    numbers: dict[str, Any] = json.loads(_NUMBERS.read_text("utf-8"))
    parts = [("encoder", ParagramEncoder(max_iter=0, output="similarity"))]
    union = FeatureUnion([*parts, ("lexical", LexicalFeatures(numbers["features"]))])
    # Any pair will do: nothing is learned from it.
    union.fit(np.array([["a", "b"]], dtype=object))
    classifier = FusionClassifier(base_rate=base_rate)
    classifier.classes_ = np.array(["different", "same"])
    classifier.n_features_in_ = 1 + len(numbers["features"])
    classifier.columns_ = np.arange(classifier.n_features_in_)
    classifier.estimators_ = [trees_from_numbers(numbers, classifier.n_features_in_)]
    classifier.weights_ = np.array([[numbers["weight"]]])
    classifier.coef_ = np.zeros((1, classifier.n_features_in_))
    classifier.intercept_ = np.array([numbers["intercept"]])
    classifier.curve_ = np.array(numbers["curve"], dtype=np.float64)
    return PairPipeline([("features", union), ("classifier", classifier)])
