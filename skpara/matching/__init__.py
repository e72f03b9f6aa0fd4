"""Matching of two tables, and duplicates within one."""

from skpara.matching._deduplicator import Deduplicator
from skpara.matching._matcher import TableMatcher

# For other rooms of the package.
from skpara.matching._partitions import PartitionedSearch as PartitionedSearch
from skpara.matching._scores import model_scores as model_scores

__all__ = ["Deduplicator", "TableMatcher"]
