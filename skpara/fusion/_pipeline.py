"""The whole system as one pipeline."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import FeatureUnion, Pipeline

from skpara.encoders import ParagramEncoder
from skpara.encoders._teacher import RememberingModel
from skpara.features import LexicalFeatures
from skpara.fusion._regressor import FusionRegressor


def make_sts_pipeline(
    encoder: Any = None,
    lexical: Any = None,
    regressor: Any = None,
    *,
    paraphraser: Any = "copy",
    teacher: Any = None,
    random_state: Any = None,
    verbose: int = 0,
) -> Pipeline:
    """Sentence pairs in, similarity scores out: the fusion system as one pipeline.

    The similarities of a task-internal and of a synthetic encoder, and lexical features (the
    cosine of the untuned vectors, ``sum_w2v``, among them), joined by gradient boosting and a
    linear model.

    ``fit(pairs, scores, features__unlabeled=sentences)`` adapts it to the sentences that are to
    be scored: document frequencies are counted over them, too, the synthetic encoder learns from
    their paraphrases, and the teacher says how near they are. No score of theirs is needed. With
    scikit-learn's metadata routing switched on, it is ``fit(pairs, scores, unlabeled=sentences)``.
    ``fusion__groups=`` names the data set of each pair, see :meth:`FusionRegressor.fit`.

    Parameters
    ----------
    encoder : transformer, default=None
        None is a ``ParagramEncoder`` with ``cross_fit=5``, so that the regressor sees similarities
        of encoders that did not train on the pair, and with the settings that did best on STS
        2013, 2014 and 2015: hardest negatives, AdaGrad, a margin of 0.4.
    lexical : transformer, default=None
        None is ``LexicalFeatures()``.
    regressor : regressor, default=None
        None is ``FusionRegressor()``.
    paraphraser : PivotParaphraser, "copy" or None, default="copy"
        What the synthetic encoder learns from besides, see :class:`ParagramEncoder`; the paper's
        is ``PivotParaphraser(["es"])``, which needs Apertium. None leaves this encoder out.
    teacher : path, str, or object with ``encode``, default=None
        A transformer, or another better model of sentences, needed at ``fit`` only. It moves the
        vectors of the synthetic encoder before that learns from pairs, and those of a third
        encoder, which learns from nothing else.
    random_state : int or None, default=None
        Given to the default encoders and regressor.
    verbose : int, default=0
        1 shows the encoders' progress.

    Returns
    -------
    Pipeline
        With the steps ``features`` (a union of ``encoder``, ``synthetic``, ``taught`` and
        ``lexical``) and ``fusion``. ``set_params(features__synthetic="drop")`` leaves one out, or
        puts another in its place.

    References
    ----------
    C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram
    embeddings for semantic textual similarity. SemEval.

    Examples
    --------
    >>> from skpara import make_sts_pipeline
    >>> from skpara.datasets import load_sts_sample
    >>> pairs, scores = load_sts_sample(return_X_y=True)
    >>> model = make_sts_pipeline(random_state=0)
    >>> model = model.fit(pairs[:100], scores[:100], features__unlabeled=pairs[100:].ravel())
    >>> model.predict([("A man plays a guitar.", "Someone is playing music.")]).shape
    (1,)
    """
    if isinstance(teacher, RememberingModel) or teacher is None:
        remembered = teacher
    else:
        remembered = RememberingModel(teacher)
    common = {
        "negatives": "hardest",
        "optimizer": "adagrad",
        "random_state": random_state,
        "verbose": verbose,
    }
    if encoder is None:
        encoder = ParagramEncoder(
            learning_rate=0.005, margin=0.4, max_iter=6, cross_fit=5, **common
        )
    parts = [("encoder", encoder)]
    if paraphraser is not None:
        synthetic = ParagramEncoder(
            learning_rate=0.001,
            word_dropout=0.2,
            max_iter=25,
            paraphraser=paraphraser,
            paraphrased="unlabeled",
            teacher=remembered,
            cross_fit=5,
            **common,
        )
        parts.append(("synthetic", synthetic))
    if teacher is not None:
        taught = ParagramEncoder(teacher=remembered, max_iter=0, **common)
        parts.append(("taught", taught))
    parts.append(("lexical", LexicalFeatures() if lexical is None else lexical))
    if regressor is None:
        regressor = FusionRegressor(random_state=random_state)
    return Pipeline([("features", FeatureUnion(parts)), ("fusion", regressor)])
