"""The yearly STS tasks: their sets, numbers of lines and archives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from skpara.datasets._sources import Source, facts


@dataclass(frozen=True)
class StsTask:
    """The sets of one year and split."""

    label: str  # the year as in ``groups``, with "-train" for train sets
    year: int
    split: str
    sets: Sequence[str]
    on_request: Sequence[str]  # read only if named: in other languages, or not public
    source: Source
    terms: str  # licence, as far as the source states it
    paper: str


@cache
def sts_tasks() -> tuple[StsTask, ...]:
    """Return the tasks in the order of their years."""
    return tuple(StsTask(**task | {"source": Source.of(task["source"])}) for task in facts("sts"))
