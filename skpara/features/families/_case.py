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


def agreement(first: set[str], second: set[str]) -> tuple[float, float]:
    """Agreement of the capitalised tokens, or of the stock symbols, of two sentences.

    Returns
    -------
    case_match_len or stocks_match_len : float
        ln(1 + distinct ones of the first + distinct ones of the second), 0 or more.
    case_match_f or stocks_match_f : float
        F of the shared ones, in [0, 1]; 1 where a side has none.

    Both are symmetric.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.

    Examples
    --------
    >>> from skpara.features.families._case import agreement
    >>> agreement({"Beatles"}, {"Beatles", "Liverpool"})
    (1.3862943611198906, 0.6666666666666666)
    """
    return math.log(1 + len(first) + len(second)), set_f_score(first, second)


def compute_case(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs, of capitals."""
    named = [capitalized(tokens) for tokens in batch.takelab.tokens]
    return batch.takelab.score(agreement, named)


def compute_stocks(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs, of stock symbols."""
    sides = batch.takelab
    having = sides.having(len(token) > 1 and token[0] == "." for token in sides.distinct)
    named = [
        stock_symbols(tokens) if some else set()
        for tokens, some in zip(sides.tokens, having, strict=True)
    ]
    return sides.score(agreement, named)


CASE = Family("case", ("case_match_len", "case_match_f"), compute_case)
STOCKS = Family("stocks", ("stocks_match_len", "stocks_match_f"), compute_stocks)
