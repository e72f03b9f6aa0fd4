"""FusionClassifier: from features to the probability of each class."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import expit, logit, softmax
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods
from sklearn.utils.validation import check_is_fitted

from skpara._array_files import check_array
from skpara._compatibility import DefaultsMixin
from skpara._estimators import restore_on_failure
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator, ClassifierMixin, checks_parameters
from skpara._typing import Constraints, Floats, Objects
from skpara._validation import (
    FRACTION,
    POSITIVE,
    check_labels,
    check_share,
    counted,
    validate_features,
)
from skpara.fusion._boosting import boosting_classifier, seeded
from skpara.fusion._held_out import class_folds, fit_clone, fit_folds, logits_of
from skpara.fusion._thresholds import (
    cut_offs,
    read_threshold,
    share_of_second,
    threshold_curve,
    with_base_rate,
)
from skpara.saving import TreeEnsemble, boosted_trees

# Trees ignore a sparse column that is 0 in more than 95 percent of the pairs: with thousands of
# words there is always one that separates some training pairs by chance.
_COMMON = 0.05
# The logits of the trees are scaled up in the linear model, so that its penalty, which is meant
# for the many rare columns, hardly affects them.
_LOGIT_SCALE = 10.0


@set_module("skpara", trusted=True)
@with_fields
class FusionClassifier(DefaultsMixin, ClassifierMixin, BaseEstimator):
    """Classifier from similarity features to the probability of each class.

    Gradient boosting predicts from the features that most pairs have, similarities for example. A
    logistic regression then corrects it by rare features, such as single words that only one
    sentence has (:class:`~skpara.features.TermInteractions`). It learns from predictions of
    boosting for held-out folds. Probabilities are calibrated on held-out folds as well: about
    80 percent of the pairs with a probability of 0.8 are of that class.

    Parameters
    ----------
    estimator : classifier, default=None
        Classifier to correct and calibrate, with ``predict_proba`` or ``decision_function``. None
        is gradient boosting (``HistGradientBoostingClassifier``): for each fold 100 trees with a
        learning rate of 0.1, 15 leaves each, where each split chooses among 30 percent of the
        features; or the logistic regression alone if ``X`` has one column.
    C : float, default=0.1
        Inverse strength of the penalty on the coefficients of rare features.
    cv : int, splitter or iterable, default=5
        Folds to hold out. With a number, they have equal shares of the classes, and pairs of one
        of the ``groups`` are in one fold.
    random_state : int, RandomState or None, default=None
        Seed of the folds and of boosting.
    base_rate : float, default=None
        Share of the second of two classes among the pairs to predict, between 0 and 1. Set it if
        the share differs from that of the training pairs: of all pairs of a table, hardly any are
        duplicates. Probabilities and thresholds are shifted accordingly [3]_; the order of pairs
        stays. None is the share of the training pairs. You can set it after ``fit``: count the
        second class among a hundred random pairs.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted. Thresholds are for the second of two.
    estimators_ : list
        The trees of all folds, a :class:`~skpara.fusion.TreeEnsemble` for each class (a single
        one for two classes); or the ``estimator`` fitted without each fold; or nothing. The mean
        of the folds' logits predicts.
    columns_ : ndarray of int
        The columns of ``X`` that ``estimators_`` read: all columns of an array; of a sparse matrix
        the ones that are not 0 in at least 5 percent of the pairs.
    weights_ : ndarray of shape (n_logits, n_logits)
        Weights of the logits of ``estimators_``; there is one logit for two classes.
    coef_ : ndarray of shape (n_logits, n_features)
        Coefficients of the rare features, 0 for the others.
    intercept_ : ndarray of shape (n_logits,)
        Added to the weighted sum.
    curve_ : ndarray of shape (n_points, 6)
        For two classes: thresholds, and five sums over the held-out pairs with at least this
        probability of the second class: weights (1 without ``sample_weight``), weights of those
        that belong to it, weights times probabilities, squared weights, and squared weights of
        those that belong to it.
    feature_importances_ : ndarray of shape (n_features,)
        Shares of the trees' splits in the reduction of their loss; only with trees. Rare features
        have none.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str, shape (n_features,)
        Column names, where ``X`` was a frame.

    See Also
    --------
    FusionRegressor : The same for scores.
    make_pair_classifier : From pairs of sentences to classes.

    References
    ----------
    .. [1] J. Platt (1999). Probabilistic outputs for support vector machines. Advances in Large
       Margin Classifiers.

    .. [2] D. Wolpert (1992). Stacked generalization. Neural Networks.

    .. [3] M. Saerens, P. Latinne, C. Decaestecker (2002). Adjusting the outputs of a classifier to
       new a priori probabilities. Neural Computation.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara import FusionClassifier
    >>> cosines = np.linspace(0, 1, 200)[:, None]
    >>> labels = np.where(cosines.ravel() > 0.6, "same", "other")
    >>> model = FusionClassifier(random_state=0).fit(cosines, labels)
    >>> model.predict([[0.2], [0.9]]).tolist()
    ['other', 'same']
    >>> model.predict_proba([[0.9]]).shape
    (1, 2)
    """

    estimator: Any = None
    _: KW_ONLY
    C: float = 0.1
    cv: Any = 5
    random_state: Any = None
    base_rate: float | None = None

    # Requested by default, so that pipelines and searches with metadata routing pass them on.
    __metadata_request__fit = {"groups": True, "sample_weight": True}
    _read_by_fit = ("estimator",)
    _parameter_constraints: ClassVar[Constraints] = {
        "estimator": [HasMethods(["fit", "predict_proba"]),
                      HasMethods(["fit", "decision_function"]), None],
        "C": [POSITIVE],
        "cv": ["cv_object"],
        "random_state": ["random_state"],
        "base_rate": [FRACTION, None],
    }  # fmt: skip

    @checks_parameters
    @restore_on_failure
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Fit the trees, the linear model and the calibration.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_pairs, n_features)
            Features of the pairs.
        y : array-like of shape (n_pairs,)
            Classes.
        sample_weight : array-like of shape (n_pairs,), optional
            Weight of each pair, 0 or more; those of weight 0 are left out. Their unit does not
            matter.
        groups : array-like of shape (n_pairs,), optional
            Pairs of one group, such as all that have a sentence in common, are held out together.

        Returns
        -------
        FusionClassifier
            The fitted classifier itself.

        Raises
        ------
        ValueError
            If there is one class only, a class has one pair only, a label is missing, masked or
            a date, or a weight is negative.
        """
        y = y if y is None else check_labels(y)
        X, y = validate_features(self, X, y, accept_sparse="csr", dtype=np.float64)
        X, y, groups, weights = counted(sample_weight, X, y, groups)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if self.base_rate is not None and len(self.classes_) > 2:
            raise ValueError(
                f"base_rate is for two classes, and y has {len(self.classes_)}. Leave it out."
            )
        if len(self.classes_) < 2:
            raise ValueError(
                f"y has one class, {self.classes_.tolist()[0]!r}, in all rows; FusionClassifier "
                "needs pairs of at least 2 classes."
            )
        if weights is not None:
            weights = weights / weights.mean()  # their unit does not change penalties
        rng = check_random_state(self.random_state)
        folds = class_folds(self.cv, self.classes_, labels, groups, rng)
        self.columns_ = _common_columns(X, boosts=self.estimator is None)
        self.estimators_: list[Any] = []
        logits = np.zeros((len(labels), 0))
        if len(self.columns_):
            base = seeded(boosting_classifier() if self.estimator is None else self.estimator, rng)
            common = self._common(X, boosts=self.estimator is None)
            # The models that predict held-out pairs also predict new ones: the linear model has
            # learned how sure they are.
            fitted, logits = fit_folds(base, common, labels, weights, folds)
            self.estimators_ = boosted_trees(*fitted) if self.estimator is None else fitted
        rare = np.setdiff1d(np.arange(X.shape[1]), self.columns_)
        rows = sparse.csr_matrix(X[:, rare])
        scales = abs(rows).max(axis=0).toarray().ravel()
        scales[scales == 0] = 1.0
        rows = sparse.hstack([rows.multiply(1 / scales), _LOGIT_SCALE * logits]).tocsr()
        from sklearn.linear_model import LogisticRegression

        regression = LogisticRegression(C=self.C, max_iter=10_000)
        linear = fit_clone(regression, rows, labels, weights)
        # With the same penalty per pair, logits of held-out and new pairs are on one scale.
        _, held_out = fit_folds(regression, rows, labels, weights, folds, C=self.C * len(labels))
        calibration = fit_clone(LogisticRegression(max_iter=1000), held_out, labels, weights)
        # Logits, the linear model and the calibration are linear maps: their product is stored.
        coef = calibration.coef_ @ linear.coef_
        self.coef_ = np.zeros((len(coef), X.shape[1]))
        self.coef_[:, rare] = coef[:, : len(rare)] / scales
        self.weights_ = _LOGIT_SCALE * coef[:, len(rare) :]
        self.intercept_ = calibration.coef_ @ linear.intercept_ + calibration.intercept_
        self.curve_ = np.empty((0, 3))
        if len(self.classes_) == 2:
            probabilities = calibration.predict_proba(held_out)[:, 1]
            self.curve_ = threshold_curve(probabilities, labels, weights)
        return self

    def decision_function(self, X: Any) -> Floats:
        """Compute the logarithm of the odds of the second class, or a logit of each class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_pairs, n_features)
            Features of the pairs.

        Returns
        -------
        ndarray of shape (n_pairs,), or (n_pairs, n_classes) for more than two classes, float64
            The logits; none for an empty ``X``.
        """
        check_is_fitted(self)
        X = validate_features(
            self, X, accept_sparse="csr", dtype=np.float64, reset=False, ensure_min_samples=0
        )
        decisions = np.tile(self.intercept_, (X.shape[0], 1))
        if sparse.issparse(X):
            decisions += X @ self.coef_.T
        elif self.coef_.any():
            decisions += _products(X, self.coef_)
        if self.estimators_ and len(decisions):
            boosts = isinstance(self.estimators_[0], TreeEnsemble)
            decisions += _products(self._logits(self._common(X, boosts=boosts)), self.weights_)
        if len(self.classes_) > 2:
            return decisions
        return decisions[:, 0] + self.shift_

    def predict_proba(self, X: Any) -> Floats:
        """Predict the probability of each class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_pairs, n_features)
            Features of the pairs.

        Returns
        -------
        ndarray of shape (n_pairs, n_classes), float64
            The probabilities, in the order of ``classes_``.
        """
        decisions = self.decision_function(X)
        if decisions.ndim == 2:
            return softmax(decisions, axis=1)
        return np.column_stack([expit(-decisions), expit(decisions)])

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the most probable class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_pairs, n_features)
            Features of the pairs.

        Returns
        -------
        ndarray of shape (n_pairs,)
            Classes.
        """
        decisions = self.decision_function(X)
        best = decisions > 0 if decisions.ndim == 1 else decisions.argmax(axis=1)
        return self.classes_[best.astype(np.intp)]

    def threshold(
        self,
        precision: float | None = None,
        *,
        recall: float | None = None,
        confidence: float | None = None,
    ) -> float:
        """Return the threshold of probabilities for a target precision or recall.

        It comes from the probabilities of held-out training pairs. On new pairs of the same kind,
        the precision or recall reaches the target on average; with a few hundred pairs above the
        threshold, it may be .03 below in a single case. To predict with the threshold, pass it to
        scikit-learn's ``FixedThresholdClassifier``, or call :meth:`decide`.

        Precision and recall are estimated twice, from the labels and from the probabilities of the
        pairs, and the lower estimate counts. At least 30 pairs are above the threshold. With
        ``sample_weight``, precision and recall are weighted, and pairs are counted by Kish's
        effective number.

        Parameters
        ----------
        precision : float, optional
            Minimum share of right pairs among those at or above the threshold; the result is the
            lowest threshold that reaches it.
        recall : float, optional
            Minimum share of the pairs of the second class at or above the threshold; the result is
            the highest threshold that reaches it.
        confidence : float, default=None
            Probability of reaching the target on pairs like the training pairs: the lower end of
            a one-sided interval of the share must reach it, so fewer pairs are above the
            threshold. None takes the share itself, with one wrong pair added.

        Returns
        -------
        float
            The threshold.

        Raises
        ------
        ValueError
            If not exactly one of precision and recall is passed, if no threshold reaches it, if
            ``confidence`` is out of range, or if there are more than two classes.
        """
        if (precision is None) == (recall is None):
            raise ValueError("Pass one of precision and recall.")
        curve = self._two_class_curve("threshold", confidence)
        return read_threshold(curve, precision, recall, confidence)

    def decide(
        self, X: Any, precision: float, *, confidence: float | None = None, unsure: Any = "unsure"
    ) -> Objects:
        """Predict the class where the precision is reached, and "unsure" elsewhere.

        A pair belongs to the second class if its probability reaches the threshold for the
        precision, and to the first class if it is below the corresponding threshold for the first
        class. Pairs in between are unsure. If the two ranges overlap, no pair is unsure: a single
        threshold, the closest to 0.5 that reaches both precisions, divides the pairs.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_pairs, n_features)
            Features of the pairs.
        precision : float
            Minimum share of right pairs among those decided for a class, for each of the two
            classes. No pair is decided for a class that does not reach it.
        confidence : float, default=None
            Probability of reaching it for a class, as in :meth:`threshold`.
        unsure : object, default="unsure"
            Value for pairs in between. None is read as missing by pandas.

        Returns
        -------
        ndarray of shape (n_pairs,), object
            Classes, or ``unsure``.

        Raises
        ------
        ValueError
            If neither class reaches the precision, if ``confidence`` is out of range, if
            ``unsure`` is a class, or if there are more than two classes.

        Examples
        --------
        >>> import numpy as np
        >>> from skpara import FusionClassifier
        >>> cosines = np.random.default_rng(0).random((1000, 1))
        >>> labels = np.random.default_rng(1).random(1000) < cosines.ravel()
        >>> model = FusionClassifier(random_state=0).fit(cosines, labels)
        >>> model.decide([[0.1], [0.5], [0.95]], precision=0.8).tolist()
        [False, 'unsure', True]
        """
        curve = self._two_class_curve("decide", confidence)
        classes = self.classes_.tolist()
        if unsure in classes:
            raise ValueError(f"unsure={unsure!r} is one of the classes. Pass another value.")
        low, high = cut_offs(curve, precision, confidence)
        probabilities = self.predict_proba(X)[:, 1]
        decisions = np.full(len(probabilities), unsure, dtype=object)
        decisions[probabilities < low], decisions[probabilities >= high] = classes
        return decisions

    def _two_class_curve(self, method: str, confidence: float | None) -> Floats:
        check_is_fitted(self)
        if confidence is not None:
            check_share("confidence", confidence)
        if len(self.classes_) != 2:
            n_classes = len(self.classes_)
            raise ValueError(
                f"{method}() supports binary classification only, got {n_classes} classes."
            )
        if self.base_rate is None:
            return self.curve_
        return with_base_rate(self.curve_, self.base_rate)

    @property
    def shift_(self) -> float:
        """Log odds that ``base_rate`` adds to those of each pair."""
        if self.base_rate is None:
            return 0.0
        self._validate_params()
        return float(logit(self.base_rate) - logit(share_of_second(self.curve_)))

    @property
    def feature_importances_(self) -> Floats:
        """Share of each feature in the loss that the trees' splits save."""
        if not self.estimators_ or not isinstance(self.estimators_[0], TreeEnsemble):
            raise AttributeError("Only the default estimator has feature_importances_.")
        importances = np.zeros(self.n_features_in_)
        importances[self.columns_] = np.mean(
            [trees.feature_importances_ for trees in self.estimators_], axis=0
        )
        return importances

    def _common(self, X: Any, *, boosts: bool) -> Floats:
        """Return the columns that the estimator reads."""
        columns = X if len(self.columns_) == X.shape[1] else X[:, self.columns_]
        dense: Floats = columns.toarray() if sparse.issparse(columns) else columns
        # Saved trees compare numbers of single precision; what they are grown from is, too.
        return dense.astype(np.float32).astype(np.float64) if boosts else dense

    def _logits(self, common: Floats) -> Floats:
        if isinstance(self.estimators_[0], TreeEnsemble):
            return np.column_stack([trees.predict(common) for trees in self.estimators_])
        return np.mean([logits_of(model, common) for model in self.estimators_], axis=0)

    def _check_loaded(self) -> None:
        """Raise a ValueError unless the parts of a file fit together."""
        n_classes = len(self.classes_)
        n_features = self.n_features_in_
        n_logits = n_classes if n_classes > 2 else 1
        n_trees = n_logits if self.estimators_ else 0
        shapes: dict[str, Any] = {
            "weights_": (n_logits, n_trees),
            "coef_": (n_logits, n_features),
            "intercept_": (n_logits,),
            "curve_": (None, 3 if self.curve_.shape[-1] == 3 else 6),  # 3 in files of 0.2.0
        }
        for name, shape in shapes.items():
            check_array(name, getattr(self, name), np.floating, shape)
        check_array("columns_", self.columns_, np.integer, (None,), below=n_features)
        if n_classes < 2 or (np.diff(self.columns_) <= 0).any():
            raise ValueError("it has one class, or its columns_ are not in order")
        if len(self.estimators_) != n_trees or any(
            not isinstance(part, TreeEnsemble) or part.n_features_in_ != len(self.columns_)
            for part in self.estimators_
        ):
            raise ValueError("its trees do not fit its classes and columns")

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: sparse matrices are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _products(X: Floats, weights: Floats) -> Floats:
    """Return ``X @ weights.T``, in which a row depends on no other, in no bit."""
    return np.column_stack([(X * row).sum(axis=1) for row in weights])


def _common_columns(X: Any, *, boosts: bool) -> NDArray[np.intp]:
    """Return the columns for the estimator; the others are for the linear model."""
    if boosts and X.shape[1] == 1:  # trees cannot know more of one number than a line
        return np.empty(0, dtype=np.intp)
    if sparse.issparse(X):
        return np.flatnonzero(np.asarray((X != 0).sum(axis=0)).ravel() >= _COMMON * X.shape[0])
    return np.arange(X.shape[1])
