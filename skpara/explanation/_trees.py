"""Shapley values of the features of regression trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import gen_batches

# Numbers in the largest array that a block of rows makes: they stay in the cache.
_MAX_SIZE = 200_000


class Leaves(NamedTuple):
    """The leaves of a tree as boxes.

    A leaf has as many sides as there are different features on its path; unused places have a
    side that is always kept and a share of 1.
    """

    values: NDArray[np.float64]  # shape (n_leaves,)
    features: NDArray[np.intp]  # shape (n_leaves, n_sides), as are the next three
    lower: NDArray[np.float64]  # x > lower ...
    upper: NDArray[np.float64]  # ... and x <= upper leads here
    shares: NDArray[np.float64]  # of the training rows that go on this way, not told the feature


def tree_contributions(
    trees: Sequence[Any], X: NDArray[np.float32]
) -> tuple[float, NDArray[np.float64]]:
    """Sum of what each feature adds to the predictions of trees.

    Parameters
    ----------
    trees : sequence of sklearn.tree._tree.Tree
        The ``tree_`` of fitted trees.
    X : ndarray of float32, shape (n_rows, n_features)

    Returns
    -------
    baseline : float
    contributions : ndarray of float64, shape (n_rows, n_features)

    Notes
    -----
    A leaf of value v adds, when the features S are known, v times the product of o_j over the
    features j on its path that are in S and of z_j over those that are not: o_j is 1 where x
    keeps to the leaf's side of j and 0 elsewhere, z_j is the share of training rows that do. The
    Shapley value of i in such a product is v (o_i - z_i) times the integral over t from 0 to 1 of
    the product over j other than i of t o_j + (1 - t) z_j, since the t^s (1 - t)^(d - 1 - s) of a
    set of size s integrate to its Shapley weight. That is a polynomial, so Gauss-Legendre
    quadrature of half as many points as there are features gives it exactly.

    References
    ----------
    S. M. Lundberg, G. G. Erion, S.-I. Lee (2018). Consistent individualized feature attribution
    for tree ensembles. arXiv:1802.03888. (The values, by another algorithm.)
    """
    baseline, moved = 0.0, np.zeros(X.shape)
    for tree in trees:
        leaves = _leaves(tree)
        baseline += float(leaves.values @ leaves.shares.prod(axis=1))
        size = leaves.features.size
        # Adds up the sides of all leaves, by feature.
        total = sparse.csr_array(
            (np.ones(size), leaves.features.ravel(), np.arange(size + 1)), (size, X.shape[1])
        )
        for rows in gen_batches(len(X), max(1, _MAX_SIZE // max(1, size))):
            sides = _sides(leaves, X[rows])
            moved[rows] += sides.reshape(len(sides), size) @ total
    return baseline, moved


def _sides(leaves: Leaves, X: NDArray[np.float32]) -> NDArray[np.float64]:
    """What each side of each leaf adds to each row, shape (n_rows, n_leaves, n_sides)."""
    shares = leaves.shares
    x = X[:, leaves.features]
    kept = (x > leaves.lower) & (x <= leaves.upper)
    points, weights = np.polynomial.legendre.leggauss(max(1, (shares.shape[1] + 1) // 2))
    integral = np.zeros(x.shape)
    for t, weight in zip((points + 1) / 2, weights / 2, strict=True):
        factors = (1 - t) * shares + t * kept  # none is 0, as t < 1
        integral += weight * factors.prod(axis=2, keepdims=True) / factors
    sides: NDArray[np.float64] = leaves.values[:, None] * (kept - shares) * integral
    return sides


def _leaves(tree: Any) -> Leaves:
    """Walk down from the root, all nodes of a depth at a time."""
    if tree.value.shape[1] != 1:
        raise ValueError("The tree was fitted on several targets; fit on one.")
    cover = tree.weighted_n_node_samples
    nodes = np.zeros(1, dtype=np.intp)
    sides = [np.full((1, tree.max_depth), unused) for unused in (-1, -np.inf, np.inf, 1.0)]
    found = []
    while True:
        ends = tree.children_left[nodes] < 0
        found.append((nodes[ends], *(side[ends] for side in sides)))
        parents, sides = nodes[~ends], [np.tile(side[~ends], (2, 1)) for side in sides]
        if not len(parents):
            break
        features, lower, upper, shares = sides
        nodes = np.concatenate([tree.children_left[parents], tree.children_right[parents]])
        # A feature that was split on above keeps its place; the box gets narrower.
        asked = np.tile(tree.feature[parents], 2)
        same = features == asked[:, None]
        place = np.where(same.any(axis=1), same.argmax(axis=1), (features >= 0).sum(axis=1))
        rows = np.arange(len(nodes))
        features[rows, place] = asked
        shares[rows, place] *= cover[nodes] / np.tile(cover[parents], 2)
        left, right = rows[: len(parents)], rows[len(parents) :]
        upper[left, place[left]] = lower[right, place[right]] = tree.threshold[parents]
    leaves, features, lower, upper, shares = map(np.concatenate, zip(*found, strict=True))
    width = int((features >= 0).sum(axis=1).max())
    features = np.maximum(features[:, :width], 0).astype(np.intp)
    return Leaves(
        tree.value[leaves, 0, 0], features, lower[:, :width], upper[:, :width], shares[:, :width]
    )
