"""Progress bars."""

from __future__ import annotations

from typing import Any


def progress_bar(total: int | None, unit: str, *, shown: bool = True) -> Any:
    """Return a progress bar of tqdm for the terminal or the notebook, or a disabled one."""
    # tqdm.auto warns in a notebook without ipywidgets, so it is imported only if a bar is shown.
    if not shown:
        from tqdm import tqdm

        return tqdm(total=total, disable=True)
    from tqdm.auto import tqdm as tqdm_auto

    return tqdm_auto(total=total, unit=unit)
