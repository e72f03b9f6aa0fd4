"""Deduplication and matching of more rows than fit into memory."""

from skpara.scale._duckdb import Deduplicated, deduplicate
from skpara.scale._match import Matched, match
from skpara.scale._spark import DeduplicatedFrame, deduplicate_spark

__all__ = [
    "Deduplicated",
    "DeduplicatedFrame",
    "Matched",
    "deduplicate",
    "deduplicate_spark",
    "match",
]
