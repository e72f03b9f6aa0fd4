"""Columns of text in frames, arrays and lists, and tables of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._pairs import as_sentences
from skpara._unicode import compose
from skpara._warnings import warn
from skpara.datasets import unused_names
from skpara.matching._fields import KINDS, TEXTS
from skpara.matching._search import Rows
from skpara.matching._values import day, is_placeholder, number
from skpara.text import replace_lone_surrogates

_MOST_SHOWN = 50  # rows of a table in a notebook
# Cells without a number or date that may be placeholders, such as "unknown".
_FEW_UNREAD = 2
_SHARE_UNREAD = 0.01
_MISSING = ("nan", "NaN", "sNaN", "NaT", "<NA>")


def read_columns(X: Any, on: Any, what: str) -> tuple[list[list[str]], dict[Any, str], Any]:
    """Return the cells of the columns to compare, their kinds, and the frame if there is one.

    Missing cells of several columns are empty, and so are cells such as "N/A". A kind that is not
    given, nor by the type of the cells, is "guess".
    """
    kinds = dict(on) if isinstance(on, Mapping) else {}
    names = list(on) if isinstance(on, Mapping | list | tuple) else [on]
    if unknown := [kind for kind in kinds.values() if kind not in KINDS]:
        raise ValueError(f"The kind of a column is one of {', '.join(KINDS)}, got {unknown[0]!r}.")
    try:
        are_names = 0 < len(names) == len(set(names))
    except TypeError:  # a set or an array, which cannot be a name
        are_names = False
    if not are_names:
        raise ValueError(f"on must name each column to compare once, got {on!r:.200}.")
    if len(names) == 1 and kinds.get(names[0], "text") in TEXTS:
        sentences, table = _text_column(X, names[0], what)
        return [sentences], {names[0]: kinds.get(names[0], "guess")}, table
    columns, found = [], {}
    for name in names:
        _check_frame(X, name, what)
        cells = map(as_text, X[name].to_list())
        columns.append(["" if is_placeholder(cell) else cell for cell in cells])
        found[name] = kinds.get(name) or _kind_of(X[name].to_list())
        if name in kinds:
            warn_of_unread(columns[-1], kinds[name], f"{what}, column {name!r}")
    if set(found.values()) == {"same"}:
        raise ValueError("Columns that must be the same restrict matches. Add one to compare.")
    return columns, found, X


def warn_of_unread(cells: list[str], kind: str, where: str) -> None:
    """Warn if more than a few cells of a column are no numbers or dates, as they should be."""
    if kind not in ("number", "date"):
        return
    read = number if kind == "number" else day
    filled = [(row, cell) for row, cell in enumerate(cells) if cell]
    unread = [(row, cell) for row, cell in filled if np.isnan(read(cell))]
    few = _FEW_UNREAD + _SHARE_UNREAD * len(filled)
    if len(unread) > few or len(unread) == len(filled) > 1:
        row, cell = unread[0]
        warn(
            f"{where}: {len(unread)} of {len(filled)} cells cannot be read as a {kind}, for "
            f"example {cell!r:.60} in row {row}. Write them in one way, or leave out the kind."
        )


def as_text(cell: Any) -> str:
    # By their text, as pandas.NA, Decimal("sNaN") and arrays cannot be compared with themselves.
    if cell is None or (not isinstance(cell, str) and str(cell) in _MISSING):
        return ""
    if hasattr(cell, "strftime"):
        return str(cell)[:10]
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return compose(replace_lone_surrogates(str(cell))).strip()


def _kind_of(cells: list[Any]) -> str:
    """Return the kind that the type of the cells tells."""
    cells = [cell for cell in cells if cell is not None and as_text(cell)]
    if cells and all(hasattr(cell, "strftime") for cell in cells):
        return "date"
    if cells and all(isinstance(cell, float | int) for cell in cells):
        return "code" if all(isinstance(x, int) or x.is_integer() for x in cells) else "number"
    return "guess"


def _text_column(X: Any, on: Any, what: str) -> tuple[list[str], Any]:
    """Return the sentences of a frame's column, or of a list, and the frame if there is one."""
    if hasattr(X, "to_frame") and not hasattr(X, "columns"):  # a Series
        return as_sentences(X), X.to_frame(what if X.name in (None, "") else X.name)
    if on is None and not hasattr(X, "columns") and not hasattr(X, "collect_schema"):
        return as_sentences(X), None
    if on is None and len(X.columns) == 1:
        on = next(iter(X.columns))
    _check_frame(X, on, what)
    try:
        return as_sentences(X[on]), X
    except ValueError as error:
        raise ValueError(f"{what}, column {on!r}: {error}") from error


