"""The yearly STS tasks: their sets, numbers of lines and archives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from skpara.datasets._sources import Archive, Source, facts

WIKI_PAGE = "the STS wiki, http://ixa2.si.ehu.eus/stswiki"


@dataclass(frozen=True)
class StsTask:
    """The sets of one year and split."""

    label: str  # the year as in ``groups``, with "-train" for train sets
    year: int
    split: str
    sets: tuple[str, ...]
    on_request: tuple[str, ...]  # sets that are read only if named: other languages, or not public
    source: Source
    terms: str  # licence, as far as the source states it
    paper: str


def wiki_urls(path: str) -> tuple[str, ...]:
    """Return the present address of a file of the STS wiki, then the one that papers cite."""
    return (
        f"https://ixa2.si.ehu.eus/stswiki/images/{path}",
        f"http://ixa2.si.ehu.es/stswiki/images/{path}",
    )


@cache
def sts_tasks() -> tuple[StsTask, ...]:
    """Return the tasks in the order of their years."""
    return tuple(_task(**entry) for entry in facts("sts"))


def _task(
    year: int,
    split: str,
    sets: dict[str, int],
    on_request: dict[str, int],
    archives: dict[str, list[str]],
    official_folders: list[str],
    **notes: Any,
) -> StsTask:
    # Sets without lines are in no archive: their sentences come from the LDC only.
    n_lines = {name: n for name, n in (sets | on_request).items() if n}
    source = Source(
        f"STS {year} {split}",
        f"STS/STS{year % 100}-en-{split}",
        WIKI_PAGE,
        tuple(
            Archive(
                wiki_urls(path),
                {f"STS.{kind}.{name}.txt": n for name, n in n_lines.items() for kind in kinds},
            )
            for path, kinds in archives.items()
        ),
        official_folders,
    )
    label = f"{year}-train" if split == "train" else str(year)
    return StsTask(label, year, split, tuple(sets), tuple(on_request), source, **notes)
