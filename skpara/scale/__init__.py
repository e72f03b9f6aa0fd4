"""Deduplication of more rows than fit into memory."""

from skpara.scale._duckdb import Deduplicated, deduplicate

__all__ = ["Deduplicated", "deduplicate"]
