"""The whole system as one pipeline."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike
from sklearn import config_context
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils.metadata_routing import get_routing_for_object

from skpara._pairs import as_pairs, as_sentences, is_sentences
from skpara._public import set_module
from skpara.encoders import CachedModel, ParagramEncoder
from skpara.features import LexicalFeatures
from skpara.fusion._regressor import FusionRegressor
from skpara.learning import Paraphraser
from skpara.networks import Average


@set_module("skpara.fusion", trusted=True)
class STSPipeline(Pipeline):
    """A ``Pipeline`` of features and a regressor that adapts to the pairs that are to be scored.

    It is what :func:`make_sts_pipeline` returns, and differs from its base in ``fit`` alone, which
    takes by name what several of its steps learn from.
    """

    def fit(
        self,
        X: Any,
        y: ArrayLike | None = None,
        *,
        unlabeled: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        **params: Any,
    ) -> STSPipeline:
        """Fit all steps.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
        y : array-like of shape (n_pairs,)
            Scores.
        unlabeled : pairs of shape (n_others, 2) or sentences of shape (n_sentences,), optional
            What is to be scored later; none of it needs a score. The sentences reach every step
            that learns from ``unlabeled`` sentences. Where they are pairs, their features reach
            the regressor as its ``domain``.
        groups : array-like of shape (n_pairs,), optional
            Data set of each pair, for the regressor.
        sample_weight : array-like of shape (n_pairs,), optional
            For the regressor.
        **params
            For single steps instead, as in any pipeline: ``fusion__sample_weight``.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If something is given that no step learns from, or both by name and for single steps.
        """
        named = {"groups": groups, "sample_weight": sample_weight}
        metadata = {name: value for name, value in named.items() if value is not None}
        if unlabeled is not None:
            metadata |= self._to_be_scored(unlabeled)
        if not metadata:
            super().fit(X, y, **params)
            return self
        if params:
            raise TypeError(
                f"{', '.join(metadata)} reach every step that learns from them; {list(params)} "
                "are for single steps. Give one kind or the other."
            )
        # Routing takes each to where it is asked for, through what comes before.
        routed = Pipeline(
            self.steps, transform_input=["domain"], memory=self.memory, verbose=self.verbose
        )
        with config_context(enable_metadata_routing=True):
            routed.fit(X, y, **metadata)
        self.steps: list[tuple[str, Any]] = routed.steps
        return self

    def __sklearn_tags__(self) -> Any:
        """Scikit-learn's tags: pairs of text, with scores where the last step predicts them."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.target_tags.required = tags.estimator_type is not None
        return tags

    def _to_be_scored(self, unlabeled: Any) -> dict[str, Any]:
        if is_sentences(unlabeled):
            return {"unlabeled": as_sentences(unlabeled)}
        pairs = as_pairs(unlabeled)
        metadata: dict[str, Any] = {"unlabeled": pairs.ravel().tolist()}
        with config_context(enable_metadata_routing=True):
            if get_routing_for_object(self[-1]).consumes("fit", ["domain"]):
                metadata["domain"] = pairs
        return metadata


def make_sts_pipeline(
    encoder: Any = None,
    lexical: Any = None,
    regressor: Any = None,
    *,
    paraphraser: Any = "copy",
    teacher: Any = None,
    random_state: Any = None,
    verbose: int = 0,
) -> STSPipeline:
    """Sentence pairs in, similarity scores out: the fusion system as one pipeline.

    The similarities of a task-internal and of a synthetic encoder, and lexical features (the
    cosine of the untuned vectors, ``sum_w2v``, among them), joined by gradient boosting and a
    linear model.

    ``fit(pairs, scores, unlabeled=new_pairs)`` adapts it to the pairs that are to be scored, of
    which no score is needed: document frequencies are counted over their sentences, too, the
    synthetic encoder learns from paraphrases of them, the teacher says how near they are to each
    other, and pairs to learn from that are like them weigh more. ``groups=`` names the data set
    of each pair; see :meth:`STSPipeline.fit`.

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
    STSPipeline
        A ``Pipeline`` with the steps ``features`` (a union of ``encoder``, ``synthetic``,
        ``taught`` and ``lexical``) and ``fusion``. ``set_params(features__synthetic="drop")``
        leaves one out, or puts another in its place.

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
    if teacher is not None and not isinstance(teacher, CachedModel):
        teacher = CachedModel(teacher)  # two encoders ask it for the same sentences
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
            Average(word_dropout=0.2),
            learning_rate=0.001,
            max_iter=25,
            paraphraser=Paraphraser(paraphraser, sentences="unlabeled"),
            teacher=teacher,
            cross_fit=5,
            **common,
        )
        parts.append(("synthetic", synthetic))
    if teacher is not None:
        taught = ParagramEncoder(teacher=teacher, max_iter=0, **common)
        parts.append(("taught", taught))
    parts.append(("lexical", LexicalFeatures() if lexical is None else lexical))
    if regressor is None:
        regressor = FusionRegressor(random_state=random_state)
    return STSPipeline([("features", FeatureUnion(parts)), ("fusion", regressor)])
