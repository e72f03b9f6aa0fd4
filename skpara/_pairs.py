"""What a pair is: the one place where input text is checked.

Every estimator takes *pairs*, anything of shape (n_pairs, 2) that holds text, and some also
take *sentences*, one-dimensional text. The functions here turn either into plain Python
strings, or refuse with the row, the column and the remedy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils.validation import validate_data

from skpara._public import set_module

_PAIRS = "pairs of sentences, shape (n_pairs, 2)"


def as_pairs(X: Any) -> NDArray[np.object_]:
    """Pairs of sentences as an object array of Python strings.

    Parameters
    ----------
    X : list of 2-tuples, array of str, or pandas or polars frame, shape (n_pairs, 2)
        One row, two sentences. An empty sentence is allowed.

    Returns
    -------
    ndarray of str, shape (n_pairs, 2), dtype object

    Raises
    ------
    TypeError
        If ``X`` is a single string, sparse, or not a table of text at all.
    ValueError
        If a row does not have two columns, or a cell is not a string.

    Examples
    --------
    >>> from skpara._pairs import as_pairs
    >>> as_pairs([("A man sings.", "A person is singing.")]).shape
    (1, 2)
    """
    _refuse_whole(X, _PAIRS)
    if _is_frame(X):
        if X.shape[1] != 2:
            raise ValueError(
                f"The frame has {X.shape[1]} column(s) {list(map(str, X.columns))}; {_PAIRS} "
                "are needed. Select the two columns that hold the sentences: "
                "X[['sentence1', 'sentence2']]."
            )
        columns = [_cells(X[name]) for name in X.columns]
        if len(columns) != 2:  # two columns of one name come out as a frame each
            raise ValueError("The frame's two columns have the same name; rename one of them.")
        pairs = np.empty((X.shape[0], 2), dtype=object)
        pairs[:, 0], pairs[:, 1] = columns
    elif isinstance(X, np.ndarray):
        if X.ndim != 2 or X.shape[1] != 2:
            raise ValueError(
                f"Expected 2D array of {_PAIRS}, got an array of shape {X.shape}.{_shape_hint(X)}"
            )
        pairs = X.astype(object)
    else:
        pairs = _rows(X)
    return _checked(pairs)


def as_sentences(X: Any) -> list[str]:
    """One-dimensional text as a list of Python strings.

    Raises
    ------
    TypeError
        If ``X`` is a single string, sparse, or not a sequence.
    ValueError
        If a cell is not a string or ``X`` has more than one dimension.
    """
    _refuse_whole(X, "sentences, shape (n_sentences,)")
    if _is_frame(X) or getattr(X, "ndim", 1) != 1:
        raise ValueError(
            f"Expected sentences, shape (n_sentences,), got shape {X.shape}. "
            "Pass one column of text."
        )
    cells = _cells(X)
    _checked(cells.reshape(-1, 1), pairs=False)
    return cells.tolist()


def is_sentences(X: Any) -> bool:
    """Whether ``X`` is one-dimensional text (sentences) rather than pairs."""
    if _is_frame(X):
        return False
    ndim = getattr(X, "ndim", None)
    if ndim is not None or hasattr(X, "dtype"):  # arrays and pandas; polars Series have no ndim
        return ndim in (1, None)
    return isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], str)


@set_module("skpara")
class PairEstimatorMixin:
    """Checks pairs and remembers column names. Put it left of ``BaseEstimator``."""

    def _check_pairs(self, X: Any, *, reset: bool) -> NDArray[np.object_]:
        """``as_pairs`` that also sets, or compares, the number and the names of the columns."""
        pairs = as_pairs(X)
        if reset and len(pairs) == 0:
            raise ValueError(
                f"Found array with 0 sample(s) (shape={pairs.shape}) while a minimum of 1 is "
                f"required by {type(self).__name__}: pass at least one pair to fit."
            )
        named = X if _is_frame(X) else pairs
        validate_data(self, named, reset=reset, skip_check_array=True)
        return pairs

    def __sklearn_tags__(self) -> Any:
        """Scikit-learn's tags: two-dimensional text."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.string = True
        return tags


def _refuse_whole(X: Any, wanted: str) -> None:
    if isinstance(X, (str, bytes)):
        raise TypeError(
            f"Got a bare {type(X).__name__}; {wanted} are needed. "
            "Wrap it: [(sentence1, sentence2)] for one pair, [sentence] for one sentence."
        )
    if issparse(X):
        raise TypeError(
            f"Sparse data was passed; {wanted} are needed. "
            "Pass the text itself, not counts made of it."
        )
    if isinstance(X, dict) or not (hasattr(X, "__len__") and isinstance(X, Iterable)):
        raise TypeError(
            f"Got {type(X).__name__}; {wanted} are needed: a list of 2-tuples, an array or a "
            "frame. Turn a generator into a list first."
        )


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "shape") and len(X.shape) == 2


def _cells(column: Any) -> NDArray[np.object_]:
    """One column of any kind as an object array, its values untouched."""
    if hasattr(column, "to_list"):  # pandas and polars Series
        column = column.to_list()
    elif hasattr(column, "dtype"):
        return np.asarray(column).astype(object)
    return np.fromiter(column, dtype=object, count=len(column))


def _rows(X: Any) -> NDArray[np.object_]:
    pairs = np.empty((len(X), 2), dtype=object)
    for i, row in enumerate(X):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__"):
            raise ValueError(
                f"Row {i} is {row!r:.60}, not a pair. Each row holds two sentences: "
                "[(sentence1, sentence2), ...]. To join two lists use "
                "list(zip(sentences1, sentences2))."
            )
        if len(row) != 2:
            raise ValueError(
                f"Row {i} has {len(row)} column(s); each row holds two sentences. "
                "To join two lists use list(zip(sentences1, sentences2))."
            )
        pairs[i, 0], pairs[i, 1] = row
    return pairs


def _checked(cells: NDArray[np.object_], *, pairs: bool = True) -> NDArray[np.object_]:
    """Refuse the first cell that is not a string; make NumPy's own strings plain ones."""
    for i, row in enumerate(cells.tolist()):
        for j, cell in enumerate(row):
            if type(cell) is str:
                continue
            if isinstance(cell, str):
                cells[i, j] = str(cell)
                continue
            where = f"Row {i}, column {j}" if pairs else f"Row {i}"
            raise ValueError(f"{where} holds {_named(cell)}, not a string. {_remedy(cell)}")
    return cells


def _named(cell: Any) -> str:
    if cell is None:
        return "None (missing text)"
    if _is_missing(cell):
        return "NaN (missing text)"
    return f"{type(cell).__name__} {cell!r:.40}"


def _is_missing(cell: Any) -> bool:
    if isinstance(cell, (float, np.floating)):
        return bool(cell != cell)
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")


def _remedy(cell: Any) -> str:
    if isinstance(cell, bytes):
        return "Decode it first: cell.decode('utf-8')."
    if _is_missing(cell):
        return "Drop the row, or put '' for an empty sentence (its similarity is 0)."
    return "Turn numbers into text first, e.g. X.astype(str), if they are meant as sentences."


def _shape_hint(X: NDArray[Any]) -> str:
    if X.ndim == 1:
        return " Reshape your data: one row for each pair, np.column_stack([first, second])."
    return " Select the two columns that hold the sentences."
