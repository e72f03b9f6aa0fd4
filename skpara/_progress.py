"""Progress bars."""

from __future__ import annotations

from typing import Any


def progress_bar(total: int | None, unit: str, *, shown: bool = True) -> Any:
    """Return a bar of tqdm for the terminal or the notebook, or one that shows nothing."""
    # The choice between the two warns where a notebook lacks a package: only if it is made.
    if not shown:
        from tqdm import tqdm

        return tqdm(total=total, disable=True)
    from tqdm.auto import tqdm as tqdm_auto

    return tqdm_auto(total=total, unit=unit)
