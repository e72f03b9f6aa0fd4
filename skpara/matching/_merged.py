"""One record of each cluster, from the best cells of its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from skpara._frames import as_column, as_frame
from skpara.matching._search import Rows
from skpara.matching._tables import as_text, check_rows, take_rows

How = Literal["most frequent", "longest", "first"]
_DEFAULT: How = "most frequent"


def merged(X: Any, labels: NDArray[np.int64], kept: Rows, how: How | Mapping[str, How]) -> Any:
    """Return a row for each cluster; ``kept`` has the rows whose cells win ties."""
    check_rows(X, len(labels))
    by_column = how if isinstance(how, Mapping) else {}
    otherwise = _DEFAULT if isinstance(how, Mapping) else how
    frame = as_frame(X)
    names = list(X) if isinstance(X, Mapping) else [] if frame is None else frame.columns
    if unknown := [name for name in by_column if name not in names]:
        raise ValueError(f"how: there is no column {unknown[0]!r}.")
    if wrong := [x for x in (*by_column.values(), otherwise) if x not in get_args(How)]:
        raise ValueError(f"how must be one of {', '.join(get_args(How))}, got {wrong[0]!r}.")
    clusters: list[list[int]] = [[row] for row in kept.tolist()]
    of_label = dict(zip(labels[kept].tolist(), clusters, strict=True))
    for row in np.setdiff1d(np.arange(len(labels)), kept).tolist():
        of_label[labels[row]].append(row)

    def rows_of(column: Any, name: Any) -> Rows:
        rule = by_column.get(name, otherwise)
        cells = list(column if (series := as_column(column)) is None else series.to_list())
        return np.array([_best(cells, rows, rule) for rows in clusters], dtype=np.int64)

    if frame is not None:
        best = [
            frame.get_column(name)[rows_of(frame.get_column(name), name)].alias(name)
            for name in names
        ]
        return frame[kept].with_columns(*best).to_native()
    if isinstance(X, Mapping):
        return {name: take_rows(column, rows_of(column, name)) for name, column in X.items()}
    return take_rows(X, rows_of(X, None))


def _best(cells: Sequence[Any], rows: Sequence[int], how: How) -> int:
    """Return the row of a cluster whose cell is taken."""
    texts = {row: text for row in rows if (text := as_text(cells[row]))}
    if how == "first" or not texts:
        return next(iter(texts), rows[0])
    counts = Counter(texts.values())
    value = {"longest": len, "most frequent": counts.__getitem__}[how]
    return max(texts, key=lambda row: value(texts[row]))
