"""Clusters of rows from the pairs of rows that are similar, by single or complete linkage."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from skpara._typing import Floats
from skpara.matching._search import Rows


def connected(pairs: Rows, n_rows: int) -> NDArray[np.int64]:
    """Number the clusters of rows that chains of pairs connect, by their first row."""
    graph = coo_matrix((np.ones(len(pairs), dtype=bool), pairs.T), shape=(n_rows, n_rows))
    _, labels = connected_components(graph, directed=False)
    return in_order(labels)


def complete_merges(pairs: Rows, scores: Floats) -> Rows:
    """Merge rows to clusters in which all rows are similar to each other (complete linkage).

    Returns
    -------
    merges : ndarray of shape (n_merges, 2)
        A row of each of the two clusters that are merged. They connect the clusters of complete
        linkage at the lowest of the scores.

    Notes
    -----
    Pairs are taken in the order of their scores. Two clusters are merged when the last pair
    between them is reached: then all pairs are there, and the last one has the lowest score, which
    is what complete linkage maximizes. So time is proportional to the number of pairs, up to a
    logarithm, whereas the usual algorithms need all distances, of dissimilar rows too.
    """
    cluster_of: dict[int, int] = {}
    members: dict[int, list[int]] = {}
    # For each cluster, the number of pairs that it has with other clusters.
    links: dict[int, dict[int, int]] = {}
    merges = []
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -scores))
    for first, second in pairs[order].tolist():
        for row in (first, second):
            if row not in cluster_of:
                cluster_of[row] = row
                members[row], links[row] = [row], {}
        a, b = cluster_of[first], cluster_of[second]
        count = links[a].get(b, 0) + 1
        links[a][b] = links[b][a] = count
        if count < len(members[a]) * len(members[b]):
            continue
        merges.append((a, b))
        if len(members[a]) + len(links[a]) < len(members[b]) + len(links[b]):
            a, b = b, a
        for row in members[b]:  # the smaller cluster joins the larger one
            cluster_of[row] = a
        members[a] += members.pop(b)
        del links[a][b]
        for other, number in links.pop(b).items():
            if other != a:
                del links[other][b]
                links[a][other] = links[other][a] = links[a].get(other, 0) + number
    return np.array(merges, dtype=np.int64).reshape(-1, 2)


def in_order(labels: NDArray[np.integer]) -> NDArray[np.int64]:
    """Number labels anew, in the order of their first occurrence."""
    _, first, place = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[place]
