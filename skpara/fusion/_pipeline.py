"""PairPipeline: a pipeline of features of pairs, and a regressor or classifier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import config_context
from sklearn.base import is_classifier
from sklearn.pipeline import FeatureUnion
from sklearn.utils._set_output import _get_output_config

from skpara._estimators import restore_on_failure
from skpara._frames import as_frame
from skpara._messages import warn
from skpara._pairs import CheckedPairs, as_pairs, as_sentences, is_sentences, takes_pairs
from skpara._public import PublicMixin, set_module
from skpara._sklearn import Pipeline
from skpara._typing import Floats, Objects, PairsLike, SentencesLike
from skpara._validation import check_classes, counted
from skpara.encoders import ParagramEncoder
from skpara.features import LexicalFeatures, TermInteractions
from skpara.fusion._regressor import FusionRegressor
from skpara.resources import warn_of_text

F = TypeVar("F", bound=Callable[..., Any])

# Up to this number of pairs, ``predict`` calls the parts itself: a union's parallel execution,
# contexts and checks take a fifth of the time of one pair.
_FEW = 64
# Fewer training pairs than this show little more than chance.
_ENOUGH_PAIRS = 50


class _IfLastHas:
    """Method of a pipeline whose last step has it; for others, the error names the remedy."""

    def __init__(self, method: Any) -> None:
        self._method = method

    def __get__(self, pipeline: Any, owner: Any = None) -> Any:
        name = self._method.__name__
        if pipeline is not None and not hasattr(pipeline.steps[-1][1], name):
            raise AttributeError(
                f"This pipeline has no {name}: its last step is {pipeline.steps[-1][1]!r:.60}. "
                "make_pair_classifier() predicts classes, their probabilities and thresholds, "
                "make_sts_pipeline() scores and intervals."
            )
        return self._method.__get__(pipeline, owner)


def _if_last_has(method: F) -> F:
    return cast(F, _IfLastHas(method))


@set_module("skpara.fusion", trusted=True)
class PairPipeline(PublicMixin, Pipeline):
    """``Pipeline`` from pairs to features to a score or class.

    It differs from its base class in ``fit``, which takes ``unlabeled``, ``groups`` and
    ``sample_weight`` and passes them to the steps that use them, and in the speed of ``predict``
    for a few pairs.

    Parameters
    ----------
    steps : list of (str, estimator)
        Steps, see :class:`sklearn.pipeline.Pipeline`.
    transform_input : list of str, default=None
        Metadata that earlier steps transform.
    memory : str or object with the joblib.Memory interface, default=None
        Cache of fitted transformers.
    verbose : bool, default=False
        Whether to print the time of each step.
    """

    @takes_pairs
    @restore_on_failure
    def fit(
        self,
        X: PairsLike,
        y: ArrayLike | None = None,
        *,
        unlabeled: PairsLike | SentencesLike | None = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        **params: Any,
    ) -> Self:
        """Fit all steps.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Training pairs.
        y : array-like of shape (n_pairs,), optional
            Scores.
        unlabeled : pairs of shape (n_unlabeled, 2) or sentences of shape (n_sentences,), optional
            Pairs or sentences that are to be scored later. Every step that learns from
            ``unlabeled`` sentences gets the sentences.
        groups : array-like of shape (n_pairs,), optional
            Data set of each pair, for the regressor.
        sample_weight : array-like of shape (n_pairs,), optional
            Weight of each pair, for the encoders and the regressor. Pairs of weight 0 are left out
            of all steps.
        **params : dict
            Parameters of single steps instead, as in any pipeline: ``fusion__sample_weight``.

        Returns
        -------
        PairPipeline
            The fitted pipeline itself.

        Raises
        ------
        TypeError
            If no step uses a parameter, or parameters are passed both by name and to single steps.
        """
        if isinstance(y, str):
            raise TypeError(f"y is one string, {y!r:.60}. Pass a score or a class for each pair.")
        if y is not None and is_classifier(self):
            check_classes(y)
        if sample_weight is not None:
            frame = as_frame(X)
            table = X if frame is None else frame.to_native()  # computed, if it was lazy
            X, y, groups, sample_weight = counted(sample_weight, table, y, groups)
        named = {"groups": groups, "sample_weight": sample_weight}
        metadata = {name: value for name, value in named.items() if value is not None}
        if unlabeled is not None:
            sentences = unlabeled if is_sentences(unlabeled) else as_pairs(unlabeled).ravel()
            metadata["unlabeled"] = as_sentences(sentences)
        if metadata and params:
            raise TypeError(
                f"{', '.join(metadata)} go to every step that uses them; {list(params)} go to "
                "single steps. Pass one kind or the other, not both."
            )
        if not metadata:
            super().fit(X, y, **params)
        else:
            # Routing passes metadata to the steps that request it.
            routed = Pipeline(self.steps, memory=self.memory, verbose=self.verbose)
            with config_context(enable_metadata_routing=True):
                routed.fit(X, y, **metadata)
            self.steps = routed.steps
        if y is not None and len(X) < _ENOUGH_PAIRS:
            warn(
                f"A model of {len(X)} training pairs is little better than chance: pass "
                f"{_ENOUGH_PAIRS} at least, better hundreds. Without training, "
                "load_pair_classifier() decides, and ParagramEncoder().similarity scores."
            )
        return self

    @_if_last_has
    @takes_pairs
    def predict(self, X: PairsLike, **params: Any) -> NDArray[Any]:
        """Predict the scores of pairs.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Pairs to score.
        **params : dict
            Parameters of the last step's ``predict``, or metadata of single steps if metadata
            routing is enabled, as in any pipeline.

        Returns
        -------
        ndarray of shape (n_pairs,), float64
            The scores.
        """
        if params or not self._is_plain() or not hasattr(X, "__len__") or len(X) > _FEW:
            self._warn_of_text(X)
            return super().predict(X, **params)
        pairs = CheckedPairs.of(X)
        self._warn_of_text(pairs)
        (_, union), (_, regressor) = self.steps
        features = [part.transform(pairs) for _, part in union.transformer_list]
        return regressor.predict(np.hstack(features))

    @_if_last_has
    @takes_pairs
    def predict_proba(self, X: PairsLike, **params: Any) -> Floats:
        """Predict the probability of each class.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Pairs to decide.
        **params : dict
            As in :meth:`predict`.

        Returns
        -------
        ndarray of shape (n_pairs, n_classes), float64
            The probabilities, in the order of ``classes_``.
        """
        self._warn_of_text(X)
        return super().predict_proba(X, **params)

    @_if_last_has
    def predict_interval(self, X: PairsLike, coverage: float = 0.9) -> Floats:
        """Predict intervals that contain the scores of pairs.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Pairs to score.
        coverage : float, default=0.9
            Probability that an interval contains the score, between 0 and 1.

        Returns
        -------
        ndarray of shape (n_pairs, 2), float64
            Lower and upper ends; see :meth:`skpara.FusionRegressor.predict_interval`.
        """
        self._warn_of_text(X)
        return self[-1].predict_interval(self[:-1].transform(X), coverage)

    @_if_last_has
    def threshold(
        self,
        precision: float | None = None,
        *,
        recall: float | None = None,
        confidence: float | None = None,
    ) -> float:
        """Return the threshold of probabilities for a target precision or recall.

        Parameters
        ----------
        precision : float, optional
            Minimum share of right pairs among those at or above the threshold.
        recall : float, optional
            Minimum share of the pairs of the second class at or above the threshold. Pass this or
            ``precision``.
        confidence : float, default=None
            Probability of reaching the target, see :meth:`skpara.FusionClassifier.threshold`.

        Returns
        -------
        float
            The threshold.
        """
        return float(self[-1].threshold(precision=precision, recall=recall, confidence=confidence))

    @_if_last_has
    @takes_pairs
    def decide(
        self,
        X: PairsLike,
        precision: float,
        *,
        confidence: float | None = None,
        unsure: Any = "unsure",
    ) -> Objects:
        """Predict the class where the precision is reached, and "unsure" elsewhere.

        Parameters
        ----------
        X : pairs of sentences, shape (n_pairs, 2)
            Pairs to decide.
        precision : float
            Minimum share of right pairs among the pairs decided for a class, for each of the two
            classes. No pair is decided for a class that does not reach it.
        confidence : float, default=None
            Probability of reaching it, see :meth:`skpara.FusionClassifier.decide`.
        unsure : object, default="unsure"
            Value for the other pairs.

        Returns
        -------
        ndarray of shape (n_pairs,), object
            Classes, or ``unsure``.
        """
        self._warn_of_text(X)
        options = {"precision": precision, "confidence": confidence, "unsure": unsure}
        return self[-1].decide(self[:-1].transform(X), **options)

    def _warn_of_text(self, X: Any) -> None:
        """Warn of pairs that a model of English knows nothing of."""
        parts = [part for _, part in getattr(self[0], "transformer_list", self.steps[:1])]
        if all(map(_is_english, parts)):
            tables = [getattr(part, "document_frequencies_", {}) for part in parts]
            known = next((table["word"] for table in tables if table), ())
            warn_of_text(as_pairs(X).ravel().tolist(), known)

    def _is_plain(self) -> bool:
        """Whether calling the fitted parts one after the other is all that ``predict`` does."""
        union = self.steps[0][1]
        regressor = self.steps[-1][1]
        parts = getattr(union, "transformer_list", ())
        return (
            len(self.steps) == 2
            and type(union) is FeatureUnion
            and union.n_jobs in (None, 1)
            and not union.transformer_weights
            and all(isinstance(p, ParagramEncoder | LexicalFeatures) for _, p in parts)
            and isinstance(regressor, FusionRegressor)
            and hasattr(regressor, "estimators_")
            and _get_output_config("transform", union)["dense"] == "default"
        )

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: pairs of text, and scores if the last step predicts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = tags.estimator_type is not None
        return tags


def _is_english(part: Any) -> bool:
    """Whether a part reads text by the packaged tables, or none."""
    is_own = isinstance(part, ParagramEncoder | LexicalFeatures | TermInteractions)
    tables = (getattr(part, name, "default") for name in ("vectors", "frequencies"))
    return isinstance(part, str) or (is_own and all(table == "default" for table in tables))
