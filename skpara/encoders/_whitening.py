"""Whitening of embeddings, with separate dimensions for numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from skpara._linalg import pearson, row_cosines, unit_rows
from skpara._typing import Floats, Pairs, Vectors
from skpara.resources import has_digit, random_directions
from skpara.text import tokenize

_NUMBER_DIMS = 64  # dimensions for the numbers; the cosine of two numbers is about 1/8
_DEGREE = 0.25  # the degree that "auto" tries
# Mean that is subtracted from a model's unit vectors, and matrix that multiplies them.
Whitening = tuple[Vectors, Vectors]


def refine(
    vectors: Vectors, sentences: Sequence[str], number_weight: float, whitening: Whitening | None
) -> Vectors:
    """Add numbers to a model's vectors, and whiten them; a blank sentence stays at zero.

    Without a ``whitening``, the vectors stay as they are.
    """
    if whitening is None:
        return vectors
    mean, matrix = whitening
    # Centered before numbers are added: the vectors of some models are in a narrow cone, and their
    # differences would be small beside the numbers.
    vectors = np.where(vectors.any(axis=1, keepdims=True), unit_rows(vectors), mean)
    vectors = (vectors - mean).astype(np.float32)
    if number_weight:
        numbers = number_weight * _number_vectors(sentences)
        vectors = np.hstack([unit_rows(vectors), numbers]).astype(np.float32)
    return vectors @ matrix


def fit_whitening(
    vectors: Vectors,
    sentences: Sequence[str],
    number_weight: float,
    degree: float,
) -> Whitening:
    """Learn to whiten a model's vectors, with numbers added, to a degree from 0 to 1.

    With the unit vectors of the sentences as rows of a matrix with singular values s, vectors are
    scaled by s ** -degree along its right singular vectors.
    """
    units = unit_rows(vectors[vectors.any(axis=1)])
    # Shrinkage: as if there were one more sentence in each direction, in the mean as in the
    # singular values, since a few sentences say little about most directions.
    mean = (units.sum(axis=0) / (len(units) + units.shape[1])).astype(np.float32)
    identity = np.eye(units.shape[1] + (_NUMBER_DIMS if number_weight else 0), dtype=np.float32)
    rows = unit_rows(refine(vectors, sentences, number_weight, (mean, identity)))
    squares, directions = np.linalg.eigh(rows.T @ rows)
    scales = (np.maximum(squares, 0) + 1) ** (-degree / 2)
    matrix = (directions * scales) @ directions.T
    return mean, matrix.astype(np.float32)


def learn_whitening(
    vectors: Vectors,
    sentences: Sequence[str],
    number_weight: float,
    degree: float | str,
    pairs: Pairs,
    scores: Floats | None = None,
    groups: ArrayLike | None = None,
) -> Whitening | None:
    """Fit a whitening transform; "auto" keeps it only if it improves the correlation."""
    if degree == 0 and number_weight == 0:
        return None
    if degree != "auto":
        return fit_whitening(vectors, sentences, number_weight, float(degree))
    plain = fit_whitening(vectors, sentences, number_weight, 0.0) if number_weight else None
    if scores is None or len(scores) < 2:
        return plain
    places = {sentence: place for place, sentence in enumerate(sentences)}
    first, second = ([places[sentence] for sentence in side] for side in pairs.T.tolist())
    labels = np.zeros(len(scores)) if groups is None else np.asarray(groups)
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]

    def mean_r(whitening: Whitening | None) -> float:
        """Compute the mean correlation of cosines and scores over groups, weighted by pairs."""
        units = unit_rows(refine(vectors, sentences, number_weight, whitening))
        cosines = row_cosines(units[first], units[second])
        r = [pearson(cosines[rows], scores[rows], undefined=0.0) for rows in members]
        return float(np.average(r, weights=[len(rows) for rows in members]))

    whitened = fit_whitening(vectors, sentences, number_weight, _DEGREE)
    return whitened if mean_r(whitened) > mean_r(plain) else plain


def _number_vectors(sentences: Sequence[str]) -> Floats:
    """Sum the random directions of the distinct numbers of each sentence."""
    words = [[w for w in dict.fromkeys(tokenize(s)) if has_digit(w)] for s in sentences]
    numbers = list(dict.fromkeys(word for row in words for word in row))
    directions = dict(zip(numbers, random_directions(numbers, _NUMBER_DIMS), strict=True))
    # Sums, not means: the more numbers sentences have, the more these count.
    sums = np.zeros((len(sentences), _NUMBER_DIMS))
    for total, row in zip(sums, words, strict=True):
        for word in row:
            total += directions[word]
    return sums
