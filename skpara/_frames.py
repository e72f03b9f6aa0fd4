"""Frames and columns of any library: pandas, polars, pyarrow, DuckDB, ..., by narwhals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from skpara._compatibility import import_optional

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

# Most calls pass these, which are not frames, and are spared the import of narwhals.
_NO_FRAMES = (list, tuple, str, np.ndarray, Mapping)


def as_frame(X: Any) -> nw.DataFrame[Any] | None:
    """Return a frame, computed if it is lazy; None if ``X`` is none."""
    frame = _wrapped(X, "DataFrame", "LazyFrame")
    if not hasattr(frame, "collect"):
        return frame
    if not (frame.implementation.is_polars() or frame.implementation.is_dask()):
        import_optional("pyarrow", f"A lazy table of {frame.implementation.value}")
    return frame.collect()


def as_column(X: Any) -> nw.Series[Any] | None:
    """Return a column that belongs to a library of frames; None if ``X`` is none."""
    return _wrapped(X, "Series")


def is_frame(X: Any) -> bool:
    """Return whether ``X`` is a frame, or will be one when it is computed."""
    return _wrapped(X, "DataFrame", "LazyFrame") is not None


def column_names(X: Any) -> list[str] | None:
    """Return the names of a frame's columns; None if it is not a frame, or they are not text."""
    frame = _wrapped(X, "DataFrame", "LazyFrame")
    if frame is None:
        return None
    names = frame.collect_schema().names()
    return names if all(isinstance(name, str) for name in names) else None


def has_columns(X: Any) -> bool:
    """Return whether the columns of ``X`` have names: it is a frame, or a dict of columns."""
    return isinstance(X, Mapping) or is_frame(X)


def _wrapped(X: Any, *classes: str) -> Any:
    """Return ``X`` as one of some classes of narwhals; None if it is of none of them."""
    if isinstance(X, _NO_FRAMES):
        return None
    import narwhals.stable.v2 as nw

    native = nw.to_native(X, pass_through=True)
    try:
        wrapped = nw.from_native(native, pass_through=True, allow_series=True)
    except nw.exceptions.DuplicateError:
        names = list(map(str, native.columns))
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(
            f"A frame has several columns with the same name, {twice!r}. Rename them: "
            "frame.set_axis([...], axis=1)."
        ) from None
    return wrapped if isinstance(wrapped, tuple(getattr(nw, x) for x in classes)) else None
