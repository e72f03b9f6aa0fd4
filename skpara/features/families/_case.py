"""Whether two sentences share capitalized words and stock symbols."""

from __future__ import annotations

import math
from collections.abc import Sequence

from skpara._typing import Floats
from skpara.features._batch import PairBatch
from skpara.features._family import Family
from skpara.features._scores import set_f_score


def capitalized(tokens: Sequence[str]) -> set[str]:
    """Return the distinct capitalized tokens but the first one and those that end in a stop."""
    return {token for token in tokens[1:] if token[0].isupper() and token[-1] != "."}


def stock_symbols(tokens: Sequence[str]) -> set[str]:
    """Return the distinct tokens of a full stop and capitals, such as ".DJI" (the Dow Jones)."""
    return {token for token in tokens if token[0] == "." and token[1:].isupper()}


def agreement(first: set[str], second: set[str]) -> tuple[float, float]:
    """Compare the capitalized tokens, or the stock symbols, of two sentences.

    Returns ln(1 + number of the first + number of the second), and F of the shared ones, which is
    1 where a side has none. Both are symmetric.
    """
    return math.log(1 + len(first) + len(second)), set_f_score(first, second)


def compute_case(batch: PairBatch) -> Floats:
    return batch.takelab.score(agreement, [capitalized(t) for t in batch.takelab.tokens])


def compute_stocks(batch: PairBatch) -> Floats:
    sides = batch.takelab
    # Few lists have a symbol; the others are not searched.
    candidates = sides.containing(len(t) > 1 and t[0] == "." for t in sides.distinct)
    symbols = [
        stock_symbols(tokens) if candidate else set()
        for tokens, candidate in zip(sides.tokens, candidates, strict=True)
    ]
    return sides.score(agreement, symbols)


CASE = Family("case", ("case_match_len", "case_match_f"), compute_case)
STOCKS = Family("stocks", ("stocks_match_len", "stocks_match_f"), compute_stocks)
