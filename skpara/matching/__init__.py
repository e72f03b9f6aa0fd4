"""Which sentences of two tables match, and which sentences of one table repeat others."""

from skpara.matching._deduplicator import Deduplicator
from skpara.matching._matcher import SentenceMatcher
from skpara.matching._partitions import PartitionedSearch

__all__ = ["Deduplicator", "PartitionedSearch", "SentenceMatcher"]
