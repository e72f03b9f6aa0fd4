"""Values of cells as text and as JSON."""

from __future__ import annotations

import json
from typing import Any


def cell_text(cell: Any) -> str:
    """Return a cell of any type as text: whole numbers without a decimal point, dates as ISO."""
    if isinstance(cell, str):
        return cell
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, bool | list | dict | WrittenNumber):
        return write_json(cell)
    if isinstance(cell, bytes):
        try:
            return cell.decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"A cell is not text: {cell!r:.60}. Leave out its column.") from None
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    elif hasattr(cell, "isoformat"):
        cell = str(cell.isoformat()).removesuffix("T00:00:00")
    return str(cell)


class WrittenNumber(float):
    """A number of a JSON line, which Python might write otherwise: 1E5, -0, or 20 digits."""

    text: str


def write_json(value: Any) -> str:
    """Return a value of a JSON line as JSON, with numbers as they were written."""
    if isinstance(value, WrittenNumber):
        return value.text
    if isinstance(value, list):
        return f"[{', '.join(map(write_json, value))}]"
    if isinstance(value, dict):
        items = [f"{write_json(key)}: {write_json(cell)}" for key, cell in value.items()]
        return f"{{{', '.join(items)}}}"
    return json.dumps(value, ensure_ascii=False, default=cell_text)
