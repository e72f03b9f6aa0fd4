"""Columns of text in frames, arrays and lists, and tables of results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._pairs import as_sentences
from skpara.datasets import unused_names
from skpara.matching._search import Rows


def text_column(X: Any, on: Any, what: str) -> tuple[list[str], Any]:
    """Return the sentences of a frame's column, or of a list, and the frame if there is one."""
    if isinstance(on, list | tuple):
        example = " + ' ' + ".join(f"frame[{name!r}]" for name in on)
        raise ValueError(
            f"on must be one column, got {on!r}. Join the texts of several columns into one, e.g. "
            f"frame['text'] = {example}."
        )
    if hasattr(X, "to_frame") and not hasattr(X, "columns"):  # a Series
        name = what if X.name in (None, "") else X.name
        return as_sentences(X), X.to_frame(name)
    # Columns of a lazy frame of polars or of a table of pyarrow cannot be selected by name.
    is_other = hasattr(X, "collect_schema") or hasattr(X, "column_names")
    if is_other and not hasattr(X, "get_column"):
        raise TypeError(
            f"{what} is a {type(X).__name__}. Pass a frame of pandas or polars: X.collect(), or "
            "X.to_pandas()."
        )
    if not hasattr(X, "columns"):
        if on is not None:
            raise ValueError(
                f"on={on!r} names a column, but {what} is {type(X).__name__} instead of a frame. "
                "Leave it out."
            )
        return as_sentences(X), None
    names = list(X.columns)
    if on is None and len(names) == 1:
        on = names[0]
    if names.count(on) != 1:
        problem = "on is None" if on is None else f"there is not one column {on!r}"
        raise ValueError(
            f"{what} is a frame of {len(names)} columns, {', '.join(map(str, names)):.200}, and "
            f"{problem}. Pass the name of the column of sentences as on."
        )
    try:
        return as_sentences(X[on]), X
    except ValueError as error:
        raise ValueError(f"{what}, column {on!r}: {error}") from error


def take_rows(X: Any, rows: Rows) -> Any:
    """Return rows of a frame, an array or a list by their numbers."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "to_pylist"):  # pyarrow
        return X.take(rows)
    if hasattr(X, "columns") or hasattr(X, "dtype"):
        return X[rows]
    return [X[row] for row in rows.tolist()]


def side_by_side(
    left: Any, right: Any, rows: tuple[Rows, Rows], columns: Mapping[str, NDArray[Any]]
) -> Any:
    """Join rows of two frames, and new columns, to one frame of the library of ``left``.

    Row -1 of ``right`` stands for missing values. A name that is already taken gets the suffix
    ``_match``. The index is the index of ``left``.
    """
    is_pandas = hasattr(left, "iloc")
    if is_pandas != hasattr(right, "iloc"):
        raise TypeError(
            "One table is a frame of pandas and the other one of polars. Convert one of them: "
            "frame.to_pandas() or polars.from_pandas(frame)."
        )
    first = take_rows(left, rows[0])
    n_right = len(right.columns)
    names = unused_names([*right.columns, *columns], left.columns)
    right_names, new = names[:n_right], dict(zip(names[n_right:], columns.values(), strict=True))
    if is_pandas:
        import pandas as pd

        second = right.reset_index(drop=True)
        # Only where needed: rows of missing values turn integers into floats.
        second = second.reindex(rows[1]) if (rows[1] < 0).any() else second.iloc[rows[1]]
        second = second.set_axis(right_names, axis=1).set_axis(first.index, axis=0)
        return pd.concat([first, second, pd.DataFrame(new, index=first.index)], axis=1)
    import polars as pl

    numbers = pl.Series([None if row < 0 else row for row in rows[1].tolist()], dtype=pl.Int64)
    second = right.select(pl.all().gather(numbers))
    second.columns = right_names
    parts = [*first, *second]
    for name, column in new.items():
        parts.append(pl.Series(name, column, dtype=pl.Object if column.dtype == object else None))
    return pl.DataFrame(parts)


def records(columns: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Return a structured array; used when the input is not a frame."""
    types = [(name, column.dtype) for name, column in columns.items()]
    length = len(next(iter(columns.values())))
    table = np.empty(length, dtype=types)
    for name, column in columns.items():
        table[name] = column
    return table
