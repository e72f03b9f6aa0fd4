"""load_pair_classifier: a classifier of pairs that needs no labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.pipeline import FeatureUnion

from skpara.encoders import ParagramEncoder
from skpara.features import LexicalFeatures
from skpara.fusion._classifier import FusionClassifier
from skpara.fusion._pipeline import PairPipeline

# Learned from STS Benchmark; its scores are licensed under CC BY-SA 4.0.
_NUMBERS = Path(__file__).with_name("pair_classifiers.json")


def load_pair_classifier(features: str = "fast") -> PairPipeline:
    """Load the packaged classifier: the probability that two sentences mean the same.

    It is fitted and needs no labels. A logistic regression on the cosine of the packaged vectors,
    or on it and ten lexical features, was learned from STS Benchmark (headlines, captions, forum
    posts and news, with scores of at least 3 as the same meaning) and is calibrated on its
    sources left out in turn. Data sets differ in how often sentences mean the same, and in their
    notion of it: probabilities are off by .04 to .10 on questions, news and tweets. With a few
    hundred labels, :func:`make_pair_classifier` is better.

    Parameters
    ----------
    features : {"fast", "cosine"}, default="fast"
        "cosine" is the cosine alone. "fast" adds features of numbers, negations and aligned
        words.

    Returns
    -------
    PairPipeline
        The fitted pipeline. Its classes are "different" and "same". It can be passed to
        :class:`~skpara.SentenceMatcher`, saved and explained like one with labels.

    References
    ----------
    D. Cer, M. Diab, E. Agirre, I. Lopez-Gazpio, L. Specia (2017). SemEval-2017 Task 1: semantic
    textual similarity, multilingual and crosslingual focused evaluation. SemEval.

    Examples
    --------
    >>> from skpara import load_pair_classifier
    >>> model = load_pair_classifier()
    >>> pairs = [("Stocks fell today.", "Stocks dropped today."), ("It rains.", "A cat sleeps.")]
    >>> model.predict(pairs).tolist()
    ['same', 'different']
    """
    packaged: dict[str, Any] = json.loads(_NUMBERS.read_text("utf-8"))
    if features not in packaged:
        raise ValueError(f"features must be one of {', '.join(packaged)}, got {features!r}.")
    numbers = packaged[features]
    parts: list[tuple[str, Any]] = [("encoder", ParagramEncoder(max_iter=0))]
    if numbers["features"]:
        parts.append(("lexical", LexicalFeatures(numbers["features"])))
    union = FeatureUnion(parts)
    # Any pair will do: nothing is learned from it.
    union.fit(np.array([["a", "b"]], dtype=object))
    classifier = FusionClassifier()
    classifier.classes_ = np.array(["different", "same"])
    classifier.estimators_ = []
    classifier.columns_ = np.empty(0, dtype=np.intp)
    classifier.weights_ = np.empty((1, 0))
    classifier.coef_ = np.array([numbers["coef"]])
    classifier.intercept_ = np.array([numbers["intercept"]])
    classifier.curve_ = np.array(numbers["curve"], dtype=np.float64)
    classifier.n_features_in_ = len(numbers["coef"])
    return PairPipeline([("features", union), ("classifier", classifier)])
