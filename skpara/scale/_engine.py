"""The steps of a deduplication, and what an engine is: it moves tables between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from skpara._typing import Ints
from skpara.matching import TextRules, least_recall
from skpara.scale import _queries as queries
from skpara.scale._plan import Plan, fit_plan, texts_of_plan

if TYPE_CHECKING:
    import pyarrow as pa


class Engine(ABC):
    """Tables by their names, queries, and work on parts of tables.

    ``rows`` are the texts with their numbers. The steps make ``texts``, the different ones, and
    from each other ``read``, ``items`` and ``probed`` (see :func:`read_texts`), ``groups``,
    ``compared``, ``similar``, ``judged`` and ``pairs``; then ``clusters`` and ``labels``.
    """

    rules: TextRules
    texts_per_group: int

    @abstractmethod
    def table(self, name: str) -> str:
        """Return what stands for a table behind FROM."""

    @abstractmethod
    def write(self, name: str, query: str) -> None:
        """Write the result of a query as a table."""

    @abstractmethod
    def fetch(self, query: str) -> pa.Table:
        """Return the result of a query."""

    @abstractmethod
    def read(self, plan: Plan) -> None:
        """Read ``texts``."""

    @abstractmethod
    def compare(self, plan: Plan) -> None:
        """Compare each of ``groups``; ``compared`` has ``equal``, too."""

    @abstractmethod
    def judge(self, plan: Plan) -> None:
        """Judge the pairs of ``similar``."""

    def collect(self) -> None:
        """Write the different texts, with the number of their first row."""
        self.write("texts", queries.different_texts(self.table("rows")))

    def find_pairs(self) -> None:
        """Write each similar pair once, with its best score."""
        plan = self.plan()
        self.read(plan)
        read, items, keyed, crowded, compared, judged = map(
            self.table, ("read", "items", "keyed", "crowded", "compared", "judged")
        )
        self.write("keyed", queries.keyed(read))
        self.write("crowded", queries.crowded(keyed))
        is_same = self.rules.joins_equal_vectors()
        equal = queries.equal_pairs(read, items, keyed, crowded, is_same=is_same)
        self.write("equal", equal)
        self.write("groups", queries.grouped(items, read, keyed, crowded))
        self.compare(plan)
        self.write("similar", queries.with_texts(compared, read))
        self.judge(plan)
        self.write("pairs", queries.best(judged))

    def plan(self) -> Plan:
        """Make the plan."""
        texts = self.table("texts")
        n_texts = self.fetch(f"SELECT count(*) AS n FROM {texts}")["n"][0].as_py()
        sample = self.fetch(queries.sample(texts, texts_of_plan(n_texts)))["text"].to_pylist()
        return fit_plan(self.rules, sample, n_texts, self.texts_per_group)

    def ranks(self) -> tuple[Ints, Ints]:
        """Return the numbers of the texts of pairs, sorted, and the place of each text."""
        ranks = self.fetch(queries.ranks(self.table("read"), self.table("pairs"))).sort_by("id")
        return ranks["id"].to_numpy(), ranks["place"].to_numpy()

    def labels(self) -> str:
        """Return a query of the cluster of each row, and whether it is kept."""
        rows, texts, read, clusters = map(self.table, ("rows", "texts", "read", "clusters"))
        return queries.labels(rows, texts, read, clusters, self.rules.keep)

    def recall(self) -> float:
        """Return a lower bound of the fraction of pairs that was found."""
        counts = self.fetch(queries.recall(self.table("probed")))
        # If all texts were compared with all, none was probed.
        return least_recall(*map(np.asarray, counts.columns)) if len(counts) else 1.0
