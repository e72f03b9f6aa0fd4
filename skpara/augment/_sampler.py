"""Paraphrases as more rows to train on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_consistent_length

from skpara._pairs import as_pairs
from skpara._public import set_module


@set_module("skpara.augment")
class ParaphraseSampler(BaseEstimator):
    """Add to scored pairs each of their sentences with its paraphrases.

    A sampler of imbalanced-learn: its ``Pipeline`` adds the pairs where it is fitted, not where it
    predicts. (It takes no step that is a transformer as well, as paraphrasers are.)

    Parameters
    ----------
    paraphraser : PivotParaphraser, or anything with ``pairs(sentences)``

    Examples
    --------
    >>> from skpara.augment import FunctionTranslator, ParaphraseSampler, PivotParaphraser
    >>> def translators(source, target):
    ...     old, new = ("big", "grande") if target == "es" else ("grande", "large")
    ...     def translate(texts):
    ...         return [text.replace(old, new) for text in texts]
    ...     return FunctionTranslator(translate, f"words {source}-{target}")
    >>> sampler = ParaphraseSampler(PivotParaphraser(translator=translators))
    >>> X, y = sampler.fit_resample([("a big dog", "a dog")], [3.5])
    >>> X.tolist(), y.tolist()
    ([['a big dog', 'a dog'], ['a big dog', 'a large dog']], [3.5, 3.5])
    """

    def __init__(self, paraphraser: Any) -> None:
        self.paraphraser = paraphraser

    def fit_resample(
        self, X: Any, y: ArrayLike
    ) -> tuple[NDArray[np.object_], NDArray[np.float64]]:
        """The scored pairs, and behind them each of their sentences with its paraphrases.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
        y : array-like of shape (n_pairs,)

        Returns
        -------
        X : ndarray of str, shape (n_pairs + n_paraphrases, 2)
        y : ndarray of float64, shape (n_pairs + n_paraphrases,)
            Paraphrases have the largest score of the pairs.
        """
        pairs, scores = as_pairs(X), np.asarray(y, dtype=np.float64)
        check_consistent_length(pairs, scores)
        more = self.paraphraser.pairs(list(dict.fromkeys(pairs.ravel().tolist())))
        best = scores.max(initial=-np.inf)
        return np.concatenate([pairs, more]), np.append(scores, np.full(len(more), best))
