"""The whole systems as pipelines, for scores and for classes."""

from __future__ import annotations

from typing import Any, Literal

from sklearn.pipeline import FeatureUnion

from skpara._messages import warn_of_unused
from skpara._validation import check_score_range
from skpara.encoders import CachedModel, ParagramEncoder
from skpara.features import LexicalFeatures, TermInteractions
from skpara.fusion._classifier import FusionClassifier
from skpara.fusion._pipeline import PairPipeline
from skpara.fusion._regressor import FusionRegressor
from skpara.learning import AdaGrad, Paraphraser, Teacher
from skpara.networks import Average

# Folds of the encoders, which take the time of two more fits. Five are not more accurate; without
# folds, the regressor trusts cosines of pairs that the encoder was trained on.
_N_FOLDS = 3


def _lexical_features(lexical: Any) -> Any:
    """Return what stands in a union: what was passed, or a transformer of all features."""
    if lexical is None:
        return LexicalFeatures(["all", "contrast", "unmatched"])
    return _transformer("lexical", lexical, "LexicalFeatures")


def _transformer(name: str, value: Any, usual: str) -> Any:
    if isinstance(value, str) and value not in ("drop", "passthrough"):
        raise TypeError(f"{name} must be a transformer, such as {usual}({value!r}).")
    return value


def make_sts_pipeline(
    encoder: Any = None,
    lexical: Any = None,
    regressor: Any = None,
    *,
    paraphraser: Any = None,
    teacher: Any = None,
    positive_threshold: float | Literal["auto"] | None = None,
    score_range: tuple[float, float] | None = None,
    intervals: bool = False,
    random_state: Any = None,
    verbose: int = 0,
) -> PairPipeline:
    """Build the whole fusion system as one pipeline, from sentence pairs to similarity scores.

    An encoder learns similarities from the scores, and lexical features compare the words of a
    pair. Gradient boosting and a linear model turn these numbers into a score.

    ``fit(pairs, scores, unlabeled=new_pairs)`` adapts the pipeline to pairs that you will score:
    document frequencies include their sentences. With a ``paraphraser``, a second encoder, the
    synthetic one, also learns from paraphrases of these sentences. With a ``teacher``, encoders
    learn its similarities of these sentences. This helps if the new pairs are unlike the training
    pairs.

    Parameters
    ----------
    encoder : transformer, default=None
        Task-internal encoder. None is ``ParagramEncoder(output="similarity", cross_fit=3)``: the
        regressor sees similarities of encoders that did not train on the pair.
    lexical, regressor : estimator, default=None
        Lexical features, and the regressor from features to scores. None is
        ``LexicalFeatures(["all", "contrast", "unmatched"])``, which recognizes opposites, and
        ``FusionRegressor()``. ``LexicalFeatures()`` is faster.
    paraphraser : PivotParaphraser, "copy" or None, default=None
        Adds the synthetic encoder, which learns from paraphrases of ``unlabeled`` sentences, see
        :class:`ParagramEncoder`. The paper uses ``PivotParaphraser(["es"])``, which needs
        Apertium; "copy" is as good. Fitting takes twice as long, and gains nothing without
        ``unlabeled``.
    teacher : path, str, object with ``encode`` or Teacher, default=None
        A transformer, or another better sentence encoder, needed at ``fit`` only. One more encoder
        learns its similarities and nothing else; the synthetic one learns them before it learns
        from pairs.
    positive_threshold : float, "auto" or None, default=None
        Lowest score of the training pairs that are paraphrases for the default encoders, see
        :class:`ParagramEncoder`. With None, the task-internal encoder learns from all scores, and
        the synthetic one as with "auto", which is relative to the range of the scores: 3.8 for
        scores from 0 to 5, 0.76 for scores from 0 to 1.
    score_range : tuple of (low, high), default=None
        Range of the scores, to which the default regressor clips its predictions. None is the
        range of the scores passed to ``fit``. A score outside a given range is an error.
    intervals : bool, default=False
        Whether the default regressor also learns intervals, for
        ``predict_interval(pairs, coverage=0.9)``. Pass ``groups`` to ``fit`` if pairs of other
        data sets will be scored; see :class:`~skpara.FusionRegressor`.
    random_state : int or None, default=None
        Seed of the default encoders and regressor. None gives different predictions each time.
    verbose : int, default=0
        1 shows the encoders' progress.

    Returns
    -------
    PairPipeline
        A ``Pipeline`` with the steps ``features`` (a union of ``encoder``, ``synthetic``,
        ``taught`` and ``lexical``) and ``fusion``. ``set_params(features__encoder="drop")`` leaves
        one out; any other transformer can replace one.

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
    >>> model = model.fit(pairs[:100], scores[:100], unlabeled=pairs[100:110])
    >>> model.predict([("A man plays a guitar.", "Someone is playing music.")]).shape
    (1,)
    """
    if teacher is not None:
        teacher = Teacher.of(teacher)
        if not isinstance(teacher.model, CachedModel):
            # Two encoders need its vectors of the same sentences.
            parameters = teacher.get_params(deep=False)
            teacher = Teacher(**parameters | {"model": CachedModel(teacher.model)})
    if score_range is not None:
        check_score_range(score_range)  # here rather than after the features were fitted
    common = {
        "output": "similarity",
        "positive_threshold": positive_threshold,
        "random_state": random_state,
        "verbose": verbose,
    }
    if encoder is None:
        encoder = ParagramEncoder(cross_fit=_N_FOLDS, **common)
    elif paraphraser is teacher is None:
        reason = "with an encoder, which has its own"
        warn_of_unused(reason, positive_threshold=positive_threshold)
    parts = [("encoder", _transformer("encoder", encoder, "ParagramEncoder"))]
    if paraphraser is not None:
        synthetic = ParagramEncoder(
            Average(word_dropout=0.2),
            negatives="hardest",
            optimizer=AdaGrad(0.001),
            max_iter=25,
            paraphraser=Paraphraser(paraphraser, sentences="unlabeled"),
            teacher=teacher,
            cross_fit=_N_FOLDS,
            **common,
        )
        parts.append(("synthetic", synthetic))
    if teacher is not None:
        parts.append(("taught", ParagramEncoder(teacher=teacher, max_iter=0, **common)))
    lexical = _lexical_features(lexical)
    parts.append(("lexical", lexical))
    if regressor is None:
        regressor = FusionRegressor(
            score_range=score_range, intervals=intervals, random_state=random_state
        )
    else:
        reason = "with a regressor, which has its own"
        warn_of_unused(reason, score_range=score_range, intervals=intervals)
    return PairPipeline([("features", FeatureUnion(parts)), ("fusion", regressor)])