def _check_frame(X: Any, name: Any, what: str) -> None:
    """Raise an error if there is not one column of this name."""
    # Columns of a lazy frame of polars or of a table of pyarrow cannot be selected by name.
    is_other = hasattr(X, "collect_schema") or hasattr(X, "column_names")
    if is_other and not hasattr(X, "get_column"):
        raise TypeError(
            f"{what} is a {type(X).__name__}. Pass a frame of pandas or polars: X.collect(), or "
            "X.to_pandas()."
        )
    if not hasattr(X, "columns"):
        raise ValueError(
            f"on={name!r} names a column, but {what} is {type(X).__name__} instead of a frame. "
            "Leave it out."
        )
    names = list(X.columns)
    if names.count(name) != 1:
        problem = "on is None" if name is None else f"there is not one column {name!r}"
        raise ValueError(
            f"{what} is a frame of {len(names)} columns, {', '.join(map(str, names)):.200}, and "
            f"{problem}. Pass the names of the columns to compare as on."
        )


def stacked(first: Any, second: Any) -> Any:
    """Return the rows of two frames, one below the other; other columns have missing values."""
    if hasattr(first, "iloc"):
        import pandas as pd

        return pd.concat([first, second])
    import polars as pl

    return pl.concat([first, second], how="diagonal_relaxed")


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
        is_object = column.dtype == object  # polars does not convert an array of str to objects
        values, dtype = (column.tolist(), pl.Object) if is_object else (column, None)
        parts.append(pl.Series(name, values, dtype=dtype))
    return pl.DataFrame(parts)


class Table(np.recarray[Any, Any]):
    """A structured array that a notebook shows as a table."""

    def _repr_html_(self) -> str | None:
        if self.dtype.names is None:
            return None
        rows = self.ravel()[:_MOST_SHOWN].tolist()
        lines = [f"<th>{'<th>'.join(self.dtype.names)}"]
        lines += [f"<td>{'<td>'.join(map(_as_html, row))}" for row in rows]
        return f"<table><tr>{'<tr>'.join(lines)}</table>{len(rows)} of {self.size} rows"


class Review(Table):
    """Pairs to judge; a notebook shows the cells of both rows one below the other."""

    def _repr_html_(self) -> str | None:
        names = self.dtype.names or ()
        if "sentence1" not in names:
            return super()._repr_html_()
        hidden = {name for name in names if name.startswith("sentence") or name == "drawn"}
        hidden |= {name for both in fields_of(names) for name in both}
        others = [name for name in names if name not in hidden]
        lines = [f"<th>{'<th>'.join(map(escape, [*others, 'rows']))}"]
        for row in self.ravel()[:_MOST_SHOWN]:
            cells = [_as_html(row[name]) for name in others]
            fields = [
                f"<tr><td>{escape(name)}<td>{_marked(a, b)}" for name, a, b in cells_of(row, names)
            ]
            lines.append(f"<td>{'<td>'.join(cells)}<td><table>{''.join(fields)}</table>")
        shown = f"{len(lines) - 1} of {self.size} rows"
        return f"<table><tr>{'<tr>'.join(lines)}</table>{shown}"


def field_names(columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names that the cells of both rows have in a review of several columns."""
    if len(columns) < 2:
        return []
    return [(f"{name}_1", f"{name}_2") for name in unused_names(columns, [])]


def fields_of(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names of cells in a review, which follow those of the sentences."""
    others = names[names.index("sentence2") + 1 :]
    pairs = zip(others[::2], others[1::2], strict=False)
    return [(a, b) for a, b in pairs if a.endswith("_1") and b == f"{a[:-1]}2"]


def cells_of(row: Any, names: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return the name and both cells of each column of a reviewed pair."""
    fields = [(a[:-2], row[a], row[b]) for a, b in fields_of(names)]
    return fields or [("", row["sentence1"], row["sentence2"])]


def _marked(first: str, second: str) -> str:
    if first == second:
        return escape(first)
    return f"<mark>{escape(first)}</mark><br><mark>{escape(second)}</mark>"


def _as_html(cell: Any) -> str:
    if hasattr(cell, "to_html"):  # an explanation
        return str(cell.to_html())
    return escape(f"{cell:.3f}" if isinstance(cell, float) else str(cell))


def records(columns: Mapping[str, NDArray[Any]]) -> Table:
    """Return a structured array; used when the input is not a frame."""
    table: Any = np.rec.fromarrays([*columns.values()], names=[*columns])  # type: ignore[call-overload]
    return table.view(Table)
