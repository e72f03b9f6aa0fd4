"""Rows of Parquet files and spreadsheets, whose cells have types."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from skpara._compatibility import import_optional
from skpara._messages import warn
from skpara.datasets._cells import cell_text

# Libraries that read and write Parquet; the first that is installed does.
_PARQUET = ("pyarrow", "polars")
_LARGEST_WHOLE = 2**53  # of a float
_LARGEST_INTEGER = 2**63 - 1
_LARGEST_OF_SHEET = 10**15  # which shows 15 digits
_MOST_ROWS = 1_048_576  # of a sheet


def read_parquet(path: str) -> Iterator[list[Any]]:
    """Yield the names of the columns, and rows."""
    import narwhals.stable.v2 as nw

    backend = _parquet_backend()
    try:
        # Polars takes brackets in a name for a pattern.
        as_it_is = {"glob": False} if backend == "polars" else {}
        frame = nw.read_parquet(path, backend=backend, **as_it_is)
    except MemoryError:
        raise
    except Exception as error:  # each library has errors of its own
        raise ValueError(f"{path} is not Parquet ({error}). Write it again.") from None
    columns = [column.to_list() for column in frame.iter_columns()]
    # pandas writes whole numbers beside missing ones as 1234.0.
    for place, dtype in enumerate(frame.schema.values()):
        if dtype.is_float() and _is_whole(columns[place]):
            numbers = columns[place]
            columns[place] = [None if x is None or x != x else int(x) for x in numbers]
    yield list(frame.columns)
    yield from map(list, zip(*columns, strict=True))


def write_typed(
    path: Path, format: str, names: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Write a Parquet file or a spreadsheet."""
    (_write_parquet if format == "parquet" else _write_xlsx)(path, names, rows)


def _write_parquet(path: Path, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Write rows; a column whose cells have several types is text."""
    import narwhals.stable.v2 as nw

    columns = {name: _of_one_type([row[k] for row in rows]) for k, name in enumerate(names)}
    nw.from_dict(columns, backend=_parquet_backend()).write_parquet(path)


def read_xlsx(path: str) -> Iterator[list[Any]]:
    """Yield the rows of the first sheet with cells, without empty rows around and columns."""
    openpyxl = import_optional("openpyxl", "A file that ends in .xlsx")
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # of zipfile, of its XML, KeyError for a missing part
        raise ValueError(
            f"{path} is not a spreadsheet that openpyxl can read ({error}). Save it again as "
            ".xlsx, or as CSV."
        ) from None
    rows, title = [], ""
    for sheet in book.worksheets:
        rows, title = [[_cell(cell) for cell in row] for row in sheet.iter_rows()], sheet.title
        if any(cell is not None for row in rows for cell in row):
            break
    if (n_sheets := len(book.worksheets)) > 1:
        warn(f"{path} has {n_sheets} sheets; the first one with cells, {title!r}, is read.")
    book.close()
    if any(cell is None for row in rows for cell in row):
        _check_formulas(path, title, rows)
    width = max((k + 1 for row in rows for k, x in enumerate(row) if x is not None), default=0)
    filled = [k for k, row in enumerate(rows) if any(cell is not None for cell in row)]
    for row in rows[filled[0] : filled[-1] + 1] if filled else []:
        yield [*row, *[None] * width][:width]


def _check_formulas(path: str, title: str, rows: list[list[Any]]) -> None:
    """Raise if an empty cell has a formula whose result is not in the file."""
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True)
    for row, formulas in zip(rows, book[title].iter_rows(), strict=True):
        for value, cell in zip(row, formulas, strict=True):
            if value is None and cell.data_type == "f":
                raise ValueError(
                    f"{path}, cell {cell.coordinate}: the file has no result of the formula, or "
                    "an error. Open it in a spreadsheet program, correct and save it."
                )
    book.close()


def _write_xlsx(path: Path, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Write rows to a sheet; text that begins like a formula remains text."""
    openpyxl = import_optional("openpyxl", "A file that ends in .xlsx")
    if len(rows) >= _MOST_ROWS:
        raise ValueError(f"A sheet holds {_MOST_ROWS:,} rows. Write .csv or .parquet instead.")
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    try:
        cells = [[_written(sheet, value) for value in row] for row in [names, *rows]]
    except openpyxl.utils.exceptions.IllegalCharacterError:
        raise ValueError(
            "A sheet cannot hold control characters. Write .csv or .parquet instead."
        ) from None
    for row in cells:
        sheet.append(row)
    book.save(path)


def _is_whole(cells: list[float | None]) -> bool:
    """Return whether some cells are missing, and all others are whole numbers."""
    numbers = [cell for cell in cells if cell is not None and cell == cell]
    return 0 < len(numbers) < len(cells) and all(
        number.is_integer() and abs(number) < _LARGEST_WHOLE for number in numbers
    )


def _cell(cell: Any) -> Any:
    """Return the value of a cell as it is shown, None for an error of a formula."""
    value = cell.value
    if value is None or cell.data_type == "e" or value == "":
        return None
    digits = cell.number_format
    if isinstance(value, int) and len(digits) > 1 and set(digits) == {"0"}:
        return str(value).zfill(len(digits))  # a postcode of five digits
    return value


def _written(sheet: Any, value: Any) -> Any:
    from openpyxl.cell import WriteOnlyCell

    is_time = isinstance(value, dt.datetime | dt.time)
    if (
        (is_time and value.tzinfo is not None)
        or isinstance(value, list | dict | bytes)
        or (isinstance(value, float) and not math.isfinite(value))
        or (isinstance(value, int) and abs(value) > _LARGEST_OF_SHEET)
    ):
        value = cell_text(value)
    cell = WriteOnlyCell(sheet, value)
    if isinstance(value, str):
        cell.data_type = "s"
    return cell


def _of_one_type(cells: list[Any]) -> list[Any]:
    """Return cells that fit into one column, as text if nothing else does."""
    filled = [cell for cell in cells if cell is not None]
    kinds = {float if isinstance(cell, float) else type(cell) for cell in filled}
    if kinds <= {int, float}:
        most = _LARGEST_WHOLE if float in kinds else _LARGEST_INTEGER
        if all(not isinstance(cell, int) or abs(cell) <= most for cell in filled):
            as_number = float if float in kinds else int
            return [None if cell is None else as_number(cell) for cell in cells]
    elif len(kinds) < 2:
        return cells
    return [None if cell is None else cell_text(cell) for cell in cells]


def _parquet_backend() -> Any:
    """Return the name of an installed library for Parquet."""
    for name in _PARQUET:
        try:
            import_module(name)
        except ImportError:
            continue
        return name
    return import_optional(_PARQUET[0], "A file that ends in .parquet")
