"""Whether two sentences share names, by their capitals, and stock symbols."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family
from skpara.features._scores import set_f_score

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch


def capitalized(tokens: Sequence[str]) -> set[str]:
    """Distinct tokens with a capital in front and no full stop at the end, but for the first.

    Examples
    --------
    >>> from skpara.features.families._case import capitalized
    >>> capitalized(["The", "U.S.", "and", "Canada"])
    {'Canada'}
    """
    return {token for token in tokens[1:] if token[0].isupper() and token[-1] != "."}


def stock_symbols(tokens: Sequence[str]) -> set[str]:
    """Distinct tokens of a full stop and capitals, as in the ".DJI" of the Dow Jones index.

    Examples
    --------
    >>> from skpara.features.families._case import stock_symbols
    >>> stock_symbols(["The", "Dow", ".DJI", "fell", "."])
    {'.DJI'}
    """
    return {token for token in tokens if token[0] == "." and token[1:].isupper()}


def case_features(first: Sequence[str], second: Sequence[str]) -> tuple[float, float]:
    """Agreement of the capitalised tokens of two token lists.

    Parameters
    ----------
    first, second : sequence of str
        TakeLab tokens.

    Returns
    -------
    case_match_len : float
        ln(1 + distinct capitalised tokens of the first + the same of the second).
    case_match_f : float
        F of the shared ones, in [0, 1]; 1 where a side has none.

    Both are symmetric.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.

    Examples
    --------
    >>> from skpara.features.families._case import case_features
    >>> case_features(["The", "Beatles"], ["All", "Beatles", "of", "Liverpool"])
    (1.3862943611198906, 0.6666666666666666)
    """
    return _agreement(capitalized(first), capitalized(second))


def stock_features(first: Sequence[str], second: Sequence[str]) -> tuple[float, float]:
    """Agreement of the stock symbols of two token lists, as in :func:`case_features`."""
    return _agreement(stock_symbols(first), stock_symbols(second))


def _agreement(first: set[str], second: set[str]) -> tuple[float, float]:
    return math.log(1 + len(first) + len(second)), set_f_score(first, second)


def compute_case(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs, of capitals."""
    return batch.takelab.score(case_features, batch.takelab.tokens)


def compute_stocks(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs, of stock symbols."""
    return batch.takelab.score(stock_features, batch.takelab.tokens)


CASE = Family("case", ("case_match_len", "case_match_f"), compute_case)
STOCKS = Family("stocks", ("stocks_match_len", "stocks_match_f"), compute_stocks)
