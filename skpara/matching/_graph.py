"""Search among very many vectors: a graph finds most of the nearest ones and compares few."""

from __future__ import annotations

from typing import Any

import numpy as np

from skpara._optional import import_optional
from skpara._typing import Vectors
from skpara.matching._search import Rows

# Vectors that a search keeps in view, at least; twice as many take twice the time.
_EXPANSION = 128


class VectorGraph:
    """A graph (HNSW) of vectors of length 1, by usearch.

    Y. Malkov, D. Yashunin (2020). Efficient and robust approximate nearest neighbor search using
    hierarchical navigable small world graphs. IEEE Transactions on Pattern Analysis and Machine
    Intelligence.
    """

    def __init__(self, units: Vectors) -> None:
        module = import_optional(
            "usearch.index", "SentenceMatcher(index='usearch')", install="skpara[usearch]"
        )
        # In half precision, since the cosines of what it finds are computed again.
        self._graph = module.Index(ndim=units.shape[1], metric="ip", dtype="f16")
        # With several threads the graph, and so the matches, would depend on their timing.
        self._graph.add(np.arange(len(units)), units, threads=1)

    def nearest(self, units: Vectors, k: int) -> tuple[Rows, Rows]:
        """Return numbers of rows of ``units``, and of about the k nearest vectors of each.

        Vectors with a product of 0 or less are left out.
        """
        self._graph.expansion_search = max(_EXPANSION, 2 * k)
        results = self._graph.search(units, k, threads=1)
        # usearch drops the first axis if there is one row; what is beyond the counts is padding.
        columns, distances = map(np.atleast_2d, (results.keys, results.distances))
        counts: Any = getattr(results, "counts", columns.shape[1])
        rows, places = np.nonzero(np.arange(columns.shape[1]) < np.reshape(counts, (-1, 1)))
        similar = distances[rows, places] < 1
        rows, places = rows[similar], places[similar]
        return rows, columns[rows, places].astype(np.int64)

    def __getstate__(self) -> dict[str, Any]:
        return {"graph": bytes(self._graph.save())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        module = import_optional(
            "usearch.index", "A SentenceMatcher with index='usearch'", install="skpara[usearch]"
        )
        self._graph = module.Index.restore(state["graph"])
