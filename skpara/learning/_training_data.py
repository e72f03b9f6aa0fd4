"""What training is shown, checked: scores, a validation set, chunks of a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import train_test_split
from sklearn.utils import check_array, check_consistent_length

from skpara._pairs import as_pairs

_Pairs = NDArray[np.object_]


def checked_scores(y: ArrayLike, pairs: _Pairs) -> NDArray[np.float64]:
    """One finite score for each pair.

    Raises
    ------
    ValueError
        If a score is missing or infinite, or there are more or fewer than pairs.
    """
    scores: NDArray[np.float64] = check_array(
        y, ensure_2d=False, dtype=np.float64, input_name="y"
    ).ravel()
    check_consistent_length(pairs, scores)
    return scores


def as_validation(validation: Any) -> tuple[_Pairs, NDArray[np.float64] | None] | None:
    """Pairs and scores of a validation set.

    A tuple of two is (pairs, scores); anything else is pairs. Scores that are all the same rank
    nothing and are dropped.
    """
    if validation is None:
        return None
    scores = None
    if isinstance(validation, tuple) and len(validation) == 2:
        validation, scores = validation
    pairs = as_pairs(validation)
    if len(pairs) < 2:
        raise ValueError(f"validation holds {len(pairs)} pair(s); at least 2 are needed.")
    if scores is not None:
        scores = checked_scores(scores, pairs)
        if np.ptp(scores) == 0:
            scores = None
    return pairs, scores


def split_rows(
    n_pairs: int, fraction: float, least: int, random_state: Any
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers of the pairs to learn from, at least ``least``, and of those to hold out.

    Raises
    ------
    ValueError
        If there are too few pairs for both.
    """
    n_held_out = max(2, round(fraction * n_pairs))
    if n_held_out > n_pairs - least:
        raise ValueError(
            f"{n_pairs} pairs are too few to hold some out; set early_stopping=False."
        )
    kept, held = train_test_split(
        np.arange(n_pairs), test_size=n_held_out, random_state=random_state
    )
    return kept, held


class Chunks:
    """Chunks of pairs, read once or many times.

    Parameters
    ----------
    chunks : iterable of pairs, or of tuples (pairs, scores)
    paraphrases : callable
        From (pairs, scores or None, number of the chunk) to the pairs to learn from.
    """

    def __init__(
        self, chunks: Iterable[Any], paraphrases: Callable[[Any, Any, int], _Pairs]
    ) -> None:
        if not isinstance(chunks, Iterable) or isinstance(chunks, (str, bytes)):
            raise TypeError(
                f"chunks must be an iterable of chunks of pairs, got {type(chunks).__name__}."
            )
        self._chunks, self._paraphrases = chunks, paraphrases
        self.once = iter(chunks) is chunks
        self.n_pairs = 0

    def read(self) -> Iterator[_Pairs]:
        """The paraphrases of one chunk after another."""
        self.n_pairs = 0
        for number, chunk in enumerate(self._chunks):
            scored = isinstance(chunk, tuple) and len(chunk) == 2
            pairs, scores = chunk if scored else (chunk, None)
            try:
                found = self._paraphrases(pairs, scores, number)
            except (TypeError, ValueError) as error:
                raise type(error)(f"Chunk {number}: {error}") from error
            self.n_pairs += len(found)
            if len(found):
                yield found

    def check_not_empty(self) -> None:
        """Refuse a stream that held nothing to learn from."""
        if self.n_pairs == 0:
            raise ValueError(
                "The stream held no chunk with at least 2 paraphrases; lower "
                "positive_threshold or make the chunks larger."
            )
