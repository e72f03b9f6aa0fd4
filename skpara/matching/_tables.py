"""Columns of text in frames, arrays and lists, and tables of results."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Sized
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skpara._frames import as_column, as_frame
from skpara._messages import near_name, warn
from skpara._normal_form import compose, is_placeholder
from skpara._pairs import as_sentences
from skpara.datasets import unused_names
from skpara.matching._kinds import KINDS, TEXTS, Kind, as_kind
from skpara.matching._search import Rows
from skpara.text import replace_lone_surrogates

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

_MOST_SHOWN = 50  # rows of a table in a notebook
# Cells without a number or date that may be placeholders, such as "unknown".
_FEW_UNREAD = 2
_SHARE_UNREAD = 0.01
# Rows, of any number, that show whether a table has another order than before.
_ROWS_LOOKED_AT = 100
# Where the columns of a table are named.
_PARAMETER = {"reference": "on, or as right_on of join", "queries": "on, or as left_on of join"}
_MISSING = ("nan", "NaN", "sNaN", "NaT", "<NA>")


def read_columns(X: Any, on: Any, what: str) -> tuple[list[list[str]], dict[Any, str | Kind], Any]:
    """Return the cells of the columns to compare, their kinds, and the frame if there is one.

    Missing cells are empty, and so are cells of several columns such as "N/A". A kind that is not
    given is "guess".
    """
    kinds = dict(on) if isinstance(on, Mapping) else {}
    kinds = {x: kind() if isinstance(kind, type) else kind for x, kind in kinds.items()}
    names = list(on) if isinstance(on, Mapping | list | tuple) else [on]
    if unknown := [
        kind for kind in kinds.values() if not isinstance(kind, Kind) and kind not in KINDS
    ]:
        raise ValueError(
            f"The kind of a column is one of {', '.join(KINDS)}, or a Kind of your own, got "
            f"{unknown[0]!r}. Columns that have another name in the other table go into left_on "
            "and right_on."
        )
    try:
        are_names = 0 < len(names) == len(set(names))
    except TypeError:  # a set or an array, which cannot be a name
        are_names = False
    if not are_names:
        raise ValueError(f"on must name each column to compare once, got {on!r:.200}.")
    given, frame = _columns_of(X, names, what)
    columns, found = [], {}
    for name, cells in given.items():
        where = what if name is None else f"{what}, column {name!r}"
        _check_cells(cells, where)
        kind = kinds.get(name)
        found[name] = kind or "guess"
        # A text that stands alone is compared as it is written, with its spaces.
        is_whole = len(given) == 1 and found[name] in ("guess", *TEXTS)
        texts = [_whole_text(cell) if is_whole else as_text(cell) for cell in cells]
        if len(given) > 1:
            texts = known(texts)
        columns.append(texts)
        if kind is not None:
            warn_of_unread(columns[-1], kind, where)
    if set(found.values()) == {"same"}:
        raise ValueError("Columns that must be the same restrict matches. Add one to compare.")
    return columns, found, None if frame is None else frame.to_native()


def known(cells: list[str]) -> list[str]:
    """Return cells, empty where they say that nothing is known."""
    return ["" if is_placeholder(cell) else cell for cell in cells]


def _columns_of(X: Any, names: list[Any], what: str) -> tuple[dict[Any, list[Any]], Any]:
    """Return the cells of columns by their names, and the frame of narwhals if there is one."""
    series, frame = as_column(X), as_frame(X)
    if series is not None:
        frame = series.alias(what if series.name in (None, "") else series.name).to_frame()
        return {names[0]: series.to_list()}, frame
    columns = X if isinstance(X, Mapping) else frame
    if columns is None:
        _refuse_rows(X, what)
        if names != [None] and not isinstance(X, str | os.PathLike):
            raise ValueError(
                f"on={names[0]!r} names a column, but {what} is {type(X).__name__} instead of a "
                "frame. Leave it out."
            )
        return {None: _list_of_texts(X)}, None
    present = list(X) if frame is None else frame.columns
    # The name of the only column does not matter, as long as none is given.
    sources = present if names == [None] and len(present) == 1 else names
    for name in sources:
        if name not in present:
            problem = "on is None" if name is None else f"there is no column {name!r}"
            if name is not None and (near := _near_column(name, present)):
                problem += f" (did you mean {near!r}?)"
            raise ValueError(
                f"{what} is a frame of {len(present)} columns, "
                f"{', '.join(map(str, present)):.200}, and {problem}. Pass the names of the "
                f"columns to compare as {_PARAMETER.get(what, 'on')}."
            )
    pairs = list(zip(names, sources, strict=True))
    if frame is not None:
        return {name: frame.get_column(source).to_list() for name, source in pairs}, frame
    lists = {name for name in present if isinstance(X[name], Sized)}
    lists -= {name for name in present if isinstance(X[name], str)}
    sizes = {name: len(X[name]) if name in lists else None for name in present}
    if len(set(sizes.values())) > 1 or None in sizes.values():
        raise ValueError(
            f"{what}: the columns have different numbers of rows, {sizes}. Pass lists or "
            "arrays with one cell for each row."
        )
    return {name: _list_of_cells(X[source]) for name, source in pairs}, None


def _near_column(name: Any, present: Sequence[Any]) -> Any:
    """Return the name of a column that is spelled alike, whatever its case; None if none is."""
    columns = {str(column).casefold(): column for column in present}
    near = near_name(str(name).casefold(), list(columns))
    return None if near is None else columns[near]


def _refuse_rows(X: Any, what: str) -> None:
    """Raise for rows of several cells, whose columns have no names."""
    is_rows = isinstance(X, list | tuple) or (isinstance(X, np.ndarray) and X.ndim > 0)
    first: Any = X[0] if is_rows and len(X) else None
    is_row = isinstance(first, list | tuple | Mapping | np.ndarray | np.void)
    if is_row and len(first) > 1:
        columns = "{name: [...], ...}"
        raise ValueError(
            f"{what}: Row 0 holds {type(first).__name__} {first!r:.60}, several cells. Pass a "
            f"frame, or a dict of columns {columns}, and their names as on."
        )


def _list_of_texts(X: Any) -> list[str]:
    """Return sentences of a list or an array, with empty ones where they are missing."""
    if isinstance(X, list | tuple):
        return as_sentences(["" if is_missing(cell) else cell for cell in X])
    return as_sentences(X)


def _list_of_cells(column: Any) -> list[Any]:
    series = as_column(column)
    if series is not None:
        return series.to_list()
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


def _check_cells(cells: Sequence[Any], where: str) -> None:
    """Raise for bytes, whose text would be their notation in Python."""
    for row, cell in enumerate(cells):
        if isinstance(cell, bytes | bytearray):
            raise ValueError(
                f"{where}: Row {row} holds {type(cell).__name__} {cell!r:.40}, not text. Decode "
                "it first: cell.decode('utf-8')."
            )


def warn_of_unread(cells: list[str], kind: str | Kind, where: str) -> None:
    """Warn if more than a few cells of a column are not the numbers or dates they should be."""
    kind = as_kind("names" if kind == "text" else kind)
    if not kind.must_be_read:
        return
    filled = [(row, cell) for row, cell in enumerate(cells) if cell]
    unread = [(row, cell) for row, cell in filled if not kind.looks(cell)]
    few = _FEW_UNREAD + _SHARE_UNREAD * len(filled)
    if len(unread) > few or len(unread) == len(filled) > 1:
        row, cell = unread[0]
        warn(
            f"{where}: {len(unread)} of {len(filled)} cells cannot be read as a {kind.name}, for "
            f"example {cell!r:.60} in row {row}. Use one format, or leave out the kind."
        )


def is_missing(cell: Any) -> bool:
    """Return whether a cell is None, NaN, NaT or NA."""
    # By their text, as pandas.NA, Decimal("sNaN") and arrays cannot be compared with themselves.
    return cell is None or (not isinstance(cell, str) and str(cell) in _MISSING)


def as_text(cell: Any) -> str:
    """Return a cell as text without spaces around it; whole numbers have no decimal point."""
    if is_missing(cell):
        return ""
    if hasattr(cell, "strftime"):
        text = str(cell)
        return text[:10] if " 00:00:00" in text else text  # a frame has no dates without a time
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return compose(replace_lone_surrogates(str(cell))).strip()


def _whole_text(cell: Any) -> str:
    text = compose(cell) if isinstance(cell, str) else as_text(cell)
    return text if text.strip() else ""


def stacked(first: Any, second: Any) -> Any:
    """Return the rows of two frames, one below the other; other columns have missing values."""
    import narwhals.stable.v2 as nw

    parts = nw.from_native(first), nw.from_native(second)
    return nw.concat(parts, how="diagonal").to_native()


def check_rows(X: Any, n_fitted: int) -> None:
    """Raise unless a computed frame, a list or a dict of columns has the rows of ``fit``."""
    n = len(next(iter(X.values()), [])) if isinstance(X, Mapping) else len(X)
    if n != n_fitted:
        raise ValueError(f"X has {n} rows, but {n_fitted} were fitted. Pass the same rows.")


def check_order(X: Any, fitted: list[list[str]], names: list[str]) -> None:
    """Raise if some of the rows show that X has the fitted rows in another order.

    ``fitted`` are the cells of the compared columns, with their ``names``. X may have other cells
    there, such as those before they were cleaned, or other columns.
    """
    n_rows = len(fitted[0])
    rows = np.unique(np.linspace(0, n_rows - 1, min(n_rows, _ROWS_LOOKED_AT)).astype(np.int64))
    part = take_rows(X, rows)
    is_table = isinstance(part, Mapping) or as_frame(part) is not None
    try:
        cells = read_columns(part, names if is_table else None, "X")[0]
    except (ValueError, TypeError):
        return
    expected = [tuple(column[row] for column in fitted) for row in rows.tolist()]
    found = zip(*cells, strict=True)
    other = {own for own, first in zip(found, expected, strict=True) if own != first}
    moved = other.intersection(zip(*fitted, strict=True)) if other else set()
    if len(moved) > max(1, len(other) / 2):
        raise ValueError(
            "X has the fitted rows in another order. Pass them as they were fitted, or fit again."
        )


def take_rows(X: Any, rows: Rows) -> Any:
    """Return rows of a frame, a column, an array, a list or a dict of columns by their numbers."""
    if (frame := as_frame(X)) is not None:
        return frame[rows].to_native()
    if (series := as_column(X)) is not None:
        return series[rows].to_native()
    if isinstance(X, Mapping):
        return {name: take_rows(column, rows) for name, column in X.items()}
    if hasattr(X, "to_pylist"):  # an array of pyarrow
        return X.take(rows)
    if hasattr(X, "dtype"):
        return X[rows]
    return [X[row] for row in rows.tolist()]


def frame_like(table: Any, columns: Mapping[Any, list[str]]) -> Any:
    """Return a frame of the library of ``table``."""
    import narwhals.stable.v2 as nw

    backend = nw.from_native(table).implementation
    return nw.from_dict(dict(columns), backend=backend).to_native()


def side_by_side(
    left: Any, right: Any, rows: tuple[Rows, Rows | None], columns: Mapping[str, NDArray[Any]]
) -> Any:
    """Join rows of two frames, and new columns, to one frame of the library of ``left``.

    Row -1 stands for missing values, and None for no ``right`` frame. A name that is already taken
    gets the suffix ``_match``. The index is that of ``left``, unless some of its rows are missing.
    """
    import narwhals.stable.v2 as nw

    frame = nw.from_native(left)
    backend = frame.implementation
    first = _with_missing_rows(frame, rows[0])
    others: list[Any] = []
    if rows[1] is not None:
        second = _with_missing_rows(_converted(nw.from_native(right), backend), rows[1])
        others = list(second.iter_columns())
    names = unused_names([*(x.name for x in others), *columns], first.columns)
    parts = [x.alias(name) for x, name in zip(others, names, strict=False)]
    for name, values in zip(names[len(others) :], columns.values(), strict=True):
        parts.append(_new_column(name, values, backend))
    return first.with_columns(*parts).to_native()


def _new_column(name: str, values: NDArray[Any], backend: Any) -> nw.Series[Any]:
    """Return a column of numbers, or of text and explanations, with missing values."""
    import narwhals.stable.v2 as nw

    if backend.is_pandas_like():
        return nw.new_series(name, values, backend=backend)
    if values.dtype != object:  # NaN is a number there, larger than all others
        cells = [None if value != value else value for value in values.tolist()]
        return nw.new_series(name, cells, nw.Float64(), backend=backend)
    if backend.is_polars() and any(hasattr(value, "to_html") for value in values):
        return nw.new_series(name, values.tolist(), nw.Object(), backend=backend)
    texts = [None if value is None else str(value) for value in values]
    return nw.new_series(name, texts, nw.String(), backend=backend)


def _converted(frame: nw.DataFrame[Any], backend: Any) -> nw.DataFrame[Any]:
    """Return a frame of the library of the other one."""
    import narwhals.stable.v2 as nw

    if frame.implementation == backend:
        return frame
    try:
        return nw.from_arrow(frame.to_arrow(), backend=backend)
    except ImportError:
        raise TypeError(
            f"One table is a frame of {backend.value} and the other one of "
            f"{frame.implementation.value}. Convert one of them, or let skpara do so: "
            "pip install pyarrow"
        ) from None


def _with_missing_rows(frame: nw.DataFrame[Any], rows: Rows) -> nw.DataFrame[Any]:
    """Return rows of a frame by their numbers; row -1 has missing values."""
    import narwhals.stable.v2 as nw

    if not (rows < 0).any():
        return frame[rows]
    # pandas would turn whole numbers into 1234.0 beside a missing one.
    whole = [name for name, dtype in frame.schema.items() if dtype.is_integer()]
    if whole:
        frame = frame.with_columns(nw.maybe_convert_dtypes(frame.select(whole)).iter_columns())
    name = unused_names(["missing"], frame.columns)[0]
    missing = nw.from_dict({name: [0]}, backend=frame.implementation)
    more = nw.concat([frame, missing], how="diagonal").drop(name)
    return nw.maybe_reset_index(more[np.where(rows < 0, len(frame), rows)])


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
