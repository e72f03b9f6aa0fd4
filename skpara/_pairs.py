"""Validation of pairs and sentences, the input of every estimator.

Pairs are text of shape (n_pairs, 2), sentences are one-dimensional text, in any container. The
functions convert either to Python strings in NFC, or raise an error that names row and column.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Set
from functools import wraps
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from scipy.sparse import issparse

from skpara._compatibility import DefaultsMixin
from skpara._frames import as_column, as_frame, column_names, is_frame
from skpara._normal_form import compose
from skpara._public import PublicMixin, set_module
from skpara._typing import Objects, Pairs, PairsLike, SentencesLike

F = TypeVar("F", bound=Callable[..., Any])

# The name of a file instead of its content.
_FILE = re.compile(r"^\S+\.(csv|jsonl?|ndjson|parquet|tsv|txt|xlsx?)(\.gz)?$", re.IGNORECASE)
_PAIRS = "pairs of sentences, shape (n_pairs, 2)"
_VECTORS = "To turn single sentences into vectors, use skpara.ParagramVectorizer."
_AS_PAIRS = (
    "One pair is [(sentence1, sentence2)], two lists are list(zip(sentences1, sentences2))."
)
_ROW = f"each row must hold two sentences. {_AS_PAIRS} {_VECTORS}"


def takes_pairs(method: F) -> F:
    """Decorate a method of pairs: passed a second table, it says how to make pairs of two."""
    name = method.__name__

    @wraps(method)
    def checked(*args: Any, **kwargs: Any) -> Any:
        try:
            return method(*args, **kwargs)
        except TypeError as error:
            if f"{name}() takes" not in str(error):
                raise
            raise TypeError(f"{name} takes {_PAIRS}, as one argument. {_AS_PAIRS}") from None

    return cast(F, checked)


class CheckedPairs(np.ndarray[Any, Any]):
    """Pairs that were validated, which the parts of a pipeline do not do again."""

    names: list[str] | None = None

    @classmethod
    def of(cls, X: Any) -> CheckedPairs:
        """Validate pairs in any container; keep the names of their columns."""
        pairs = as_pairs(X).view(cls)
        pairs.names = column_names(X)
        return pairs


def as_pairs(X: Any) -> Pairs:
    """Validate pairs in any container and return a copy as an object array of Python strings."""
    if type(X) is CheckedPairs:
        return X.view(np.ndarray)
    frame = as_frame(X)
    if frame is not None:
        if frame.shape[1] != 2:
            raise ValueError(
                f"Expected {_PAIRS}, got a frame with {frame.shape[1]} column(s) "
                f"{list(map(str, frame.columns))}. Select the two columns of sentences: "
                "X[['sentence1', 'sentence2']]."
            )
        pairs = np.empty((len(frame), 2), dtype=object)
        pairs[:, 0], pairs[:, 1] = (column.to_list() for column in frame.iter_columns())
        return _as_strings(pairs)
    _reject_other_types(X, _PAIRS)
    if _is_empty_array(X):
        pairs = np.empty((0, 2), dtype=object)
    elif isinstance(X, np.ndarray):
        if X.ndim != 2 or X.shape[1] != 2:
            hint = "Select the two columns of sentences."
            if X.ndim == 1:
                hint = "Reshape your data to one row per pair: np.column_stack([first, second]). "
                hint += _VECTORS
            raise ValueError(
                f"Expected 2D array of {_PAIRS}, got an array of shape {X.shape}. {hint}"
            )
        pairs = _as_objects(X)
    else:
        pairs = _rows(X)
    return _as_strings(pairs)


def check_pairs(
    X: PairsLike, *, max_pairs: int | None = None, max_characters: int | None = None
) -> Pairs:
    """Validate pairs of sentences and limit their size, for example in a web service.

    Parameters
    ----------
    X : pairs of shape (n_pairs, 2)
        A list, an array or a frame.
    max_pairs : int, default=None
        Largest number of pairs; None means no limit.
    max_characters : int, default=None
        Largest number of characters of a sentence; None means no limit.

    Returns
    -------
    ndarray of shape (n_pairs, 2), object
        The pairs as Python strings of composed characters (NFC), which every estimator of pairs
        takes.

    Raises
    ------
    ValueError
        If there are too many pairs, a sentence is too long, or a cell is not a string.
    TypeError
        If X is not a list, array or frame.

    Examples
    --------
    >>> from skpara import check_pairs
    >>> check_pairs([("It rains.", "It is raining.")], max_pairs=1000, max_characters=5000).shape
    (1, 2)
    >>> check_pairs([("It rains.", "rain " * 1000)], max_characters=500)
    Traceback (most recent call last):
      ...
    ValueError: Row 0, column 1 has 5,000 characters, but max_characters is 500.
    """
    # Its scikit-learn takes a second to import, and why_different needs none of it.
    from skpara._validation import check_count

    for name, limit in (("max_pairs", max_pairs), ("max_characters", max_characters)):
        check_count(name, 0 if limit is None else limit, 0)
    X = X if (frame := as_frame(X)) is None else frame
    if frame is None:
        _reject_other_types(X, _PAIRS)
    if max_pairs is not None and len(X) > max_pairs:  # before the copy
        raise ValueError(f"Got {len(X):,} pairs, but max_pairs is {max_pairs:,}.")
    pairs = as_pairs(X)
    if max_characters is not None:
        for (i, j), sentence in np.ndenumerate(pairs):
            if len(sentence) > max_characters:
                raise ValueError(
                    f"Row {i}, column {j} has {len(sentence):,} characters, but max_characters "
                    f"is {max_characters:,}."
                )
    return pairs


def as_sentences(X: Any) -> list[str]:
    """Validate one-dimensional text and return a copy as a list of Python strings."""
    if type(X) is list and set(map(type, X)) == {str}:  # fast path for a few sentences
        return _composed(X).copy()
    frame = as_frame(X)
    if frame is None:
        _reject_other_types(X, "sentences, shape (n_sentences,)")
    shaped = X if frame is None else frame
    shape: tuple[int, ...] = getattr(shaped, "shape", ())
    if shape[1:] == (1,):  # the frame of columns ["text"]
        return as_sentences(X[:, 0] if frame is None else frame.get_column(frame.columns[0]))
    if frame is not None or getattr(X, "ndim", 1) != 1:
        raise ValueError(
            f"Expected sentences, shape (n_sentences,), got shape {shaped.shape}. "
            "Pass one column of text."
        )
    return _as_strings(_cells(X).reshape(-1, 1), pairs=False).ravel().tolist()


def is_sentences(X: Any) -> bool:
    """Return whether ``X`` is one-dimensional text (sentences) rather than pairs."""
    if type(X) is CheckedPairs or is_frame(X) or _is_empty_array(X):
        return False
    if as_column(X) is not None or hasattr(X, "to_pylist"):  # the latter has an array of pyarrow
        return True
    ndim = getattr(X, "ndim", None)
    if ndim is not None:
        return bool(ndim == 1)
    return isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], str)


@set_module("skpara")
class PairEstimatorMixin(DefaultsMixin, PublicMixin):
    """Mixin for estimators of pairs: validation of X, and tags.

    The first column holds the first sentences, whatever its name. An estimator that was fitted to
    a frame has the names as ``feature_names_in_``, and refuses frames with others or in another
    order, as those of scikit-learn do. Lists and arrays, which have no names, are welcome without
    a warning.

    Put it left of ``BaseEstimator`` in the list of base classes, and call ``check_pairs`` first in
    each method that takes pairs.
    """

    # Parameters that have their values of ``fit`` in a fitted estimator, whatever is set later.
    _fixed_by_fit: ClassVar[tuple[str, ...]] = ()

    def check_pairs(self, X: Any, *, reset: bool) -> Pairs:
        """Validate pairs and the names of their columns, in a method of an estimator.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
            The text that was passed to the method.
        reset : bool
            True in ``fit``, which has at least one pair and keeps the names; False in methods that
            refuse other names than those of ``fit``.

        Returns
        -------
        ndarray of shape (n_pairs, 2), object
            The pairs as Python strings of composed characters (NFC).
        """
        pairs = as_pairs(X)
        names = X.names if type(X) is CheckedPairs else column_names(X)
        if reset and len(pairs) == 0:
            raise ValueError(
                f"Found array with 0 sample(s) (shape={pairs.shape}) while a minimum of 1 is "
                f"required by {type(self).__name__}. Pass at least one pair to fit."
            )
        if reset:
            self.n_features_in_ = 2
            vars(self).pop("feature_names_in_", None)
            if names is not None:
                self.feature_names_in_ = np.array(names, dtype=object)
            self._fixed = {name: getattr(self, name) for name in self._fixed_by_fit}
            return pairs
        fitted: Any = getattr(self, "feature_names_in_", names)
        if names is not None and list(names) != list(fitted):
            raise ValueError(
                "The feature names should match those that were passed during fit, "
                f"{list(fitted)} in this order, got {names}. Rename or select the columns; an "
                "array, as of X.to_numpy(), has no names."
            )
        return pairs

    def _fitted_parameter(self, name: str) -> Any:
        """Return a parameter of ``_fixed_by_fit`` as it was in ``fit``, if there was one."""
        return vars(self).get("_fixed", {}).get(name, getattr(self, name))

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: text, and no arrays of numbers."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.string = True
        # check_estimator, whose data are numbers, then skips what it cannot test.
        tags.input_tags.two_d_array = False
        return tags


class TextTransformMixin(PublicMixin):
    """Mixin for transformers of pairs or sentences; a subclass writes ``_transform``.

    ``_transform`` returns rows and the names of their columns. scikit-learn wraps a ``transform``
    that a transformer itself defines and names its columns by ``get_feature_names_out``, which
    cannot know whether pairs or sentences were transformed. It leaves inherited methods alone.
    """

    _gives_text = False  # whether it returns text, as translators do, instead of numbers

    @takes_pairs
    def transform(self: Any, X: PairsLike | SentencesLike) -> Any:
        """Transform pairs or sentences.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2), or sentences of shape (n_sentences,)
            The text to transform. Encoders may need no ``fit`` for sentences.

        Returns
        -------
        ndarray, or a frame as ``set_output`` says
            From encoders, features of pairs, float64 of shape (n_pairs, k), or vectors of
            sentences, float32 of shape (n_sentences, n_dims). From translators, text of the shape
            of ``X``.
        """
        # Here, as why_different needs none of it.
        from sklearn.utils._set_output import ADAPTERS_MANAGER, _get_output_config

        rows, names = self._transform(X)
        container = _get_output_config("transform", self)["dense"]
        if container == "default":
            return rows
        rows = rows.reshape(len(rows), -1)
        return ADAPTERS_MANAGER.adapters[container].create_container(rows, X, columns=names)

    def fit_transform(self: Any, X: PairsLike | SentencesLike, y: Any = None) -> Any:
        """Fit, then transform the same text.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2), or sentences of shape (n_sentences,)
            The text to transform.
        y : object, default=None
            Passed to ``fit``.

        Returns
        -------
        ndarray, or a frame as ``set_output`` says
            As from :meth:`transform`.
        """
        return self.fit(X, y).transform(X)


def _reject_other_types(X: Any, expected: str) -> None:
    kind = type(X).__name__
    remedy = "Pass a list, an array or a frame; turn a generator into a list first."
    if isinstance(X, os.PathLike) or (isinstance(X, str) and _FILE.search(X)):
        reader = "skpara.datasets.read_pairs" if expected == _PAIRS else "pandas.read_csv"
        kind, remedy = f"the name of a file, {str(X)!r:.60}", f"Read it first, by {reader}."
    elif isinstance(X, (str, bytes)):
        wrapped = "(sentence1, sentence2)" if expected == _PAIRS else "sentence"
        remedy, kind = f"Wrap it: [{wrapped}].", f"a single {kind}"
    elif issparse(X):
        kind, remedy = "a sparse matrix", "Pass the text itself, not its word counts."
    elif isinstance(X, Set):
        remedy = "A set has no fixed order: pass a list, such as sorted(X)."
    elif hasattr(X, "__len__") and isinstance(X, Iterable) and not isinstance(X, Mapping):
        return
    raise TypeError(f"Expected {expected}, got {kind}. {remedy}")


def _is_empty_array(X: Any) -> bool:
    """Return whether ``X`` is the array of an empty list of pairs, which has one dimension."""
    return isinstance(X, np.ndarray) and X.shape == (0,)


def _cells(column: Any) -> Objects:
    """Return one column of any container as an object array with the same values."""
    if (series := as_column(column)) is not None:
        column = series.to_list()
    elif hasattr(column, "to_pylist"):  # an array of pyarrow
        column = column.to_pylist()
    elif hasattr(column, "dtype"):
        return _as_objects(column)
    return np.fromiter(column, dtype=object, count=len(column))


def _as_objects(array: Any) -> Objects:
    """Return a copy as an object array, with NaN for what is masked."""
    if isinstance(array, np.ma.MaskedArray):  # np.asarray would drop the mask
        return np.asarray(np.ma.filled(array.astype(object), np.nan))
    return np.asarray(array).astype(object)


def _rows(X: Any) -> Pairs:
    pairs = np.empty((len(X), 2), dtype=object)
    for i, row in enumerate(X):
        if type(row) not in (tuple, list):
            _reject_other_rows(i, row)
        if len(row) != 2:
            raise ValueError(f"Row {i} has {len(row)} column(s): {_ROW}")
        pairs[i, 0], pairs[i, 1] = row
    return pairs


def _reject_other_rows(i: int, row: Any) -> None:
    kind = type(row).__name__
    # Mappings and sets can be unpacked, too: into keys, and in another order in each process.
    if isinstance(row, Mapping):
        keys = [*map(repr, row), "'sentence1'", "'sentence2'"]
        raise ValueError(
            f"Row {i} is a {kind}, not a pair. Select two of its values: "
            f"[(row[{keys[0]}], row[{keys[1]}]) for row in X]."
        )
    if isinstance(row, Set):
        raise ValueError(
            f"Row {i} is a {kind}, which has no fixed order. Pass tuples: (sentence1, sentence2)."
        )
    is_text = isinstance(row, (str, bytes))
    if is_text or not hasattr(row, "__len__") or getattr(row, "ndim", 1) != 1:
        raise ValueError(f"Row {i} is {row!r:.60}, not a pair: {_ROW}")


def _as_strings(cells: Objects, *, pairs: bool = True) -> Objects:
    """Raise an error for the first cell that is not a string; replace NumPy's str by Python's."""
    texts = cells.ravel().tolist()
    if set(map(type, texts)) <= {str}:  # many times faster than the loop
        composed = _composed(texts)
        return cells if composed is texts else np.array(composed, object).reshape(cells.shape)
    for i, row in enumerate(cells.tolist()):
        for j, cell in enumerate(row):
            if type(cell) is str:
                continue
            if isinstance(cell, str):
                cells[i, j] = str(cell)
                continue
            where = f"Row {i}, column {j}" if pairs else f"Row {i}"
            raise ValueError(f"{where} holds {_problem(cell)}")
    return _as_strings(cells)


def _composed(texts: list[str]) -> list[str]:
    """Return the texts in NFC; nearly all of English, in ASCII, is already."""
    return texts if all(map(str.isascii, texts)) else [compose(text) for text in texts]


def _problem(cell: Any) -> str:
    """Describe a cell that is not a string, and the remedy."""
    is_nan = isinstance(cell, (float, np.floating)) and cell != cell
    if cell is None or is_nan or type(cell).__name__ in ("NAType", "NaTType"):
        kind = "None (missing text)" if cell is None else "NaN (missing text)"
        remedy = "Drop the row, or replace it by '', an empty sentence."
    else:
        kind = f"{type(cell).__name__} {cell!r:.40}"
        remedy = "If it is meant as text, convert it first, e.g. by X.astype(str)."
        if isinstance(cell, bytes):
            remedy = "Decode it first: cell.decode('utf-8')."
        elif isinstance(cell, (list, tuple)):
            remedy = "A cell is one sentence: join words by ' '.join, pass one column of pairs."
    return f"{kind}, not a string. {remedy}"