def make_pair_classifier(
    encoder: Any = None,
    lexical: Any = None,
    terms: Any = None,
    classifier: Any = None,
    *,
    ordered: bool = False,
    random_state: Any = None,
) -> PairPipeline:
    """Build a classifier of sentence pairs as one pipeline, with calibrated probabilities.

    Gradient boosting learns from lexical features: similarities, differences that change the
    meaning, and counts of words that only one sentence has. A linear model learns from the words
    themselves. ``predict_proba`` is calibrated on held-out folds, and
    ``threshold(precision=0.95)`` is the threshold with this precision on them. Labels may
    be anything, such as 0 and 1, or "ENTAILMENT", "NEUTRAL" and "CONTRADICTION".

    Parameters
    ----------
    encoder : transformer, default=None
        Adds its columns, such as the similarity of
        :class:`~skpara.SentenceTransformerFeature`.
    lexical : transformer, default=None
        Lexical features. None is ``LexicalFeatures(["all", "contrast", "unmatched"])``;
        ``LexicalFeatures(["fast", "unmatched"])`` needs neither WordNet nor a tagger.
    terms : transformer or "drop", default=None
        Words, as sparse columns. None is ``TermInteractions(cross=False, ordered=ordered)``, and
        with ``cross=True`` where the sentences are ``ordered``.
    classifier : classifier, default=None
        From features to probabilities. None is :class:`FusionClassifier`.
    ordered : bool, default=False
        Whether the order of the sentences matters, as for premise and hypothesis. If not, words of
        the first and of the second sentence count alike.
    random_state : int or None, default=None
        Seed of the default classifier. None gives different predictions each time.

    Returns
    -------
    PairPipeline
        A ``Pipeline`` with the steps ``features`` (a union of ``encoder``, ``lexical`` and
        ``terms``) and ``classifier``.

    See Also
    --------
    make_sts_pipeline : The same for scores.

    Examples
    --------
    >>> from skpara import make_pair_classifier
    >>> from skpara.datasets import load_sts_sample
    >>> pairs, scores = load_sts_sample(return_X_y=True)
    >>> model = make_pair_classifier(random_state=0).fit(pairs, scores >= 3)
    >>> new = [("A man plays the guitar.", "A man plays a guitar."), ("It rains.", "A cat.")]
    >>> model.predict(new).tolist()
    [True, False]
    >>> 0 < model.threshold(precision=0.8) < 1
    True
    """
    if terms is None:
        # Crossed words, such as "sleeping" against "running", are signs of contradictions; for
        # paraphrases there are more of them than can be learned.
        terms = TermInteractions(cross=ordered, ordered=ordered)
    else:
        warn_of_unused("with terms, which have their own", ordered=ordered)
    encoder = _transformer("encoder", encoder, "ParagramEncoder")
    parts = [] if encoder is None else [("encoder", encoder)]
    lexical = _lexical_features(lexical)
    parts += [("lexical", lexical), ("terms", terms)]
    if classifier is None:
        classifier = FusionClassifier(random_state=random_state)
    else:
        warn_of_unused("with a classifier, which has its own", random_state=random_state)
    return PairPipeline([("features", FeatureUnion(parts)), ("classifier", classifier)])
