"""Deduplication of more rows than fit into memory."""

from skpara.scale._duckdb import Deduplicated, deduplicate
from skpara.scale._spark import DeduplicatedFrame, deduplicate_spark

__all__ = ["Deduplicated", "DeduplicatedFrame", "deduplicate", "deduplicate_spark"]
