"""Clusters of rows from pairs of rows, by single, complete or average linkage."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from skpara._typing import Floats
from skpara.matching._search import Rows

# Log odds beyond say no more of a pair.
_LARGEST = 10.0
# Answers outweigh all other pairs of a cluster.
_CERTAIN = 1e6


def connected(pairs: Rows, n_rows: int) -> NDArray[np.int64]:
    """Number the clusters of rows that chains of pairs connect, by their first row."""
    graph = coo_matrix((np.ones(len(pairs), dtype=bool), pairs.T), shape=(n_rows, n_rows))
    _, labels = connected_components(graph, directed=False)
    return in_order(labels)


def complete_merges(pairs: Rows, scores: Floats) -> Rows:
    """Merge rows to clusters in which all rows are similar to each other (complete linkage).

    ``pairs`` are different ones of different rows.

    Returns
    -------
    merges : ndarray of shape (n_merges, 2)
        A row of each of the two clusters that are merged, or of one cluster. They connect the
        clusters of complete linkage at the lowest of the scores.

    Notes
    -----
    Most chains of pairs are cliques, such as two rows: these are clusters. Other pairs are taken
    in the order of their scores. Two clusters are merged when the last pair between them is
    reached: then all pairs are there, and the last one has the lowest score, which is what
    complete linkage maximizes. So time is proportional to the number of pairs, up to a logarithm,
    whereas the usual algorithms need all distances, of dissimilar rows too.
    """
    rows, places = np.unique(pairs, return_inverse=True)
    places = places.reshape(-1, 2)
    chains = connected(places, len(rows))
    of_pairs = chains[places[:, 0]]
    n_rows, n_pairs = np.bincount(chains), np.bincount(of_pairs)
    is_clique = (n_pairs == n_rows * (n_rows - 1) // 2)[of_pairs]
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -scores))
    merged = _complete_merges(places[order[~is_clique[order]]], len(rows))
    return np.concatenate([pairs[is_clique], rows[merged]])


def _complete_merges(pairs: Rows, n_rows: int) -> Rows:
    """Merge rows by pairs in the order of their scores."""
    cluster_of = list(range(n_rows))
    sizes = [1] * n_rows
    members: dict[int, list[int]] = {}  # of clusters with more than one row
    # For each cluster, the number of pairs that it has with other clusters.
    links: list[dict[int, int]] = [{} for _ in range(n_rows)]
    merges = []
    for first, second in pairs.tolist():
        a, b = cluster_of[first], cluster_of[second]
        count = links[a].get(b, 0) + 1
        links[a][b] = links[b][a] = count
        if count < sizes[a] * sizes[b]:
            continue
        merges.append((a, b))
        if sizes[a] + len(links[a]) < sizes[b] + len(links[b]):
            a, b = b, a
        # The smaller cluster joins the larger one.
        joining = members.pop(b, [b])
        for row in joining:
            cluster_of[row] = a
        members.setdefault(a, [a]).extend(joining)
        sizes[a] += sizes[b]
        del links[a][b]
        for other, number in links[b].items():
            if other != a:
                del links[other][b]
                links[a][other] = links[other][a] = links[a].get(other, 0) + number
    return np.array(merges, dtype=np.int64).reshape(-1, 2)


def average_merges(pairs: Rows, margins: Floats) -> Rows:
    """Merge rows to clusters while the mean margin of the pairs between two is not negative.

    This is average linkage over the pairs that were compared: others say nothing. ``margins`` are
    log odds over a threshold, and infinite ones are certain.

    Returns
    -------
    merges : ndarray of shape (n_merges, 2)
        A row of each of the two clusters that are merged, in order.
    """
    # Chains of pairs with a margin of at least 0 connect all that can be merged.
    rows, places = np.unique(pairs, return_inverse=True)
    if not len(rows):
        return np.empty((0, 2), dtype=np.int64)
    places = places.reshape(-1, 2)
    chains = connected(places[margins >= 0], len(rows))
    inside = chains[places[:, 0]] == chains[places[:, 1]]
    limited = np.where(np.isinf(margins), margins, np.clip(margins, -_LARGEST, _LARGEST))
    limited = np.clip(limited, -_CERTAIN, _CERTAIN)
    # For each cluster, the sum and the number of the margins to each other cluster.
    links: dict[int, dict[int, tuple[float, int]]] = {row: {} for row in range(len(rows))}
    queue = []
    for (a, b), margin in zip(places[inside].tolist(), limited[inside].tolist(), strict=True):
        links[a][b] = links[b][a] = margin, 1
        queue.append((-margin, min(a, b), max(a, b)))
    heapify(queue)
    merges = []
    while queue and queue[0][0] <= 0:
        mean, a, b = heappop(queue)
        total, count = links.get(a, {}).get(b, (0.0, 0))
        if not count or -total / count != mean:
            continue  # one of them has been merged since
        merges.append((a, b))
        if len(links[a]) < len(links[b]):
            a, b = b, a
        del links[a][b]
        for other, (total, count) in links.pop(b).items():
            if other != a:
                del links[other][b]
                old = links[a].get(other, (0.0, 0))
                new = old[0] + total, old[1] + count
                links[a][other] = links[other][a] = new
                heappush(queue, (-new[0] / new[1], min(a, other), max(a, other)))
    return rows[np.array(merges, dtype=np.int64).reshape(-1, 2)]


def in_order(labels: NDArray[np.integer]) -> NDArray[np.int64]:
    """Number labels anew, in the order of their first occurrence."""
    _, first, place = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[place]
