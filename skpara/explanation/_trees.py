"""Shapley values of the features of regression trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import gen_batches

from skpara._typing import Floats

# Numbers in the largest array of a batch of rows: its 1.6 MB stay in the processor's cache.
_MAX_SIZE = 200_000


class _Leaves(NamedTuple):
    """The leaves of a tree as boxes, with a side for each feature on the path to the leaf.

    In unused columns a side contains every row and has a share of 1.
    """

    values: Floats  # shape (n_leaves,)
    features: NDArray[np.intp]  # shape (n_leaves, n_sides), like the next three
    lower: Floats  # x > lower ...
    upper: Floats  # ... and x <= upper leads to this leaf
    shares: Floats  # of the training rows at the splits on the feature that take this branch


def tree_contributions(trees: Sequence[Any], X: NDArray[np.float32]) -> tuple[float, Floats]:
    """Sum what each feature adds to the predictions of several ``sklearn.tree._tree.Tree``.

    When the features S are known, a leaf of value v adds v times the product of o_j over the
    features j on its path that are in S, and of z_j over those that are not: o_j is 1 where x is
    on the leaf's side of j and 0 elsewhere, z_j is the share of training rows on this side. The
    Shapley value of i in such a product is v (o_i - z_i) times the integral over t from 0 to 1 of
    the product over j other than i of t o_j + (1 - t) z_j, since the t^s (1 - t)^(d - 1 - s) of a
    set of size s integrate to its Shapley weight. That is a polynomial, so Gauss-Legendre
    quadrature of half as many points as there are features gives it exactly.

    References
    ----------
    S. M. Lundberg, G. G. Erion, S.-I. Lee (2018). Consistent individualized feature attribution
    for tree ensembles. arXiv:1802.03888. They define the values; the algorithm is another.
    """
    baseline, added = 0.0, np.zeros(X.shape)
    for tree in trees:
        leaves = _leaves(tree)
        baseline += float(leaves.values @ leaves.shares.prod(axis=1))
        size = leaves.features.size
        # Multiplying by this matrix sums the sides of all leaves by feature.
        by_feature = sparse.csr_array(
            (np.ones(size), leaves.features.ravel(), np.arange(size + 1)), (size, X.shape[1])
        )
        for rows in gen_batches(len(X), max(1, _MAX_SIZE // max(1, size))):
            sides = _sides(leaves, X[rows])
            added[rows] += sides.reshape(len(sides), size) @ by_feature
    return baseline, added


def _sides(leaves: _Leaves, X: NDArray[np.float32]) -> Floats:
    """What each side of each leaf adds to each row, shape (n_rows, n_leaves, n_sides)."""
    shares = leaves.shares
    x = X[:, leaves.features]
    inside = (x > leaves.lower) & (x <= leaves.upper)
    points, weights = np.polynomial.legendre.leggauss(max(1, (shares.shape[1] + 1) // 2))
    integral = np.zeros(x.shape)
    for t, weight in zip((points + 1) / 2, weights / 2, strict=True):
        factors = (1 - t) * shares + t * inside  # never 0, as t < 1
        integral += weight * factors.prod(axis=2, keepdims=True) / factors
    sides: Floats = leaves.values[:, None] * (inside - shares) * integral
    return sides


def _leaves(tree: Any) -> _Leaves:
    """Walk down from the root, over all nodes of a depth at once."""
    if tree.value.shape[1] != 1:
        raise ValueError("The tree was fitted on several targets; fit on one.")
    cover = tree.weighted_n_node_samples
    nodes = np.zeros(1, dtype=np.intp)
    sides = [np.full((1, tree.max_depth), unused) for unused in (-1, -np.inf, np.inf, 1.0)]
    by_depth = []
    while True:
        ends = tree.children_left[nodes] < 0
        by_depth.append((nodes[ends], *(side[ends] for side in sides)))
        parents, sides = nodes[~ends], [np.tile(side[~ends], (2, 1)) for side in sides]
        if not len(parents):
            break
        features, lower, upper, shares = sides
        nodes = np.concatenate([tree.children_left[parents], tree.children_right[parents]])
        # A feature that was split on before keeps its column; the box gets narrower.
        split_on = np.tile(tree.feature[parents], 2)
        same = features == split_on[:, None]
        column = np.where(same.any(axis=1), same.argmax(axis=1), (features >= 0).sum(axis=1))
        rows = np.arange(len(nodes))
        features[rows, column] = split_on
        shares[rows, column] *= cover[nodes] / np.tile(cover[parents], 2)
        left, right = rows[: len(parents)], rows[len(parents) :]
        upper[left, column[left]] = lower[right, column[right]] = tree.threshold[parents]
    leaves, features, lower, upper, shares = map(np.concatenate, zip(*by_depth, strict=True))
    width = int((features >= 0).sum(axis=1).max())
    features = np.maximum(features[:, :width], 0).astype(np.intp)
    return _Leaves(
        tree.value[leaves, 0, 0], features, lower[:, :width], upper[:, :width], shares[:, :width]
    )
